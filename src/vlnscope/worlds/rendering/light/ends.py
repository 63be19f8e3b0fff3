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
    maps: Singles,
    texel_point: NDArray[np.int32],
) -> tuple[int, float, float]:
    """Return the point nearest to where a ray meets a face, how far that is, and the slope of the ray."""
    m = maps[face]
    slope = m[0] * way[0] + m[1] * way[1] + m[2] * way[2]
    far = np.float32(0.0)
    if slope != 0.0:
        far = max(far, (m[3] - m[0] * origin[0] - m[1] * origin[1] - m[2] * origin[2]) / slope)
    x, y, z = origin[0] + far * way[0], origin[1] + far * way[1], origin[2] + far * way[2]
    column = m[4] * x + m[5] * y + m[6] * z + m[7]
    row = m[8] * x + m[9] * y + m[10] * z + m[11]
    i = min(max(int(row + 0.5), 0), texel_point.shape[0] - 1)
    j = min(max(int(column + 0.5), 0), texel_point.shape[1] - 1)
    return texel_point[i, j], float(far), float(slope)


@compiled
def resolve(
    faces: NDArray[np.int32],
    origins: Singles,
    ways: Singles,
    maps: Singles,
    pane_of: NDArray[np.int32],
    texel_point: NDArray[np.int32],
    params: Floats,
    thin: NDArray[np.bool_],
    direct: Singles,
    ends: NDArray[np.int32],
    room: Singles,
    buried: Singles,
    place: Floats,
) -> None:
    """Note where rays end: in the sky, at another point, or at a pane that is looked at later.

    Rays that meet the back of a face began inside something and do not count. `place` becomes the middle of
    where the others began.
    """
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
                for i in range(3):
                    place[p, i] += origins[at, i]
                continue
            point, far, slope = _end_of(face, origins[at], ways[at], maps, texel_point)
            if slope > 0.0 and pane_of[face] < 0 and not thin[face]:
                ends[p, k] = BACK
                behind += 1
                continue
            for i in range(3):
                place[p, i] += origins[at, i]
            near += 1.0 / max(far, 0.01)
            if pane_of[face] >= 0:
                ends[p, k] = PANE - pane_of[face]
            else:
                ends[p, k] = point
        good = max(rays - behind, 1)
        direct[p, 0] += r / good
        direct[p, 1] += g / good
        direct[p, 2] += b / good
        for i in range(3):
            place[p, i] /= good
        room[p] = good / max(near, 1e-3)
        buried[p] = behind / rays


@compiled
def resolve_aimed(
    faces: NDArray[np.int32],
    used: NDArray[np.int64],
    rays: int,
    origins: Singles,
    ways: Singles,
    weight: Singles,
    maps: Singles,
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
        point, far, _ = _end_of(faces[i], origins[at], ways[at], maps, texel_point)
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
        good = 0
        for k in range(rays):
            q = ends[p, k]
            if q != BACK:
                good += 1
            if q >= 0:
                r, g, b = r + sent[q, 0], g + sent[q, 1], b + sent[q, 2]
        good = max(good, 1)
        r, g, b = r / good, g / good, b / good
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
