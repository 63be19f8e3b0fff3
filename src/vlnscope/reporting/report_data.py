"""What a report is made of: ``findings.json`` of a diagnosis. Every sentence of a report comes from here."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.core.json_file import read_json, write_json
from vlnscope.reporting.verdicts import Verdict

VERSION: Literal[1] = 1


class ReportedAgent(msgspec.Struct, frozen=True, kw_only=True):
    """An agent of a report.

    Attributes:
        name: as everywhere in the report.
        identity: with all its options; of predictions, the name of the file.
        source: whether it was run, or only what it predicted is known.
        privileged: it was told the reference.
        explored: it looked around the building before it walked (pre-exploration).
        needs: what it looks at.
        cases: how many cases it was asked, all parts together.
        failed: in how many of them it broke down; they count as wrong.
        notes: what a reader must know before any number of it, such as how many episodes these stand on.
    """

    name: str
    identity: str
    source: Literal["agent", "predictions"] = "agent"
    privileged: bool = False
    explored: bool = False
    needs: tuple[str, ...] = ()
    cases: int = 0
    failed: int = 0
    notes: tuple[str, ...] = ()


class EvidenceLink(msgspec.Struct, frozen=True, kw_only=True):
    """Where the numbers of one agent in one benchmark come from; paths from the folder of the report.

    Attributes:
        benchmark: whose numbers.
        data: on what data set, as `Findings.data`.
        agent: of whom.
        evidence: what the agent did, a case a line.
        scores: a Parquet file with a row per case; its metrics and groups are what statements rest on.
    """

    benchmark: str
    data: str
    agent: str
    evidence: str
    scores: str


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """A benchmark that could not be had, for some agents or for all, why, and what would allow it."""

    benchmark: str
    agents: tuple[str, ...]
    reason: str
    remedy: str = ""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The content of ``findings.json``: the same input and version give the same bytes.

    Attributes:
        v: version of this layout.
        title: of the page.
        data: what the agents were asked on.
        size: ``quick``, ``full``, or empty where the runs were made one by one.
        agents: in the order in which they were named.
        findings: by benchmark, in the order of the report.
        verdicts: for all agents, in the order of `verdicts`: what each cannot do first.
        links: where the numbers come from.
        left_out: what could not be said.
        card: what is needed to make the same again: versions, seeds, digests, commands.
    """

    v: Literal[1] = VERSION
    title: str
    data: str
    size: str = ""
    agents: tuple[ReportedAgent, ...]
    findings: tuple[Findings, ...]
    verdicts: tuple[Verdict, ...] = ()
    links: tuple[EvidenceLink, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    card: dict[str, Any] = msgspec.field(default_factory=dict)

    def save(self, path: str | Path) -> Path:
        """Write a JSON file."""
        return write_json(path, self)

    @classmethod
    def load(cls, path: str | Path) -> Report:
        """Read a JSON file."""
        return read_json(path, cls, "findings as `vlnscope diagnose` writes them", "make them again")
