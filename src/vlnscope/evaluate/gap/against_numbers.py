"""The gap between walks and numbers that somebody states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.evaluate.gap.claims import ClaimedNumber, SettingFit, closest, share_notes
from vlnscope.evaluate.gap.published import PublishedResult
from vlnscope.evaluate.gap.result import Gap, GapPart, MetricGap, resting
from vlnscope.evaluate.gap.settings import MeansBySetting, applying
from vlnscope.evaluate.gap.side import GapSide, interval_notes, mean_of
from vlnscope.evaluate.gap.switch_shares import switch_parts
from vlnscope.evaluate.score.result import Score
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.profiles.profile import Profile


def number_gap(
    side_a: GapSide, claims: Mapping[str, ClaimedNumber], row: PublishedResult | None, other: Profile | None
) -> Gap:
    """Explain the gap between walks and stated numbers: switches first, then what is left.

    Args:
        side_a: A.
        claims: the numbers.
        row: where they are published, if they are.
        other: whose conventions they follow; if that is not known, a setting that gives them all, or else
            those of A.
        how: the interval of what is left is made.
    """
    means, known = MeansBySetting(side_a.pairs), applying(side_a.pairs)
    notes = [*side_a.notes, *(share_notes(claims) if row is None else _row_notes(row, side_a.dataset))]
    search = closest(means, claims, side_a.profile, known)
    followed = other or _followed(side_a.profile, search.fits[0])
    ruled = side_a.scored(followed, tuple(claims))
    gaps = [
        _metric_gap(means, metric, claim, side_a.profile, followed, ruled) for metric, claim in claims.items()
    ]
    alone = [
        closest(means, {metric: claim}, side_a.profile, known).fits[0] for metric, claim in claims.items()
    ]
    return Gap(
        a=f"{side_a.name} under {side_a.profile.name}",
        b=f"{row.agent} ({row.source})" if row is not None else "the claimed numbers",
        dataset=side_a.dataset.name,
        profiles=(side_a.profile.name, followed.name),
        metrics=tuple(gaps),
        fits=search.fits,
        alone=tuple(alone) if len(alone) > 1 else (),
        notes=(*notes, search.note(), *interval_notes(gaps)),
        stated=row is None,
    )


def _followed(base: Profile, best: SettingFit) -> Profile:
    if not best.matches or not best.changes:
        return base
    return replace(base, name=f"{base.name}, changed", switches=best.switches)


def _metric_gap(
    means: MeansBySetting, metric: str, claim: ClaimedNumber, base: Profile, other: Profile, ruled: Score
) -> MetricGap:
    start, end = means.of(metric, base.switches).points, mean_of(ruled, metric)
    shared = switch_parts(means, metric, base, other)
    if shared is None or end is None:
        return MetricGap(metric, start, claim.value, claim=claim)
    parts, shares = shared
    parts.append(_rest(claim, end, ruled, metric))
    return MetricGap(metric, start, claim.value, tuple(parts), shares.method, claim=claim)


def _rest(claim: ClaimedNumber, reached: float, score: Score, metric: str) -> GapPart:
    left = claim.value - reached
    if claim.fits(reached):
        return GapPart("rest", "rounding", "rounding", left)
    interval, scale = score.intervals[metric], get_metric(metric).scale
    low, high = (None if end is None else claim.value - end * scale for end in (interval.high, interval.low))
    return resting(GapPart("rest", "rest", "the rest", left, low=low, high=high), interval)


def _row_notes(row: PublishedResult, dataset: Dataset) -> list[str]:
    """Say where a row comes from, and refuse walks of other data.

    Files have no name to go by; then the reader is told.
    """
    if dataset.split and dataset.name != row.data:
        raise InputError(
            f"the row {row.key} was measured on {row.data}, the walks are of {dataset.name}",
            expected=f"walks of {row.data}",
            fix=f"name a row of {dataset.name}, or add --data {row.data}",
        )
    notes = [f"{row.agent}: {row.source}; profile {row.profile}"]
    if row.note:
        notes.append(f"{row.agent}: {row.note}")
    if not dataset.split:
        notes.append(f"the row was measured on {row.data}; make sure that {dataset.name} holds its episodes")
    return notes
