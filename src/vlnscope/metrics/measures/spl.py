"""SPL, success weighted by path length."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.measures.dtw import NO_REFERENCE
from vlnscope.metrics.measures.gd import NOT_STATED
from vlnscope.metrics.measures.ne import no_way
from vlnscope.metrics.measures.sr import success
from vlnscope.metrics.measures.tl import UNCONNECTED
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values
from vlnscope.types import Floats

START_IS_GOAL = "start and goal are one place and the agent did not move: SPL divides 0 by 0"


def optimum(batch: PathBatch, switches: Switches) -> Floats:
    """Return the length that SPL takes for the best possible one."""
    return batch.reference_length if switches.spl_optimum == "reference" else batch.start_goal


def weighted_by_length(reached: Values, batch: PathBatch, switches: Switches) -> Values:
    """Discount a success of any kind by how much longer than necessary the walk was, as SPL does."""
    best = optimum(batch, switches)
    longest = np.maximum(np.maximum(batch.length, best), switches.spl_floor)
    at_rest = longest == 0
    failed = reached.values == 0
    usable = (longest > 0) & np.isfinite(longest)
    ratio = np.divide(best, longest, out=np.zeros(len(batch)), where=usable)
    if switches.spl_at_goal == "one":
        ratio[at_rest] = 1.0
    undefined = {
        NOT_STATED: np.isnan(best) & ~failed,
        **no_way(batch, np.where(failed, 0.0, best)),
        UNCONNECTED: np.isinf(batch.length) & ~failed,
    }
    if switches.spl_optimum == "reference":
        undefined[NO_REFERENCE] = ~batch.has_reference
    if switches.spl_at_goal == "undefined":
        undefined[START_IS_GOAL] = at_rest & ~failed
    return Values.of(reached.values * ratio, {**reached.undefined, **undefined})


@metric(
    "SPL",
    "success weighted by path length",
    unit="%",
    better="higher",
    high=1.0,
    paper="Anderson et al. 2018, On Evaluation of Embodied Navigation Agents",
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
)
def success_by_length(batch: PathBatch, switches: Switches) -> Values:
    """Success, discounted by how much longer than necessary the walk was.

    SPL = SR · L / max(TL, L), where L is the shortest distance from start to goal. HAMT, DUET and their
    relatives put the length of the annotated reference for L (``spl_optimum = reference``) and divide by
    at least 0.01 m; on R2R that changes little, on R4R a perfect follower gets 1.0 instead of about 0.6.
    Where start and goal are one place and the agent does not move, L / max(TL, L) is 0/0: 1 in the
    paper's sense, 0 in valan, an exception in Matterport's eval.py (here: undefined). A success whose walk
    or whose shortest way has no length, because places are not connected, is undefined too.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("SPL", walked="abcd", reference="abcd")
        1.0
        >>> example("SPL", walked="abebcd", reference="abcd")
        0.6
        >>> example("SPL", walked="ab", reference="abcd")
        0.0
        >>> example("SPL", walked="a", reference="a", spl_at_goal="undefined")
        'start and goal are one place and the agent did not move: SPL divides 0 by 0'
    """
    return weighted_by_length(success(batch, switches), batch, switches)
