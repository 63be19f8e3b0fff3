"""What observations say beside the pictures: instruction, GPS, compass, heading, nearest wall."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.habitat.episodes import VLNEpisode
from vlnscope.habitat.measures import option
from vlnscope.habitat.registration import TaskSensor, registry
from vlnscope.habitat.rotation import rotation_of
from vlnscope.habitat.simulator import Simulator
from vlnscope.worlds.continuous.motion import pose_at, wrap_yaw


@registry.provide("sensor", "InstructionSensor")
class InstructionSensor(TaskSensor):
    """The instruction: ``text``, ``tokens`` and ``trajectory_id``."""

    def __init__(self, config: Any = None, **kwargs: Any) -> None:
        self.cls_uuid = str(option(config, "instruction_sensor_uuid", "instruction"))
        super().__init__(config=config)

    def get_observation(self, episode: VLNEpisode, **kwargs: Any) -> dict[str, Any]:
        """Return the instruction of the episode."""
        told = episode.instruction
        return {
            "text": told.instruction_text,
            "tokens": told.instruction_tokens,
            "trajectory_id": episode.trajectory_id,
        }


class PoseSensor(TaskSensor):
    """A sensor that looks at where the agent is."""

    def __init__(self, sim: Simulator, config: Any = None, **kwargs: Any) -> None:
        self._sim = sim
        super().__init__(config=config)


@registry.provide("sensor", "GPSSensor")
class EpisodicGPSSensor(PoseSensor):
    """Metres ahead of where the agent started and to its right; with 3 dimensions x, y, z from there."""

    cls_uuid = "gps"

    def get_observation(self, episode: VLNEpisode, **kwargs: Any) -> NDArray[np.float32]:
        """Return the place in the frame of the start."""
        away = np.asarray(self._sim.pose.position) - np.asarray(episode.start_position)
        x, y, z = rotation_of(episode.start_rotation).inverse().turned(away)
        planar = int(option(self.config, "dimensionality", 2)) == 2
        return np.array([-z, x] if planar else [x, y, z], dtype=np.float32)


@registry.provide("sensor", "CompassSensor")
class EpisodicCompassSensor(PoseSensor):
    """Radians that the agent is turned to the left of where it looked first."""

    cls_uuid = "compass"

    def get_observation(self, episode: VLNEpisode, **kwargs: Any) -> NDArray[np.float32]:
        """Return the angle."""
        x, y, z, w = episode.start_rotation
        first = pose_at(episode.start_position, (x, y, z, w)).yaw
        return np.array([wrap_yaw(self._sim.pose.yaw - first)], dtype=np.float32)


@registry.provide("sensor", "HeadingSensor")
class HeadingSensor(PoseSensor):
    """Radians that the agent is turned to the left of -z."""

    cls_uuid = "heading"

    def get_observation(self, **kwargs: Any) -> NDArray[np.float32]:
        """Return the angle."""
        return np.array([wrap_yaw(self._sim.pose.yaw)], dtype=np.float32)


@registry.provide("sensor", "ProximitySensor")
class ProximitySensor(PoseSensor):
    """Metres to the nearest wall, at most ``max_detection_radius``."""

    cls_uuid = "proximity"

    def get_observation(self, **kwargs: Any) -> NDArray[np.float32]:
        """Return the distance."""
        within = float(option(self.config, "max_detection_radius", 2.0))
        far = self._sim.distance_to_closest_obstacle(self._sim.pose.position, within)
        return np.array([within if math.isnan(far) else far], dtype=np.float32)
