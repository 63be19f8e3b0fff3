"""Backtracking: how often an agent goes straight back to where it came from."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.kernels.ragged import Ragged
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values


@metric(
    "backtracking",
    "number of steps straight back",
    unit="",
    better="lower",
    paper="nobody: an example of a plug-in",
)
def backtracking(batch: PathBatch, switches: Switches) -> Values:
    """Number of moves that undo the move before, as from a to b and back to a.

    Turns on the spot are left out first. Bounds: [0, |P| - 2], 0 for a path that never turns round.
    """
    del switches
    flat, offsets = batch.without_repeats.pred
    place = flat.reshape(len(flat), -1)
    row = np.repeat(np.arange(len(batch)), np.diff(offsets))
    back = np.zeros(len(flat))
    back[2:] = (place[2:] == place[:-2]).all(axis=1) & (row[2:] == row[:-2])
    return Values.of(Ragged(back, offsets).sums())
