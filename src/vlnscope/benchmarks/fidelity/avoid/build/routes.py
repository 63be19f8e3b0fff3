"""Routes in a scene: around a room that the shortest way leads through, or to a room that it does not pass.

A route is worth asking if who goes straight to the goal is clearly wrong: the described way is `LONGER`
metres longer than the shortest one at least, and `STRETCH` times as long at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vlnscope.benchmarks.fidelity.avoid.build.single_rooms import SceneWithRooms, SingleRoom
from vlnscope.benchmarks.fidelity.avoid.tasks import Task
from vlnscope.types import Flags, Floats

LONGER, STRETCH = 3.0, 3.0
NEAR, FAR = 4.0, 18.0
"""How far the goal is from the start, metres along the shortest way: as in R2R, and a little less."""
THROUGH = 2
"""Fewest viewpoints of the room on the shortest way."""
STEPS = 14
"""Most steps of a route: longer ones take too many words."""


class TaskRoute(NamedTuple):
    """A route that is not the shortest to its goal, for a reason.

    Attributes:
        task: which one.
        room: the room to avoid, or to go to first.
        parts: the viewpoints in one stretch, or up to the room and from there.
        shortest: the way of who goes straight to the goal.
    """

    task: Task
    room: SingleRoom
    parts: tuple[tuple[str, ...], ...]
    shortest: tuple[str, ...]

    @property
    def path(self) -> tuple[str, ...]:
        """All viewpoints, none twice where parts meet."""
        return (*self.parts[0], *(node for part in self.parts[1:] for node in part[1:]))


def avoid_routes(site: SceneWithRooms, room: SingleRoom, rng: np.random.Generator) -> Iterator[TaskRoute]:
    """Yield ways around a room, from and to places outside, in random order."""
    around, direct = site.around(room).distances, site.graph.distances
    longer = site.detours(room)
    with np.errstate(invalid="ignore"):
        worth = _is_near(direct) & (longer >= LONGER) & (around <= STRETCH * direct)
    for start, goal in _shuffled(worth, rng):
        route = _avoiding(site, room, site.graph.nodes[start], site.graph.nodes[goal])
        if route is not None:
            yield route


def _avoiding(site: SceneWithRooms, room: SingleRoom, start: str, goal: str) -> TaskRoute | None:
    path, shortest = site.around(room).shortest_path(start, goal), site.graph.shortest_path(start, goal)
    inside = sum(site.graph.index[node] in room.rows for node in shortest)
    if inside < THROUGH or not 2 <= len(path) <= STEPS + 1:
        return None
    return TaskRoute("avoid", room, (path,), shortest)


def rescue_routes(site: SceneWithRooms, room: SingleRoom, rng: np.random.Generator) -> Iterator[TaskRoute]:
    """Yield ways that go to a room first, which the shortest way does not touch, in random order."""
    direct = site.graph.distances
    inside = np.zeros(len(direct), dtype=np.bool_)
    inside[list(room.rows)] = True
    apart = ~inside[:, None] & ~inside[None, :] & _is_near(direct)
    for start, goal in _shuffled(apart, rng):
        shortest = site.graph.shortest_path(site.graph.nodes[start], site.graph.nodes[goal])
        touches = any(inside[site.graph.index[node]] for node in shortest)
        via = min(room.rows, key=lambda row: (direct[start, row] + direct[row, goal], row))
        length = direct[start, via] + direct[via, goal]
        if touches or not direct[start, goal] + LONGER <= length <= STRETCH * direct[start, goal]:
            continue
        stops = [site.graph.nodes[row] for row in (start, via, goal)]
        parts = tuple(site.graph.shortest_path(a, b) for a, b in pairwise(stops))
        if min(map(len, parts)) > 2 and sum(map(len, parts)) - 2 <= STEPS:
            yield TaskRoute("rescue", room, parts, shortest)


def _is_near(direct: Floats) -> Flags:
    return np.asarray((direct >= NEAR) & (direct <= FAR))


def _shuffled(wanted: Flags, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
    pairs = np.argwhere(wanted)
    for pick in rng.permutation(len(pairs)).tolist():
        start, goal = pairs[pick].tolist()
        yield start, goal
