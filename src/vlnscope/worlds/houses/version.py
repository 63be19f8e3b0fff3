"""The version of the built-in houses, which plans, cases and runs carry."""

from __future__ import annotations

from functools import cache

from vlnscope.core.cache_key import PACKAGE, cache_key

GENERATOR_VERSION = 2
"""Version of the houses: the same number means the same houses, to the last byte of plan, graph and mesh.

Whoever changes what comes out of a seed raises it and runs ``python tools/house_digests.py --write``;
``tests/worlds/houses/test_house_version.py`` fails until both are done. Houses of version 1 carry no number.
"""


@cache
def houses_key() -> str:
    """Return the name of the cache folder for what is made of the houses of this version."""
    here = PACKAGE / "worlds" / "houses"
    patterns = ("*.py", "*.toml", "facts/*.json")
    sources = [path for pattern in patterns for path in sorted(here.rglob(pattern))]
    return cache_key(
        GENERATOR_VERSION, libraries=("numpy", "shapely"), sources=[PACKAGE / "core" / "rng.py", *sources]
    )
