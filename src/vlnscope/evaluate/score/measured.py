"""Scores files that state metrics of episodes and no walks: means with intervals, over the same scenes.

Without walks nothing can be measured again, so no profile applies. But whether two agents differ, and how
sure a mean is, needs only one number per episode and the scene that the episode is in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeGuard

import numpy as np

from vlnscope.core import registry
from vlnscope.core.data_root import data_root
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.doctor.other_splits import same_ids
from vlnscope.episodes.format import SUMMARY, Problem, refuse
from vlnscope.episodes.measured import MeasuredEpisode, is_measured, read_measured
from vlnscope.episodes.stated import StatedSummary, metric_called, plain_name, summary_of
from vlnscope.evaluate.score.collect import left_out
from vlnscope.evaluate.score.notes import some
from vlnscope.evaluate.score.result import Rows, Score
from vlnscope.evaluate.score.summaries import with_summaries
from vlnscope.metrics.metric import Metric, get_metric
from vlnscope.metrics.profiles.profile import Profile
from vlnscope.metrics.values import Values
from vlnscope.stats.bootstrap import Bootstrap
from vlnscope.stats.estimate import summarise
from vlnscope.stats.nesting import Nesting
from vlnscope.types import Floats

AS_STATED = "as stated"
NOT_STATED = "the file states no finite number for it"
UNNAMED = "no data set"
_ROUNDING = 1e-6
Places = dict[str, tuple[str, str]]
"""The scene and the path of each episode."""


def score_measured(
    files: Sequence[str | Path],
    dataset: Dataset | None = None,
    *,
    root: str | Path | None = None,
    profile: str = "default",
    metrics: Sequence[str] | None = None,
    partial: bool = False,
    bootstrap: Bootstrap | None = None,
) -> Score:
    """Summarise the metrics that files state episode by episode.

    Args:
        files: one, or several that share no episode.
        dataset: the episodes; needed unless the files say in which scene each episode is.
        root: folder of the data, to look for the split that the ids are of if they do not fit.
        profile: whose conventions to follow; only the default, since there are no walks to measure.
        metrics: names of metrics, if not all that the files state.
        partial: leave out episodes that one side does not have.
        bootstrap: resample scenes for the intervals, instead of the closed form.

    Raises:
        InputError: the files do not fit together or to the data set, or state no such metric.
    """
    refuse_profile(profile, files[0])
    summaries: list[StatedSummary] = []
    episodes = _joined(files, summaries)
    if dataset is None:
        places, notes = _scenes(files[0], episodes)
    else:
        places, notes = _placed(episodes, dataset, partial, root)
    episodes = [one for one in episodes if one.episode_id in places]
    fields = _fields(episodes)
    names = tuple(dict.fromkeys(metrics)) if metrics is not None else tuple(fields)
    _refuse_unstated(files[0], names, fields)
    values = {name: _values(episodes, fields[name], get_metric(name)) for name in names}
    rows = Rows(
        [one.episode_id for one in episodes],
        [places[one.episode_id][0] for one in episodes],
        [places[one.episode_id][1] for one in episodes],
        values,
    )
    ranges = {name: ((metric := get_metric(name)).low, metric.high) for name in names}
    nesting = Nesting.of({"scene": rows.scans, "path": rows.path_ids})
    score = Score(
        Profile(AS_STATED, "numbers that a file states", metrics=names),
        dataset.name if dataset is not None else UNNAMED,
        rows,
        None,
        summarise(values, nesting, ranges=ranges, bootstrap=bootstrap),
        (_about(episodes, fields), *notes),
    )
    return with_summaries(score, summaries)


def stated_names(files: Sequence[str | Path]) -> tuple[str, ...]:
    """Return the metrics that files state."""
    return tuple(_fields(_joined(files, [])))


def is_measured_run(run: object) -> TypeGuard[str | Path]:
    """Tell whether what an agent did is given as a file of metrics of episodes, without walks."""
    return isinstance(run, str | Path) and is_measured(run)


def refuse_profile(profile: str, file: str | Path) -> None:
    """Refuse to follow other conventions than those that numbers without walks were made by."""
    if profile not in ("default", AS_STATED):
        raise InputError(
            f"--profile {profile} does not apply to {file}, which states metrics and no walks",
            expected="numbers as the file states them: a profile measures walks",
            fix="leave --profile out, or give the file with the walks of these episodes",
        )


def _joined(files: Sequence[str | Path], summaries: list[StatedSummary]) -> list[MeasuredEpisode]:
    def keep(problem: Problem) -> None:
        if problem.code == SUMMARY:
            summaries.append(summary_of(problem.where, problem.record))
        refuse(problem)

    seen: dict[str, str | Path] = {}
    episodes = []
    for file in files:
        for episode in read_measured(file, on_problem=keep):
            if episode.episode_id in seen:
                raise InputError(
                    f"episode {episode.episode_id} is in {seen[episode.episode_id]} and in {file}",
                    expected="files that share no episode, to be read as one",
                    fix="leave one of them out; several runs of one agent are compared as NAME=FILE,FILE",
                )
            seen[episode.episode_id] = file
            episodes.append(episode)
    if not episodes:
        raise InputError(
            f"{files[0]}: states no metrics of episodes",
            expected="at least one episode",
            fix="look whether the agent was evaluated at all",
        )
    return episodes


def _scenes(file: str | Path, episodes: Sequence[MeasuredEpisode]) -> tuple[Places, list[str]]:
    """Return where each episode is, as the file itself says; which of them share a path it does not say."""
    if nowhere := [one.episode_id for one in episodes if not one.scan]:
        raise InputError(
            f"{file}: does not say in which scenes its episodes are ({some(nowhere)})",
            expected="the data set, which says so: intervals count scenes, not episodes",
            fix="add --data, for example --data r2r-ce/val_unseen",
        )
    return {one.episode_id: (one.scan, one.scan) for one in episodes}, []


def _placed(
    episodes: Sequence[MeasuredEpisode], dataset: Dataset, partial: bool, root: str | Path | None
) -> tuple[Places, list[str]]:
    """Return the scene and the path of each episode that is scored, and what is left out."""
    known = {episode.episode_id: (episode.scan, episode.path_id) for episode in dataset.episodes()}
    _refuse_other_scenes(episodes, known, dataset.name)
    stated = dict.fromkeys(one.episode_id for one in episodes)
    missing = [name for name in known if name not in stated]
    unknown = [name for name in stated if name not in known]
    hint = same_ids(dataset, stated, data_root(root)) if unknown else ""
    try:
        allowed = {"allow_missing": partial, "allow_unknown": partial}
        notes = left_out(dataset.name, len(known), missing, unknown, noun="record", **allowed)
    except InputError as error:
        error.fix = hint or error.fix
        raise
    notes += [hint] if hint else []
    places = {name: place for name, place in known.items() if name in stated}
    if not places:
        raise InputError(
            f"no episode is one of {dataset.name} (stated: {some(list(stated))})",
            expected=f"ids such as {next(iter(known))}",
            fix=hint or "name the data set and split that the agent was evaluated on",
        )
    return places, notes


def _refuse_other_scenes(episodes: Iterable[MeasuredEpisode], known: Places, dataset: str) -> None:
    others = [
        one.episode_id
        for one in episodes
        if one.scan and one.episode_id in known and known[one.episode_id][0] != one.scan
    ]
    if others:
        raise InputError(
            f"{len(others)} episodes are in other scenes than {dataset} has them in: {some(others)}",
            expected="episodes of that split; splits use the same ids for other episodes",
            fix="name the split that the agent was evaluated on",
        )


def _fields(episodes: Iterable[MeasuredEpisode]) -> dict[str, str]:
    """Return the metrics that are stated, each with the name that the file gives it."""
    fields = dict.fromkeys(field for one in episodes for field in one.values)
    found: dict[str, str] = {}
    own = {plain_name(name): name for name in registry.names("metric")}
    for field in fields:
        metric = metric_called(field) or own.get(plain_name(field))
        if metric is not None and metric not in _OTHER and get_metric(metric).per == "episode":
            found.setdefault(metric, field)
    order = {name: place for place, name in enumerate(Profile("", "").metrics)}
    return dict(sorted(found.items(), key=lambda item: order.get(item[0], len(order))))


_OTHER = ("steps", "collisions")
"""Metrics whose names others use for something else: decisions instead of edges, shares instead of counts."""


def _values(episodes: Sequence[MeasuredEpisode], field: str, metric: Metric) -> Values:
    numbers: Floats = np.array([one.values.get(field, np.nan) for one in episodes], dtype=np.float64)
    known = numbers[np.isfinite(numbers)]
    if metric.unit == "%" and known.size and known.max() > 1.0 + _ROUNDING:
        numbers = numbers / 100.0
        known = numbers[np.isfinite(numbers)]
    high = np.inf if metric.high is None else metric.high
    if known.size and not metric.low - _ROUNDING <= known.min() <= known.max() <= high + _ROUNDING:
        worst = float(known.min() if known.min() < metric.low else known.max())
        raise InputError(
            f"{field} is {worst:g} in an episode",
            expected=f"a {metric.title} from {metric.low:g}" + ("" if np.isinf(high) else f" to {high:g}"),
            fix="look how the file was made; shares are written as fractions of 1 or as percent",
        )
    return Values.of(numbers, {NOT_STATED: ~np.isfinite(numbers)})


def _refuse_unstated(file: str | Path, names: Sequence[str], fields: Mapping[str, str]) -> None:
    if missing := [name for name in names if name not in fields]:
        get_metric(missing[0])
        raise InputError(
            f"{file}: states no {', '.join(missing)}, and has no walks to measure it from",
            expected=f"some of {', '.join(fields)}",
            fix="name these metrics, or give the file with the walks",
        )


def _about(episodes: Sequence[MeasuredEpisode], fields: Mapping[str, str]) -> str:
    unused = dict.fromkeys(field for one in episodes for field in one.values if field not in fields.values())
    rest = f"; not used: {', '.join(unused)}" if unused else ""
    return f"no walks: the means are of what the file states, so no profile applies; intervals are ours{rest}"
