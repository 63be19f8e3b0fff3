"""The cameras that a configuration describes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from vlnscope.core.exceptions import InputError
from vlnscope.habitat.config.known import known
from vlnscope.habitat.coverage import NotCoveredError
from vlnscope.worlds.cameras import Camera

Kind = Literal["rgb", "depth", "semantic"]
TYPES: Mapping[str, Kind] = {
    "HabitatSimRGBSensor": "rgb",
    "HabitatSimDepthSensor": "depth",
    "HabitatSimSemanticSensor": "semantic",
}
"""The classes of cameras that are covered, and what they show."""


class SensorSettings(NamedTuple):
    """A camera on an agent.

    Attributes:
        uuid: its name in observations.
        kind: what it shows.
        camera: its size, angles and height.
        beside: metres to the right of the agent's axis, and behind it.
        yaw: radians that it is turned to the left.
    """

    uuid: str
    kind: Kind
    camera: Camera
    beside: tuple[float, float] = (0.0, 0.0)
    yaw: float = 0.0


def sensor_settings(name: str, options: Mapping[str, Any]) -> SensorSettings:
    """Return the camera that the options of a sensor describe; what they leave out is as in Habitat.

    Example:
        >>> made = sensor_settings("rgb_sensor", {"type": "HabitatSimRGBSensor", "width": 224, "height": 224})
        >>> made.uuid, made.camera.width, made.camera.hfov, made.camera.sensor_height
        ('rgb', 224, 90.0, 1.25)
    """
    given = {str(key).lower(): value for key, value in options.items()}
    kind = TYPES.get(given.get("type", f"HabitatSim{name.partition('_')[0].upper()}Sensor"))
    if kind is None:
        raise NotCoveredError(f"the sensor {name} of type {given.get('type')!r}", TYPES)
    defaults = known()["parts"]["sim_sensors"][f"{kind}_sensor"]
    _check(name, given, (*defaults, "uuid", *known()["harmless"]["sim_sensors"]), defaults)
    whole = {**defaults, **given}
    x, y, z = _three(name, "position", whole["position"])
    pitch, yaw, roll = _three(name, "orientation", whole["orientation"])
    if abs(roll) > 1e-6:
        raise NotCoveredError(f"the sensor {name} with orientation[2] = {roll}", "pitch and yaw; no roll")
    return SensorSettings(
        str(given.get("uuid", kind)),
        kind,
        Camera(
            int(whole["width"]),
            int(whole["height"]),
            hfov=float(whole["hfov"]),
            sensor_height=y,
            pitch=math.degrees(pitch),
            near=float(whole.get("min_depth", 0.0)),
            far=float(whole.get("max_depth", 10.0)),
            normalise=bool(whole.get("normalize_depth", True)),
        ),
        (x, z),
        yaw,
    )


def _check(name: str, given: Mapping[str, Any], names: tuple[str, ...], defaults: Mapping[str, Any]) -> None:
    for option in given:
        if option not in names:
            raise NotCoveredError(f"the option {option} of the sensor {name}", names)
    for option in ("sensor_subtype", "noise_model"):
        if str(given.get(option, defaults[option])) != defaults[option]:
            raise NotCoveredError(
                f"{option} = {given[option]!r} of the sensor {name}", repr(defaults[option])
            )


def _three(name: str, option: str, value: Any) -> tuple[float, float, float]:
    try:
        x, y, z = map(float, value)
    except (TypeError, ValueError):
        raise InputError(
            f"{option} of the sensor {name} is {value!r}",
            expected="three numbers",
            fix=f"write {option}: [0, 1.25, 0]" if option == "position" else f"write {option}: [0, 0, 0]",
        ) from None
    return x, y, z
