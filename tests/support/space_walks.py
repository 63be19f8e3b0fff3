"""Random walks in continuous space, with the episodes that they belong to."""

from __future__ import annotations

import math

import numpy as np

from vlnscope.core.rng import rng_for
from vlnscope.types import Continuous, Episode, Point, Prediction
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene

NUDGE = 6e-5  # too small a move for Habitat to measure the distance to the goal anew


def ground_scene(scan: str, ground: PathFinder | None) -> Scene:
    """A scene of two viewpoints 4 m apart, on walkable ground if it has any."""
    graph = NavGraph.build(["a", "b"], [[0.0, 0.0, 1.5], [4.0, 0.0, 1.5]], [("a", "b")])
    return Scene(scan, graph, {} if ground is None else {"navmesh": lambda: ground})


def space_episode(
    name: str,
    start: Point,
    goal: Point,
    *,
    scan: str = "hall",
    path: tuple[str, ...] = (),
    stated: float = 1.0,
) -> Episode:
    """An episode whose ground truth is a straight line of points about 0.25 m apart."""
    count = max(2, math.ceil(math.dist(start, goal) / 0.25))
    rows = np.linspace(start, goal, count).tolist()
    return Episode(
        episode_id=name,
        path_id=name,
        scan=scan,
        instruction="go",
        path=path,
        continuous=Continuous(
            start_position=start,
            start_rotation=(0.0, 0.0, 0.0, 1.0),
            goals=(goal,),
            goal_radii=(3.0,),
            geodesic_distance=stated,
            locations=tuple((x, y, z) for x, y, z in rows),
        ),
    )


def space_walk(episode: Episode, ground: PathFinder, seed: int, actions: int = 60) -> Prediction:
    """Walk at random, toward the goal now and then, in steps of 0.25 m; some stop, some are cut off.

    Now and then the agent is moved by less than Habitat takes notice of.
    """
    space = episode.continuous
    assert space is not None
    rng = rng_for(seed, "walk", episode.episode_id)
    at, goal, yaw = np.asarray(space.start_position), np.asarray(space.goals[0]), 0.0
    positions, done, collided = [space.start_position], [], []
    for k in range(int(rng.integers(1, actions + 1))):
        kind = int(rng.choice([1, 1, 1, 2, 3]))
        if rng.random() < 0.3:
            yaw = math.atan2(goal[2] - at[2], goal[0] - at[0])
        yaw += {1: 0.0, 2: -math.radians(15), 3: math.radians(15)}[kind]
        if kind == 1:
            target = at + 0.25 * np.array([math.cos(yaw), 0.0, math.sin(yaw)])
            moved = ground.step(at[None], target[None])[0]
            if ((moved - at) ** 2).sum() + 1e-5 < 0.0625:
                collided.append(k)
            at = moved
        elif rng.random() < 0.3:
            at = at + NUDGE * np.array([1.0, 0.0, -1.0])
        done.append(kind)
        positions.append((float(at[0]), float(at[1]), float(at[2])))
    stopped = bool(rng.random() < 0.7)
    extra = {"actions": [*done, 0] if stopped else done, "collisions": collided}
    return Prediction(episode_id=episode.episode_id, positions=tuple(positions), stopped=stopped, extra=extra)
