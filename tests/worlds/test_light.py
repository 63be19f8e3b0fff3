"""Baked light obeys what can be worked out on paper: skies, boxes, shadows, closed rooms."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from vlnscope.types import Floats
from vlnscope.worlds.rendering.light.bake import BakedLight, bake_light
from vlnscope.worlds.rendering.light.charts import LightAtlas, light_atlas
from vlnscope.worlds.rendering.light.gather import GatheredLight, LightGatherer
from vlnscope.worlds.rendering.light.screen import bytes_to_linear
from vlnscope.worlds.rendering.light.sky import Sky, sky_at, sky_radiance, uniform_sky
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh

GLASS, GLOW = TEXTURES.index("glass"), TEXTURES.index("glow")
DARK = uniform_sky(0.0)
OVERHEAD = replace(DARK, sun=(0.0, 0.0, 1.0), sunlight=(2.0, 2.0, 2.0))


Corners = list[tuple[float, float, float]]


def quads(*shapes: tuple[Corners, int, int]) -> Mesh:
    """Return a mesh of rectangles, each with a texture and an object."""
    corners = np.array([corner for shape, _, _ in shapes for corner in shape], dtype=np.float64)
    first = 4 * np.arange(len(shapes))[:, None, None]
    faces = (first + np.array([[0, 1, 2], [0, 2, 3]])).reshape(-1, 3)
    count = len(faces)
    objects = np.repeat([number for _, _, number in shapes], 2)
    return Mesh(
        corners,
        faces.astype(np.int32),
        np.full((count, 3), 255, dtype=np.uint8),
        np.repeat([texture for _, texture, _ in shapes], 2).astype(np.uint8),
        np.zeros(count, dtype=np.int32),
        objects.astype(np.int32),
        ("thing",),
        tuple(f"object-{i}" for i in range(int(objects.max()) + 1)),
    )


def level(x0: float, y0: float, x1: float, y1: float, z: float, up: bool = True) -> Corners:
    corners = [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]
    return corners if up else corners[::-1]


def room(size: float = 3.0) -> list[Corners]:
    """Return the six sides of a cube, seen from inside."""
    s = size
    return [
        level(0, 0, s, s, 0),
        level(0, 0, s, s, s, up=False),
        [(0, 0, 0), (0, 0, s), (s, 0, s), (s, 0, 0)],
        [(0, s, 0), (s, s, 0), (s, s, s), (0, s, s)],
        [(0, 0, 0), (0, s, 0), (0, s, s), (0, 0, s)],
        [(s, 0, 0), (s, 0, s), (s, s, s), (s, s, 0)],
    ]


def gathered(
    mesh: Mesh, sky: Sky, *, albedo: float = 0.5, lamps_on: bool = False, rays: int = 64
) -> tuple[LightAtlas, GatheredLight]:
    atlas = light_atlas(mesh)
    grey = np.full((len(mesh), 3), albedo)
    return atlas, LightGatherer(mesh, atlas, sky, grey, rays).gather(lamps_on=lamps_on)


def at(mesh: Mesh, baked: BakedLight, face: int, place: tuple[float, float, float]) -> Floats:
    """Return the stored light at a place, interpolated as pictures do."""
    column, row = baked.frames[face].astype(np.float64) @ (*place, 1.0)
    c, r = int(np.floor(column)), int(np.floor(row))
    s, t = column - c, row - r
    texels = baked.atlas[r : r + 2, c : c + 2].astype(np.float64)
    weights = np.array([[(1 - s) * (1 - t), s * (1 - t)], [(1 - s) * t, s * t]])
    return np.asarray((texels * weights[..., None]).sum(axis=(0, 1)))


def test_under_an_even_sky_a_level_plate_gets_its_radiance() -> None:
    _, light = gathered(quads((level(0, 0, 2, 2, 0), 0, 0)), uniform_sky(0.7))
    assert light.soft == pytest.approx(0.7, rel=1e-5)
    assert (light.sun == 0.0).all()


def test_a_wall_beside_the_plate_takes_half_of_the_sky_at_its_foot() -> None:
    wall = [(-20.0, 0.0, 0.0), (-20.0, 0.0, 40.0), (20.0, 0.0, 40.0), (20.0, 0.0, 0.0)]
    mesh = quads((level(-2, 0, 2, 4, 0), 0, 0), (wall, 0, 1))
    atlas, light = gathered(mesh, uniform_sky(1.0), albedo=0.0)
    floor = (atlas.points.face < 2) & (atlas.points.position[:, 1] < 0.05)
    assert light.soft[floor].mean() == pytest.approx(0.5, abs=0.03)


def test_sunlight_goes_with_the_cosine_and_not_through_the_ground() -> None:
    high = replace(OVERHEAD, sun=(0.6, 0.0, 0.8))
    _, light = gathered(quads((level(0, 0, 1, 1, 0), 0, 0)), high)
    assert light.sun == pytest.approx(1.6, rel=1e-5)
    below = replace(OVERHEAD, sun=(0.6, 0.0, -0.8))
    _, light = gathered(quads((level(0, 0, 1, 1, 0, up=False), 0, 0)), below)
    assert (light.sun == 0.0).all()


def test_the_shadow_of_a_plate_lies_where_the_sun_says() -> None:
    slanted = replace(OVERHEAD, sun=(np.sqrt(0.5), 0.0, np.sqrt(0.5)))
    mesh = quads((level(-4, -4, 4, 4, 0), 0, 0), (level(-0.5, -0.5, 0.5, 0.5, 1.0), 0, 1))
    atlas, light = gathered(mesh, slanted, albedo=0.0)
    ground = atlas.points.face < 2
    x, y, _ = atlas.points.position[ground].T
    lit = light.sun[ground, 0] > 0.0
    inside = (np.abs(x + 1.0) < 0.45) & (np.abs(y) < 0.45)
    outside = (np.abs(x + 1.0) > 0.55) | (np.abs(y) > 0.55)
    assert inside.any()
    assert not lit[inside].any()
    assert lit[outside].all()


def test_a_closed_room_without_lamps_is_black() -> None:
    mesh = quads(*((side, 0, 0) for side in room()))
    _, light = gathered(mesh, sky_at(12.0))
    assert (light.soft == 0.0).all()
    assert (light.sun == 0.0).all()
    assert (light.buried == 0.0).all()


def test_light_in_a_closed_box_balances_what_its_lamp_sends() -> None:
    """All that a lamp sends is swallowed by the walls: the mean light follows from areas and albedo alone."""
    half = level(1.4, 1.4, 1.6, 1.6, 1.5, up=False)
    mesh = quads(*((side, 0, 0) for side in room()), (half, GLOW, 1))
    albedo = 0.6
    atlas, light = gathered(mesh, DARK, albedo=albedo, lamps_on=True, rays=128)
    gatherer = LightGatherer(mesh, atlas, DARK, np.full((len(mesh), 3), albedo), 8)
    power = float(gatherer.lamp_power()[0, 0])
    walls = atlas.points.face < 12
    bounces = sum(albedo**k for k in range(5))
    expected = power * 2 * 0.04 / 54.0 * bounces  # it shines to both sides
    assert light.soft[walls].mean() == pytest.approx(expected, rel=0.06)
    off = gathered(mesh, DARK, lamps_on=False)[1]
    assert (off.soft == 0.0).all()


def window_room(glazed: bool) -> Mesh:
    """Return a room whose wall at y = 0 has a hole of 1 m by 1 m."""
    floor, ceiling, _, *others = room()
    wall = [
        [(0, 0, 0), (0, 0, 1), (3, 0, 1), (3, 0, 0)],
        [(0, 0, 2), (0, 0, 3), (3, 0, 3), (3, 0, 2)],
        [(0, 0, 1), (0, 0, 2), (1, 0, 2), (1, 0, 1)],
        [(2, 0, 1), (2, 0, 2), (3, 0, 2), (3, 0, 1)],
    ]
    shapes = [(side, 0, 0) for side in (floor, ceiling, *others, *wall)]
    pane = [(1, 0, 1), (1, 0, 2), (2, 0, 2), (2, 0, 1)]
    return quads(*shapes, *([(pane, GLASS, 1)] if glazed else []))


def test_a_pane_lets_through_what_a_hole_does_with_less_noise() -> None:
    sky = uniform_sky(1.0)
    atlas, hole = gathered(window_room(False), sky, albedo=0.3, rays=256)
    floor = atlas.points.face < 2
    _, pane = gathered(window_room(True), sky, albedo=0.3, rays=48)
    assert pane.soft[: len(floor)][floor].mean() == pytest.approx(hole.soft[floor].mean(), rel=0.05)
    rough = gathered(window_room(False), sky, albedo=0.3, rays=48)[1].soft[floor, 0]
    error = np.abs(pane.soft[: len(floor)][floor, 0] - hole.soft[floor, 0]).mean()
    assert error < 0.6 * np.abs(rough - hole.soft[floor, 0]).mean()


def test_light_falls_off_from_the_window_and_the_bake_keeps_it() -> None:
    mesh = window_room(True)
    baked = bake_light(mesh, uniform_sky(1.0), lamps_on=False, albedo=np.full((len(mesh), 3), 0.3))
    near, far = at(mesh, baked, 0, (1.5, 0.8, 0.0)), at(mesh, baked, 0, (1.5, 2.8, 0.0))
    assert near.mean() > 1.5 * far.mean() > 0.0


def test_furniture_leaves_shade_on_the_floor_below_it() -> None:
    floor, table = level(-2, -2, 2, 2, 0), level(-0.5, -0.5, 0.5, 0.5, 0.3)
    under = level(-0.5, -0.5, 0.5, 0.5, 0.28, up=False)
    mesh = quads((floor, 0, 0), (table, 0, 1), (under, 0, 1))
    baked = bake_light(mesh, uniform_sky(1.0), lamps_on=False, albedo=np.full((6, 3), 0.3))
    assert at(mesh, baked, 0, (0, 0, 0)).mean() < 0.6 * at(mesh, baked, 0, (1.7, 1.7, 0)).mean()


def test_interpolation_on_a_single_triangle_is_the_one_of_a_triangle() -> None:
    mesh = replace(quads((level(0, 0, 0.1, 0.1, 0), 0, 0)))
    atlas = light_atlas(mesh)
    assert atlas.grid == 0
    light = atlas.points.position @ np.array([[1.0, 2.0, 0.0], [3.0, 0.5, 0.0], [0.0, 0.0, 1.0]])
    baked = BakedLight(atlas.frames, atlas.filled(light), np.zeros(25), 1.0)
    corners = mesh.vertices[mesh.faces[0]]
    stored = [at(mesh, baked, 0, (corner[0], corner[1], corner[2])) for corner in corners]
    x, y, z = corners.mean(axis=0)
    middle = at(mesh, baked, 0, (x, y, z))
    assert middle == pytest.approx(np.mean(stored, axis=0), rel=1e-4)


def test_every_place_of_every_face_reads_texels_that_hold_light() -> None:
    mesh = window_room(True)
    atlas = light_atlas(mesh)
    weights = np.random.default_rng(0).dirichlet((1, 1, 1), (len(mesh), 50))
    places = np.einsum("fkc,fcx->fkx", weights, mesh.vertices[mesh.faces])
    ones = np.ones((*places.shape[:2], 1))
    texels = np.einsum("fij,fkj->fki", atlas.frames.astype(np.float64), np.concatenate([places, ones], -1))
    nearest = np.rint(texels).astype(int)
    point = atlas.texel_point[nearest[..., 1], nearest[..., 0]]
    assert (point >= 0).all()
    away = np.linalg.norm(atlas.points.position[point] - places, axis=-1)
    assert away.max() < 0.12


def test_the_sky_changes_with_the_hour_and_the_clouds_with_the_seed() -> None:
    morning, noon, night = sky_at(8.0), sky_at(12.0), sky_at(23.0)
    assert morning.sun[0] > 0.5 > noon.sun[0]
    assert noon.sun[2] > morning.sun[2] > 0.0 > night.sun[2]
    assert max(night.sunlight) == 0.0
    assert max(night.zenith) < 0.01 * max(noon.zenith)
    evening = sky_at(18.5).sunlight
    assert evening[0] > 2 * evening[2] > 0.0
    assert max(sky_at(12.0, cover=1.0).sunlight) == 0.0
    directions = np.random.default_rng(1).normal(size=(400, 3))
    directions[:, 2] = np.abs(directions[:, 2])
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)

    def seen(seed: int) -> Floats:
        params = sky_at(12.0, 0.6, seed=seed).params(disc=False)
        return np.array([sky_radiance(params, *way) for way in directions.tolist()])

    assert np.abs(seen(1) - seen(2)).max() > 0.2
    assert (seen(1) > 0.0).all()


def test_north_turns_the_sun() -> None:
    straight, turned = sky_at(12.0, north=0.0).sun, sky_at(12.0, north=90.0).sun
    assert straight[1] < 0.0
    assert abs(straight[0]) < 1e-9
    assert turned[0] == pytest.approx(straight[1])
    assert turned[2] == pytest.approx(straight[2])


def test_the_sun_is_seen_in_the_sky_but_not_gathered_twice() -> None:
    sky = sky_at(12.0, cover=0.0)
    with_disc = sky_radiance(sky.params(), *sky.sun)
    without = sky_radiance(sky.params(disc=False), *sky.sun)
    assert with_disc[0] > 5 * without[0]


def test_a_mesh_without_faces_has_no_light() -> None:
    empty = Mesh(
        np.zeros((0, 3)),
        np.zeros((0, 3), dtype=np.int32),
        np.zeros((0, 3), dtype=np.uint8),
        np.zeros(0, dtype=np.uint8),
        np.zeros(0, dtype=np.int32),
        np.zeros(0, dtype=np.int32),
        (),
        (),
    )
    baked = bake_light(empty, sky_at(12.0), lamps_on=True)
    assert baked.frames.shape == (0, 2, 4)
    assert np.isfinite(baked.exposure)


def test_screen_colours_become_linear() -> None:
    assert bytes_to_linear(np.array([0, 128, 255], dtype=np.uint8)) == pytest.approx(
        [0.0, 0.2158, 1.0], abs=1e-3
    )


_DIGEST = """
import hashlib, sys
sys.path.insert(0, "tests/worlds")
from test_light import window_room
from vlnscope.worlds.rendering.light.bake import bake_light
from vlnscope.worlds.rendering.light.sky import sky_at
light = bake_light(window_room(True), sky_at(10.0), lamps_on=True, rays=8)
state = light.atlas.tobytes() + light.frames.tobytes() + repr(light.exposure).encode()
print(hashlib.sha256(state).hexdigest())
"""


def test_every_process_bakes_the_same_bytes_and_another_seed_does_not() -> None:
    runs = [
        subprocess.run([sys.executable, "-c", _DIGEST], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert len(runs[0]) > 60
    assert runs[0] == runs[1]
    one, other = (bake_light(window_room(True), sky_at(10.0), False, rays=8, seed=seed) for seed in (0, 1))
    assert (one.atlas != other.atlas).any()
