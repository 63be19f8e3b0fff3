"""The polygon nearest to a point, and the height of the ground there."""

from __future__ import annotations

import math

import numpy as np

from vlnscope.core.compiled import compiled, inlined, part
from vlnscope.worlds.continuous.navmesh.grid import cell_of
from vlnscope.worlds.continuous.navmesh.plane import (
    LARGEST,
    ZERO,
    Float32,
    Float32s,
    Int32s,
    height_in_triangle,
    inside,
    on_edge,
    to_edge,
)
from vlnscope.worlds.continuous.navmesh.surface import DetailTriangles, Surface
from vlnscope.worlds.continuous.navmesh.tree import REACH, on_tile, quantised

NAN = np.float32(np.nan)
Nearest = tuple[int, Float32, Float32, Float32]
_ROUNDED = np.float32(0.9999)
_BRIM = np.float32(0.001)
_SURELY = np.float32(9)  # squared: the tree leads to all polygons that are not farther


@compiled
def project_all(surface: Surface, points: Float32s) -> tuple[Int32s, Float32s]:
    """Return the polygon that each point is nearest to, -1 if none, and the nearest point, or NaN."""
    polys = np.empty(len(points), np.int32)
    places = np.empty((len(points), 3), np.float32)
    for k in range(len(points)):
        polys[k], places[k, 0], places[k, 1], places[k, 2] = project(
            surface, points[k, 0], points[k, 1], points[k, 2]
        )
    return polys, places


@part
def project(surface: Surface, x: Float32, y: Float32, z: Float32) -> Nearest:
    """Return the nearest polygon within reach and the nearest point on it; -1 and NaN if there is none.

    Of polygons at equal distance the first one in the order of the tree wins. A point over a polygon has
    no distance to it within the climb, and beyond that the rest of the height.
    """
    cell, most = cell_of(surface.grid, x, z), LARGEST
    if cell >= 0 and math.isfinite(y):
        for k in range(surface.grid.first[cell], surface.grid.first[cell + 1]):
            poly = surface.grid.items[k]
            if _beside(surface.boxes, poly, x, z):
                continue
            far, near_x, near_y, near_z = _to_poly(surface, poly, x, y, z)
            if far == ZERO:
                return poly, near_x, near_y, near_z
            if far < _SURELY:
                most = min(most, far)
    return _project_by_tree(surface, x, y, z, most)


@inlined
def _beside(boxes: Float32s, poly: int, x: Float32, z: Float32) -> bool:
    """Whether a point lies clearly outside of the box around a polygon, seen from above."""
    return bool(
        x < boxes[poly, 0] - _BRIM
        or x > boxes[poly, 3] + _BRIM
        or z < boxes[poly, 2] - _BRIM
        or z > boxes[poly, 5] + _BRIM
    )


@inlined
def _project_by_tree(surface: Surface, x: Float32, y: Float32, z: Float32, most: Float32) -> Nearest:
    """Find the nearest polygon, of which it is known that it is not farther than `most`, squared."""
    tree = surface.tree
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)) or not on_tile(tree, x, z):
        return -1, NAN, NAN, NAN
    nodes = tree.nodes
    if len(nodes) == 0:
        return _project_by_list(surface, x, y, z)
    low_x, high_x = quantised(tree, 0, x)
    low_y, high_y = quantised(tree, 1, y)
    low_z, high_z = quantised(tree, 2, z)
    best, best_x, best_y, best_z, least = -1, NAN, NAN, NAN, LARGEST
    node = 0
    while node < len(nodes):
        item = nodes[node, 6]
        overlap = (
            low_x <= nodes[node, 3] and high_x >= nodes[node, 0]
            and low_z <= nodes[node, 5] and high_z >= nodes[node, 2]
            and low_y <= nodes[node, 4] and high_y >= nodes[node, 1]
        )  # fmt: skip
        if (
            item >= 0
            and overlap
            and _at_least(surface.boxes, item, surface.climb, x, y, z) <= min(least, most)
        ):
            far, near_x, near_y, near_z = _to_poly(surface, item, x, y, z)
            if far < least:
                best, best_x, best_y, best_z, least = item, near_x, near_y, near_z, far
        node += 1 if overlap or item >= 0 else -item
    return best, best_x, best_y, best_z


@inlined
def _at_least(boxes: Float32s, poly: int, climb: Float32, x: Float32, y: Float32, z: Float32) -> Float32:
    """Squared distance that a polygon has at least, rounding aside."""
    away_x = max(boxes[poly, 0] - x, x - boxes[poly, 3], ZERO)
    away_y = max(boxes[poly, 1] - y - climb, y - boxes[poly, 4] - climb, ZERO)
    away_z = max(boxes[poly, 2] - z, z - boxes[poly, 5], ZERO)
    return np.float32((away_x * away_x + away_y * away_y + away_z * away_z) * _ROUNDED)


@inlined
def _project_by_list(surface: Surface, x: Float32, y: Float32, z: Float32) -> Nearest:
    """Find the nearest polygon in a mesh that has no tree."""
    best, best_x, best_y, best_z, least = -1, NAN, NAN, NAN, LARGEST
    for item in range(surface.counts.size):
        if surface.walkable[item] and _within_reach(surface.corners, surface.counts[item], item, x, y, z):
            far, near_x, near_y, near_z = _to_poly(surface, item, x, y, z)
            if far < least:
                best, best_x, best_y, best_z, least = item, near_x, near_y, near_z, far
    return best, best_x, best_y, best_z


@inlined
def _within_reach(corners: Float32s, count: int, poly: int, x: Float32, y: Float32, z: Float32) -> bool:
    """Whether the box around a point overlaps that around a polygon's corners."""
    point = (x, y, z)
    for axis in range(3):
        low, high = corners[poly, 0, axis], corners[poly, 0, axis]
        for corner in range(1, count):
            low, high = min(low, corners[poly, corner, axis]), max(high, corners[poly, corner, axis])
        if point[axis] - REACH[axis] > high or point[axis] + REACH[axis] < low:
            return False
    return True


@inlined
def _to_poly(
    surface: Surface, poly: int, x: Float32, y: Float32, z: Float32
) -> tuple[Float32, Float32, Float32, Float32]:
    """Squared distance to a polygon by Detour's rule, and the nearest point."""
    over, height = height_over(surface.corners, surface.counts, surface.detail, poly, x, z)
    if over:
        rest = abs(y - height) - surface.climb
        return (rest * rest if rest > ZERO else ZERO), x, height, z
    near_x, near_y, near_z = _on_detail(surface.corners, surface.counts, surface.detail, poly, x, z, True)
    away_x, away_y, away_z = x - near_x, y - near_y, z - near_z
    return away_x * away_x + away_y * away_y + away_z * away_z, near_x, near_y, near_z


@inlined
def height_over(
    corners: Float32s, counts: Int32s, detail: DetailTriangles, poly: int, x: Float32, z: Float32
) -> tuple[bool, Float32]:
    """Return whether a point lies over a polygon, and the height of its detail mesh there."""
    if not inside(corners, poly, counts[poly], x, z):
        return False, ZERO
    for triangle in range(detail.first[poly], detail.first[poly + 1]):
        found, height = height_in_triangle(detail.triangles, triangle, x, z)
        if found:
            return True, height
    _, height, _ = _on_detail(corners, counts, detail, poly, x, z, False)
    return True, height


@inlined
def _on_detail(
    corners: Float32s, counts: Int32s, detail: DetailTriangles, poly: int, x: Float32, z: Float32, outer: bool
) -> tuple[Float32, Float32, Float32]:
    """Nearest point on the edges of the detail triangles, or on those at the polygon's boundary only.

    Where no triangle has such an edge, which Recast never makes, the polygon's own edges count.
    """
    least, best, best_from, best_to, best_t = LARGEST, -1, 0, 0, ZERO
    for triangle in range(detail.first[poly], detail.first[poly + 1]):
        start = 2
        for end in range(3):
            boundary = (detail.flags[triangle] >> (2 * start)) & 1 == 1
            if boundary or not (outer or detail.numbers[triangle, start] < detail.numbers[triangle, end]):
                far, t = to_edge(detail.triangles, triangle, start, end, x, z)
                if far < least:
                    least, best, best_from, best_to, best_t = far, triangle, start, end, t
            start = end
    if best < 0:
        return on_boundary(corners, poly, counts[poly], x, z)
    return on_edge(detail.triangles, best, best_from, best_to, best_t)


@inlined
def on_boundary(
    corners: Float32s, poly: int, count: int, x: Float32, z: Float32
) -> tuple[Float32, Float32, Float32]:
    """Return the point of a polygon's own edges that is nearest on the plane."""
    best, best_to, best_t, least = 0, 0, ZERO, LARGEST
    for start in range(count):
        end = start + 1 if start + 1 < count else 0
        far, t = to_edge(corners, poly, start, end, x, z)
        if far < least:
            best, best_to, best_t, least = start, end, t, far
    return on_edge(corners, poly, best, best_to, best_t)
