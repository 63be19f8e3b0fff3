"""The gap between walks and other walks, or between the same walks under other rules or on other data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vlnscope.benchmarks.outcomes.score.outcomes import Ending, outcome_of
from vlnscope.benchmarks.outcomes.score.track import ReferencePath, Track
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.evaluate.compare.rows import nesting_of, taken
from vlnscope.evaluate.gap.flips import (
    SUCCESS,
    Cause,
    Causes,
    Change,
    FlipCluster,
    clusters,
    one_sided,
    shared_rows,
)
from vlnscope.evaluate.gap.result import Gap, GapPart, MetricGap, walks_part
from vlnscope.evaluate.gap.settings import MeansBySetting
from vlnscope.evaluate.gap.side import GapSide, interval_notes, mean_of
from vlnscope.evaluate.gap.switch_shares import switch_parts
from vlnscope.evaluate.score.result import Rows, Score
from vlnscope.metrics.encoding import GraphPairs
from vlnscope.metrics.kernels.ragged import Ragged
from vlnscope.metrics.measures.sr import near
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.pairs import Pairs
from vlnscope.metrics.profiles.profile import Profile
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values
from vlnscope.reporting.tables.marks import counted
from vlnscope.stats.paired import PairedDifference, paired_difference
from vlnscope.types import Episode, Ints
from vlnscope.worlds.scene import Scenes
from vlnscope.worlds.storeys import storeys_of

SAME = Cause("the same walk")
OTHER = Cause("another walk")
LEFT_THE_WAY = ("wrong-turn", "wrong-floor", "wandered")


class WalkCauses:
    """Compares the walks of two files, episode by episode; steps on the spot do not count.

    Of a flip, the cause is how the walk that failed ended, as `benchmarks.outcomes` names it, and if it left
    the described way, the number of the move that did so. In continuous space, and where nothing flips, it
    is only said whether the walks are the same.
    """

    def __init__(self, before: Pairs, after: Pairs, switches: Switches, scenes: Scenes | None) -> None:
        self._before, self._after = before, after
        self._switches = switches
        self._storeys = cache(lambda scan: storeys_of(scenes.scene(scan))) if scenes is not None else None

    def __call__(self, ids: Sequence[str], changes: Sequence[Change]) -> list[Cause]:
        """Say why each episode changed."""
        if not ids:
            return []
        walks = zip(_walks(self._before, ids), _walks(self._after, ids), strict=True)
        causes = [SAME if before == after else OTHER for before, after in walks]
        for side, change in ((self._after, "lost"), (self._before, "gained")):
            places = [i for i, cause in enumerate(causes) if cause is OTHER and changes[i] == change]
            if isinstance(side, GraphPairs) and self._storeys is not None and places:
                for i, cause in zip(places, self._failures(side, [ids[i] for i in places]), strict=True):
                    causes[i] = cause
        return causes

    def _failures(self, pairs: GraphPairs, ids: Sequence[str]) -> list[Cause]:
        rows = _rows(pairs, ids)
        batch = pairs.batch(rows)
        scans = list(pairs.scans)
        causes = []
        for row, walk, way, stopped in zip(
            rows, _split(batch.without_repeats.pred), _split(batch.ref), batch.stopped, strict=True
        ):
            number = int(pairs.scan[row])
            track = Track(
                ReferencePath(pairs.graphs[number], tuple(way)),
                tuple(walk),
                tuple(range(len(walk))),
                stopped=None if stopped < 0 else bool(stopped),
            )
            causes.append(self._failure(track, scans[number]))
        return causes

    def _failure(self, track: Track, scan: str) -> Cause:
        assert self._storeys is not None
        ending = Ending(success=False, close=False, near=near(track.way.to_goal, self._switches))
        outcome = outcome_of(track, ending, self._storeys(scan))
        left = track.left_at if outcome in LEFT_THE_WAY else None
        return Cause(outcome.replace("-", " "), None if left is None else left + 1)


def _rows(pairs: Pairs, ids: Sequence[str]) -> Ints:
    return np.asarray([pairs.rows[id_] for id_ in ids], dtype=np.int64)


def _walks(pairs: Pairs, ids: Sequence[str]) -> list[list[int]]:
    return _split(pairs.batch(_rows(pairs, ids)).without_repeats.pred)


def _split(rows: Ragged) -> list[list[int]]:
    places = rows.flat.tolist()
    return [places[start:end] for start, end in pairwise(rows.offsets)]


def data_differences(first: Dataset, second: Dataset) -> list[str]:
    """Say what differs between two data sets, episode by episode: ids, references, headings, texts."""
    ours = {episode.episode_id: episode for episode in first.episodes()}
    theirs = {episode.episode_id: episode for episode in second.episodes()}
    shared = [(ours[id_], episode) for id_, episode in theirs.items() if id_ in ours]
    counts = {
        ("episode", f"only in {first.name}"): len(ours) - len(shared),
        ("episode", f"only in {second.name}"): len(theirs) - len(shared),
        ("reference", ""): sum(_reference(x) != _reference(y) for x, y in shared),
        ("start heading", ""): sum(x.heading != y.heading for x, y in shared),
        ("instruction", ""): sum(x.instruction != y.instruction for x, y in shared),
        ("scene", ""): sum(x.scan != y.scan for x, y in shared),
    }
    differences = [
        f"{counted(count, what)} {where or ('that differs' if count == 1 else 'that differ')}"
        for (what, where), count in counts.items()
        if count
    ]
    if not differences:
        return ["data: the episodes are the same, so what differs lies in the scenes, such as positions"]
    return [f"data: {', '.join(differences)} ({counted(len(shared), 'episode')} in both)"]


def _reference(episode: Episode) -> object:
    space = episode.continuous
    return (
        episode.path if space is None else (episode.path, space.start_position, space.goals, space.locations)
    )


def file_gap(side_a: GapSide, side_b: GapSide, moved: GapSide | None, metrics: Sequence[str]) -> Gap:
    """Explain the gap between two sides.

    Args:
        side_a: A.
        side_b: B.
        moved: A's walks on B's data, if these are others.
        metrics: which gaps.
        how: the interval of the walks is made.
    """
    stations = _Stations.between(side_a, side_b, moved, metrics)
    means = MeansBySetting(side_a.pairs)
    gaps = [_metric_gap(stations, means, metric, side_a.profile, side_b.profile) for metric in metrics]
    notes = [*side_a.notes, *side_b.notes, *interval_notes(gaps)]
    if moved is not None:
        notes += data_differences(side_a.dataset, side_b.dataset)
    return Gap(
        a=f"{side_a.name} under {side_a.profile.name}",
        b=f"{side_b.name} under {side_b.profile.name}",
        dataset=" → ".join(dict.fromkeys((side_a.dataset.name, side_b.dataset.name))),
        profiles=(side_a.profile.name, side_b.profile.name),
        metrics=tuple(gaps),
        success_known=None not in (mean_of(stations.start, SUCCESS), mean_of(stations.end, SUCCESS)),
        one_sided=one_sided(stations.start.episodes, stations.end.episodes),
        notes=tuple(dict.fromkeys(notes)),
    )


class _Stations(NamedTuple):
    """The way from A to B: A, A's walks by B's rules, these on B's data, and B; and how walks differ."""

    start: Score
    ruled: Score
    carried: Score
    end: Score
    causes: Causes

    @classmethod
    def between(
        cls, side_a: GapSide, side_b: GapSide, moved: GapSide | None, metrics: Sequence[str]
    ) -> _Stations:
        start = side_a.scored(side_a.profile, metrics)
        ruled = side_a.scored(side_b.profile, metrics) if side_b.profile != side_a.profile else start
        carried = moved.scored(side_b.profile, metrics) if moved is not None else ruled
        walked = moved or side_a
        end = carried if side_b.pairs is walked.pairs else side_b.scored(side_b.profile, metrics)
        scenes = side_b.dataset.scenes
        return cls(
            start,
            ruled,
            carried,
            end,
            WalkCauses(walked.pairs, side_b.pairs, side_b.profile.switches, scenes),
        )

    def clusters(self, metric: str) -> tuple[FlipCluster, ...]:
        """Return what became of the episodes that A and B share, and why."""
        return clusters([score.episodes for score in self[:4]], metric, self.causes)


def _metric_gap(
    stations: _Stations, means: MeansBySetting, metric: str, base: Profile, other: Profile
) -> MetricGap:
    start, ruled, carried, end = (mean_of(score, metric) for score in stations[:4])
    shared = switch_parts(means, metric, base, other)
    if shared is None or ruled is None or carried is None or end is None:
        return MetricGap(metric, start, end, clusters=stations.clusters(metric))
    parts, shares_found = shared
    if stations.carried is not stations.ruled:
        parts.append(GapPart("data", "data", "the data", carried - ruled))
    parts += walk_parts(stations.carried.episodes, stations.end.episodes, metric)
    return MetricGap(metric, start, end, tuple(parts), shares_found.method, stations.clusters(metric))


def walk_parts(before: Rows, after: Rows, metric: str) -> list[GapPart]:
    """Split the step from walks to other walks: what changes in shared episodes, and what others bring."""
    if before is after:
        return []
    scale = get_metric(metric).scale
    shared = shared_rows(before, after, metric)
    a, b = taken(before, shared.before.tolist()), taken(after, shared.after.tolist())
    parts = []
    if len(shared.delta):
        difference = _paired(b, a, metric)
        parts.append(walks_part(difference, scale))
    for rows, part, sign, whose in ((before, a, -1.0, "A"), (after, b, 1.0, "B")):
        extra = _others(rows, part, metric)
        if extra:
            points = sign * (_average(rows.values[metric]) - _average(part.values[metric])) * scale
            words = f"{counted(len(extra), 'episode')} that only {whose} counts"
            parts.append(GapPart("episodes", f"only in {whose}", words, points, episodes=extra))
    return parts


def _others(rows: Rows, part: Rows, metric: str) -> tuple[str, ...]:
    shared, defined = set(part.ids), rows.values[metric].defined
    return tuple(id_ for id_, known in zip(rows.ids, defined, strict=True) if known and id_ not in shared)


def _average(values: Values) -> float:
    chosen = values.values[values.defined]
    return float(chosen.mean()) if len(chosen) else 0.0


def _paired(b: Rows, a: Rows, metric: str) -> PairedDifference:
    known = get_metric(metric)
    return paired_difference(
        b.values[metric],
        a.values[metric],
        nesting_of(b),
        within=(known.low, known.high),
        higher_is_better=known.better != "lower",
    )
