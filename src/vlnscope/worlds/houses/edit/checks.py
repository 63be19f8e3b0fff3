"""What an edit must not break: things fit where they are, doors are free, and all rooms can be reached."""

from __future__ import annotations

from collections.abc import Iterator

from vlnscope.worlds.houses.checks import check_house, reach_problems
from vlnscope.worlds.houses.furnish.boxes import meet
from vlnscope.worlds.houses.furnish.furnish import fits, walkways
from vlnscope.worlds.houses.furnish.room import space_of
from vlnscope.worlds.houses.graph.viewpoints import viewpoints
from vlnscope.worlds.houses.plan.opening_checks import opening_problems
from vlnscope.worlds.houses.plan.plan import FloorPlan, Opening, PlanItem, Room, at


def near_breaches(before: FloorPlan, after: FloorPlan) -> list[str]:
    """Return what an edit broke among the objects and openings that it touched; quick."""
    doors = _new_openings(before, after)
    rooms = [room for room in after.rooms if any(room.id in door.rooms for door in doors)]
    found = [problem.what for problem in opening_problems(after)] if doors else []
    if found:
        known = {problem.what for problem in opening_problems(before)}
        found = [what for what in found if what not in known]
    found += _item_breaches(before, after, {room.id for room in rooms})
    for room in rooms:
        found += _door_breaches(before, after, room, doors)
    return found


def far_breaches(before: FloorPlan, after: FloorPlan) -> list[str]:
    """Return which invariants of the whole house an edit broke (see `checks.check_house`).

    What was broken before does not count, so that a house with a fault can still be edited elsewhere.
    """
    if (before.rooms, before.openings) == (after.rooms, after.openings) and _same_places(before, after):
        return []
    views = viewpoints(after)
    found = list(reach_problems(after, views))
    known = list(reach_problems(before, viewpoints(before))) if found else []
    new = [what for what in found if what not in known]
    if new:
        return new
    found = check_house(after, views=views)
    known = check_house(before) if found else []
    return [what for what in found if what not in known]


def _new_openings(before: FloorPlan, after: FloorPlan) -> list[Opening]:
    known = {opening.id: opening for opening in before.openings}
    return [
        opening
        for opening in after.openings
        if opening.id not in known or _hole(known[opening.id]) != _hole(opening)
    ]


def _hole(opening: Opening) -> tuple[object, ...]:
    """Return what of an opening furniture has to respect; whether a door is closed is not among it."""
    return (
        opening.rooms,
        opening.floor,
        opening.centre,
        opening.axis,
        opening.width,
        opening.sill,
        opening.head,
    )


def _item_breaches(before: FloorPlan, after: FloorPlan, rooms: set[str]) -> Iterator[str]:
    known = {item.id: item for item in before.items}
    for item in after.items:
        moved = not same_place(known.get(item.id), item)
        if not moved and item.room not in rooms:
            continue
        reason = fits(after, item)
        if reason is not None and (moved or fits(before, item) is None):
            yield f"{reason} (at {at(item.position)} in {item.room})"


def same_place(old: PlanItem | None, new: PlanItem) -> bool:
    """Return whether an object takes up the same place as before."""
    return (
        old is not None
        and (old.name, old.room, old.position, old.size) == (new.name, new.room, new.position, new.size)
        and (old.yaw, old.on, old.mounted) == (new.yaw, new.on, new.mounted)
    )


def _same_places(before: FloorPlan, after: FloorPlan) -> bool:
    return len(before.items) == len(after.items) and all(
        same_place(old, new) for old, new in zip(before.items, after.items, strict=True)
    )


def _door_breaches(before: FloorPlan, after: FloorPlan, room: Room, doors: list[Opening]) -> Iterator[str]:
    space = space_of(after, room)
    new = {door.id: door for door in doors}
    for zone in space.doors:
        if zone.id in new and any(meet(zone.box, steps) for steps in space.stairs):
            yield f"{zone.id} at {at(new[zone.id].centre)} opens onto the stairs in {room.id}"
    if not walkways(space, after.items_in(room)).joined and _joined(before, room):
        yield f"no way leads from {', '.join(new)} to the other doors of {room.id}"


def _joined(plan: FloorPlan, room: Room) -> bool:
    return walkways(space_of(plan, room), plan.items_in(room)).joined
