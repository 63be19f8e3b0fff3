"""What is asked of whom: each question is a set of cases, and the agents and files that answer it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from vlnscope.benchmarks.kit.benchmark import Size, benchmarks, diagnosed_names, get_benchmark
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.evaluate.diagnose.case_config import CaseConfig, agent_parts, prediction_parts
from vlnscope.evaluate.diagnose.subjects import Subject
from vlnscope.reporting.report_data import LeftOut

AS_IS = "as-is"
"""Ends the name of cases that only prediction files answer, beside other cases of that benchmark."""


@dataclass(frozen=True)
class Assignment:
    """A set of cases, and who answers it.

    Attributes:
        name: of its folder.
        benchmark: whose cases.
        part: how the cases are made; None if they are given.
        given: the folder of given cases.
        agents: who is run on them.
        answers: prediction files by the name of who predicted.
    """

    name: str
    benchmark: str
    part: CaseConfig | None = None
    given: Path | None = None
    agents: tuple[Subject, ...] = ()
    answers: dict[str, tuple[Path, ...]] = field(default_factory=dict)

    @property
    def subjects(self) -> tuple[str, ...]:
        """The names of all who answer."""
        return (*(subject.name for subject in self.agents), *self.answers)


def assignments(
    who: Sequence[Subject],
    data: str,
    size: Size,
    seed: int,
    *,
    parts: Sequence[str] | None = None,
    answers: Mapping[str, Sequence[Path]] | None = None,
    cases: Mapping[str, Path] | None = None,
) -> list[Assignment]:
    """Return what is asked.

    Agents are asked everything. A prediction file answers how walks end and whether they keep to the path;
    further files answer the cases of other benchmarks, which must be given unless agents are asked them too.

    Args:
        who: agents and prediction files.
        data: the data set.
        size: how much is asked.
        seed: of all choices.
        parts: benchmarks to ask for; by default all but those that must be named.
        answers: further prediction files, by benchmark.
        cases: folders of cases to ask instead of newly made ones, by benchmark.

    Raises:
        InputError: files are given that answer nothing.
        UnknownNameError: there is no such benchmark.
    """
    answers, cases = answers or {}, cases or {}
    order = {benchmark.name: index for index, benchmark in enumerate(benchmarks())}
    for name in (*(parts or ()), *answers, *cases):
        if name not in order:
            raise UnknownNameError("part of a diagnosis", name, order)
    agents = tuple(subject for subject in who if subject.agent is not None)
    files = {subject.name: subject.predictions for subject in who if subject.predictions is not None}
    _check_answers(files, answers, cases, has_agents=bool(agents))
    _check_given(answers, cases)
    by_name: dict[str, Assignment] = {}
    if agents:
        for part in agent_parts(data, size, seed):
            by_name[part.benchmark] = _question(part.benchmark, part, cases, agents)
    for name, path in files.items():
        for part in prediction_parts(data):
            key = f"{part.benchmark}-{AS_IS}" if agents and part.options else part.benchmark
            by_name.setdefault(key, _question(key, part, {}, ())).answers[name] = (path,)
        for benchmark, more in answers.items():
            assigned = by_name.setdefault(benchmark, _question(benchmark, None, cases, ()))
            both = get_benchmark(benchmark).partly_ordinary and len(more) == 1
            assigned.answers[name] = (path, *more) if both else tuple(more)
    wanted = diagnosed_names() if parts is None else parts
    chosen = [assignment for assignment in by_name.values() if assignment.benchmark in wanted]
    return sorted(chosen, key=lambda assignment: (order[assignment.benchmark], assignment.name))


def unanswered(
    who: Sequence[Subject], assigned: Sequence[Assignment], left_out: Sequence[LeftOut], parts: Sequence[str]
) -> list[LeftOut]:
    """Say which benchmarks prediction files do not answer, and what would.

    Args:
        who: agents and prediction files.
        assigned: the assignments that were done.
        left_out: what is left out for other reasons.
        parts: benchmarks that were asked for.
    """
    known = {(one.benchmark, name) for one in left_out for name in one.agents}
    known |= {(assignment.benchmark, name) for assignment in assigned for name in assignment.answers}
    files = [subject.name for subject in who if subject.predictions is not None]
    return [_unanswered(part, name) for name in files for part in parts if (part, name) not in known]


def _unanswered(benchmark: str, name: str) -> LeftOut:
    return LeftOut(
        benchmark=benchmark,
        agents=(name,),
        reason="predictions for ordinary episodes do not show it",
        remedy=f"diagnose the agent itself, or let it answer the cases of `vlnscope build {benchmark}` "
        f"and add --cases {benchmark}=DIR --answers {benchmark}=FILE",
    )


def _question(
    name: str, part: CaseConfig | None, cases: Mapping[str, Path], agents: tuple[Subject, ...]
) -> Assignment:
    folder = cases.get(name)
    benchmark = part.benchmark if part else name
    return Assignment(name, benchmark, None if folder else part, folder, agents)


def _check_answers(
    files: Mapping[str, Path],
    answers: Mapping[str, Sequence[Path]],
    cases: Mapping[str, Path],
    *,
    has_agents: bool,
) -> None:
    if answers and len(files) != 1:
        raise InputError(
            f"answers for {', '.join(answers)} are given, and {len(files)} prediction files",
            expected="one prediction file, to whose agent the answers belong",
            fix="diagnose one prediction file at a time",
        )
    without = [name for name in answers if name not in cases and not has_agents]
    if without:
        raise InputError(
            f"answers for {without[0]} are given, but not its cases",
            expected="the folder of the cases that were answered",
            fix=f"add --cases {without[0]}=DIR, made by `vlnscope build {without[0]}`",
        )


def _check_given(answers: Mapping[str, Sequence[Path]], cases: Mapping[str, Path]) -> None:
    for path in (path for files in answers.values() for path in files):
        if not path.is_file():
            what = f"{path}: there is no such file"
            raise InputError(what, expected="a prediction file", fix="check the name")
    for name, folder in cases.items():
        benchmark = CaseSet.load(folder).benchmark
        if benchmark != name:
            raise InputError(
                f"{folder}: holds cases of {benchmark}",
                expected=f"cases of {name}",
                fix=f"write --cases {benchmark}={folder}, or name the folder of `vlnscope build {name}`",
            )
