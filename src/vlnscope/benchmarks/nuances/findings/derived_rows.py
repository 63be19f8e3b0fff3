"""Rows made of rows: pairs that must both succeed."""

from __future__ import annotations

from collections.abc import Sequence

from vlnscope.benchmarks.kit.estimates import grouped
from vlnscope.types import ScoreRow


def dual_rows(rows: Sequence[ScoreRow], subsets: tuple[str, str]) -> list[ScoreRow]:
    """Return a row per pair with an item of each of two subsets: ``SR`` and ``chance`` of doing both right.

    The chance of both is the product, because a random walker has no memory of the other item.
    """
    joined = []
    for (pair,), members in grouped(rows, "pair").items():
        a, b = (next((row for row in members if row.groups.get("subset") == name), None) for name in subsets)
        if a is not None and b is not None and "SR" in a.values and "SR" in b.values:
            joined.append(_joined(pair, a, b))
    return joined


def pair_rows(rows: Sequence[ScoreRow]) -> list[ScoreRow]:
    """Return a row per pair of exactly two items of one subset, as `dual_rows` does for two subsets."""
    return [
        _joined(pair, *members)
        for (pair, _), members in grouped(rows, "pair", "subset").items()
        if len(members) == 2 and all("SR" in row.values for row in members)
    ]


def _joined(pair: str, a: ScoreRow, b: ScoreRow) -> ScoreRow:
    metrics = [name for name in ("SR", "chance") if name in a.values and name in b.values]
    shared = {key: value for key, value in a.groups.items() if b.groups.get(key) == value}
    return ScoreRow(
        episode_id=pair,
        scan=a.scan,
        path_id=a.path_id,
        values={name: a.values[name] * b.values[name] for name in metrics},
        groups=shared,
    )
