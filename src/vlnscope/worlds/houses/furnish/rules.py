"""Why a thing may not stand where it is: the rules that the generator and the editor share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vlnscope.core.exceptions import UnknownNameError
from vlnscope.worlds.houses.furnish.boxes import TOUCH, Box, box_of, front, meet, quarter
from vlnscope.worlds.houses.furnish.catalogue import catalogue, surface_height
from vlnscope.worlds.houses.furnish.room import HEAD_ROOM, RoomSpace
from vlnscope.worlds.houses.plan.plan import Floor, PlanItem
from vlnscope.worlds.houses.plan.polygons import inside

DRAPES = ("curtain", "blinds")
"""What hangs before windows."""
_HANG = 0.03  # largest gap between a wall and what hangs on it


def is_cover(item: PlanItem) -> bool:
    """Return whether an object lies flat on the floor and may be under others (a rug)."""
    return "cover" in catalogue()[item.name].stands


def is_obstacle(item: PlanItem, floor: Floor) -> bool:
    """Return whether a person has to walk around an object."""
    if is_cover(item) or item.on is not None:
        return False
    flat = item.mounted and item.size[1] <= 0.15
    return not flat and item.position[2] - floor.elevation < HEAD_ROOM - 0.1


def rise(name: str) -> float:
    """Return how far a class of objects may rise above the sill of a window: taps may, all else may not."""
    return 0.3 if name in ("sink", "bathroom sink") else 0.0


def problem(
    space: RoomSpace, item: PlanItem, others: Iterable[tuple[PlanItem, Box]], by_id: Mapping[str, PlanItem]
) -> str | None:
    """Return why an object may not be where it is, None if it may.

    Args:
        space: the room.
        item: the object.
        others: the other objects of the room with their boxes.
        by_id: the same objects by id.
    """
    box = box_of(item)
    return (
        _outside(space, item, box)
        or _in_the_way(space, item, box)
        or _support(space, item, box, by_id)
        or _collision(item, box, others)
    )


def known(item: PlanItem) -> str | None:
    """Return what is wrong with the name of an object, None if the catalogue has it."""
    if item.name in catalogue():
        return None
    return str(UnknownNameError("object", item.name, catalogue()).what)


def _outside(space: RoomSpace, item: PlanItem, box: Box) -> str | None:
    room = space.room
    if not inside(room.polygon, box.centre):
        return f"{item.id} is not inside {room.id}"
    if any(meet(box, slab) for slab in space.slabs):
        return f"{item.id} goes through a wall of {room.id}"
    if any(meet(box, slope) for slope in space.roof):
        return f"{item.id} goes through the sloped ceiling of {room.id}"
    if box.z1 > space.ceiling + TOUCH and not room.outdoor and not space.stairs:
        return f"{item.id} goes through the ceiling of {room.id}"
    return None


def _in_the_way(space: RoomSpace, item: PlanItem, box: Box) -> str | None:
    columns = space.steps if item.mounted else space.stairs
    if any(meet(box, column) for column in columns):
        return f"{item.id} stands on the stairs in {space.room.id}"
    if is_cover(item):
        return None
    for zone in space.doors:
        if meet(box, zone.box):
            return f"{item.id} stands in front of {zone.what} {zone.id}"
    if item.name not in DRAPES:
        low = box._replace(z1=box.z1 - rise(item.name))
        for zone in space.windows:
            if meet(low, zone.box):
                return f"{item.id} covers {zone.what} {zone.id}"
    return None


def _support(space: RoomSpace, item: PlanItem, box: Box, by_id: Mapping[str, PlanItem]) -> str | None:
    if item.on is not None:
        return _stands_on(item, box, by_id)
    if item.mounted:
        if "ceiling" in catalogue()[item.name].stands:
            hung = not space.room.outdoor and abs(box.z1 - space.ceiling) <= 0.02
            return None if hung else f"{item.id} hangs from no ceiling"
        return None if _hangs(space, item, box) else f"{item.id} hangs on no wall of {space.room.id}"
    if abs(box.z0 - space.floor.elevation) > 0.002:
        return f"{item.id} does not stand on the floor of {space.room.id}"
    return None


def _stands_on(item: PlanItem, box: Box, by_id: Mapping[str, PlanItem]) -> str | None:
    base = by_id.get(item.on or "")
    if base is None:
        return f"{item.id} stands on {item.on}, which is not in {item.room}"
    height = surface_height(base.name, base.size)
    if height is None:
        return f"{item.id} stands on {base.id}, but nothing can stand on a {base.name}"
    if abs(box.z0 - base.position[2] - height) > 0.002:
        return f"{item.id} is not at the height of the surface of {base.id}"
    top = box_of(base)
    over = max(top.x0 - box.x0, top.y0 - box.y0, box.x1 - top.x1, box.y1 - top.y1)
    return f"{item.id} does not lie within {base.id}" if over > 0.01 else None


def _hangs(space: RoomSpace, item: PlanItem, box: Box) -> bool:
    turns = quarter(item.yaw)
    if turns is None or space.room.outdoor:
        return False
    nx, ny = front(turns)
    if nx:
        back, low, high = (box.x0 if nx > 0 else box.x1), box.y0, box.y1
    else:
        back, low, high = (box.y0 if ny > 0 else box.y1), box.x0, box.x1
    return any(
        wall.turns == turns
        and abs(back - wall.line) <= _HANG
        and low >= wall.low - TOUCH
        and high <= wall.high + TOUCH
        for wall in space.walls
    )


def _collision(item: PlanItem, box: Box, others: Iterable[tuple[PlanItem, Box]]) -> str | None:
    cover = is_cover(item)
    for other, its in others:
        if meet(box, its) and is_cover(other) == cover and item.on != other.id and other.on != item.id:
            return f"{item.id} overlaps {other.id}"
    return None
