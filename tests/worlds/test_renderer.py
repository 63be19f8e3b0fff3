"""Views agree with the geometry, whoever casts the rays; meshes survive files; pictures repeat exactly."""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from boxes import box
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.worlds.graph.views import VIEW_ELEVATIONS, VIEW_HEADINGS, view_index
from vlnscope.worlds.rendering.glb import from_glb, to_glb
from vlnscope.worlds.rendering.images import contact_sheet, depth_picture, false_colours, save_png
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh, join, scaled, subdivided, subset
from vlnscope.worlds.rendering.mesh_files import load_mesh
from vlnscope.worlds.rendering.pinhole import camera_axes
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.rendering.views import Views

TESTS = Path(__file__).parents[1]


def room(seed: int) -> Mesh:
    """A closed room with boxes of all textures standing, leaning into each other and floating about."""
    rng = rng_for(seed, "room")
    parts = [
        box((-3, -4, -0.1), (3, 4, 0), "floor", (170, 120, 80), "planks"),
        box((-3, -4, 2.6), (3, 4, 2.7), "ceiling"),
        box((-3.1, -4, 0), (-3, 4, 2.6), "wall-w", (220, 210, 190), "brick"),
        box((3, -4, 0), (3.1, 4, 2.6), "wall-e"),
        box((-3, -4.1, 0), (3, -4, 2.6), "wall-s"),
    ]
    for i, texture in enumerate(TEXTURES):
        low = rng.uniform((-2.8, -3.8, 0.0), (2.0, 3.0, 1.5))
        size, colour = rng.uniform(0.1, 0.9, 3), rng.integers(30, 255, 3)
        parts.append(box(low, low + size, f"thing-{i}", tuple(colour), texture, float(rng.uniform(0, 3))))
    return join(parts)


def cast(mesh: Mesh, origin, directions):
    """Möller–Trumbore, ray by ray against every face: distance along the given direction, face (-1: none)."""
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    e1, e2, s = b - a, c - a, np.asarray(origin) - a
    q = np.cross(s, e1)
    p = np.cross(directions[:, None, :], e2[None])
    det = (p * e1).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        u = (p * s).sum(axis=-1) / det
        v = (directions @ q.T) / det
        t = (e2 * q).sum(axis=-1) / det
        hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0)
    t = np.where(hit, t, np.inf)
    face = t.argmin(axis=1)
    best = t[np.arange(len(t)), face]
    return best, np.where(np.isfinite(best), face, -1)


def pixel_rays(heading, elevation, width, height, vfov):
    """Rays through pixel centres from spherical angles alone: turn about x by the elevation, then about z."""
    focus = height / 2 / math.tan(math.radians(vfov) / 2)
    column, row = np.meshgrid(np.arange(width) + 0.5 - width / 2, np.arange(height) + 0.5 - height / 2)
    rays = np.stack([column / focus, np.ones_like(column), -row / focus], axis=-1).reshape(-1, 3)
    s, c = math.sin(elevation), math.cos(elevation)
    rays = rays @ np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    s, c = math.sin(heading), math.cos(heading)
    return rays @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


@pytest.mark.parametrize("seed", range(6))
def test_depth_and_labels_are_those_of_rays_cast_one_by_one(seed: int) -> None:
    mesh = room(seed)
    rng = rng_for(seed, "camera")
    origin = rng.uniform((-2.5, -3.5, 0.4), (2.5, 3.5, 2.2))
    heading, elevation = float(rng.uniform(0, 7)), float(rng.uniform(-1, 1))
    width, height, vfov = 44, 33, float(rng.uniform(40, 90))
    views = Renderer(mesh).render(origin, heading, elevation, width=width, height=height, vfov=vfov)
    depth, face = cast(mesh, origin, pixel_rays(heading, elevation, width, height, vfov))
    depth, face = depth.reshape(height, width), face.reshape(height, width)
    same = views.instance[0] == np.where(face < 0, -1, mesh.instance[face])
    assert same.mean() > 0.997  # rays within rounding of an edge may fall on either side of it
    assert np.array_equal(views.semantic[0][same], np.where(face < 0, -1, mesh.semantic[face])[same])
    near = same & np.isfinite(depth)
    assert np.allclose(views.depth[0][near], depth[near], rtol=1e-5, atol=1e-5)
    assert np.isinf(views.depth[0][face < 0]).all()
    assert near.mean() > 0.5


def test_most_cameras_hit_every_pixel_exactly() -> None:
    mesh = room(11)
    origin = (0.31, -1.27, 1.53)
    views = Renderer(mesh).panorama(origin, width=16, height=12)
    for k in range(36):
        _, face = cast(mesh, origin, pixel_rays(VIEW_HEADINGS[k], VIEW_ELEVATIONS[k], 16, 12, 60.0))
        assert np.array_equal(views.instance[k].ravel(), np.where(face < 0, -1, mesh.instance[face]))


def seen(renderer: Renderer, name: str, heading=0.0, elevation=0.0, **more) -> tuple[float, float, int]:
    """Middle of an object's pixels (column, row from the picture's middle) and how many they are."""
    views = renderer.render((0, 0, 1.5), heading, elevation, width=200, height=100, vfov=60, **more)
    rows, columns = np.nonzero(views.instance[0] == renderer.mesh.objects.index(name))
    return columns.mean() - 99.5, rows.mean() - 49.5, len(rows)


def test_left_right_up_and_down_are_where_they_belong() -> None:
    ends = {"north": (0, 5, 1.5), "east": (5, 0, 1.5), "high": (0, 5, 2.5), "west": (-2, 5, 1.5)}
    renderer = Renderer(join([box(np.array(p) - 0.2, np.array(p) + 0.2, name) for name, p in ends.items()]))
    assert seen(renderer, "north")[:2] == pytest.approx((0, 0), abs=0.6)
    assert seen(renderer, "west")[0] < -20
    assert seen(renderer, "high")[1] < -10
    assert seen(renderer, "east", math.pi / 2)[:2] == pytest.approx((0, 0), abs=0.6)
    assert seen(renderer, "north", math.radians(20))[0] < -20
    assert seen(renderer, "north", elevation=math.radians(20))[1] > 20


def test_a_box_covers_the_pixels_that_a_pinhole_camera_gives_it() -> None:
    wall = box((-1, 4, 1), (1, 4.5, 2), "wall")
    views = Renderer(wall).render((0, 0, 1.5), width=320, height=240, vfov=60)
    rows, columns = np.nonzero(views.instance[0] == 0)
    focus = 120 / math.tan(math.radians(30))
    assert np.ptp(columns) + 1 == pytest.approx(2 * focus / 4, abs=1)
    assert np.ptp(rows) + 1 == pytest.approx(1 * focus / 4, abs=1)
    assert np.all(views.depth[0][rows, columns] == np.float32(4))
    assert views.distance()[0, rows[0], columns[0]] > 4.05


def test_distance_is_along_the_ray() -> None:
    ball = scaled(box((-1, -1, -1), (1, 1, 1), "ball"), 1.0)
    for _ in range(5):
        ball = subdivided(ball)
    points = ball.vertices / np.linalg.norm(ball.vertices, axis=1, keepdims=True) * 3
    shell = Mesh(points, *(getattr(ball, name) for name in Mesh.__dataclass_fields__ if name != "vertices"))
    views = Renderer(shell).panorama((0, 0, 0), width=64, height=48)
    assert np.allclose(views.distance(), 3, atol=0.01)
    assert views.depth.min() < 2.5


def test_the_panorama_is_the_thirty_six_views_of_mattersim() -> None:
    renderer = Renderer(room(3))
    panorama = renderer.panorama((0.1, -0.3, 1.5), width=32, height=24)
    assert len(panorama) == 36
    for heading, elevation in ((0, 0), (90, -30), (210, 30), (330, 0)):
        h, e = math.radians(heading), math.radians(elevation)
        single = renderer.render((0.1, -0.3, 1.5), h, e, width=32, height=24)
        assert np.array_equal(single.rgb[0], panorama.rgb[view_index(h, e)])


@pytest.mark.parametrize("far", [0.0, 5e5])
def test_a_mesh_far_from_the_origin_is_seen_as_well(far: float) -> None:
    mesh = room(5)
    moved = Mesh(
        mesh.vertices + far, *(getattr(mesh, n) for n in Mesh.__dataclass_fields__ if n != "vertices")
    )
    near = Renderer(mesh).render((0, -3, 1.5), width=40, height=30)
    away = Renderer(moved).render(np.array((0, -3, 1.5)) + far, width=40, height=30)
    assert (near.instance == away.instance).mean() > 0.995
    both = np.isfinite(near.depth) & np.isfinite(away.depth)
    assert both.mean() > 0.5
    assert np.median(np.abs(near.depth[both] - away.depth[both])) < 1e-4


def test_faces_are_seen_from_both_sides() -> None:
    one = subset(box((-1, 2, 0), (1, 3, 3), "wall"), np.array([4, 5]))
    for origin, heading in (((0, 0, 1.5), 0.0), ((0, 5, 1.5), math.pi)):
        views = Renderer(one).render(origin, heading, width=20, height=20)
        assert (views.instance[0, 8:12, 8:12] == 0).all()
        assert views.rgb[0, 10, 10].mean() > 120


def test_bytes_depend_on_nothing_but_mesh_and_camera() -> None:
    mesh, place = room(1), (0.2, -2.9, 1.4)
    views = [Renderer(mesh, threads=n).panorama(place, width=40, height=30) for n in (1, 2, 5)]
    for other in views[1:]:
        assert all(
            np.array_equal(getattr(views[0], n), getattr(other, n)) for n in ("rgb", "depth", "semantic")
        )
    code = (
        "import sys, hashlib; sys.path[:0] = sys.argv[1:]; import test_renderer as t\n"
        "v = t.Renderer(t.room(1)).panorama((0.2, -2.9, 1.4), width=40, height=30)\n"
        "print(hashlib.sha256(v.rgb.tobytes() + v.depth.tobytes() + v.instance.tobytes()).hexdigest())"
    )
    elsewhere = subprocess.run(
        [sys.executable, "-c", code, str(TESTS / "worlds"), str(TESTS / "support")],
        env={**os.environ, "PYTHONHASHSEED": "77"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    parts = (views[0].rgb, views[0].depth, views[0].instance)
    assert hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest() == elsewhere


def test_supersampling_smooths_colours_and_leaves_the_centre_rays_alone() -> None:
    renderer = Renderer(room(2))
    plain = renderer.render((0, -3, 1.5), width=60, height=40)
    fine = renderer.render((0, -3, 1.5), width=60, height=40, supersample=3)
    assert np.array_equal(plain.depth, fine.depth)
    assert np.array_equal(plain.instance, fine.instance)
    assert not np.array_equal(plain.rgb, fine.rgb)
    assert np.abs(plain.rgb.astype(int) - fine.rgb).mean() < 20


def test_nothing_to_see_is_sky_lighter_at_the_horizon_than_overhead() -> None:
    views = Renderer(join([])).render((0, 0, 0), [0, 1], [0, 1.5], width=9, height=9)
    assert (views.instance == -1).all()
    assert (views.semantic == -1).all()
    assert np.isinf(views.depth).all()
    assert views.rgb[0, 4, 4, 0] > views.rgb[1, 4, 4, 0]


def test_walls_stand_out_without_light_and_no_lines_are_drawn() -> None:
    mesh = join([box((-3, 4, 0), (3, 4.1, 2.6), "wall"), box((3, -4, 0), (3.1, 4, 2.6), "side")])
    renderer = Renderer(mesh)
    north = renderer.render((0, 0, 1.3), 0.0, width=9, height=9).rgb[0]
    east = renderer.render((0, 0, 1.3), math.pi / 2, width=9, height=9).rgb[0]
    assert abs(float(north[4, 4].mean()) - east[4, 4].mean()) > 4
    both = renderer.render((0, 0, 1.3), math.atan2(3, 4), width=60, height=9, vfov=20.0).rgb[0].reshape(-1, 3)
    assert {tuple(c) for c in both.tolist()} == {tuple(north[4, 4].tolist()), tuple(east[4, 4].tolist())}


def triangles(mesh: Mesh) -> list[object]:
    points = mesh.vertices.astype(np.float32)[mesh.faces].reshape(-1, 9).tolist()
    looks = np.column_stack([mesh.colour, mesh.texture]).tolist()
    names = [(mesh.classes[s], mesh.objects[i]) for s, i in zip(mesh.semantic, mesh.instance, strict=True)]
    return sorted(zip(points, looks, names, strict=True))


def test_glb_keeps_every_label(tmp_path: Path) -> None:
    mesh = room(4)
    to_glb(mesh, tmp_path / "a.glb")
    back = from_glb(tmp_path / "a.glb")
    assert triangles(back) == triangles(mesh)
    assert (back.classes, back.objects) == (mesh.classes, mesh.objects)
    to_glb(mesh, tmp_path / "b.glb.gz")
    assert triangles(load_mesh(tmp_path / "b.glb.gz")) == triangles(mesh)
    to_glb(join([]), tmp_path / "none.glb")
    assert len(from_glb(tmp_path / "none.glb")) == 0


def test_other_programs_read_our_glb_with_shape_and_colour(tmp_path: Path) -> None:
    mesh = room(4)
    to_glb(mesh, tmp_path / "a.glb")
    foreign = tmp_path / "foreign.glb"
    foreign.write_bytes((tmp_path / "a.glb").read_bytes().replace(b'"vlnscope"', b'"somebody"'))
    back = load_mesh(foreign)
    assert back.classes == ("unknown",)
    assert sorted(back.objects) == sorted(mesh.objects)
    ours, theirs = (Renderer(m).render((0, -3, 1.5), width=40, height=30) for m in (mesh, back))
    assert np.allclose(ours.depth, theirs.depth, atol=1e-3)
    painted = {tuple(c) for c in mesh.colour.tolist()}
    assert all(min(max(abs(a - b) for a, b in zip(c, p, strict=True)) for p in painted) <= 2
               for c in np.unique(back.colour, axis=0).tolist())  # fmt: skip
    with pytest.raises(InputError, match="did not write it"):
        from_glb(foreign)


def test_meshes_of_other_programs_load_and_render(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    painted = trimesh.creation.box((2, 2, 2))
    painted.visual.face_colors = [250, 20, 20, 255]
    painted.export(tmp_path / "painted.glb")
    painted.export(tmp_path / "painted.ply")
    image = Image.new("RGB", (8, 8), (10, 200, 30))
    skin = trimesh.visual.TextureVisuals(uv=np.full((8, 2), 0.5), image=image)
    trimesh.Trimesh(painted.vertices, painted.faces, visual=skin, process=False).export(tmp_path / "skin.glb")
    painted.export(tmp_path / "shape.obj")
    for name, colour in (
        ("painted.glb", (250, 20, 20)),
        ("painted.ply", (250, 20, 20)),
        ("skin.glb", (10, 200, 30)),
    ):
        mesh = load_mesh(tmp_path / name)
        assert np.unique(mesh.colour, axis=0).tolist() == [list(colour)], name
        views = Renderer(mesh).render((0, -5, 0), width=20, height=20)
        assert views.depth[0, 10, 10] == pytest.approx(4, abs=1e-4)
        assert views.rgb[0, 10, 10].argmax() == np.argmax(colour)
    assert len(load_mesh(tmp_path / "shape.obj")) == 12


def test_gltf_is_y_up_unless_told_otherwise(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    trimesh.creation.box((1, 5, 2)).export(tmp_path / "tall.glb")
    assert np.ptp(load_mesh(tmp_path / "tall.glb").vertices, axis=0).tolist() == pytest.approx([1, 2, 5])
    assert np.ptp(load_mesh(tmp_path / "tall.glb", up="z").vertices, axis=0).tolist() == pytest.approx(
        [1, 5, 2]
    )


@pytest.mark.parametrize("content", [b"", b"glTF", b"glTF" + b"\0" * 40, b"no mesh at all"])
def test_damaged_meshes_are_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.glb"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load_mesh(path)
    assert "bad.glb" in str(caught.value)
    assert caught.value.fix


@pytest.mark.parametrize(
    "camera",
    [{"width": 0}, {"height": -3}, {"vfov": 0.0}, {"vfov": 180.0}, {"supersample": 0}],
)
def test_impossible_cameras_are_refused(camera: dict[str, float]) -> None:
    with pytest.raises(InputError, match="no camera"):
        Renderer(room(0)).render((0, 0, 1), **{"width": 8, "height": 8, **camera})


@pytest.mark.parametrize("origins", [(0, math.nan, 1), (0, 0), [(0, 0, 1), (0, 0, 2)]])
def test_impossible_places_are_refused(origins: object) -> None:
    with pytest.raises(InputError):
        Renderer(room(0)).render(origins, [0.0, 1.0, 2.0], width=8, height=8)


def test_axes_are_right_handed_unit_vectors() -> None:
    rng = rng_for(0, "axes")
    axes = camera_axes(rng.uniform(-9, 9, 50), rng.uniform(-1.5, 1.5, 50))
    assert np.allclose(axes @ axes.transpose(0, 2, 1), np.eye(3))
    assert np.allclose(np.cross(axes[:, 0], axes[:, 1]), axes[:, 2])


def test_mesh_pieces() -> None:
    mesh = room(0)
    finer = subdivided(mesh)
    assert len(finer) == 4 * len(mesh)
    one = subset(mesh, mesh.instance == 2)
    assert len(one) == 12
    assert len(one.vertices) == 8
    assert np.ptp(scaled(one, 2.0).vertices, axis=0) == pytest.approx(2 * np.ptp(one.vertices, axis=0))
    coarse, fine = (Renderer(m).render((0, -3, 1.5), width=30, height=20) for m in (mesh, finer))
    assert (coarse.instance == fine.instance).mean() > 0.99
    assert isinstance(coarse, Views)


def test_sheets_and_png(tmp_path: Path) -> None:
    views = Renderer(room(0)).render((0, -3, 1.5), [0, 1, 2], width=30, height=20)
    sheet = contact_sheet([*views.rgb, *false_colours(views.semantic)], ["a", "a very long label indeed"], 4)
    assert sheet.width > 4 * 30
    assert sheet.height > 2 * 20
    assert np.array_equal(np.asarray(sheet)[6:26, 6:36], views.rgb[0])
    save_png(sheet, tmp_path / "sheet.png")
    save_png(sheet, tmp_path / "again.png")
    assert (tmp_path / "sheet.png").read_bytes() == (tmp_path / "again.png").read_bytes()
    assert np.array_equal(np.asarray(Image.open(tmp_path / "sheet.png")), np.asarray(sheet))
    shown = depth_picture(np.array([[0.0, 4.0, np.inf]], dtype=np.float32))
    assert shown[0, :, 0].tolist() == [255, 128, 0]
    with pytest.raises(InputError):
        contact_sheet([], [], 3)
