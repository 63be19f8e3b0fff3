"""Behavior items that are true, clear and natural: what is left out, and why."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from made_up import dataset
from vlnscope.benchmarks.behavior.build.arrival import arrived
from vlnscope.benchmarks.behavior.build.cases import build_cases
from vlnscope.benchmarks.behavior.build.direction import is_clear, sector
from vlnscope.benchmarks.behavior.build.objects import names_object
from vlnscope.benchmarks.behavior.build.room_kinds import names_room, will_do
from vlnscope.benchmarks.behavior.build.text_end import breaks_off, text_end
from vlnscope.benchmarks.behavior.build.truncation import Truncation
from vlnscope.benchmarks.behavior.build.turns import turn_state
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.language.parse import parse
from vlnscope.types import STOP, Case, Chunk, Episode, SeenObject
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.objects import Objects
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene

REAL_COUNT = {
    "explicit": 1654,
    "one-ahead": 303,
    "forward": 563,
    "right": 416,
    "left": 361,
    "back right": 191,
    "back left": 188,
    "backward": 1166,
    "object": 14,
    "room": 382,
}
"""Questions of fgr2r/val_unseen by default."""
RELEASED_AHEAD = {"1": 2036, "2": 468, "3": 182, "4": 58}
"""How many viewpoints the texts one step ahead lead further, as released."""
PLACES = {
    "start": (0, -4, 0),
    "south": (0, -2, 0),
    "middle": (0, 0, 0),
    "north": (0, 2, 0),
    "east": (2, 0, 0),
    "west": (-2, 0, 0),
    "far": (4, 0, 0),
}
EDGES = [
    ("start", "south"), ("south", "middle"), ("middle", "north"), ("middle", "east"), ("middle", "west"),
    ("east", "far"),
]  # fmt: skip


def crossing(rooms: str = "hhhklcb", chairs: Sequence[SeenObject] = (), **moved: Any) -> Scene:
    """A way start → south → middle, from where ways lead north, east (and on to far) and west."""
    places = PLACES | moved
    graph = NavGraph.build(list(places), [list(map(float, at)) for at in places.values()], EDGES)
    regions = Regions({name: k for k, name in enumerate(places)}, dict(enumerate(rooms)))
    seen: dict[str, tuple[SeenObject, ...]] = dict.fromkeys(places, ())
    seen["middle"] = tuple(chairs)
    return Scene("crossing", graph, {"regions": lambda: regions, "objects": lambda: Objects("houses", seen)})


def walk(text: str, ends: Sequence[tuple[int, int]], path: Sequence[str] = ()) -> Episode:
    """An episode whose sentences are its sub-instructions, with the steps that each describes."""
    sentences = [part.strip() for part in text.replace(".", ".|").split("|") if part.strip()]
    chunks = tuple(
        Chunk(tuple(words.lower().strip(".").split()), *steps)
        for words, steps in zip(sentences, ends, strict=True)
    )
    return Episode(
        episode_id="7_0",
        path_id="7",
        scan="crossing",
        instruction=text,
        path=tuple(path or ("start", "south", "middle", "east", "far")),
        heading=0.0,
        chunks=chunks,
    )


GO_IN = "Walk into the hallway. Go past the lamp. Walk to the bed. Wait there."
GO_IN_ENDS = ((1, 2), (2, 3), (3, 4), (4, 5))


def built(episode: Episode, scene: Scene | None = None, **options: Any) -> dict[str, Case]:
    made = build_cases(dataset([episode], scene or crossing()), **options)
    return {case.case_id: case for case in made.cases}


class TestTextEnds:
    @pytest.mark.parametrize(
        ("text", "turns"),
        [
            ("Exit the bedroom and turn right.", ("right",)),
            ("Turn left and walk down the hallway.", ()),
            ("Leave the closet and take a left. Take another left.", ("left", "left")),
            ("Walk past the sofa and turn around.", ("around",)),
            ("Walk past the sofa.", ()),
        ],
    )
    def test_turns(self, text: str, turns: tuple[str, ...]) -> None:
        assert text_end(text).turns == turns

    def test_stops_and_moves(self) -> None:
        assert text_end("Enter the bedroom and stand at the foot of the bed.").stops
        assert not text_end("Stop at the sofa. Walk past it.").stops
        assert text_end("Turn to face the black door.").faces
        assert not text_end("Turn left.").moves
        assert text_end("Turn left at the top of the stairs.").moves

    @pytest.mark.parametrize(
        ("text", "rest", "broken"),
        [
            ("Walk up the stairs, stop just before the", " banister.", True),
            ("Go straight then turn", " right and exit.", True),
            ("Exit the bathroom then", " wait.", True),
            ("Walk towards the sitting", " area, go straight.", True),
            ("Walk past the piano", " and the pictures.", False),
            ("Exit room", " walk through double doors", False),
            ("Go to the stairs", "\r\nGo to the footstool", False),
            ("Walk past the bar.", "", False),
            ("Go past the lamp and stop.", " Walk on.", False),
        ],
    )
    def test_texts_that_break_off(self, text: str, rest: str, broken: bool) -> None:
        assert breaks_off(text, rest) == broken

    def test_are_left_out(self) -> None:
        text = "Walk into the big hallway. Go past the lamp. Walk to the bed. Wait there."
        whole = built(walk(text, GO_IN_ENDS), skills=("stop",))
        assert "stop.explicit.7_0_2" in whole
        episode = walk(text, GO_IN_ENDS)
        cut = (
            Chunk(("walk", "into", "the"), 1, 2),
            Chunk(("big", "hallway", "go", "past", "the", "lamp"), 2, 3),
        )
        episode = Episode(**{**_fields(episode), "chunks": (*cut, *episode.chunks[2:])})
        assert "stop.explicit.7_0_2" not in built(episode, skills=("stop",))
        assert "stop.explicit.7_0_2" in built(episode, skills=("stop",), items="released")


def _fields(episode: Episode) -> dict[str, Any]:
    return {name: getattr(episode, name) for name in episode.__struct_fields__}


def truncated(text: str, path: str, *, since: int, nodes: int) -> Truncation:
    episode = Episode(
        episode_id="7_0",
        path_id="7",
        scan="crossing",
        instruction=text,
        path=tuple(path.split()),
        heading=0.0,
    )
    return Truncation(episode, nodes, text, None, "fgr2r", since=since)


class TestTurns:
    LEFT = "Walk into the hallway and turn left."
    RIGHT = "Walk into the hallway and turn right."

    @pytest.mark.parametrize(
        ("text", "path", "nodes", "state"),
        [
            (RIGHT, "start south middle east far", 3, "to come"),
            (RIGHT, "start south middle east far", 4, "made"),
            (LEFT, "start south middle east far", 3, "unclear"),
            ("Walk into the hallway.", "start south middle east far", 3, "none"),
            ("Walk in and turn slightly right.", "start south middle east far", 3, "unclear"),
            ("Walk in and turn to face the bed.", "start south middle east far", 3, "unclear"),
        ],
    )
    def test_states(self, text: str, path: str, nodes: int, state: str) -> None:
        it = truncated(text, path, since=nodes - 1, nodes=nodes)
        assert turn_state(it, crossing().graph) == state

    def test_a_turn_done_on_the_spot_is_not_made_by_the_step_that_led_there(self) -> None:
        path = "south middle east far"
        once, again = (
            turn_state(truncated(self.RIGHT, path, since=since, nodes=3), crossing().graph)
            for since in (2, 3)
        )
        assert (once, again) == ("made", "unclear")

    EPISODE = walk(
        "Walk into the hallway. Go past the lamp and turn right. Walk to the bed. Wait there.", GO_IN_ENDS
    )

    def test_left_out(self) -> None:
        assert not [name for name in built(self.EPISODE) if name.endswith("7_0_3") and "stop" not in name]

    def test_facing(self) -> None:
        released, turned = (
            {
                case.groups["sub"]: case.correct
                for case in built(self.EPISODE, skills=("direction",), turns=rule).values()
                if case.groups["pair"] == "7_0_3" and case.groups["skill"] == "direction"
            }
            for rule in ("released", "facing")
        )
        assert released["forward"] == ("north",)
        assert turned["forward"] == ("east",)
        assert released["backward"] == ("south",)
        assert turned["backward"] == ("west",)

    def test_groups(self) -> None:
        case = built(self.EPISODE, skills=("direction",), turns="facing")["direction.forward.7_0_3"]
        assert case.groups["turn"] == "to come"
        assert float(case.groups["facing"]) == pytest.approx(math.pi / 2)


class TestOneStepAhead:
    LONG = walk("Walk into the hallway. Go past the lamp. Wait there.", ((1, 2), (2, 4), (4, 5)))

    def test_texts_that_lead_further(self) -> None:
        assert "stop.one-ahead.7_0_2" not in built(self.LONG, skills=("stop",))
        case = built(self.LONG, skills=("stop",), ahead="released")["stop.one-ahead.7_0_2"]
        assert case.groups["ahead"] == "2"

    def test_exactly_one(self) -> None:
        case = built(walk(GO_IN, GO_IN_ENDS), skills=("stop",))["stop.one-ahead.7_0_2"]
        assert (case.groups["ahead"], case.correct) == ("1", ("middle",))

    def test_another_way_that_goes_there(self) -> None:
        near = crossing(north=(1.5, 1.0, 0))
        assert "stop.one-ahead.7_0_3" in built(walk(GO_IN, GO_IN_ENDS), skills=("stop",))
        cases = built(walk(GO_IN, GO_IN_ENDS), near, skills=("stop",))
        assert "stop.one-ahead.7_0_3" in cases
        nearer = crossing(north=(1.9, 0.5, 0))
        assert "stop.one-ahead.7_0_3" not in built(walk(GO_IN, GO_IN_ENDS), nearer, skills=("stop",))


class TestArrival:
    @pytest.mark.parametrize(
        ("text", "nodes", "there"),
        [
            ("Enter the kitchen.", 3, False),
            ("Enter the living room.", 4, True),
            ("Leave the hallway.", 4, True),
            ("Turn into the room on the right.", 4, True),
            ("Walk through the doorway.", 4, True),
            ("Go up the stairs.", 3, False),
            ("Walk past the sofa.", 3, True),
        ],
    )
    def test_rooms_and_stairs(self, text: str, nodes: int, there: bool) -> None:
        it = truncated(text, "start south middle east far", since=nodes - 1, nodes=nodes)
        assert arrived(it, crossing("hhhklcl")) == there

    def test_doors_and_rooms_that_could_be_any(self) -> None:
        one = crossing()
        same = Regions(dict.fromkeys(PLACES, 0), {0: "h"})
        one = Scene("crossing", one.graph, {"regions": lambda: same})
        for text in ("Walk through the doorway.", "Enter the room.", "Exit the room."):
            it = truncated(text, "start south middle east far", since=3, nodes=4)
            assert (arrived(it, crossing("hhhklcl")), arrived(it, one)) == (True, False)

    def test_stairs_that_go_on(self) -> None:
        steps = crossing(middle=(0, 0, 0.6), east=(2, 0, 1.4), far=(4, 0, 1.4))
        half, top = (
            truncated("Go up the stairs.", "start south middle east far", since=2, nodes=nodes)
            for nodes in (3, 4)
        )
        assert (arrived(half, steps), arrived(top, steps)) == (False, True)


@pytest.mark.parametrize(
    ("degrees", "direction", "clear"),
    [
        ((0.0, 60.0, 180.0), "forward", True),
        ((0.0, 25.0, 180.0), "forward", False),
        ((60.0, -60.0, 180.0), "right", True),
        ((-60.0, 60.0, 180.0), "left", True),
        ((20.0, -60.0, 180.0), "right", False),
        ((85.0, 95.0, 180.0), "right", False),
        ((-120.0, 60.0, 180.0), "back left", True),
        ((-160.0, 60.0, 180.0), "back left", False),
        ((180.0, 60.0, -60.0), "backward", True),
        ((180.0, 160.0, -60.0), "backward", False),
    ],
)
def test_clear_directions(degrees: tuple[float, ...], direction: str, clear: bool) -> None:
    assert is_clear(degrees, [sector(angle) for angle in degrees], direction) == clear


class TestRooms:
    def test_look_alikes(self) -> None:
        assert will_do("f", "l", clear=True)
        assert not will_do("f", "l", clear=False)
        assert not will_do("k", "z", clear=True)

    def asked(self, rooms: str, **options: Any) -> dict[str, tuple[str, ...]]:
        cases = built(walk(GO_IN, GO_IN_ENDS), crossing(rooms), skills=("room",), **options)
        return {case.groups["sub"]: case.correct for case in cases.values() if case.groups["pair"] == "7_0_3"}

    def test_any_of_them_is_right(self) -> None:
        assert self.asked("kkkfldb")["living room"] == ("north", "east")
        released = self.asked("kkkfldb", items="released")
        assert released["familyroom"] == ("north",)

    def test_nobody_is_sent_from_one_to_another(self) -> None:
        assert "living room" not in self.asked("lllfkdb")
        assert "familyroom" in self.asked("lllfkdb", items="released")

    def test_neighbours_whose_room_is_not_known(self) -> None:
        assert self.asked("kkkdjcb")["dining room"] == ("north",)
        with pytest.raises(InputError, match="no case is left"):
            self.asked("kkkdzcb")

    def test_rooms_that_the_text_names(self) -> None:
        assert "hallway" not in self.asked("kkkhdcb")
        assert "hallway" in self.asked("kkkhdcb", items="released")
        assert names_room("Walk down the stairs.", "s")

    def test_natural_names(self) -> None:
        cases = built(walk(GO_IN, GO_IN_ENDS), crossing("kkkfrdb"), skills=("room",))
        said = {case.episode.instruction.split(" Walk towards ")[-1] for case in cases.values()}
        assert {"the living room.", "the rec room."} <= said


class TestObjects:
    def asked(self, *seen: SeenObject, text: str = GO_IN, **options: Any) -> dict[str, tuple[str, ...]]:
        cases = built(walk(text, GO_IN_ENDS), crossing(chairs=seen), skills=("object",), **options)
        return {
            case.groups["sub"]: case.correct for case in cases.values() if case.groups["skill"] == "object"
        }

    NORTH, EAST = 0.1, math.pi / 2

    def test_any_of_a_name_is_right(self) -> None:
        chairs = SeenObject("chair", self.NORTH, 2.0), SeenObject("chair", self.EAST, 2.0)
        assert self.asked(*chairs)["chair"] == ("north", "east")
        assert self.asked(*chairs, items="released")["chair"] == ("north",)

    def test_a_kind_of_it_is_right_too(self) -> None:
        seen = SeenObject("chair", self.NORTH, 2.0), SeenObject("armchair", self.EAST, 2.0)
        assert self.asked(*seen) == {"chair": ("north", "east")}

    def test_one_where_no_way_leads(self) -> None:
        seen = SeenObject("chair", self.NORTH, 2.0), SeenObject("chair", 0.8, 2.0)
        sofa = SeenObject("sofa", self.EAST, 2.0)
        assert self.asked(*seen, sofa) == {"sofa": ("east",)}

    def test_another_out_of_reach(self) -> None:
        near, sofa = SeenObject("chair", self.NORTH, 2.0), SeenObject("sofa", self.EAST, 2.0)
        assert set(self.asked(near, SeenObject("chair", 0.8, 7.0), sofa)) == {"sofa"}
        assert set(self.asked(near, SeenObject("chair", 0.0, 7.0), sofa)) == {"chair", "sofa"}

    def test_named_already(self) -> None:
        text = GO_IN.replace("lamp", "armchair")
        seen = SeenObject("chair", self.NORTH, 2.0), SeenObject("sofa", self.EAST, 2.0)
        assert set(self.asked(*seen, text=text)) == {"sofa"}
        assert names_object(text, "chair")

    def test_things_too_small(self) -> None:
        seen = SeenObject("cup", self.NORTH, 2.0), SeenObject("sofa", self.EAST, 2.0)
        assert set(self.asked(*seen)) == {"sofa"}

    def test_after_a_stop(self) -> None:
        text = GO_IN.replace("Go past the lamp", "Go past the lamp and stop")
        sofa = SeenObject("sofa", self.EAST, 2.0)
        cases = built(walk(text, GO_IN_ENDS), crossing(chairs=[sofa]))
        assert {case.groups["skill"] for case in cases.values() if case.groups["pair"] == "7_0_3"} == {"stop"}


@pytest.fixture(scope="module")
def real(data_root: Path) -> CaseSet:
    return build_cases(open_dataset("fgr2r/val_unseen", data_root))


class TestRealData:
    def test_counts(self, real: CaseSet) -> None:
        asked = [case.groups for case in real.cases if case.groups["variant"] != "none"]
        counts = Counter(g["sub"] if g["skill"] in ("direction", "stop") else g["skill"] for g in asked)
        assert counts == REAL_COUNT

    def test_no_turn_is_to_be_made(self, real: CaseSet) -> None:
        turns = Counter(case.groups["turn"] for case in real.cases if case.groups["skill"] == "direction")
        assert set(turns) == {"none", "made"}
        assert turns["made"] < 0.1 * turns["none"]

    def test_texts_ahead_lead_one_step_further(self, real: CaseSet) -> None:
        ahead = [case for case in real.cases if case.groups["sub"] == "one-ahead"]
        assert {case.groups["ahead"] for case in ahead} == {"1"}

    def test_released_texts_ahead(self, data_root: Path) -> None:
        data = open_dataset("fgr2r/val_unseen", data_root)
        made = build_cases(data, skills=("stop",), ahead="released", items="released")
        counts = Counter(case.groups["ahead"] for case in made.cases if "ahead" in case.groups)
        assert counts == RELEASED_AHEAD
        assert counts.total() - counts["1"] == 708

    def test_texts_that_go_on_do_not_stop(self, real: CaseSet) -> None:
        plain = {c.groups["pair"]: c for c in real.cases if c.groups["variant"] == "none"}
        for case in real.cases:
            if case.groups["skill"] != "stop":
                actions = parse(plain[case.groups["pair"]].episode.instruction).actions
                assert actions[-1].kind != "stop"
            assert case.correct != () or case.groups["skill"] == "room-k"
            assert (STOP in case.correct) == (case.groups["sub"] in ("implicit", "explicit"))
