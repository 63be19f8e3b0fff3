"""The pieces of a diagnosis that can be done apart: make cases, run an agent on them, find what it shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from vlnscope.benchmarks.kit.benchmark import get_benchmark
from vlnscope.benchmarks.kit.case_set import CaseSet, is_case_set
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.core.exceptions import InputError, VlnscopeError
from vlnscope.engine.jobs import case_set_jobs
from vlnscope.engine.run import run
from vlnscope.engine.store.provenance import RunRecord
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine, case_of, line_of
from vlnscope.episodes.reading import read_predictions
from vlnscope.evaluate.benchmarking import ScoredRun, findings_of, score_run
from vlnscope.evaluate.diagnose.case_config import CaseConfig
from vlnscope.evaluate.exchange.keep import keep_run
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
    case_set.check_generator(dataset.scenes)
    lines, unused = answers(files, case_set)
    if len(lines) < len(case_set.cases) and not partial:
        raise InputError(
            f"{len(case_set.cases) - len(lines)} of the {len(case_set.cases)} cases of"
            f" {case_set.benchmark} on {case_set.data} have no answer in"
            f" {', '.join(path.name for path in files)}",
            expected="an answer for each case",
            fix="let the agent answer all; --partial takes what there is",
        )
    config, jobs = {"unused": unused}, case_set_jobs(case_set)
    keep_run(folder, name, files, lines, jobs, dataset, case_set=case_set, config=config, resume=True)


def answers(files: Sequence[Path], case_set: CaseSet) -> tuple[list[EvidenceLine], int]:
    """Return the lines of the cases that prediction files answer, and how many predictions answer none.

    Raises:
        InputError: no prediction of some file is for a case.
    """
    predictions = [_by_id(read_predictions(path)) for path in files]
    used: list[set[str]] = [set() for _ in predictions]
    lines = []
    for case in case_set.cases:
        for number, wanted in _places(case, len(predictions)):
            if wanted in predictions[number]:
                used[number].add(wanted)
                line = line_of(predictions[number][wanted])
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
    return lines, sum(len(one) - len(its) for one, its in zip(predictions, used, strict=True))


def _places(case: Case, files: int) -> Iterable[tuple[int, str]]:
    """Yield where an answer may be found: the number of a file, and the id there."""
    yield from ((number, case.case_id) for number in range(files))
    wrong = case.groups.get("variant") == WRONG
    if not wrong or files > 1:
        yield (1 if wrong else 0), case.episode.episode_id


def _by_id(predictions: Iterable[Prediction]) -> Mapping[str, Prediction]:
    return {case_of(prediction): prediction for prediction in predictions}


@lru_cache(maxsize=4)
def opened(data: str, root: Path | None) -> Dataset:
    """Open a data set once per process, so that its scenes are made once."""
    return open_dataset(data, root)


def make_cases(part: CaseConfig, folder: Path, root: Path | None) -> int:
    """Make the cases of a part in a folder, unless they are there; return how many there are."""
    if not is_case_set(folder):
        get_benchmark(part.benchmark).build_cases(opened(part.data, root), **part.options).save(folder)
    return len(CaseSet.load(folder).cases)


def run_agent(
    agent: Any, cases: Path, out: Path, root: Path | None, seed: int, *, guarded: bool = False
) -> RunRecord:
    """Run an agent on the cases of a folder, or go on with that.

    Args:
        agent: its spec or itself.
        cases: folder of the cases.
        out: folder of the run.
        root: folder of the data.
        seed: of the agent.
        guarded: run it in a process of its own, so that a case that ends its process costs that case only.
    """
    case_set = CaseSet.load(cases)
    executor = "processes" if guarded else None
    data = opened(case_set.data, root)
    how: dict[str, Any] = {"resume": True, "log": "all", "executor": executor}  # walks show what was likely
    return run(agent, data, cases=case_set, out=out, root=root, seed=seed, **how).record


def take_answers(
    name: str, files: Sequence[Path], cases: Path, out: Path, root: Path | None, *, partial: bool = False
) -> None:
    """Keep what prediction files say of the cases of a folder as a run; of all cases, unless `partial`."""
    case_set = CaseSet.load(cases)
    write_answers(name, files, case_set, opened(case_set.data, root), out, partial=partial)


class JointFindings(NamedTuple):
    """What the runs of all agents on the same cases mean, and whose run could not be scored, and why."""

    findings: Findings | None
    lost: dict[str, VlnscopeError]


def find(
    runs: Mapping[str, Path],
    scores: Mapping[str, Path],
    root: Path | None,
) -> JointFindings:
    """Score the runs of all agents on the same cases, keep the rows, and say what they mean."""
    case_set = CaseSet.load(next(iter(runs.values())))
    scenes = opened(case_set.data, root).scenes
    scored: dict[str, ScoredRun] = {}
    lost: dict[str, VlnscopeError] = {}
    for name, folder in runs.items():
        try:
            scored[name] = score_run(folder, scenes=scenes)
        except VlnscopeError as error:
            lost[name] = error
        else:
            scored[name].save(scores[name])
    return JointFindings(findings_of(scored) if scored else None, lost)
