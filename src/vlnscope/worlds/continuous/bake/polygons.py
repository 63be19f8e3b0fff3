"""Makes convex polygons of outlines: triangles, joined where the longest edges can be left out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vlnscope.core.compiled import compiled
from vlnscope.core.exceptions import InputError
from vlnscope.types import Ints
from vlnscope.worlds.continuous.bake.grid import ZERO, Indices
from vlnscope.worlds.continuous.bake.triangulation import triangulate
from vlnscope.worlds.continuous.bake.turns import turn
from vlnscope.worlds.continuous.navmesh.tile import CORNERS

MOST_CORNERS = (1 << 16) - 3
"""Corners of polygons that a tile can number."""
_SAME_LEVEL = 2
_BUCKETS = 1 << 12


class Polygons(NamedTuple):
    """Convex polygons that cover all regions.

    Attributes:
        points: their corners in voxels, rows x, height, z.
        corners: numbers of the corners of each polygon, -1 after the last; (n, 6).
        neighbours: the polygon beyond the edge that starts at each corner, -1 where there is none.
        region: the region of each polygon.
    """

    points: Indices
    corners: Indices
    neighbours: Indices
    region: Indices


def polygons(outlines: list[Indices], owner: Indices, most_corners: int) -> Polygons:
    """Return the polygons of all outlines, with `most_corners` corners at most.

    Raises:
        InputError: there are more corners than a tile can number.
    """
    sizes = np.array([0, *map(len, outlines)])
    if sizes.sum() > MOST_CORNERS:
        raise InputError(
            f"the outlines of walkable ground have {sizes.sum()} corners",
            expected=f"at most {MOST_CORNERS}",
            fix="take a larger cell_size or edge_max_error, or bake a part of the mesh",
        )
    points = np.concatenate(outlines) if outlines else np.empty((0, 4), np.int32)
    return Polygons(*_cover(points, np.cumsum(sizes), owner, most_corners))


@compiled
def _cover(
    outlines: Indices, ends: Indices, owner: Indices, most: int
) -> tuple[Indices, Indices, Indices, Indices]:
    points = np.empty((outlines.shape[0], 3), np.int32)
    head, chain = np.full(_BUCKETS, -1, np.int32), np.empty(outlines.shape[0], np.int32)
    corners = np.full((outlines.shape[0], CORNERS), -1, np.int32)
    region = np.empty(outlines.shape[0], np.int32)
    n = n_points = ZERO
    for k in range(owner.size):
        outline = outlines[ends[k] : ends[k + 1]]
        triangles = np.empty((outline.shape[0], 3), np.int32)
        count = triangulate(outline, triangles)
        names = np.empty(outline.shape[0], np.int32)
        for i in range(outline.shape[0]):
            names[i], n_points = _name(outline[i], points, n_points, head, chain)
        made = _join(points, names, triangles[:count], corners[n:], most)
        for i in range(n, n + made):
            region[i] = owner[k]
        n += made
    return points[:n_points], corners[:n], _neighbours(corners[:n], n_points), region[:n]


@compiled
def _name(point: Indices, points: Indices, count: int, head: Indices, chain: Indices) -> tuple[int, int]:
    """The number of a point among all, where points that differ little in height are one."""
    bucket = (point[0] * 73856093 ^ point[2] * 19349663) & (_BUCKETS - 1)
    k = head[bucket]
    while k >= 0:
        same = points[k, 0] == point[0] and points[k, 2] == point[2]
        if same and abs(points[k, 1] - point[1]) <= _SAME_LEVEL:
            return k, count
        k = chain[k]
    points[count, 0], points[count, 1], points[count, 2] = point[0], point[1], point[2]
    chain[count] = head[bucket]
    head[bucket] = count
    return count, count + 1


@compiled
def _join(points: Indices, names: Indices, triangles: Indices, out: Indices, most: int) -> int:
    """Write the triangles as polygons, then leave out one shared edge after the other, the longest first."""
    count = 0
    for k in range(triangles.shape[0]):
        a, b, c = names[triangles[k, 0]], names[triangles[k, 1]], names[triangles[k, 2]]
        if a != b and b != c and c != a:
            out[count, 0], out[count, 1], out[count, 2] = a, b, c
            count += 1
    if most == 3:
        return count
    gains, partners = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for i in range(count):
        _find_partner(points, out, count, i, most, gains, partners)
    while True:
        one = ZERO
        for i in range(count):
            if gains[i] > gains[one]:
                one = ZERO + i
        if count == 0 or gains[one] == 0:
            return count
        two = partners[one]
        _, edge, other_edge = _gain(points, out[one], out[two], most)
        _merge(out[one], out[two], edge, other_edge)
        count -= 1
        for c in range(CORNERS):
            out[two, c], out[count, c] = out[count, c], -1
        _update_partners(points, out, count, one, two, most, gains, partners)


@compiled
def _find_partner(
    points: Indices, out: Indices, count: int, i: int, most: int, gains: Ints, partners: Ints
) -> None:
    """Find the polygon after this one that shares the longest edge with it that can be left out."""
    gains[i], partners[i] = 0, -1
    for j in range(i + 1, count):
        gain, _, _ = _gain(points, out[i], out[j], most)
        if gain > gains[i]:
            gains[i], partners[i] = gain, j


@compiled
def _update_partners(
    points: Indices, out: Indices, count: int, one: int, two: int, most: int, gains: Ints, partners: Ints
) -> None:
    """Find partners again where two polygons became one and the last polygon took the place of the second."""
    for i in range(count):
        partner = partners[i]
        if i in (one, two) or partner in (one, two, count):
            _find_partner(points, out, count, i, most, gains, partners)
            continue
        for j in (one, two):
            if i < j < count:
                gain, _, _ = _gain(points, out[i], out[j], most)
                if gain > gains[i] or (gain == gains[i] and gain and j < partners[i]):
                    gains[i], partners[i] = gain, j


@compiled
def _size(polygon: Indices) -> int:
    size = 3
    while size < CORNERS and polygon[size] >= 0:
        size += 1
    return size


@compiled
def _gain(points: Indices, one: Indices, two: Indices, most: int) -> tuple[int, int, int]:
    """The squared length of the edge that two polygons share, and its place in both.

    0 if they share none, or would have too many corners or not be convex without it.
    """
    n, m = _size(one), _size(two)
    edge = other_edge = -1
    if n + m - 2 > most:
        return 0, edge, other_edge
    for i in range(n):
        a, b = one[i], one[(i + 1) % n]
        for j in range(m):
            c, d = two[j], two[(j + 1) % m]
            if (a == d and b == c) or (a == c and b == d):
                edge, other_edge = i, j
                break
    if edge < 0:
        return 0, edge, other_edge
    start, end = points[one[edge]], points[one[(edge + 1) % n]]
    if turn(points[one[(edge + n - 1) % n]], start, points[two[(other_edge + 2) % m]]) >= 0:
        return 0, edge, other_edge
    before = points[two[(other_edge + m - 1) % m]]
    if turn(before, points[two[other_edge]], points[one[(edge + 2) % n]]) >= 0:
        return 0, edge, other_edge
    dx, dz = start[0] - end[0], start[2] - end[2]
    return dx * dx + dz * dz, edge, other_edge


@compiled
def _merge(one: Indices, two: Indices, edge: int, other_edge: int) -> None:
    """Let the first polygon take in the second."""
    n, m = _size(one), _size(two)
    merged = np.empty(CORNERS, np.int32)
    for k in range(n - 1):
        merged[k] = one[(edge + 1 + k) % n]
    for k in range(m - 1):
        merged[n - 1 + k] = two[(other_edge + 1 + k) % m]
    for k in range(n + m - 2):
        one[k] = merged[k]


@compiled
def _neighbours(corners: Indices, n_points: int) -> Indices:
    """Find the polygons beyond all edges: an edge is shared by one that runs up and one that runs down."""
    neighbours = np.full(corners.shape, -1, np.int32)
    head = np.full(n_points, -1, np.int32)
    edges = np.empty(
        (corners.size, 4), np.int32
    )  # the higher corner, polygon, edge, and the next in the list
    n = 0
    for polygon in range(corners.shape[0]):
        size = _size(corners[polygon])
        for k in range(size):
            a, b = corners[polygon, k], corners[polygon, (k + 1) % size]
            if a < b:
                edges[n, 0], edges[n, 1], edges[n, 2], edges[n, 3] = b, polygon, k, head[a]
                head[a] = n
                n += 1
    for polygon in range(corners.shape[0]):
        size = _size(corners[polygon])
        for k in range(size):
            a, b = corners[polygon, k], corners[polygon, (k + 1) % size]
            found = head[b] if b < a else -1
            while found >= 0:
                other, edge = edges[found, 1], edges[found, 2]
                if edges[found, 0] == a and neighbours[other, edge] < 0:
                    neighbours[polygon, k], neighbours[other, edge] = other, polygon
                    break
                found = edges[found, 3]
    return neighbours
