"""Numerical comprehension: does the agent enter the room (or reach the object) with the right number?

Paths from one start that lead to other rooms are the negatives. An agent succeeds if it ends within 3 m of
the end of a right path, and if its walk resembles the right path whose end is nearest more than any wrong
one.

==================  ==========================================  ==========================================
                    official                                    paper
==================  ==========================================  ==========================================
distance to end     along edges, ≤ 3 m                          straight ("geometric"), ≤ 3 m
resemblance         nDTW, straight distances, threshold 1 m     nDTW as defined: along edges, 3 m
==================  ==========================================  ==========================================

A tie is a failure. A set that holds right paths only has no negatives, and so no success rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
import numpy as np

from vlnscope.benchmarks.nuances.evaluators.evaluator import (
    RADIUS,
    Judgement,
    Wording,
    annotation,
    without_repeats,
)
from vlnscope.core.exceptions import InputError
from vlnscope.metrics.kernels.loops import warping_costs
from vlnscope.metrics.kernels.ragged import offsets_of
from vlnscope.types import Episode, Flags, Floats
from vlnscope.worlds.graph.navgraph import NavGraph

NO_OTHERS = "the set has no other paths to compare with"
_TOLERANCE = {"default": 1.0, "official": 1.0, "paper": RADIUS}
_Path = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
_Paths = Annotated[tuple[_Path, ...], msgspec.Meta(min_length=1)]


class PathSet(msgspec.Struct):
    """The annotation: all paths from this start, by number and side such as ``2-left``."""

    set_paths: dict[str, _Paths]


class Outcomes(msgspec.Struct, frozen=True):
    """Of several walks: near a right end, near it by the right way, and the nDTW with the right path."""

    goal: Flags
    success: Flags
    ndtw: Floats


def own_key(episode: Episode) -> str:
    """Return the key of the right paths: the last two parts of the path's id, such as ``2-left``."""
    key = "-".join(episode.path_id.split("-")[-2:])
    if key not in annotation(episode, PathSet).set_paths:
        raise InputError(
            f"episode {episode.episode_id}: set_paths has no {key!r}",
            expected="the right paths under the last two parts of path_id",
            fix="correct the record, or build the cases again",
        )
    return key


def judge(episode: Episode, path: Sequence[str], graph: NavGraph, wording: Wording = "official") -> Judgement:
    """Judge a walk; oracle success asks whether the agent could have stopped earlier and succeeded."""
    walk = without_repeats(path)
    starts = [walk[:size] for size in range(1, len(walk) + 1)]
    scores = outcomes(episode, starts, graph, wording)
    values = {"goal_SR": float(scores.goal[-1]), "nDTW": float(scores.ndtw[-1])}
    if len(annotation(episode, PathSet).set_paths) < 2:
        return Judgement(values, {"SR": NO_OTHERS, "OSR": NO_OTHERS})
    return Judgement(values | {"SR": float(scores.success[-1]), "OSR": float(scores.success.any())})


def outcomes(
    episode: Episode, walks: Sequence[Sequence[str]], graph: NavGraph, wording: Wording = "official"
) -> Outcomes:
    """Judge several walks of one case at once."""
    own = own_key(episode)
    labelled = [(key, ref) for key, refs in annotation(episode, PathSet).set_paths.items() for ref in refs]
    right = np.array([key == own for key, _ in labelled])
    rows = [np.array([graph.row(node) for node in walk]) for walk in walks]
    refs = [np.array([graph.row(node) for node in ref]) for _, ref in labelled]
    straight = np.linalg.norm(graph.positions[:, None] - graph.positions[None], axis=2)
    to_end, resemblance = (straight, graph.distances) if wording == "paper" else (graph.distances, straight)
    ends = to_end[np.ix_([ref[-1] for ref in refs], [walk[-1] for walk in rows])].T
    ndtw = _ndtw(resemblance, rows, refs, _TOLERANCE[wording])
    nearest = np.where(right, ends, np.inf).argmin(axis=1)
    of_own = ndtw[np.arange(len(rows)), nearest]
    of_others = np.where(right, -np.inf, ndtw).max(axis=1)
    goal = ends[np.arange(len(rows)), nearest] <= RADIUS
    return Outcomes(goal, goal & (of_own > of_others), of_own)


def _ndtw(distances: Floats, walks: Sequence[Floats], refs: Sequence[Floats], tolerance: float) -> Floats:
    """Return the nDTW of every walk with every reference."""
    blocks = [distances[walk[:, None], ref].ravel() for walk in walks for ref in refs]
    sizes = np.array([len(ref) for ref in refs] * len(walks), dtype=np.int64)
    offsets = offsets_of(np.array([block.size for block in blocks], dtype=np.int64))
    free = np.zeros(len(blocks), dtype=np.uint8)
    costs = warping_costs(np.concatenate(blocks), offsets, sizes, free, free)
    return np.asarray(np.exp(-costs / (tolerance * sizes))).reshape(len(walks), len(refs))
