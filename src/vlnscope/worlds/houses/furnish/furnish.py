"""Furnishes a house: every room by its type, as people place things, with doors and walkways free."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.furnish.arrangements import Furnisher
from vlnscope.worlds.houses.furnish.boxes import box_of
from vlnscope.worlds.houses.furnish.catalogue import palette_of
from vlnscope.worlds.houses.furnish.recipes import recipes_by_label
from vlnscope.worlds.houses.furnish.room import RoomSpace, space_of
from vlnscope.worlds.houses.furnish.rules import is_obstacle, known, problem
from vlnscope.worlds.houses.furnish.walkways import Walkways
from vlnscope.worlds.houses.plan.plan import FloorPlan, PlanItem


def furnish(plan: FloorPlan, seed: int) -> FloorPlan:
    """Return the plan with furniture and small objects in all rooms.

    Items that the plan has already are dropped. Equal plan and seed give equal items.

    Args:
        plan: a house; its style chooses colours and materials (one that the catalogue does not know stands
            for a style drawn from the seed).
        seed: decides all choices, and how densely this house is furnished.
    """
    rng = rng_for(seed, "furnish", "house")
    palette = palette_of(plan.style, rng)
    density = float(rng.uniform(0.75, 1.3))
    ids: Counter[str] = Counter()
    items: list[PlanItem] = []
    for room in plan.rooms:
        recipe = recipes_by_label().get(room.label)
        if recipe is None:
            continue
        room_rng = rng_for(seed, "furnish", "room", room.id)
        filler = Furnisher(space_of(plan, room), room_rng, palette, density, ids, recipe.labels[room.label])
        recipe.carry_out(filler)
        items += filler.items
    return msgspec.structs.replace(plan, items=tuple(items))


def fits(plan: FloorPlan, item: PlanItem) -> str | None:
    """Return why an object may not be where it is, None if it may.

    Checked against the rest of the plan (an item of the plan with the same id is left out of it): inside its
    room and through no wall or ceiling; not on stairs, before a door or over a window; on the floor, on a
    surface at the right height, on a wall or at the ceiling; overlapping nothing (rugs may be under things);
    and leaving a way from every door of the room to every other for a person 0.4 m wide.
    """
    room = next((room for room in plan.rooms if room.id == item.room), None)
    if room is None:
        return f"{item.id} is in {item.room}, which the house does not have"
    wrong = known(item)
    if wrong is not None:
        return wrong
    others = [i for i in plan.items_in(room) if i.id != item.id]
    space = space_of(plan, room)
    fault = problem(space, item, [(i, box_of(i)) for i in others], {i.id: i for i in others})
    if fault is not None or not is_obstacle(item, space.floor):
        return fault
    walk = walkways(space, others)
    if not walk.joined:
        return None
    walk.block([box_of(item)])
    return None if walk.joined else f"{item.id} blocks the way through {room.id}"


def walkways(space: RoomSpace, items: Iterable[PlanItem]) -> Walkways:
    """Return where a person can walk between some objects of a room."""
    walk = Walkways(space)
    walk.block(box_of(item) for item in items if is_obstacle(item, space.floor))
    return walk
