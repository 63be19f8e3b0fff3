"""Building behavior cases: alignment, truncation, sectors, objects, rooms, templates, counts on real data."""

from __future__ import annotations

import json
import math
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_up import dataset
from vlnscope.benchmarks.behavior import protocol
from vlnscope.benchmarks.behavior.build.alignment import (
    chunk_cuts,
    chunk_ends,
    match_words,
    spoken_cuts,
)
from vlnscope.benchmarks.behavior.build.cases import build_cases
from vlnscope.benchmarks.behavior.build.direction import facing, lets_through, sector, turn_degrees
from vlnscope.benchmarks.behavior.build.object_names import ObjectNames, read_categories
from vlnscope.benchmarks.behavior.build.objects import lie_towards
from vlnscope.benchmarks.behavior.build.rooms import hops_from, way_of_hops
from vlnscope.benchmarks.behavior.build.templates import DIRECTIONS, stop_sentences, turn_sentences
from vlnscope.benchmarks.behavior.build.truncation import paired, with_period
from vlnscope.benchmarks.kit.benchmark import get_benchmark
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.cli.main import command_line
from vlnscope.core.exceptions import DataNotFoundError, InputError, MissingLayerError, UnknownNameError
from vlnscope.engine.run import run
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.episodes.datasets.pose_trace import PoseTrace
from vlnscope.types import STOP, Case, Chunk, Episode, SeenObject, TimedWord
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.objects import Objects, box_headings, circular_means
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene

FIRST_COUNT = {
    "stop": 4944,
    "forward": 2400,
    "right": 2722,
    "left": 2754,
    "back right": 2052,
    "back left": 2154,
    "backward": 4339,
    "object": 461,
    "room": 6214,
}
"""Questions of r2r/val_unseen with FGR2R's alignment, all truncations."""

RELEASED: dict[str, Any] = {
    "truncations": "paired",
    "turns": "released",
    "ahead": "released",
    "items": "released",
}


def crossing(objects: str = "houses", chairs: Sequence[SeenObject] = ()) -> Scene:
    """A way south → middle → north → far, with west and east beside the middle; metres, north is +y."""
    places = {
        "south": (0, -2, 0),
        "middle": (0, 0, 0),
        "north": (0, 2, 0),
        "far": (0, 4, 0),
        "west": (-2, 0, 0),
        "east": (2, 0, 0),
        "behind": (4, 0, 0),
    }
    edges = [
        ("south", "middle"),
        ("middle", "north"),
        ("north", "far"),
        ("middle", "west"),
        ("middle", "east"),
    ]
    graph = NavGraph.build(list(places), [*map(list, places.values())], [*edges, ("east", "behind")])
    kinds = {"south": "h", "middle": "h", "north": "k", "far": "l", "west": "z", "east": "k", "behind": "e"}
    regions = Regions({name: i for i, name in enumerate(kinds)}, dict(enumerate(kinds.values())))
    seen: dict[str, tuple[SeenObject, ...]] = dict.fromkeys(places, ())
    seen["middle"] = tuple(chairs)
    return Scene("crossing", graph, {"regions": lambda: regions, "objects": lambda: Objects(objects, seen)})


def straight(**more: Any) -> Episode:
    """Walk from south over middle and north to far."""
    given = {
        "episode_id": "7_0",
        "path_id": "7",
        "scan": "crossing",
        "instruction": "Enter, then go straight on. Walk ahead; stop at the sofa.",
        "path": ("south", "middle", "north", "far"),
        "heading": 0.0,
        "chunks": (
            Chunk(("enter", "then", "go", "straight", "on"), 1, 2),
            Chunk(("walk", "ahead"), 2, 3),
            Chunk(("stop", "at", "the", "sofa"), 3, 4),
        ),
    }
    return Episode(**{**given, **more})


@pytest.fixture(scope="module")
def behave(shared: Path) -> Any:
    return json.loads((shared / "fixtures" / "vln_behave.json").read_text())


@pytest.fixture(scope="module")
def val_unseen(data_root: Path) -> CaseSet:
    return build_cases(open_dataset("fgr2r/val_unseen", data_root), **(RELEASED | {"truncations": "all"}))


@pytest.fixture(scope="module")
def clear(data_root: Path) -> CaseSet:
    return build_cases(open_dataset("fgr2r/val_unseen", data_root), truncations="all")


def close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-7)


class TestFixtures:
    def test_angles(self, behave: Any) -> None:
        for angle, degrees in behave["rad2deg_mod"]:
            assert (
                abs(turn_degrees(angle) - degrees) < 1e-9 or abs(degrees) == abs(turn_degrees(angle)) == 180
            )
        for heading, direction, degrees in behave["diff_with_direction"]:
            assert close(turn_degrees(heading - direction), degrees)

    def test_headings_of_objects(self, behave: Any) -> None:
        for angles, mean in behave["average_angles"]:
            found = circular_means(np.array(angles), np.zeros(len(angles), dtype=np.int64), 1)
            assert close(float(found[0]), mean)
        for row in behave["object_headings"]:
            headings = box_headings(np.array(row["visible_pos"]), np.array(row["bbox2d"], dtype=np.float64))
            np.testing.assert_allclose(headings, row["headings"], atol=1e-9)
            mean = circular_means(headings, np.zeros(len(headings), dtype=np.int64), 1)
            assert close(float(mean[0]), row["avg_heading"])

    @pytest.mark.parametrize(
        ("filters", "key"), [("legacy", "direction_filter"), ("paper", "direction_filter_paper_text")]
    )
    def test_direction_filters(self, behave: Any, filters: Any, key: str) -> None:
        sectors = [
            [sector(turn_degrees(c["heading"])) for c in result["candidates"][0][1]]
            for result in behave["results"]
        ]
        for direction in DIRECTIONS:
            kept = [k for k, its in enumerate(sectors) if lets_through(its, direction, filters)]
            assert kept == behave[key][direction]

    @pytest.mark.parametrize(("width", "key"), [(15.0, "object_filter_fov30"), (30.0, "object_filter_fov60")])
    def test_object_filter(self, behave: Any, width: float, key: str) -> None:
        kept = []
        for result in behave["results"]:
            around = result["candidates"][0][1]
            target = behave["object_gt"][result["instr_id"].split("_", 1)[1]]
            near = lie_towards([c["normalized_heading"] for c in around], target, width)
            if any(near) and len(around) >= 3:
                kept.append(result["instr_id"])
        assert kept == behave[key]

    def test_truncations(self, behave: Any) -> None:
        assert len(behave["truncation"]) == 12
        for row in behave["truncation"]:
            episode = spoken(row["sample"])
            trace = PoseTrace(pano=tuple(row["trace_pano"]), time=np.array(row["trace_time"]))
            plain, ahead = spoken_cuts(episode, trace), spoken_cuts(episode, trace, ahead=1)
            for cuts, key in ((plain, "truncated"), (ahead, "one_step_ahead")):
                found = [
                    (f"{episode.episode_id}_{c.nodes}", list(episode.path[: c.nodes]), c.text) for c in cuts
                ]
                assert found == [(w["instruction_id"], w["path"], w["instruction"]) for w in row[key]]
            both = [it for it in paired(episode, plain, ahead, "rxr") if it.ahead is not None]
            wanted = [
                (w["instruction_id"], tuple(w["path"]), w["instruction"]) for w in row["paired_with_period"]
            ]
            assert [(it.pair, it.path, it.text) for it in both] == wanted


def spoken(sample: dict[str, Any]) -> Episode:
    words = tuple(
        TimedWord(w["word"], end_time=None if w.get("end_time") in (None, "NaN") else w["end_time"])
        for w in sample["timed_instruction"]
    )
    return Episode(
        episode_id=str(sample["instruction_id"]),
        path_id=str(sample["path_id"]),
        scan=sample["scan"],
        instruction=sample["instruction"],
        path=tuple(sample["path"]),
        words=words,
    )


class TestTraces:
    def walk(
        self, times: Mapping[str, float | None], trace: list[tuple[str, float]], path: str = "abcd"
    ) -> Any:
        words = tuple(TimedWord(word, end_time=end) for word, end in times.items())
        episode = straight(path=tuple(path), words=words)
        pano, time = zip(*trace, strict=True)
        return [tuple(cut) for cut in spoken_cuts(episode, PoseTrace(pano=pano, time=np.array(time)))]

    def test_a_word_without_a_time_goes_where_it_stands(self) -> None:
        times = {"one": 1.0, "two": None, "three": 3.0, "four": 5.0, "five": 9.0}
        trace = [("a", 0.0), ("b", 2.0), ("c", 4.0), ("d", 6.0)]
        assert self.walk(times, trace) == [(2, "one two"), (3, "one two three")]

    def test_two_nodes_within_one_word_are_cut_one_word_apart(self) -> None:
        times = {"one": 1.0, "long": 5.0, "next": 6.0, "last": 9.0}
        trace = [("a", 0.0), ("b", 2.0), ("c", 3.0), ("d", 7.0)]
        assert self.walk(times, trace) == [(2, "one"), (3, "one long")]

    def test_a_node_that_the_trace_lacks_is_passed_over(self) -> None:
        times = {"one": 1.0, "two": 3.0, "three": 9.0}
        assert self.walk(times, [("a", 0.0), ("c", 2.0), ("d", 4.0)]) == [(3, "one")]

    def test_a_node_visited_twice_counts_when_first_seen(self) -> None:
        times = {"one": 1.0, "two": 3.0, "three": 5.0, "four": 7.0, "five": 9.0}
        trace = [("a", 0.0), ("b", 2.0), ("a", 3.0), ("b", 4.0), ("c", 6.0), ("d", 8.0)]
        assert self.walk(times, trace) == [(2, "one"), (3, "one two three")]

    def test_built_from_files(self, tmp_path: Path) -> None:
        words = [TimedWord(f"w{k}", end_time=k + 1.0) for k in range(9)]
        base = straight(words=tuple(words), chunks=(), language="en-US")
        other = {"rxr-1": ("en-IN", "8"), "rxr-2": ("hi-IN", "8"), "rxr-3": ("en-US", "4721")}
        episodes = [msgspec.structs.replace(base, episode_id="12")]
        for name, (language, path_id) in other.items():
            episodes.append(
                msgspec.structs.replace(base, episode_id=name, language=language, path_id=path_id)
            )
        for name in ("000012", "0rxr-1".zfill(6)[1:]):
            np.savez(
                tmp_path / f"{name.zfill(6)}_guide_pose_trace.npz",
                pano=np.array(base.path),
                time=[0, 2, 4, 6],
            )
        np.savez(tmp_path / "0rxr-1_guide_pose_trace.npz", pano=np.array(base.path), time=[0, 2, 4, 6])
        options: dict[str, Any] = {"skills": ("stop",), "traces": str(tmp_path), **RELEASED}
        made = build_cases(dataset(episodes, crossing()), **options)
        assert [case.case_id for case in made.cases] == [
            "stop.implicit.12_2", "stop.explicit.12_2", "stop.one-ahead.12_2",
        ]  # fmt: skip
        assert [case.episode.instruction for case in made.cases][::2] == ["w0 w1.", "w0 w1 w2 w3."]
        assert {case.groups["source"] for case in made.cases} == {"rxr"}
        losses = {loss.filter: (loss.before, loss.after) for loss in made.losses}
        assert losses["episodes in en-US"] == (4, 2)
        assert losses["paths that vln-behave uses"] == (2, 1)
        english = build_cases(dataset(episodes, crossing()), language="en", **options)
        assert {case.groups["pair"] for case in english.cases} == {"12_2", "rxr-1_2"}


class TestChunks:
    def test_text_is_the_original(self) -> None:
        cuts = chunk_cuts(
            straight(instruction="ENTER, then Go straight on!  Walk ahead (slowly), stop at the sofas")
        )
        assert [cut.nodes for cut in cuts] == [2, 3, 4]
        assert cuts[0].text == "ENTER, then Go straight on!"
        assert cuts[2].text == "ENTER, then Go straight on!  Walk ahead (slowly), stop at the sofas"

    def test_chunks_of_no_length_go_with_the_node_where_they_are_done(self) -> None:
        chunks = (
            Chunk(("face", "west"), 1, 1),
            Chunk(("pass", "the", "table"), 1, 2),
            Chunk(("turn", "left"), 2, 2),
            Chunk(("wait",), 2, 4),
        )
        cuts = chunk_cuts(straight(instruction="Face west. Pass the tables, turn left. Wait.", chunks=chunks))
        assert [(cut.nodes, cut.text) for cut in cuts[:2]] == [
            (1, "Face west."),
            (2, "Face west. Pass the tables, turn left."),
        ]

    def test_words_that_one_side_lacks(self) -> None:
        assert match_words(["its", "straight", "past"], ["it", "it", "straight", "past"])[-2:] == [1, 2]
        assert match_words(["go", "right", "in"], []) == []
        assert chunk_ends("Go in.", [Chunk(("go", "in"), 1, 2), Chunk((), 2, 3), Chunk(("/",), 3, 4)]) == [
            6,
            6,
            6,
        ]

    @given(
        st.lists(st.text(string.ascii_lowercase, min_size=1, max_size=5), min_size=1, max_size=12),
        st.lists(st.text(string.ascii_lowercase, min_size=1, max_size=5), max_size=12),
    )
    def test_matches_are_in_order(self, said: list[str], words: list[str]) -> None:
        places = [place for place in match_words(said, words) if place is not None]
        assert places == sorted(set(places))
        assert match_words(said, said) == list(range(len(said)))

    @given(st.text(min_size=1).filter(str.strip))
    def test_every_text_ends_with_a_full_stop(self, text: str) -> None:
        assert with_period(text).endswith(".")
        assert with_period(with_period(text)) == with_period(text)
        body = text.strip()
        assert len(with_period(text)) - len(body) == (body[-1] not in string.punctuation)


class TestSectors:
    @pytest.mark.parametrize(
        ("degrees", "name"),
        [
            (-15, "left"), (15, "forward"), (90, "right"), (165, "back right"), (180, "backward"),
            (-165, "backward"), (-90, "back left"), (-14.9, "forward"), (15.1, "right"), (-179.9, "backward"),
        ],
    )  # fmt: skip
    def test_ends(self, degrees: float, name: str) -> None:
        assert sector(degrees) == name

    @given(st.floats(-20, 20), st.integers(-3, 3))
    def test_whole_turns_do_not_matter(self, angle: float, turns: int) -> None:
        degrees = turn_degrees(angle)
        assert -180 < degrees <= 180
        apart = abs(turn_degrees(angle + turns * math.tau) - degrees)
        assert min(apart, 360 - apart) < 1e-6

    @given(st.lists(st.sampled_from(DIRECTIONS), max_size=7), st.sampled_from(DIRECTIONS))
    def test_the_code_keeps_a_part_of_what_the_paper_keeps(self, sectors: list[str], direction: str) -> None:
        paper = lets_through(sectors, direction, "paper")
        assert paper >= lets_through(sectors, direction, "legacy")
        assert paper == (direction in sectors and len(sectors) - sectors.count(direction) >= 2)

    def test_order_matters_to_the_code_alone(self) -> None:
        last, first = ["right", "backward", "left"], ["left", "right", "backward"]
        assert [lets_through(its, "left", "legacy") for its in (last, first)] == [True, False]
        assert [lets_through(its, "left", "paper") for its in (last, first)] == [True, True]

    def test_facing(self) -> None:
        graph = NavGraph.build(["a", "b"], [[0, 0, 0], [1, 3, 0]], [("a", "b")])
        exact, view = (facing(Scene("s", graph), ("a", "b"), rule) for rule in ("exact", "view"))
        assert math.degrees(exact) == pytest.approx(18.43, abs=0.01)
        assert math.degrees(view) == pytest.approx(30.0)

    def test_facing_after_a_step_along_no_edge(self) -> None:
        graph = NavGraph.build(["a", "b"], [[0, 0, 0], [1, 3, 0]], [])
        exact, view = (facing(Scene("s", graph), ("a", "b"), rule) for rule in ("exact", "view"))
        assert math.degrees(exact) == pytest.approx(18.43, abs=0.01)
        assert math.degrees(view) == pytest.approx(30.0)


def test_templates() -> None:
    assert [len(stop_sentences(kind)) for kind in ("paper", "released")] == [4, 8]
    released = {
        direction: [s.text for s in turn_sentences(direction, "released")] for direction in DIRECTIONS
    }
    assert {name: len(texts) for name, texts in released.items()} == {
        "forward": 5, "right": 35, "left": 35, "back right": 35, "back left": 35, "backward": 5,
    }  # fmt: skip
    assert "Make a left and walk ahead." in released["left"]
    assert "Turn around and take a right, move forward." in released["back left"]
    ids = [s.template for kind in ("paper", "released") for d in DIRECTIONS for s in turn_sentences(d, kind)]
    assert len(set(ids)) == len(ids)
    with pytest.raises(UnknownNameError, match="direction"):
        turn_sentences("up", "paper")


class TestMadeUp:
    def build(self, scene: Scene | None = None, **options: Any) -> dict[str, Case]:
        made = build_cases(dataset([straight()], scene or crossing()), **(RELEASED | options))
        return {case.case_id: case for case in made.cases}

    def test_all_skills(self) -> None:
        chair = SeenObject("chair", 0.2, 2.0)
        cases = self.build(crossing(chairs=[chair, SeenObject("chair", 1.6, 1.0)]))
        assert {name: case.correct for name, case in cases.items()} == {
            "stop.implicit.7_0_2": (STOP,),
            "stop.explicit.7_0_2": (STOP,),
            "stop.one-ahead.7_0_2": ("north",),
            "direction.forward.7_0_2": ("north",),
            "direction.right.7_0_2": ("east",),
            "direction.back-left.7_0_2": ("west",),
            "direction.backward.7_0_2": ("south",),
            "object.chair.7_0_2": ("north",),
            "room.kitchen.7_0_2": ("north", "east"),
        }
        assert cases["stop.one-ahead.7_0_2"].episode.instruction == "Enter, then go straight on. Walk ahead."
        assert cases["object.chair.7_0_2"].episode.instruction.endswith(
            "straight on. Walk towards the chair."
        )
        for case in cases.values():
            assert case.forced_steps == 1
            assert case.episode.path[:2] == ("south", "middle")
            assert case.groups["pair"] == "7_0_2"
            assert case.groups["path_length"] == "2"
            assert case.episode.chunks == ()

    def test_sectors_are_those_of_the_candidates(self) -> None:
        """West lies at -90°, which is back left: sectors include their clockwise end."""
        assert "direction.left.7_0_2" not in self.build(skills=("direction",))

    def test_all_truncations(self) -> None:
        cases = self.build(skills=("stop",), truncations="all")
        assert [name for name in cases if "7_0_3" in name] == ["stop.implicit.7_0_3", "stop.explicit.7_0_3"]

    def test_filters_of_objects(self) -> None:
        seen = [SeenObject("window", 0.0, 1.0), SeenObject("vase", 0.0, 3.5), SeenObject("sofa", 0.4, 1.0)]
        near = SeenObject("bed", 0.1, 3.0)
        made = build_cases(
            dataset([straight()], crossing(chairs=[*seen, near])), skills=("object",), **RELEASED
        )
        assert [case.groups["sub"] for case in made.cases] == ["implicit", "bed"]
        losses = {loss.filter: (loss.before, loss.after) for loss in made.losses if "object" in loss.filter}
        assert losses == {
            "object: not a part of the building": (4, 3),
            "object: within 3 m": (3, 2),
            "object: the first of its name": (2, 2),
            "object: a neighbour less than 15° from it": (2, 1),
            "object: 3 neighbours or more": (1, 1),
        }
        with pytest.raises(InputError, match="no case is left"):
            self.build(crossing(chairs=[near]), skills=("object",), neighbours=5)
        assert "object.vase.7_0_2" in self.build(crossing(chairs=seen), skills=("object",), reach=4.0)

    def test_rooms_within_and_exactly_so_many_hops(self) -> None:
        within = self.build(skills=("room-k",), hops=(1, 2))
        assert [name for name in within if "room" in name] == [
            "room-1.kitchen.7_0_2",
            "room-2.entryway.7_0_2",
            "room-2.kitchen.7_0_2",
            "room-2.living-room.7_0_2",
        ]
        exactly = self.build(skills=("room-k",), hops=(2,), hop_rule="exactly")
        assert [name for name in exactly if "room" in name] == [
            "room-2.entryway.7_0_2",
            "room-2.living-room.7_0_2",
        ]
        hall = within["room-2.entryway.7_0_2"]
        assert hall.correct == ()
        assert hall.episode.path == ("south", "middle", "east", "behind")
        assert (hall.groups["room"], hall.groups["hops"]) == ("e", "2")
        assert hall.episode.instruction.endswith(" This is your destination.")

    def test_names_of_rooms_depend_on_the_seed(self) -> None:
        texts = {
            self.build(skills=("room-k",), hops=(2,), seed=seed)["room-2.entryway.7_0_2"].episode.instruction
            for seed in range(12)
        }
        assert {text.split("towards the ")[1].split(".")[0] for text in texts} == {
            "entryway",
            "foyer",
            "lobby",
        }

    def test_stop_sentence_of_neighbouring_rooms(self) -> None:
        for stop in (False, True):
            case = self.build(skills=("room",), one_hop_stop=stop)["room.kitchen.7_0_2"]
            assert ("destination" in case.episode.instruction) == stop

    def test_rooms_without_a_label(self) -> None:
        scene = crossing()
        bare = Regions(scene.regions.of, {**scene.regions.labels, 2: "-"})
        other = Scene("crossing", scene.graph, {"regions": lambda: bare})
        assert "room.no-label.7_0_2" not in self.build(other, skills=("room",))
        assert "room.no-label.7_0_2" in self.build(other, skills=("room",), filters="legacy")

    def test_the_same_seed_the_same_cases(self) -> None:
        first, again, other = (self.build(templates="released", seed=seed) for seed in (3, 3, 4))
        assert first == again
        assert first != other
        assert first.keys() == other.keys()


def test_categories_of_matterport(tmp_path: Path) -> None:
    table = tmp_path / "category_mapping.tsv"
    table.write_text('index\traw_category\tmpcat40\n1\tnight stand\tchest_of_drawers\n2\t7" tv\ttv_monitor\n')
    names = ObjectNames(read_categories(table))
    assert names.spoken("night stand", "here") == "chest of drawers"
    assert names.spoken('7" tv', "here") == "tv monitor"
    assert [names.is_asked(name) for name in ("chest of drawers", "wall", "objects")] == [True, False, False]
    with pytest.raises(InputError, match="here: there is no object called 'nightstand'"):
        names.spoken("nightstand", "here")
    table.write_text("name,category\n")
    with pytest.raises(InputError, match="no columns raw_category and mpcat40"):
        read_categories(table)


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_ways_have_as_many_steps_as_hops(seed: int, most: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 9))
    edges = [(str(i), str(int(rng.integers(i)))) for i in range(1, size)]
    graph = NavGraph.build([str(i) for i in range(size)], rng.uniform(0, 9, (size, 3)).tolist(), edges)
    hops = hops_from(graph, "0", most)
    assert hops[0] == 0
    for goal in range(size):
        way = way_of_hops(graph, hops, goal) if hops[goal] >= 0 else ()
        assert len(way) == max(0, hops[goal])
        for a, b in zip(("0", *way), way, strict=False):
            assert b in graph.neighbours(a)
        assert hops[goal] == (len(graph.shortest_path("0", str(goal))) - 1 if hops[goal] >= 0 else -1)


class TestRealData:
    def test_counts(self, val_unseen: CaseSet) -> None:
        asked = [case.groups for case in val_unseen.cases if case.groups["variant"] == "intervention"]
        counts = Counter(g["sub"] if g["skill"] == "direction" else g["skill"] for g in asked)
        assert counts == FIRST_COUNT
        assert Counter(case.groups["variant"] for case in val_unseen.cases)["T-3"] == 2744
        assert val_unseen.rules == protocol.rules()

    def test_losses_end_in_the_counts(self, val_unseen: CaseSet) -> None:
        left = {loss.filter: loss.after for loss in val_unseen.losses}
        assert left["inner nodes that a text leads to"] == FIRST_COUNT["stop"]
        for direction in DIRECTIONS:
            assert left[f"{direction}: two elsewhere"] == FIRST_COUNT[direction]
        assert left["object: 3 neighbours or more"] == FIRST_COUNT["object"]
        assert left["room: has a label"] == FIRST_COUNT["room"]
        assert all(loss.before >= loss.after for loss in val_unseen.losses)

    def test_objects_are_those_of_the_paper(self, val_unseen: CaseSet) -> None:
        paper = {
            "chair", "table", "picture", "cushion", "curtain", "plant", "cabinet", "gym equipment", "stool",
            "chest of drawers", "bed", "towel", "bathtub", "tv monitor", "seating",
        }  # fmt: skip
        found = Counter(c.groups["sub"] for c in val_unseen.cases if c.groups["skill"] == "object")
        assert found.most_common(1)[0][0] == "chair"
        assert sum(found[name] for name in paper) > 0.8 * found.total()

    def test_cases_share_their_prefix_and_none_is_asked_twice(self, val_unseen: CaseSet) -> None:
        assert len({case.case_id for case in val_unseen.cases}) == len(val_unseen.cases)
        plain = {c.groups["pair"]: c for c in val_unseen.cases if c.groups["variant"] == "none"}
        assert len(plain) == FIRST_COUNT["stop"]
        for case in val_unseen.cases:
            its = plain[case.groups["pair"]]
            assert case.episode.path[: case.forced_steps + 1] == its.episode.path
            assert case.episode.instruction.startswith(its.episode.instruction[:-1])
            assert case.correct
            assert set(case.episode.path[case.forced_steps + 1 :]) <= set(case.correct)

    def test_texts_are_beginnings_of_the_original(self, val_unseen: CaseSet, data_root: Path) -> None:
        whole = {e.episode_id: e.instruction for e in open_dataset("r2r/val_unseen", data_root).episodes()}
        for case in val_unseen.cases:
            if case.groups["variant"] == "none":
                text = case.episode.instruction.rstrip(".")
                assert whole[case.episode.episode_id].startswith(text)
                assert text


def obeyed(case: Case, path: Sequence[str], scene: Scene) -> bool:
    """Whether a search for a room succeeded: such a room is entered within the hops."""
    free = path[case.forced_steps + 1 : case.forced_steps + 1 + int(case.groups["hops"])]
    return any(scene.regions.label(place) == case.groups["room"] for place in free)


@pytest.fixture(scope="module")
def house_cases() -> CaseSet:
    skills = ("stop", "direction", "object", "room", "room-k")
    return build_cases(open_dataset("houses/val_unseen@1+1"), skills=skills, hops=(1, 3, 8), most=8)


class TestHouses:
    def test_sampling(self, house_cases: CaseSet) -> None:
        asked = [c.groups for c in house_cases.cases if c.groups["variant"] == "intervention"]
        strata = Counter(
            (g["skill"], g["sub"] if g["skill"] == "direction" else "", g.get("hops")) for g in asked
        )
        assert set(strata.values()) == {8}
        assert len(strata) == 1 + 6 + 1 + 1 + 3
        pairs = {c.groups["pair"] for c in house_cases.cases}
        plain = [c.groups["pair"] for c in house_cases.cases if c.groups["variant"] == "none"]
        assert sorted(plain) == sorted(pairs)
        assert {c.groups["source"] for c in house_cases.cases} == {"houses"}
        drawn = {loss.filter: loss.after for loss in house_cases.losses if "drawn" in loss.filter}
        assert set(drawn.values()) == {8}
        assert len(drawn) == len(strata)

    @pytest.mark.parametrize("agent", ["shortest", "shortest:follow=reference", "stop"])
    def test_known_agents(self, house_cases: CaseSet, agent: str, tmp_path: Path) -> None:
        data = open_dataset("houses/val_unseen@1+1")
        lines = run(agent, data, out=tmp_path / "run", cases=house_cases).lines()
        assert data.scenes is not None
        obeys: dict[str, list[float]] = {}
        for case in house_cases.cases:
            line, scene = lines[case.case_id], data.scenes.scene(case.episode.scan)
            if case.groups["skill"] == "room-k":
                obeys.setdefault("room-k", []).append(obeyed(case, line.path, scene))
                continue
            assert line.decisions is not None
            names = [*line.decisions[0].candidates, STOP]
            mass = zip(names, line.decisions[0].probabilities, strict=True)
            skill = "go on" if case.groups["sub"] == "one-ahead" else case.groups["skill"]
            obeys.setdefault(skill, []).append(sum(p for name, p in mass if name in case.correct))
        means = {skill: float(np.mean(values)) for skill, values in obeys.items()}
        if agent == "stop":
            assert means == {skill: float(skill == "stop") for skill in means}
        elif agent == "shortest":  # may take a way of fewer metres and more hops
            assert all(value == 1.0 for skill, value in means.items() if skill != "room-k")
        else:
            assert set(means.values()) == {1.0}
        assert len(means) == 6

    def test_command(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def call(*words: str) -> int:
            about = ["--data", "houses/val_unseen@1+1", "--most", "5", "--out", str(tmp_path / "c")]
            monkeypatch.setattr("sys.argv", ["vlnscope", "build", "behavior", *about, *words])
            with pytest.raises(SystemExit) as ended:
                command_line()
            return int(ended.value.code or 0)

        assert call("--skill", "stop", "--skill", "direction", "--json") == 0
        told = json.loads(capsys.readouterr().out)
        made = get_benchmark("behavior").build_cases(
            open_dataset("houses/val_unseen@1+1"), most=5, skills=("stop", "direction")
        )
        loaded = CaseSet.load(tmp_path / "c")
        assert loaded.cases == made.cases
        assert loaded.losses == made.losses
        assert told["cases"] == len(made.cases) == sum(told["counts"].values())
        assert call("--skill", "room-k", "--hops", "2") == 0
        shown = capsys.readouterr().out
        assert "room-2" in shown
        assert "what each filter let through" in shown
        assert CaseSet.load(tmp_path / "c").rules.max_steps == 20
        assert call("--skill", "jump") == 2
        assert "there is no skill called 'jump'" in capsys.readouterr().err


class TestBadInput:
    def test_no_alignment(self) -> None:
        with pytest.raises(InputError, match="episode 7_0: nothing says which of its words") as caught:
            build_cases(dataset([straight(chunks=())], crossing()))
        assert "fgr2r" in caught.value.expected

    def test_the_fourth_instruction_of_a_path_is_left_out(self) -> None:
        fourth = straight(episode_id="7_3", instruction_index=3, chunks=())
        made = build_cases(dataset([straight(), fourth], crossing()), skills=("stop",), items="released")
        assert {case.groups["pair"] for case in made.cases} == {"7_0_2", "7_0_3"}
        assert made.losses[1].before - made.losses[1].after == 1

    def test_steps_that_the_path_lacks(self) -> None:
        with pytest.raises(InputError, match="episode 7_0: its sub-instructions end at steps"):
            build_cases(dataset([straight(chunks=(Chunk(("enter",), 1, 9),))], crossing()))

    def test_words_without_times(self, tmp_path: Path) -> None:
        np.savez(tmp_path / "000012_guide_pose_trace.npz", pano=["south", "middle"], time=[0, 1])
        episode = straight(episode_id="12", words=(TimedWord("go"),))
        with pytest.raises(InputError, match="episode 12: none of its 1 words has a time"):
            build_cases(dataset([episode], crossing()), traces=str(tmp_path))
        with pytest.raises(InputError, match="episode 7_0: has no timed words"):
            build_cases(dataset([straight()], crossing()), traces=str(tmp_path))
        other = straight(episode_id="13", words=(TimedWord("go", end_time=1.0),))
        with pytest.raises(DataNotFoundError, match=r"episode 13: its pose trace .* is not there"):
            build_cases(dataset([other], crossing()), traces=str(tmp_path))
        np.savez(tmp_path / "000013_guide_pose_trace.npz", pano=["elsewhere"], time=[0])
        with pytest.raises(InputError, match="episode 13: its pose trace visits no viewpoint"):
            build_cases(dataset([other], crossing()), traces=str(tmp_path))

    def test_unknown_objects(self) -> None:
        scene = crossing(chairs=[SeenObject("chiar", 0.0, 1.0)])
        with pytest.raises(InputError, match="viewpoint middle of 7_0_2: there is no object called 'chiar'"):
            build_cases(dataset([straight()], scene))

    def test_no_category_mapping(self) -> None:
        scene = crossing("reverie", [SeenObject("chair", 0.0)])
        with pytest.raises(DataNotFoundError, match="category mapping"):
            build_cases(dataset([straight()], scene), skills=("object",))

    def test_missing_layer(self) -> None:
        bare = Scene("crossing", crossing().graph)
        with pytest.raises(MissingLayerError, match="regions"):
            build_cases(dataset([straight()], bare), skills=("room",))
        assert build_cases(dataset([straight()], bare), skills=("stop", "direction")).cases

    @pytest.mark.parametrize(
        "options",
        [
            {"skills": ("jump",)}, {"skills": ()}, {"filters": "old"}, {"truncations": "T-2"},
            {"facing": "north"}, {"templates": "mine"}, {"hop_rule": "about"}, {"hops": ()}, {"hops": (0,)},
            {"neighbours": 0}, {"reach": 0.0}, {"most": 0}, {"strange": 1},
        ],
    )  # fmt: skip
    def test_wrong_options(self, options: dict[str, Any]) -> None:
        with pytest.raises(InputError):
            build_cases(dataset([straight()], crossing()), **options)
