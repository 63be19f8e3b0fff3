"""Tasks whose success is judged by something that no metric here measures: NDH, SOON."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.doctor.targets import own_success_of
from vlnscope.evaluate.score.result import Rows, Score
from vlnscope.metrics.values import Values


def with_own_success(score: Score, dataset: Dataset) -> Score:
    """Return a score whose undefined metrics say how the task judges success, if it has its own way.

    Episodes of such a task have no path to compare with, so that whatever needs one is undefined already.
    """
    judged = own_success_of(dataset)
    if not judged:
        return score
    reason = f"{judged}, which is not measured here"
    rows = score.episodes
    values = {name: _because(values, reason) for name, values in rows.values.items()}
    return replace(score, episodes=Rows(rows.ids, rows.scans, rows.path_ids, values))


def _because(values: Values, reason: str) -> Values:
    return Values.of(np.where(values.defined, values.values, 0.0), {reason: ~values.defined})
