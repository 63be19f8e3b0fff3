"""What NavNuances finds: rows of one or several agents become statements, tables and figure data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.declarations import declarations, findings_of
from vlnscope.benchmarks.kit.estimates import grouped, mean_of, select
from vlnscope.benchmarks.kit.findings import Cell, Figure, Findings, Series, Table, interval_series
from vlnscope.benchmarks.nuances.evaluators.evaluator import CATEGORIES, NAMES
from vlnscope.benchmarks.nuances.findings.derived_rows import dual_rows
from vlnscope.benchmarks.nuances.findings.published import AGENT_1, AGENT_2, COUNTS, HUMAN, TABLE_2
from vlnscope.benchmarks.nuances.findings.statements import statements_of
from vlnscope.stats.interval import ANY, SHARE, Range
from vlnscope.types import ScoreRow

RowsByAgent = Mapping[str, Sequence[ScoreRow]]
Choice = Callable[[Sequence[ScoreRow]], list[ScoreRow]]
"""Chooses the rows of a bar."""
RANDOM = {"random moves (expected)": "chance"}
GUESSES = {"Agent 1*": "agent-1", "Agent 2*": "agent-2"}
_CONTRASTS = {
    "landmarks": ("LR", ("towards", "past")),
    "regions": ("RR", ("into", "exit")),
    "stairs": ("VM", ("up", "down")),
}
_declared = declarations(__package__)


def tables(case_set: CaseSet, rows_by_agent: RowsByAgent) -> Iterator[Table]:
    """Yield the counts, the success rates by category, and those by subset."""
    yield _declared.table("nuances-counts", _counts(case_set))
    yield _declared.table("nuances-rates", _rates(rows_by_agent))
    by_subset = ((agent, *cells) for agent, rows in rows_by_agent.items() for cells in _by_subset(rows))
    yield _declared.table("nuances-subsets", by_subset)


def _counts(case_set: CaseSet) -> Iterator[tuple[Cell, ...]]:
    for category in CATEGORIES:
        cases = [case for case in case_set.cases if case.groups.get("category") == category]
        # the paper counts ordinals without their sides, which are the second word of a subset of ours
        here = Counter(case.groups.get("subset", "").partition(" ")[0] for case in cases)
        yield NAMES[category], "all", len(cases), sum(COUNTS[category].values())
        for each in dict.fromkeys([*COUNTS[category], *here]):
            yield NAMES[category], each, here[each], COUNTS[category].get(each)


def _rates(rows_by_agent: RowsByAgent) -> Iterator[tuple[Cell, ...]]:
    for agent, rows in rows_by_agent.items():
        yield agent, "run here", *(_rate(select(rows, category=name), "SR") for name in CATEGORIES)
    known = {row.episode_id: row for rows in rows_by_agent.values() for row in rows}
    level = (_rate(select(known.values(), category=name), "chance") for name in CATEGORIES)
    yield "random moves", "expected here", *level
    for each in TABLE_2:
        yield each.name, "paper", *(each.rate(name) for name in CATEGORIES)


def _by_subset(rows: Sequence[ScoreRow]) -> Iterator[tuple[Cell, ...]]:
    for category in CATEGORIES:
        of_category = select(rows, category=category)
        names = dict.fromkeys(row.groups.get("subset", "") for row in of_category)
        parts = {name: select(of_category, subset=name) for name in names}
        if category == "DC":
            parts["left and right"] = dual_rows(of_category, ("left", "right"))
        if category == "VM":
            parts["stairs both ways"] = select(of_category, both="yes")
            parts["up and down"] = dual_rows(of_category, ("up", "down"))
        for name, part in parts.items():
            if part:
                rates = (_rate(part, metric) for metric in ("SR", "OSR", "chance"))
                yield category, name, *rates, len(part)


def _rate(rows: Sequence[ScoreRow], metric: str) -> float | None:
    mean = mean_of(rows, metric, within=ANY).mean if rows else None
    return None if mean is None else round(100 * mean, 2)


def figures(rows_by_agent: RowsByAgent) -> Iterator[Figure]:
    """Yield the figures for which there are rows."""
    every = [row for rows in rows_by_agent.values() for row in rows]
    categories: dict[str, Choice] = {
        name: _of(category=name) for name in CATEGORIES if select(every, category=name)
    }
    human = Series(
        name="human (paper)",
        x=tuple(categories),
        y=tuple(HUMAN.rate(name) for name in categories),
        role="reference",
    )
    bars = _bars(rows_by_agent, categories, RANDOM)
    yield _declared.figure("nuances-categories", {"": (*bars, human)})
    if "NU" in categories:
        yield _counting(rows_by_agent)
        ordinals = [name for (name,) in grouped(select(every, category="NU"), "subset")]
        choices = {name: _of(category="NU", subset=name) for name in ordinals}
        yield _declared.figure("nuances-ordinals", {"": _bars(rows_by_agent, choices, GUESSES)})
    for name, (category, subsets) in _CONTRASTS.items():
        if category in categories:
            choices = {subset: _of(category=category, subset=subset) for subset in subsets}
            yield _declared.figure(f"nuances-{name}", {"": _bars(rows_by_agent, choices, RANDOM)})
    if "DC" in categories:
        choices = {turn: _of(category="DC", subset=turn) for turn in ("left", "right", "around")}
        choices["Dual SR"] = lambda rows: dual_rows(select(rows, category="DC"), ("left", "right"))
        yield _declared.figure("nuances-turns", {"": _bars(rows_by_agent, choices, RANDOM)})


def _of(**groups: str) -> Choice:
    return lambda rows: select(rows, **groups)


def _bars(
    rows_by_agent: RowsByAgent, choices: Mapping[str, Choice], levels: Mapping[str, str]
) -> Iterator[Series]:
    """Yield the success rates of each agent, and the levels that the cases have whoever ran them."""
    parts = {agent: [choose(rows) for choose in choices.values()] for agent, rows in rows_by_agent.items()}
    for agent, by_place in parts.items():
        yield _series(agent, choices, by_place)
    for name, metric in levels.items():
        y = tuple(_level(by_agent, metric) for by_agent in zip(*parts.values(), strict=True))
        yield Series(name=name, x=tuple(choices), y=y, role="reference")


def _series(
    name: str, places: Iterable[str], parts: Sequence[Sequence[ScoreRow]], within: Range = SHARE
) -> Series:
    means = [mean_of(rows, "SR", within=within) for rows in parts]
    return interval_series(name, places, means, [f"n = {mean.n}" for mean in means])


def _level(parts: Iterable[Sequence[ScoreRow]], metric: str) -> float | None:
    known = {row.episode_id: row.values[metric] for rows in parts for row in rows if metric in row.values}
    return 100 * sum(known.values()) / len(known) if known else None


def _counting(rows_by_agent: RowsByAgent) -> Figure:
    """Success rates minus what guessing rooms gives."""
    panels = {}
    for metric, title, published in (
        ("agent-1", "relative to Agent 1* (any room)", AGENT_1),
        ("agent-2", "relative to Agent 2* (any room on the side)", AGENT_2),
    ):
        gains = {agent: _gains(rows, metric) for agent, rows in rows_by_agent.items()}
        gains = {agent: rows for agent, rows in gains.items() if rows}
        reference = Series(
            name="published",
            x=tuple(row.name for row in TABLE_2),
            y=tuple(round(row.NU - published, 2) for row in TABLE_2),
            role="reference",
        )
        panels[title] = _series("run here", gains, list(gains.values()), (-1.0, 1.0)), reference
    return _declared.figure("nuances-counting", panels, agent_1=AGENT_1, agent_2=AGENT_2)


def _gains(rows: Sequence[ScoreRow], metric: str) -> list[ScoreRow]:
    """Return success minus that of a guesser, as rows."""
    known = [row for row in select(rows, category="NU") if metric in row.values]
    gains = [{"SR": row.values["SR"] - row.values[metric]} if "SR" in row.values else {} for row in known]
    return [replace(row, values=values) for row, values in zip(known, gains, strict=True)]


def find(case_set: CaseSet, rows_by_agent: Mapping[str, Sequence[ScoreRow]]) -> Findings:
    """Say what the rows of agents mean.

    Args:
        case_set: the cases.
        rows_by_agent: rows by agent.
    """
    return findings_of(
        case_set,
        rows_by_agent,
        (said for agent, rows in rows_by_agent.items() for said in statements_of(agent, rows)),
        tables(case_set, rows_by_agent),
        figures(rows_by_agent),
        _notes(rows_by_agent),
    )


def _notes(rows_by_agent: Mapping[str, Sequence[ScoreRow]]) -> Iterator[str]:
    for agent, rows in rows_by_agent.items():
        without = sum("SR" not in row.values for row in rows)
        if without:
            yield f"{agent}: {without} cases have no success rate; they are left out"
