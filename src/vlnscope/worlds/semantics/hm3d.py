"""HM3D's semantics: ``SCAN.semantic.glb``, with colours, and ``SCAN.semantic.txt``, their meaning.

`vlnscope houses export --habitat` writes the same. A colour that the table lacks, as black often is, means
the class ``unknown``. Colours must be those of the table to the last bit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import read_text
from vlnscope.worlds.rendering.appearance import MIDDLE, MeshAppearance, TextureImage, mean_colours
from vlnscope.worlds.rendering.mesh_files import load_mesh
from vlnscope.worlds.semantics.semantics import (
    NOTHING_KNOWN,
    SemanticObject,
    Semantics,
    coded,
    decoded,
    labelled,
)

TITLE = "HM3D Semantic Annotations"
"""The first line of the table."""
_ROW = re.compile(r'(\d{1,9}),([0-9A-Fa-f]{6}),"?([^"]*?)"?,(-?\d{1,9})')
_EXPECTED = f'`{TITLE}`, then lines such as 1,C9D1EA,"ceiling",0: number, colour, class, region'
_COPY = "copy both semantic files of the scene again, from the same release"


class ColouredObject(NamedTuple):
    """A line of the table: an object, and the colour of its surfaces as a whole number, 0xRRGGBB."""

    thing: SemanticObject
    colour: int


def read_hm3d_table(path: Path) -> tuple[ColouredObject, ...]:
    """Read ``SCAN.semantic.txt``.

    Raises:
        InputError: it is no such table, it is empty, or a number or a colour is there twice.
    """
    first, *lines = read_text(path, _EXPECTED).split("\n")
    if TITLE not in first:
        raise _bad(f"{path}: begins with {first[:60]!r}")
    rows: list[ColouredObject] = []
    numbers, colours = set[int](), set[int]()
    for count, line in enumerate(lines, 2):
        if not line.strip():
            continue
        row = _row(f"{path}: line {count}", line)
        if row.thing.number in numbers or row.colour in colours:
            raise _bad(f"{path}: line {count}: its number or its colour is there already ({line[:60]!r})")
        numbers.add(row.thing.number)
        colours.add(row.colour)
        rows.append(row)
    if not rows:
        raise _bad(f"{path}: names no objects")
    return tuple(rows)


def _row(where: str, line: str) -> ColouredObject:
    found = _ROW.fullmatch(line.strip())
    if found is None:
        raise _bad(f"{where}: cannot be read ({line[:60]!r})")
    number, colour, name, region = found.groups()
    return ColouredObject(SemanticObject(int(number), name, name, int(region)), int(colour, 16))


def _bad(what: str) -> InputError:
    return InputError(what, expected=_EXPECTED, fix=_COPY)


def read_hm3d(mesh: Path, table: Path) -> Semantics:
    """Read the semantics of a scene.

    Where vertices are coloured, a face belongs to the object of most of its corners, or of the first one if
    all three differ. Where there are texture images, each texel has its own.

    Args:
        mesh: ``SCAN.semantic.glb``.
        table: ``SCAN.semantic.txt``.

    Raises:
        InputError: a file is damaged, the mesh has no colours, or none of them is in the table.
    """
    rows = read_hm3d_table(table)
    shape = load_mesh(mesh)
    look = shape.appearance
    if look is None:
        raise InputError(
            f"{mesh}: has no colours that tell objects apart",
            expected="colours of vertices, or texture images",
            fix=_COPY,
        )
    corners = _indices(look.tint, rows)
    owner = np.where(corners[:, 1] == corners[:, 2], corners[:, 1], corners[:, 0])
    codes, found = None, bool(owner[look.image < 0].any())
    if look.images:
        codes = _coded(look, owner, rows)
        owner = decoded(mean_colours(codes, MIDDLE))
        found = found or any(image.pixels.any() for image in codes.images)
    if not found:
        raise InputError(
            f"{mesh}: no colour of it is in {table.name}",
            expected="the colours of the table, to the last bit",
            fix=_COPY,
        )
    objects = (NOTHING_KNOWN, *(row.thing for row in rows))
    return labelled(shape.vertices, shape.faces, owner, objects, codes)


def _coded(look: MeshAppearance, owner: NDArray[np.int32], rows: Sequence[ColouredObject]) -> MeshAppearance:
    """Return an appearance with the indices of objects instead of colours."""
    images = tuple(TextureImage(coded(_indices(image.pixels, rows)), image.wrap) for image in look.images)
    white = (look.image >= 0)[:, None, None]
    tint = np.where(white, np.uint8(255), np.repeat(coded(owner)[:, None], 3, axis=1))
    return MeshAppearance(look.image, look.uv, tint, images)


def _indices(rgb: NDArray[np.uint8], rows: Sequence[ColouredObject]) -> NDArray[np.int32]:
    """Return of each colour which line of the table has it, counted from 1; 0 if none has."""
    known = np.array([row.colour for row in rows], dtype=np.int32)
    order = np.argsort(known).astype(np.int32)
    colours = decoded(rgb)
    line = order[np.minimum(np.searchsorted(known, colours, sorter=order), len(known) - 1)]
    return np.where(known[line] == colours, line + 1, 0).astype(np.int32)
