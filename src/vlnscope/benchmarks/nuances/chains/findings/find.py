"""What chains find: rows of one or several agents become statements, tables and figure data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.declarations import declarations, findings_of
from vlnscope.benchmarks.kit.estimates import (
    change_of,
    grouped,
    mean_of,
    plain_mean,
    select,
    share_of,
)
from vlnscope.benchmarks.kit.findings import (
    Cell,
    Figure,
    Findings,
    Series,
    Statement,
    interval_cells,
    interval_series,
    percent,
)
from vlnscope.benchmarks.nuances.chains.findings.derived_rows import (
    ALL_ALONE,
    INDEPENDENT,
    chain_rows,
    step_rows,
)
from vlnscope.types import ScoreRow

RowsByAgent = Mapping[str, Sequence[ScoreRow]]
_declared = declarations(__package__)


def find(case_set: CaseSet, rows_by_agent: RowsByAgent) -> Findings:
    """Say what the rows of agents mean.

    Args:
        case_set: the cases.
        rows_by_agent: rows by agent.
    """
    chains = {agent: chain_rows(rows) for agent, rows in rows_by_agent.items()}
    steps = {agent: step_rows(rows) for agent, rows in rows_by_agent.items()}
    tables = (
        _declared.table("chains-rates", _rates(chains)),
        _declared.table("chains-steps", _by_place(rows_by_agent, steps)),
        _declared.table("chains-kinds", _by_kind(rows_by_agent, steps)),
    )
    return findings_of(
        case_set,
        rows_by_agent,
        (said for agent in rows_by_agent for said in _statements(agent, chains[agent], steps[agent])),
        tables,
        (_lengths(rows_by_agent, chains), _survival(chains)),
    )


def by_length(rows: Sequence[ScoreRow]) -> dict[str, list[ScoreRow]]:
    """Return the rows of chains by number of steps, short ones first."""
    groups = {length: members for (length,), members in grouped(rows, "length").items()}
    return dict(sorted(groups.items()))


def _statements(agent: str, chains: Sequence[ScoreRow], steps: Sequence[ScoreRow]) -> Iterator[Statement]:
    if not chains:
        return
    for length, rows in by_length(chains).items():
        words: dict[str, object] = {"length": length}
        missed = tuple(row.episode_id for row in rows if not row.values["SR"])[:3]
        chance = percent(plain_mean(rows, "chance"))
        yield _declared.statement(
            "all-steps", agent, mean_of(rows, "SR"), words, null=chance, episodes=missed
        )
    yield _declared.statement("in-a-row", agent, mean_of(chains, "share"))
    yield from _compounding(agent, chains)
    later = [row for row in steps if row.groups["place"] != "1" and "alone" in row.values]
    if later:
        yield _declared.statement("later-steps", agent, change_of(later, "SR", "alone"))


def _compounding(agent: str, chains: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Compare chains with what their steps promise when each is asked alone."""
    known = [row for row in chains if INDEPENDENT in row.values]
    for length, rows in by_length(known).items():
        found, expected = (plain_mean(rows, name) or 0.0 for name in ("SR", INDEPENDENT))
        words: dict[str, object] = {
            "length": length,
            "found": f"{100 * found:.1f} %",
            "expected": f"{100 * expected:.1f} %",
        }
        yield _declared.statement("compounding", agent, change_of(rows, "SR", INDEPENDENT), words)
    if known:
        failed = [row for row in known if row.values["SR"] < row.values[ALL_ALONE]]
        difference = change_of(known, "SR", ALL_ALONE)
        shown = tuple(row.episode_id for row in failed)[:3]
        yield _declared.statement("cost", agent, difference, episodes=shown)


def _rates(chains: RowsByAgent) -> Iterator[tuple[Cell, ...]]:
    for agent, rows in chains.items():
        for length, members in by_length(rows).items():
            others = (
                _rounded(percent(plain_mean(members, name)))
                for name in ("OSR", "chance", INDEPENDENT, ALL_ALONE, "share")
            )
            rate = map(_rounded, interval_cells(mean_of(members, "SR")))
            yield agent, int(length), len(members), *rate, *others


def _by_place(rows_by_agent: RowsByAgent, steps: RowsByAgent) -> Iterator[tuple[Cell, ...]]:
    for agent, rows in steps.items():
        alone = select(rows_by_agent[agent], variant="alone")
        for (place,), members in sorted(grouped(rows, "place").items()):
            rate = map(_rounded, interval_cells(mean_of(members, "SR")))
            once = plain_mean(select(alone, place=place), "SR")
            yield agent, int(place), len(members), *rate, _rounded(percent(once))


def _by_kind(rows_by_agent: RowsByAgent, steps: RowsByAgent) -> Iterator[tuple[Cell, ...]]:
    for agent, rows in steps.items():
        alone = grouped(select(rows_by_agent[agent], variant="alone"), "kind")
        begun = grouped(rows, "kind")
        for key in sorted({**alone, **begun}):
            there, once = begun.get(key, []), alone.get(key, [])
            rates = (_rounded(percent(plain_mean(members, "SR"))) for members in (there, once))
            yield agent, *key, len(there), next(rates), len(once), next(rates)


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 1)


def _lengths(rows_by_agent: RowsByAgent, chains: RowsByAgent) -> Figure:
    """Success by number of steps, beside what independent steps and random moves would give."""
    panels: dict[str, list[Series]] = {}
    for agent, rows in chains.items():
        alone = select(rows_by_agent[agent], variant="alone")
        groups = {**({"1": alone} if alone else {}), **by_length(rows)}
        means = [mean_of(members, "SR") for members in groups.values()]
        labels = [f"n = {mean.n}" for mean in means]
        panels[agent] = [interval_series("success", map(int, groups), means, labels)]
        if alone:
            panels[agent].append(_reference("independent steps", by_length(rows), INDEPENDENT))
        panels[agent].append(_reference("random moves", groups, "chance"))
    return _declared.figure("chains-lengths", panels)


def _reference(name: str, groups: Mapping[str, Sequence[ScoreRow]], metric: str) -> Series:
    y = tuple(percent(plain_mean(rows, metric)) for rows in groups.values())
    return Series(name=name, x=tuple(map(int, groups)), y=y, role="reference")


def _has_done(least: int, row: ScoreRow) -> bool:
    return row.values["steps"] >= least


def _survival(chains: RowsByAgent) -> Figure:
    """The share of chains of which at least so many steps were carried out, a panel per length."""
    panels: dict[str, list[Series]] = {}
    for agent, rows in chains.items():
        for length, members in by_length(rows).items():
            places = range(1, int(length) + 1)
            shares = [share_of(members, partial(_has_done, place)) for place in places]
            series = interval_series(agent, places, shares, [f"n = {share.n}" for share in shares])
            panels.setdefault(f"{length} steps", []).append(series)
    return _declared.figure("chains-survival", dict(sorted(panels.items())))
