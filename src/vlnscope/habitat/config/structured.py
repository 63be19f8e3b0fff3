"""Structured configs: classes under which loops of Habitat 0.2 and later write down measures and sensors.

Each is called with the options that differ from Habitat's defaults and gives a node of a configuration.
"""

from __future__ import annotations

import copy
from typing import Any

from vlnscope.core.exceptions import UnknownNameError
from vlnscope.habitat.config.known import known
from vlnscope.habitat.config.node import Config


def structured(kind: str, name: str, /, **options: Any) -> Config:
    """Return the options of a part, with Habitat's defaults for those that are not given.

    Args:
        kind: ``measurements``, ``lab_sensors``, ``sim_sensors`` or ``actions``.
        name: of the part.
        options: what differs.

    Raises:
        UnknownNameError: the part has no such option.
    """
    made = Config(copy.deepcopy(known()["parts"][kind][name]))
    for option, value in options.items():
        if option not in made:
            raise UnknownNameError(f"option of {name}", option, made)
        made[option] = value
    return made


def fog_of_war(draw: bool = True, visibility_dist: float = 5.0, fov: float = 90) -> Config:
    """Return whether a top-down map hides what was not seen, and how far and wide the agent sees."""
    return Config({"draw": draw, "visibility_dist": visibility_dist, "fov": fov})


CLASSES: dict[str, tuple[str, str]] = {
    "CollisionsMeasurementConfig": ("measurements", "collisions"),
    "DistanceToGoalMeasurementConfig": ("measurements", "distance_to_goal"),
    "DistanceToGoalRewardMeasurementConfig": ("measurements", "distance_to_goal_reward"),
    "NumStepsMeasurementConfig": ("measurements", "num_steps"),
    "SPLMeasurementConfig": ("measurements", "spl"),
    "SoftSPLMeasurementConfig": ("measurements", "soft_spl"),
    "SuccessMeasurementConfig": ("measurements", "success"),
    "TopDownMapMeasurementConfig": ("measurements", "top_down_map"),
    "InstructionSensorConfig": ("lab_sensors", "instruction_sensor"),
    "GPSSensorConfig": ("lab_sensors", "gps_sensor"),
    "CompassSensorConfig": ("lab_sensors", "compass_sensor"),
    "HeadingSensorConfig": ("lab_sensors", "heading_sensor"),
    "ProximitySensorConfig": ("lab_sensors", "proximity_sensor"),
    "HabitatSimRGBSensorConfig": ("sim_sensors", "rgb_sensor"),
    "HabitatSimDepthSensorConfig": ("sim_sensors", "depth_sensor"),
    "HabitatSimSemanticSensorConfig": ("sim_sensors", "semantic_sensor"),
    "LookUpActionConfig": ("actions", "look_up"),
    "LookDownActionConfig": ("actions", "look_down"),
}
"""Habitat's names of structured configs, and the parts that they stand for."""
