"""sDTW, success weighted by normalised dynamic time warping."""

from __future__ import annotations

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.measures.ndtw import normalised_warping
from vlnscope.metrics.measures.sr import success
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values


@metric(
    "sDTW",
    "success weighted by nDTW",
    unit="%",
    better="higher",
    high=1.0,
    paper="Ilharco et al. 2019, General Evaluation for Instruction Conditioned Navigation",
    switches=(
        "radius",
        "success",
        "goal_distance",
        "object_goal",
        "stop_required",
        "warping",
        "ignore_repeats",
    ),
)
def success_by_warping(batch: PathBatch, switches: Switches) -> Values:
    """Success times nDTW: near the goal, and by the described way.

    sDTW = SR · nDTW. Bounds: [0, 1]. Google's class counts a final distance of exactly 3 m as success,
    HAMT and valan do not. Undefined where SR or nDTW is.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("sDTW", walked="abc", reference="abcd")
        0.846
        >>> example("sDTW", walked="ab", reference="abcd")
        0.0
    """
    reached, followed = success(batch, switches), normalised_warping(batch, switches)
    return Values.of(reached.values * followed.values, {**reached.undefined, **followed.undefined})
