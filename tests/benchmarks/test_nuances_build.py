"""Building NavNuances items: rules of each category, and that wrong walks fail."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from vlnscope.agents.rules.shortest import way_to
from vlnscope.benchmarks.kit.case_file import check_cases
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.nuances.build.ambiguity import passes
from vlnscope.benchmarks.nuances.build.cases import build_cases
from vlnscope.benchmarks.nuances.build.files import save_files
from vlnscope.benchmarks.nuances.build.items import IndexedScene
from vlnscope.benchmarks.nuances.build.landmark_paths import landmarks, walks_from
from vlnscope.benchmarks.nuances.build.numbered_walks import BEYOND, DOOR_BEHIND, row_of
from vlnscope.benchmarks.nuances.build.numerical import PAST
from vlnscope.benchmarks.nuances.build.paraphrases import KEYWORDS, PHRASES, reworded
from vlnscope.benchmarks.nuances.build.placing import placed_objects, with_placed_objects
from vlnscope.benchmarks.nuances.build.vertical import levels_of
from vlnscope.benchmarks.nuances.limits import MOST
from vlnscope.benchmarks.nuances.score import judge_walks
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.reading import read_episodes, sniff
from vlnscope.language.parse import parse
from vlnscope.types import Case, SeenObject
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.splits import SPLITS, split_of
from vlnscope.worlds.objects import Objects
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene, Scenes

DATA = "houses/nuances@2"


@cache
def _dataset() -> Dataset:
    return open_dataset(DATA)


@cache
def _made() -> CaseSet:
    return build_cases(_dataset())


def _scenes() -> Scenes:
    scenes = _dataset().scenes
    assert scenes is not None
    return scenes


def _graph(case: Case) -> NavGraph:
    return _scenes().scene(case.episode.scan).graph


def _of(category: str) -> list[Case]:
    return [case for case in _made().cases if case.groups["category"] == category]


def test_every_category_is_there_and_can_be_run() -> None:
    check_cases(_made().cases, _scenes())
    assert {case.groups["category"] for case in _made().cases} == {"DC", "VM", "NU", "LR", "RR"}
    for case in _made().cases:
        assert {"category", "subset", "pair", "scene", "variant"} <= case.groups.keys()
        assert "_" not in case.case_id
        assert all(
            _graph(case).adjacency[_graph(case).row(a), _graph(case).row(b)]
            for a, b in pairwise(case.episode.path)
        )


def test_houses_are_in_no_other_split() -> None:
    assert {split_of(case.episode.scan) for case in _made().cases} == {"nuances"}
    assert SPLITS["nuances"].size <= 40


def test_the_shortest_way_to_the_annotated_end_succeeds_everywhere() -> None:
    walked = [(case, _shortest(case)) for case in _made().cases]
    verdicts = judge_walks(walked, _scenes())
    assert {
        name: verdict.values["SR"] for name, verdict in verdicts.items() if verdict.values["SR"] < 1
    } == {}


def _shortest(case: Case) -> tuple[str, ...]:
    """Walk as the agent `shortest` does."""
    graph, scene = _graph(case), _scenes().scene(case.episode.scan)
    walk = [case.episode.path[0]]
    while walk[-1] != case.episode.path[-1]:
        walk.append(scene.candidates(walk[-1])[way_to(graph, walk[-1], case.episode.path[-1])].viewpoint)
    return tuple(walk)


def test_walks_of_other_turns_and_straight_on_fail() -> None:
    for case in _of("DC"):
        graph = _graph(case)
        start = case.episode.path[0]
        for other in graph.neighbours(start):
            angle = _turn(case, graph, other)
            meant = {"left": -105 <= angle <= -30, "right": 30 <= angle <= 105, "around": abs(angle) >= 135}
            assert sum(meant.values()) == 1, f"{case.case_id}: a way at {angle:.0f}° is unclear"
            assert passes(case.episode, (start, other), graph) == meant[case.groups["subset"]]


def _turn(case: Case, graph: NavGraph, other: str) -> float:
    x, y, _ = graph.positions[graph.row(other)] - graph.positions[graph.row(case.episode.path[0])]
    assert case.episode.heading is not None
    return math.degrees((math.atan2(x, y) - case.episode.heading + math.pi) % math.tau - math.pi)


def test_turns_come_in_threes_from_one_view() -> None:
    views: dict[str, list[Case]] = {}
    for case in _of("DC"):
        views.setdefault(case.groups["pair"], []).append(case)
    for view in views.values():
        assert [case.groups["subset"] for case in view] == ["left", "right", "around"]
        assert len({(case.episode.path[0], case.episode.heading) for case in view}) == 1
        assert [case.case_id.rpartition("-path-")[2] for case in view] == ["0", "1", "2"]


def test_walks_for_other_landmarks_in_sight_fail() -> None:
    checked = 0
    for case in _of("LR"):
        site = IndexedScene(_scenes().scene(case.episode.scan))
        start = site.graph.row(case.episode.path[0])
        x, y = case.episode.extra["obj_center"][:2]
        for walk in walks_from(site, start, landmarks(site, start)):
            centre = site.scene_index.things[walk.thing].centre
            assert centre is not None
            if walk.way == case.groups["subset"] and math.hypot(centre[0] - x, centre[1] - y) > 1.5:
                checked += 1
                assert not passes(case.episode, site.named(walk.path), site.graph), case.case_id
    assert checked >= len(_of("LR"))


def test_the_two_items_of_a_landmark_pair_exclude_each_other() -> None:
    views: dict[str, list[Case]] = {}
    for case in _of("LR"):
        views.setdefault(case.groups["pair"], []).append(case)
    pairs = [view for view in views.values() if len(view) == 2]
    assert pairs
    for a, b in pairs:
        assert a.episode.path[0] == b.episode.path[0]
        assert a.episode.heading == b.episode.heading
        assert not passes(a.episode, b.episode.path, _graph(a))
        assert not passes(b.episode, a.episode.path, _graph(b))


def test_minimal_pairs_differ_in_one_word() -> None:
    for case in _of("LR"):
        if "attribute" in case.groups:
            other = next(c for c in _of("LR") if c.groups["pair"] == case.groups["pair"] and c is not case)
            mine, theirs = case.groups["variant"].split(), other.groups["variant"].split()
            assert len(mine) == len(theirs)
            assert mine[0] != theirs[0]
            assert mine[1:] == theirs[1:]


def test_names_of_landmarks_mean_one_thing_in_sight() -> None:
    for case in _of("LR"):
        scene = _scenes().scene(case.episode.scan)
        place = next(action.place for action in parse(case.episode.instruction).actions if action.place)
        x, y = case.episode.extra["obj_center"][:2]
        exact = [
            thing
            for thing in scene.objects.at(case.episode.path[0])
            if thing.name == place.name and set(place.attributes) <= set(thing.attributes)
        ]
        assert len(exact) <= 1, case.episode.instruction
        for thing in exact:
            assert thing.centre is not None
            assert math.hypot(thing.centre[0] - x, thing.centre[1] - y) < 1e-3


def test_sets_of_numbers_hold_all_walks_from_one_start() -> None:
    for case in _of("NU"):
        paths = case.episode.extra["set_paths"]
        key = "-".join(case.case_id.split("-")[-2:])
        assert len(paths) > 1
        assert tuple(paths[key][0]) == case.episode.path
        assert {path[0] for group in paths.values() for path in group} == {case.episode.path[0]}
        for other, group in paths.items():
            if other != key:
                assert judge_walks([(case, tuple(group[0]))], _scenes())[case.case_id].values["SR"] == 0.0


def test_rooms_are_counted_by_the_doors_one_walks_by() -> None:
    for case in _of("NU"):
        if case.groups["subset"] == "objects":
            continue
        regions = _scenes().scene(case.episode.scan).regions
        labels = [regions.label(node) for node in case.episode.path]
        assert set(labels[:-1]) == {"h"}
        numbers = [int(key.split("-")[0]) for key in case.episode.extra["set_paths"]]
        assert max(numbers) <= 6


def _rows(*things: tuple[float, float]) -> tuple[list[str], frozenset[str]]:
    """Number things by (metres to the right, metres ahead) of a walker who looks north."""
    site = IndexedScene(
        Scene("line", NavGraph.build(["a", "b"], [[0.0, 0, 0], [0.0, 9, 0]], [("a", "b")]), {})
    )
    places = [(k, (x, y, 0.0)) for k, (x, y) in enumerate(things)]
    row, clear = row_of(site, 0, (0.0, 1.0, 0.0), places, lambda _: ((), ()), DOOR_BEHIND)
    return sorted(row), clear


def test_a_door_abreast_makes_counting_unclear_on_its_side_only() -> None:
    left = [(-0.7, 2.0), (-0.7, 4.0)]
    assert _rows(*left, (0.7, 0.3)) == (["1-left", "1-right", "2-left"], frozenset({"left"}))
    assert _rows(*left, (0.7, -0.5)) == (["1-left", "2-left"], frozenset({"left"}))
    assert _rows(*left, (0.7, -0.9)) == (["1-left", "2-left"], frozenset({"left", "right"}))
    assert _rows(*left, (0.1, 0.3))[1] == frozenset()
    assert _rows((-0.7, 2.0), (-0.7, 2.7))[1] == frozenset({"right"})


def test_walks_to_doors_do_not_go_past_them_and_back() -> None:
    asked = [case for case in _of("NU") if case.groups["subset"] != "objects"]
    assert asked
    for case in asked:
        graph, heading = _graph(case), case.episode.heading
        assert heading is not None
        places = graph.positions[[graph.row(node) for node in case.episode.path]][:, :2]
        along = (places - places[0]) @ [math.sin(heading), math.cos(heading)]
        assert along[:-1].max() <= along[-1] + PAST + BEYOND


def test_region_items_start_outside_or_inside() -> None:
    for case in _of("RR"):
        extra, path = case.episode.extra, case.episode.path
        assert path[0] in extra["region_starts"]
        assert path[-1] in extra["valid_ends"]
        assert not set(extra["valid_ends"]) & set(extra["region_starts"])
        regions = _scenes().scene(case.episode.scan).regions
        labels = {
            regions.label(node)
            for node in extra["valid_ends" if case.groups["subset"] == "into" else "region_starts"]
        }
        assert len(labels) == 1


def test_stairs_lead_to_the_next_floor() -> None:
    for case in _of("VM"):
        graph = _graph(case)
        rise = (
            graph.positions[graph.row(case.episode.path[-1]), 2]
            - graph.positions[graph.row(case.episode.path[0]), 2]
        )
        assert (rise > 1.0) == (case.groups["subset"] == "up")
        assert abs(rise) < 4.5
        assert case.episode.extra["has_both_dir"] == (case.groups["both"] == "yes")
    both = [case for case in _of("VM") if case.groups["both"] == "yes"]
    assert {case.groups["subset"] for case in both} == {"up", "down"}


def test_flights_climb_over_landings() -> None:
    places = [[0.0, 0, 0], [0.0, 2, 0], [0.0, 4, 1.5], [1.0, 4, 1.5], [1.0, 2, 3], [1.0, 0, 3]]
    names = "abcdef"
    graph = NavGraph.build(list(names), places, list(pairwise(names)))
    letters = {"a": 0, "b": 1, "c": 1, "d": 1, "e": 1, "f": 2}
    scene = Scene("tower", graph, {"regions": lambda: Regions(letters, {0: "h", 1: "s", 2: "h"})})
    levels = levels_of(IndexedScene(scene))
    assert [flight.path for flight in levels.flights] == [(1, 2, 3, 4)]


@pytest.mark.parametrize("phrase", PHRASES)
def test_wordings_keep_their_keyword_and_can_be_parsed(phrase: str) -> None:
    slots = {
        "way": phrase,
        "landmark": "the red chair",
        "room": "the kitchen",
        "ordinal": "second",
        "side": "left",
        "thing": "chair",
    }
    for text in {reworded(phrase, slots, seed, "item") for seed in range(40)}:
        assert KEYWORDS.get(phrase, "") in text
        assert parse(text).coverage == 1.0, text
        assert not text.endswith(".")


def test_same_seed_same_items() -> None:
    again = build_cases(_dataset(), categories=("DC", "RR"))
    assert list(again.cases) == [case for case in _made().cases if case.groups["category"] in ("DC", "RR")]
    assert build_cases(_dataset(), categories=("DC", "RR"), seed=1).cases != again.cases


def test_limits_and_losses() -> None:
    few = build_cases(open_dataset("sample/demo"), categories=("DC",), most={"DC": 1}, paraphrase=False)
    assert {case.episode.instruction for case in few.cases} == {
        f"turn {way} and then walk straight" for way in ("left", "right", "around")
    }
    assert few.losses[-1].after == len(few.cases) // 3 == len({case.episode.scan for case in few.cases})
    for loss in _made().losses:
        assert 0 <= loss.after <= loss.before
    assert _made().options["most"] == dict(MOST)


def test_what_cannot_be_built_is_said() -> None:
    sample = open_dataset("sample/demo")
    made = build_cases(sample)
    assert {case.groups["category"] for case in made.cases} == {"DC"}
    assert any("NU needs the layer" in note for note in made.notes)
    with pytest.raises(InputError, match="no item of RR can be built"):
        build_cases(sample, categories=("RR",))
    with pytest.raises(UnknownNameError):
        build_cases(sample, categories=("XX",))
    with pytest.raises(InputError, match="cannot be taken"):
        build_cases(sample, most={"DC": -1})


def test_files_are_read_back_as_navnuances(tmp_path: Path) -> None:
    files = save_files(_made(), tmp_path)
    assert [path.name for path in files] == [f"R2R_{name}.json" for name in ("DC", "VM", "NU", "LR", "RR")]
    for path in files:
        assert sniff(path, "episodes").name == "navnuances-episodes"
    read = [episode for path in files for episode in read_episodes(path)]
    by_id = {case.episode.episode_id: case.episode for case in _made().cases}
    assert {episode.episode_id: episode for episode in read} == by_id


def _seen(heading: float) -> SeenObject:
    return SeenObject("chair", heading % math.tau, object_id="7")


def test_lines_of_sight_place_an_object() -> None:
    graph = NavGraph.build(["a", "b"], [[0, 0, 1.5], [2, 0, 1.5]], [("a", "b")])
    sights = {"a": (_seen(math.radians(45)),), "b": (_seen(math.radians(-45)),)}
    scene = Scene("two", graph, {"objects": lambda: Objects("reverie", sights)})
    placed = placed_objects(scene).at("a")[0]
    assert placed.centre is not None
    assert placed.centre[:2] == pytest.approx((1.0, 1.0))
    assert placed.distance == pytest.approx(math.sqrt(2))


@pytest.mark.parametrize("turn", [45, 50, 225])
def test_lines_that_do_not_cross_place_nothing(turn: int) -> None:
    graph = NavGraph.build(["a", "b"], [[0, 0, 1.5], [2, 0, 1.5]], [("a", "b")])
    sights = {"a": (_seen(math.radians(45)),), "b": (_seen(math.radians(turn)),)}
    scene = Scene("two", graph, {"objects": lambda: Objects("reverie", sights)})
    assert with_placed_objects(scene).objects.at("a")[0].centre is None


def test_objects_with_a_place_stay_as_they_are() -> None:
    scene = _scenes().scene("house-100000")
    assert with_placed_objects(scene) is scene


def test_matterport_scenes_give_all_but_numbers(data_root: Path) -> None:
    whole = open_dataset("r2r/val_unseen", data_root)
    scans = ("zsNo4HB9uLZ", "QUCTc6BB5sX")
    some = replace(whole, load=lambda _: (e for e in whole.episodes() if e.scan in scans))
    made = build_cases(some)
    assert {case.episode.scan for case in made.cases} == set(scans)
    assert {case.groups["category"] for case in made.cases} == {"DC", "VM", "LR", "RR"}
    assert made.notes == ("NU needs the layer 'plan', which 2 of 2 scenes lack",)
    assert some.scenes is not None
    verdicts = judge_walks([(case, case.episode.path) for case in made.cases], some.scenes)
    assert {verdict.values["SR"] for verdict in verdicts.values()} == {1.0}
    for case in made.cases:
        if case.groups["category"] == "DC":
            others = [c for c in made.cases if c.groups["pair"] == case.groups["pair"] and c is not case]
            graph = some.scenes.scene(case.episode.scan).graph
            assert not any(passes(case.episode, other.episode.path, graph) for other in others)
