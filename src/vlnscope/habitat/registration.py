"""Measures and sensors of the task: what they are made of, and how loops add their own.

Habitat's loops register classes by name and name them in their configuration. Those that come with vlnscope
are in `vlnscope.habitat.measures`, `top_down_map` and `lab_sensors`; a class that a loop registers under the
same name takes its place.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, TypeVar

from vlnscope.habitat.coverage import NotCoveredError

T = TypeVar("T")


class TaskMeasure:
    """``Measure``: a value that is brought up to date after each action.

    Subclasses set ``cls_uuid`` or define ``_get_uuid``, and put their value into ``_metric``.
    """

    cls_uuid: str = ""
    _metric: Any = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.uuid = self._get_uuid(*args, **kwargs)
        self._metric = None

    def _get_uuid(self, *args: Any, **kwargs: Any) -> str:
        return self.cls_uuid or type(self).__name__.lower()

    def reset_metric(self, *args: Any, **kwargs: Any) -> None:
        """Begin an episode."""
        raise NotImplementedError

    def update_metric(self, *args: Any, **kwargs: Any) -> None:
        """Take an action in."""
        raise NotImplementedError

    def get_metric(self) -> Any:
        """Return the value."""
        return self._metric


class TaskSensor:
    """``Sensor``: something that an observation says beside the pictures."""

    cls_uuid: str = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.config = kwargs.get("config")
        self.uuid = self._get_uuid(*args, **kwargs)

    def _get_uuid(self, *args: Any, **kwargs: Any) -> str:
        return self.cls_uuid or type(self).__name__.lower()

    def get_observation(self, *args: Any, **kwargs: Any) -> Any:
        """Return what is observed."""
        raise NotImplementedError


class SensorTypes(Enum):
    """What sensors of a loop's own call what they observe; nothing here looks at it."""

    NULL = "null"
    COLOR = "color"
    DEPTH = "depth"
    SEMANTIC = "semantic"
    NORMAL = "normal"
    PATH = "path"
    POSITION = "position"
    FORCE = "force"
    TENSOR = "tensor"
    TEXT = "text"
    MEASUREMENT = "measurement"
    HEADING = "heading"
    TACTILE = "tactile"
    TOKEN_IDS = "token_ids"


class TaskAction:
    """``Action``: a name for the annotations of a loop's own measures, whose ``action`` is a dictionary.

    Actions of a loop's own are not covered.
    """


class LoopAgent:
    """``habitat.Agent``: base of a loop's own agents."""

    def reset(self) -> None:
        """Begin an episode."""
        raise NotImplementedError

    def act(self, observations: dict[str, Any]) -> Any:
        """Return the next action."""
        raise NotImplementedError


Observations = dict
"""What observations are."""


class TaskRegistry:
    """``registry``: classes of measures and sensors by name."""

    def __init__(self) -> None:
        self._classes: dict[str, dict[str, type]] = {"measure": {}, "sensor": {}}
        self._built_in: dict[str, dict[str, type]] = {"measure": {}, "sensor": {}}

    def register_measure(self, to_register: Any = None, *, name: str | None = None) -> Any:
        """Make a class of measures known, under its own name if no other is given; a decorator."""
        return self._register("measure", to_register, name)

    def register_sensor(self, to_register: Any = None, *, name: str | None = None) -> Any:
        """Make a class of sensors known, under its own name if no other is given; a decorator."""
        return self._register("sensor", to_register, name)

    def get_measure(self, name: str) -> type | None:
        """Return the class of measures that has this name; None if there is none."""
        return self._found("measure", name)

    def get_sensor(self, name: str) -> type | None:
        """Return the class of sensors that has this name; None if there is none."""
        return self._found("sensor", name)

    def names(self, kind: str) -> list[str]:
        """Return the names of all measures or sensors."""
        return sorted({*self._classes[kind], *self._built_in[kind]})

    def provide(self, kind: str, name: str) -> Callable[[type[T]], type[T]]:
        """Make a class of vlnscope's own known; a loop's own class of the same name takes its place."""

        def keep(made: type[T]) -> type[T]:
            self._built_in[kind][name] = made
            return made

        return keep

    def __getattr__(self, name: str) -> Any:
        if name.startswith("register_"):  # tasks, simulators, actions, data sets: found when they are used
            raise NotCoveredError(f"registry.{name}", ["register_measure", "register_sensor"])
        raise AttributeError(name)

    def _found(self, kind: str, name: str) -> type | None:
        return self._classes[kind].get(name) or self._built_in[kind].get(name)

    def _register(self, kind: str, to_register: Any, name: str | None) -> Any:
        def keep(made: type) -> type:
            self._classes[kind][name or made.__name__] = made
            return made

        registering: Callable[[type], type] = keep
        return registering if to_register is None else registering(to_register)


registry = TaskRegistry()
