"""Findings of fidelity: effects are found where there are any, and only there; the paper's tables."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sound_findings import checked
from vlnscope.agents.protocol import Annotation
from vlnscope.agents.rules.shortest import way_to
from vlnscope.benchmarks.fidelity.build.cases import build_cases
from vlnscope.benchmarks.fidelity.findings.find import find
from vlnscope.benchmarks.fidelity.findings.goal_and_path import ignoring
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Findings, Statement, Table
from vlnscope.cli.main import command_line
from vlnscope.engine.run import run
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.evaluate.benchmarking import find_runs
from vlnscope.types import Decision, Observation, Rules, ScoreRow

METRICS = ("SR", "SPL", "CLS", "nDTW", "sDTW")


def row(pair: str, variant: str, scan: str, **values: float) -> ScoreRow:
    defaults = dict.fromkeys((*METRICS, "SED", "TL", "NE"), 0.0)
    return ScoreRow(
        episode_id=f"{pair}-{variant}",
        scan=scan,
        path_id=pair,
        values={**defaults, **values},
        groups={"variant": variant, "pair": pair, "reference": "roundabout"},
    )


def planted(effect: float, scenes: int, episodes: int = 12) -> list[ScoreRow]:
    """Episodes whose CLS falls by `effect` on average, in each scene, without the instruction."""
    rows: list[ScoreRow] = []
    for number in range(scenes * episodes):
        place = number // scenes
        scan, noise = f"s{number % scenes}", 0.02 * (place // 2) * (-1) ** place
        rows.append(
            row(str(number), "full", scan, CLS=0.5 + noise + 0.01 * (number % scenes - (scenes - 1) / 2))
        )
        rows.append(row(str(number), "none", scan, CLS=0.5 - effect))
    return rows


def empty(**options: Any) -> CaseSet:
    return CaseSet(benchmark="fidelity", data="made/up", rules=Rules(), cases=(), options=options)


def said(found: Findings, agent: str, key: str) -> Statement:
    (statement,) = [it for it in found.statements if (it.agent, it.key) == (agent, key)]
    return statement


def table(found: Findings, name: str) -> Table:
    (it,) = [it for it in found.tables if it.name == name]
    return it


@pytest.mark.parametrize("scenes", [1, 3, 8])
def test_an_effect_is_found_if_there_is_one(scenes: int) -> None:
    found = checked(find(empty(), {"hears": planted(0.3, scenes), "deaf": planted(0.0, scenes)}))
    loss = said(found, "hears", "language.CLS.none")
    assert loss.verdict == "above"
    assert loss.value == pytest.approx(30, abs=3)
    assert loss.n == 12 * scenes
    assert len(loss.episodes) == 3
    assert ("paths" in loss.test) == (scenes < 6)
    assert said(found, "deaf", "language.CLS.none").verdict == "unclear"


def test_agents_that_do_the_same_are_said_to_do_the_same() -> None:
    same = [
        row(it.groups["pair"], it.groups["variant"], it.scan, CLS=int(it.groups["pair"]) * 7 % 11 / 11)
        for it in planted(0.0, 8)
    ]
    statement = said(find(empty(), {"deaf": same}), "deaf", "language.CLS.none")
    assert statement.verdict == "unclear"
    assert "exactly the same" in statement.wording.unclear
    assert statement.value == 0.0
    assert not statement.episodes


def test_pairs_that_are_not_complete_count_nowhere() -> None:
    rows = [it for it in planted(0.3, 8) if it.episode_id not in ("0-none", "1-full")]
    found = find(empty(), {"hears": rows})
    assert said(found, "hears", "language.CLS.none").n == 8 * 12 - 2
    only = [it for it in rows if it.groups["variant"] == "full"]
    assert not [it for it in find(empty(), {"x": only}).statements if it.key.startswith("language")]
    nothing = find(empty(), {"x": []})
    assert not nothing.statements
    assert nothing.agents == ("x",)


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1), st.floats(0, 1))
def test_successes_that_ignored_the_path(cases: list[tuple[bool, float]], threshold: float) -> None:
    rows = [row(str(k), "full", "s", SR=float(ok), CLS=cls) for k, (ok, cls) in enumerate(cases)]
    found = ignoring(rows, threshold)
    assert len(found) == sum(ok for ok, _ in cases)
    assert sum(it.values["ignored"] for it in found) == sum(ok and cls < threshold for ok, cls in cases)


def test_the_share_that_ignored_the_path_has_a_threshold() -> None:
    rows = [row(str(k), "full", f"s{k % 8}", SR=float(k % 4 > 0), CLS=k / 80) for k in range(80)]
    for threshold, share in ((0.5, 30 / 60), (0.25, 15 / 60)):
        found = find(empty(), {"x": rows}, ignored=threshold)
        statement = said(found, "x", "ignored-path")
        assert statement.value == pytest.approx(100 * share)
        assert statement.n == 60
        assert statement.episodes[0] == "1-full"
        assert table(found, "ignored-path").rows[0][:4] == ("x", "all", 80, 60)
    failures = find(empty(), {"x": [row("1", "full", "s")]})
    assert said(failures, "x", "ignored-path").value is None
    assert said(failures, "x", "ignored-path").reason == "it never reached the goal"


def test_goal_and_fidelity_are_compared() -> None:
    straight = [row(str(k), "full", f"s{k % 8}", SR=1, SPL=1, CLS=0.2 + k / 200) for k in range(80)]
    exact = [row(str(k), "full", f"s{k % 8}", SR=1, SPL=0.3 + k / 400, CLS=1) for k in range(80)]
    found = find(empty(), {"straight": straight, "exact": exact})
    assert said(found, "straight", "goal-versus-fidelity").verdict == "above"
    assert said(found, "exact", "goal-versus-fidelity").verdict == "below"
    (plane,) = [it for it in found.figures if it.name == "goal-versus-fidelity"]
    assert [panel.title for panel in plane.panels][1] == "CLS against SPL"
    assert [series.x[0] for series in plane.panels[1].series] == pytest.approx(
        [100.0, 100 * (0.3 + 39.5 / 400)]
    )


def test_published_rows_stand_beside_the_same_data_only() -> None:
    rows = {"x": planted(0.1, 2)}
    for data, variant, name, first in (
        ("r2r/val_unseen", "r4r", "table-4", 23.6),
        ("r2r/val_seen", "as-is", "table-3", 10.4),
    ):
        asked = CaseSet(
            benchmark="fidelity", data=data, rules=Rules(), cases=(), options={"variant": variant}
        )
        found = table(find(asked, rows), name)
        assert found.rows[0][:4] == ("Random (published)", "full", None, first)
        assert [it[0] for it in found.rows][-2:] == ["x", "x"]
        assert {len(it) for it in found.rows} == {len(found.columns)}
    assert len(table(find(empty(variant="r4r"), rows), "table-4").rows) == 2


class Obedient:
    """Walks the reference if the instruction is the whole one, and stays where it is otherwise."""

    needs = ("annotation",)

    def act(self, observation: Observation) -> Decision:
        told: Annotation = observation.seen["annotation"]
        path = told.episode.path
        if not observation.instruction or observation.step + 1 >= len(path):
            return Decision.stop(observation)
        graph = told.scene.graph
        return Decision.choose(observation, way_to(graph, observation.viewpoint, path[observation.step + 1]))


def test_an_agent_that_needs_words_is_told_from_those_that_do_not(tmp_path: Path) -> None:
    dataset = open_dataset("sample/demo")
    asked = build_cases(dataset, max_episodes=12, ablations=["full", "none"])
    asked.save(tmp_path / "cases")
    for name, agent in (("obedient", Obedient()), ("random", "random"), ("shortest", "shortest")):
        run(agent, dataset, out=tmp_path / name, cases=tmp_path / "cases")
    (found,) = find_runs([tmp_path / name for name in ("obedient", "random", "shortest")])
    agents = dict(zip(("obedient", "random", "shortest"), found.agents, strict=True))
    for metric in ("CLS", "nDTW", "sDTW"):
        assert said(found, agents["obedient"], f"language.{metric}.none").verdict == "above"
        for name in ("random", "shortest"):
            assert said(found, agents[name], f"language.{metric}.none").value == 0.0
    assert said(found, agents["obedient"], "ignored-path").value == 0.0
    assert said(found, agents["shortest"], "goal-versus-fidelity").verdict == "above"
    assert Findings.load(found.save(tmp_path / "found.json")) == found
    names = [it.name for it in found.figures]
    assert names[:4] == ["goal-versus-fidelity", "language", "figure-1", "figure-4"]
    assert [name for name in names if name.startswith("figure-3")] == [
        f"figure-3-{what}" for what in ("steps", "lengths", "directs", "tokens")
    ]
    for figure in found.figures:
        for panel in figure.panels:
            for series in panel.series:
                assert len(series.x) == len(series.y)
                if figure.name.startswith("figure-3"):
                    assert sum(y or 0 for y in series.y) == pytest.approx(100)


def command(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["vlnscope", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        command_line()
    return end.value.code if isinstance(end.value.code, int) else 0


def test_the_command_writes_cases(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    build = ("build", "fidelity", "--data", "sample/demo", "--out", tmp_path, "--cases", "--max-episodes", 3)
    assert command(monkeypatch, *build) == 0
    shown = capsys.readouterr().out
    assert "15 cases of sample/demo" in shown.replace("\n", " ")
    assert "episodes asked" in shown
    assert len(CaseSet.load(tmp_path).cases) == 15
    assert (tmp_path / "R4R_demo.json").is_file()
    few = (*build[:5], tmp_path / "plain", *build[6:], "--variant", "as-is", "--ablations", "full, none")
    assert command(monkeypatch, *few, "--json") == 0
    assert '"count": 6' in capsys.readouterr().out
    assert [it.name for it in sorted((tmp_path / "plain").iterdir())] == ["cases.json", "cases.jsonl"]
    assert command(monkeypatch, *build[:6], "--variant", "as-is") == 2
    assert "add --cases" in capsys.readouterr().err
    assert command(monkeypatch, *build, "--ablations", "full,half") == 2
    assert "no ablation called 'half'" in capsys.readouterr().err
