"""How bright light looks: eyes and cameras adapt to each room, and so does the light that is stored.

Between a sunlit garden and a corridor without windows lie factors of a thousand, which no picture shows. The
light of a place is divided by a power of the usual light around it, channel by channel, which also takes
away most of a colour cast. Shade and sun patches within a room keep their contrast.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats
from vlnscope.worlds.rendering.light.charts import LightAtlas
from vlnscope.worlds.rendering.light.ends import AWAY
from vlnscope.worlds.rendering.light.sampling import hemisphere
from vlnscope.worlds.rendering.light.sky import Sky, sky_radiance
from vlnscope.worlds.rendering.light.smoothing import smoothed

STRENGTH, IN_THE_DARK = 0.76, 0.92
"""Power of the adaptation where it is bright and where it is dark: 0 shows light as it is, 1 makes all rooms
equally bright."""
_DARKEST = 1.2e-3
_PASSES = 2
_PULL, _NEAR = 0.03, 1.5
_CONSTANCY = 0.3

Singles = NDArray[np.float32]


def surroundings(
    atlas: LightAtlas, light: Singles, ends: NDArray[np.int32], room: Singles, outside: Floats
) -> Singles:
    """Return the usual light around each point: the geometric mean over what its rays meet.

    Things that are near count little, so that a place under a table belongs to the room and not to the
    table, and where all is near, the mean is drawn to the usual light of the whole mesh.

    Args:
        atlas: of the points.
        light: at the points.
        ends: the point that each ray meets, as in `GatheredLight`.
        room: distance to other things per point.
        outside: usual light of the sky, for rays that leave.
    """
    around = np.log(np.maximum(light, np.float32(_DARKEST)))
    sky = np.log(np.maximum(outside, _DARKEST)).astype(np.float32)
    position = atlas.points.position.astype(np.float32)
    for _ in range(_PASSES):
        usual = np.median(around, axis=0).astype(np.float32) if len(around) else sky
        around = smoothed(atlas, _mean_of_ends(around, position, ends, sky, usual), room)
    return np.exp(around)


def sky_light(sky: Sky) -> Floats:
    """Return the light on level ground under a sky, without the sun, and half of what the sun adds."""
    total = np.zeros(3)
    directions = hemisphere(16).reshape(-1, 3)
    params = sky.params(disc=False)
    for x, y, z in directions.tolist():
        total += sky_radiance(params, x, y, z)
    return total / len(directions) + 0.5 * max(sky.sun[2], 0.0) * np.array(sky.sunlight)


def adapted(light: Singles, around: Singles, usual: float) -> Singles:
    """Return light as it looks to eyes used to the light around it; hues are weaker than they are."""
    ratio = np.float32(usual) / around
    seen = light * ratio ** np.where(ratio > 1.0, np.float32(IN_THE_DARK), np.float32(STRENGTH))
    grey = seen.mean(axis=1, keepdims=True)
    return np.asarray(seen + np.float32(_CONSTANCY) * (grey - seen), dtype=np.float32)


def sky_scale(outside: Floats, usual: float) -> float:
    """Return by how much the sky is dimmed to look right beside adapted light."""
    return math.pow(usual / max(float(outside.mean()), _DARKEST), STRENGTH)


@compiled
def _mean_of_ends(
    values: Singles, position: Singles, ends: NDArray[np.int32], sky: Singles, usual: Singles
) -> Singles:
    out = np.empty_like(values)
    rays = ends.shape[1]
    for p in range(len(values)):
        total = _PULL * rays
        red, green, blue = total * usual[0], total * usual[1], total * usual[2]
        for k in range(rays):
            q = ends[p, k]
            if q >= 0:
                x, y = position[q, 0] - position[p, 0], position[q, 1] - position[p, 1]
                z = position[q, 2] - position[p, 2]
                away = x * x + y * y + z * z
                w = away / (away + _NEAR)
                red, green, blue = red + w * values[q, 0], green + w * values[q, 1], blue + w * values[q, 2]
                total += w
            elif q == AWAY:
                red, green, blue = red + sky[0], green + sky[1], blue + sky[2]
                total += 1.0
        out[p, 0], out[p, 1], out[p, 2] = red / total, green / total, blue / total
    return out
