"""Checks of rooms that are higher than their storey: nothing is built into the space that they take above."""

from __future__ import annotations

from collections.abc import Iterator

from shapely.geometry import Polygon

from vlnscope.worlds.houses.plan.ceilings import reaches
from vlnscope.worlds.houses.plan.plan import Floor, FloorPlan, PlanProblem, Room, at

_HIGHEST = 20.0
_OVERLAP = 1e-3


def height_problems(plan: FloorPlan) -> Iterator[PlanProblem]:
    """Yield what is wrong with the heights of rooms."""
    for room in plan.rooms:
        if room.height:
            bad = list(_measure_problems(plan, room))
            yield from bad
            if not bad:
                for floor in plan.floors:
                    yield from _blocked(plan, room, floor)


def _measure_problems(plan: FloorPlan, room: Room) -> Iterator[PlanProblem]:
    floor = plan.floor_of(room)
    if room.outdoor or not floor.height - 1e-6 <= room.height <= _HIGHEST:
        where = "outdoors" if room.outdoor else f"on a floor of {floor.height:g} m"
        yield PlanProblem(
            f"room {room.id} is {room.height:g} m high, {where}",
            f"an indoor room of {floor.height:g} to {_HIGHEST:g} m",
            "correct its member `height`, or leave it out for the height of its floor",
        )


def _blocked(plan: FloorPlan, room: Room, floor: Floor) -> Iterator[PlanProblem]:
    """Yield the rooms of a storey that lie over a room which is open to that storey, or cut into it."""
    own = plan.floor_of(room)
    if floor.elevation <= own.elevation or own.elevation + room.height <= floor.elevation - 0.05:
        return
    shape = Polygon(room.polygon)
    whole = reaches(plan, room, floor)
    for other in plan.rooms:
        if other.floor != floor.level:
            continue
        common = shape.intersection(Polygon(other.polygon))
        if common.area > _OVERLAP:
            middle = common.representative_point()
            yield PlanProblem(
                f"room {room.id} is {room.height:g} m high and room {other.id} on floor {floor.level} "
                f"lies over it around {at((middle.x, middle.y))}",
                "no room over one that reaches through its ceiling",
                f"lower {room.id} to {own.height:g} m, or move the corners of {other.id}",
            )
    top = floor.elevation + floor.height
    if (
        whole
        and own.elevation + room.height > top + 1e-6
        and floor.level == max(f.level for f in plan.floors)
    ):
        yield PlanProblem(
            f"room {room.id} reaches to {own.elevation + room.height:.2f} m, above the top floor's ceilings",
            f"at most {top:.2f} m",
            "lower its height",
        )
