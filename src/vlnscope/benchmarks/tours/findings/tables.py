"""Tables and figures of whole tours: how long they are, how agents do, and which they do best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.estimates import mean_of
from vlnscope.benchmarks.kit.findings import Cell, Figure, Panel, Series, Table
from vlnscope.benchmarks.tours.findings.lengths import TourLengths, tour_lengths
from vlnscope.benchmarks.tours.findings.memory_settings import VARIANTS, Halves, tour_mean
from vlnscope.stats.interval import ANY
from vlnscope.types import ScoreRow, Tour

_SCALE = 100.0
_EXAMPLES = 3
_EPISODIC = {"TL": 1.0, "NE": 1.0, "OSR": _SCALE, "nDTW": _SCALE, "SR": _SCALE, "SPL": _SCALE, "CLS": _SCALE}
_OF_TOURS = ("t-nDTW", "t-SR", "t-SPL")


def asked_lengths(asked: CaseSet) -> TourLengths:
    """Count the tours that are asked, each once however often it is walked."""
    groups = {case.case_id: case.groups["tour"] for case in asked.cases}
    tours = {
        groups[tour.case_ids[0]]: Tour(tour_id=tour.tour_id, scan=tour.scan, episode_ids=tour.case_ids)
        for tour in asked.tours or ()
    }
    return tour_lengths(list(tours.values()))


def length_table(data: str, lengths: TourLengths) -> Table:
    """Return Table 1 for what was asked."""
    columns = ("data", "scenes", "episodes", "tours", "tours per scene", "mean", "min", "max", "SD")
    counts = (lengths.scenes, lengths.episodes, lengths.tours, lengths.tours_per_scene)
    return Table(
        name="tours-lengths",
        title="Tours and their lengths in episodes",
        columns=columns,
        rows=((data, *counts, lengths.mean, lengths.min, lengths.max, lengths.sd),),
        notes=("SD of the population. Tours are counted once, though they are walked once per variant.",),
        source="IVLN, Table 1",
    )


def length_figure(lengths: TourLengths) -> Figure:
    """Return Figure 2a for what was asked."""
    every = tuple(float(length) for length, count in lengths.counts.items() for _ in range(count))
    return Figure(
        name="tours-lengths",
        title="How long tours are",
        kind="histogram",
        x="episodes in a tour",
        y="tours",
        panels=(Panel(series=(Series(name="tours", y=every),)),),
        caption=f"{lengths.tours} tours of {lengths.scenes} scenes.",
        source="IVLN, Figure 2a",
    )


def score_table(agents: Mapping[str, Halves]) -> Table:
    """Return the scores of all agents and variants, as Tables 2 to 4 have them."""
    rows = tuple(
        (agent, kind, *_scores(halves, kind))
        for agent, halves in agents.items()
        for kind in VARIANTS
        if halves.episodes[kind]
    )
    return Table(
        name="tours-scores",
        title="Scores in tours",
        columns=("agent", "memory", *_EPISODIC, *_OF_TOURS, "episodes", "tours"),
        rows=rows,
        notes=(
            "TL and NE in metres, all others in percent. Means over episodes; t-… over tours, weighted by "
            "their episodes.",
            "The paper reports t-nDTW; t-SR and t-SPL are what the released discrete code logs besides.",
        ),
        source="IVLN, Tables 2 to 4",
    )


def ranked_figure(agents: Mapping[str, Halves]) -> Figure:
    """Return t-nDTW of every tour, best first, a line per agent and variant."""
    series = tuple(
        Series(
            name=f"{agent}, memory {kind}",
            x=tuple(range(1, len(ranked) + 1)),
            y=tuple(_SCALE * row.values["t-nDTW"] for row in ranked),
            labels=tuple(f"tour {row.groups['tour']} of {row.scan}" for row in ranked),
        )
        for agent, halves in agents.items()
        for kind in VARIANTS
        if (ranked := _ranked(halves.tours[kind]))
    )
    return Figure(
        name="tours-ranked",
        title="Tours by t-nDTW",
        kind="points",
        x="rank",
        y="t-nDTW, %",
        panels=(Panel(series=series),),
        caption="Every point is a tour; tours are ranked for each agent and variant apart.",
        source="IVLN, Figures 3 and 6",
    )


def example_table(agents: Mapping[str, Halves]) -> Table:
    """Return the best, the middle and the worst tours of each agent (memory kept, if it was run)."""
    rows: list[tuple[Cell, ...]] = []
    for agent, halves in agents.items():
        kind = next((kind for kind in VARIANTS if halves.tours[kind]), VARIANTS[0])
        ranked = _ranked(halves.tours[kind])
        for rank in _examples(len(ranked)):
            row = ranked[rank]
            own = [r for r in halves.episodes[kind] if r.groups["tour"] == row.groups["tour"]]
            numbers = (_SCALE * row.values["t-nDTW"], _mean(own, "nDTW"), _mean(own, "SR"))
            rows.append((agent, kind, rank + 1, row.groups["tour"], row.scan, len(own), *numbers))
    return Table(
        name="tours-examples",
        title="Example tours, ranked by t-nDTW",
        columns=("agent", "memory", "rank", "tour", "scene", "episodes", "t-nDTW", "nDTW", "SR"),
        rows=tuple(rows),
        notes=("Best, middle and worst. t-nDTW below the mean nDTW means that long detours weigh on it.",),
        source="IVLN, Figures 3 and 6",
    )


def _scores(halves: Halves, kind: str) -> list[Cell]:
    episodes, tours = halves.episodes[kind], halves.tours[kind]
    cells: list[Cell] = []
    for name, scale in _EPISODIC.items():
        found = mean_of(episodes, name, within=ANY).mean
        cells.append(None if found is None else scale * found)
    for name in _OF_TOURS:
        whole = [row for row in tours if name in row.values]
        mean = tour_mean(whole, name).mean if whole else None
        cells.append(None if mean is None else _SCALE * mean)
    return [*cells, len(episodes), sum("t-nDTW" in row.values for row in tours)]


def _ranked(rows: Sequence[ScoreRow]) -> list[ScoreRow]:
    whole = [row for row in rows if "t-nDTW" in row.values]
    return sorted(whole, key=lambda row: -row.values["t-nDTW"])


def _examples(count: int) -> list[int]:
    """Return which ranks to show: the first, the middle and the last few, each once."""
    middle = (count - _EXAMPLES) // 2
    ranks = [*range(_EXAMPLES), *range(middle, middle + _EXAMPLES), *range(count - _EXAMPLES, count)]
    return sorted({rank for rank in ranks if 0 <= rank < count})


def _mean(rows: Sequence[ScoreRow], metric: str) -> float | None:
    values = [row.values[metric] for row in rows if metric in row.values]
    return _SCALE * sum(values) / len(values) if values else None
