"""The reference of tours in continuous space: where an expert goes that walks every path as it is described.

IVLN-CE measures t-nDTW against such a log (``gt_ndtw.json``). The expert is that of the ground truth of
episodes, and oracles lead it from its goal to the next start as they lead an agent. It therefore sets out
from where they leave it, and not from the very start of an episode, as single ground truths do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from vlnscope.benchmarks.tours.build.legs import place_of
from vlnscope.core.exceptions import InputError
from vlnscope.engine.tour_loop import LoggedPosition, TourEpisode, TourLoop
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.datasets.house_space import expert_walk
from vlnscope.episodes.formats.ivln_log import SplitTourLog
from vlnscope.episodes.formats.ivln_tours import SplitTour
from vlnscope.types import Episode, TourStep
from vlnscope.worlds.continuous.body import MOVES
from vlnscope.worlds.continuous.motion import pose_at
from vlnscope.worlds.continuous.pathfinder import PathFinder

REFERENCE = "gt_ndtw.json"
"""What IVLN-CE calls the file."""

_NAMES = {number: name for name, number in MOVES.items()}


def reference_logs(
    tours: Iterable[SplitTour], dataset: Dataset, *, goal_phase: bool = True
) -> Iterator[SplitTourLog]:
    """Yield the log of the expert for each tour.

    Tours that differ in their instructions only are walked once.

    Args:
        tours: of the data set.
        dataset: in continuous space.
        goal_phase: whether an oracle leads to each goal before it leads on.

    Raises:
        InputError: an episode does not say where it is in space, or the data set has no scenes.
    """
    scenes = dataset.scenes
    if scenes is None:
        raise InputError(
            f"{dataset.name}: has no scenes to walk in",
            expected="scenes with navigation meshes",
            fix="name the folder that has them, with --scenes",
        )
    episodes = {episode.episode_id: episode for episode in dataset.episodes()}
    walked: dict[tuple[str, ...], list[LoggedPosition]] = {}
    for tour in tours:
        own = [episodes[name] for name in tour.episode_ids]
        paths = (tour.scan, *(episode.path_id for episode in own))
        if paths not in walked:
            walked[paths] = _walk(scenes.scene(tour.scan).layer("navmesh"), own, goal_phase)
        names = {episode.path_id: episode.episode_id for episode in own}
        steps = (
            TourStep(position=place.position, episode_id=names[place.episode_id], phase=place.phase)
            for place in walked[paths]
        )
        yield SplitTourLog(tour_id=tour.tour_id, steps=tuple(steps), split=tour.split)


def _walk(ground: PathFinder, episodes: Sequence[Episode], goal_phase: bool) -> list[LoggedPosition]:
    """Return where the expert is before each step, with the ids of paths for those of episodes."""
    places = [place_of(episode) for episode in episodes]
    loop = TourLoop(
        ground,
        [
            TourEpisode(
                episode.path_id, "", pose_at(place.start_position, place.start_rotation), place.goals[0]
            )
            for episode, place in zip(episodes, places, strict=True)
        ],
        max_steps=sys.maxsize,
        goal_phase=goal_phase,
    )
    for place in places:
        step = loop.reset()
        while not step.produce_action:
            step = loop.step("")
        actions, _ = expert_walk(ground, loop.pose, place.reference_path)
        for action in actions:
            step = loop.step(_NAMES.get(action, "stop"))
        while not step.episode_done:
            step = loop.step("")
    return loop.log
