"""What may be a landmark: what stands on the floor and is large, by its kind and by its own size.

The paper has landmarks “large and unique” and leaves out mirrors, doors, floors, ceilings, walls,
windows, light switches, control panels and small objects (its Listing 2). A kind counts here if nothing
of `NO_LANDMARKS` is meant and, where sizes are estimates, if most objects of its name in Matterport3D
stand on the floor and are tall enough.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

TABLE = Path(__file__).with_name("standing.json")
"""Made by ``tools/measure_landmarks.py``."""
SHARE = 0.75
"""Least share of the objects of a kind that stand on the floor."""
NO_LANDMARKS = frozenset(
    {"door", "doorway", "window", "mirror", "stairs", "rug", "curtain", "picture", "chandelier", "light"}
)
"""What no landmark is, whatever its size: parts of the building, and what lies flat or hangs."""
VAGUE_KINDS = frozenset(
    {"ball", "blanket", "clothes", "cushion", "drawer", "object", "pipe", "post", "railing", "scale", "seat"}
)
"""Kinds whose names say too little, or that lie on others, however large their boxes are."""

BUILT_IN = frozenset(
    {
        "kitchen counter",
        "counter",
        "cabinet",
        "kitchen cabinet",
        "kitchen island",
        "stove",
        "closet",
        "bathtub",
    }
)
"""What stands side by side as one, or is listed in parts: nobody counts such things or says “one of”."""


class KindFacts(msgspec.Struct, frozen=True):
    """What was measured of the objects of one name: number, medians in metres, share that stands."""

    objects: int
    bottom: float
    height: float
    standing: float


class _Table(msgspec.Struct):
    source: str
    facts: dict[str, KindFacts]


@cache
def kinds() -> dict[str, KindFacts]:
    """Return what was measured, by name of the lexicon."""
    return msgspec.json.decode(TABLE.read_bytes(), type=_Table).facts


@cache
def is_standing_kind(name: str) -> bool:
    """Return whether most objects of a name of the lexicon stand on the floor and are tall enough.

    Kinds of which fewer than three objects were measured do not count.

    Example:
        >>> [is_standing_kind(name) for name in ("sofa", "light switch", "plant", "nothing of the kind")]
        [True, False, False, False]
    """
    facts = kinds().get(name)
    return facts is not None and facts.standing >= SHARE and name not in NO_LANDMARKS | VAGUE_KINDS
