"""Rows made of rows: pairs that must both succeed, and scenes whose subsets are compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vlnscope.benchmarks.kit.estimates import difference_of, grouped
from vlnscope.stats.paired import Difference
from vlnscope.types import ScoreRow


def chosen(rows: Iterable[ScoreRow], **groups: str) -> list[ScoreRow]:
    """Return the rows of which all these groups are so."""
    return [row for row in rows if all(row.groups.get(key) == value for key, value in groups.items())]


def dual_rows(rows: Sequence[ScoreRow], subsets: tuple[str, str]) -> list[ScoreRow]:
    """Return a row per pair with an item of each of two subsets: ``SR`` and ``chance`` of doing both right.

    The chance of both is the product, because a random walker has no memory of the other item.
    """
    made = []
    for (pair,), members in grouped(rows, "pair").items():
        both = [next((row for row in members if row.groups.get("subset") == name), None) for name in subsets]
        a, b = both
        if a is not None and b is not None and "SR" in a.values and "SR" in b.values:
            made.append(_joined(pair, a, b))
    return made


def pair_rows(rows: Sequence[ScoreRow]) -> list[ScoreRow]:
    """Return a row per pair of exactly two items of one subset, as `dual_rows` does for two subsets."""
    return [
        _joined(pair, *members)
        for (pair, _), members in grouped(rows, "pair", "subset").items()
        if len(members) == 2 and all("SR" in row.values for row in members)
    ]


def pair_difference(
    a: Sequence[ScoreRow],
    b: Sequence[ScoreRow],
    metric: str,
    *,
    pair: str = "pair",
) -> Difference:
    """Return the mean difference over rows with the same `pair` group."""
    return difference_of(a, b, metric, pair=lambda row: row.groups[pair])


def scene_difference(a: Sequence[ScoreRow], b: Sequence[ScoreRow], metric: str) -> Difference | None:
    """Return how much greater a metric is in `a` than in `b`: the mean over scenes of differences of means.

    Scenes without rows of both kinds are left out; None if no scene has both.
    """
    means_a, means_b = _scene_means(a, metric), _scene_means(b, metric)
    if not {row.scan for row in means_a} & {row.scan for row in means_b}:
        return None
    return pair_difference(means_a, means_b, metric, pair="scene")


def _joined(pair: str, a: ScoreRow, b: ScoreRow) -> ScoreRow:
    values = {"SR": a.values["SR"] * b.values["SR"]}
    if "chance" in a.values and "chance" in b.values:
        values["chance"] = a.values["chance"] * b.values["chance"]
    shared = {key: value for key, value in a.groups.items() if b.groups.get(key) == value}
    return ScoreRow(episode_id=pair, scan=a.scan, path_id=a.path_id, values=values, groups=shared)


def _scene_means(rows: Sequence[ScoreRow], metric: str) -> list[ScoreRow]:
    by_scene: dict[str, list[float]] = {}
    for row in rows:
        if metric in row.values:
            by_scene.setdefault(row.scan, []).append(row.values[metric])
    return [
        ScoreRow(
            episode_id=scan,
            scan=scan,
            path_id=scan,
            values={metric: sum(found) / len(found)},
            groups={"scene": scan},
        )
        for scan, found in by_scene.items()
    ]
