"""What a check finds, and the report that holds all of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Literal, NamedTuple

from vlnscope.core.json_file import write_json
from vlnscope.core.tables import Columns, Tabular

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


class SubmissionFinding(NamedTuple):
    """One thing to know about a submission.

    Attributes:
        code: short stable name of the kind of finding, e.g. ``illegal-edge``.
        severity: ``error`` if an evaluator refuses the submission or scores something else than was meant,
            ``warning`` if the numbers may not say what they seem to, ``info`` if nothing needs to be done.
        episode_id: the episode; None if it concerns the whole file.
        what: what was found.
        fix: what to do.
    """

    code: str
    severity: Severity
    episode_id: str | None
    what: str
    fix: str


def error(code: str, episode_id: str | None, what: str, fix: str) -> SubmissionFinding:
    """Return a finding that makes a submission unfit."""
    return SubmissionFinding(code, "error", episode_id, what, fix)


def warning(code: str, episode_id: str | None, what: str, fix: str) -> SubmissionFinding:
    """Return a finding that may mislead a reader."""
    return SubmissionFinding(code, "warning", episode_id, what, fix)


def info(code: str, episode_id: str | None, what: str, fix: str) -> SubmissionFinding:
    """Return a finding that needs no action."""
    return SubmissionFinding(code, "info", episode_id, what, fix)


class FindingGroup(NamedTuple):
    """All findings of one kind, in the order in which they were found."""

    code: str
    severity: Severity
    findings: tuple[SubmissionFinding, ...]


@dataclass(frozen=True)
class CheckReport(Tabular):
    """What was found in a submission.

    Attributes:
        predictions: the file that was checked.
        dataset: the data set it was checked against.
        episodes: how many episodes that has.
        predicted: how many predictions could be read.
        findings: everything found: errors first, then warnings, then the rest.
    """

    predictions: str
    dataset: str
    episodes: int
    predicted: int
    findings: tuple[SubmissionFinding, ...]

    @property
    def ok(self) -> bool:
        """Whether there is no error among the findings."""
        return not self.count("error")

    def count(self, severity: Severity) -> int:
        """Return the number of findings of a severity."""
        return sum(finding.severity == severity for finding in self.findings)

    def groups(self) -> list[FindingGroup]:
        """Return the findings by kind, in the order of `findings`."""
        found: dict[tuple[str, Severity], list[SubmissionFinding]] = {}
        for finding in self.findings:
            found.setdefault((finding.code, finding.severity), []).append(finding)
        return [FindingGroup(*key, tuple(group)) for key, group in found.items()]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "predictions": self.predictions,
            "dataset": self.dataset,
            "episodes": self.episodes,
            "predicted": self.predicted,
            "ok": self.ok,
            "counts": {severity: self.count(severity) for severity in SEVERITIES},
            "findings": [finding._asdict() for finding in self.findings],
        }

    def columns(self) -> Columns:
        """Return one row per finding."""
        return {name: [getattr(f, name) for f in self.findings] for name in SubmissionFinding._fields}

    def save(self, path: str | Path) -> None:
        """Write `to_dict` as a JSON file."""
        write_json(path, self.to_dict())

    def _repr_html_(self) -> str:
        head = "<tr><th></th><th>finding</th><th>count</th><th>for example</th><th>fix</th></tr>"
        body = "".join(
            f"<tr><td>{group.severity}</td><td>{escape(group.code)}</td><td>{len(group.findings)}</td>"
            f"<td>{escape(sentence(group.findings[0]))}</td><td>{escape(group.findings[0].fix)}</td></tr>"
            for group in self.groups()
        )
        caption = f"{escape(self.predictions)} for {escape(self.dataset)}"
        return f"<table><caption>{caption}</caption>{head}{body}</table>"


def sentence(finding: SubmissionFinding) -> str:
    """Return what was found, with the episode in front.

    Example:
        >>> sentence(Finding("missing", "error", "12_0", "has no prediction", "predict it"))
        'episode 12_0: has no prediction'
    """
    return finding.what if finding.episode_id is None else f"episode {finding.episode_id}: {finding.what}"


def by_severity(findings: Iterable[SubmissionFinding]) -> tuple[SubmissionFinding, ...]:
    """Sort findings by severity, those of the whole file first; else their order stays."""
    rank = {severity: i for i, severity in enumerate(SEVERITIES)}
    return tuple(sorted(findings, key=lambda f: (rank[f.severity], f.episode_id is not None)))
