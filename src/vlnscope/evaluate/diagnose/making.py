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
from vlnscope.evaluate.diagnose import tasks
from vlnscope.evaluate.diagnose.layout import FINDINGS, PAGE, WALKS, Layout
from vlnscope.evaluate.diagnose.questions import Question
from vlnscope.evaluate.diagnose.sizes import prediction_parts
from vlnscope.evaluate.diagnose.worker_pool import Crew, WorkerLostError
from vlnscope.evaluate.score.score import left_out
from vlnscope.reporting.report_data import LeftOut, Report

Key = tuple[str, str]
"""Who answers, and which question."""
T = TypeVar("T")


class Watcher(Protocol):
    """Somebody who is told how a diagnosis goes."""

    def phase(self, what: str, total: int) -> None:
        """Hear that something begins that has so many steps."""

    def at(self, done: int) -> None:
        """Hear how many steps are done."""


@dataclass(frozen=True)
class Making:
    """A diagnosis on its way.

    Attributes:
        place: its folder.
        root: folder of the data.
        watcher: is told how it goes.
        left_out: what could not be done, and why.
        errors: the same, as it was found.
    """

    place: Layout
    root: Path | None
    watcher: Watcher | None
    left_out: list[LeftOut] = field(default_factory=list)
    errors: list[VlnscopeError] = field(default_factory=list)

    def cases(self, asked: Sequence[Question], crew: Crew) -> list[Question]:
        """Make the cases of all questions, and return the questions whose cases could be made."""
        parts = {question.name: question.part for question in asked if question.part}
        self._prepare(dict.fromkeys(part.data for part in parts.values()))
        work = {
            name: partial(tasks.make_cases, part, self.place.cases(name), self.root)
            for name, part in parts.items()
        }
        self._phase("making cases", len(work))
        for done, (name, result) in enumerate(crew.each(work), 1):
            self._at(done)
            if isinstance(result, VlnscopeError):
                question = next(question for question in asked if question.name == name)
                self._leave_out(question, question.subjects, result)
        for question in asked:
            if question.given:
                CaseSet.load(question.given).save(self.place.cases(question.name))
        return [question for question in asked if is_case_set(self.place.cases(question.name))]

    def check_files(self, asked: Sequence[Question], data: str, *, partial: bool, cut: bool) -> None:
        """Refuse prediction files that are not for all episodes of the data, as `score` does.

        Args:
            asked: the questions, with the files that answer them.
            data: the data set.
            partial: take what there is.
            cut: the data are a part of what was named, so that predictions for the rest are no mistake.
        """
        whole = {part.benchmark for part in prediction_parts(data)}
        files = {path for one in asked if one.benchmark in whole for path, *_ in one.answers.values()}
        if not files:
            return
        self._prepare([data])
        dataset = tasks.opened(data, self.root)
        known = dict.fromkeys(episode.episode_id for episode in dataset.episodes())
        for path in sorted(files):
            given = dict.fromkeys(prediction.episode_id for prediction in read_predictions(path))
            left_out(
                dataset.name,
                len(known),
                [name for name in known if name not in given],
                [name for name in given if name not in known],
                allow_missing=partial,
                allow_unknown=partial or cut,
            )

    def runs(
        self, asked: Sequence[Question], crew: Crew, seed: int, *, part_is_enough: bool = False
    ) -> list[Question]:
        """Run all agents on all questions, take all answers, and return the questions that were answered.

        Unless a part is enough, a file that does not answer all cases of a question does not answer it.
        """
        sizes = {
            question.name: len(CaseSet.load(self.place.cases(question.name)).cases) for question in asked
        }
        here: dict[Key, Callable[[], Any]] = {}
        apart: dict[Key, Callable[..., Any]] = {}
        for question in sorted(asked, key=lambda question: -get_benchmark(question.benchmark).cost):
            cases = self.place.cases(question.name)
            for subject in question.agents:
                work = partial(
                    tasks.run_agent,
                    subject.agent,
                    cases,
                    self.place.run(subject.name, question.name),
                    self.root,
                    seed,
                )
                (apart if isinstance(subject.agent, str) else here)[subject.name, question.name] = work
            for name, files in question.answers.items():
                folder = self.place.run(name, question.name)
                here[name, question.name] = partial(
                    tasks.take_answers, name, files, cases, folder, self.root, partial=part_is_enough
                )
        logs = [self.place.run(*key) / EVIDENCE for key in (*apart, *here)]
        self._phase("running", sum(sizes[name] for _, name in (*apart, *here)))
        lost = dict(self._done(crew, apart, logs))
        again = {key: partial(apart[key], guarded=True) for key, error in lost.items() if _died(error)}
        lost = {key: error for key, error in lost.items() if key not in again}
        with Crew(1) as alone:
            lost |= dict(self._done(alone, here | again, logs))
        for (name, where), error in lost.items():
            self._leave_out(next(one for one in asked if one.name == where), (name,), error)
        kept = [_without(one, {name for name, where in lost if where == one.name}) for one in asked]
        return self._answered([question for question in kept if question.subjects])

    def _done(
        self, crew: Crew, work: Mapping[Key, Callable[[], Any]], logs: Sequence[Path]
    ) -> Iterator[tuple[Key, VlnscopeError]]:
        """Have work done, and yield what could not be."""
        for key, result in crew.each(work, lambda: self._at(_lines(logs))):
            if isinstance(result, VlnscopeError):
                yield key, result

    def findings(self, asked: Sequence[Question], crew: Crew) -> dict[str, Findings]:
        """Score what was answered and say what it means, by question."""
        self._phase("scoring", len(asked))
        work = {}
        for question in asked:
            runs = {name: self.place.run(name, question.name) for name in question.subjects}
            scores = {name: self.place.scores(name, question.name) for name in question.subjects}
            work[question.name] = partial(tasks.find, runs, scores, self.root)
        (self.place.out / "scores").mkdir(exist_ok=True)
        found: dict[str, Findings] = {}
        for done, (name, result) in enumerate(crew.each(work), 1):
            self._at(done)
            question = next(question for question in asked if question.name == name)
            if isinstance(result, VlnscopeError):
                self._leave_out(question, question.subjects, result)
                continue
            for agent, error in result.lost.items():
                self._leave_out(question, (agent,), error)
            if result.findings is not None:
                found[name] = result.findings
        self._answered(list(found))
        return {question.name: found[question.name] for question in asked if question.name in found}

    def write(self, report: Report) -> None:
        """Write what was found, the walks that show it, and the page."""
        from vlnscope.evaluate.diagnose.examples.walks import show_walks
        from vlnscope.reporting.page.render import write_page

        report.save(self.place.out / FINDINGS)
        self._phase("drawing", 2)
        walks = show_walks(report, self.place.out, root=self.root)
        walks.save(self.place.out / WALKS)
        self._at(1)
        write_page(report, walks, self.place.out / PAGE)
        self._at(2)

    def _prepare(self, data: Iterable[str]) -> None:
        """Make the episodes of data sets that are made and not read, once, before several need them."""
        for name in data:
            try:
                dataset = tasks.opened(name, self.root)
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

    def _leave_out(self, question: Question, agents: Iterable[str], error: VlnscopeError) -> None:
        self.errors.append(error)
        self.left_out.append(
            LeftOut(benchmark=question.benchmark, agents=tuple(agents), reason=error.what, remedy=error.fix)
        )

    def _phase(self, what: str, total: int) -> None:
        if self.watcher and total:
            self.watcher.phase(what, total)

    def _at(self, done: int) -> None:
        if self.watcher:
            self.watcher.at(done)


def _died(error: VlnscopeError) -> bool:
    return isinstance(error, WorkerLostError)


def _without(question: Question, lost: set[str]) -> Question:
    return replace(
        question,
        agents=tuple(subject for subject in question.agents if subject.name not in lost),
        answers={name: files for name, files in question.answers.items() if name not in lost},
    )


def _lines(logs: Iterable[Path]) -> int:
    """Count what is finished so far, by the lines of the evidence."""
    return sum(path.read_bytes().count(b"\n") for path in logs if path.exists())
