"""Goal versus fidelity: does an agent get where it should, and by the way that was described?

A success *ignored the path* if its CLS is below a half: it covers so little of the described path, or walks
so much besides, that the instruction cannot have led it, and yet it counts in SR and SPL. An agent that walks
straight to the goal has such successes on roundabout references only; one that follows has none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from vlnscope.benchmarks.fidelity.build.ablations import ABLATIONS
from vlnscope.benchmarks.fidelity.score import FIDELITY, GOAL
from vlnscope.benchmarks.kit.estimates import change_of, mean_of
from vlnscope.benchmarks.kit.findings import Figure, Panel, Series, Statement, Table, Wording, statement
from vlnscope.stats.interval import Interval
from vlnscope.types import ScoreRow

IGNORED = 0.5
"""A success with a lower CLS ignored the path."""
_SHARE = "ignored"
_SHOWN = 3


def ignoring(rows: Sequence[ScoreRow], threshold: float = IGNORED) -> list[ScoreRow]:
    """Return the successes, each with the value ``ignored``: 1 if its CLS is below a threshold, else 0."""
    return [
        replace(row, values={_SHARE: float(row.values["CLS"] < threshold), "CLS": row.values["CLS"]})
        for row in rows
        if row.values.get("SR") == 1.0 and "CLS" in row.values
    ]


def plane_statements(agent: str, rows: Sequence[ScoreRow], threshold: float) -> list[Statement]:
    """Say how well an agent reaches goals and keeps to paths, with the whole instruction."""
    if not rows:
        return []
    successes = ignoring(rows, threshold)
    return [
        statement("goal.SR", agent, mean_of(rows, "SR"), _reaches(), weight=0.6, metric="SR"),
        statement("fidelity.CLS", agent, mean_of(rows, "CLS"), _keeps(), weight=0.6, metric="CLS"),
        statement(
            "goal-versus-fidelity",
            agent,
            change_of(rows, "SPL", "CLS"),
            _compares(),
            weight=0.65,
        ),
        _ignored(agent, successes, threshold),
    ]


def _ignored(agent: str, successes: Sequence[ScoreRow], threshold: float) -> Statement:
    worst = sorted((row for row in successes if row.values[_SHARE]), key=_fidelity)[:_SHOWN]
    words = f"ignored the described path in {{value}} of its {{n}} successes (CLS < {threshold:g})"
    made = statement(
        "ignored-path",
        agent,
        mean_of(successes, _SHARE),
        Wording(plain=words),
        weight=0.85,
        episodes=tuple(row.episode_id for row in worst),
        topic="route",
        worst=100.0,
        best=0.0,
    )
    return made if successes else replace(made, reason="it never reached the goal")


def _fidelity(row: ScoreRow) -> tuple[float, str]:
    return row.values["CLS"], row.episode_id


def _reaches() -> Wording:
    return Wording(plain="reaches the goal in {value} of {n} episodes")


def _keeps() -> Wording:
    return Wording(plain="keeps to the described path with a CLS of {value}")


def _compares() -> Wording:
    return Wording(
        above="reaches goals better than it keeps to paths: SPL exceeds CLS by {value}",
        below="gets less from SPL than from CLS: they differ by {value}",
        unclear="is judged alike by SPL and CLS: they differ by {value}",
    )


def ignored_table(full: Mapping[str, Sequence[ScoreRow]], threshold: float) -> Table:
    """Return how many successes ignored the path, where the reference is a shortest way and elsewhere."""
    rows: list[tuple[str | float | int | None, ...]] = []
    for agent, its in full.items():
        for kind in ("all", "shortest", "roundabout"):
            part = [row for row in its if kind in ("all", row.groups.get("reference"))]
            if part:
                successes = ignoring(part, threshold)
                share = mean_of(successes, _SHARE)
                rows.append((agent, kind, len(part), len(successes), *_percents(share)))
    return Table(
        name="ignored-path",
        title=f"Successes that ignored the path (CLS < {threshold:g})",
        columns=("agent", "references", "episodes", "successes", "ignored (%)", "low", "high"),
        rows=tuple(rows),
        notes=("with the whole instruction; a shortest reference is one than which no way is shorter",),
    )


def plane_figure(agents: Mapping[str, Mapping[str, Sequence[ScoreRow]]]) -> Figure:
    """Return the plane: a panel per pair of metrics, a series per agent, a point per instruction variant."""
    points: dict[tuple[str, str, str], Interval] = {
        (agent, variant, metric): mean_of(rows, metric)
        for agent, variants in agents.items()
        for variant, rows in variants.items()
        for metric in (*GOAL, *FIDELITY)
    }
    panels = tuple(
        Panel(
            title=f"{fidelity} against {goal}",
            series=tuple(
                _points(agent, [name for name in ABLATIONS if name in variants], goal, fidelity, points)
                for agent, variants in agents.items()
            ),
        )
        for fidelity in FIDELITY
        for goal in GOAL
    )
    return Figure(
        name="goal-versus-fidelity",
        title="Reaching the goal, and keeping to the path",
        kind="points",
        x="reaching the goal: SR or SPL (%)",
        y="keeping to the path: CLS or nDTW (%)",
        panels=panels,
        caption="A point per agent and instruction. Right of the diagonal goals are reached by other ways "
        "than the described one. Vertical bars: 95 % intervals.",
    )


def _points(
    agent: str,
    variants: Sequence[str],
    goal: str,
    fidelity: str,
    points: Mapping[tuple[str, str, str], Interval],
) -> Series:
    places: dict[tuple[float | None, ...], list[str]] = {}
    for variant in variants:
        across, up = points[agent, variant, goal], points[agent, variant, fidelity]
        places.setdefault((_percents(across)[0], *_percents(up)), []).append(variant)
    return Series(
        name=agent,
        x=tuple(place[0] for place in places),
        y=tuple(place[1] for place in places),
        low=tuple(place[2] for place in places),
        high=tuple(place[3] for place in places),
        labels=tuple(_label(names, variants) for names in places.values()),
    )


def _label(names: Sequence[str], variants: Sequence[str]) -> str:
    """Name a point: where an agent does the same whatever it is told, its points are one."""
    return "all" if len(names) == len(variants) > 1 else ", ".join(names)


def _percents(found: Interval) -> tuple[float | None, float | None, float | None]:
    low, high = found.low, found.high
    return (
        None if found.mean is None else 100.0 * found.mean,
        None if low is None else 100.0 * low,
        None if high is None else 100.0 * high,
    )
