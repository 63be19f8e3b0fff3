"""The result of scoring: values per episode, means with intervals, and what a reader must know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from vlnscope.core.tables import Tabular
from vlnscope.evaluate.result_file import save_result
from vlnscope.metrics.metric import Metric, get_metric
from vlnscope.metrics.profiles.profile import Profile
from vlnscope.metrics.values import Values
from vlnscope.stats.interval import Interval
from vlnscope.types import ScoreRow


@dataclass(frozen=True)
class Rows:
    """Values of some metrics for the same rows, which are episodes or tours."""

    ids: list[str]
    scans: list[str]
    path_ids: list[str]
    values: dict[str, Values]


@dataclass(frozen=True)
class Score(Tabular):
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
        """Return one row per episode; undefined values are null, with the reason in ``undefined``."""
        table = self.table
        columns: dict[str, Any] = {"episode_id": table.ids, "scan": table.scans, "path_id": table.path_ids}
        for name, values in table.values.items():
            columns[name] = np.ma.array(values.values, mask=~values.defined)
        columns["undefined"] = [
            msgspec.json.encode(row.undefined).decode() if row.undefined else None for row in self.rows()
        ]
        return columns

    def save(self, path: str | Path) -> None:
        """Write the values per episode (``.parquet`` or ``.jsonl``) or the summary (``.json``)."""
        save_result(
            path, self.to_dict, self.columns, lambda: (_flat(row, self.table.values) for row in self.rows())
        )

    def _repr_html_(self) -> str:
        head = "<tr><th>metric</th><th>mean</th><th>95% interval</th><th>undefined</th></tr>"
        body = "".join(
            f"<tr><td>{escape(name)}</td><td>{show(s['mean'])}</td>"
            f"<td>{show(s['ci_low'])} … {show(s['ci_high'])}</td><td>{s['undefined']}</td></tr>"
            for name, s in self.to_dict()["metrics"].items()
        )
        caption = f"{escape(self.dataset)}, profile {escape(self.profile.name)}, n = {self.n}"
        return f"<table><caption>{caption}</caption>{head}{body}</table>"


def show(number: float | None) -> str:
    """Write a number for a table: two decimals, or a dash where there is none."""
    return "–" if number is None else f"{number:.2f}"


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


def _flat(row: ScoreRow, names: dict[str, Values]) -> dict[str, Any]:
    flat: dict[str, Any] = {"episode_id": row.episode_id, "scan": row.scan, "path_id": row.path_id}
    flat.update({name: row.values.get(name) for name in names})
    if row.undefined:
        flat["undefined"] = row.undefined
    return flat
