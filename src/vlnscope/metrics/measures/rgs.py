"""RGS and RGSPL: whether the agent chose the object that it was asked for (REVERIE)."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.measures.ne import NO_GOAL
from vlnscope.metrics.measures.spl import weighted_by_length
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values

_PAPER = "Qi et al. 2020, REVERIE: Remote Embodied Visual Referring Expression (CVPR)"
NO_TARGET = "the episode asks for no object"
NO_CHOICE = "the prediction does not say which object the agent chose (predObjId)"


@metric("RGS", "remote grounding success rate", unit="%", better="higher", high=1.0, paper=_PAPER)
def remote_grounding(batch: PathBatch, switches: Switches) -> Values:
    """Whether the agent chose the object that the episode asks for: 1[chosen id = target id].

    As in REVERIE's evaluator, it does not matter where the agent stands when it chooses: an agent can have
    RGS without SR. A null as the choice is a wrong one. Undefined if the episode asks for no object, as in
    R2R, if its target is kept secret, or if the prediction names no choice at all.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("RGS", walked="ab", reference="abcd", seen_from="d", chose=True)
        1.0
        >>> example("RGS", walked="ab", reference="abcd", seen_from="d")
        'the prediction does not say which object the agent chose (predObjId)'
        >>> example("RGS", walked="abcd", reference="abcd")
        'the episode asks for no object'
    """
    del switches
    if batch.objects is None:
        nothing = np.ones(len(batch), dtype=np.bool_)
        return Values.of(np.zeros(len(batch)), {NO_GOAL: ~batch.has_goal, NO_TARGET: nothing})
    chosen = batch.objects.chosen
    unknown = {NO_GOAL: ~batch.has_goal, NO_TARGET: ~batch.objects.sought, NO_CHOICE: chosen < 0}
    return Values.of((chosen == 1).astype(np.float64), unknown)


@metric(
    "RGSPL",
    "RGS weighted by path length",
    unit="%",
    better="higher",
    high=1.0,
    paper=_PAPER,
    switches=("spl_optimum", "spl_floor", "spl_at_goal"),
)
def remote_grounding_by_length(batch: PathBatch, switches: Switches) -> Values:
    """RGS, discounted by how much longer than necessary the walk was, as SPL discounts SR.

    RGSPL = RGS · L / max(TL, L), where L is the shortest distance from the start to the end of the annotated
    path. Undefined where RGS is.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("RGSPL", walked="abebcd", reference="abcd", seen_from="d", chose=True)
        0.6
    """
    return weighted_by_length(remote_grounding(batch, switches), batch, switches)
