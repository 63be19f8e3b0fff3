"""Grounding: instructions and what can be seen become scores over steps."""

from __future__ import annotations

import itertools
import math
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vlnscope.core.exceptions import InputError
from vlnscope.language.actions import Action, NamedPlace
from vlnscope.language.ground import WEIGHTS, best_walk, follow, ground
from vlnscope.language.ground.known_map import KnownMap, routes
from vlnscope.language.ground.potentials import potentials_of
from vlnscope.language.ground.search import Progress, StageLattice, build_lattice
from vlnscope.language.ground.stages import stages_of
from vlnscope.language.ground.terrain import terrain_of
from vlnscope.language.lexicon import mentions, name_match, object_entry, room_match
from vlnscope.perception.sights.captions import Captions
from vlnscope.perception.sights.percept import Sense, scene_percepts
from vlnscope.types import Point, SeenObject
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.objects import Objects
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene

NORTH, EAST, SOUTH, WEST = 0.0, math.pi / 2, math.pi, 3 * math.pi / 2

# A hall runs north; at its second and third viewpoint there is a door to a room on either side.
PLACES: dict[str, tuple[Point, str]] = {
    "h0": ((0, 0, 1.5), "h"),
    "h1": ((0, 3, 1.5), "h"),
    "h2": ((0, 6, 1.5), "h"),
    "h3": ((0, 9, 1.5), "h"),
    "k": ((-3, 3, 1.5), "k"),
    "b": ((3, 3, 1.5), "b"),
    "a": ((-3, 6, 1.5), "a"),
    "o": ((3, 6, 1.5), "o"),
    "top": ((0, 11.5, 4.2), "h"),
}
WAYS = [
    ("h0", "h1"),
    ("h1", "h2"),
    ("h2", "h3"),
    ("h1", "k"),
    ("h1", "b"),
    ("h2", "a"),
    ("h2", "o"),
    ("h3", "top"),
]
HALL = ("h0", "h1", "h2", "h3")
THINGS: dict[str, tuple[str, Point, Point, tuple[str, ...], tuple[str, ...]]] = {
    "door-k": ("door", (-1.5, 3, 1), (0.1, 0.9, 2), (), (*HALL, "k")),
    "door-b": ("door", (1.5, 3, 1), (0.1, 0.9, 2), (), (*HALL, "b")),
    "door-a": ("door", (-1.5, 6, 1), (0.1, 0.9, 2), (), (*HALL, "a")),
    "door-o": ("door", (1.5, 6, 1), (0.1, 0.9, 2), (), (*HALL, "o")),
    "sofa": ("sofa", (1, 4.5, 0.4), (0.8, 1.8, 0.8), ("red", "leather"), HALL),
    "plant": ("plant", (0.8, 9.2, 0.5), (0.4, 0.4, 1), ("green", "leaves"), HALL),
    "chair-1": ("chair", (-4, 3, 0.4), (0.5, 0.5, 0.9), ("blue", "wood"), ("k",)),
    "chair-2": ("armchair", (4, 6.2, 0.4), (0.7, 0.7, 0.9), ("green", "fabric"), ("o",)),
}


def seen_from(node: str) -> tuple[SeenObject, ...]:
    here = PLACES[node][0]
    found = []
    for object_id, (name, centre, box, attributes, viewers) in THINGS.items():
        if node in viewers:
            heading = math.atan2(centre[0] - here[0], centre[1] - here[1]) % math.tau
            found.append(
                SeenObject(name, heading, math.dist(here, centre), attributes, object_id, centre, box)
            )
    return tuple(found)


def corridor() -> Scene:
    graph = NavGraph.build(list(PLACES), [place for place, _ in PLACES.values()], WAYS)
    letters = {i: letter for i, (_, letter) in enumerate(PLACES.values())}
    regions = Regions({node: i for i, node in enumerate(PLACES)}, letters)
    objects = Objects("test", {node: seen_from(node) for node in PLACES})
    return Scene("corridor", graph, {"regions": lambda: regions, "objects": lambda: objects})


def known(*senses: Sense) -> KnownMap:
    scene = corridor()
    return KnownMap.of_scene(scene.graph, scene_percepts(scene, senses=senses or ("rooms", "objects")))


def turn(direction: str) -> Action:
    return Action(kind="turn", direction=direction)  # type: ignore[arg-type]


def room(name: str, **more: object) -> NamedPlace:
    return NamedPlace(what="room", name=name, **more)  # type: ignore[arg-type]


def thing(name: str, **more: object) -> NamedPlace:
    return NamedPlace(what="object", name=name, **more)  # type: ignore[arg-type]


GO = Action(kind="go", direction="straight")
STOP = Action(kind="stop")


@pytest.mark.parametrize(
    ("actions", "goal"),
    [
        ([GO, turn("left"), Action(kind="enter", place=room("kitchen"))], "k"),
        ([Action(kind="enter", place=room("bathroom"))], "a"),
        ([GO, turn("right"), Action(kind="through", place=thing("door")), STOP], "b"),
        ([Action(kind="through", place=thing("door", ordinal=2, side="left")), STOP], "a"),
        ([Action(kind="through", place=thing("door", ordinal=1, side="right")), STOP], "b"),
        ([Action(kind="past", place=thing("sofa"), side="right"), turn("left"), GO, STOP], "a"),
        ([Action(kind="towards", place=thing("plant")), STOP], "h3"),
        ([GO, Action(kind="stop", place=thing("plant"), relation="near")], "h3"),
        ([GO, turn("right"), GO, Action(kind="stop", place=thing("chair", attributes=("green",)))], "o"),
        ([GO, turn("left"), GO, Action(kind="stop", place=thing("chair", attributes=("blue",)))], "k"),
        ([Action(kind="go"), Action(kind="stairs", direction="up"), STOP], "top"),
        (
            [
                Action(kind="turn", direction="right", at=thing("sofa")),
                Action(kind="enter", place=room("office")),
            ],
            "o",
        ),
    ],
)
def test_walks_end_where_the_instruction_says(actions: list[Action], goal: str) -> None:
    walk = best_walk(actions, known(), "h0", NORTH)
    assert walk[-1] == goal
    assert follow(actions, corridor(), scene_percepts(corridor()), "h0", NORTH)[-1] == goal, (
        "seeing step by step"
    )


def test_turns_are_relative_to_the_walker() -> None:
    into = [turn("left"), Action(kind="through", place=thing("door")), STOP]
    assert best_walk(into, known(), "h1", NORTH) == ("h1", "k")
    assert best_walk(into, known(), "h1", SOUTH) == ("h1", "b")
    assert best_walk([turn("around"), GO, STOP], known(), "h1", NORTH)[1] == "h0"


def test_stairs_are_not_climbed_unasked() -> None:
    assert "top" not in best_walk([GO, STOP], known(), "h2", NORTH)
    assert best_walk([Action(kind="stairs", direction="down"), STOP], known(), "top", SOUTH)[1] == "h3"


def test_nothing_known_but_the_graph_leaves_turns() -> None:
    bare = known("captions")
    assert not bare.things.names
    assert best_walk([GO, turn("left"), GO, STOP], bare, "h0", NORTH)[-1] in ("k", "a")
    named = [Action(kind="towards", place=thing("sofa")), Action(kind="enter", place=room("kitchen")), STOP]
    assert ground(named, bare, ["h0"], NORTH).probabilities.sum() == pytest.approx(1)


def test_captions_show_the_way() -> None:
    scene = corridor()
    dull = ("a white wall",) * 8
    texts = dict.fromkeys(PLACES, dull)
    texts["h1"] = ("a hallway",) * 2 + ("a stove in a kitchen",) + dull[3:]
    texts["b"] = ("a kitchen with a stove",) * 8
    percepts = scene_percepts(scene, Captions(texts), senses=("captions",))
    into = [Action(kind="enter", place=room("kitchen"))]
    assert best_walk(into, KnownMap.of_scene(scene.graph, percepts), "h1", NORTH) == ("h1", "b")
    to_stove = [Action(kind="towards", place=thing("stove")), STOP]
    assert follow(to_stove, scene, percepts, "h1", NORTH)[:2] == ("h1", "b")


def test_scores_are_over_the_candidates_in_order_and_stop() -> None:
    scores = ground([turn("left"), Action(kind="enter", place=room("kitchen"))], known(), ["h0", "h1"], NORTH)
    assert scores.candidates == tuple(c.viewpoint for c in corridor().candidates("h1"))
    assert scores.probabilities.shape == (len(scores.candidates) + 1,)
    assert scores.probabilities.sum() == pytest.approx(1)
    assert scores.best == "k"
    arrived = ground(
        [turn("left"), Action(kind="enter", place=room("kitchen"))], known(), ["h0", "h1", "k"], NORTH
    )
    assert arrived.best is None
    assert arrived.actions[-1] > 0.5, "all actions are done"


def test_belief_moves_on_with_the_walk() -> None:
    actions = [
        Action(kind="past", place=thing("sofa")),
        turn("left"),
        Action(kind="enter", place=room("bathroom")),
    ]
    walk = best_walk(actions, known(), "h0", NORTH)
    assert walk == ("h0", "h1", "h2", "a")
    current = [int(ground(actions, known(), walk[: k + 1], NORTH).actions.argmax()) for k in range(len(walk))]
    assert current == sorted(current)
    assert current[0] == 0
    assert current[-1] == len(actions)


def test_a_walker_who_went_wrong_goes_back() -> None:
    actions = [turn("left"), Action(kind="enter", place=room("kitchen")), STOP]
    assert ground(actions, known(), ["h1", "b"], NORTH).best == "h1"
    assert ground(actions, known(), ["h1", "b", "h1"], NORTH).best == "k"


def test_errors_say_what_is_wrong() -> None:
    with pytest.raises(InputError, match="empty"):
        ground([STOP], known(), [], NORTH)
    with pytest.raises(InputError, match="'zz'"):
        ground([STOP], known(), ["zz"], NORTH)
    with pytest.raises(InputError, match="no neighbour"):
        ground([STOP], known(), ["h0", "h3"], NORTH)
    growing = KnownMap()
    scene = corridor()
    growing.add("h0", scene.candidates("h0"), scene_percepts(scene)["h0"])
    with pytest.raises(InputError, match="no neighbour"):
        growing.add("h3", scene.candidates("h3"), scene_percepts(scene)["h3"])


def test_a_lonely_viewpoint_is_where_one_stops() -> None:
    graph = NavGraph.build(["x"], [[0, 0, 0]], [])
    scene = Scene("cell", graph)
    alone = KnownMap.of_scene(graph, scene_percepts(scene))
    assert ground([GO, STOP], alone, ["x"], NORTH).best is None
    assert best_walk([GO, STOP], alone, "x", NORTH) == ("x",)


def test_an_empty_instruction_asks_for_nothing() -> None:
    assert best_walk([], known(), "h0", NORTH) == ("h0",)


ACTIONS = st.sampled_from(
    [
        GO,
        Action(kind="go"),
        turn("left"),
        turn("right"),
        turn("around"),
        turn("slight left"),
        Action(kind="enter", place=room("kitchen")),
        Action(kind="enter", place=room("bedroom", side="left")),
        Action(kind="exit", place=room("hallway")),
        Action(kind="through", place=room("hallway")),
        Action(kind="go", place=room("hallway")),
        Action(kind="through", place=thing("door", ordinal=2, side="left")),
        Action(kind="past", place=thing("sofa"), side="left"),
        Action(kind="towards", place=thing("plant", side="ahead")),
        Action(kind="towards", place=thing("unicorn")),
        Action(kind="remark", place=thing("chair")),
        Action(kind="turn", direction="right", at=thing("sofa", relations=(("near", thing("plant")),))),
        Action(kind="stairs", direction="up"),
        Action(kind="stairs"),
        Action(kind="stop", place=thing("stairs"), relation="top of"),
        Action(kind="stop", place=room("office"), relation="in"),
        STOP,
    ]
)
INSTRUCTIONS = st.lists(ACTIONS, max_size=5)
STARTS = st.sampled_from(sorted(PLACES))
HEADINGS = st.floats(0, math.tau, exclude_max=True)
MAP = known()


def plan_of(actions: Sequence[Action], start: str, heading: float) -> StageLattice:
    terrain = terrain_of(MAP, start, heading)
    stages = [potentials_of(stage, terrain, WEIGHTS) for stage in stages_of(actions)]
    return build_lattice(stages, terrain, WEIGHTS)


def walks_from(plan: StageLattice, most: int) -> Iterator[Progress]:
    front = [Progress.at_start(plan)]
    for _ in range(most + 1):
        yield from front
        front = [state.after(pair) for state in front for pair in state.next_pairs().tolist()]


@settings(max_examples=40)
@given(INSTRUCTIONS, STARTS, HEADINGS)
def test_looking_ahead_never_promises_less_than_a_walk_holds(
    actions: list[Action], start: str, h: float
) -> None:
    plan = plan_of(actions, start, h)
    promised = Progress.at_start(plan).going_on
    held = max(state.stopped for state in walks_from(plan, 4))
    assert held <= promised + 1e-9
    walk = best_walk(actions, MAP, start, h)
    state = Progress.at_start(plan)
    for node in walk[1:]:
        state = next(
            after
            for after in map(state.after, state.next_pairs().tolist())
            if MAP.nodes[plan.terrain.target[after.edge]] == node
        )
    assert state.stopped == pytest.approx(promised), "the best walk keeps the promise"


@settings(max_examples=25)
@given(INSTRUCTIONS, STARTS, HEADINGS)
def test_step_by_step_is_the_best_walk(actions: list[Action], start: str, heading: float) -> None:
    walk = [start]
    best = best_walk(actions, MAP, start, heading)
    for _ in best:
        step = ground(actions, MAP, walk, heading).best
        if step is None:
            break
        walk.append(step)
    promised = Progress.at_start(plan_of(actions, start, heading)).going_on
    assert ground(actions, MAP, walk, heading).logs[-1] == pytest.approx(promised / WEIGHTS.temperature)


@settings(max_examples=25)
@given(INSTRUCTIONS, STARTS, HEADINGS, st.lists(st.integers(0, 3), max_size=5))
def test_scores_are_finite_on_any_walk_of_a_growing_map(
    actions: list[Action], start: str, heading: float, turns: list[int]
) -> None:
    scene = corridor()
    percepts = scene_percepts(scene)
    growing = KnownMap()
    walk = [start]
    for choice in [*turns, 0]:
        growing.add(walk[-1], scene.candidates(walk[-1]), percepts[walk[-1]])
        scores = ground(actions, growing, walk, heading)
        assert np.isfinite(scores.logs).all()
        assert scores.actions.sum() == pytest.approx(1)
        walk.append(scores.candidates[choice % len(scores.candidates)])


def test_maps_grow_at_their_frontier() -> None:
    scene = corridor()
    percepts = scene_percepts(scene)
    growing = KnownMap()
    growing.add("h1", scene.candidates("h1"), percepts["h1"])
    assert growing.visited("h1")
    assert not growing.visited("k")
    assert growing.letters[growing.index["k"]] == "k", "the room of a neighbour is known before it is visited"
    assert growing.successors("k") == ("h1",)
    k = growing.positions[growing.index["k"]]
    assert k == pytest.approx((-3, 0, 0), abs=1e-6), (
        "places are relative to the first if nobody says where it is"
    )
    growing.add("k", scene.candidates("k"), percepts["k"])
    assert growing.visited("k")
    assert set(growing.things.names) >= {"door", "sofa", "chair"}
    before = growing.edges
    growing.add("k", scene.candidates("k"), percepts["k"])
    assert growing.edges is before


def test_sightings_of_one_thing_are_one_thing() -> None:
    whole = known()
    assert sorted(whole.things.names) == sorted(name for name, *_ in THINGS.values())
    column = whole.things.names.index("sofa")
    assert [whole.nodes[row] for row in np.flatnonzero(whole.things.seen[:, column])] == list(HALL)


def test_things_without_place_or_id_are_guessed_and_merged() -> None:
    graph = NavGraph.build(["x", "y"], [[0, 0, 1.5], [0, 0.5, 1.5]], [("x", "y")])
    lamp = SeenObject("lamp", NORTH, 3.0)
    objects = Objects("test", {"x": (lamp,), "y": (SeenObject("lamp", NORTH, 2.5), SeenObject("vase", WEST))})
    merged = KnownMap.of_scene(graph, scene_percepts(Scene("s", graph, {"objects": lambda: objects})))
    assert merged.things.names == ("lamp", "vase")
    assert merged.things.seen[:, 0].all()
    assert merged.things.centre[1, 0] < -1


def test_routes_lead_over_visited_viewpoints() -> None:
    found = routes(MAP, "h1", ("h0", "h2", "k"))
    assert found[1, MAP.index["h3"]] == pytest.approx(6)
    assert found[0, MAP.index["h3"]] == math.inf
    assert found[2, MAP.index["k"]] == pytest.approx(3)


def test_stages_join_turns_with_what_follows() -> None:
    kitchen = room("kitchen")
    kinds = [(s.kind, s.direction) for s in stages_of([turn("left"), turn("right"), GO, STOP])]
    assert kinds == [("turn", "left"), ("walk", "right"), ("halt", None)]
    taken = stages_of(
        [Action(kind="turn", direction="left", place=kitchen), Action(kind="enter", place=kitchen)]
    )
    assert [(s.kind, s.direction) for s in taken] == [("into", "left"), ("halt", None)]
    at = stages_of([Action(kind="turn", direction="left", at=thing("sofa")), GO])
    assert [(s.kind, s.direction) for s in at] == [("meet", None), ("walk", "left"), ("halt", None)]


def test_names_match_as_people_mean_them() -> None:
    assert name_match("seat", "recliner") == 1.0
    assert name_match("sofa", "chair") == 0.0
    assert object_entry("old red couch") == "sofa"
    assert room_match("bathroom", "t") > room_match("bathroom", "k") == 0.0
    names = {mention.name for mention in mentions("two coffee tables in a living room")}
    assert {"coffee table", "living room"} <= names
    assert "table" not in names, "the longest spelling counts"


_SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
import test_grounding as t
scores = t.ground([t.Action(kind="enter", place=t.room("kitchen")), t.STOP], t.known(), ["h0", "h1"], 0.3)
print(scores.logs.tolist(), scores.actions.tolist())
scene = t.corridor()
texts = t.Captions(dict.fromkeys(t.PLACES, ("a kitchen with a stove and a sofa",) * 8))
seen = t.scene_percepts(scene, texts)
whole = t.KnownMap.of_scene(scene.graph, seen)
print(t.ground([t.Action(kind="towards", place=t.thing("stove"))], whole, ["h0"], 0).logs)
"""


def test_scores_do_not_depend_on_the_hash_seed() -> None:
    script = _SCRIPT.format(tests=os.path.dirname(__file__))  # noqa: PTH120
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(outputs) == 1


def test_every_pair_of_kinds_of_actions_can_be_grounded() -> None:
    places: list[NamedPlace | None] = [None, room("room"), room("kitchen"), thing("door"), thing("sofa")]
    kinds = ("turn", "go", "stairs", "face", "towards", "past", "enter", "exit", "through", "stop", "remark")
    for kind, place in itertools.product(kinds, places):
        action = Action(kind=kind, place=place)  # type: ignore[arg-type]
        assert best_walk([action, STOP], MAP, "h1", EAST)


Places = dict[str, tuple[Point, str]]
Things = dict[str, tuple[str, Point, Point]]


def scene_of(
    places: dict[str, tuple[Point, str]], ways: str, things: dict[str, tuple[str, Point, Point]]
) -> Scene:
    """Return a scene in which everything is seen from everywhere; ways are pairs such as ``a-b``."""
    pairs = [(a, b) for a, _, b in (way.partition("-") for way in ways.split())]
    graph = NavGraph.build(list(places), [point for point, _ in places.values()], pairs)
    regions = Regions(
        {n: i for i, n in enumerate(places)}, {i: x for i, (_, x) in enumerate(places.values())}
    )
    seen = {}
    for node, (here, _) in places.items():
        seen[node] = tuple(
            SeenObject(
                name,
                math.atan2(at[0] - here[0], at[1] - here[1]) % math.tau,
                math.dist(here, at),
                (),
                k,
                at,
                box,
            )
            for k, (name, at, box) in things.items()
        )
    objects = Objects("test", seen)
    return Scene("small", graph, {"regions": lambda: regions, "objects": lambda: objects})


def followed(actions: Sequence[Action], scene: Scene, start: str, heading: float = NORTH) -> tuple[str, ...]:
    return follow(actions, scene, scene_percepts(scene), start, heading)


@pytest.mark.parametrize(
    ("ordinal", "side", "goal"), [(1, "left", "k"), (2, "left", "a"), (1, "right", "b"), (2, "right", "o")]
)
@pytest.mark.parametrize("along", [False, True])
def test_rooms_are_counted_by_their_doors(ordinal: int, side: str, goal: str, along: bool) -> None:
    enter = Action(kind="enter", place=room("room", ordinal=ordinal, side=side))
    actions = [Action(kind="go", place=room("hallway")), enter] if along else [enter]
    assert best_walk(actions, known(), "h0", NORTH)[-1] == goal
    assert followed(actions, corridor(), "h0")[-1] == goal


def flight() -> Scene:
    places: Places = {
        "foot": ((0, 0, 1.5), "h"),
        "half": ((0, 4, 3.0), "s"),
        "turn": ((2, 4, 3.0), "s"),
        "head": ((2, 0, 4.5), "s"),
        "hall": ((2, -2, 4.5), "h"),
        "far": ((2, -6, 4.5), "h"),
    }
    stairs: Things = {"stairs": ("stairs", (1, 2, 1.5), (2.4, 2.4, 3.0))}
    ways = "foot-half half-turn turn-head head-hall hall-far"
    return scene_of(places, ways, stairs)


@pytest.mark.parametrize(
    "stop",
    [
        STOP,
        Action(kind="stop", place=thing("floor", ordinal=1), relation="on"),
        Action(kind="stop", place=thing("stairs"), relation="top of"),
    ],
)
def test_a_half_landing_is_not_the_top(stop: Action) -> None:
    assert followed([Action(kind="stairs", direction="up"), stop], flight(), "foot")[-1] == "head"


def test_a_door_in_sight_is_looked_for_where_it_is() -> None:
    places: Places = {
        "start": ((0, 0, 1.5), "h"),
        "on": ((0, 2.5, 1.5), "h"),
        "farther": ((0, 6, 1.5), "h"),
        "beside": ((-0.7, 1, 1.5), "h"),
        "behind": ((-1.7, 1, 1.5), "b"),
    }
    things: Things = {
        "door": ("door", (-1.1, 1, 1), (0.1, 0.9, 2)),
        "next": ("door", (-1.1, 6, 1), (0.1, 0.9, 2)),
    }
    scene = scene_of(places, "start-on on-farther start-beside beside-behind", things)
    through = [Action(kind="through", place=thing("door", ordinal=1, side="left")), STOP]
    assert followed(through, scene, "start") == ("start", "beside", "behind")


def test_who_walks_through_a_door_stays_behind_it() -> None:
    places: Places = {
        "start": ((0, 0, 1.5), "h"),
        "amid": ((0, 3, 1.5), "b"),
        "back": ((2.5, 0.5, 1.5), "h"),
        "far": ((0, 8, 1.5), "b"),
        "near": ((0.5, 4.2, 1.5), "b"),
    }
    scene = scene_of(
        places, "start-amid amid-back amid-far amid-near", {"door": ("door", (0, 3, 1), (0.9, 0.1, 2))}
    )
    assert followed([Action(kind="through", place=thing("door")), STOP], scene, "start")[-1] == "near"


def test_things_are_counted_as_they_lie_for_who_looks_ahead() -> None:
    places: Places = {
        "start": ((0, 0, 1.5), "l"),
        "on": ((0, 2.7, 1.5), "l"),
        "aside": ((-2.8, 3.4, 1.5), "l"),
        "there": ((-3.4, 5.0, 1.5), "l"),
    }
    box = (0.8, 0.8, 0.9)
    things: Things = {"one": ("armchair", (-0.8, 2.4, 0.4), box), "two": ("armchair", (-2.4, 5.1, 0.4), box)}
    scene = scene_of(places, "start-on start-aside aside-there", things)
    to = {n: [Action(kind="towards", place=thing("armchair", ordinal=n, side="left")), STOP] for n in (1, 2)}
    assert followed(to[1], scene, "start")[-1] == "on"
    assert followed(to[2], scene, "start")[1] == "aside"
