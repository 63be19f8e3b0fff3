"""SR, the success rate."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.measures.ne import goal_distances, goal_unknown
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values
from vlnscope.types import Flags, Floats

STOP_UNKNOWN = "success needs a STOP, and the file does not say whether the agent stopped"
SEEKS_OBJECT = (
    "the episode asks for an object (REVERIE): success is to see it from the last viewpoint, not to be within"
    " 3 m of the path's end, and no profile measures that yet"
)


def near(distances: Floats, switches: Switches) -> Flags:
    """Return which distances are near enough to the goal."""
    return distances <= switches.radius if switches.success == "<=" else distances < switches.radius


def success_unknown(batch: PathBatch, switches: Switches) -> dict[str, Flags]:
    """Return why, and for which rows, it cannot be known from distances whether the agent succeeded."""
    unknown = goal_unknown(batch, switches)
    return unknown if batch.seeks_object is None else {SEEKS_OBJECT: batch.seeks_object, **unknown}


@metric(
    "SR",
    "success rate",
    unit="%",
    better="higher",
    high=1.0,
    paper="Anderson et al. 2018, Vision-and-Language Navigation (CVPR)",
    switches=("radius", "success", "goal_distance", "stop_required"),
)
def success(batch: PathBatch, switches: Switches) -> Values:
    """Whether the agent ended near the goal: 1[NE < 3 m].

    The R4R paper counts a distance of exactly 3 m as success (``<=``), nearly all code does not (``<``).
    VLN-CE also asks that the agent called STOP. An unreachable goal is a failure, not undefined.
    Undefined if the distance cannot be known, if STOP is required and the file does not say, or if the
    episode asks for an object, as in REVERIE, where success is to see it from where the agent stops.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("SR", walked="abc", reference="abcd")
        1.0
        >>> example("SR", walked="ab", reference="abcd")
        0.0
        >>> example("SR", walked="abcd", reference="abcd", stop_required=True)
        'success needs a STOP, and the file does not say whether the agent stopped'
    """
    distances = goal_distances(batch, switches)
    if distances is None:
        return Values.of(np.zeros(len(batch)), success_unknown(batch, switches))
    reached = near(distances[batch.pred.last], switches)
    if not switches.stop_required:
        return Values.of(reached.astype(np.float64), success_unknown(batch, switches))
    return Values.of(
        (reached & (batch.stopped == 1)).astype(np.float64),
        {**success_unknown(batch, switches), STOP_UNKNOWN: batch.stopped < 0},
    )
