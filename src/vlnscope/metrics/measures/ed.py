"""ED, the edit distance between moves."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.kernels.geometry import AlongGraph
from vlnscope.metrics.measures.dtw import NO_REFERENCE
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values

NO_NODES = "continuous paths have no nodes to compare"


@metric(
    "ED",
    "edit distance",
    unit="",
    better="lower",
    paper="Chen et al. 2019, Touchdown (CVPR)",
)
def edit_distance(batch: PathBatch, switches: Switches) -> Values:
    """Levenshtein distance between the moves of the prediction and those of the reference.

    A move is a pair of successive nodes; turns on the spot count as moves. Bounds: [0, max(|P|, |R|) - 1],
    0 exactly for the reference itself. Undefined for continuous paths.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("ED", walked="abebcd", reference="abcd")
        2.0
    """
    del switches
    if not isinstance(batch.geometry, AlongGraph):
        return Values.of(np.zeros(len(batch)), {NO_NODES: np.ones(len(batch), dtype=np.bool_)})
    return Values.of(batch.edits.astype(np.float64), {NO_REFERENCE: ~batch.has_reference})
