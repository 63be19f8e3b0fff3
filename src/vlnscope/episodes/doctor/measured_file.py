"""Checks a file that states metrics of episodes and no walks: which episodes it has, and what it serves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.doctor.other_splits import same_ids
from vlnscope.episodes.doctor.problems import CheckReport, SubmissionFinding, by_severity, error, finding
from vlnscope.episodes.doctor.targets import Targets, label
from vlnscope.episodes.format import SUMMARY, Problem
from vlnscope.episodes.measured import MeasuredEpisode, read_measured
from vlnscope.episodes.stated import metric_called, summary_of


def check_measured(
    paths: Sequence[Path], dataset: Dataset, targets: Targets, root: Path | None
) -> CheckReport:
    """Return what there is to know about files with metrics of episodes.

    Args:
        paths: the files, which count as one.
        dataset: what they are checked against.
        targets: its episodes.
        root: folder of the data, to look for the split that the ids are of.
    """
    findings: list[SubmissionFinding] = []
    seen: dict[str, MeasuredEpisode] = {}
    for path in paths:
        for episode in read_measured(path, on_problem=lambda problem: findings.append(_of(problem))):
            if episode.episode_id in seen:
                findings.append(finding("duplicate-id", episode.episode_id))
            seen.setdefault(episode.episode_id, episode)
    fields = dict.fromkeys(field for episode in seen.values() for field in episode.values)
    known = [f"{field} ({metric})" for field in fields if (metric := metric_called(field)) is not None]
    findings.append(finding("metrics-only", None, metrics=", ".join(known)))
    findings += _strangers(seen, targets, label(dataset))
    findings += [finding("missing", name) for name in targets if name not in seen]
    if not all(name in targets for name in seen) and (hint := same_ids(dataset, seen, root)):
        findings.append(error("other-split", None, *hint.split("; ")))
    names = ", ".join(map(str, paths))
    return CheckReport(names, label(dataset), len(targets), len(seen), by_severity(findings))


def _of(problem: Problem) -> SubmissionFinding:
    if problem.code == SUMMARY:
        return summary_finding(problem)
    what = f"{problem.where.rpartition(': ')[2]}: {problem.what}; expected: {problem.expected}"
    return error(problem.code, problem.episode_id, what, problem.fix)


def summary_finding(problem: Problem) -> SubmissionFinding:
    """Return what is found where a summary stands among the records."""
    stated = summary_of(problem.where, problem.record)
    numbers = ", ".join(f"{name} {value:.4f}" for name, value in stated.values.items())
    return finding("summary", None, record=problem.where.rpartition(": ")[2], numbers=numbers)


def _strangers(seen: dict[str, MeasuredEpisode], targets: Targets, data: str) -> Iterator[SubmissionFinding]:
    for name, episode in seen.items():
        target = targets.get(name)
        if target is None:
            yield error("extra", name, f"is not in {data}", f"remove it; ids look like {next(iter(targets))}")
        elif episode.scan and episode.scan != target.scan:
            yield finding("other-scene", name, scan=episode.scan, data=data, expected=target.scan)
