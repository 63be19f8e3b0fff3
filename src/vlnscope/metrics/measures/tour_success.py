"""t-SR and t-SPL, success over whole tours."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.measures.spl import success_by_length
from vlnscope.metrics.measures.sr import success
from vlnscope.metrics.measures.tour_ndtw import episodes_per_tour
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values
from vlnscope.types import Floats

NO_SCORE = "an episode of the tour has no such score of its own"
NO_WEIGHT = "an episode of the tour starts at its goal, or has no way to it, and so has no weight"
_PAPER = "the released discrete code of Krantz et al. 2023, Iterative Vision-and-Language Navigation"


@metric(
    "t-SR",
    "tour success rate",
    unit="%",
    better="higher",
    high=1.0,
    paper=_PAPER,
    switches=("radius", "success", "goal_distance", "object_goal", "stop_required"),
    per="tour",
)
def tour_success(batch: PathBatch, switches: Switches) -> Values:
    """Share of a tour's episodes that ended near their goal, long walks counting more.

    An episode counts max(TL, L) / L, where L is the shortest distance from its start to its goal, and the
    mean over the tour is weighted so: going astray and still failing costs more than failing at once.
    The paper reports t-nDTW alone; the released code chooses its checkpoints by t-SR + t-SPL. Bounds: [0, 1].
    Undefined if an episode has no SR, or if L is 0 or unknown.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("t-SR", walked="abcd a", reference="abcd abcd")
        0.5
    """
    return _over_tours(batch, success(batch, switches))


@metric(
    "t-SPL",
    "tour success weighted by path length",
    unit="%",
    better="higher",
    high=1.0,
    paper=_PAPER,
    switches=(
        "radius",
        "success",
        "goal_distance",
        "object_goal",
        "stop_required",
        "spl_optimum",
        "spl_floor",
        "spl_at_goal",
    ),
    per="tour",
)
def tour_success_by_length(batch: PathBatch, switches: Switches) -> Values:
    """SPL over a tour's episodes, long walks counting more, as in t-SR. Bounds: [0, 1].

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("t-SPL", walked="abebcd a", reference="abcd abcd")
        0.375
    """
    return _over_tours(batch, success_by_length(batch, switches))


def _over_tours(batch: PathBatch, scores: Values) -> Values:
    if batch.tour is None:
        raise ValueError("the batch has no tours")
    weights, weighed = _weights(batch)
    total = np.bincount(batch.tour, weights=weights)
    some = np.where(total > 0, total, 1.0)
    return Values.of(
        np.bincount(batch.tour, weights=weights * scores.values) / some,
        {
            NO_SCORE: np.bincount(batch.tour, weights=~scores.defined) > 0,
            NO_WEIGHT: np.bincount(batch.tour, weights=weighed) < episodes_per_tour(batch),
        },
    )


def _weights(batch: PathBatch) -> tuple[Floats, Floats]:
    """Return how much each episode counts in its tour, 0 where nobody can say, and which ones count."""
    least = batch.start_goal
    known = np.isfinite(least) & (least > 0) & np.isfinite(batch.length)
    shortest = np.where(known, least, 1.0)
    longest = np.where(known, np.maximum(batch.length, shortest), 0.0)
    return longest / shortest, known.astype(np.float64)
