"""How often random moves carry out all steps of a chain."""

from __future__ import annotations

import numpy as np

from vlnscope.benchmarks.nuances.chains.judging import ChainJudge
from vlnscope.benchmarks.nuances.evaluators.chance import MOVES
from vlnscope.core.rng import rng_for
from vlnscope.worlds.graph.navgraph import NavGraph

WALKS = 100
"""How many random walks tell the chance level of a case."""


def chance_of(judge: ChainJudge, graph: NavGraph, start: str, steps: int, name: str) -> float:
    """Return the success rate of walks of five uniformly random moves per step.

    The cuts of a walk into steps are too many for an expectation, so walks are drawn.

    Args:
        judge: of the chain.
        graph: where it is walked.
        start: where walks begin.
        steps: how many steps the chain has.
        name: of the case, on which alone the walks depend.
    """
    rng = rng_for(0, "chance of chains", name)
    walks = (_random_walk(graph, start, MOVES * steps, rng) for _ in range(WALKS))
    return sum(judge.progress(walk).done == steps for walk in walks) / WALKS


def _random_walk(graph: NavGraph, start: str, moves: int, rng: np.random.Generator) -> list[str]:
    walk = [start]
    for draw in rng.random(moves):
        ways = graph.neighbours(walk[-1])
        walk += [ways[int(draw * len(ways))]] if ways else []
    return walk
