"""The result of scoring: values per episode, means with intervals, and what a reader must know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np

from vlnscope.core.results import Block, Result, TextTable, interval, notes, number
from vlnscope.metrics.metric import Metric, get_metric
from vlnscope.metrics.profiles.profile import Profile
from vlnscope.metrics.values import Values
from vlnscope.stats.interval import Interval
from vlnscope.types import ScoreRow

_ARROWS = {"higher": "↑", "lower": "↓", "none": ""}
_METHODS = {
    "cluster-t": "cluster-robust t (CR2)",
    "exact": "exact, all values alike,",
    "percentile": "percentile bootstrap",
    "studentised": "studentised bootstrap",
}


@dataclass(frozen=True)
class Rows:
    """Values of some metrics for the same rows, which are episodes or tours."""

    ids: list[str]
    scans: list[str]
    path_ids: list[str]
    values: dict[str, Values]


@dataclass(frozen=True)
class Score(Result):
    """What a prediction file is worth under one profile.

    Attributes:
        profile: whose conventions were followed.
        dataset: name of the data set.
        episodes: values per episode.
        tours: values per tour, where the predictions were walked in tours.
        intervals: mean and confidence interval of each metric, in the metric's own unit (shares as
            fractions of 1).
        notes: what a reader must know to read the numbers right.
    """

    profile: Profile
    dataset: str
    episodes: Rows
    tours: Rows | None
    intervals: dict[str, Interval]
    notes: tuple[str, ...] = field(default=())

    @property
    def n(self) -> int:
        """Number of episodes scored."""
        return len(self.episodes.ids)

    def values_of(self, name: str) -> Values:
        """Return the values of a metric, per episode or per tour."""
        if self.tours is not None and name in self.tours.values:
            return self.tours.values[name]
        return self.episodes.values[name]

    @property
    def table(self) -> Rows:
        """What `rows`, `to_arrow` and `save` give: the episodes, or the tours if only they were scored."""
        return self.tours if self.tours is not None and not self.episodes.values else self.episodes

    def rows(self) -> Iterator[ScoreRow]:
        """Yield one row per episode (see `table`), in the order of the data set."""
        table = self.table
        reasons = {name: _reasons(values) for name, values in table.values.items()}
        columns = {name: values.values.tolist() for name, values in table.values.items()}
        for i, (episode_id, scan, path_id) in enumerate(
            zip(table.ids, table.scans, table.path_ids, strict=True)
        ):
            undefined = {name: why[i] for name, why in reasons.items() if i in why}
            values = {name: column[i] for name, column in columns.items() if name not in undefined}
            yield ScoreRow(
                episode_id=episode_id, scan=scan, path_id=path_id, values=values, undefined=undefined
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain data; shares in percent, lengths in metres."""
        return {
            "profile": self.profile.name,
            "dataset": self.dataset,
            "n": self.n,
            "metrics": {name: _summary(self, name) for name in self.intervals},
            "notes": list(self.notes),
        }

    def columns(self) -> dict[str, Any]:
        """Return the records as columns, made of whole arrays; reasons are JSON."""
        table = self.table
        columns: dict[str, Any] = {"episode_id": table.ids, "scan": table.scans, "path_id": table.path_ids}
        for name, values in table.values.items():
            columns[name] = np.ma.array(values.values, mask=~values.defined)
        columns["undefined"] = [
            msgspec.json.encode(row.undefined).decode() if row.undefined else None for row in self.rows()
        ]
        return columns

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield one row per episode; undefined values are None, with the reason in ``undefined``."""
        names = self.table.values
        for row in self.rows():
            record = {"episode_id": row.episode_id, "scan": row.scan, "path_id": row.path_id}
            values = {name: row.values.get(name) for name in names}
            yield record | values | ({"undefined": row.undefined} if row.undefined else {})

    def display(self) -> Iterator[Block]:
        """Yield the means with their intervals, and what a reader must know."""
        rows = [
            [
                name,
                number(s["mean"]),
                interval(s["ci_low"], s["ci_high"]),
                s["unit"],
                str(s["undefined"] or ""),
                _ARROWS[s["better"]],
            ]
            for name, s in self.to_dict()["metrics"].items()
        ]
        title = f"{self.dataset}   profile {self.profile.name}   n = {self.n}"
        yield TextTable(title, ("metric", "mean", "95 % interval", "unit", "undefined", "better"), rows)
        yield from notes([*self.notes, *self.undefined_notes(), *self._interval_notes()])

    def undefined_notes(self) -> list[str]:
        """Say which metrics are undefined, for how many episodes, and why."""
        by_reason: dict[str, list[str]] = {}
        for name, summary in self.to_dict()["metrics"].items():
            reasons = summary.get("undefined_reasons", {})
            for reason, count in reasons.items():
                by_reason.setdefault(f"undefined for {count}: {reason}", []).append(name)
            if "reason" in summary and not reasons:
                by_reason.setdefault(summary["reason"], []).append(name)
        return [f"{', '.join(names)} {reason}" for reason, names in by_reason.items()]

    def _interval_notes(self) -> list[str]:
        methods = {(i.method, i.units[0], i.clusters) for i in self.intervals.values() if i.low is not None}
        few = dict.fromkeys(("path", "tour"), ", for these scenes only")
        return [
            f"intervals: {_METHODS[method]} over {n} {unit}s{few.get(unit, '')}"
            for method, unit, n in sorted(methods)
        ]


def _summary(score: Score, name: str) -> dict[str, Any]:
    metric, interval = get_metric(name), score.intervals[name]
    summary: dict[str, Any] = {
        "mean": _scaled(interval.mean, metric),
        "ci_low": _scaled(interval.low, metric),
        "ci_high": _scaled(interval.high, metric),
        "undefined": interval.undefined,
        "unit": metric.unit,
        "better": metric.better,
    }
    reasons = {why: int(mask.sum()) for why, mask in score.values_of(name).undefined.items()}
    if reasons:
        summary["undefined_reasons"] = reasons
    if interval.reason:
        summary["reason"] = interval.reason
    return summary


def _scaled(number: float | None, metric: Metric) -> float | None:
    return None if number is None else number * metric.scale


def _reasons(values: Values) -> dict[int, str]:
    return {int(i): why for why, mask in values.undefined.items() for i in np.flatnonzero(mask)}
