"""Goal versus fidelity: does an agent get where it should, and by the way that was described?

A success *ignored the path* if its CLS is below a half: it covers so little of the described path, or walks
so much besides, that the instruction cannot have led it, and yet it counts in SR and SPL. An agent that walks
straight to the goal has such successes on roundabout references only; one that follows has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from vlnscope.benchmarks.fidelity.build.ablations import ABLATIONS
from vlnscope.benchmarks.fidelity.score import FIDELITY, GOAL
from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.estimates import change_of, mean_of
from vlnscope.benchmarks.kit.findings import Cell, Figure, Series, Statement, Table, interval_cells
from vlnscope.types import ScoreRow

IGNORED = 0.5
"""A success with a lower CLS ignored the path."""
_SHARE = "ignored"
_SHOWN = 3
_declared = declarations(__package__)


def ignoring(rows: Sequence[ScoreRow], threshold: float = IGNORED) -> list[ScoreRow]:
    """Return the successes, each with the value ``ignored``: 1 if its CLS is below a threshold, else 0."""
    return [
        replace(row, values={_SHARE: float(row.values["CLS"] < threshold), "CLS": row.values["CLS"]})
        for row in rows
        if row.values.get("SR") == 1.0 and "CLS" in row.values
    ]


def plane_statements(agent: str, rows: Sequence[ScoreRow], threshold: float) -> Iterator[Statement]:
    """Say how well an agent reaches goals and keeps to paths, with the whole instruction."""
    if rows:
        yield _declared.statement("goal", agent, mean_of(rows, "SR"))
        yield _declared.statement("fidelity", agent, mean_of(rows, "CLS"))
        yield _declared.statement("goal-versus-fidelity", agent, change_of(rows, "SPL", "CLS"))
        yield _ignored(agent, ignoring(rows, threshold), threshold)


def _ignored(agent: str, successes: Sequence[ScoreRow], threshold: float) -> Statement:
    ignored = [row for row in successes if row.values[_SHARE]]
    worst = sorted((row.values["CLS"], row.episode_id) for row in ignored)[:_SHOWN]
    said = _declared.statement(
        "ignored-path",
        agent,
        mean_of(successes, _SHARE),
        {"threshold": threshold},
        episodes=tuple(case_id for _, case_id in worst),
    )
    return said if successes else replace(said, reason="it never reached the goal")


def ignored_table(full: Mapping[str, Sequence[ScoreRow]], threshold: float) -> Table:
    """Return how many successes ignored the path, where the reference is a shortest way and elsewhere."""
    rows: list[tuple[Cell, ...]] = []
    for agent, of_agent in full.items():
        for kind in ("all", "shortest", "roundabout"):
            part = [row for row in of_agent if kind in ("all", row.groups.get("reference"))]
            if part:
                successes = ignoring(part, threshold)
                share = interval_cells(mean_of(successes, _SHARE))
                rows.append((agent, kind, len(part), len(successes), *share))
    return _declared.table("ignored-path", rows, threshold=threshold)


def plane_figure(agents: Mapping[str, Mapping[str, Sequence[ScoreRow]]]) -> Figure:
    """Return the plane: a panel per pair of metrics, a series per agent, a point per instruction variant."""
    points = {
        (agent, variant, metric): interval_cells(mean_of(rows, metric))
        for agent, variants in agents.items()
        for variant, rows in variants.items()
        for metric in (*GOAL, *FIDELITY)
    }
    panels: dict[str, list[Series]] = {}
    for fidelity in FIDELITY:
        for goal in GOAL:
            series = panels.setdefault(f"{fidelity} against {goal}", [])
            for agent, variants in agents.items():
                names = [name for name in ABLATIONS if name in variants]
                places = [(points[agent, one, goal][0], *points[agent, one, fidelity]) for one in names]
                series.append(_points(agent, names, places))
    return _declared.figure("goal-versus-fidelity", panels)


def _points(agent: str, variants: Sequence[str], places: Sequence[tuple[float | None, ...]]) -> Series:
    """Return a point per place; where an agent does the same whatever it is told, its points are one."""
    names: dict[tuple[float | None, ...], list[str]] = {}
    for variant, point in zip(variants, places, strict=True):
        names.setdefault(point, []).append(variant)
    labels = ("all" if len(here) == len(variants) > 1 else ", ".join(here) for here in names.values())
    x, y, low, high = zip(*names, strict=True) if names else ((), (), (), ())
    return Series(name=agent, x=x, y=y, low=low, high=high, labels=tuple(labels))
