"""NE, the navigation error."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.kernels.geometry import Straight
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values
from vlnscope.types import Flags, Floats

NO_WAY = "there is no way from there to the goal"
NO_PATH = "no path on the navigation mesh leads from there to the goal"
NO_GOAL = "the goal is not public (test split)"
NO_NAVMESH = (
    "needs the navmesh distance to the goal, and no navmesh of the scene is at hand (profile vlnce-straight "
    "takes the straight line instead)"
)


def goal_distances(batch: PathBatch, switches: Switches) -> Floats | None:
    """Return the distance of every predicted element to the goal; NaN or None where it is not known."""
    if switches.goal_distance == "straight" and batch.straight_goal_distance is not None:
        return batch.straight_goal_distance
    return batch.goal_distance


def goal_unknown(batch: PathBatch, switches: Switches) -> dict[str, Flags]:
    """Return why, and for which rows, the distance to the goal cannot be known."""
    distances = goal_distances(batch, switches)
    missing = np.full(len(batch), True) if distances is None else np.isnan(distances[batch.pred.last])
    return {NO_GOAL: ~batch.has_goal, NO_NAVMESH: missing}


def no_way(batch: PathBatch, distances: Floats) -> dict[str, Flags]:
    """Return why infinite distances to the goal are undefined, and which rows have one."""
    return {NO_PATH if isinstance(batch.geometry, Straight) else NO_WAY: np.isinf(distances)}


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
    On a navmesh, the distance is measured anew only where the agent has moved by more than about 0.1 mm, as
    in Habitat. Undefined if there is no way between the two places (Habitat: infinite), or if continuous
    episodes come without a navmesh.

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
    return Values.of(final, {**goal_unknown(batch, switches), **no_way(batch, final)})
