"""The paths that fidelity is built from; what would make its numbers meaningless is refused."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, pairwise

from vlnscope.benchmarks.kit.routes import Route, graphs_of, refuse_secret, routes_of
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.worlds.graph.navgraph import NavGraph

Routes = Mapping[str, list[Route]]


def sound_routes(dataset: Dataset) -> tuple[Routes, Mapping[str, NavGraph]]:
    """Return the paths of a data set by scene, and the graphs of these scenes.

    Raises:
        InputError: the paths are secret; a path is a single viewpoint, is not on the graph of its scene, or
            is broken where no way leads on; two episodes have the same id; or an episode asks for an object.
    """
    refuse_secret(dataset, "take train, val_seen or val_unseen")
    routes = routes_of(dataset)
    _refuse_objects(dataset, routes)
    _refuse_points(dataset, routes)
    _refuse_twice(dataset, routes)
    graphs = graphs_of(dataset, routes)
    _refuse_broken(dataset, routes, graphs)
    return routes, graphs


def _refuse_objects(dataset: Dataset, routes: Routes) -> None:
    if any(one.object_id is not None for route in chain(*routes.values()) for one in route.episodes):
        raise InputError(
            f"{dataset.name}: its episodes ask for objects; who sees the object succeeds there",
            expected="episodes that end at a place, as in R2R",
            fix="take another data set, such as r2r/val_unseen",
        )


def _refuse_points(dataset: Dataset, routes: Routes) -> None:
    for route in chain.from_iterable(routes.values()):
        if len(route.path) < 2:
            raise InputError(
                f"{dataset.name}: path {route.path_id} is a single viewpoint",
                expected="paths of at least two viewpoints",
                fix="remove the path: there is nothing to walk in it",
            )


def _refuse_twice(dataset: Dataset, routes: Routes) -> None:
    seen: set[str] = set()
    for route in chain.from_iterable(routes.values()):
        for episode in route.episodes:
            if episode.episode_id in seen:
                raise InputError(
                    f"{dataset.name}: two episodes are called {episode.episode_id}",
                    expected="each episode once: a repeated one would count twice",
                    fix="remove one of them, or give it an id of its own",
                )
            seen.add(episode.episode_id)


def _refuse_broken(dataset: Dataset, routes: Routes, graphs: Mapping[str, NavGraph]) -> None:
    for route in chain.from_iterable(routes.values()):
        graph = graphs[route.scan]
        for a, b in pairwise(route.path):
            if graph.distance(a, b) == float("inf"):
                raise InputError(
                    f"{dataset.name}: path {route.path_id} of {route.scan} goes from {a} to {b}, "
                    "where no way leads",
                    expected="paths within one connected part of the graph",
                    fix="remove the path, or mend the graph",
                )
