"""Puts predictions beside the episodes of a data set, and says what does not fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np

from vlnscope.core.data_root import data_root
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset, spec_of_dataset
from vlnscope.episodes.doctor.other_splits import best_split, starts_in
from vlnscope.episodes.format import SUMMARY, OnProblem, Problem, refuse
from vlnscope.episodes.joined import JoinedFiles, Sourced, files_of
from vlnscope.episodes.reading import sniff
from vlnscope.episodes.stated import StatedSummary, summary_of
from vlnscope.evaluate.run_data import knowledge_of
from vlnscope.evaluate.score.notes import some
from vlnscope.metrics.encoding import pair_episodes
from vlnscope.metrics.pairs import Pairs
from vlnscope.metrics.profiles.profile import profiles
from vlnscope.types import Prediction

Predictions = str | Path | Sequence[str | Path] | Iterable[Prediction]
_TEST = re.compile(r"(?:^|[_.\- ])test(?=[_.\- ]|$)", re.IGNORECASE)
_NAME_DATA = "name the data set and split that the predictions were made on"
MANY_UNKNOWN = 0.1
"""Share of predictions without an episode from which on it is asked which split they belong to."""


class Collected(NamedTuple):
    """What is scored, what a reader must know of it, and what the authors of the files found in it."""

    pairs: Pairs
    notes: list[str]
    summaries: list[StatedSummary]


def collect(
    predictions: Predictions,
    dataset: Dataset,
    *,
    allow_missing: bool = False,
    allow_unknown: bool = False,
    instructions: int = 0,
    root: str | Path | None = None,
) -> Collected:
    """Put predictions beside the episodes of a data set, and say what is left out.

    Args:
        predictions: a prediction file, several that share no episode, or predictions.
        dataset: the episodes.
        allow_missing: leave out episodes without a prediction.
        allow_unknown: leave out predictions for episodes that the data set does not have.
        instructions: how many instructions of each path will be scored (0: all); others may be missing.
        root: folder of the data, to look for the split that predictions belong to if they do not fit.

    Raises:
        InputError: there is nothing to score, or something would be left out that may not be.
    """
    summaries: list[StatedSummary] = []
    files = files_of(predictions)
    joined = JoinedFiles(files or ())
    sourced = joined.read(_keeping(summaries)) if files else _given(predictions)
    continuous, sourced = _in_space(sourced) if dataset.continuous else (False, sourced)
    pairs = pair_episodes(dataset.episodes(), dataset.scenes, is_test=dataset.is_test, continuous=continuous)
    failures: list[str] = []
    stream = joined.resolve(sourced, pairs.rows)
    unknown = pairs.add_predictions(_noting_failures(stream, failures))
    fit = _Fit(dataset, pairs, unknown, files or (), data_root(root))
    if 2 * len(joined.nameless) > len(unknown):
        joined.refuse_nameless()
    fit.refuse_strangers()
    scored = pairs.instruction < instructions if instructions else np.ones(len(pairs), dtype=np.bool_)
    missing = [pairs.ids[row] for row in np.flatnonzero(~pairs.predicted & scored)]
    try:
        notes = left_out(
            dataset.name,
            len(pairs),
            missing,
            unknown,
            allow_missing=allow_missing,
            allow_unknown=allow_unknown,
        )
    except InputError as error:
        error.fix = fit.advice(missing) or error.fix
        raise
    if failures:
        notes.append(f"{len(failures)} cases failed, scored as if the agent had not moved: {some(failures)}")
    notes = [*knowledge_of(predictions), *joined.notes(), *notes, *fit.notes()]
    return Collected(pairs, notes, summaries)


class _Fit:
    """Whether predictions belong to a data set, and to which other split of it they do if not."""

    def __init__(
        self,
        dataset: Dataset,
        pairs: Pairs,
        unknown: Sequence[str],
        files: tuple[Path, ...],
        root: Path | None,
    ) -> None:
        self._dataset, self._pairs, self._unknown, self._root = dataset, pairs, unknown, root
        self._files = files

    def refuse_strangers(self) -> None:
        """Refuse predictions of which none is for an episode of the data set."""
        if self._pairs.predicted.any():
            return
        shown = some(self._unknown) or "nothing"
        raise InputError(
            f"no prediction is for an episode of {self._dataset.name} (predicted: {shown})",
            expected=f"ids such as {self._pairs.ids[0]}",
            fix=self._elsewhere() or self._other_task() or self._of_test() or _NAME_DATA,
        )

    def advice(self, missing: Sequence[str]) -> str:
        """Say what to do about episodes without predictions, or the other way round; empty if unknown."""
        return self._elsewhere() if self._unknown else self._server(missing)

    def notes(self) -> list[str]:
        """Say where predictions belong that are left out, if they are many, and what a file's name says."""
        elsewhere = self._elsewhere() if self._is_strange() else ""
        return [*([f"many predictions do not fit: {elsewhere}"] if elsewhere else []), *self._misnamed()]

    def _is_strange(self) -> bool:
        total = len(self._unknown) + int(self._pairs.predicted.sum())
        return len(self._unknown) >= max(1, MANY_UNKNOWN * total)

    def _elsewhere(self) -> str:
        if not self._files:
            return ""
        best = best_split(self._dataset, starts_in(self._files), self._root)
        if best is None:
            return ""
        partly = "" if best.fitting == best.predictions == best.episodes else " --partial"
        return f"{best.sentence()}; use --data {best.name}{partly}"

    def _of_test(self) -> str:
        if not any(_TEST.search(path.name) for path in self._files):
            return ""
        name = self._dataset.name.partition("/")[0] if self._dataset.split else "NAME"
        return (
            "by its name the file is for a test split: put that split's episodes into the data folder and "
            f"add --data {name}/test, which tells where episodes start, but not what was to be reached"
        )

    def _other_task(self) -> str:
        judged = {fmt.own_success for path in self._files if (fmt := sniff(path, "predictions")).own_success}
        if not judged:
            return ""
        return f"{_NAME_DATA}; {judged.pop()}, which is not measured here"

    def _server(self, missing: Sequence[str]) -> str:
        """Say which profile does without the episodes that are missing: later instructions of paths."""
        pairs = self._pairs
        first = min((int(pairs.instruction[pairs.rows[name]]) for name in missing), default=0)
        rules = {
            name: profile.switches.instructions
            for name, profile in profiles().items()
            if 0 < profile.switches.instructions <= first
        }
        if not rules:
            return ""
        name, most = next(iter(rules.items()))
        kept = int((pairs.instruction < most).sum())
        return (
            f"--profile {name} scores the first {most} instructions of each path, {kept} of the {len(pairs)}"
            " here, which is what the file has; --partial scores what there is"
        )

    def _misnamed(self) -> Iterator[str]:
        spec = spec_of_dataset(self._dataset.name)
        if spec is None or not self._files:
            return
        splits = sorted(spec.splits(self._root), key=len, reverse=True)
        for path in self._files:
            named = next((split for split in splits if split in path.name), self._dataset.split)
            if named != self._dataset.split:
                yield f"{path.name}: its name says {named}; scored as {self._dataset.name}, whose ids it has"


def left_out(
    dataset: str,
    episodes: int,
    missing: Sequence[str],
    unknown: Sequence[str],
    *,
    allow_missing: bool,
    allow_unknown: bool,
    noun: str = "prediction",
) -> list[str]:
    """Say what is left out where predictions and episodes do not match one to one.

    Args:
        dataset: its name.
        episodes: how many it has.
        missing: ids of episodes without a prediction.
        unknown: ids of predictions for other episodes.
        allow_missing: whether episodes may be left out.
        allow_unknown: whether predictions may be left out.
        noun: what there is one of for each episode.

    Raises:
        InputError: something would be left out that may not be.
    """
    notes = []
    for ids, allowed, what in (
        (missing, allow_missing, f"of the {episodes} episodes of {dataset} have no {noun}"),
        (unknown, allow_unknown, f"{noun}s are for episodes that {dataset} does not have"),
    ):
        if ids and not allowed:
            raise InputError(
                f"{len(ids)} {what}: {some(ids)}",
                expected=f"exactly one {noun} for each episode",
                fix="`vlnscope check` lists them all; --partial scores what there is",
            )
        if ids:
            notes.append(f"{len(ids)} {what}; left out")
    return notes


def _keeping(summaries: list[StatedSummary]) -> OnProblem:
    def keep(problem: Problem) -> None:
        if problem.code == SUMMARY:
            summaries.append(summary_of(problem.where, problem.record))
        refuse(problem)

    return keep


def _given(predictions: Predictions) -> Iterator[Sourced]:
    return ((Path(), one) for one in cast(Iterable[Prediction], predictions))


def _in_space(predictions: Iterator[Sourced]) -> tuple[bool, Iterator[Sourced]]:
    """Tell whether predictions are positions, by the first of an agent that did not fail; return them all."""
    seen: list[Sourced] = []
    for sourced in predictions:
        seen.append(sourced)
        if "failed" not in sourced[1].extra:
            break
    return any(prediction.positions for _, prediction in seen), chain(seen, predictions)


def _noting_failures(predictions: Iterable[Prediction], failures: list[str]) -> Iterator[Prediction]:
    for prediction in predictions:
        if "failed" in prediction.extra:
            failures.append(prediction.episode_id)
        yield prediction
