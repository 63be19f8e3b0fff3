"""Episodes on a graph, placed in continuous space: their viewpoints become points on the navigation mesh."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import msgspec
import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.types import Continuous, Episode, Point, Points
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.frames import heading_of_quaternion, start_rotation
from vlnscope.worlds.projection import feet_of
from vlnscope.worlds.scene import Scene, Scenes

GOAL_RADIUS = 3.0
"""How near a goal counts as reached, as R2R-CE's files state it."""


def path_in_space(scene: Scene, episode: Episode) -> Continuous:
    """Return the path of an episode in continuous space, as R2R-CE has it, without an expert's walk.

    An agent stands where its feet are below the viewpoint, and first looks along the heading of the episode
    rounded to 30°.

    Args:
        scene: has a graph and a navigation mesh.
        episode: on the graph of the scene.
    """
    ground: PathFinder = scene.layer("navmesh")
    feet = feet_of(scene)
    points: Points = tuple(_point(feet[scene.graph.row(node)]) for node in episode.path)
    return Continuous(
        start_position=points[0],
        start_rotation=start_rotation(episode.heading or 0.0),
        goals=points[-1:],
        goal_radii=(GOAL_RADIUS,),
        reference_path=points,
        geodesic_distance=float(ground.distance([points[0]], [points[-1]])[0]),
    )


def placed(scene: Scene, episode: Episode) -> Episode:
    """Return an episode with its place in continuous space; as it is, if it has one.

    Benchmarks make episodes of their own on graphs: joined paths, walks of one skill.
    """
    if episode.continuous is not None or not episode.path:
        return episode
    return msgspec.structs.replace(episode, continuous=path_in_space(scene, episode))


def unreachable(episodes: Sequence[Episode], scenes: Scenes) -> Iterator[str]:
    """Yield the ids of episodes whose start is off the mesh, or whose goal no path leads to from there."""
    by_scan: dict[str, list[Episode]] = {}
    for episode in episodes:
        if episode.continuous is not None and episode.continuous.goals:
            by_scan.setdefault(episode.scan, []).append(episode)
    for scan, own in by_scan.items():
        ground: PathFinder = scenes.scene(scan).layer("navmesh")
        places = [episode.continuous for episode in own if episode.continuous is not None]
        starts = np.array([place.start_position for place in places])
        paths = ground.distance(starts, np.array([place.goals[0] for place in places]))
        yield from (episode.episode_id for episode, path in zip(own, paths, strict=True) if np.isinf(path))


def check_places(episodes: Iterable[Episode]) -> None:
    """Refuse episodes that no agent can be put into.

    Raises:
        InputError: an episode has no place in space, one that is not finite, or a rotation without a heading.
    """
    for episode in episodes:
        place = episode.continuous
        numbers = () if place is None else (*place.start_position, *place.start_rotation)
        if place is None or not all(map(math.isfinite, numbers)):
            raise InputError(
                f"episode {episode.episode_id} starts at {list(numbers) or 'no place in space'}",
                expected="a finite position and rotation",
                fix="correct the episode, or leave it out",
            )
        try:
            heading_of_quaternion(place.start_rotation)
        except InputError as error:
            what = f"episode {episode.episode_id}: {error.what}"
            raise InputError(what, expected=error.expected, fix=error.fix) from None


def _point(row: Sequence[float]) -> Point:
    x, y, z = map(float, row)
    return x, y, z
