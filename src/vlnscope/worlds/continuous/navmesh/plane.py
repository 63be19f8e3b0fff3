"""Geometry on the ground plane (x, z) in 32-bit numbers, operation by operation as Detour computes it.

Answers equal Detour's only if each operation is rounded alike: nothing may become 64-bit on the way.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import inlined

Float32 = np.float32
Float32s = NDArray[np.float32]
Int32s = NDArray[np.int32]
Bytes = NDArray[np.uint8]
Bools = NDArray[np.bool_]
ZERO = np.float32(0)
ONE = np.float32(1)
HALF = np.float32(0.5)
LARGEST = np.float32(np.finfo(np.float32).max)
_FLAT = np.float32(1e-6)


@inlined
def to_segment(
    x: Float32, z: Float32, ax: Float32, az: Float32, bx: Float32, bz: Float32
) -> tuple[Float32, Float32]:
    """Return the squared distance of a point to a segment, and where on it (0 to 1) the nearest point is."""
    along_x, along_z = bx - ax, bz - az
    from_x, from_z = x - ax, z - az
    length = along_x * along_x + along_z * along_z
    t = along_x * from_x + along_z * from_z
    if length > ZERO:
        t /= length
    if t < ZERO:
        t = ZERO
    elif t > ONE:
        t = ONE
    from_x = ax + t * along_x - x
    from_z = az + t * along_z - z
    return from_x * from_x + from_z * from_z, t


@inlined
def to_edge(
    corners: Float32s, poly: int, start: int, end: int, x: Float32, z: Float32
) -> tuple[Float32, Float32]:
    """Return what `to_segment` does for an edge of row `poly` of (n, m, 3) corners."""
    return to_segment(
        x, z, corners[poly, start, 0], corners[poly, start, 2], corners[poly, end, 0], corners[poly, end, 2]
    )


@inlined
def on_edge(
    corners: Float32s, poly: int, start: int, end: int, t: Float32
) -> tuple[Float32, Float32, Float32]:
    """Return the point at `t` of the way along an edge."""
    return (
        lerp(corners[poly, start, 0], corners[poly, end, 0], t),
        lerp(corners[poly, start, 1], corners[poly, end, 1], t),
        lerp(corners[poly, start, 2], corners[poly, end, 2], t),
    )


@inlined
def lerp(a: Float32, b: Float32, t: Float32) -> Float32:
    """Return the number at `t` of the way from a to b."""
    return a + (b - a) * t


@inlined
def inside(corners: Float32s, poly: int, count: int, x: Float32, z: Float32) -> bool:
    """Return whether a point lies within a polygon (even-odd rule)."""
    within = False
    xj, zj = corners[poly, count - 1, 0], corners[poly, count - 1, 2]
    for i in range(count):
        xi, zi = corners[poly, i, 0], corners[poly, i, 2]
        if (zi > z) != (zj > z) and x < (xj - xi) * (z - zi) / (zj - zi) + xi:
            within = not within
        xj, zj = xi, zi
    return within


@inlined
def twice_area(ax: Float32, az: Float32, bx: Float32, bz: Float32, cx: Float32, cz: Float32) -> Float32:
    """Return twice the signed area of a triangle."""
    return (cx - ax) * (bz - az) - (bx - ax) * (cz - az)


@inlined
def distance(ax: Float32, ay: Float32, az: Float32, bx: Float32, by: Float32, bz: Float32) -> Float32:
    """Return the distance of two points in space."""
    x, y, z = bx - ax, by - ay, bz - az
    return np.float32(np.sqrt(x * x + y * y + z * z))


@inlined
def crossing(
    corners: Float32s, poly: int, start: int, end: int, px: Float32, pz: Float32, qx: Float32, qz: Float32
) -> tuple[bool, Float32]:
    """Return whether an edge and the segment pq cross, and where on the edge."""
    ux = corners[poly, end, 0] - corners[poly, start, 0]
    uz = corners[poly, end, 2] - corners[poly, start, 2]
    vx, vz = qx - px, qz - pz
    wx, wz = corners[poly, start, 0] - px, corners[poly, start, 2] - pz
    turn = ux * vz - uz * vx
    if abs(turn) < _FLAT:
        return False, ZERO
    s, t = (vx * wz - vz * wx) / turn, (ux * wz - uz * wx) / turn
    return bool(ZERO <= t <= ONE and ZERO <= s <= ONE), s


@inlined
def height_in_triangle(corners: Float32s, k: int, x: Float32, z: Float32) -> tuple[bool, Float32]:
    """Return whether triangle k lies over or under a point, and its height there."""
    ax, ay, az = corners[k, 0, 0], corners[k, 0, 1], corners[k, 0, 2]
    first_x, first_y, first_z = corners[k, 2, 0] - ax, corners[k, 2, 1] - ay, corners[k, 2, 2] - az
    second_x, second_y, second_z = corners[k, 1, 0] - ax, corners[k, 1, 1] - ay, corners[k, 1, 2] - az
    from_x, from_z = x - ax, z - az
    turn = first_x * second_z - first_z * second_x
    if abs(turn) < _FLAT:
        return False, ZERO
    u = second_z * from_x - second_x * from_z
    v = first_x * from_z - first_z * from_x
    if turn < ZERO:
        turn, u, v = -turn, -u, -v
    if u >= ZERO and v >= ZERO and u + v <= turn:
        return True, ay + (first_y * u + second_y * v) / turn
    return False, ZERO
