"""What an agent's cameras show at a pose, and where they stand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.habitat.config.sensors import SensorSettings
from vlnscope.habitat.rotation import Rotation
from vlnscope.habitat.states import SixDOFPose
from vlnscope.types import Floats
from vlnscope.worlds.cameras import Look
from vlnscope.worlds.continuous.motion import SpacePose
from vlnscope.worlds.rendering.semantic_parts import SemanticParts, semantic_parts
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.scene_looks import SEMANTICS, look_in


def drawn(scene: Scene, sensors: Sequence[SensorSettings], pose: SpacePose) -> dict[str, NDArray[Any]]:
    """Return what cameras show, by name, as habitat-lab gives it.

    ``rgb`` is uint8 (H, W, 3), ``depth`` float32 (H, W, 1), ``semantic`` int32 (H, W, 1) with the numbers of
    the scene's semantic files, else those of `semantic_parts`; 0 where there is nothing. Cameras that look
    the same way draw it once.
    """
    looks = _looks(scene, sensors, pose)
    return {sensor.uuid: _shown(scene, sensor, seen) for sensor, seen in zip(sensors, looks, strict=True)}


def drawn_by_sim(scene: Scene, sensors: Sequence[SensorSettings], pose: SpacePose) -> dict[str, NDArray[Any]]:
    """Return what cameras show, by name, as habitat-sim itself gives it.

    ``rgb`` has an alpha channel, ``depth`` and ``semantic`` have no last dimension; depth is in metres, and 0
    where there is nothing.
    """
    raw = {}
    for sensor, seen in zip(sensors, _looks(scene, sensors, pose), strict=True):
        if sensor.kind == "depth":
            raw[sensor.uuid] = np.where(np.isfinite(seen.metres[0]), seen.metres[0], np.float32(0.0))
            continue
        shown = _shown(scene, sensor, seen)
        opaque = np.full(shown.shape[:2], 255, dtype=np.uint8)
        raw[sensor.uuid] = (
            np.dstack([shown, opaque]) if sensor.kind == "rgb" else shown[..., 0].astype(np.uint32)
        )
    return raw


def _looks(scene: Scene, sensors: Sequence[SensorSettings], pose: SpacePose) -> list[Look]:
    """Return what each camera sees; those that look the same way share it."""
    looks: dict[Any, Look] = {}
    ways = [(sensor.camera.views, sensor.beside, sensor.yaw) for sensor in sensors]
    for way, sensor in zip(ways, sensors, strict=True):
        if way not in looks:
            at = eye_foot(sensor, pose)
            looks[way] = look_in(scene, sensor.camera, at, pose.yaw + sensor.yaw, pose.pitch)
    return [looks[way] for way in ways]


def _shown(scene: Scene, sensor: SensorSettings, seen: Look) -> NDArray[Any]:
    if sensor.kind == "rgb":
        picture: NDArray[np.uint8] = seen.rgb[0]
        return picture
    if sensor.kind == "depth":
        return sensor.camera.depth_of(seen.metres[0])[..., None]
    if SEMANTICS in scene.loaders:  # numbered by the scene's own files
        return np.asarray(np.maximum(seen.instance[0], 0))[..., None]
    return parts_of(scene).numbers(seen.instance[0], seen.semantic[0])[..., None]


@lru_cache(maxsize=4)
def parts_of(scene: Scene) -> SemanticParts:
    """Return the numbered parts of a scene's mesh."""
    return semantic_parts(scene.layer("renderer").mesh)


def eye_foot(sensor: SensorSettings, pose: SpacePose) -> Floats:
    """Return the point below a camera, as high as the agent's foot."""
    x, z = sensor.beside
    return np.asarray(pose.position) + body_rotation(pose.yaw).turned([x, 0.0, z])


def sensor_pose(sensor: SensorSettings, pose: SpacePose) -> SixDOFPose:
    """Return where a camera is and how it is turned, in the frame of the world."""
    up = math.radians(sensor.camera.pitch) + pose.pitch
    tilt = Rotation(math.cos(up / 2), math.sin(up / 2))
    eye = eye_foot(sensor, pose) + np.array([0.0, sensor.camera.sensor_height, 0.0])
    return SixDOFPose(eye.astype(np.float32), body_rotation(pose.yaw + sensor.yaw) * tilt)


def body_rotation(yaw: float) -> Rotation:
    """Return the rotation of a body that is turned left by `yaw` radians."""
    return Rotation(math.cos(yaw / 2), 0.0, math.sin(yaw / 2))
