"""Triangulates the points of a polygon: its hull alone, or by Delaunay's rule if points lie inside."""

from __future__ import annotations

import numpy as np

from vlnscope.core.compiled import compiled
from vlnscope.types import Ints
from vlnscope.worlds.continuous.bake.grid import ZERO, Indices, Singles, int64
from vlnscope.worlds.continuous.bake.segments import FAR

_UNSET, _OUTSIDE = int64(-1), int64(-2)
_START, _END, _LEFT, _RIGHT = 0, 1, 2, 3
_ZERO, _ONE = np.float32(0.0), np.float32(1.0)
_ON_LINE, _NO_CIRCLE = np.float32(1e-5), np.float32(1e-6)
_SLACK = np.float32(0.001)


@compiled
def triangulate_hull(points: Singles, hull: Ints, corners: int, triangles: Indices) -> int:
    """Triangulate a convex hull from the ear with the shortest perimeter on; return the number of triangles.

    Args:
        points: the points.
        hull: numbers of the points of the hull, in order.
        corners: points with smaller numbers are corners of the polygon; the others lie on its edges.
        triangles: written.
    """
    size = hull.size
    start, left, right = 0, 1, size - 1
    least = FAR
    for k in range(size):
        before, after = (k + size - 1) % size, (k + 1) % size
        if hull[k] < corners:
            a, b, c = points[hull[before]], points[hull[k]], points[hull[after]]
            perimeter = _away(a, b) + _away(b, c) + _away(c, a)
            if perimeter < least:
                start, left, right, least = k, after, before, perimeter
    triangles[0, 0], triangles[0, 1], triangles[0, 2] = hull[start], hull[left], hull[right]
    count = 1
    while (left + 1) % size != right:
        on_left, on_right = (left + 1) % size, (right + size - 1) % size
        a, b = points[hull[left]], points[hull[right]]
        ahead, back = points[hull[on_left]], points[hull[on_right]]
        shorter_left = _away(a, ahead) + _away(ahead, b) < _away(b, back) + _away(a, back)
        middle = on_left if shorter_left else on_right
        triangles[count, 0], triangles[count, 1], triangles[count, 2] = hull[left], hull[middle], hull[right]
        count += 1
        if shorter_left:
            left = on_left
        else:
            right = on_right
    return count


@compiled
def _away(a: Singles, b: Singles) -> np.float32:
    dx, dz = b[0] - a[0], b[2] - a[2]
    return np.float32(np.sqrt(dx * dx + dz * dz))


@compiled
def _cross(a: Singles, b: Singles, c: Singles) -> np.float32:
    return np.float32((b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]))


@compiled
def triangulate_points(points: Singles, count: int, hull: Ints, edges: Ints, triangles: Indices) -> int:
    """Triangulate points inside a hull by Delaunay's rule; return the number of triangles.

    Edges are completed to triangles one after the other, from the hull inwards.

    Args:
        points: the points.
        count: how many there are.
        hull: numbers of those of the hull, in order.
        edges: room for ten edges per point.
        triangles: written.
    """
    n_edges = faces = ZERO
    for k in range(hull.size):
        n_edges = _add_edge(edges, n_edges, hull[k - 1], hull[k], _OUTSIDE, _UNSET)
    k = ZERO
    while k < n_edges:
        for side in (_LEFT, _RIGHT):
            if edges[k, side] == _UNSET:
                n_edges, faces = _complete(points, count, edges, n_edges, faces, k)
        k += 1
    return _faces(edges, n_edges, faces, triangles)


@compiled
def _find_edge(edges: Ints, n_edges: int, one: int, other: int) -> int:
    for k in range(n_edges):
        if (edges[k, 0] == one and edges[k, 1] == other) or (edges[k, 0] == other and edges[k, 1] == one):
            return k
    return -1


@compiled
def _add_edge(edges: Ints, n_edges: int, start: int, end: int, left: int, right: int) -> int:
    if n_edges >= edges.shape[0] or _find_edge(edges, n_edges, start, end) >= 0:
        return n_edges
    edges[n_edges, _START], edges[n_edges, _END] = start, end
    edges[n_edges, _LEFT], edges[n_edges, _RIGHT] = left, right
    return n_edges + 1


@compiled
def _set_face(edges: Ints, edge: int, start: int, end: int, face: int) -> None:
    """Note the face on the left of an edge that runs from `start` to `end`."""
    if edges[edge, _START] == start and edges[edge, _END] == end and edges[edge, _LEFT] == _UNSET:
        edges[edge, _LEFT] = face
    elif edges[edge, _END] == start and edges[edge, _START] == end and edges[edge, _RIGHT] == _UNSET:
        edges[edge, _RIGHT] = face


@compiled
def _complete(
    points: Singles, count: int, edges: Ints, n_edges: int, faces: int, edge: int
) -> tuple[int, int]:
    """Make the triangle on the free side of an edge."""
    start, end = edges[edge, _START], edges[edge, _END]
    if edges[edge, _LEFT] != _UNSET:
        start, end = end, start
    tip = _tip(points, count, edges, n_edges, start, end)
    if tip < 0:
        _set_face(edges, edge, start, end, _OUTSIDE)
        return n_edges, faces
    _set_face(edges, edge, start, end, faces)
    n_edges = _note_edge(edges, n_edges, tip, start, faces)
    n_edges = _note_edge(edges, n_edges, end, tip, faces)
    return n_edges, faces + 1


@compiled
def _note_edge(edges: Ints, n_edges: int, start: int, end: int, face: int) -> int:
    """Note that a face lies left of an edge, which is added if it is new; return the number of edges."""
    known = _find_edge(edges, n_edges, start, end)
    if known < 0:
        return _add_edge(edges, n_edges, start, end, face, _UNSET)
    _set_face(edges, known, start, end, face)
    return n_edges


@compiled
def _tip(points: Singles, count: int, edges: Ints, n_edges: int, start: int, end: int) -> int:
    """The point left of an edge whose circle with the edge holds no other point; -1 if there is none."""
    best, x, z, radius = -1, _ZERO, _ZERO, _ZERO
    for k in range(count):
        if k in (start, end) or _cross(points[start], points[end], points[k]) <= _ON_LINE:
            continue
        if best >= 0:
            dx, dz = points[k, 0] - x, points[k, 2] - z
            away = np.sqrt(dx * dx + dz * dz)
            if away > radius * (_ONE + _SLACK):
                continue
            unsure = away >= radius * (_ONE - _SLACK)
            if unsure and (
                _overlaps(points, edges, n_edges, start, k) or _overlaps(points, edges, n_edges, end, k)
            ):
                continue
        best = k
        x, z, radius = _circle(points[start], points[end], points[k])
    return best


@compiled
def _circle(a: Singles, b: Singles, c: Singles) -> tuple[np.float32, np.float32, np.float32]:
    """The circle through three points: x and z of its centre, and its radius."""
    ab_x, ab_z, ac_x, ac_z = b[0] - a[0], b[2] - a[2], c[0] - a[0], c[2] - a[2]
    cross = ab_x * ac_z - ab_z * ac_x
    if abs(cross) <= _NO_CIRCLE:
        return a[0], a[2], _ZERO
    ab, ac = ab_x * ab_x + ab_z * ab_z, ac_x * ac_x + ac_z * ac_z
    twice = np.float32(2.0) * cross
    x = (ab * ac_z - ac * ab_z) / twice
    z = (ac * ab_x - ab * ac_x) / twice
    return x + a[0], z + a[2], np.sqrt(x * x + z * z)


@compiled
def _overlaps(points: Singles, edges: Ints, n_edges: int, one: int, other: int) -> bool:
    """Whether the segment between two points crosses an edge that ends in neither."""
    c, d = points[one], points[other]
    for k in range(n_edges):
        start, end = edges[k, _START], edges[k, _END]
        if start in (one, other) or end in (one, other):
            continue
        a, b = points[start], points[end]
        first, second = _cross(a, b, d), _cross(a, b, c)
        if first * second < 0:
            third = _cross(c, d, a)
            if third * (third + second - first) < 0:
                return True
    return False


@compiled
def _faces(edges: Ints, n_edges: int, count: int, triangles: Indices) -> int:
    """Put faces together from their edges; what is not closed is left out."""
    for k in range(count):
        triangles[k, 0] = triangles[k, 1] = triangles[k, 2] = -1
    for k in range(n_edges):
        start, end = edges[k, _START], edges[k, _END]
        for face, a, b in ((edges[k, _RIGHT], start, end), (edges[k, _LEFT], end, start)):
            if face < 0:
                continue
            if triangles[face, 0] < 0:
                triangles[face, 0], triangles[face, 1] = a, b
            elif triangles[face, 0] == b:
                triangles[face, 2] = a
            elif triangles[face, 1] == a:
                triangles[face, 2] = b
    k = 0
    while k < count:
        if triangles[k, 0] < 0 or triangles[k, 1] < 0 or triangles[k, 2] < 0:
            count -= 1
            for c in range(3):
                triangles[k, c] = triangles[count, c]
        else:
            k += 1
    return count
