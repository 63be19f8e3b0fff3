"""Reads binary PLY files with everything that they say about each face, which mesh readers leave out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import read_bytes
from vlnscope.core.limits import STREAM_MB
from vlnscope.types import Floats

_LONG = {"int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4"}
_SHORT = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4"}
_KINDS = {**_LONG, **_SHORT, "float": "f4", "double": "f8", "float32": "f4", "float64": "f8"}
_ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">"}
_CORNERS = ("vertex_indices", "vertex_index")
_COUNT = "number of corners"
_HEADER_BYTES = 1 << 16


class PlyMesh(NamedTuple):
    """Triangles of a PLY file.

    Attributes:
        points: x, y, z per vertex, in the axes of the file.
        faces: three vertex numbers per triangle.
        labels: what else the file says of each face in whole numbers, by the names of its properties.
    """

    points: Floats
    faces: NDArray[np.int32]
    labels: dict[str, NDArray[np.int64]]


class _Element(NamedTuple):
    name: str
    size: int
    kind: np.dtype[Any]


def read_ply(path: str | Path) -> PlyMesh:
    """Read the triangles of a binary PLY file, perhaps gzipped, and what it says of each.

    Raises:
        InputError: the file is text, cut off or damaged, or has faces with other than three corners.
    """
    raw = read_bytes(path, STREAM_MB)
    try:
        elements, start = _header(raw)
        tables = _tables(raw, elements, start)
        return _mesh(tables["vertex"], tables["face"])
    except (KeyError, IndexError, ValueError, OverflowError) as error:
        raise InputError(
            f"{path}: cannot be read as PLY ({error})",
            expected="a complete binary PLY file of triangles, with the elements vertex and face",
            fix="copy the file again, or export it as binary PLY",
        ) from None


def _header(raw: bytes) -> tuple[list[_Element], int]:
    text, end, _ = raw[:_HEADER_BYTES].partition(b"end_header")
    if not raw.startswith(b"ply") or not end:
        raise ValueError("it has no header")
    order, parts = "", []
    for line in text.decode("ascii", "replace").splitlines():
        match line.split():
            case ["format", kind, _]:
                if kind not in _ORDERS:
                    raise ValueError(f"its format is {kind[:40]}")
                order = _ORDERS[kind]
            case ["element", name, count]:
                parts.append((name, _size(count), list[tuple[Any, ...]]()))
            case ["property", *words] if order and parts:
                parts[-1][2].extend(_fields(words, order))
    start = raw.index(b"\n", len(text)) + 1
    return [_Element(name, count, np.dtype(fields)) for name, count, fields in parts], start


def _size(digits: str) -> int:
    if not (digits.isascii() and digits.isdigit() and int(digits) < 1 << 31):
        raise ValueError(f"an element has the size {digits[:40]}")
    return int(digits)


def _fields(words: list[str], order: str) -> Iterator[tuple[Any, ...]]:
    """Yield the fields of a property; a list is taken to have three numbers, which `_tables` checks."""
    match words:
        case ["list", count, kind, name]:
            yield f"{_COUNT} of {name}", order + _KINDS[count]
            yield name, order + _KINDS[kind], (3,)
        case [kind, name]:
            yield name, order + _KINDS[kind]
        case _:
            raise ValueError(f"it has the property {' '.join(words)[:60]}")


def _tables(raw: bytes, elements: list[_Element], start: int) -> dict[str, NDArray[Any]]:
    tables = {}
    for name, count, kind in elements:
        if start + count * kind.itemsize > len(raw):
            raise ValueError(f"it ends before the last {name}, or a face has not three corners")
        rows = np.frombuffer(raw, kind, count, start)
        for field in kind.names or ():
            if field.startswith(_COUNT) and (rows[field] != 3).any():
                raise ValueError(f"a {name} has not three corners")
        tables[name] = rows
        start += count * kind.itemsize
    return tables


def _mesh(vertex: NDArray[Any], face: NDArray[Any]) -> PlyMesh:
    points = np.stack([vertex[axis].astype(np.float64) for axis in "xyz"], axis=-1)
    names = face.dtype.names or ()
    corners = face[_CORNERS[0] if _CORNERS[0] in names else _CORNERS[1]].astype(np.int64)
    if len(corners) and not 0 <= corners.min() <= corners.max() < len(points):
        raise ValueError(f"it has {len(points)} vertices, and a face with another one")
    if not np.isfinite(points[corners]).all():
        raise ValueError("a vertex is not finite")
    labels = {
        name: face[name].astype(np.int64)
        for name in names
        if face[name].dtype.kind in "iu" and face[name].ndim == 1 and not name.startswith(_COUNT)
    }
    return PlyMesh(points, corners.astype(np.int32), labels)
