"""Strict filters: which words can be made wrong, and by what, so that people would still say it."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

import measure_selection
from vlnscope.benchmarks.errors.build.cases import build_cases, count_cases
from vlnscope.benchmarks.errors.build.strict.context import context, is_whole
from vlnscope.benchmarks.errors.build.strict.directions import AlignedPath, is_followed
from vlnscope.benchmarks.errors.build.strict.filters import StrictFilters
from vlnscope.benchmarks.errors.build.strict.likeness import kin, likeness, may_show
from vlnscope.benchmarks.errors.build.strict.plausible import NewName, agrees
from vlnscope.benchmarks.errors.build.strict.selection import fits, selection
from vlnscope.benchmarks.errors.build.strict.witnesses import Witnesses, is_named, may_be
from vlnscope.benchmarks.errors.build.types import Replacement
from vlnscope.benchmarks.errors.build.word_matching import Mention, directions, objects, rooms
from vlnscope.benchmarks.errors.build.words import object_classes, room_classes
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.language.alignment import words_of
from vlnscope.language.describe.verify.observer import Observer
from vlnscope.types import Chunk, Episode, SeenObject
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.objects import Objects
from vlnscope.worlds.rooms import ROOM_NAMES, Regions
from vlnscope.worlds.scene import Scene

NODES = ("a", "b", "c", "d", "e")
PLACES = [[0, 0, 1.5], [0, 3, 1.5], [-3, 3, 1.5], [-6, 3, 1.5], [-6, 6, 1.5]]
"""Straight on, left, straight on, right."""
LABELS = {0: "k", 1: "h", 2: "b"}
REGION = {"a": 0, "b": 1, "c": 1, "d": 2, "e": 2}
SEEN = {
    "a": (SeenObject("stove", 3.0, 1.0),),
    "b": (),
    "c": (),
    "d": (SeenObject("bed", 0.2, 3.0),),
    "e": (SeenObject("bed", 0.2, 1.0), SeenObject("desk", 1.0, 1.0)),
}


class _House:
    def __init__(self, *layers: str) -> None:
        graph = NavGraph.build(list(NODES), PLACES, list(pairwise(NODES)))
        made = {"regions": lambda: Regions(REGION, LABELS), "objects": lambda: Objects("toy", SEEN)}
        self._scene = Scene("toy", graph, {name: made[name] for name in layers or made})

    def scans(self) -> tuple[str, ...]:
        return ("toy",)

    def scene(self, scan: str) -> Scene:
        return self._scene


def _episode(*pieces: tuple[str, int, int]) -> Episode:
    chunks = tuple(Chunk(tuple(w.lower() for w, _ in words_of(t)), a, b) for t, a, b in pieces)
    text = " ".join(text for text, _, _ in pieces)
    return Episode(
        episode_id="1_0", path_id="1", scan="toy", instruction=text, path=NODES, heading=0.0, chunks=chunks
    )


def _filters(episode: Episode, *layers: str) -> StrictFilters:
    house = _House(*layers)
    return StrictFilters(episode, house.scene("toy"), Witnesses(house), FilterCounts())


def _followed(text: str) -> list[str]:
    return [mention.name for mention in directions(text) if is_followed(text, mention, None)]


@pytest.mark.parametrize(
    "text",
    [
        "Walk right past the bed.",
        "Go straight and stop right before the door.",
        "Wait right in front of the sink.",
        "Take the door right next to the stairs.",
        "Go right into the hallway.",
        "Go back to the hall and go around the table.",
        "Turn left again and take another right.",
        "Look left or right.",
        "Walk down the hallway you just left.",
        "Stop just outside the doorway.",
        "Take the door going outside.",
        "Turn right and enter the first door on your left.",
        "Go up the stairs. Stop at the top of the stairs.",
    ],
)
def test_adverbs_and_other_uses_of_the_words_are_no_directions(text: str) -> None:
    assert _followed(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Turn right before the door.", ["right"]),
        ("Take a slight left at the sofa.", ["left"]),
        ("Go left.", ["left"]),
        ("Make your first right and stop.", ["right"]),
        ("Pass the piano on your left.", ["left"]),
        ("Stop to the left of the sofa.", ["left"]),
        ("Take the leftmost door.", ["leftmost"]),
        ("Go up the stairs.", ["go up"]),
        ("Turn left. Turn right. Turn right again.", ["left"]),
    ],
)
def test_directions_are_followed(text: str, found: list[str]) -> None:
    assert _followed(text) == found


def test_a_turn_counts_only_where_the_path_makes_it() -> None:
    observer = Observer(_House().scene("toy"), NODES, 0.0)
    text = "Turn left."
    mention = directions(text)[0]
    assert is_followed(text, mention, AlignedPath(observer, range(2)))
    assert not is_followed(text, mention, AlignedPath(observer, range(2, 4)))
    assert is_followed(text, mention, AlignedPath(observer, None))
    assert not is_followed(
        "Go up the stairs.", directions("Go up the stairs.")[0], AlignedPath(observer, None)
    )


def test_a_room_is_entered_where_its_labels_begin() -> None:
    observer = Observer(_House().scene("toy"), NODES, 0.0)
    for text, steps, right in (
        ("Walk into the bedroom.", range(2, 4), True),
        ("Walk into the bedroom.", range(2), False),
        ("Walk out of the kitchen.", range(2), True),
        ("Walk out of the kitchen and into the hallway.", range(2), False),
        ("Walk into the room.", range(2, 4), False),
    ):
        assert is_followed(text, directions(text)[0], AlignedPath(observer, steps)) == right, text


def test_the_context_of_a_name() -> None:
    text = "Walk to the end of the long hallway, exit kitchen and pass the kitchen table / bar."
    found = [context(text, mention.start, mention.end) for mention in rooms(text)]
    assert [(one.governor, one.modifiers) for one in found] == [
        ("end of", ("long",)),
        ("EXIT", ()),
        ("PASS", ()),
    ]
    assert [is_whole(one) for one in found] == [True, True, False]


@pytest.mark.parametrize(
    ("old", "new", "text", "right"),
    [
        ("hallway", "bedroom", "Walk down the hallway.", False),
        ("hallway", "kitchen", "Walk into the hallway.", True),
        ("hallway", "bathroom", "Walk into the short hallway.", False),
        ("bedroom", "office", "Stop at the foot of the bedroom.", False),
    ],
)
def test_rooms_are_put_where_people_name_them(old: str, new: str, text: str, right: bool) -> None:
    at = text.index(old)
    assert fits("room", new, context(text, at, at + len(old))) == right


@pytest.mark.parametrize(
    ("old", "new", "text", "right"),
    [
        ("sofa", "chandelier", "Pass the leather sofa.", False),
        ("sofa", "armchair", "Pass the leather sofa.", True),
        ("bed", "window", "Go around the bed.", False),
        ("sofas", "fireplaces", "Pass the sofas.", False),
        ("sofas", "sinks", "Pass the two sofas.", True),
        ("chandelier", "bed", "Stop under the chandelier.", False),
    ],
)
def test_objects_are_put_where_people_name_them(old: str, new: str, text: str, right: bool) -> None:
    at = text.index(old)
    around = context(text, at, at + len(old))
    assert fits("object", new.removesuffix("s"), around, plural=old.endswith("s")) == right


@pytest.mark.parametrize(
    "text",
    [
        "Turn right into the hallway/entryway.",
        "Pass the kitchen table.",
        "Leave the closet and bedroom.",
        "Leave the bedroom and enter the other bedroom.",
    ],
)
def test_rooms_that_do_not_stand_for_themselves_are_left_alone(text: str) -> None:
    assert _filters(_episode((text, 1, 5))).spots(rooms(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Stop at the table with chairs.",
        "Stop by the picture on the wall.",
        "Pass the picture on the left of a horse.",
        "Walk between the beds.",
        "Stop on the rug.",
        "Pass the piano and stop by the other piano.",
    ],
)
def test_objects_of_which_more_is_said_are_left_alone(text: str) -> None:
    assert _filters(_episode((text, 1, 5))).spots(objects(text)) == []


def test_a_room_where_labels_disagree_is_left_alone() -> None:
    text = "Walk into the bathroom."
    assert _filters(_episode((text, 1, 5))).spots(rooms(text)) == []
    assert len(_filters(_episode((text, 1, 5)), "objects").spots(rooms(text))) == 1


@pytest.mark.parametrize(
    ("new", "right"),
    [("bathroom", True), ("hallway", False), ("bedroom", True), ("archway", False), ("living room", True)],
)
def test_a_room_next_to_the_path_is_not_put_in(new: str, right: bool) -> None:
    filters = _filters(_episode(("Leave the kitchen.", 1, 1), ("Stop.", 1, 5)))
    mention = rooms("Leave the kitchen.")[0]
    assert filters.lets(mention, Replacement(new, new, 1)) == right


@pytest.mark.parametrize(
    ("new", "right"), [("sofa", True), ("desk", False), ("table", False), ("pool", False)]
)
def test_an_object_that_is_seen_or_out_of_place_is_not_put_in(new: str, right: bool) -> None:
    filters = _filters(_episode(("Stop by the bed.", 4, 5)))
    assert filters.lets(objects("Stop by the bed.")[0], Replacement(new, new, 1)) == right


def test_on_scans_what_a_room_mostly_has_is_not_put_in() -> None:
    """No list of what a scan shows is complete: silence proves nothing about a bedroom's TV."""
    episode = _episode(("Stop by the bed.", 4, 5))
    house = _House("regions")
    witnesses = Witnesses(house)
    filters = StrictFilters(episode, house.scene("toy"), witnesses, FilterCounts())
    mention, tv, plant = (
        objects("Stop by the bed.")[0],
        Replacement("tv", "TV", 1),
        Replacement("plant", "plant", 1),
    )
    assert filters.lets(mention, tv)
    assert filters.lets(mention, plant)
    witnesses.complete = False
    assert not filters.lets(mention, tv)
    assert not filters.lets(mention, plant)
    assert filters.lets(mention, Replacement("piano", "piano", 1))


def test_what_the_text_names_elsewhere_is_not_put_in() -> None:
    filters = _filters(_episode(("Leave the kitchen.", 1, 1), ("Find the restroom.", 1, 5)))
    assert not filters.lets(Mention(10, 17, "room", "kitchen"), Replacement("bathroom", "bathroom", 1))


def test_look_alikes_count_as_being_there() -> None:
    assert may_be("l") >= {"f", "l", "n", "v"}
    assert "z" not in may_be("l")
    assert kin("cabinet", "shelf")
    assert not kin("sofa", "stove")
    assert may_show("stool", "chair")
    assert is_named("Stop in the hall.", "hallway")
    assert not is_named("Stop in the hall.", "kitchen")


def test_the_table_of_likeness_names_only_what_there_is() -> None:
    table = likeness()
    listed = table.slight | table.outdoors | table.everywhere | frozenset().union(*table.families)
    listed |= frozenset().union(*table.usual.values())
    assert listed <= set(object_classes())
    assert set(table.signs) <= set(room_classes())
    assert set(table.usual) <= set(ROOM_NAMES)


@pytest.mark.parametrize(
    ("text", "new", "old", "right"),
    [
        ("Enter the bathroom, wait at the desk.", "desk", "toilet", False),
        ("Enter the bedroom, wait at the desk.", "desk", "bed", True),
        ("Walk to the sink and the bed.", "sink", "sofa", False),
        ("Walk into the office. Walk beside the bed.", "office", "bedroom", False),
        ("Walk into the living room and past the oven.", "living room", "kitchen", False),
        ("Walk into the office. Enter the bedroom and pass the bed.", "office", "hallway", True),
        ("Stop in the bathroom at the entrance to the dining room.", "bathroom", "hallway", False),
    ],
)
def test_planted_names_agree_with_the_words_that_stay(text: str, new: str, old: str, right: bool) -> None:
    mention = next(one for one in (*rooms(text), *objects(text)) if one.name == new)
    assert agrees(text, [NewName(mention, old)], "") == right


def test_planted_names_agree_with_each_other() -> None:
    text = "Go into the kitchen and stop by the stove."
    filters = _filters(_episode((text, 1, 5)))
    room, thing = rooms(text)[0], objects(text)[0]
    office, toilet, desk = (Replacement(name, name, 1) for name in ("office", "toilet", "desk"))
    assert not filters.agree([(room, office), (thing, toilet)])
    assert filters.agree([(room, office), (thing, desk)])


def test_words_that_are_wrong_do_not_meet() -> None:
    text = "Walk out of the kitchen. Stop by the bed in the bedroom. Turn left into the hallway by the desk."
    source = Dataset(
        name="toy/test",
        split="test",
        format="",
        files=(),
        load=lambda on_problem: iter([_episode((text, 1, 5))]),
        load_scenes=lambda: _House("objects"),
    )
    for seed in range(20):
        for case in build_cases(source, types=("room-object",), seed=seed).cases:
            swaps = case.episode.extra.get("words_swapped", [])
            olds = {swap["old"] for swap in swaps}
            assert olds not in ({"bed", "bedroom"}, {"hallway", "desk"})


@pytest.fixture(scope="module")
def real(data_root: Path) -> CaseSet:
    return build_cases(
        open_dataset("r2r-ce/val_unseen", data_root),
        types=("direction", "room", "object"),
        graph=open_dataset("fgr2r/val_unseen", data_root),
        limit=60,
    )


def test_real_swaps_are_said_and_varied(real: CaseSet) -> None:
    assert count_cases(real) == {"direction": 60, "room": 60, "object": 60}
    wrong = [case for case in real.cases if case.groups["variant"] == "wrong"]
    drawn: dict[str, Counter[str]] = {"direction": Counter(), "room": Counter(), "object": Counter()}
    for case in wrong:
        for swap in case.episode.extra["words_swapped"]:
            drawn[case.groups["type"]][swap["new"].lower()] += 1
    assert all(max(found.values()) <= 40 for found in drawn.values())
    assert len(drawn["room"]) >= 5
    assert len(drawn["object"]) >= 10
    assert not {"archway", "table", "window"} & {*drawn["room"], *drawn["object"]}


def test_the_counts_are_those_of_r2r_train(data_root: Path) -> None:
    texts = [episode.instruction for episode in open_dataset("r2r/train", data_root).episodes()]
    assert measure_selection.count(texts, "room") == selection("room")
