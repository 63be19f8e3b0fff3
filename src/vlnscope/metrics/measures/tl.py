"""TL, the trajectory length (called PL, path length, in the R4R paper)."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values

UNCONNECTED = "two successive places of the path are not connected"


@metric(
    "TL",
    "trajectory length",
    unit="m",
    better="none",
    paper="Anderson et al. 2018, On Evaluation of Embodied Navigation Agents",
)
def trajectory_length(batch: PathBatch, switches: Switches) -> Values:
    """How far the agent walked; the R4R paper calls it PL.

    TL(P) = Σ d(p_i, p_{i+1}), with d along the graph's edges, or straight for continuous paths. Turning
    on the spot adds nothing. Bounds: [0, ∞). No direction is better: the right length is that of the
    reference. Undefined if two successive nodes are not connected at all.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("TL", walked="abcb", reference="abcd")
        6.0
        >>> example("TL", walked="abz", reference="abcd")
        'two successive places of the path are not connected'
    """
    del switches
    return Values.of(batch.length, {UNCONNECTED: np.isinf(batch.length)})
