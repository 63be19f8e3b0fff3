"""nDTW, normalised dynamic time warping."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.measures.dtw import NO_REFERENCE, UNCONNECTED, warping
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values


@metric(
    "nDTW",
    "normalised dynamic time warping",
    unit="%",
    better="higher",
    high=1.0,
    paper="Ilharco et al. 2019, General Evaluation for Instruction Conditioned Navigation",
    switches=("radius", "warping", "ignore_repeats"),
)
def normalised_warping(batch: PathBatch, switches: Switches) -> Values:
    """How closely, and in the right order, the agent kept to the whole reference.

    nDTW = exp(-DTW / (3 m · |R|)), where |R| is the number of points of the reference. Bounds: (0, 1],
    1 for the reference itself (and for it with repeated nodes). Not invariant to sampling: more points
    in the prediction alone lower it. Undefined where DTW is.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("nDTW", walked="abc", reference="abcd")
        0.846
        >>> example("nDTW", walked="dcba", reference="abcd")
        0.264
    """
    cost = warping(batch, switches)
    return Values.of(
        np.exp(-cost / (switches.radius * batch.ref.sizes)),
        {NO_REFERENCE: ~batch.has_reference, UNCONNECTED: np.isinf(cost)},
    )
