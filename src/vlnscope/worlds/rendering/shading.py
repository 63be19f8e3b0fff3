"""From the triangle that each pixel sees to its depth, labels and colour: compiled loops over pixels."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats
from vlnscope.worlds.rendering.ambient_occlusion import REACH, read_occlusion
from vlnscope.worlds.rendering.textures import RGB, texel

GLASS, MIRROR, GLOW = 11, 12, 13
_LIGHT = (0.03, -0.09, 0.09)
_BYTE = 1.0 / 255.0
_HAZE = (0.80, 0.82, 0.84)
_OUTLINE, _CREASE, _LINE = 0.45, 0.30, 0.010


@compiled
def sky(up: float) -> RGB:
    """Return the colour of the outside in a direction whose unit vector has this z."""
    if up < 0.0:
        s = min(1.0, -up * 4.0)
        return 0.74 - 0.16 * s, 0.79 - 0.16 * s, 0.74 - 0.24 * s
    s = min(1.0, up * 1.6)
    return 0.88 - 0.36 * s, 0.93 - 0.21 * s, 0.97 - 0.05 * s


@compiled
def glazed(red: float, green: float, blue: float, up: float) -> RGB:
    """Return the colour of a window pane of this colour: mostly that of the sky that it mirrors."""
    r, g, b = sky(up)
    return 0.15 * red + 0.9 * r, 0.15 * green + 0.9 * g, 0.15 * blue + 0.9 * b


@compiled
def to_byte(value: float) -> int:
    """Return a shade between 0 and 1 as a byte; what is beyond is cut off."""
    return int(min(255.0, max(0.0, value * 255.0 + 0.5)))


@compiled
def _streak(x: float, y: float, z: float) -> float:
    wave = (x + y + 1.2 * z) * 1.6
    part = wave - math.floor(wave)
    return 1.0 if part < 0.12 or 0.2 < part < 0.25 else 0.0


@compiled
def openness(occlusion: float) -> float:
    """Return how much light reaches a point where the grid of `AmbientOcclusion` has this value."""
    near = max(0.0, occlusion - 0.03)
    return 1.0 - 0.40 * near / (near + 0.25)


@compiled
def lit_colour(
    kind: int,
    x: float,
    y: float,
    z: float,
    nx: float,
    ny: float,
    nz: float,
    red: float,
    green: float,
    blue: float,
    facing: float,
    away: float,
    pixel: float,
    shut: float,
) -> RGB:
    """Return the colour of a surface point under a lamp at the camera, light from above and haze."""
    r, g, b = texel(kind, x, y, z, nx, ny, nz, red, green, blue, pixel * away / math.sqrt(max(facing, 0.02)))
    light = 0.90 + 0.14 * facing + nx * _LIGHT[0] + ny * _LIGHT[1] + nz * _LIGHT[2]
    light *= shut
    haze = 0.22 * away / (away + 18.0)
    if kind == GLOW:
        light, haze = 1.05, 0.0
    elif kind == MIRROR:
        light = 0.88 + 0.22 * _streak(x, y, z)
    return (
        r * light + (_HAZE[0] - r * light) * haze,
        g * light + (_HAZE[1] - g * light) * haze,
        b * light + (_HAZE[2] - b * light) * haze,
    )


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
    """Fill depth, semantic and instance as `shade_surfaces` does."""
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
def shade_surfaces(
    prim: NDArray[np.int32],
    rays: NDArray[np.float32],
    origins: Floats,
    shift: Floats,
    pixel: float,
    planes: Floats,
    colour: NDArray[np.uint8],
    texture: NDArray[np.uint8],
    labels: NDArray[np.int32],
    grid: NDArray[np.float32],
    low: Floats,
    cell: float,
    depth: NDArray[np.float32],
    semantic: NDArray[np.int32],
    instance: NDArray[np.int32],
    rgb: NDArray[np.uint8],
) -> None:
    """Fill depth, semantic, instance and rgb from the face that each ray hits (-1 for none)."""
    views, height, width = prim.shape
    ahead, inverse, flat = REACH * cell, 1.0 / cell, grid.ravel()
    for k in range(views):
        ox, oy, oz = origins[k, 0], origins[k, 1], origins[k, 2]
        for row in range(height):
            last, shut = -1, 1.0
            for column in range(width):
                face = prim[k, row, column]
                dx = float(rays[k, row, column, 0])
                dy = float(rays[k, row, column, 1])
                dz = float(rays[k, row, column, 2])
                length = math.sqrt(dx * dx + dy * dy + dz * dz)
                if face < 0:
                    depth[k, row, column] = np.inf
                    semantic[k, row, column] = -1
                    instance[k, row, column] = -1
                    r, g, b = sky(dz / length)
                else:
                    nx, ny, nz = planes[face, 0], planes[face, 1], planes[face, 2]
                    slope = nx * dx + ny * dy + nz * dz
                    t = 0.0
                    if slope != 0.0:
                        t = max(0.0, (planes[face, 3] - nx * ox - ny * oy - nz * oz) / slope)
                    depth[k, row, column] = t
                    semantic[k, row, column] = labels[face, 0]
                    instance[k, row, column] = labels[face, 1]
                    kind = texture[face]
                    if slope > 0.0:
                        nx, ny, nz = -nx, -ny, -nz
                    x, y, z = ox + t * dx, oy + t * dy, oz + t * dz
                    if column % 2 == 0 or face != last:  # shade is smooth: every other pixel suffices
                        at = (x + ahead * nx, y + ahead * ny, z + ahead * nz)
                        shut = openness(read_occlusion(flat, grid.shape, low, inverse, at))
                    r, g, b = lit_colour(
                        kind,
                        x + shift[0],
                        y + shift[1],
                        z + shift[2],
                        nx,
                        ny,
                        nz,
                        colour[face, 0] * _BYTE,
                        colour[face, 1] * _BYTE,
                        colour[face, 2] * _BYTE,
                        abs(slope) / length,
                        t * length,
                        pixel,
                        shut,
                    )
                    if kind == GLASS:
                        r, g, b = glazed(r, g, b, dz / length)
                last = face
                rgb[k, row, column, 0] = to_byte(r)
                rgb[k, row, column, 1] = to_byte(g)
                rgb[k, row, column, 2] = to_byte(b)


@compiled
def draw_outlines(
    prim: NDArray[np.int32],
    depth: NDArray[np.float32],
    pixel: float,
    planes: Floats,
    labels: NDArray[np.int32],
    rgb: NDArray[np.uint8],
) -> None:
    """Darken `rgb` where a pixel lies in front of a neighbour of another object or meets it at an angle.

    Of two pixels equally far away the one with the higher face number is darkened. Lines are fainter where a
    pixel covers much of the world, so that small pictures do not turn black.
    """
    views, height, width = prim.shape
    for k in range(views):
        for row in range(height):
            above, here, below = prim[k, max(row - 1, 0)], prim[k, row], prim[k, min(row + 1, height - 1)]
            for column in range(width):
                face = here[column]
                left, right = max(column - 1, 0), min(column + 1, width - 1)
                if face < 0 or (
                    here[left] == face
                    and here[right] == face
                    and above[column] == face
                    and below[column] == face
                ):
                    continue
                edge = 0.0
                t = float(depth[k, row, column])
                fine = min(1.0, _LINE / max(pixel * t, 1e-6))
                for j in range(4):
                    r2 = min(max(row + (j == 0) - (j == 1), 0), height - 1)
                    c2 = min(max(column + (j == 2) - (j == 3), 0), width - 1)
                    other, t2 = prim[k, r2, c2], float(depth[k, r2, c2])
                    if other < 0:
                        edge = max(edge, _OUTLINE * max(fine, 0.4))
                    if other < 0 or other == face or t2 < 0.97 * t or (t2 < 1.03 * t and other > face):
                        continue
                    bend = 0.0
                    for i in range(3):
                        bend += planes[face, i] * planes[other, i]
                    if labels[face, 1] != labels[other, 1]:
                        edge = max(edge, _OUTLINE * max(fine, 0.4))
                    elif abs(bend) < 0.8 or t2 - t > 0.05 * t:
                        edge = max(edge, _CREASE * max(fine * fine, 0.15))
                if edge > 0.0:
                    for i in range(3):
                        rgb[k, row, column, i] = int(rgb[k, row, column, i] * (1.0 - edge) + 0.5)
