"""Brings all that was found together: the content of ``findings.json``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vlnscope.benchmarks.kit.benchmark import benchmark_names, get_benchmark
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.engine.store.run_folder import EVIDENCE, read_record
from vlnscope.evaluate.diagnose.layout import Layout, Plan
from vlnscope.evaluate.diagnose.named_agents import Subject
from vlnscope.evaluate.diagnose.questions import Question, unanswered
from vlnscope.reporting.report_data import EvidenceLink, LeftOut, Report, ReportedAgent
from vlnscope.reporting.sources.reproducibility import CardRun, reproducibility_card, shell_line
from vlnscope.reporting.verdicts import verdicts


def assemble(
    place: Layout,
    plan: Plan,
    asked: Sequence[Question],
    found: Mapping[str, Findings],
    left_out: Sequence[LeftOut],
    parts: Sequence[str],
    *,
    partial: bool = False,
) -> Report:
    """Return the report of a diagnosis.

    Args:
        place: where the runs lie.
        plan: what was asked.
        asked: the questions that were answered.
        found: what the answers mean, by question.
        left_out: what could not be asked.
        parts: benchmarks that were asked for.
        partial: whether incomplete prediction files were taken.
    """
    findings = tuple(found.values())
    names = tuple(subject.name for subject in place.who)
    answered = [question for question in asked if question.name in found]
    missing = (*left_out, *unanswered(place.who, answered, left_out, parts))
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
            commands=[_command(place.who, plan, asked, parts, partial=partial)],
            left_out=missing,
        ),
    )


def _reported(place: Layout, subject: Subject, answered: Sequence[Question]) -> ReportedAgent:
    folders = [place.run(subject.name, q.name) for q in answered if subject.name in q.subjects]
    if not folders:
        return ReportedAgent(name=subject.name, identity=subject.name)
    records = [read_record(folder) for folder in folders]
    agent = records[0].agent
    return ReportedAgent(
        name=subject.name,
        identity=agent.identity,
        source="agent" if subject.predictions is None else "predictions",
        privileged=agent.privileged,
        needs=agent.needs,
        cases=sum(record.size for record in records),
        failed=sum(record.failed or 0 for record in records),
        notes=tuple(_coverage(place, subject, answered)),
    )


def _coverage(place: Layout, subject: Subject, answered: Sequence[Question]) -> Iterable[str]:
    """Say which numbers of an agent stand on a part of the cases, and on how many."""
    parts: dict[tuple[int, int], list[str]] = {}
    for question in answered:
        if subject.name in question.subjects:
            folder = place.run(subject.name, question.name)
            counts = (folder / EVIDENCE).read_bytes().count(b"\n"), read_record(folder).size
            parts.setdefault(counts, []).append(question.benchmark)
    for (done, size), names in parts.items():
        if done < size:
            yield f"incomplete: {_listed(names)} on {done:,} of {size:,} cases only"


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


def _command(
    who: Sequence[Subject],
    plan: Plan,
    asked: Sequence[Question],
    parts: Sequence[str],
    *,
    partial: bool,
) -> str:
    """Return what does it again; DIR stands for folders, whose names do not matter."""
    words = ["vlnscope", "diagnose", *map(_given, who), "--data", plan.data]
    words += ["--quick"] if plan.size == "quick" else []
    some = set(parts) != set(benchmark_names())
    words += [word for part in parts for word in ("--only", part)] if some else []
    for question in asked:
        words += ["--cases", f"{question.benchmark}=DIR"] if question.given else []
        given = [",".join(path.name for path in files) for files in question.answers.values()]
        own = get_benchmark(question.benchmark).predictions is None
        words += ["--answers", f"{question.benchmark}={given[0]}"] if given and own else []
    words += ["--partial"] if partial else []
    words += ["--seed", str(plan.seed), "--out", "DIR"]
    return shell_line(words)


def _given(subject: Subject) -> str:
    """Return how a subject is named on the command line; of an agent that is an object, its class."""
    if subject.predictions is not None:
        return f"{subject.name}={subject.predictions.name}"
    if isinstance(subject.agent, str):
        return subject.agent if subject.name == subject.agent else f"{subject.name}={subject.agent}"
    return f"{type(subject.agent).__module__}:{type(subject.agent).__qualname__}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
