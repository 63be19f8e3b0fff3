"""Vertical movement: does the agent stop near the annotated end, on the right floor?

Officially this is the base evaluator (profile ``hamt``): success within 3 m along edges, SPL relative to the
length of the reference, repeated viewpoints kept. The paper speaks of a geometric radius of three metres, so
SR, OSR, SPL and sDTW then go by the straight line, 3 m included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np

from vlnscope.benchmarks.kit.trajectory_scores import values_at
from vlnscope.benchmarks.nuances.evaluators.evaluator import RADIUS, Judgement, Wording, annotation
from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.encoding import pair_episodes
from vlnscope.metrics.evaluate import evaluate
from vlnscope.metrics.profiles.profile import get_profile
from vlnscope.types import Episode, Prediction
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scenes


class Stairs(msgspec.Struct):
    """The annotation: whether stairs lead up and down from the start."""

    has_both_dir: bool


def subset(episode: Episode, graph: NavGraph) -> str:
    """Return where the reference leads: up or down."""
    first, last = (graph.positions[graph.row(node)][2] for node in (episode.path[0], episode.path[-1]))
    return "down" if last < first else "up"


def has_both_directions(episode: Episode) -> bool:
    """Tell whether stairs lead up and down from the start."""
    return annotation(episode, Stairs).has_both_dir


def judge_all(
    walks: Sequence[tuple[Episode, Sequence[str]]], scenes: Scenes, wording: Wording = "official"
) -> list[Judgement]:
    """Judge walks with the base evaluator."""
    if not walks:
        return []
    pairs = pair_episodes((episode for episode, _ in walks), scenes)
    pairs.add_predictions(
        Prediction(episode_id=episode.episode_id, path=tuple(path)) for episode, path in walks
    )
    batch = pairs.batch(np.arange(len(pairs)))
    profile = get_profile("hamt")
    if wording == "paper":
        batch = _straight(batch, walks, scenes)
        profile = replace(profile, switches=replace(profile.switches, success="<="))
    values = evaluate(batch, profile)
    return [Judgement(*values_at(values, row)) for row in range(len(walks))]


def is_right_end(episode: Episode, end: str, graph: NavGraph, wording: Wording = "official") -> bool:
    """Tell whether an agent that ends here did what was asked."""
    if wording != "paper":
        return graph.distance(end, episode.path[-1]) < RADIUS
    a, b = (graph.positions[graph.row(node)] for node in (end, episode.path[-1]))
    return float(np.linalg.norm(a - b)) <= RADIUS


def _straight(batch: PathBatch, walks: Sequence[tuple[Episode, Sequence[str]]], scenes: Scenes) -> PathBatch:
    """Measure the distance to the goal as the crow flies."""
    distances = []
    for episode, path in walks:
        graph = scenes.scene(episode.scan).graph
        rows = [graph.row(node) for node in path]
        goal = graph.positions[graph.row(episode.path[-1])]
        distances.append(np.linalg.norm(graph.positions[rows] - goal, axis=1))
    return replace(batch, goal_distance=np.concatenate(distances))
