"""What must hold of every finding, whoever makes it: intervals in range, and words that follow them."""

from __future__ import annotations

import pytest

from vlnscope.benchmarks.kit.findings import Findings, Statement, Table
from vlnscope.reporting.sentences import sentence
from vlnscope.reporting.verdicts import headline, verdicts

RANGES = {"%": (0.0, 100.0), "points": (-200.0, 200.0), "% change": (-100.0, None), "m": (None, None)}
PAIRS = {"low": "high", "from": "to", "low of failures": "high of failures"}


def checked(findings: Findings) -> Findings:
    """Return findings of which all holds that must."""
    check_findings(findings)
    return findings


def check_findings(findings: Findings) -> int:
    """Check all statements, tables and verdicts; return how many intervals were looked at."""
    for said in findings.statements:
        _check_statement(said)
    for agent in findings.agents:
        for verdict in verdicts([findings], agent):
            if verdict.grade == "cannot":
                assert verdict.statement.shows_absence, headline(verdict)
            if verdict.grade in ("can", "mostly", "partly"):
                assert verdict.statement.ability is not None
                assert verdict.statement.ability[0] > 0 or verdict.others, headline(verdict)
    return sum(map(_check_table, findings.tables)) + sum(said.low is not None for said in findings.statements)


def _check_statement(said: Statement) -> None:
    text = sentence(said)
    if said.low is None or said.high is None or said.value is None:
        return
    slack = 1e-9 * max(1.0, abs(said.value))
    assert said.low - slack <= said.value <= said.high + slack, text
    low, high = RANGES.get(said.unit, (0.0, None))
    assert low is None or said.low >= low, text
    assert high is None or said.high <= high, text
    if said.null is None:
        return
    inside = said.low <= said.null <= said.high
    assert (said.verdict == "unclear") == inside, text
    if said.p is not None:
        assert (said.p < 0.05) == (not inside) or said.p == pytest.approx(0.05), text


def _check_table(table: Table) -> int:
    """Look at the columns of intervals: the number stands before them."""
    count = 0
    for at, name in enumerate(table.columns[:-1]):
        if PAIRS.get(name) != table.columns[at + 1]:
            continue
        for row in table.rows:
            value, low, high = row[at - 1], row[at], row[at + 1]
            if isinstance(value, float) and isinstance(low, float) and isinstance(high, float):
                count += 1
                assert low - 1e-9 <= value <= high + 1e-9, (table.name, row)
                assert (
                    "%" not in table.columns[at - 1]
                    or "change" in table.columns[at - 1]
                    or 0 <= low <= high <= 100
                )
    return count
