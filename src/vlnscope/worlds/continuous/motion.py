"""How a body moves in continuous space: forward until something is in the way, and turns on the spot.

Positions are in Habitat's frame; yaw is in radians, 0 looks along -z and left is positive. The rules are
those of habitat-sim: a turn never fails, a forward step is filtered by the navigation mesh, and a step that
comes out shorter than commanded is a collision.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.types import Flags, Floats, Point
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.frames import Quaternion, heading_of_quaternion, heading_of_yaw, yaw_of_heading

_SHORTER = 1e-5


class SpacePose(NamedTuple):
    """Where a body stands and where its camera looks.

    Attributes:
        position: of the foot, in Habitat's frame.
        yaw: radians about the up axis, left positive, in (-π, π].
        pitch: radians that the camera looks up, in (-π, π].
        collided: whether the last move ended at something.
    """

    position: Point
    yaw: float
    pitch: float = 0.0
    collided: bool = False

    @property
    def heading(self) -> float:
        """Radians clockwise, in [0, 2π), as everywhere on graphs; 0 looks along -z."""
        return heading_of_yaw(self.yaw)

    @property
    def rotation(self) -> Quaternion:
        """The rotation x, y, z, w of the body."""
        return (0.0, math.sin(self.yaw / 2), 0.0, math.cos(self.yaw / 2))


def pose_at(position: ArrayLike, rotation: Quaternion) -> SpacePose:
    """Return the pose of a position and a rotation x, y, z, w.

    Raises:
        InputError: they are not finite, or the rotation looks straight up or down.

    Example:
        >>> pose_at([0, 0, 1], (0.0, 0.0, 0.0, 1.0))
        SpacePose(position=(0.0, 0.0, 1.0), yaw=0.0, pitch=0.0, collided=False)
    """
    x, y, z = map(float, np.asarray(position, dtype=np.float64))
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        raise InputError(
            f"nobody can stand at {[x, y, z]}",
            expected="three finite coordinates in metres",
            fix="correct the start position of the episode",
        )
    return SpacePose((x, y, z), yaw_of_heading(heading_of_quaternion(rotation)))


def wrap_yaw(yaw: float) -> float:
    """Return the same angle in (-π, π].

    Example:
        >>> round(wrap_yaw(math.radians(190)), 6) == round(math.radians(-170), 6)
        True
    """
    return yaw_of_heading(heading_of_yaw(yaw))


def turn(pose: SpacePose, degrees: float) -> SpacePose:
    """Turn on the spot, left if `degrees` is positive; never a collision."""
    return pose._replace(yaw=wrap_yaw(pose.yaw + math.radians(degrees)), collided=False)


def look(pose: SpacePose, degrees: float) -> SpacePose:
    """Tilt the camera up, or down if `degrees` is negative; the body stays.

    As in Habitat nothing holds a camera: beyond straight up it looks back, upside down.
    """
    return pose._replace(pitch=wrap_yaw(pose.pitch + math.radians(degrees)), collided=False)


def forward(ground: PathFinder, pose: SpacePose, metres: float, *, sliding: bool = True) -> SpacePose:
    """Walk straight ahead, as far as the ground allows."""
    positions, collided = forward_many(ground, [pose.position], [pose.yaw], metres, sliding=sliding)
    x, y, z = map(float, positions[0])
    return pose._replace(position=(x, y, z), collided=bool(collided[0]))


def forward_many(
    ground: PathFinder, positions: ArrayLike, yaws: ArrayLike, metres: ArrayLike, *, sliding: bool = True
) -> tuple[Floats, Flags]:
    """Walk many bodies straight ahead; return where they end, and which of them ran into something.

    A body collides if the square of the way that it made, plus 1e-5, is less than the square of the way that
    it was to make, both in three dimensions: stairs are no collisions.
    """
    starts = np.asarray(positions, dtype=np.float64)
    targets = starts + directions(yaws) * np.asarray(metres, dtype=np.float64).reshape(-1, 1)
    ends = ground.step(starts, targets, sliding=sliding)
    wanted, made = ((targets - starts) ** 2).sum(axis=1), ((ends - starts) ** 2).sum(axis=1)
    return ends, np.asarray(made + _SHORTER < wanted)


def directions(yaws: ArrayLike) -> Floats:
    """Return the unit vectors along which bodies with these yaws look, level.

    Example:
        >>> directions([0.0, math.pi / 2]).round(6).tolist()
        [[-0.0, 0.0, -1.0], [-1.0, 0.0, -0.0]]
    """
    turned: NDArray[np.float64] = np.asarray(yaws, dtype=np.float64)
    return np.stack([-np.sin(turned), np.zeros_like(turned), -np.cos(turned)], axis=-1)
