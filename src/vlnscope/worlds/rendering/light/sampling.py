"""Directions for rays: sixteen sets that fill each other's gaps, and places on panes and lamps."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled, part
from vlnscope.types import Floats

PATTERNS = 16
"""How many sets of directions there are; neighbouring texels use different ones."""
OFF = 0.0015
"""How far above its surface a ray starts, in metres."""
TEXEL = 0.45
"""Rays start up to this far from the middle of a texel, in texels."""
SUN_WIDTH = 0.008
"""Half the width of the sun, a little more than it is, as a share of its distance."""
_A, _B = 0.7548776662466927, 0.5698402909980532


def hemisphere(rays: int, turn: float = 0.0) -> Floats:
    """Return unit vectors around +z, as dense as the cosine to it, (PATTERNS, rays, 3).

    All are turned about +z by the same share of a full turn.
    """
    k, p = np.arange(rays)[None, :], np.arange(PATTERNS)[:, None]
    mixed = (p * 7) % PATTERNS
    u = (k + (mixed + 0.5) / PATTERNS) / rays
    v = (turn + k * _A + p * _B) % 1.0
    radius, angle = np.sqrt(u), 2.0 * math.pi * v
    up = np.sqrt(np.maximum(0.0, 1.0 - u))
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), up], axis=-1)


@part
def frame(nx: float, ny: float, nz: float) -> tuple[float, float, float, float, float, float]:
    """Return two unit vectors at right angles to a unit vector and to each other."""
    sign = 1.0 if nz >= 0.0 else -1.0
    a = -1.0 / (sign + nz)
    b = nx * ny * a
    return 1.0 + sign * nx * nx * a, sign * b, -sign * nx, b, sign + ny * ny * a, -ny


@part
def _within(pattern: int, k: int, pitch: float) -> tuple[float, float]:
    """Return a place on a texel, from its middle, for the k-th ray of a pattern."""
    n = (k * 5 + pattern * 7) % 64
    return pitch * TEXEL * (2.0 * ((n * 0.618034) % 1.0) - 1.0), pitch * TEXEL * ((n + 0.5) / 32.0 - 1.0)


@compiled
def aim(
    position: Floats,
    normal: Floats,
    pattern: NDArray[np.int64],
    pitch: NDArray[np.float32],
    table: Floats,
    origins: NDArray[np.float32],
    directions: NDArray[np.float32],
) -> None:
    """Fill the rays of some points: all directions of the first, then of the second, and so on.

    They start at places spread over a point's texel.
    """
    rays = table.shape[1]
    for p in range(len(position)):
        nx, ny, nz = normal[p]
        ux, uy, uz, vx, vy, vz = frame(nx, ny, nz)
        for k in range(rays):
            x, y, z = table[pattern[p], k]
            at = p * rays + k
            a, b = _within(pattern[p], k, pitch[p])
            origins[at, 0] = position[p, 0] + OFF * nx + a * ux + b * vx
            origins[at, 1] = position[p, 1] + OFF * ny + a * uy + b * vy
            origins[at, 2] = position[p, 2] + OFF * nz + a * uz + b * vz
            directions[at, 0] = x * ux + y * vx + z * nx
            directions[at, 1] = x * uy + y * vy + z * ny
            directions[at, 2] = x * uz + y * vz + z * nz


@part
def spread(pattern: int, k: int, rays: int) -> tuple[float, float, float]:
    """Return three numbers in 0-1: where the k-th of `rays` samples of a pattern lies."""
    step = (k + ((pattern * 7) % PATTERNS + 0.5) / PATTERNS) / rays
    n = pattern * rays + k
    return step, (0.5 + n * _A) % 1.0, (0.5 + n * _B) % 1.0


@compiled
def aim_at(
    position: Floats,
    normal: Floats,
    pattern: NDArray[np.int64],
    group: NDArray[np.int64],
    seen: NDArray[np.bool_],
    rays: int,
    corners: Floats,
    normals: Floats,
    share: Floats,
    first: NDArray[np.int64],
    centre: Floats,
    area: Floats,
    bright: Floats,
    origins: NDArray[np.float32],
    directions: NDArray[np.float32],
    weight: NDArray[np.float32],
    which: NDArray[np.int32],
) -> None:
    """Aim rays at emitters, more at those that may give more light.

    A ray's direction reaches to the emitter at length 1. Its weight is what radiance 1 there adds to the
    light; 0 for rays that are not needed.
    """
    count = len(area)
    chance = np.empty(count)
    for p in range(len(position)):
        nx, ny, nz = normal[p]
        x, y, z = position[p, 0] + OFF * nx, position[p, 1] + OFF * ny, position[p, 2] + OFF * nz
        total = 0.0
        for e in range(count):
            chance[e] = 0.0
            if seen[group[p], e]:
                dx, dy, dz = centre[e, 0] - x, centre[e, 1] - y, centre[e, 2] - z
                d2 = dx * dx + dy * dy + dz * dz
                facing = (dx * nx + dy * ny + dz * nz) / math.sqrt(d2 + 1e-12)
                half = 0.7 * math.sqrt(area[e] / (d2 + 1e-12))
                if facing + half > 0.0:
                    chance[e] = bright[e] * area[e] * (max(facing, 0.0) + 0.1) / (d2 + area[e])
            total += chance[e]
        e, passed = -1, 0.0
        for k in range(rays):
            at = p * rays + k
            origins[at, 0], origins[at, 1], origins[at, 2] = x, y, z
            weight[at], which[at] = 0.0, -1
            directions[at, 0], directions[at, 1], directions[at, 2] = nx, ny, nz
            if total <= 0.0:
                continue
            s, t, u = spread(pattern[p], k, rays)
            while e < 0 or (passed < s * total and e + 1 < count):
                e += 1
                passed += chance[e]
            last = e
            while chance[last] == 0.0 and last > 0:
                last -= 1
            tri, high = first[last], first[last + 1] - 1
            while tri < high:
                middle = (tri + high) // 2
                if share[middle] < t:
                    tri = middle + 1
                else:
                    high = middle
            start = share[tri - 1] if tri > first[last] else 0.0
            root = math.sqrt(min(1.0, max(0.0, (t - start) / max(share[tri] - start, 1e-9))))
            b, c = root * (1.0 - u), root * u
            dx = corners[tri, 0, 0] * (1.0 - root) + corners[tri, 1, 0] * b + corners[tri, 2, 0] * c - x
            dy = corners[tri, 0, 1] * (1.0 - root) + corners[tri, 1, 1] * b + corners[tri, 2, 1] * c - y
            dz = corners[tri, 0, 2] * (1.0 - root) + corners[tri, 1, 2] * b + corners[tri, 2, 2] * c - z
            d2 = dx * dx + dy * dy + dz * dz
            here = dx * nx + dy * ny + dz * nz
            there = abs(dx * normals[tri, 0] + dy * normals[tri, 1] + dz * normals[tri, 2])
            if here <= 0.0 or d2 < 1e-8:
                continue
            directions[at, 0], directions[at, 1], directions[at, 2] = dx, dy, dz
            odds = chance[last] / total * rays
            weight[at] = min(here * there / (d2 * d2) * area[last] / (math.pi * odds), 4.0 / rays)
            which[at] = last


@compiled
def aim_at_sun(
    position: Floats,
    normal: Floats,
    pattern: NDArray[np.int64],
    pitch: NDArray[np.float32],
    lit: NDArray[np.int64],
    sun: Floats,
    rays: int,
    origins: NDArray[np.float32],
    ways: NDArray[np.float32],
) -> None:
    """Aim rays at the sun's disc, from places spread over most of a texel."""
    ux, uy, uz, vx, vy, vz = frame(sun[0], sun[1], sun[2])
    for i in range(len(lit)):
        p = lit[i]
        nx, ny, nz = normal[p]
        ax, ay, az, bx, by, bz = frame(nx, ny, nz)
        for k in range(rays):
            s, t, u = spread(pattern[p], k, rays)
            a, b = (2.0 * t - 1.0) * TEXEL * pitch[p], (2.0 * u - 1.0) * TEXEL * pitch[p]
            at = i * rays + k
            origins[at, 0] = position[p, 0] + OFF * nx + a * ax + b * bx
            origins[at, 1] = position[p, 1] + OFF * ny + a * ay + b * by
            origins[at, 2] = position[p, 2] + OFF * nz + a * az + b * bz
            s, t = (2.0 * s - 1.0) * SUN_WIDTH, (2.0 * ((t + u) % 1.0) - 1.0) * SUN_WIDTH
            ways[at, 0] = sun[0] + s * ux + t * vx
            ways[at, 1] = sun[1] + s * uy + t * vy
            ways[at, 2] = sun[2] + s * uz + t * vz
