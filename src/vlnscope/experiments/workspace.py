"""What all experiments share: trained agents, cases, runs and rows, kept so that nothing is done twice.

::

    OUT/materials/             tours and joined paths to learn from
    OUT/train/TRAINING-SEED/   runs of training
    OUT/cases/NAME/            cases
    OUT/runs/NAME/AGENT-SEED/  what agents did with them
    OUT/EXPERIMENT/            result.json, page.md and pictures

All experiments may share one folder: what one has trained or run, the others use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec
import numpy as np

from vlnscope.benchmarks.kit.benchmark import get_benchmark
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.core.devices import AUTO
from vlnscope.core.exceptions import InputError, VlnscopeError
from vlnscope.engine.run import RunProgress as RunWatcher
from vlnscope.engine.run import run
from vlnscope.engine.store.provenance import RunRecord
from vlnscope.evaluate.benchmarking import ScoredRun, findings_of, score_run
from vlnscope.evaluate.diagnose.case_config import CaseConfig
from vlnscope.evaluate.diagnose.jobs import make_cases, opened
from vlnscope.experiments.trained import TrainedAgent, TrainingSource, trained
from vlnscope.experiments.worlds import ExperimentWorld, training_label
from vlnscope.reporting.report_data import LeftOut
from vlnscope.reporting.sources.reproducibility import CardRun
from vlnscope.training.experiment import Experiment
from vlnscope.training.watching import TrainingWatch
from vlnscope.types import ScoreRow


def in_each_world(
    workspace: Workspace, what: str, work: Callable[[Workspace, ExperimentWorld], Findings]
) -> tuple[tuple[Findings, ...], tuple[LeftOut, ...]]:
    """Do something in each world of a workspace.

    Returns:
        What was found, and the worlds in which nothing could be, with the reasons; who took part there before
        it failed is forgotten.

    Raises:
        InputError: it could be done in none.
    """
    findings: list[Findings] = []
    left_out: list[LeftOut] = []
    for world in workspace.worlds:
        before = len(workspace.entrants), len(workspace.used)
        try:
            findings.append(work(workspace, world))
        except VlnscopeError as error:
            if len(workspace.worlds) == 1:
                raise
            del workspace.entrants[before[0] :], workspace.used[before[1] :]
            left_out.append(
                LeftOut(benchmark=what, agents=(world.name,), reason=error.what, remedy=error.fix)
            )
    if not findings:
        first = left_out[0]
        raise InputError(
            f"{what} can be had in no world; in {first.agents[0]}: {first.reason}",
            expected="one world at least",
            fix=first.remedy,
        )
    return tuple(findings), tuple(left_out)


class ExperimentProgress(Protocol):
    """Somebody who is told how an experiment goes."""

    @property
    def training(self) -> TrainingWatch:
        """Who is told how trainings go."""

    def tell(self, what: str) -> None:
        """Hear what begins."""

    def running(self) -> AbstractContextManager[RunWatcher]:
        """Give somebody to tell how a run goes."""


class Attempt(NamedTuple):
    """One run of an agent: who, by which seed, in which folder, and how it was trained, if it was."""

    agent: str
    seed: int
    folder: str
    trained: TrainedAgent | None = None


class Entrant(NamedTuple):
    """An agent of an experiment, with all its runs: training seeds, or repetitions of one that draws."""

    name: str
    attempts: tuple[Attempt, ...]

    def only(self, attempt: Attempt) -> Entrant:
        """Return it with one of its runs."""
        return self._replace(attempts=(attempt,))


@dataclass(frozen=True)
class Answers:
    """What agents did with the same cases.

    Attributes:
        cases: the folder of the cases.
        case_set: the cases.
        runs: scored runs by agent, in the order of its attempts.
    """

    cases: Path
    case_set: CaseSet
    runs: dict[str, list[ScoredRun]]

    def means(self) -> dict[str, ScoredRun]:
        """Return one run per agent: the mean of its runs, case by case."""
        return {name: averaged(runs) for name, runs in self.runs.items()}

    def rows(self) -> dict[str, list[ScoreRow]]:
        """Return the rows of `means`."""
        return {name: run.rows for name, run in self.means().items()}

    def findings(self) -> Findings:
        """Return what the benchmark says of the means, and in how many cases single runs failed."""
        findings = findings_of(self.means())
        failed = [
            f"{name}, seed {run.record.rules.seed}, failed in {run.failed:,} of {run.done:,} cases, "
            "which count as wrong"
            for name, runs in self.runs.items()
            for run in runs
            if run.failed and len(runs) > 1
        ]
        return msgspec.structs.replace(findings, notes=(*failed, *findings.notes))


@dataclass(frozen=True)
class Workspace:
    """Where experiments are made.

    Attributes:
        out: folder for everything.
        worlds: in which they take place.
        seeds: of trainings, and of agents that draw.
        root: folder of the data.
        places: where finished training runs may lie.
        limit: ask only so many episodes or cases of a kind, for trials; None for all.
        workers: processes that run agents.
        processes: that train.
        device: where they do.
        progress: is told how it goes.
        entrants: who took part so far; in two worlds there may be two of one name.
        used: the runs that were used so far.
    """

    out: Path
    worlds: tuple[ExperimentWorld, ...]
    seeds: tuple[int, ...] = (0,)
    root: Path | None = None
    places: tuple[Path, ...] = ()
    limit: int | None = None
    workers: int = 1
    processes: int = 1
    device: str = AUTO
    progress: ExperimentProgress | None = None
    entrants: list[Entrant] = field(default_factory=list)
    used: list[CardRun] = field(default_factory=list)

    def learned(self, name: str, training: str, experiment: Experiment, label: str = "") -> Entrant:
        """Return a trained agent, one run per seed.

        Args:
            name: how it is called.
            training: name or file of the training.
            experiment: the training; its seed does not matter.
            label: another name for the folders of a training that was changed.
        """
        label = label or training_label(training)
        source = TrainingSource(
            self.out / "train",
            self.places,
            self.root,
            self.processes,
            self._tell,
            self.progress.training if self.progress else None,
            self.device,
        )
        attempts = []
        for seed in self.seeds:
            agent = trained(source, label, msgspec.structs.replace(experiment, seed=seed))
            attempts.append(Attempt(agent.agent, seed, f"{label}-{seed}", agent))
        return Entrant(name, tuple(attempts))

    def given(self, agent: str, *, draws: bool = False) -> Entrant:
        """Return an agent that is not trained; one that draws has a run per seed."""
        seeds = self.seeds if draws else self.seeds[:1]
        return Entrant(agent, tuple(Attempt(agent, seed, f"{_plain(agent)}-{seed}") for seed in seeds))

    def ask(self, name: str, part: CaseConfig, entrants: Sequence[Entrant]) -> Answers:
        """Let agents walk the cases of a benchmark; what was done before is used.

        Args:
            name: of the cases; their folder is called by it and by the data.
            part: how they are made.
            entrants: who walks.

        Raises:
            InputError: the cases cannot be made, other ones of that name are there, or two agents have the
                same name or folder.
        """
        _check_apart(entrants)
        name = f"{name}-{_plain(part.data)}"
        if self.limit is not None:
            name, part = f"{name}-{self.limit}", _limited(part, self.limit)
        folder = self.out / "cases" / name
        self._tell(f"cases {name}")
        make_cases(part, folder, self.root)
        case_set = CaseSet.load(folder)
        _check_same(folder, case_set, part)
        self.entrants.extend(entrants)
        runs = {
            one.name: [self._run(one, attempt, name, case_set) for attempt in one.attempts]
            for one in entrants
        }
        return Answers(folder, case_set, runs)

    def _run(self, entrant: Entrant, attempt: Attempt, name: str, case_set: CaseSet) -> ScoredRun:
        where = self.out / "runs" / name / attempt.folder
        self._tell(f"running {entrant.name}, seed {attempt.seed}, on {name}")
        data = opened(case_set.data, self.root)
        with self.progress.running() if self.progress else nullcontext() as progress:
            done = run(
                attempt.agent,
                data,
                cases=case_set,
                out=where,
                root=self.root,
                seed=attempt.seed,
                workers=self.workers,
                resume=True,
                retry_failed=True,
                progress=progress,
            )
        if done.record.failed == done.record.size:
            why = next(iter(done.failures().values()))
            raise InputError(
                f"{entrant.name} failed in all {done.record.size:,} cases: {why}",
                expected="an agent that can be run",
                fix="see why it fails; the same command tries again",
            )
        scored = score_run(where, scenes=data.scenes)
        run_path = f"runs/{name}/{attempt.folder}"
        self.used.append(CardRun(entrant.name, run_path, _without_place(scored.record, attempt), case_set))
        return scored

    def _tell(self, what: str) -> None:
        if self.progress:
            self.progress.tell(what)


def averaged(runs: Sequence[ScoredRun]) -> ScoredRun:
    """Return the mean of several runs of one agent, case by case.

    A value counts where all runs have it; otherwise the reason of the first that has none is kept.
    """
    first = runs[0]
    if len(runs) == 1:
        return first
    tables = [{row.episode_id: row for row in one.rows} for one in runs]
    rows = [
        _mean_row([table[row.episode_id] for table in tables])
        for row in first.rows
        if all(row.episode_id in table for table in tables)
    ]
    return replace(first, rows=rows, done=min(one.done for one in runs), failed=0)


def _without_place(record: RunRecord, attempt: Attempt) -> RunRecord:
    """Return the record of a run that does not say in which folder of this machine the weights lie."""
    if attempt.trained is None:
        return record
    parent = f"{attempt.trained.folder.resolve().parent}/"
    agent = msgspec.structs.replace(record.agent, identity=record.agent.identity.replace(parent, ""))
    return msgspec.structs.replace(record, agent=agent)


def _mean_row(rows: Sequence[ScoreRow]) -> ScoreRow:
    names = [name for name in rows[0].values if all(name in row.values for row in rows)]
    reasons: dict[str, str] = {}
    for row in rows:
        reasons = row.undefined | reasons
    values = {name: float(np.mean([row.values[name] for row in rows])) for name in names}
    return msgspec.structs.replace(rows[0], values=values, undefined=reasons)


def _limited(part: CaseConfig, limit: int) -> CaseConfig:
    """Return a part of which only so much is asked, and never more than usual."""
    options = get_benchmark(part.benchmark).limited(part.options, limit)
    return msgspec.structs.replace(part, options=options)


def _check_apart(entrants: Sequence[Entrant]) -> None:
    """Refuse agents that could not be told apart: by name, or by the folders of their runs."""
    folders = [attempt.folder for one in entrants for attempt in one.attempts]
    for names in ([one.name for one in entrants], folders):
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise InputError(
                f"two agents are called {twice}",
                expected="agents with different names",
                fix="rename the file of one training",
            )


def _check_same(folder: Path, case_set: CaseSet, part: CaseConfig) -> None:
    """Refuse cases that were made in another way."""
    wanted = msgspec.json.decode(msgspec.json.encode(part.options))
    same = {key: case_set.options[key] for key in wanted if key in case_set.options}
    if case_set.benchmark != part.benchmark or any(wanted[key] != value for key, value in same.items()):
        raise InputError(
            f"{folder}: holds cases that were made in another way",
            expected=f"cases of {part.benchmark} on {part.data}",
            fix="name another folder with --out",
        )


def _plain(text: str) -> str:
    """Return a text as part of the name of a folder."""
    return re.sub(r"[^\w.@-]+", "-", text)
