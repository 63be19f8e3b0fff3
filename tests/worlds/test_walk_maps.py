"""Maps of walks: metres are right, storeys are told apart, and pixels show what the SVG shows."""

from __future__ import annotations

import math
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vlnscope.types import Floats, Points
from vlnscope.worlds.continuous.bake.bake import bake
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.maps.canvas import SCALE, Canvas
from vlnscope.worlds.maps.ground import GROUND, GroundLevels, ground_levels, ground_shape, mesh_storeys
from vlnscope.worlds.maps.raster import Painting, can_write
from vlnscope.worlds.maps.signs import WAY
from vlnscope.worlds.maps.walk_map import FARTHEST, MapSheet, walk_maps
from vlnscope.worlds.maps.walks import MapWalk, WalkMark, feet_on_graph, time_colour
from vlnscope.worlds.scene import Scene

SVG = "{http://www.w3.org/2000/svg}"
ROOM = (6.0, 4.0)
RADIUS = 0.1


def slab(width: float, depth: float, y: float, x: float = 0.0) -> Floats:
    """The corners of a floor of a known size, its middle at x, seen from above counter-clockwise."""
    w, d = width / 2, depth / 2
    return np.array([[x - w, y, -d], [x - w, y, d], [x + w, y, d], [x + w, y, -d]])


def baked(*slabs: Floats) -> NavMesh:
    faces = [
        [4 * k + a, 4 * k + b, 4 * k + c] for k in range(len(slabs)) for a, b, c in ((0, 1, 2), (0, 2, 3))
    ]
    return bake(np.concatenate(slabs), np.array(faces), cached=False)


def mesh_scene(mesh: NavMesh) -> Scene:
    return Scene("room", NavGraph.build([], [], []), {"navmesh": lambda: mesh})


@pytest.fixture(scope="module")
def room() -> NavMesh:
    return baked(slab(*ROOM, 0.0))


def line(*corners: tuple[float, float], y: float = 0.1) -> Points:
    """A walk in steps of a quarter metre along corners x, z."""
    points: list[tuple[float, float, float]] = []
    for (x0, z0), (x1, z1) in pairwise(corners):
        count = max(1, round(math.hypot(x1 - x0, z1 - z0) / 0.25))
        points += [(x0 + (x1 - x0) * k / count, y, z0 + (z1 - z0) * k / count) for k in range(count)]
    return (*points, (corners[-1][0], y, corners[-1][1]))


def only(sheets: list[MapSheet]) -> MapSheet:
    (sheet,) = sheets
    return sheet


def test_the_ground_of_a_known_room_has_its_size(room: NavMesh) -> None:
    shape = ground_shape(room, GroundLevels((0,), (0.0,)), 0)
    left, bottom, right, top = shape.bounds
    assert right - left == pytest.approx(ROOM[0] - 2 * RADIUS, abs=0.11)
    assert top - bottom == pytest.approx(ROOM[1] - 2 * RADIUS, abs=0.11)
    assert shape.area == pytest.approx((right - left) * (top - bottom), rel=0.02)


def test_a_map_is_drawn_in_metres_with_north_up(room: NavMesh) -> None:
    walk = MapWalk(line((-2, 1), (2, 1), (2, -1)), goals=((2.0, 0.1, -1.0),), stopped=True)
    sheet = only(walk_maps(mesh_scene(room), walk))
    (x0, y0), (x1, y1), (x2, y2) = (sheet.place((x, 0.1, z)) for x, z in ((-2, 1), (2, 1), (2, -1)))
    assert (x1 - x0, y1 - y0) == pytest.approx((4 * SCALE, 0.0))
    assert (x2 - x1, y2 - y1) == pytest.approx((0.0, -2 * SCALE))  # -z is north, and north is up
    page = ElementTree.fromstring(sheet.svg())
    width = float(page.attrib["viewBox"].split()[2])
    assert float(page.attrib["width"].removesuffix("mm")) == pytest.approx(width / SCALE * 10, abs=0.01)
    circles = [float(one.attrib["r"]) for one in page.iter(f"{SVG}circle") if one.get("fill") == WAY]
    assert max(circles) == pytest.approx(3 * SCALE)
    ground = [one for one in page.iter(f"{SVG}path") if one.get("fill") == GROUND]
    xs = [float(part.split()[0]) for part in ground[0].attrib["d"].strip("MZ").split("L")]
    assert max(xs) - min(xs) == pytest.approx((ROOM[0] - 2 * RADIUS) * SCALE, abs=0.11 * SCALE)


def test_a_map_stands_alone_and_its_legend_says_what_it_shows(room: NavMesh) -> None:
    walk = MapWalk(
        line((-2, 1), (2, 1)),
        collisions=(3, 4),
        reference=((-2.0, 0.1, 1.0), (2.0, 0.1, 1.0)),
        marks=(WalkMark(0, "1"), WalkMark(16, "2")),
        stopped=False,
    )
    svg = only(walk_maps(mesh_scene(room), walk, title="<b>")).svg()
    assert svg.count("http") == 1  # the name space
    texts = [one.text for one in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    for said in ("<b>", "16 actions, 4.0 m", "collision (2)", "reference path", "out of steps here", "5 m"):
        assert said in texts
    assert "goal" not in texts
    assert "shortest path" not in texts
    assert texts.count("1") == 3  # the mark, the legend's, and one metre


def test_storeys_come_from_where_most_ground_lies() -> None:
    mesh = baked(slab(9, 9, 0.0), slab(6, 6, 2.8), slab(1.5, 1.5, 1.2, x=30.0))
    low, high = mesh_storeys(mesh)
    assert (low, high) == pytest.approx((0.0, 2.8), abs=0.25)
    levels = ground_levels(mesh_scene(mesh))
    assert levels.numbers == (0, 1)
    assert ground_shape(mesh, levels, 1).area == pytest.approx((6 - 2 * RADIUS) ** 2, rel=0.05)
    beside = ground_shape(mesh, levels, 0, among=((0.0, 0.0, 0.0),))
    assert beside.area < ground_shape(mesh, levels, 0).area  # the small slab lies apart


def test_each_storey_that_a_walk_touches_gets_a_map() -> None:
    scene = mesh_scene(baked(slab(9, 9, 0.0), slab(9, 9, 2.8)))
    up = MapWalk((*line((0, 0), (2, 0), y=2.8), *line((2, 0), (2, 2), y=0.0)), stopped=True)
    first, second = walk_maps(scene, up)
    assert [first.level, second.level] == [1, 0]
    assert [first.title, second.title] == ["room, floor 1", "room, floor 0"]
    aimed = MapWalk(line((0, 0), (2, 0)), goals=((0.0, 2.8, 0.0),))
    assert [sheet.level for sheet in walk_maps(scene, aimed)] == [0, 1]


@given(
    st.lists(st.floats(-9, 9), min_size=1, max_size=4, unique=True), st.lists(st.floats(-20, 20), min_size=1)
)
def test_every_height_is_on_a_storey(bases: list[float], feet: list[float]) -> None:
    levels = GroundLevels(tuple(range(len(bases))), tuple(sorted(bases)))
    found = levels.of(feet)
    assert set(found.tolist()) <= set(levels.numbers)
    assert (np.diff(found[np.argsort(feet, kind="stable")]) >= 0).all()


def test_pixels_show_what_the_svg_shows(room: NavMesh) -> None:
    walk = MapWalk(line((-2, 1), (2, 1)), goals=((1.0, 0.1, -1.0),))
    sheet = only(walk_maps(mesh_scene(room), walk))
    picture = sheet.picture(scale=2.0)
    assert picture.size == tuple(round(2 * side) for side in sheet.page)

    def colour(x: float, z: float) -> tuple[int, ...]:
        place = sheet.place((x, 0.1, z))
        return picture.getpixel((round(2 * place[0]), round(2 * place[1])))  # type: ignore[return-value]

    assert colour(-2.0, -1.2) == (0xF7, 0xF6, 0xF2)  # ground, far from everything
    assert colour(-2.0, 1.0) == (255, 255, 255)  # the ring at the start
    early, late = colour(-1.5, 1.0), colour(1.3, 1.0)
    assert early[2] > early[0]  # blue
    assert late[0] > late[2]  # orange
    inside, outside = colour(1.0, 0.5), colour(-2.5, 0.5)
    assert inside != outside  # within three metres of the goal


@pytest.mark.parametrize("far", [1e6, 1e300, -1e308])
def test_places_that_no_map_can_show_lie_at_its_edge(room: NavMesh, far: float) -> None:
    walk = MapWalk(((0.0, 0.1, 0.0), (far, 0.1, 0.0), (0.0, far, far)), goals=((1.0, 0.1, far),))
    for sheet in walk_maps(mesh_scene(room), walk):
        assert max(sheet.shown) < 2.2 * (2 * FARTHEST + ROOM[0]) * SCALE
        assert len(sheet.pen.walk.positions) == len(walk.positions)


def test_houses_lie_under_their_walks() -> None:
    scene = house_scene(generate(5))
    nodes = scene.graph.nodes[:3]
    walk = MapWalk(feet_on_graph(scene, nodes), on_graph=True)
    for sheet in walk_maps(scene, walk):
        assert any("bath" in one or "room" in one or "hall" in one for one in sheet.ground.elements)
        assert "moves" in sheet.svg()
        assert "walkable" not in sheet.svg()
    feet = np.array(walk.positions)
    ahead = scene.graph.positions[[scene.graph.row(node) for node in nodes]]
    assert np.allclose(feet[:, [0, 2]], np.stack([ahead[:, 0], -ahead[:, 1]], axis=-1))
    assert np.allclose(feet[:, 1] + scene.heights[[scene.graph.row(node) for node in nodes]], ahead[:, 2])


def test_headings_are_taken_from_moves_where_they_are_not_known() -> None:
    walk = MapWalk(line((0, 0), (1, 0), (1, -1)))
    assert walk.heading(0) is None
    assert walk.heading(2) == pytest.approx(math.pi / 2)  # to the east
    assert walk.heading(len(walk.positions) - 1) == pytest.approx(0.0)  # to the north
    assert MapWalk(walk.positions, headings=(1.0,) * 9).heading(2) == 1.0


@given(st.floats(0, 1), st.floats(0, 1))
def test_time_goes_from_blue_to_orange(a: float, b: float) -> None:
    first, second = (int(time_colour(share)[1:3], 16) for share in sorted((a, b)))
    assert first <= second  # red grows
    assert len(time_colour(a)) == 7


def test_shapes_are_painted_where_they_are() -> None:
    canvas = Canvas(0.0, 1.0)
    canvas.line([(0.1, 0.5), (0.9, 0.5)], stroke="#0000ff", stroke_width=8.0, stroke_dasharray="10 10")
    canvas.add("path", d="M2 2L38 2L38 12L2 12ZM10 4L20 4L20 10L10 10Z", fill="#ff0000")
    canvas.add("ellipse", cx=20.0, cy=34.0, rx=6.0, ry=2.0, fill="#00ff00", transform="rotate(90 20 34)")
    painting = Painting((40.0, 40.0))
    before = painting.copy()
    painting.draw(canvas.elements)
    picture = painting.finished()
    assert picture.getpixel((8, 20)) == (0, 0, 255)
    assert picture.getpixel((19, 20)) == (255, 255, 255)  # a gap between dashes
    assert picture.getpixel((5, 8)) == (255, 0, 0)
    assert picture.getpixel((15, 7)) == (255, 255, 255)  # a hole
    assert picture.getpixel((20, 38)) == (0, 255, 0)  # turned upright
    assert picture.getpixel((25, 34)) == (255, 255, 255)
    assert before.finished().getcolors() == [(1600, (255, 255, 255))]


@pytest.mark.parametrize(
    ("text", "known"), [("Go on, left.", True), ("“left” × 2 …", True), ("左に曲がる", False)]
)
def test_letters_that_pictures_lack_are_known(text: str, known: bool) -> None:
    assert can_write(text) is known
