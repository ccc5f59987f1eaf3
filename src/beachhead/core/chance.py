"""Provably fair dice: every roll is a keyed hash of the seed, the roll's stream and its number in that stream.

The seed is never part of a state. Before the first roll its commitment (a hash) is shown, after the last one the seed
itself, and then anybody can work out every roll again. As each stream counts for itself, a new card that rolls on a
stream of its own shifts no other roll, and the order in which seats answer changes nobody's dice.

    roll = HMAC-SHA256(seed, "stream:number:block"), read byte by byte;
    a byte of 252 or more is passed over, the rest count mod 6.
"""

from __future__ import annotations

import hashlib
import secrets
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from .node import Outcome, Roll

if TYPE_CHECKING:
    from hashlib import _Hash as Hash


def new_seed() -> str:
    """A seed that nobody can guess: 256 bits as hex."""
    return secrets.token_hex(32)


def seed_from(text: str) -> str:
    """The seed that stands for a short text such as `--seed 7`; the same text gives the same games."""
    return hashlib.sha256(b"beachhead seed " + text.encode()).hexdigest()


def commitment(seed: str) -> str:
    """What is shown before the first roll; it tells nothing about the seed and fits no other."""
    return hashlib.sha256(b"beachhead commitment " + seed.encode()).hexdigest()


def sample(seed: str, request: Roll) -> Outcome:
    """The outcome of this request under this seed."""
    name = f"{request.stream}:{request.number}:"
    if request.deck:
        return _draw(seed, name, request)
    sides, need = request.sides, sum(request.groups)
    if not 0 < sides <= 256:
        raise ValueError(f"cannot roll {request.expected()}: at most 256 sides")
    faces, passed = _tables(sides, request.low)
    found = b""
    block = 0
    while len(found) < need:
        found += _block(seed, name, block).translate(faces, passed)
        block += 1
    return tuple(found[:need])


def _block(seed: str, name: str, block: int) -> bytes:
    inner, outer = _keyed(seed)
    found, whole = inner.copy(), outer.copy()
    found.update(f"{name}{block}".encode())
    whole.update(found.digest())
    return whole.digest()


@lru_cache(maxsize=8)
def _keyed(seed: str) -> tuple[Hash, Hash]:
    """The two hashes of HMAC-SHA256 (RFC 2104) that have read the seed, to be copied: making them is the dearer half,
    and the class of the standard library takes more than twice the time.
    """
    key = seed.encode()
    if len(key) > 64:
        key = hashlib.sha256(key).digest()
    key = key.ljust(64, b"\0")
    return hashlib.sha256(key.translate(INNER)), hashlib.sha256(key.translate(OUTER))


INNER, OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


@cache
def _tables(sides: int, low: int) -> tuple[bytes, bytes]:
    """Byte -> face, and the bytes that are passed over because they would make the first faces likelier."""
    return bytes(low + byte % sides & 255 for byte in range(256)), bytes(range(256 - 256 % sides, 256))


def _draw(seed: str, name: str, request: Roll) -> Outcome:
    """Cards one after the other, each with as many sides as there are cards left."""
    left = list(request.deck)
    if request.size > len(left) or len(left) > 256:
        raise ValueError(f"cannot draw {request.expected()}: at most 256 cards, and no more than there are")
    found: list[int | str] = []
    block = 0
    while len(found) < request.size:
        for byte in _block(seed, name, block):
            if byte < 256 - 256 % len(left):
                found.append(left.pop(byte % len(left)))
                if len(found) == request.size:
                    break
        block += 1
    return tuple(found)
