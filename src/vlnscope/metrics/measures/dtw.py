"""DTW, the cost of the best alignment of two paths."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.kernels.geometry import Straight
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values
from vlnscope.types import Floats

NO_REFERENCE = "the episode has no reference path to compare with"
UNCONNECTED = "a place of the prediction is not connected with one of the reference"
NO_LENGTH = "the reference has no length to divide by"


def warping(batch: PathBatch, switches: Switches) -> Floats:
    """Return the alignment cost under the switches; infinity where places are not connected."""
    paths = batch.without_repeats if switches.ignore_repeats else batch
    fast = switches.warping == "fastdtw" and isinstance(batch.geometry, Straight)
    return paths.fast_warping if fast else paths.exact_warping


@metric(
    "DTW",
    "dynamic time warping cost",
    unit="m",
    better="lower",
    paper="Ilharco et al. 2019, General Evaluation for Instruction Conditioned Navigation",
    switches=("warping", "ignore_repeats", "dtw"),
)
def warping_cost(batch: PathBatch, switches: Switches) -> Values:
    """Sum of distances along the cheapest monotone alignment of prediction and reference.

    Steps of the alignment advance one path or both, each costs the distance d(p_i, r_j) between the
    places it joins, and first and last places are joined. Bounds: [0, ∞), 0 for the reference itself. It
    grows with the number of points, so it is not comparable between episodes. valan reports it per metre
    of reference; VLN-CE approximates it with FastDTW, which is never smaller. Undefined if a place of one
    path cannot be reached from one of the other.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("DTW", walked="abe", reference="abcd")
        8.0
        >>> example("DTW", walked="abe", reference="abcd", dtw="per-metre")
        1.333
    """
    cost = warping(batch, switches)
    undefined = {NO_REFERENCE: ~batch.has_reference, UNCONNECTED: np.isinf(cost)}
    if switches.dtw == "total":
        return Values.of(cost, undefined)
    length = batch.reference_length
    undefined[NO_LENGTH] = length == 0
    return Values.of(np.divide(cost, length, out=np.zeros(len(batch)), where=length > 0), undefined)
