"""Things in a row, as someone sees them who walks straight on: the first, the second, … on either side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from vlnscope.benchmarks.nuances.build.items import IndexedScene
from vlnscope.language.geometry import passing
from vlnscope.types import Point

AHEAD, BEHIND = 0.6, 1.5
"""What is abreast of the start, less than so many metres ahead or behind, may or may not be counted."""
APART = 0.8
"""Things of one side are at least so far apart along the way, metres."""
WIDE, NARROW = 3.0, 0.5
"""Most and least metres to the side at which things count; what is nearer to the line lies ahead."""
MOST = 6
"""Highest number that is asked for."""


class Counted(NamedTuple):
    """A thing of the survey that is counted.

    Attributes:
        thing: which.
        along: metres ahead of the start.
        aside: metres to the right of the line.
        path: the walk to it; empty if there is none.
        stops: where else a walk to it may end.
    """

    thing: int
    along: float
    aside: float
    path: tuple[int, ...]
    stops: tuple[int, ...]


Reach = Callable[[int], tuple[tuple[int, ...], tuple[int, ...]]]
Row = dict[str, Counted]
"""What is counted, by number and side such as ``2-left``."""


class NumberedWalks(NamedTuple):
    """Numbered walks from one start.

    Attributes:
        start: where they start.
        heading: where the walker looks.
        row: what is counted.
        phrase: how it is said, a key of the wordings.
        name: what is counted, as the lexicon calls it.
    """

    start: int
    heading: float
    row: Row
    phrase: str
    name: str


def row_of(
    site: IndexedScene, start: int, towards: Point, things: Iterable[tuple[int, Point]], reach: Reach
) -> Row | None:
    """Number the things ahead of a walker on both sides; None where counting is not clear.

    Args:
        site: the scene.
        start: where the walker stands.
        towards: a point straight ahead.
        things: what is counted, with the middle of each.
        reach: the walk to a thing, and where else it may end.
    """
    here = site.point(start)
    length = ((towards[0] - here[0]) ** 2 + (towards[1] - here[1]) ** 2) ** 0.5
    sides: dict[str, list[tuple[float, float, int]]] = {"left": [], "right": []}
    for thing, middle in things:
        along, aside = passing(here, towards, middle)
        along *= length
        if -BEHIND <= along <= AHEAD and abs(aside) <= WIDE:
            return None
        if along > 0 and NARROW <= abs(aside) <= WIDE:
            sides["right" if aside > 0 else "left"].append((along, aside, thing))
    if not all(_spaced(sorted(spots)) for spots in sides.values()):
        return None
    return {
        f"{number}-{side}": Counted(thing, along, aside, *reach(thing))
        for side, spots in sides.items()
        for number, (along, aside, thing) in enumerate(sorted(spots)[:MOST], 1)
    }


def numbered(row: Row) -> list[str]:
    """Return the keys of what has to be counted: on its side there is a second one.

    Example:
        >>> one = Counted(0, 2.0, 1.0, (), ())
        >>> numbered({"1-left": one, "2-left": one, "1-right": one})
        ['1-left', '2-left']
    """
    return [key for key in row if f"2-{key.partition('-')[2]}" in row]


def _spaced(spots: Sequence[tuple[float, float, int]]) -> bool:
    return all(b[0] - a[0] >= APART for a, b in pairwise(spots))
