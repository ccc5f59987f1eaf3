"""Work beside the event loop, for which nobody waits longer than they want to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import copy_context
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


def in_thread(work: Callable[..., T], *args: Any) -> asyncio.Future[T]:
    """The result of a thread of its own, for which nobody waits when the server stops or time is over."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()
    here = copy_context()

    def tell(act: Callable[..., None], *what: Any) -> None:
        try:
            loop.call_soon_threadsafe(act, done, *what)
        except RuntimeError:  # the loop is closed
            pass

    def run() -> None:
        try:
            found = here.run(work, *args)
        except Exception as error:
            tell(fail, error)
        except BaseException as error:  # what would end a program must not end the server
            tell(fail, RuntimeError(repr(error)))
        else:
            tell(resolve, found)

    Thread(target=run, name="beachhead-aside", daemon=True).start()
    return done


def resolve(done: asyncio.Future[T], value: T) -> None:
    if not done.done():
        done.set_result(value)


def fail(done: asyncio.Future[Any], error: BaseException) -> None:
    if not done.done():
        done.set_exception(error)
