"""A walk on one sheet: what was asked, what became of it, the map of each storey, and what was seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PIL import Image

from vlnscope.reporting.walks.frames import can_see, frames
from vlnscope.reporting.walks.lettering import BAD, FAINT, GOOD, INK, Sheet, wrapped, writable
from vlnscope.reporting.walks.moments import WalkMoment, telling_moments
from vlnscope.worlds.maps.canvas import Canvas
from vlnscope.worlds.maps.raster import Painting
from vlnscope.worlds.maps.signs import draw_number
from vlnscope.worlds.maps.walk_map import MapSheet, walk_maps
from vlnscope.worlds.maps.walks import MapWalk, WalkMark
from vlnscope.worlds.scene import Scene

WIDTH = 1800
"""Of a poster, in pixels."""
MOMENTS = 6
"""Pictures of a strip."""
_MARGIN = 40
_GAP = 14
_HIGHEST = 1000
_FINEST = 2.2
_CAPTION = 22.0
_LINES = 5


@dataclass(frozen=True)
class WalkTexts:
    """What is written about a walk.

    Attributes:
        title: what is shown.
        instruction: what was asked.
        outcome: what became of it, in words.
        succeeded: whether that is a success; None if nobody says.
        notes: what a reader should know besides.
    """

    title: str
    instruction: str
    outcome: str
    succeeded: bool | None = None
    notes: tuple[str, ...] = ()


def marked_walk(walk: MapWalk, moments: Sequence[WalkMoment]) -> MapWalk:
    """Return a walk with a number on the map for each moment of which there is a picture."""
    marks = tuple(WalkMark(moment.at, str(number)) for number, moment in enumerate(moments, 1))
    return replace(walk, marks=marks)


def poster(scene: Scene, walk: MapWalk, texts: WalkTexts) -> Image.Image:
    """Draw a poster: texts, the map of each storey, and a strip of what was seen where the scene has a mesh.

    Args:
        scene: where the walk took place.
        walk: the walk.
        texts: what is written about it.
    """
    moments = telling_moments(walk, MOMENTS) if can_see(scene) else ()
    sheets = walk_maps(scene, marked_walk(walk, moments))
    parts = [_head(texts), *_maps(sheets)]
    if moments:
        parts.append(strip(frames(scene, walk, [m.at for m in moments], size=_side()), moments))
    height = _MARGIN + sum(part.height + _MARGIN for part in parts)
    page = Image.new("RGB", (WIDTH, height), "#ffffff")
    y = _MARGIN
    for part in parts:
        page.paste(part, (_MARGIN, y))
        y += part.height + _MARGIN
    return page


def strip(pictures: Sequence[Image.Image], moments: Sequence[WalkMoment]) -> Image.Image:
    """Put pictures beside each other, each with the number and the caption of its moment below."""
    side, high = pictures[0].size
    lines = [wrapped(moment.caption, _CAPTION, side - 2 * _CAPTION, 2) for moment in moments]
    row = _CAPTION * 1.35
    foot = row * max(map(len, lines)) + _GAP
    canvas = Canvas(0.0, 0.0)
    for at, written in enumerate(lines):
        x, y = at * (side + _GAP), high + _GAP + row / 2
        draw_number(canvas, (x + 0.62 * _CAPTION, y), str(at + 1), 0.6 * _CAPTION)
        for k, line in enumerate(written):
            canvas.page_text((x + 1.7 * _CAPTION, y + k * row), line, _CAPTION, fill=INK)
    painting = Painting((len(pictures) * (side + _GAP) - _GAP, high + foot))
    painting.draw(canvas.elements)
    whole = painting.finished()
    for at, picture in enumerate(pictures):
        whole.paste(picture, (at * (side + _GAP), 0))
    return whole


def _side() -> int:
    return (WIDTH - 2 * _MARGIN - (MOMENTS - 1) * _GAP) // MOMENTS


def _head(texts: WalkTexts) -> Image.Image:
    sheet = Sheet(WIDTH - 2 * _MARGIN)
    sheet.write(texts.title, 34.0, font_weight="bold", most=2)
    unwritten = "(the instruction is in letters that these pictures lack)"
    told = " ".join(texts.instruction.split())
    sheet.write(writable(f"“{told}”", unwritten), 27.0, most=_LINES, gap=10.0)
    colour = {True: GOOD, False: BAD, None: INK}[texts.succeeded]
    sheet.write(texts.outcome, 25.0, fill=colour, font_weight="bold", most=3, gap=10.0)
    for note in texts.notes:
        sheet.write(note, 20.0, fill=FAINT, most=2, gap=4.0)
    return sheet.picture()


def _maps(sheets: Sequence[MapSheet]) -> list[Image.Image]:
    """Return the maps in rows of two, as large as there is room for."""
    rows = [sheets[k : k + 2] for k in range(0, len(sheets), 2)]
    return [_row(row) for row in rows]


def _row(sheets: Sequence[MapSheet]) -> Image.Image:
    width = WIDTH - 2 * _MARGIN - _GAP * (len(sheets) - 1)
    pages = [sheet.page for sheet in sheets]
    scale = min(width / sum(w for w, _ in pages), _HIGHEST / max(h for _, h in pages), _FINEST)
    pictures = [sheet.picture(scale) for sheet in sheets]
    whole = Image.new("RGB", (WIDTH - 2 * _MARGIN, max(one.height for one in pictures)), "#ffffff")
    x = 0
    for picture in pictures:
        whole.paste(picture, (x, 0))
        x += picture.width + _GAP
    return whole
