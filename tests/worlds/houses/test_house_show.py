"""Pictures of a house for people: chosen views, floors cut open, poster, model and films."""

from __future__ import annotations

import io
import json
import math
import struct
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import trimesh
from PIL import Image

from small_house import small_plan
from vlnscope.worlds.houses.house import house_scene
from vlnscope.worlds.houses.show.composition import best_views, room_title
from vlnscope.worlds.houses.show.cutaway import VFOV, Cutaway, fitting_distance, house_box
from vlnscope.worlds.houses.show.exposure import well_exposed
from vlnscope.worlds.houses.show.film import (
    PictureSize,
    turntable_pictures,
    walk_pictures,
    walk_through,
    webp_film,
)
from vlnscope.worlds.houses.show.model import write_lit_model
from vlnscope.worlds.houses.show.palette import house_palette
from vlnscope.worlds.houses.show.poster import PAPER, PARTS, WIDTH, key_figures, poster_parts, stacked
from vlnscope.worlds.houses.surroundings.stage import SURROUNDINGS
from vlnscope.worlds.rendering.pinhole import camera_axes
from vlnscope.worlds.scene import Scene

SMALL = PictureSize(60, 40)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return house_scene(small_plan(), cached=False)


def test_each_room_has_one_view_of_itself(scene: Scene) -> None:
    views = best_views(scene, 10)
    assert sorted(view.room for view in views) == [0, 1, 2]
    assert [view.worth for view in views] == sorted((view.worth for view in views), reverse=True)
    for view in views:
        near = np.linalg.norm(scene.graph.positions - view.place, axis=1).argmin()
        assert scene.regions.region(scene.graph.nodes[near]) == view.room
    assert [view.room for view in best_views(scene, 2)] == [view.room for view in views[:2]]


def test_rooms_are_named_as_people_write_them(scene: Scene) -> None:
    assert [room_title(scene.layer("plan"), k) for k in range(3)] == ["Living room", "Bedroom", "Bathroom"]


@pytest.mark.parametrize("heading", [0.0, 0.7, 2.5])
def test_a_house_just_fits_into_the_picture(scene: Scene, heading: float) -> None:
    box, tilt, aspect = house_box(scene.layer("plan")), -0.6, 1.5
    away = fitting_distance(box, heading, tilt, aspect)
    right, ahead, up = camera_axes(heading, tilt)[0]
    tall = math.tan(math.radians(VFOV) / 2)

    def reach(distance: float) -> float:
        offsets = box.corners - (box.middle - ahead * distance)
        deep = offsets @ ahead
        return float(
            max((abs(offsets @ right) / deep / tall / aspect).max(), (abs(offsets @ up) / deep / tall).max())
        )

    assert reach(away) <= 1.0 < reach(0.9 * away)


def test_a_floor_cut_open_shows_what_is_in_it(scene: Scene) -> None:
    whole, cut = (
        np.asarray(Cutaway(scene, level).picture(0.6, width=150, height=100, paper=PAPER))
        for level in (None, 0)
    )
    assert (whole[0, 0] == PAPER).all()
    assert (cut[0, 0] == PAPER).all()
    kinds = [len(np.unique(picture.reshape(-1, 3) // 32, axis=0)) for picture in (whole, cut)]
    assert kinds[1] > kinds[0]  # furniture, and no roof over it


def test_the_exposure_that_suits_is_taken() -> None:
    class Lens:
        def __init__(self, factor: float = 1.0) -> None:
            self.factor = factor

        def exposed(self, factor: float) -> Lens:
            return Lens(self.factor * factor)

    def shot(light: float) -> Callable[[Lens], np.ndarray]:  # type: ignore[type-arg]
        return lambda lens: np.full((4, 4, 3), min(255.0, light * lens.factor), dtype=np.uint8)

    assert well_exposed(Lens(), shot(1200.0)).factor < 0.2  # type: ignore[arg-type, attr-defined]
    assert well_exposed(Lens(), shot(40.0)).factor == 4.0  # type: ignore[arg-type, attr-defined]
    assert well_exposed(Lens(), shot(150.0)).factor == 1.0  # type: ignore[arg-type, attr-defined]


def test_exposure_changes_pictures_and_nothing_else(scene: Scene) -> None:
    renderer = scene.layer("renderer")
    places = scene.graph.positions[:1], 0.0
    usual, dark = (one.render(*places, width=32, height=24) for one in (renderer, renderer.exposed(0.3)))
    assert dark.rgb.mean() < usual.rgb.mean()
    assert (dark.depth == usual.depth).all()
    assert (renderer.render(*places, width=32, height=24).rgb == usual.rgb).all()


def test_colours_of_a_palette_differ(scene: Scene) -> None:
    colours = house_palette(scene.layer("mesh"), 6)
    assert 3 <= len(colours) <= 6
    apart = [math.dist(one, other) for k, one in enumerate(colours) for other in colours[:k]]
    assert min(apart) > 40


def test_a_poster_has_all_its_parts(scene: Scene) -> None:
    parts = list(poster_parts(scene))
    assert len(parts) == PARTS
    whole = stacked(parts)
    assert whole.width == WIDTH
    assert whole.height > sum(part.height for part in parts)
    figures = {what: number for number, what in key_figures(scene)}
    assert (figures["square metres"], figures["rooms"], figures["floor"]) == ("68", "3", "1")


def test_a_walk_keeps_to_the_edges_of_the_graph(scene: Scene) -> None:
    path = walk_through(scene)
    graph = scene.graph
    ends = [(graph.positions[i], graph.positions[j]) for i, j in graph.edges.tolist()]
    for place in path.places:
        assert min(_away(place, a, b) for a, b in ends) < 0.3
    steps = [math.dist(a, b) for a, b in pairwise(path.places.tolist())]
    assert max(steps) < 0.2


def _away(point: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:  # type: ignore[type-arg]
    share = np.clip((point - a) @ (b - a) / max((b - a) @ (b - a), 1e-9), 0.0, 1.0)
    return float(np.linalg.norm(point - a - share * (b - a)))


def test_films_play(scene: Scene) -> None:
    path = walk_through(scene)
    short = path._replace(places=path.places[:3], headings=path.headings[:3], tilts=path.tilts[:3])
    for pictures in (walk_pictures(scene, short, SMALL), turntable_pictures(scene, SMALL, 3)):
        with Image.open(io.BytesIO(webp_film(pictures))) as film:
            assert (film.format, film.size, film.n_frames) == ("WEBP", SMALL, 3)  # type: ignore[attr-defined]


def test_a_model_holds_its_light_and_has_clear_panes(scene: Scene, tmp_path: Path) -> None:
    write_lit_model(scene, tmp_path / "flat.glb")
    data = (tmp_path / "flat.glb").read_bytes()
    header = json.loads(data[20 : 20 + struct.unpack("<I", data[12:16])[0]])
    assert header["extensionsUsed"] == ["KHR_materials_unlit"]
    panes = [k for k, material in enumerate(header["materials"]) if material.get("alphaMode") == "BLEND"]
    assert panes == [len(header["materials"]) - 1]
    glazed = [one for mesh in header["meshes"] for one in mesh["primitives"] if one["material"] in panes]
    assert glazed
    assert all(
        one["material"] < len(header["materials"]) for mesh in header["meshes"] for one in mesh["primitives"]
    )
    loaded = trimesh.load_scene(tmp_path / "flat.glb")
    faces = sum(len(one.faces) for one in loaded.geometry.values())
    mesh = scene.layer("mesh")
    own = [k for k, name in enumerate(mesh.objects) if name != SURROUNDINGS]
    assert int(np.isin(mesh.instance, own).sum()) <= faces < len(mesh)  # without the hills
