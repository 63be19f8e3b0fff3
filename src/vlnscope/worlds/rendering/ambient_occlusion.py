"""How much surface lies near each point of a mesh: the shade that gathers in corners and under tables.

A coarse grid holds the surface area in each cell, blurred. Read a little way in front of a face it says how
hemmed in the face is there, the same from wherever it is seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numba
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import uniform_filter

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats

REACH = 2.3
"""How far in front of a face the grid is read, in cells."""
_CELL = 0.12
_MOST_CELLS = 6_000_000
_MARGIN = 4
_WIDE = 20.0
_MOST_ROWS = 4096.0


@dataclass(frozen=True, eq=False)
class AmbientOcclusion:
    """Blurred surface area on a grid; about 0 in the open, 0.3 on a wall's plane.

    Attributes:
        low: corner of the grid.
        cell: width of a cell in metres.
        grid: values at the cells' corners, x first.
    """

    low: Floats
    cell: float
    grid: NDArray[np.float32]


def ambient_occlusion(vertices: Floats, faces: NDArray[np.int32]) -> AmbientOcclusion:
    """Measure a mesh; the grid leaves out wide ground, and its cells grow so that there are not too many."""
    if not len(faces):
        return AmbientOcclusion(np.zeros(3), _CELL, np.zeros((2, 2, 2), dtype=np.float32))
    low, high = _bounds(vertices[faces])
    cell = _CELL
    while np.prod(np.ceil((high - low) / cell) + 2 * _MARGIN) > _MOST_CELLS:
        cell *= 1.25
    low = low - _MARGIN * cell
    shape = tuple(int(n) + _MARGIN + 2 for n in np.ceil((high - low) / cell))
    grid = np.zeros(shape, dtype=np.float32)
    _spread(np.ascontiguousarray(vertices), np.ascontiguousarray(faces), low, cell, grid)
    for _ in range(2):
        grid = uniform_filter(grid, size=3, mode="constant")
    return AmbientOcclusion(low, cell, np.ascontiguousarray(grid))


def _bounds(corners: Floats) -> tuple[Floats, Floats]:
    """Return the box around all faces but the very wide ones (all of them if there are no others)."""
    width = np.ptp(corners, axis=1).max(axis=1)
    modest = corners[width < _WIDE] if (width < _WIDE).any() else corners
    return modest.min(axis=(0, 1)), modest.max(axis=(0, 1))


@compiled
def _spread(
    vertices: Floats, faces: NDArray[np.int32], low: Floats, cell: float, grid: NDArray[np.float32]
) -> None:
    for face in range(len(faces)):
        a, b, c = vertices[faces[face, 0]], vertices[faces[face, 1]], vertices[faces[face, 2]]
        ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
        cx, cy, cz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        area = 0.5 * math.sqrt(cx * cx + cy * cy + cz * cz) / (cell * cell)
        side = math.sqrt(3.0 * area)
        if not side <= _MOST_ROWS:  # ground as wide as a town shades nothing, and would take for ever
            continue
        rows = max(1, math.ceil(side))
        share = area / (rows * rows)
        for i in range(rows):  # the centres of the rows² small triangles that make up the large one
            for j in range(2 * (rows - i) - 1):
                s = (i + (1.0 if j % 2 == 0 else 2.0) / 3.0) / rows
                t = (j // 2 + (1.0 if j % 2 == 0 else 2.0) / 3.0) / rows
                _splat(
                    (a[0] + s * ux + t * vx - low[0]) / cell,
                    (a[1] + s * uy + t * vy - low[1]) / cell,
                    (a[2] + s * uz + t * vz - low[2]) / cell,
                    share,
                    grid,
                )


@compiled
def _splat(x: float, y: float, z: float, share: float, grid: NDArray[np.float32]) -> None:
    i, j, k = math.floor(x), math.floor(y), math.floor(z)
    if not (0 <= i < grid.shape[0] - 1 and 0 <= j < grid.shape[1] - 1 and 0 <= k < grid.shape[2] - 1):
        return
    fx, fy, fz = x - i, y - j, z - k
    for di in range(2):
        wx = share * (fx if di else 1.0 - fx)
        for dj in range(2):
            wy = wx * (fy if dj else 1.0 - fy)
            grid[i + di, j + dj, k] += np.float32(wy * (1.0 - fz))
            grid[i + di, j + dj, k + 1] += np.float32(wy * fz)


def _read(
    flat: NDArray[np.float32], shape: tuple[int, int, int], low: Floats, inverse: float, at: tuple[float, ...]
) -> float:
    """Return the interpolated value at a point, 0 outside the grid.

    Args:
        flat: the grid's values in one row.
        shape: of the grid.
        low: its corner.
        inverse: 1 / cell.
        at: x, y, z.
    """
    x, y, z = (at[0] - low[0]) * inverse, (at[1] - low[1]) * inverse, (at[2] - low[2]) * inverse
    i, j, k = int(x), int(y), int(z)
    value = 0.0
    if min(x, y, z) >= 0.0 and i + 1 < shape[0] and j + 1 < shape[1] and k + 1 < shape[2]:
        fx, fy, fz = np.float32(x - i), np.float32(y - j), np.float32(z - k)
        p = np.uint64((i * shape[1] + j) * shape[2] + k)
        q, one = p + np.uint64(shape[1] * shape[2]), np.uint64(1)
        p1, q1 = p + np.uint64(shape[2]), q + np.uint64(shape[2])
        a = flat[p] + (flat[p + one] - flat[p]) * fz
        b = flat[p1] + (flat[p1 + one] - flat[p1]) * fz
        c = flat[q] + (flat[q + one] - flat[q]) * fz
        d = flat[q1] + (flat[q1 + one] - flat[q1]) * fz
        near, far = a + (b - a) * fy, c + (d - c) * fy
        value = float(near + (far - near) * fx)
    return value


read_occlusion: Callable[..., float] = numba.njit(inline="always", nogil=True)(_read)
