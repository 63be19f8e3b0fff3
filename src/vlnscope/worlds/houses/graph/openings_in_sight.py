"""Which doors, doorways and windows can be seen from a viewpoint: those whose hole sight lines reach.

Most of an opening is air, which no ray meets, so a fan of rays cannot find it. Instead rays go from each
camera to points spread over the hole. What stands in the hole itself, a closed leaf or a pane, does not hide
it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vlnscope.types import Flags, Floats, Point, SeenObject
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.plan.plan import WALL, FloorPlan, Opening
from vlnscope.worlds.rendering.rays import RayScene

WIDEST = 2.2
"""Wider passages join two parts of an open plan; nobody calls them doorways."""
NARROWEST = math.radians(2.0)
"""Least angle between the two sides of a hole in sight; less is seen edge-on."""
ENOUGH = 3
"""Least number of points of a hole that sight lines reach, of `ACROSS` times `UP`."""

ACROSS = (0.1, 0.3, 0.5, 0.7, 0.9)
UP = (0.25, 0.55, 0.85)
_NEAR = WALL / 2 + 0.02
_BATCH = 64


def named_openings(plan: FloorPlan) -> tuple[Opening, ...]:
    """Return the openings that people have a word for, in the order of the plan."""
    return tuple(way for way in plan.openings if way.kind != "passage" or way.width <= WIDEST)


def seen_openings(plan: FloorPlan, graph: NavGraph, rays: RayScene) -> list[tuple[SeenObject, ...]]:
    """Return the openings in sight of every viewpoint, in the order of the graph and of the plan.

    A door is called ``door``, open or ``closed``; a passage ``doorway`` and a window ``window``. Heading and
    distance are those of the middle of the hole; from a viewpoint in the hole itself the heading is that of
    the way through it, into the first of its rooms or out of it, whichever is less than π.
    """
    ways = named_openings(plan)
    if not ways:
        return [()] * len(graph.nodes)
    bases = {floor.level: floor.elevation for floor in plan.floors}
    centres = np.array([_centre(way, bases[way.floor]) for way in ways])
    points = np.stack([_points(way, bases[way.floor]) for way in ways])
    found = []
    for start in range(0, len(graph.nodes), _BATCH):
        cameras = graph.positions[start : start + _BATCH]
        seen = _wide(cameras, ways) & (_reached(cameras, points, rays) >= ENOUGH)
        found += [_things(ways, centres, camera, row) for camera, row in zip(cameras, seen, strict=True)]
    return found


def _centre(way: Opening, base: float) -> Point:
    return (*way.centre, base + (way.sill + way.head) / 2)


def _points(way: Opening, base: float) -> Floats:
    along, up = (grid.ravel() for grid in np.meshgrid(ACROSS, UP))
    shift = (along - 0.5) * way.width
    dx, dy = (shift, 0.0 * shift) if way.axis == "x" else (0.0 * shift, shift)
    z = base + way.sill + up * (way.head - way.sill)
    return np.stack([way.centre[0] + dx, way.centre[1] + dy, z], axis=1)


def _wide(cameras: Floats, ways: Sequence[Opening]) -> Flags:
    """Whether the sides of each opening are far enough apart, seen from each camera."""
    centres = np.array([way.centre for way in ways])
    across = np.array([[1.0, 0.0] if way.axis == "x" else [0.0, 1.0] for way in ways])
    half = across * np.array([way.width / 2 for way in ways])[:, None]
    left, right = (centres + side * half - cameras[:, None, :2] for side in (-1, 1))
    sine = left[..., 0] * right[..., 1] - left[..., 1] * right[..., 0]
    cosine = (left * right).sum(axis=-1)
    return np.asarray(np.abs(np.arctan2(sine, cosine)) >= NARROWEST)


def _reached(cameras: Floats, points: Floats, rays: RayScene) -> Floats:
    """Return how many points of each opening each camera sees."""
    lines = points[None] - cameras[:, None, None]
    lengths = np.linalg.norm(lines, axis=-1)
    starts = np.broadcast_to(cameras[:, None, None], lines.shape)
    free = rays.distances(starts.reshape(-1, 3), lines.reshape(-1, 3)).reshape(lengths.shape)
    return np.asarray((free * lengths >= lengths - _NEAR).sum(axis=-1))


def _things(ways: Sequence[Opening], centres: Floats, camera: Floats, seen: Flags) -> tuple[SeenObject, ...]:
    return tuple(_thing(ways[i], centres[i], camera) for i in np.flatnonzero(seen).tolist())


def _thing(way: Opening, centre: Floats, camera: Floats) -> SeenObject:
    dx, dy = (centre[:2] - camera[:2]).tolist()
    if math.hypot(dx, dy) < WALL / 2:
        dx, dy = (0.0, 1.0) if way.axis == "x" else (1.0, 0.0)
    height = way.head - way.sill
    return SeenObject(
        {"door": "door", "passage": "doorway", "window": "window"}[way.kind],
        math.atan2(dx, dy) % math.tau,
        round(math.dist(centre.tolist(), camera.tolist()), 3),
        ("closed" if way.closed else "open",) if way.kind == "door" else (),
        way.id,
        (float(centre[0]), float(centre[1]), float(centre[2])),
        (way.width, WALL, height) if way.axis == "x" else (WALL, way.width, height),
    )
