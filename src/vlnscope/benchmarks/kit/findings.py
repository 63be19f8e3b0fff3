"""Findings: what a benchmark has to say of agents, as data that anybody can draw or put into words.

A `Statement` carries a number, its interval and the value that would mean *nothing to report*, and words for
each of the three cases: the interval lies above that value, below it, or includes it. Words for an effect are
therefore never used where there is none. Figures and tables are data; `vlnscope.reporting` draws them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from vlnscope.core.json_file import read_json, write_json
from vlnscope.stats.interval import Interval
from vlnscope.stats.paired import PairedDifference

Kind = Literal["bars", "lines", "points", "heatmap", "boxes", "histogram", "polar", "ridges", "map"]
"""How a figure is drawn.

``polar``: `x` are the middles of equal bins in degrees from straight ahead, right positive. ``ridges``:
panels are rows on one axis, one above the other, and series densities. ``map``: `x` and `y` are metres, seen
from above; None in `y` ends a line or an area, and another begins.
"""
Role = Literal["data", "reference", "ordered", "region", "ground", "outline", "led", "matched", "ways"]
"""What a series is. Only polar figures and maps have other roles than the first two.

``region``: of a polar figure, the degrees from the first `x` clockwise to the second (`y` None); marked on
the rim, or, where a panel has no bins, as a sector. ``ways``: of a polar figure, points at `x` degrees, `y`
metres away. Of a map, ``ordered``: a walk that is coloured by its place among those of this role; ``ground``:
areas beneath; ``outline``: faint lines beneath, such as the edges of a graph; ``led``: dashed, where
somebody was led; ``matched``: lines from each point of one path to its match on the other. Points of maps
that have a label are marked with it.
"""
Cell = str | float | int | None
NEXT_TO_NOTHING = 0.1
"""Of an ability."""
ALL_ALIKE = 0.25
"""Of the cases, where all that were seen came out as without the ability."""
TESTS = {"cluster-t": "cluster-robust t", "exact": "exact"}
Unit = Literal["%", "% change", "points", "m", "steps", "episodes", ""]


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
        clusters: how many independent units it rests on.
        over: which units: scenes, or with few of them paths, and then the interval holds for these scenes.
        p: of the test that the number equals `null`, which belongs to the interval: it is below 0.05 where
            the interval excludes `null`, and only there.
        test: name of that test.
        wording: how it is said.
        weight: how much a reader should care, from 0 to 1; reports begin with the weightiest.
        episodes: up to three case ids that show it best.
        reason: why there is no number or no interval.
        metric: name under which the number is defined (see `vlnscope.reporting.sources.definitions`).
        topic: which ability it is about, by the name that its benchmark registers; empty if none.
        worst: what an agent without that ability gets; needed where there is a topic.
        best: what one that has it in full gets; may be smaller than `worst`.
        alike: whether all cases came out the same.
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
    alike: bool = False

    @property
    def ability(self) -> tuple[float, float, float] | None:
        """How much of the ability there is, from 0 to 1: at least, estimated, at most.

        None where the statement is about no ability, or has no interval. Where every case came out exactly as
        without the ability, it is at most the share of cases in which it could still show.
        """
        if self.value is None or self.low is None or self.high is None or not self.topic:
            return None
        if self.worst is None or self.best is None or self.worst == self.best:
            return None
        ends = (
            (self.low, self.value, self.high) if self.best > self.worst else (self.high, self.value, self.low)
        )
        low, value, high = ((end - self.worst) / (self.best - self.worst) for end in ends)
        if self.alike and self.value == self.worst:
            high = abs(ends[2] - self.value) / 100.0  # in so many cases at most the ability may show
        return _share(low), _share(value), _share(high)

    @property
    def shows_absence(self) -> bool:
        """Whether there is surely next to nothing of the ability: the interval ends at a tenth of it.

        That no ability is shown is not enough. Where every single case came out exactly as without it, at
        most every fourth case may come out otherwise.
        """
        if self.ability is None:
            return False
        return self.ability[2] <= (ALL_ALIKE if self.alike and self.value == self.worst else NEXT_TO_NOTHING)

    @property
    def verdict(self) -> Literal["above", "below", "unclear", "plain"]:
        """Which of the wordings applies: that of the side of the null on which the whole interval lies."""
        if self.null is None:
            return "plain"
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
        role: ``reference`` for what is not measured here: chance, oracle, published numbers; see `Role`.
    """

    name: str
    x: tuple[Cell, ...] = ()
    y: tuple[float | None, ...]
    low: tuple[float | None, ...] = ()
    high: tuple[float | None, ...] = ()
    labels: tuple[str, ...] = ()
    role: Role = "data"


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """One pair of axes; `note` is a line below the title."""

    title: str = ""
    note: str = ""
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
        columns: panels in a row; 0 for as many as fit, three at most.
    """

    name: str
    title: str
    kind: Kind
    x: str
    y: str
    panels: tuple[Panel, ...]
    caption: str = ""
    source: str = ""
    columns: int = 0


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

    A `PairedDifference` brings the null 0 along. The p-value is that of the interval.

    Example:
        >>> from vlnscope.stats.interval import SHARE, Interval
        >>> rate = Interval(
        ...     mean=0.9, low=0.8, high=0.95, n=40, undefined=0, clusters=14, units=("scene",), within=SHARE
        ... )
        >>> made = statement("SR", "mine", rate, Wording(plain="reaches {value} of its goals"))
        >>> made.value, made.low, made.verdict
        (90.0, 80.0, 'plain')
    """
    over = f"{interval.units[0]}s" if interval.units else ""
    if isinstance(interval, PairedDifference):
        more = {"null": 0.0, "unit": "points"} | more
    null = more.get("null")
    if null is not None and "p" not in more:
        more["p"] = interval.p_value(null / scale)
        if more["p"] is not None:
            more["test"] = f"{TESTS[interval.method]} over {over}"
    return Statement(
        key=key,
        agent=agent,
        value=scaled(interval.mean, scale),
        low=scaled(interval.low, scale),
        high=scaled(interval.high, scale),
        n=interval.n,
        clusters=interval.clusters,
        over=over,
        reason=interval.reason,
        alike=interval.method == "exact",
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
    name: str,
    x: Iterable[Cell],
    intervals: Sequence[Interval | None],
    labels: Iterable[str] = (),
    *,
    scale: float = 100.0,
) -> Series:
    """Return means with their intervals as a series, shares in percent; None where there is no mean."""
    ends = [interval_cells(interval, scale) for interval in intervals]
    y, low, high = (tuple(column) for column in zip(*ends, strict=True)) if ends else ((), (), ())
    return Series(name=name, x=tuple(x), y=y, low=low, high=high, labels=tuple(labels))


def interval_cells(
    interval: Interval | None, scale: float = 100.0
) -> tuple[float | None, float | None, float | None]:
    """Return a mean and both ends of its interval as cells of a table, shares in percent."""
    if interval is None:
        return None, None, None
    return scaled(interval.mean, scale), scaled(interval.low, scale), scaled(interval.high, scale)


def difference_cells(difference: PairedDifference, scale: float = 100.0) -> tuple[float | None, ...]:
    """Return both means of a difference, then the difference and its ends, as cells of a table."""
    means = (scaled(mean, scale) for mean in (difference.mean_a, difference.mean_b))
    return (*means, *interval_cells(difference, scale))


def percent(share: float | None) -> float | None:
    """Return a share of 1 in percent."""
    return scaled(share, 100.0)


def scaled(number: float | None, scale: float) -> float | None:
    """Return a number in another unit, if there is one."""
    return None if number is None else number * scale


def _share(number: float) -> float:
    return min(max(number, 0.0), 1.0) + 0.0  # no minus nought
