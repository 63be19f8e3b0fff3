"""The one source of randomness: generators that depend on a seed and on keys, never on order.

Two pieces of work that use different keys get independent streams, whichever process runs them and
whichever runs first, so results do not change with the number of workers.
"""

from __future__ import annotations

import hashlib

import numpy as np

Key = str | int | float | bool | None


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
