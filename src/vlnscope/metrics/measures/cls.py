"""CLS, coverage weighted by length score, with its factors PC and LS."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.measures.dtw import NO_REFERENCE
from vlnscope.metrics.measures.tl import UNCONNECTED
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values
from vlnscope.types import Flags

PAPER = "Jain et al. 2019, Stay on the Path (ACL)"
AT_REST = "neither path covers any length: the length score divides 0 by 0"
NOT_ALONG_EDGES = "a step is on the spot or between nodes without an edge, whose length is not defined"


@metric("PC", "path coverage", unit="%", better="higher", high=1.0, paper=PAPER, switches=("radius",))
def coverage(batch: PathBatch, switches: Switches) -> Values:
    """How much of the reference lies near the prediction.

    PC = mean over r in R of exp(-d(r, P) / 3 m), where d(r, P) is the distance to the nearest place of
    the prediction. A place that the reference visits twice counts twice; a place that cannot be reached
    counts 0. Bounds: [0, 1]. Order plays no part.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("PC", walked="abc", reference="abcd")
        0.878
        >>> example("PC", walked="abe", reference="abcd")
        0.694
    """
    return Values.of(batch.coverage(switches.radius), {NO_REFERENCE: ~batch.has_reference})


@metric(
    "LS",
    "length score",
    unit="%",
    better="higher",
    high=1.0,
    paper=PAPER,
    switches=("radius", "cls_length", "cls_at_rest"),
)
def length_score(batch: PathBatch, switches: Switches) -> Values:
    """Whether the prediction is as long as the part of the reference that it covers.

    With the expected length EPL = PC · PL(R): LS = EPL / (EPL + |EPL - PL(P)|). Bounds: [0, 1], 1 if the
    lengths agree. 0/0 where neither has any length: undefined, or 1 as in valan.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("LS", walked="abebcd", reference="abcd")
        0.6
        >>> example("LS", walked="a", reference="a")
        'neither path covers any length: the length score divides 0 by 0'
    """
    covered = coverage(batch, switches)
    expected = covered.values * batch.reference_length
    total = expected + np.abs(expected - batch.length)
    score = np.divide(expected, total, out=np.ones(len(batch)), where=(total > 0) & np.isfinite(total))
    undefined: dict[str, Flags] = {**covered.undefined, **_no_length(batch, switches)}
    if switches.cls_at_rest == "undefined":
        undefined[AT_REST] = total == 0
    return Values.of(score, undefined)


@metric(
    "CLS",
    "coverage weighted by length score",
    unit="%",
    better="higher",
    high=1.0,
    paper=PAPER,
    switches=("radius", "cls_length", "cls_at_rest"),
)
def coverage_by_length(batch: PathBatch, switches: Switches) -> Values:
    """How faithfully the agent followed the described path, wherever it ended.

    CLS = PC · LS. Bounds: [0, 1], 1 for the reference. Google's class sums edge lengths, so a prediction
    that repeats a node or jumps has no CLS there (``cls_length = edges``); HAMT and valan take the
    shortest distance between successive nodes.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("CLS", walked="abc", reference="abcd")
        0.708
        >>> example("CLS", walked="dcba", reference="abcd")
        1.0
        >>> example("CLS", walked="abbcd", reference="abcd", cls_length="edges")
        'a step is on the spot or between nodes without an edge, whose length is not defined'
    """
    covered, length = coverage(batch, switches), length_score(batch, switches)
    value = covered.values * length.values
    if switches.cls_at_rest == "one":
        value = np.where((batch.length == 0) & (covered.values * batch.reference_length == 0), 1.0, value)
    return Values.of(value, {**covered.undefined, **length.undefined})


def _no_length(batch: PathBatch, switches: Switches) -> dict[str, Flags]:
    undefined = {UNCONNECTED: np.isinf(batch.length) | np.isinf(batch.reference_length)}
    if switches.cls_length == "edges":
        undefined[NOT_ALONG_EDGES] = (batch.jumps > 0) | (batch.repeats > 0)
    return undefined
