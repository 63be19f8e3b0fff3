"""OSR, the oracle success rate."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.measures.sr import near, success_distances, success_unknown
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values


@metric(
    "OSR",
    "oracle success rate",
    unit="%",
    better="higher",
    high=1.0,
    paper="Anderson et al. 2018, Vision-and-Language Navigation (CVPR)",
    switches=("radius", "success", "goal_distance", "object_goal"),
)
def oracle_success(batch: PathBatch, switches: Switches) -> Values:
    """Whether the agent came near the goal at any time: 1[ONE < 3 m].

    At least SR wherever no STOP is required. A walk through the whole house always succeeds, so read it
    beside TL. Where the episode asks for an object: whether the agent passed a viewpoint from where it can be
    seen. Undefined where SR is, except for want of a STOP.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("OSR", walked="abcb", reference="abcd")
        1.0
        >>> example("OSR", walked="abcb", reference="abcd", seen_from="d", object_goal="seen")
        0.0
    """
    distances = success_distances(batch, switches)
    if distances is None:
        return Values.of(np.zeros(len(batch)), success_unknown(batch, switches))
    hits = near(distances, switches)
    any_hit = np.logical_or.reduceat(hits, batch.pred.offsets[:-1]) if len(batch) else np.zeros(0)
    return Values.of(any_hit.astype(np.float64), success_unknown(batch, switches))
