"""Bootstrap intervals with their options as arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from vlnscope.stats.bootstrap import Bootstrap, bootstrap_intervals
from vlnscope.stats.columns import Sample
from vlnscope.stats.interval import Interval
from vlnscope.stats.nesting import Nesting


def resampled(
    columns: Mapping[str, Sample],
    nesting: Nesting,
    *,
    method: Literal["percentile", "studentised"] = "percentile",
    replicates: int = 1000,
    seed: int = 0,
    replace: tuple[bool, ...] | None = None,
    **options: Any,
) -> dict[str, Interval]:
    return bootstrap_intervals(columns, nesting, Bootstrap(method, replicates, seed, replace), **options)
