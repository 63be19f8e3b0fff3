"""The paths of a data set, each with all its instructions: what path benchmarks are built from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Episode
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scenes


class Route(NamedTuple):
    """A path and the episodes that describe it, in the order of their instructions."""

    path_id: str
    scan: str
    path: tuple[str, ...]
    episodes: tuple[Episode, ...]

    @property
    def start(self) -> str:
        """The first viewpoint."""
        return self.path[0]

    @property
    def end(self) -> str:
        """The last viewpoint."""
        return self.path[-1]

    @property
    def instructions(self) -> tuple[str, ...]:
        """The texts."""
        return tuple(episode.instruction for episode in self.episodes)


Routes = Mapping[str, list[Route]]
"""By scene."""


def sound_routes(dataset: Dataset) -> tuple[Routes, Mapping[str, NavGraph]]:
    """Return the paths of a data set by scene, and the graphs of these scenes.

    Raises:
        InputError: the paths are secret; a path is a single viewpoint, is not on the graph of its scene, or
            is broken where no way leads on; two episodes have the same id; or an episode asks for an object.
    """
    refuse_secret(dataset, "take train, val_seen or val_unseen")
    routes = routes_of(dataset)
    _refuse_unfit(dataset, list(chain.from_iterable(routes.values())))
    graphs = graphs_of(dataset, routes)
    for route in chain.from_iterable(routes.values()):
        for a, b in pairwise(route.path):
            if graphs[route.scan].distance(a, b) == float("inf"):
                raise InputError(
                    f"{dataset.name}: path {route.path_id} of {route.scan} goes from {a} to {b}, "
                    "where no way leads",
                    expected="paths within one connected part of the graph",
                    fix="remove the path, or mend the graph",
                )
    return routes, graphs


def _refuse_unfit(dataset: Dataset, routes: Sequence[Route]) -> None:
    """Refuse episodes that ask for objects, paths without a step, and ids that are used twice."""
    episodes = [episode for route in routes for episode in route.episodes]
    if any(episode.object_id is not None for episode in episodes):
        raise InputError(
            f"{dataset.name}: its episodes ask for objects; who sees the object succeeds there",
            expected="episodes that end at a place, as in R2R",
            fix="take another data set, such as r2r/val_unseen",
        )
    if short := [route.path_id for route in routes if len(route.path) < 2]:
        raise InputError(
            f"{dataset.name}: path {short[0]} is a single viewpoint",
            expected="paths of at least two viewpoints",
            fix="remove the path: there is nothing to walk in it",
        )
    name, times = Counter(episode.episode_id for episode in episodes).most_common(1)[0]
    if times > 1:
        raise InputError(
            f"{dataset.name}: two episodes are called {name}",
            expected="each episode once: a repeated one would count twice",
            fix="remove one of them, or give it an id of its own",
        )


def routes_of(dataset: Dataset) -> dict[str, list[Route]]:
    """Return the unique paths of a data set by scene, scenes and paths in the order of first appearance.

    Raises:
        InputError: there are no episodes, an episode names no viewpoints, or the episodes of one path id
            walk different paths.
    """
    groups: dict[tuple[str, str], list[Episode]] = {}
    for episode in dataset.episodes():
        if not episode.path:
            raise InputError(
                f"{dataset.name}: episode {episode.episode_id} names no viewpoints",
                expected="paths over a navigation graph, as in R2R",
                fix="use the discrete data set, such as r2r/val_unseen instead of r2r-ce/val_unseen",
            )
        group = groups.setdefault((episode.scan, episode.path_id), [])
        if group and group[0].path != episode.path:
            raise InputError(
                f"{dataset.name}: episodes {group[0].episode_id} and {episode.episode_id} share the path id "
                f"{episode.path_id} but walk different paths",
                expected="one path per path id",
                fix="give the paths ids of their own",
            )
        group.append(episode)
    if not groups:
        raise InputError(
            f"{dataset.name}: has no episodes", expected="at least one", fix="name another data set"
        )
    routes: dict[str, list[Route]] = {}
    for (scan, path_id), group in groups.items():
        ordered = tuple(sorted(group, key=lambda episode: episode.instruction_index))
        routes.setdefault(scan, []).append(Route(path_id, scan, ordered[0].path, ordered))
    return routes


def graphs_of(dataset: Dataset, routes: Mapping[str, list[Route]]) -> dict[str, NavGraph]:
    """Return the navigation graphs of all scenes that have routes, after checking that the routes fit.

    Raises:
        InputError: the data set has no graphs, or a route does not lie on the graph of its scene.
    """
    scenes: Scenes | None = dataset.scenes
    if scenes is None:
        raise InputError(
            f"{dataset.name}: has no navigation graphs",
            expected="a data set whose episodes walk over a graph, as in R2R",
            fix="use the discrete data set, such as r2r/val_unseen",
        )
    graphs = {scan: scenes.scene(scan).graph for scan in routes}
    for scan, group in routes.items():
        for route in group:
            _check(dataset.name, graphs[scan], route)
    return graphs


def refuse_secret(dataset: Dataset, fix: str) -> None:
    """Refuse a split whose goals are kept secret, because what is asked for needs whole paths."""
    if dataset.is_test:
        raise InputError(
            f"{dataset.name}: the paths hold only their start, because the goals are secret",
            expected="a split whose paths are known",
            fix=fix,
        )


def _check(name: str, graph: NavGraph, route: Route) -> None:
    """Refuse a route with viewpoints that the graph lacks, or whose end cannot be reached."""
    missing = [node for node in route.path if node not in graph.index]
    if missing:
        raise InputError(
            f"{name}: path {route.path_id} visits viewpoint {missing[0]!r}, "
            f"which the graph of {route.scan} does not have",
            expected=f"viewpoints among the {len(graph.nodes)} of the graph",
            fix="check that the path and the graph are of the same scan and release",
        )
    if graph.distance(route.start, route.end) == float("inf"):
        raise InputError(
            f"{name}: path {route.path_id} of {route.scan} ends where no way leads from its start",
            expected="paths within one connected part of the graph",
            fix="remove the path, or mend the graph",
        )
