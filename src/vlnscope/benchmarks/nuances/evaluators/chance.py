"""What agents reach that understand nothing, or little: the levels that scores are compared with.

*Chance* is the success rate that five uniformly random moves have in expectation (the random agent of the
paper), computed from the graph: by the share of first moves, by the distribution of ends, or, where the whole
walk counts, over all walks. *Agent 1\\** enters a room of the corridor at random and *Agent 2\\** one on the
stated side; the paper gives 32.06 and 41.03 % for them, and no code. One over the number of rooms, averaged
over the items, gives both numbers: 25 starts, and 32 starts with a side, in 78 items.
"""

from __future__ import annotations

import numpy as np

from vlnscope.benchmarks.nuances.evaluators import direction, landmark, numerical, region, vertical
from vlnscope.benchmarks.nuances.evaluators.evaluator import RADIUS, Category, Wording, annotation
from vlnscope.types import Episode, Flags, Floats
from vlnscope.worlds.graph.navgraph import NavGraph

MOVES = 5
"""How many moves the random agent of NavNuances makes."""


def chance(
    episode: Episode,
    category: Category,
    graph: NavGraph,
    *,
    wording: Wording = "official",
    moves: int = MOVES,
) -> float:
    """Return the probability that so many uniformly random moves succeed.

    Example:
        >>> places, ways = [[0, 0, 0], [0, 2, 0], [2, 0, 0]], [("a", "b"), ("a", "c")]
        >>> graph = NavGraph.build(["a", "b", "c"], places, ways)
        >>> room = {"valid_ends": ["c"], "region_starts": ["a"]}
        >>> asked = Episode(
        ...     episode_id="x", path_id="x", scan="s", instruction="go into the den", path=("a",), extra=room
        ... )
        >>> chance(asked, "RR", graph, moves=1)
        0.5
    """
    if category == "NU":
        return _chance_of_walks(episode, graph, wording, moves)
    spread = _ends(graph, episode.path[0], min(moves, 1) if category == "DC" else moves)
    start = episode.path[0]
    return float(
        sum(
            spread[row]
            for row in np.flatnonzero(spread)
            if _is_right(episode, category, start, graph.nodes[row], graph, wording)
        )
    )


def room_guess(episode: Episode) -> float:
    """Return the success rate of Agent 1*, who enters one of the annotated rooms at random."""
    return 1.0 / len(annotation(episode, numerical.PathSet).set_paths)


def side_guess(episode: Episode) -> float:
    """Return the success rate of Agent 2*, who enters one of the rooms on the stated side at random.

    Example:
        >>> sets = {"set_paths": {key: [["a", key]] for key in ("1-left", "2-left", "1-right")}}
        >>> asked = Episode(
        ...     episode_id="x", path_id="h-2-left", scan="s", instruction="", path=("a",), extra=sets
        ... )
        >>> round(room_guess(asked), 3), side_guess(asked)
        (0.333, 0.5)
    """
    side = numerical.own_key(episode).rpartition("-")[2]
    keys = annotation(episode, numerical.PathSet).set_paths
    return 1.0 / sum(key.rpartition("-")[2] == side for key in keys)


def _is_right(
    episode: Episode, category: Category, start: str, end: str, graph: NavGraph, wording: Wording
) -> bool:
    if category == "DC":
        return end != start and direction.is_right_move(episode, start, end, graph, wording)
    if category == "LR":
        return landmark.is_right_end(episode, end, graph, wording)
    if category == "RR":
        return region.is_right_end(episode, end, graph, wording)
    return vertical.is_right_end(episode, end, graph, wording)


def _ends(graph: NavGraph, start: str, moves: int) -> Floats:
    """Return how probable each viewpoint is as the end of a random walk; who has no way stays."""
    step = graph.adjacency.astype(np.float64)
    degree = step.sum(axis=1)
    step = np.where(degree[:, None] > 0, step / np.maximum(degree, 1)[:, None], np.eye(len(degree)))
    spread: Floats = np.zeros(len(degree))
    spread[graph.row(start)] = 1.0
    for _ in range(moves):
        spread = spread @ step
    return spread


def _chance_of_walks(episode: Episode, graph: NavGraph, wording: Wording, moves: int) -> float:
    """Sum the probabilities of the walks that succeed; only those that end near a right end can."""
    sets = annotation(episode, numerical.PathSet).set_paths
    if len(sets) < 2:
        return 0.0
    ends = [graph.row(path[-1]) for path in sets[numerical.own_key(episode)]]
    away = np.linalg.norm(graph.positions[:, None] - graph.positions[None, ends], axis=2)
    walks = _walks(graph, episode.path[0], moves, (away <= RADIUS).any(axis=1))
    if not walks:
        return 0.0
    success = numerical.outcomes(episode, list(walks), graph, wording).success
    return float(np.asarray(list(walks.values())) @ success)


def _walks(graph: NavGraph, start: str, moves: int, ends: Flags) -> dict[tuple[str, ...], float]:
    """Return every walk of so many moves to certain ends, with its probability."""
    hopeful = [ends]
    for _ in range(moves):
        hopeful.append(graph.adjacency @ hopeful[-1])
    front: dict[tuple[str, ...], float] = {(start,): 1.0}
    for left in reversed(range(moves)):
        further: dict[tuple[str, ...], float] = {}
        for walk, odds in front.items():
            ways = graph.neighbours(walk[-1])
            for way in ways:
                if hopeful[left][graph.row(way)]:
                    further[(*walk, way)] = odds / len(ways)
        front = further
    return front
