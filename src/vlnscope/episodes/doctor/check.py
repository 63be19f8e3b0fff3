"""`check`: reads a submission once and reports everything that is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal, cast

from vlnscope.core.data_root import data_root
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.doctor.measured_file import check_measured, summary_finding
from vlnscope.episodes.doctor.on_graph import GraphChecks
from vlnscope.episodes.doctor.problems import (
    CheckReport,
    SubmissionFinding,
    by_severity,
    error,
    finding,
    warning,
)
from vlnscope.episodes.doctor.submission import Submission
from vlnscope.episodes.doctor.targets import (
    START_TOLERANCE,
    EpisodeTarget,
    Targets,
    label,
    same_place,
    targets_of,
)
from vlnscope.episodes.format import SUMMARY, OnProblem, Problem
from vlnscope.episodes.joined import JoinedFiles, Sourced, files_of, instruction_in_name
from vlnscope.episodes.measured import is_measured
from vlnscope.episodes.reading import read_predictions, sniff
from vlnscope.types import Point, Prediction

FORMATS = ("r2r", "reverie", "r2r-by-id")
"""Formats whose trajectories can be written in several ways."""
Encoding = Literal["bare", "pieces", "triples", "mixed", "torn"]

_SHOWN: dict[Encoding, str] = {
    "bare": "bare viewpoints",
    "pieces": "arrays of viewpoints",
    "triples": "[viewpoint, heading, elevation]",
    "mixed": "arrays of both kinds",
    "torn": "bare viewpoints among arrays",
}
_FIX = "write all trajectories alike, best as [viewpoint, heading, elevation]"
LONGEST_STEP = 0.5
MOST_ACTIONS = 500
MOST_PROBLEMS = 100_000
"""Records that cannot be used after which the others are not looked at."""
Checks = Callable[[Prediction, EpisodeTarget], Iterator[SubmissionFinding]]
_FIXES = {
    "bad-id": "write the episode's id as a string",
    "bad-viewpoint": "write the viewpoint's id",
    "cut-off": "let the agent write the file again: it ends in the middle of a record",
    "duplicate-id": "keep one prediction per episode",
    "duplicate-key": "write each key once per record",
    "empty-path": "write at least the place where the episode starts",
    "missing-key": "write all keys of the format (`vlnscope ls formats`)",
    "not-a-string": "write viewpoint ids as strings, not as row numbers",
    "not-finite": "find where the agent computes NaN or infinity; write finite numbers",
}


class Encodings:
    """How the trajectories of a submission are written.

    The official evaluators take the first part of each element of a trajectory for its viewpoint, and the
    first part of a bare viewpoint is a letter: a file that mixes them breaks there, though it is read here.
    """

    def __init__(self) -> None:
        self._ids: dict[Encoding, list[str]] = {}

    def add(self, prediction: Prediction) -> None:
        """Take in a prediction."""
        self._ids.setdefault(encoding_of(prediction), []).append(prediction.episode_id)

    def conclude(self) -> Iterator[SubmissionFinding]:
        """Yield the records that are written otherwise than most are."""
        if not self._ids:
            return
        usual = max(self._ids, key=lambda encoding: (len(self._ids[encoding]), encoding != "bare"))
        for encoding, names in self._ids.items():
            breaks = encoding == "torn" or "bare" in (encoding, usual)
            if encoding == usual and encoding != "torn":
                continue
            for name in names:
                what = f"the trajectory is written as {_SHOWN[encoding]}"
                if encoding != usual:
                    what += f", most others as {_SHOWN[usual]}"
                yield (error if breaks else warning)("mixed-encodings", name, what, _FIX)


def encoding_of(prediction: Prediction) -> Encoding:
    """Return how the trajectory of a prediction was written in the file that it comes from.

    Example:
        >>> encoding_of(Prediction(episode_id="1_0", path=("a", "b")))
        'bare'
    """
    source = prediction.extra.get("trajectory")
    if isinstance(source, list):
        return "torn" if any(isinstance(element, str) for element in source) else "mixed"
    if prediction.headings is not None:
        return "triples"
    return "bare" if prediction.segments is None else "pieces"


def space_checks(prediction: Prediction, target: EpisodeTarget) -> Iterator[SubmissionFinding]:
    """Yield what is wrong with a prediction of an episode in continuous space."""
    name, points = prediction.episode_id, prediction.positions
    if not points:
        yield finding("wrong-space-in-space", name)
        return
    if not same_place(points[0], target.start):
        yield _wrong_start(name, points, target)
    if prediction.stopped is False:
        yield finding("no-stop", name)
    if any(isinstance(step, dict) and step.get("stop") for step in prediction.extra.get("steps", ())):
        yield finding("moves-after-stop", name)
    longest = max((math.dist(a, b) for a, b in pairwise(points)), default=0.0)
    if longest > LONGEST_STEP:
        yield finding("long-step", name, longest=longest)
    if len(points) > MOST_ACTIONS + 1:
        yield finding("too-long", name, points=len(points), most=MOST_ACTIONS)


def _wrong_start(name: str, points: tuple[Point, ...], target: EpisodeTarget) -> SubmissionFinding:
    start = cast(Point, target.start)
    if target.goal is not None and all(same_place(point, target.goal) for point in points):
        return finding("goal-only", name)
    x, y, _ = points[0]
    if math.dist((x, -y), (start[0], start[2])) <= START_TOLERANCE:
        return finding("wrong-frame", name)
    return finding("wrong-start-in-space", name, away=math.dist(points[0], start))


def check(
    predictions: str | Path | Sequence[str | Path] | Iterable[Prediction],
    data: str | Path | Dataset,
    root: str | Path | None = None,
) -> CheckReport:
    """Look for everything that would make an evaluator refuse a submission, or mislead its reader.

    Records that cannot be used are reported and passed over; a file that is cut off is checked as far as
    it can be read.

    Args:
        predictions: a prediction file in any format vlnscope knows, several that count as one, or
            predictions; or files that state metrics of episodes without walks.
        data: a data set such as ``r2r/val_unseen``, an episode file, or an opened data set.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.

    Raises:
        InputError: nothing can be read of the file, or the data set cannot be used.

    Example:
        >>> walk = Prediction(episode_id="100_0", path=("a131", "a112"))
        >>> report = check([walk], "sample/demo")
        >>> [f.what for f in report.findings if f.episode_id == "100_0"]
        ['step 1 goes from a131 to a112, which share no edge']
    """
    dataset = data if isinstance(data, Dataset) else open_dataset(data, root)
    targets = targets_of(dataset)
    files = files_of(predictions)
    if files and is_measured(files[0]):
        return check_measured(files, dataset, targets, data_root(root))
    checks = _checks(dataset, targets)
    findings: list[SubmissionFinding] = []
    submission = Submission(dataset, targets)
    joined = JoinedFiles(files or ())
    sourced = _read(files, findings, submission) if files else _given(predictions, findings, submission)
    for prediction in joined.resolve(sourced, targets):
        findings += submission.add(prediction)
        target = targets.get(prediction.episode_id)
        if target is not None:
            findings += checks(prediction, target)
    findings += submission.conclude(root)
    findings += _path_ids(joined)
    name = ", ".join(map(str, files)) if files else "predictions"
    return CheckReport(name, label(dataset), len(targets), len(submission.seen), by_severity(findings))


def _checks(dataset: Dataset, targets: Targets) -> Checks:
    checks: Checks = space_checks
    if isinstance(next(iter(targets.values())).start, str):
        if dataset.scenes is None:
            raise InputError(
                f"data set {label(dataset)} has paths but no navigation graphs",
                expected="scenes to follow the paths in",
                fix="let the data set's provider give `load_scenes`",
            )
        checks = GraphChecks(dataset.scenes, list(dict.fromkeys(t.scan for t in targets.values())))
    return _with_object(checks) if dataset.format == "reverie-episodes" else checks


def _with_object(checks: Checks) -> Checks:
    def both(prediction: Prediction, target: EpisodeTarget) -> Iterator[SubmissionFinding]:
        yield from checks(prediction, target)
        if prediction.object_id is None:
            yield finding("no-object", prediction.episode_id)

    return both


def _given(
    predictions: object, findings: list[SubmissionFinding], submission: Submission
) -> Iterator[Sourced]:
    """Yield the predictions that walk; those that do not go to `findings`."""
    for prediction in cast(Iterable[Prediction], predictions):
        if prediction.path or prediction.positions:
            yield Path(), prediction
        else:
            submission.broken.add(prediction.episode_id)
            findings.append(finding("empty-path", prediction.episode_id))


def _read(
    paths: Sequence[Path], findings: list[SubmissionFinding], submission: Submission
) -> Iterator[Sourced]:
    """Yield what can be read; what cannot goes to `findings`."""
    encodings = Encodings()
    for path in paths:
        read = 0
        try:
            fmt = sniff(path, "predictions")
            findings += [finding("own-success", None, judged=fmt.own_success)] if fmt.own_success else []
            for prediction in read_predictions(path, fmt, _collector(path, findings, submission)):
                read += 1
                if fmt.name in FORMATS:
                    encodings.add(prediction)
                yield path, prediction
        except InputError as damage:
            if not read and not findings:
                raise
            what = damage.what.removeprefix(f"{path}: ")
            findings.append(finding("incomplete-file", None, read=read, damage=what, remedy=damage.fix))
    findings += encodings.conclude()


def _path_ids(joined: JoinedFiles) -> Iterator[SubmissionFinding]:
    """Yield which files are filed under paths, and which instruction of each they hold by their names."""
    for path, count in joined.by_path.items():
        number = instruction_in_name(path)
        yield finding("path-ids", None, count=count, file=path.name, number=number)


def _collector(path: Path, findings: list[SubmissionFinding], submission: Submission) -> OnProblem:
    def collect(problem: Problem) -> None:
        if problem.code == SUMMARY:
            findings.append(summary_finding(problem))
            return
        if len(findings) >= MOST_PROBLEMS:
            raise InputError(
                f"{path}: has {MOST_PROBLEMS} records that cannot be used, and more",
                expected="predictions",
                fix="look whether it is the right file",
            )
        if problem.episode_id is not None:
            submission.broken.add(problem.episode_id)
        where = problem.where.removeprefix(f"{path}: ")
        fix = _FIXES.get(problem.code, f"write {problem.expected}")
        what = f"{where}: {problem.what}; expected: {problem.expected}"
        findings.append(error(problem.code, problem.episode_id, what, fix))

    return collect
