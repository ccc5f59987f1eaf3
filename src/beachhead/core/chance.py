"""Provably fair dice: every roll is a keyed hash of the seed, the roll's stream and its number in that stream.

The seed is never part of a state. Before the first roll its commitment (a hash) is shown, after the last one the seed
itself, and then anybody can work out every roll again. As each stream counts for itself, a new card that rolls on a
stream of its own shifts no other roll, and the order in which seats answer changes nobody's dice.

    roll = HMAC-SHA256(seed, "stream:number:block"), read byte by byte;
    a byte of 252 or more is passed over, the rest count mod 6.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from .node import Outcome, Roll


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
    key = seed.encode()
    name = f"{request.stream}:{request.number}:"
    found: list[int | str] = []
    need = request.size
    left = list(request.deck)
    sides = len(left) or request.sides
    if not 0 < sides <= 256 or 0 < len(left) < need:
        raise ValueError(f"cannot roll {request.expected()}: at most 256 sides, and no more cards than there are")
    block = 0
    while len(found) < need:
        limit = 256 - 256 % sides
        for byte in hmac.digest(key, f"{name}{block}".encode(), "sha256"):
            if byte >= limit:
                continue
            if left:
                found.append(left.pop(byte % sides))
                sides = len(left) or 1
                limit = 256 - 256 % sides
            else:
                found.append(request.low + byte % sides)
            if len(found) == need:
                break
        block += 1
    return tuple(found)
