"""Number of steps."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values


@metric(
    "steps",
    "number of steps",
    unit="",
    better="none",
    paper="Anderson et al. 2018, Vision-and-Language Navigation (CVPR)",
)
def steps(batch: PathBatch, switches: Switches) -> Values:
    """Number of logged elements after the first: moves, and turns on the spot if the file logs them.

    Where a continuous prediction lists its low-level actions, it is their number, STOP included, as in VLN-CE
    (whose own files have an element for STOP, so that the two agree). Bounds: [0, ∞); no direction is better.
    Files that leave turns out have fewer steps for the same walk, so compare steps only between files of
    one encoding.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("steps", walked="abbc", reference="abcd")
        3.0
    """
    del switches
    logged = batch.pred.sizes - 1
    if batch.actions is not None:
        logged = np.where(batch.actions >= 0, batch.actions, logged)
    return Values.of(logged.astype(np.float64))
