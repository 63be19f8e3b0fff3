"""The summaries that the released evaluators print, under their names, in percent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from vlnscope.benchmarks.nuances.evaluators.evaluator import Category
from vlnscope.types import ScoreRow


def official_summary(category: Category, rows: Sequence[ScoreRow]) -> dict[str, float]:
    """Return what the released evaluator of a category prints for these rows.

    Means of nothing are left out.
    """
    of_category = [row for row in rows if row.groups.get("category") == category]
    found = _SUMMARIES[category](of_category)
    return found | {"num_paths": float(len(of_category))}


def dual_success(rows: Iterable[ScoreRow]) -> dict[str, float]:
    """Return, for each pair of a left and a right turn from one view, whether both succeed."""
    halves: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.groups.get("subset") in ("left", "right") and "pair" in row.groups and "SR" in row.values:
            halves.setdefault(row.groups["pair"], {})[row.groups["subset"]] = row.values["SR"]
    return {pair: min(both.values()) for pair, both in halves.items() if len(both) == 2}


def _mean(name: str, rows: Sequence[ScoreRow], metric: str, **groups: str) -> dict[str, float]:
    values = [
        row.values[metric]
        for row in rows
        if metric in row.values and all(row.groups.get(key) == value for key, value in groups.items())
    ]
    return {name: 100 * sum(values) / len(values)} if values else {}


def _direction(rows: Sequence[ScoreRow]) -> dict[str, float]:
    found = _mean("sr", rows, "SR")
    for turn in ("left", "right", "around"):
        found |= _mean(f"sr_{turn}", rows, "SR", subset=turn)
    dual = list(dual_success(rows).values())
    return found | ({"pair_sr": 100 * sum(dual) / len(dual)} if dual else {})


def _landmark(rows: Sequence[ScoreRow]) -> dict[str, float]:
    found = _mean("sr", rows, "SR")
    for way in ("towards", "past"):
        found |= _mean(f"success_{way}", rows, "SR", subset=way)
    return found


def _region(rows: Sequence[ScoreRow]) -> dict[str, float]:
    found = _mean("sr", rows, "SR") | _mean("oracle_success", rows, "OSR")
    for way in ("into", "exit"):
        found |= _mean(f"success_{way}", rows, "SR", subset=way)
        found |= _mean(f"oracle_success_{way}", rows, "OSR", subset=way)
    return found


def _numerical(rows: Sequence[ScoreRow]) -> dict[str, float]:
    return _mean("path_SR", rows, "SR") | _mean("nDTW", rows, "nDTW")


def _vertical(rows: Sequence[ScoreRow]) -> dict[str, float]:
    names = {"SR": "sr", "OSR": "oracle_sr", "SPL": "spl", "nDTW": "nDTW"}
    found: dict[str, float] = {}
    for metric, name in names.items():
        found |= _mean(name, rows, metric)
        found |= _mean(f"{name}_double_dir", rows, metric, both="yes")
    both = sum(row.groups.get("both") == "yes" for row in rows)
    return found | {"num_paths_double": float(both)}


_SUMMARIES: dict[Category, Callable[[Sequence[ScoreRow]], dict[str, float]]] = {
    "DC": _direction,
    "VM": _vertical,
    "NU": _numerical,
    "LR": _landmark,
    "RR": _region,
}
