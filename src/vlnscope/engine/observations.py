"""What an agent is shown: observations of a scene, with what the agent needs made when it looks.

Nothing that an agent is given leads to the answer: an observation knows the scene and where the agent stands,
never the episode. Only agents that ask for ``annotation`` are handed the episode, and they are privileged.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from vlnscope.agents.protocol import is_need, known_needs
from vlnscope.agents.rules.annotation import Annotation
from vlnscope.core.exceptions import InputError
from vlnscope.perception.features.files import features_of
from vlnscope.types import Candidate, Episode, Observation
from vlnscope.worlds.graph.views import wrap_heading
from vlnscope.worlds.scene import Scene, Scenes


class Pose(NamedTuple):
    """Where an agent stands and looks."""

    viewpoint: str
    heading: float
    elevation: float


def start_pose(episode: Episode) -> Pose:
    """Return where an episode begins: its first viewpoint, its heading (0 if unknown), level."""
    return Pose(episode.path[0], wrap_heading(episode.heading or 0.0), 0.0)


def without_answer(episode: Episode) -> Episode:
    """Return what every agent may know of an episode: its start and its instruction, as in a test split.

    Example:
        >>> it = Episode(episode_id="1_0", path_id="1", scan="s", instruction="Go.", path=("a", "b"))
        >>> without_answer(it).path
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
    )


class Environment:
    """Scenes as agents with certain needs see them.

    Attributes:
        scenes: where the scenes come from.
        needs: what is found in ``observation.seen``: exactly this.
        root: the data folder, for feature files and captions.
        tells_answer: whether agents are handed the episode itself.
    """

    def __init__(self, scenes: Scenes, needs: Sequence[str] = (), root: Path | None = None) -> None:
        self.scenes = scenes
        self.needs = check_needs(needs)
        self.root = root
        self.tells_answer = "annotation" in self.needs
        self._scenes: dict[str, Scene] = {}
        self._candidates: dict[tuple[str, str], tuple[Candidate, ...]] = {}

    def scene(self, scan: str) -> Scene:
        """Return a scene, opened once."""
        if scan not in self._scenes:
            self._scenes[scan] = self.scenes.scene(scan)
        return self._scenes[scan]

    def candidates(self, scan: str, viewpoint: str) -> tuple[Candidate, ...]:
        """Return where an agent can go from a viewpoint."""
        key = (scan, viewpoint)
        if key not in self._candidates:
            self._candidates[key] = self.scene(scan).candidates(viewpoint)
        return self._candidates[key]

    def moved(self, scan: str, viewpoint: str, target: str) -> Pose:
        """Return the pose after a move: the agent looks the way it went."""
        for candidate in self.candidates(scan, viewpoint):
            if candidate.viewpoint == target:
                return Pose(target, wrap_heading(candidate.heading), candidate.elevation)
        graph = self.scene(scan).graph  # a forced step along no edge, or straight up
        x, y, z = graph.positions[graph.row(target)] - graph.positions[graph.row(viewpoint)]
        return Pose(target, wrap_heading(math.atan2(x, y)), math.atan2(z, math.hypot(x, y)))

    def observe(
        self, episode: Episode, viewpoint: str, heading: float, elevation: float, step: int
    ) -> Observation:
        """Return what an agent is given at one step."""
        seen: Mapping[str, Any] = {}
        if self.needs:
            scene = self.scene(episode.scan)
            told = {"annotation": Annotation(episode, scene)} if self.tells_answer else {}
            seen = Seen(self.needs, scene, viewpoint, self.root, told)
        return Observation(
            episode_id=episode.episode_id,
            instruction=episode.instruction,
            scan=episode.scan,
            viewpoint=viewpoint,
            heading=heading,
            elevation=elevation,
            step=step,
            candidates=self.candidates(episode.scan, viewpoint),
            seen=seen,
        )


class Seen(Mapping[str, Any]):
    """What an agent declared that it needs, made when it is first looked up.

    Args:
        needs: what the agent declared.
        scene: where it is.
        viewpoint: where it stands.
        root: the data folder.
        made: what is there already.
    """

    __slots__ = ("_made", "_needs", "_root", "_scene", "_viewpoint")

    def __init__(
        self, needs: tuple[str, ...], scene: Scene, viewpoint: str, root: Path | None, made: dict[str, Any]
    ) -> None:
        self._needs = needs
        self._scene = scene
        self._viewpoint = viewpoint
        self._root = root
        self._made = made

    def __getitem__(self, need: str) -> Any:
        if need not in self._made:
            if need not in self._needs:
                raise KeyError(f"{need!r} is not among what the agent needs: {self._needs}")
            from vlnscope.perception.sight import sight

            self._made[need] = sight(need, self._scene, self._viewpoint, self._root)
        return self._made[need]

    def __iter__(self) -> Iterator[str]:
        return iter(self._needs)

    def __len__(self) -> int:
        return len(self._needs)


def check_widths(widths: Mapping[str, int], root: Path | None) -> None:
    """Refuse features that are not as wide as an agent needs them, before it walks."""
    for need, wanted in widths.items():
        if (found := features_of(need, root).width) != wanted:
            raise InputError(
                f"{need}: has {found} numbers per view, and the agent needs {wanted}",
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
    return tuple(needs)
