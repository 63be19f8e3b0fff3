"""Metrics as the authors of a file state them: what they call them, and summaries among the records.

Many programs that evaluate agents write what they measured beside what the agent did, or instead of it. The
names differ (``success``, ``success_rate``, ``sucs_all``); ``stated.toml`` says which metric each one is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from vlnscope.core.toml_file import packaged_toml

IDS = ("instr_id", "instruction_id", "episode_id", "inst_idx", "path_id", "case_id", "id")
"""Members that name what a record is about."""
_COUNTS = ("total_num_instr", "num_episodes", "total", "n")
_FEWEST = 2


class StatedSummary(NamedTuple):
    """What the authors of a file found in all of it together.

    Attributes:
        where: the file and the number of the record.
        values: metrics by the names that they have here, as they are written: shares of 1, or percent.
        episodes: over how many, if that is said.
    """

    where: str
    values: dict[str, float]
    episodes: int | None = None


@cache
def _metrics() -> dict[str, str]:
    rows: dict[str, list[str]] = packaged_toml(__name__)
    return {name: metric for metric, names in rows.items() for name in (plain_name(metric), *names)}


def plain_name(name: str) -> str:
    """Return a name without what writers vary: case, blanks and dashes.

    Example:
        >>> plain_name("oracle success-Rate")
        'oracle_success_rate'
    """
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def metric_called(name: str) -> str | None:
    """Return the metric that authors call so; None if it is none that is known by another name.

    Example:
        >>> metric_called("oracle success_rate"), metric_called("distance_to_goal"), metric_called("loss")
        ('OSR', 'NE', None)
    """
    return _metrics().get(plain_name(name))


def is_number(value: Any) -> bool:
    """Tell whether a JSON value is a number; NaN, which Python writes, counts, true and false do too."""
    return isinstance(value, int | float)


def stated_metrics(record: Mapping[str, Any]) -> dict[str, float]:
    """Return the metrics that a record states, as they are written; what is not finite is left out.

    Example:
        >>> stated_metrics({"success": 1.0, "ne": 0.5, "spl": float("nan"), "steps": 7})
        {'SR': 1.0, 'NE': 0.5}
    """
    found: dict[str, float] = {}
    for name, value in record.items():
        metric = metric_called(name)
        if metric is not None and is_number(value) and math.isfinite(value):
            found.setdefault(metric, float(value))
    return found


def is_summary(record: Any) -> bool:
    """Tell whether a record is a summary of others: some metrics, about no episode and without a walk.

    Example:
        >>> is_summary({"success_rate": 0.7, "spl": 0.6, "total_num_instr": 1021})
        True
        >>> is_summary({"episode_id": 7, "success": 1, "spl": 1.0})
        False
    """
    if not isinstance(record, dict) or any(name in record for name in IDS):
        return False
    if any(isinstance(value, list) for value in record.values()):
        return False
    stated = [name for name, value in record.items() if is_number(value) and metric_called(name) is not None]
    return len(stated) >= _FEWEST


def summary_of(where: str, record: Mapping[str, Any]) -> StatedSummary:
    """Return what a summary says.

    A whole number called ``length`` is how many episodes there are: lengths of walks are not whole.
    """
    counts = [record[name] for name in _COUNTS if isinstance(record.get(name), int)]
    if isinstance(record.get("length"), int):
        counts.append(record["length"])
        record = {name: value for name, value in record.items() if name != "length"}
    values = stated_metrics(record)
    return StatedSummary(where, values, counts[0] if counts else None)
