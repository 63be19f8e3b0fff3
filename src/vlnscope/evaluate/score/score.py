"""Scores a prediction file: reads it beside its data set, measures, and says how sure the means are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.joined import files_of
from vlnscope.episodes.measured import is_measured
from vlnscope.evaluate.data_profile import profile_for
from vlnscope.evaluate.run_data import opened_for
from vlnscope.evaluate.score.collect import Predictions, collect
from vlnscope.evaluate.score.measured import score_measured
from vlnscope.evaluate.score.notes import InvalidPredictions, object_notes, row_notes, space_notes
from vlnscope.evaluate.score.own_success import with_own_success
from vlnscope.evaluate.score.result import Rows, Score
from vlnscope.evaluate.score.summaries import with_summaries
from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.evaluate import evaluate
from vlnscope.metrics.measures.tour_ndtw import tour_weights
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.pairs import Pairs
from vlnscope.metrics.profiles.profile import Profile, get_profile
from vlnscope.metrics.values import Values
from vlnscope.stats.bootstrap import Bootstrap
from vlnscope.stats.estimate import summarise
from vlnscope.stats.interval import Interval, Range
from vlnscope.stats.nesting import Nesting
from vlnscope.types import Flags, Ints, Tour


@dataclass(frozen=True)
class Measurement:
    """What is to be computed: these metrics under this profile."""

    profile: Profile
    metrics: tuple[str, ...]


def score(
    predictions: Predictions,
    data: str | Path | Dataset | None = None,
    *,
    profile: str | Profile = "default",
    metrics: Sequence[str] | None = None,
    root: str | Path | None = None,
    positions: str = "connectivity",
    tours: Sequence[Tour] | None = None,
    partial: bool = False,
    bootstrap: Bootstrap | None = None,
) -> Score:
    """Score predictions under one profile.

    Args:
        predictions: a prediction file in any format vlnscope knows, several in a list, which are read as
            one, the folder of a run, or predictions; or files that state metrics of episodes without walks,
            of which the means and intervals are given (`score_measured`).
        data: a data set such as ``r2r/val_unseen``, an episode file, or an opened data set; a run knows its
            own, and a file of metrics that names scenes needs none.
        profile: whose conventions to follow; ``default`` are those of the data set, where it has its own.
        metrics: names of metrics, if not those of the profile.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        positions: where viewpoints lie, ``connectivity`` or ``house`` (see `open_dataset`).
        tours: the tours in which the episodes were walked, for metrics of tours.
        partial: score what there is: leave out episodes without a prediction (some profiles do so in any
            case), and predictions for episodes that the data set does not have. Notes say how many.
        bootstrap: resample scenes for the intervals, instead of the closed form.

    Raises:
        InputError: the files cannot be used, do not fit together, or (unless `partial`) are incomplete.
    """
    named = get_profile(profile) if isinstance(profile, str) else profile  # a wrong name is met first
    files = files_of(predictions)
    if files and is_measured(files[0]):
        known = None if data is None else opened_for(predictions, data, root, positions=positions)
        options: dict[str, Any] = {"profile": named.name, "metrics": metrics}
        return score_measured(files, known, root=root, partial=partial, bootstrap=bootstrap, **options)
    dataset = opened_for(predictions, data, root, positions=positions)
    wanted = plan(profile_for(profile, dataset), metrics)
    gaps = partial or wanted.profile.switches.missing == "left out"
    found = collect(
        predictions,
        dataset,
        allow_missing=gaps,
        allow_unknown=partial,
        instructions=wanted.profile.switches.instructions,
        root=root,
    )
    (scored,) = score_pairs(
        found.pairs, dataset.name, [wanted], tours=tours, notes=found.notes, bootstrap=bootstrap
    )
    return with_own_success(with_summaries(scored, found.summaries), dataset)


def plan(profile: Profile, metrics: Sequence[str] | None = None) -> Measurement:
    """Say what to compute, checking the names of metrics before anything else is done."""
    names = tuple(profile.metrics if metrics is None else dict.fromkeys(metrics))
    for name in names:
        get_metric(name)
    return Measurement(profile, names)


def score_pairs(
    pairs: Pairs,
    dataset: str,
    wanted: Sequence[Measurement],
    *,
    tours: Sequence[Tour] | None = None,
    notes: Sequence[str] = (),
    bootstrap: Bootstrap | None = None,
) -> list[Score]:
    """Score what was collected, under several profiles in one pass over the episodes."""
    for measurement in wanted:
        _refuse_tour_metrics(measurement, tours)
    rows = np.flatnonzero(pairs.predicted)
    episodes, invalid = measure(pairs, rows, wanted)
    toured = tour_batch(pairs, tours) if tours is not None else None
    scores = []
    for measurement, values in zip(wanted, episodes, strict=True):
        kept = scored_rows(pairs, rows, measurement.profile)
        table = _rows(pairs, rows[kept], {name: v.take(np.flatnonzero(kept)) for name, v in values.items()})
        all_intervals = _intervals(pairs, rows[kept], table.values, bootstrap)
        tour_table = None
        if toured is not None and tours is not None:
            tour_table, tour_intervals = _score_tours(toured, tours, measurement, bootstrap)
            all_intervals.update(tour_intervals)
        own = [
            *notes,
            *row_notes(kept, invalid, measurement.profile),
            *object_notes(pairs, measurement.profile),
            *space_notes(pairs, measurement.profile),
        ]
        intervals = {name: all_intervals[name] for name in measurement.metrics if name in all_intervals}
        scores.append(Score(measurement.profile, dataset, table, tour_table, intervals, tuple(own)))
    return scores


def measure(
    pairs: Pairs, rows: Ints, wanted: Sequence[Measurement]
) -> tuple[list[dict[str, Values]], InvalidPredictions]:
    """Compute metrics of episodes, some thousands of rows at a time."""
    parts: list[list[dict[str, Values]]] = [[] for _ in wanted]
    jumps: list[Flags] = []
    starts: list[Flags] = []
    for block in pairs.blocks(rows):
        batch = pairs.batch(block)
        jumps.append(batch.jumps > 0)
        starts.append(batch.wrong_start)
        for measurement, part in zip(wanted, parts, strict=True):
            part.append(evaluate(batch, measurement.profile, measurement.metrics))
    values = [{name: Values.join([p[name] for p in part]) for name in part[0]} for part in parts]
    return values, InvalidPredictions(np.concatenate(jumps), np.concatenate(starts))


def tour_batch(pairs: Pairs, tours: Sequence[Tour]) -> PathBatch:
    """Return the episodes of all tours in the order in which they were walked.

    Raises:
        InputError: a tour names an episode that the data set does not have, that has no prediction, or
            names one twice.
    """
    rows: list[int] = []
    for tour in tours:
        if len(set(tour.episode_ids)) != len(tour.episode_ids) or not tour.episode_ids:
            raise InputError(
                f"tour {tour.tour_id} has no episodes or names one twice",
                expected="one episode or more, each once",
                fix="correct the tour file, or download it again",
            )
        for episode_id in tour.episode_ids:
            row = pairs.rows.get(episode_id)
            if row is None or not pairs.predicted[row]:
                raise InputError(
                    f"tour {tour.tour_id}: episode {episode_id} "
                    + ("is not in the data set" if row is None else "has no prediction"),
                    expected="tours over predicted episodes of the data set",
                    fix="name the split of the tours that belongs to the data set (--split)"
                    if row is None
                    else "let the agent walk the whole tour; `vlnscope check` lists what is missing",
                )
            rows.append(row)
    sizes = [len(tour.episode_ids) for tour in tours]
    batch = pairs.batch(np.asarray(rows, dtype=np.int64))
    return replace(batch, tour=np.repeat(np.arange(len(tours)), sizes))


def ranges_of(metrics: Iterable[str]) -> dict[str, Range]:
    """Return between which values metrics lie."""
    return {name: ((metric := get_metric(name)).low, metric.high) for name in metrics}


def _score_tours(
    batch: PathBatch, tours: Sequence[Tour], wanted: Measurement, bootstrap: Bootstrap | None
) -> tuple[Rows, dict[str, Interval]]:
    names = [name for name in wanted.metrics if get_metric(name).per == "tour"]
    values = evaluate(batch, wanted.profile, names)
    nesting = Nesting.of({"scene": [t.scan for t in tours], "tour": [t.tour_id for t in tours]})
    weights = tour_weights(batch, wanted.profile.switches)
    intervals = summarise(values, nesting, ranges=ranges_of(values), weights=weights, bootstrap=bootstrap)
    table = Rows([tour.tour_id for tour in tours], [tour.scan for tour in tours], [""] * len(tours), values)
    return table, intervals


def _intervals(
    pairs: Pairs, rows: Ints, values: Mapping[str, Values], bootstrap: Bootstrap | None
) -> dict[str, Interval]:
    nesting = Nesting.of({"scene": pairs.scan[rows], "path": pairs.path[rows]})
    return summarise(values, nesting, ranges=ranges_of(values), bootstrap=bootstrap)


def scored_rows(pairs: Pairs, rows: Ints, profile: Profile) -> Flags:
    """Return which of some rows a profile scores: some leave out the later instructions of a path."""
    limit = profile.switches.instructions
    return pairs.instruction[rows] < limit if limit else np.ones(len(rows), dtype=np.bool_)


def _rows(pairs: Pairs, rows: Ints, values: dict[str, Values]) -> Rows:
    scans = list(pairs.scans)
    return Rows(
        [pairs.ids[row] for row in rows],
        [scans[scan] for scan in pairs.scan[rows]],
        [pairs.path_ids[path] for path in pairs.path[rows]],
        values,
    )


def _refuse_tour_metrics(wanted: Measurement, tours: Sequence[Tour] | None) -> None:
    if tours is None and all(get_metric(name).per == "tour" for name in wanted.metrics):
        raise InputError(
            f"{', '.join(wanted.metrics)} is measured over tours, and no tours are given",
            expected="a file that says in which tours the episodes were walked",
            fix="add --tours FILE, or name metrics of episodes",
        )
