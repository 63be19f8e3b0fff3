"""What tours say of agents: scores, what memory is worth, and how that changes along a tour."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.declarations import declarations, findings_of
from vlnscope.benchmarks.kit.estimates import difference_of, mean_of, select
from vlnscope.benchmarks.kit.findings import (
    Cell,
    Figure,
    Findings,
    Series,
    Statement,
    Table,
    interval_series,
    percent,
    scaled,
)
from vlnscope.benchmarks.tours.coverage.visibility import REACH
from vlnscope.benchmarks.tours.findings.memory_gain import gain_statements, gain_table, memory_gains
from vlnscope.benchmarks.tours.findings.tour_rows import (
    VARIANTS,
    MemoryRows,
    TourLengths,
    memory_rows,
    place_of,
    tour_lengths,
    tour_mean,
)
from vlnscope.benchmarks.tours.score.cases import TOUR_METRICS
from vlnscope.core.exceptions import InputError
from vlnscope.stats.interval import ANY, Interval
from vlnscope.types import ScoreRow, Tour

WIDTH = 5
"""Places that are taken together."""
SHOWN = ("nDTW", "SR", "SPL")
_EXAMPLES = 3
_EPISODIC = {"TL": 1.0, "NE": 1.0, "OSR": 100.0, "nDTW": 100.0, "SR": 100.0, "SPL": 100.0, "CLS": 100.0}
_SEEN = {"upcoming episode": "seen-next", "complete tour": "seen-tour"}
Agents = Mapping[str, MemoryRows]
_declared = declarations(__package__)


def asked_lengths(case_set: CaseSet) -> TourLengths:
    """Count the tours that are asked, each once however often it is walked."""
    groups = {case.case_id: case.groups["tour"] for case in case_set.cases}
    tours = {
        groups[tour.case_ids[0]]: Tour(tour_id=tour.tour_id, scan=tour.scan, episode_ids=tour.case_ids)
        for tour in case_set.tours or ()
    }
    return tour_lengths(list(tours.values()))


def length_table(data: str, lengths: TourLengths) -> Table:
    """Return Table 1 for what was asked."""
    counts = (lengths.scenes, lengths.episodes, lengths.tours, lengths.tours_per_scene)
    row = (data, *counts, lengths.mean, lengths.min, lengths.max, lengths.sd)
    return _declared.table("tours-lengths", [row])


def score_table(agents: Agents) -> Table:
    """Return the scores of all agents and variants, as Tables 2 to 4 have them."""
    rows = ((agent, kind, *_scores(rows, tours)) for agent, kind, rows, tours in _variants(agents))
    return _declared.table("tours-scores", rows)


def _scores(episodes: Sequence[ScoreRow], tours: Sequence[ScoreRow]) -> Iterator[Cell]:
    for name, scale in _EPISODIC.items():
        yield scaled(mean_of(episodes, name, within=ANY).mean, scale)
    for name in TOUR_METRICS:
        whole = [row for row in tours if name in row.values]
        yield percent(tour_mean(whole, name).mean) if whole else None
    yield len(episodes)
    yield sum("t-nDTW" in row.values for row in tours)


def example_table(agents: Agents) -> Table:
    """Return the best, the middle and the worst tours of each agent (memory kept, if it was run)."""
    rows: list[tuple[Cell, ...]] = []
    for agent, of_agent in agents.items():
        kind = next((kind for kind in VARIANTS if of_agent.tours[kind]), VARIANTS[0])
        ranked = _ranked(of_agent.tours[kind])
        for rank in _examples(len(ranked)):
            tour = ranked[rank].groups["tour"]
            own = select(of_agent.episodes[kind], tour=tour)
            numbers = (100.0 * ranked[rank].values["t-nDTW"], _mean(own, "nDTW"), _mean(own, "SR"))
            rows.append((agent, kind, rank + 1, tour, ranked[rank].scan, len(own), *numbers))
    return _declared.table("tours-examples", rows)


def _examples(count: int) -> list[int]:
    """Return which ranks to show: the first, the middle and the last few, each once."""
    middle = (count - _EXAMPLES) // 2
    ranks = [*range(_EXAMPLES), *range(middle, middle + _EXAMPLES), *range(count - _EXAMPLES, count)]
    return sorted({rank for rank in ranks if 0 <= rank < count})


def _mean(rows: Sequence[ScoreRow], metric: str) -> float | None:
    values = [row.values[metric] for row in rows if metric in row.values]
    return 100.0 * sum(values) / len(values) if values else None


def figures(agents: Agents, lengths: TourLengths) -> Iterator[Figure]:
    """Yield scores and gains by position, ranked tours, what could be seen, and how long tours are."""
    variants = list(_variants(agents))
    by_place = {
        metric: [
            _mean_line(f"{agent}, memory {kind}", _bins(rows, WIDTH), metric)
            for agent, kind, rows, _ in variants
        ]
        for metric in SHOWN
    }
    yield _declared.figure("tours-by-place", by_place, width=WIDTH)
    paired = {agent: of_agent for agent, of_agent in agents.items() if of_agent.paired}
    if paired:
        gains = {
            metric: [_gain_line(agent, of_agent, metric) for agent, of_agent in paired.items()]
            for metric in SHOWN
        }
        yield _declared.figure("tours-gain-by-place", gains, width=WIDTH)
    ranked = (_ranked_points(f"{agent}, memory {kind}", tours) for agent, kind, _, tours in variants)
    yield _declared.figure("tours-ranked", {"": (points for points in ranked if points.x)})
    bins = _bins(variants[0][2], 1)
    seen = (_mean_line(title, bins, metric) for title, metric in _SEEN.items())
    yield _declared.figure("tours-seen", {"": seen}, reach=REACH)
    every = tuple(float(length) for length, count in lengths.counts.items() for _ in range(count))
    series = Series(name="tours", y=every)
    yield _declared.figure("tours-lengths", {"": [series]}, tours=lengths.tours, scenes=lengths.scenes)


def _variants(agents: Agents) -> Iterator[tuple[str, str, list[ScoreRow], list[ScoreRow]]]:
    """Yield agent, memory setting, rows of episodes and rows of tours, for settings that were run."""
    for agent, of_agent in agents.items():
        for kind in VARIANTS:
            if of_agent.episodes[kind]:
                yield agent, kind, of_agent.episodes[kind], of_agent.tours[kind]


def _bins(rows: Sequence[ScoreRow], width: int) -> dict[float, list[ScoreRow]]:
    """Return rows by the middle of the places that are taken together, in order."""
    bins: dict[float, list[ScoreRow]] = {}
    for row in rows:
        bins.setdefault(place_of(row) // width * width + (width - 1) / 2, []).append(row)
    return dict(sorted(bins.items()))


def _mean_line(name: str, bins: Mapping[float, list[ScoreRow]], metric: str) -> Series:
    return _line(name, bins, lambda rows: mean_of(rows, metric))


def _gain_line(agent: str, of_agent: MemoryRows, metric: str) -> Series:
    reset = of_agent.episodes["reset"]
    pairs = {row.groups["pair"] for row in reset}
    shared = [row for row in of_agent.episodes["kept"] if row.groups["pair"] in pairs]
    return _line(agent, _bins(shared, WIDTH), lambda rows: difference_of(rows, reset, metric))


def _line(
    name: str, bins: Mapping[float, list[ScoreRow]], estimate: Callable[[list[ScoreRow]], Interval]
) -> Series:
    intervals = [estimate(rows) for rows in bins.values()]
    labels = [f"{interval.n} episodes of {interval.clusters} {_units(interval)}" for interval in intervals]
    return interval_series(name, bins, intervals, labels)


def _units(interval: Interval) -> str:
    return f"{interval.units[0]}s" if interval.units else "scenes"


def _ranked_points(name: str, tours: Sequence[ScoreRow]) -> Series:
    """Return t-nDTW of every tour, best first."""
    ranked = _ranked(tours)
    return Series(
        name=name,
        x=tuple(range(1, len(ranked) + 1)),
        y=tuple(100.0 * row.values["t-nDTW"] for row in ranked),
        labels=tuple(f"tour {row.groups['tour']} of {row.scan}" for row in ranked),
    )


def _ranked(rows: Sequence[ScoreRow]) -> list[ScoreRow]:
    whole = [row for row in rows if "t-nDTW" in row.values]
    return sorted(whole, key=lambda row: -row.values["t-nDTW"])


def find(case_set: CaseSet, rows_by_agent: Mapping[str, Sequence[ScoreRow]]) -> Findings:
    """Say what the rows of agents mean.

    Args:
        case_set: the cases and their tours.
        rows_by_agent: rows of `score_cases` by agent.

    Raises:
        InputError: no agent has any row.
    """
    agents = {agent: memory_rows(rows) for agent, rows in rows_by_agent.items()}
    agents = {agent: rows for agent, rows in agents.items() if any(rows.episodes.values())}
    if not agents:
        raise InputError(
            "nothing was scored, so nothing can be said",
            expected="runs of at least one agent on the cases",
            fix="run an agent first (`vlnscope run AGENT --cases DIR --out RUN`)",
        )
    gains = {agent: memory_gains(rows) for agent, rows in agents.items()}
    lengths = asked_lengths(case_set)
    tables = (
        score_table(agents),
        *((gain_table(gains),) if any(gains.values()) else ()),
        example_table(agents),
        length_table(case_set.data, lengths),
    )
    said = (one for agent, rows in agents.items() for one in _statements(agent, rows))
    return findings_of(case_set, agents, said, tables, figures(agents, lengths), _notes(agents))


def _statements(agent: str, rows: MemoryRows) -> Iterator[Statement]:
    kind = next((kind for kind in VARIANTS if rows.tours[kind]), None)
    if kind is not None:
        level = tour_mean(rows.tours[kind], "t-nDTW")
        yield declarations(__package__).statement("level", agent, level, {"memory": kind})
    yield from gain_statements(agent, rows)


def _notes(agents: Mapping[str, MemoryRows]) -> Iterator[str]:
    for agent, rows in agents.items():
        lost = sum("t-nDTW" not in row.values for tours in rows.tours.values() for row in tours)
        if lost:
            yield f"{agent}: {lost} tours have no t-nDTW (not walked to their end, or no alignment exists)"
        if not rows.paired:
            yield f"{agent}: only one half was run, so the gain of memory cannot be told"
