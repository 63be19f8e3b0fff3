"""Routes on which the shortest way is wrong: around a room, or to a room first."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from commands import Cli
from vlnscope.benchmarks.fidelity.avoid.build import build_cases, count_cases
from vlnscope.benchmarks.fidelity.avoid.build.describing import WordedRoute
from vlnscope.benchmarks.fidelity.avoid.build.routes import LONGER, STRETCH, THROUGH, TaskRoute
from vlnscope.benchmarks.fidelity.avoid.build.single_rooms import SceneWithRooms
from vlnscope.benchmarks.fidelity.avoid.build.wording import alludes_to, speaks_of, task_text
from vlnscope.benchmarks.fidelity.avoid.findings import find
from vlnscope.benchmarks.fidelity.avoid.score import score_cases
from vlnscope.benchmarks.fidelity.avoid.tasks import RoomTask, task_of
from vlnscope.benchmarks.kit.benchmark import diagnosed_names
from vlnscope.benchmarks.kit.case_file import check_cases
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import Case, Episode, Rules, ScoreRow
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene, Scenes

DATA = "houses/val_unseen@1"


@cache
def dataset() -> Dataset:
    return open_dataset(DATA)


@cache
def made() -> CaseSet:
    return build_cases(dataset(), most=3)


def scenes() -> Scenes:
    known = dataset().scenes
    assert known is not None
    return known


def graph_of(case: Case) -> NavGraph:
    return scenes().scene(case.episode.scan).graph


def length(case: Case) -> float:
    graph = graph_of(case)
    return sum(graph.distance(a, b) for a, b in pairwise(case.episode.path))


def told(task: str = "") -> list[Case]:
    return [c for c in made().cases if c.groups["variant"] == "told" and task in ("", c.groups["task"])]


# Building.


def test_both_tasks_are_built_with_a_control_and_the_same_each_time(tmp_path: Path) -> None:
    counts = count_cases(made())
    assert counts["avoid, told"] == counts["avoid, direct"] > 0
    assert counts["rescue, told"] == counts["rescue, direct"] > 0
    assert build_cases(dataset(), most=3).cases == made().cases
    check_cases(made().cases, scenes())
    assert CaseSet.load(made().save(tmp_path)).cases == made().cases


def test_the_described_way_obeys_and_the_shortest_does_not() -> None:
    for case in told():
        task, path = task_of(case.episode), case.episode.path
        shortest = graph_of(case).shortest_path(path[0], path[-1])
        assert task.obeyed(path)
        assert not task.obeyed(shortest)
        assert not {path[0], path[-1]} & set(task.viewpoints)


def test_the_described_way_is_longer_within_bounds() -> None:
    for case in told():
        path = case.episode.path
        direct = graph_of(case).distance(path[0], path[-1])
        assert direct + LONGER <= length(case) + 1e-6 <= STRETCH * direct + 1e-5
        assert case.episode.distance == pytest.approx(length(case), abs=0.01)
    for case in told("avoid"):
        path = case.episode.path
        shortest = graph_of(case).shortest_path(path[0], path[-1])
        assert sum(node in task_of(case.episode).viewpoints for node in shortest) >= THROUGH


def test_the_control_describes_the_shortest_way_to_the_same_goal() -> None:
    by_id = {case.case_id: case for case in made().cases}
    for case in told():
        control = by_id[case.case_id.replace("told", "direct")]
        assert (control.episode.path[0], control.episode.path[-1]) == (
            case.episode.path[0],
            case.episode.path[-1],
        )
        assert length(control) == pytest.approx(
            graph_of(case).distance(*control.episode.path[:: len(control.episode.path) - 1])
        )
        assert control.episode.heading == case.episode.heading
        assert control.groups["pair"] == case.groups["pair"]


def test_the_room_is_named_and_the_way_does_not_lead_there_when_it_is_to_be_avoided() -> None:
    for case in told():
        room, text = case.groups["room"], case.episode.instruction
        assert room in text
        assert text.lower().count(room) == 1 or case.groups["task"] == "rescue"


def small() -> SceneWithRooms:
    """A kitchen between two rooms, a way around it through the hall, and two bedrooms."""
    nodes = "abcdefghij"
    places = (
        [[2.0 * k, 0, 0] for k in range(4)] + [[2.0 * k, 4, 0] for k in range(4)] + [[0, 8, 0], [0, 10, 0]]
    )
    ways = ["ab", "bc", "cd", "ae", "ef", "fg", "gh", "hd", "ei", "ij"]
    graph = NavGraph.build(list(nodes), places, [(way[0], way[1]) for way in ways])
    regions = {"a": 0, "b": 1, "c": 1, "d": 2, "e": 3, "f": 3, "g": 3, "h": 3, "i": 4, "j": 4}
    layer = Regions(regions, {0: "b", 1: "k", 2: "b", 3: "h", 4: "x"})
    return SceneWithRooms(Scene("small", graph, {"regions": lambda: layer}))


def test_only_rooms_that_cannot_be_mistaken_are_named() -> None:
    site = small()
    assert [room.name for room in site.rooms] == ["kitchen", "hallway"]
    kitchen = site.rooms[0]
    graph = site.graph
    assert site.detours(kitchen)[graph.row("a"), graph.row("d")] == pytest.approx(8.0)
    assert site.detours(kitchen)[graph.row("e"), graph.row("h")] == 0.0
    assert site.around(kitchen).shortest_path("a", "d") == tuple("aefghd")


def test_texts_are_put_together_as_sentences() -> None:
    texts = {task_text("rescue", "familyroom", ["go in ", "leave  it"], 0, str(k)) for k in range(20)}
    assert len(texts) == 2
    for text in texts:
        assert "the family room" in text
        assert "Go in." in text
        assert text.endswith("Leave it.")
    assert speaks_of("kitchen", "into the kitchen")
    assert not speaks_of("kitchen", "to the kitchen counter")
    assert alludes_to("kitchen", "to the kitchen counter")
    assert WordedRoute(TaskRoute("avoid", small().rooms[0], (("a", "e"),), ("a",)), 0.0, ("x",)).direct == ""


def test_a_route_of_parts_has_no_viewpoint_twice_where_they_meet() -> None:
    route = TaskRoute("rescue", small().rooms[0], (("a", "b"), ("b", "a", "e")), ("a", "e"))
    assert route.path == ("a", "b", "a", "e")


def test_what_cannot_be_built_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="flee"):
        build_cases(dataset(), tasks=("flee",))
    with pytest.raises(InputError, match="no route"):
        build_cases(dataset(), tasks=())


# Scoring and findings.


def line(case: Case, path: tuple[str, ...], failed: str | None = None) -> EvidenceLine:
    name = case.episode.episode_id
    return EvidenceLine(v=1, case_id=case.case_id, episode_id=name, path=path, stopped=True, failed=failed)


def rows_of(walk: str) -> list[ScoreRow]:
    lines = {}
    for case in made().cases:
        ends = case.episode.path[0], case.episode.path[-1]
        path = case.episode.path if walk == "reference" else graph_of(case).shortest_path(*ends)
        lines[case.case_id] = line(case, path)
    return score_cases(made(), lines, scenes())


def test_who_follows_the_words_is_done_and_who_takes_the_shortest_way_is_not() -> None:
    for row in rows_of("reference"):
        if row.groups["variant"] == "told":
            assert (row.values["SR"], row.values["done"], row.values["CLS"]) == (1.0, 1.0, 1.0)
        else:
            assert "done" not in row.values
    for row in rows_of("shortest"):
        if row.groups["variant"] == "told":
            assert (row.values["SR"], row.values["done"], row.values["obeyed"]) == (1.0, 0.0, 0.0)
            assert row.values["CLS"] < 1.0


def test_a_case_that_failed_is_not_done() -> None:
    case = told()[0]
    (row,) = score_cases(made(), {case.case_id: line(case, case.episode.path[:1], "broke")}, scenes())
    assert row.values["done"] == 0.0
    assert "entered" not in row.values


def test_an_episode_without_a_task_is_refused() -> None:
    with pytest.raises(InputError, match="x"):
        task_of(Episode(episode_id="x", path_id="x", scan="s", instruction="go"))
    assert RoomTask(task="rescue", room="den", viewpoints=("d",)).obeyed("ad")


def test_findings_say_what_the_words_change() -> None:
    found = find(made(), {"good": rows_of("reference"), "hasty": rows_of("shortest")})
    said = {(s.agent, s.key): s.value for s in found.statements}
    assert said["good", "avoid.done"] == said["good", "rescue.done"] == 100.0
    assert said["hasty", "avoid.done"] == said["hasty", "rescue.done"] == 0.0
    assert said["hasty", "avoid.goal-at-any-price"] == 100.0
    assert (said["good", "avoid.words"], said["hasty", "avoid.words"]) == (-100.0, 0.0)
    assert (said["good", "rescue.words"], said["hasty", "rescue.words"]) == (100.0, 0.0)
    (table,) = found.tables
    assert [cells[:3] for cells in table.rows[:2]] == [("good", "avoid", "told"), ("good", "avoid", "direct")]
    assert [series.y for series in found.figures[0].panels[1].series] == [(100.0, 100.0), (0.0, 0.0)]
    alone = [row for row in rows_of("reference") if row.groups["variant"] == "told"]
    assert not any("words" in s.key for s in find(made(), {"mine": alone}).statements)


# By command, and on real data.


def test_avoid_is_built_run_and_reported_by_command(cli: Cli, tmp_path: Path) -> None:
    cases, run = tmp_path / "cases", tmp_path / "run"
    cli("build", "avoid", "--data", DATA, "--most", "1", "--out", cases)
    assert CaseSet.load(cases).rules.max_steps >= Rules().max_steps
    cli("run", "shortest", "--cases", cases, "--out", run)
    assert "enters the room that it was told to keep out of in 100.0 %" in cli("report", run).out
    assert "avoid" not in diagnosed_names()


def test_real_paths_are_joined_and_keep_their_own_words(data_root: Path) -> None:
    real = open_dataset("r2r/val_unseen", data_root)
    built = build_cases(real, most=4)
    texts = {" ".join(episode.instruction.split()).rstrip(".").lower() for episode in real.episodes()}
    assert {case.groups["task"] for case in built.cases} == {"avoid", "rescue"}
    assert {case.groups["variant"] for case in built.cases} == {"told"}
    scenes_there = real.scenes
    assert scenes_there is not None
    for case in built.cases:
        task, path = task_of(case.episode), case.episode.path
        assert task.obeyed(path)
        assert not task.obeyed(scenes_there.scene(case.episode.scan).graph.shortest_path(path[0], path[-1]))
        said = case.episode.instruction.lower()
        assert sum(text in said for text in texts) >= 2
