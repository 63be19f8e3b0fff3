"""From the triangle that each ray meets to its depth, labels and light: compiled loops over rays."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats
from vlnscope.worlds.rendering.bounces import GLOW, SCREEN
from vlnscope.worlds.rendering.light.sky import sky_radiance
from vlnscope.worlds.rendering.texels import sample

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
        usual: the light that adaptation leaves as it is, see `looks.adapted`.
        out: what arrives.
    """
    across = atlas.shape[1]
    light = atlas.reshape(-1, 3)
    for i in range(len(prim)):
        face = prim[i]
        dx, dy, dz = rays[i, 0], rays[i, 1], rays[i, 2]
        length = math.sqrt(dx * dx + dy * dy + dz * dz)
        if face < 0:
            r, g, b = sky_radiance(sky, dx / length, dy / length, dz / length)
            out[i, 0], out[i, 1], out[i, 2] = math.sqrt(r * usual), math.sqrt(g * usual), math.sqrt(b * usual)
            continue
        o, t = starts[i // per_start], np.float64(depth[i])
        x, y, z = np.float32(o[0] + t * dx), np.float32(o[1] + t * dy), np.float32(o[2] + t * dz)
        f = frames[face]
        n = planes[face]
        facing = abs(n[0] * dx + n[1] * dy + n[2] * dz) / length
        away = t * length
        footprint = pixel * away / math.sqrt(max(facing, 0.02))
        u = f[0, 0] * x + f[0, 1] * y + f[0, 2] * z + f[0, 3]
        v = f[1, 0] * x + f[1, 1] * y + f[1, 2] * z + f[1, 3]
        r, g, b = sample(texels, pictures, table, tile[face], u, v, footprint)
        r, g, b = r * looks[face, 0], g * looks[face, 1], b * looks[face, 2]
        how = kind[face]
        if how == GLOW:
            out[i, 0], out[i, 1], out[i, 2] = r * _SHINE * usual, g * _SHINE * usual, b * _SHINE * usual
            continue
        column = f[2, 0] * x + f[2, 1] * y + f[2, 2] * z + f[2, 3]
        row = f[3, 0] * x + f[3, 1] * y + f[3, 2] * z + f[3, 3]
        column = min(max(column, np.float32(0.0)), np.float32(across - 1.001))
        row = min(max(row, np.float32(0.0)), np.float32(atlas.shape[0] - 1.001))
        c0, r0 = int(column), int(row)
        fc, fr = column - np.float32(c0), row - np.float32(r0)
        p = r0 * across + c0
        w0, w1 = (np.float32(1.0) - fc) * (np.float32(1.0) - fr), fc * (np.float32(1.0) - fr)
        w2, w3 = (np.float32(1.0) - fc) * fr, fc * fr
        q = p + across
        red = w0 * light[p, 0] + w1 * light[p + 1, 0] + w2 * light[q, 0] + w3 * light[q + 1, 0]
        green = w0 * light[p, 1] + w1 * light[p + 1, 1] + w2 * light[q, 1] + w3 * light[q + 1, 1]
        blue = w0 * light[p, 2] + w1 * light[p + 1, 2] + w2 * light[q, 2] + w3 * light[q + 1, 2]
        if how == SCREEN:
            red, green, blue = red + _PICTURE * usual, green + _PICTURE * usual, blue + _PICTURE * usual
        r, g, b = r * red, g * green, b * blue
        if away > _CLEAR:
            haze = np.float32(1.0 - math.exp((_CLEAR - away) / _AIR))
            sr, sg, sb = sky_radiance(sky, dx / length, dy / length, 0.03)
            sr, sg, sb = math.sqrt(sr * usual), math.sqrt(sg * usual), math.sqrt(sb * usual)
            r, g, b = r + haze * (sr - r), g + haze * (sg - g), b + haze * (sb - b)
        out[i, 0], out[i, 1], out[i, 2] = r, g, b
