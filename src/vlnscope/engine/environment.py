"""What an agent is shown: observations of a scene, with what the agent needs made when it looks.

Nothing that an agent is given leads to the answer. Observations are made of an episode without its answer
(`without_answer`), of a pose and of the scene. The answer is an `Annotation`; only agents that declare that
they need ``annotation`` are handed one, and they are privileged. Those that need ``exploration`` may look
around the building before they walk (`Explorer`), and see nothing of the answer either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import msgspec

from vlnscope.agents.protocol import ANNOTATION, EXPLORATION, Annotation, is_need, known_needs
from vlnscope.core.exceptions import InputError
from vlnscope.engine.action_space import ActionSpace, make_action_space
from vlnscope.perception.features.files import features_of
from vlnscope.perception.features.grids import grid_features_of
from vlnscope.perception.sight import sight, sight_kind
from vlnscope.types import Continuous, Episode, Observation
from vlnscope.worlds.cameras import Stance
from vlnscope.worlds.scene import Scene, Scenes


def without_answer(episode: Episode) -> Episode:
    """Return what every agent may know of an episode: its start and its instruction, as in a test split.

    Example:
        >>> episode = Episode(episode_id="1_0", path_id="1", scan="s", instruction="Go.", path=("a", "b"))
        >>> without_answer(episode).path
        ('a',)
    """
    return Episode(
        episode_id=episode.episode_id,
        path_id="",
        scan=episode.scan,
        instruction=episode.instruction,
        path=episode.path[:1],
        heading=episode.heading,
        language=episode.language,
        continuous=_start(episode.continuous),
    )


def _start(space: Continuous | None) -> Continuous | None:
    if space is None:
        return None
    return Continuous(start_position=space.start_position, start_rotation=space.start_rotation)


class Environment:
    """Scenes as agents with certain needs see them, in an action space.

    Args:
        scenes: where the scenes come from.
        needs: what is found in ``observation.seen``: exactly this.
        root: the data folder, for feature files and captions.
        action_space: the name of what agents may do.

    Attributes:
        space: what agents may do.
        needs: as above.
        root: as above.
        tells_answer: whether agents are handed the annotation.
    """

    def __init__(
        self, scenes: Scenes, needs: Sequence[str] = (), root: Path | None = None, action_space: str = "graph"
    ) -> None:
        self.needs = check_needs(needs)
        self.space = make_action_space(action_space)
        self.tells_answer = "annotation" in self.needs
        self._open = scenes
        self.root = root
        self._scenes: dict[str, Scene] = {}

    @cached_property
    def graph(self) -> ActionSpace[Any]:
        """How viewpoints are observed, whatever the agent may do."""
        return self.space if self.space.name == "graph" else make_action_space("graph")

    def scene(self, scan: str) -> Scene:
        """Return a scene, opened once."""
        if scan not in self._scenes:
            self._scenes[scan] = self._open.scene(scan)
        return self._scenes[scan]

    def annotation(self, episode: Episode) -> Annotation | None:
        """Return the answer, if the agent is to be told."""
        return Annotation(episode, self.scene(episode.scan)) if self.tells_answer else None

    def observe(
        self, visible: Episode, pose: Any, step: int, annotation: Annotation | None = None
    ) -> Observation:
        """Return what an agent is given at one step.

        Args:
            visible: the episode `without_answer`.
            pose: a pose of the action space.
            step: how many moves it has made.
            annotation: the answer, for agents that need it.
        """
        scene = self.scene(visible.scan)
        seen: Mapping[str, Any] = {}
        if self.needs:
            layers: dict[str, Any] = {} if annotation is None else {ANNOTATION: annotation}
            if EXPLORATION in self.needs:
                layers[EXPLORATION] = Explorer(self, visible)
            stance = self.space.stance(scene, pose)
            seen = Seen(
                self.needs, scene, partial(self.space.viewpoint, scene, pose), self.root, layers, stance
            )
        return self.space.observe(scene, pose, visible, step, seen)


class Explorer:
    """Shows an agent any viewpoint of a scene before it goes there, without the answer.

    Args:
        environment: that the agent is in.
        visible: the episode `without_answer`.
    """

    def __init__(self, environment: Environment, visible: Episode) -> None:
        self._environment, self._visible = environment, visible

    def look(self, viewpoint: str, heading: float, elevation: float) -> Observation:
        """Return what the agent would be given at a viewpoint; it cannot explore on from there.

        Raises:
            InputError: the scene has no such viewpoint.
        """
        environment, graph = self._environment, self._environment.graph
        scene = environment.scene(self._visible.scan)
        scene.graph.row(viewpoint)
        there = msgspec.structs.replace(self._visible, path=(viewpoint,), heading=heading)
        pose = graph.start(there)._replace(elevation=elevation)
        needs = tuple(need for need in environment.needs if need not in (ANNOTATION, EXPLORATION))
        seen = Seen(needs, scene, lambda: viewpoint, environment.root, {})
        return graph.observe(scene, pose, self._visible, 0, seen)


class Seen(Mapping[str, Any]):
    """What an agent declared that it needs, made when it is first looked up.

    Args:
        needs: what the agent declared.
        scene: where it is.
        viewpoint: returns the viewpoint that it stands at or is nearest to.
        root: the data folder.
        layers: what is there already.
        stance: where exactly its cameras stand; None if that is the viewpoint.
    """

    __slots__ = ("_drawn", "_made", "_needs", "_root", "_scene", "_stance", "_viewpoint")

    def __init__(
        self,
        needs: tuple[str, ...],
        scene: Scene,
        viewpoint: Callable[[], str],
        root: Path | None,
        layers: dict[str, Any],
        stance: Stance | None = None,
    ) -> None:
        self._needs = needs
        self._scene = scene
        self._viewpoint = viewpoint
        self._root = root
        self._made = layers
        self._stance = stance
        self._drawn: dict[Any, Any] = {}

    def __getitem__(self, need: str) -> Any:
        if need not in self._made:
            if need not in self._needs:
                raise KeyError(f"{need!r} is not among what the agent needs: {self._needs}")
            self._made[need] = sight(
                need, self._scene, self._viewpoint, self._root, stance=self._stance, drawn=self._drawn
            )
        return self._made[need]

    def __iter__(self) -> Iterator[str]:
        return iter(self._needs)

    def __len__(self) -> int:
        return len(self._needs)


def check_widths(widths: Mapping[str, int], root: Path | None) -> None:
    """Refuse features that are not as wide as an agent needs them, before it walks."""
    for need, wanted in widths.items():
        part = "patch" if need.startswith("grid:") else "view"
        opened = grid_features_of(need, root) if part == "patch" else features_of(need, root)
        if (width := opened.width) != wanted:
            raise InputError(
                f"{need}: has {width} numbers per {part}, and the agent needs {wanted}",
                expected="the features that the agent was trained with",
                fix="name these; `features:NAME@WIDTH` takes some columns",
            )


def check_needs(needs: Sequence[str]) -> tuple[str, ...]:
    """Return what an agent needs, or refuse a need that nobody can serve."""
    for need in needs:
        if not is_need(need):
            raise InputError(
                f"the agent needs {need!r}, which nobody can show it",
                expected=f"one of {', '.join(known_needs())}",
                fix="change the agent's `needs`, or install the package that shows it",
            )
        if need not in (ANNOTATION, EXPLORATION):
            sight_kind(need)  # refuses an argument that means nothing before the agent walks
    return tuple(needs)
