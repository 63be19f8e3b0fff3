"""The same number has the same interval, whichever verb prints it."""

from __future__ import annotations

from pathlib import Path

import pytest

import vlnscope as vs
from vlnscope.evaluate.compare.compare import compare
from vlnscope.evaluate.diagnose.diagnose import diagnose
from vlnscope.evaluate.report.report import gather

SAMPLE = Path(vs.__file__).parent / "sample" / "predictions"
DATA = "sample/demo"
METRICS = ("SR", "SPL", "nDTW", "NE", "OSR", "CLS")


def test_score_compare_report_and_diagnose_agree(tmp_path: Path) -> None:
    file = SAMPLE / "walker.json"
    other = tmp_path / "other.json"
    other.write_text(file.read_text())
    expected = {
        name: (interval.mean, interval.low, interval.high)
        for name, interval in vs.score(file, DATA, metrics=METRICS).intervals.items()
    }
    assert all(None not in ends for ends in expected.values())

    compared = compare(file, other, data=DATA, metrics=METRICS)
    rows = {row.metric: row.interval for row in compared.agents if row.agent == "walker"}
    assert {name: (one.mean, one.low, one.high) for name, one in rows.items()} == expected

    findings = diagnose(str(file), DATA, out=tmp_path / "d", size="full", parts=["outcomes"]).report.findings
    reported = gather([str(file)], data=DATA).report.findings
    for found, prefix in ((findings[0], ""), (reported[0], "mean.")):
        said = {one.key: one for one in found.statements}
        for name, ends in expected.items():
            if prefix + name in said:
                one = said[prefix + name]
                scale = 100.0 if one.unit == "%" else 1.0
                assert (one.value, one.low, one.high) == pytest.approx(tuple(scale * end for end in ends))
        assert prefix + "SR" in said
