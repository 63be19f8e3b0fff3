"""Pictures drawn by chance, and lit images on the faces of meshes."""

from __future__ import annotations

import pickle
from pathlib import Path

import msgspec
import numpy as np
import pytest

from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.worlds.houses.parts import item_mesh, items_mesh
from vlnscope.worlds.houses.plan.plan import PlanItem
from vlnscope.worlds.rendering.appearance import LIT
from vlnscope.worlds.rendering.glb import from_glb, to_glb
from vlnscope.worlds.rendering.light.screen import to_linear
from vlnscope.worlds.rendering.matter.matter import matter_of
from vlnscope.worlds.rendering.mesh import Mesh, join, subdivided, subset
from vlnscope.worlds.rendering.painting import Painter
from vlnscope.worlds.rendering.pictures.gallery import KINDS, RUGS, DrawnImage, picture
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.rendering.texels import sample


@pytest.mark.parametrize("kind", KINDS)
def test_pictures_differ_by_seed_and_are_the_same_again(kind: str) -> None:
    first, second, again = (DrawnImage(kind, seed, 96, 72, (150, 60, 60)).pixels for seed in ("a", "b", "a"))
    assert first.shape == (72, 96, 3)
    assert first.dtype == np.uint8
    assert np.array_equal(first, again)
    assert first.std() > 4
    if kind != "keyboard":
        assert (first != second).mean() > 0.02


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(24, 160), (160, 24), (8, 8)])
def test_pictures_come_in_any_shape(kind: str, shape: tuple[int, int]) -> None:
    assert DrawnImage(kind, 3, *shape, (40, 90, 200)).pixels.shape == (*shape[::-1], 3)


@pytest.mark.parametrize("kind", RUGS)
def test_the_main_colour_of_a_rug_is_seen(kind: str) -> None:
    red, blue = (
        DrawnImage(kind, 5, 90, 60, colour).pixels.mean(axis=(0, 1))
        for colour in ((182, 44, 40), (52, 92, 168))
    )
    assert red[0] - red[2] > 20
    assert blue[2] - blue[0] > 20


def test_pictures_are_shared_and_drawn_when_looked_at() -> None:
    one = picture("landscape", "x", 1.0, 0.75)
    assert one is picture("landscape", "x", 1.0, 0.75)
    assert "pixels" not in one.__dict__
    copy = pickle.loads(pickle.dumps(one))
    assert np.array_equal(copy.pixels, one.pixels)
    assert (copy.lit, copy.wrap) == (one.lit, one.wrap)
    with pytest.raises(UnknownNameError):
        picture("landscap", "x", 1.0, 1.0)


def painting(number: int = 1, at: float = 0.0) -> Mesh:
    return item_mesh(
        PlanItem(
            id=f"picture-{number}",
            name="picture",
            room="r",
            position=(at, 0.0, 1.0),
            size=(0.8, 0.04, 0.6),
            colour="black",
            material="wood",
            mounted=True,
        )
    )


def shown(mesh: Mesh) -> np.ndarray:
    """What is seen in front of the first painting."""
    return Renderer(mesh, threads=1).render((0.0, -0.9, 1.3), width=64, height=48).rgb[0]


def test_building_a_mesh_draws_no_picture() -> None:
    mesh = painting(77)
    assert mesh.appearance is not None
    assert mesh.appearance.images
    assert all("pixels" not in image.__dict__ for image in mesh.appearance.images)


def test_items_of_one_id_in_two_houses_show_different_pictures() -> None:
    one = PlanItem(id="picture-1", name="picture", room="r", position=(0, 0, 0), size=(0.8, 0.04, 0.6))
    recipes = set()
    for width in (0.8, 0.81, 0.82, 0.83):
        look = item_mesh(msgspec.structs.replace(one, size=(width, 0.04, 0.6))).appearance
        assert look is not None
        recipes |= {image.__dict__["recipe"] for image in look.images}
    assert len(recipes) >= 4
    moved = item_mesh(msgspec.structs.replace(one, position=(3, 1, 1), yaw=90.0, colour="red")).appearance
    first = item_mesh(one).appearance
    assert moved is not None
    assert first is not None
    assert [image.__dict__["recipe"] for image in moved.images] == [
        image.__dict__["recipe"] for image in first.images
    ]


def test_lit_images_are_no_colours_of_their_own() -> None:
    mesh = painting()
    assert mesh.appearance is not None
    assert not mesh.appearance.own.any()
    assert (mesh.appearance.image != LIT).any()
    painter = Painter(mesh.appearance, mesh.vertices, mesh.faces)
    assert not painter.covers_all


def test_images_stay_when_meshes_are_joined_cut_and_written(tmp_path: Path) -> None:
    mesh = painting()
    whole = shown(mesh)
    assert whole.reshape(-1, 3).std(axis=0).max() > 10
    other = painting(2, 5.0)
    joined = join([other, mesh])
    assert joined.appearance is not None
    assert other.appearance is not None
    assert mesh.appearance is not None
    assert len(joined.appearance.images) == len(mesh.appearance.images) + len(other.appearance.images)
    assert np.array_equal(shown(subset(joined, joined.instance == 1)), whole)
    assert np.abs(shown(subdivided(mesh)).astype(int) - whole).mean() < 1.0
    to_glb(mesh, tmp_path / "picture.glb")
    back = from_glb(tmp_path / "picture.glb")
    assert np.abs(shown(back).astype(int) - whole).mean() < 1.0
    assert np.array_equal(np.unique(back.colour, axis=0), np.unique(mesh.colour, axis=0))
    to_glb(back, tmp_path / "again.glb")
    assert np.array_equal(shown(from_glb(tmp_path / "again.glb")), shown(back))


def test_items_put_together_have_the_images_of_each() -> None:
    items = [
        PlanItem(
            id=f"{name}-{i}",
            name=name,
            room="r",
            position=(3.0 * i, 0, 0),
            size=(1.0, 0.4, 1.0),
            colour="red",
            material="wood",
        )
        for i, name in enumerate(("picture", "chair", "bookshelf", "chair", "rug"))
    ]
    whole = items_mesh(items)
    assert whole.appearance is not None
    printed = {items[i].name for i in np.unique(whole.instance[whole.appearance.image >= 0]).tolist()}
    assert printed == {"picture", "bookshelf", "rug"}
    apart = join([item_mesh(item) for item in items])
    assert apart.appearance is not None
    assert np.array_equal(whole.appearance.uv, apart.appearance.uv)
    assert np.array_equal(whole.appearance.image >= 0, apart.appearance.image >= 0)


def test_damaged_images_are_named(tmp_path: Path) -> None:
    path = tmp_path / "picture.glb"
    to_glb(painting(), path)
    raw = path.read_bytes()
    at = raw.rindex(b"IHDR")
    path.write_bytes(raw[:at] + b"XXXX" + raw[at + 4 :])
    with pytest.raises(InputError, match="image"):
        from_glb(path)


def test_matter_maps_the_corners_of_a_picture_to_those_of_its_image() -> None:
    mesh = painting()
    look, matter = mesh.appearance, matter_of(mesh)
    assert look is not None
    face = int(np.flatnonzero(look.image >= 0)[0])
    pixels = look.images[look.image[face]].pixels
    height, width, _ = pixels.shape
    row = matter.table[matter.tile[face]]
    assert (row[1], row[2], row[4]) == (width, height, 1)
    for weights in ((0.7, 0.2, 0.1), (0.1, 0.1, 0.8), (0.3, 0.4, 0.3)):
        point = np.append(np.array(weights) @ mesh.vertices[mesh.faces[face]], 1.0)
        u, v = matter.frames[face].astype(float) @ point
        across, down = np.array(weights) @ look.uv[face]
        i, j = int(across * width), int(down * height)
        if (
            min(across * width % 1, down * height % 1) < 0.1
            or max(across * width % 1, down * height % 1) > 0.9
        ):
            continue
        texel = sample(
            matter.texels, matter.pictures, matter.table, matter.tile[face], u, v, 0.9 / (row[0] / 65536)
        )
        linear = np.array(texel) * matter.base[face]
        assert np.allclose(linear, to_linear(pixels[j, i] / 255.0), atol=0.02)
    picture_mean = to_linear(pixels / 255.0).mean(axis=(0, 1))
    assert np.allclose(matter.mean[face], picture_mean, atol=1e-4)
