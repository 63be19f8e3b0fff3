"""What a check finds, and the report that holds all of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from vlnscope.core.results import Block, Line, Result, notes
from vlnscope.core.tables import Columns
from vlnscope.core.toml_file import packaged_toml

Severity = Literal["error", "warning", "info"]
_KINDS = packaged_toml(__name__)
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
IDS_SHOWN = 5
EXAMPLES_SHOWN = 3
_STYLES = {"error": "bold red", "warning": "bold yellow", "info": "bold blue"}


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


def finding(kind: str, episode_id: str | None, **details: object) -> SubmissionFinding:
    """Return a finding of a kind that problems.toml describes; `details` fill in its words.

    Example:
        >>> finding("illegal-edge", "1_0", step=2, a="x", b="y", more="").what
        'step 2 goes from x to y, which share no edge'
    """
    row = _KINDS[kind]
    texts = (row[part].format(**details) for part in ("what", "fix"))
    return SubmissionFinding(row.get("code", kind), row["severity"], episode_id, *texts)


class FindingGroup(NamedTuple):
    """All findings of one kind, in the order in which they were found."""

    code: str
    severity: Severity
    findings: tuple[SubmissionFinding, ...]


@dataclass(frozen=True)
class CheckReport(Result):
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
        by_kind: dict[tuple[str, Severity], list[SubmissionFinding]] = {}
        for finding in self.findings:
            by_kind.setdefault((finding.code, finding.severity), []).append(finding)
        return [FindingGroup(*key, tuple(group)) for key, group in by_kind.items()]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "predictions": self.predictions,
            "dataset": self.dataset,
            "episodes": self.episodes,
            "predicted": self.predicted,
            "ok": self.ok,
            "counts": {severity: self.count(severity) for severity in SEVERITIES},
            "findings": self.records(),
        }

    def records(self) -> list[dict[str, Any]]:
        """Return one row per finding."""
        return [finding._asdict() for finding in self.findings]

    def columns(self) -> Columns:
        """Return the records as columns; all of them, even where nothing was found."""
        return {name: [getattr(f, name) for f in self.findings] for name in SubmissionFinding._fields}

    def display(self) -> Iterator[Block]:
        """Yield examples of each kind of finding, with what to do, and a verdict."""
        for group in self.groups():
            yield from _blocks(group)
        errors, warnings = self.count("error"), self.count("warning")
        verdict = f"{errors} errors, {warnings} warnings" if errors or warnings else "fine"
        yield Line(
            f"{self.predicted} predictions for the {self.episodes} episodes of {self.dataset}: {verdict}"
        )


def _blocks(group: FindingGroup) -> Iterator[Block]:
    ids = [finding.episode_id for finding in group.findings if finding.episode_id is not None]
    some = f": {', '.join(ids[:IDS_SHOWN])}" + (", …" if len(ids) > IDS_SHOWN else "") if ids else ""
    yield Line(f" × {len(group.findings)}{some}", f"{group.severity} {group.code}", _STYLES[group.severity])
    by_text: dict[str, SubmissionFinding] = {}
    for finding in group.findings:
        by_text.setdefault(finding.what, finding)
    examples = list(by_text.values())
    for finding in examples[:EXAMPLES_SHOWN]:
        who = f"{finding.episode_id} " if finding.episode_id is not None and len(examples) > 1 else ""
        yield Line(f"    {who}{finding.what}")
    fixes = list(dict.fromkeys(finding.fix for finding in examples))
    yield from notes(f"    fix: {fix}" for fix in fixes[:EXAMPLES_SHOWN])


def by_severity(findings: Iterable[SubmissionFinding]) -> tuple[SubmissionFinding, ...]:
    """Sort findings by severity, those of the whole file first; else their order stays."""
    rank = {severity: i for i, severity in enumerate(SEVERITIES)}
    return tuple(sorted(findings, key=lambda f: (rank[f.severity], f.episode_id is not None)))
