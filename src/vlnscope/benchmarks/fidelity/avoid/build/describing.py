"""Routes with words: in houses they are described anew, elsewhere the words of two paths are joined."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from vlnscope.benchmarks.fidelity.avoid.build.routes import (
    LONGER,
    NEAR,
    THROUGH,
    TaskRoute,
    avoid_routes,
    rescue_routes,
)
from vlnscope.benchmarks.fidelity.avoid.build.single_rooms import SceneWithRooms, SingleRoom
from vlnscope.benchmarks.fidelity.avoid.build.wording import alludes_to, speaks_of
from vlnscope.benchmarks.fidelity.avoid.tasks import Task
from vlnscope.benchmarks.fidelity.joins.paths import JoinedPath
from vlnscope.language.describe.describer import Describer
from vlnscope.language.geometry import heading_to
from vlnscope.types import Point

WORDINGS = 3
"""How many descriptions of a way are tried until one leads nowhere else."""
TRIES = 40
"""How many routes are tried for each room."""
VIEWS = 12

RouteSource = Callable[[SceneWithRooms, SingleRoom, np.random.Generator], Iterator[TaskRoute]]
_SOURCES: dict[Task, RouteSource] = {"avoid": avoid_routes, "rescue": rescue_routes}


class WordedRoute(NamedTuple):
    """A route with words for it.

    Attributes:
        route: the route.
        heading: where the walker looks at the start.
        ways: what is said of each of its parts.
        direct: what is said of the shortest way; empty if nothing is.
    """

    route: TaskRoute
    heading: float
    ways: tuple[str, ...]
    direct: str = ""


def described_routes(
    site: SceneWithRooms, room: SingleRoom, task: Task, rng: np.random.Generator, seed: int
) -> Iterator[WordedRoute]:
    """Yield routes of a house that can be described, as can the shortest ways to their goals."""
    for _, route in zip(range(TRIES), _SOURCES[task](site, room, rng), strict=False):
        heading = math.tau * int(rng.integers(VIEWS)) / VIEWS
        ways = [_said(site, part, view, seed) for part, view in _views(site, route, heading)]
        direct = _said(site, route.shortest, heading, seed)
        if direct is None or any(way is None for way in ways):
            continue
        worded = WordedRoute(route, heading, tuple(way or "" for way in ways), direct)
        if _fits(worded):
            yield worded


def _fits(worded: WordedRoute) -> bool:
    """Return whether the words lead to the room that is to be gone to, or do not speak of one to avoid."""
    room = worded.route.room.name
    if worded.route.task == "rescue":
        return speaks_of(room, worded.ways[0])
    return not alludes_to(room, " ".join(worded.ways))


def _views(site: SceneWithRooms, route: TaskRoute, heading: float) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield the parts of a route with where the walker looks at the start of each."""
    for part in route.parts:
        yield part, heading
        heading = heading_to(_point(site, part[-2]), _point(site, part[-1]))


def _point(site: SceneWithRooms, node: str) -> Point:
    x, y, z = site.graph.positions[site.graph.row(node)].tolist()
    return x, y, z


def _said(site: SceneWithRooms, path: Sequence[str], heading: float, seed: int) -> str | None:
    describer = Describer(site.scene, path, heading)
    for variant in range(WORDINGS):
        said = describer.describe("r2r", variant=variant, seed=seed)
        if said.ambiguous is None:
            return said.text
    return None


def joined_routes(
    site: SceneWithRooms,
    room: SingleRoom,
    task: Task,
    joined: Iterable[JoinedPath],
    rng: np.random.Generator,
) -> Iterator[WordedRoute]:
    """Yield joined paths around a room on the shortest way, or whose first part ends in a room off it."""
    inside = {site.graph.nodes[row] for row in room.rows}
    for path in joined:
        if not _is_task(path, task, inside):
            continue
        parts = (path.path,) if task == "avoid" else _parts(path)
        told = [part.instructions[int(rng.integers(len(part.instructions)))] for part in path.parts]
        ways = (" ".join(told),) if task == "avoid" else tuple(told)
        worded = WordedRoute(TaskRoute(task, room, parts, path.shortest_path), path.heading or 0.0, ways)
        if _fits(worded):
            yield worded


def _is_task(path: JoinedPath, task: Task, inside: set[str]) -> bool:
    """Return whether a joined path does what is asked of it, and the shortest way does not."""
    shortest = path.shortest_path
    through = sum(node in inside for node in shortest)
    if path.shortest_path_distance < NEAR or path.distance < path.shortest_path_distance + LONGER:
        return False
    if inside & {shortest[0], shortest[-1]}:
        return False
    if task == "avoid":
        return through >= THROUGH and inside.isdisjoint(path.path)
    return not through and path.parts[0].end in inside


def _parts(path: JoinedPath) -> tuple[tuple[str, ...], ...]:
    end = len(path.parts[0].path)
    return path.path[:end], path.path[end - 1 :]
