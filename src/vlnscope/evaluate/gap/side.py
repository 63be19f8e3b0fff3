"""The two ends of a gap, and what both are scored by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.evaluate.gap.claims import ClaimedNumber
from vlnscope.evaluate.gap.flips import SUCCESS
from vlnscope.evaluate.gap.result import GapPart, MetricGap, resting
from vlnscope.evaluate.score.result import Score
from vlnscope.evaluate.score.score import plan, score_pairs
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.pairs import Pairs
from vlnscope.metrics.profiles.profile import Profile


@dataclass(frozen=True)
class GapSide:
    """One end of a gap: walks of a data set, and whose conventions they are scored by."""

    name: str
    pairs: Pairs
    dataset: Dataset
    profile: Profile
    notes: tuple[str, ...] = ()

    def scored(self, profile: Profile, metrics: Sequence[str]) -> Score:
        """Score the walks under a profile, and say whether each succeeds."""
        names = tuple(dict.fromkeys((*metrics, SUCCESS)))
        (score,) = score_pairs(self.pairs, self.dataset.name, [plan(profile, names)])
        return score


def mean_of(score: Score, metric: str) -> float | None:
    """Return the mean of a metric, in the unit shown in tables."""
    mean = score.intervals[metric].mean
    return None if mean is None else mean * get_metric(metric).scale


def rest_part(claim: ClaimedNumber, reached: float, score: Score, metric: str) -> GapPart:
    """Return what is left between a mean and a number that somebody states."""
    left = claim.value - reached
    if claim.fits(reached):
        return GapPart("rest", "rounding", "rounding", left)
    interval, scale = score.intervals[metric], get_metric(metric).scale
    low, high = (None if end is None else claim.value - end * scale for end in (interval.high, interval.low))
    return resting(GapPart("rest", "rest", "the rest", left, low=low, high=high), interval)


def interval_notes(gaps: Sequence[MetricGap]) -> list[str]:
    """Say what intervals were made of."""
    methods = dict.fromkeys(part.rests_on for gap in gaps for part in gap.parts if part.rests_on)
    return [f"intervals: {how}" for how in methods]
