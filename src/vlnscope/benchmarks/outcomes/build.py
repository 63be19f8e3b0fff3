"""Builds the cases of outcomes: the episodes of a data set as they are, each under its own id."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from vlnscope.benchmarks.fidelity.build.paths import described_paths, draw_episodes
from vlnscope.benchmarks.kit.case_set import CaseSet, Loss
from vlnscope.benchmarks.kit.routes import sound_routes
from vlnscope.benchmarks.outcomes.protocol import rules
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Case, Logged


def build_cases(
    dataset: Dataset,
    *,
    most: int | None = None,
    log: Logged = "all",
    max_steps: int | None = None,
    seed: int = 0,
) -> CaseSet:
    """Make the cases of outcomes.

    Args:
        dataset: any data set with paths over navigation graphs.
        most: how many episodes to ask, spread over scenes and paths; all if None.
        log: which decisions runs keep, as in `Rules`.
        max_steps: steps of an agent; see `protocol.rules`.
        seed: of the choice.

    Returns:
        The cases in the order of the data set, path by path; a case is called as its episode, so that lines
        of a prediction file fit.

    Raises:
        InputError: the data set cannot be used (see `sound_routes`), or `most` leaves nothing.
    """
    routes, graphs = sound_routes(dataset)
    every = list(chain.from_iterable(routes.values()))
    episodes = {episode.episode_id: episode for route in every for episode in route.episodes}
    drawn = draw_episodes(described_paths(every, graphs), most, seed)
    chosen = [episodes[episode.episode_id] for _, episode in drawn]
    return CaseSet(
        benchmark="outcomes",
        data=dataset.address,
        rules=rules(longest=max(len(episode.path) - 1 for episode in chosen), max_steps=max_steps, log=log),
        cases=tuple(Case(case_id=episode.episode_id, episode=episode) for episode in chosen),
        options={"most": most, "log": log, "max_steps": max_steps, "seed": seed},
        losses=(Loss("episodes asked", len(episodes), len(chosen)),),
    )


def count_cases(case_set: CaseSet) -> dict[str, int]:
    """Return how many cases there are by the length of their paths."""
    counts = Counter(len(case.episode.path) - 1 for case in case_set.cases)
    return {f"{steps} steps": count for steps, count in sorted(counts.items())}
