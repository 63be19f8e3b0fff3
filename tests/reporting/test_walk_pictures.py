"""Pictures of single walks: what the camera sees, telling moments, posters and films."""

from __future__ import annotations

import io
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from shown_walks import house_episode, small_house, space_prediction
from vlnscope.evaluate.show.walk import drawn_walk
from vlnscope.reporting.walks.animation import FilmSize, encoded, film
from vlnscope.reporting.walks.frames import CAMERA, can_see, frames
from vlnscope.reporting.walks.lettering import wrapped, writable, written_width
from vlnscope.reporting.walks.moments import evenly, telling_moments
from vlnscope.reporting.walks.poster import WIDTH, WalkTexts, poster
from vlnscope.worlds.cameras import look
from vlnscope.worlds.frames import yaw_of_heading
from vlnscope.worlds.maps.canvas import Canvas
from vlnscope.worlds.maps.names_aside import readable
from vlnscope.worlds.maps.walk_map import walk_maps
from vlnscope.worlds.maps.walks import MapWalk
from vlnscope.worlds.scene import Scene

TINY = FilmSize(height=48, frames=6)


@pytest.fixture(scope="module")
def walk() -> MapWalk:
    return drawn_walk(small_house(), house_episode(), space_prediction())


def bare() -> Scene:
    scene = small_house()
    return Scene(scene.id, scene.graph, {"heights": scene.loaders["heights"]})


def test_a_frame_is_what_the_camera_sees_at_that_pose(walk: MapWalk) -> None:
    (frame,) = frames(small_house(), walk, [9], size=16)
    camera = replace(CAMERA, width=32, height=32)
    yaw = yaw_of_heading(walk.headings[9])
    seen = look(small_house().layer("renderer"), camera, [walk.positions[9]], yaw).rgb[0]
    means = seen.reshape(16, 2, 16, 2, 3).astype(float).mean(axis=(1, 3))
    assert np.abs(np.asarray(frame) - means).max() <= 1
    away = replace(walk, headings=tuple(h + math.pi for h in walk.headings))
    (other,) = frames(small_house(), away, [9], size=16)
    assert np.abs(np.asarray(other).astype(float) - np.asarray(frame)).mean() > 5


def test_depth_is_light_where_things_are_near(walk: MapWalk) -> None:
    (frame,) = frames(small_house(), walk, [0], size=16, shows="depth")
    assert frame.size == (16, 16)
    assert len(set(np.asarray(frame).ravel().tolist())) > 2


def test_only_scenes_with_a_mesh_can_be_seen() -> None:
    assert can_see(small_house())
    assert not can_see(bare())


def corner(*, bumps: tuple[int, ...] = ()) -> MapWalk:
    """East for 2 m, a turn to the left in six actions, north for 2 m."""
    east = [(0.25 * k, 0.0, 0.0) for k in range(9)]
    spot = [east[-1]] * 6
    north = [(2.0, 0.0, -0.25 * k) for k in range(1, 9)]
    looks = [math.pi / 2] * 9 + [math.pi / 2 - math.radians(15 * k) for k in range(1, 7)] + [0.0] * 8
    return MapWalk((*east, *spot, *north), headings=tuple(looks), collisions=bumps, stopped=True)


def test_turns_and_collisions_are_telling() -> None:
    told = {moment.at: moment.caption for moment in telling_moments(corner(bumps=(4, 5, 6, 19)), 5)}
    assert told == {0: "start", 4: "collides 3 times", 14: "turns left 90°", 19: "collides", 22: "stops"}


def test_moves_on_a_graph_are_no_long_turn() -> None:
    places = ((0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (3.0, 0.0, -3.0), (0.0, 0.0, -3.0), (0.0, 0.0, 0.0))
    walk = MapWalk(places, headings=(0.0,), on_graph=True)
    captions = [moment.caption for moment in telling_moments(walk, 9)]
    assert captions == ["start", "turns right 90°", "turns left 90°", "turns left 90°", "end"]


@given(st.integers(0, 12), st.lists(st.integers(0, 30), max_size=8), st.integers(1, 23))
def test_moments_are_few_and_in_order(count: int, bumps: list[int], length: int) -> None:
    walk = MapWalk(corner().positions[:length], collisions=tuple(sorted(set(bumps))))
    at = [moment.at for moment in telling_moments(walk, count)]
    assert len(at) <= count
    assert at == sorted(set(at))
    assert all(0 <= one < length for one in at)
    assert not count or at[0] == 0
    assert count < 2 or at[-1] == length - 1


@given(st.integers(1, 60), st.integers(2, 24))
def test_films_have_both_ends_and_a_bounded_number_of_pictures(length: int, count: int) -> None:
    walk = MapWalk(tuple((0.1 * k, 0.0, 0.0) for k in range(length)))
    at = evenly(walk, count)
    assert len(at) == min(count, length)
    assert (at[0], at[-1]) == (0, length - 1)


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_a_film_shows_view_and_map(walk: MapWalk, kind: str) -> None:
    pictures = film(small_house(), walk, TINY)
    assert len(pictures) == TINY.frames
    (last,) = frames(small_house(), walk, [len(walk.positions) - 1], size=TINY.height)
    shown = pictures[-1].crop((0, 0, TINY.height, TINY.height))
    assert np.array_equal(np.asarray(shown), np.asarray(last))
    content = encoded(pictures, kind, TINY)  # type: ignore[arg-type]
    with Image.open(io.BytesIO(content)) as read:
        assert (read.n_frames, read.size) == (TINY.frames, pictures[0].size)  # type: ignore[attr-defined]


def test_the_walk_grows_on_the_map(walk: MapWalk) -> None:
    flat = MapWalk(walk.positions[:12])
    pictures = film(bare(), flat, TINY)
    base = np.asarray(pictures[0].crop((0, 0, pictures[0].width, TINY.height))).astype(int)
    changed = [
        int((np.abs(np.asarray(one.crop((0, 0, one.width, TINY.height))) - base).sum(axis=2) > 60).sum())
        for one in pictures
    ]
    assert changed[0] == 0
    assert 0 < changed[2] < changed[-1]


def test_a_walk_of_one_position_is_a_film_of_one_picture(walk: MapWalk) -> None:
    pictures = film(small_house(), MapWalk(walk.positions[:1]), TINY)
    assert len(pictures) == 1
    assert encoded(pictures, "gif", TINY)


def test_posters_show_map_and_strip(walk: MapWalk, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[int]] = []

    def taken(scene: Scene, walk: MapWalk, at: list[int], *, size: int) -> list[Image.Image]:
        asked.append(at)
        return [Image.new("RGB", (size, size), (10 * k, 200, 40)) for k in range(len(at))]

    monkeypatch.setattr("vlnscope.reporting.walks.poster.frames", taken)
    texts = WalkTexts("title", "Walk on.", "no success", succeeded=False)
    with_views = poster(small_house(), walk, texts)
    without = poster(bare(), walk, texts)
    assert with_views.width == without.width == WIDTH
    (moments,) = asked
    assert moments == [moment.at for moment in telling_moments(walk, 6)]
    colours = {colour for _, colour in with_views.getcolors(1 << 24)}  # type: ignore[union-attr]
    assert {(10 * k, 200, 40) for k in range(len(moments))} <= colours
    assert (0, 200, 40) not in {colour for _, colour in without.getcolors(1 << 24)}  # type: ignore[union-attr]


@given(st.text(alphabet="ab cd.", max_size=80), st.integers(30, 200), st.integers(1, 4))
def test_lines_fit_and_lose_nothing_but_what_is_too_much(text: str, width: int, most: int) -> None:
    lines = wrapped(text, 12, width, most)
    assert len(lines) <= most
    assert all(written_width(line, 12) <= width or " " not in line.removesuffix(" …") for line in lines)
    whole = wrapped(text, 12, width)
    assert " ".join(whole).split() == text.split()
    assert len(whole) > most or lines == whole


def test_letters_that_pictures_lack_are_replaced() -> None:
    assert writable("Turn left.", "no") == "Turn left."
    assert writable("左に曲がる", "no") == "no"


def test_names_are_whole_and_step_aside() -> None:
    canvas = Canvas(0.0, 10.0)
    bold = {"font_weight": "bold"}
    canvas.page_text((100.0, 100.0), "hallway", 11.0, text_anchor="middle", **bold)  # type: ignore[arg-type]
    canvas.page_text((200.0, 50.0), "kitchen", 11.0, text_anchor="middle", **bold)  # type: ignore[arg-type]
    canvas.page_text((298.0, 150.0), "cut off", 11.0, text_anchor="middle")
    window = (0.0, 0.0, 300.0, 300.0)
    same = readable(canvas.elements, window, [])
    assert [one.partition(">")[2] for one in same] == ["hallway</text>", "kitchen</text>"]
    under = readable(canvas.elements, window, [[(60.0, 100.0), (140.0, 100.0)]])
    assert under[1] == same[1]
    assert under[0] != same[0]


def test_a_map_without_walkable_ground_does_not_explain_it(walk: MapWalk) -> None:
    for scene, said in ((small_house(), True), (bare(), False)):
        (sheet, *_) = walk_maps(scene, walk)
        assert ("walkable" in sheet.svg()) is said
