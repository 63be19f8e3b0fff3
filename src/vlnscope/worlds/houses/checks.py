"""What must hold of every house, after generation and after every edit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from vlnscope.worlds.houses.furnish.boxes import TOUCH, box_of, meet
from vlnscope.worlds.houses.furnish.room import space_of
from vlnscope.worlds.houses.furnish.rules import is_cover
from vlnscope.worlds.houses.graph.edges import components
from vlnscope.worlds.houses.graph.viewpoints import Viewpoints, viewpoints
from vlnscope.worlds.houses.graph.walkability import WalkabilityCheck
from vlnscope.worlds.houses.mesh.house import house_mesh
from vlnscope.worlds.houses.plan.plan import FloorPlan, PlanItem
from vlnscope.worlds.houses.plan.polygons import inside
from vlnscope.worlds.rendering.mesh import Mesh


def check_house(plan: FloorPlan, *, views: Viewpoints | None = None, mesh: Mesh | None = None) -> list[str]:
    """Return what is wrong with a house; an empty list if nothing is.

    Checked: every room has a viewpoint and all viewpoints are joined; every viewpoint stands on a floor with
    head room of 1.9 m; along every edge, rays through the mesh meet nothing at knee, hip and eye height, in
    the middle and at both shoulders, and the floor rises or falls by at most 0.25 m at a step; no object
    overlaps another or a wall.

    Args:
        plan: the house.
        views: its viewpoints, if they are known already.
        mesh: its mesh, if it is known already.
    """
    views = viewpoints(plan) if views is None else views
    mesh = house_mesh(plan) if mesh is None else mesh
    walkability = WalkabilityCheck(plan, views, mesh)
    return [
        *reach_problems(plan, views),
        *walkability.standing_problems(),
        *walkability.edge_problems(),
        *object_problems(plan),
    ]


def reach_problems(plan: FloorPlan, views: Viewpoints) -> Iterator[str]:
    """Yield the rooms that have no viewpoint, or whose viewpoints are not joined to most others."""
    occupied = set(views.regions)
    for number, room in enumerate(plan.rooms):
        if number not in occupied:
            yield f"{room.id} has no viewpoint: there is no room to stand in it"
    if not views.regions:
        return
    parts = components(views.graph.adjacency)
    largest = int(np.bincount(parts).argmax())
    cut = {views.regions[i] for i in np.flatnonzero(parts != largest).tolist()}
    for number in sorted(cut):
        yield f"{plan.rooms[number].id} cannot be reached from the rest of the house"


def object_problems(plan: FloorPlan) -> Iterator[str]:
    """Yield the objects that overlap each other, or a wall of the room they are in."""
    by_room: dict[str, list[PlanItem]] = {}
    for item in plan.items:
        by_room.setdefault(item.room, []).append(item)
    for room in plan.rooms:
        items = by_room.get(room.id, [])
        slabs = space_of(plan, room).slabs
        for item in items:
            box = box_of(item)
            if not inside(room.polygon, box.centre) or any(meet(box, slab) for slab in slabs):
                yield f"{item.id} goes through a wall of {room.id}"
        yield from _overlaps(items)


def _overlaps(items: list[PlanItem]) -> Iterator[str]:
    boxes = [box_of(item) for item in items]
    sides = np.array([box[:6] for box in boxes]).reshape(-1, 6)
    for i, j in combinations(range(len(items)), 2):
        near = np.minimum(sides[i, [2, 3]], sides[j, [2, 3]]) - np.maximum(sides[i, :2], sides[j, :2])
        if near.min() <= TOUCH or is_cover(items[i]) != is_cover(items[j]):
            continue
        if items[i].on != items[j].id and items[j].on != items[i].id and meet(boxes[i], boxes[j]):
            yield f"{items[i].id} overlaps {items[j].id}"
