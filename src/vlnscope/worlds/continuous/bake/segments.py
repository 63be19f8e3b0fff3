"""Distances in single precision: of points from segments, polygons and triangles; rows are x, height, z."""

from __future__ import annotations

import numpy as np

from vlnscope.core.compiled import compiled
from vlnscope.worlds.continuous.bake.grid import Indices, Singles

FAR = np.float32(3.4028235e38)
"""Farther than anything."""
_ZERO, _ONE = np.float32(0.0), np.float32(1.0)
_SLACK = np.float32(1e-4)


@compiled
def from_segment(point: Singles, start: Singles, end: Singles, flat: bool) -> np.float32:
    """Return the squared distance of a point from a segment; seen from above, if `flat`."""
    along_x, along_y, along_z = end[0] - start[0], end[1] - start[1], end[2] - start[2]
    x, y, z = point[0] - start[0], point[1] - start[1], point[2] - start[2]
    if flat:
        along_y = y = _ZERO
    length = along_x * along_x + along_y * along_y + along_z * along_z
    share = along_x * x + along_y * y + along_z * z
    if length > 0:
        share /= length
    share = min(max(share, _ZERO), _ONE)
    x = start[0] + share * along_x - point[0]
    z = start[2] + share * along_z - point[2]
    if flat:
        return np.float32(x * x + z * z)
    y = start[1] + share * along_y - point[1]
    return np.float32(x * x + y * y + z * z)


@compiled
def from_polygon(point: Singles, corners: Singles, size: int) -> np.float32:
    """Return the squared distance of a point from the outline of a polygon; negative inside."""
    least, inside = FAR, False
    for k in range(size):
        a, b = corners[k], corners[k - 1 if k else size - 1]
        if (a[2] > point[2]) != (b[2] > point[2]):
            inside ^= point[0] < (b[0] - a[0]) * (point[2] - a[2]) / (b[2] - a[2]) + a[0]
        least = min(least, from_segment(point, b, a, True))
    return -least if inside else least


@compiled
def thickness(corners: Singles, size: int) -> np.float32:
    """Return how thick a convex polygon is where it is thinnest."""
    least = FAR
    for k in range(size):
        following = (k + 1) % size
        most = _ZERO
        for other in range(size):
            if other not in (k, following):
                most = max(most, from_segment(corners[other], corners[k], corners[following], True))
        least = min(least, most)
    return np.float32(np.sqrt(least))


@compiled
def above_triangles(point: Singles, corners: Singles, triangles: Indices, count: int) -> np.float32:
    """Return how far a point is above or below the nearest triangle that it lies over; -1 if over none."""
    least = FAR
    for k in range(count):
        least = min(
            least,
            _above(point, corners[triangles[k, 0]], corners[triangles[k, 1]], corners[triangles[k, 2]]),
        )
    return np.float32(-1.0) if least == FAR else least


@compiled
def _above(point: Singles, a: Singles, b: Singles, c: Singles) -> np.float32:
    ac_x, ac_y, ac_z = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    ab_x, ab_y, ab_z = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    x, z = point[0] - a[0], point[2] - a[2]
    cc, cb, bb = ac_x * ac_x + ac_z * ac_z, ac_x * ab_x + ac_z * ab_z, ab_x * ab_x + ab_z * ab_z
    cp, bp = ac_x * x + ac_z * z, ab_x * x + ab_z * z
    area = cc * bb - cb * cb
    if area == 0:
        return FAR
    scale = _ONE / area
    u, v = (bb * cp - cb * bp) * scale, (cc * bp - cb * cp) * scale
    if u < -_SLACK or v < -_SLACK or u + v > _ONE + _SLACK:
        return FAR
    return abs(a[1] + ac_y * u + ab_y * v - point[1])
