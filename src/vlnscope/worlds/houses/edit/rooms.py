"""Edits of rooms: other labels, and two rooms that change what they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.houses.edit.edits import RelabelRoom, SwapRooms
from vlnscope.worlds.houses.edit.finding import moved_with, room_of, rotated, with_items, with_rooms
from vlnscope.worlds.houses.edit.items import Outcome
from vlnscope.worlds.houses.furnish.boxes import box_at
from vlnscope.worlds.houses.furnish.furnish import fits
from vlnscope.worlds.houses.plan.checks import LABELS
from vlnscope.worlds.houses.plan.plan import FloorPlan, PlanItem, Room
from vlnscope.worlds.rooms import usual_name

replace = msgspec.structs.replace

Anchor = Callable[[float, float, float, float], float]
"""Moves a coordinate from a room to another: (from the middle, half width, old and new half room)."""


def relabel_room(plan: FloorPlan, edit: RelabelRoom) -> Iterator[Outcome]:
    """Call a room something else."""
    room = room_of(plan, edit.room)
    if edit.label not in LABELS:
        raise InputError(
            f"{plan.id}: there is no room label {edit.label!r}",
            expected=", ".join(f"{label} {usual_name(label)}" for label in LABELS),
            fix="use one of these letters",
        )
    yield with_rooms(plan, _called(room, edit.label)), edit


def swap_rooms(plan: FloorPlan, edit: SwapRooms) -> Iterator[Outcome]:
    """Let two rooms change labels and, if it fits, furniture, floor material and wall colour."""
    one, other = (room_of(plan, name) for name in edit.rooms)
    if one is other:
        raise InputError(f"{plan.id}: {one.id} is named twice", expected="two rooms", fix="name another room")
    if edit.furniture is not False:
        moved = _exchanged(plan, one, other)
        if moved is not None:
            finished = with_rooms(moved, _finished(one, other), _finished(other, one))
            yield finished, replace(edit, furniture=True)
        elif edit.furniture:
            raise InputError(
                f"{plan.id}: the furniture of {one.id} and {other.id} does not fit the other room",
                expected="two rooms of like size and shape, with doors and windows in like places",
                fix="set `furniture` to false to exchange the labels alone",
            )
    if not edit.furniture:
        labels = with_rooms(plan, _called(one, other.label), _called(other, one.label))
        yield labels, replace(edit, furniture=False)


def _called(room: Room, label: str) -> Room:
    """Return the room with another label; what depends on its kind stays as it was built."""
    built_as = room.built_as or room.label
    return replace(room, label=label, built_as="" if label == built_as else built_as)


def _finished(room: Room, like: Room) -> Room:
    return replace(
        room,
        label=like.label,
        built_as=like.built_as,
        floor_material=like.floor_material,
        wall_colour=like.wall_colour,
        wall_material=like.wall_material,
    )


def _exchanged(plan: FloorPlan, one: Room, other: Room) -> FloorPlan | None:
    """Return the plan with the furniture of two rooms exchanged, None if it does not fit."""
    empty = with_items(plan, {}, [item.id for item in plan.items if item.room in (one.id, other.id)])
    there = _brought(plan, empty, one, other)
    back = None if there is None else _brought(plan, empty, other, one)
    if there is None or back is None:
        return None
    return with_items(plan, {**there, **back})


def _brought(plan: FloorPlan, empty: FloorPlan, source: Room, target: Room) -> dict[str, PlanItem] | None:
    """Return the furniture of a room at its places in another, None if it fits there in no way."""
    items = [item for item in plan.items if item.room == source.id and item.on is None]
    for turns, across, along in product(range(4), _ANCHORS, _ANCHORS):
        changed: dict[str, PlanItem] = {}
        for item in items:
            seat = _seat(plan, item, source, target, turns, (across, along))
            changed |= moved_with(plan, item, seat)
            if fits(with_items(empty, {}, new=changed.values()), seat) is not None:
                break
        else:
            if not _misfit(empty, list(changed.values())):
                return changed
    return None


def _misfit(empty: FloorPlan, items: Sequence[PlanItem]) -> bool:
    furnished = with_items(empty, {}, new=items)
    return any(fits(furnished, item) is not None for item in items)


def _seat(
    plan: FloorPlan, item: PlanItem, source: Room, target: Room, turns: int, anchors: tuple[Anchor, Anchor]
) -> PlanItem:
    (ax, ay), (aw, ah) = _frame(source)
    (bx, by), new = _frame(target)
    x, y = rotated((item.position[0] - ax, item.position[1] - ay), 90.0 * turns)
    old = (ah, aw) if turns % 2 else (aw, ah)
    yaw = (item.yaw + 90.0 * turns) % 360.0
    box = box_at((0.0, 0.0, 0.0), item.size, yaw)
    x, y = (
        anchor(at, half, before, after)
        for anchor, at, half, before, after in zip(anchors, (x, y), (box.x1, box.y1), old, new, strict=True)
    )
    low, high = plan.floor_of(source), plan.floor_of(target)
    z = item.position[2] + high.elevation - low.elevation
    if item.mounted and abs(item.position[2] + item.size[2] - low.elevation - low.height) < 0.05:
        z += high.height - low.height
    return replace(item, room=target.id, position=(round(bx + x, 3), round(by + y, 3), round(z, 3)), yaw=yaw)


def _frame(room: Room) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the middle of a room's bounds and half their widths."""
    across, along = zip(*room.polygon, strict=True)
    middle = ((min(across) + max(across)) / 2, (min(along) + max(along)) / 2)
    return middle, ((max(across) - min(across)) / 2, (max(along) - min(along)) / 2)


def _low(at: float, half: float, old: float, new: float) -> float:
    return at + old - new


def _high(at: float, half: float, old: float, new: float) -> float:
    return at - old + new


def _nearer(at: float, half: float, old: float, new: float) -> float:
    """Keep the distance from the nearer wall; what is in the middle stays there."""
    if abs(at) < 0.3 * old and abs(at) + half < old - 0.3:
        return at
    return at - old + new if at > 0 else at + old - new


_ANCHORS: tuple[Anchor, ...] = (_low, _high, _nearer)
