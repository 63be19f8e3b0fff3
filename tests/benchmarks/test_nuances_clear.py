"""Items that a stranger can follow: standing landmarks, rooms that look like their name, plain turns."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.nuances.build.cases import build_cases
from vlnscope.benchmarks.nuances.build.items import IndexedScene
from vlnscope.benchmarks.nuances.build.landmark_names import NamedLandmark, is_plainly_named
from vlnscope.benchmarks.nuances.build.landmark_paths import LandmarkWalk, Way, is_plain, walks_from
from vlnscope.benchmarks.nuances.build.paraphrases import TURNING, reworded
from vlnscope.benchmarks.nuances.build.placing import MeasuredBox, placed_objects, stands
from vlnscope.benchmarks.nuances.build.scene_rooms import SceneRooms
from vlnscope.benchmarks.nuances.build.sight import captioned_elsewhere, confirmed, seen_things
from vlnscope.benchmarks.nuances.build.standing import NO_LANDMARKS, is_standing_kind
from vlnscope.benchmarks.nuances.evaluators.landmark import is_right_end
from vlnscope.benchmarks.nuances.score import judge_walks
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.language.describe.scene_index import index_scene
from vlnscope.language.geometry import heading_to, relative
from vlnscope.language.lexicon import object_entry
from vlnscope.types import Case, Episode, SeenObject
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.objects import Objects, ViewSpan
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene


class Texts:
    """Captions for tests: by viewpoint and sector, “a wall” where nothing is said."""

    def __init__(self, said: dict[tuple[str, int], str]) -> None:
        self._said = said

    def at(self, viewpoint: str) -> tuple[str, ...]:
        return tuple(self._said.get((viewpoint, sector), "a wall") for sector in range(8))


def _two(height: float = 1.5) -> NavGraph:
    return NavGraph.build(["a", "b"], [[0, 0, height], [2, 0, height]], [("a", "b")])


def _scene_with(name: str, bottom: float, top: float) -> Scene:
    """Return a scene whose only object is in sight of two viewpoints, each √2 m away."""
    away = math.sqrt(2)
    span = ViewSpan(math.atan2(bottom - 1.5, away), math.atan2(top - 1.5, away))
    seen = {
        "a": (SeenObject(name, math.radians(45), object_id="7"),),
        "b": (SeenObject(name, math.radians(315), object_id="7"),),
    }
    objects = Objects("reverie", seen, {("a", "7"): span, ("b", "7"): span})
    return Scene("two", _two(), {"objects": lambda: objects, "heights": lambda: [1.5, 1.5]})


@pytest.mark.parametrize(
    ("bottom", "top", "standing"),
    [(0.0, 0.9, True), (-0.3, 0.9, True), (0.0, 0.4, False), (1.1, 1.9, False), (0.5, 1.4, False)],
)
def test_angles_tell_what_stands_on_the_floor(bottom: float, top: float, standing: bool) -> None:
    placed = placed_objects(_scene_with("chair", bottom, top)).at("a")[0]
    assert placed.box is not None
    assert placed.centre is not None
    assert placed.box[2] == pytest.approx(top - max(bottom, 0.0))
    assert placed.centre == pytest.approx((1.0, 1.0, (max(bottom, 0.0) + top) / 2))
    assert stands(MeasuredBox(bottom, top)) == standing


def test_names_outside_the_lexicon_are_known_by_their_last_words() -> None:
    scene = _scene_with("sofa chair", 0.0, 1.0)
    assert placed_objects(scene).at("a")[0].name == "chair"
    released = placed_objects(scene, sized=False).at("a")[0]
    assert (released.name, released.box) == ("sofa chair", None)
    assert released.centre == pytest.approx((1.0, 1.0, 0.8))


def test_what_the_paper_excludes_is_no_landmark() -> None:
    small = "light switch, vent, faucet, window sill, bottle, books, plate, picture, mirror, door, lamp"
    assert not any(is_standing_kind(name) for name in (*small.split(", "), *NO_LANDMARKS))
    assert all(is_standing_kind(name) for name in ("sofa", "bed", "table", "chair", "bathtub", "fireplace"))


def _asked(text: str, **extra: object) -> Episode:
    return Episode(
        episode_id="x_0", path_id="x", scan="s", instruction=text, path=("a", "b"), extra=dict(extra)
    )


def test_any_of_several_landmarks_is_right_but_not_officially() -> None:
    places = [[0, 0, 0], [0, 2, 0], [0, -2, 0]]
    graph = NavGraph.build(["a", "b", "c"], places, [("a", "b"), ("a", "c")])
    one, other = [0.5, 1.0, 0.0], [0.5, -1.0, 0.0]
    asked = _asked("walk past one of the chairs", obj_center=one, obj_centers=[one, other])
    assert [is_right_end(asked, end, graph, "default") for end in "abc"] == [False, True, True]
    assert [is_right_end(asked, end, graph, "official") for end in "abc"] == [False, True, False]
    alone = _asked("walk past the chair", obj_center=one)
    assert [is_right_end(alone, end, graph, "default") for end in "bc"] == [True, False]


def _rooms(labels: str, captions: Texts | None = None, *, clear: bool = True) -> SceneRooms:
    """Return rooms in a row, each of one viewpoint, called a, b, c and so on from south to north."""
    names = "abcdefgh"[: len(labels)]
    graph = NavGraph.build(list(names), [[0, 2 * k, 1.5] for k in range(len(names))], list(pairwise(names)))
    regions = Regions({name: k for k, name in enumerate(names)}, dict(enumerate(labels)))
    return SceneRooms(IndexedScene(Scene("row", graph, {"regions": lambda: regions}), clear, True, captions))


def test_rooms_that_look_alike_are_one() -> None:
    rooms = _rooms("lfhhbb")
    assert rooms.of == (0, 0, 2, 2, 4, 5)
    assert [rooms.name(region) for region in (0, 2, 4)] == ["living room", "hallway", "bedroom"]
    assert rooms.beside[0] == (2,)
    released = _rooms("lfhhbb", clear=False)
    assert released.of == (0, 1, 2, 3, 4, 5)
    assert released.name(1) == "family room"


def test_captions_say_what_a_room_looks_like() -> None:
    said = {("a", 2): "a kitchen", ("a", 3): "a kitchen with a stove", ("a", 0): "a hallway"}
    rooms = _rooms("kh", Texts(said))
    assert rooms.looks_like("kitchen", 0)
    assert not rooms.looks_like("hallway", 0)
    assert not rooms.looks_like("kitchen", 1)
    assert rooms.looks_unlike("kitchen", 1)
    assert not rooms.looks_unlike("kitchen", 0)
    assert rooms.seen_ahead("hallway", (0, 1))
    assert not rooms.seen_ahead("kitchen", (0, 1))
    assert _rooms("kh").looks_like("kitchen", 1)


def test_captions_confirm_what_is_meant_and_tell_of_others() -> None:
    graph = NavGraph.build(["a", "b"], [[0, 0, 1.5], [0, 3, 1.5]], [("a", "b")])
    seen = SeenObject("sofa", 0.0, 1.0, (), "1", (0.0, 4.0, 0.5))
    scene = Scene(
        "two",
        graph,
        {
            "objects": lambda: Objects("reverie", {"a": (), "b": (seen,)}),
            "regions": lambda: Regions({"a": 0, "b": 0}, {0: "l"}),
        },
    )
    index = index_scene(scene)
    ahead, behind = Texts({("a", 0): "a couch"}), Texts({("a", 4): "a couch"})
    assert seen_things(index, ahead) == (frozenset({0}), frozenset({0}))
    assert seen_things(index, behind) == (frozenset(), frozenset({0}))
    assert confirmed(index, ahead, (0, 1), 0, "sofa")
    assert not confirmed(index, ahead, (0, 1), 0, "loveseat")
    assert not confirmed(index, behind, (0, 1), 0, "sofa")
    assert not captioned_elsewhere(index, ahead, 0, "sofa", (0,))
    assert captioned_elsewhere(index, behind, 0, "sofa", (0,))


def test_nobody_turns_to_what_is_ahead() -> None:
    slots = {"landmark": "the sofa"}
    texts = {
        ahead: [reworded("towards", slots, seed, "x", ahead=ahead) for seed in range(40)]
        for ahead in (True, False)
    }
    assert not any(text.startswith(TURNING) for text in texts[True])
    assert any(text.startswith(TURNING) for text in texts[False])


@cache
def _real(root: Path, *, clear: bool = True, any_of: bool = True) -> CaseSet:
    return build_cases(open_dataset("r2r/val_unseen", root), clear=clear, any_of=any_of)


def _of(made: CaseSet, category: str) -> list[Case]:
    return [case for case in made.cases if case.groups["category"] == category]


def test_the_released_rules_give_what_they_gave(data_root: Path) -> None:
    made = _real(data_root, clear=False, any_of=False)
    counts = Counter(case.groups["category"] for case in made.cases)
    assert counts == {"DC": 162, "VM": 28, "LR": 35, "RR": 100}


def test_real_landmarks_stand_on_the_floor(data_root: Path) -> None:
    items = _of(_real(data_root), "LR")
    assert len(items) >= 40
    for case in items:
        name = object_entry(case.groups["variant"].removeprefix("one of the "))
        assert name is not None
        assert is_standing_kind(name), case.groups["variant"]
        several = case.episode.extra.get("obj_centers", [])
        assert ("one of the" in case.episode.instruction) == (len(several) > 1)
        assert case.episode.extra["obj_center"] in (several or [case.episode.extra["obj_center"]])
    without = _of(_real(data_root, any_of=False), "LR")
    assert 0 < len(without) < len(items)
    assert not any("obj_centers" in case.episode.extra for case in without)


def test_real_turns_lie_near_their_word(data_root: Path) -> None:
    scenes = open_dataset("r2r/val_unseen", data_root).scenes
    assert scenes is not None
    ideal = {"left": -90, "right": 90, "around": 180}
    for case in _of(_real(data_root), "DC"):
        graph = scenes.scene(case.episode.scan).graph
        a, b = (graph.positions[graph.row(node)] for node in case.episode.path)
        assert case.episode.heading is not None
        turn = math.degrees(math.atan2(b[0] - a[0], b[1] - a[1]) - case.episode.heading)
        off = abs((turn - ideal[case.groups["subset"]] + 180) % 360 - 180)
        most = 35.0 if case.groups["subset"] == "around" else 45.0
        assert off <= most + 1e-6, case.case_id


def test_real_landmarks_lie_ahead_at_the_end_or_are_left_behind(data_root: Path) -> None:
    scenes = open_dataset("r2r/val_unseen", data_root).scenes
    assert scenes is not None
    for case in _of(_real(data_root), "LR"):
        graph, extra = scenes.scene(case.episode.scan).graph, case.episode.extra
        first, *_, last = points = [tuple(graph.positions[graph.row(node)]) for node in case.episode.path]
        before, after = heading_to(*points[:2]), heading_to(*points[-2:])
        for centre in extra.get("obj_centers", [extra["obj_center"]]):
            at_start = math.degrees(abs(relative(before, heading_to(first, centre))))
            at_end = math.degrees(abs(relative(after, heading_to(last, centre))))
            if case.groups["subset"] == "towards":
                assert at_end <= 75.1, case.case_id
            else:
                assert at_start <= 75.1, case.case_id
                assert at_end >= 104.9, case.case_id
                assert "obj_centers" not in extra, case.case_id


def _row_past_a_sofa(place: tuple[float, float, float], *, clear: bool = True) -> IndexedScene:
    """Return viewpoints 1 m apart from south to north and a sofa that is in sight of them all."""
    names = "abcdef"
    graph = NavGraph.build(list(names), [[0, k, 1.5] for k in range(len(names))], list(pairwise(names)))
    seen = {name: (SeenObject("sofa", 0.0, 1.0, (), "1", place),) for name in names}
    return IndexedScene(Scene("row", graph, {"objects": lambda: Objects("made", seen)}), clear)


@pytest.mark.parametrize(("clear", "end"), [(True, 3), (False, 4)])
def test_a_walk_towards_a_thing_ends_before_it(clear: bool, end: int) -> None:
    site = _row_past_a_sofa((0.4, 3.6, 0.5), clear=clear)
    towards = [walk for walk in walks_from(site, 0, [0]) if walk.way == "towards"]
    assert [walk.path[-1] for walk in towards] == [end]
    assert is_plain(site, towards[0]) == clear


def test_a_walk_past_a_thing_has_it_ahead_and_then_behind() -> None:
    site = _row_past_a_sofa((1.0, 2.5, 0.5))
    plain = {
        path: is_plain(site, LandmarkWalk("past", 0, path)) for path in [(1, 2, 3, 4), (2, 3), (1, 2, 3)]
    }
    assert plain == {(1, 2, 3, 4): True, (2, 3): False, (1, 2, 3): True}
    assert not is_plain(site, LandmarkWalk("past", 0, (1, 2)))


@pytest.mark.parametrize(("aside", "plain"), [(0.1, False), (1.0, True), (1.5, False)])
def test_a_walk_past_a_thing_goes_closely_by_and_not_across_it(aside: float, plain: bool) -> None:
    site = _row_past_a_sofa((aside, 2.5, 0.5))
    assert is_plain(site, LandmarkWalk("past", 0, (1, 2, 3, 4))) == plain


def test_one_of_several_is_asked_for_only_where_all_lie_ahead() -> None:
    places = [(0.5, 4.0, 0.5), (-0.5, 4.5, 0.5), (0.5, 1.0, 0.5)]
    names = "abcdef"
    graph = NavGraph.build(list(names), [[0, k, 1.5] for k in range(len(names))], list(pairwise(names)))
    seen = tuple(SeenObject("sofa", 0.0, 1.0, (), str(k), place) for k, place in enumerate(places))
    site = IndexedScene(Scene("row", graph, {"objects": lambda: Objects("made", dict.fromkeys(names, seen))}))
    order = [site.scene_index.things[k].centre for k in range(3)]
    first, second, near = (order.index(place) for place in places)

    def told(way: Way, meant: tuple[int, ...], path: tuple[int, ...]) -> bool:
        walk = LandmarkWalk(way, first, path)
        return is_plainly_named(site, NamedLandmark(walk, "one of the sofas", "sofa", "", meant))

    assert told("towards", (first, second), (0, 1, 2, 3))
    assert not told("towards", (first, near), (0, 1, 2, 3))
    assert told("past", (first,), (2, 3, 4, 5))
    assert not told("past", (first, second), (2, 3, 4, 5))


def test_a_room_does_not_go_by_the_label_of_another() -> None:
    rooms = _rooms("fhlb")
    assert [rooms.has_rival(region) for region in range(4)] == [True, False, False, False]
    assert not _rooms("fhkb").has_rival(0)
    assert not _rooms("flhl").has_rival(0)


def test_real_rooms_have_names_that_the_eye_gives(data_root: Path) -> None:
    items = _of(_real(data_root), "RR")
    assert len(items) >= 60
    assert not {case.groups["room"] for case in items} & {"lounge", "family room", "porch", "balcony"}
    for case in items:
        assert not set(case.episode.extra["valid_ends"]) & set(case.episode.extra["region_starts"])


def test_references_of_real_items_succeed(data_root: Path) -> None:
    scenes = open_dataset("r2r/val_unseen", data_root).scenes
    assert scenes is not None
    walked = [(case, case.episode.path) for case in _real(data_root).cases]
    for wording in ("default", "official"):
        verdicts = judge_walks(walked, scenes, wording)
        assert {verdict.values["SR"] for verdict in verdicts.values()} == {1.0}
