"""Chains of atomic instructions: each step valid where the last leaves the walker, judged one by one."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from commands import Cli
from vlnscope.benchmarks.kit.benchmark import diagnosed_names, get_benchmark
from vlnscope.benchmarks.kit.case_file import check_cases
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.nuances.build.items import NuanceItem
from vlnscope.benchmarks.nuances.chains.build import build_cases, count_cases
from vlnscope.benchmarks.nuances.chains.build.wording import CLAUSES, chain_text
from vlnscope.benchmarks.nuances.chains.findings import find
from vlnscope.benchmarks.nuances.chains.findings.derived_rows import chain_rows, step_rows
from vlnscope.benchmarks.nuances.chains.judging import ChainJudge, ChainProgress, turn_taken
from vlnscope.benchmarks.nuances.chains.lengths import read_lengths
from vlnscope.benchmarks.nuances.chains.score import score_cases
from vlnscope.benchmarks.nuances.chains.steps import ChainStep, steps_of
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.language.geometry import heading_to, relative
from vlnscope.language.parse import parse
from vlnscope.types import Case, Episode, ScoreRow
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scenes

DATA = "houses/nuances@2"
CHAIN = {"variant": "chain"}


@cache
def dataset() -> Dataset:
    return open_dataset(DATA)


@cache
def made() -> CaseSet:
    return build_cases(dataset())


def scenes() -> Scenes:
    known = dataset().scenes
    assert known is not None
    return known


def chains() -> list[Case]:
    return [case for case in made().cases if case.groups["variant"] == "chain"]


def judge_of(case: Case) -> ChainJudge:
    episode = case.episode
    graph = scenes().scene(episode.scan).graph
    return ChainJudge(steps_of(episode), graph, episode.scan, episode.heading or 0.0)


def walked(case: Case, path: tuple[str, ...], failed: str | None = None) -> EvidenceLine:
    return EvidenceLine(
        v=1, case_id=case.case_id, episode_id=case.episode.episode_id, path=path, stopped=True, failed=failed
    )


# Building.


def test_chains_of_every_length_are_built_the_same_each_time(tmp_path: Path) -> None:
    assert {case.groups["length"] for case in chains()} == {"2", "3", "4", "5"}
    assert build_cases(dataset()).cases == made().cases
    check_cases(made().cases, scenes())
    assert CaseSet.load(made().save(tmp_path)).cases == made().cases
    assert count_cases(made())["2 steps"] == 12
    assert build_cases(dataset(), seed=1).cases != made().cases


def test_every_step_begins_where_the_last_one_ends_and_never_comes_back() -> None:
    for case in chains():
        steps = steps_of(case.episode)
        assert len(steps) == int(case.groups["length"])
        for before, after in pairwise(steps):
            assert before.path[-1] == after.path[0]
        assert len(set(case.episode.path)) == len(case.episode.path)
        graph = scenes().scene(case.episode.scan).graph
        assert all(b in graph.neighbours(a) for a, b in pairwise(case.episode.path))


def test_turns_are_right_for_who_looks_the_way_they_came() -> None:
    seen = 0
    for case in chains():
        graph = scenes().scene(case.episode.scan).graph
        for before, after in pairwise(steps_of(case.episode)):
            if after.category == "DC":
                came, goes = (
                    heading_to(*(tuple(graph.positions[graph.row(node)]) for node in ends))
                    for ends in (before.path[-2:], after.path)
                )
                angle = math.degrees(relative(came, goes))
                assert 30 < (angle if after.subset == "right" else -angle) <= 120
                seen += 1
    assert seen > 10


def test_steps_alone_start_in_the_pose_in_which_the_chain_comes_to_them() -> None:
    by_chain: dict[str, list[Case]] = {}
    for case in made().cases:
        if case.groups["variant"] == "alone":
            by_chain.setdefault(case.groups["pair"], []).append(case)
    for case in chains():
        alone = by_chain[case.case_id]
        assert [each.groups["place"] for each in alone] == [str(k + 1) for k in range(len(alone))]
        at, graph = 0, scenes().scene(case.episode.scan).graph
        for each in alone:
            assert each.episode.path == case.episode.path[at : at + len(each.episode.path)]
            if at:
                ends = (tuple(graph.positions[graph.row(n)]) for n in case.episode.path[at - 1 : at + 1])
                assert each.episode.heading == pytest.approx(heading_to(*ends))
            at += len(each.episode.path) - 1
    assert not any(c.groups["variant"] == "alone" for c in build_cases(dataset(), alone=False).cases)


def test_the_reference_carries_out_every_step_and_less_of_it_fewer() -> None:
    for case in made().cases:
        judge, steps = judge_of(case), steps_of(case.episode)
        assert judge.progress(case.episode.path) == (len(steps), len(steps))
        assert judge.progress(case.episode.path[:1]).done == 0
        assert judge.progress(steps[0].path).done == 1
    for case in chains():
        judge, ends = judge_of(case), [len(step.path) - 1 for step in steps_of(case.episode)]
        for count in range(1, len(ends)):
            assert judge.progress(case.episode.path[: sum(ends[:count]) + 1]).done >= count


def test_what_a_chain_says_is_parsed_in_order() -> None:
    for case in chains():
        text = case.episode.instruction
        assert text[0].isupper()
        assert text.endswith(".")
        assert "  " not in text
        assert " and stop and " not in text
        assert len(parse(text).actions) >= int(case.groups["length"])


def test_words_say_every_kind_of_item_and_do_not_repeat_themselves() -> None:
    item = NuanceItem("DC", "left", "x", ("a", "b"), 0.0, "left", {"way": "left"}, {}, "", {})
    room = item._replace(phrase="into", groups={"room": "porch"})
    for number in range(30):
        text = chain_text([item, room, item, room], 0, str(number))
        starts = [sentence.split()[0] for sentence in text.split(". ")]
        assert all(a != b for a, b in pairwise(starts[1:]))
        assert "onto the porch" in text
    assert {
        "left",
        "right",
        "around",
        "up",
        "down",
        "door",
        "count",
        "towards",
        "past",
        "into",
        "exit",
    } <= set(CLAUSES)


@pytest.mark.parametrize("text", ["1-5", "2-9", "5-2", "few", ""])
def test_lengths_that_chains_cannot_have_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"steps|lengths"):
        read_lengths(text)


# Judging.


CROSS = NavGraph.build(
    "sabcde",
    [[0, 0, 0], [0, 2, 0], [-2, 2, 0], [2, 2, 0], [0, 4, 0], [-4, 2, 0]],
    [("s", "a"), ("a", "b"), ("a", "c"), ("a", "d"), ("b", "e")],
)


def room_step(*ends: str, handover: tuple[str, ...] = ()) -> ChainStep:
    return ChainStep(
        category="RR",
        subset="into",
        text="go into the den",
        path=("s", ends[0]),
        fields={"valid_ends": list(ends), "region_starts": ["s"]},
        handover=handover,
    )


def left_step(handover: tuple[str, ...] = ()) -> ChainStep:
    return ChainStep(category="DC", subset="left", text="turn left", path=("a", "b"), handover=handover)


def progress(steps: list[ChainStep], walk: str) -> ChainProgress:
    return ChainJudge(steps, CROSS, "cross", 0.0).progress(tuple(walk))


def test_a_turn_is_told_from_where_the_walker_comes() -> None:
    steps = [room_step("a", handover=("a",)), left_step()]
    assert progress(steps, "sab") == (2, 2)
    assert progress(steps, "sac") == (1, 1)
    assert progress(steps, "sad") == (1, 1)
    assert progress(steps, "sacad") == (1, 1)  # from c, d lies to the right
    assert progress(steps, "sadac") == (2, 2)  # from d, c lies to the left


def test_the_order_counts_and_the_last_step_ends_where_the_agent_stops() -> None:
    steps = [room_step("a", handover=("a",)), left_step(handover=("b",)), room_step("e")]
    assert progress(steps, "sabe") == (3, 3)
    assert progress(steps, "sabeb") == (2, 3)
    assert progress(steps, "sa") == (1, 1)
    assert progress([room_step("b", handover=("b",)), room_step("a")], "sab") == (1, 1)


def test_a_step_counts_only_where_the_next_one_means_what_it_should() -> None:
    steps = [room_step("a", "b", handover=("a",)), room_step("e")]
    assert progress(steps, "sabe") == (2, 2)
    assert progress([room_step("a", "b", handover=("c",)), room_step("e")], "sabe") == (0, 0)


def test_straight_ahead_is_no_turn() -> None:
    assert [turn_taken(math.pi / 2, math.radians(angle)) for angle in (90, 0, 180, 270)] == [
        "straight",
        "left",
        "right",
        "around",
    ]


# Scoring and findings.


@cache
def perfect() -> list[ScoreRow]:
    lines = {case.case_id: walked(case, case.episode.path) for case in made().cases}
    return score_cases(made(), lines, scenes())


def test_scores_of_the_reference_and_of_who_failed() -> None:
    assert all(row.values["SR"] == row.values["OSR"] == row.values["share"] == 1.0 for row in perfect())
    assert all(0.0 <= row.values["chance"] < 1.0 for row in perfect())
    case = chains()[0]
    (row,) = score_cases(made(), {case.case_id: walked(case, case.episode.path, "broke")}, scenes())
    assert (row.values["SR"], row.values["steps"]) == (0.0, 0.0)
    assert row.values["chance"] == perfect()[0].values["chance"]
    with pytest.raises(InputError, match="paper"):
        score_cases(made(), {}, scenes(), profile="paper")


def test_an_episode_without_steps_is_refused() -> None:
    with pytest.raises(InputError, match="no steps"):
        steps_of(Episode(episode_id="x", path_id="x", scan="s", instruction="go"))


def row(name: str, scan: str, sr: float, steps: int, **groups: str) -> ScoreRow:
    values = {"SR": sr, "OSR": sr, "steps": float(steps), "share": steps / 2, "chance": 0.1}
    return ScoreRow(episode_id=name, scan=scan, path_id=name, values=values, groups=groups)


def some_rows() -> list[ScoreRow]:
    """Of each house a chain that succeeds and one that fails at its second step; alone, some A fail."""
    rows = []
    for house in range(8):
        for number, done in enumerate((2, 1)):
            name = f"{house}-{number}"
            shared = {"pair": name, "length": "2"}
            rows.append(
                row(name, str(house), float(done == 2), done, kinds="A; B", variant="chain", **shared)
            )
            for place, kind in enumerate("AB", 1):
                sr = float(not (number == 1 and kind == "A"))
                more = {"place": str(place), "kind": kind, "variant": "alone"} | shared
                rows.append(row(f"{name}-step{place}", str(house), sr, 1, **more))
    return rows


def test_single_steps_promise_what_their_product_is() -> None:
    first, second, *_ = chain_rows(some_rows())
    assert first.values["independent"] == pytest.approx(0.5)  # A: every second one, B: all
    assert (first.values["all-alone"], second.values["all-alone"]) == (1.0, 0.0)
    steps = [r for r in step_rows(some_rows()) if r.scan == "0"]
    assert [(r.groups["place"], r.groups["kind"], r.values["SR"], r.values["alone"]) for r in steps] == [
        ("1", "A", 1.0, 1.0),
        ("2", "B", 1.0, 1.0),
        ("1", "A", 1.0, 0.0),
        ("2", "B", 0.0, 1.0),
    ]


def test_findings_say_whether_steps_add_up() -> None:
    found = find(made(), {"mine": some_rows()})
    said = {statement.key: statement for statement in found.statements}
    assert said["steps-2.SR"].value == 50.0
    assert said["steps-2.independent"].value == 0.0
    assert said["steps-2.independent"].verdict == "unclear"
    assert said["in-a-row"].value == 75.0
    assert said["cost-of-a-chain"].value == 0.0
    assert said["later-steps"].value == -50.0
    rates, by_place, by_kind = found.tables
    assert rates.rows[0][:4] == ("mine", 2, 16, 50.0)
    assert [cells[:4] for cells in by_place.rows] == [("mine", 1, 16, 100.0), ("mine", 2, 16, 50.0)]
    assert [cells[1:] for cells in by_kind.rows] == [("A", 16, 100.0, 16, 50.0), ("B", 16, 50.0, 16, 100.0)]
    lengths, survival = found.figures
    assert lengths.panels[0].series[0].x == (1, 2)
    assert survival.panels[0].series[0].y == (100.0, 50.0)


def test_findings_do_without_steps_alone() -> None:
    found = find(made(), {"mine": [r for r in some_rows() if r.groups["variant"] == "chain"]})
    assert {s.key for s in found.statements} == {"steps-2.SR", "in-a-row"}


# By command.


def test_chains_are_built_run_and_reported_by_command(cli: Cli, tmp_path: Path) -> None:
    cases, run = tmp_path / "cases", tmp_path / "run"
    cli("build", "chains", "--data", "houses/nuances@1", "--lengths", "2", "--most", "3", "--out", cases)
    assert CaseSet.load(cases).options["lengths"] == [2]
    cli("run", "shortest:follow=reference", "--cases", cases, "--out", run)
    assert "carries out all 2 steps and stops in 100.0 %" in cli("report", run).out


def test_a_diagnosis_asks_chains_only_when_told() -> None:
    assert get_benchmark("chains").name not in diagnosed_names()
    assert "nuances" in diagnosed_names()


def test_chains_can_be_built_on_real_scans(data_root: Path) -> None:
    real = open_dataset("r2r/val_unseen", data_root)
    built = build_cases(real, lengths=(2, 3), most=2)
    assert len({case.episode.scan for case in built.cases}) >= 8
    assert any("plan" in note for note in built.notes)
