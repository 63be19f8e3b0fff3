"""Figures 2, 3, 5, 6 and 7 of the paper as data, and the competence of agents beside chance."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from vlnscope.benchmarks.behavior.findings.effects import pooled
from vlnscope.benchmarks.behavior.findings.skills import DIRECTIONS, SKILLS, STOPS, subs_of, told
from vlnscope.benchmarks.behavior.findings.tables import skill_mean
from vlnscope.benchmarks.behavior.score.bins import METRES, METRES_END, POLAR
from vlnscope.benchmarks.kit.estimates import mean_of
from vlnscope.benchmarks.kit.findings import Cell, Figure, Panel, Series, interval_series, percent
from vlnscope.stats.interval import Interval
from vlnscope.types import ScoreRow

Scored = Mapping[str, Sequence[ScoreRow]]
PAPER = "of Yang, Majumdar and Lee, 2023"
INTERVALS = "95 % intervals resample scenes."
_STOP_NAMES = {"explicit": "told to stop", "implicit": "text ends", "one-ahead": "told the next step"}
_POLAR_BINS = [str(degrees) for degrees in range(-180, 180, POLAR)]
_ERROR_BINS = [str(degrees + POLAR // 2) for degrees in range(0, 180, POLAR)]
_METRE_BINS = [str(k * METRES) for k in range(int(-METRES_END / METRES), int(METRES_END / METRES))]


def competence_figure(scored: Scored) -> Figure:
    """Return the skills of all agents as bars, with chance as reference."""
    first = next(iter(scored.values()))
    asked = [skill for skill in SKILLS if told(first, skill)]
    names = tuple(SKILLS[skill] for skill in asked)
    series = [
        _counted(agent, names, [skill_mean(its, skill, "mass") for skill in asked])
        for agent, its in scored.items()
    ]
    chance = [skill_mean(first, skill, "chance") for skill in asked]
    series.append(Series(name="chance", x=names, y=_means(chance), role="reference"))
    return Figure(
        name="behavior-competence",
        title="Does the next step follow the instruction?",
        kind="bars",
        x="skill",
        y="probability of the right actions (%)",
        panels=(Panel(series=tuple(series)),),
        caption=f"{INTERVALS} Chance: all ways and stopping equally likely.",
        source=f"Table 1 {PAPER}",
    )


def stop_figure(scored: Scored) -> Figure:
    """Return the probability of stopping by the length of the path, for the three wordings."""
    panels = []
    for agent, its in scored.items():
        series = []
        for sub in STOPS:
            by_length: dict[int, list[ScoreRow]] = {}
            for row in its:
                if row.groups.get("skill") == "stop" and row.groups.get("sub") == sub:
                    by_length.setdefault(int(row.groups.get("path_length", "0")), []).append(row)
            lengths = sorted(by_length)
            found = [mean_of(by_length[length], "stop") for length in lengths]
            series.append(_counted(_STOP_NAMES[sub], lengths, found))
        panels.append(Panel(title=agent, series=tuple(series)))
    return Figure(
        name="behavior-stop",
        title="Stopping by path length",
        kind="lines",
        x="nodes of the path",
        y="probability of stopping (%)",
        panels=tuple(panels),
        caption=INTERVALS,
        source=f"Figure 3 {PAPER}",
    )


def direction_figures(scored: Scored) -> Iterable[Figure]:
    """Yield for each agent where its probability goes, by direction, with and without the words."""
    for agent, its in scored.items():
        subs = [sub for sub in DIRECTIONS if sub in subs_of(its, "direction")]
        if not subs:
            continue
        panels = [
            Panel(
                title=sub,
                series=_with_and_without(told(its, "direction", sub), "polar", _POLAR_BINS, 5.0),
            )
            for sub in subs
        ]
        yield Figure(
            name=f"behavior-direction-{slug(agent)}",
            title=f"Where {agent} goes when told a direction",
            kind="lines",
            x="degrees from straight ahead, right positive",
            y="share of moves (%)",
            panels=tuple(panels),
            caption=f"Bins of {POLAR}°, stopping left out. {INTERVALS}",
            source=f"Figure 5 {PAPER}",
        )


def object_figure(scored: Scored) -> Figure:
    """Return how far from the object's direction moves go, and where the forward-bias agent would go."""
    panels = []
    for agent, its in scored.items():
        rows = [row for row in told(its, "object") if any(name.startswith("error.") for name in row.values)]
        if rows:
            forward = pooled(rows, "error_forward", _ERROR_BINS)
            places = tuple(float(name) for name in _ERROR_BINS)
            reference = Series(name="forward bias", x=places, y=_means(forward), role="reference")
            series = _with_and_without(rows, "error", _ERROR_BINS, 0.0)
            panels.append(Panel(title=agent, series=(*series, reference)))
    return Figure(
        name="behavior-object",
        title="How far from the named object moves go",
        kind="bars",
        x="degrees from the object's direction",
        y="share of moves (%)",
        panels=tuple(panels),
        caption=f"Bins of {POLAR}°, stopping left out. {INTERVALS}",
        source=f"Figure 6 {PAPER}",
    )


def room_figure(scored: Scored) -> Figure:
    """Return how many metres nearer to the named room moves bring the agent."""
    panels = []
    for agent, its in scored.items():
        rows = told(its, "room")
        if rows:
            series = _with_and_without(rows, "delta", _METRE_BINS, METRES / 2)
            panels.append(Panel(title=agent, series=series))
    return Figure(
        name="behavior-room",
        title="How much nearer to the named room moves come",
        kind="lines",
        x="metres nearer to the nearest such room",
        y="share of moves (%)",
        panels=tuple(panels),
        caption=f"Bins of {METRES} m, stopping left out. {INTERVALS}",
        source=f"Figure 7 {PAPER}",
    )


def _counted(name: str, places: Iterable[Cell], found: Sequence[Interval]) -> Series:
    return interval_series(name, places, found, [f"{it.n} cases" for it in found])


def slug(name: str) -> str:
    """Return a name for files: letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "agent"


def _with_and_without(
    rows: Sequence[ScoreRow], prefix: str, bins: Sequence[str], shift: float
) -> tuple[Series, ...]:
    places = [float(name) + shift for name in bins]
    told_so = _counted("with the words", places, pooled(rows, prefix, bins))
    if not any(name.startswith(f"{prefix}_none.") for row in rows for name in row.values):
        return (told_so,)
    plain = _counted("without", places, pooled(rows, f"{prefix}_none", bins))
    return told_so, plain


def _means(found: Sequence[Interval]) -> tuple[float | None, ...]:
    return tuple(percent(it.mean) for it in found)
