"""Actions and observations as spaces of gymnasium, for loops that build a network from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from vlnscope.core.exceptions import MissingPackageError
from vlnscope.habitat.config.sensors import SensorSettings
from vlnscope.habitat.config.settings import Settings


def action_space(actions: tuple[str, ...]) -> Any:
    """Return the numbers of the actions."""
    return _spaces().Discrete(len(actions))


def observation_space(settings: Settings) -> Any:
    """Return what the cameras show, by name; other sensors are left out."""
    spaces = _spaces()
    return spaces.Dict({sensor.uuid: _picture(spaces, sensor) for sensor in settings.sensors})


def _picture(spaces: Any, sensor: SensorSettings) -> Any:
    camera = sensor.camera
    size = (camera.height, camera.width)
    if sensor.kind == "rgb":
        return spaces.Box(0, 255, (*size, 3), np.uint8)
    if sensor.kind == "semantic":
        return spaces.Box(0, np.iinfo(np.int32).max, (*size, 1), np.int32)
    low, high = (0.0, 1.0) if camera.normalise else (camera.near, camera.far)
    return spaces.Box(low, high, (*size, 1), np.float32)


def _spaces() -> Any:
    try:
        from gymnasium import spaces
    except ImportError:
        raise MissingPackageError(
            "gymnasium", "gym", "describes actions and observations", "do without env.action_space"
        ) from None
    return spaces
