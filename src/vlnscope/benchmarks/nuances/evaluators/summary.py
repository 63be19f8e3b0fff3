"""The summaries that the released evaluators print, under their names, in percent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vlnscope.benchmarks.kit.estimates import select
from vlnscope.benchmarks.nuances.evaluators.evaluator import Category
from vlnscope.types import ScoreRow

_BASE = {"sr": "SR", "oracle_sr": "OSR", "spl": "SPL", "nDTW": "nDTW"}
_Means = dict[str, tuple[str, dict[str, str]]]
_MEANS: dict[Category, _Means] = {
    "DC": {"sr": ("SR", {})}
    | {f"sr_{turn}": ("SR", {"subset": turn}) for turn in ("left", "right", "around")},
    "VM": {name: (metric, {}) for name, metric in _BASE.items()}
    | {f"{name}_double_dir": (metric, {"both": "yes"}) for name, metric in _BASE.items()},
    "NU": {"path_SR": ("SR", {}), "nDTW": ("nDTW", {})},
    "LR": {"sr": ("SR", {})} | {f"success_{way}": ("SR", {"subset": way}) for way in ("towards", "past")},
    "RR": {"sr": ("SR", {}), "oracle_success": ("OSR", {})}
    | {f"success_{way}": ("SR", {"subset": way}) for way in ("into", "exit")}
    | {f"oracle_success_{way}": ("OSR", {"subset": way}) for way in ("into", "exit")},
}
"""What is averaged over which rows, by category and name."""


def official_summary(category: Category, rows: Sequence[ScoreRow]) -> dict[str, float]:
    """Return what the released evaluator of a category prints for these rows.

    Means of nothing are left out.
    """
    of_category = select(rows, category=category)
    summary: dict[str, float] = {}
    for name, (metric, groups) in _MEANS[category].items():
        values = [row.values[metric] for row in select(of_category, **groups) if metric in row.values]
        summary |= {name: 100 * sum(values) / len(values)} if values else {}
    if category == "DC" and (dual := list(dual_success(of_category).values())):
        summary["pair_sr"] = 100 * sum(dual) / len(dual)
    if category == "VM":
        summary["num_paths_double"] = float(len(select(of_category, both="yes")))
    return summary | {"num_paths": float(len(of_category))}


def dual_success(rows: Iterable[ScoreRow]) -> dict[str, float]:
    """Return, for each pair of a left and a right turn from one view, whether both succeed."""
    pairs: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.groups.get("subset") in ("left", "right") and "pair" in row.groups and "SR" in row.values:
            pairs.setdefault(row.groups["pair"], {})[row.groups["subset"]] = row.values["SR"]
    return {pair: min(both.values()) for pair, both in pairs.items() if len(both) == 2}
