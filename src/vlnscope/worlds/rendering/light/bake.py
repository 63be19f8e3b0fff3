"""Bakes the light of a mesh: sun, sky and lamps become an atlas that pictures multiply their colours with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats
from vlnscope.worlds.rendering.light.adapting import adapted, sky_light, sky_scale, surroundings
from vlnscope.worlds.rendering.light.charts import LightAtlas, light_atlas
from vlnscope.worlds.rendering.light.ends import AWAY
from vlnscope.worlds.rendering.light.gather import GatheredLight, LightGatherer
from vlnscope.worlds.rendering.light.screen import bytes_to_linear
from vlnscope.worlds.rendering.light.sky import Sky
from vlnscope.worlds.rendering.light.smoothing import evened, filled, smoothed, softened
from vlnscope.worlds.rendering.mesh import Mesh

RAYS = 16
"""How many rays each point sends by default."""
VERSION = 3
"""Of the baker: grows with every change of what comes out of it, so that cached light is baked anew."""
_WHITE, _SHOWN = 0.8, 0.47
_BURIED, _OPEN = 0.8, 0.1
_MOST, _DIM, _LEAST = 1e4, 0.008, 0.04
_GLIMMER, _NEAR = 7e-4, 0.3


@dataclass(frozen=True, eq=False)
class BakedLight:
    """The light on every face of a mesh.

    The linear colour of a place is the surface's colour (linear, 0-1) times the light there, and it is shown
    times `exposure`, through a tone curve.

    Attributes:
        frames: per face the map from x, y, z, 1 to column and row in the atlas, (n, 2, 4). Whole numbers are
            the middles of texels; the light between them is interpolated between the four around.
        atlas: red, green, blue light per texel, (rows, columns, 3). The last row and column are never read
            but with weight 0.
        sky: what `sky_radiance` reads to draw the sky as bright as the light.
        exposure: makes a white wall in usual light 0.47 (about 0.72 on a screen).
        lamps: whether they are on.
    """

    frames: NDArray[np.float32]
    atlas: NDArray[np.float32]
    sky: Floats
    exposure: float
    lamps: bool = True


class PointLight(NamedTuple):
    """Light at the points of an atlas.

    Attributes:
        light: red, green, blue per point, as eyes used to the place see it, (n, 3), in half precision.
        usual: what is usual indoors.
    """

    light: NDArray[np.float16]
    usual: float


def bake_light(
    mesh: Mesh, sky: Sky, lamps_on: bool, *, albedo: Floats | None = None, rays: int = RAYS, seed: int = 0
) -> BakedLight:
    """Bake the light of a mesh.

    The same arguments give the same bytes on every machine, whatever else runs. Light is that on the side
    to which a face's normal points; places that lie inside something take that of places beside them. A
    glimmer from everywhere, less in corners, lets rooms be seen that no light reaches.

    Args:
        mesh: what is lit; ``glass`` lets light through, ``glow`` sends it out.
        sky: what shines from outside.
        lamps_on: whether the glowing faces do.
        albedo: linear red, green, blue that each face sends back; from its colour if not given.
        rays: how many rays a point sends around; more make light smoother and baking slower.
        seed: of the directions of the rays.
    """
    atlas = light_atlas(mesh)
    return baked(
        atlas, sky, lamps_on, bake_points(mesh, atlas, sky, lamps_on, albedo=albedo, rays=rays, seed=seed)
    )


def bake_points(
    mesh: Mesh,
    atlas: LightAtlas,
    sky: Sky,
    lamps_on: bool,
    *,
    albedo: Floats | None = None,
    rays: int = RAYS,
    seed: int = 0,
) -> PointLight:
    """Return the light at the points of a mesh's atlas; arguments as for `bake_light`."""
    albedo = bytes_to_linear(mesh.colour) if albedo is None else albedo
    gathered = LightGatherer(mesh, atlas, sky, albedo, rays, seed).gather(lamps_on=lamps_on)
    known = gathered.buried <= _BURIED
    soft = smoothed(atlas, filled(atlas, gathered.soft, known), gathered.room)
    light = soft + softened(atlas, filled(atlas, gathered.sun, known))
    light += (
        np.float32(_GLIMMER) * evened(atlas, gathered.room / (gathered.room + np.float32(_NEAR)))[:, None]
    )
    around = surroundings(atlas, light, gathered.ends, gathered.room, sky_light(sky))
    usual = _usual(atlas, gathered, around)
    light = np.maximum(light, np.float32(_LEAST) * around)
    return PointLight(np.minimum(adapted(light, around, usual), _MOST).astype(np.float16), usual)


def baked(atlas: LightAtlas, sky: Sky, lamps_on: bool, light: PointLight) -> BakedLight:
    """Put light at points into its atlas."""
    return BakedLight(
        atlas.frames,
        atlas.filled(light.light.astype(np.float32)),
        sky.params(scale=sky_scale(sky_light(sky), light.usual)),
        _SHOWN / (_WHITE * light.usual),
        lamps_on,
    )


def _usual(atlas: LightAtlas, gathered: GatheredLight, around: NDArray[np.float32]) -> float:
    """Return the light of a usual place from which little of the sky is seen; not less than lamps give."""
    indoors = (gathered.ends[: atlas.grid] == AWAY).mean(axis=1) < _OPEN
    inside = around[: atlas.grid][indoors] if indoors.any() else around
    return max(_DIM, float(np.median(inside.mean(axis=1)))) if len(inside) else _DIM
