"""The one source of randomness: generators that depend on a seed and on keys, never on order.

Two pieces of work that use different keys get independent streams, whichever process runs them and
whichever runs first, so results do not change with the number of workers.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Key = str | int | float | bool | None

_MASK = 2**64 - 1
_GOLDEN, _FIRST, _SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def rng_for(seed: int, *keys: Key) -> np.random.Generator:
    """Return the generator that belongs to `seed` and `keys`.

    Equal arguments always give the same stream, on every machine and Python hash seed. Keys are told
    apart by type, so ``1``, ``"1"``, ``1.0`` and ``True`` give four different streams.

    Args:
        seed: the user's seed; any integer, negative ones included.
        *keys: what the randomness is for, e.g. ``"bootstrap"``, a scene id, a replicate number.

    Example:
        >>> int(rng_for(0, "walk", 3).integers(1000)) == int(rng_for(0, "walk", 3).integers(1000))
        True
        >>> rng_for(0, "walk", 3).random() == rng_for(0, "walk", "3").random()
        False
    """
    digest = hashlib.blake2b(digest_size=32)
    for key in (seed, *keys):
        token = f"{type(key).__name__}:{key!r}".encode()
        digest.update(len(token).to_bytes(8, "little") + token)
    entropy = np.frombuffer(digest.digest(), dtype=np.uint32)
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy.tolist())))


def uniforms(seed: int, purpose: str, keys: NDArray[np.uint64], step: int) -> NDArray[np.float64]:
    """Return one number in [0, 1) per key: a hash of all arguments, for many keys at once.

    No state is kept and no order matters: the number of a key depends on nothing but the arguments.

    Args:
        seed: the user's seed.
        purpose: what the numbers are for; other purposes get independent numbers.
        keys: what each number belongs to, e.g. a hash of an episode's id.
        step: which number of the key's stream.

    Example:
        >>> few = uniforms(0, "turn", np.array([3, 8], dtype=np.uint64), 5)
        >>> few.tolist() == [uniform(0, "turn", 3, 5), uniform(0, "turn", 8, 5)]
        True
    """
    stream = np.asarray(keys, dtype=np.uint64) + np.uint64(_stream(seed, purpose))
    mixed = _mix_many(_mix_many(stream) + np.uint64((step + 1) * _GOLDEN & _MASK))
    return np.asarray((mixed >> np.uint64(11)) * 2.0**-53, dtype=np.float64)


def uniform(seed: int, purpose: str, key: int, step: int) -> float:
    """Return the number that `uniforms` gives to one key."""
    mixed = _mix(_mix(key + _stream(seed, purpose) & _MASK) + (step + 1) * _GOLDEN & _MASK)
    return (mixed >> 11) * 2.0**-53


@lru_cache(maxsize=256)
def _stream(seed: int, purpose: str) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed}:{purpose}".encode(), digest_size=8).digest(), "little")


# the finaliser of SplitMix64 (Steele, Lea and Flood 2014), on arrays and on one number
def _mix_many(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    x = (x ^ (x >> np.uint64(30))) * np.uint64(_FIRST)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(_SECOND)
    return np.asarray(x ^ (x >> np.uint64(31)))


def _mix(x: int) -> int:
    x = (x ^ (x >> 30)) * _FIRST & _MASK
    x = (x ^ (x >> 27)) * _SECOND & _MASK
    return x ^ (x >> 31)
