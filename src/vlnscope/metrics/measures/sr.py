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
    " 3 m of the path's end (profile reverie measures that)"
)
NO_BOXES = (
    "success is to see the object, and nothing says what can be seen in the scene: REVERIE's boxes "
    "(reverie_bbox/SCAN.json in the data folder) are missing"
)
NEVER_SEEN = "the boxes of the scene list the object that is asked for at no viewpoint"


def near(distances: Floats, switches: Switches) -> Flags:
    """Return which distances are near enough to the goal."""
    return distances <= switches.radius if switches.success == "<=" else distances < switches.radius


def success_distances(batch: PathBatch, switches: Switches) -> Floats | None:
    """Return for every predicted element the distance that decides whether stopping there is a success.

    Where success is to see an object, it is 0 if the object can be seen there, and infinite if not.
    """
    distances = goal_distances(batch, switches)
    if batch.objects is None or switches.object_goal != "seen" or distances is None:
        return distances
    by_sight = np.repeat(batch.objects.sought, batch.pred.sizes)
    return np.where(by_sight, np.where(batch.sees_target, 0.0, np.inf), distances)


def success_unknown(batch: PathBatch, switches: Switches) -> dict[str, Flags]:
    """Return why, and for which rows, it cannot be known whether the agent succeeded."""
    unknown = goal_unknown(batch, switches)
    if batch.objects is None or switches.object_goal == "near":
        return unknown
    if switches.object_goal == "undefined":
        return {SEEKS_OBJECT: batch.objects.sought, **unknown}
    return {NO_BOXES: batch.objects.without_boxes, NEVER_SEEN: batch.objects.out_of_sight, **unknown}


@metric(
    "SR",
    "success rate",
    unit="%",
    better="higher",
    high=1.0,
    paper="Anderson et al. 2018, Vision-and-Language Navigation (CVPR)",
    switches=("radius", "success", "goal_distance", "object_goal", "stop_required"),
)
def success(batch: PathBatch, switches: Switches) -> Values:
    """Whether the agent ended near the goal: 1[NE < 3 m].

    The R4R paper counts a distance of exactly 3 m as success (``<=``), nearly all code does not (``<``).
    VLN-CE also asks that the agent called STOP. An unreachable goal is a failure, not undefined.
    Where the episode asks for an object, as in REVERIE, success is to see it from where the agent stops
    (``object_goal = seen``): the object has a box at that viewpoint. Other profiles leave such episodes
    undefined, and ``near`` judges them by distance all the same. Undefined too if the distance, or what can
    be seen, is not known, or if STOP is required and the file does not say.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("SR", walked="abc", reference="abcd")
        1.0
        >>> example("SR", walked="ab", reference="abcd")
        0.0
        >>> example("SR", walked="abcd", reference="abcd", stop_required=True)
        'success needs a STOP, and the file does not say whether the agent stopped'
        >>> example("SR", walked="abc", reference="abcd", seen_from="d", object_goal="seen")
        0.0
    """
    distances = success_distances(batch, switches)
    if distances is None:
        return Values.of(np.zeros(len(batch)), success_unknown(batch, switches))
    reached = near(distances[batch.pred.last], switches)
    if not switches.stop_required:
        return Values.of(reached.astype(np.float64), success_unknown(batch, switches))
    return Values.of(
        (reached & (batch.stopped == 1)).astype(np.float64),
        {**success_unknown(batch, switches), STOP_UNKNOWN: batch.stopped < 0},
    )
