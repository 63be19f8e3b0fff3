"""The configurations that are known by name, and the parts that they are made of (``known.toml``)."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from vlnscope.core.toml_file import packaged_toml
from vlnscope.habitat.config.node import Config, put

OLD = "-0.1.7"
"""How the names of configurations with the spelling of Habitat 0.1.7 end."""
AGENT = "habitat.simulator.agents.main_agent"
HOMES: Mapping[str, str] = {
    "sim_sensors": f"{AGENT}.sim_sensors",
    "lab_sensors": "habitat.task.lab_sensors",
    "measurements": "habitat.task.measurements",
    "actions": "habitat.task.actions",
}
"""Where parts of each kind stand in a configuration."""


@cache
def known() -> Mapping[str, Any]:
    """Return the tables of ``known.toml``."""
    return packaged_toml(__name__)


def base() -> Config:
    """Return Habitat's defaults for a navigation task, without sensors and measures."""
    return Config({"habitat": copy.deepcopy(known()["habitat"])})


def part_names(kind: str) -> tuple[str, ...]:
    """Return the names of the parts of a kind (see `HOMES`) that can be added."""
    return tuple(known()["parts"][kind])


def add_parts(config: Config, kind: str, names: Iterable[str]) -> None:
    """Add parts of a kind to a configuration, with Habitat's defaults."""
    for name in names:
        put(config, f"{HOMES[kind]}.{name}", copy.deepcopy(known()["parts"][kind][name]))


def preset_names() -> tuple[str, ...]:
    """Return the names of configurations that need no file.

    Example:
        >>> preset_names()[:2]
        ('vlnce', 'vlnce-0.1.7')
    """
    return tuple(name for preset in known()["preset"] for name in preset["names"])


def preset(name: str) -> Config:
    """Return the configuration of a name, one of `preset_names`.

    Example:
        >>> preset("vlnce").habitat.simulator.turn_angle, preset("vlnce-0.1.7").SIMULATOR.TURN_ANGLE
        (15, 15)
    """
    entry = next(entry for entry in known()["preset"] if name in entry["names"])
    config = base()
    for kind in HOMES:
        add_parts(config, kind, entry.get(kind, ()))
    for option, value in entry["set"].items():
        put(config, f"habitat.{option}", copy.deepcopy(value))
    return in_old_spelling(config) if name.endswith(OLD) else config


def in_old_spelling(config: Config) -> Config:
    """Return a configuration as Habitat 0.1.7 spells it.

    Sensors, measures and actions are named in lists; their options stand beside the lists, also those of
    parts that are not in them.
    """
    habitat = config.habitat
    simulator = _upper({k: v for k, v in habitat.simulator.items() if k != "agents"})
    agent = habitat.simulator.agents.main_agent
    simulator["AGENT_0"] = _upper({k: v for k, v in agent.items() if k != "sim_sensors"})
    simulator["AGENT_0"]["SENSORS"] = _names(agent.sim_sensors)
    simulator |= _upper(known()["parts"]["sim_sensors"]) | _upper(agent.sim_sensors)
    task = {"TYPE": habitat.task.type}
    task |= {"SENSORS": _names(habitat.task.lab_sensors), "MEASUREMENTS": _names(habitat.task.measurements)}
    task["POSSIBLE_ACTIONS"] = _names(habitat.task.actions)
    for kind in ("lab_sensors", "measurements"):
        task |= _upper(known()["parts"][kind]) | _upper(habitat.task[kind])
    return Config(
        {
            "SEED": habitat.seed,
            "ENVIRONMENT": _upper(habitat.environment),
            "SIMULATOR": simulator,
            "TASK": task,
            "DATASET": _upper(habitat.dataset),
        }
    )


def _names(parts: Iterable[str]) -> list[str]:
    return [name.upper() for name in parts]


def _upper(options: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name.upper(): _upper(value) if isinstance(value, Mapping) else copy.deepcopy(value)
        for name, value in options.items()
    }
