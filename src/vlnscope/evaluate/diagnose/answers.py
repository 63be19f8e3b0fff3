"""Answers that were given elsewhere: prediction files become runs of a benchmark's cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from vlnscope._version import __version__
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import file_digest
from vlnscope.engine.jobs import case_set_jobs
from vlnscope.engine.store import provenance
from vlnscope.engine.store.provenance import AgentRecord, RunRecord
from vlnscope.engine.store.run_folder import Store
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.formats.evidence import EvidenceLine, case_of, line_of
from vlnscope.episodes.reading import read_predictions
from vlnscope.types import Case, Prediction

WRONG = "wrong"


def write_answers(
    name: str,
    files: Sequence[Path],
    case_set: CaseSet,
    dataset: Dataset,
    folder: Path,
    *,
    partial: bool = False,
) -> None:
    """Keep what prediction files say of cases as a run in a folder; a run that is there is kept.

    A prediction answers the case whose id it has. Ids of episodes serve too: the first file answers cases in
    the words of the data set, and the second, of `errors`, those with wrong words.

    Raises:
        InputError: a file cannot be read, none of its predictions is for a case, or (unless `partial`) some
            case has no answer.
    """
    assert dataset.scenes is not None  # cases lie on graphs
    lines, unused = answers(files, case_set)
    if len(lines) < len(case_set.cases) and not partial:
        raise InputError(
            f"{len(case_set.cases) - len(lines)} of the {len(case_set.cases)} cases of"
            f" {case_set.benchmark} on {case_set.data} have no answer in"
            f" {', '.join(path.name for path in files)}",
            expected="an answer for each case",
            fix="let the agent answer all; --partial takes what there is",
        )
    jobs = case_set_jobs(case_set)
    digest = "+".join(file_digest(path)[:16] for path in files)
    shown = "+".join(path.name for path in files)
    record = RunRecord(
        vlnscope=__version__,
        revision=provenance.revision(),
        agent=AgentRecord(name=name, identity=f"{shown} ({digest})", privileged=False),
        data=provenance.data_record(dataset, dataset.scenes, jobs),
        cases=provenance.cases_record(jobs),
        rules=case_set.rules,
        size=len(case_set.cases),
        config={"unused": unused},
        machine=provenance.machine_record(),
        started=provenance.now(),
    )
    with Store(folder, record, resume=True) as store:
        case_set.save(folder)
        store.append(lines)
        store.complete()


def answers(files: Sequence[Path], case_set: CaseSet) -> tuple[list[EvidenceLine], int]:
    """Return the lines of the cases that prediction files answer, and how many predictions answer none.

    Raises:
        InputError: no prediction of some file is for a case.
    """
    held = [_by_id(read_predictions(path)) for path in files]
    used: list[set[str]] = [set() for _ in held]
    lines = []
    for case in case_set.cases:
        for number, wanted in _places(case, len(held)):
            if wanted in held[number]:
                used[number].add(wanted)
                line = line_of(held[number][wanted])
                lines.append(
                    msgspec.structs.replace(line, case_id=case.case_id, episode_id=case.episode.episode_id)
                )
                break
    for path, its in zip(files, used, strict=True):
        if not its:
            raise InputError(
                f"{path}: no prediction is for a case of {case_set.benchmark} on {case_set.data}",
                expected=f"ids such as {case_set.cases[0].case_id} or {case_set.cases[0].episode.episode_id}",
                fix="name the data set and split that the predictions were made on, or --cases",
            )
    return lines, sum(len(one) - len(its) for one, its in zip(held, used, strict=True))


def _places(case: Case, files: int) -> Iterable[tuple[int, str]]:
    """Yield where an answer may be found: the number of a file, and the id there."""
    yield from ((number, case.case_id) for number in range(files))
    wrong = case.groups.get("variant") == WRONG
    if not wrong or files > 1:
        yield (1 if wrong else 0), case.episode.episode_id


def _by_id(predictions: Iterable[Prediction]) -> Mapping[str, Prediction]:
    return {case_of(prediction): prediction for prediction in predictions}
