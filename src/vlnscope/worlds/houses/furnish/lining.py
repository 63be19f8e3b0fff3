"""Furniture along walls that are still free, so that no side of a room stays empty."""

from __future__ import annotations

from collections.abc import Sequence

from vlnscope.worlds.houses.furnish.arrangements import Furnisher
from vlnscope.worlds.houses.furnish.catalogue import kind
from vlnscope.worlds.houses.furnish.placements import GAP, Placement
from vlnscope.worlds.houses.furnish.placer import Clear
from vlnscope.worlds.houses.furnish.stretches import WallStretch, floor_stretches
from vlnscope.worlds.houses.plan.plan import PlanItem

_DEPTH = 0.45
_LEAST = 0.75
_CLEAR = 0.7
_HIGH = 1.3
_TALL, _TALL_SHARE = 2.1, 0.45  # of cupboards
_TOP = ("vase", "plant", "plant", "table lamp", "table lamp", "books", "bowl", "photo frame", "candle")


def line_walls(f: Furnisher, names: Sequence[str], *, per: float = 8.0, tops: Sequence[str] = _TOP) -> None:
    """Put furniture along the longest free parts of the walls.

    Args:
        f: the room.
        names: classes to draw from; each is used once before any is used again.
        per: area for each piece, m².
        tops: small things of which one stands on what is low enough.
    """
    if not names:
        return
    left: list[str] = []
    for _ in range(1 + int(f.area * f.density / per)):
        for stretch in floor_stretches(f, "", _DEPTH)[:3]:
            if stretch.length < _LEAST:
                return
            left = left or [names[k] for k in f.rng.permutation(len(names)).tolist()]
            item = _place(f, stretch, left)
            if item is not None:
                if kind(item.name).surface and item.size[2] < _HIGH:
                    f.small_things(item, tops, 1)
                break


def _place(f: Furnisher, stretch: WallStretch, names: list[str]) -> PlanItem | None:
    """Put the first of some classes that fits into a stretch, and strike it off the list."""
    for name in names[:3]:
        look = f.look(name)
        if name == "cabinet" and f.rng.random() < _TALL_SHARE:
            look = look._replace(size=(look.size[0], look.size[1], _TALL))
        width = min(look.size[0], stretch.length - 0.04)
        if width < kind(name).width[0]:
            continue
        look = look._replace(size=(round(width, 2), look.size[1], look.size[2]))
        wall = stretch.wall
        spots = []
        for along in (
            (stretch.low + stretch.high) / 2,
            stretch.low + width / 2 + 0.02,
            stretch.high - width / 2 - 0.02,
        ):
            x, y = wall.point(along, GAP + look.size[1] / 2)
            z = f.space.floor.elevation
            spots.append(Placement(x, y, z, wall.turns, float(f.rng.random())))
        item = f.put(name, look, spots, clear=Clear(max(kind(name).clear, _CLEAR)))
        if item is not None:
            names.remove(name)
            return item
    return None
