"""Edits of objects: each function yields what the plan may become, the best first, without judging it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.houses.edit import placement as seats
from vlnscope.worlds.houses.edit.edits import (
    AddItem,
    Edit,
    MoveItem,
    RecolourItem,
    RemoveItem,
    ReplaceItem,
    SwapItems,
)
from vlnscope.worlds.houses.edit.finding import (
    aligned,
    item_of,
    moved_with,
    new_id,
    room_of,
    standing_on,
    with_items,
)
from vlnscope.worlds.houses.furnish.boxes import box_of
from vlnscope.worlds.houses.furnish.catalogue import kind, surface_height
from vlnscope.worlds.houses.plan.plan import XYZ, FloorPlan, PlanItem

Outcome = tuple[FloorPlan, Edit]
"""What a plan may become, and the edit with everything filled in that was left open."""

replace = msgspec.structs.replace


def remove_item(plan: FloorPlan, edit: RemoveItem) -> Iterator[Outcome]:
    """Take an object away, with what stands on it."""
    item = item_of(plan, edit.item)
    yield with_items(plan, {}, [item.id, *(other.id for other in standing_on(plan, [item.id]))]), edit


def add_item(plan: FloorPlan, edit: AddItem) -> Iterator[Outcome]:
    """Put a new object at its place, or at each place that suits it."""
    room = room_of(plan, edit.room)
    facts = kind(edit.name)
    new_name = new_id(plan, edit.id, edit.name)
    look = seats.look_for(plan, edit.name, new_name, edit.size, edit.colour, edit.material)
    mounted = seats.hangs_usually(edit.name) and edit.on is None if edit.mounted is None else edit.mounted
    if mounted and not seats.can_hang(edit.name):
        raise InputError(
            f"{plan.id}: a {edit.name} does not hang",
            expected=f"a class that hangs; a {edit.name} goes to: {', '.join(facts.stands)}",
            fix="leave `mounted` out",
        )
    if edit.at is not None:
        on = edit.on or (None if mounted else seats.base_at(plan, room, edit.name, edit.at))
        z = seats.elevation(plan, room, edit.name, look.size, on, mounted, edit.z)
        places = iter([((*edit.at, z), (edit.yaw or 0.0) % 360.0, on)])
    else:
        spots = seats.free_spots(plan, room, edit.name, look.size, edit.on, mounted)
        places = (
            ((round(s.x, 3), round(s.y, 3), round(s.z, 3)), s.turns * 90.0, base)
            for s, base in spots
            if edit.yaw is None or s.turns * 90.0 == edit.yaw % 360.0
        )
    for position, yaw, base in places:
        item = PlanItem(
            id=new_name,
            name=edit.name,
            room=room.id,
            position=position,
            size=look.size,
            yaw=yaw,
            colour=look.colour,
            material=look.material,
            on=base,
            mounted=mounted,
        )
        yield with_items(plan, {}, new=[item]), _written(item)


def _written(item: PlanItem) -> AddItem:
    return AddItem(
        item.name,
        item.room,
        item.position[:2],
        item.yaw,
        item.position[2] if item.mounted else None,
        item.size,
        item.colour,
        item.material,
        item.on,
        item.mounted,
        item.id,
    )


def move_item(plan: FloorPlan, edit: MoveItem) -> Iterator[Outcome]:
    """Move an object and what stands on it."""
    item = item_of(plan, edit.item)
    own = room_of(plan, item.room)
    point = edit.at or item.position[:2]
    yaw = item.yaw if edit.yaw is None else edit.yaw % 360.0
    room = room_of(plan, edit.room) if edit.room else seats.room_around(plan, own, point, item.size, yaw)
    on = None if edit.on == "floor" else edit.on or item.on
    if on is not None and on in (item.id, *(other.id for other in standing_on(plan, [item.id]))):
        raise InputError(
            f"{plan.id}: {item.id} cannot be put on {on}, which is or stands on {item.id}",
            expected="an object that does not stand on it",
            fix="move the other one first",
        )
    mounted = item.mounted and edit.on is None
    z = edit.z
    if z is None:
        z = round(item.position[2] - plan.floor_of(own).elevation + plan.floor_of(room).elevation, 3)
    z = seats.elevation(plan, room, item.name, item.size, on, mounted, z)
    moved = replace(item, room=room.id, position=(*point, z), yaw=yaw, on=on, mounted=mounted)
    yield with_items(plan, moved_with(plan, item, moved)), replace(edit, room=room.id)


def recolour_item(plan: FloorPlan, edit: RecolourItem) -> Iterator[Outcome]:
    """Give an object another colour or material."""
    item = item_of(plan, edit.item)
    seats.check_look(None, edit.colour, edit.material)
    changed = replace(item, colour=edit.colour or item.colour, material=edit.material or item.material)
    yield with_items(plan, {item.id: changed}), edit


def swap_items(plan: FloorPlan, edit: SwapItems) -> Iterator[Outcome]:
    """Let two objects change places."""
    one, other = (item_of(plan, name) for name in edit.items)
    if one is other:
        raise InputError(f"{plan.id}: {one.id} is named twice", expected="two objects", fix="name another")
    for a, b in ((one, other), (other, one)):
        if b.id in (item.id for item in standing_on(plan, [a.id])):
            raise InputError(
                f"{plan.id}: {a.id} and {b.id} cannot change places: {b.id} stands on {a.id}",
                expected="two objects of which neither stands on the other",
                fix="name another object",
            )
    if one.mounted != other.mounted:
        hung, stood = (one, other) if one.mounted else (other, one)
        raise InputError(
            f"{plan.id}: {hung.id} hangs and {stood.id} stands: they cannot change places",
            expected="two objects that both hang or both stand",
            fix="name another object",
        )
    for first in _in_place_of(one, other):
        for second in _in_place_of(other, one):
            changed = {**moved_with(plan, one, first), **moved_with(plan, other, second)}
            yield with_items(plan, changed), edit


def _in_place_of(item: PlanItem, old: PlanItem) -> Iterator[PlanItem]:
    """Yield an object at each of the places that another's place offers."""
    z = old.position[2]
    if item.mounted:
        share = 1.0 if "ceiling" in kind(item.name).stands else 0.5
        z = round(z + share * (old.size[2] - item.size[2]), 3)
    for x, y in aligned(old, item.size):
        yield replace(item, room=old.room, position=(x, y, z), yaw=old.yaw, on=old.on)


def replace_item(plan: FloorPlan, edit: ReplaceItem) -> Iterator[Outcome]:
    """Put another object in the place of one."""
    old = item_of(plan, edit.item)
    facts = kind(edit.name)
    if old.mounted != seats.hangs_usually(edit.name) and not (old.mounted and seats.can_hang(edit.name)):
        does = ("hangs", "stand") if old.mounted else ("stands", "hang")
        raise InputError(
            f"{plan.id}: {old.id} {does[0]}, but things of the class {edit.name} {does[1]}",
            expected="a class that goes to the same kind of place",
            fix=f"remove {old.id} and add a {edit.name} elsewhere",
        )
    new_name = new_id(plan, edit.id, edit.name)
    size = edit.size or _nearest_size(edit.name, old.size)
    colour = edit.colour or (old.colour if old.colour in facts.colours else None)
    material = edit.material or (old.material if old.material in facts.materials else None)
    look = seats.look_for(plan, edit.name, new_name, size, colour, material)
    shape = replace(
        old, id=new_name, name=edit.name, size=look.size, colour=look.colour, material=look.material
    )
    done = ReplaceItem(old.id, edit.name, look.size, look.colour, look.material, new_name)
    for new in _in_place_of(shape, old):
        yield _replaced(plan, old, new), done


def _nearest_size(name: str, size: XYZ) -> XYZ:
    facts = kind(name)
    ranges = (facts.width, facts.depth, facts.height)
    w, d, h = (round(min(max(s, low), high), 3) for s, (low, high) in zip(size, ranges, strict=True))
    if facts.depth == facts.width:  # round or square things
        w = d = min(w, d)
    return w, d, w if facts.height == facts.width else h


def _replaced(plan: FloorPlan, old: PlanItem, new: PlanItem) -> FloorPlan:
    """Exchange an object; what stood on it stands on the new one, or goes if that cannot hold it."""
    height = surface_height(new.name, new.size)
    box = box_of(new)
    changed: dict[str, PlanItem] = {old.id: new}
    gone: list[str] = []
    for item in plan.items:
        if item.on != old.id:
            continue
        its = box_of(item)
        over = max(box.x0 - its.x0, box.y0 - its.y0, its.x1 - box.x1, its.y1 - box.y1)
        if height is None or over > 0.01:
            gone += [item.id, *(other.id for other in standing_on(plan, [item.id]))]
            continue
        z = round(new.position[2] + height, 3)
        seat = replace(item, on=new.id, position=(*item.position[:2], z))
        changed |= moved_with(plan, item, seat)
    return with_items(plan, changed, gone)
