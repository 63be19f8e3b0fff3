"""Brings all that was found together: the content of ``findings.json``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vlnscope.benchmarks.kit.benchmark import diagnosed_names, get_benchmark
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.engine.store.run_folder import EVIDENCE, read_record
from vlnscope.evaluate.diagnose.assignments import Assignment, unanswered
from vlnscope.evaluate.diagnose.folder import DiagnosisConfig, DiagnosisFolder
from vlnscope.evaluate.diagnose.subjects import Subject
from vlnscope.reporting.report_data import EvidenceLink, LeftOut, Report, ReportedAgent
from vlnscope.reporting.sources.reproducibility import CardRun, reproducibility_card, shell_line
from vlnscope.reporting.verdicts import verdicts


def assemble(
    folder: DiagnosisFolder,
    config: DiagnosisConfig,
    assigned: Sequence[Assignment],
    findings_by_name: Mapping[str, Findings],
    left_out: Sequence[LeftOut],
    parts: Sequence[str],
    *,
    partial: bool = False,
) -> Report:
    """Return the report of a diagnosis.

    Args:
        folder: where the runs lie.
        config: what was asked.
        assigned: the assignments that were done.
        findings_by_name: what the answers mean, by assignment.
        left_out: what could not be asked.
        parts: benchmarks that were asked for.
        partial: whether incomplete prediction files were taken.
    """
    findings = tuple(findings_by_name.values())
    names = tuple(subject.name for subject in folder.subjects)
    answered = [assignment for assignment in assigned if assignment.name in findings_by_name]
    missing = (*left_out, *unanswered(folder.subjects, answered, left_out, parts))
    return Report(
        title=f"What {_listed(names)} can and cannot do",
        data=config.data,
        size=config.size,
        agents=tuple(_reported(folder, subject, answered) for subject in folder.subjects),
        findings=findings,
        verdicts=tuple(verdict for name in names for verdict in verdicts(findings, name)),
        links=tuple(_links(folder, answered)),
        left_out=missing,
        card=reproducibility_card(
            list(_card_runs(folder, answered)),
            commands=[_command(folder.subjects, config, assigned, parts, partial=partial)],
            left_out=missing,
        ),
    )


def _reported(folder: DiagnosisFolder, subject: Subject, answered: Sequence[Assignment]) -> ReportedAgent:
    runs = [folder.run(subject.name, one.name) for one in answered if subject.name in one.subjects]
    if not runs:
        return ReportedAgent(name=subject.name, identity=subject.name)
    records = [read_record(run) for run in runs]
    agent = records[0].agent
    return ReportedAgent(
        name=subject.name,
        identity=agent.identity,
        source="agent" if subject.predictions is None else "predictions",
        privileged=agent.privileged,
        explored=agent.explored,
        needs=agent.needs,
        cases=sum(record.size for record in records),
        failed=sum(record.failed or 0 for record in records),
        notes=tuple(_coverage(folder, subject, answered)),
    )


def _coverage(folder: DiagnosisFolder, subject: Subject, answered: Sequence[Assignment]) -> Iterable[str]:
    """Say which numbers of an agent stand on a part of the cases, and on how many."""
    parts: dict[tuple[int, int], list[str]] = {}
    for assignment in answered:
        if subject.name in assignment.subjects:
            run = folder.run(subject.name, assignment.name)
            counts = (run / EVIDENCE).read_bytes().count(b"\n"), read_record(run).size
            parts.setdefault(counts, []).append(assignment.benchmark)
    for (done, size), names in parts.items():
        if done < size:
            yield f"incomplete: {_listed(names)} on {done:,} of {size:,} cases only"


def _links(folder: DiagnosisFolder, answered: Sequence[Assignment]) -> Iterable[EvidenceLink]:
    for assignment in answered:
        data = CaseSet.load(folder.cases(assignment.name)).data
        for name in assignment.subjects:
            yield EvidenceLink(
                benchmark=assignment.benchmark,
                data=data,
                agent=name,
                evidence=folder.relative(folder.run(name, assignment.name) / EVIDENCE),
                scores=folder.relative(folder.scores(name, assignment.name)),
            )


def _card_runs(folder: DiagnosisFolder, answered: Sequence[Assignment]) -> Iterable[CardRun]:
    for assignment in answered:
        for name in assignment.subjects:
            run = folder.run(name, assignment.name)
            yield CardRun(name, folder.relative(run), read_record(run), CaseSet.load(run))


def _command(
    subjects: Sequence[Subject],
    config: DiagnosisConfig,
    assigned: Sequence[Assignment],
    parts: Sequence[str],
    *,
    partial: bool,
) -> str:
    """Return what does it again; DIR stands for folders, whose names do not matter."""
    words = ["vlnscope", "diagnose", *map(_given, subjects), "--data", config.data]
    words += ["--quick"] if config.size == "quick" else []
    some = set(parts) != set(diagnosed_names())
    words += [word for part in parts for word in ("--only", part)] if some else []
    for assignment in assigned:
        words += ["--cases", f"{assignment.benchmark}=DIR"] if assignment.given else []
        answer_files = [",".join(path.name for path in files) for files in assignment.answers.values()]
        own = get_benchmark(assignment.benchmark).predictions is None
        words += ["--answers", f"{assignment.benchmark}={answer_files[0]}"] if answer_files and own else []
    words += ["--partial"] if partial else []
    words += ["--seed", str(config.seed), "--out", "DIR"]
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
