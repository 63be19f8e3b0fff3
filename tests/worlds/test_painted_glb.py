"""Textures and shade painted onto meshes, and such meshes as GLB files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gltf_files import valid_glb
from vlnscope.core.exceptions import InputError
from vlnscope.worlds.rendering.appearance import lit, painted
from vlnscope.worlds.rendering.chart_packing import SIDE, packed
from vlnscope.worlds.rendering.glb import to_glb
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh, join
from vlnscope.worlds.rendering.mesh_files import load_mesh
from vlnscope.worlds.rendering.painted_glb import to_painted_glb
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.rendering.semantic_parts import part_colours
from vlnscope.worlds.rendering.texture_bake import painted_mesh

CUBE = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]


def cube(size: float = 1.0, texture: str = "plain", name: str = "cube") -> Mesh:
    """A cube around (0, 3, 0), counter-clockwise seen from outside."""
    square = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    corners = np.array([(x, y, z) for z in (-1, 1) for x, y in square]) * size / 2 + (0, 3, 0)
    faces = np.array([[(a, b, c), (a, c, d)] for a, b, c, d in CUBE], dtype=np.int32).reshape(-1, 3)
    labels = np.zeros(12, dtype=np.int32)
    return Mesh(
        corners,
        faces,
        np.full((12, 3), (180, 120, 60), dtype=np.uint8),
        np.full(12, TEXTURES.index(texture), dtype=np.uint8),
        labels,
        labels,
        ("box",),
        (name,),
    )


@given(st.lists(st.tuples(st.integers(5, 1024), st.integers(5, 1024)), min_size=1, max_size=40))
def test_packed_rectangles_lie_on_their_sheets_and_do_not_overlap(sizes: list[tuple[int, int]]) -> None:
    sheet, place, sheets = packed(np.array(sizes))
    assert (sheets <= SIDE).all()
    assert (place >= 0).all()
    assert (place + sizes <= sheets[sheet]).all()
    for i in range(len(sizes)):
        for j in range(i):
            apart = (place[i] >= place[j] + sizes[j]) | (place[j] >= place[i] + sizes[i])
            assert sheet[i] != sheet[j] or apart.any()


def test_rectangles_that_fill_a_sheet_go_on_the_next_one() -> None:
    sheet, _, sheets = packed(np.full((17, 2), 1024))
    assert sheet.tolist() == [0] * 16 + [1]
    assert sheets.tolist() == [[4096, SIDE], [1024, SIDE]]


@pytest.mark.parametrize("texture", ["plain", "planks", "tiles", "carpet", "fabric"])
def test_paint_looks_as_the_renderer_draws_the_face_from_three_metres(texture: str) -> None:
    mesh = cube(2.0, texture)
    views = [
        Renderer(model).render([(0.0, -1.0, 0.0)], width=64, height=64, vfov=30.0)
        for model in (mesh, painted_mesh(mesh))
    ]
    inner = np.s_[:, 4:-4, 4:-4]
    assert np.isfinite(views[0].depth[inner]).all()
    difference = np.abs(views[0].rgb[inner].astype(int) - views[1].rgb[inner])
    assert difference.mean() < 8.0
    assert np.array_equal(views[0].depth, views[1].depth)


def test_charts_of_wide_faces_are_coarser_and_not_larger() -> None:
    wide = painted_mesh(cube(200.0, "grass"))
    assert wide.appearance is not None
    assert [image.pixels.shape[1] for image in wide.appearance.images] == [SIDE]
    assert sum(image.pixels.shape[0] for image in wide.appearance.images) <= 2 * 1024


def test_painting_nothing_gives_nothing() -> None:
    assert len(painted_mesh(join([]))) == 0


def test_a_painted_mesh_comes_back_from_its_file(tmp_path: Path) -> None:
    mesh = painted_mesh(join([cube(1.0, "wood", "near"), replace(cube(2.0, "tiles", "far"))]))
    to_painted_glb(mesh, tmp_path / "a.glb")
    to_painted_glb(mesh, tmp_path / "b.glb")
    assert (tmp_path / "a.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()
    back = load_mesh(tmp_path / "a.glb")
    assert back.objects == mesh.objects
    assert mesh.appearance is not None
    assert back.appearance is not None
    assert np.array_equal(back.appearance.images[0].pixels, mesh.appearance.images[0].pixels)
    order = np.argsort(mesh.instance, kind="stable")
    assert np.array_equal(back.vertices[back.faces], mesh.vertices[mesh.faces[order]].astype(np.float32))
    assert np.array_equal(back.appearance.uv, mesh.appearance.uv[order])


def test_files_have_y_up_and_faces_counter_clockwise_from_outside(tmp_path: Path) -> None:
    to_painted_glb(painted_mesh(cube(2.0)), tmp_path / "cube.glb")
    (part,) = valid_glb(tmp_path / "cube.glb")
    a, b, c = (part.points[part.faces[:, i]] for i in range(3))
    outward = (a + b + c) / 3 - (0.0, 0.0, -3.0)
    assert (np.cross(b - a, c - a) * outward).sum(axis=1).min() > 0
    assert part.points.min(axis=0).tolist() == [-1.0, -1.0, -4.0]


def test_all_shades_of_a_screen_come_back_from_colours_of_vertices(tmp_path: Path) -> None:
    mesh = join([replace(cube(), objects=(f"cube-{k}",)) for k in range(22)])
    shades = np.repeat((np.arange(len(mesh)) % 256).astype(np.uint8), 9).reshape(-1, 3, 3)
    to_painted_glb(replace(mesh, appearance=painted(shades)), tmp_path / "shades.glb")
    back = load_mesh(tmp_path / "shades.glb").appearance
    assert back is not None
    assert np.array_equal(back.tint, shades)
    linear = np.concatenate([part.attributes["COLOR_0"] for part in valid_glb(tmp_path / "shades.glb")])
    values = linear[:, 0].astype(np.float32) / np.float32(65535)  # as a program in single precision reads it
    screen = np.where(values <= 0.0031308, values * 12.92, 1.055 * values ** (1 / 2.4) - 0.055)
    assert set(np.rint(screen * 255).astype(int)) == set(range(256))


def test_meshes_without_colours_of_their_own_are_refused(tmp_path: Path) -> None:
    for mesh in (cube(), replace(cube(), appearance=lit(12)), join([])):
        with pytest.raises(InputError, match="without colours of its own"):
            to_painted_glb(mesh, tmp_path / "no.glb")
    assert not list(tmp_path.iterdir())
    to_glb(cube(), tmp_path / "labels.glb")
    assert load_mesh(tmp_path / "labels.glb").classes == ("box",)


def test_colours_of_parts_are_different_and_only_nothing_is_black() -> None:
    colours = part_colours(np.arange(70_000, dtype=np.int32))
    assert len(np.unique(colours, axis=0)) == 70_000
    assert colours[0].tolist() == [0, 0, 0]
