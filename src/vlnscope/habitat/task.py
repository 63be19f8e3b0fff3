"""The task of a loop: its measures, its sensors, its actions, and whether the agent has stopped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from vlnscope.core.exceptions import InputError
from vlnscope.habitat import lab_sensors, measures
from vlnscope.habitat.actions import action_name
from vlnscope.habitat.config.settings import Part, Settings
from vlnscope.habitat.coverage import NotCoveredError, PartlyCovered
from vlnscope.habitat.drawing import top_down_map
from vlnscope.habitat.episodes import VLNEpisode
from vlnscope.habitat.registration import TaskMeasure, TaskSensor, registry
from vlnscope.habitat.simulator import Simulator

BUILT_IN = (lab_sensors, measures, top_down_map)
"""The modules whose measures and sensors are known without being registered."""


class Measurements:
    """The measures of a task by name, in the order in which they are updated."""

    def __init__(self, measures: Iterable[TaskMeasure]) -> None:
        self.measures: dict[str, TaskMeasure] = {}
        for measure in measures:
            if measure.uuid in self.measures:
                raise InputError(
                    f"two measures are called {measure.uuid}",
                    expected="a name for each",
                    fix="take one of them out of task.measurements",
                )
            self.measures[measure.uuid] = measure

    def reset_measures(self, *args: Any, **kwargs: Any) -> None:
        """Begin an episode."""
        for measure in self.measures.values():
            measure.reset_metric(*args, **kwargs)

    def update_measures(self, *args: Any, **kwargs: Any) -> None:
        """Take an action in."""
        for measure in self.measures.values():
            measure.update_metric(*args, **kwargs)

    def get_metrics(self) -> dict[str, Any]:
        """Return all values by name."""
        return {name: measure.get_metric() for name, measure in self.measures.items()}

    def check_measure_dependencies(self, measure_name: str, dependencies: list[str]) -> None:
        """Refuse a measure that stands before one that it builds on, or without it."""
        order = list(self.measures)
        for needed in dependencies:
            if needed not in order[: order.index(measure_name)]:
                raise InputError(
                    f"the measure {measure_name} builds on {needed}, which does not come before it",
                    expected=f"{needed} before {measure_name} in task.measurements",
                    fix=f"add {needed}, or change the order",
                )


class SensorSuite:
    """The sensors of a task by name."""

    def __init__(self, sensors: Iterable[TaskSensor]) -> None:
        self.sensors = {sensor.uuid: sensor for sensor in sensors}

    def get(self, uuid: str) -> TaskSensor:
        """Return a sensor."""
        return self.sensors[uuid]

    def get_observations(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return what the sensors observe, by name."""
        return {name: sensor.get_observation(*args, **kwargs) for name, sensor in self.sensors.items()}


class NavigationTask(PartlyCovered, called="task"):
    """What an agent is to do, and how it fares.

    Args:
        settings: what the configuration asks for.
        sim: where the agent is.
        dataset: the episodes, for measures and sensors of the loop's own.

    Attributes:
        measurements: how the agent fares.
        sensor_suite: what observations say beside the pictures.
        actions: names of the actions, in the order of their numbers.
        is_stop_called: whether the agent has stopped.
        split: the split of the data set.
    """

    def __init__(self, settings: Settings, sim: Simulator, dataset: Any) -> None:
        self._sim = sim
        self._dataset = dataset
        self.split = str(settings.dataset.get("split", ""))
        self.actions = settings.actions
        self.is_stop_called = False
        self.measurements = Measurements(self._made("measure", part) for part in settings.measures)
        self.sensor_suite = SensorSuite(self._made("sensor", part) for part in settings.lab_sensors)

    def _made(self, kind: str, part: Part) -> Any:
        made = registry.get_measure(part.type) if kind == "measure" else registry.get_sensor(part.type)
        if made is None:
            raise NotCoveredError(
                f"the {kind} {part.name} of type {part.type!r}",
                registry.names(kind),
                f"take it out, or register a class of your own with registry.register_{kind}",
            )
        return made(sim=self._sim, config=part.options, dataset=self._dataset, task=self)

    @property
    def is_episode_active(self) -> bool:
        """Whether the agent has not stopped yet."""
        return not self.is_stop_called

    def get_action_name(self, action_index: int) -> str:
        """Return the name of an action by its number."""
        return action_name(action_index, self.actions)

    def reset(self, episode: VLNEpisode) -> dict[str, Any]:
        """Begin an episode; the agent is at its start already."""
        self.is_stop_called = False
        return self._completed(self._sim.get_observations_at(), episode)

    def step(self, action: Any, episode: VLNEpisode) -> dict[str, Any]:
        """Do an action and return what is observed then."""
        name = action_name(action, self.actions)
        if name == "stop":
            self.is_stop_called = True
            shown = self._sim.get_observations_at()
        else:
            shown = self._sim.step(name)
        return self._completed(shown, episode)

    def _completed(self, shown: dict[str, Any], episode: VLNEpisode) -> dict[str, Any]:
        said = self.sensor_suite.get_observations(observations=shown, episode=episode, task=self)
        return {**shown, **said}

    def seed(self, seed: int) -> None:
        """Do nothing: a task makes no random choice."""
