"""The result of explaining a gap: parts that add up, episodes that flip, and what it means in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from vlnscope.core.results import Block, Line, Result, TextTable, interval, lines, notes, number
from vlnscope.evaluate.gap.claims import ClaimedNumber, SettingFit
from vlnscope.evaluate.gap.flips import FlipCluster
from vlnscope.evaluate.score.profile_table import SAME, Effect
from vlnscope.metrics.metric import get_metric
from vlnscope.reporting.tables.marks import counted
from vlnscope.stats.interval import Interval
from vlnscope.stats.paired import PairedDifference

Kind = Literal["switch", "data", "walks", "episodes", "rest"]
MOST_MOVES = 4


@dataclass(frozen=True)
class GapPart:
    """A part of a gap.

    Attributes:
        kind: a switch of the protocol, the data, the walks, the episodes that only one side counts, or what
            is left between walks and a number that somebody states.
        name: the switch, or what else it is.
        words: the same in words.
        points: how much of the gap it explains, in the unit shown in tables.
        setting: the two settings of a switch.
        alone: what the switch does on A's walks if no other is changed.
        low: lower end of the interval of `points`; None if it has none.
        high: upper end.
        p_value: of the paired test of the walks.
        rests_on: what the interval was made of.
        clusters: how many independent units the interval rests on.
        unit: what these are.
        episodes: ids of the episodes that only one side counts.
    """

    kind: Kind
    name: str
    words: str
    points: float
    setting: tuple[object, object] | None = None
    alone: Effect | None = None
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    rests_on: str = ""
    clusters: int = 0
    unit: str = "scene"
    episodes: tuple[str, ...] = ()

    @property
    def sampled(self) -> bool:
        """Whether other scenes could have given another number; rules and data could not."""
        return self.kind in ("walks", "rest")

    @property
    def shown(self) -> bool:
        """Whether the part is more than noise, by its interval.

        Parts that chance has no hand in are shown unless they are 0.
        """
        if not self.sampled:
            return abs(self.points) > SAME
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high

    def to_dict(self) -> dict[str, Any]:
        """Return the part as plain data."""
        row: dict[str, Any] = {"kind": self.kind, "name": self.name, "points": self.points}
        if self.setting is not None:
            row |= {"before": self.setting[0], "after": self.setting[1]}
        if self.alone is not None:
            row |= {"alone": self.alone.points, "alone_undefined": self.alone.undefined}
        if self.sampled:
            row |= {"ci_low": self.low, "ci_high": self.high, "p_value": self.p_value, "shown": self.shown}
            row |= {"rests_on": self.rests_on}
        if self.episodes:
            row["episodes"] = list(self.episodes)
        return row

    def record(self) -> dict[str, Any]:
        """Return the part as a row of a table, in which all parts have the same columns."""
        row = self.to_dict()
        settings = {key: str(row[key]) if key in row else None for key in ("before", "after")}
        numbers = {key: row.get(key) for key in ("alone", "ci_low", "ci_high", "p_value")}
        return {"kind": self.kind, "part": self.name, "points": self.points} | settings | numbers


@dataclass(frozen=True)
class MetricGap:
    """The gap of one metric.

    Attributes:
        metric: which.
        mean_a: mean of A, in the unit shown in tables; None if no episode has a value.
        mean_b: mean of B, or what somebody states.
        parts: what the gap B − A is made of; they add up to it.
        method: how switches share their part: Shapley values, or one after the other.
        clusters: episodes by what became of their success and why.
        claim: the number somebody states, if B is one.
    """

    metric: str
    mean_a: float | None
    mean_b: float | None
    parts: tuple[GapPart, ...] = ()
    method: Literal["shapley", "in order"] = "shapley"
    clusters: tuple[FlipCluster, ...] = ()
    claim: ClaimedNumber | None = None

    @property
    def points(self) -> float | None:
        """The gap B − A; None if one side has no mean."""
        return None if self.mean_a is None or self.mean_b is None else self.mean_b - self.mean_a

    @property
    def flips(self) -> int:
        """How many episodes flip between success and failure; the same for every metric."""
        return sum(len(c.episodes) for c in self.clusters if c.flips)

    def of(self, *kinds: Kind) -> list[GapPart]:
        """Return the parts of some kinds."""
        return [part for part in self.parts if part.kind in kinds]

    def to_dict(self) -> dict[str, Any]:
        """Return the gap as plain data."""
        from vlnscope.evaluate.gap.words import sentence_of

        return {
            "metric": self.metric,
            "unit": get_metric(self.metric).unit,
            "a": self.mean_a,
            "b": self.mean_b,
            "gap": self.points,
            "protocol": sum(part.points for part in self.of("switch")),
            "parts": [part.to_dict() for part in self.parts],
            "method": self.method,
            "flips": self.flips,
            "clusters": [cluster.to_dict() for cluster in self.clusters],
            "sentence": sentence_of(self),
        }


@dataclass(frozen=True)
class Gap(Result):
    """Why two results differ.

    Attributes:
        a: what A is, in words.
        b: what B is.
        dataset: name of the data set.
        profiles: whose conventions A and B follow.
        metrics: the gap of each metric.
        fits: settings of the switches under which A's walks come closest to stated numbers, best first.
        alone: the best setting for each stated number by itself, if there are several.
        notes: what a reader must know to read the numbers right.
        one_sided: episodes whose success is known in A only, and in B only; they are no flips.
        success_known: whether walks of both sides can be told to succeed or fail, so that flips can be seen.
        stated: whether B is numbers that may be of these very walks, and not those of another agent.
    """

    a: str
    b: str
    dataset: str
    profiles: tuple[str, str]
    metrics: tuple[MetricGap, ...]
    fits: tuple[SettingFit, ...] = ()
    alone: tuple[SettingFit, ...] = ()
    notes: tuple[str, ...] = ()
    one_sided: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    success_known: bool = True
    stated: bool = False

    def of(self, metric: str) -> MetricGap:
        """Return the gap of a metric."""
        return next(gap for gap in self.metrics if gap.metric == metric)

    def sentences(self) -> list[str]:
        """Say in words what was found."""
        from vlnscope.evaluate.gap.words import sentences

        return sentences(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data; shares in percent, lengths in metres."""
        return {
            "a": self.a,
            "b": self.b,
            "dataset": self.dataset,
            "profiles": list(self.profiles),
            "sentences": self.sentences(),
            "metrics": [gap.to_dict() for gap in self.metrics],
            "success_known_in_a_only": list(self.one_sided[0]),
            "success_known_in_b_only": list(self.one_sided[1]),
            "fits": [fit.to_dict() for fit in self.fits],
            "fits_alone": [fit.to_dict() for fit in self.alone],
            "notes": list(self.notes),
        }

    def records(self) -> list[dict[str, Any]]:
        """Return one row per metric and part."""
        return [{"metric": gap.metric} | part.record() for gap in self.metrics for part in gap.parts]

    def display(self) -> Iterator[Block]:
        """Yield what was found in words, the parts as a table, the episodes that flip, and notes."""
        yield Line(f"A {self.a}   B {self.b}\n")
        yield from lines(self.sentences())
        yield Line("")
        columns = ("metric", "part", "A", "B", "points", "95 % interval", "alone")
        yield TextTable(self.dataset, columns, list(self._part_cells()), texts=4)
        if any(gap.flips for gap in self.metrics):
            names = [gap.metric for gap in self.metrics]
            yield Line("")
            yield TextTable(
                "episodes that flip, and the points they carry",
                ("success", "cause", "changed", "episodes", *names, "at move", "such as"),
                self._flip_cells(),
                texts=3,
            )
        yield from notes(self.notes)

    def _part_cells(self) -> Iterator[list[str]]:
        for gap in self.metrics:
            yield [gap.metric, "gap", "", "", number(gap.points, "+.4f"), "", ""]
            for part in gap.parts:
                before, after = part.setting or ("", "")
                alone = "" if part.alone is None else part.alone.words("")
                cells = [f"  {part.name}", str(before), str(after), f"{part.points:+.4f}"]
                yield [gap.metric, *cells, interval(part.low, part.high), alone]

    def _flip_cells(self) -> list[list[str]]:
        rows: dict[tuple[str, str, str], list[str]] = {}
        for at, gap in enumerate(self.metrics):
            for cluster in (cluster for cluster in gap.clusters if cluster.flips):
                often = sorted(Counter(cluster.moves).most_common(MOST_MOVES))
                moves = ", ".join(f"{move}: {count}" for move, count in often)
                key = (cluster.change, cluster.cause, cluster.step)
                points = [""] * len(self.metrics)
                examples = ", ".join(cluster.episodes[:3])
                empty = [*key, str(len(cluster.episodes)), *points, moves, examples]
                rows.setdefault(key, empty)[4 + at] = f"{cluster.points:+.2f}" if gap.parts else "–"
        return list(rows.values())


def walks_part(difference: PairedDifference, scale: float) -> GapPart:
    """Return the part that the walks explain, from the paired difference over the episodes of both."""
    low, high = (None if end is None else end * scale for end in (difference.low, difference.high))
    points = (difference.mean or 0.0) * scale
    part = GapPart("walks", "walks", "the walks", points, low=low, high=high, p_value=difference.p)
    return resting(part, difference)


def resting(part: GapPart, interval: Interval) -> GapPart:
    """Return a part with what its interval was made of; as it is if there is none."""
    if interval.low is None or not interval.units:
        return part
    unit = interval.units[0]
    method = f"{interval.method} over {counted(interval.clusters, unit)}"
    return replace(part, rests_on=method, clusters=interval.clusters, unit=unit)
