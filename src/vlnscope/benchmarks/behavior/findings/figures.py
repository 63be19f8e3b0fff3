"""Figures 2 to 8 of the paper as data, and the competence of agents beside chance."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

import numpy as np

from vlnscope.benchmarks.behavior.findings.directions import direction_panels, sector_figure
from vlnscope.benchmarks.behavior.findings.effects import pooled
from vlnscope.benchmarks.behavior.findings.skills import (
    SKILLS,
    asks,
    intervened,
    searches_by_hops,
    skill_mean,
)
from vlnscope.benchmarks.behavior.score.bins import METRES, METRES_END, POLAR, turns_of
from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.estimates import mean_of, select
from vlnscope.benchmarks.kit.findings import Cell, Figure, Series, interval_series, percent
from vlnscope.benchmarks.kit.routes import graphs_of, routes_of
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.stats.interval import Interval
from vlnscope.types import Floats, ScoreRow

RowsByAgent = Mapping[str, Sequence[ScoreRow]]
TURN_BIN = 15
"""Degrees of a bin of the turns of paths."""
DENSITY_AT: Floats = np.linspace(-5.0, 30.0, 141)
"""Metres at which densities are evaluated."""
_STOPS = {"explicit": "told to stop", "implicit": "text ends", "one-ahead": "told the next step"}
_ERROR_BINS = [str(degrees + POLAR // 2) for degrees in range(0, 180, POLAR)]
_METRE_BINS = [str(k * METRES) for k in range(int(-METRES_END / METRES), int(METRES_END / METRES))]
_declared = declarations(__package__)


def figures(rows_by_agent: RowsByAgent) -> Iterator[Figure]:
    """Yield all figures; those without series have nothing to show."""
    first = next(iter(rows_by_agent.values()), [])
    if asks(rows_by_agent, *SKILLS):
        yield _competence(rows_by_agent, first)
        yield _case_paths(first)
    if asks(rows_by_agent, "direction"):
        yield sector_figure(first)
    if asks(rows_by_agent, "stop"):
        yield _declared.figure("behavior-stop", {agent: _stop(rows) for agent, rows in rows_by_agent.items()})
    for agent, rows in rows_by_agent.items():
        words = {"agent": agent, "slug": _slug(agent), "degrees": POLAR}
        yield _declared.figure("behavior-direction-{slug}", list(direction_panels(rows)), **words)
    yield _declared.figure("behavior-object", _by_agent(rows_by_agent, _objects), degrees=POLAR)
    yield _declared.figure("behavior-room", _by_agent(rows_by_agent, _rooms), metres=METRES)
    for agent, rows in rows_by_agent.items():
        searches = searches_by_hops(rows).items()
        panels = {f"{hops} hop{'s' * (hops != '1')}": _metres_left(chosen) for hops, chosen in searches}
        yield _declared.figure("behavior-search-{slug}", panels, agent=agent, slug=_slug(agent))


def _competence(rows_by_agent: RowsByAgent, first: Sequence[ScoreRow]) -> Figure:
    """Return the skills of all agents as bars, with chance as reference."""
    skills = [skill for skill in SKILLS if intervened(first, skill)]
    names = tuple(SKILLS[skill] for skill in skills)
    bars = [
        _counted(agent, names, [skill_mean(rows, skill, "mass") for skill in skills])
        for agent, rows in rows_by_agent.items()
    ]
    chance = _reference("chance", names, [skill_mean(first, skill, "chance") for skill in skills])
    return _declared.figure("behavior-competence", {"": (*bars, chance)})


def data_path_figure(dataset: Dataset) -> Figure:
    """Return the paths of the instructions of a data set, such as one that agents were trained on.

    Every instruction counts, as it does in training.

    Raises:
        InputError: the data set has no navigation graphs, or a path is not in its graph.
    """
    by_scan = routes_of(dataset)
    graphs = graphs_of(dataset, by_scan)
    routes = [route for scan_routes in by_scan.values() for route in scan_routes for _ in route.episodes]
    turns = [turn for route in routes for turn in turns_of(graphs[route.scan], route.path)]
    return _paths("behavior-data-paths", turns, [len(route.path) for route in routes], data=dataset.name)


def _case_paths(rows: Sequence[ScoreRow]) -> Figure:
    """Return how sharply the truncated paths of cases turn at last, and how long they are, each once."""
    paths = {row.groups.get("pair", row.episode_id): row for row in rows}.values()
    turns = [row.values["turn"] for row in paths if "turn" in row.values]
    lengths = [int(row.groups["path_length"]) for row in paths if "path_length" in row.groups]
    return _paths("behavior-paths", turns, lengths)


def _paths(name: str, turns: Sequence[float], lengths: Sequence[int], **words: str) -> Figure:
    last = 180 // TURN_BIN - 1
    bins = Counter(min(int(turn // TURN_BIN), last) for turn in turns)
    angles = {f"{k * TURN_BIN}–{(k + 1) * TURN_BIN}°": bins[k] for k in range(last + 1)}
    panels = {
        "absolute change of heading between steps": [_shares(angles)],
        "nodes of a path": [_shares(Counter(sorted(lengths)))],
    }
    straight = 100.0 * bins[0] / max(len(turns), 1)
    return _declared.figure(name, panels, turns=len(turns), straight=straight, paths=len(lengths), **words)


def _shares(counts: Mapping[str, int] | Mapping[int, int]) -> Series:
    total = sum(counts.values()) or 1
    return Series(name="paths", x=tuple(counts), y=tuple(100.0 * n / total for n in counts.values()))


def _stop(rows: Sequence[ScoreRow]) -> Iterator[Series]:
    """Yield the probability of stopping by the length of the path, for the three wordings."""
    for sub, name in _STOPS.items():
        by_length: dict[int, list[ScoreRow]] = {}
        for row in select(rows, skill="stop", sub=sub):
            by_length.setdefault(int(row.groups.get("path_length", "0")), []).append(row)
        lengths = sorted(by_length)
        yield _counted(name, lengths, [mean_of(by_length[length], "stop") for length in lengths])


def _objects(rows: Sequence[ScoreRow]) -> Iterator[Series]:
    """Yield how far from the object's direction moves go, and where the forward-bias agent would go."""
    known = [
        row for row in intervened(rows, "object") if any(name.startswith("error.") for name in row.values)
    ]
    if known:
        yield from _moves(known, "error", _ERROR_BINS, 0.0)
        places = [float(name) for name in _ERROR_BINS]
        yield _reference("forward bias", places, pooled(known, "error_forward", _ERROR_BINS))


def _rooms(rows: Sequence[ScoreRow]) -> Iterator[Series]:
    """Yield how many metres nearer to the named room moves bring the agent."""
    if chosen := intervened(rows, "room"):
        yield from _moves(chosen, "delta", _METRE_BINS, METRES / 2)


def _moves(rows: Sequence[ScoreRow], prefix: str, bins: Sequence[str], shift: float) -> Iterator[Series]:
    """Yield where probability goes, with the words and without."""
    places = [float(name) + shift for name in bins]
    yield _counted("with the words", places, pooled(rows, prefix, bins))
    if any(name.startswith(f"{prefix}_none.") for row in rows for name in row.values):
        yield _counted("without", places, pooled(rows, f"{prefix}_none", bins))


def _metres_left(rows: Sequence[ScoreRow]) -> Iterator[Series]:
    """Yield the densities of the metres left to the named room."""
    yield _density(rows, "distance_m", "with the words")
    yield _density(rows, "distance_m_none", "without")
    yield _density(rows, "distance_m_stop", "stopping in place", "reference")


def _density(
    rows: Sequence[ScoreRow], metric: str, name: str, role: Literal["data", "reference"] = "data"
) -> Series:
    """Return a density; of values that are all equal there is none."""
    from scipy.stats import gaussian_kde

    metres = [row.values[metric] for row in rows if metric in row.values]
    y: tuple[float | None, ...] = (None,) * DENSITY_AT.size
    if len(metres) > 1 and np.ptp(metres) > 0:
        y = tuple(gaussian_kde(metres)(DENSITY_AT).tolist())
    return Series(name=name, x=tuple(DENSITY_AT.tolist()), y=y, role=role)


def _by_agent(
    rows_by_agent: RowsByAgent, draw: Callable[[Sequence[ScoreRow]], Iterable[Series]]
) -> dict[str, list[Series]]:
    """Return a panel for each agent that has something to draw."""
    panels = {agent: list(draw(rows)) for agent, rows in rows_by_agent.items()}
    return {agent: series for agent, series in panels.items() if series}


def _counted(name: str, places: Iterable[Cell], means: Sequence[Interval]) -> Series:
    return interval_series(name, places, means, [f"{mean.n} cases" for mean in means])


def _reference(name: str, places: Iterable[Cell], means: Sequence[Interval]) -> Series:
    return Series(name=name, x=tuple(places), y=tuple(percent(it.mean) for it in means), role="reference")


def _slug(name: str) -> str:
    """Return a name for files: letters, digits and dashes."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "agent"
