"""The five NavNuances evaluators: agreement with the released ones, and the edges of their rules."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.nuances.build.files import annotated_cases
from vlnscope.benchmarks.nuances.evaluators import direction, landmark, numerical, region, vertical
from vlnscope.benchmarks.nuances.evaluators.chance import chance, room_guess, side_guess
from vlnscope.benchmarks.nuances.evaluators.evaluator import CATEGORIES, Category, category_of
from vlnscope.benchmarks.nuances.evaluators.summary import dual_success, official_summary
from vlnscope.benchmarks.nuances.protocol import rules
from vlnscope.benchmarks.nuances.score import judge_walks, score_cases
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine, line_of
from vlnscope.episodes.reading import read_predictions
from vlnscope.types import Case, Episode, ScoreRow
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene

OFFICIAL = {
    "success": "SR", "oracle_success": "OSR", "path_SR": "SR", "goal_SR": "goal_SR", "nDTW": "nDTW",
    "nav_error": "NE", "oracle_error": "ONE", "action_steps": "steps", "trajectory_lengths": "TL",
    "spl": "SPL", "DTW": "DTW", "SDTW": "sDTW", "CLS": "CLS",
}  # fmt: skip
"""The released evaluators' names per item, and ours."""


class OneScene:
    """A graph as a collection of scenes."""

    def __init__(self, graph: NavGraph) -> None:
        self._scene = Scene("s", graph)

    def scans(self) -> tuple[str, ...]:
        return ("s",)

    def scene(self, scan: str) -> Scene:
        return self._scene


def episode(
    instruction: str = "", path: tuple[str, ...] = ("o",), path_id: str = "x", **extra: Any
) -> Episode:
    return Episode(
        episode_id=f"{path_id}_0", path_id=path_id, scan="s", instruction=instruction, path=path, extra=extra
    )


def star(*places: tuple[float, ...]) -> NavGraph:
    """A graph with a middle `o` at the origin, and viewpoints 0, 1, … around it."""
    names = [str(k) for k in range(len(places))]
    points = [[0.0, 0.0, 0.0], *([*place, 0.0][:3] for place in places)]
    return NavGraph.build(["o", *names], points, [("o", name) for name in names])


# ---- agreement with the released evaluators


def read_files(
    folder: Path, oracle: dict[str, Any], root: Path
) -> tuple[CaseSet, dict[str, EvidenceLine], Any]:
    """Write annotations and submission as files, and read them as any user's files are read."""
    (folder / "R2R_X.json").write_text(json.dumps(oracle["annotations"]))
    (folder / "submit_X.json").write_text(json.dumps(oracle["submission"]))
    data = open_dataset(str(folder / "R2R_X.json"), root)
    cases = tuple(annotated_cases(data.episodes(), data.scenes))
    asked = CaseSet(benchmark="nuances", data="fixture", rules=rules(), cases=cases)
    lines = {p.episode_id: line_of(p) for p in read_predictions(folder / "submit_X.json")}
    return asked, lines, data.scenes


@pytest.mark.parametrize("category", CATEGORIES)
def test_agrees_with_the_released_evaluators(
    category: Category, shared: Path, data_root: Path, tmp_path: Path
) -> None:
    oracle = json.loads((shared / "fixtures" / "navnuances_evaluators.json").read_text())[category]
    shapes = {shape(entry["trajectory"]) for entry in oracle["submission"]}
    assert shapes >= {"poses", "names"}, "the fixture has several encodings"
    rows = score_cases(*read_files(tmp_path, oracle, data_root))
    assert len(rows) == len(oracle["per_item"])
    for row in rows:
        for name, value in oracle["per_item"][row.episode_id].items():
            bare = name.rpartition("_")[0] if name.rpartition("_")[2] == row.groups["subset"] else name
            if bare in OFFICIAL:
                assert row.values[OFFICIAL[bare]] == pytest.approx(value, abs=1e-9), (row.episode_id, name)
    summary = official_summary(category, rows)
    assert summary == pytest.approx(oracle["summary"], abs=1e-9)


def shape(trajectory: list[list[Any]]) -> str:
    if any(len(part) > 1 and isinstance(part[1], str) for part in trajectory):
        return "nested"
    return "poses" if len(trajectory[0]) == 3 else "names"


def test_the_three_encodings_say_the_same(shared: Path, data_root: Path, tmp_path: Path) -> None:
    """Every submission is written in each encoding, and scored alike."""
    oracle = json.loads((shared / "fixtures" / "navnuances_evaluators.json").read_text())["RR"]
    flat = [
        [name for part in entry["trajectory"] for name in part if isinstance(name, str)]
        for entry in oracle["submission"]
    ]
    encodings = (
        [[[name, 0.0, 0.0] for name in path] for path in flat],
        [[[name] for name in path] for path in flat],
        [[path[:1], *([path[1:]] if path[1:] else [])] for path in flat],
    )
    scored = []
    for encoding in encodings:
        entries = [
            {"instr_id": entry["instr_id"], "trajectory": path}
            for entry, path in zip(oracle["submission"], encoding, strict=True)
        ]
        scored.append(score_cases(*read_files(tmp_path, oracle | {"submission": entries}, data_root)))
    assert scored[0] == scored[1] == scored[2]


def test_agents_1_and_2_of_the_paper() -> None:
    """One over the rooms of a start, and over those on the side, averaged over the paper's counts."""
    keys = [f"{n}-{side}" for side, most in (("left", 3), ("right", 2)) for n in range(1, most + 1)]
    asked = [episode(path_id=f"h-{key}", set_paths={k: [["o", k]] for k in keys}) for key in keys]
    assert sum(map(room_guess, asked)) == pytest.approx(1)  # one start
    assert sum(map(side_guess, asked)) == pytest.approx(2)  # two sides of it


# ---- direction change


def turn(word: str, **more: Any) -> Episode:
    """Ahead is north."""
    fields = {"gt_vp": ["o", "0"], "vp_neg": ["o", "0"], "heading_vp": "0"} | more
    return episode(instruction_template=f"turn {word}, then walk straight", **fields)


def turned(graph: NavGraph, node: str, wording: Any) -> list[str]:
    words = ("left", "right", "around")
    return [w for w in words if direction.judge(turn(w), ("o", node), graph, wording).values["SR"]]


@given(st.floats(-179.9, 179.9))
def test_arcs(bearing: float) -> None:
    """Off the borders both wordings see three arcs of 120°, and every move is in one."""
    if min(abs(bearing), abs(abs(bearing) - 120)) < 1e-6:
        return
    angle = np.radians(bearing)
    graph = star((0, 1), (float(np.sin(angle)), float(np.cos(angle))))
    expected = "around" if abs(bearing) > 120 else "right" if bearing > 0 else "left"
    assert turned(graph, "1", "official") == turned(graph, "1", "paper") == [expected]


def test_straight_ahead_is_right_officially_and_a_border_in_the_paper() -> None:
    graph = star((0, 1), (0, 2))
    assert turned(graph, "1", "official") == ["right"]
    assert turned(graph, "1", "paper") == ["left", "right"]


def test_the_official_angle_is_one_in_space() -> None:
    """Steeply down and 130° to the left on the floor: less than 120° in space."""
    angle = np.radians(-130)
    graph = star((0, 1), (float(np.sin(angle)), float(np.cos(angle)), -1.5))
    assert turned(graph, "1", "official") == ["left"]
    assert turned(graph, "1", "paper") == ["around"]


def test_ahead_lies_between_right_and_wrong_where_nothing_else_is_said() -> None:
    graph = star((1, 0, 0), (-0.5, 3**0.5 / 2, 0))
    fields = {"gt_vp": ["o", "0"], "vp_neg": ["o", "1"]}
    halfway = turn("left", heading_vp=None, **fields)
    assert direction.judge(halfway, ("o", "1"), graph).values["SR"] == 1
    assert direction.judge(halfway, ("o", "0"), graph).values["SR"] == 0


def test_repeats_are_no_moves_and_staying_fails() -> None:
    graph = star((0, 1), (-1, 0.1))
    assert direction.judge(turn("left"), ("o", "o", "1"), graph).values["SR"] == 1
    for word, path in product(("left", "right", "around"), (("o",), ("o", "o"))):
        assert direction.judge(turn(word), path, graph).values["SR"] == 0


# ---- landmarks


def test_towards_and_past() -> None:
    graph = star((4, 0), (1, 0), (6.9, 0), (7, 0), (-1, 0))
    ask = {way: episode(f"walk {way} the vase", obj_center=[4.0, 0.0, 9.0]) for way in ("towards", "past")}
    towards = {node: landmark.is_right_end(ask["towards"], node, graph) for node in "o01234"}
    past = {node: landmark.is_right_end(ask["past"], node, graph) for node in "o01234"}
    assert towards == {"o": False, "0": True, "1": True, "2": True, "3": True, "4": False}
    # on the end of the segment counts, 3 m away does not
    assert past == {"o": False, "0": True, "1": False, "2": True, "3": False, "4": False}


def test_the_paper_counts_three_metres_and_measures_in_space() -> None:
    graph = star((7, 0))
    on_the_floor = episode("walk past the vase", obj_center=[4.0, 0.0, 0.0])
    high_up = episode("walk past the vase", obj_center=[4.5, 0.0, 2.9])
    assert [landmark.is_right_end(on_the_floor, "0", graph, w) for w in ("official", "paper")] == [
        False,
        True,
    ]
    assert [landmark.is_right_end(high_up, "0", graph, w) for w in ("official", "paper")] == [True, False]


def test_towards_is_looked_for_first_and_a_keyword_is_needed() -> None:
    assert landmark.subset(episode("Walk towards the lamp, do not walk past it")) == "towards"
    with pytest.raises(InputError, match="no keyword"):
        landmark.subset(episode("approach the lamp"))


def test_oracles_stop_where_it_is_right() -> None:
    graph = star((4, 0), (-4, 0))
    asked = episode("walk towards the vase", obj_center=[5.0, 0.0, 0.0])
    assert landmark.judge(asked, ("o", "0", "o", "1"), graph).values == {"SR": 0.0, "OSR": 1.0}


# ---- regions


def test_a_viewpoint_in_both_lists() -> None:
    fields = {"valid_ends": ["k", "b"], "region_starts": ["o", "b"]}
    into, leave = episode("go into the kitchen", **fields), episode("exit the hall", **fields)
    graph = star((4, 0))
    entered = [region.is_right_end(into, node, graph) for node in ("o", "b", "k", "z")]
    left = [region.is_right_end(leave, node, graph) for node in ("o", "b", "k", "z")]
    assert (entered, left) == ([False, True, True, False], [False, False, True, True])
    assert region.judge(into, ("o", "k", "o"), graph).values == {"SR": 0.0, "OSR": 1.0}


# ---- numbers


def corridor() -> NavGraph:
    """Along x from o to c3, with rooms to the left (y > 0) and right at 1, 2 and 3, all 4 m apart."""
    names = ["o", "c1", "c2", "c3", "l1", "l2", "r1", "r2"]
    points = [[0, 0, 0], [4, 0, 0], [8, 0, 0], [12, 0, 0], [4, 4, 0], [8, 4, 0], [4, -4, 0], [8, -4, 0]]
    edges = [("o", "c1"), ("c1", "c2"), ("c2", "c3"), ("c1", "l1"), ("c2", "l2"), ("c1", "r1"), ("c2", "r2")]
    return NavGraph.build(names, points, edges)


ROOMS = {
    "1-left": [["o", "c1", "l1"]], "2-left": [["o", "c1", "c2", "l2"]],
    "1-right": [["o", "c1", "r1"]], "2-right": [["o", "c1", "c2", "r2"]],
}  # fmt: skip


@pytest.mark.parametrize("wording", ["official", "paper"])
def test_only_the_right_room_counts(wording: Any) -> None:
    asked = episode(path_id="h-2-left", set_paths=ROOMS)
    ways = {key: numerical.judge(asked, path, corridor(), wording).values for key, (path,) in ROOMS.items()}
    assert {key: values["SR"] for key, values in ways.items()} == {
        "1-left": 0.0, "2-left": 1.0, "1-right": 0.0, "2-right": 0.0
    }  # fmt: skip
    there_and_back = numerical.judge(asked, ("o", "c1", "c2", "l2", "c2"), corridor(), wording).values
    assert (there_and_back["SR"], there_and_back["OSR"]) == (0.0, 1.0)


def test_a_tie_fails() -> None:
    paths = {"1-left": [["o", "c1"]], "2-left": [["o", "c1"]]}
    found = numerical.judge(episode(path_id="h-1-left", set_paths=paths), ("o", "c1"), corridor()).values
    assert (found["goal_SR"], found["SR"], found["nDTW"]) == (1.0, 0.0, 1.0)


def test_the_nearest_of_several_right_paths_counts() -> None:
    paths = {"1-left": [["o", "c1", "l1"], ["o", "c1", "c2", "l2"]], "1-right": [["o", "c1", "r1"]]}
    asked = episode(path_id="h-1-left", set_paths=paths)
    for path in paths["1-left"]:
        assert numerical.judge(asked, path, corridor()).values["SR"] == 1


def test_no_negatives_no_rate() -> None:
    found = numerical.judge(
        episode(path_id="h-1-left", set_paths={"1-left": [["o", "c1"]]}), ("o",), corridor()
    )
    assert "SR" not in found.values
    assert "no other paths" in found.undefined["SR"]
    with pytest.raises(InputError, match="set_paths has no '3-left'"):
        numerical.own_key(episode(path_id="h-3-left", set_paths=ROOMS))


# ---- stairs


def test_paper_and_code_measure_the_way_upstairs_differently() -> None:
    """A floor above is 2.9 m away in a straight line and much farther along the stairs."""
    graph = NavGraph.build(
        ["low", "turn", "high"], [[0, 0, 0], [4, 0, 1.4], [0, 0, 2.9]], [("low", "turn"), ("turn", "high")]
    )
    asked = episode("go upstairs", ("low", "turn", "high"), has_both_dir=False)
    assert vertical.subset(asked, graph) == "up"
    for wording, rate in (("official", 0.0), ("paper", 1.0)):
        (found,) = vertical.judge_all([(asked, ("low",))], OneScene(graph), wording)  # type: ignore[arg-type]
        assert found.values["SR"] == rate
        assert vertical.is_right_end(asked, "low", graph, wording) == bool(rate)  # type: ignore[arg-type]


# ---- levels, rows


@pytest.mark.parametrize("wording", ["official", "paper"])
def test_chance_is_the_mean_over_all_random_walks(wording: Any) -> None:
    """Every walk of three moves, weighed by its probability and judged as an agent's walk is."""
    graph = corridor()
    asked: dict[Category, Episode] = {
        "DC": turn("left", gt_vp=["c1", "l1"], vp_neg=["c1", "r1"], heading_vp="c2"),
        "LR": episode("walk past the vase", obj_center=[6.0, 1.0, 0.0]),
        "RR": episode("exit the hall", region_starts=["c1", "c2", "c3", "o"], valid_ends=[]),
        "NU": episode(path_id="h-1-left", set_paths=ROOMS | {"1-left": [["c1", "l1"]]}),
        "VM": episode("go upstairs", ("c1", "l1"), has_both_dir=True),
    }
    for category, each in asked.items():
        case = Case(case_id="x", episode=Episode(**_fields(each, path=("c1", *each.path[1:]))))
        total = 0.0
        for walk, odds in walks(graph, "c1", 3):
            verdict = judge_walks([(case, walk)], OneScene(graph), wording)["x"]
            total += odds * verdict.values["SR"]
        got = chance(case.episode, category, graph, wording=wording, moves=3)
        assert got == pytest.approx(total), category
        assert 0 < got < 1


def _fields(each: Episode, **changed: Any) -> dict[str, Any]:
    return {name: getattr(each, name) for name in each.__struct_fields__} | changed


def walks(graph: NavGraph, start: str, moves: int) -> list[tuple[tuple[str, ...], float]]:
    if moves == 0:
        return [((start,), 1.0)]
    ways = graph.neighbours(start)
    return [((start, *rest), odds / len(ways)) for way in ways for rest, odds in walks(graph, way, moves - 1)]


def rows_of(cases: list[Case], lines: dict[str, EvidenceLine], profile: str = "default") -> list[ScoreRow]:
    asked = CaseSet(benchmark="nuances", data="x", rules=rules(), cases=tuple(cases))
    return score_cases(asked, lines, OneScene(corridor()), profile=profile)


def test_failed_cases_score_nothing_and_missing_ones_have_no_row() -> None:
    leave = episode("exit the hall", region_starts=["c1"], valid_ends=[])
    cases = [
        Case(case_id=name, episode=leave, groups={"category": "RR"}) for name in ("fine", "broken", "none")
    ]
    lines = {
        "fine": EvidenceLine(v=2, case_id="fine", episode_id="x_0", path=("o", "c1", "l1")),
        "broken": EvidenceLine(v=2, case_id="broken", episode_id="x_0", path=("o",), failed="crashed"),
    }
    fine, broken = rows_of(cases, lines)
    assert (fine.values["SR"], fine.values["OSR"]) == (1.0, 1.0)
    assert (broken.values["SR"], broken.values["OSR"]) == (0.0, 0.0)  # though its start is outside the hall
    assert fine.groups == {"category": "RR"}


def test_unknown_profiles_categories_and_fields_are_said() -> None:
    with pytest.raises(InputError, match="no profile 'google'"):
        rows_of([], {}, "google")
    with pytest.raises(InputError, match="no NavNuances category"):
        category_of(episode("stop"))
    with pytest.raises(InputError, match="obj_center"):
        landmark.is_right_end(episode("walk past the vase", obj_center="here"), "o", corridor())


def test_dual_success_needs_both_turns() -> None:
    rows = [
        ScoreRow(episode_id=f"{p}{s}", scan="s", path_id=p, values={"SR": v}, groups={"pair": p, "subset": s})
        for p, s, v in [
            ("a", "left", 1.0), ("a", "right", 1.0), ("b", "left", 1.0), ("b", "right", 0.0),
            ("c", "left", 1.0), ("a", "around", 0.0),
        ]
    ]  # fmt: skip
    assert dual_success(rows) == {"a": 1.0, "b": 0.0}
