"""SED, success weighted by edit distance."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.measures.ed import edit_distance
from vlnscope.metrics.measures.sr import success
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values


@metric(
    "SED",
    "success weighted by edit distance",
    unit="%",
    better="higher",
    high=1.0,
    paper="Chen et al. 2019, Touchdown (CVPR); as defined in Jain et al. 2019, Stay on the Path (ACL)",
    switches=("radius", "success", "goal_distance", "object_goal", "stop_required"),
)
def success_by_edits(batch: PathBatch, switches: Switches) -> Values:
    """Success, discounted by the share of moves that differ from the reference.

    SED = SR · (1 - ED / (max(|P|, |R|) - 1)). If both paths are a single node, SED = SR. It asks for the
    very nodes of the reference: a path one node beside it scores 0. Undefined where SR or ED is.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("SED", walked="abc", reference="abcd")
        0.667
        >>> example("SED", walked="abebcd", reference="abcd")
        0.6
    """
    reached, edits = success(batch, switches), edit_distance(batch, switches)
    moves = np.maximum(np.maximum(batch.pred.sizes, batch.ref.sizes) - 1, 1)
    return Values.of(reached.values * (1.0 - edits.values / moves), {**reached.undefined, **edits.undefined})
