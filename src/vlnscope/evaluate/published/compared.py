"""Which of two agents is better: all pairs of files for one data set, on the episodes that both have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from vlnscope.benchmarks.kit.estimates import difference_of, partners
from vlnscope.benchmarks.kit.findings import Cell, Table, difference_cells
from vlnscope.evaluate.published.files import PublishedFile
from vlnscope.metrics.metric import get_metric
from vlnscope.stats.several import Comparison, corrected, pairs
from vlnscope.types import ScoreRow

COMPARED = ("SR", "SPL", "nDTW")


def comparisons(by_data: Mapping[str, Sequence[PublishedFile]]) -> Table | None:
    """Return the differences between all pairs of files, data set by data set; None if there is no pair.

    Episodes are paired, and p-values are corrected after Holm over all pairs of a data set in a metric.
    """
    rows = [row for data, files in by_data.items() for name in COMPARED for row in _rows(data, files, name)]
    if not rows:
        return None
    numbers = ("metric", "episodes", "first", "second", "difference", "from", "to", "p corrected")
    return Table(
        name="pairs",
        title="Who is better: pairs of agents on the same episodes",
        columns=("first agent", "second agent", "data", *numbers),
        rows=tuple(rows),
        notes=(
            "difference: first − second, in points, over the episodes that both files have; 95 % interval "
            "over scenes, or over paths with fewer than six of them",
            "p: that there is no difference, after Holm's correction over all pairs of a data set",
        ),
    )


def _rows(data: str, files: Sequence[PublishedFile], metric: str) -> Iterator[tuple[Cell, ...]]:
    known = {file.name: its for file in files if (its := _having(file, metric))}
    if len(known) < 2:
        return
    known_metric = get_metric(metric)
    compared = [
        Comparison(
            a=a,
            b=b,
            difference=difference_of(
                known[a], known[b], metric, pair=_episode, within=(known_metric.low, known_metric.high)
            ),
        )
        for a, b in pairs(known)
        if partners(known[a], known[b], _episode)[0]
    ]
    for one in corrected(compared):
        cells = difference_cells(one.difference, known_metric.scale)
        yield one.a, one.b, data, metric, one.difference.n, *cells, one.adjusted


def _having(file: PublishedFile, metric: str) -> list[ScoreRow]:
    return [row for row in file.score.rows() if metric in row.values] if file.score else []


def _episode(row: ScoreRow) -> str:
    return row.episode_id
