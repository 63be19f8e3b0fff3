"""Scores predictions under all profiles and says which switch makes each number differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from vlnscope.core.results import Block, Line, Result, TextTable, lines, notes, number
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.evaluate.run_data import opened_for
from vlnscope.evaluate.score.collect import Predictions, collect
from vlnscope.evaluate.score.own_success import with_own_success
from vlnscope.evaluate.score.result import Score
from vlnscope.evaluate.score.score import Measurement, plan, score_pairs
from vlnscope.evaluate.score.summaries import with_summaries
from vlnscope.metrics.encoding import GraphPairs
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.profiles.profile import Profile, get_profile, profiles_for
from vlnscope.stats.bootstrap import Bootstrap
from vlnscope.stats.interval import Interval
from vlnscope.types import Tour

BASE = "default"
ROW_SWITCHES = ("jumps", "start", "instructions")
SAME = 1e-10


class Effect(NamedTuple):
    """What a switch, or a whole profile, does to a metric.

    Attributes:
        points: by how much the mean grows, in the unit shown in tables; None if there is no mean.
        undefined: for how many more episodes the metric has no value.
    """

    points: float | None
    undefined: int

    def words(self, unit: str) -> str:
        """Write the effect."""
        parts = [] if self.points is None else [f"{self.points:+.4g}{unit}"]
        if self.undefined:
            parts.append(f"{self.undefined:+d} undefined")
        return ", ".join(parts) or "no mean"


@dataclass(frozen=True)
class ProfileDifference:
    """Why a metric under a profile is not what it is under the `default` profile.

    Attributes:
        profile: the other profile.
        metric: the metric.
        effect: what differs.
        causes: for each switch that the profile sets differently, its setting there and what this switch
            alone does; switches that change nothing are left out. Effects of several switches need not add
            up, since they act on each other's outcome.
    """

    profile: str
    metric: str
    effect: Effect
    causes: dict[str, tuple[object, Effect]]

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain data."""
        switches = {
            name: {"setting": setting, **effect._asdict()} for name, (setting, effect) in self.causes.items()
        }
        names = {"profile": self.profile, "metric": self.metric}
        return names | self.effect._asdict() | {"switches": switches}

    def sentence(self) -> str:
        """Return the explanation in words."""
        unit = {"%": " points", "m": " m", "": ""}[get_metric(self.metric).unit]
        causes = " and ".join(
            f"{switch} = {setting} ({effect.words(unit)})"
            for switch, (setting, effect) in self.causes.items()
        )
        alone = ", each alone" if len(self.causes) > 1 else ""
        return f"{self.metric} under {self.profile}: {self.effect.words(unit)}, from {causes}{alone}"


@dataclass(frozen=True)
class ProfileTable(Result):
    """Scores of the same predictions under all profiles that apply, the default one first."""

    scores: dict[str, Score]
    differences: tuple[ProfileDifference, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        first = next(iter(self.scores.values()))
        return {
            "dataset": first.dataset,
            "n": first.n,
            "profiles": {name: score.to_dict() for name, score in self.scores.items()},
            "differences": [difference.to_dict() for difference in self.differences],
        }

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield one row per profile and metric."""
        for profile, score in self.scores.items():
            for metric, summary in score.to_dict()["metrics"].items():
                yield {"profile": profile, "metric": metric, **summary}

    def display(self) -> Iterator[Block]:
        """Yield the means side by side, why they differ, and what a reader must know."""
        means = {name: score.to_dict()["metrics"] for name, score in self.scores.items()}
        metrics = dict.fromkeys(metric for summaries in means.values() for metric in summaries)
        rows = [[m, *(_cell(of[m]) if m in of else "" for of in means.values())] for m in metrics]
        first = next(iter(self.scores.values()))
        yield TextTable(f"{first.dataset}   n = {first.n}", ("metric", *means), rows)
        if self.differences:
            title = "\nwhat differs from `default`, and the switch that makes it differ"
            yield Line(title, style="bold")
        yield from lines(f"  {difference.sentence()}" for difference in self.differences)
        by_note: dict[str, list[str]] = {}
        for name, score in self.scores.items():
            for note in (*score.notes, *score.undefined_notes()):
                by_note.setdefault(note, []).append(name)
        for note, names in by_note.items():
            whose = "" if len(names) == len(self.scores) else f"{', '.join(names)}: "
            yield from notes([whose + note])


def _cell(summary: dict[str, Any]) -> str:
    missing = f" ({summary['undefined']} undefined)" if summary["undefined"] else ""
    return number(summary["mean"]) + missing


def score_all(
    predictions: Predictions,
    data: str | Path | Dataset | None = None,
    *,
    metrics: Sequence[str] | None = None,
    root: str | Path | None = None,
    positions: str = "connectivity",
    tours: Sequence[Tour] | None = None,
    partial: bool = False,
    bootstrap: Bootstrap | None = None,
) -> ProfileTable:
    """Score predictions under every profile that applies to the data set (arguments as in `score`).

    Differences from the default profile are explained by computing each metric again with one switch at
    a time set as the other profile has it.
    """
    dataset = opened_for(predictions, data, root, positions=positions)
    found = collect(predictions, dataset, allow_missing=partial, allow_unknown=partial, root=root)
    pairs = found.pairs
    space: Literal["graph", "continuous"] = "graph" if isinstance(pairs, GraphPairs) else "continuous"
    fitting = profiles_for(space, objects=pairs.seeks_objects)
    wanted = [plan(profile, metrics) for profile in fitting.values()]
    scores = {
        s.profile.name: with_own_success(with_summaries(s, found.summaries), dataset)
        for s in score_pairs(pairs, dataset.name, wanted, tours=tours, notes=found.notes, bootstrap=bootstrap)
    }
    trials = [trial for score in scores.values() for trial in _trials(scores[BASE], score)]
    tried = score_pairs(pairs, dataset.name, trials, tours=tours) if trials else []
    tried_intervals = {(s.profile.name, name): i for s in tried for name, i in s.intervals.items()}
    differences = [
        _explain(scores[BASE], score, name, tried_intervals)
        for score in scores.values()
        for name in _differing(scores[BASE], score)
    ]
    return ProfileTable(scores, tuple(differences))


def _differing(base: Score, other: Score) -> list[str]:
    return [
        name
        for name, interval in other.intervals.items()
        if name in base.intervals and _effect(name, base.intervals[name], interval) is not None
    ]


def _effect(metric: str, base: Interval, other: Interval) -> Effect | None:
    """Return what differs between two summaries of a metric; None if nothing does.

    A profile that leaves episodes out has fewer values; only those it keeps can be undefined.
    """
    undefined = other.undefined - base.undefined
    if base.mean is None or other.mean is None:
        same = base.mean is None and other.mean is None
        return None if same else Effect(None, undefined)
    points = (other.mean - base.mean) * get_metric(metric).scale
    return Effect(points, undefined) if abs(points) > SAME or undefined else None


def switches_of(metric: str) -> tuple[str, ...]:
    """Return the switches that can change the mean of a metric: its own, and those that refuse rows."""
    return (*get_metric(metric).switches, *ROW_SWITCHES)


def _relevant(metric: str, base: Profile, other: Profile) -> dict[str, object]:
    names = switches_of(metric)
    changed = base.switches.differences(other.switches)
    return {name: there for name, (_, there) in changed.items() if name in names}


def _trials(base: Score, other: Score) -> list[Measurement]:
    """One measurement per switch that may explain something, with only that switch changed."""
    affected: dict[str, list[str]] = {}
    for metric in _differing(base, other):
        for switch in _relevant(metric, base.profile, other.profile):
            affected.setdefault(switch, []).append(metric)
    default = get_profile(BASE)
    return [
        Measurement(
            replace(
                default,
                name=f"{other.profile.name}:{switch}",
                switches=replace(default.switches, **{switch: getattr(other.profile.switches, switch)}),
            ),
            tuple(metrics),
        )
        for switch, metrics in affected.items()
    ]


def _explain(
    base: Score, other: Score, metric: str, tried: dict[tuple[str, str], Interval]
) -> ProfileDifference:
    effect = _effect(metric, base.intervals[metric], other.intervals[metric])
    assert effect is not None
    causes: dict[str, tuple[object, Effect]] = {}
    for switch, setting in _relevant(metric, base.profile, other.profile).items():
        alone = _effect(metric, base.intervals[metric], tried[(f"{other.profile.name}:{switch}", metric)])
        if alone is not None:
            causes[switch] = (setting, alone)
    return ProfileDifference(other.profile.name, metric, effect, causes)
