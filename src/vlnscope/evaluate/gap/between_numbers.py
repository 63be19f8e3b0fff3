"""The gap between results of which one, or both, are metrics of episodes without walks.

No rule can be tried on numbers, so the protocol has no part of its own here: all of the gap lies in the
episodes that both have, or in those that only one has. Which episodes flip is known all the same, and from
oracle success whether an agent that failed was near the goal on its way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.evaluate.gap.between_files import walk_parts
from vlnscope.evaluate.gap.claims import ClaimedNumber, share_notes
from vlnscope.evaluate.gap.flips import SUCCESS, Cause, Change, clusters, known, one_sided
from vlnscope.evaluate.gap.result import Gap, GapPart, MetricGap
from vlnscope.evaluate.gap.side import interval_notes, mean_of, rest_part
from vlnscope.evaluate.score.measured import AS_STATED, NOT_STATED
from vlnscope.evaluate.score.result import Rows, Score
from vlnscope.metrics.values import Values

ORACLE = "OSR"
NEAR = Cause("passed near the goal")
FAR = Cause("never came near the goal")
UNKNOWN = Cause("not known without walks")
CHANGED = Cause("other numbers")


@dataclass(frozen=True)
class ScoredSide:
    """One end of a gap that is known by its numbers: what it is called, and its scores."""

    name: str
    score: Score

    @property
    def stated(self) -> bool:
        """Whether the numbers are those of a file, and were not measured here."""
        return self.score.profile.name == AS_STATED

    @property
    def label(self) -> str:
        """What this end is, in words."""
        return f"{self.name} {AS_STATED}" if self.stated else f"{self.name} under {self.score.profile.name}"

    @property
    def rows(self) -> Rows:
        """The values of each episode, success among them though it may be unknown."""
        rows = self.score.episodes
        if SUCCESS in rows.values:
            return rows
        nothing = np.zeros(len(rows.ids))
        unknown = Values.of(nothing, {NOT_STATED: np.ones(len(rows.ids), dtype=np.bool_)})
        return Rows(rows.ids, rows.scans, rows.path_ids, {**rows.values, SUCCESS: unknown})

    def notes(self) -> list[str]:
        """Say what a reader must know of this end."""
        return [f"{self.name}: {note}" for note in self.score.notes]


class StatedCauses:
    """Says of episodes that flip whether the agent that failed was near the goal, if its numbers tell."""

    def __init__(self, before: Rows, after: Rows) -> None:
        self._near = {
            "lost": known(after, ORACLE) if ORACLE in after.values else {},
            "gained": known(before, ORACLE) if ORACLE in before.values else {},
        }

    def __call__(self, ids: Sequence[str], changes: Sequence[Change]) -> list[Cause]:
        """Say why each episode changed."""
        return [self._cause(id_, change) for id_, change in zip(ids, changes, strict=True)]

    def _cause(self, id_: str, change: Change) -> Cause:
        if change not in self._near:
            return CHANGED
        near = self._near[change].get(id_)
        return UNKNOWN if near is None else NEAR if near > 0 else FAR


def scored_gap(side_a: ScoredSide, side_b: ScoredSide, metrics: Sequence[str]) -> Gap:
    """Explain the gap between two sides whose numbers are known episode by episode."""
    a, b = side_a.rows, side_b.rows
    causes = StatedCauses(a, b)
    gaps = []
    for metric in metrics:
        start, end = mean_of(side_a.score, metric), mean_of(side_b.score, metric)
        parts: list[GapPart] = [] if start is None or end is None else walk_parts(a, b, metric)
        flips = clusters([a, a, a, b], metric, causes)
        gaps.append(MetricGap(metric, start, end, tuple(parts), clusters=flips))
    notes = [*side_a.notes(), *side_b.notes(), *interval_notes(gaps)]
    if side_a.stated != side_b.stated:
        stated = side_a if side_a.stated else side_b
        notes.append(f"rules cannot be told apart from walks here: {stated.name} states its numbers only")
    return Gap(
        a=side_a.label,
        b=side_b.label,
        dataset=" → ".join(dict.fromkeys((side_a.score.dataset, side_b.score.dataset))),
        profiles=(side_a.score.profile.name, side_b.score.profile.name),
        metrics=tuple(gaps),
        success_known=bool(known(a, SUCCESS)) and bool(known(b, SUCCESS)),
        one_sided=one_sided(a, b),
        notes=tuple(dict.fromkeys(notes)),
    )


def scored_number_gap(side: ScoredSide, claims: Mapping[str, ClaimedNumber], whose: str) -> Gap:
    """Explain the gap between stated metrics of episodes and means that somebody states.

    Args:
        side: A.
        claims: the means.
        whose: what B is, in words.
    """
    gaps = []
    for metric, claim in claims.items():
        mean = mean_of(side.score, metric)
        parts = () if mean is None else (rest_part(claim, mean, side.score, metric),)
        gaps.append(MetricGap(metric, mean, claim.value, parts, claim=claim))
    return Gap(
        a=side.label,
        b=whose,
        dataset=side.score.dataset,
        profiles=(side.score.profile.name, side.score.profile.name),
        metrics=tuple(gaps),
        notes=(*side.notes(), *share_notes(claims), *interval_notes(gaps)),
        stated=True,
    )


def refuse_rules(options: Mapping[str, object]) -> None:
    """Refuse options that need walks to be measured again."""
    if named := [name for name, value in options.items() if value]:
        raise InputError(
            f"{named[0]} does not apply to metrics without walks",
            expected="numbers as they are stated: only walks can be measured by other rules or on other data",
            fix=f"leave {named[0]} out, or give the file with the walks",
        )
