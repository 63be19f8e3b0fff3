"""Looking at a house: a sheet of views from a few of its rooms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.maps.overlays import MapPath
from vlnscope.worlds.rendering.images import contact_sheet
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.scene import Scene

if TYPE_CHECKING:
    from PIL.Image import Image

DIRECTIONS = ("north", "east", "south", "west")
_LEAST_EDGES = 4


def view_sheet(scene: Scene, *, viewpoints: int = 6, width: int = 320, height: int = 240) -> Image:
    """Return a contact sheet: a row per chosen viewpoint, looking north, east, south and west.

    Args:
        scene: a house.
        viewpoints: how many; fewer if the house has not so many.
        width: of each picture in pixels.
        height: of each picture in pixels.
    """
    plan: FloorPlan = scene.layer("plan")
    renderer: Renderer = scene.layer("renderer")
    chosen = telling_viewpoints(scene, viewpoints)
    headings = np.tile(np.arange(4) * math.pi / 2, len(chosen))
    places = np.repeat([scene.graph.positions[scene.graph.row(node)] for node in chosen], 4, axis=0)
    views = renderer.render(places, headings, width=width, height=height, vfov=75.0, supersample=2)
    labels = [
        f"{_room_name(plan, scene, node)} {node[:6]}, {direction}"
        for node in chosen
        for direction in DIRECTIONS
    ]
    return contact_sheet(list(views.rgb), labels, columns=4)


def telling_viewpoints(scene: Scene, count: int) -> tuple[str, ...]:
    """Choose viewpoints in rooms of different kinds: the middle one of the room that has most of each kind.

    Kinds with many viewpoints come first; when each kind was seen, other rooms follow.
    """
    regions = scene.regions
    rooms: dict[int, list[str]] = {}
    for node in scene.graph.nodes:
        region = regions.region(node)
        if region is not None:
            rooms.setdefault(region, []).append(node)
    ordered = sorted(rooms, key=lambda region: (-len(rooms[region]), region))
    first = {label: region for region in reversed(ordered) for label in [regions.labels[region]]}
    kinds = [region for region in ordered if first[regions.labels[region]] == region]
    others = [region for region in ordered if region not in kinds]
    return tuple(_middle(scene, rooms[region]) for region in [*kinds, *others][:count])


def _middle(scene: Scene, nodes: list[str]) -> str:
    places = scene.graph.positions[[scene.graph.row(node) for node in nodes]]
    away = ((places - places.mean(axis=0)) ** 2).sum(axis=1)
    return nodes[int(np.argmin(away.round(9)))]


def _room_name(plan: FloorPlan, scene: Scene, node: str) -> str:
    region = scene.regions.region(node)
    return "no room" if region is None else plan.rooms[region].id


def sample_paths(scene: Scene, count: int, *, seed: int = 0) -> list[MapPath]:
    """Return some shortest paths of at least four edges, drawn at random; fewer if there are not so many."""
    graph = scene.graph
    rng = rng_for(seed, "sample paths", scene.id)
    paths: list[MapPath] = []
    for i, j in rng.integers(0, len(graph.nodes), (200, 2)).tolist():
        path = graph.shortest_path(graph.nodes[i], graph.nodes[j]) if i != j else ()
        if len(path) > _LEAST_EDGES and len(paths) < count:
            length = graph.distance(path[0], path[-1])
            paths.append(MapPath(path, f"path {len(paths) + 1}, {length:.1f} m"))
    return paths
