"""Pinhole cameras: where they look, and the rays through their pixels.

Headings are radians clockwise from +y, elevations radians up from level, as in `views`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vlnscope.core.compiled import compiled
from vlnscope.core.exceptions import InputError
from vlnscope.types import Floats


def camera_axes(headings: ArrayLike, elevations: ArrayLike) -> Floats:
    """Return per camera the unit vectors right, forward and up, (k, 3, 3).

    Example:
        >>> camera_axes(math.pi / 2, 0.0).round(6)[0, 1].tolist()
        [1.0, 0.0, 0.0]
    """
    h, e = np.broadcast_arrays(
        np.atleast_1d(np.asarray(headings, dtype=np.float64)), np.asarray(elevations, dtype=np.float64)
    )
    sin_h, cos_h, sin_e, cos_e = np.sin(h), np.cos(h), np.sin(e), np.cos(e)
    right = np.stack([cos_h, -sin_h, np.zeros_like(h)], axis=-1)
    forward = np.stack([sin_h * cos_e, cos_h * cos_e, sin_e], axis=-1)
    up = np.stack([-sin_h * sin_e, -cos_h * sin_e, cos_e], axis=-1)
    return np.stack([right, forward, up], axis=1)


def pixel_rays(axes: Floats, *, width: int, height: int, vfov: float) -> NDArray[np.float32]:
    """Return the rays through the pixels' centres, (k, height, width, 3), each 1 long along the view axis."""
    rays = np.empty((len(axes), height, width, 3), dtype=np.float32)
    _cast_directions(np.ascontiguousarray(axes), *half_tangents(width, height, vfov), rays)
    return rays


def half_tangents(width: int, height: int, vfov: float) -> tuple[float, float]:
    """Return the tangents of half the horizontal and half the vertical angle of view (degrees)."""
    tan_y = math.tan(math.radians(vfov) / 2.0)
    return tan_y * width / height, tan_y


def check_cameras(origins: Floats, width: int, height: int, vfov: float, supersample: int) -> None:
    """Raise an InputError for sizes, angles or places (x, y, z) that no camera has."""
    if min(width, height, supersample) < 1 or not 0.0 < vfov < 180.0:
        raise InputError(
            f"no camera has {width}×{height} pixels, {vfov}° of view and supersampling {supersample}",
            expected="sizes and supersampling of at least 1, an angle between 0° and 180°",
            fix="MatterSim uses 640×480 and 60°",
        )
    if not np.isfinite(origins).all():
        raise InputError(
            "a camera stands at a place that is not finite",
            expected="x, y, z in metres",
            fix="check the viewpoint's position",
        )


@compiled
def _cast_directions(axes: Floats, tan_x: float, tan_y: float, out: NDArray[np.float32]) -> None:
    """Write the ray through each pixel's centre; its component along the view axis is 1.

    Args:
        axes: per view the unit vectors right, forward and up.
        tan_x: tangent of half the horizontal angle of view.
        tan_y: tangent of half the vertical angle of view.
        out: (views, height, width, 3).
    """
    views, height, width, _ = out.shape
    for k in range(views):
        for row in range(height):
            b = tan_y * (1.0 - (2 * row + 1) / height)
            for column in range(width):
                a = tan_x * ((2 * column + 1) / width - 1.0)
                for i in range(3):
                    out[k, row, column, i] = axes[k, 1, i] + a * axes[k, 0, i] + b * axes[k, 2, i]
