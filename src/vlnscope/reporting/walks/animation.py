"""A walk as a short film: what the agent sees, beside the map on which its walk grows."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import Literal

from PIL import Image, ImageColor

from vlnscope.reporting.walks.frames import can_see, frames
from vlnscope.reporting.walks.lettering import INK
from vlnscope.reporting.walks.moments import evenly
from vlnscope.worlds.maps.canvas import Canvas
from vlnscope.worlds.maps.ground import GroundLevels, ground_levels
from vlnscope.worlds.maps.raster import Painting
from vlnscope.worlds.maps.signs import BUMP, PAPER, SHORTEST, WAY
from vlnscope.worlds.maps.walk_map import MapSheet, walk_maps
from vlnscope.worlds.maps.walks import MapWalk, time_colour
from vlnscope.worlds.scene import Scene

FilmFormat = Literal["gif", "webp"]
MOST_FRAMES = 48
"""Pictures of a film."""
_GAP = 8
_BAR = 26
_PACE = 130
_END = 2500
_BROAD = 1.6
_SIGNS = (INK, PAPER, WAY, BUMP, SHORTEST, *(time_colour(k / 19) for k in range(20)))


@dataclass(frozen=True)
class FilmSize:
    """How large a film is.

    Attributes:
        height: of view and map, in pixels.
        frames: most pictures.
        quality: of WebP, 0 to 100.
        colours: of GIF, at most 256.
    """

    height: int = 320
    frames: int = MOST_FRAMES
    quality: int = 60
    colours: int = 160


FULL, SMALL = FilmSize(), FilmSize(height=224, frames=32, quality=38)
"""For a file of its own, and for a page that holds more."""


def film(scene: Scene, walk: MapWalk, size: FilmSize = FULL) -> list[Image.Image]:
    """Return the pictures of a film: evenly in time, the start and the end among them.

    Where a scene has no mesh, the map is shown alone.

    Args:
        scene: where the walk took place.
        walk: the walk.
        size: how large the pictures are, and how many at most.
    """
    at = evenly(walk, size.frames)
    seen = frames(scene, walk, at, size=size.height) if can_see(scene) else [None] * len(at)
    screen = _Screen.of(scene, walk, size)
    return [screen.picture(k, view) for k, view in zip(at, seen, strict=True)]


def encoded(pictures: list[Image.Image], kind: FilmFormat, size: FilmSize = FULL) -> bytes:
    """Return a film as a file that plays for ever and rests at its end."""
    times = [_PACE] * (len(pictures) - 1) + [_END]
    buffer = io.BytesIO()
    if kind == "webp":
        first, *rest = pictures
        first.save(
            buffer, "WEBP", save_all=True, append_images=rest, duration=times, loop=0, quality=size.quality,
            method=4,
        )  # fmt: skip
        return buffer.getvalue()
    first, *rest = _indexed(pictures, size.colours)
    first.save(buffer, "GIF", save_all=True, append_images=rest, duration=times, loop=0, optimize=False)
    return buffer.getvalue()


def _indexed(pictures: list[Image.Image], colours: int) -> list[Image.Image]:
    """Return pictures in the same few colours, so that what does not change takes no room.

    Signs of the map are thin: their colours would be lost among those of walls, and are chosen beforehand.
    """
    few = pictures[:: max(1, len(pictures) // 8)]
    width, height = few[0].size
    every = Image.new("RGB", (width, height * len(few)))
    for k, picture in enumerate(few):
        every.paste(picture, (0, k * height))
    common = every.quantize(colours - len(_SIGNS), method=Image.Quantize.MEDIANCUT).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for sign in _SIGNS for part in ImageColor.getrgb(sign)] + common)
    return [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]


@dataclass(frozen=True)
class _Screen:
    """Draws single pictures of a film; what lies under the walk is drawn once per storey."""

    walk: MapWalk
    levels: GroundLevels
    sheets: dict[int, MapSheet]
    size: FilmSize
    width: int
    _grounds: dict[int, Painting] = field(default_factory=dict)

    @classmethod
    def of(cls, scene: Scene, walk: MapWalk, size: FilmSize) -> _Screen:
        sheets = {sheet.level: sheet for sheet in walk_maps(scene, walk, drawn=False)}
        broadest = max(sheet.shown[0] * _scale(sheet, size) for sheet in sheets.values())
        return cls(walk, ground_levels(scene), sheets, size, round(broadest))

    def picture(self, at: int, view: Image.Image | None) -> Image.Image:
        left = 0 if view is None else view.width + _GAP
        whole = Image.new("RGB", (left + self.width, self.size.height + _BAR), "#ffffff")
        if view is not None:
            whole.paste(view, (0, 0))
        plot = self._map(at)
        whole.paste(plot, (left + (self.width - plot.width) // 2, (self.size.height - plot.height) // 2))
        whole.paste(self._bar(at, whole.width), (0, self.size.height))
        return whole

    def _map(self, at: int) -> Image.Image:
        level = int(self.levels.of(self.walk.positions[at][1]))
        sheet = self.sheets[level]
        if level not in self._grounds:
            self._grounds[level] = sheet.painting(_scale(sheet, self.size))
            self._grounds[level].draw(sheet.pen.canvas.elements)
        painting, drawn = self._grounds[level].copy(), sheet.pen.canvas.elements
        before = len(drawn)
        sheet.pen.draw_track(at)
        sheet.pen.draw_bumps(at)
        sheet.pen.draw_ends(at)
        painting.draw(drawn[before:])
        del drawn[before:]
        return painting.finished()

    def _bar(self, at: int, width: int) -> Image.Image:
        """Say below the picture how far the walk has come."""
        size = min(15.0, 0.058 * self.size.height)
        gone = MapWalk(self.walk.positions[: at + 1]).length
        unit = "move" if self.walk.on_graph else "action"
        told = f"{unit} {at} of {len(self.walk.positions) - 1}, {gone:.1f} m"
        bumps = sum(one <= at for one in self.walk.collisions)
        told += f", {bumps} collision{'s' if bumps > 1 else ''}" if bumps else ""
        if len(self.sheets) > 1:
            told += f", floor {int(self.levels.of(self.walk.positions[at][1]))}"
        canvas = Canvas(0.0, 0.0)
        canvas.page_text((4.0, _BAR / 2), told, size, fill=INK)
        painting = Painting((width, _BAR))
        painting.draw(canvas.elements)
        return painting.finished()


def _scale(sheet: MapSheet, size: FilmSize) -> float:
    width, height = sheet.shown
    return min(size.height / height, _BROAD * size.height / width)
