"""A furnished flat of three rooms on one floor, of which everything is quickly made."""

from __future__ import annotations

import msgspec

from vlnscope.worlds.houses.furnish.furnish import furnish
from vlnscope.worlds.houses.plan.plan import XY, Floor, FloorPlan, Opening, Room


def small_plan() -> FloorPlan:
    """Return the plan of the flat."""
    rooms = (
        Room(id="living-1", label="l", floor=0, polygon=_rectangle(0, 0, 6, 5)),
        Room(id="bedroom-1", label="b", floor=0, polygon=_rectangle(6, 0, 4, 5)),
        Room(id="bathroom-1", label="a", floor=0, polygon=_rectangle(0, 5, 6, 3)),
    )
    openings = (
        _opening("door-1", "living-1", "bedroom-1", (6.0, 2.5), "y"),
        _opening("door-2", "living-1", "bathroom-1", (3.0, 5.0), "x"),
        _opening("window-1", "living-1", None, (3.0, 0.0), "x"),
        _opening("window-2", "bedroom-1", None, (8.0, 0.0), "x"),
    )
    plan = FloorPlan(id="flat", floors=(Floor(level=0, elevation=0.0),), rooms=rooms, openings=openings)
    return furnish(plan, 3)


def _rectangle(x: float, y: float, width: float, depth: float) -> tuple[XY, ...]:
    return ((x, y), (x + width, y), (x + width, y + depth), (x, y + depth))


def _opening(name: str, room: str, other: str | None, centre: XY, axis: str) -> Opening:
    kind, width, sill = ("door", 0.9, 0.0) if other else ("window", 1.6, 0.9)
    where = {"rooms": (room, other), "floor": 0, "centre": centre, "axis": axis}
    return msgspec.convert({"id": name, "kind": kind, **where, "width": width, "sill": sill}, Opening)
