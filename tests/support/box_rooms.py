"""Triangles of simple buildings in Habitat's frame: floors, boxes, rooms with walls."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats

Triangles = tuple[Floats, NDArray[np.int64]]
_SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def floor(low: tuple[float, float], high: tuple[float, float], *, height: float = 0.0) -> Triangles:
    """Return a level rectangle between two corners x, z, facing up."""
    (x, z), (right, front) = low, high
    corners = np.array([(x, z), (x, front), (right, front), (right, z)], np.float64)
    vertices = np.insert(corners, 1, height, axis=1)
    return vertices, np.array([(0, 1, 2), (0, 2, 3)])


def box(low: tuple[float, float, float], high: tuple[float, float, float]) -> Triangles:
    """Return a box between two corners, facing out."""
    ends = np.array([low, high], np.float64)
    vertices = np.array(
        [[ends[i, 0], ends[j, 1], ends[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    )
    faces = [face for a, b, c, d in _SIDES for face in ((a, b, c), (a, c, d))]
    return vertices, np.array(faces)


def room(width: float, depth: float, *, height: float = 2.5, wall: float = 0.2) -> Triangles:
    """Return a room from the origin along x and z: a floor at height 0, four walls around it, no ceiling."""
    return joined(
        floor((0, 0), (width, depth)),
        box((-wall, 0, -wall), (0, height, depth + wall)),
        box((width, 0, -wall), (width + wall, height, depth + wall)),
        box((0, 0, -wall), (width, height, 0)),
        box((0, 0, depth), (width, height, depth + wall)),
    )


def joined(*parts: Triangles) -> Triangles:
    """Return several meshes as one."""
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    faces = [corners + start for (_, corners), start in zip(parts, starts, strict=False)]
    return np.concatenate([vertices for vertices, _ in parts]), np.concatenate(faces)
