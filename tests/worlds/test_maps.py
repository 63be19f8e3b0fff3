"""Floor maps: what is drawn, where it is drawn, and that the drawing stands alone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from shapely import Point, Polygon

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.houses.plan.plan import Floor, FloorPlan, Opening, PlanItem, Room, Stair
from vlnscope.worlds.maps.building import ROOM_COLOURS, SHUT, hole_of, wall_shape
from vlnscope.worlds.maps.canvas import SCALE, Canvas, TakenPlaces, text_width
from vlnscope.worlds.maps.floor_map import floor_map, floor_maps, levels_of
from vlnscope.worlds.maps.furniture import footprint, tint_of
from vlnscope.worlds.maps.overlays import PATH_COLOURS, MapPath
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.rooms import ROOM_NAMES, Regions, usual_name
from vlnscope.worlds.scene import Scene

SVG = "{http://www.w3.org/2000/svg}"
SEEDS = (1, 5)


def square(x: float, y: float, width: float, depth: float) -> tuple[tuple[float, float], ...]:
    return (x, y), (x + width, y), (x + width, y + depth), (x, y + depth)


FLAT = FloorPlan(
    id="flat",
    floors=(Floor(level=0, elevation=0.0), Floor(level=1, elevation=2.8)),
    rooms=(
        Room(id="k", label="k", floor=0, polygon=square(0, 0, 4, 4)),
        Room(id="s", label="s", floor=0, polygon=square(4, 0, 3, 5)),
        Room(id="p", label="p", floor=0, polygon=square(0, 4, 4, 2), outdoor=True),
        Room(id="s2", label="s", floor=1, polygon=square(4, 0, 3, 5)),
    ),
    openings=(
        Opening(id="d", kind="door", rooms=("k", "s"), floor=0, centre=(4.0, 2.0), axis="y", width=0.9),
        Opening(id="w", kind="window", rooms=("k", None), floor=0, centre=(2, 0), axis="x", width=1.2),
    ),
    stairs=(
        Stair(
            id="st",
            floors=(0, 1),
            rooms=("s", "s2"),
            runs=(((4.6, 1, 0), (4.6, 3.5, 1.4)), ((6.4, 3.5, 1.4), (6.4, 1, 2.8))),
        ),
    ),
    items=(
        PlanItem(
            id="t", name="dining table", room="k", position=(2, 2, 0), size=(1.6, 0.9, 0.75), colour="red"
        ),
        PlanItem(id="b", name="bowl", room="k", position=(2.4, 2, 0.75), size=(0.2, 0.2, 0.1), on="t"),
    ),
)  # fmt: skip


def tags(svg: str, name: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg).iter(SVG + name))


def texts(svg: str) -> Counter[str]:
    return Counter(element.text or "" for element in tags(svg, "text"))


def graph_of_flat() -> Scene:
    places = [[1, 1, 1.5], [3, 3, 1.5], [5, 0.5, 1.5], [4.6, 2.2, 2.2], [5, 4.5, 4.3]]
    names = ["a", "b", "c", "d", "e"]
    graph = NavGraph.build(names, places, [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")])
    return Scene("flat", graph, {"heights": lambda: np.full(5, 1.5)})


@pytest.mark.parametrize("seed", SEEDS)
def test_maps_of_generated_houses_stand_alone_and_name_their_rooms(seed: int) -> None:
    plan = generate(seed)
    scene = house_scene(plan)
    maps = floor_maps(plan, scene=scene)
    assert tuple(maps) == levels_of(plan) == tuple(sorted(floor.level for floor in plan.floors))
    for level, svg in maps.items():
        assert not re.search(r"href|url\(|@import|<script|<image", svg)
        assert svg.count("http") == 1  # the name space
        here = [room for room in plan.rooms if room.floor == level]
        legend = texts(svg)
        for label, count in Counter(room.label for room in here).items():
            name = usual_name(label)
            assert legend[f"{name} × {count}" if count > 1 else name] >= 1
            assert ROOM_COLOURS[label] in svg
        assert "nan" not in svg.lower().replace("banana", "")


@pytest.mark.parametrize("seed", SEEDS)
def test_room_names_are_written_inside_their_rooms(seed: int) -> None:
    plan = generate(seed)
    written = wanted = 0
    for level, svg in floor_maps(plan).items():
        rooms = [room for room in plan.rooms if room.floor == level]
        canvas = _canvas_of(plan, level)
        for room in rooms:
            wanted += 1
            same = [other.id for other in plan.rooms if other.label == room.label]
            name = ROOM_NAMES[room.label][0] + (f" {same.index(room.id) + 1}" if len(same) > 1 else "")
            for element in tags(svg, "text"):
                if element.text == name and element.get("font-weight") == "bold" and element.get("x"):
                    place = Point(*_metres(canvas, float(element.get("x", 0)), float(element.get("y", 0))))
                    assert Polygon(room.polygon).contains(place), name
                    written += 1
    assert written >= 0.7 * wanted  # others are on two lines, or in rooms too small for their name


def _canvas_of(plan: FloorPlan, level: int) -> Canvas:
    points = np.array([corner for room in plan.rooms if room.floor == level for corner in room.polygon])
    return Canvas(float(points[:, 0].min()) - 0.7, float(points[:, 1].max()) + 1.6)


def _metres(canvas: Canvas, x: float, y: float) -> tuple[float, float]:
    return canvas.left + x / SCALE, canvas.top - y / SCALE


def test_walls_are_open_where_openings_are() -> None:
    rooms = [room for room in FLAT.rooms if room.floor == 0]
    walls = wall_shape(rooms)
    for opening in FLAT.openings:
        centre = Point(opening.centre)
        assert walls.contains(centre)
        assert not walls.difference(hole_of(opening)).intersects(centre.buffer(opening.width / 2 - 0.01))
    assert walls.contains(Point(0.0, 2.0))
    assert not walls.intersects(Point(0.0, 5.0)), "a porch has no walls where it is free"


def test_doors_show_their_state() -> None:
    shut = msgspec.structs.replace(FLAT.openings[0], closed=True)
    closed = msgspec.structs.replace(FLAT, openings=(shut, FLAT.openings[1]))
    assert SHUT not in floor_map(FLAT)
    assert SHUT in floor_map(closed)
    assert texts(floor_map(closed))["closed door"] == 1
    assert texts(floor_map(FLAT))["closed door"] == 0


def test_stairs_say_up_below_and_down_above() -> None:
    below, above = texts(floor_map(FLAT, 0)), texts(floor_map(FLAT, 1))
    assert (below["up"], below["down"]) == (1, 0)
    assert (above["up"], above["down"]) == (0, 1)


def test_furniture_is_drawn_in_its_colour_and_can_be_left_out() -> None:
    svg, bare = floor_map(FLAT), floor_map(FLAT, furniture=False)
    tint = tint_of("red", 0.5)
    assert tint in svg
    assert tint not in bare
    assert texts(svg)["dining table"] + texts(svg)["dining"] == 1
    assert "dining" not in texts(bare)
    assert "dining table" not in texts(floor_map(FLAT, 1))


def test_turned_furniture_takes_other_ground() -> None:
    table = FLAT.items[0]
    assert footprint(table) == pytest.approx((1.6, 0.9))
    assert footprint(msgspec.structs.replace(table, yaw=90.0)) == pytest.approx((0.9, 1.6))


def test_unknown_colours_are_grey() -> None:
    assert tint_of("no such colour", 0.0) == tint_of("grey", 0.0)


def test_graph_and_paths_are_drawn_where_they_are() -> None:
    scene = graph_of_flat()
    svg = floor_map(FLAT, 0, scene=scene, paths=[MapPath(("a", "b", "c"), "tour & way"), ["c", "d", "e"]])
    canvas = Canvas(-0.7, 6 + 1.6)
    x, y = canvas.at((1, 1))
    circles = {
        (round(float(c.get("cx", 0)), 1), round(float(c.get("cy", 0)), 1)) for c in tags(svg, "circle")
    }
    assert (round(x, 1), round(y, 1)) in circles
    assert PATH_COLOURS[0] in svg
    assert PATH_COLOURS[1] in svg
    assert texts(svg)["tour & way"] == texts(svg)["path 2"] == 1
    assert texts(svg)["viewpoint"] == 1
    assert texts(floor_map(FLAT, 0, scene=scene, graph=False))["viewpoint"] == 0


def test_goals_are_marked_on_their_own_floor_only() -> None:
    scene = graph_of_flat()
    stars = [
        len(tags(floor_map(FLAT, k, scene=scene, paths=[["a", "b", "c", "d", "e"]]), "polygon"))
        for k in (0, 1)
    ]
    bare = [len(tags(floor_map(FLAT, k, scene=scene), "polygon")) for k in (0, 1)]
    arrows = 4  # a-b, b-c, c-d on the lower floor; d-e, which begins there, on both
    assert stars[0] - bare[0] == arrows
    assert stars[1] - bare[1] == 1 + 1  # the arrow of d-e, and the star of the goal


def test_paths_that_overlap_are_drawn_beside_each_other() -> None:
    scene = graph_of_flat()
    svg = floor_map(FLAT, 0, scene=scene, paths=[["a", "b"], ["b", "a"]])
    lines = {e.get("stroke"): e.get("d") for e in tags(svg, "path") if e.get("stroke-width") == "2.6"}
    ends = [sorted(re.findall(r"[\d.]+ [\d.]+", lines[colour] or "")) for colour in PATH_COLOURS[:2]]
    assert ends[0] != ends[1]


def test_titles_are_escaped() -> None:
    svg = floor_map(FLAT, title='<b> & "c"')
    assert texts(svg)['<b> & "c"'] == 1


def test_scenes_without_plan_show_rooms_around_their_viewpoints() -> None:
    places = [[0, 0, 1.5], [2, 0, 1.6], [2, 3, 1.5], [2, 5, 3.0], [0, 0, 4.4]]
    names = list("abcde")
    graph = NavGraph.build(names, places, [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")])
    regions = Regions({"a": 0, "b": 0, "c": 1, "d": 2, "e": 3}, {0: "k", 1: "h", 2: "s", 3: "b"})
    scene = Scene("scan", graph, {"regions": lambda: regions})
    assert levels_of(None, scene) == (0, 1)
    below, above = (floor_map(None, level, scene=scene) for level in (0, 1))
    assert ROOM_COLOURS["k"] in below
    assert ROOM_COLOURS["b"] not in below
    assert ROOM_COLOURS["b"] in above
    assert texts(below)["scan, floor 0"] == 1
    without = Scene("scan", graph, {})
    assert ROOM_COLOURS["k"] not in floor_map(None, 0, scene=without)


def test_real_scans_can_be_drawn(data_root: Path) -> None:
    scene = MatterportScenes(data_root).scene("2azQ1b91cZZ")
    maps = floor_maps(None, scene=scene)
    assert len(maps) >= 2
    circles = sum(len(tags(svg, "circle")) for svg in maps.values())
    legend = len(maps)
    assert circles == len(scene.graph.nodes) + legend


def test_what_cannot_be_drawn_is_refused() -> None:
    for bad in (
        lambda: floor_map(FLAT, 7),
        lambda: floor_map(None),
        lambda: floor_map(FLAT, paths=[["a", "b"]]),
        lambda: floor_map(FLAT, scene=graph_of_flat(), paths=[["a", "nowhere"]]),
    ):
        with pytest.raises(InputError):
            bad()


def test_maps_do_not_depend_on_the_process_or_its_hash_seed() -> None:
    code = (
        "import sys; from vlnscope.worlds.houses.house import generate, house_scene\n"
        "from vlnscope.worlds.maps.floor_map import floor_map\n"
        "p = generate(1); sys.stdout.buffer.write(floor_map(p, scene=house_scene(p)).encode())"
    )
    other = os.environ | {"PYTHONHASHSEED": "7"}
    done = subprocess.run([sys.executable, "-c", code], env=other, capture_output=True, check=True)
    plan = generate(1)
    assert done.stdout.decode() == floor_map(plan, scene=house_scene(plan))


def test_overlaps_add_up() -> None:
    taken = TakenPlaces()
    assert taken.overlap((0, 0, 2, 2)) == 0
    taken.take((1, 1, 3, 3))
    taken.take((0, 0, 1, 1))
    assert taken.overlap((0, 0, 2, 2)) == pytest.approx(2)
    assert taken.overlap((5, 5, 6, 6)) == 0


def test_wide_letters_make_wide_texts() -> None:
    assert text_width("mmm", 10) > text_width("nnn", 10) > text_width("iii", 10)
