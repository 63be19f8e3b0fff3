"""From the triangle that each ray meets to its depth, labels and light: compiled loops over rays."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled, inlined
from vlnscope.types import Floats
from vlnscope.worlds.rendering.bounces import GLOW, SCREEN
from vlnscope.worlds.rendering.light.sky import sky_radiance
from vlnscope.worlds.rendering.texels import RGB, sample

_SHINE, _PICTURE = 3.0, 0.75
_CLEAR, _AIR = 30.0, 420.0


@compiled
def measure_surfaces(
    prim: NDArray[np.int32],
    rays: NDArray[np.float32],
    origins: Floats,
    planes: Floats,
    labels: NDArray[np.int32],
    depth: NDArray[np.float32],
    semantic: NDArray[np.int32],
    instance: NDArray[np.int32],
) -> None:
    """Fill depth, semantic and instance from the face that each ray hits (-1 for none)."""
    views, height, width = prim.shape
    for k in range(views):
        ox, oy, oz = origins[k, 0], origins[k, 1], origins[k, 2]
        for row in range(height):
            for column in range(width):
                face = prim[k, row, column]
                if face < 0:
                    depth[k, row, column] = np.inf
                    semantic[k, row, column] = -1
                    instance[k, row, column] = -1
                    continue
                nx, ny, nz = planes[face, 0], planes[face, 1], planes[face, 2]
                ray = rays[k, row, column]
                slope = nx * float(ray[0]) + ny * float(ray[1]) + nz * float(ray[2])
                t = 0.0
                if slope != 0.0:
                    t = max(0.0, (planes[face, 3] - nx * ox - ny * oy - nz * oz) / slope)
                depth[k, row, column] = t
                semantic[k, row, column] = labels[face, 0]
                instance[k, row, column] = labels[face, 1]


@compiled
def measure_rays(
    prim: NDArray[np.int32], rays: NDArray[np.float32], starts: NDArray[np.float32], planes: Floats
) -> NDArray[np.float32]:
    """Return how far single rays go, in their own lengths; infinite for those that hit nothing."""
    depth = np.empty(len(prim), dtype=np.float32)
    for i in range(len(prim)):
        face = prim[i]
        depth[i] = np.inf
        if face >= 0:
            n, p, d = planes[face], starts[i], rays[i]
            slope = n[0] * d[0] + n[1] * d[1] + n[2] * d[2]
            away = n[3] - n[0] * p[0] - n[1] * p[1] - n[2] * p[2]
            depth[i] = max(0.0, away / slope) if slope != 0.0 else 0.0
    return depth


@inlined
def _lit(
    f: NDArray[np.float32],
    x: float,
    y: float,
    z: float,
    light: NDArray[np.float32],
    across: int,
) -> RGB:
    """Return the light at a point, interpolated between the four texels around it."""
    column = f[2, 0] * x + f[2, 1] * y + f[2, 2] * z + f[2, 3]
    row = f[3, 0] * x + f[3, 1] * y + f[3, 2] * z + f[3, 3]
    c0, r0 = int(column), int(row)
    fc, fr = np.float32(column - c0), np.float32(row - r0)
    below = np.uint64(3 * across)
    p = min(np.uint64(3 * (r0 * across + c0)), np.uint64(len(light)) - below - np.uint64(6))
    q = p + below
    w3 = fc * fr
    w1, w2 = fc - w3, fr - w3
    w0 = np.float32(1.0) - fc - w2
    one, two, three, four, five = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(5)
    red = w0 * light[p] + w1 * light[p + three] + w2 * light[q] + w3 * light[q + three]
    green = w0 * light[p + one] + w1 * light[p + four] + w2 * light[q + one] + w3 * light[q + four]
    blue = w0 * light[p + two] + w1 * light[p + five] + w2 * light[q + two] + w3 * light[q + five]
    return float(red), float(green), float(blue)


@compiled
def shade_surfaces(
    prim: NDArray[np.int32],
    rays: NDArray[np.float32],
    starts: Floats,
    per_start: int,
    depth: NDArray[np.float32],
    pixel: float,
    planes: Floats,
    looks: NDArray[np.float32],
    frames: NDArray[np.float32],
    kind: NDArray[np.uint8],
    tile: NDArray[np.int32],
    texels: NDArray[np.uint32],
    pictures: NDArray[np.uint32],
    table: NDArray[np.int32],
    atlas: NDArray[np.float32],
    sky: Floats,
    usual: float,
    out: NDArray[np.float32],
) -> None:
    """Fill `out` (m, 3) with the linear light that arrives along m rays.

    Args:
        prim: the face that each ray hits; -1 for none.
        rays: where they go, (m, 3).
        starts: where they begin; `per_start` rays after each other have the same start.
        per_start: how many.
        depth: how far they go, in their own lengths.
        pixel: width of what a ray stands for, one metre away.
        planes: normal and distance of each face.
        looks: linear red, green and blue of each face.
        frames: (n, 4, 4), from x, y, z, 1 to texture coordinates u, v and to column and row of `atlas`.
        kind: how each face answers light.
        tile: its texture tile.
        texels: of the tiles.
        pictures: texels of images.
        table: what there is to know of each tile and image.
        atlas: baked light, (rows, columns, 3).
        sky: parameters of the sky.
        usual: the light on a usual wall.
        out: what arrives.
    """
    across = atlas.shape[1]
    light = atlas.ravel()
    for start in range(len(starts)):
        ox, oy, oz = starts[start, 0], starts[start, 1], starts[start, 2]
        for j in range(per_start):
            i = start * per_start + j
            face = prim[i]
            dx, dy, dz = rays[i, 0], rays[i, 1], rays[i, 2]
            if face < 0:
                length = math.sqrt(dx * dx + dy * dy + dz * dz)
                r, g, b = sky_radiance(sky, dx / length, dy / length, dz / length)
                out[i, 0], out[i, 1], out[i, 2] = r, g, b
                continue
            t = float(depth[i])
            x, y, z = ox + t * dx, oy + t * dy, oz + t * dz
            f = frames[face]
            n = planes[face]
            slope = abs(n[0] * dx + n[1] * dy + n[2] * dz)
            footprint = pixel * t / math.sqrt(max(slope, 0.02))
            u = f[0, 0] * x + f[0, 1] * y + f[0, 2] * z + f[0, 3]
            v = f[1, 0] * x + f[1, 1] * y + f[1, 2] * z + f[1, 3]
            r, g, b = sample(texels, pictures, table, tile[face], u, v, footprint)
            r, g, b = r * looks[face, 0], g * looks[face, 1], b * looks[face, 2]
            how = kind[face]
            if how == GLOW:
                out[i, 0], out[i, 1], out[i, 2] = r * _SHINE * usual, g * _SHINE * usual, b * _SHINE * usual
                continue
            red, green, blue = _lit(f, x, y, z, light, across)
            extra = _PICTURE * usual if how == SCREEN else 0.0
            r, g, b = r * (red + extra), g * (green + extra), b * (blue + extra)
            if t > _CLEAR:
                length = math.sqrt(dx * dx + dy * dy + dz * dz)
                haze = 1.0 - math.exp((_CLEAR - t) / _AIR)
                sr, sg, sb = sky_radiance(sky, dx / length, dy / length, 0.03)
                r, g, b = r + haze * (sr - r), g + haze * (sg - g), b + haze * (sb - b)
            out[i, 0], out[i, 1], out[i, 2] = r, g, b
