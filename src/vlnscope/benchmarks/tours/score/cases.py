"""Scores tours: a row per episode, and a row per tour for what is measured over all its episodes together.

Rows of tours are called by the id of the tour, such as ``kept/3``, and grouped by ``level`` (``tour``),
``variant``, ``tour`` and ``pair`` (both the id that the two halves share). Their values are t-nDTW, t-SR,
t-SPL, and ``weight``, how much a tour counts in means: its episodes, or their transitions where the profile
says so (DIFF-10). Which points may be aligned at the ends of episodes (DIFF-8) is up to the profile too;
distances are those along the graph (DIFF-9 concerns continuous space).

Rows of episodes have ``seen-next`` and ``seen-tour`` besides the metrics of the profile: how much of what
their path shows, and of what the whole tour shows, an oracle that walks the references has seen before
(Figure 2b of IVLN), viewpoints within 10 m along the graph being what is seen. They say how much there was to
remember, not what the agent did.

A case that failed counts as `score_trajectories` says; in its tour, as if the agent had not moved. A tour
that was not walked to its end has no scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec
import numpy as np

from vlnscope.benchmarks.kit.case_set import CaseSet, CaseTour
from vlnscope.benchmarks.kit.trajectory_scores import pair_trajectories, score_trajectories, values_at
from vlnscope.benchmarks.tours.coverage.curves import led_walk, seen_before
from vlnscope.benchmarks.tours.coverage.visibility import viewpoints_in_reach
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.metrics.evaluate import evaluate
from vlnscope.metrics.measures.tour_ndtw import tour_weights
from vlnscope.metrics.pairs import Pairs
from vlnscope.metrics.profiles.profile import Profile, get_profile
from vlnscope.metrics.values import Values
from vlnscope.types import Case, ScoreRow
from vlnscope.worlds.scene import Scenes

EPISODE_METRICS = ("SR", "SPL", "nDTW", "CLS")
"""What is scored of episodes even where a profile does not report it."""
WEIGHT = "weight"
TOUR_METRICS = ("t-nDTW", "t-SR", "t-SPL")


def tours_of(case_set: CaseSet) -> tuple[CaseTour, ...]:
    """Return the tours of a case set.

    Raises:
        InputError: there are none; or one is empty, or names a case that the set does not have, or that
            another place has.
    """
    if not case_set.tours:
        raise InputError(
            f"the cases of {case_set.data} are in no tours",
            expected="cases that are walked one after the other",
            fix="build them with `vlnscope build tours --cases`",
        )
    left = {case.case_id for case in case_set.cases}
    for tour in case_set.tours:
        for name in tour.case_ids:
            if name not in left:
                raise InputError(
                    f"tour {tour.tour_id} names case {name}, which is not in the set or has a place already",
                    expected="cases of the set, each at one place of one tour",
                    fix="build the cases again",
                )
            left.discard(name)
        if not tour.case_ids:
            raise InputError(
                f"tour {tour.tour_id} has no cases", expected="one or more", fix="build the cases again"
            )
    return case_set.tours


def check_lines(tours: Sequence[CaseTour], evidence: Mapping[str, EvidenceLine]) -> None:
    """Refuse evidence of cases that were not walked at their place of their tour.

    Cases that failed before anybody could say where they stand are let through.

    Raises:
        InputError: a case was walked alone, in another tour, or at another place.
    """
    for tour in tours:
        for position, name in enumerate(tour.case_ids):
            line = evidence.get(name)
            if line is None or (line.phases is None and line.failed is not None):
                continue
            led = line.phases
            where = "alone" if led is None else f"at place {led.place} of tour {led.tour_id}"
            if led is None or (led.tour_id, led.place) != (tour.tour_id, position):
                raise InputError(
                    f"case {name} was walked {where}",
                    expected=f"place {position} of tour {tour.tour_id}",
                    fix="run the agent on the cases of the same folder (`vlnscope run --cases DIR`)",
                )


def score_cases(
    case_set: CaseSet, evidence: Mapping[str, EvidenceLine], scenes: Scenes, *, profile: str = "default"
) -> list[ScoreRow]:
    """Score what an agent did in tours; see the module.

    Args:
        case_set: the cases and their tours.
        evidence: evidence by case id; cases without a line are left out.
        scenes: where the cases take place.
        profile: whose conventions to follow.

    Raises:
        InputError: the set has no tours or they do not fit its cases, or a case was not walked where its
            tour has it.
    """
    tours = tours_of(case_set)
    check_lines(tours, evidence)
    cases = {case.case_id: case for case in case_set.cases}
    walked = [name for tour in tours for name in tour.case_ids if name in evidence]
    if not walked:
        return []
    done = [cases[name] for name in walked]
    seen = _seen(tours, cases, scenes)
    rows = score_trajectories(done, evidence, scenes, profile=profile, needed=EPISODE_METRICS)
    rows = [msgspec.structs.replace(row, values=row.values | seen[row.episode_id]) for row in rows]
    return [*rows, *_tour_rows(pair_trajectories(done, evidence, scenes), tours, cases, get_profile(profile))]


def _tour_rows(
    pairs: Pairs, tours: Sequence[CaseTour], cases: Mapping[str, Case], profile: Profile
) -> list[ScoreRow]:
    whole = [tour for tour in tours if all(name in pairs.rows for name in tour.case_ids)]
    values, weights = _measured(pairs, whole, profile)
    row_by_tour = {tour.tour_id: row for row, tour in enumerate(whole)}
    rows = []
    for tour in tours:
        groups = cases[tour.case_ids[0]].groups
        row = row_by_tour.get(tour.tour_id)
        missing = sum(name not in pairs.rows for name in tour.case_ids)
        reason = f"{missing} of the {len(tour.case_ids)} episodes of the tour were not walked"
        numbers, reasons = (
            ({}, dict.fromkeys(TOUR_METRICS, reason)) if row is None else values_at(values, row)
        )
        rows.append(
            ScoreRow(
                episode_id=tour.tour_id,
                scan=tour.scan,
                path_id=groups["tour"],
                values={} if row is None else numbers | {WEIGHT: weights[row]},
                undefined=reasons,
                groups={"level": "tour", "variant": groups["variant"], "tour": groups["tour"]}
                | {"pair": groups["tour"]},
            )
        )
    return rows


def _measured(
    pairs: Pairs, tours: Sequence[CaseTour], profile: Profile
) -> tuple[dict[str, Values], list[float]]:
    if not tours:
        return {}, []
    rows = np.array([pairs.rows[name] for tour in tours for name in tour.case_ids], dtype=np.int64)
    numbers = np.repeat(np.arange(len(tours)), [len(tour.case_ids) for tour in tours])
    batch = replace(pairs.batch(rows), tour=numbers)
    return evaluate(batch, profile, TOUR_METRICS), tour_weights(batch, profile.switches).tolist()


def _seen(
    tours: Sequence[CaseTour], cases: Mapping[str, Case], scenes: Scenes
) -> dict[str, dict[str, float]]:
    """Return by case what an oracle that walks the references has seen before it."""
    look = viewpoints_in_reach(scenes)
    seen: dict[str, dict[str, float]] = {}
    for tour in tours:
        paths = [cases[name].episode.path for name in tour.case_ids]
        shares = seen_before(led_walk(tour.scan, look(tour.scan).graph, paths), look)
        for name, share in zip(tour.case_ids, shares, strict=True):
            seen[name] = {"seen-next": share.upcoming, "seen-tour": share.complete}
    return seen
