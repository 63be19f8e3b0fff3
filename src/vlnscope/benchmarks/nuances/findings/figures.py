"""The data of the paper's Figures 3 to 7, with chance and published numbers as references."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from vlnscope.benchmarks.kit.estimates import grouped, mean_of
from vlnscope.benchmarks.kit.findings import Figure, Panel, Series, interval_series
from vlnscope.benchmarks.nuances.evaluators.evaluator import CATEGORIES
from vlnscope.benchmarks.nuances.findings.derived_rows import chosen, dual_rows
from vlnscope.benchmarks.nuances.findings.published import AGENT_1, AGENT_2, HUMAN, TABLE_2
from vlnscope.stats.interval import Interval
from vlnscope.types import ScoreRow

Scored = Mapping[str, Sequence[ScoreRow]]
_SR = "success rate (%)"
_SPREAD = "Bars end at 95 % intervals over scenes."


def figures(scored: Scored) -> Iterator[Figure]:
    """Yield the figures for which there are rows."""

    def rate(rows: Sequence[ScoreRow]) -> Interval:
        return mean_of(rows, "SR")

    def gain(rows: Sequence[ScoreRow]) -> Interval:
        return mean_of(rows, "SR", within=(-1.0, 1.0))

    yield _categories(scored, rate)
    if any(chosen(rows, category="NU") for rows in scored.values()):
        yield _counting(scored, gain)
        yield _ordinals(scored, rate)
    for name, title, category, subsets, source in (
        ("landmarks", "Towards landmarks and past them", "LR", ("towards", "past"), "Figure 5"),
        ("regions", "Into rooms and out of them", "RR", ("into", "exit"), "Figure 7"),
        ("stairs", "Up and down stairs", "VM", ("up", "down"), ""),
    ):
        if any(chosen(rows, category=category) for rows in scored.values()):
            yield _subsets(scored, rate, name, title, category, subsets, source)
    if any(chosen(rows, category="DC") for rows in scored.values()):
        yield _turns(scored, rate)


_Rate = Callable[[Sequence[ScoreRow]], Interval]


def _series(name: str, places: Sequence[str], found: Sequence[Interval]) -> Series:
    return interval_series(name, places, found, [f"n = {each.n}" for each in found])


def _level(parts: Iterable[Sequence[ScoreRow]], metric: str) -> float | None:
    """Return the mean of a level that the cases have whoever ran them, in percent."""
    known = {row.episode_id: row.values[metric] for rows in parts for row in rows if metric in row.values}
    return 100 * sum(known.values()) / len(known) if known else None


def _chosen(scored: Scored, **groups: str) -> list[list[ScoreRow]]:
    return [chosen(rows, **groups) for rows in scored.values()]


def _categories(scored: Scored, rate: _Rate) -> Figure:
    places = [name for name in CATEGORIES if any(chosen(rows, category=name) for rows in scored.values())]
    series = [
        _series(agent, places, [rate(chosen(rows, category=name)) for name in places])
        for agent, rows in scored.items()
    ]
    chance = tuple(_level(_chosen(scored, category=name), "chance") for name in places)
    human = tuple(HUMAN.rate(name) for name in places)
    references = (
        Series(name="random moves (expected)", x=tuple(places), y=chance, role="reference"),
        Series(name="human (paper)", x=tuple(places), y=human, role="reference"),
    )
    return Figure(
        name="nuances-categories",
        title="Which atomic instructions does it understand?",
        kind="bars",
        x="category",
        y=_SR,
        panels=(Panel(series=(*series, *references)),),
        caption=f"{_SPREAD} Human: the paper's number, on the paper's data.",
        source="Figure 3",
    )


def _counting(scored: Scored, gain: _Rate) -> Figure:
    """Success rates minus what guessing rooms gives."""
    panels = []
    for metric, title, published in (
        ("agent-1", "relative to Agent 1* (any room)", AGENT_1),
        ("agent-2", "relative to Agent 2* (any room on the side)", AGENT_2),
    ):
        rows = {
            agent: [_minus(row, metric) for row in chosen(rows, category="NU") if metric in row.values]
            for agent, rows in scored.items()
        }
        agents = [agent for agent in rows if rows[agent]]
        reference = Series(
            name="published",
            x=tuple(row.name for row in TABLE_2),
            y=tuple(round(row.NU - published, 2) for row in TABLE_2),
            role="reference",
        )
        found = _series("run here", agents, [gain(rows[agent]) for agent in agents])
        panels.append(Panel(title=title, series=(found, reference)))
    return Figure(
        name="nuances-counting",
        title="Does it count, or guess a room?",
        kind="bars",
        x="agent",
        y="success rate minus that of guessing (points)",
        panels=tuple(panels),
        caption=f"{_SPREAD} Published bars: relative to the paper's levels, {AGENT_1} and {AGENT_2} %.",
        source="Figure 4",
    )


def _minus(row: ScoreRow, metric: str) -> ScoreRow:
    values = {"SR": row.values["SR"] - row.values[metric]} if "SR" in row.values else {}
    return ScoreRow(episode_id=row.episode_id, scan=row.scan, path_id=row.path_id, values=values)


def _ordinals(scored: Scored, rate: _Rate) -> Figure:
    every = [row for rows in scored.values() for row in chosen(rows, category="NU")]
    places = [name for (name,) in grouped(every, "subset")]
    series = [
        _series(agent, places, [rate(chosen(rows, category="NU", subset=name)) for name in places])
        for agent, rows in scored.items()
    ]
    levels = [
        Series(
            name=title,
            x=tuple(places),
            y=tuple(_level(_chosen(scored, category="NU", subset=name), metric) for name in places),
            role="reference",
        )
        for metric, title in (("agent-1", "Agent 1*"), ("agent-2", "Agent 2*"))
    ]
    return Figure(
        name="nuances-ordinals",
        title="How far does it count?",
        kind="bars",
        x="which one",
        y=_SR,
        panels=(Panel(series=(*series, *levels)),),
        caption=_SPREAD,
    )


def _subsets(
    scored: Scored, rate: _Rate, name: str, title: str, category: str, subsets: tuple[str, str], source: str
) -> Figure:
    series = [
        _series(agent, subsets, [rate(chosen(rows, category=category, subset=part)) for part in subsets])
        for agent, rows in scored.items()
    ]
    chance = tuple(_level(_chosen(scored, category=category, subset=part), "chance") for part in subsets)
    reference = Series(name="random moves (expected)", x=subsets, y=chance, role="reference")
    return Figure(
        name=f"nuances-{name}",
        title=title,
        kind="bars",
        x="what is asked",
        y=_SR,
        panels=(Panel(series=(*series, reference)),),
        caption=_SPREAD,
        source=source,
    )


def _turns(scored: Scored, rate: _Rate) -> Figure:
    places = ("left", "right", "around", "Dual SR")

    def parts(rows: Sequence[ScoreRow]) -> list[list[ScoreRow]]:
        turns = chosen(rows, category="DC")
        return [*(chosen(turns, subset=part) for part in places[:3]), dual_rows(turns, ("left", "right"))]

    found = {agent: parts(rows) for agent, rows in scored.items()}
    series = [_series(agent, places, list(map(rate, each))) for agent, each in found.items()]
    chance = tuple(_level(each, "chance") for each in zip(*found.values(), strict=True))
    reference = Series(name="random moves (expected)", x=places, y=chance, role="reference")
    return Figure(
        name="nuances-turns",
        title="Does it turn the way it is told?",
        kind="bars",
        x="turn",
        y=_SR,
        panels=(Panel(series=(*series, reference)),),
        caption=f"{_SPREAD} Dual SR: left and right from one view, both right.",
        source="Figure 6",
    )
