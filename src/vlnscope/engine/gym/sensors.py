"""Cameras of agents as gymnasium spaces, and pictures of many agents drawn at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.cameras import Camera, Look, camera_of
from vlnscope.worlds.continuous.motion import SpacePose
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.scene_looks import look_in

_KINDS = ("rgb", "depth", "semantic")


class CameraSensor(NamedTuple):
    """A camera and what it shows.

    Attributes:
        name: the sight, as agents write it in ``needs``.
        kind: ``rgb``, ``depth`` or ``semantic``.
        camera: the camera.
    """

    name: str
    kind: str
    camera: Camera

    @property
    def box(self) -> spaces.Box:
        """The space of its pictures."""
        camera = self.camera
        views = (camera.count,) if camera.count > 1 else ()
        size = (*views, camera.height, camera.width)
        if self.kind == "rgb":
            return spaces.Box(0, 255, (*size, 3), np.uint8)
        if self.kind == "semantic":
            return spaces.Box(-1, np.iinfo(np.int32).max, size, np.int32)
        near, far = (0.0, 1.0) if camera.normalise else (camera.near, camera.far)
        return spaces.Box(near, far, (*size, 1), np.float32)

    def pictures(self, seen: Look) -> NDArray[Any]:
        """Return what it shows of a look of agents with such cameras, one picture a row."""
        if self.kind == "rgb":
            return seen.rgb
        if self.kind == "semantic":
            return seen.semantic
        return self.camera.depth_of(seen.metres)[..., None]


def camera_sensors(names: Sequence[str]) -> tuple[CameraSensor, ...]:
    """Return the cameras of some sights.

    Raises:
        InputError: a name describes no camera.

    Example:
        >>> [sensor.box.shape for sensor in camera_sensors(["rgb:64x48", "depth:64x48,count=12"])]
        [(48, 64, 3), (12, 48, 64, 1)]
    """
    return tuple(_sensor(name) for name in names)


def _sensor(name: str) -> CameraSensor:
    kind, _, text = name.partition(":")
    if kind not in _KINDS:
        raise InputError(
            f"{name!r} is no camera",
            expected=f"{', '.join(_KINDS)}, each with a camera behind a colon if need be",
            fix="write for example rgb:128x128",
        )
    return CameraSensor(name, kind, camera_of(text, kind))


def draw(
    sensors: Sequence[CameraSensor], scene: Scene, poses: Sequence[SpacePose]
) -> dict[str, NDArray[Any]]:
    """Return the pictures of agents in one scene, by sensor; cameras that see the same draw it once."""
    if not sensors:
        return {}
    stances = ([p.position for p in poses], [p.yaw for p in poses], [p.pitch for p in poses])
    looks: dict[tuple[float, ...], Look] = {}
    for sensor in sensors:
        if sensor.camera.views not in looks:
            looks[sensor.camera.views] = look_in(scene, sensor.camera, *stances)
    return {sensor.name: sensor.pictures(looks[sensor.camera.views]) for sensor in sensors}
