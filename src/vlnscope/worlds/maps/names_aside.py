"""Names on the map under a walk: cut by its edge they are left out, under a line they step aside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np

from vlnscope.worlds.maps.canvas import XY, Box, TakenPlaces, number, text_box, text_width

_LINE = 9.0
_EVERY = 6.0
_BOLD = 1.15
_FAR = 0.6
_ACROSS = (0.0, -16.0, 16.0, -32.0, 32.0, -52.0, 52.0)
_DOWN = (0.0, -12.0, 12.0, -22.0, 22.0, -34.0, 34.0)


def is_text(element: str) -> bool:
    """Say whether an element of a canvas is a text."""
    return element.startswith("<text")


def readable(elements: Iterable[str], window: Box, lines: Sequence[Sequence[XY]]) -> list[str]:
    """Return the elements of a map with names that can be read when lines are drawn over it.

    Args:
        elements: of the map, in the order in which they are drawn.
        window: the part of the map that is shown; names across its edge are left out.
        lines: what is drawn over the map; names of rooms move to where it covers least of them.
    """
    taken = TakenPlaces()
    for line in lines:
        for x, y in _dense(line):
            taken.take(text_box((x, y), _LINE, _LINE))
    return [kept for one in elements if (kept := _kept(one, window, taken)) is not None]


def _kept(element: str, window: Box, taken: TakenPlaces) -> str | None:
    if not is_text(element):
        return element
    node = ElementTree.fromstring(element)
    width, height = _extent(node)
    place = float(node.attrib["x"]), float(node.attrib["y"]) - 0.35 * float(node.attrib["font-size"])
    if _outside(text_box(place, width, height), window):
        return element
    if node.get("font-weight") == "bold" and "transform" not in node.attrib:
        place, before = _aside(place, width, height, taken), place
        node.set("x", number(place[0]))
        node.set("y", number(float(node.attrib["y"]) + place[1] - before[1]))
    box = text_box(place, width, height)
    if not _inside(box, window):
        return None
    taken.take(box)
    return ElementTree.tostring(node, encoding="unicode")


def _aside(place: XY, width: float, height: float, taken: TakenPlaces) -> XY:
    """Return where near a place a text is covered least."""
    across, down = (grid.ravel() for grid in np.meshgrid(_ACROSS, _DOWN))
    covered = taken.overlaps(place[0] + across, place[1] + down, width, height)
    cost = covered + _FAR * np.hypot(across, down)
    best = int(np.argmin(cost.round(6)))
    return float(place[0] + across[best]), float(place[1] + down[best])


def _extent(node: ElementTree.Element) -> XY:
    """Return how wide and how high a text is, which may stand upright."""
    size = float(node.attrib["font-size"])
    long = text_width(node.text or "", size) * (_BOLD if node.get("font-weight") == "bold" else 1.0)
    upright = node.get("transform", "").startswith(("rotate(90", "rotate(-90", "rotate(270"))
    return (size, long) if upright else (long, size)


def _inside(box: Box, window: Box) -> bool:
    return box[0] > window[0] and box[1] > window[1] and box[2] < window[2] and box[3] < window[3]


def _outside(box: Box, window: Box) -> bool:
    return box[2] < window[0] or box[3] < window[1] or box[0] > window[2] or box[1] > window[3]


def _dense(line: Sequence[XY]) -> Iterable[XY]:
    """Yield points along a line, a few page units apart."""
    for (x0, y0), (x1, y1) in pairwise(line):
        count = max(1, int(np.hypot(x1 - x0, y1 - y0) / _EVERY))
        yield from ((x0 + (x1 - x0) * k / count, y0 + (y1 - y0) * k / count) for k in range(count))
    yield from line[-1:]
