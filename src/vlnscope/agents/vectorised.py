"""The fast path: agents that decide for thousands of episodes of one scene with arrays.

An agent that has, besides ``act``, the method ``act_many(states: ManyStates) -> int array`` is run so by the
engine where nothing else is asked of it (no forced steps, no tours, no logged decisions, no sampling). It
returns for each row the index of the candidate it moves to; the number of candidates of that row means stop.
Both forms must decide alike; `vlnscope check-agent` compares them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Episode, Floats, Ints
from vlnscope.worlds.graph.candidates import Candidates
from vlnscope.worlds.scene import Scene

Keys = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class ManyStates:
    """Where many walks in one scene stand, all at the same step; only those still under way.

    Attributes:
        scene: the scene.
        table: the candidates of all nodes: those of node i are rows ``starts[i]`` to ``starts[i + 1]``.
        episodes: the episodes that are walked: of each only its start and its instruction, unless the agent
            needs ``annotation``.
        rows: which of `episodes` each walk belongs to.
        keys: a number per walk for its randomness; `episode_keys` of its id in runs.
        step: number of decisions made so far, the same for all walks.
        nodes: graph row at which each walk stands.
        headings: where each looks.
    """

    scene: Scene
    table: Candidates
    episodes: Sequence[Episode]
    rows: Ints
    keys: Keys
    step: int
    nodes: Ints
    headings: Floats

    @property
    def first(self) -> Ints:
        """Row in `table` of the first candidate of each walk."""
        return np.asarray(self.table.starts[self.nodes])

    @property
    def counts(self) -> Ints:
        """How many candidates each walk has; this number as a choice means stop."""
        return np.asarray(self.table.starts[self.nodes + 1] - self.table.starts[self.nodes])


@runtime_checkable
class ManyAgent(Protocol):
    """An agent that can decide for many walks at once."""

    def act_many(self, states: ManyStates) -> Ints:
        """Return the index of the chosen candidate of each walk, or the number of its candidates to stop."""


def has_many(agent: Any) -> bool:
    """Return whether an agent can decide for many walks at once."""
    return isinstance(agent, ManyAgent)


def episode_keys(episode_ids: Iterable[str]) -> Keys:
    """Return a number for each id, the same on every machine.

    Example:
        >>> episode_keys(["4332_0", "4332_1", "4332_0"]).tolist() == episode_keys(["4332_0"]).tolist() * 3
        False
        >>> len(set(episode_keys(["4332_0", "4332_1", "4332_0"]).tolist()))
        2
    """
    digests = (hashlib.blake2b(name.encode(), digest_size=8).digest() for name in episode_ids)
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)
