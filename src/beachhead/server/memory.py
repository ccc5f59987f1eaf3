"""When Python looks for garbage. Nearly all that a server drops goes by itself; what holds itself in circles is little,
and looking for it among all tables stops everybody. So new objects are looked through often where there is time for it,
and all of them when nobody plays.
"""

from __future__ import annotations

import asyncio
import gc
import time

MOST = 200_000
"""So many new objects are looked through in any case, which takes about a tenth of a second,"""
FEW = 500
"""and so many already where there is time, which takes about a millisecond."""
NEVER = 1_000_000_000
EVERY = 0.1
"""Seconds between two looks at how busy the server is."""
BUSY = 0.8
"""The share of a processor from which on there is no time."""
QUIET = 0.02
"""The share below which nobody plays,"""
LONG = 10.0
"""if it lasts for so many seconds."""
WORTH = 5.0
"""A search through everything is worth it after so many seconds of work,"""
LATEST = 3600.0
"""and comes after so many seconds in any case."""


def settle_memory() -> None:
    """Call this once all is loaded: it is not looked through again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(MOST, NEVER, NEVER)


async def tidy() -> None:
    """Look through what is new, or through everything, when it disturbs nobody."""
    used = searched = time.process_time()
    at = busy_at = time.monotonic()
    while True:
        await asyncio.sleep(EVERY)
        now, before, used = time.monotonic(), used, time.process_time()
        share = (used - before) / EVERY
        if share > QUIET:
            busy_at = now
        if (now - busy_at > LONG and used - searched > WORTH) or now - at > LATEST:
            gc.collect()
            used = searched = time.process_time()
            at = now
        elif share < BUSY and gc.get_count()[0] > FEW:
            gc.collect(0)
