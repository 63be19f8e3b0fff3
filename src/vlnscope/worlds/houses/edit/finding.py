"""Finding and exchanging the parts of a plan, for edits."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.houses.furnish.boxes import quarter, turned
from vlnscope.worlds.houses.plan.plan import XY, FloorPlan, Opening, PlanItem, Room

Part = TypeVar("Part", PlanItem, Room, Opening)


def item_of(plan: FloorPlan, name: str) -> PlanItem:
    """Return an object by id; an unknown one is an error that suggests the nearest."""
    return _find(plan, "object", plan.items, name)


def room_of(plan: FloorPlan, name: str) -> Room:
    """Return a room by id; an unknown one is an error that suggests the nearest."""
    return _find(plan, "room", plan.rooms, name)


def way_of(plan: FloorPlan, name: str) -> Opening:
    """Return a door or passage by id; an unknown one is an error that suggests the nearest."""
    return _find(plan, "door or passage", [o for o in plan.openings if o.kind != "window"], name)


def _find(plan: FloorPlan, kind: str, parts: Sequence[Part], name: str) -> Part:
    for part in parts:
        if part.id == name:
            return part
    ids = [part.id for part in parts]
    near = difflib.get_close_matches(name, ids, n=3, cutoff=0.5)
    raise InputError(
        f"{plan.id}: there is no {kind} {name!r}" + (f"; did you mean {' or '.join(near)}?" if near else ""),
        expected=f"the id of one of its {len(ids)} {kind.split(' ', maxsplit=1)[0]}s",
        fix="look it up in the plan, or on the map that `vlnscope houses show` draws",
    )


def new_id(plan: FloorPlan, wanted: str | None, kind: str) -> str:
    """Return an id that the house does not have yet: the wanted one, or the kind with the next number.

    Raises:
        InputError: the wanted id is taken.
    """
    parts = (plan.rooms, plan.openings, plan.stairs, plan.items)
    taken = {part.id for group in parts for part in group}
    if wanted is not None:
        if wanted in taken or not wanted:
            raise InputError(
                f"{plan.id}: the id {wanted!r} is taken" if wanted else f"{plan.id}: the id is empty",
                expected="an id that is new in the house",
                fix="leave `id` out to get one",
            )
        return wanted
    stem = kind.replace(" ", "-")
    numbers = [int(tail) for name in taken if (tail := name.removeprefix(f"{stem}-")).isdecimal()]
    return f"{stem}-{max(numbers, default=0) + 1}"


def standing_on(plan: FloorPlan, items: Iterable[str]) -> list[PlanItem]:
    """Return everything that stands on some objects, or on something on them, in the plan's order."""
    reached = {*items}
    growing = True
    while growing:
        more = {item.id for item in plan.items if item.on in reached} - reached
        reached |= more
        growing = bool(more)
    own = {*items}
    return [item for item in plan.items if item.id in reached - own]


def with_items(
    plan: FloorPlan, changed: Mapping[str, PlanItem], gone: Iterable[str] = (), new: Iterable[PlanItem] = ()
) -> FloorPlan:
    """Return the plan with some objects changed, some gone, and some added at the end."""
    out = {*gone}
    items = (*(changed.get(item.id, item) for item in plan.items if item.id not in out), *new)
    return msgspec.structs.replace(plan, items=items)


def with_rooms(plan: FloorPlan, *changed: Room) -> FloorPlan:
    """Return the plan with some rooms changed."""
    by_id = {room.id: room for room in changed}
    return msgspec.structs.replace(plan, rooms=tuple(by_id.get(room.id, room) for room in plan.rooms))


def rotated(vector: XY, yaw: float) -> XY:
    """Turn a vector counter-clockwise by degrees, exactly for quarter turns."""
    turns = quarter(yaw)
    if turns is not None:
        return turned(vector, turns)
    c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
    return vector[0] * c - vector[1] * s, vector[0] * s + vector[1] * c


def moved_with(plan: FloorPlan, old: PlanItem, new: PlanItem) -> dict[str, PlanItem]:
    """Return an object at its new place, and all that stands on it carried along, by id."""
    turn = new.yaw - old.yaw
    changed = {old.id: new}
    for item in standing_on(plan, [old.id]):
        dx, dy = rotated((item.position[0] - old.position[0], item.position[1] - old.position[1]), turn)
        changed[item.id] = msgspec.structs.replace(
            item,
            room=new.room,
            position=(
                round(new.position[0] + dx, 3),
                round(new.position[1] + dy, 3),
                round(item.position[2] + new.position[2] - old.position[2], 3),
            ),
            yaw=(item.yaw + turn) % 360.0,
        )
    return changed


def aligned(old: PlanItem, size: Sequence[float]) -> Iterator[XY]:
    """Yield middles for a thing of another size in an object's place: backs together first."""
    wide, deep = (old.size[0] - size[0]) / 2, (old.size[1] - size[1]) / 2
    seen: list[XY] = []
    for dv in (deep, 0.0, -deep):
        for du in (0.0, -wide, wide):
            x, y = rotated((du, dv), old.yaw)
            spot = (round(old.position[0] + x, 3), round(old.position[1] + y, 3))
            if spot not in seen:
                seen.append(spot)
                yield spot


def in_normal_form(before: FloorPlan, after: FloorPlan) -> FloorPlan:
    """Return an edited plan such that equal plans are written as equal bytes.

    A member that equals its default is left out only if it is the very same object, and zero may be negative;
    both depend on how a value came about.
    """
    return msgspec.structs.replace(
        after,
        rooms=_normal(before.rooms, after.rooms),
        openings=_normal(before.openings, after.openings),
        items=_normal(before.items, after.items),
    )


def _normal(before: Sequence[Part], after: Sequence[Part]) -> tuple[Part, ...]:
    known = {id(part) for part in before}
    return tuple(part if id(part) in known else _normal_part(part) for part in after)


def _normal_part(part: Part) -> Part:
    changes = {}
    for field in msgspec.structs.fields(part):
        value = getattr(part, field.name)
        if value == field.default:
            value = field.default
        elif isinstance(value, tuple) and all(isinstance(number, float) for number in value):
            value = tuple(number + 0.0 for number in value)
        changes[field.name] = value
    return msgspec.structs.replace(part, **changes)
