"""Glass shows what is behind it, mirrors what is before them, shiny floors a little; film keeps its range."""

from __future__ import annotations

import math

import numpy as np
import pytest

from boxes import box
from vlnscope.worlds.rendering.mesh import Mesh, join
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.rendering.tone import CURVE, compressed, develop

RED, BLUE, GREY = (210, 30, 30), (30, 40, 210), (150, 150, 150)


def scene(texture: str) -> Mesh:
    """A pane to the north with a red wall behind it, and a blue wall to the south."""
    return join(
        [
            box((-4, 2.0, -4), (4, 2.05, 4), "pane", (235, 235, 235), texture),
            box((-9, 5, -9), (9, 5.1, 9), "behind", RED),
            box((-9, -5.1, -9), (9, -5, 9), "before", BLUE),
        ]
    )


def middle(mesh: Mesh, elevation: float = 0.0) -> np.ndarray:
    return Renderer(mesh, threads=1).render((0, 0, 0), 0.0, elevation, width=9, height=9).rgb[0, 4, 4]


@pytest.mark.parametrize(("texture", "strongest"), [("glass", 0), ("mirror", 2)])
def test_panes_show_what_is_behind_or_before_them_and_keep_their_own_depth(
    texture: str, strongest: int
) -> None:
    views = Renderer(scene(texture), threads=1).render((0, 0, 0), width=9, height=9)
    assert views.rgb[0, 4, 4].argmax() == strongest
    assert views.rgb[0, 4, 4, strongest] > 1.8 * np.delete(views.rgb[0, 4, 4], strongest).max()
    assert np.allclose(views.depth, 2.0)
    assert (views.instance == 0).all()


def test_a_mirror_shows_things_where_they_are() -> None:
    """A post to the south-east appears in a mirror to the north on the east side, as far off as it is."""
    mesh = join(
        [
            box((-9, 2, -9), (9, 2.1, 9), "pane", GREY, "mirror"),
            box((1.9, -1, -9), (2.1, -0.9, 9), "post", RED),
        ]
    )
    rgb = Renderer(mesh, threads=1).render((0, 0, 0), width=181, height=9, vfov=9.0).rgb[0, 4].astype(int)
    red = np.flatnonzero(rgb[:, 0] > 2 * rgb[:, 2])
    tan_x = math.tan(math.radians(4.5)) * 181 / 9
    across = tan_x * ((2 * red.mean() + 1) / 181 - 1)
    assert across == pytest.approx(2.0 / 4.9, abs=0.02)


@pytest.mark.parametrize(("texture", "shines"), [("carpet", False), ("marble", True)])
def test_shiny_floors_reflect_at_a_flat_angle_and_carpets_do_not(texture: str, shines: bool) -> None:
    floor = box((-20, -1, -1.1), (20, 40, -1), "floor", (90, 90, 90), texture)
    wall = box((-20, 12, -1), (20, 12.1, 9), "wall", RED)
    lines = [
        Renderer(join([floor, box((-20, 12, -1), (20, 12.1, 9), "wall", colour)]), threads=1)
        .render((0, 0, 0), elevations=-0.15, width=8, height=8, vfov=4.0)
        .rgb[0]
        .astype(int)
        for colour in (RED, BLUE)
    ]
    assert len(wall) == 12
    redder = (lines[0][..., 0] - lines[1][..., 0]).mean()
    assert (redder > 8) if shines else (redder == 0)


def test_the_same_pixels_whatever_is_drawn_along_with_them() -> None:
    renderer = Renderer(scene("glass"), threads=2)
    many = renderer.render((0, 0, 0), np.linspace(0, 6, 7), width=20, height=14)
    for k, heading in enumerate(np.linspace(0, 6, 7)):
        assert np.array_equal(renderer.render((0, 0, 0), heading, width=20, height=14).rgb[0], many.rgb[k])


def test_a_mesh_of_glass_alone_shows_the_sky() -> None:
    pane = box((-4, 2.0, -4), (4, 2.05, 4), "pane", (235, 235, 235), "glass")
    assert middle(pane, 0.6)[2] > 100


def test_film_keeps_dark_tones_bends_bright_ones_and_never_falls() -> None:
    light = np.linspace(0, 20, 4001)
    shown = compressed(light)
    assert (np.diff(shown) >= 0).all()
    assert np.allclose(shown[light <= 0.5], light[light <= 0.5])
    assert shown[light > 6.1].min() == 1.0
    assert np.abs(np.diff(shown, n=2)).max() < 2e-4
    assert (np.diff(CURVE.astype(int)) >= 0).all()
    assert (CURVE[0], CURVE[-1]) == (0, 255)


def test_developing_scales_with_exposure_and_cuts_what_is_beyond() -> None:
    light = np.array([[0.0, 0.05, -1.0], [0.5, 50.0, 0.1]], dtype=np.float32)
    once, twice = np.empty((2, 3), dtype=np.uint8), np.empty((2, 3), dtype=np.uint8)
    develop(light, CURVE, 2.0, once)
    develop(2 * light, CURVE, 1.0, twice)
    assert np.array_equal(once, twice)
    assert once[0].tolist()[::2] == [0, 0]
    assert once[1, 1] == 255
    assert abs(int(once[0, 1]) - 89) <= 1  # 0.1 in linear light
