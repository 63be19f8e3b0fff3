"""Scores predictions under all profiles and says which switch makes each number differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vlnscope.episodes.datasets import Dataset, open_dataset
from vlnscope.metrics.encoding import GraphPairs
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.profiles import Profile, get_profile, profiles
from vlnscope.stats.bootstrap import REPLICATES
from vlnscope.studies.score_result import Score
from vlnscope.studies.scoring import Measurement, collect, plan, score_pairs
from vlnscope.types import Prediction, Tour

BASE = "default"
ROW_SWITCHES = ("jumps", "start", "instructions")
SAME = 1e-12


@dataclass(frozen=True)
class Difference:
    """Why a metric's mean under a profile is not that of the `default` profile.

    Attributes:
        profile: the other profile.
        metric: the metric.
        points: by how much its mean is larger, in the unit shown in tables.
        causes: for each switch that the profile sets differently, its setting there and the points that
            this switch alone makes; switches that change nothing are left out.
    """

    profile: str
    metric: str
    points: float
    causes: dict[str, tuple[object, float]]

    def sentence(self) -> str:
        """Return the explanation in words."""
        unit = {"%": " points", "m": " m", "": ""}[get_metric(self.metric).unit]
        causes = " and ".join(
            f"{switch} = {setting} ({points:+.4g}{unit})" for switch, (setting, points) in self.causes.items()
        )
        return f"{self.metric} under {self.profile}: {self.points:+.4g}{unit}, from {causes}"


@dataclass(frozen=True)
class ProfileTable:
    """Scores of the same predictions under all profiles that apply, the default one first."""

    scores: dict[str, Score]
    differences: tuple[Difference, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        first = next(iter(self.scores.values()))
        return {
            "dataset": first.dataset,
            "n": first.n,
            "profiles": {name: score.to_dict() for name, score in self.scores.items()},
            "differences": [
                {
                    "profile": d.profile,
                    "metric": d.metric,
                    "points": d.points,
                    "switches": {
                        name: {"setting": setting, "points": points}
                        for name, (setting, points) in d.causes.items()
                    },
                }
                for d in self.differences
            ],
        }


def score_all(
    predictions: str | Path | Iterable[Prediction],
    data: str | Path | Dataset,
    *,
    metrics: Sequence[str] | None = None,
    root: str | Path | None = None,
    tours: Sequence[Tour] | None = None,
    partial: bool = False,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> ProfileTable:
    """Score predictions under every profile that applies to the data set (arguments as in `score`).

    Differences from the default profile are explained by computing each metric again with one switch at
    a time set as the other profile has it.
    """
    dataset = data if isinstance(data, Dataset) else open_dataset(str(data), root)
    pairs, notes = collect(predictions, dataset, allow_missing=partial, allow_unknown=partial)
    space = "graph" if isinstance(pairs, GraphPairs) else "continuous"
    wanted = [plan(p, metrics) for p in profiles().values() if p.space in ("both", space)]
    scores = {
        s.profile.name: s
        for s in score_pairs(
            pairs, dataset.name, wanted, tours=tours, notes=notes, replicates=replicates, seed=seed
        )
    }
    trials = [trial for score in scores.values() for trial in _trials(scores[BASE], score)]
    tried = score_pairs(pairs, dataset.name, trials, tours=tours, replicates=1) if trials else []
    means = {(s.profile.name, name): i.mean for s in tried for name, i in s.intervals.items()}
    differences = [
        _explain(scores[BASE], score, name, means)
        for score in scores.values()
        for name in _differing(scores[BASE], score)
    ]
    return ProfileTable(scores, tuple(differences))


def _differing(base: Score, other: Score) -> list[str]:
    found = []
    for name, interval in other.intervals.items():
        reference = base.intervals.get(name)
        if reference is None or reference.mean is None or interval.mean is None:
            continue
        if abs(interval.mean - reference.mean) > SAME:
            found.append(name)
    return found


def _relevant(metric: str, base: Profile, other: Profile) -> dict[str, object]:
    names = (*get_metric(metric).switches, *ROW_SWITCHES)
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
    base: Score, other: Score, metric: str, means: dict[tuple[str, str], float | None]
) -> Difference:
    scale = get_metric(metric).scale
    start, end = base.intervals[metric].mean, other.intervals[metric].mean
    assert start is not None
    assert end is not None
    causes: dict[str, tuple[object, float]] = {}
    for switch, setting in _relevant(metric, base.profile, other.profile).items():
        mean = means[(f"{other.profile.name}:{switch}", metric)]
        if mean is not None and abs(mean - start) > SAME:
            causes[switch] = (setting, (mean - start) * scale)
    return Difference(other.profile.name, metric, (end - start) * scale, causes)
