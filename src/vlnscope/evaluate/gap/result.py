"""The result of explaining a gap: parts that add up, episodes that flip, and what it means in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, Literal

from vlnscope.core.tables import Columns, Tabular, columns_of
from vlnscope.evaluate.gap.claims import Claim, Fit
from vlnscope.evaluate.gap.flips import Cluster
from vlnscope.evaluate.result_file import save_result
from vlnscope.evaluate.score.profile_table import SAME, Effect
from vlnscope.evaluate.score.result import show
from vlnscope.metrics.metric import get_metric
from vlnscope.reporting.tables.marks import counted
from vlnscope.stats.interval import Interval
from vlnscope.stats.paired import PairedDifference

Kind = Literal["switch", "data", "walks", "episodes", "rest"]
PROTOCOL: tuple[Kind, ...] = ("switch",)
"""With fewer scenes than these, no exact test of signs can reach p = 0.05 (2 ** (1 - 5) is 0.0625)."""


@dataclass(frozen=True)
class Part:
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
    parts: tuple[Part, ...] = ()
    method: Literal["shapley", "in order"] = "shapley"
    clusters: tuple[Cluster, ...] = ()
    claim: Claim | None = None

    @property
    def points(self) -> float | None:
        """The gap B − A; None if one side has no mean."""
        return None if self.mean_a is None or self.mean_b is None else self.mean_b - self.mean_a

    @property
    def flips(self) -> int:
        """How many episodes flip between success and failure; the same for every metric."""
        return sum(len(c.episodes) for c in self.clusters if c.flips)

    def of(self, *kinds: Kind) -> list[Part]:
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
            "protocol": sum(part.points for part in self.of(*PROTOCOL)),
            "parts": [part.to_dict() for part in self.parts],
            "method": self.method,
            "flips": self.flips,
            "clusters": [cluster.to_dict() for cluster in self.clusters],
            "sentence": sentence_of(self),
        }


@dataclass(frozen=True)
class Gap(Tabular):
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
    fits: tuple[Fit, ...] = ()
    alone: tuple[Fit, ...] = ()
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

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per metric and part."""
        names = ("before", "after", "alone", "ci_low", "ci_high", "p_value")
        rows = []
        for gap in self.metrics:
            for part in gap.parts:
                row = part.to_dict()
                settings = {k: None if k not in row else str(row[k]) for k in names[:2]}
                numbers = {k: row.get(k) for k in names[2:]}
                rows.append(
                    {"metric": gap.metric, "kind": part.kind, "part": part.name, "points": part.points}
                    | settings
                    | numbers
                )
        return rows

    def columns(self) -> Columns:
        """Return one row per metric and part."""
        return columns_of(self.rows())

    def save(self, path: str | Path) -> None:
        """Write one row per metric and part (``.parquet``, ``.jsonl``), or everything (``.json``)."""
        save_result(path, self.to_dict, self.columns, self.rows)

    def _repr_html_(self) -> str:
        said = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.sentences())
        head = "".join(f"<th>{name}</th>" for name in ("metric", "part", "points", "95% interval"))
        body = ""
        for gap in self.metrics:
            for part in gap.parts:
                ends = "" if part.low is None else f"{show(part.low)} … {show(part.high)}"
                cells = [gap.metric, part.name, f"{part.points:+.2f}", ends]
                body += "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
        caption = f"{escape(self.a)} → {escape(self.b)}, {escape(self.dataset)}"
        return f"<ul>{said}</ul><table><caption>{caption}</caption><tr>{head}</tr>{body}</table>"


def walks_part(found: PairedDifference, scale: float) -> Part:
    """Return the part that the walks explain, from the paired difference over the episodes of both."""
    low, high = (None if end is None else end * scale for end in (found.low, found.high))
    points = (found.mean or 0.0) * scale
    part = Part("walks", "walks", "the walks", points, low=low, high=high, p_value=found.p)
    return resting(part, found)


def resting(part: Part, interval: Interval) -> Part:
    """Return a part with what its interval was made of; as it is if there is none."""
    if interval.low is None or not interval.units:
        return part
    unit = interval.units[0]
    made = f"{interval.method} over {counted(interval.clusters, unit)}"
    return replace(part, rests_on=made, clusters=interval.clusters, unit=unit)
