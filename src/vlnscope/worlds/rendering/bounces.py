"""Second rays: what is seen through glass, in mirrors and, faintly, in shiny floors.

Glass and mirrors send one ray per pixel. What shines a little sends one per block of two by two pixels,
which share what it finds: such reflections are dim, and no eye looks for detail in them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats

MATT, SHINY, GLASS, MIRROR, GLOW, SCREEN = range(6)
"""How a face answers light."""
_THROUGH, _BACK, _FAINT, _OFF, _BLUR, _SPREAD = 0.92, 0.86, 0.06, 2e-3, 0.6, 0.12


class Bounces(NamedTuple):
    """Second rays.

    Attributes:
        pixel: number of the pixel that each belongs to.
        share: how much of the pixel's light comes along it.
        starts: where each begins.
        ways: where each goes, as long as the first ray.
    """

    pixel: NDArray[np.int32]
    share: NDArray[np.float32]
    starts: NDArray[np.float32]
    ways: NDArray[np.float32]


def find_bounces(
    prim: NDArray[np.int32],
    rays: NDArray[np.float32],
    origins: Floats,
    depth: NDArray[np.float32],
    planes: Floats,
    kind: NDArray[np.uint8],
    gloss: NDArray[np.float32],
) -> Bounces:
    """Return the second rays of views whose pixels see the faces `prim` (views, height, width)."""
    count = _count(prim, kind)
    found = Bounces(
        np.empty(count, dtype=np.int32),
        np.empty(count, dtype=np.float32),
        np.empty((count, 3), dtype=np.float32),
        np.empty((count, 3), dtype=np.float32),
    )
    used = _find(prim, rays, origins, depth, planes, kind, gloss, *found) if count else 0
    return Bounces(found.pixel[:used], found.share[:used], found.starts[:used], found.ways[:used])


@compiled
def _count(prim: NDArray[np.int32], kind: NDArray[np.uint8]) -> int:
    views, height, width = prim.shape
    count = 0
    for k in range(views):
        for row in range(height):
            for column in range(width):
                face = prim[k, row, column]
                if face >= 0 and SHINY <= kind[face] <= MIRROR:
                    count += kind[face] != SHINY or (row % 2 == 0 and column % 2 == 0)
    return count


@compiled
def _find(
    prim: NDArray[np.int32],
    rays: NDArray[np.float32],
    origins: Floats,
    depth: NDArray[np.float32],
    planes: Floats,
    kind: NDArray[np.uint8],
    gloss: NDArray[np.float32],
    pixel: NDArray[np.int32],
    share: NDArray[np.float32],
    starts: NDArray[np.float32],
    ways: NDArray[np.float32],
) -> int:
    views, height, width = prim.shape
    n = 0
    for k in range(views):
        for row in range(height):
            for column in range(width):
                face = prim[k, row, column]
                if face < 0 or kind[face] < SHINY or kind[face] > MIRROR:
                    continue
                if kind[face] == SHINY and (row % 2 != 0 or column % 2 != 0):
                    continue
                ray, t = rays[k, row, column], float(depth[k, row, column])
                dx, dy, dz = float(ray[0]), float(ray[1]), float(ray[2])
                nx, ny, nz = planes[face, 0], planes[face, 1], planes[face, 2]
                along = nx * dx + ny * dy + nz * dz
                facing = abs(along) / math.sqrt(dx * dx + dy * dy + dz * dz)
                grazing = 1.0 - min(facing, 1.0)
                grazing = grazing * grazing * grazing * grazing * grazing
                if kind[face] == GLASS:
                    part, turn = _THROUGH * (1.0 - grazing), 0.0
                elif kind[face] == MIRROR:
                    part, turn = _BACK, -2.0 * along
                else:
                    part = gloss[face] + _BLUR * (1.0 - gloss[face]) * grazing
                    turn = -2.0 * along
                    if part < _FAINT:
                        continue
                lift = _OFF if (along < 0.0) == (turn != 0.0) else -_OFF
                pixel[n] = (k * height + row) * width + column
                share[n] = part
                starts[n, 0] = origins[k, 0] + t * dx + lift * nx
                starts[n, 1] = origins[k, 1] + t * dy + lift * ny
                starts[n, 2] = origins[k, 2] + t * dz + lift * nz
                ways[n, 0], ways[n, 1], ways[n, 2] = dx + turn * nx, dy + turn * ny, dz + turn * nz
                n += 1
    return n


@compiled
def add_bounces(
    prim: NDArray[np.int32],
    kind: NDArray[np.uint8],
    pixel: NDArray[np.int32],
    share: NDArray[np.float32],
    away: NDArray[np.float32],
    colours: NDArray[np.float32],
    light: NDArray[np.float32],
) -> None:
    """Mix what second rays have found into the light (views, height, width, 3) of their pixels.

    What is far away shows fainter in shiny floors, as it does in those that are not quite smooth.
    """
    _, height, width = prim.shape
    for i in range(len(pixel)):
        at = pixel[i]
        k, row, column = at // (height * width), at // width % height, at % width
        face, part = prim[k, row, column], share[i]
        block = 2 if kind[face] == SHINY else 1
        if block == 2:
            part /= 1.0 + _SPREAD * min(away[i], 20.0)
        for r in range(row, min(row + block, height)):
            for c in range(column, min(column + block, width)):
                other = prim[k, r, c]
                if block == 2 and (other < 0 or kind[other] != SHINY):
                    continue
                for j in range(3):
                    own = light[k, r, c, j]
                    light[k, r, c, j] = own + part * (colours[i, j] - own)
