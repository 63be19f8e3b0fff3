"""What wrong words cost: scores of pairs, findings, and an agent that runs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sound_findings import checked
from vlnscope.benchmarks.errors.build.cases import build_cases
from vlnscope.benchmarks.errors.findings.find import find
from vlnscope.benchmarks.errors.findings.pairs import cost_of, relative_loss
from vlnscope.benchmarks.errors.protocol import rules
from vlnscope.benchmarks.errors.score import DELAY, PARTED, PARTING, parting_step, score_cases
from vlnscope.benchmarks.kit.benchmark import get_benchmark
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.engine.run import run
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import Case, Episode, ScoreRow
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene

NODES = tuple("abcdef")


class _Scenes:
    """A corridor a … e of 4 m steps with a side room f at b, in any number of houses."""

    def scans(self) -> tuple[str, ...]:
        return ("h0", "h1", "h2")

    def scene(self, scan: str) -> Scene:
        places = [*([0.0, 4.0 * k, 1.5] for k in range(5)), [4.0, 4.0, 1.5]]
        edges = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("b", "f")]
        return Scene(scan, NavGraph.build(list(NODES), places, edges))


def _case(pair: str, variant: str, scan: str, kind: str = "direction", **extra: object) -> Case:
    episode = Episode(
        episode_id=pair,
        path_id=pair,
        scan=scan,
        instruction="Go to the end.",
        path=("a", "b", "c", "d", "e"),
        heading=0.0,
        extra=dict(extra),
    )
    groups = {"type": kind, "variant": variant, "pair": f"{kind}-{pair}", "position": "2"}
    groups["common_sense"] = "no"
    return Case(case_id=f"{kind}-{pair}-{variant}", episode=episode, groups=groups)


def _asked(cases: Sequence[Case]) -> CaseSet:
    return CaseSet(benchmark="errors", data="toy/test", rules=rules(), cases=tuple(cases))


def _line(case: Case, path: str, failed: str | None = None) -> EvidenceLine:
    return EvidenceLine(
        v=2,
        case_id=case.case_id,
        episode_id=case.episode.episode_id,
        path=tuple(path),
        stopped=True,
        failed=failed,
    )


def _scored(walks: Mapping[tuple[str, str], tuple[str, str]], kind: str = "direction") -> list[ScoreRow]:
    """Score pairs, given by (pair, scan), each as the walks of its right and its wrong half."""
    cases, lines = [], {}
    for (pair, scan), paths in walks.items():
        for variant, path in zip(("clean", "wrong"), paths, strict=True):
            case = _case(pair, variant, scan, kind, error_steps=[[1, 2]])
            cases.append(case)
            lines[case.case_id] = _line(case, path)
    return score_cases(_asked(cases), lines, _Scenes())


WALKS = {
    ("1", "h0"): ("abcde", "abcde"),
    ("2", "h1"): ("abcde", "abf"),
    ("3", "h2"): ("abbcde", "abc"),
    ("4", "h0"): ("abc", "abf"),
}


def test_each_half_is_scored_and_the_wrong_one_compared() -> None:
    rows = {row.episode_id: row for row in _scored(WALKS)}
    assert [rows[f"direction-{k}-clean"].values["SR"] for k in "1234"] == [1, 1, 1, 0]
    assert [rows[f"direction-{k}-wrong"].values["SR"] for k in "1234"] == [1, 0, 0, 0]
    assert [rows[f"direction-{k}-wrong"].values[PARTED] for k in "1234"] == [0, 1, 1, 1]
    assert [rows[f"direction-{k}-wrong"].values.get(PARTING) for k in "1234"] == [None, 2, 3, 2]
    assert rows["direction-2-wrong"].values[DELAY] == 0  # wrong at step 1, elsewhere with the next step
    assert "same" in rows["direction-1-wrong"].undefined[PARTING]
    assert PARTED not in rows["direction-1-clean"].values


def test_failures_are_the_worst_and_partial_runs_are_left_out() -> None:
    cases = [_case(pair, variant, "h0") for pair in "12" for variant in ("clean", "wrong")]
    lines = {
        cases[0].case_id: _line(cases[0], "abcde"),
        cases[1].case_id: _line(cases[1], "a", failed="it raised"),
        cases[3].case_id: _line(cases[3], "abcde"),
    }
    rows = {row.episode_id: row for row in score_cases(_asked(cases), lines, _Scenes())}
    assert set(rows) == set(lines)
    broken = rows["direction-1-wrong"]
    assert broken.values["SR"] == broken.values["SPL"] == 0
    assert "it raised" in broken.undefined["NE"]
    assert "it raised" in broken.undefined[PARTED]
    assert "not finished" in rows["direction-2-wrong"].undefined[PARTED]
    found = find(_asked(cases), {"mine": list(rows.values())})
    assert any("other half" in note for note in found.notes)
    assert score_cases(_asked(cases), {}, _Scenes()) == []


def test_the_loss_is_reported_absolutely_and_relatively() -> None:
    cost = cost_of(_scored(WALKS))
    assert cost is not None
    assert cost.sr.mean == pytest.approx(0.5)
    assert cost.relative is not None
    assert cost.relative.mean == pytest.approx(-2 / 3)
    assert cost.mean("SR") == pytest.approx(0.5)
    assert cost.parted.mean == pytest.approx(0.75)
    assert cost.parting.mean == pytest.approx(7 / 3)


def test_a_relative_change_needs_successes_and_bounds_a_certain_one_has_none() -> None:
    never = _scored({("1", "h0"): ("abc", "abf"), ("2", "h1"): ("abc", "abc")})
    assert relative_loss(never[::2], never[1::2], "SR") is None
    always = _scored({(str(k), f"h{k}"): ("abcde", "abf") for k in range(3)})
    change = relative_loss(always[::2], always[1::2], "SR")
    assert change is not None
    assert (change.mean, change.low, change.high) == (-1, None, None)
    assert change.reason


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_the_relative_change_is_the_ratio_of_the_means(outcomes: list[tuple[bool, bool]]) -> None:
    def row(k: int, value: bool) -> ScoreRow:
        return ScoreRow(episode_id=str(k), scan=f"h{k % 3}", path_id="p", values={"SR": float(value)})

    clean = [row(k, c) for k, (c, _) in enumerate(outcomes)]
    wrong = [row(k, w) for k, (_, w) in enumerate(outcomes)]
    found = relative_loss(clean, wrong, "SR")
    right = sum(c for c, _ in outcomes)
    if not right:
        assert found is None
    else:
        assert found is not None
        assert found.mean == pytest.approx(sum(w for _, w in outcomes) / right - 1)


@given(st.lists(st.sampled_from("abc"), max_size=6), st.lists(st.sampled_from("abc"), max_size=6))
def test_walks_part_once_and_standing_still_is_no_step(a: list[str], b: list[str]) -> None:
    left, right = ["s", *a], ["s", *b]
    step = parting_step(left, right)
    assert step == parting_step(right, left)
    assert parting_step([n for n in left for _ in range(2)], right) == step
    short = [[n for n, _ in groupby(walk)] for walk in (left, right)]
    if step is None:
        assert short[0] == short[1]
    else:
        assert short[0][:step] == short[1][:step]
        assert short[0][step : step + 1] != short[1][step : step + 1]


def test_findings_say_what_was_found_and_survive_a_file(tmp_path: Path) -> None:
    many = {(f"{k}", f"h{k % 3}"): ("abcde", "abf" if k % 4 else "abcde") for k in range(24)}
    cases = [_case(str(k), v, f"h{k % 3}") for k in range(24) for v in ("clean", "wrong")]
    found = checked(find(_asked(cases), {"mine": _scored(many)}))
    by_key = {one.key: one for one in found.statements}
    loss = by_key["direction.SR"]
    assert loss.value == pytest.approx(75)
    assert (loss.verdict, loss.null, loss.over, loss.clusters) == ("above", 0, "paths", 24)
    assert loss.episodes
    assert by_key["direction.SR.relative"].value == pytest.approx(-75)
    table = next(table for table in found.tables if table.name == "table-2")
    assert all(len(row) == len(table.columns) for row in table.rows)
    published, mine = table.rows
    assert published[1] == mine[1] == "direction"
    assert published[10] == -18.64
    assert mine[7] == pytest.approx(75)
    counts = next(table for table in found.tables if table.name == "table-1")
    assert counts.rows == (("direction", 24, 1609, 1),)
    assert [figure.name for figure in found.figures] == ["cost", "positions", "parting"]
    assert Findings.load(found.save(tmp_path / "findings.json")) == found


def test_an_agent_that_does_not_listen_loses_nothing(tmp_path: Path) -> None:
    dataset = open_dataset("sample/demo")
    asked = build_cases(dataset, types=("direction",), limit=6)
    done = run("shortest", dataset, out=tmp_path / "run", cases=list(asked.cases), max_steps=20)
    benchmark = get_benchmark("errors")
    assert dataset.scenes is not None
    rows = benchmark.score_cases(asked, done.lines(), dataset.scenes)
    found = {one.key: one for one in benchmark.find(asked, {"shortest": rows}).statements}
    assert len(rows) == 12
    assert found["direction.SR"].value == 0
    assert found["direction.parted"].value == 0
    assert all(row.values["SR"] == 1 for row in rows)
