"""Walks through the mesh of a house: is there floor underfoot, head room above, and nothing in the way?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vlnscope.types import Floats, Ints
from vlnscope.worlds.houses.furnish.rules import is_cover
from vlnscope.worlds.houses.graph.obstacles import HEAD_ROOM
from vlnscope.worlds.houses.graph.viewpoints import CAMERA, Viewpoints
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.rendering.rays import RayScene

STEP = 0.25
"""Greatest difference of height that one step takes."""
SHOULDER = 0.16
HEIGHTS = (0.3, 0.9, 1.6)
"""Where rays look for obstacles, above the floor: at knee, hip and above eye height."""

_STRIDE = 0.1
_DOWN = np.array([0.0, 0.0, -1.0])


class WalkabilityCheck:
    """The rays that check one house."""

    def __init__(self, plan: FloorPlan, views: Viewpoints, mesh: Mesh) -> None:
        self._plan = plan
        self._views = views
        self._mesh = mesh
        self._rays = RayScene(mesh)
        covers = {item.id for item in plan.items if is_cover(item)}
        ground = np.array([name in ("floor", "stairs", "ground") for name in mesh.classes], dtype=np.bool_)
        flat = np.array([name in covers for name in mesh.objects], dtype=np.bool_)
        self._floor = ground[mesh.semantic] | flat[mesh.instance]

    def standing_problems(self) -> Iterator[str]:
        """Yield the viewpoints without floor under them or head room above."""
        cameras = self._views.graph.positions
        down, face = self._drop(cameras)
        up = self._rays.distances(cameras, np.broadcast_to(-_DOWN, cameras.shape))
        for i in range(len(cameras)):
            if face[i] < 0 or not self._floor[face[i]] or abs(down[i] - self._views.heights[i]) > 0.05:
                yield f"{self._name(i)} does not stand on a floor"
            if up[i] + self._views.heights[i] < HEAD_ROOM:
                yield f"{self._name(i)} has no head room"

    def edge_problems(self) -> Iterator[str]:
        """Yield the edges along which something is in the way, or the floor is missing or too steep."""
        graph = self._views.graph
        if not len(graph.edges):
            return
        places, owner = _strides(graph.positions, graph.edges)
        drop, face = self._drop(places)
        heights = places[:, 2] - drop
        inner = owner[1:] == owner[:-1]
        footless = (face < 0) | ~self._floor[np.maximum(face, 0)] | (drop > CAMERA + 0.6)
        steep = inner & (np.abs(np.diff(heights)) > STEP)
        met = self._met(places, heights, inner)
        standing = np.where(footless, face, -1)
        for k, (i, j) in enumerate(graph.edges.tolist()):
            own, steps = owner == k, (owner[:-1] == k) & inner
            name = f"the edge from {self._name(i)} to {self._name(j)}"
            if (standing[own] >= 0).any():
                yield f"{name} meets {self._first(standing[own], places[own])}"
            elif footless[own].any():
                yield f"{name} leads over no floor at {_at(places[own][footless[own]][0])}"
            elif steep[steps].any():
                yield f"{name} has a step that is too high at {_at(places[:-1][steps][steep[steps]][0])}"
            elif (met[steps] >= 0).any():
                yield f"{name} meets {self._first(met[steps], places[:-1][steps])}"

    def _first(self, faces: Ints, places: Floats) -> str:
        """Say what the first face that is not -1 belongs to, and where that is."""
        first = int(np.flatnonzero(faces >= 0)[0])
        return f"{self._mesh.objects[self._mesh.instance[faces[first]]]} at {_at(places[first])}"

    def _drop(self, places: Floats) -> tuple[Floats, Ints]:
        down = np.broadcast_to(_DOWN, places.shape)
        return self._rays.distances(places, down), self._rays.first_hits(places, down)

    def _met(self, places: Floats, heights: Floats, inner: Ints) -> Ints:
        """Return the face that a body meets between each sample and the next; -1 if none."""
        feet = np.column_stack([places[:, :2], heights])
        step = np.diff(feet, axis=0)
        step[~inner] = 0.0
        length = np.maximum(np.hypot(step[:, 0], step[:, 1]), 1e-9)
        side = np.column_stack([-step[:, 1] / length, step[:, 0] / length, np.zeros(len(step))])
        met = np.full(len(step), -1, dtype=np.int64)
        rows = np.flatnonzero(inner)
        for height in HEIGHTS:
            for shift in (-SHOULDER, 0.0, SHOULDER):
                start = feet[:-1][rows] + side[rows] * shift + np.array([0.0, 0.0, height])
                near = self._rays.distances(start, step[rows]) <= 1.0
                hit = rows[near]
                met[hit] = self._rays.first_hits(start[near], step[hit])
        return met

    def _name(self, node: int) -> str:
        room = self._plan.rooms[self._views.regions[node]].id
        return f"viewpoint {self._views.graph.nodes[node][:8]} in {room}"


def _strides(positions: Floats, edges: Ints) -> tuple[Floats, Ints]:
    """Return places along all edges, close together, and the edge that each is on."""
    starts, ends = positions[edges[:, 0]], positions[edges[:, 1]]
    counts = np.maximum(np.ceil(np.linalg.norm(ends - starts, axis=1) / _STRIDE), 1).astype(np.int64) + 1
    owner = np.repeat(np.arange(len(edges)), counts)
    number = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    share = (number / (counts[owner] - 1))[:, None]
    return starts[owner] * (1 - share) + ends[owner] * share, owner


def _at(point: Floats) -> str:
    return f"({point[0]:.2f}, {point[1]:.2f})"
