"""NavNuances: what its evaluators read, a pair of files for each category (PROTOCOLS E.1).

``R2R_DC.json`` has the annotations and ``submit_DC.json`` the walks, and so on for VM, NU, LR and RR. An
evaluator takes both, and the connectivity of the scenes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path

import msgspec

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.nuances.build.files import annotated_cases
from vlnscope.benchmarks.nuances.evaluators.evaluator import CATEGORIES, Category
from vlnscope.benchmarks.nuances.protocol import rules
from vlnscope.benchmarks.nuances.score import category
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.formats import navnuances, r2r_submission
from vlnscope.episodes.formats.evidence import line_of
from vlnscope.episodes.reading import read_episodes, read_predictions
from vlnscope.evaluate.exchange.finished_run import FinishedRun
from vlnscope.evaluate.exchange.run_format import (
    RunAnswers,
    RunFile,
    RunFiles,
    RunFormat,
    register_run_format,
)
from vlnscope.evaluate.exchange.submission import OURS, walk
from vlnscope.types import Case, Prediction
from vlnscope.worlds.scene import Scenes

ANNOTATIONS, WALKS = "R2R_{}.json", "submit_{}.json"


def _files(run: FinishedRun, drop: Sequence[str]) -> RunFiles:
    assert run.case_set is not None  # the layout holds runs of a benchmark
    files: list[RunFile] = []
    missing = 0
    for kind in CATEGORIES:
        asked = [case for case in run.case_set.cases if category(case) == kind]
        done = [case for case in asked if case.case_id in run.lines]
        missing += len(asked) - len(done)
        if done:
            said = partial(navnuances.CODEC.write, [case.episode for case in done])
            did = partial(r2r_submission.CODEC.write, [_walk(run, case, drop) for case in done])
            files.append(RunFile(ANNOTATIONS.format(kind), len(done), said, True))
            files.append(RunFile(WALKS.format(kind), len(done), did))
    notes = [f"{missing:,} cases were not run, and are in none of the files"] if missing else []
    return RunFiles(files, _dropped(run), notes)


def _walk(run: FinishedRun, case: Case, drop: Sequence[str]) -> Prediction:
    given_up = dict.fromkeys(drop)
    line = run.lines[case.case_id]
    return walk(msgspec.structs.replace(line, episode_id=f"{case.episode.path_id}_0", **given_up))


def _dropped(run: FinishedRun) -> dict[str, int]:
    """Return how many lines have what a walk does not say."""
    own = sorted((OURS | {"stopped", "positions"}) - {"case_id"})
    counts = {name: sum(getattr(line, name) not in (None, ()) for line in run.lines.values()) for name in own}
    return {name: count for name, count in counts.items() if count}


def _walk_files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(chain(path.glob(WALKS.format("*")), path.glob(WALKS.format("*") + ".gz")))
    return [path]


def _recognises(path: Path) -> bool:
    known = {WALKS.format(kind) for kind in CATEGORIES}
    return any(file.name.removesuffix(".gz") in known for file in _walk_files(path))


def _read(path: Path, case_set: CaseSet, scenes: Scenes) -> RunAnswers:
    """Return the walks of submissions; a case is found by what stands before the first ``_`` of an id."""
    cases = {case.episode.path_id: case for case in case_set.cases}
    lines, unused = [], 0
    kinds: set[Category] = set()
    for file in _walk_files(path):
        for prediction in read_predictions(file):
            case = cases.get(prediction.episode_id.partition("_")[0])
            if case is None:
                unused += 1
                continue
            named = msgspec.structs.replace(prediction, episode_id=case.episode.episode_id)
            lines.append(msgspec.structs.replace(line_of(named), case_id=case.case_id))
            kinds.add(category(case))
    asked = tuple(case for case in case_set.cases if category(case) in kinds)
    return RunAnswers(lines, msgspec.structs.replace(case_set, cases=asked), unused)


def _cases(path: Path, dataset: Dataset) -> CaseSet:
    """Return the cases that annotation files ask.

    Raises:
        InputError: there are none, or a category cannot be told.
    """
    folder = path if path.is_dir() else path.parent
    files = [file for kind in CATEGORIES if (file := folder / ANNOTATIONS.format(kind)).is_file()]
    if not files or dataset.scenes is None:
        raise InputError(
            f"{folder}: has no annotations of NavNuances, or {dataset.name} has no scenes",
            expected=f"{', '.join(ANNOTATIONS.format(kind) for kind in CATEGORIES)}, at least one of them",
            fix="name the folder that has them, with --cases",
        )
    episodes = [episode for file in files for episode in read_episodes(file)]
    return CaseSet(
        benchmark="nuances",
        data=dataset.address,
        rules=rules(),
        cases=tuple(annotated_cases(episodes, dataset.scenes)),
        options={"annotations": [file.name for file in files]},
    )


register_run_format(
    RunFormat(
        name="navnuances",
        title="NavNuances: annotations and walks, two files for each category",
        files=_files,
        benchmark="nuances",
        suffix="",
        droppable=frozenset({"headings", "elevations"}),
        recognises=_recognises,
        read=_read,
        cases=_cases,
    )
)
