"""Is an item decided by its words? The walk that another variant asks for must fail the item's own check."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vlnscope.benchmarks.nuances.evaluators import direction, landmark
from vlnscope.benchmarks.nuances.evaluators.evaluator import category_of
from vlnscope.types import Episode
from vlnscope.worlds.graph.navgraph import NavGraph


def passes(episode: Episode, walk: Sequence[str], graph: NavGraph) -> bool:
    """Return whether a walk passes the official check of a direction or a landmark item."""
    if category_of(episode) == "DC":
        return bool(direction.judge(episode, walk, graph).values["SR"])
    return landmark.is_right_end(episode, walk[-1], graph, "default")


def is_decided(episode: Episode, wrong: Iterable[Sequence[str]], graph: NavGraph) -> bool:
    """Return whether the reference passes and every walk of other variants fails."""
    return passes(episode, episode.path, graph) and not any(passes(episode, walk, graph) for walk in wrong)
