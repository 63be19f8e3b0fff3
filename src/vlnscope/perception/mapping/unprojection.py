"""From depth pictures to points: where what each pixel sees lies in space.

A pixel whose depth is d along the view axis lies d · (column - middle) / focal length to the right of the
camera and d · (row - middle) / focal length below it. Depth is a fraction of the camera's range; nearly 0
means that nothing was seen, or something too near, nearly 1 something beyond the range: both are left out. So
is what lies more than 1 m below the camera (the floor) or 0.5 m above it (lamps and ceilings): a map shows
what one could bump into or name.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.perception.mapping.classes import CLASSES
from vlnscope.perception.mapping.clouds import PointCloud, Reals
from vlnscope.worlds.cameras import Camera, Stance

NEAREST, FARTHEST = 0.01, 0.99
"""Depths between these, as fractions of the camera's range, count."""
BELOW, ABOVE = 1.0, 0.5
"""Metres from the camera's height between which points are kept."""
OFFICIAL_RANGE = 10.0


@dataclass(frozen=True)
class Unprojection:
    """How the pixels of a camera become points.

    Attributes:
        camera: the depth camera.
        focal: focal lengths across and down, in pixels.
        metres: depth in metres of the fractions 0 and 1.
        dtype: the precision in which is computed.
    """

    camera: Camera
    focal: tuple[float, float]
    metres: tuple[float, float]
    dtype: Any

    def fraction(self, depth: ArrayLike) -> NDArray[np.float32]:
        """Return depth pictures, (n, height, width), as fractions of the camera's range.

        Raises:
            InputError: they have another size than the camera's pictures.
        """
        given = np.asarray(depth, dtype=np.float32)
        pictures = given[..., 0] if given.ndim == 4 else given
        size = self.camera.height, self.camera.width
        if pictures.ndim != 3 or pictures.shape[1:] != size:
            raise InputError(
                f"depth has the shape {given.shape}",
                expected=f"n pictures of {size[0]} × {size[1]} pixels, as the mapper's camera takes them",
                fix="make the mapper with the camera that took the pictures",
            )
        if self.camera.normalise:
            return pictures
        near, far = np.float32(self.camera.near), np.float32(self.camera.far)
        return np.asarray((pictures - near) / (far - near))

    def eye(self, stance: Stance) -> Reals:
        """Return where the camera of an agent is."""
        x, y, z = stance.position
        return np.array([x, y + self.camera.sensor_height, z], dtype=self.dtype)

    def points(self, fraction: NDArray[np.float32], classes: NDArray[np.uint8], stance: Stance) -> PointCloud:
        """Return what one picture shows, in the order of its pixels.

        Args:
            fraction: depth, (height, width), as fractions of the range.
            classes: class of each pixel, (height, width).
            stance: of the agent that looked.
        """
        seen = np.flatnonzero((fraction > np.float32(NEAREST)) & (fraction < np.float32(FARTHEST)))
        local = self._local(fraction.ravel()[seen], seen)
        matrix, eye = self._matrix(stance), self.eye(stance)
        height = _along(local, matrix[1], eye[1])
        low, high = eye[1] - self.dtype(BELOW), eye[1] + self.dtype(ABOVE)
        kept = np.flatnonzero((height > low) & (height < high))
        local = tuple(axis[kept] for axis in local)
        x, z = _along(local, matrix[0], eye[0]), _along(local, matrix[2], eye[2])
        return PointCloud(np.stack([x, height[kept], z], axis=-1), classes.ravel()[seen[kept]])

    def _local(self, fraction: NDArray[np.float32], pixels: NDArray[np.intp]) -> tuple[Reals, ...]:
        """Return how far points are to the right of the camera, below it and ahead."""
        near, far = self.metres
        row, column = np.divmod(pixels, self.camera.width)
        half, dtype = self.dtype(0.5), self.dtype
        across = (column.astype(dtype) + half - dtype(self.camera.width / 2)) / dtype(self.focal[0])
        down = (row.astype(dtype) + half - dtype(self.camera.height / 2)) / dtype(self.focal[1])
        ahead = fraction.astype(dtype) * dtype(far - near) + dtype(near)
        return ahead * across, ahead * down, ahead

    def _matrix(self, stance: Stance) -> Reals:
        """Return the world's axes in terms of the camera's, which point right, down and ahead."""
        up = math.radians(self.camera.pitch) + stance.pitch
        turned = self.dtype(up) + self.dtype(math.pi)
        cos_h, sin_h = _cos_sin(self.dtype(stance.yaw))
        cos_e, sin_e = _cos_sin(turned)
        return np.array(
            [
                [cos_h, sin_e * sin_h, cos_e * sin_h],
                [self.dtype(0.0), cos_e, -sin_e],
                [-sin_h, cos_h * sin_e, cos_h * cos_e],
            ],
            dtype=self.dtype,
        )


def clean_unprojection(camera: Camera) -> Unprojection:
    """Return how pinhole cameras of any shape and range work, in 64 bits."""
    focal = camera.width / 2 / math.tan(math.radians(camera.hfov) / 2)
    return Unprojection(camera, (focal, focal), (camera.near, camera.far), np.float64)


def official_unprojection(camera: Camera) -> Unprojection:
    """Return how IVLN-CE's mapper computes, in 32 bits.

    Its vertical angle of view is the horizontal one times height over width, which is right for square
    pictures only, and fraction 1 stands for 10 m whatever the camera's range.
    """
    hfov = math.radians(camera.hfov)
    angles = (hfov, hfov * camera.height / camera.width)
    across, down = (
        pixels / (2.0 * math.tan(angle / 2.0))
        for pixels, angle in zip((camera.width, camera.height), angles, strict=True)
    )
    return Unprojection(camera, (across, down), (0.0, OFFICIAL_RANGE), np.float32)


def map_classes(classes: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return pictures of classes as they are mapped.

    Raises:
        InputError: they have another shape than the depth, or hold something else than classes.
    """
    given = np.asarray(classes)
    pictures = given[..., 0] if given.ndim == len(shape) + 1 and given.shape[-1:] == (1,) else given
    known = pictures.dtype.kind in "iub" and pictures.shape == shape
    if not known or (pictures.size and not 0 <= pictures.min() <= pictures.max() < len(CLASSES)):
        raise InputError(
            f"semantics have the shape {given.shape} and the type {given.dtype}"
            + (f", from {pictures.min()} to {pictures.max()}" if known else ""),
            expected=f"a class below {len(CLASSES)} for each pixel of the depth, {shape}",
            fix="turn the simulator's numbers into classes with `TrueSemantics`",
        )
    return pictures.astype(np.uint8)


def _along(local: tuple[Reals, ...], factors: Reals, start: Any) -> Reals:
    """Return a coordinate of points: products are added one by one, and rounded once with each sum.

    That is how fused instructions add in 32 bits, which the official matrix product uses; in 64 bits it is a
    plain sum.
    """
    total = local[0] * factors[0]
    for axis, factor in zip(local[1:], factors[1:], strict=True):
        total = (axis.astype(np.float64) * float(factor) + total).astype(factors.dtype)
    return np.asarray(total + start)


def _cos_sin(angle: Any) -> tuple[Any, Any]:
    return type(angle)(math.cos(float(angle))), type(angle)(math.sin(float(angle)))
