"""Editing houses: what each edit does, what is impossible, and that all layers follow."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from functools import cache
from itertools import combinations

import msgspec
import numpy as np
import pytest
from shapely.geometry import Polygon

from surfaces import panorama_surfaces
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.types import Flags
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.checks import check_house
from vlnscope.worlds.houses.edit.apply import edit, replay
from vlnscope.worlds.houses.edit.edits import (
    AddDoor,
    AddItem,
    CloseDoor,
    Edit,
    MoveItem,
    OpenDoor,
    RecolourItem,
    RelabelRoom,
    RemoveDoor,
    RemoveItem,
    ReplaceItem,
    SwapItems,
    SwapRooms,
    edit_of,
    record_of,
)
from vlnscope.worlds.houses.furnish.catalogue import catalogue, surface_height
from vlnscope.worlds.houses.furnish.furnish import fits
from vlnscope.worlds.houses.graph.viewpoints import viewpoints
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.houses.layout.walls import shared_walls
from vlnscope.worlds.houses.plan.checks import check_plan, footprint
from vlnscope.worlds.houses.plan.file import decode_plan, encode_plan
from vlnscope.worlds.houses.plan.plan import WALL, XY, Floor, FloorPlan, Opening, PlanItem, Room
from vlnscope.worlds.rendering.mesh import Mesh


def _room(name: str, label: str, x0: float, y0: float, x1: float, y1: float, colour: str = "white") -> Room:
    return Room(
        id=name, label=label, floor=0, polygon=((x0, y0), (x1, y0), (x1, y1), (x0, y1)), wall_colour=colour
    )


def _door(name: str, rooms: tuple[str, str | None], x: float, y: float, axis: str, **more: bool) -> Opening:
    return Opening(id=name, kind="door", rooms=rooms, floor=0, centre=(x, y), axis=axis, width=0.9, **more)  # type: ignore[arg-type]


def small_house() -> FloorPlan:
    """Return a hallway in the south, two bedrooms of one size in the north, and a closet in the east."""
    return FloorPlan(
        id="small",
        floors=(Floor(level=0, elevation=0.0),),
        rooms=(
            _room("hall", "h", 0.0, 0.0, 6.0, 2.0),
            _room("west", "b", 0.0, 2.0, 3.0, 6.0),
            _room("east", "o", 3.0, 2.0, 6.0, 6.0, "blue"),
            _room("closet", "c", 6.0, 0.0, 8.0, 2.0),
        ),
        openings=(
            _door("door-1", ("hall", "west"), 1.5, 2.0, "x"),
            _door("door-2", ("hall", "east"), 4.5, 2.0, "x"),
            _door("door-3", ("hall", "closet"), 6.0, 1.0, "y"),
            _door("door-4", ("hall", None), 0.0, 1.0, "y", closed=True),
        ),
        items=(
            PlanItem(id="bed-1", name="bed", room="west", position=(1.8, 4.9, 0.0), size=(1.4, 2.0, 0.9)),
            PlanItem(
                id="stand-1", name="nightstand", room="west", position=(0.8, 5.7, 0.0), size=(0.5, 0.4, 0.55)
            ),
            PlanItem(
                id="vase-1",
                name="vase",
                room="west",
                position=(0.7, 5.7, 0.55),
                size=(0.12, 0.12, 0.3),
                on="stand-1",
            ),
            PlanItem(id="desk-1", name="desk", room="east", position=(4.5, 5.6, 0.0), size=(1.2, 0.6, 0.75)),
            PlanItem(
                id="books-1",
                name="books",
                room="east",
                position=(4.2, 5.6, 0.75),
                size=(0.2, 0.2, 0.2),
                on="desk-1",
            ),
            PlanItem(
                id="chair-1",
                name="chair",
                room="east",
                position=(4.5, 4.9, 0.0),
                size=(0.5, 0.5, 0.9),
                yaw=180.0,
            ),
            PlanItem(
                id="picture-1",
                name="picture",
                room="hall",
                position=(3.0, 1.92, 1.2),
                size=(0.6, 0.03, 0.5),
                mounted=True,
            ),
        ),
    )


HOUSE = small_house()


def item(plan: FloorPlan, name: str) -> PlanItem:
    return next(it for it in plan.items if it.id == name)


def ids(plan: FloorPlan) -> list[str]:
    return [it.id for it in plan.items]


@cache
def generated(seed: int) -> FloorPlan:
    return generate(seed)


def test_small_house_is_sound() -> None:
    check_plan(HOUSE)
    assert [fits(HOUSE, it) for it in HOUSE.items] == [None] * len(HOUSE.items)


def test_remove_takes_what_stands_on_it() -> None:
    after = edit(HOUSE, RemoveItem("stand-1"))
    assert ids(after) == [name for name in ids(HOUSE) if name not in ("stand-1", "vase-1")]


def test_move_carries_and_turns_what_stands_on_it() -> None:
    after = edit(HOUSE, MoveItem("stand-1", (2.72, 3.5), 270.0))
    assert item(after, "stand-1").position == (2.72, 3.5, 0.0)
    vase = item(after, "vase-1")
    assert vase.position == pytest.approx((2.72, 3.6, 0.55))  # 0.1 to its own left, turned by 270°
    assert fits(after, vase) is None


def test_move_to_another_room_and_onto_something() -> None:
    after = edit(HOUSE, MoveItem("stand-1", (3.4, 5.7)), MoveItem("vase-1", (4.8, 5.6), on="desk-1"))
    assert item(after, "stand-1").room == "east"
    assert item(after, "vase-1").on == "desk-1"
    assert item(after, "vase-1").position == (4.8, 5.6, 0.75)
    assert item(edit(after, MoveItem("vase-1", (3.4, 3.5), on="floor")), "vase-1").position[2] == 0.0


def test_mounted_objects_keep_their_height() -> None:
    after = edit(HOUSE, MoveItem("picture-1", (3.3, 1.92)))
    assert item(after, "picture-1").position == (3.3, 1.92, 1.2)
    assert item(edit(HOUSE, MoveItem("picture-1", z=1.4)), "picture-1").position == (3.0, 1.92, 1.4)


@pytest.mark.parametrize(
    ("name", "room"),
    [("plant", "hall"), ("mirror", "east"), ("chandelier", "west"), ("rug", "east"), ("kettle", "east")],
)
def test_add_finds_a_place(name: str, room: str) -> None:
    after = edit(HOUSE, AddItem(name, room))
    added = after.items[-1]
    assert (added.id, added.name, added.room) == (f"{name}-1", name, room)
    assert fits(after, added) is None
    assert added.on == ("desk-1" if name == "kettle" else None)
    assert added.mounted == (name in ("mirror", "chandelier"))
    again = edit_of(after.history[-1])
    assert isinstance(again, AddItem)
    assert again.at == added.position[:2]
    assert edit(HOUSE, again).items == after.items


def test_add_at_a_place_with_a_look() -> None:
    after = edit(
        HOUSE,
        AddItem(
            "chair", "west", (0.5, 3.0), 90.0, size=(0.4, 0.4, 0.8), colour="red", material="metal", id="mine"
        ),
    )
    assert after.items[-1] == PlanItem(
        id="mine",
        name="chair",
        room="west",
        position=(0.5, 3.0, 0.0),
        size=(0.4, 0.4, 0.8),
        yaw=90.0,
        colour="red",
        material="metal",
    )


def test_new_ids_are_new() -> None:
    after = edit(HOUSE, AddItem("chair", "west"), AddItem("chair", "hall"), RemoveItem("chair-2"))
    assert edit(after, AddItem("chair", "closet")).items[-1].id == "chair-4"


def test_swap_puts_backs_together() -> None:
    after = edit(HOUSE, RemoveItem("chair-1"), SwapItems(("bed-1", "desk-1")))
    bed, desk = item(after, "bed-1"), item(after, "desk-1")
    assert (bed.room, desk.room) == ("east", "west")
    assert bed.position[1] + 1.0 == pytest.approx(5.9)
    assert desk.position[1] + 0.3 == pytest.approx(5.9)
    assert item(after, "books-1").room == "west"
    assert all(fits(after, it) is None for it in after.items)


def test_swap_of_things_on_others() -> None:
    after = edit(HOUSE, SwapItems(("vase-1", "books-1")))
    assert (item(after, "vase-1").on, item(after, "books-1").on) == ("desk-1", "stand-1")
    assert item(after, "vase-1").position[2] == 0.75


def test_replace_keeps_the_place_and_what_can_stay() -> None:
    after = edit(HOUSE, ReplaceItem("desk-1", "dresser"))
    new = item(after, "dresser-1")
    assert new.yaw == 0.0
    assert new.position[1] + new.size[1] / 2 == pytest.approx(5.9)
    books = item(after, "books-1")
    height = surface_height("dresser", new.size)
    assert height is not None
    assert books.on == "dresser-1"
    assert books.position[2] == pytest.approx(height)
    assert "desk-1" not in ids(after)
    gone = edit(HOUSE, ReplaceItem("stand-1", "floor lamp"))
    assert "vase-1" not in ids(gone)
    assert "floor-lamp-1" in ids(gone)


def test_swap_rooms_exchanges_furniture_if_it_fits() -> None:
    after = edit(HOUSE, SwapRooms(("west", "east")))
    rooms = {room.id: room for room in after.rooms}
    assert (rooms["west"].label, rooms["east"].label) == ("o", "b")
    assert (rooms["west"].wall_colour, rooms["east"].wall_colour) == ("blue", "white")
    assert {it.id for it in after.items if it.room == "east"} == {"bed-1", "stand-1", "vase-1"}
    assert after.history[-1]["furniture"] is True
    assert all(fits(after, it) is None for it in after.items)
    assert edit(after, SwapRooms(("west", "east"))).items == HOUSE.items


def test_swap_rooms_exchanges_labels_if_furniture_does_not_fit() -> None:
    after = edit(HOUSE, SwapRooms(("west", "closet")))
    assert [room.label for room in after.rooms] == ["h", "c", "o", "b"]
    assert after.items == HOUSE.items
    assert after.history[-1]["furniture"] is False
    with pytest.raises(InputError, match=r"furniture of west and closet"):
        edit(HOUSE, SwapRooms(("west", "closet"), furniture=True))
    labels = edit(HOUSE, SwapRooms(("west", "east"), furniture=False))
    assert labels.items == HOUSE.items


def test_doors_open_close_come_and_go() -> None:
    joined = edit(HOUSE, AddDoor(("west", "east")))
    door = joined.openings[-1]
    assert (door.id, door.axis, door.centre[0]) == ("door-5", "y", 3.0)
    shut = edit(joined, CloseDoor("door-2"))
    assert next(o for o in shut.openings if o.id == "door-2").closed
    assert edit(shut, OpenDoor("door-2")).openings == joined.openings
    gone = edit(joined, RemoveDoor("door-1"))
    assert "door-1" not in [o.id for o in gone.openings]
    assert (
        edit(HOUSE, OpenDoor("door-4"), AddDoor(("east", None), kind="passage")).openings[-1].kind
        == "passage"
    )


IMPOSSIBLE: list[tuple[Edit, str]] = [
    (RemoveItem("chair-9"), "no object 'chair-9'; did you mean chair-1"),
    (AddItem("chair", "attic"), "no room 'attic'"),
    (AddItem("throne", "west"), "no object called 'throne'"),
    (AddItem("chair", "west", (1.5, 2.4)), "in front of door door-1"),
    (AddItem("chair", "west", (1.8, 4.9)), "overlaps bed-1"),
    (AddItem("chair", "west", (0.1, 3.0)), "through a wall of west"),
    (AddItem("chair", "west", (9.0, 9.0)), "not inside west"),
    (AddItem("chair", "west", (0.5, 3.0), colour="blurple"), "no colour called 'blurple'"),
    (AddItem("chair", "west", (0.5, 3.0), material="cheese"), "no material called 'cheese'"),
    (AddItem("chair", "west", (0.5, 3.0), size=(0.4, 0.0, 1.0)), "not positive"),
    (AddItem("chair", "west", (0.5, 3.0), id="bed-1"), "'bed-1' is taken"),
    (AddItem("chair", "west", mounted=True), "chair does not hang"),
    (AddItem("vase", "west", on="desk-1"), "desk-1 is in east"),
    (AddItem("kettle", "west", on="vase-1", at=(0.7, 5.7)), "stand on a vase"),
    (AddItem("car", "closet"), "places were tried"),
    (AddItem("bookshelf", "hall", (3.0, 0.9), size=(0.6, 1.6, 1.9)), "blocks the way through hall"),
    (MoveItem("chair-1", (4.5, 2.5)), "in front of door door-2"),
    (MoveItem("chair-1", (40.0, 2.3)), "lies in no room"),
    (MoveItem("stand-1", (0.8, 5.7), on="vase-1"), "stands on stand-1"),
    (MoveItem("chair-1", (math.nan, 2.0)), "`at` is"),
    (MoveItem("chair-1"), "like that already"),
    (MoveItem("vase-1", (0.5, 4.0)), "does not lie within stand-1"),
    (MoveItem("picture-1", (3.0, 1.0)), "hangs on no wall"),
    (RecolourItem("bed-1"), "like that already"),
    (RecolourItem("bed-1", "blurple"), "no colour"),
    (SwapItems(("stand-1", "vase-1")), "vase-1 stands on stand-1"),
    (SwapItems(("bed-1", "books-1")), "bed-1 does not lie within desk-1"),
    (SwapItems(("bed-1", "bed-1")), "named twice"),
    (SwapItems(("bed-1", "picture-1")), "picture-1 hangs and bed-1 stands"),
    (ReplaceItem("stand-1", "car"), "car-1"),
    (ReplaceItem("stand-1", "picture"), "stand-1 stands"),
    (RelabelRoom("west", "Q"), "no room label 'Q'"),
    (RelabelRoom("west", "b"), "like that already"),
    (SwapRooms(("west", "west")), "named twice"),
    (OpenDoor("door-1"), "like that already"),
    (CloseDoor("window-1"), "no door or passage 'window-1'"),
    (CloseDoor("door-3"), "closet cannot be reached"),
    (RemoveDoor("door-1"), "west cannot be reached"),
    (AddDoor(("west", "closet")), "share no wall"),
    (AddDoor(("west", "east"), (1.5, 4.0)), "lies in no wall between west and east"),
    (AddDoor(("west", "east"), (3.0, 5.9)), "lies in no wall between west and east"),
    (AddDoor(("hall", "west"), (1.9, 2.0)), "overlap"),
    (AddDoor(("west", None), (1.8, 6.0)), "bed-1 stands in front of door door-5"),
    (AddDoor(("hall", "closet"), width=2.5), "too short"),
]


@pytest.mark.parametrize(("change", "message"), IMPOSSIBLE, ids=[f"{i}" for i in range(len(IMPOSSIBLE))])
def test_impossible_edits_say_why_and_change_nothing(change: Edit, message: str) -> None:
    plan = small_house()
    before = encode_plan(plan)
    with pytest.raises(InputError) as caught:
        edit(plan, RecolourItem("bed-1", "red"), change)
    assert message in caught.value.what
    assert caught.value.expected
    assert caught.value.fix
    assert encode_plan(plan) == before


def test_doors_clear_their_way_if_asked_to() -> None:
    change = AddDoor(("west", None), (1.8, 6.0), clear=True)
    after = edit(HOUSE, change)
    assert [name for name in ids(HOUSE) if name not in ids(after)] == ["bed-1"]
    nightstand = edit(HOUSE, msgspec.structs.replace(change, at=(0.8, 6.0)))
    assert [name for name in ids(HOUSE) if name not in ids(nightstand)] == ["bed-1", "stand-1", "vase-1"]
    assert edit(HOUSE, AddDoor(("west", "east"), clear=True)).items == HOUSE.items


def test_doors_to_the_air_are_refused() -> None:
    upper = msgspec.structs.replace(_room("loft", "z", 0.0, 0.0, 6.0, 6.0), floor=1)
    floors = (*HOUSE.floors, Floor(level=1, elevation=3.0))
    plan = msgspec.structs.replace(HOUSE, rooms=(*HOUSE.rooms, upper), floors=floors)
    with pytest.raises(InputError, match="leads into the air"):
        edit(plan, AddDoor(("loft", None)))


def test_apartments_high_above_the_ground_get_no_outer_doors() -> None:
    plan = msgspec.structs.replace(HOUSE, building="apartment", ground=-5.8)
    with pytest.raises(InputError, match=r"5\.8 m above the ground; a door there leads into the air"):
        edit(plan, AddDoor(("east", None)))
    assert edit(plan, AddDoor(("west", "east"))).openings[-1].rooms == ("west", "east")
    on_steps = msgspec.structs.replace(HOUSE, ground=-0.6)
    assert edit(on_steps, AddDoor(("east", None))).openings[-1].rooms == ("east", None)


def test_faults_from_before_do_not_forbid_edits() -> None:
    shut = msgspec.structs.replace(
        HOUSE,
        openings=tuple(
            msgspec.structs.replace(o, closed=True) if o.id == "door-3" else o for o in HOUSE.openings
        ),
    )
    assert edit(shut, RemoveItem("bed-1"))
    with pytest.raises(InputError, match="west cannot be reached"):
        edit(shut, CloseDoor("door-1"))


def test_records_are_json_and_name_their_members() -> None:
    change = AddDoor(("west", "east"), width=1.0)
    assert record_of(change) == {"edit": "add-door", "rooms": ["west", "east"], "width": 1.0}
    assert edit_of(record_of(change)) == change
    for bad in (
        {"edit": "explode"},
        {"edit": "remove-item"},
        {"edit": "remove-item", "item": 3},
        {"item": "x"},
    ):
        with pytest.raises(InputError, match="is no edit"):
            edit_of(bad)
    with pytest.raises(InputError, match="unknown field"):
        edit_of({"edit": "remove-item", "item": "x", "itme": "y"})


EDITS: tuple[Edit, ...] = (
    AddItem("armchair", "west"),
    AddItem("picture", "east"),
    MoveItem("stand-1", (2.72, 3.5), 270.0),
    ReplaceItem("desk-1", "dresser"),
    SwapItems(("vase-1", "books-1")),
    RecolourItem("bed-1", "purple"),
    RelabelRoom("closet", "u"),
    SwapRooms(("west", "east")),
    AddDoor(("west", "east"), kind="passage"),
    CloseDoor("door-2"),
    RemoveItem("chair-1"),
)


def test_replay_gives_the_same_bytes() -> None:
    after = edit(HOUSE, *EDITS)
    assert len(after.history) == len(EDITS)
    stored = decode_plan(encode_plan(after))
    assert stored == after
    assert encode_plan(replay(HOUSE, stored.history)) == encode_plan(after)
    half = edit(HOUSE, *EDITS[:5])
    assert edit(half, *EDITS[5:]) == after
    with pytest.raises(InputError):
        replay(after, after.history)


def test_other_processes_give_the_same_bytes() -> None:
    code = (
        "import sys; sys.path.insert(0, 'tests/worlds/houses'); import test_house_edit as t; "
        "sys.stdout.buffer.write(t.encode_plan(t.edit(t.HOUSE, *t.EDITS)))"
    )
    env = {**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True)
    assert done.stdout == encode_plan(edit(HOUSE, *EDITS))


def _of(mesh: Mesh, name: str) -> Flags:
    return np.equal(mesh.instance, mesh.objects.index(name))


def test_removed_objects_vanish_from_all_layers() -> None:
    before, after = house_scene(HOUSE), house_scene(edit(HOUSE, RemoveItem("bed-1")))
    seeing = [n for n in before.graph.nodes if any(o.object_id == "bed-1" for o in before.objects.at(n))]
    assert seeing
    assert not any(o.object_id == "bed-1" for n in after.graph.nodes for o in after.objects.at(n))
    mesh: Mesh = after.layer("mesh")
    assert "bed-1" not in [mesh.objects[i] for i in np.unique(mesh.instance)]
    place = before.graph.positions[before.graph.row(seeing[0])]
    for scene, there in ((before, True), (after, False)):
        pixels = panorama_surfaces(scene.layer("renderer"), place, width=64, height=48).instance
        names = {scene.layer("mesh").objects[i] for i in np.unique(pixels) if i >= 0}
        assert ("bed-1" in names) == there


def test_recolouring_changes_colours_of_that_object_alone() -> None:
    one: Mesh = house_scene(HOUSE).layer("mesh")
    other: Mesh = house_scene(edit(HOUSE, RecolourItem("bed-1", "red"))).layer("mesh")
    assert np.array_equal(one.vertices, other.vertices)
    assert np.array_equal(one.faces, other.faces)
    assert np.array_equal(one.instance, other.instance)
    changed = np.any(one.colour != other.colour, axis=1)
    assert changed.any()
    assert not changed[~_of(one, "bed-1")].any()


def _same_graph(a: NavGraph, b: NavGraph) -> bool:
    same = a.nodes == b.nodes and np.array_equal(a.positions, b.positions)
    return bool(same and np.array_equal(a.edges, b.edges))


def test_relabelling_changes_regions_only() -> None:
    before, after = house_scene(HOUSE), house_scene(edit(HOUSE, RelabelRoom("west", "k")))
    assert _same_graph(before.graph, after.graph)
    assert before.regions.of == after.regions.of
    assert {n for n in before.graph.nodes if before.regions.label(n) != after.regions.label(n)} == {
        n for n in before.graph.nodes if before.regions.of[n] == 1
    }
    assert before.objects == after.objects
    one, other = before.layer("mesh"), after.layer("mesh")
    assert np.array_equal(one.vertices, other.vertices)
    assert np.array_equal(one.colour, other.colour)
    back = edit(HOUSE, RelabelRoom("west", "k"), RelabelRoom("west", "b"))
    assert back.rooms == HOUSE.rooms


def _crossing(plan: FloorPlan, door: Opening) -> int:
    """Count the edges of the graph that go through a door (or end in it)."""
    graph = viewpoints(plan).graph
    across = 1 if door.axis == "x" else 0
    count = 0
    for a, b in graph.positions[graph.edges]:
        if max(a[2], b[2]) - min(a[2], b[2]) > 0.1 or a[across] == b[across]:
            continue
        share = (door.centre[across] - a[across]) / (b[across] - a[across])
        along = a[1 - across] + share * (b[1 - across] - a[1 - across])
        count += 0 <= share <= 1 and abs(along - door.centre[1 - across]) < door.width / 2
    return count


def test_closing_a_door_removes_the_edges_through_it() -> None:
    joined = edit(HOUSE, AddDoor(("west", "east")))
    door = joined.openings[-1]
    assert _crossing(HOUSE, door) == 0
    assert _crossing(joined, door) > 0
    shut = edit(joined, CloseDoor(door.id))
    assert _crossing(shut, door) == 0
    assert _crossing(edit(joined, RemoveDoor(door.id)), door) == 0
    assert _crossing(edit(shut, OpenDoor(door.id)), door) == _crossing(joined, door)


@pytest.mark.parametrize("seed", [5])
def test_viewpoints_of_other_rooms_stay(seed: int) -> None:
    plan = generated(seed)
    rng = rng_for(seed, "test", "stay")
    large = [it for it in plan.items if it.on is None and not it.mounted and it.size[0] * it.size[1] > 0.3]
    for number in rng.permutation(len(large))[:2].tolist():
        gone = large[number]
        after = edit(plan, RemoveItem(gone.id))
        doorways = [o for o in plan.openings if gone.room in o.rooms]
        own = next(i for i, room in enumerate(plan.rooms) if room.id == gone.room)
        assert _elsewhere(plan, own, doorways) == _elsewhere(after, own, doorways)


def _elsewhere(plan: FloorPlan, own: int, doorways: list[Opening]) -> dict[str, tuple[float, ...]]:
    """Return the viewpoints outside a room and its doorways, with their places."""
    graph, regions, _ = viewpoints(plan)
    rows = zip(graph.nodes, graph.positions.tolist(), regions, strict=True)
    return {
        name: tuple(place)
        for name, place, region in rows
        if region != own and not any(math.dist(o.centre, place[:2]) <= o.width / 2 for o in doorways)
    }


def _polygon(plan: FloorPlan, name: str) -> tuple[XY, ...]:
    return next(room.polygon for room in plan.rooms if room.id == name)


def _random_edit(plan: FloorPlan, rng: np.random.Generator) -> Edit:
    def draw(things: list[str]) -> str:
        return things[int(rng.integers(len(things)))]

    it = plan.items[int(rng.integers(len(plan.items)))]
    alike = [other.id for other in plan.items if other.name == it.name]
    rooms, doors = [r.id for r in plan.rooms], [o.id for o in plan.openings if o.kind == "door"]
    names, room = list(catalogue()), draw(rooms)
    beside = [r.id for r in plan.rooms if shared_walls(_polygon(plan, room), r.polygon)] or rooms
    dx, dy = rng.normal(0.0, 0.3, 2).round(2).tolist()
    near = (round(it.position[0] + dx, 3), round(it.position[1] + dy, 3))
    choices: list[Edit] = [
        RemoveItem(it.id),
        AddItem(draw(names), draw(rooms)),
        AddItem(draw(names), it.room, near),
        MoveItem(it.id, near),
        RecolourItem(it.id, draw(["red", "blue", "white"])),
        SwapItems((it.id, draw(alike))),
        SwapItems((it.id, draw(ids(plan)))),
        ReplaceItem(it.id, draw(names)),
        RelabelRoom(draw(rooms), draw(list("abcdklouh"))),
        SwapRooms((draw(rooms), draw(rooms))),
        OpenDoor(draw(doors)),
        CloseDoor(draw(doors)),
        AddDoor((room, draw(beside))),
        RemoveDoor(draw(doors)),
    ]
    return choices[int(rng.integers(len(choices)))]


def _overlaps(plan: FloorPlan) -> set[frozenset[str]]:
    """Find objects that overlap, by polygons rather than by the rules of furnishing; rugs are left out."""
    found: set[frozenset[str]] = set()
    for room in plan.rooms:
        own = [(it, footprint(it)) for it in plan.items if it.room == room.id and it.name != "rug"]
        for (a, one), (b, other) in combinations(own, 2):
            low, high = (
                max(a.position[2], b.position[2]),
                min(a.position[2] + a.size[2], b.position[2] + b.size[2]),
            )
            stacked = a.on == b.id or b.on == a.id
            if high - low > 1e-3 and not stacked and one.intersection(other).area > 1e-3:
                found.add(frozenset((a.id, b.id)))
    return found


def _outside(plan: FloorPlan) -> set[str]:
    inner = {
        room.id: Polygon(room.polygon).buffer(-WALL / 2 + 0.002, join_style="mitre") for room in plan.rooms
    }
    return {it.id for it in plan.items if not inner[it.room].covers(footprint(it))}


def _cut_off(plan: FloorPlan) -> set[str]:
    """Find rooms that no path leads to from most of the house."""
    graph, regions, _ = viewpoints(plan)
    reached = np.isfinite(graph.distances)
    hub = reached[int(np.argmax(reached.sum(axis=1)))]
    joined = {region for region, there in zip(regions, hub.tolist(), strict=True) if there}
    return {room.id for number, room in enumerate(plan.rooms) if number not in joined}


@pytest.mark.parametrize(("seed", "count"), [(None, 25), (5, 3)])
def test_random_edits_succeed_soundly_or_change_nothing(seed: int | None, count: int) -> None:
    plan = original = HOUSE if seed is None else generated(seed)
    faults = _overlaps(plan), _outside(plan), _cut_off(plan)
    rng = rng_for(seed or 0, "test", "edits")
    errors: list[InputError] = []
    for _ in range(count):
        change = _random_edit(plan, rng)
        before = encode_plan(plan)
        try:
            after = edit(plan, change)
        except InputError as error:
            errors.append(error)
            after = plan
        else:
            assert after != plan
        assert encode_plan(plan) == before
        assert len(set(ids(after))) == len(after.items)
        assert {it.on for it in after.items} <= {None, *ids(after)}
        plan = after
    assert all(error.expected and error.fix for error in errors)
    assert len(plan.history) >= 1
    assert _overlaps(plan) <= faults[0]
    assert _outside(plan) <= faults[1]
    assert _cut_off(plan) <= faults[2]
    assert set(check_house(plan)) <= set(check_house(original))
    assert encode_plan(replay(original, plan.history)) == encode_plan(plan)


def _accepted(plan: FloorPlan, change: Edit) -> bool:
    try:
        edit(plan, change)
    except InputError:
        return False
    return True


def test_a_door_is_found_where_trying_every_place_finds_one() -> None:
    plan = generate(21)
    pairs = [
        (one, other, walls)
        for one, other in combinations(plan.rooms, 2)
        if one.floor == other.floor and not (one.outdoor or other.outdoor)
        for walls in [shared_walls(one.polygon, other.polygon)]
        if walls
    ]
    for number in rng_for(0, "pairs of rooms").permutation(len(pairs))[:4].tolist():
        one, other, walls = pairs[number]
        if _accepted(plan, AddDoor((one.id, other.id), width=0.8)):
            continue
        places = [wall.point(x) for wall in walls for x in np.arange(wall.low, wall.high, 0.2).tolist()]
        doors = [AddDoor((one.id, other.id), width=0.8, at=place) for place in places]
        assert not any(_accepted(plan, door) for door in doors), (one.id, other.id)
