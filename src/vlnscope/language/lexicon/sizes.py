"""When a thing is called large, small, tall or long: by its box, compared with others of its class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from vlnscope.types import Point
from vlnscope.worlds.houses.furnish.catalogue import catalogue

OPINIONS = ("beautiful",)
"""Attributes that claim nothing."""
FRAMED = ("picture", "mirror")
"""Things that hang on walls, framed."""
_UPPER, _LOWER = 0.7, 0.2
_FAR = 6.0
_LONG = frozenset(
    {"sofa", "bench", "dining table", "console table", "kitchen counter", "tv stand", "desk", "curtain",
     "conference table", "workbench"}
)  # fmt: skip
_TALL = frozenset(
    {"bookshelf", "wardrobe", "plant", "statue", "floor lamp", "coat rack", "vase", "bush", "wine rack",
     "ladder", "bird cage"}
)  # fmt: skip
_SIZED = frozenset(
    {"bed", "rug", "picture", "mirror", "tv", "plant", "fireplace", "chandelier", "dresser", "cabinet",
     "sofa", "kitchen island", "refrigerator", "bathtub", "coffee table", "piano", "vase", "bookshelf",
     "dining table", "side table", "clock", "statue", "basket", "trash can", "ottoman", "desk", "wardrobe"}
)  # fmt: skip


@cache
def _ranges(name: str) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Return least and greatest length and height of a class of objects."""
    kind = catalogue().get(name)
    if kind is None:
        return None
    longer = max(kind.width, kind.depth, key=lambda span: span[1])
    return longer, kind.height


def size_words(name: str, box: Point | None) -> tuple[str, ...]:
    """Return the words for the size of an object that its class and its box allow.

    Example:
        >>> size_words("sofa", (2.4, 0.9, 0.85)), size_words("sofa", (0.9, 1.65, 0.8))
        (('large', 'long'), ('small',))
    """
    ranges = _ranges(name)
    if box is None or ranges is None:
        return ()
    words = []
    length = _share(max(box[0], box[1]), ranges[0])
    height = _share(box[2], ranges[1])
    if name in _SIZED and length >= _UPPER:
        words.append("large")
    if name in _SIZED and length <= _LOWER and height <= 0.6:
        words.append("small")
    if name in _LONG and length >= _UPPER:
        words.append("long")
    if name in _TALL and height >= _UPPER:
        words.append("tall")
    return tuple(words)


def room_size_words(name: str, spots: Sequence[Point]) -> tuple[str, ...]:
    """Return the words for the size of a room that the spread of its viewpoints allows.

    Example:
        >>> room_size_words("hallway", [(0.0, 0.0, 1.5), (7.5, 0.0, 1.5)])
        ('long',)
    """
    reach = max((math.dist(a, b) for a in spots for b in spots), default=0.0)
    if name == "hallway":
        return ("long",) if reach >= _FAR else ()
    if name in ("room", "porch", "outdoor"):
        return ()
    return ("large",) if reach >= _FAR and len(spots) >= 6 else ("small",) if len(spots) <= 2 else ()


def _share(value: float, span: tuple[float, float]) -> float:
    """Return where in a range a value lies, 0 at its lower end; 0.5 if the range is narrow."""
    low, high = span
    return (value - low) / (high - low) if high - low > 0.1 * high else 0.5
