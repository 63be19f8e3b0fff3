"""The oracle: it knows the way, and takes it."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from vlnscope.agents.continuous.experts import SHORTEST
from vlnscope.agents.protocol import Annotation
from vlnscope.agents.spec import AgentSpec, Option, register_agent
from vlnscope.agents.vectorised import ManyStates
from vlnscope.core.exceptions import InputError
from vlnscope.types import Decision, Floats, Ints, Observation
from vlnscope.worlds.graph.candidates import candidates
from vlnscope.worlds.graph.navgraph import NavGraph

FOLLOW = Option(str, "goal", "goal (the shortest way there) or reference (the annotated path)")


class ShortestAgent:
    """Takes a shortest way to the end of the reference, and stops there."""

    needs = ("annotation",)

    def act(self, observation: Observation) -> Decision:
        """Take the next step, or stop at the goal and where no way leads there."""
        return Decision.choose(observation, self.right(observation))

    def right(self, observation: Observation) -> int:
        """Return the index of the right action; the number of candidates stands for stopping."""
        annotation: Annotation = observation.seen["annotation"]
        return way_to(annotation.scene.graph, observation.viewpoint, annotation.episode.path[-1])

    def act_many(self, states: ManyStates) -> Ints:
        """Decide as `act` does."""
        row = states.scene.graph.row
        goals = np.array([row(episode.path[-1]) for episode in states.episodes])
        return np.asarray(ways(states.scene.graph)[states.nodes, goals[states.rows]])


class ReferenceAgent:
    """Walks the reference node by node, and stops at its end; from elsewhere it returns to where it left."""

    needs = ("annotation",)

    def __init__(self) -> None:
        self._at = 0

    def start_episode(self, instruction: str, observation: Observation) -> None:
        """Begin at the start of the reference."""
        self._at = 0

    def observe(self, observation: Observation) -> None:
        """Keep count of how much of the reference is done."""
        annotation: Annotation = observation.seen["annotation"]
        ahead = annotation.episode.path[self._at + 1 : self._at + 2]
        self._at += ahead == (observation.viewpoint,)

    def act(self, observation: Observation) -> Decision:
        """Go to the next node of the reference, or stop at its end."""
        return Decision.choose(observation, self.right(observation))

    def right(self, observation: Observation) -> int:
        """Return the index of the right action; the number of candidates stands for stopping."""
        self.observe(observation)
        annotation: Annotation = observation.seen["annotation"]
        path, here = annotation.episode.path, observation.viewpoint
        ahead = path[min(self._at + (path[self._at] == here), len(path) - 1)]
        return way_to(annotation.scene.graph, here, ahead)


def guide(follow: str) -> ShortestAgent | ReferenceAgent:
    """Make the oracle that follows ``goal`` or ``reference``."""
    if follow == "goal":
        return ShortestAgent()
    if follow == "reference":
        return ReferenceAgent()
    raise InputError(
        f"an oracle cannot follow {follow!r}", expected="goal or reference", fix="write follow=reference"
    )


def way_to(graph: NavGraph, here: str, goal: str) -> int:
    """Return which candidate of `here` is next on a shortest way; their number to stop."""
    return int(ways(graph)[graph.row(here), graph.row(goal)])


_known: WeakKeyDictionary[NavGraph, Ints] = WeakKeyDictionary()


def ways(graph: NavGraph) -> Ints:
    """Return for each node and goal the candidate that is next on a shortest way.

    Of several that are equally good, the first; the number of candidates where there is no way, and at the
    goal.
    """
    if graph not in _known:
        _known[graph] = _ways(graph)
    return _known[graph]


def _ways(graph: NavGraph) -> Ints:
    table, distances = candidates(graph), _walkable(graph).distances
    chosen = np.empty(distances.shape, dtype=np.int64)
    for node, (start, end) in enumerate(zip(table.starts[:-1], table.starts[1:], strict=True)):
        others = table.nodes[start:end]
        lengths: Floats = distances[node, others][:, None] + distances[others]
        lengths = np.vstack([lengths, np.full(len(distances), np.inf)])
        shortest = lengths.min(axis=0)
        chosen[node] = (lengths <= shortest + 1e-9).argmax(axis=0)
        chosen[node, ~np.isfinite(shortest)] = end - start
        chosen[node, node] = end - start
    return chosen


def _walkable(graph: NavGraph) -> NavGraph:
    """Leave out edges that lead straight up or nowhere: no agent is offered them."""
    table = candidates(graph)
    if len(table.nodes) == 2 * len(graph.edges):
        return graph
    sources = np.repeat(np.arange(len(graph.nodes)), np.diff(table.starts))
    offered = np.sort(np.stack([sources, table.nodes], axis=1), axis=1)
    return NavGraph(graph.nodes, graph.positions, np.unique(offered, axis=0))


register_agent(
    AgentSpec(
        name="shortest",
        summary="oracle: takes the shortest way to the goal, or walks the reference",
        make=lambda follow, seed: guide(follow),
        options={"follow": FOLLOW},
        continuous=SHORTEST,
    )
)
