"""Scores: the values of one episode or case, and the array types that everything is computed with."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


class ScoreRow(msgspec.Struct, frozen=True, kw_only=True):
    """All metrics of one episode or case; what is undefined has a reason instead of a value.

    Attributes:
        episode_id: the episode; the case where a benchmark asks it.
        scan: scene id.
        path_id: the path that the episode walks.
        values: by metric.
        undefined: why other metrics have no value.
        groups: what a case is grouped by, as in `Case`.
    """

    episode_id: str
    scan: str
    path_id: str
    values: dict[str, float]
    undefined: dict[str, str] = msgspec.field(default_factory=dict)
    groups: dict[str, str] = msgspec.field(default_factory=dict)
