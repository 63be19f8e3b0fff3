"""Does an agent know answers that it was not told? It is asked again with other answers, all else equal."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
import numpy as np

from vlnscope.agents.protocol import is_batched, needs_of
from vlnscope.engine.environment import without_answer
from vlnscope.evaluate.conformance.trial import AgentTrial, NotApplicableError, difference
from vlnscope.types import Episode
from vlnscope.worlds.graph.navgraph import NavGraph

Path = tuple[str, ...]


def answers(trial: AgentTrial) -> str | None:
    """It does not know the answer: whatever the reference is, it decides alike."""
    if "annotation" in needs_of(trial.sample):
        raise NotApplicableError("it declares that it is told the reference, and is marked as privileged")
    if private := _private_reads(trial):
        return (
            f"looks for the answer: reads `{private}` of what it is shown, which is private; "
            "it must do without, or declare that it needs ('annotation',)"
        )
    episodes = trial.course.episodes
    for driver in trial.drivers:
        with random_state(1):
            first = driver(trial.make(), trial.jobs())
        with random_state(1):
            again = driver(trial.make(), trial.jobs())
        if difference(first, again, ""):
            raise NotApplicableError("it does not decide alike twice, so that this cannot be tested")
        for changed in _other_answers(trial, [first[episode.episode_id][1] for episode in episodes]):
            with random_state(1):
                other = driver(trial.make(), trial.jobs(episodes=changed))
            if difference(first, other, ""):
                what = difference(first, other, "with another reference and all else equal")
                return f"reads the answer: {what}; it must declare that it needs ('annotation',)"
    return None


@contextmanager
def random_state(seed: int) -> Iterator[None]:
    """Put the global generators into a certain state, and back afterwards."""
    plain_state, numpy_state = random.getstate(), np.random.get_state()
    random.seed(seed)
    np.random.seed(seed)
    try:
        yield
    finally:
        random.setstate(plain_state)
        np.random.set_state(numpy_state)


def _private_reads(trial: AgentTrial) -> str | None:
    """Return a private name that an agent looks up in what it is shown, if it does."""
    reads: list[str] = []

    class Watched(Mapping[str, Any]):
        """What an agent sees, with nothing behind it; notes who looks there."""

        def __init__(self, seen: Mapping[str, Any]) -> None:
            self.look_up, self.names = seen.__getitem__, tuple(seen)

        def __getitem__(self, need: str) -> Any:
            return self.look_up(need)

        def __iter__(self) -> Iterator[str]:
            return iter(self.names)

        def __len__(self) -> int:
            return len(self.names)

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") and not name.startswith("__"):
                reads.append(f"seen.{name}")
            raise AttributeError(name)

    class Wrapped:
        """The agent, shown such things."""

        def __init__(self, agent: Any) -> None:
            self.agent, self.batched = agent, is_batched(agent)

        def __getattr__(self, name: str) -> Any:
            method = getattr(self.agent, name)
            if name not in ("start_episode", "observe", "act"):
                return method
            return lambda *arguments: method(*arguments[:-1], self.watched(arguments[-1]))

        def watched(self, shown: Any) -> Any:
            if self.batched:
                return [msgspec.structs.replace(each, seen=Watched(each.seen)) for each in shown]
            return msgspec.structs.replace(shown, seen=Watched(shown.seen))

    trial.roll_out(Wrapped(trial.make()), trial.jobs()[:2])
    return reads[0] if reads else None


def _other_answers(trial: AgentTrial, walks: Sequence[Path]) -> Iterator[list[Episode]]:
    """Yield the episodes with other references: what is visible stays, all else is gone."""
    references = [
        _other_references(episode, walk, trial.environment.scene(episode.scan).graph)
        for episode, walk in zip(trial.course.episodes, walks, strict=True)
    ]
    for paths in zip(*references, strict=True):
        yield [
            msgspec.structs.replace(without_answer(episode), path=path, distance=float(len(path)))
            for episode, path in zip(trial.course.episodes, paths, strict=True)
        ]


def _other_references(episode: Episode, walk: Path, graph: NavGraph) -> tuple[Path, Path, Path]:
    """Return references that would change an agent that reads them.

    One ends halfway along what the agent walks by itself, for agents that stop at the goal; one begins with
    another step; one has no step at all.
    """
    start = walk[:1]
    halfway = walk[: max(2, (len(walk) + 1) // 2)]
    return halfway, _elsewhere(episode, graph) or start, start


def _elsewhere(episode: Episode, graph: NavGraph) -> Path | None:
    """Return the longest of the shortest ways that begin with another step than the reference does."""
    start = graph.row(episode.path[0])
    farthest = np.argsort(-graph.distances[start], kind="stable")
    for row in farthest.tolist():
        if row != start and math.isfinite(graph.distances[start, row]):
            path = graph.shortest_path(episode.path[0], graph.nodes[row])
            if path[1:2] != episode.path[1:2]:
                return path
    return None
