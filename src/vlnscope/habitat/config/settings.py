"""What a configuration asks for, whichever way it is spelled, checked and typed.

Options that are not known, or that ask for something that is not covered, are refused by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from vlnscope.core.exceptions import InputError
from vlnscope.habitat.config.known import known
from vlnscope.habitat.config.node import Config, as_option
from vlnscope.habitat.config.sensors import SensorSettings, sensor_settings
from vlnscope.habitat.coverage import NotCoveredError
from vlnscope.worlds.continuous.body import Body
from vlnscope.worlds.continuous.navmesh.settings import NavMeshSettings

ACTIONS = ("stop", "move_forward", "turn_left", "turn_right", "look_up", "look_down")
"""The actions that are covered, in the order of their numbers."""
_OLD_ACTIONS = {"LOOK_UP": "look_up", "LOOK_DOWN": "look_down"}


class Part(NamedTuple):
    """A measure or a sensor of the task: its name, its class, and its options as given."""

    name: str
    type: str
    options: Config


class Settings(NamedTuple):
    """What a configuration asks for.

    Attributes:
        seed: of all random choices.
        max_steps: actions of an episode; 0 for no limit.
        max_seconds: how long an episode may take; 0 for no limit.
        iterator: how episodes follow each other, see `EpisodeIterator`.
        body: how far an agent steps and turns.
        ground: size of the agent, for which the navigation mesh is baked.
        sensors: cameras.
        lab_sensors: other sensors.
        measures: in the order in which they are updated.
        actions: in the order of their numbers.
        dataset: the options of the data set, in lower case.
        simulator: the options of the simulator as given.
    """

    seed: int
    max_steps: int
    max_seconds: float
    iterator: Mapping[str, Any]
    body: Body
    ground: NavMeshSettings
    sensors: tuple[SensorSettings, ...]
    lab_sensors: tuple[Part, ...]
    measures: tuple[Part, ...]
    actions: tuple[str, ...]
    dataset: Mapping[str, Any]
    simulator: Config


def settings_of(config: Mapping[str, Any]) -> Settings:
    """Return what a configuration asks for: a whole one, or its part ``habitat`` or ``TASK_CONFIG``.

    Raises:
        NotCoveredError: an option asks for something that is not covered; it is named.
        InputError: a value cannot be used.
    """
    tree = config if isinstance(config, Config) else Config(config)
    tree = tree.get("habitat", tree.get("TASK_CONFIG", tree))
    old = "SIMULATOR" in tree
    check_whole(tree, old)
    plain: dict[str, Any] = _lower(tree)
    parts = _old_parts(tree, plain) if old else _new_parts(tree)
    _fill(plain)
    check_known(plain, old)
    simulator, agent = plain["simulator"], _agent(plain)
    return Settings(
        seed=int(plain.get("seed", 0)),
        max_steps=int(plain["environment"]["max_episode_steps"]),
        max_seconds=float(plain["environment"]["max_episode_seconds"]),
        iterator=plain["environment"]["iterator_options"],
        body=Body(
            float(simulator["forward_step_size"]),
            float(simulator["turn_angle"]),
            float(simulator["tilt_angle"]),
            bool(simulator["habitat_sim_v0"]["allow_sliding"]),
        ),
        ground=NavMeshSettings(
            agent_height=float(agent["height"]),
            agent_radius=float(agent["radius"]),
            agent_max_climb=float(agent["max_climb"]),
            agent_max_slope=float(agent["max_slope"]),
        ),
        sensors=tuple(sensor_settings(name, node) for name, node in agent["sim_sensors"].items()),
        lab_sensors=parts["lab_sensors"],
        measures=parts["measurements"],
        actions=_actions(part.name for part in parts["actions"]),
        dataset=plain["dataset"],
        simulator=tree["SIMULATOR"] if old else tree["simulator"],
    )


def check_whole(tree: Config, old: bool) -> None:
    """Refuse a configuration that lacks one of its four parts."""
    for name in ("environment", "simulator", "task", "dataset"):
        if (name.upper() if old else name) not in tree:
            raise InputError(
                f"the configuration has no {name.upper() if old else name}",
                expected="environment, simulator, task and dataset, under `habitat` or in capitals",
                fix='begin with get_config("vlnce") and change what you need',
            )


def check_known(plain: Mapping[str, Any], old: bool) -> None:
    """Refuse options that nobody knows, and values that are not covered."""
    tables = known()
    harmless: Mapping[str, list[str]] = tables["harmless"]
    simulator, task = plain["simulator"], plain["task"]
    nodes: list[tuple[str, Mapping[str, Any], Iterable[str]]] = [
        ("", plain, (*tables["habitat"], *harmless["habitat"])),
        ("environment", plain["environment"], tables["habitat"]["environment"]),
        ("simulator", simulator, (*tables["habitat"]["simulator"], *harmless["simulator"])),
        ("task", task, (*tables["habitat"]["task"], *harmless["task"])),
    ]
    sim_v0, agent = tables["habitat"]["simulator"]["habitat_sim_v0"], _known_agent()
    v0_known, agent_known = (*sim_v0, *harmless["habitat_sim_v0"]), (*agent, *harmless["main_agent"])
    nodes.append(("simulator.habitat_sim_v0", simulator["habitat_sim_v0"], v0_known))
    nodes.append(("simulator.agents.main_agent", _agent(plain), agent_known))
    for path, node, names in nodes:
        for name in node:
            if name not in names:
                raise NotCoveredError(f"the option {_spelled(path, name, old)}", sorted(names))
    for path, allowed in tables["only"].items():
        node, name = plain, path
        while "." in name:
            first, _, name = name.partition(".")
            node = node.get(first, {})
        if name in node and node[name] not in allowed:
            raise NotCoveredError(f"{_spelled('', path, old)} = {node[name]!r}", map(repr, allowed))


def _known_agent() -> Mapping[str, Any]:
    agent: Mapping[str, Any] = known()["habitat"]["simulator"]["agents"]["main_agent"]
    return agent


def _spelled(path: str, name: str, old: bool) -> str:
    whole = f"{path}.{name}".strip(".")
    return whole.upper().replace("AGENTS.MAIN_AGENT", "AGENT_0") if old else f"habitat.{whole}"


def _agent(plain: Mapping[str, Any]) -> Mapping[str, Any]:
    agents = plain["simulator"]["agents"]
    if len(agents) != 1:
        raise NotCoveredError(f"{len(agents)} agents", "one agent: main_agent")
    agent: Mapping[str, Any] = next(iter(agents.values()))
    return {**_known_agent(), **agent}


def _actions(names: Iterable[str]) -> tuple[str, ...]:
    actions = tuple(names)
    for action in actions:
        if action not in ACTIONS:
            raise NotCoveredError(f"the action {action!r}", ACTIONS)
    return actions


def _new_parts(tree: Config) -> dict[str, tuple[Part, ...]]:
    kinds, usual = ("lab_sensors", "measurements", "actions"), known()["habitat"]["task"]
    return {
        kind: tuple(_new_part(kind, name, node) for name, node in tree.task.get(kind, usual[kind]).items())
        for kind in kinds
    }


def _new_part(kind: str, name: str, node: Any) -> Part:
    options = as_option({} if node is None else node)
    default = known()["parts"][kind].get(name, {})
    return Part(name, options.get("type", default.get("type", name)), options)


def _old_parts(tree: Config, plain: dict[str, Any]) -> dict[str, tuple[Part, ...]]:
    """Return the parts that the lists of 0.1.7 name, and give `plain` the shape of later versions."""
    task, simulator = tree.TASK, plain["simulator"]
    named = {"lab_sensors": "SENSORS", "measurements": "MEASUREMENTS", "actions": "POSSIBLE_ACTIONS"}
    parts = {kind: tuple(_old_part(task, name) for name in task.get(key, ())) for kind, key in named.items()}
    plain["task"] = {name: plain["task"][name] for name in ("type",) if name in plain["task"]}
    sensors: dict[str, Any] = {}
    agent = dict(simulator.pop("agent_0", {}))
    for name in agent.pop("sensors", ()):
        if str(name).lower() not in simulator:
            raise NotCoveredError(f"the sensor {name}, for which SIMULATOR has no options", simulator)
        sensors[str(name).lower()] = simulator[str(name).lower()]
    for name in [name for name in simulator if name.endswith("_sensor") or name in sensors]:
        del simulator[name]  # options of sensors that are not in the list mean nothing
    for name in [name for name in simulator if name.startswith("agent_")]:
        del simulator[name]
    simulator["agents"] = {"main_agent": {**agent, "sim_sensors": sensors}}
    return parts


def _old_part(task: Config, name: str) -> Part:
    options = task.get(name, Config())
    default = {**known()["parts"]["measurements"], **known()["parts"]["lab_sensors"]}.get(name.lower(), {})
    kind = options.get("TYPE", default.get("type", name))
    return Part(_OLD_ACTIONS.get(name, name.lower()), kind, options)


def _fill(plain: dict[str, Any]) -> None:
    """Add Habitat's defaults for options that a configuration leaves out."""
    usual = known()["habitat"]
    for name in ("environment", "simulator", "dataset"):
        plain[name] = {**usual[name], **plain[name]}
    for node, name in (("environment", "iterator_options"), ("simulator", "habitat_sim_v0")):
        plain[node][name] = {**usual[node][name], **plain[node][name]}


def _lower(options: Any) -> Any:
    if isinstance(options, Mapping):
        return {str(name).lower(): _lower(value) for name, value in options.items()}
    return options
