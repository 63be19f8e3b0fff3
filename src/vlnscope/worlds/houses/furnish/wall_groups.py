"""What hangs on bare walls: large pictures, rows and galleries of them, shelves with things, mirrors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from vlnscope.worlds.houses.furnish.arrangements import EYE, HUNG, Furnisher
from vlnscope.worlds.houses.furnish.catalogue import Appearance
from vlnscope.worlds.houses.furnish.placements import Placement
from vlnscope.worlds.houses.furnish.room import Wall
from vlnscope.worlds.houses.furnish.stretches import WallStretch, wall_gaps
from vlnscope.worlds.houses.plan.plan import PlanItem

SHELF_THINGS = ("books", "books", "plant", "plant", "photo frame", "candle", "bowl")
"""What stands on the shelves of most rooms."""
_LOW, _HIGH = 1.3, 1.8
_LEAST = 0.42
_BETWEEN = 0.35
_FULL = 3.4
_DOUBLE, _ABOVE = 4.2, 2.4


class _Place(NamedTuple):
    """A place on a wall, with the room that there is to both sides."""

    wall: Wall
    along: float
    width: float


def dress_walls(f: Furnisher, share: float, things: Sequence[str] = SHELF_THINGS) -> None:
    """Hang groups of things on the bare parts of the walls.

    Args:
        f: the room.
        share: of the bare parts that get something.
        things: what may stand on wall shelves; none are hung if it is empty.
    """
    for gap in wall_gaps(f, _LOW, _HIGH):
        if gap.length < _LEAST:
            break
        if f.rng.random() < share:
            for place in _places(f, gap):
                _group(f, place, things)
    if f.space.ceiling - f.space.floor.elevation > _DOUBLE:
        _dress_high(f, share)


def _dress_high(f: Furnisher, share: float) -> None:
    """Hang large pictures on the upper part of the walls of a high room."""
    middle = (_ABOVE + f.space.ceiling - f.space.floor.elevation) / 2
    for gap in wall_gaps(f, middle - 0.5, middle + 0.5):
        if gap.length < 1.2:
            break
        for place in _places(f, gap):
            if f.rng.random() < share:
                width = min(place.width, float(f.rng.uniform(1.3, 2.0)))
                look = _sized(f.look("picture"), width, min(width * 0.75, 1.4))
                hang_at(f, place.wall, place.along, middle, "picture", look)


def _places(f: Furnisher, gap: WallStretch) -> list[_Place]:
    """Cut a gap into equal parts, each for one group."""
    count = max(round(gap.length / float(f.rng.uniform(2.0, _FULL))), 1)
    part = gap.length / count
    width = part - (_BETWEEN if count > 1 else 0.08)
    return [_Place(gap.wall, gap.low + part * (k + 0.5), width) for k in range(count)]


def _group(f: Furnisher, place: _Place, things: Sequence[str]) -> None:
    roll = float(f.rng.random())
    if place.width < 0.8:
        _narrow(f, place, roll)
    elif things and roll < 0.22:
        _shelves(f, place, things)
    elif roll < 0.3:
        _mirror(f, place)
    elif roll < 0.56 and place.width > 1.1:
        _row(f, place)
    elif roll < 0.74 and place.width > 1.0:
        _gallery(f, place)
    else:
        _large(f, place)


def hang_at(
    f: Furnisher, wall: Wall, along: float, centre: float, name: str, look: Appearance
) -> PlanItem | None:
    """Hang a thing at a place along a wall, its middle `centre` metres above the floor."""
    x, y = wall.point(along, HUNG + look.size[1] / 2)
    spot = Placement(x, y, f.space.floor.elevation + centre - look.size[2] / 2, wall.turns)
    return f.put(name, look, [spot], mounted=True)


def _sized(look: Appearance, width: float, height: float) -> Appearance:
    return look._replace(size=(round(width, 2), look.size[1], round(height, 2)))


def _large(f: Furnisher, place: _Place) -> None:
    width = min(place.width, float(f.rng.uniform(0.9, 1.6)))
    height = min(float(f.rng.uniform(0.65, 0.85)) * width, 1.15)
    hang_at(f, place.wall, place.along, EYE + 0.14, "picture", _sized(f.look("picture"), width, height))


def _narrow(f: Furnisher, place: _Place, roll: float) -> None:
    """Hang one or two upright pictures, a clock or a mirror on a narrow part of a wall."""
    width = min(place.width, float(f.rng.uniform(0.36, 0.55)))
    if roll < 0.12:
        hang_at(f, place.wall, place.along, 1.75, "clock", f.look("clock"))
    elif roll < 0.25:
        hang_at(f, place.wall, place.along, EYE, "mirror", _sized(f.look("mirror"), width, 1.0))
    elif roll < 0.6:
        look = _sized(f.look("picture"), width, width * 1.3)
        hang_at(f, place.wall, place.along, EYE + 0.08, "picture", look)
    else:
        height = min(width * 1.1, 0.46)
        for centre in (EYE - 0.2, EYE + 0.34):
            hang_at(f, place.wall, place.along, centre, "picture", _sized(f.look("picture"), width, height))


def _row(f: Furnisher, place: _Place) -> None:
    """Hang equal frames side by side."""
    count = min(max(int(place.width / 0.68), 2), 4)
    width = min((place.width - 0.12 * (count - 1)) / count, 0.62)
    look = _sized(f.look("picture"), width, width * float(f.rng.uniform(1.0, 1.35)))
    for k in range(count):
        along = place.along + (k - (count - 1) / 2) * (width + 0.12)
        hang_at(f, place.wall, along, EYE + 0.06, "picture", look)


def _gallery(f: Furnisher, place: _Place) -> None:
    """Hang frames of two sizes close together: columns of one tall or two low ones."""
    count = min(max(int(place.width / 0.5), 2), 5)
    width = min((place.width - 0.08 * (count - 1)) / count, 0.5)
    tall = float(f.rng.uniform(0.85, 1.15))
    start = int(f.rng.integers(2))
    frames = f.look("picture")
    for k in range(count):
        along = place.along + (k - (count - 1) / 2) * (width + 0.08)
        look = frames if f.rng.random() < 0.6 else f.look("picture")
        if (k + start) % 2:
            hang_at(f, place.wall, along, EYE + 0.1, "picture", _sized(look, width, tall))
            continue
        part = tall / 2 - 0.04
        for side in (-1, 1):
            centre = EYE + 0.1 + side * (part / 2 + 0.04)
            hang_at(f, place.wall, along, centre, "picture", _sized(look, width, part))


def _mirror(f: Furnisher, place: _Place) -> None:
    width = min(place.width, float(f.rng.uniform(0.6, 1.0)))
    hang_at(f, place.wall, place.along, EYE, "mirror", _sized(f.look("mirror"), width, 1.0))


def _shelves(f: Furnisher, place: _Place, things: Sequence[str]) -> None:
    """Hang one or two equal shelves above each other, with things on them."""
    look = f.look("wall shelf")
    look = look._replace(size=(round(min(place.width, look.size[0] + 0.2), 2), look.size[1], look.size[2]))
    levels = (1.3,) if f.rng.random() < 0.5 else (1.15, 1.72)
    for centre in levels:
        shelf = hang_at(f, place.wall, place.along, centre, "wall shelf", look)
        if shelf is not None:
            f.small_things(shelf, things, 2)
