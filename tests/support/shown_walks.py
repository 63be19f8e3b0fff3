"""A house, an episode in it, and walks of made-up agents that can be drawn."""

from __future__ import annotations

import math
from functools import cache

import msgspec

from vlnscope.episodes.in_space import placed
from vlnscope.types import Episode, Prediction
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.scene import Scene

SEED = 7


@cache
def small_house() -> Scene:
    """A house with a plan, a mesh and a navigation mesh."""
    return house_scene(generate(SEED))


@cache
def house_episode() -> Episode:
    """An episode along the longest of some shortest paths of the house, on the graph and in space."""
    scene = small_house()
    graph = scene.graph
    path = max((graph.shortest_path(graph.nodes[0], node) for node in graph.nodes[::3]), key=len)
    episode = Episode(
        episode_id="7_0",
        path_id="7",
        scan=scene.id,
        instruction="Walk on, and stop.",
        path=tuple(path),
        heading=0.0,
    )
    return placed(scene, episode)


def on_graph(episode: Episode) -> Episode:
    """The same without its place in space."""
    return msgspec.structs.replace(episode, continuous=None)


def space_prediction(stopped: bool = True) -> Prediction:
    """A walk along the reference in straight lines of quarter metres, which runs into something once."""
    space = house_episode().continuous
    assert space is not None
    points, looks = [space.start_position], [0.0]
    for goal in space.reference_path[1:]:
        start = points[-1]
        count = max(1, round(math.dist(start, goal) / 0.25))
        heading = math.atan2(goal[0] - start[0], start[2] - goal[2]) % math.tau
        points.append(start)  # turns on the spot
        looks.append(heading)
        for k in range(1, count + 1):
            x, y, z = (a + (b - a) * k / count for a, b in zip(start, goal, strict=True))
            points.append((x, y, z))
            looks.append(heading)
    return Prediction(
        episode_id="7_0",
        positions=tuple(points),
        headings=tuple(looks),
        stopped=stopped,
        extra={"collisions": [2], "actions": [1] * (len(points) - 1)},
    )
