"""A poster of a house: its best views, its floors cut open, its plans, its rooms and its colours."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from shapely import Polygon

from vlnscope.types import Floats
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.houses.show.composition import TILT, VFOV, ComposedView, best_views
from vlnscope.worlds.houses.show.cutaway import Cutaway, fitting_distance
from vlnscope.worlds.houses.show.exposure import well_exposed
from vlnscope.worlds.houses.show.film import PictureSize
from vlnscope.worlds.houses.show.lettering import Colour, LetterPen
from vlnscope.worlds.houses.show.palette import house_palette
from vlnscope.worlds.maps.floor_map import BareMap, bare_map, levels_of
from vlnscope.worlds.maps.raster import Painting
from vlnscope.worlds.rendering.pinhole import camera_axes, half_tangents
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.scene import Scene

WIDTH = 2400
"""Pixels; the height follows from what there is to show."""
PAPER: Colour = (250, 249, 246)
INK: Colour = (38, 40, 46)
FAINT: Colour = (128, 128, 126)
_PAPER_NAME = "#{:02x}{:02x}{:02x}".format(*PAPER)
_MARGIN, _GAP = 96, 24
_INNER = WIDTH - 2 * _MARGIN
PARTS = 6
"""Parts of a poster."""
ROOMS = 10
"""Small views of rooms, beside the large ones."""
_LARGE, _SMALL = 3, 5
_CORNER = 0.65
_FINE = 2
_LOOK = 64
_BIRD_VFOV, _BIRD_TILT = 40.0, math.radians(-27.0)
_TALL = {2: 0.66, 3: 0.9}


class KeyFigure(NamedTuple):
    """A number of the house and what it counts."""

    number: str
    what: str


def poster(scene: Scene) -> Image.Image:
    """Draw the poster of a house."""
    return stacked(list(poster_parts(scene)))


def poster_parts(scene: Scene) -> Iterator[Image.Image]:
    """Yield the `PARTS` of a poster from top to bottom, each as wide as the poster."""
    yield _header(scene)
    views = best_views(scene, _LARGE + ROOMS)
    yield _heroes(scene, views[:_LARGE])
    yield _outside(scene)
    yield _floors(scene)
    yield _rooms(scene, views[_LARGE:])
    yield _footer(scene)


def stacked(rows: Sequence[Image.Image]) -> Image.Image:
    """Return the parts of a poster below each other, with a margin at the foot."""
    return _joined([*rows, _blank(_MARGIN // 2)[0]])


def _joined(rows: Sequence[Image.Image]) -> Image.Image:
    height = sum(row.height for row in rows)
    sheet = Image.new("RGB", (WIDTH, height), PAPER)
    y = 0
    for row in rows:
        sheet.paste(row, (0, y))
        y += row.height
    return sheet


def key_figures(scene: Scene) -> list[KeyFigure]:
    """Return what one wants to know of a house: its size, its rooms and what is in it."""
    plan: FloorPlan = scene.layer("plan")
    inside = [room for room in plan.rooms if not room.outdoor]
    area = sum(Polygon(room.polygon).area for room in inside)
    kinds = len({item.name for item in plan.items})
    counts = (
        (f"{area:,.0f}", "square metres"),
        (str(len(plan.floors)), "floor" if len(plan.floors) == 1 else "floors"),
        (str(len(plan.rooms)), "rooms"),
        (str(len(plan.items)), f"objects of {kinds} kinds"),
        (str(len(scene.graph.nodes)), "viewpoints"),
    )
    return [KeyFigure(*one) for one in counts]


def _blank(height: int) -> tuple[Image.Image, LetterPen]:
    row = Image.new("RGB", (WIDTH, height), PAPER)
    return row, LetterPen(ImageDraw.Draw(row), INK)


def _header(scene: Scene) -> Image.Image:
    plan: FloorPlan = scene.layer("plan")
    row, pen = _blank(300)
    pen.write((_MARGIN, 186), plan.id.replace("-", " ").capitalize(), 108, bold=True)
    pen.write((_MARGIN + 4, 244), _subtitle(plan), 34, colour=FAINT)
    x = WIDTH - _MARGIN
    for number, what in reversed(key_figures(scene)):
        wide = max(pen.write((x, 186), number, 54, anchor="right"), len(what) * 12.0)
        pen.write((x, 240), what, 26, colour=FAINT, anchor="right")
        x -= round(wide) + 56
    return row


def _subtitle(plan: FloorPlan) -> str:
    """Say what kind of house it is and when it is seen."""
    said = f"{plan.building.capitalize()}, {plan.style} style"
    if plan.daylight is not None:
        hour, minute = divmod(round(plan.daylight.hour * 60), 60)
        said += f", at {hour % 24}:{minute:02d}" + (" with its lamps on" if plan.daylight.lamps else "")
    return said


def _render(scene: Scene, view: ComposedView, width: int, height: int) -> Image.Image:
    return _photograph(scene, view.place, view.heading, TILT, PictureSize(width, height), VFOV)


def _photograph(
    scene: Scene, place: Floats, heading: float, tilt: float, size: PictureSize, vfov: float
) -> Image.Image:
    """Draw a view at the exposure that suits it."""

    def shot(renderer: Renderer, width: int, height: int, supersample: int = 1) -> NDArray[np.uint8]:
        seen = renderer.render(
            place, heading, tilt, width=width, height=height, vfov=vfov, supersample=supersample
        )
        return np.asarray(seen.rgb[0])

    small = _LOOK, max(1, round(_LOOK * size.height / size.width))
    renderer = well_exposed(scene.layer("renderer"), lambda one: shot(one, *small))
    return Image.fromarray(shot(renderer, *size, _FINE))


def _captioned(row: Image.Image, picture: Image.Image, at: tuple[int, int], title: str, size: int) -> None:
    row.paste(picture, at)
    LetterPen(ImageDraw.Draw(row), INK).write((at[0], at[1] + picture.height + size + 10), title, size)


def _heroes(scene: Scene, views: Sequence[ComposedView]) -> Image.Image:
    """Draw the best view large, and the next two beside it, one above the other."""
    large = _INNER if len(views) < 3 else round(_INNER * 0.66)
    high = round(large * (0.42 if len(views) < 3 else 0.6))
    row, _ = _blank(high + 84)
    if not views:
        return row
    _captioned(row, _render(scene, views[0], large, high), (_MARGIN, 0), views[0].title, 30)
    if len(views) == 3:
        small = _INNER - large - _GAP
        half = (high - _GAP - 50) // 2
        for k, view in enumerate(views[1:]):
            y = 0 if k == 0 else high - half
            _captioned(row, _render(scene, view, small, half), (_MARGIN + large + _GAP, y), view.title, 30)
    return row


def _outside(scene: Scene) -> Image.Image:
    high = round(_INNER * 0.34)
    row, _ = _blank(high + 92)
    _captioned(row, _birds_eye(scene, _INNER, high), (_MARGIN, 0), "From outside", 30)
    return row


def _birds_eye(scene: Scene, width: int, height: int) -> Image.Image:
    """Draw the house from above and outside, from the corner at which least stands before it."""
    tan_x, tan_y = half_tangents(width, height, _BIRD_VFOV)
    house = Cutaway(scene, None)

    def place(heading: float) -> Floats:
        away = fitting_distance(house.box, heading, _BIRD_TILT, tan_x / tan_y, _BIRD_VFOV)
        return np.asarray(house.box.middle - camera_axes(heading, _BIRD_TILT)[0, 1] * away)

    corners = [_CORNER + k * math.pi / 4 for k in range(8)]
    heading = max(corners, key=lambda corner: house.share_seen(place(corner), corner, _BIRD_TILT, _BIRD_VFOV))
    return _photograph(scene, place(heading), heading, _BIRD_TILT, PictureSize(width, height), _BIRD_VFOV)


def _floor_name(level: int) -> str:
    names = {-1: "Basement", 0: "Ground floor", 1: "First floor", 2: "Second floor", 3: "Third floor"}
    return names.get(level, f"Floor {level}")


def _floors(scene: Scene) -> Image.Image:
    """Draw each floor cut open and as a plan, all at one scale: floors side by side, three in a row at most.

    A single floor has its plan beside it.
    """
    plan: FloorPlan = scene.layer("plan")
    maps = {level: bare_map(scene, level) for level in levels_of(plan, scene)}
    columns = min(max(2, len(maps)), 3)
    wide = (_INNER - (columns - 1) * _GAP) // columns
    tallest, widest = max(one.height for one in maps.values()), max(one.width for one in maps.values())
    scale = min(wide / widest, _TALL[columns] * wide / tallest)
    cells = []
    for level, one in maps.items():
        cut = Cutaway(scene, level, alone=True).picture(
            _CORNER, width=wide, height=round(wide * _TALL[columns] * 0.9), paper=PAPER
        )
        cells.append((cut, _floor_name(level)))
        cells.append((_plan_picture(one, scale), f"Plan of the {_floor_name(level).lower()}"))
    if len(maps) == 1:
        return _cells([cells], wide)
    rows = [cells[2 * k : 2 * (k + columns)] for k in range(0, len(maps), columns)]
    return _cells([half for row in rows for half in (row[::2], row[1::2])], wide)


def _plan_picture(one: BareMap, scale: float) -> Image.Image:
    painting = Painting((one.width, one.height), scale=scale, paper=_PAPER_NAME)
    painting.draw(one.canvas.elements)
    return painting.finished()


def _cells(rows: Sequence[Sequence[tuple[Image.Image, str]]], wide: int) -> Image.Image:
    """Lay pictures out in columns of a width, each in the middle of its cell with its title below."""
    drawn = []
    for cells in rows:
        high = max(picture.height for picture, _ in cells)
        row, pen = _blank(high + 96)
        for k, (picture, title) in enumerate(cells):
            middle = _MARGIN + k * (wide + _GAP) + wide // 2
            row.paste(picture, (middle - picture.width // 2, (high - picture.height) // 2))
            pen.write((middle, high + 40), title, 30, anchor="middle")
        drawn.append(row)
    return _joined(drawn)


def _rooms(scene: Scene, views: Sequence[ComposedView]) -> Image.Image:
    wide = (_INNER - (_SMALL - 1) * _GAP) // _SMALL
    high = round(wide * 0.7)
    rows = []
    for start in range(0, len(views), _SMALL):
        row, _ = _blank(high + 72)
        for k, view in enumerate(views[start : start + _SMALL]):
            _captioned(
                row, _render(scene, view, wide, high), (_MARGIN + k * (wide + _GAP), 0), view.title, 26
            )
        rows.append(row)
    return _joined(rows)


def _footer(scene: Scene) -> Image.Image:
    """Draw the colours of the house, and say where it comes from."""
    plan: FloorPlan = scene.layer("plan")
    row, pen = _blank(150)
    pen.write((_MARGIN, 40), "Its colours", 30)
    draw = ImageDraw.Draw(row)
    for k, colour in enumerate(house_palette(scene.layer("mesh"), 12)):
        x = _MARGIN + k * 92
        draw.rounded_rectangle((x, 62, x + 76, 62 + 76), radius=12, fill=colour)
    made = f"version {plan.generator} of its built-in houses" if plan.generator else "a plan of one's own"
    said = f"drawn by vlnscope from {made}"
    pen.write((WIDTH - _MARGIN, 128), said, 24, colour=FAINT, anchor="right")
    return row
