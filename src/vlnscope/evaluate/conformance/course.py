"""The course that agents are checked on: a few episodes, and places where there is nowhere to go."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from vlnscope.core.data_root import data_root
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.in_space import placed
from vlnscope.types import Episode
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import LayerLoader, Scene, Scenes

EPISODES = 6
MOVES = (3, 6)


class Course(NamedTuple):
    """What an agent is led through.

    Attributes:
        scenes: the scenes.
        episodes: episodes on them; the first ones are in one scene.
        narrow: the same scenes, except that the first episode's start has one way out and its goal none.
        ends: an episode that starts at each of these two.
        root: data folder, for captions and features.
    """

    scenes: Scenes
    episodes: list[Episode]
    narrow: Scenes
    ends: list[Episode]
    root: Path | None


def course_of(
    data: str | Dataset | None = None, root: str | Path | None = None, count: int = EPISODES
) -> Course:
    """Make a course of the first `count` episodes of a data set, or of a house that vlnscope builds.

    Raises:
        InputError: the data set is not on graphs, or has no episodes with a way to go.
    """
    if data is None:
        scenes, episodes = _house(count)
    else:
        opened = data if isinstance(data, Dataset) else open_dataset(data, root)
        scenes, episodes = _first_episodes(opened, count)
    first = episodes[0]
    start, goal = first.path[0], first.path[-1]
    narrow = _changed(scenes, partial(_closed, scan=first.scan, start=start, goal=goal))
    neighbour = narrow.scene(first.scan).graph.neighbours(start)[0]
    ends = [
        msgspec.structs.replace(
            first, episode_id=f"{first.episode_id}-dead-end", path=(start, neighbour), continuous=None
        ),
        msgspec.structs.replace(
            first, episode_id=f"{first.episode_id}-nowhere", path=(goal,), continuous=None
        ),
    ]
    return Course(scenes, episodes, narrow, ends, data_root(root))


def _first_episodes(dataset: Dataset, count: int) -> tuple[Scenes, list[Episode]]:
    scenes = dataset.scenes
    episodes = list(islice(filter(_leads_on, dataset.episodes()), count)) if scenes is not None else []
    if scenes is None or not episodes:
        raise InputError(
            f"data set {dataset.name} has no episodes on graphs with a way to go",
            expected="episodes with reference paths of viewpoints",
            fix="leave --data out to check in a house that vlnscope builds",
        )
    return scenes, sorted(episodes, key=lambda episode: episode.scan)


def _leads_on(episode: Episode) -> bool:
    """Return whether the goal is neither the start nor right next to it on the reference."""
    return bool(episode.path) and episode.path[-1] not in episode.path[:2]


class _MadeScenes:
    """Scenes that a function makes when they are asked for, each once."""

    def __init__(self, scans: tuple[str, ...], make: Callable[[str], Scene]) -> None:
        self._scans = scans
        self._make = cache(make)

    def scans(self) -> tuple[str, ...]:
        """Return the ids of all scenes."""
        return self._scans

    def scene(self, scan: str) -> Scene:
        """Return a scene."""
        return self._make(scan)


def _changed(scenes: Scenes, change: Callable[[Scene], Scene]) -> Scenes:
    return _MadeScenes(scenes.scans(), lambda scan: change(scenes.scene(scan)))


def _layers(scene: Scene) -> dict[str, LayerLoader]:
    return {name: partial(scene.layer, name) for name in scene.loaders}


def with_small_views(course: Course) -> Course:
    """Return a course with small pictures, for agents that look at panoramas."""
    scenes = _changed(course.scenes, _with_small_views)
    narrow = _changed(course.narrow, _with_small_views)
    return course._replace(scenes=scenes, narrow=narrow)


def shortened(course: Course) -> Course:
    """Return a course of two episodes."""
    return course._replace(episodes=course.episodes[:2])


def placed_course(course: Course) -> Course:
    """Return a course whose episodes have a place in continuous space."""
    episodes, ends = (
        [placed(course.scenes.scene(episode.scan), episode) for episode in part]
        for part in (course.episodes, course.ends)
    )
    return course._replace(episodes=episodes, ends=ends)


def _with_small_views(scene: Scene) -> Scene:
    return Scene(scene.id, scene.graph, _layers(scene) | {"views": partial(_SmallViews, scene)})


class _SmallViews:
    """Pictures of a scene at a quarter of the usual size, all of them kept."""

    def __init__(self, scene: Scene) -> None:
        self._views = scene.layer("views")
        self._kept: dict[str, Any] = {}

    def at(self, viewpoint: str) -> Any:
        """Draw the panorama of a viewpoint."""
        if viewpoint not in self._kept:
            self._kept[viewpoint] = self._views.at(viewpoint, width=160, height=120)
        return self._kept[viewpoint]


def _closed(scene: Scene, scan: str, start: str, goal: str) -> Scene:
    """Leave `start` one way out and `goal` none."""
    if scene.id != scan:
        return scene
    graph = scene.graph
    here, there = graph.row(start), graph.row(goal)
    touches_goal = (graph.edges == there).any(axis=1)
    at_start = np.flatnonzero((graph.edges == here).any(axis=1) & ~touches_goal)
    kept = ~touches_goal
    kept[at_start[1:]] = False
    return Scene(scan, NavGraph(graph.nodes, graph.positions, graph.edges[kept]), _layers(scene))


def _house(count: int) -> tuple[Scenes, list[Episode]]:
    from vlnscope.worlds.houses.house import generate, house_scene

    scene = house_scene(generate(1, "course"))
    graph = scene.graph
    chance = rng_for(0, "agent course")
    episodes: list[Episode] = []
    while len(episodes) < count:
        start, goal = (graph.nodes[i] for i in chance.choice(len(graph.nodes), 2, replace=False))
        path = graph.shortest_path(start, goal)
        if MOVES[0] <= len(path) - 1 <= MOVES[1]:
            number = str(len(episodes))
            text = f"Walk to the {scene.regions.name(goal)} and stop there."
            heading = float(chance.uniform(0, 2 * np.pi))
            episodes.append(
                Episode(
                    episode_id=f"course-{number}",
                    path_id=number,
                    scan=scene.id,
                    instruction=text,
                    path=path,
                    heading=heading,
                )
            )
    return _MadeScenes((scene.id,), lambda _: scene), episodes
