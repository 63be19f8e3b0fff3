"""Functions on rotations under the names that habitat_sim, habitat and numpy-quaternion give them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vlnscope.habitat.rotation import Rotation, rotation_of
from vlnscope.types import Floats


def quat_from_coeffs(coeffs: Any) -> Rotation:
    """Return the rotation of the numbers x, y, z, w.

    Example:
        >>> quat_from_coeffs([0, 0, 0, 1])
        Rotation(1.0, 0.0, 0.0, 0.0)
    """
    return rotation_of(np.asarray(coeffs, dtype=np.float64).tolist())


def quat_to_coeffs(quat: Any) -> Floats:
    """Return the numbers x, y, z, w of a rotation."""
    own = rotation_of(quat)
    return np.array([own.x, own.y, own.z, own.w])


def quaternion_to_list(q: Any) -> list[float]:
    """Return the numbers x, y, z, w of a rotation as a list."""
    numbers: list[float] = quat_to_coeffs(q).tolist()
    return numbers


def quat_rotate_vector(q: Any, v: Any) -> Floats:
    """Return a vector, turned by a rotation.

    Example:
        >>> quat_rotate_vector(quat_from_angle_axis(math.pi / 2, [0, 1, 0]), [0, 0, -1]).round(6).tolist()
        [-1.0, 0.0, -0.0]
    """
    return rotation_of(q).turned(v)


def quat_from_angle_axis(theta: float, axis: Any) -> Rotation:
    """Return the rotation by an angle in radians about an axis, which need not have length 1."""
    along = np.asarray(axis, dtype=np.float64)
    along = along / np.linalg.norm(along)
    return Rotation(math.cos(theta / 2), *(math.sin(theta / 2) * along))


def quat_to_angle_axis(quat: Any) -> tuple[float, Floats]:
    """Return the angle of a rotation in [0, 2π) and its axis; the axis is x where nothing turns."""
    own = rotation_of(quat).normalized()
    size = float(np.linalg.norm(own.imag))
    angle = 2 * math.atan2(size, own.w)
    return angle, own.imag / size if size > 0 else np.array([1.0, 0.0, 0.0])


def quat_from_two_vectors(v0: Any, v1: Any) -> Rotation:
    """Return the shortest rotation that turns the direction of one vector to that of another.

    Where they are opposite, it is half a turn about any axis across.
    """
    a, b = (np.asarray(v, dtype=np.float64) / np.linalg.norm(v) for v in (v0, v1))
    half = 1.0 + float(a @ b)
    if half > 1e-9:
        return Rotation(half, *np.cross(a, b)).normalized()
    across = np.cross(a, [1.0, 0.0, 0.0] if abs(a[0]) < 0.9 else [0.0, 1.0, 0.0])
    return quat_from_angle_axis(math.pi, across)


def angle_between_quats(q1: Any, q2: Any) -> float:
    """Return the angle in [0, π] between two rotations.

    Example:
        >>> round(angle_between_quats([0, 0, 0, 1], [0, 1, 0, 0]), 6) == round(math.pi, 6)
        True
    """
    apart = rotation_of(q1).inverse() * rotation_of(q2)
    return 2 * math.atan2(float(np.linalg.norm(apart.imag)), abs(apart.w))


def cartesian_to_polar(x: float, y: float) -> tuple[float, float]:
    """Return the length and the angle of a vector in the plane."""
    return float(np.hypot(x, y)), float(np.arctan2(y, x))


def as_float_array(q: Any) -> Floats:
    """Return the numbers w, x, y, z of a rotation."""
    return rotation_of(q).components


def as_rotation_matrix(q: Any) -> Floats:
    """Return the 3 × 3 matrix of a rotation.

    Example:
        >>> as_rotation_matrix([0, 1, 0, 0]).tolist()
        [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]
    """
    own = rotation_of(q)
    return np.stack([own.turned(axis) for axis in np.eye(3)], axis=-1)


def from_rotation_vector(vector: Any) -> Rotation:
    """Return the rotation about a vector by as many radians as it is long."""
    angle = float(np.linalg.norm(vector))
    return quat_from_angle_axis(angle, vector) if angle else Rotation()


def as_rotation_vector(q: Any) -> Floats:
    """Return the axis of a rotation, as long as its angle in radians."""
    angle, axis = quat_to_angle_axis(q)
    return angle * axis
