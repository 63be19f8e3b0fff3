"""Figure 2 of the paper as data: how sharply paths turn, and how long they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from vlnscope.benchmarks.behavior.findings.figures import PAPER
from vlnscope.benchmarks.behavior.score.bins import turns_of
from vlnscope.benchmarks.kit.findings import Cell, Figure, Panel, Series
from vlnscope.benchmarks.kit.routes import graphs_of, routes_of
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import ScoreRow

TURN_BIN = 15
"""Degrees of a bin."""


def case_path_figure(rows: Sequence[ScoreRow]) -> Figure:
    """Return the figure of the truncated paths of cases, each path once, by its last turn."""
    paths = {row.groups.get("pair", row.episode_id): row for row in rows}.values()
    turns = [row.values["turn"] for row in paths if "turn" in row.values]
    lengths = [int(row.groups["path_length"]) for row in paths if "path_length" in row.groups]
    return _figure("behavior-paths", "The paths that agents are led along", turns, lengths)


def data_path_figure(dataset: Dataset) -> Figure:
    """Return the figure of the instructions of a data set, such as one that agents were trained on.

    Every instruction counts, as it does in training.

    Raises:
        InputError: the data set has no navigation graphs, or a path is not in its graph.
    """
    routes = routes_of(dataset)
    graphs = graphs_of(dataset, routes)
    turns: list[float] = []
    lengths: list[int] = []
    for scan, its in routes.items():
        for route in its:
            turns += turns_of(graphs[scan], route.path) * len(route.episodes)
            lengths += [len(route.path)] * len(route.episodes)
    return _figure("behavior-data-paths", f"The paths of {dataset.name}", turns, lengths)


def _figure(name: str, title: str, turns: Sequence[float], lengths: Sequence[int]) -> Figure:
    last = 180 // TURN_BIN - 1
    bins = Counter(min(int(turn // TURN_BIN), last) for turn in turns)
    nodes = Counter(lengths)
    ends = [f"{k * TURN_BIN}–{(k + 1) * TURN_BIN}°" for k in range(last + 1)]
    return Figure(
        name=name,
        title=title,
        kind="bars",
        x="turn at a node, or number of nodes",
        y="share (%)",
        panels=(
            Panel(title="turn", series=(_shares(ends, [bins[k] for k in range(last + 1)]),)),
            Panel(title="nodes", series=(_shares(sorted(nodes), [nodes[k] for k in sorted(nodes)]),)),
        ),
        caption=f"{len(turns):,} turns, {len(lengths):,} paths.",
        source=f"Figure 2 {PAPER}, there of RxR's training paths",
    )


def _shares(places: Iterable[Cell], counts: Sequence[int]) -> Series:
    total = sum(counts) or 1
    return Series(name="paths", x=tuple(places), y=tuple(100.0 * count / total for count in counts))
