"""The sky over a scene: where the sun stands, how bright each direction is, and clouds that differ by seed.

Light is linear and relative: a white page under a clear sky without the sun gets about 1, with the sun high
about 5. x points east and y north unless the sky is turned.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from vlnscope.core.compiled import compiled, part
from vlnscope.core.rng import rng_for
from vlnscope.types import Floats

RGB3 = tuple[float, float, float]

_LATITUDE, _DECLINATION = math.radians(46.0), math.radians(14.0)
_THICK = (0.055, 0.105, 0.21)
_SUN = 5.2
_DISC = math.cos(math.radians(0.9))


@dataclass(frozen=True)
class Sky:
    """What shines from outside.

    Attributes:
        sun: unit vector towards the sun; below the horizon it does not shine.
        sunlight: red, green and blue light that a surface facing the sun gets from it.
        zenith: radiance straight up.
        horizon: radiance at the horizon.
        ground: radiance below the horizon, where no ground is modelled.
        glow: radiance added near the sun.
        cloud: radiance of the clouds.
        cover: share of the sky that clouds hide, 0-1.
        seed: of the shapes of the clouds.
    """

    sun: RGB3
    sunlight: RGB3
    zenith: RGB3
    horizon: RGB3
    ground: RGB3
    glow: RGB3
    cloud: RGB3
    cover: float = 0.0
    seed: int = 0

    def params(self, *, disc: bool = True, scale: float = 1.0) -> Floats:
        """Return what `sky_radiance` reads.

        Args:
            disc: whether the sun itself is seen; light that is gathered from the sky leaves it out, since
                sunlight is added on its own.
            scale: factor of all radiances.
        """
        shift = rng_for(self.seed, "clouds").uniform(-500.0, 500.0, 2)
        values = [
            *self.sun,
            *(scale * c for colour in (self.zenith, self.horizon, self.ground) for c in colour),
            *(scale * c for c in self.glow),
            *(scale * c for c in self.cloud),
            self.cover,
            *shift.tolist(),
            _DISC if disc and max(self.sunlight) > 0.0 else 2.0,
            *(12.0 * scale * c for c in self.sunlight),
        ]
        return np.array(values, dtype=np.float64)


def uniform_sky(radiance: float) -> Sky:
    """Return a sky of the same radiance everywhere, below the horizon too, without a sun."""
    grey = (radiance, radiance, radiance)
    dark = (0.0, 0.0, 0.0)
    return Sky((0.0, 0.0, 1.0), dark, grey, grey, grey, dark, grey)


def sky_at(hour: float, cover: float = 0.2, north: float = 0.0, seed: int = 0) -> Sky:
    """Return the sky of a late spring day at 46° north.

    Args:
        hour: solar time, 0-24; the sun is highest at 12 and sets at about 19.
        cover: share of clouds, 0-1; under a closed cover the sun casts no shadows.
        north: degrees clockwise from +y to where north is.
        seed: of the shapes of the clouds.
    """
    sun = _sun(hour, math.radians(north))
    high = math.degrees(math.asin(sun[2]))
    day = _smooth(-9.0, 12.0, high)
    low = 1.0 - _smooth(0.0, 25.0, high)
    path = 1.0 / max(sun[2] + 0.04, 0.03)
    clear = (1.0 - _smooth(0.35, 0.85, cover)) * _smooth(-1.0, 3.0, high)
    sunlight = _colour(_SUN * clear * math.exp(-t * path) for t in _THICK)
    grey = _smooth(0.3, 1.0, cover)
    zenith = _mix((0.34, 0.56, 1.02), (0.82, 0.86, 0.93), grey)
    horizon = _mix(_mix((1.0, 1.12, 1.25), (1.25, 0.92, 0.68), low), (0.86, 0.88, 0.92), grey)
    night = (0.0004, 0.0005, 0.0010)
    zenith, horizon = _mix(night, zenith, day), _mix((0.0014, 0.0013, 0.0015), horizon, day)
    ground = _colour(
        0.16 * max(day, 0.001) * w + 0.06 * max(sun[2], 0.0) * s
        for w, s in zip((1.0, 0.98, 0.86), sunlight, strict=True)
    )
    glow = _colour(0.4 * (1.0 - grey) ** 2 * s * day for s in (1.0, 0.86 - 0.25 * low, 0.7 - 0.4 * low))
    lit = _colour(0.8 + 0.12 * s + 0.06 * sunlight[0] for s in sunlight)
    cloud = _mix(night, _mix(lit, (0.74, 0.77, 0.82), grey), day)
    return Sky(sun, sunlight, zenith, horizon, ground, glow, cloud, float(cover), seed)


def _sun(hour: float, north: float) -> RGB3:
    angle = math.radians(15.0 * (hour - 12.0))
    up = math.sin(_LATITUDE) * math.sin(_DECLINATION) + math.cos(_LATITUDE) * math.cos(
        _DECLINATION
    ) * math.cos(angle)
    east = -math.cos(_DECLINATION) * math.sin(angle)
    to_north = math.cos(_LATITUDE) * math.sin(_DECLINATION) - math.sin(_LATITUDE) * math.cos(
        _DECLINATION
    ) * math.cos(angle)
    c, s = math.cos(north), math.sin(north)
    return (east * c + to_north * s, to_north * c - east * s, up)


def _smooth(low: float, high: float, value: float) -> float:
    t = min(max((value - low) / (high - low), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


def _mix(one: RGB3, other: RGB3, share: float) -> RGB3:
    return _colour(a + (b - a) * share for a, b in zip(one, other, strict=True))


def _colour(values: Iterable[float]) -> RGB3:
    r, g, b = values
    return (float(r), float(g), float(b))


@part
def _hash(i: int, j: int) -> float:
    """Return a number in 0-1 that belongs to a grid point."""
    n = np.uint32(i) * np.uint32(0x9E3779B1) ^ np.uint32(j) * np.uint32(0x85EBCA77)
    n = (n ^ (n >> np.uint32(15))) * np.uint32(0x2C1B3C6D)
    n = n ^ (n >> np.uint32(13))
    return float(n & np.uint32(0xFFFFFF)) / 16777216.0


@part
def _noise(x: float, y: float) -> float:
    fx, fy = math.floor(x), math.floor(y)
    i, j = int(fx), int(fy)
    s, t = x - fx, y - fy
    s, t = s * s * (3.0 - 2.0 * s), t * t * (3.0 - 2.0 * t)
    a, b, c, d = _hash(i, j), _hash(i + 1, j), _hash(i, j + 1), _hash(i + 1, j + 1)
    return a + (b - a) * s + (c - a + (a - b - c + d) * s) * t


@part
def _cloudiness(params: Floats, dx: float, dy: float, dz: float) -> float:
    """Return how much of the sky clouds hide in a direction above the horizon, 0-1."""
    far = 1.0 / (dz + 0.10)
    x, y = dx * far * 1.3 + params[19], dy * far * 1.3 + params[20]
    n = 0.55 * _noise(x, y) + 0.30 * _noise(2.1 * x + 7.3, 2.1 * y) + 0.15 * _noise(4.7 * x, 4.7 * y + 3.1)
    edge = 0.86 - 0.78 * params[18]
    t = min(max((n - edge) * 4.0, 0.0), 1.0)
    return float(t * t * (3.0 - 2.0 * t) * min(1.0, dz * 9.0))


@compiled
def sky_radiance(params: Floats, dx: float, dy: float, dz: float) -> RGB3:
    """Return the linear red, green and blue that come from a direction (a unit vector).

    `params` are those of `Sky.params`. Below the horizon it is the ground's, hazy near the horizon.
    """
    if dz < 0.0:
        t = min(1.0, -dz * 7.0)
        return (
            params[6] + (params[9] - params[6]) * t,
            params[7] + (params[10] - params[7]) * t,
            params[8] + (params[11] - params[8]) * t,
        )
    h = 1.0 - dz
    t = h * h
    t = t * t * (0.35 + 0.65 * h)
    r = params[3] + (params[6] - params[3]) * t
    g = params[4] + (params[7] - params[4]) * t
    b = params[5] + (params[8] - params[5]) * t
    c = dx * params[0] + dy * params[1] + dz * params[2]
    near = 0.0
    if c > 0.0:
        c4 = c * c
        c4 *= c4
        c16 = c4 * c4
        c16 *= c16
        c64 = c16 * c16
        c64 *= c64
        near = 0.25 * c4 + 0.5 * c16 + c64 * 1.5
    r += near * params[12]
    g += near * params[13]
    b += near * params[14]
    if c > params[21]:
        r += params[22]
        g += params[23]
        b += params[24]
    if params[18] > 0.0:
        cover = 0.92 * _cloudiness(params, dx, dy, dz)
        bright = 0.8 + 0.25 * near
        r += (params[15] * bright - r) * cover
        g += (params[16] * bright - g) * cover
        b += (params[17] * bright - b) * cover
    return r, g, b
