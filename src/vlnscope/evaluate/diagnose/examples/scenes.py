"""Where walks are shown: places on maps, and what could be seen from them."""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Sequence

import numpy as np
from PIL import Image

from vlnscope.reporting.examples import FloorMap, MapPoint, TrailPoint
from vlnscope.types import Point
from vlnscope.worlds.houses.edit.names import base_name
from vlnscope.worlds.maps.canvas import SCALE
from vlnscope.worlds.maps.floor_map import BareMap, bare_map, levels
from vlnscope.worlds.maps.walk_map import FARTHEST
from vlnscope.worlds.maps.walks import xy
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.scene import Scene, Scenes

_HEIGHT = 128
_COLUMNS = 24
_VFOV = 60.0
_FINE = 1.25
_QUALITY = 55
_REACH = FARTHEST * SCALE


class SceneMaps:
    """A scene in which walks are shown; its maps are drawn when a place on them is asked for.

    Attributes:
        scene: the scene.
        graph: its graph.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.graph = scene.graph
        self._levels = levels(scene)
        self._maps: dict[int, BareMap] = {}

    def place(self, viewpoint: str) -> MapPoint:
        """Return where a viewpoint lies."""
        level = self._levels[viewpoint]
        if level not in self._maps:
            self._maps[level] = bare_map(self.scene, level)
        x, y = self._maps[level].canvas.at(self.graph.positions[self.graph.row(viewpoint)].tolist())
        return MapPoint(viewpoint, self._key(level), round(x, 1), round(y, 1))

    def places(self, viewpoints: Sequence[str]) -> tuple[MapPoint, ...]:
        """Return where viewpoints lie, in order."""
        return tuple(self.place(viewpoint) for viewpoint in viewpoints)

    def spot(self, position: Point, viewpoint: str) -> TrailPoint:
        """Return where a position in Habitat's frame lies, on the floor of its nearest viewpoint.

        What a file says lies farther off than a map can show is put at its edge.
        """
        place = self.place(viewpoint)
        at = self._maps[self._levels[viewpoint]].canvas.at(xy(position))
        x, y = np.clip(
            at, (place.x - _REACH, place.y - _REACH), (place.x + _REACH, place.y + _REACH)
        ).tolist()
        return TrailPoint(place.floor, round(x, 1), round(y, 1))

    def point(self, viewpoint: str) -> Point:
        """Return the position of a viewpoint in metres."""
        x, y, z = self.graph.positions[self.graph.row(viewpoint)].tolist()
        return x, y, z

    def room(self, viewpoint: str) -> str:
        """Return the room that a viewpoint is in; empty if that is not known."""
        if not self.scene.has("regions") or self.scene.regions.label(viewpoint) is None:
            return ""
        return self.scene.regions.name(viewpoint) or ""

    def maps(self) -> dict[str, FloorMap]:
        """Return the maps of the floors that were asked for."""
        return {self._key(level): self._floor(level, drawn) for level, drawn in sorted(self._maps.items())}

    def view(self, viewpoint: str, heading: float) -> str:
        """Return the key of what is seen from a viewpoint; headings count in whole degrees."""
        return f"{self.scene.id}/{viewpoint}/{round(math.degrees(heading)) % 360}"

    def picture(self, view: str) -> str | None:
        """Return the whole circle of a view, its heading in the middle, as a ``data:`` address, if any."""
        if "renderer" not in self.scene.loaders:
            return None
        _, viewpoint, degrees = view.rsplit("/", 2)
        return _strip(self.scene.layer("renderer"), self.point(viewpoint), math.radians(float(degrees)))

    def _key(self, level: int) -> str:
        return f"{self.scene.id}/{level}"

    def _floor(self, level: int, drawn: BareMap) -> FloorMap:
        edited = " (changed)" if base_name(self.scene.id) != self.scene.id else ""
        title = f"{base_name(self.scene.id)}{edited}, floor {level}"
        return FloorMap(
            floor=self._key(level), title=title, svg=drawn.svg, width=drawn.width, height=drawn.height
        )


class KnownScenes:
    """The scenes of a data set, each opened once, whichever runs take place in it.

    Args:
        scenes: where they come from.
        known: the stages that were opened so far, which other data sets with the same scenes share.
    """

    def __init__(self, scenes: Scenes, known: dict[str, SceneMaps]) -> None:
        self._scenes = scenes
        self._known = known

    def scans(self) -> tuple[str, ...]:
        """Return the ids of all scenes."""
        return self._scenes.scans()

    def scene(self, scan: str) -> Scene:
        """Return a scene by id."""
        return self.stage(scan).scene

    def stage(self, scan: str) -> SceneMaps:
        """Return a scene with its maps."""
        if scan not in self._known:
            self._known[scan] = SceneMaps(self._scenes.scene(scan))
        return self._known[scan]


def _strip(renderer: Renderer, position: Point, middle: float) -> str:
    """Draw the circle around a place in narrow columns, which lets no line bend visibly."""
    height = round(_HEIGHT * _FINE)
    width = round(height * math.tan(math.pi / _COLUMNS) / math.tan(math.radians(_VFOV) / 2))
    headings = middle + (np.arange(_COLUMNS) + 0.5) * math.tau / _COLUMNS - math.pi
    views = renderer.render(position, headings, width=width, height=height, vfov=_VFOV)
    strip = Image.fromarray(np.concatenate(list(views.rgb), axis=1))
    strip = strip.resize((round(strip.width / _FINE), _HEIGHT), Image.Resampling.BOX)
    file = io.BytesIO()
    strip.save(file, "WEBP", quality=_QUALITY, method=4)
    return webp_address(file.getvalue())


def webp_address(content: bytes) -> str:
    """Return a WebP file as a ``data:`` address."""
    return "data:image/webp;base64," + base64.b64encode(content).decode()
