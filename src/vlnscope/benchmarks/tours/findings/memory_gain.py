"""Memory gain: what an agent gains over itself when it remembers earlier episodes of a tour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from vlnscope.benchmarks.kit.abilities import HALF
from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.estimates import difference_of, mean_of
from vlnscope.benchmarks.kit.findings import Cell, Statement, Table, difference_cells
from vlnscope.benchmarks.tours.findings.tour_rows import KNOWN_FROM, MemoryRows, place_of, tour_difference
from vlnscope.stats.paired import PairedDifference
from vlnscope.types import ScoreRow

_WEIGHTS = {"t-nDTW": 1.0, "nDTW": 0.9, "SPL": 0.7, "SR": 0.7}
HEADLINE = "nDTW"
LEAST = 0.1
"""Who is this close to the best score without memory cannot show that it has one."""
_SHOWN = 3
_declared = declarations(__package__)


class MemoryGain(NamedTuple):
    """What memory changes in one metric.

    Attributes:
        metric: its name.
        known: whether only episodes count before which ten others were walked.
        difference: kept − reset.
        episodes: cases that show it best.
    """

    metric: str
    known: bool
    difference: PairedDifference
    episodes: tuple[str, ...]


def memory_gains(rows: MemoryRows) -> list[MemoryGain]:
    """Compare an agent that keeps its memory with itself without; nothing if a half was not run."""
    if not rows.paired:
        return []
    kept, reset = (rows.episodes[kind] for kind in ("kept", "reset"))
    gains = []
    if rows.tours["kept"] and rows.tours["reset"]:
        gains = [
            MemoryGain(name, False, tour_difference(rows.tours["kept"], rows.tours["reset"], name), ())
            for name in ("t-nDTW", "t-SR", "t-SPL")
        ]
    for known in (False, True):
        a, b = (_known(rows) if known else rows for rows in (kept, reset))
        if not {row.groups["pair"] for row in a} & {row.groups["pair"] for row in b}:
            continue
        for name in ("nDTW", "SR", "SPL"):
            difference = difference_of(a, b, name)
            gains.append(MemoryGain(name, known, difference, _telling(a, b, name, difference)))
    return gains


def gain_statements(agent: str, rows: MemoryRows) -> Iterator[Statement]:
    """Say what an agent gains by remembering, and whether that grows along a tour."""
    for gain in memory_gains(rows):
        if gain.metric in _WEIGHTS:
            yield _stated(agent, gain)
    yield from _growth(agent, rows)


def _stated(agent: str, gain: MemoryGain) -> Statement:
    difference = gain.difference
    name = "gain" if difference.low is not None else "gain-few"
    if difference.wins == difference.losses == 0:
        name = "gain-none"
    when = f" once {KNOWN_FROM} episodes were walked" if gain.known else ""
    said = _declared.statement(
        name,
        agent,
        difference,
        {"metric": gain.metric, "when": when},
        weight=_WEIGHTS[gain.metric] * (0.6 if gain.known else 1.0),
        episodes=gain.episodes,
        **_remembering(gain),
    )
    return replace(said, key=f"{said.key}.known") if gain.known else said


def _remembering(gain: MemoryGain) -> dict[str, Any]:
    """Return what a gain says of memory: nothing where there is nothing to gain without it."""
    missing = 1.0 - (gain.difference.mean_b or 0.0)
    if gain.metric != HEADLINE or gain.known or missing < LEAST:
        return {}
    return {"topic": "memory", "worst": 0.0, "best": 100.0 * HALF * missing}


def _growth(agent: str, rows: MemoryRows) -> Iterator[Statement]:
    """Say whether the gain in nDTW is larger once ten episodes were walked than before; by scene.

    Nothing is said where memory changes nothing at all.
    """
    growth = _growth_rows(rows) if rows.paired else []
    if any(row.values["growth"] for row in growth):
        interval = mean_of(growth, "growth", within=(-2.0, 2.0))
        yield _declared.statement("growth", agent, interval, {"known_from": KNOWN_FROM}, null=0.0)


def gain_table(gains: Mapping[str, Sequence[MemoryGain]]) -> Table:
    """Return all gains of all agents as a table."""
    rows = (_cells(agent, gain) for agent, of_agent in gains.items() for gain in of_agent)
    return _declared.table("tours-memory-gain", rows, known_from=KNOWN_FROM)


def _cells(agent: str, gain: MemoryGain) -> tuple[Cell, ...]:
    which = "tour" if gain.metric.startswith("t-") else "known" if gain.known else "all"
    change = gain.difference
    return agent, gain.metric, which, *difference_cells(change), change.p, change.n, change.clusters


def _known(rows: Sequence[ScoreRow]) -> list[ScoreRow]:
    return [row for row in rows if place_of(row) >= KNOWN_FROM]


def _telling(
    kept: Sequence[ScoreRow], reset: Sequence[ScoreRow], metric: str, difference: PairedDifference
) -> tuple[str, ...]:
    """Return the cases, memory kept, that differ most in the direction of the mean."""
    sign = 1.0 if (difference.mean or 0.0) >= 0 else -1.0
    gaps = {
        row.episode_id: sign * gap for row, gap in _gaps(kept, reset, metric) if sign * gap > 0
    }  # insertion order breaks ties
    return tuple(sorted(gaps, key=lambda name: -gaps[name])[:_SHOWN])


def _gaps(kept: Sequence[ScoreRow], reset: Sequence[ScoreRow], metric: str) -> list[tuple[ScoreRow, float]]:
    others = {row.groups["pair"]: row for row in reset}
    both = ((row, others.get(row.groups["pair"])) for row in kept)
    return [
        (row, row.values[metric] - other.values[metric])
        for row, other in both
        if other is not None and metric in row.values and metric in other.values
    ]


def _growth_rows(rows: MemoryRows) -> list[ScoreRow]:
    """Return for each scene how much larger the mean gain is at later places than at the first ten."""
    early: dict[str, list[float]] = {}
    late: dict[str, list[float]] = {}
    for row, gap in _gaps(rows.episodes["kept"], rows.episodes["reset"], "nDTW"):
        (late if place_of(row) >= KNOWN_FROM else early).setdefault(row.scan, []).append(gap)
    return [
        ScoreRow(
            episode_id=scan,
            scan=scan,
            path_id="",
            values={"growth": float(np.mean(late[scan]) - np.mean(gaps))},
        )
        for scan, gaps in early.items()
        if scan in late
    ]
