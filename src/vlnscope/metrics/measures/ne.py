"""NE, the navigation error."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values
from vlnscope.types import Flags, Floats

NO_WAY = "there is no way from there to the goal"
NO_GOAL = "the goal is not public (test split)"
NO_NAVMESH = (
    "needs the navmesh distance to the goal, which the files do not hold (profile vlnce-straight takes the "
    "straight line instead)"
)


def goal_distances(batch: PathBatch, switches: Switches) -> Floats | None:
    """Return the distance of every predicted element to the goal, or None if the files do not hold it."""
    if switches.goal_distance == "straight" and batch.straight_goal_distance is not None:
        return batch.straight_goal_distance
    return batch.goal_distance


def goal_unknown(batch: PathBatch, switches: Switches) -> dict[str, Flags]:
    """Return why, and for which rows, the distance to the goal cannot be known."""
    missing = goal_distances(batch, switches) is None
    return {NO_GOAL: ~batch.has_goal, NO_NAVMESH: np.full(len(batch), missing)}


@metric(
    "NE",
    "navigation error",
    unit="m",
    better="lower",
    paper="Anderson et al. 2018, Vision-and-Language Navigation (CVPR)",
    switches=("goal_distance",),
)
def navigation_error(batch: PathBatch, switches: Switches) -> Values:
    """Distance from where the agent stopped to the goal.

    NE(P, R) = d(last of P, last of R), with d along the graph's edges (continuous episodes: along the
    navmesh, or straight if the profile says so). Bounds: [0, ∞), lower is better, 0 at the goal.
    Undefined if there is no way between the two places, or if continuous episodes come without navmesh
    distances.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("NE", walked="abc", reference="abcd")
        2.0
        >>> example("NE", walked="abz", reference="abcd")
        'there is no way from there to the goal'
    """
    distances = goal_distances(batch, switches)
    if distances is None:
        return Values.of(np.zeros(len(batch)), goal_unknown(batch, switches))
    final = distances[batch.pred.last]
    return Values.of(final, {**goal_unknown(batch, switches), NO_WAY: np.isinf(final)})
