"""Episodes as Habitat's loops see them, and how they follow each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.types import Episode, Points

HOUSES, MATTERPORT = "houses", "mp3d"
"""Where scenes lie, in the ``scene_id`` of episodes without files and of those of VLN-CE."""


@dataclass
class NavigationGoal:
    """Where an episode ends: a place, and how near it counts as reached."""

    position: list[float]
    radius: float | None = None


@dataclass
class InstructionData:
    """An instruction; tokens and the rest are there if the file of the episodes has them."""

    instruction_text: str
    instruction_tokens: list[Any] | None = None
    instruction_id: str | None = None
    language: str | None = None


@dataclass(eq=False)
class VLNEpisode:
    """One instruction to follow in one scene.

    Attributes:
        episode_id: its id, a text.
        scene_id: where its scene lies, as ``mp3d/SCAN/SCAN.glb``.
        start_position: where the agent is put.
        start_rotation: how it is turned: x, y, z, w.
        goals: where it is to go.
        instruction: what it is told.
        reference_path: the annotated way points.
        trajectory_id: groups the episodes of one path.
        info: ``geodesic_distance``, if it is known.
        source: the episode as vlnscope has it, with the dense ground truth.
    """

    episode_id: str
    scene_id: str
    start_position: list[float]
    start_rotation: list[float]
    goals: list[NavigationGoal]
    instruction: InstructionData
    reference_path: list[list[float]]
    trajectory_id: str
    info: dict[str, Any] | None
    source: Episode = field(repr=False)
    scene_dataset_config: str = "default"
    start_room: str | None = None
    shortest_paths: Any = None

    @property
    def locations(self) -> Points:
        """The dense ground truth; empty if there is none."""
        return () if self.source.continuous is None else self.source.continuous.locations


def habitat_episode(episode: Episode, home: str = HOUSES) -> VLNEpisode:
    """Return an episode as Habitat's loops see it.

    Args:
        episode: as vlnscope has it.
        home: the folder of its scene, if the episode does not say where the scene lies.

    Raises:
        InputError: it has no place in continuous space, or no goal.
    """
    space = episode.continuous
    if space is None or not space.goals:
        raise InputError(
            f"episode {episode.episode_id} has no {'goal' if space else 'start position'}",
            expected="episodes in continuous space whose goals are known",
            fix="name such data, for example houses-ce/val_unseen",
        )
    told: Mapping[str, Any] = episode.extra.get("instruction", {})
    scene_id = str(episode.extra.get("scene_id", f"{home}/{episode.scan}/{episode.scan}.glb"))
    distance = space.geodesic_distance
    return VLNEpisode(
        episode_id=episode.episode_id,
        scene_id=scene_id,
        start_position=list(space.start_position),
        start_rotation=list(space.start_rotation),
        goals=[
            NavigationGoal(list(goal), radius)
            for goal, radius in zip(space.goals, space.goal_radii or [None] * len(space.goals), strict=True)
        ],
        instruction=InstructionData(
            episode.instruction,
            told.get("instruction_tokens"),
            str(told["instruction_id"]) if "instruction_id" in told else None,
            episode.language,
        ),
        reference_path=[list(point) for point in space.reference_path],
        trajectory_id=episode.path_id,
        info=None if distance is None else {"geodesic_distance": distance},
        source=episode,
    )


def grouped_by_scene(episodes: Sequence[VLNEpisode]) -> list[VLNEpisode]:
    """Return episodes with those of a scene in a row, in the order of the scenes' first ones."""
    first = {scene: k for k, scene in enumerate(dict.fromkeys(e.scene_id for e in episodes))}
    return sorted(episodes, key=lambda episode: first[episode.scene_id])


class EpisodeIterator(Iterator[VLNEpisode]):
    """Hands out episodes one after the other, by Habitat's options.

    Random choices depend on `seed` and on nothing else, so orders differ from Habitat's own for equal seeds.

    Args:
        episodes: all of them.
        cycle: whether they begin again after the last.
        shuffle: whether their order is random.
        group_by_scene: whether those of a scene follow each other, in the order of the scenes' first ones.
        num_episode_sample: how many to draw; all if negative.
        max_scene_repeat_episodes: episodes of a scene in a row, if positive; the rest comes later.
        max_scene_repeat_steps: the same for actions, up or down by `step_repetition_range`.
        step_repetition_range: see above.
        seed: of random choices.
    """

    def __init__(
        self,
        episodes: Sequence[VLNEpisode],
        cycle: bool = True,
        shuffle: bool = False,
        group_by_scene: bool = True,
        max_scene_repeat_episodes: int = -1,
        max_scene_repeat_steps: int = -1,
        num_episode_sample: int = -1,
        step_repetition_range: float = 0.2,
        seed: int | None = 0,
    ) -> None:
        self._rng = rng_for(seed or 0, "order of episodes")
        chosen = list(episodes)
        if num_episode_sample >= 0:
            rows = self._rng.choice(len(chosen), min(num_episode_sample, len(chosen)), replace=False)
            chosen = [chosen[row] for row in sorted(rows.tolist())]
        self.cycle, self.shuffle, self.group_by_scene = cycle, shuffle, group_by_scene
        self._most_episodes, self._most_steps = max_scene_repeat_episodes, max_scene_repeat_steps
        self._spread = step_repetition_range
        self.episodes = self._ordered(chosen)
        self._waiting = list(self.episodes)
        self._scene, self._taken, self._steps = "", 0, 0
        self._limit = self._drawn_limit()

    def __next__(self) -> VLNEpisode:
        if not self._waiting:
            if not self.cycle or not self.episodes:
                raise StopIteration
            self._waiting = self._ordered(self.episodes)
        if self._is_due():
            self._leave_scene()
        episode = self._waiting.pop(0)
        if episode.scene_id != self._scene:
            self._scene, self._taken, self._steps = episode.scene_id, 0, 0
        self._taken += 1
        return episode

    def step_taken(self) -> None:
        """Count an action in the scene."""
        self._steps += 1

    def _ordered(self, episodes: Sequence[VLNEpisode]) -> list[VLNEpisode]:
        ordered = list(episodes)
        if self.shuffle:
            ordered = [ordered[row] for row in self._rng.permutation(len(ordered))]
        return grouped_by_scene(ordered) if self.group_by_scene else ordered

    def _is_due(self) -> bool:
        by_count = 0 < self._most_episodes <= self._taken
        return by_count or 0 < self._limit <= self._steps

    def _leave_scene(self) -> None:
        groups = [list(group) for _, group in groupby(self._waiting, key=lambda e: e.scene_id)]
        if len(groups) > 1 and groups[0][0].scene_id == self._scene:
            groups = [*groups[1:], groups[0]]
        self._waiting = [episode for group in groups for episode in group]
        self._taken, self._steps = 0, 0
        self._limit = self._drawn_limit()

    def _drawn_limit(self) -> int:
        most = self._most_steps
        if most <= 0:
            return -1
        low, high = int(most * (1 - self._spread)), int(most * (1 + self._spread))
        return max(1, int(self._rng.integers(low, high + 1)))
