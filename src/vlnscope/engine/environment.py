"""What an agent is shown: observations of a scene, with what the agent needs made when it looks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from vlnscope.agents.protocol import NEEDS
from vlnscope.exceptions import InputError
from vlnscope.perception.features import features_of
from vlnscope.types import Candidate, Episode, Observation
from vlnscope.worlds.scene import Scene, Scenes
from vlnscope.worlds.views import wrap_heading


class Pose(NamedTuple):
    """Where an agent stands and looks."""

    viewpoint: str
    heading: float
    elevation: float


def start_pose(episode: Episode) -> Pose:
    """Return where an episode begins: its first viewpoint, its heading (0 if unknown), level."""
    return Pose(episode.path[0], wrap_heading(episode.heading or 0.0), 0.0)


class Environment:
    """Scenes as agents with certain needs see them.

    Attributes:
        scenes: where the scenes come from.
        needs: what is found in ``observation.seen``: exactly this.
        root: the data folder, for feature files and captions.
    """

    def __init__(self, scenes: Scenes, needs: Sequence[str] = (), root: Path | None = None) -> None:
        self.scenes = scenes
        self.needs = check_needs(needs)
        self.root = root
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
        return Observation(
            episode_id=episode.episode_id,
            instruction=episode.instruction,
            scan=episode.scan,
            viewpoint=viewpoint,
            heading=heading,
            elevation=elevation,
            step=step,
            candidates=self.candidates(episode.scan, viewpoint),
            seen=Seen(self, episode, viewpoint) if self.needs else {},
        )


class Seen(Mapping[str, Any]):
    """What an agent declared that it needs, made when it is first looked up."""

    __slots__ = ("_environment", "_episode", "_made", "_viewpoint")

    def __init__(self, environment: Environment, episode: Episode, viewpoint: str) -> None:
        self._environment = environment
        self._episode = episode
        self._viewpoint = viewpoint
        self._made: dict[str, Any] = {}

    def __getitem__(self, need: str) -> Any:
        if need not in self._made:
            if need not in self._environment.needs:
                raise KeyError(f"{need!r} is not among what the agent needs: {self._environment.needs}")
            self._made[need] = self._make(need)
        return self._made[need]

    def __iter__(self) -> Iterator[str]:
        return iter(self._environment.needs)

    def __len__(self) -> int:
        return len(self._environment.needs)

    def _make(self, need: str) -> Any:
        scene = self._environment.scene(self._episode.scan)
        if need == "annotation":
            from vlnscope.agents.annotation import Annotation

            return Annotation(self._episode, scene)
        from vlnscope.perception.sights import sight

        return sight(need, scene, self._viewpoint, self._environment.root)


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
        if need not in NEEDS and not need.startswith("features:"):
            raise InputError(
                f"the agent needs {need!r}, which nobody can show it",
                expected=f"among {', '.join(NEEDS)}, features:NAME",
                fix="correct the agent's `needs`",
            )
    return tuple(needs)
