"""Small pictures of houses, and what the house itself knows to be in them.

Pictures are drawn by the renderer that users see, only smaller: 48 × 36 pixels for each of the 36 views. What
is in a picture is told in short phrases (``kitchen``, ``sofa``, ``red sofa``, ``near sofa``, ``stairs up``),
found by asking, pixel by pixel, which room or thing of the plan was hit. Only the middle of a picture is told
about, so that a phrase belongs to the direction of the view; the views around it show the rest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from vlnscope.types import Floats, Ints
from vlnscope.worlds.graph.views import VIEW_ELEVATIONS, VIEW_HEADINGS
from vlnscope.worlds.houses.plan.plan import FloorPlan, PlanItem
from vlnscope.worlds.houses.surroundings.stage import SURROUNDINGS
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.rendering.pinhole import camera_axes, pixel_rays
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.rendering.views import Views
from vlnscope.worlds.rooms import ROOM_NAMES
from vlnscope.worlds.scene import Scene

WIDTH, HEIGHT, VFOV = 48, 36, 60.0
MIDDLE = slice(10, 38)
"""Columns of a picture that phrases tell about: 23° to either side."""

NEAR = 2.5
"""Metres within which a thing is near."""

LEAST, LEAST_OF_ROOM = 3, 25
"""Pixels that a thing, or a room, must have."""

_SHELL = ("wall", "floor", "ceiling")
_OUTSIDE = ("ground", "roof")
_STAIRS = 0.25
Phrases = dict[str, float]


def draw(scene: Scene, viewpoint: str, rows: Ints | Sequence[int] | None = None) -> Views:
    """Draw views of a viewpoint: those of `rows`, all 36 if None."""
    renderer: Renderer = scene.layer("renderer")
    chosen = slice(None) if rows is None else np.asarray(rows, dtype=np.int64)
    position = scene.graph.positions[scene.graph.row(viewpoint)]
    return renderer.render(
        position,
        VIEW_HEADINGS[chosen],
        VIEW_ELEVATIONS[chosen],
        width=WIDTH,
        height=HEIGHT,
        vfov=VFOV,
        supersample=2,  # pixels are coarse, and furniture is fine
    )


class PhraseBook:
    """Tells what is in the pictures of one house.

    Args:
        scene: the house.
    """

    def __init__(self, scene: Scene) -> None:
        plan: FloorPlan = scene.layer("plan")
        self._scene = scene
        self._mesh: Mesh = scene.layer("mesh")
        self._rooms = {room.id: room for room in plan.rooms}
        self._items = {item.id: item for item in plan.items}
        self._doors = {it.id: "closed" if it.closed else "open" for it in plan.openings if it.kind == "door"}
        axes = camera_axes(VIEW_HEADINGS, VIEW_ELEVATIONS)
        self._rise = pixel_rays(axes, width=WIDTH, height=HEIGHT, vfov=VFOV)[..., 2]

    def tell(self, viewpoint: str, views: Views, rows: Ints | Sequence[int]) -> list[Phrases]:
        """Return the phrases of each view with their weights: the root of the share of pixels.

        Args:
            viewpoint: from which they were drawn.
            views: what `draw` returned.
            rows: which of the 36 views they are.
        """
        floor = -float(self._scene.heights[self._scene.graph.row(viewpoint)])
        phrases = []
        for picture, row in enumerate(rows):
            kinds, things = (
                part[picture][:, MIDDLE].ravel().astype(np.int64) for part in (views.semantic, views.instance)
            )
            depth = views.depth[picture][:, MIDDLE].ravel().astype(np.float64)
            phrases.append(
                self._phrases(kinds, things, depth, self._rise[row][:, MIDDLE].ravel() * depth - floor)
            )
        return phrases

    def _phrases(self, kinds: Ints, things: Ints, depth: Floats, height: Floats) -> Phrases:
        count = len(self._mesh.objects) + 1
        pairs, places, pixels = np.unique(kinds * count + things, return_inverse=True, return_counts=True)
        far = np.bincount(places, depth) / pixels
        high = np.bincount(places, np.nan_to_num(height, posinf=0.0, neginf=0.0)) / pixels
        shares: defaultdict[str, float] = defaultdict(float)
        columns = zip(pairs.tolist(), pixels.tolist(), far.tolist(), high.tolist(), strict=True)
        for pair, size, away, rise in columns:
            kind, thing = divmod(pair, count)
            if pair < 0:
                shares["outside"] += size
                continue
            for phrase in self._named(self._mesh.classes[kind], self._mesh.objects[thing], size, away, rise):
                shares[phrase] += size
        names = {ROOM_NAMES[room.label][0] for room in self._rooms.values()} | {"outside"}
        return {
            phrase: (size / len(kinds)) ** 0.5
            for phrase, size in shares.items()
            if size >= (LEAST_OF_ROOM if phrase in names else LEAST)
        }

    def _named(self, kind: str, thing: str, size: int, away: float, rise: float) -> list[str]:
        """Return what a thing, or a part of a room, is called."""
        if kind in _OUTSIDE or thing == SURROUNDINGS:
            return ["outside"]
        if kind in _SHELL and thing in self._rooms:
            room = self._rooms[thing]
            look = {"wall": [f"{room.wall_colour} wall"], "floor": [f"{room.floor_material} floor"]}
            return [ROOM_NAMES[room.label][0], *look.get(kind, [])]
        if size < LEAST or kind in _SHELL:
            return []
        near = [f"near {kind}"] if away < NEAR else []
        if kind == "stairs":
            way = ["stairs up"] if rise > _STAIRS else ["stairs down"] if rise < -_STAIRS else []
            return [kind, *way, *near]
        if kind == "door":
            return [kind, *near, *([f"{self._doors[thing]} door"] if thing in self._doors else [])]
        item: PlanItem | None = self._items.get(thing)
        return [kind, *near, *([f"{item.colour} {kind}"] if item else [])]
