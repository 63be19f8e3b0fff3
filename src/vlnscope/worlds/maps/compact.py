"""Maps made small: styles are named once, lines of one style that follow each other become one shape."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

_NUMBER = re.compile(r"-?\d+\.\d+")
_ELEMENT = re.compile(r"<(\w+)([^>]*?)/?>([^<]*)")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_PLACES = frozenset(
    ("d", "x", "y", "cx", "cy", "r", "rx", "ry", "points", "transform", "width", "height", "dy")
)


class _Shape(NamedTuple):
    tag: str
    places: dict[str, str]
    style: str
    content: str


def compact(elements: Sequence[str], width: float, height: float) -> str:
    """Return an SVG document of some elements, in few bytes; places are kept to a tenth of a page unit.

    Example:
        >>> lines = ['<path d="M0 0L1.26 1" fill="none"/>', '<path d="M2 2L3 3" fill="none"/>']
        >>> compact(lines, 9.0, 9.0).partition("</style>")[2]
        '<path class="a" d="M0 0L1.3 1M2 2L3 3"/></svg>'
    """
    shapes = list(_joined(_shape(element) for element in elements))
    names = {style: _name(k) for k, style in enumerate(dict.fromkeys(shape.style for shape in shapes))}
    rules = "".join(f".{name}{{{style}}}" for style, name in names.items())
    body = "".join(_written(shape, names[shape.style]) for shape in shapes)
    box = f'viewBox="0 0 {width:.5g} {height:.5g}"'
    face = "text{font-family:Helvetica,Arial,sans-serif}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}><style>{face}{rules}</style>{body}</svg>'


def _shape(element: str) -> _Shape:
    match = _ELEMENT.match(element)
    assert match is not None  # canvases make no other elements
    attributes = {name: _NUMBER.sub(_tenth, value) for name, value in _ATTRIBUTE.findall(match[2])}
    style = ";".join(
        f"{name}:{value}{'px' if name == 'font-size' else ''}"
        for name, value in attributes.items()
        if name not in _PLACES
    )
    places = {name: value for name, value in attributes.items() if name in _PLACES}
    return _Shape(match[1], places, style, match[3])


def _joined(shapes: Iterable[_Shape]) -> Iterator[_Shape]:
    """Join lines without a filling that follow each other in one style; filled ones may lie over others."""
    for (tag, style), group in groupby(shapes, key=lambda shape: (shape.tag, shape.style)):
        if tag == "path" and "fill:none" in style:
            yield _Shape(tag, {"d": "".join(shape.places["d"] for shape in group)}, style, "")
        else:
            yield from group


def _written(shape: _Shape, name: str) -> str:
    places = "".join(f' {key}="{value}"' for key, value in shape.places.items())
    end = f">{shape.content}</{shape.tag}>" if shape.content else "/>"
    return f'<{shape.tag} class="{name}"{places}{end}'


def _name(number: int) -> str:
    letters = chr(ord("a") + number % 26)
    return letters if number < 26 else _name(number // 26 - 1) + letters


def _tenth(match: re.Match[str]) -> str:
    value = float(match[0])
    digits = 2 if abs(value) < 1 else 1
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
