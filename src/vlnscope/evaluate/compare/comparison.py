"""The result of comparing agents: differences with intervals and tests, and what they mean in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from vlnscope.core import registry
from vlnscope.core.results import Block, Line, Result, TextTable, interval, lines, notes, number
from vlnscope.metrics.metric import get_metric
from vlnscope.reporting.tables.marks import counted
from vlnscope.stats.interval import ANY, SHARE, Interval, Range
from vlnscope.stats.power import ALPHA, POWER, DataNeeded
from vlnscope.stats.runs import Runs
from vlnscope.stats.several import Comparison
from vlnscope.types import Floats

MANY = 1000
UNITS = {"%": " points", "m": " m", "": ""}


class Measure(NamedTuple):
    """What is compared: a metric, or a value of a benchmark's rows.

    Attributes:
        name: how it is called.
        unit: ``m``, ``%`` (a share, shown times 100), or empty for a plain number.
        better: which way is better; ``none`` if that is not known.
        within: between which values it lies.
    """

    name: str
    unit: Literal["m", "%", ""]
    better: Literal["higher", "lower", "none"]
    within: Range = ANY

    @property
    def scale(self) -> float:
        """What values are multiplied with when they are shown."""
        return 100.0 if self.unit == "%" else 1.0


def measure_of(metric: str) -> Measure | None:
    """Return what is known of a metric; None if there is no metric of that name.

    Example:
        >>> measure_of("SR"), measure_of("mass")
        (Measure(name='SR', unit='%', better='higher', within=(0.0, 1.0)), None)
    """
    if not registry.has("metric", metric):
        return None
    known = get_metric(metric)
    return Measure(metric, known.unit, known.better, (known.low, known.high))


def measure_for(name: str, values: Floats) -> Measure:
    """Return what a value is: a metric, metres if its name says so, else a share if it may be one.

    Example:
        >>> import numpy as np
        >>> measure_for("effect", np.array([-0.5, 0.25])).within
        (-1.0, 1.0)
    """
    known = measure_of(name)
    if known is not None:
        return known
    if name.endswith("_m"):
        return Measure(name, "m", "none")
    if float(np.abs(values).max(initial=0.0)) > 1.0:
        return Measure(name, "", "none")
    return Measure(name, "%", "none", SHARE if values.min(initial=0.0) >= 0.0 else (-1.0, 1.0))


@dataclass(frozen=True)
class AgentRow:
    """One agent in one metric, in a group of the cases if there are several: its mean, and its runs."""

    metric: str
    agent: str
    interval: Interval
    runs: Runs
    measure: Measure
    group: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the row as plain data; shares in percent, lengths in metres."""
        scale, i, spread = self.measure.scale, self.interval, self.runs.spread()
        row: dict[str, Any] = {
            **({"group": self.group} if self.group else {}),
            "metric": self.metric,
            "agent": self.agent,
            "mean": _times(i.mean, scale),
            "ci_low": _times(i.low, scale),
            "ci_high": _times(i.high, scale),
            "runs": len(self.runs.columns),
        }
        if spread.deviation is not None:
            row["run_means"] = [mean * scale for mean in self.runs.means().values()]
            row["run_deviation"] = spread.deviation * scale
        return row


@dataclass(frozen=True)
class PairRow:
    """Two agents in one metric.

    Attributes:
        metric: the metric.
        comparison: the difference a − b, in the metric's own unit, with its corrected p-value.
        detectable: the smallest true difference that these episodes show in four of five cases.
        needed: what it would take to show a difference as large as the one found; only where none is shown.
        measure: what the metric is.
        group: which cases these are; empty if all.
    """

    metric: str
    comparison: Comparison
    detectable: float | None = None
    needed: DataNeeded | None = None
    measure: Measure | None = None
    group: str = ""

    @property
    def measured(self) -> Measure:
        """What the metric is; a plain number if nobody knows."""
        return self.measure or measure_of(self.metric) or Measure(self.metric, "", "none")

    @property
    def label(self) -> str:
        """The metric with its group."""
        return f"{self.metric} ({self.group})" if self.group else self.metric

    @property
    def shown(self) -> bool:
        """Whether the agents differ, by the corrected test."""
        return self.comparison.adjusted is not None and self.comparison.adjusted <= ALPHA

    @property
    def better(self) -> str | None:
        """The agent that is shown to be better (higher, for a metric without direction); None if neither."""
        mean = self.comparison.difference.mean
        if not self.shown or not mean:
            return None
        higher = mean > 0
        lower_is_better = self.measured.better == "lower"
        return self.comparison.a if higher != lower_is_better else self.comparison.b

    def to_dict(self) -> dict[str, Any]:
        """Return the row as plain data; shares in percent, lengths in metres."""
        c, d, scale = self.comparison, self.comparison.difference, self.measured.scale
        needed = self.needed
        return {
            **({"group": self.group} if self.group else {}),
            "metric": self.metric,
            "a": c.a,
            "b": c.b,
            "mean_a": _times(d.mean_a, scale),
            "mean_b": _times(d.mean_b, scale),
            "difference": _times(d.mean, scale),
            "ci_low": _times(d.low, scale),
            "ci_high": _times(d.high, scale),
            "p_value": d.p,
            "tests": c.tests,
            "p_corrected": c.adjusted,
            "corrected_low": _times(c.low, scale),
            "corrected_high": _times(c.high, scale),
            "better": self.better,
            "wins": d.wins,
            "ties": d.ties,
            "losses": d.losses,
            "episodes": d.n,
            "units": d.clusters,
            "unit": d.units[0] if d.units else None,
            "detectable": _times(self.detectable, scale),
            "more_scenes": None if needed is None else needed.more_scenes,
            "more_episodes": None if needed is None else needed.more_episodes,
            "verdict": self.sentence(),
        }

    def sentence(self) -> str:
        """Say in words what was found."""
        c, d = self.comparison, self.comparison.difference
        if d.ties == d.n > 0:
            return f"{c.a} and {c.b} have the same {self.label} in {_all(d.n)}."
        if d.p is None:
            return f"{self.label} of {c.a} and {c.b} cannot be compared: {d.reason or 'there is no test'}."
        word = "higher" if self.measured.better == "none" else "better"
        if self.better:
            other = c.b if self.better == c.a else c.a
            return f"{self.better} has {word} {self.label} than {other}, by {self._size(self._sign, '')}."
        if d.excludes(0.0):
            return f"{self._alone(word)} {self._outlook()}".strip()
        size = self._size(1.0, "+")
        return f"{c.a} and {c.b}: no difference in {self.label} is shown: {size}. {self._outlook()}".strip()

    @property
    def _sign(self) -> float:
        return 1.0 if (self.comparison.difference.mean or 0.0) > 0 else -1.0

    def _alone(self, word: str) -> str:
        """Say that agents differ if nobody had asked anything else, and not after the correction."""
        c = self.comparison
        ahead, other = (c.a, c.b) if self._sign > 0 else (c.b, c.a)
        if self.measured.better == "lower":
            ahead, other = other, ahead
        metric = self.measured
        unit, scale = UNITS[metric.unit], metric.scale * self._sign
        size, ends = self._size(self._sign, "", corrected=False), ""
        if c.low is not None and c.high is not None:
            low, high = sorted((c.low * scale, c.high * scale))
            ends = f"; corrected interval {low:.2f} … {high:.2f}{unit}"
        return (
            f"{ahead} has {word} {self.label} than {other} by {size} for this pair alone,"
            f" but not after correcting for {counted(c.tests, 'test')}"
            f" (corrected p = {_p(c.adjusted)}{ends})."
        )

    def _size(self, sign: float, plus: str, *, corrected: bool = True) -> str:
        """Write the difference, seen from a (sign 1) or from b (-1), with its interval and p-value."""
        d, metric = self.comparison.difference, self.measured
        unit, scale = UNITS[metric.unit], metric.scale * sign
        ends = "no interval"
        if d.low is not None and d.high is not None:
            low, high = sorted((d.low * scale, d.high * scale))
            ends = f"{100 * d.level:g} % interval {low:{plus}.2f} … {high:{plus}.2f}"
        p = f"p = {_p(d.p)}"
        if corrected and self.comparison.tests > 1:
            p = f"corrected p = {_p(self.comparison.adjusted)}"
        return f"{(d.mean or 0.0) * scale:{plus}.2f}{unit} ({ends}; {p})"

    def _outlook(self) -> str:
        d, metric = self.comparison.difference, self.measured
        if self.detectable is None or not d.units:
            return ""
        units = counted(d.clusters, d.units[0])
        least = f"{self.detectable * metric.scale:.2f}{UNITS[metric.unit]}"
        show = "show" if d.clusters > 1 else "shows"
        return f"{units} {show} true differences from {least} on (power {100 * POWER:g} %){self._more()}."

    def _more(self) -> str:
        needed = self.needed
        if needed is None or not needed.more_scenes or needed.more_episodes is None:
            return ""
        if needed.more_scenes > MANY:
            return f"; one as small as found would take more than {MANY:,} more scenes"
        text = f"; one as small as found would take about {counted(needed.more_scenes, 'more scene')}"
        text += f" ({counted(needed.more_episodes, 'episode')})"
        if needed.episodes_in_same_scenes is not None:
            more = counted(needed.episodes_in_same_scenes, "more episode")
            return text + f", or {more} in the same scenes"
        return text if needed.limit is None else text + ", and more episodes in the same scenes would not do"


@dataclass(frozen=True)
class ComparisonTable(Result):
    """Agents compared.

    Attributes:
        dataset: name of the data set.
        profile: name of whose conventions were followed.
        n: number of episodes or cases.
        correction: how p-values were corrected, over all tests of a metric.
        agents: each agent in each metric.
        pairs: each pair in each metric.
        notes: what a reader must know to read the numbers right.
    """

    dataset: str
    profile: str
    n: int
    correction: str
    agents: tuple[AgentRow, ...]
    pairs: tuple[PairRow, ...]
    notes: tuple[str, ...]

    def sentences(self) -> list[str]:
        """Say in words what was found, a sentence per pair and metric."""
        return [pair.sentence() for pair in self.pairs]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data; shares in percent, lengths in metres."""
        return {
            "dataset": self.dataset,
            "profile": self.profile,
            "n": self.n,
            "correction": self.correction,
            "tests": len(self.pairs),
            "agents": [row.to_dict() for row in self.agents],
            "pairs": [row.to_dict() for row in self.pairs],
            "notes": list(self.notes),
        }

    def records(self) -> list[dict[str, Any]]:
        """Return one row per pair and metric."""
        return [row.to_dict() for row in self.pairs]

    def display(self) -> Iterator[Block]:
        """Yield the pairs as a table, what they mean, and what a reader must know."""
        title = f"{self.dataset}   profile {self.profile}   n = {self.n}"
        columns = ("metric", "A", "B", "A", "B", "A − B", "95 % interval", "p", "p corrected", "better")
        yield TextTable(title, columns, [_cells(record) for record in self.records()], texts=3)
        yield Line("")
        yield from lines(self.sentences())
        yield from notes(
            [*self.notes, *self._run_notes(), *self._interval_notes(), *self._correction_notes()]
        )

    def _run_notes(self) -> Iterator[str]:
        for row in (agent.to_dict() for agent in self.agents):
            if means := row.get("run_means"):
                yield (
                    f"{row['agent']}: {_label(row)} is the mean of {row['runs']} runs, which range from"
                    f" {min(means):.2f} to {max(means):.2f} (standard deviation {row['run_deviation']:.2f});"
                    " intervals and tests hold for these runs"
                )

    def _interval_notes(self) -> Iterator[str]:
        every = [pair.comparison.difference for pair in self.pairs]
        for unit in dict.fromkeys(one.units[0] for one in every if one.units):
            same_unit = [one for one in every if one.units and one.units[0] == unit]
            sizes = sorted({one.clusters for one in same_unit})
            count = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
            rows = "" if len(same_unit) == len(every) else f" ({len(same_unit)} of {len(every)} rows)"
            first = next((one for one in same_unit if one.p_method != "exact"), same_unit[0])
            is_t = first.p_method in ("cluster-t", "exact")
            test = "the same t" if is_t else f"{first.p_method} of {unit}s"
            these = "" if unit == "scene" else ", and so for these scenes only"
            yield (
                f"intervals: {first.method} over {count} {unit}s{rows}{these}, each for its pair alone;"
                f" p: {test}"
            )

    def _correction_notes(self) -> Iterator[str]:
        tests = max((pair.comparison.tests for pair in self.pairs), default=1)
        if self.correction == "none" or tests < 2:
            return
        yield f"p corrected by {self.correction} for the {tests} tests of each metric"
        if any(pair.comparison.difference.excludes(0.0) and not pair.shown for pair in self.pairs):
            yield (
                "fewer tests need less correction: --against NAME compares with one agent only,"
                " --correction benjamini-hochberg suits screening; more scenes show smaller differences"
            )


def _label(row: dict[str, Any]) -> str:
    """Return the metric of a row, with its group."""
    return f"{row['metric']} ({row['group']})" if row.get("group") else str(row["metric"])


def _cells(pair: dict[str, Any]) -> list[str]:
    return [
        _label(pair),
        pair["a"],
        pair["b"],
        *(number(pair[key]) for key in ("mean_a", "mean_b", "difference")),
        interval(pair["ci_low"], pair["ci_high"]),
        _p(pair["p_value"]),
        _p(pair["p_corrected"]),
        pair["better"] or "–",
    ]


def _all(episodes: int) -> str:
    return f"all {episodes:,} episodes" if episodes > 1 else "the only episode"


def _times(value: float | None, scale: float) -> float | None:
    return None if value is None else value * scale


def _p(value: float | None) -> str:
    return number(value, ".2g")
