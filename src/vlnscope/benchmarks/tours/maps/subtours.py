"""Two successive episodes of tours: how well a walk keeps to both references, and what matches what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.trajectory_scores import pair_trajectories
from vlnscope.benchmarks.tours.score.cases import check_lines, tours_of
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.metrics.evaluate import evaluate
from vlnscope.metrics.kernels.alignment import alignment
from vlnscope.metrics.pairs import Pairs
from vlnscope.metrics.profiles.profile import Profile, get_profile
from vlnscope.types import Case
from vlnscope.worlds.maps.floor_map import levels
from vlnscope.worlds.scene import Scenes

Match = tuple[str, str]
"""A viewpoint that was walked, and the one of the reference that it is aligned with."""


class SubTour(NamedTuple):
    """Two successive episodes of a tour, as an agent walked them.

    Attributes:
        key: the tour, and the place of the first episode in it: the same for all agents and both variants.
        scan: where.
        variant: whether memory was kept or reset.
        references: what was described.
        walked: where the agent went.
        led: where the oracle led it between the episodes, from where it stopped to the next start.
        level: the floor of the references.
        score: t-nDTW of both together.
        each: nDTW of either.
        matches: by episode, which viewpoints DTW aligns.
    """

    key: tuple[str, int]
    scan: str
    variant: str
    references: tuple[tuple[str, ...], ...]
    walked: tuple[tuple[str, ...], ...]
    led: tuple[str, ...]
    level: int
    score: float
    each: tuple[float, float]
    matches: tuple[tuple[Match, ...], ...]


def subtours(
    case_set: CaseSet, evidence: Mapping[str, EvidenceLine], scenes: Scenes, *, profile: str = "default"
) -> list[SubTour]:
    """Return all pairs of successive episodes that were walked, references and walks on one floor.

    t-nDTW and the matches obey the episode boundaries as the profile has them, as if the tour had just these
    two episodes. Pairs for which there is no alignment are left out.

    Args:
        case_set: the cases and their tours.
        evidence: evidence by case.
        scenes: where the cases take place.
        profile: whose conventions to follow.

    Raises:
        InputError: there are no tours, or a case was not walked where its tour has it.
    """
    tours = tours_of(case_set)
    check_lines(tours, evidence)
    cases = {case.case_id: case for case in case_set.cases}
    done = [case for case in case_set.cases if _walked(evidence.get(case.case_id))]
    if not done:
        return []
    pairs, floors = pair_trajectories(done, evidence, scenes), _Floors(scenes)
    found = []
    for tour in tours:
        for place, names in enumerate(zip(tour.case_ids, tour.case_ids[1:], strict=False)):
            if all(name in pairs.rows for name in names):
                both, lines = [cases[name] for name in names], [evidence[name] for name in names]
                level = floors.of(tour.scan, [*(one.episode.path for one in both), *(o.path for o in lines)])
                if level is not None:
                    found.append(_Walked(both, lines, place, level))
    return list(_scored(found, pairs, get_profile(profile)))


class _Walked(NamedTuple):
    cases: list[Case]
    lines: list[EvidenceLine]
    place: int
    level: int


class _Floors:
    """Says on which floor paths are; None if on several."""

    def __init__(self, scenes: Scenes) -> None:
        self._scenes = scenes
        self._known: dict[str, dict[str, int]] = {}

    def of(self, scan: str, paths: Sequence[Sequence[str]]) -> int | None:
        if scan not in self._known:
            self._known[scan] = levels(self._scenes.scene(scan))
        used = {self._known[scan].get(node) for path in paths for node in path}
        return used.pop() if len(used) == 1 else None


def _walked(line: EvidenceLine | None) -> bool:
    return line is not None and line.failed is None and bool(line.path)


def _scored(found: Sequence[_Walked], pairs: Pairs, profile: Profile) -> Iterator[SubTour]:
    if not found:
        return
    names = [case.case_id for one in found for case in one.cases]
    rows = np.array([pairs.rows[name] for name in names], dtype=np.int64)
    batch = replace(pairs.batch(rows), tour=np.repeat(np.arange(len(found)), 2))
    values = evaluate(batch, profile, ("t-nDTW", "nDTW"))
    tour, each = values["t-nDTW"], values["nDTW"]
    pinned = profile.switches.tour_constraint == "boundary"
    for k, one in enumerate(found):
        if tour.reason(k) is None:
            matrices = (
                batch.costs[batch.cost_offsets[at] : batch.cost_offsets[at + 1]] for at in (2 * k, 2 * k + 1)
            )
            yield _subtour(
                one,
                float(tour.values[k]),
                (float(each.values[2 * k]), float(each.values[2 * k + 1])),
                [matrix.reshape(-1, batch.ref.sizes[2 * k + e]) for e, matrix in enumerate(matrices)],
                pinned,
            )


def _subtour(
    one: _Walked, score: float, each: tuple[float, float], costs: Sequence[np.ndarray], pinned: bool
) -> SubTour:
    references = tuple(case.episode.path for case in one.cases)
    walked = tuple(line.path for line in one.lines)
    aligned = [
        alignment(matrix, pin_first=pinned and episode == 1, pin_last=pinned and episode == 0)
        for episode, matrix in enumerate(costs)
    ]
    matches = tuple(
        tuple((walk[i], path[j]) for i, j in its)
        for walk, path, its in zip(walked, references, aligned, strict=True)
    )
    groups = one.cases[0].groups
    return SubTour(
        (groups["tour"], one.place),
        one.cases[0].episode.scan,
        groups["variant"],
        references,
        walked,
        _led(one.lines),
        one.level,
        score,
        each,
        matches,
    )


def _led(lines: Sequence[EvidenceLine]) -> tuple[str, ...]:
    """Return where the oracle led from the end of one walk to the start of the next."""
    first, second = lines
    on = first.phases.oracle_goal if first.phases else ()
    to = second.phases.oracle_start if second.phases else ()
    return (first.path[-1], *on, *to, second.path[0])
