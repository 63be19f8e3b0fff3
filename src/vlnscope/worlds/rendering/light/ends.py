"""Where the rays of light end: at other points, in the sky, at panes; and light that travels along them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats
from vlnscope.worlds.rendering.light.sky import sky_radiance

AWAY, BACK, PANE = -1, -2, -3
"""What stands for the point that a ray meets if it meets none."""

Singles = NDArray[np.float32]


@compiled
def _end_of(
    face: int,
    origin: Singles,
    way: Singles,
    planes: Floats,
    frames: Singles,
    texel_point: NDArray[np.int32],
) -> tuple[int, float, float]:
    """Return the point nearest to where a ray meets a face, how far that is, and the slope of the ray."""
    nx, ny, nz = planes[face, 0], planes[face, 1], planes[face, 2]
    slope = nx * way[0] + ny * way[1] + nz * way[2]
    far = 0.0
    if slope != 0.0:
        far = max(0.0, (planes[face, 3] - nx * origin[0] - ny * origin[1] - nz * origin[2]) / slope)
    x, y, z = origin[0] + far * way[0], origin[1] + far * way[1], origin[2] + far * way[2]
    column = frames[face, 0, 0] * x + frames[face, 0, 1] * y + frames[face, 0, 2] * z + frames[face, 0, 3]
    row = frames[face, 1, 0] * x + frames[face, 1, 1] * y + frames[face, 1, 2] * z + frames[face, 1, 3]
    i = min(max(int(row + 0.5), 0), texel_point.shape[0] - 1)
    j = min(max(int(column + 0.5), 0), texel_point.shape[1] - 1)
    return texel_point[i, j], far, slope


@compiled
def resolve(
    faces: NDArray[np.int32],
    origins: Singles,
    ways: Singles,
    planes: Floats,
    pane_of: NDArray[np.int32],
    frames: Singles,
    texel_point: NDArray[np.int32],
    params: Floats,
    thin: NDArray[np.bool_],
    direct: Singles,
    ends: NDArray[np.int32],
    room: Singles,
    buried: Singles,
) -> None:
    """Note where rays end: in the sky, at another point, or at a pane that is looked at later."""
    rays = ends.shape[1]
    for p in range(len(ends)):
        r, g, b = 0.0, 0.0, 0.0
        near, behind = 0.0, 0
        for k in range(rays):
            at = p * rays + k
            face = faces[at]
            if face < 0:
                red, green, blue = sky_radiance(params, ways[at, 0], ways[at, 1], ways[at, 2])
                r, g, b = r + red, g + green, b + blue
                continue
            point, far, slope = _end_of(face, origins[at], ways[at], planes, frames, texel_point)
            near += 1.0 / max(far, 0.01)
            if pane_of[face] >= 0:
                ends[p, k] = PANE - pane_of[face]
            elif slope > 0.0:
                behind += 1
                ends[p, k] = point if thin[face] else BACK
            else:
                ends[p, k] = point
        direct[p, 0] += r / rays
        direct[p, 1] += g / rays
        direct[p, 2] += b / rays
        room[p] = rays / max(near, 1e-3)
        buried[p] = behind / rays


@compiled
def resolve_aimed(
    faces: NDArray[np.int32],
    used: NDArray[np.int64],
    rays: int,
    origins: Singles,
    ways: Singles,
    weight: Singles,
    planes: Floats,
    frames: Singles,
    texel_point: NDArray[np.int32],
    params: Floats,
    direct: Singles,
    weights: Singles,
    ends: NDArray[np.int32],
) -> None:
    """Note what rays through panes see; those that end before the pane count as rays that are not aimed."""
    for i in range(len(used)):
        at = used[i]
        p = at // rays
        if faces[i] < 0:
            x, y, z = ways[at, 0], ways[at, 1], ways[at, 2]
            length = (x * x + y * y + z * z) ** 0.5
            r, g, b = sky_radiance(params, x / length, y / length, z / length)
            direct[p, 0] += weight[at] * r
            direct[p, 1] += weight[at] * g
            direct[p, 2] += weight[at] * b
            continue
        point, far, _ = _end_of(faces[i], origins[at], ways[at], planes, frames, texel_point)
        if far > 1.0:
            weights[p, at % rays] = weight[at]
            ends[p, at % rays] = point


@compiled
def hand_on(
    sent: Singles,
    direct: Singles,
    ends: NDArray[np.int32],
    weights: Singles,
    aimed: NDArray[np.int32],
) -> Singles:
    """Return what points get if others send this on."""
    light = np.empty_like(direct)
    rays = ends.shape[1]
    for p in range(len(direct)):
        r, g, b = 0.0, 0.0, 0.0
        for k in range(rays):
            q = ends[p, k]
            if q >= 0:
                r, g, b = r + sent[q, 0], g + sent[q, 1], b + sent[q, 2]
        r, g, b = r / rays, g / rays, b / rays
        for k in range(weights.shape[1]):
            q, w = aimed[p, k], weights[p, k]
            if q >= 0:
                r, g, b = r + w * sent[q, 0], g + w * sent[q, 1], b + w * sent[q, 2]
        light[p, 0], light[p, 1], light[p, 2] = direct[p, 0] + r, direct[p, 1] + g, direct[p, 2] + b
    return light


@compiled
def note_seen(
    ends: NDArray[np.int32], number: NDArray[np.int32], group: NDArray[np.int64], seen: NDArray[np.bool_]
) -> None:
    """Note the emitters of each group: those of points that rays end at, or panes if there are no numbers."""
    for p in range(len(ends)):
        for k in range(ends.shape[1]):
            q = ends[p, k]
            if len(number) and q >= 0 and number[q] >= 0:
                seen[group[p], number[q]] = True
            elif not len(number) and q <= PANE:
                seen[group[p], PANE - q] = True
