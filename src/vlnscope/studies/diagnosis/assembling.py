"""Brings all that was found together: the content of ``findings.json``."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence

from vlnscope.benchmarks.case_set import CaseSet
from vlnscope.benchmarks.findings import Findings
from vlnscope.engine.store import EVIDENCE, read_record
from vlnscope.reporting.report_data import EvidenceLink, LeftOut, Report, ReportedAgent
from vlnscope.reporting.reproducibility import CardRun, reproducibility_card
from vlnscope.reporting.verdicts import verdicts
from vlnscope.studies.diagnosis.layout import Layout, Plan
from vlnscope.studies.diagnosis.named_agents import Subject
from vlnscope.studies.diagnosis.questions import Question, unanswered


def assemble(
    place: Layout,
    plan: Plan,
    asked: Sequence[Question],
    found: Mapping[str, Findings],
    left_out: Sequence[LeftOut],
    replicates: int,
) -> Report:
    """Return the report of a diagnosis.

    Args:
        place: where the runs lie.
        plan: what was asked.
        asked: the questions that were answered.
        found: what the answers mean, by question.
        left_out: what could not be asked.
        replicates: resamples of the intervals.
    """
    findings = tuple(found.values())
    names = tuple(subject.name for subject in place.who)
    answered = [question for question in asked if question.name in found]
    missing = (*left_out, *unanswered(place.who, answered))
    return Report(
        title=f"What {_listed(names)} can and cannot do",
        data=plan.data,
        size=plan.size,
        agents=tuple(_reported(place, subject, answered) for subject in place.who),
        findings=findings,
        verdicts=tuple(verdict for name in names for verdict in verdicts(findings, name)),
        links=tuple(_links(place, answered)),
        left_out=missing,
        card=reproducibility_card(
            list(_card_runs(place, answered)),
            replicates=replicates,
            seed=plan.seed,
            commands=[_command(place.who, plan, replicates)],
            left_out=missing,
        ),
    )


def _reported(place: Layout, subject: Subject, answered: Sequence[Question]) -> ReportedAgent:
    folders = [place.run(subject.name, q.name) for q in answered if subject.name in q.subjects]
    if not folders:
        return ReportedAgent(name=subject.name, identity=subject.name)
    record = read_record(folders[0]).agent
    return ReportedAgent(
        name=subject.name,
        identity=record.identity,
        source="agent" if subject.predictions is None else "predictions",
        privileged=record.privileged,
        needs=record.needs,
    )


def _links(place: Layout, answered: Sequence[Question]) -> Iterable[EvidenceLink]:
    for question in answered:
        data = CaseSet.load(place.cases(question.name)).data
        for name in question.subjects:
            yield EvidenceLink(
                benchmark=question.benchmark,
                data=data,
                agent=name,
                evidence=place.relative(place.run(name, question.name) / EVIDENCE),
                scores=place.relative(place.scores(name, question.name)),
            )


def _card_runs(place: Layout, answered: Sequence[Question]) -> Iterable[CardRun]:
    for question in answered:
        for name in question.subjects:
            folder = place.run(name, question.name)
            yield CardRun(name, place.relative(folder), read_record(folder), CaseSet.load(folder))


def _command(who: Sequence[Subject], plan: Plan, replicates: int) -> str:
    quick = ["--quick"] if plan.size == "quick" else []
    rest = ["--seed", str(plan.seed), "--resamples", str(replicates), "--out", "DIR"]
    return shlex.join(["vlnscope", "diagnose", *map(_given, who), "--data", plan.data, *quick, *rest])


def _given(subject: Subject) -> str:
    """Return how a subject is named on the command line; of an agent that is an object, its class."""
    if subject.predictions is not None:
        return f"{subject.name}={subject.predictions.name}"
    if isinstance(subject.agent, str):
        return subject.agent if subject.name == subject.agent else f"{subject.name}={subject.agent}"
    return f"{type(subject.agent).__module__}:{type(subject.agent).__qualname__}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
