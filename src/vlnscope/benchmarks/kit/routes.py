"""The paths of a data set, each with all its instructions: what path benchmarks are built from."""

from __future__ import annotations

from collections.abc import Mapping
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
    found: dict[str, list[Route]] = {}
    for (scan, path_id), group in groups.items():
        ordered = tuple(sorted(group, key=lambda episode: episode.instruction_index))
        found.setdefault(scan, []).append(Route(path_id, scan, ordered[0].path, ordered))
    return found


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
