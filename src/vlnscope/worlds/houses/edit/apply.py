"""Editing houses: a plan and some changes become another plan, or an error says why not.

Plans are never changed: an edit that is impossible leaves everything as it was. All layers of a house follow
from its plan, so that the graph, what can be seen, the mesh and the pictures of an edited house are right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.houses.checks import check_house, reach_problems
from vlnscope.worlds.houses.edit import doors as edit_doors
from vlnscope.worlds.houses.edit import items as edit_items
from vlnscope.worlds.houses.edit import light as edit_light
from vlnscope.worlds.houses.edit import rooms as edit_rooms
from vlnscope.worlds.houses.edit.edits import (
    AddDoor,
    AddItem,
    CloseDoor,
    Edit,
    MoveItem,
    OpenDoor,
    RecolourItem,
    RelabelRoom,
    RemoveDoor,
    RemoveItem,
    ReplaceItem,
    SetHour,
    SwapItems,
    SwapRooms,
    SwitchLamps,
    checked,
    described,
    edit_of,
    record_of,
)
from vlnscope.worlds.houses.edit.finding import in_normal_form
from vlnscope.worlds.houses.furnish.boxes import meet
from vlnscope.worlds.houses.furnish.furnish import fits, walkways
from vlnscope.worlds.houses.furnish.room import space_of
from vlnscope.worlds.houses.graph.viewpoints import viewpoints
from vlnscope.worlds.houses.plan.opening_checks import opening_problems
from vlnscope.worlds.houses.plan.plan import FloorPlan, Opening, PlanItem, Room, at

_TRIES = 24
"""How many places that look right are tried in the whole house."""
_WAYS: Mapping[type[Any], Callable[[FloorPlan, Any], Iterator[tuple[FloorPlan, Edit]]]] = {
    RemoveItem: edit_items.remove_item,
    AddItem: edit_items.add_item,
    MoveItem: edit_items.move_item,
    RecolourItem: edit_items.recolour_item,
    SwapItems: edit_items.swap_items,
    ReplaceItem: edit_items.replace_item,
    RelabelRoom: edit_rooms.relabel_room,
    SwapRooms: edit_rooms.swap_rooms,
    OpenDoor: edit_doors.turn_door,
    CloseDoor: edit_doors.turn_door,
    AddDoor: edit_doors.add_door,
    RemoveDoor: edit_doors.remove_door,
    SetHour: edit_light.set_hour,
    SwitchLamps: edit_light.switch_lamps,
}
_WAY = "a way to every room over open doors and passages"
_RULES = (
    "objects that overlap nothing and go through no wall; free doors, windows and stairs; a way to every room"
)
_FIXES: Mapping[type[Any], str] = {
    CloseDoor: "add or open another door to that room first",
    RemoveDoor: "add or open another door to that room first",
    AddDoor: "choose another place in the wall or a narrower door, or set `clear` to remove what is there",
    AddItem: "choose another place, or none to have one found; make it smaller; or remove something first",
}


def near_breaches(before: FloorPlan, after: FloorPlan) -> list[str]:
    """Return what an edit broke among the objects and openings that it touched; quick."""
    doors = _new_openings(before, after)
    rooms = [room for room in after.rooms if any(room.id in door.rooms for door in doors)]
    breaches = [problem.what for problem in opening_problems(after)] if doors else []
    if breaches:
        known = {problem.what for problem in opening_problems(before)}
        breaches = [what for what in breaches if what not in known]
    breaches += _item_breaches(before, after, {room.id for room in rooms})
    for room in rooms:
        breaches += _door_breaches(before, after, room, doors)
    return breaches


def far_breaches(before: FloorPlan, after: FloorPlan) -> list[str]:
    """Return which invariants of the whole house an edit broke (see `checks.check_house`).

    What was broken before does not count, so that a house with a fault can still be edited elsewhere.
    """
    if (before.rooms, before.openings) == (after.rooms, after.openings) and _same_places(before, after):
        return []
    views = viewpoints(after)
    problems = list(reach_problems(after, views))
    known = list(reach_problems(before, viewpoints(before))) if problems else []
    new = [what for what in problems if what not in known]
    if new:
        return new
    problems = check_house(after, views=views)
    known = check_house(before) if problems else []
    return [what for what in problems if what not in known]


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


def edit(plan: FloorPlan, *edits: Edit) -> FloorPlan:
    """Return the house after some edits, made one after the other, each recorded in its history.

    After every edit things overlap nothing and go through no wall, doors and stairs are free, and every room
    can be reached; faults that the house had before are not held against it. What an edit leaves open (where
    to put a new object, which id it gets) is chosen by rule and written into the record. The house keeps its
    id, and viewpoints away from the edit keep their ids and places.

    Raises:
        InputError: an edit is impossible, or would change nothing.

    Example:
        >>> from vlnscope.worlds.houses.house import generate
        >>> house = generate(1)
        >>> edited = edit(house, RecolourItem(house.items[0].id, colour="#a02090"))
        >>> edited == replay(house, edited.history)
        True
    """
    for change in edits:
        plan = _edited(plan, checked(change))
    return plan


def edit_together(plan: FloorPlan, *edits: Edit) -> FloorPlan:
    """Return the house after some edits that are checked as one: as `edit`, but many times as fast.

    What each edit touches is checked at once; the whole house (every room can be reached, every edge walked)
    only after the last.

    Raises:
        InputError: an edit is impossible or would change nothing, or all together break the house.

    Example:
        >>> from vlnscope.worlds.houses.house import generate
        >>> house = generate(1)
        >>> removed = [RemoveItem(item.id) for item in house.items if item.name == "vase"]
        >>> edit_together(house, *removed) == edit(house, *removed)
        True
    """
    after = plan
    for change in edits:
        after = _edited(after, checked(change), far=False)
    if broken := far_breaches(plan, after):
        raise InputError(
            f"{plan.id}: {len(edits)} edits: {'; '.join(broken[:4])}",
            expected=_RULES,
            fix="make the edits one by one (`edit`), which names the one that breaks the house",
        )
    return after


def replay(original: FloorPlan, history: Iterable[Mapping[str, object]]) -> FloorPlan:
    """Make the edits of a history again, checked as one (see `edit_together`).

    Args:
        original: a house.
        history: records as in `FloorPlan.history`; of a house that was edited before, those made since.

    Raises:
        InputError: a record is no edit, or an edit is impossible in this house.
    """
    return edit_together(original, *(edit_of(record) for record in history))


def _edited(plan: FloorPlan, change: Edit, *, far: bool = True) -> FloorPlan:
    first: list[str] = []
    looked = tried = 0
    for after, done in _WAYS[type(change)](plan, change):
        looked += 1
        if after == plan:
            raise InputError(
                f"{plan.id}: {described(change)}: everything is like that already",
                expected="an edit that changes something",
                fix="leave it out",
            )
        broken = near_breaches(plan, after)
        if not broken:
            tried += 1
            broken = far_breaches(plan, after) if far else []
        if not broken:
            after = in_normal_form(plan, after)
            return msgspec.structs.replace(after, history=(*plan.history, record_of(done)))
        first = first or broken
        if tried >= _TRIES:
            break
    raise InputError(
        f"{plan.id}: {described(change)}: {'; '.join(first[:4]) or 'there is no place for it'}"
        + (f" ({looked} places were tried)" if looked > 1 else ""),
        expected=_WAY if isinstance(change, CloseDoor | RemoveDoor) else _RULES,
        fix=_FIXES.get(type(change), "choose another place, a smaller object or another room"),
    )
