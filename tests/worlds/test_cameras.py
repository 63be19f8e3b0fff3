"""What cameras of agents in space see, against rays cast one by one in Habitat's frame."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.worlds.cameras import CAMERAS, Camera, camera_of, look
from vlnscope.worlds.rendering.mesh import Mesh, join
from vlnscope.worlds.rendering.renderer import Renderer

_SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def box(low, high, name: str, colour=(200, 200, 200)) -> Mesh:
    """A box given in Habitat's frame: x right, y up, z towards the viewer."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    points = np.asarray(low) + corners * (np.asarray(high, dtype=float) - low)
    faces = np.array([t for a, b, c, d in _SIDES for t in ((a, b, c), (a, c, d))], dtype=np.int32)
    zeros = np.zeros(12, dtype=np.int32)
    paint = np.tile(np.array(colour, dtype=np.uint8), (12, 1))
    ours = np.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=-1)
    return Mesh(ours, faces, paint, zeros.astype(np.uint8), zeros, zeros, (name,), (name,))


@cache
def scene() -> Mesh:
    """A room 6 wide, 2.5 high and 14 long, open to the south (+z), with a table and a lamp."""
    return join(
        [
            box((-3, -0.1, -11), (3, 0, 3), "floor", (150, 100, 60)),
            box((-3, 2.5, -11), (3, 2.6, 3), "ceiling", (240, 240, 240)),
            box((-3, 0, -11.2), (3, 2.5, -11), "north", (60, 60, 200)),
            box((-3.2, 0, -11), (-3, 2.5, 3), "west", (200, 60, 60)),
            box((3, 0, -11), (3.2, 2.5, 3), "east", (60, 200, 60)),
            box((0.6, 0, -3.1), (1.7, 0.8, -2.2), "table", (90, 60, 30)),
            box((-1.4, 1.7, -2.0), (-1.1, 2.5, -1.7), "lamp", (250, 250, 120)),
        ]
    )


@cache
def renderer() -> Renderer:
    return Renderer(scene(), threads=1)


def rays_of(camera: Camera, yaw: float, pitch: float) -> np.ndarray:
    """Rays of a pinhole camera in Habitat's frame, 1 long along the view axis, by the definition of hfov."""
    focus = camera.width / 2 / math.tan(math.radians(camera.hfov) / 2)
    column, row = np.meshgrid(np.arange(camera.width) + 0.5, np.arange(camera.height) + 0.5)
    x, y = (column - camera.width / 2) / focus, (camera.height / 2 - row) / focus
    rays = np.stack([x, y, -np.ones_like(x)], axis=-1).reshape(-1, 3)
    s, c = math.sin(pitch), math.cos(pitch)
    rays = rays @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]]).T  # about x: up
    s, c = math.sin(yaw), math.cos(yaw)
    return rays @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]).T  # about y: counter-clockwise


def cast(eye, rays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each ray against each triangle, by the signs of three volumes: distance and face (infinite and -1)."""
    mesh = scene()
    points = np.stack([mesh.vertices[:, 0], mesh.vertices[:, 2], -mesh.vertices[:, 1]], axis=-1) - eye
    a, b, c = (points[mesh.faces[:, i]] for i in range(3))
    volumes = [rays @ np.cross(p, q).T for p, q in ((a, b), (b, c), (c, a))]
    inside = np.all([v >= 0 for v in volumes], axis=0) | np.all([v <= 0 for v in volumes], axis=0)
    normal = np.cross(b - a, c - a)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (normal * a).sum(axis=1) / (rays @ normal.T)
    t = np.where(inside & (t > 0), t, np.inf)
    face = t.argmin(axis=1)
    best = t[np.arange(len(t)), face]
    return best, np.where(np.isfinite(best), face, -1)


def expected(camera: Camera, foot, yaw: float, pitch: float) -> tuple[np.ndarray, np.ndarray]:
    eye = np.asarray(foot) + np.array([0, camera.sensor_height, 0])
    far, face = cast(eye, rays_of(camera, yaw, pitch + math.radians(camera.pitch)))
    shape = camera.height, camera.width
    return far.reshape(shape), np.where(face < 0, -1, scene().semantic[face]).reshape(shape)


@pytest.mark.parametrize("seed", range(8))
def test_depth_and_classes_are_those_of_rays_cast_one_by_one(seed: int) -> None:
    rng = rng_for(seed, "camera")
    foot = rng.uniform((-2.5, 0.0, -2.0), (2.5, 0.3, 2.5))
    yaw, pitch = float(rng.uniform(-4, 4)), float(rng.uniform(-0.6, 0.6))
    camera = Camera(
        int(rng.integers(20, 40)),
        int(rng.integers(15, 35)),
        hfov=float(rng.uniform(50, 110)),
        sensor_height=float(rng.uniform(0.5, 1.6)),
        pitch=float(rng.uniform(-30, 30)),
        normalise=False,
        far=100.0,
    )
    seen = look(renderer(), camera, foot, yaw, pitch)
    far, classes = expected(camera, foot, yaw, pitch)
    assert seen.semantic.dtype == np.int32
    assert seen.depth.shape == (1, camera.height, camera.width, 1)
    same = seen.semantic[0] == classes
    assert same.mean() > 0.995  # rays within rounding of an edge may fall on either side of it
    corners = np.ix_([0, -1], [0, -1])
    assert same[corners].all()
    assert np.allclose(
        seen.depth[0, ..., 0][same], np.where(np.isinf(far), 0.0, far)[same], rtol=1e-5, atol=1e-5
    )


def test_one_look_shows_the_same_in_colours() -> None:
    """A wall's own colour is recognised in every pixel that a ray finds it in, at the corners too."""
    camera = Camera(64, 48)
    paint = scene().colour[::12].astype(float)
    for yaw in (0.0, 0.9, -2.2):
        seen = look(renderer(), camera, (0.3, 0.0, -4.0), yaw)
        _, classes = expected(camera, (0.3, 0.0, -4.0), yaw, 0.0)
        assert np.array_equal(seen.semantic[0], classes)
        strong = (classes >= 0) & np.isin(classes, [2, 3, 4])  # the blue, red and green walls
        strongest = seen.rgb[0].argmax(axis=-1)
        assert strong[:, [0, -1]].any()
        assert np.array_equal(strongest[strong], paint[classes[strong]].argmax(axis=-1))


def test_the_camera_is_above_the_foot_by_its_height() -> None:
    """Straight down, depth is the height of the camera above the floor; VLN-CE's is 1.25 m."""
    for height in (1.25, 0.88, 2.0):
        down = Camera(9, 9, hfov=20, sensor_height=height, pitch=-90, normalise=False)
        assert look(renderer(), down, (0, 0, 0)).depth[0, 4, 4, 0] == pytest.approx(height, abs=1e-6)
        raised = look(renderer(), down, (0, 0.2, 0), 1.0).depth[0, 4, 4, 0]
        assert raised == pytest.approx(height + 0.2, abs=1e-6)
    assert CAMERAS["vlnce"]["rgb"].sensor_height == CAMERAS["vlnce"]["depth"].sensor_height == 1.25
    assert CAMERAS["rxr-ce"]["rgb"].sensor_height == 0.88


def test_yaw_turns_left_and_pitch_turns_up() -> None:
    ahead = Camera(3, 3, hfov=10)
    classes = scene().classes

    def middle(yaw: float, pitch: float = 0.0) -> str:
        number = look(renderer(), ahead, (0, 0, -6), yaw, pitch).semantic[0, 1, 1]
        return "" if number < 0 else classes[number]

    assert [middle(math.radians(yaw)) for yaw in (0, 90, 180, 270)] == ["north", "west", "", "east"]
    assert middle(0.0, math.radians(60)) == "ceiling"
    assert middle(0.0, math.radians(-60)) == "floor"


def test_depth_is_clipped_and_normalised_and_nothing_is_zero() -> None:
    camera = Camera(21, 15, hfov=79, near=0.5, far=5.0)
    foot, yaw = (0.2, 0.0, 2.0), 0.3
    far, _ = expected(camera, foot, yaw, 0.0)
    metres = np.clip(np.where(np.isinf(far), 0.0, far), 0.5, 5.0)
    depth = look(renderer(), camera, foot, yaw).depth
    assert depth.dtype == np.float32
    assert np.allclose(depth[0, ..., 0], (metres - 0.5) / 4.5, atol=1e-5)
    assert depth.max() == 1.0
    backwards = look(renderer(), camera, foot, math.pi + 0.01).depth[0, 7, 10, 0]
    assert backwards == 0.0


def test_a_panorama_begins_ahead_and_goes_round_clockwise() -> None:
    camera = Camera(24, 18, count=12, pitch=-5)
    foot, yaw, pitch = (0.4, 0.0, -1.0), 0.7, 0.1
    around = look(renderer(), camera, [foot, (1, 0, 0)], [yaw, 0.0], [pitch, 0.0])
    assert around.rgb.shape == (2, 12, 18, 24, 3)
    assert around.depth.shape == (2, 12, 18, 24, 1)
    assert around.semantic.shape == (2, 12, 18, 24)
    one = Camera(24, 18, pitch=-5)
    for k in range(12):
        single = look(renderer(), one, foot, yaw - k * math.tau / 12, pitch)
        assert (single.semantic[0] == around.semantic[0, k]).mean() > 0.99
        far, classes = expected(one, foot, yaw - k * math.tau / 12, pitch)
        same = around.semantic[0, k] == classes
        assert same.mean() > 0.99
        close = np.clip(np.where(np.isinf(far), 0, far), 0, 10) / 10
        assert np.allclose(around.depth[0, k, ..., 0][same], close[same], atol=1e-5)


def test_the_order_of_asking_changes_nothing_and_many_agents_see_what_one_does() -> None:
    rng = rng_for(0, "many")
    feet = rng.uniform((-2, 0, -5), (2, 0.1, 2), (5, 3))
    yaws = rng.uniform(-3, 3, 5)
    camera = Camera(20, 20)
    first, second = (look(renderer(), camera, feet, yaws, 0.1) for _ in range(2))
    colours = first.rgb
    depth, classes = second.depth, second.semantic
    assert np.array_equal(second.rgb, colours)
    assert np.array_equal(first.depth, depth)
    assert np.array_equal(first.semantic, classes)
    assert np.array_equal(first.instance, second.instance)
    for k in range(5):
        alone = look(renderer(), camera, feet[k], yaws[k], 0.1)
        assert np.array_equal(alone.rgb[0], colours[k])
        assert np.array_equal(alone.depth[0], depth[k])
    assert look(renderer(), camera, np.zeros((0, 3))).rgb.shape == (0, 20, 20, 3)


def test_texts_describe_cameras() -> None:
    assert camera_of("", "rgb") == Camera(224, 224)
    assert camera_of("vlnce", "depth") == Camera(256, 256)
    assert camera_of("vlnce,count=12", "rgb") == Camera(224, 224, count=12)
    rxr = Camera(640, 480, hfov=79, sensor_height=0.88, near=0.5, far=5.0)
    assert camera_of("rxr-ce", "semantic") == rxr
    assert camera_of("640x480,hfov=79,height=0.88,near=0.5,far=5", "depth") == rxr
    assert camera_of("hfov=60, pitch=-30") == Camera(224, 224, hfov=60, pitch=-30)
    assert camera_of("metres", "depth") == Camera(256, 256, normalise=False)
    assert math.tan(math.radians(rxr.vfov / 2)) == pytest.approx(math.tan(math.radians(39.5)) * 0.75)


@pytest.mark.parametrize(
    "text",
    ["256", "x", "256x", "axb", "0x8", "8x8,", "8x8,colour=3", "8x8,hfov", "8x8,hfov=180", "8x8,hfov=nan",
     "8x8,count=0", "99999x99999", "8x8,near=3,far=2", "habitat", "8x8,vlnce"],
)  # fmt: skip
def test_texts_that_describe_no_camera_are_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        camera_of(text)
    assert caught.value.fix


@pytest.mark.parametrize(
    ("positions", "yaws", "pitches"),
    [
        ((0, math.nan, 0), 0.0, 0.0),
        ((0, 0, 0), math.inf, 0.0),
        ((0, 0, 0), 0.0, math.nan),
        ([(0, 0, 0), (1, 0, 0)], [0.0, 1.0, 2.0], 0.0),
        ((0, 0), 0.0, 0.0),
    ],
)
def test_impossible_stances_are_refused(positions: object, yaws: object, pitches: object) -> None:
    with pytest.raises(InputError):
        look(renderer(), Camera(4, 4), positions, yaws, pitches)
