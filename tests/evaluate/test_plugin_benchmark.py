"""A benchmark and a report section from elsewhere are treated like those that are built in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from markupsafe import Markup

from commands import Cli
from vlnscope.benchmarks.kit.abilities import Ability, abilities
from vlnscope.benchmarks.kit.benchmark import Chapter, diagnosed_names, register_benchmark
from vlnscope.core import registry
from vlnscope.evaluate.diagnose.diagnose import diagnose
from vlnscope.reporting.page.content import PageContent, PagePart, register_section
from vlnscope.reporting.verdicts import headline

MODULES = {
    "__init__": "",
    "build": """
from vlnscope.benchmarks.outcomes.build import build_cases as ordinary
from msgspec.structs import replace

def build_cases(dataset, *, most=3, seed=0):
    return replace(ordinary(dataset, most=most, seed=seed), benchmark="strolls", options={"most": most})
""",
    "protocol": "from vlnscope.benchmarks.outcomes.protocol import rules",
    "score": """
from vlnscope.types import ScoreRow

def score_cases(case_set, evidence, scenes, *, profile="default"):
    return [
        ScoreRow(
            episode_id=case.case_id,
            scan=case.episode.scan,
            path_id=case.episode.path_id,
            values={"steps": float(len(evidence[case.case_id].path) - 1)},
            groups=case.groups,
        )
        for case in case_set.cases
        if case.case_id in evidence
    ]
""",
    "findings": """
from vlnscope.benchmarks.kit.findings import Findings, Statement, Wording

def find(case_set, rows_by_agent):
    said = []
    for agent, rows in rows_by_agent.items():
        moved = 100.0 * sum(row.values["steps"] > 0 for row in rows) / len(rows)
        said.append(Statement(
            key="moving", agent=agent, value=moved, low=moved, high=moved, n=len(rows), topic="strolling",
            worst=0.0, best=100.0, wording=Wording(plain="walks in {value} of its cases"),
        ))
    agents = tuple(rows_by_agent)
    return Findings(benchmark="strolls", data=case_set.data, agents=agents, statements=tuple(said))
""",
}


def greeting(content: PageContent) -> Iterator[PagePart]:
    html = Markup("<section id='greeting'>{}</section>").format(f"Hello, {content.report.title}")
    yield PagePart(anchor="greeting", title="Greeting", html=html)


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    package = tmp_path / "strolls_of_a_test"
    package.mkdir()
    for name, source in MODULES.items():
        (package / f"{name}.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    register_benchmark(
        "strolls",
        question="does it walk at all?",
        paper="nobody's",
        package=package.name,
        sizes={"quick": {"most": 4}},
        chapters=(Chapter(title="Strolling", anchor="strolling"),),
        abilities={"strolling": Ability(can="strolls", cannot="does not stroll", partly="strolls at times")},
    )
    register_section("greeting", order=50, make=greeting)
    yield
    for kind, name in (("benchmark", "strolls"), ("report-section", "greeting")):
        del registry._kinds[kind].entries[name]


@pytest.mark.usefixtures("plugin")
def test_a_benchmark_from_elsewhere_is_diagnosed_and_reported(tmp_path: Path, cli: Cli) -> None:
    assert diagnosed_names()[-1] == "strolls"
    assert list(abilities())[-1] == "strolling"
    out = tmp_path / "diagnosis"
    result = diagnose("random", "houses/val_unseen@1", out=out, size="quick", parts=["strolls"])
    assert [findings.benchmark for findings in result.report.findings] == ["strolls"]
    assert [headline(verdict) for verdict in result.report.verdicts] == ["strolls"]
    assert len((out / "cases/strolls/cases.jsonl").read_text().splitlines()) == 4
    page = result.page.read_text()
    assert '<h2 id="strolling-title">Strolling</h2>' in page
    assert '<a href="#greeting">Greeting</a>' in page
    assert page.index('id="summary"') < page.index("id='greeting'") < page.index('id="strolling"')
    run = out / "runs/random/strolls"
    said = json.loads(cli("report", run, "--json").out)
    assert [one["benchmark"] for one in said["findings"]] == ["strolls"]
    assert cli("score", run, "--json").data["cases"] == 4
    assert (run / "scores.parquet").is_file()


@pytest.mark.usefixtures("plugin")
def test_a_report_can_be_read_where_its_benchmark_is_missing(tmp_path: Path, cli: Cli) -> None:
    out = tmp_path / "diagnosis"
    diagnose("random", "houses/val_unseen@1", out=out, size="quick", parts=["strolls"])
    held = registry._kinds["benchmark"].entries.pop("strolls")
    try:
        assert cli("report", out, "--out", tmp_path / "again", "--format", "html").code == 0
        page = (tmp_path / "again/report.html").read_text()
        assert "shows strolling" in page
        assert '<h2 id="part-1-title">Strolls</h2>' in page
    finally:
        registry._kinds["benchmark"].entries["strolls"] = held
