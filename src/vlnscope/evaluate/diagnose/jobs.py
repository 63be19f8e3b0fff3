"""The pieces of a diagnosis that can be done apart: make cases, run an agent on them, find what it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from vlnscope.benchmarks.kit.benchmark import get_benchmark
from vlnscope.benchmarks.kit.case_set import CaseSet, is_case_set
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.core.exceptions import VlnscopeError
from vlnscope.engine.run import run
from vlnscope.engine.store.provenance import RunRecord
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.evaluate.benchmarking import ScoredRun, findings_of, score_run
from vlnscope.evaluate.diagnose.answers import write_answers
from vlnscope.evaluate.diagnose.case_config import CaseConfig


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
