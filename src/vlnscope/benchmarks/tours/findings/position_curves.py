"""How well agents do by position in the tour, and what has been seen there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from vlnscope.benchmarks.kit.estimates import difference_of, mean_of
from vlnscope.benchmarks.kit.findings import Figure, Panel, Series, interval_series
from vlnscope.benchmarks.tours.findings.memory_settings import VARIANTS, Halves, place_of
from vlnscope.benchmarks.tours.findings.visibility import REACH
from vlnscope.stats.interval import Interval
from vlnscope.types import ScoreRow

WIDTH = 5
"""Places that are taken together."""
SHOWN = ("nDTW", "SR", "SPL")
_SCALE = 100.0
_X = "episodes walked before in the tour"


class _Bin(NamedTuple):
    middle: float
    rows: list[ScoreRow]


def place_figure(agents: Mapping[str, Halves]) -> Figure:
    """Return scores by place, a line per agent and variant."""

    def series(metric: str) -> tuple[Series, ...]:
        return tuple(
            _mean_line(f"{agent}, memory {kind}", _bins(halves.episodes[kind]), metric)
            for agent, halves in agents.items()
            for kind in VARIANTS
            if halves.episodes[kind]
        )

    return Figure(
        name="tours-by-place",
        title="Scores by position in the tour",
        kind="lines",
        x=_X,
        y="%",
        panels=tuple(Panel(title=metric, series=series(metric)) for metric in SHOWN),
        caption=f"Means of {WIDTH} places each, with 95 % intervals over scenes. Episodes "
        "differ in difficulty from place to place; what memory does shows in the distance between the lines "
        "of an agent, which walk the same episodes.",
    )


def gain_figure(agents: Mapping[str, Halves]) -> Figure | None:
    """Return the memory gain by place, a line per agent; None if no agent was run in both halves."""
    paired = {agent: halves for agent, halves in agents.items() if halves.paired}
    if not paired:
        return None

    def series(metric: str) -> tuple[Series, ...]:
        return tuple(_gain_line(agent, halves, metric) for agent, halves in paired.items())

    return Figure(
        name="tours-gain-by-place",
        title="Memory gain by position in the tour",
        kind="lines",
        x=_X,
        y="memory kept − reset, points",
        panels=tuple(Panel(title=metric, series=series(metric)) for metric in SHOWN),
        caption=f"Paired differences, {WIDTH} places each, with 95 % intervals over scenes; 0: "
        "what was seen before in the tour makes no difference.",
    )


def seen_figure(rows: Sequence[ScoreRow]) -> Figure:
    """Return what an oracle has seen before each place (Figure 2b), from the rows of any one half."""
    names = {"seen-next": "upcoming episode", "seen-tour": "complete tour"}
    by_place: dict[int, list[ScoreRow]] = {}
    for row in rows:
        by_place.setdefault(place_of(row), []).append(row)
    bins = [_Bin(float(place), by_place[place]) for place in sorted(by_place)]
    lines = tuple(_mean_line(title, bins, name) for name, title in names.items())
    return Figure(
        name="tours-seen",
        title="What has been seen before an episode",
        kind="lines",
        x=_X,
        y="% seen",
        panels=(Panel(series=lines),),
        caption="An oracle walks the references. Share of the viewpoints that are within "
        f"{REACH:g} m along the graph of the next path, or of any path of the tour, and were within "
        f"{REACH:g} m of where it has been. The paper (IR2R-CE, pieces of floor): after 10 episodes over "
        "50 % and over 70 %.",
        source="IVLN, Figure 2b",
    )


def _mean_line(name: str, bins: Sequence[_Bin], metric: str) -> Series:
    return _line(name, bins, lambda rows: mean_of(rows, metric))


def _gain_line(agent: str, halves: Halves, metric: str) -> Series:
    others = halves.episodes["reset"]
    names = {row.groups["pair"] for row in others}
    shared = [row for row in halves.episodes["kept"] if row.groups["pair"] in names]
    return _line(
        agent,
        _bins(shared),
        lambda rows: difference_of(rows, others, metric),
    )


def _bins(rows: Sequence[ScoreRow]) -> list[_Bin]:
    found: dict[int, list[ScoreRow]] = {}
    for row in rows:
        found.setdefault(place_of(row) // WIDTH, []).append(row)
    return [_Bin(number * WIDTH + (WIDTH - 1) / 2, found[number]) for number in sorted(found)]


def _line(name: str, bins: Sequence[_Bin], estimate: Callable[[list[ScoreRow]], Interval]) -> Series:
    found = [estimate(group.rows) for group in bins]
    labels = [f"{interval.n} episodes of {interval.clusters} {_units(interval)}" for interval in found]
    return interval_series(name, [group.middle for group in bins], found, labels)


def _units(interval: Interval) -> str:
    return f"{interval.units[0]}s" if interval.units else "scenes"
