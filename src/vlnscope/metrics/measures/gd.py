"""GD, the distance from start to goal."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.measures.ne import NO_GOAL, no_way
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values

NOT_STATED = "the episode file does not state the distance from start to goal"


@metric(
    "GD",
    "geodesic distance from start to goal",
    unit="m",
    better="none",
    paper="Anderson et al. 2018, On Evaluation of Embodied Navigation Agents",
)
def geodesic_distance(batch: PathBatch, switches: Switches) -> Values:
    """Length of the shortest way from the episode's start to its goal: what SPL compares with.

    A property of the episode, not of the agent. It is measured along the graph or on the scene's navmesh;
    without one, it is what the continuous episode states. Bounds: [0, ∞); 0 where start and goal are one
    place (R4R has such episodes). Undefined if there is no way, or neither a navmesh nor a statement.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("GD", walked="ab", reference="abcd")
        6.0
        >>> example("GD", walked="ab", reference="abcba")
        0.0
    """
    del switches
    distance = batch.start_goal
    return Values.of(
        distance, {NO_GOAL: ~batch.has_goal, **no_way(batch, distance), NOT_STATED: np.isnan(distance)}
    )
