"""Rotations as Habitat gives them: an object with x, y, z, w that multiplies like numpy-quaternion's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.types import Floats


class Rotation:
    """A quaternion.

    As with numpy-quaternion, the scalar part comes first where numbers are given in a row. The functions of
    that package that take one quaternion (``as_rotation_matrix``, ``as_float_array``, …) take a rotation too.

    Args:
        w: scalar part.
        x: first part of the vector.
        y: second part of the vector.
        z: third part of the vector.

    Example:
        >>> half = Rotation(0.0, 0.0, 1.0, 0.0)
        >>> half * half, half.inverse() * half, 2 * half
        (Rotation(-1.0, 0.0, 0.0, 0.0), Rotation(1.0, 0.0, 0.0, 0.0), Rotation(0.0, 0.0, 2.0, 0.0))
        >>> half.components.tolist(), half.imag.tolist(), half.real
        ([0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0], 0.0)
    """

    __slots__ = ("w", "x", "y", "z")
    __array_priority__ = 100.0
    shape: tuple[int, ...] = ()

    def __init__(self, w: float = 1.0, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> None:
        self.w, self.x, self.y, self.z = float(w), float(x), float(y), float(z)

    @property
    def components(self) -> Floats:
        """The numbers w, x, y, z."""
        return np.array([self.w, self.x, self.y, self.z])

    @property
    def real(self) -> float:
        """The scalar part, w."""
        return self.w

    @property
    def imag(self) -> Floats:
        """The vector part: x, y, z."""
        return np.array([self.x, self.y, self.z])

    @property
    def vec(self) -> Floats:
        """The vector part: x, y, z."""
        return self.imag

    def norm(self) -> float:
        """Return the sum of the squares, as numpy-quaternion does."""
        return self.w**2 + self.x**2 + self.y**2 + self.z**2

    def abs(self) -> float:
        """Return the length, 1 for a rotation."""
        return math.sqrt(self.norm())

    def normalized(self) -> Rotation:
        """Return the quaternion of length 1."""
        return self / self.abs()

    def conj(self) -> Rotation:
        """Return the conjugate: w, -x, -y, -z."""
        return Rotation(self.w, -self.x, -self.y, -self.z)

    conjugate = conj

    def inverse(self) -> Rotation:
        """Return what gives 1, multiplied with this."""
        return self.conj() / self.norm()

    reciprocal = inverse

    def turned(self, vector: Any) -> Floats:
        """Return a vector, turned by this rotation, which need not have length 1."""
        own, other = self.imag, np.asarray(vector, dtype=np.float64)
        twist = 2.0 * np.cross(own, other) / self.norm()
        return other + self.w * twist + np.cross(own, twist)

    def __mul__(self, other: Any) -> Rotation:
        if not has_parts(other):
            return Rotation(*(self.components * _scalar(other)))
        a, b = self, other
        return Rotation(
            a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        )

    def __rmul__(self, other: Any) -> Rotation:
        if has_parts(other):
            return rotation_of(other) * self
        return self * _scalar(other)

    def __truediv__(self, other: Any) -> Rotation:
        if has_parts(other):
            return self * rotation_of(other).inverse()
        return Rotation(*(self.components / _scalar(other)))

    def __add__(self, other: Any) -> Rotation:
        return Rotation(*(self.components + _parts(other)))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Rotation:
        return Rotation(*(self.components - _parts(other)))

    def __neg__(self) -> Rotation:
        return Rotation(-self.w, -self.x, -self.y, -self.z)

    def __abs__(self) -> float:
        return self.abs()

    def __eq__(self, other: object) -> bool:
        if not has_parts(other):
            return NotImplemented
        return bool((self.components == _parts(other)).all())

    def __hash__(self) -> int:
        return hash((self.w, self.x, self.y, self.z))

    def __repr__(self) -> str:
        return f"Rotation({self.w!r}, {self.x!r}, {self.y!r}, {self.z!r})"

    def __getstate__(self) -> tuple[float, ...]:
        return self.w, self.x, self.y, self.z

    def __setstate__(self, state: tuple[float, ...]) -> None:
        self.w, self.x, self.y, self.z = state

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Let numpy-quaternion, if it is there, make one of its own; else the numbers w, x, y, z."""
        del copy
        if getattr(dtype, "name", "") == "quaternion":
            whole = np.empty((), dtype=dtype)
            whole[()] = dtype.type(self.w, self.x, self.y, self.z)
            return whole
        return self.components.astype(dtype or np.float64)


def has_parts(value: object) -> bool:
    """Return whether a value is a quaternion of whatever package: whether it has w, x, y and z."""
    return all(hasattr(value, part) for part in "wxyz")


def rotation_of(value: Any) -> Rotation:
    """Return the rotation that a loop names: any quaternion, or four numbers x, y, z, w.

    Raises:
        InputError: it is neither.

    Example:
        >>> rotation_of([0, 1, 0, 0])
        Rotation(0.0, 0.0, 1.0, 0.0)
    """
    if isinstance(value, Rotation):
        return value
    if has_parts(value):
        return Rotation(value.w, value.x, value.y, value.z)
    if hasattr(value, "scalar") and hasattr(value, "vector"):  # magnum's
        return Rotation(value.scalar, *value.vector)
    try:
        x, y, z, w = map(float, value)
    except (TypeError, ValueError):
        raise InputError(
            f"{value!r} is no rotation",
            expected="a quaternion, or its four numbers x, y, z, w",
            fix="give agent_state.rotation, or [x, y, z, w]",
        ) from None
    return Rotation(w, x, y, z)


def _parts(other: Any) -> Floats:
    if has_parts(other):
        return rotation_of(other).components
    return np.array([_scalar(other), 0.0, 0.0, 0.0])


def _scalar(other: Any) -> float:
    if np.ndim(other):
        raise TypeError(f"a rotation times an array is not covered: {other!r}; use quat_rotate_vector")
    return float(other)
