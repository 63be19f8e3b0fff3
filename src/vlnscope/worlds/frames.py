"""Converts between the frames of MatterSim and of Habitat.

MatterSim: z up, heading 0 looks along +y and grows clockwise; a viewpoint is where the camera was.
Habitat: y up, yaw 0 looks along -z and grows counter-clockwise; a position is where the agent's foot is.
VLN-CE put R2R's viewpoints on Habitat's navigation mesh: horizontally 98 % of them are where they were
(within 0.1 mm; the others were moved, by up to 1.6 m), and their height is that of the mesh, which only
the mesh itself tells exactly.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from vlnscope.core.exceptions import InputError
from vlnscope.types import Floats
from vlnscope.worlds.graph.views import snap_heading, wrap_heading

MESH_ABOVE_FLOOR = 0.12
"""About how far Habitat's navigation mesh lies above the floor that Matterport's camera heights refer to.

Between 0.01 and 0.2 for nine viewpoints of ten in R2R-CE."""

Quaternion = tuple[float, float, float, float]


def to_habitat(points: ArrayLike, heights: ArrayLike, above_floor: float = MESH_ABOVE_FLOOR) -> Floats:
    """Return where an agent stands in Habitat if its camera is at `points` in MatterSim.

    Args:
        points: one row x, y, z per point, or a single point.
        heights: height of the camera above the floor, one per point or one for all.
        above_floor: how far the mesh lies above the floor; the result's y is as approximate as this.

    Example:
        >>> to_habitat([1.0, 2.0, 1.5], 1.4).round(6).tolist()
        [1.0, 0.22, -2.0]
    """
    x, y, z = _columns(points)
    return np.stack(np.broadcast_arrays(x, z - np.asarray(heights) + above_floor, -y), axis=-1)


def to_mattersim(points: ArrayLike, heights: ArrayLike, above_floor: float = MESH_ABOVE_FLOOR) -> Floats:
    """Return where the camera is in MatterSim if the agent stands at `points` in Habitat.

    The inverse of `to_habitat` with the same `heights` and `above_floor`.
    """
    x, y, z = _columns(points)
    return np.stack(np.broadcast_arrays(x, -z, y - above_floor + np.asarray(heights)), axis=-1)


def turned_to_habitat(points: ArrayLike) -> Floats:
    """Return the same points with Habitat's axes: nothing is moved, only y and z change places.

    Example:
        >>> turned_to_habitat([1.0, 2.0, 1.5]).tolist()
        [1.0, 1.5, -2.0]
    """
    x, y, z = _columns(points)
    return np.stack([x, z, -y], axis=-1)


def turned_to_mattersim(points: ArrayLike) -> Floats:
    """Return the same points with MatterSim's axes; the inverse of `turned_to_habitat`."""
    x, y, z = _columns(points)
    return np.stack([x, -z, y], axis=-1)


def yaw_of_heading(heading: float) -> float:
    """Return Habitat's yaw in (-π, π] of a MatterSim heading.

    VLN-CE's prediction files call this angle ``heading``.
    """
    yaw = wrap_heading(-heading)
    return yaw - math.tau if yaw > math.pi else yaw


def heading_of_yaw(yaw: float) -> float:
    """Return the MatterSim heading in [0, 2π) of Habitat's yaw."""
    return wrap_heading(-yaw)


def quaternion_of_heading(heading: float) -> Quaternion:
    """Return the rotation x, y, z, w that looks along `heading`.

    Of the two quaternions of a rotation, it is the one with y > 0 (for heading 0: w = 1), as in the files
    of VLN-CE.

    Example:
        >>> [round(v, 4) for v in quaternion_of_heading(math.radians(90))]
        [0.0, 0.7071, 0.0, -0.7071]
    """
    half = wrap_heading(heading) / 2
    return (0.0, math.sin(half), 0.0, -math.cos(half)) if half > 0 else (0.0, 0.0, 0.0, 1.0)


def heading_of_quaternion(rotation: Quaternion) -> float:
    """Return the heading in [0, 2π) along which a rotation x, y, z, w looks, seen from above.

    The quaternion need not have length 1. One that looks straight up or down, or is zero, has no heading.
    """
    x, y, z, w = rotation
    right = -2 * (x * z + w * y)
    ahead = w * w + z * z - x * x - y * y
    size = x * x + y * y + z * z + w * w
    if not (math.isfinite(size) and math.hypot(right, ahead) > 1e-9 * size):
        raise InputError(
            f"the rotation {list(rotation)} has no heading",
            expected="a quaternion x, y, z, w that does not look straight up or down",
            fix="check that w comes last; some files write it first",
        )
    return wrap_heading(math.atan2(right, ahead))


def start_rotation(heading: float) -> Quaternion:
    """Return the rotation with which VLN-CE starts an episode: `heading` rounded to a multiple of 30°."""
    return quaternion_of_heading(snap_heading(heading))


def _columns(points: ArrayLike) -> tuple[Floats, Floats, Floats]:
    rows = np.asarray(points, dtype=np.float64)
    if rows.shape[-1:] != (3,):
        raise InputError(
            f"points have the shape {rows.shape}",
            expected="x, y, z in the last dimension",
            fix="give one row of three numbers per point",
        )
    return rows[..., 0], rows[..., 1], rows[..., 2]
