"""Gives polygons their heights: points on edges and inside where the flat polygon would leave the ground."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from vlnscope.core.compiled import compiled
from vlnscope.types import Ints
from vlnscope.worlds.continuous.bake.compact import OpenSpace
from vlnscope.worlds.continuous.bake.delaunay import triangulate_hull, triangulate_points
from vlnscope.worlds.continuous.bake.grid import ZERO, Bytes, Grid, Indices, Shorts, Singles, int64
from vlnscope.worlds.continuous.bake.heights import fill_patch, height_at, patch_box
from vlnscope.worlds.continuous.bake.polygons import Polygons
from vlnscope.worlds.continuous.bake.segments import above_triangles, from_polygon, from_segment, thickness
from vlnscope.worlds.continuous.navmesh.tile import CORNERS

_MOST_POINTS, _MOST_TRIANGLES, _MOST_ON_EDGE = 127, 255, 32
_ROOM = 2 * _MOST_POINTS + 10
_SAME = np.float32(1e-6)
_JITTER_X, _JITTER_Z = int64(0x8DA6B343), int64(0xD8163841)
_ON_EDGE = np.float32(0.001) * np.float32(0.001)
_ZERO, _HALF, _ONE, _TENTH = np.float32(0.0), np.float32(0.5), np.float32(1.0), np.float32(0.1)


class Detail(NamedTuple):
    """The detail meshes of all polygons, one after the other.

    Attributes:
        sizes: points and triangles of each polygon, (n, 2).
        points: the points in metres, the corners of the polygon first.
        triangles: their corners, counted within the polygon, and flags of edges that lie on its outline.
    """

    sizes: Indices
    points: Singles
    triangles: Bytes


def detail_meshes(
    space: OpenSpace, region: Indices, polygons: Polygons, grid: Grid, spacing: np.float32,
    error: np.float32, reach: int,
) -> Detail:  # fmt: skip
    """Return the detail meshes of polygons.

    Args:
        space: the ground.
        region: the region of each place.
        polygons: the polygons.
        grid: their grid.
        spacing: distance between height samples in metres; 0 for none.
        error: how far a sample may be from the surface.
        reach: how many cells around a sample its height is looked for.
    """
    return Detail(
        *_all_details(
            space.first, space.column, space.floor, space.links, region, polygons.points, polygons.corners,
            polygons.region, grid.low, grid.cell, grid.level, grid.width, grid.depth, spacing, error, reach,
        )
    )  # fmt: skip


@compiled
def _all_details(
    first: Indices, column: Indices, floor: Shorts, links: Indices, region: Indices, points: Indices,
    corners: Indices, owner: Indices, low: Singles, cell: np.float32, level: np.float32, width: int,
    depth: int, spacing: np.float32, error: np.float32, reach: int,
) -> tuple[Indices, Singles, Bytes]:  # fmt: skip
    sizes = np.empty((corners.shape[0], 2), np.int32)
    out = np.empty((corners.shape[0] * _MOST_POINTS, 3), np.float32)
    out_triangles = np.empty((corners.shape[0] * _MOST_TRIANGLES, 4), np.uint8)
    mesh, triangles = np.empty((_ROOM, 3), np.float32), np.empty((2 * _ROOM, 3), np.int32)
    heights, queue = np.empty(1024, np.int32), np.empty(2048, np.int32)
    n = n_triangles = 0
    for k in range(corners.shape[0]):
        size = _corners(points, corners[k], cell, level, mesh)
        box = patch_box(points, corners[k], size, width, depth)
        if box[2] * box[3] > heights.size:
            heights, queue = np.empty(2 * box[2] * box[3], np.int32), np.empty(4 * box[2] * box[3], np.int32)
        fill_patch(
            first, column, floor, links, region, width, points, corners[k], size, owner[k], box, heights,
            queue,
        )  # fmt: skip
        count, made = _detail(mesh, size, triangles, heights, box, cell, level, spacing, error, reach)
        for i in range(count):
            out[n + i, 0], out[n + i, 2] = mesh[i, 0] + low[0], mesh[i, 2] + low[2]
            out[n + i, 1] = mesh[i, 1] + (low[1] + level)
        for i in range(made):
            _store(out[n : n + count], size, triangles[i], out_triangles[n_triangles + i])
        sizes[k, 0], sizes[k, 1] = count, made
        n += count
        n_triangles += made
    return sizes, out[:n], out_triangles[:n_triangles]


@compiled
def _corners(points: Indices, polygon: Indices, cell: np.float32, level: np.float32, mesh: Singles) -> int:
    """Write the corners of a polygon in metres, and return how many it has."""
    size = 0
    while size < CORNERS and polygon[size] >= 0:
        point = points[polygon[size]]
        mesh[size, 0], mesh[size, 1] = np.float32(point[0]) * cell, np.float32(point[1]) * level
        mesh[size, 2] = np.float32(point[2]) * cell
        size += 1
    return size


@compiled
def _copy(source: Singles, here: int, target: Singles, there: int) -> None:
    for c in range(3):
        target[there, c] = source[here, c]


@compiled
def _store(points: Singles, size: int, triangle: Indices, out: Bytes) -> None:
    """Write a triangle with two bits per edge: 1 if it lies on the outline of the polygon."""
    out[3] = 0
    for k in range(3):
        out[k] = triangle[k]
        a, b = points[triangle[k]], points[triangle[(k + 1) % 3]]
        for i in range(size):
            start, end = points[i], points[(i + 1) % size]
            if from_segment(a, start, end, True) < _ON_EDGE and from_segment(b, start, end, True) < _ON_EDGE:
                out[3] |= 1 << 2 * k
                break


@compiled
def _detail(
    mesh: Singles, size: int, triangles: Indices, heights: Indices, box: Indices, cell: np.float32,
    level: np.float32, spacing: np.float32, error: np.float32, reach: int,
) -> tuple[int, int]:  # fmt: skip
    """Add points to a polygon and triangulate it; return the numbers of points and triangles."""
    per_cell = _ONE / cell
    hull = np.empty(_ROOM, np.int64)
    count, on_hull = size, 0
    for k in range(size):
        hull[on_hull] = (k + size - 1) % size
        on_hull += 1
        if spacing > 0:
            added = _on_edge(
                mesh, hull[on_hull - 1], k, count, heights, box, per_cell, level, spacing, error, reach
            )
            for i in range(added):
                hull[on_hull] = count + i
                on_hull += 1
            count += added
    hull = hull[:on_hull]
    made = triangulate_hull(mesh, hull, size, triangles)
    if spacing > 0 and thickness(mesh, size) >= spacing * np.float32(2.0):
        count, made = _inside(
            mesh, size, count, hull, triangles, made, heights, box, cell, level, spacing, error, reach
        )
    return count, min(made, _MOST_TRIANGLES)


@compiled
def _on_edge(
    mesh: Singles, start: int, end: int, count: int, heights: Indices, box: Indices, per_cell: np.float32,
    level: np.float32, spacing: np.float32, error: np.float32, reach: int,
) -> int:  # fmt: skip
    """Add the points that an edge needs to follow the ground; return how many.

    Both polygons that share an edge sample it in the same direction, so that they find the same points.
    """
    a, b = mesh[start], mesh[end]
    turned = a[2] > b[2] if abs(a[0] - b[0]) < _SAME else a[0] > b[0]
    if turned:
        a, b = b, a
    dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    parts = min(1 + math.floor(np.sqrt(dx * dx + dz * dz) / spacing), _MOST_ON_EDGE - 1)
    if count + parts >= _MOST_POINTS:
        parts = _MOST_POINTS - 1 - count
    samples = np.empty((_MOST_ON_EDGE + 1, 3), np.float32)
    for k in range(parts + 1):
        share = np.float32(k) / np.float32(parts) if parts else _ZERO
        samples[k, 0], samples[k, 1], samples[k, 2] = a[0] + dx * share, a[1] + dy * share, a[2] + dz * share
        height = height_at(heights, box, samples[k, 0], samples[k, 1], samples[k, 2], per_cell, level, reach)
        samples[k, 1] = np.float32(height) * level
    kept, n = _needed(samples, parts, error)
    for k in range(1, n - 1):
        _copy(samples, kept[n - 1 - k] if turned else kept[k], mesh, count + k - 1)
    return n - 2


@compiled
def _needed(samples: Singles, parts: int, error: np.float32) -> tuple[Ints, int]:
    """The samples of an edge, ends included, without which it would leave others by more than `error`."""
    kept = np.empty(_MOST_ON_EDGE + 1, np.int64)
    kept[0], kept[1] = 0, parts
    n, k = 2, 0
    while k < n - 1:
        start, end = kept[k], kept[k + 1]
        most, found = _ZERO, -1
        for i in range(start + 1, end):
            away = from_segment(samples[i], samples[start], samples[end], False)
            if away > most:
                most, found = away, i
        if found < 0 or most <= error * error:
            k += 1
            continue
        for i in range(n, k + 1, -1):
            kept[i] = kept[i - 1]
        kept[k + 1] = found
        n += 1
    return kept, n


@compiled
def _inside(
    mesh: Singles, size: int, count: int, hull: Ints, triangles: Indices, made: int, heights: Indices,
    box: Indices, cell: np.float32, level: np.float32, spacing: np.float32, error: np.float32, reach: int,
) -> tuple[int, int]:  # fmt: skip
    """Add the sample that is farthest from the surface, again and again, until all are near it."""
    samples, left = _samples(mesh, size, heights, box, cell, level, spacing, reach)
    edges = np.empty((10 * _ROOM, 4), np.int64)
    for _ in range(samples.shape[0]):
        if count >= _MOST_POINTS:
            break
        most, found = _ZERO, ZERO - 1
        for k in range(samples.shape[0]):
            if left[k]:
                away = above_triangles(samples[k], mesh, triangles, made)
                if away > most:
                    most, found = away, k
        if found < 0 or most <= error:
            break
        left[found] = 0
        _copy(samples, found, mesh, count)
        count += 1
        made = triangulate_points(mesh, count, hull, edges[: 10 * count], triangles)
    return count, made


@compiled
def _samples(
    mesh: Singles, size: int, heights: Indices, box: Indices, cell: np.float32, level: np.float32,
    spacing: np.float32, reach: int,
) -> tuple[Singles, Bytes]:  # fmt: skip
    """Points on a grid inside a polygon, not too near to its edges, jittered so that none are in line."""
    low, high = mesh[0].copy(), mesh[0].copy()
    for k in range(1, size):
        for axis in range(3):
            low[axis], high[axis] = min(low[axis], mesh[k, axis]), max(high[axis], mesh[k, axis])
    first_x, last_x = math.floor(low[0] / spacing), math.ceil(high[0] / spacing)
    first_z, last_z = math.floor(low[2] / spacing), math.ceil(high[2] / spacing)
    samples = np.empty(((last_x - first_x) * (last_z - first_z), 3), np.float32)
    point = np.empty(3, np.float32)
    n = ZERO
    for z in range(first_z, last_z):
        for x in range(first_x, last_x):
            point[0], point[2] = np.float32(x) * spacing, np.float32(z) * spacing
            point[1] = (high[1] + low[1]) * _HALF
            if from_polygon(point, mesh, size) > -spacing / np.float32(2.0):
                continue
            height = height_at(heights, box, point[0], point[1], point[2], _ONE / cell, level, reach)
            samples[n, 0] = point[0] + _jitter(n, _JITTER_X) * cell * _TENTH
            samples[n, 1] = np.float32(height) * level
            samples[n, 2] = point[2] + _jitter(n, _JITTER_Z) * cell * _TENTH
            n += 1
    return samples[:n], np.ones(n, np.uint8)


@compiled
def _jitter(number: int, factor: int) -> np.float32:
    """A number from -1 to 1 that is always the same for the same sample."""
    share = np.float32((number * factor) & 0xFFFF) / np.float32(65535.0)
    return share * np.float32(2.0) - _ONE
