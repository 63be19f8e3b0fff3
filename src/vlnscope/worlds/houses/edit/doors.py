"""Edits of doors and passages."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.houses.edit.edits import AddDoor, CloseDoor, OpenDoor, RemoveDoor
from vlnscope.worlds.houses.edit.finding import new_id, room_of, standing_on, way_of, with_items
from vlnscope.worlds.houses.edit.items import Outcome
from vlnscope.worlds.houses.furnish.furnish import fits
from vlnscope.worlds.houses.layout.walls import Edge, free_walls, shared_walls
from vlnscope.worlds.houses.plan.plan import WALL, XY, FloorPlan, Opening, Room, at

_HEAD = 2.05
_NEAR = 0.1
_WIDE, _STEP, _FINE = 0.5, 0.1, 0.01
"""How far apart the places for a door are that are tried first, and then, and last, metres."""
_HIGH = 1.0
"""A floor so far above the ground, metres, has no doors to the outside."""
_JAMB = WALL / 2 + 0.02
"""Least distance of a door from the end of its wall."""

replace = msgspec.structs.replace


def turn_door(plan: FloorPlan, edit: OpenDoor | CloseDoor) -> Iterator[Outcome]:
    """Open or close a door."""
    door = way_of(plan, edit.door)
    if door.kind == "passage":
        raise InputError(
            f"{plan.id}: {door.id} between {_sides(door)} is a passage and has no leaf",
            expected="the id of a door",
            fix="remove the passage, or add a door",
        )
    turned = replace(door, closed=isinstance(edit, CloseDoor))
    openings = tuple(turned if opening.id == door.id else opening for opening in plan.openings)
    yield replace(plan, openings=openings), edit


def remove_door(plan: FloorPlan, edit: RemoveDoor) -> Iterator[Outcome]:
    """Wall up a door or passage."""
    door = way_of(plan, edit.door)
    yield replace(plan, openings=tuple(o for o in plan.openings if o.id != door.id)), edit


def add_door(plan: FloorPlan, edit: AddDoor) -> Iterator[Outcome]:
    """Cut a door where nothing is in its way or, if asked to, where the fewest objects have to go."""
    cuts = list(_cut(plan, edit, _STEP))
    if edit.at is None:
        yield from _cut(plan, edit, _WIDE)
    yield from cuts
    if edit.at is None:
        yield from _cut(plan, edit, _FINE)
    if edit.clear:
        cleared = [(_cleared(plan, after), done) for after, done in cuts]
        yield from sorted(cleared, key=lambda outcome: -len(outcome[0].items))


def _cleared(before: FloorPlan, after: FloorPlan) -> FloorPlan:
    """Take away what the newest opening of a plan is in the way of."""
    rooms = after.openings[-1].rooms
    gone = [
        item.id
        for item in after.items
        if item.room in rooms and fits(after, item) is not None and fits(before, item) is None
    ]
    return with_items(after, {}, [*gone, *(item.id for item in standing_on(after, gone))])


def _cut(plan: FloorPlan, edit: AddDoor, step: float) -> Iterator[Outcome]:
    """Cut a door at its place, or at places of the wall between its rooms, a step apart."""
    one = room_of(plan, edit.rooms[0])
    other = None if edit.rooms[1] is None else room_of(plan, edit.rooms[1])
    name = new_id(plan, edit.id, edit.kind)
    if not 0.6 <= edit.width <= 10:
        raise InputError(
            f"{plan.id}: a {edit.kind} {edit.width} m wide",
            expected="0.6 m to 10 m",
            fix="choose a width in this range",
        )
    walls = _walls(plan, one, other)
    if edit.at is not None:
        places = iter([_on_wall(plan, edit, walls, edit.at)])
    else:
        places = _places(plan, edit, walls, step)
    for wall, centre in places:
        door = Opening(
            id=name,
            kind=edit.kind,
            rooms=(one.id, None if other is None else other.id),
            floor=one.floor,
            centre=centre,
            axis=wall.axis,
            width=edit.width,
            head=min(_HEAD, plan.floor_of(one).height),
            closed=edit.closed,
        )
        yield replace(plan, openings=(*plan.openings, door)), replace(edit, at=centre, id=name)


def _walls(plan: FloorPlan, one: Room, other: Room | None) -> list[Edge]:
    """Return the walls between two rooms, the longest first."""
    on_floor = [room for room in plan.rooms if room.floor == one.floor and room.id != one.id]
    lowest = min(floor.level for floor in plan.floors)
    above = plan.floor_of(one).elevation - plan.ground
    if other is None and one.floor == lowest and above > _HIGH:
        raise InputError(
            f"{plan.id}: {one.id} is {above:.1f} m above the ground; a door there leads into the air",
            expected=f"a room at most {_HIGH:g} m above the ground, or a second room",
            fix="name a balcony or another room as the second room",
        )
    if other is None:
        walls = free_walls(one.polygon, [room.polygon for room in on_floor]) if one.floor == lowest else []
    else:
        walls = shared_walls(one.polygon, other.polygon) if other in on_floor else []
    if not walls:
        if other is None and one.floor != lowest:
            raise InputError(
                f"{plan.id}: {one.id} is on floor {one.floor}; a door there leads into the air",
                expected=f"a room on floor {lowest}",
                fix="name a balcony or another room as the second room",
            )
        beside = [room.id for room in on_floor if shared_walls(one.polygon, room.polygon)]
        raise InputError(
            f"{plan.id}: {one.id} (floor {one.floor}) and {_name(other)} share no wall for a door",
            expected=f"a room beside {one.id}: {', '.join(beside) or 'there is none'}",
            fix="name two rooms that share a wall",
        )
    return sorted(walls, key=lambda wall: (wall.low - wall.high, wall.axis, wall.at, wall.low))


def _on_wall(plan: FloorPlan, edit: AddDoor, walls: list[Edge], point: XY) -> tuple[Edge, XY]:
    """Return the wall that a place lies in, and the place on its line."""
    for wall in walls:
        along, across = point if wall.axis == "x" else point[::-1]
        low, high = wall.low + edit.width / 2 + _JAMB, wall.high - edit.width / 2 - _JAMB
        if abs(across - wall.at) <= _NEAR and low - 1e-9 <= along <= high + 1e-9:
            return wall, wall.point(along)
    raise InputError(
        f"{plan.id}: a {edit.kind} {edit.width} m wide at {at(point)} lies in no wall between "
        f"{edit.rooms[0]} and {edit.rooms[1] or 'the outside'}",
        expected=f"a place well inside the wall {_stretches(walls)}",
        fix="correct `at` or `width`, or leave `at` out",
    )


def _places(plan: FloorPlan, edit: AddDoor, walls: list[Edge], apart: float) -> Iterator[tuple[Edge, XY]]:
    """Yield places in walls, from the middle of each to its very ends."""
    wide = [wall for wall in walls if wall.high - wall.low >= edit.width + 2 * _JAMB - 1e-9]
    if not wide:
        raise InputError(
            f"{plan.id}: the wall between {edit.rooms[0]} and {edit.rooms[1] or 'the outside'}, "
            f"{_stretches(walls)}, is too short for a {edit.kind} {edit.width} m wide",
            expected=f"a wall of {edit.width + 2 * _JAMB:.2f} m",
            fix="make it narrower, or choose other rooms",
        )
    for wall in wide:
        middle = round((wall.low + wall.high) / 2, 3)
        reach = (wall.high - wall.low - edit.width) / 2 - _JAMB
        steps = [0.0] + [s * k * apart for k in range(1, int(reach / apart) + 1) for s in (-1, 1)]
        for step in (*steps, -max(reach, 0.0), max(reach, 0.0)):
            yield wall, wall.point(round(middle + step, 3))


def _stretches(walls: list[Edge]) -> str:
    return " or ".join(f"from {at(w.point(w.low))} to {at(w.point(w.high))}" for w in walls)


def _sides(door: Opening) -> str:
    return f"{door.rooms[0]} and {door.rooms[1] or 'the outside'}"


def _name(room: Room | None) -> str:
    return "the outside" if room is None else f"{room.id} (floor {room.floor})"
