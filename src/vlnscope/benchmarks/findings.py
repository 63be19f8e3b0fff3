"""Findings: what a benchmark has to say of agents, as data that anybody can draw or put into words.

A `Statement` carries a number, its interval and the value that would mean *nothing to report*, and words for
each of the three cases: the interval lies above that value, below it, or includes it. Words for an effect are
therefore never used where there is none. Figures and tables are data; `vlnscope.reporting` draws them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from vlnscope.json_file import read_json, write_json
from vlnscope.stats.bootstrap import Interval
from vlnscope.stats.paired import Difference

Kind = Literal["bars", "lines", "points", "heatmap", "boxes", "histogram"]
Cell = str | float | int | None
Unit = Literal["%", "% change", "points", "m", "steps", "episodes", ""]
SIGNIFICANT = 0.05
TAIL = 0.025
"""Outside of each end of an interval."""


class Wording(msgspec.Struct, frozen=True, kw_only=True):
    """What to say of a number; ``{value}``, ``{low}``, ``{high}``, ``{null}`` and ``{n}`` are filled in.

    Attributes:
        above: said where the interval lies above the null.
        below: said where it lies below.
        unclear: said where it includes the null, or where there is no interval.
        plain: said where there is no null to compare with.
    """

    above: str = ""
    below: str = ""
    unclear: str = ""
    plain: str = ""


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was found.

    Attributes:
        key: unique among the statements of an agent in a benchmark, such as ``language.SR``.
        agent: of whom it is said.
        value: the number, in `unit`; None if it is undefined.
        low: lower end of its interval.
        high: upper end.
        unit: ``%`` for shares (0 to 100), ``% change`` for relative differences, ``points`` for
            differences of shares, ``m``, …
        null: the value of nothing to report: 0 for a difference, the chance level for a share; None if
            the number is just a number.
        n: how many cases it rests on.
        clusters: how many units were resampled.
        over: which units: scenes, or with few of them paths, and then the interval holds for these scenes.
        p: of the test that the number equals `null`.
        test: name of that test.
        wording: how it is said.
        weight: how much a reader should care, from 0 to 1; reports begin with the weightiest.
        episodes: up to three case ids that show it best.
        reason: why there is no number or no interval.
        metric: name under which the number is defined (see `vlnscope.reporting.definitions`).
        topic: which ability it is about, a key of `vlnscope.benchmarks.topics.TOPICS`; empty if none.
        worst: what an agent without that ability gets; needed where there is a topic.
        best: what one that has it in full gets; may be smaller than `worst`.
    """

    key: str
    agent: str
    value: float | None
    low: float | None = None
    high: float | None = None
    unit: Unit = "%"
    null: float | None = None
    n: int = 0
    clusters: int = 0
    over: str = ""
    p: float | None = None
    test: str = ""
    wording: Wording
    weight: float = 0.5
    episodes: tuple[str, ...] = ()
    reason: str = ""
    metric: str = ""
    topic: str = ""
    worst: float | None = None
    best: float | None = None

    @property
    def ability(self) -> tuple[float, float, float] | None:
        """How much of the ability there is, from 0 to 1: at least, estimated, at most.

        None where the statement is about no ability, or has no interval.
        """
        if self.value is None or self.low is None or self.high is None or not self.topic:
            return None
        if self.worst is None or self.best is None or self.worst == self.best:
            return None
        ends = (
            (self.low, self.value, self.high) if self.best > self.worst else (self.high, self.value, self.low)
        )
        low, value, high = ((end - self.worst) / (self.best - self.worst) for end in ends)
        if self.verdict == "unclear" and self.null == self.worst:
            low = 0.0  # the test does not show that there is any
        return _share(low), _share(value), _share(high)

    @property
    def verdict(self) -> Literal["above", "below", "unclear", "plain"]:
        """Which of the wordings applies; where there is a test, it must agree with the interval."""
        if self.null is None:
            return "plain"
        if self.p is not None and self.p > SIGNIFICANT:
            return "unclear"
        if self.low is not None and self.low > self.null:
            return "above"
        if self.high is not None and self.high < self.null:
            return "below"
        return "unclear"


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers that are drawn in one colour.

    Attributes:
        name: for the legend.
        x: places: categories or numbers.
        y: values; of a heatmap the values of one row, whose name is `name`; of boxes and histograms all
            values, and `x` the box that each belongs to (empty: one box).
        low: lower ends of intervals of `y`.
        high: upper ends.
        labels: a text per point.
        role: ``reference`` for what is not measured here: chance, oracle, published numbers.
    """

    name: str
    x: tuple[Cell, ...] = ()
    y: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()
    labels: tuple[str, ...] = ()
    role: Literal["data", "reference"] = "data"


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """One pair of axes."""

    title: str = ""
    series: tuple[Series, ...]


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """The data of a figure.

    Attributes:
        name: for files: letters, digits and dashes.
        title: one line.
        kind: how it is drawn.
        x: what the horizontal axis means, with its unit.
        y: what the vertical axis means, with its unit.
        panels: side by side, on the same scales.
        caption: what is to be seen, how many cases, what the intervals are.
        source: the figure of a paper that it corresponds to.
    """

    name: str
    title: str
    kind: Kind
    x: str
    y: str
    panels: tuple[Panel, ...]
    caption: str = ""
    source: str = ""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table: numbers as numbers; `notes` say what a reader must know; `source` as in `Figure`."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    source: str = ""


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """All that a benchmark found of some agents on a data set."""

    benchmark: str
    data: str
    agents: tuple[str, ...]
    statements: tuple[Statement, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()

    def save(self, path: str | Path) -> Path:
        """Write a JSON file."""
        return write_json(path, self)

    @classmethod
    def load(cls, path: str | Path) -> Findings:
        """Read a JSON file."""
        return read_json(path, cls, "findings as vlnscope writes them", "make them again")


def statement(
    key: str,
    agent: str,
    interval: Interval,
    wording: Wording,
    *,
    scale: float = 100.0,
    **more: Any,
) -> Statement:
    """Make a statement of an interval; shares of 1 become percent by `scale`.

    A `Difference` brings its sign-flip test and the null 0 along. Intervals of shares end at 0 and 100 %;
    where all cases came out alike, the interval is the exact one for so many cases.

    Example:
        >>> from vlnscope.stats.bootstrap import Interval
        >>> rate = Interval(
        ...     mean=0.9, low=0.8, high=0.95, n=40, undefined=0, clusters=4, resampled=("scene",), level=0.95
        ... )
        >>> made = statement("SR", "mine", rate, Wording(plain="reaches {value} of its goals"))
        >>> made.value, made.low, made.verdict
        (90.0, 80.0, 'plain')
    """
    over = f"{interval.resampled[0]}s" if interval.resampled else ""
    if isinstance(interval, Difference):
        more = {"null": 0.0, "unit": "points", "p": interval.p_value} | more
        if interval.p_value is not None:
            more.setdefault("test", f"sign flips of {over}, {interval.p_method}")
    is_share = more.get("unit", "%") == "%"
    ends = (0.0, 100.0) if is_share else (-math.inf, math.inf)
    low, high = _scaled(interval.low, scale, ends), _scaled(interval.high, scale, ends)
    if is_share and interval.n and low is not None and low == high:
        low, high = _exact(low, interval.n)
    return Statement(
        key=key,
        agent=agent,
        value=_scaled(interval.mean, scale),
        low=low,
        high=high,
        n=interval.n,
        clusters=interval.clusters,
        over=over,
        reason=interval.reason,
        wording=wording,
        **more,
    )


def literal(text: str) -> str:
    """Return a text that stands for itself in a `Wording`, such as the name of an agent.

    Example:
        >>> literal("{mine}: 5 %").format(value=1)
        '{mine}: 5 %'
    """
    return text.replace("{", "{{").replace("}", "}}")


def interval_series(
    name: str, x: Iterable[Cell], found: Sequence[Interval | None], labels: Iterable[str] = ()
) -> Series:
    """Return means of shares with their intervals as a series, in percent; None where there is no mean."""
    return Series(
        name=name,
        x=tuple(x),
        y=tuple(None if it is None else percent(it.mean) for it in found),
        low=tuple(None if it is None else percent(it.low) for it in found),
        high=tuple(None if it is None else percent(it.high) for it in found),
        labels=tuple(labels),
    )


def _exact(share: float, n: int) -> tuple[float, float]:
    """Return the exact interval of a share of `n` cases that all came out alike, which resampling has not.

    Six of six may be luck: [54.1, 100.0] (Clopper and Pearson).
    """
    luck = 100.0 * (TAIL ** (1 / n))
    if share == 100.0:
        return luck, 100.0
    return (0.0, 100.0 - luck) if share == 0.0 else (share, share)


def percent(share: float | None) -> float | None:
    """Return a share of 1 in percent."""
    return None if share is None else 100.0 * share


def _share(number: float) -> float:
    return min(max(number, 0.0), 1.0) + 0.0  # no minus nought


def _scaled(
    number: float | None, scale: float, ends: tuple[float, float] = (-math.inf, math.inf)
) -> float | None:
    return None if number is None else min(max(number * scale, ends[0]), ends[1])
