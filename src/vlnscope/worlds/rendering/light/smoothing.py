"""Takes the noise out of gathered light, within charts only and least where things are near."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.worlds.rendering.light.charts import LightAtlas
from vlnscope.worlds.rendering.light.gather import Gathered

BURIED = 0.5
"""Share of rays that meet backs of faces from which on a point lies inside something."""


def smoothed(atlas: LightAtlas, gathered: Gathered) -> NDArray[np.float32]:
    """Return the light at the points of an atlas without noise; buried points take that of neighbours."""
    hidden = gathered.buried > BURIED
    soft = _filled(atlas, gathered.soft, hidden)
    sun = _filled(atlas, gathered.sun, hidden)
    group = atlas.points.group
    soft[: atlas.grid] = _blurred(soft, gathered.room, atlas.texel, atlas.texel_point, group)
    return soft + sun


def _filled(atlas: LightAtlas, light: NDArray[np.float32], hidden: NDArray[np.bool_]) -> NDArray[np.float32]:
    light, known = light.copy(), ~hidden
    for _ in range(3):
        known = _grow(light, known, atlas.texel, atlas.texel_point, atlas.points.group, atlas.corners)
    return light


@compiled
def _grow(
    light: NDArray[np.float32],
    known: NDArray[np.bool_],
    texel: NDArray[np.int32],
    texel_point: NDArray[np.int32],
    group: NDArray[np.int64],
    corners: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Give unknown points the mean of known neighbours; return which are known then."""
    after = known.copy()
    sums = np.zeros((len(light), 4), dtype=np.float64)
    for p in range(len(texel)):
        if known[p]:
            continue
        for dr in range(-1, 2):
            for dc in range(-1, 2):
                r, c = texel[p, 0] + dr, texel[p, 1] + dc
                if r < 0 or c < 0 or r >= texel_point.shape[0] or c >= texel_point.shape[1]:
                    continue
                q = texel_point[r, c]
                if q >= 0 and known[q] and group[q] == group[p]:
                    for i in range(3):
                        sums[p, i] += light[q, i]
                    sums[p, 3] += 1.0
    for f in range(len(corners)):
        for k in range(3):
            p, q, s = corners[f, k], corners[f, (k + 1) % 3], corners[f, (k + 2) % 3]
            if known[p]:
                continue
            for other in (q, s):
                if known[other]:
                    for i in range(3):
                        sums[p, i] += light[other, i]
                    sums[p, 3] += 1.0
    for p in range(len(light)):
        if sums[p, 3] > 0.0:
            for i in range(3):
                light[p, i] = sums[p, i] / sums[p, 3]
            after[p] = True
    return after


@compiled
def _blurred(
    light: NDArray[np.float32],
    room: NDArray[np.float32],
    texel: NDArray[np.int32],
    texel_point: NDArray[np.int32],
    group: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Return the mean over 4 by 4 texels of the same chart, which use all patterns of directions."""
    out = np.empty((len(texel), 3), dtype=np.float32)
    rows, columns = texel_point.shape
    for p in range(len(texel)):
        total, r_, g_, b_ = 0.0, 0.0, 0.0, 0.0
        narrow = min(1.0, max(0.0, room[p] / 0.6))
        for dr in range(-2, 3):
            for dc in range(-2, 3):
                r, c = texel[p, 0] + dr, texel[p, 1] + dc
                if r < 0 or c < 0 or r >= rows or c >= columns:
                    continue
                q = texel_point[r, c]
                if q < 0 or group[q] != group[p]:
                    continue
                w = (0.5 if abs(dr) == 2 else 1.0) * (0.5 if abs(dc) == 2 else 1.0)
                d = dr * dr + dc * dc
                w *= narrow + (1.0 - narrow) * np.exp(-0.7 * d)
                total += w
                r_ += w * light[q, 0]
                g_ += w * light[q, 1]
                b_ += w * light[q, 2]
        out[p, 0], out[p, 1], out[p, 2] = r_ / total, g_ / total, b_ / total
    return out
