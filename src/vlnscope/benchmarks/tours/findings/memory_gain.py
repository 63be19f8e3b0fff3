"""Memory gain: what an agent gains over itself when it remembers earlier episodes of a tour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from vlnscope.benchmarks.kit.abilities import HALF
from vlnscope.benchmarks.kit.estimates import difference_of, mean_of
from vlnscope.benchmarks.kit.findings import Cell, Statement, Table, Wording, statement
from vlnscope.benchmarks.tours.findings.memory_settings import KNOWN_FROM, Halves, place_of, tour_difference
from vlnscope.stats.paired import PairedDifference
from vlnscope.types import ScoreRow

_WEIGHTS = {"t-nDTW": 1.0, "nDTW": 0.9, "SPL": 0.7, "SR": 0.7}
HEADLINE = "nDTW"
LEAST = 0.1
"""Who is this close to the best score without memory cannot show that it has one."""
_SCALE = 100.0
_SHOWN = 3


class Gain(NamedTuple):
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


def memory_gains(halves: Halves) -> list[Gain]:
    """Compare an agent that keeps its memory with itself without; nothing if a half was not run."""
    if not halves.paired:
        return []
    kept, reset = (halves.episodes[kind] for kind in ("kept", "reset"))
    found = []
    if halves.tours["kept"] and halves.tours["reset"]:
        found = [
            Gain(name, False, tour_difference(halves.tours["kept"], halves.tours["reset"], name), ())
            for name in ("t-nDTW", "t-SR", "t-SPL")
        ]
    for known in (False, True):
        a, b = (_known(rows) if known else rows for rows in (kept, reset))
        if not {row.groups["pair"] for row in a} & {row.groups["pair"] for row in b}:
            continue
        for name in ("nDTW", "SR", "SPL"):
            difference = difference_of(a, b, name)
            found.append(Gain(name, known, difference, _telling(a, b, name, difference)))
    return found


def gain_statements(agent: str, gains: Sequence[Gain], growth: Statement | None) -> list[Statement]:
    """Put the gains of an agent into statements."""
    found = [_stated(agent, gain) for gain in gains if gain.metric in _WEIGHTS]
    return found if growth is None else [*found, growth]


def gain_growth(agent: str, halves: Halves) -> Statement | None:
    """Say whether the gain in nDTW is larger once ten episodes were walked than before; by scene.

    Nothing is said where memory changes nothing at all.
    """
    if not halves.paired:
        return None
    rows = _growth_rows(halves)
    if not any(row.values["growth"] for row in rows):
        return None
    interval = mean_of(rows, "growth", within=(-2.0, 2.0))
    words = Wording(
        above=f"profits more the longer a tour is: after {KNOWN_FROM} episodes memory is worth {{value}} of "
        "nDTW more than before",
        below=f"profits less the longer a tour is: after {KNOWN_FROM} episodes memory is worth {{value}} of "
        "nDTW, compared with before",
        unclear=f"shows no change over a tour in what memory is worth: {{value}} of nDTW after {KNOWN_FROM} "
        "episodes, compared with before",
    )
    return statement("memory.growth", agent, interval, words, null=0.0, unit="points", weight=0.5)


def gain_table(gains: Sequence[tuple[str, Gain]]) -> Table:
    """Return all gains of all agents as a table."""
    columns = ("agent", "metric", "episodes", "kept", "reset", "gain", "low", "high", "p", "n", "units")
    return Table(
        name="tours-memory-gain",
        title="What agents gain by remembering the house",
        columns=columns,
        rows=tuple(_row(agent, gain) for agent, gain in gains),
        notes=(
            "Both halves walk the same episodes in the same order; only what is remembered differs. "
            "Percent and points; units: how many scenes or, with few of them, paths count as independent.",
            f"“known”: episodes before which {KNOWN_FROM} or more of the tour were walked.",
            "Values of tours are means weighted by episodes.",
        ),
    )


def _row(agent: str, gain: Gain) -> tuple[Cell, ...]:
    found = gain.difference
    which = "tour" if gain.metric.startswith("t-") else "known" if gain.known else "all"
    numbers = (found.mean_a, found.mean_b, found.mean, found.low, found.high)
    shown = (None if number is None else _SCALE * number for number in numbers)
    return (agent, gain.metric, which, *shown, found.p, found.n, found.clusters)


def _stated(agent: str, gain: Gain) -> Statement:
    when = f" once {KNOWN_FROM} episodes were walked" if gain.known else ""
    words = Wording(
        above=f"gets better by remembering the house{when}: {{value}} of {gain.metric}",
        below=f"is led astray by what it remembers of the house{when}: {{value}} of {gain.metric}",
        unclear=_unclear(gain) + when,
    )
    key = f"memory.{gain.metric}" + (".known" if gain.known else "")
    weight = _WEIGHTS[gain.metric] * (0.6 if gain.known else 1.0)
    return statement(
        key,
        agent,
        gain.difference,
        words,
        weight=weight,
        episodes=gain.episodes,
        metric=gain.metric,
        **_remembering(gain),
    )


def _remembering(gain: Gain) -> dict[str, Any]:
    """Return what a gain says of memory: nothing where there is nothing to gain without it."""
    missing = 1.0 - (gain.difference.mean_b or 0.0)
    if gain.metric != HEADLINE or gain.known or missing < LEAST:
        return {}
    return {"topic": "memory", "worst": 0.0, "best": _SCALE * HALF * missing}


def _unclear(gain: Gain) -> str:
    found = gain.difference
    if found.wins == found.losses == 0:
        return f"scores the same whether it may remember the house or not ({gain.metric})"
    if found.low is None:
        return f"differs by {{value}} of {gain.metric} if it may remember, over too few houses to tell"
    return f"shows no sign of profiting from what it saw before: {{value}} of {gain.metric}"


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


def _growth_rows(halves: Halves) -> list[ScoreRow]:
    """Return for each scene how much larger the mean gain is at later places than at the first ten."""
    early: dict[str, list[float]] = {}
    late: dict[str, list[float]] = {}
    for row, gap in _gaps(halves.episodes["kept"], halves.episodes["reset"], "nDTW"):
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
