"""Describing: instructions that are whole, varied, aligned and understood by the parser."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import islice, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.house_paths import HousePath, house_paths
from vlnscope.language.actions import Action, NamedPlace
from vlnscope.language.alignment import StepSpan, align, chunks_of, times_of, words_of
from vlnscope.language.describe import REGISTERS, Describer, Description, Register, describe
from vlnscope.language.describe.realise.phrases import _clauses as phrase_file
from vlnscope.language.describe.realise.phrases import clauses, forms
from vlnscope.language.describe.realise.realiser import gerund, outdoors
from vlnscope.language.parse import parse
from vlnscope.types import Point, SeenObject
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.objects import Objects
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene

SEEDS = (1, 6)


@cache
def scene(seed: int) -> Scene:
    return house_scene(generate(seed))


@cache
def paths(seed: int) -> tuple[HousePath, ...]:
    return tuple(islice(house_paths(scene(seed), seed), 12))


@cache
def told(seed: int, register: Register) -> tuple[Description, ...]:
    return tuple(
        Describer(scene(seed), path.nodes, path.heading).describe(register, variant=variant)
        for path in paths(seed)
        for variant in range(2)
    )


def everything() -> Iterator[Description]:
    for seed in SEEDS:
        for register in REGISTERS:
            yield from told(seed, register)


def test_an_instruction_is_whole() -> None:
    for it in everything():
        assert re.fullmatch(r"[A-Z].*\.", it.text), it.text
        assert "  " not in it.text
        assert " ." not in it.text
        assert " ," not in it.text
        assert not re.search(r"\ba [aeiou]|\ban [^aeiou]|\{|\}|\[|\]", it.text.lower()), it.text
        for sentence in re.split(r"(?<=\.) ", it.text):
            assert sentence[0].isupper(), it.text


def test_nothing_that_only_a_machine_knows_is_said() -> None:
    for seed in SEEDS:
        ids = {thing.object_id for things in scene(seed).objects.seen.values() for thing in things}
        for register in REGISTERS:
            for it in told(seed, register):
                words = {word.text.lower() for word in it.words}
                assert words.isdisjoint({name.lower() for name in (*scene(seed).graph.nodes, *ids) if name})
                assert words.isdisjoint(
                    {"meter", "meters", "metre", "metres", "feet", "m", "node", "viewpoint"}
                )
                assert all(word in ("90", "180") for word in words if word.isdigit())


def test_variants_differ_in_words_and_in_landmarks() -> None:
    landmarks, texts = 0, 0
    for path in paths(1):
        describer = Describer(scene(1), path.nodes, path.heading)
        variants = [describer.describe(variant=variant) for variant in range(3)]
        texts += len({it.text for it in variants})
        named = {tuple(sorted(name for s in it.statements for name in s.object_ids)) for it in variants}
        landmarks += len(named) > 1
    assert texts == 3 * len(paths(1))
    assert landmarks >= 0.8 * len(paths(1))


def test_registers_differ_in_length() -> None:
    means = {
        register: sum(len(it.words) for seed in SEEDS for it in told(seed, register))
        / sum(len(told(seed, register)) for seed in SEEDS)
        for register in REGISTERS
    }
    assert 9 <= means["terse"] <= 22
    assert 18 <= means["r2r"] <= 32
    assert 50 <= means["rxr"] <= 100


def test_the_same_asked_twice_is_the_same() -> None:
    path = paths(1)[0]
    first = describe(scene(1), path.nodes, path.heading, variant=2, seed=5)
    assert first == describe(scene(1), path.nodes, path.heading, variant=2, seed=5)
    assert first.text != describe(scene(1), path.nodes, path.heading, variant=2, seed=6).text


_PROGRAM = """
from vlnscope.language.describe import REGISTERS, Describer
from vlnscope.worlds.houses.house import generate, house_scene
scene = house_scene(generate(1))
nodes = scene.graph.nodes
for goal in nodes[20:60:8]:
    path = scene.graph.shortest_path(nodes[3], goal)
    for register in REGISTERS:
        print(Describer(scene, path, 1.0).describe(register).text)
"""


def test_other_processes_say_the_same() -> None:
    said = []
    for hash_seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed}
        run = subprocess.run(
            [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, env=environment, check=True
        )
        said.append(run.stdout)
    assert said[0] == said[1]
    assert said[0].count("\n") == 15


# ---- what the parser makes of it


def places_of(action: Action) -> Iterator[NamedPlace]:
    for place in (action.place, action.at):
        if place is not None:
            yield place
            yield from (other for _, other in place.relations)


def test_the_parser_understands_every_word() -> None:
    for it in everything():
        assert parse(it.text).skipped == (), it.text


def test_the_parser_finds_the_same_actions_and_places() -> None:
    for it in everything():
        found = parse(it.text).actions
        assert [action.kind for action in found] == [s.action.kind for s in it.statements], it.text
        for statement, action in zip(it.statements, found, strict=True):
            said, understood = list(places_of(statement.action)), list(places_of(action))
            if statement.action.kind == "stairs" and statement.action.place is None:
                continue  # “go upstairs” names none
            assert [(p.what, p.name) for p in said] == [(p.what, p.name) for p in understood], it.text
            assert statement.action.direction in (action.direction, None), it.text


def _filled(key: str, template: str) -> str:
    room = "the hallway" if key.startswith(("go", "exit", "enter")) else "the red couch"
    place = "the stairs" if "top" in key or "bottom" in key or key.startswith("stairs") else room
    if key.startswith(("past+enter", "turn+enter", "enter", "through room", "stop in", "stop middle")):
        place = "the kitchen"
    if key.startswith(("through door", "stop doorway", "stop at entrance")):
        place = "the door"
    first = "the door" if key.startswith("through") else room
    at = "the kitchen" if "room" in key or "end" in key else "the stairs" if "top" in key else "the piano"
    filling = {
        "place": {"between": "the couch and the table", "remark in": "the kitchen"}.get(key, place),
        "A place": "a red couch", "the place": "the red couch", "1place": first, "into": "the bedroom",
        "at": "the door on the left" if key == "exit by" else at, "dir": "left", "side": "left",
        "YOUR": "your", "is": "is", "outside": "outside",
    }  # fmt: skip
    plain = template.replace("[", "").replace("]", "")
    text = re.sub(r"\{([^}]*)\}", lambda match: filling[match[1]], plain)
    return text[0].upper() + text[1:] + "."


_KINDS = {
    "away": ["go"], "between": ["past"], "goal": ["stop"], "exit into": ["exit", "enter"],
    "through door into": ["through", "enter"], "enter side": ["enter"], "towards end": ["towards"],
}  # fmt: skip


@pytest.mark.parametrize("key", sorted(phrase_file().clauses))
def test_every_clause_is_understood_as_meant(key: str) -> None:
    kinds = _KINDS.get(key) or (key.split("+") if "+" in key else [key.split()[0]])
    for register, templates in phrase_file().clauses[key].items():
        for template in templates:
            parsed = parse(f"Turn right. {_filled(key, template)} Go straight.")
            found = [action.kind for action in parsed.actions[1:-1]]
            assert found == kinds, (register, template)
            assert parsed.skipped == (), (register, template)


def test_words_come_from_the_lexicon_and_common_ones_first() -> None:
    assert set(forms("objects", "sofa").options) >= {"couch", "sofa"}
    assert forms("rooms", "hallway").options[0] == "hallway"
    assert "bath" not in forms("objects", "bathtub").options  # also a word for a bathroom
    assert "dinning table" not in forms("objects", "dining table").options
    assert all(clauses("turn", register).upto[-1] == pytest.approx(1.0) for register in REGISTERS)


def test_inflection() -> None:
    assert gerund("stop by {place}") == "stopping by {place}"
    assert gerund("[leave {place}] [into {into}]") == "[leaving {place}] [into {into}]"
    assert outdoors("[walk out of {place}] [into {into}]") == "[walk out of {place}] [onto {into}]"


# ---- alignment


def test_chunks_are_chained_and_words_have_steps() -> None:
    for it in everything():
        size = len(it.step_times)
        assert it.chunks[0].first_step == 1
        assert it.chunks[-1].last_step == size
        assert all(a.last_step == b.first_step for a, b in pairwise(it.chunks))
        assert [word for chunk in it.chunks for word in chunk.words] == [w.text.lower() for w in it.words]
        assert all(chunk.words for chunk in it.chunks)
        assert all(0 <= word.step < size for word in it.words)


def test_a_speaker_has_said_the_way_to_a_step_when_he_reaches_it() -> None:
    for it in everything():
        for word, timed in zip(it.words, it.timed_words, strict=True):
            assert timed.start_time is not None
            assert timed.end_time is not None
            assert it.step_times[word.step] <= timed.start_time + 0.01
            if word.step + 1 < len(it.step_times):
                assert timed.end_time <= it.step_times[word.step + 1] + 0.01


_WORDS = st.lists(st.sampled_from(["go", "past", "the", "sofa", "and", "stop"]), min_size=1, max_size=5)


@given(st.lists(st.tuples(_WORDS, st.integers(0, 3)), min_size=1, max_size=6))
def test_alignment_covers_text_and_path_whatever_the_clauses(clauses: list[tuple[list[str], int]]) -> None:
    text, stretches, step = "", [], 0
    for words, steps in clauses:
        start = len(text)
        text += " ".join(words) + ", "
        stretches.append(StepSpan(start, len(text) - 2, step, step + steps))
        step += steps
    words = align(text, stretches)
    assert [word.text for word in words] == [word for word, _ in words_of(text)]
    assert [word.step for word in words] == sorted(word.step for word in words)
    chunks = chunks_of(text, stretches, step)
    assert (chunks[0].first_step, chunks[-1].last_step) == (1, step + 1)
    positions: list[Point] = [(float(k), 0.0, 0.0) for k in range(step + 1)]
    timed, times = times_of(words, positions)
    assert len(timed) == len(words)
    assert len(times) == step + 1
    assert all(b > a for a, b in pairwise(times))
    spoken = [time for word in timed for time in (word.start_time or 0, word.end_time or 0)]
    assert spoken == sorted(spoken)


# ---- other scenes


def cross(*, rooms: bool = True, things: bool = True) -> Scene:
    """Four ways from a middle, a sofa in the north and one lamp in the east; x east, y north."""
    nodes = ("middle", "north", "east", "south", "west", "farther north")
    spots = [(0, 0, 1.5), (0, 3, 1.5), (3, 0, 1.5), (0, -3, 1.5), (-3, 0, 1.5), (0, 6, 1.5)]
    edges = [("middle", way) for way in nodes[1:5]] + [("north", "farther north")]
    graph = NavGraph.build(nodes, spots, edges)
    labels = {0: "h", 1: "l", 2: "k", 3: "b", 4: "b"}
    of = {"middle": 0, "north": 1, "farther north": 1, "east": 2, "south": 3, "west": 4}
    furniture = {"sofa": (0.5, 7.0, 0.5), "floor lamp": (4.0, 0.0, 1.0)}
    seen = {
        node: tuple(_seen(name, centre, spot) for name, centre in furniture.items())
        for node, spot in zip(nodes, spots, strict=True)
    }
    loaders = {}
    if rooms:
        loaders["regions"] = lambda: Regions(of, labels)
    if things:
        loaders["objects"] = lambda: Objects("test", seen)
    return Scene("cross", graph, loaders)


def _seen(name: str, centre: Point, spot: tuple[float, float, float]) -> SeenObject:
    heading = math.atan2(centre[0] - spot[0], centre[1] - spot[1]) % math.tau
    return SeenObject(name, heading, math.dist(centre, spot), ("red",), name, centre, (1.0, 1.0, 1.0))


def test_a_turn_is_said_where_it_is_needed() -> None:
    for variant in range(5):
        it = describe(cross(rooms=False, things=False), ("south", "middle", "east"), 0.0, variant=variant)
        turns = [s for s in it.statements if s.action.kind == "turn"]
        assert [(turn.action.direction, turn.first_step) for turn in turns] == [("right", 1)]
        assert it.ambiguous is None


def test_a_landmark_or_a_room_may_stand_for_the_turn() -> None:
    for variant in range(5):
        it = describe(cross(), ("south", "middle", "north", "farther north"), 0.0, variant=variant)
        assert it.ambiguous is None
        assert {name for s in it.statements for name in s.object_ids} <= {"sofa", "floor lamp"}


def test_what_cannot_be_told_apart_is_reported() -> None:
    nodes = ("start", "fork", "one", "two")
    spots = [(0, 0, 0), (0, 3, 0), (0.5, 8, 0), (-0.5, 8, 0)]
    graph = NavGraph.build(nodes, spots, [("start", "fork"), ("fork", "one"), ("fork", "two")])
    far_apart = graph.distance("one", "two")
    it = describe(Scene("fork", graph), ("start", "fork", "one"), 0.0)
    assert far_apart > 3
    assert it.ambiguous is not None
    assert re.search(r"fits the instruction too and ends \d+\.\d m from the goal", it.ambiguous)
    assert it.statements[-1].action.kind == "stop"


@pytest.mark.parametrize("register", REGISTERS)
def test_a_path_of_one_step_stops_where_it_is(register: Register) -> None:
    it = describe(cross(), ("north",), 0.0, register=register)
    assert {(s.first_step, s.last_step) for s in it.statements} == {(0, 0)}
    assert it.statements[-1].action.kind == "stop"
    assert it.chunks[-1].last_step == 1
    assert it.step_times == (0.0,)
    assert it.ambiguous is None


def test_bad_paths_are_refused_with_a_reason() -> None:
    house = cross()
    with pytest.raises(InputError, match="is empty"):
        describe(house, (), 0.0)
    with pytest.raises(InputError, match="jumps from south to north"):
        describe(house, ("south", "north"), 0.0)
    with pytest.raises(InputError, match="nowhere"):
        describe(house, ("south", "nowhere"), 0.0)
    with pytest.raises(InputError, match="register"):
        describe(house, ("south",), 0.0, register="epic")  # type: ignore[arg-type]


@pytest.mark.parametrize("source", ["reverie", "navgpt"])
def test_matterport_scans_are_described_by_rooms_and_objects(data_root: Path, source: str) -> None:
    scans = MatterportScenes(data_root, objects=source)  # type: ignore[arg-type]
    scan = scans.scene("zsNo4HB9uLZ")
    graph = scan.graph
    goals = [node for node in graph.nodes if 6 < graph.distance(graph.nodes[0], node) < 12][:6]
    texts = [describe(scan, graph.shortest_path(graph.nodes[0], goal), 0.0).text for goal in goals]
    assert len(texts) == 6
    assert all(parse(text).skipped == () for text in texts)
    assert sum(bool(re.search("room|hall|kitchen|office|study|stairs", text)) for text in texts) >= 3
