"""How far it is from path to path: along the graph of a scene, or along its ground in continuous space."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vlnscope.benchmarks.kit.routes import Route
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Continuous, Episode, Floats
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.graph.navgraph import NavGraph

LEGS = ("end-to-start", "start-to-start")


def ground_of(dataset: Dataset, scan: str) -> PathFinder | None:
    """Return what is walked on in a scene of a data set in continuous space; None on graphs."""
    if not dataset.continuous or dataset.scenes is None:
        return None
    ground: PathFinder = dataset.scenes.scene(scan).layer("navmesh")
    return ground


def inter_navigable(
    graph: NavGraph, routes: Sequence[Route], ground: PathFinder | None = None
) -> list[list[Route]]:
    """Part paths into sets within which a way leads from the end of each path to the start of each.

    Edges are walked both ways, so these are the connected parts of the graph that have paths; or of the
    ground, if it is given. Sets and paths stand in the order of the paths.
    """
    if ground is None:
        reached = np.isfinite(graph.distances[[graph.row(route.start) for route in routes]])
        numbers = reached.argmax(axis=1)  # the first viewpoint that can be reached
    else:
        numbers = ground.islands(_starts(routes))
    parts: dict[int, list[Route]] = {}
    for route, number in zip(routes, numbers.tolist(), strict=True):
        parts.setdefault(number, []).append(route)
    return list(parts.values())


def leg_costs(
    graph: NavGraph,
    routes: Sequence[Route],
    legs: str = "end-to-start",
    ground: PathFinder | None = None,
) -> Floats:
    """Return the metres from each path (row) to the start of each (column), from its end or its start.

    They are measured along the ground, if it is given, else along the graph.
    """
    if ground is not None:
        targets = _starts(routes)
        places = targets if legs == "start-to-start" else _goals(routes)
        pairs = np.repeat(places, len(routes), axis=0), np.tile(targets, (len(routes), 1))
        return ground.distance(*pairs).reshape(len(routes), -1)
    starts = [graph.row(route.start) for route in routes]
    ends = starts if legs == "start-to-start" else [graph.row(route.end) for route in routes]
    costs: Floats = graph.distances[np.ix_(ends, starts)]
    return costs


def _starts(routes: Sequence[Route]) -> Floats:
    return np.array([place_of(route.episodes[0]).start_position for route in routes])


def _goals(routes: Sequence[Route]) -> Floats:
    return np.array([place_of(route.episodes[0]).goals[0] for route in routes])


def place_of(episode: Episode) -> Continuous:
    """Return where an episode lies in continuous space.

    Raises:
        InputError: it does not say so.
    """
    place = episode.continuous
    if place is None or not place.goals:
        raise InputError(
            f"episode {episode.episode_id} has no start and goal in space",
            expected="episodes as in R2R-CE",
            fix="take a data set such as houses-ce/val_unseen",
        )
    return place
