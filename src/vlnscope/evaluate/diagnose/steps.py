"""The steps of a diagnosis, each of which leaves files in its folder and begins with those that are there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from vlnscope.benchmarks.kit.benchmark import get_benchmark
from vlnscope.benchmarks.kit.case_set import CaseSet, is_case_set
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.core.exceptions import InputError, VlnscopeError
from vlnscope.engine.store.run_folder import EVIDENCE
from vlnscope.episodes.reading import read_predictions
from vlnscope.evaluate.diagnose import jobs
from vlnscope.evaluate.diagnose.assignments import Assignment
from vlnscope.evaluate.diagnose.case_config import prediction_parts
from vlnscope.evaluate.diagnose.folder import FINDINGS, PAGE, WALKS, DiagnosisFolder
from vlnscope.evaluate.diagnose.job_pool import JobPool, WorkerLostError
from vlnscope.evaluate.score.collect import left_out
from vlnscope.reporting.report_data import LeftOut, Report

Key = tuple[str, str]
"""Who answers, and which question."""
T = TypeVar("T")


class DiagnosisProgress(Protocol):
    """Somebody who is told how a diagnosis goes."""

    def phase(self, what: str, total: int) -> None:
        """Hear that something begins that has so many steps."""

    def at(self, done: int) -> None:
        """Hear how many steps are done."""


@dataclass(frozen=True)
class DiagnosisSteps:
    """A diagnosis on its way.

    Attributes:
        folder: where it is kept.
        root: folder of the data.
        progress: is told how it goes.
        left_out: what could not be done, and why.
        errors: the same, as it was found.
    """

    folder: DiagnosisFolder
    root: Path | None
    progress: DiagnosisProgress | None
    left_out: list[LeftOut] = field(default_factory=list)
    errors: list[VlnscopeError] = field(default_factory=list)

    def cases(self, assigned: Sequence[Assignment], pool: JobPool) -> list[Assignment]:
        """Make the cases of all assignments, and return the assignments whose cases could be made."""
        parts = {assignment.name: assignment.part for assignment in assigned if assignment.part}
        self._prepare(dict.fromkeys(part.data for part in parts.values()))
        work = {
            name: partial(jobs.make_cases, part, self.folder.cases(name), self.root)
            for name, part in parts.items()
        }
        for _ in self._each("making cases", assigned, work, pool):
            pass  # the cases are in their folders
        for assignment in assigned:
            if assignment.given:
                CaseSet.load(assignment.given).save(self.folder.cases(assignment.name))
        return [assignment for assignment in assigned if is_case_set(self.folder.cases(assignment.name))]

    def check_files(self, assigned: Sequence[Assignment], data: str, *, partial: bool, cut: bool) -> None:
        """Refuse prediction files that are not for all episodes of the data, as `score` does.

        Args:
            assigned: the assignments, with the files that answer them.
            data: the data set.
            partial: take what there is.
            cut: the data are a part of what was named, so that predictions for the rest are no mistake.
        """
        whole = {part.benchmark for part in prediction_parts(data)}
        files = {path for one in assigned if one.benchmark in whole for path, *_ in one.answers.values()}
        if not files:
            return
        self._prepare([data])
        dataset = jobs.opened(data, self.root)
        known = dict.fromkeys(episode.episode_id for episode in dataset.episodes())
        for path in sorted(files):
            answered = dict.fromkeys(prediction.episode_id for prediction in read_predictions(path))
            left_out(
                dataset.name,
                len(known),
                [name for name in known if name not in answered],
                [name for name in answered if name not in known],
                allow_missing=partial,
                allow_unknown=partial or cut,
            )

    def runs(
        self, assigned: Sequence[Assignment], pool: JobPool, seed: int, *, part_is_enough: bool = False
    ) -> list[Assignment]:
        """Run all agents on all assignments, take all answers, and return the assignments that were done.

        Unless a part is enough, a file that does not answer all cases of an assignment does not answer it.
        """
        sizes = {one.name: len(CaseSet.load(self.folder.cases(one.name)).cases) for one in assigned}
        here: dict[Key, Callable[[], Any]] = {}
        apart: dict[Key, Callable[..., Any]] = {}
        for assignment in sorted(assigned, key=lambda assignment: -get_benchmark(assignment.benchmark).cost):
            cases = self.folder.cases(assignment.name)
            for subject in assignment.agents:
                folder = self.folder.run(subject.name, assignment.name)
                work = partial(jobs.run_agent, subject.agent, cases, folder, self.root, seed)
                (apart if isinstance(subject.agent, str) else here)[subject.name, assignment.name] = work
            for name, files in assignment.answers.items():
                folder = self.folder.run(name, assignment.name)
                here[name, assignment.name] = partial(
                    jobs.take_answers, name, files, cases, folder, self.root, partial=part_is_enough
                )
        logs = [self.folder.run(*key) / EVIDENCE for key in (*apart, *here)]
        self._phase("running", sum(sizes[name] for _, name in (*apart, *here)))
        lost = dict(self._done(pool, apart, logs))
        again = {key: partial(apart[key], guarded=True) for key, error in lost.items() if _died(error)}
        lost = {key: error for key, error in lost.items() if key not in again}
        with JobPool(1) as alone:
            lost |= dict(self._done(alone, here | again, logs))
        for (name, where), error in lost.items():
            self._leave_out(next(one for one in assigned if one.name == where), (name,), error)
        kept = [_without(one, {name for name, where in lost if where == one.name}) for one in assigned]
        return self._answered([assignment for assignment in kept if assignment.subjects])

    def _each(
        self, what: str, assigned: Sequence[Assignment], work: Mapping[str, Callable[[], T]], pool: JobPool
    ) -> Iterator[tuple[Assignment, T]]:
        """Do a job for each assignment, yield what they return, and leave out what could not be done."""
        by_name = {assignment.name: assignment for assignment in assigned}
        self._phase(what, len(work))
        for done, (name, result) in enumerate(pool.each(work), 1):
            self._at(done)
            if isinstance(result, VlnscopeError):
                self._leave_out(by_name[name], by_name[name].subjects, result)
            else:
                yield by_name[name], result

    def _done(
        self, pool: JobPool, work: Mapping[Key, Callable[[], Any]], logs: Sequence[Path]
    ) -> Iterator[tuple[Key, VlnscopeError]]:
        """Have work done, and yield what could not be."""
        for key, result in pool.each(work, lambda: self._at(_lines(logs))):
            if isinstance(result, VlnscopeError):
                yield key, result

    def findings(self, assigned: Sequence[Assignment], pool: JobPool) -> dict[str, Findings]:
        """Score what was answered and say what it means, by assignment."""
        work = {}
        for assignment in assigned:
            runs = {name: self.folder.run(name, assignment.name) for name in assignment.subjects}
            scores = {name: self.folder.scores(name, assignment.name) for name in assignment.subjects}
            work[assignment.name] = partial(jobs.find, runs, scores, self.root)
        (self.folder.out / "scores").mkdir(exist_ok=True)
        by_name: dict[str, Findings] = {}
        for assignment, result in self._each("scoring", assigned, work, pool):
            for agent, error in result.lost.items():
                self._leave_out(assignment, (agent,), error)
            if result.findings is not None:
                by_name[assignment.name] = result.findings
        self._answered(list(by_name))
        return {one.name: by_name[one.name] for one in assigned if one.name in by_name}

    def write(self, report: Report) -> None:
        """Write what was found, the walks that show it, and the page."""
        from vlnscope.evaluate.diagnose.examples.show import show_walks
        from vlnscope.reporting.page.render import write_page

        report.save(self.folder.out / FINDINGS)
        self._phase("drawing", 2)
        walks = show_walks(report, self.folder.out, root=self.root)
        walks.save(self.folder.out / WALKS)
        self._at(1)
        write_page(report, walks, self.folder.out / PAGE)
        self._at(2)

    def _prepare(self, data: Iterable[str]) -> None:
        """Make the episodes of data sets that are made and not read, once, before several need them."""
        for name in data:
            try:
                dataset = jobs.opened(name, self.root)
            except VlnscopeError:
                continue  # whoever asks for cases of it will say why there are none
            if dataset.prepare is None:
                continue
            parts, work = dataset.prepare()
            self._phase(f"making {name}", parts)
            for done, _ in enumerate(work, 1):
                self._at(done)

    def _answered(self, what: list[T]) -> list[T]:
        """Refuse to go on with nothing."""
        if not what:
            first = self.errors[0]
            raise InputError(f"nothing could be asked: {first.what}", expected=first.expected, fix=first.fix)
        return what

    def _leave_out(self, assignment: Assignment, agents: Iterable[str], error: VlnscopeError) -> None:
        self.errors.append(error)
        self.left_out.append(
            LeftOut(benchmark=assignment.benchmark, agents=tuple(agents), reason=error.what, remedy=error.fix)
        )

    def _phase(self, what: str, total: int) -> None:
        if self.progress and total:
            self.progress.phase(what, total)

    def _at(self, done: int) -> None:
        if self.progress:
            self.progress.at(done)


def _died(error: VlnscopeError) -> bool:
    return isinstance(error, WorkerLostError)


def _without(assignment: Assignment, lost: set[str]) -> Assignment:
    return replace(
        assignment,
        agents=tuple(subject for subject in assignment.agents if subject.name not in lost),
        answers={name: files for name, files in assignment.answers.items() if name not in lost},
    )


def _lines(logs: Iterable[Path]) -> int:
    """Count what is finished so far, by the lines of the evidence."""
    return sum(path.read_bytes().count(b"\n") for path in logs if path.exists())
