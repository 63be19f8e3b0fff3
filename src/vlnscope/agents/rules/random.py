"""Random agents: the floor of every table, in the three protocols that papers and code use, and one more.

- ``r4r``: the number of edges is drawn from those of the training split's references, each move is to a
  uniformly random neighbour (Jain et al. 2019, footnote 5);
- ``nuances``: five uniformly random moves (NavNuances);
- ``mattersim``: turn right by a random multiple of 30°, then five times straight on, turning right where
  there is no way ahead, in at most 30 actions (``RandomAgent`` of the Matterport3D simulator);
- ``uniform``: every way and stopping are equally likely, and its distribution says so: the chance level of
  benchmarks that look at probabilities, where the others put all mass on what they have drawn.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping
from weakref import WeakKeyDictionary

import numpy as np

from vlnscope.agents.continuous.handcrafted import RANDOM
from vlnscope.agents.counting import CountingAgent, episode_key
from vlnscope.agents.spec import AgentSpec, Option, register_agent
from vlnscope.agents.vectorised import ManyStates
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import uniform, uniforms
from vlnscope.types import Decision, Floats, Ints, Observation
from vlnscope.worlds.graph.candidates import candidates
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.graph.views import HEADINGS, STEP, view_index

MOVES = 5
ACTIONS = 30
_HALF_WIDTH = math.radians(40)
_known: WeakKeyDictionary[NavGraph, tuple[Ints, Ints]] = WeakKeyDictionary()
EDGES: Mapping[str, Mapping[int, int]] = {
    "r2r": {3: 24, 4: 4971, 5: 3979, 6: 5065},
    "r4r": {
        7: 54, 8: 5349, 9: 26874, 10: 48375, 11: 63822, 12: 52296, 13: 28704, 14: 7230, 15: 810, 16: 18
    },
}  # fmt: skip
"""How many instructions of a training split have references of so many edges."""

PROTOCOLS = ("r4r", "nuances", "mattersim", "uniform")
_HAIR = 2.0**-30
_NUANCES = {5: 1}


class RandomWalk(CountingAgent):
    """Draws how far to go, then moves to a uniformly random neighbour that many times.

    Args:
        seed: of all choices.
        edges: weight of each number of moves.
    """

    def __init__(self, seed: int, edges: Mapping[int, int]) -> None:
        self._seed = seed
        self._moves = np.array(list(edges), dtype=np.int64)
        weights = np.cumsum(np.array(list(edges.values()), dtype=np.float64))
        self._limits = weights / weights[-1]
        self._limit_list = self._limits.tolist()

    def act(self, observation: Observation) -> Decision:
        """Move on, or stop where the walk is over."""
        key, step, ways = episode_key(observation), self.count(), len(observation.candidates)
        drawn = bisect_right(self._limit_list, uniform(self._seed, "random edges", key, 0))
        if step >= self._moves[drawn] or not ways:
            return Decision.stop(observation)
        return Decision.choose(observation, int(uniform(self._seed, "random move", key, step) * ways))

    def act_many(self, states: ManyStates) -> Ints:
        """Decide as `act` does."""
        drawn = np.searchsorted(self._limits, uniforms(self._seed, "random edges", states.keys, 0), "right")
        share = uniforms(self._seed, "random move", states.keys, states.step)
        moves = (share * states.counts).astype(np.int64)
        return np.where(states.step >= self._moves[drawn], states.counts, moves)


class MattersimWalk:
    """Turns at random, then goes straight on; where it looks is its own affair, as in the simulator.

    Args:
        seed: of the turn.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._moves = self._used = self._view = 0

    def start_episode(self, instruction: str, observation: Observation) -> None:
        """Turn right by a random multiple of 30°."""
        key = episode_key(observation)
        self._used = int(uniform(self._seed, "random turn", key, 0) * HEADINGS)
        self._view = (view_index(observation.heading) + self._used) % HEADINGS
        self._moves = 0

    def act(self, observation: Observation) -> Decision:
        """Go straight on, turning right until there is a way ahead."""
        headings = np.array([c.heading for c in observation.candidates])
        elevations = np.array([c.elevation for c in observation.candidates])
        turns, choice = (way[self._view] for way in views_ahead(headings, elevations))
        self._used += int(turns) + 1
        self._view = (self._view + int(turns)) % HEADINGS
        self._moves += 1
        if self._moves > MOVES or self._used > ACTIONS or choice < 0:
            return Decision.stop(observation)
        return Decision.choose(observation, int(choice))

    def act_many(self, states: ManyStates) -> Ints:
        """Decide as `act` does: walk from the start again, which needs no memory between steps."""
        turns_of, choice_of = ways_ahead(states.scene.graph)
        row = states.scene.graph.row
        start = np.array([row(episode.path[0]) for episode in states.episodes])
        looks = np.array([view_index(episode.heading or 0.0) % HEADINGS for episode in states.episodes])
        used = (uniforms(self._seed, "random turn", states.keys, 0) * HEADINGS).astype(np.int64)
        nodes, view = start[states.rows], (looks[states.rows] + used) % HEADINGS
        for _ in range(states.step):
            turns, choice = turns_of[nodes, view], choice_of[nodes, view]
            used, view = used + turns + 1, (view + turns) % HEADINGS
            nodes = states.table.nodes[states.table.starts[nodes] + choice]
        turns, choice = turns_of[nodes, view], choice_of[nodes, view]
        over = (states.step >= MOVES) | (used + turns + 1 > ACTIONS) | (choice < 0)
        return np.where(over, states.counts, choice)


class UniformWalk(CountingAgent):
    """Takes any way or stops, all with equal chance, and returns that distribution.

    Whoever follows the most probable action must follow a draw, too: what is drawn gets a billionth more.

    Args:
        seed: of all choices.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def act(self, observation: Observation) -> Decision:
        """Find everything equally likely."""
        key, size = episode_key(observation), len(observation.actions)
        drawn = int(uniform(self._seed, "random action", key, self.count()) * size)
        shares = [1.0 + (k == drawn) * _HAIR for k in range(size)]
        return Decision(tuple(share / (size + _HAIR) for share in shares))

    def act_many(self, states: ManyStates) -> Ints:
        """Decide as `act` does, for those who take the most probable action."""
        share = uniforms(self._seed, "random action", states.keys, states.step)
        return np.asarray((share * (states.counts + 1)).astype(np.int64))


def views_ahead(headings: Floats, elevations: Floats) -> tuple[Ints, Ints]:
    """Return for each of the twelve level views how often to turn right until a way lies ahead, and which.

    A way lies ahead if it is at most 40° to the left or right; of several, the nearest to the centre is
    taken. Where there is no way at all, -1 is.

    Example:
        >>> turns, way = views_ahead(np.array([0.1, np.pi]), np.zeros(2))
        >>> turns[:6].tolist(), way[:6].tolist()
        ([0, 0, 3, 2, 1, 0], [0, 0, 1, 1, 1, 1])
    """
    if not len(headings):
        return np.zeros(HEADINGS, dtype=np.int64), np.full(HEADINGS, -1, dtype=np.int64)
    relative = headings - (np.arange(HEADINGS) * STEP)[:, None]
    relative = (relative + math.pi) % math.tau - math.pi
    apart = np.where(np.abs(relative) <= _HALF_WIDTH, np.hypot(relative, elevations), np.inf)
    ahead = np.asarray(np.isfinite(apart).any(axis=1))
    turned = (np.arange(HEADINGS)[:, None] + np.arange(HEADINGS)) % HEADINGS
    turns = ahead[turned].argmax(axis=1)
    return turns, apart.argmin(axis=1)[(np.arange(HEADINGS) + turns) % HEADINGS]


def ways_ahead(graph: NavGraph) -> tuple[Ints, Ints]:
    """Return `views_ahead` of all nodes of a graph, one row each."""
    if graph not in _known:
        table = candidates(graph)
        parts = [slice(a, b) for a, b in zip(table.starts[:-1], table.starts[1:], strict=True)]
        rows = [views_ahead(table.heading[part], table.elevation[part]) for part in parts]
        empty = np.zeros((0, HEADINGS), dtype=np.int64)
        turns, choices = zip(*rows, strict=True) if rows else (empty, empty)
        _known[graph] = (np.array(turns), np.array(choices))
    return _known[graph]


def make(protocol: str, edges: str, seed: int) -> RandomWalk | MattersimWalk | UniformWalk:
    """Make the random agent of a protocol; `edges` matters to ``r4r`` only."""
    if protocol == "uniform":
        return UniformWalk(seed)
    if protocol == "mattersim":
        return MattersimWalk(seed)
    if protocol == "nuances":
        return RandomWalk(seed, _NUANCES)
    if protocol == "r4r":
        return RandomWalk(seed, EDGES[edges] if edges in EDGES else _table(edges))
    raise InputError(
        f"agent 'random' has no protocol {protocol!r}",
        expected=f"one of {', '.join(PROTOCOLS)}",
        fix="for example `random:protocol=nuances`",
    )


def _table(text: str) -> dict[int, int]:
    """Read a table such as ``4:10/5:20``."""
    try:
        table = {int(moves): int(weight) for moves, weight in (p.split(":") for p in text.split("/"))}
    except ValueError:
        table = {}
    if not table or min(table) < 0 or min(table.values()) < 0 or not any(table.values()):
        raise InputError(
            f"agent 'random': edges={text!r} cannot be used",
            expected=f"{', '.join(EDGES)}, or how often each number of edges occurs",
            fix="for example edges=4:10/5:20 for 4 edges in one of three walks and 5 in the others",
        )
    return table


register_agent(
    AgentSpec(
        name="random",
        summary="goes to random neighbours",
        make=make,
        options={
            "protocol": Option(
                str,
                "r4r",
                "r4r (as many moves as training paths), nuances (five), mattersim (straight on) or uniform"
                " (anything, with honest probabilities)",
            ),
            "edges": Option(str, "r2r", "how many moves, for r4r: as in r2r or r4r training, or 4:10/5:20"),
        },
        continuous=RANDOM,
    )
)
