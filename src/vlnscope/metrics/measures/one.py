"""ONE, the oracle navigation error."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.measures.ne import goal_distances, goal_unknown, no_way
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values


@metric(
    "ONE",
    "oracle navigation error",
    unit="m",
    better="lower",
    paper="Anderson et al. 2018, Vision-and-Language Navigation (CVPR)",
    switches=("goal_distance",),
)
def oracle_navigation_error(batch: PathBatch, switches: Switches) -> Values:
    """Smallest distance to the goal along the way: NE of an agent told when to stop.

    ONE(P, R) = min over p in P of d(p, last of R). Bounds: [0, NE], lower is better. Undefined if no
    place of the path leads to the goal, or if continuous episodes come without a navmesh.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("ONE", walked="abcb", reference="abcd")
        2.0
    """
    distances = goal_distances(batch, switches)
    if distances is None:
        return Values.of(np.zeros(len(batch)), goal_unknown(batch, switches))
    nearest = np.minimum.reduceat(distances, batch.pred.offsets[:-1]) if len(batch) else np.zeros(0)
    return Values.of(nearest, {**goal_unknown(batch, switches), **no_way(batch, nearest)})
