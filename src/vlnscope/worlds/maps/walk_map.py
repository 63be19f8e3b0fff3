"""Maps of walks: the storeys that a walk touches, each with title, legend and scale.

Under a walk lies the floor map where a scene has a plan, the walkable ground where it has only a navigation
mesh, and the ground around its viewpoints where it has only a graph. One metre is `SCALE` units everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from xml.sax.saxutils import escape

import numpy as np
from PIL import Image, ImageDraw

from vlnscope.types import Point, Points
from vlnscope.worlds.maps.canvas import MILLIMETRES, SCALE, XY, Box, Canvas, number
from vlnscope.worlds.maps.floor_map import bare_map
from vlnscope.worlds.maps.ground import (
    BORDER,
    GroundLevels,
    draw_border,
    draw_ground,
    ground_levels,
    ground_shape,
)
from vlnscope.worlds.maps.names_aside import is_text, readable
from vlnscope.worlds.maps.overlays import draw_faint_graph
from vlnscope.worlds.maps.raster import Painting
from vlnscope.worlds.maps.walk_legend import LEGEND, draw_frame
from vlnscope.worlds.maps.walk_pen import WalkPen
from vlnscope.worlds.maps.walks import MapWalk, feet_on_graph, xy
from vlnscope.worlds.scene import Scene

AROUND = 1.8
"""Metres that are shown around a walk."""
FARTHEST = 1000.0
"""So many metres around a scene a map can show; what a file says lies farther off is drawn at their edge."""
_LEAST = (10.0, 7.5)
_SHAPES = (0.75, 1.9)
_NORMAL = 620.0
_MARGIN = 12.0
_HEAD = 30.0
_FOOT = 34.0


@dataclass(frozen=True, eq=False)
class MapSheet:
    """One storey on a sheet of paper: a window onto the drawing, and what is written around it.

    Attributes:
        level: of the storey.
        title: what it is a map of.
        ground: the drawing without the walk.
        pen: draws the walk over it.
        window: which part of the drawing is shown: left, upper, right and lower edge.
        size: how large lines, signs and letters are.
        bordered: whether the drawing shows where walkable ground ends.
    """

    level: int
    title: str
    ground: Canvas
    pen: WalkPen
    window: Box
    size: float
    bordered: bool = True

    @property
    def corner(self) -> XY:
        """Where on the page the window begins."""
        return _MARGIN * self.size, (_MARGIN + _HEAD) * self.size

    @property
    def shown(self) -> XY:
        """Width and height of the window."""
        return self.window[2] - self.window[0], self.window[3] - self.window[1]

    @property
    def page(self) -> XY:
        """Width and height of the page."""
        width, height = self.shown
        edges = 2 * _MARGIN * self.size
        least = self.frame_end + _MARGIN * self.size
        return width + edges + LEGEND * self.size, max(height + edges + (_HEAD + _FOOT) * self.size, least)

    @cached_property
    def _framed(self) -> tuple[Canvas, float]:
        canvas = Canvas(0.0, 0.0)
        about = (self.title, self.pen.walk, self.corner, self.shown, self.size)
        return canvas, draw_frame(canvas, *about, bordered=self.bordered)

    @property
    def frame(self) -> Sequence[str]:
        """Title, legend and scale, in the units of the page."""
        return self._framed[0].elements

    @property
    def frame_end(self) -> float:
        """Where the legend ends."""
        return self._framed[1]

    def place(self, position: Sequence[float]) -> XY:
        """Return where on the page a position in Habitat's frame lies."""
        x, y = self.ground.at(xy(position))
        return x - self.window[0] + self.corner[0], y - self.window[1] + self.corner[1]

    def svg(self) -> str:
        """Return the sheet as an SVG document that stands alone and prints at 1:100."""
        width, height = self.page
        printed = " ".join(
            f'{name}="{number(side / SCALE * MILLIMETRES)}mm"'
            for name, side in (("width", width), ("height", height))
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {printed} '
            f'viewBox="0 0 {number(width)} {number(height)}" font-family="Helvetica, Arial, sans-serif">\n'
            f"<title>{escape(self.title)}</title>\n"
            f'<rect width="100%" height="100%" fill="#ffffff"/>\n{self._plot()}\n'
            + "\n".join(self.frame)
            + "\n</svg>\n"
        )

    def picture(self, scale: float = 2.0) -> Image.Image:
        """Return the sheet as pixels, `scale` of them to a unit."""
        page = Painting(self.page, scale=scale)
        page.draw(self.frame)
        whole, plot = page.finished(), self.painting(scale)
        plot.draw(self.pen.canvas.elements)
        x, y = (round(side * scale) for side in self.corner)
        whole.paste(plot.finished(), (x, y))
        pen = ImageDraw.Draw(whole)
        pen.rectangle((x, y, x + plot.size[0], y + plot.size[1]), outline=BORDER, width=round(scale))
        return whole

    def painting(self, scale: float = 2.0) -> Painting:
        """Return what the window shows without the walk, to draw on."""
        plot = Painting(self.shown, corner=self.window[:2], scale=scale)
        plot.draw(self.ground.elements)
        return plot

    def _plot(self) -> str:
        """Return the window as a picture in the picture, which cuts off what lies outside."""
        (x, y), (width, height) = self.corner, self.shown
        place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
        box = " ".join(map(number, (*self.window[:2], width, height)))
        body = "\n".join((*self.ground.elements, *self.pen.canvas.elements))
        return f'<svg {place} viewBox="{box}">\n{body}\n</svg>'


def walk_maps(scene: Scene, walk: MapWalk, *, title: str | None = None, drawn: bool = True) -> list[MapSheet]:
    """Return a map of each storey that a walk touches, in the order in which it comes to them.

    Args:
        scene: has a plan, a navigation mesh, or a graph.
        walk: what to draw.
        title: the heading; names the scene if not given. The storey is added where there are several.
        drawn: whether the walk is drawn; else only what it should have been, and ``pen`` draws the rest.
    """
    walk = _within(scene, walk)
    levels = ground_levels(scene)
    touched = levels.of([point[1] for point in walk.positions or walk.places]).tolist()
    aimed = levels.of([point[1] for point in walk.reference + walk.goals]).tolist()
    sheets = []
    for level in dict.fromkeys((*touched, *aimed)):
        storey = f", floor {level}" if len(levels.numbers) > 1 else ""
        heading = f"{scene.id if title is None else title}{storey}"
        sheets.append(_sheet(scene, walk, levels, level, heading, drawn))
    return sheets


def _within(scene: Scene, walk: MapWalk) -> MapWalk:
    """Return a walk without places that lie so far off that no map could show them and the scene."""
    if _has_ground(scene, walk):
        low, high = scene.layer("navmesh").bounds
    else:
        feet = np.array(feet_on_graph(scene, scene.graph.nodes) or [(0.0, 0.0, 0.0)])
        low, high = feet.min(axis=0), feet.max(axis=0)

    def near(points: Points) -> Points:
        rows = np.clip(np.reshape(points, (-1, 3)), low - FARTHEST, high + FARTHEST)
        return tuple((x, y, z) for x, y, z in rows.tolist())

    return replace(
        walk,
        positions=near(walk.positions),
        reference=near(walk.reference),
        shortest=near(walk.shortest),
        goals=near(walk.goals),
    )


def _sheet(
    scene: Scene, walk: MapWalk, levels: GroundLevels, level: int, title: str, drawn: bool
) -> MapSheet:
    here = [point for point in walk.places if levels.of(point[1]) == level]
    ground = _ground(scene, walk, levels, level)
    goals = [point for point in walk.goals if levels.of(point[1]) == level]
    window = _window(ground, here, goals, walk.radius)
    lines = [[ground.at(point) for point in run] for run in _runs_on(walk, levels, level)]
    ground.elements[:] = readable(ground.elements, window, lines)
    size = max(1.0, (window[2] - window[0]) / _NORMAL)
    pen = WalkPen(Canvas(ground.left, ground.top), walk, level, levels, size)
    pen.draw() if drawn else pen.draw_aims()
    return MapSheet(level, title, ground, pen, window, size, bordered=_has_ground(scene, walk))


def _ground(scene: Scene, walk: MapWalk, levels: GroundLevels, level: int) -> Canvas:
    """Draw what lies under a walk."""
    if not _has_ground(scene, walk):
        return bare_map(scene, level).canvas
    shape = ground_shape(scene.layer("navmesh"), levels, level, among=walk.positions[:1] + walk.goals)
    if scene.has("plan"):
        floor = bare_map(scene, level).canvas
        canvas = Canvas(floor.left, floor.top, [one for one in floor.elements if not is_text(one)])
        draw_border(canvas, shape)
        canvas.elements += filter(is_text, floor.elements)
        return canvas
    left, _, _, top = shape.bounds if not shape.is_empty else (0.0, 0.0, 0.0, 0.0)
    canvas = Canvas(left, top)
    draw_ground(canvas, shape)
    feet = feet_on_graph(scene, scene.graph.nodes)
    if feet:
        draw_faint_graph(canvas, scene.graph, [bool(levels.of(foot[1]) == level) for foot in feet])
    return canvas


def _runs_on(walk: MapWalk, levels: GroundLevels, level: int) -> Iterator[list[XY]]:
    """Yield the lines that are drawn of a walk on a storey."""
    for points in (walk.positions, walk.reference, walk.shortest):
        on = [bool(levels.of(point[1]) == level) for point in points]
        for here, run in groupby(zip(points, on, strict=True), key=lambda pair: pair[1]):
            if here:
                yield [xy(point) for point, _ in run]


def _has_ground(scene: Scene, walk: MapWalk) -> bool:
    return not walk.on_graph and scene.has("navmesh")


def _window(canvas: Canvas, points: Sequence[Sequence[float]], goals: Sequence[Point], radius: float) -> Box:
    """Return the part of a drawing around some places: large enough, and neither too long nor too narrow."""
    places = np.array([canvas.at(xy(point)) for point in points]) / SCALE
    low, high = places.min(axis=0) - AROUND, places.max(axis=0) + AROUND
    for goal in goals:
        middle = np.array(canvas.at(xy(goal))) / SCALE
        low, high = np.minimum(low, middle - radius - 0.2), np.maximum(high, middle + radius + 0.2)
    side = np.maximum(high - low, _LEAST)
    side = np.array([max(side[0], side[1] * _SHAPES[0]), max(side[1], side[0] / _SHAPES[1])])
    middle = (low + high) / 2
    (left, top), (right, bottom) = (middle - side / 2) * SCALE, (middle + side / 2) * SCALE
    return float(left), float(top), float(right), float(bottom)
