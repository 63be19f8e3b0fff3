"""Procedural textures: what a face's colour becomes at a point, by where the point lies.

A pattern lies in the plane across the normal's largest component (floors x-y, walls x-z or y-z), in world
metres, and fades out before it gets finer than the pixels that look at it. Nothing here is random: noise is
a hash of the cell, so the same point always looks the same. `mesh.TEXTURES` numbers the patterns.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats

RGB = tuple[float, float, float]
_A, _B = 374761393, 668265263


def textured(
    points: Floats, normals: Floats, colours: Floats, textures: NDArray[np.uint8], footprint: float = 0.0
) -> Floats:
    """Return red, green and blue (0-1, one row per point) of textured surfaces, still unlit.

    Args:
        points: x, y, z in metres.
        normals: unit normals; their sign does not matter.
        colours: plain colour of each point, 0-1.
        textures: index into `mesh.TEXTURES` for each point; unknown numbers are plain.
        footprint: width in metres of what one pixel sees there; patterns finer than that fade out.
    """
    out = np.empty((len(points), 3))
    _fill(
        np.ascontiguousarray(points, dtype=np.float64),
        np.ascontiguousarray(normals, dtype=np.float64),
        np.ascontiguousarray(colours, dtype=np.float64),
        np.ascontiguousarray(textures, dtype=np.uint8),
        max(footprint, 1e-6),
        out,
    )
    return out


@compiled
def _fill(
    points: Floats,
    normals: Floats,
    colours: Floats,
    textures: NDArray[np.uint8],
    footprint: float,
    out: Floats,
) -> None:
    for i in range(len(points)):
        p, n, c = points[i], normals[i], colours[i]
        out[i, 0], out[i, 1], out[i, 2] = texel(
            textures[i], p[0], p[1], p[2], n[0], n[1], n[2], c[0], c[1], c[2], footprint
        )


@compiled
def _mix(h: int) -> float:
    h = (h ^ (h >> 21)) * 1274126177
    h ^= h >> 15
    return float(h & 0xFFFF) * (1.0 / 65535.0)


@compiled
def cell_hash(x: int, y: int, salt: int) -> float:
    """Return a number in [0, 1] that belongs to a cell of the plane."""
    return _mix(x * _A + y * _B + salt * 362437)


@compiled
def noise(x: float, y: float, salt: int) -> float:
    """Return smooth noise in [-1, 1] with cells of width 1."""
    ix, iy = math.floor(x), math.floor(y)
    fx, fy = x - ix, y - iy
    fx, fy = fx * fx * (6.0 - 4.0 * fx), fy * fy * (3.0 - 2.0 * fy)
    h = ix * _A + iy * _B + salt * 362437
    a, c = _mix(h), _mix(h + _B)
    low = 2.0 * a - 1.0 + (_mix(h + _A) - a) * fx
    high = 2.0 * c - 1.0 + (_mix(h + _A + _B) - c) * fx
    return low + (high - low) * fy


@compiled
def _fade(period: float, footprint: float) -> float:
    return min(1.0, max(0.0, 2.0 - 5.0 * footprint / period))


@compiled
def _line(u: float, period: float, width: float, footprint: float) -> float:
    """Return how much of a pixel the nearest of the lines at multiples of `period` covers."""
    if footprint > 0.5 * period:
        return width / period
    away = abs(u - math.floor(u / period + 0.5) * period)
    soft = max(footprint, 1e-4)
    cover = min(1.0, max(0.0, (0.5 * (width + soft) - away) / soft)) * min(1.0, width / soft)
    blend = _fade(period, footprint)
    return cover * blend + width / period * (1.0 - blend)


@compiled
def _grain(u: float, v: float, footprint: float) -> float:
    strong = _fade(0.05, footprint)
    if strong == 0.0:
        return 1.0 + 0.04 * noise(u * 2.0, v * 7.0, 3)
    bend = noise(u * 1.3, v * 5.0, 3)
    fine = noise(u * 4.0 + bend, v * 45.0 + 2.0 * bend, 4)
    return 1.0 + 0.04 * bend + 0.07 * strong * fine


@compiled
def _planks(u: float, v: float, footprint: float) -> float:
    row = math.floor(v / 0.16)
    shift = u + 1.4 * cell_hash(row, 0, 5)
    board = math.floor(shift / 1.4)
    tone = 0.90 + 0.2 * cell_hash(board, row, 6)
    gap = max(_line(v, 0.16, 0.006, footprint), _line(shift, 1.4, 0.006, footprint))
    return tone * _grain(u + 3.0 * board, v + 0.7 * board, footprint) * (1.0 - 0.5 * gap)


@compiled
def _speckle(u: float, v: float, footprint: float, cell: float, strength: float) -> float:
    tone = 1.0 + 0.04 * noise(u * 3.0, v * 3.0, 8)
    fine = _fade(2.0 * cell, footprint)
    return tone + strength * fine * noise(u / cell, v / cell, 7) if fine > 0.0 else tone


@compiled
def _weave(u: float, v: float, footprint: float) -> float:
    fine = _fade(0.018, footprint)
    tone = 1.0 + 0.05 * noise(u * 4.0, v * 4.0, 9)
    if fine == 0.0:
        return tone
    a, b = u / 0.018, v / 0.018
    over = abs(2.0 * (a - math.floor(a)) - 1.0)
    under = abs(2.0 * (b - math.floor(b)) - 1.0)
    crossed = over if (math.floor(a) + math.floor(b)) % 2 == 0 else under
    return tone + fine * (0.12 * crossed - 0.06)


@compiled
def _toward(c: RGB, other: RGB, share: float) -> RGB:
    keep = 1.0 - share
    return (c[0] * keep + other[0] * share, c[1] * keep + other[1] * share, c[2] * keep + other[2] * share)


@compiled
def _times(c: RGB, tone: float) -> RGB:
    return c[0] * tone, c[1] * tone, c[2] * tone


@compiled
def _tiles(c: RGB, u: float, v: float, footprint: float) -> RGB:
    tone = 0.96 + 0.07 * cell_hash(math.floor(u / 0.3), math.floor(v / 0.3), 10)
    grout = max(_line(u, 0.3, 0.010, footprint), _line(v, 0.3, 0.010, footprint))
    grey = 0.45 if c[0] + c[1] + c[2] > 1.5 else 0.75
    return _toward(_times(c, tone), (grey, grey, grey), 0.8 * grout)


@compiled
def _bricks(c: RGB, u: float, v: float, footprint: float) -> RGB:
    row = math.floor(v / 0.08)
    shift = u + (0.12 if row % 2 else 0.0)
    tone = 0.82 + 0.3 * cell_hash(math.floor(shift / 0.24), row, 11)
    mortar = max(_line(v, 0.08, 0.012, footprint), _line(shift, 0.24, 0.012, footprint))
    brick = _times(c, tone + 0.06 * noise(u * 40.0, v * 40.0, 12) * _fade(0.05, footprint))
    return _toward(brick, (0.78, 0.76, 0.72), 0.85 * mortar)


@compiled
def _slabs(c: RGB, u: float, v: float, footprint: float) -> RGB:
    row = math.floor(v / 0.4)
    shift = u + 0.6 * cell_hash(row, 1, 13)
    tone = 0.86 + 0.24 * cell_hash(math.floor(shift / 0.6), row, 14) + 0.07 * noise(u * 9.0, v * 9.0, 15)
    joint = max(_line(v, 0.4, 0.014, footprint), _line(shift, 0.6, 0.014, footprint))
    return _toward(_times(c, tone), (0.35, 0.34, 0.32), 0.7 * joint)


@compiled
def _grass(c: RGB, u: float, v: float, footprint: float) -> RGB:
    patch = noise(u * 0.9, v * 0.9, 16)
    tone = 1.0 + 0.10 * patch + 0.10 * _fade(0.4, footprint) * noise(u * 6.0, v * 6.0, 17)
    tone += 0.28 * _fade(0.06, footprint) * noise(u * 34.0, v * 60.0, 18)
    return c[0] * (tone + 0.08 * patch), c[1] * tone, c[2] * tone


@compiled
def _marble(c: RGB, u: float, v: float, footprint: float) -> RGB:
    warp = noise(u * 2.5, v * 2.5, 19) + 0.5 * noise(u * 6.0, v * 6.0, 20)
    wave = (u + 0.6 * v) * 1.7 + 0.9 * warp
    away = abs(wave - math.floor(wave + 0.5))
    vein = max(0.0, 1.0 - away * 14.0) * _fade(0.4, footprint)
    dark = (0.45, 0.45, 0.48) if c[0] + c[1] + c[2] > 1.2 else (0.8, 0.8, 0.78)
    return _toward(_times(c, 1.0 + 0.04 * warp), dark, 0.45 * vein)


@compiled
def _leaves(c: RGB, u: float, v: float, footprint: float) -> RGB:
    fine = _fade(0.16, footprint)
    blotch = noise(u * 22.0 + 0.6 * noise(v * 30.0, u * 30.0, 21), v * 22.0, 22)
    sharp = min(1.0, max(-1.0, 2.5 * blotch))
    tone = 0.95 + 0.30 * fine * sharp + 0.06 * noise(u * 5.0, v * 5.0, 23)
    return c[0] * (tone + 0.06 * fine * sharp), c[1] * tone, c[2] * tone * (1.0 - 0.1 * fine)


@compiled
def texel(
    texture: int,
    x: float,
    y: float,
    z: float,
    nx: float,
    ny: float,
    nz: float,
    red: float,
    green: float,
    blue: float,
    footprint: float,
) -> RGB:
    """Return the textured colour of one point; see `textured` for the arguments. May slightly exceed 1."""
    c = (red, green, blue)
    if texture == 0:
        return c
    ax, ay, az = abs(nx), abs(ny), abs(nz)
    if az >= ax and az >= ay:
        u, v = x, y
    elif ax > ay:
        u, v = y, z
    else:
        u, v = x, z
    if texture == 1:
        upright = az < 0.5
        return _times(c, _grain(v, u, footprint) if upright else _grain(u, v, footprint))
    if texture == 2:
        return _times(c, _planks(u, v, footprint))
    if texture == 3:
        return _tiles(c, u, v, footprint)
    if texture == 4:
        return _times(c, _speckle(u, v, footprint, 0.015, 0.16))
    if texture == 5:
        return _times(c, _weave(u, v, footprint))
    if texture == 6:
        return _bricks(c, u, v, footprint)
    if texture == 7:
        return _slabs(c, u, v, footprint)
    if texture == 8:
        return _grass(c, u, v, footprint)
    if texture == 9:
        return _marble(c, u, v, footprint)
    if texture == 10:
        return _leaves(c, u, v, footprint)
    return c
