"""Tiles of texels: they repeat without seams, keep colours, and lie on faces as they should."""

from __future__ import annotations

import hashlib
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.core.rng import rng_for
from vlnscope.types import Floats
from vlnscope.worlds.houses.parts import item_mesh
from vlnscope.worlds.houses.plan.plan import PlanItem
from vlnscope.worlds.rendering.matter.frames import frames_of
from vlnscope.worlds.rendering.matter.library import TILES, drawn_tile, levels, tile_library
from vlnscope.worlds.rendering.matter.matter import Matter, matter_of
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh, join
from vlnscope.worlds.rendering.texels import FIXED, UNIT, sample

DRAWN = [name for name in TEXTURES if name in TILES and TILES[name].rows > 2]


def decoded(texels: NDArray[np.uint32]) -> Floats:
    code = np.stack([(texels >> shift) & 255 for shift in (0, 8, 16)], axis=-1)
    return (code / UNIT) ** 2


def level_of(name: str, level: int) -> Floats:
    library = tile_library()
    row = library.table[TEXTURES.index(name)]
    width, height = (max(1, int(side) >> level) for side in row[1:3])
    start = row[5 + level]
    return decoded(library.texels[start : start + width * height]).reshape(height, width, 3)


@pytest.mark.parametrize("name", DRAWN)
def test_tiles_repeat_without_a_seam(name: str) -> None:
    image = level_of(name, 0)
    for axis in (0, 1):
        others = tuple(i for i in range(3) if i != axis)
        steps = np.abs(np.roll(image, -1, axis) - image).mean(axis=others)
        assert steps[-1] <= 1.25 * steps[:-1].max()
        assert steps[-1] <= 4.0 * steps.mean() or steps.max() > 3.0 * np.median(steps)


@pytest.mark.parametrize("name", TEXTURES)
def test_tiles_change_no_mean_colour_on_any_level(name: str) -> None:
    coarsest = int(tile_library().table[TEXTURES.index(name), 3])
    means = np.array([level_of(name, level).mean(axis=(0, 1)) for level in range(coarsest + 1)])
    assert np.abs(means - 1.0).max() < 0.025
    if name in DRAWN:
        assert level_of(name, 0).std() > 0.005
        assert level_of(name, coarsest - 1).std() < level_of(name, 0).std()


def test_levels_are_means_of_the_one_before() -> None:
    image = rng_for(0, "levels").random((8, 2, 3))
    chain = levels(image)
    assert [level.shape[:2] for level in chain] == [(8, 2), (4, 1), (2, 1), (1, 1)]
    assert np.allclose(chain[-1], image.mean(axis=(0, 1)))
    assert np.allclose(chain[1][0, 0], image[:2].mean(axis=(0, 1)))


def test_another_process_draws_the_same_tiles(tmp_path: Path) -> None:
    code = (
        "import hashlib; from vlnscope.worlds.rendering.matter.library import tile_library as t; "
        "print(hashlib.sha256(t().texels.tobytes()).hexdigest())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7", "VLNSCOPE_CACHE": str(tmp_path)}
    other = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert other.stdout.strip() == hashlib.sha256(tile_library().texels.tobytes()).hexdigest()


def test_kept_tiles_are_used_and_damaged_ones_drawn_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tile_library().texels.copy()
    monkeypatch.setenv("VLNSCOPE_CACHE", str(tmp_path))
    assert np.array_equal(tile_library.__wrapped__().texels, whole)
    (kept,) = (tmp_path / "tiles").iterdir()
    for damage in (b"", b"nonsense", kept.read_bytes()[:-8]):
        kept.write_bytes(damage)
        assert np.array_equal(tile_library.__wrapped__().texels, whole)
    changed = whole.copy()
    changed[0] ^= 1
    np.save(kept, changed)
    assert np.array_equal(tile_library.__wrapped__().texels, changed)


@compiled
def sampled(
    texels: NDArray[np.uint32],
    pictures: NDArray[np.uint32],
    table: NDArray[np.int32],
    tile: int,
    places: Floats,
    footprint: float,
) -> Floats:
    out = np.empty((len(places), 3))
    for i in range(len(places)):
        out[i, 0], out[i, 1], out[i, 2] = sample(
            texels, pictures, table, tile, places[i, 0], places[i, 1], footprint
        )
    return out


def expected(image: Floats, scale: float, places: Floats, *, bounded: bool, smooth: bool) -> Floats:
    height, width, _ = image.shape

    def texel(i: NDArray[np.int64], j: NDArray[np.int64]) -> Floats:
        if bounded:
            return image[j.clip(0, height - 1), i.clip(0, width - 1)]
        return image[j % height, i % width]

    x, y = places[:, 0] * scale, places[:, 1] * scale
    if not smooth:
        return texel(np.floor(x).astype(np.int64), np.floor(y).astype(np.int64))
    x, y = x - 0.5, y - 0.5
    i, j = np.floor(x).astype(np.int64), np.floor(y).astype(np.int64)
    s, t = (x - i)[:, None], (y - j)[:, None]
    upper = texel(i, j) * (1 - s) + texel(i + 1, j) * s
    lower = texel(i, j + 1) * (1 - s) + texel(i + 1, j + 1) * s
    return upper * (1 - t) + lower * t


@pytest.mark.parametrize(("level", "texels_per_pixel"), [(0, 0.3), (0, 1.2), (1, 2.0), (3, 8.0), (8, 1e6)])
@pytest.mark.parametrize("name", ["planks", "brick"])
def test_samples_are_those_of_the_level_that_suits_a_pixel(
    name: str, level: int, texels_per_pixel: float
) -> None:
    library = tile_library()
    number = TEXTURES.index(name)
    scale = library.table[number, 0] / FIXED
    level = min(level, int(library.table[number, 3])) if level < 8 else int(library.table[number, 3])
    places = rng_for(1, name, level).uniform(-5, 5, (300, 2))
    found = sampled(
        library.texels, np.zeros(1, np.uint32), library.table, number, places, texels_per_pixel / scale
    )
    truth = expected(
        level_of(name, level), scale / 2**level, places, bounded=False, smooth=texels_per_pixel < 0.8
    )
    assert np.allclose(found, truth, atol=1e-6)


def item(name: str, size: tuple[float, float, float], yaw: float = 0.0, at: float = 0.0) -> PlanItem:
    return PlanItem(
        id=f"{name}-1",
        name=name,
        room="r",
        position=(at, -at, 0.0),
        yaw=yaw,
        size=size,
        colour="brown",
        material="wood",
    )


def corner_places(mesh: Mesh, frames: NDArray[np.float32]) -> Floats:
    points = np.concatenate([mesh.vertices, np.ones((len(mesh.vertices), 1))], axis=1)[mesh.faces]
    return np.einsum("fij,fkj->fki", frames.astype(np.float64), points)


def test_frames_measure_metres_in_the_plane_of_the_face() -> None:
    mesh = join([item_mesh(item(name, (1.2, 0.6, 0.8), 33.0, 2.0)) for name in ("desk", "vase", "sofa")])
    frames = frames_of(mesh)
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    flat = np.linalg.norm(normals, axis=1)
    fine = flat > 1e-7
    normals = normals[fine] / flat[fine, None]
    for row in range(2):
        axis = frames[fine, row, :3]
        assert np.allclose(np.linalg.norm(axis, axis=1), 1.0, atol=1e-4)
        assert np.abs((axis * normals).sum(axis=1)).max() < 1e-3
    assert np.abs((frames[fine, 0, :3] * frames[fine, 1, :3]).sum(axis=1)).max() < 1e-3


def test_patterns_turn_and_move_with_their_object() -> None:
    straight, turned = (item_mesh(item("desk", (1.4, 0.7, 0.75), yaw, yaw / 20)) for yaw in (0.0, 30.0))
    first, second = (corner_places(mesh, frames_of(mesh)) for mesh in (straight, turned))
    sizes = [np.linalg.norm(np.diff(places, axis=1), axis=2) for places in (first, second)]
    assert np.allclose(*sizes, atol=1e-4)
    wood = straight.texture == TEXTURES.index("wood")
    assert np.allclose(np.abs(np.diff(first, axis=1))[wood], np.abs(np.diff(second, axis=1))[wood], atol=1e-3)


def slab(size: tuple[float, float], texture: str) -> Mesh:
    """A level rectangle."""
    x, y = size
    return Mesh(
        np.array([(0, 0, 0), (x, 0, 0), (x, y, 0), (0, y, 0)], dtype=np.float64),
        np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32),
        np.full((2, 3), 128, np.uint8),
        np.full(2, TEXTURES.index(texture), np.uint8),
        np.zeros(2, np.int32),
        np.zeros(2, np.int32),
        ("floor",),
        ("room",),
    )


@pytest.mark.parametrize("texture", ["wood", "planks"])
@pytest.mark.parametrize("size", [(4.0, 1.0), (1.0, 4.0)])
def test_grain_and_boards_run_along_the_longer_side(texture: str, size: tuple[float, float]) -> None:
    along = frames_of(slab(size, texture))[:, 0, :3]
    longer = np.array((1.0, 0, 0) if size[0] > size[1] else (0, 1.0, 0))
    assert np.allclose(np.abs(along @ longer), 1.0, atol=1e-6)


def test_tiles_begin_at_the_corner_of_a_room() -> None:
    places = corner_places(slab((3.0, 2.0), "tiles"), frames_of(slab((3.0, 2.0), "tiles")))
    whole = places / TILES["tiles"].unit
    assert np.allclose(whole[0, 0], np.rint(whole[0, 0]), atol=1e-3)


def test_rows_of_bricks_are_level_on_walls_of_any_direction() -> None:
    wall = slab((3.0, 2.0), "brick")
    for degrees in (0.0, 20.0, 90.0, 250.0):
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        points = np.stack([wall.vertices[:, 0] * c, wall.vertices[:, 0] * s, wall.vertices[:, 1]], axis=1)
        upright = Mesh(
            points, *[getattr(wall, name) for name in Mesh.__dataclass_fields__ if name != "vertices"]
        )
        frames = frames_of(upright)
        assert np.abs(frames[:, 0, 2]).max() < 1e-6
        assert np.allclose(frames[:, 1, 2], -1.0)


def test_colours_and_gloss_come_with_the_texture() -> None:
    matter = matter_of(join([slab((1.0, 1.0), "metal"), slab((1.0, 1.0), "plaster")]))
    assert isinstance(matter, Matter)
    assert (matter.gloss[:2] > 0.2).all()
    assert (matter.gloss[2:] == 0).all()
    assert np.allclose(matter.base, ((128 / 255 + 0.055) / 1.055) ** 2.4, atol=1e-6)
    assert np.array_equal(matter.base, matter.mean)


def test_all_tiles_are_drawn_from_their_names_alone() -> None:
    assert np.array_equal(drawn_tile("brick"), drawn_tile("brick"))
    assert set(TILES) <= set(TEXTURES)
