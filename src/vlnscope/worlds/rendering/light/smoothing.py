"""Takes the noise out of gathered light, within charts only and least where things are near."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.worlds.rendering.light.charts import LightAtlas

Singles = NDArray[np.float32]
_STEPS = (1, 2, 4)


def smoothed(atlas: LightAtlas, light: Singles, room: Singles) -> Singles:
    """Return light without noise.

    The mean over four by four texels takes in all patterns of directions; means over wider neighbourhoods
    follow. Texels count the more the more alike their `room` is, the distance to other things, so that the
    shade in corners and under furniture stays. Corners are averaged with those that they share an edge with.
    """
    grid = light[: atlas.grid]
    room = np.float32(1.0) / evened(atlas, np.float32(1.0) / room)
    for step in _STEPS:
        grid = _blurred(grid, room, step, atlas.texel, atlas.texel_point, atlas.points.group)
    return np.concatenate([grid, _averaged(light, atlas.grid, atlas.corners)])


def softened(atlas: LightAtlas, light: Singles) -> Singles:
    """Return light whose edges are not jagged: each texel of a chart averaged with those beside it."""
    return np.concatenate(
        [_tent(light, atlas.texel, atlas.texel_point, atlas.points.group), light[atlas.grid :]]
    )


def evened(atlas: LightAtlas, values: Singles) -> Singles:
    """Return single numbers per point without noise, as the first mean of `smoothed`."""
    same = np.ones(atlas.grid, dtype=np.float32)
    rows = np.repeat(values[: atlas.grid, None], 3, axis=1)
    mean = _blurred(rows, same, 1, atlas.texel, atlas.texel_point, atlas.points.group)
    return np.concatenate([mean[:, 0], values[atlas.grid :]])


def filled(atlas: LightAtlas, light: Singles, known: NDArray[np.bool_]) -> Singles:
    """Return light in which unknown points have that of their nearest known neighbours, if they have any."""
    light, known = light.copy(), known.copy()
    for _ in range(4):
        if known.all():
            break
        known = _grow(light, known, atlas.texel, atlas.texel_point, atlas.points.group, atlas.corners)
    return light


@compiled
def _grow(
    light: Singles,
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
                    _add(sums, light, p, q)
    for f in range(len(corners)):
        for k in range(3):
            p = corners[f, k]
            if known[p]:
                continue
            for other in range(1, 3):
                q = corners[f, (k + other) % 3]
                if known[q]:
                    _add(sums, light, p, q)
    for p in range(len(light)):
        if sums[p, 3] > 0.0:
            for i in range(3):
                light[p, i] = sums[p, i] / sums[p, 3]
            after[p] = True
    return after


@compiled
def _add(sums: NDArray[np.float64], light: Singles, p: int, q: int) -> None:
    for i in range(3):
        sums[p, i] += light[q, i]
    sums[p, 3] += 1.0


@compiled
def _averaged(light: Singles, first: int, corners: NDArray[np.int64]) -> Singles:
    """Return the light of corners, half of it that of the corners that they share a face with."""
    sums = np.zeros((len(light) - first, 4), dtype=np.float64)
    for f in range(len(corners)):
        for k in range(3):
            p = corners[f, k] - first
            for other in range(1, 3):
                q = corners[f, (k + other) % 3]
                for i in range(3):
                    sums[p, i] += light[q, i]
                sums[p, 3] += 1.0
    out = light[first:].copy()
    for p in range(len(out)):
        if sums[p, 3] > 0.0:
            for i in range(3):
                out[p, i] = 0.5 * out[p, i] + 0.5 * sums[p, i] / sums[p, 3]
    return out


@compiled
def _blurred(
    light: Singles,
    room: Singles,
    step: int,
    texel: NDArray[np.int32],
    texel_point: NDArray[np.int32],
    group: NDArray[np.int64],
) -> Singles:
    """Return a mean over 5 by 5 texels of the same chart that lie `step` apart, the outer ones half."""
    out = np.empty((len(texel), 3), dtype=np.float32)
    rows, columns = texel_point.shape
    for p in range(len(texel)):
        total, red, green, blue = 0.0, 0.0, 0.0, 0.0
        for dr in range(-2, 3):
            for dc in range(-2, 3):
                r, c = texel[p, 0] + dr * step, texel[p, 1] + dc * step
                if r < 0 or c < 0 or r >= rows or c >= columns:
                    continue
                q = texel_point[r, c]
                if q < 0 or group[q] != group[p]:
                    continue
                w = (0.5 if abs(dr) == 2 else 1.0) * (0.5 if abs(dc) == 2 else 1.0)
                w *= min(room[p], room[q]) / max(room[p], room[q])
                total += w
                red += w * light[q, 0]
                green += w * light[q, 1]
                blue += w * light[q, 2]
        out[p, 0], out[p, 1], out[p, 2] = red / total, green / total, blue / total
    return out


@compiled
def _tent(
    light: Singles, texel: NDArray[np.int32], texel_point: NDArray[np.int32], group: NDArray[np.int64]
) -> Singles:
    """Return a mean over 3 by 3 texels of the same chart, the middle ones double."""
    out = np.empty((len(texel), 3), dtype=np.float32)
    rows, columns = texel_point.shape
    for p in range(len(texel)):
        total, red, green, blue = 0.0, 0.0, 0.0, 0.0
        for dr in range(-1, 2):
            for dc in range(-1, 2):
                r, c = texel[p, 0] + dr, texel[p, 1] + dc
                if r < 0 or c < 0 or r >= rows or c >= columns:
                    continue
                q = texel_point[r, c]
                if q < 0 or group[q] != group[p]:
                    continue
                w = float((2 - abs(dr)) * (2 - abs(dc)))
                total += w
                red += w * light[q, 0]
                green += w * light[q, 1]
                blue += w * light[q, 2]
        out[p, 0], out[p, 1], out[p, 2] = red / total, green / total, blue / total
    return out
