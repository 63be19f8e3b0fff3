"""Collisions: how often an agent ran into something, and how often per place that it logged."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.kernels.geometry import AlongGraph
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values

ON_GRAPH = "agents that walk on graphs run into nothing"
NOT_SAID = "the file does not say which steps collided"


@metric(
    "collisions",
    "number of collisions",
    unit="",
    better="lower",
    paper="Krantz et al. 2020, Beyond the Nav-Graph (ECCV)",
)
def collisions(batch: PathBatch, switches: Switches) -> Values:
    """Number of steps forward that something cut short, whether or not the agent slid along it.

    Habitat counts a step whose squared length is more than 1e-5 m² below what was commanded. Bounds:
    [0, steps]. Undefined on graphs, and where the prediction does not list its collisions.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("collisions", walked="abc", reference="abcd")
        'agents that walk on graphs run into nothing'
    """
    del switches
    if batch.collisions is None:
        reason = ON_GRAPH if isinstance(batch.geometry, AlongGraph) else NOT_SAID
        return Values.of(np.zeros(len(batch)), {reason: np.ones(len(batch), dtype=np.bool_)})
    return Values.of(batch.collisions.astype(np.float64), {NOT_SAID: batch.collisions < 0})


@metric(
    "collision-rate",
    "collisions per logged position",
    unit="",
    better="lower",
    paper="the trainer of Taioli et al. 2024, Mind the Error! (R2RIE-CE, IROS)",
    switches=("ignore_repeats",),
)
def collision_rate(batch: PathBatch, switches: Switches) -> Values:
    """Collisions divided by the number of positions, the start included.

    R2RIE-CE logs a position only where it differs from the one before (``ignore_repeats``), so that turns do
    not make the rate smaller, and an agent that keeps pushing against a wall can exceed 1. Bounds: [0, ∞).
    Undefined where `collisions` is.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("collision-rate", walked="abc", reference="abcd")
        'agents that walk on graphs run into nothing'
    """
    count = collisions(batch, switches)
    paths = batch.without_repeats if switches.ignore_repeats else batch
    return Values.of(count.values / paths.pred.sizes, count.undefined)
