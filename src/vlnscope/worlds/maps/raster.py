"""Maps as pixels: draws what a `Canvas` collected with Pillow, for PNG files and animations.

It knows the shapes that canvases make, and no more of SVG: lines, polygons, rectangles, circles, ellipses and
texts, in plain colours that may be translucent.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFont

from vlnscope.worlds.maps.canvas import XY

FINE = 3
"""Pixels are the mean of so many by so many."""
_COMMAND = re.compile(r"([MLhvZ])|(-?\d+(?:\.\d+)?)")
_ROTATE = re.compile(r"rotate\((\S+) (\S+) (\S+)\)")
_ROUND = 40
_PLAIN = str.maketrans({"×": "x", "–": "-", "−": "-", "’": "'", "“": '"', "”": '"', "…": "..."})
Path = list[XY]


def can_write(text: str) -> bool:
    """Say whether the letters that Pillow brings along can write a text."""
    font = _font(20)
    unknown = bytes(font.getmask("\uffff"))
    return all(letter == " " or bytes(font.getmask(letter)) != unknown for letter in plain(text))


def plain(text: str) -> str:
    """Write a text with the signs that Pillow's letters have.

    Example:
        >>> plain("2 × “left”")
        '2 x "left"'
    """
    return text.translate(_PLAIN)


@lru_cache(maxsize=64)
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=size)


class Painting:
    """A picture in the making, to which elements of canvases are added.

    Args:
        size: width and height of what is shown, in page units.
        corner: its upper left corner.
        scale: pixels per page unit.
        paper: colour of the background.

    Example:
        >>> painting = Painting((4.0, 2.0))
        >>> painting.draw(['<rect x="0" y="0" width="2" height="2" fill="#ff0000"/>'])
        >>> picture = painting.finished()
        >>> picture.size, picture.getpixel((0, 1)), picture.getpixel((3, 1))
        ((4, 2), (255, 0, 0), (255, 255, 255))
    """

    def __init__(
        self, size: XY, *, corner: XY = (0.0, 0.0), scale: float = 1.0, paper: str = "#ffffff"
    ) -> None:
        self.size = max(1, round(size[0] * scale)), max(1, round(size[1] * scale))
        self.picture = Image.new("RGB", (self.size[0] * FINE, self.size[1] * FINE), paper)
        self.corner = corner
        self.scale = scale * FINE

    def copy(self) -> Painting:
        """Return the same to go on with, while this one stays as it is."""
        other = copy(self)
        other.picture = self.picture.copy()
        return other

    def finished(self) -> Image.Image:
        """Return what was drawn so far."""
        return self.picture.resize(self.size, Image.Resampling.BOX)

    def draw(self, elements: Iterable[str]) -> None:
        """Draw elements over what is there."""
        for element in elements:
            node = ElementTree.fromstring(element)
            if node.tag == "text":
                self._text(node.attrib, node.text or "")
            else:
                self._shape(node.attrib, list(_paths(node.tag, node.attrib)))

    def _at(self, point: XY) -> XY:
        return (point[0] - self.corner[0]) * self.scale, (point[1] - self.corner[1]) * self.scale

    def _shape(self, style: Mapping[str, str], paths: Sequence[tuple[Path, bool]]) -> None:
        lines = [([self._at(point) for point in path], closed) for path, closed in paths if path]
        if not lines:
            return
        fill = style.get("fill", "#000000")
        if fill != "none":
            self._fill([line for line, _ in lines], fill, float(style.get("fill-opacity", 1)))
        if style.get("stroke", "none") != "none":
            self._stroke(lines, style)

    def _fill(self, lines: Sequence[Path], colour: str, opacity: float) -> None:
        """Fill polygons; what two of them cover is left open, as holes are."""
        area = self._area([point for line in lines for point in line], 1.0)
        if area is None:
            return
        mask = Image.new("1", (area[2] - area[0], area[3] - area[1]))
        for line in lines:
            if len(line) < 3:
                continue
            part = Image.new("1", mask.size)
            ImageDraw.Draw(part).polygon([(x - area[0], y - area[1]) for x, y in line], fill=1)
            mask = ImageChops.logical_xor(mask, part)
        self._paste(colour, area, mask.convert("L"), opacity)

    def _stroke(self, lines: Sequence[tuple[Path, bool]], style: Mapping[str, str]) -> None:
        width = float(style.get("stroke-width", 1)) * self.scale
        area = self._area([point for line, _ in lines for point in line], width)
        if area is None:
            return
        mask = Image.new("L", (area[2] - area[0], area[3] - area[1]))
        pen = ImageDraw.Draw(mask)
        is_round = "round" in (style.get("stroke-linecap"), style.get("stroke-linejoin"))
        for line, closed in lines:
            moved = [(x - area[0], y - area[1]) for x, y in (*line, *(line[:1] if closed else ()))]
            for piece in _dashed(moved, style.get("stroke-dasharray", ""), self.scale):
                _line(pen, piece, width, is_round=is_round)
        self._paste(style["stroke"], area, mask, float(style.get("stroke-opacity", 1)))

    def _area(self, points: Sequence[XY], rim: float) -> tuple[int, int, int, int] | None:
        """Return the pixels around some points that are on the picture; None if there are none."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        left, top = max(0, math.floor(min(xs) - rim)), max(0, math.floor(min(ys) - rim))
        right = min(self.picture.width, math.ceil(max(xs) + rim) + 1)
        bottom = min(self.picture.height, math.ceil(max(ys) + rim) + 1)
        return (left, top, right, bottom) if left < right and top < bottom else None

    def _paste(self, colour: str, area: tuple[int, int, int, int], mask: Image.Image, opacity: float) -> None:
        if opacity < 1:
            mask = mask.point([round(value * opacity) for value in range(256)])
        self.picture.paste(colour, area, mask)

    def _text(self, style: Mapping[str, str], text: str) -> None:
        size = max(1, round(float(style["font-size"]) * self.scale))
        x, y = self._at((float(style["x"]), float(style["y"]) + float(style.get("dy", 0))))
        halo = round(float(style.get("stroke-width", 0)) * self.scale / 2) if "stroke" in style else 0
        bold = size / 44 if style.get("font-weight") == "bold" else 0.0
        words, font = plain(text), _font(size)
        width = math.ceil(font.getlength(words) + 2 * bold)
        patch = Image.new("L", (width + 2 * halo + 4, 2 * size + 2 * halo))
        line = (halo + 2, size * 1.4 + halo)
        layers = []
        for rim in (halo + bold, bold):
            layer = patch.copy()
            ImageDraw.Draw(layer).text(line, words, 255, font, "ls", stroke_width=rim)
            layers.append(layer)
        shift = {"middle": width / 2, "end": float(width)}.get(style.get("text-anchor", "start"), 0.0)
        turn = float(match[1]) if (match := _ROTATE.match(style.get("transform", ""))) else 0.0
        pivot = self._at((float(match[2]), float(match[3]))) if match else (x, y)
        fills = ((style.get("stroke", "#ffffff"), halo > 0), (style.get("fill", "#000000"), True))
        for layer, (colour, wanted) in zip(layers, fills, strict=True):
            if wanted:
                self._letters(layer, (x - shift - line[0], y - line[1]), turn, pivot, colour)

    def _letters(self, mask: Image.Image, corner: XY, turn: float, pivot: XY, colour: str) -> None:
        """Put letters at a place, turned about a pivot, clockwise."""
        if turn:
            middle = corner[0] + mask.width / 2 - pivot[0], corner[1] + mask.height / 2 - pivot[1]
            cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
            spot = pivot[0] + cos * middle[0] - sin * middle[1], pivot[1] + sin * middle[0] + cos * middle[1]
            mask = mask.rotate(-turn, Image.Resampling.BICUBIC, expand=True)
            corner = spot[0] - mask.width / 2, spot[1] - mask.height / 2
        self.picture.paste(colour, (round(corner[0]), round(corner[1])), mask)


def _paths(tag: str, places: Mapping[str, str]) -> Iterator[tuple[Path, bool]]:
    """Yield the outlines of a shape in page units, and whether each is closed."""
    if tag == "path":
        yield from _commands(places["d"])
    elif tag == "polygon":
        pairs = (corner.split(",") for corner in places["points"].split())
        yield [(float(x), float(y)) for x, y in pairs], True
    elif tag == "rect":
        x, y = float(places.get("x", 0)), float(places.get("y", 0))
        width, height = float(places["width"]), float(places["height"])
        yield [(x, y), (x + width, y), (x + width, y + height), (x, y + height)], True
    else:
        yield _oval(places), True


def _oval(places: Mapping[str, str]) -> Path:
    """Return a circle or an ellipse, which may be turned about its middle, as a polygon."""
    x, y = float(places["cx"]), float(places["cy"])
    across, down = (float(places.get(name, places.get("r", 0))) for name in ("rx", "ry"))
    match = _ROTATE.match(places.get("transform", ""))
    turn = math.radians(float(match[1])) if match else 0.0
    cos, sin = math.cos(turn), math.sin(turn)
    angles = np.arange(_ROUND) * math.tau / _ROUND
    u, v = across * np.cos(angles), down * np.sin(angles)
    return list(zip((x + cos * u - sin * v).tolist(), (y + sin * u + cos * v).tolist(), strict=True))


def _commands(outline: str) -> Iterator[tuple[Path, bool]]:
    line: Path = []
    command, numbers = "", list[float]()
    for letter, digits in _COMMAND.findall(outline):
        if letter:
            command, numbers = letter, []
            if letter in "MZ" and line:
                yield line, letter == "Z"
                line = []
            continue
        numbers.append(float(digits))
        if command in "ML" and len(numbers) == 2:
            line.append((numbers[0], numbers[1]))
            numbers = []
        elif command in "hv":
            x, y = line[-1]
            line.append((x + numbers[0], y) if command == "h" else (x, y + numbers[0]))
    if line:
        yield line, False


def _dashed(line: Path, dashes: str, scale: float) -> Iterator[Path]:
    """Yield the pieces of a line between its gaps."""
    lengths = [float(length) * scale for length in dashes.replace(",", " ").split()]
    if not lengths:
        yield line
        return
    number, left, piece = 0, lengths[0], line[:1]
    for (x0, y0), (x1, y1) in pairwise(line):
        whole, gone = math.hypot(x1 - x0, y1 - y0), 0.0
        while whole - gone > left:
            gone += left
            cut = (x0 + (x1 - x0) * gone / whole, y0 + (y1 - y0) * gone / whole)
            if number % 2 == 0:
                yield [*piece, cut]
            number += 1
            left, piece = lengths[number % len(lengths)], [cut]
        left -= whole - gone
        piece = [*piece, (x1, y1)]
    if number % 2 == 0 and len(piece) > 1:
        yield piece


def _line(pen: ImageDraw.ImageDraw, line: Path, width: float, *, is_round: bool) -> None:
    if len(set(line)) > 1:
        pen.line(line, fill=255, width=max(1, round(width)), joint="curve")
    if is_round and width > 1.5:
        half = width / 2 - 0.5
        for x, y in (line[0], line[-1]):
            pen.ellipse((x - half, y - half, x + half, y + half), fill=255)
