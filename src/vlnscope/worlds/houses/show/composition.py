"""Views that show a house at its best: chosen among all its viewpoints and directions by what is in them.

A view is worth more the more objects it shows, the deeper it looks and the more evenly it is filled, and less
the more of it is bare wall or ceiling, or something right before the lens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.rendering.pinhole import camera_axes
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.rooms import ROOM_NAMES, usual_name
from vlnscope.worlds.scene import Scene

HEADINGS = 16
TILT = -0.1
"""Radians that the camera looks down: rooms show more of their furniture than of their ceiling."""
VFOV = 58.0
_SIZE = (48, 30)
_BARE = ("wall", "ceiling")
_NEAR = 1.1
_PER_ROOM = 6
_DULL = ("hallway", "stairs", "closet", "other room", "junk", "no label", "porch", "balcony", "outdoor")


class ComposedView(NamedTuple):
    """A view worth showing.

    Attributes:
        room: number of the room in the plan.
        title: what the room is called, with its number if there are several.
        place: where the camera is.
        heading: radians clockwise from north.
        worth: what it was chosen by.
    """

    room: int
    title: str
    place: Floats
    heading: float
    worth: float


def best_views(scene: Scene, count: int) -> list[ComposedView]:
    """Return the best view of each of `count` rooms, the best first; fewer if the house has fewer rooms.

    Rooms of a kind that was chosen before follow when each kind has had its turn.
    """
    by_room: dict[int, ComposedView] = {}
    for room, places in _standpoints(scene).items():
        view = _best_of(scene, room, places)
        if view is not None:
            by_room[room] = view
    plan: FloorPlan = scene.layer("plan")
    ordered = sorted(by_room.values(), key=lambda view: (-view.worth, view.room))
    first: dict[str, int] = {}
    for view in ordered:
        first.setdefault(plan.rooms[view.room].label, view.room)
    return sorted(ordered, key=lambda view: first[plan.rooms[view.room].label] != view.room)[:count]


def room_title(plan: FloorPlan, room: int) -> str:
    """Return what a room is called, as one would write it below a picture.

    Example:
        >>> from vlnscope.worlds.houses.plan.plan import Floor, Room
        >>> square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
        >>> rooms = tuple(Room(id=name, label="f", floor=0, polygon=square) for name in ("f-1", "f-2"))
        >>> room_title(FloorPlan(id="x", floors=(Floor(level=0, elevation=0.0),), rooms=rooms), 1)
        'Family room 2'
    """
    label = plan.rooms[room].label
    name = usual_name(label) if label in ROOM_NAMES else plan.rooms[room].id
    same = [k for k, other in enumerate(plan.rooms) if other.label == label]
    return name[:1].upper() + name[1:] + (f" {same.index(room) + 1}" if len(same) > 1 else "")


def _standpoints(scene: Scene) -> dict[int, list[Floats]]:
    """Return some viewpoints of each room, spread over it."""
    rows: dict[int, list[int]] = {}
    for row, node in enumerate(scene.graph.nodes):
        region = scene.regions.region(node)
        if region is not None:
            rows.setdefault(region, []).append(row)
    return {
        room: [scene.graph.positions[row] for row in own[:: max(1, len(own) // _PER_ROOM)]]
        for room, own in rows.items()
    }


def _best_of(scene: Scene, room: int, places: Sequence[Floats]) -> ComposedView | None:
    plan: FloorPlan = scene.layer("plan")
    renderer: Renderer = scene.layer("renderer")
    headings = np.arange(HEADINGS) * math.tau / HEADINGS
    axes = camera_axes(headings, TILT)
    mesh: Mesh = scene.layer("mesh")
    inside = {plan.rooms[room].id, *(item.id for item in plan.items if item.room == plan.rooms[room].id)}
    own = np.array([name in inside for name in mesh.objects] + [False])  # the last stands for the sky
    best: ComposedView | None = None
    for place in places:
        cameras = np.broadcast_to(place, (HEADINGS, 3))
        seen = renderer.measure_axes(cameras, axes, width=_SIZE[0], height=_SIZE[1], vfov=VFOV)
        for k, heading in enumerate(headings.tolist()):
            worth = _worth(mesh, seen.semantic[k], seen.instance[k], seen.depth[k])
            worth *= liking(plan, room) * (0.1 + float(own[seen.instance[k]].mean())) ** 1.5
            if best is None or worth > best.worth:
                best = ComposedView(room, room_title(plan, room), place, heading, worth)
    return best


def liking(plan: FloorPlan, room: int) -> float:
    """Return how much one wants to see a kind of room: halls and closets less than others."""
    name = ROOM_NAMES.get(plan.rooms[room].label, ("",))[0]
    return 0.55 if name in _DULL else 1.0


def _worth(
    mesh: Mesh, semantic: NDArray[np.int32], instance: NDArray[np.int32], depth: NDArray[np.float32]
) -> float:
    bare = [number for number, name in enumerate(mesh.classes) if name in _BARE]
    blank = float(np.isin(semantic, bare).mean())
    close = float((depth < _NEAR).mean())
    _, pixels = np.unique(instance[(instance >= 0) & ~np.isin(semantic, bare)], return_counts=True)
    shares = pixels[pixels >= 6] / instance.size
    variety = float(np.minimum(shares, 0.06).sum())
    deep = float(np.log1p(np.clip(depth, 0.0, 12.0)).mean())
    middle = slice(semantic.shape[0] // 5, None)
    centred = float((~np.isin(semantic[middle], bare)).mean())
    return (0.12 + variety) * deep * (1.15 - blank) * (0.4 + centred) * (1.0 - close) ** 2
