"""The grid of voxels that a mesh is baked on, and the settings counted in voxels.

Habitat computes in single precision, which decides how many voxels a height or a radius takes: so does this.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.continuous.navmesh.settings import NavMeshSettings

Singles = NDArray[np.float32]
Indices = NDArray[np.int32]
Shorts = NDArray[np.int16]
Bytes = NDArray[np.uint8]


def int64(value: int) -> int:
    """Return a constant for compiled code: a plain literal would make numba compile its users once more."""
    return cast(int, np.int64(value))


ZERO = int64(0)
"""Where compiled code starts to count."""
WALKABLE = 63
"""The area of ground that can be walked on; 0 is the area of what cannot."""
MOST_CELLS = 1 << 25
"""Cells of the largest grid: a square of 290 m at 5 cm."""
MOST_LEVELS = (1 << 13) - 1
"""Voxels above each other, at most."""
_MOST_SIDE = (1 << 16) - 2
_LEAST_SAMPLING = np.float32(0.9)


@dataclass(frozen=True, eq=False)
class Grid:
    """A grid over the box around a mesh; lengths along the floor are in cells, heights in voxels.

    Attributes:
        low: the corner of the box with the smallest coordinates.
        high: the opposite corner.
        cell: side of a cell in metres.
        level: height of a voxel in metres.
        width: cells along x.
        depth: cells along z.
        headroom: voxels that an agent needs above its feet.
        climb: voxels of the highest step.
        radius: cells that walls are widened by.
        least_region: cells of the smallest patch that is kept.
        merged_region: regions with more cells than this stay on their own.
        edge: cells of the longest edge along a wall.
    """

    low: Singles
    high: Singles
    cell: np.float32
    level: np.float32
    width: int
    depth: int
    headroom: int
    climb: int
    radius: int
    least_region: int
    merged_region: int
    edge: int


def lay_grid(vertices: Singles, settings: NavMeshSettings) -> Grid:
    """Return the grid on which a mesh with these vertices is baked.

    Raises:
        InputError: a setting makes no sense, or the grid would be too large.
    """
    check_settings(settings)
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    cell, level = np.float32(settings.cell_size), np.float32(settings.cell_height)
    sides = [float((high[axis] - low[axis]) / cell + np.float32(0.5)) for axis in (0, 2)]
    levels = float((high[1] - low[1]) / level)
    if max(sides) > _MOST_SIDE or math.prod(sides) > MOST_CELLS or levels > MOST_LEVELS:
        raise InputError(
            f"the mesh takes {sides[0]:.0f} x {sides[1]:.0f} cells and {levels:.0f} levels of height",
            expected=f"at most {MOST_CELLS} cells and {MOST_LEVELS} levels",
            fix="give the mesh in metres, cut away what lies far off, or take a larger cell_size",
        )
    return Grid(
        low, high, cell, level, int(sides[0]), int(sides[1]),
        headroom=math.ceil(np.float32(settings.agent_height) / level),
        climb=math.floor(np.float32(settings.agent_max_climb) / level),
        radius=math.ceil(np.float32(settings.agent_radius) / cell),
        least_region=int(np.float32(settings.region_min_size) ** 2),
        merged_region=int(np.float32(settings.region_merge_size) ** 2),
        edge=int(np.float32(settings.edge_max_len) / cell),
    )  # fmt: skip


def check_settings(settings: NavMeshSettings) -> None:
    """Refuse settings that no mesh can be baked with.

    Raises:
        InputError: a number is not finite, or not in its range.
    """
    ranges = {
        "cell_size": (1e-4, 1e3), "cell_height": (1e-4, 1e3), "agent_height": (0.0, 1e3),
        "agent_radius": (0.0, 1e2),
        "agent_max_climb": (0.0, 1e3), "agent_max_slope": (0.0, 90.0), "region_min_size": (0.0, 1e4),
        "region_merge_size": (0.0, 1e4), "edge_max_len": (0.0, 1e5), "edge_max_error": (0.0, 1e3),
        "verts_per_poly": (3.0, 6.0), "detail_sample_dist": (0.0, 1e4), "detail_sample_max_error": (0.0, 1e4),
    }  # fmt: skip
    for name, (least, most) in ranges.items():
        value = getattr(settings, name)
        if not least <= value <= most:
            raise InputError(
                f"navigation mesh: {name} is {value}",
                expected=f"a number from {least:g} to {most:g}",
                fix="correct the settings",
            )


def sampling(settings: NavMeshSettings) -> tuple[np.float32, np.float32]:
    """Return the spacing of height samples (0: none are taken) and their error allowed, in metres."""
    spacing, error = np.float32(settings.detail_sample_dist), np.float32(settings.detail_sample_max_error)
    if spacing < _LEAST_SAMPLING:
        spacing = np.float32(0.0)
    return np.float32(settings.cell_size) * spacing, np.float32(settings.cell_height) * error


def check_mesh(vertices: ArrayLike, faces: ArrayLike) -> tuple[Singles, Indices]:
    """Return a mesh as arrays of single precision and of 32-bit indices.

    Raises:
        InputError: the arrays have other shapes, no triangle, coordinates that are not finite, or corners
            that do not exist.
    """
    points, corners = np.asarray(vertices), np.asarray(faces)
    if points.ndim != 2 or points.shape[1] != 3 or corners.ndim != 2 or corners.shape[1] != 3:
        raise _bad(f"vertices have the shape {points.shape} and faces {corners.shape}", "(n, 3) and (m, 3)")
    if points.dtype.kind not in "fiu" or corners.dtype.kind not in "iu":
        raise _bad(f"vertices are {points.dtype} and faces {corners.dtype}", "numbers and whole numbers")
    if not len(points) or not len(corners):
        raise _bad(f"there are {len(points)} vertices and {len(corners)} faces", "at least one triangle")
    if not np.isfinite(points).all() or np.abs(points).max() > 1e6:
        raise _bad("there are vertices that are not finite, or far away", "coordinates in metres")
    if corners.min() < 0 or corners.max() >= len(points):
        wrong = corners.max() if corners.max() >= len(points) else corners.min()
        raise _bad(f"a face has the corner {wrong}", f"numbers of vertices, 0 to {len(points) - 1}")
    return np.ascontiguousarray(points, np.float32), np.ascontiguousarray(corners, np.int32)


def _bad(what: str, expected: str) -> InputError:
    return InputError(f"mesh to bake: {what}", expected=expected, fix="check how the mesh was read or made")
