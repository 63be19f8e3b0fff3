"""A house cut open: its floors seen from above, without roof, ceilings and what lies around it.

What is seen is found in a mesh of which parts are taken away; how it looks is what the whole house's renderer
says, so that light falls as it does with the roof on.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vlnscope.types import Floats
from vlnscope.worlds.houses.plan.plan import Floor, FloorPlan
from vlnscope.worlds.houses.show.exposure import well_exposed
from vlnscope.worlds.houses.surroundings.stage import SURROUNDINGS
from vlnscope.worlds.rendering.mesh import Mesh, subset
from vlnscope.worlds.rendering.pinhole import camera_axes, half_tangents
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.scene import Scene

VFOV = 34.0
"""A long lens, so that upright lines stay nearly so, yet not so long that the house lies in the haze."""
TILT = math.radians(-38.0)
_RIM = 0.35
_BELOW, _CEILING = 0.2, 0.04
_AIR = 1.04
_FINE = 2
_LOOK = (60, 40)
RGB = tuple[int, int, int]


class HouseBox(NamedTuple):
    """The box around a house, or around one of its floors: its least and greatest corner."""

    low: Floats
    high: Floats

    @property
    def middle(self) -> Floats:
        """The point in its middle."""
        return (self.low + self.high) / 2

    @property
    def corners(self) -> Floats:
        """The eight corners."""
        ends = np.stack([self.low, self.high])
        return np.array(
            [[ends[i, 0], ends[j, 1], ends[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
        )


def house_box(plan: FloorPlan, floor: Floor | None = None) -> HouseBox:
    """Return the box around the rooms of a floor, or of the whole house."""
    rooms = [room for room in plan.rooms if floor is None or room.floor == floor.level]
    points = np.array([corner for room in rooms for corner in room.polygon])
    floors = [floor] if floor is not None else list(plan.floors)
    low = min(one.elevation for one in floors)
    high = max(one.elevation + one.height for one in floors)
    return HouseBox(np.array([*points.min(axis=0), low]), np.array([*points.max(axis=0), high]))


def fitting_distance(box: HouseBox, heading: float, tilt: float, aspect: float, vfov: float = VFOV) -> float:
    """Return how far from the middle of a box a camera must be to see all of it.

    Args:
        box: what it must see.
        heading: where it looks, radians clockwise from north.
        tilt: radians up from level.
        aspect: width of its picture over the height.
        vfov: vertical angle of view in degrees.
    """
    right, ahead, up = camera_axes(heading, tilt)[0]
    offsets = box.corners - box.middle
    tall = math.tan(math.radians(vfov) / 2)
    need = np.maximum(np.abs(offsets @ right) / (tall * aspect), np.abs(offsets @ up) / tall)
    return float((need - offsets @ ahead).max()) * _AIR


class Cutaway:
    """Draws a house without what lies around it, cut open at one of its floors.

    Args:
        scene: the house.
        level: number of the floor that is looked into; None leaves the roof on.
        alone: leave out the floors below, too.
    """

    def __init__(self, scene: Scene, level: int | None, *, alone: bool = False) -> None:
        plan: FloorPlan = scene.layer("plan")
        self._renderer: Renderer = scene.layer("renderer")
        mesh: Mesh = scene.layer("mesh")
        floor = next((floor for floor in plan.floors if floor.level == level), None)
        self.box = house_box(plan, floor if alone else None)
        self._kept = _kept_faces(mesh, plan, floor, alone)
        if level is None and len(self._kept):
            points = mesh.vertices[mesh.faces[self._kept]].reshape(-1, 3)
            self.box = HouseBox(points.min(axis=0), points.max(axis=0))
        self._cut = Renderer(subset(mesh, self._kept))
        self._exposed: Renderer | None = None

    def picture(
        self, heading: float, *, width: int, height: int, paper: RGB, tilt: float = TILT
    ) -> Image.Image:
        """Draw the floor from above on plain paper.

        Args:
            heading: where the camera looks, radians clockwise from north.
            width: of the picture in pixels.
            height: of the picture in pixels.
            paper: colour of what is not the house.
            tilt: radians up from level, so negative.
        """
        tan_x, tan_y = half_tangents(width, height, VFOV)
        away = fitting_distance(self.box, heading, tilt, tan_x / tan_y)
        return self.picture_from(away, heading, width=width, height=height, paper=paper, tilt=tilt)

    def farthest(self, *, width: int, height: int, tilt: float = TILT) -> float:
        """Return how far away a camera sees all of the house wherever it stands around it."""
        tan_x, tan_y = half_tangents(width, height, VFOV)
        turns = np.arange(24) * math.tau / 24
        return max(fitting_distance(self.box, turn, tilt, tan_x / tan_y) for turn in turns.tolist())

    def picture_from(
        self, away: float, heading: float, *, width: int, height: int, paper: RGB, tilt: float = TILT
    ) -> Image.Image:
        """Draw the floor as `picture` does, from so many metres away from its middle."""
        size: dict[str, Any] = {"width": width * _FINE, "height": height * _FINE, "vfov": VFOV}
        axes = camera_axes(heading, tilt)
        place = (self.box.middle - axes[0, 1] * away)[None]
        whole = self._whole(self._cut.measure_axes(place, axes, **size).face)
        rgb = self._lit(place, axes).render_axes(place, axes, **size, faces=whole).rgb[0].copy()
        rgb[whole[0] < 0] = paper
        return Image.fromarray(rgb).resize((width, height), Image.Resampling.BOX)

    def share_seen(self, place: Floats, heading: float, tilt: float, vfov: float) -> float:
        """Return the share of a view of everything that these parts of the house fill."""
        axes = camera_axes(heading, tilt)
        seen = self._renderer.measure_axes(place[None], axes, width=_LOOK[0], height=_LOOK[1], vfov=vfov)
        return float(np.isin(seen.face, self._kept).mean())

    def _lit(self, place: Floats, axes: Floats) -> Renderer:
        """Return the renderer at the exposure that suits the first picture."""
        if self._exposed is None:
            small: dict[str, Any] = {"width": _LOOK[0], "height": _LOOK[1], "vfov": VFOV}
            whole = self._whole(self._cut.measure_axes(place, axes, **small).face)

            def shot(renderer: Renderer) -> NDArray[np.uint8]:
                return renderer.render_axes(place, axes, **small, faces=whole).rgb[whole >= 0]

            self._exposed = well_exposed(self._renderer, shot)
        return self._exposed

    def _whole(self, faces: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the numbers in the whole house of faces of the cut one."""
        return np.where(faces >= 0, self._kept[np.maximum(faces, 0)], -1).astype(np.int32)


def _kept_faces(mesh: Mesh, plan: FloorPlan, floor: Floor | None, alone: bool) -> NDArray[np.int32]:
    """Return the numbers of the faces of a floor and of those below it, without its ceiling."""
    middle = mesh.vertices[mesh.faces].mean(axis=1)
    box = house_box(plan)
    near = (middle[:, :2] > box.low[:2] - _RIM) & (middle[:, :2] < box.high[:2] + _RIM)
    around = [number for number, name in enumerate(mesh.objects) if name == SURROUNDINGS]
    kept = near.all(axis=1) & ~_of_classes(mesh, "ground") & ~np.isin(mesh.instance, around)
    if floor is not None:
        top = floor.elevation + floor.height - _CEILING
        lowest = floor.elevation - _BELOW if alone else float(box.low[2]) - _BELOW
        kept &= (middle[:, 2] < top) & (middle[:, 2] > lowest) & ~_of_classes(mesh, "roof")
        kept &= ~(_of_classes(mesh, "ceiling", "beam", "cornice") & (middle[:, 2] > floor.elevation + _BELOW))
    return np.flatnonzero(kept).astype(np.int32)


def _of_classes(mesh: Mesh, *names: str) -> NDArray[np.bool_]:
    return np.isin(mesh.semantic, [number for number, name in enumerate(mesh.classes) if name in names])
