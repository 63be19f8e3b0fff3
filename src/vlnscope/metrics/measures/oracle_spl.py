"""oracle-SPL, the SPL of the best place to stop."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.kernels import loops as kernels
from vlnscope.metrics.measures.gd import NOT_STATED
from vlnscope.metrics.measures.ne import no_way
from vlnscope.metrics.measures.spl import optimum, success_by_length
from vlnscope.metrics.measures.sr import success_distances, success_unknown
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values


@metric(
    "oracle-SPL",
    "SPL at the best place to stop",
    unit="%",
    better="higher",
    high=1.0,
    paper="Krantz et al. 2020, Beyond the Nav-Graph (ECCV)",
    switches=("radius", "success", "goal_distance", "object_goal", "stop_required", "spl_optimum"),
)
def oracle_spl(batch: PathBatch, switches: Switches) -> Values:
    """Largest SPL that the same walk could have had by stopping earlier.

    max over t of 1[d(p_t, goal) < 3] · L / max(TL(p_1 … p_t), L). At least SPL, at most 1; 0 if the walk
    never came near. VLN-CE takes the running maximum of SPL, which is 0 until STOP is called, so there
    (``stop_required``) it equals SPL.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("oracle-SPL", walked="abcba", reference="abcd")
        1.0
    """
    if switches.stop_required:
        return success_by_length(batch, switches)
    distances = success_distances(batch, switches)
    if distances is None:
        return Values.of(np.zeros(len(batch)), success_unknown(batch, switches))
    best = optimum(batch, switches)
    largest = kernels.best_stops(
        batch.steps,
        distances,
        batch.pred.offsets,
        np.nan_to_num(best, posinf=0.0),
        switches.radius,
        switches.success == "<=",
    )
    return Values.of(
        largest, {**success_unknown(batch, switches), NOT_STATED: np.isnan(best), **no_way(batch, best)}
    )
