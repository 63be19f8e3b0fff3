"""``rgb``, ``depth`` and ``semantic``: what agents get when they name a camera in `needs`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from vlnscope.core.exceptions import InputError, MissingLayerError
from vlnscope.engine.environment import check_needs
from vlnscope.perception.sight import decode_sight, encode_sight, sight, sight_kind
from vlnscope.worlds.cameras import Camera, Stance, look
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.scene import Scene

GRAPH = NavGraph.build(["a", "b"], [[0, 0, 1.5], [0, 3, 1.5]], [("a", "b")])


class CountingRenderer(Renderer):
    """Counts how often rays are traced."""

    traced = 0

    def _hits(self, *arguments: Any) -> Any:
        type(self).traced += 1
        return super()._hits(*arguments)


def wall(y: float, name: str) -> tuple[list[list[float]], str]:
    return [[-9, y, -9], [9, y, -9], [9, y, 9], [-9, y, 9]], name


@pytest.fixture
def scene() -> Scene:
    """Two walls: "north" 5 m ahead of heading 0, "south" 2 m behind."""
    corners = np.array([*wall(5.0, "north")[0], *wall(-2.0, "south")[0]], dtype=float)
    faces = np.array([[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]], dtype=np.int32)
    labels = np.array([0, 0, 1, 1], dtype=np.int32)
    paint = np.array([[250, 0, 0]] * 2 + [[0, 0, 250]] * 2, dtype=np.uint8)
    names = ("north", "south")
    mesh = Mesh(corners, faces, paint, np.zeros(4, dtype=np.uint8), labels, labels, names, names)
    CountingRenderer.traced = 0
    return Scene("s", GRAPH, {"renderer": lambda: CountingRenderer(mesh, threads=1)})


def test_without_a_stance_the_camera_is_at_the_viewpoint_and_looks_along_heading_0(scene: Scene) -> None:
    rgb, depth, semantic = (sight(need, scene, "b") for need in ("rgb", "depth", "semantic"))
    assert (rgb.shape, rgb.dtype) == ((224, 224, 3), np.uint8)
    assert (depth.shape, depth.dtype) == ((256, 256, 1), np.float32)
    assert (semantic.shape, semantic.dtype) == ((256, 256), np.int32)
    assert rgb[112, 112].argmax() == 0
    assert depth[128, 128, 0] == pytest.approx(0.2)
    assert [sight("semantic-classes", scene, "b")[n] for n in np.unique(semantic)] == ["north"]
    down = sight("depth:8x8,hfov=2,pitch=-60,metres", scene, "b")
    assert down[4, 4, 0] == pytest.approx(4.0, rel=0.03)


def test_a_stance_says_where_the_foot_is_and_where_the_agent_looks(scene: Scene) -> None:
    """In Habitat's frame the north wall is at z = -5."""
    stance = Stance((0.5, 0.25, -1.0), 0.0)
    ahead = sight("depth:9x9,metres", scene, "a", stance=stance)
    assert ahead[4, 4, 0] == pytest.approx(4.0)
    back = stance._replace(yaw=math.pi)
    assert sight("depth:9x9,metres", scene, "a", stance=back)[4, 4, 0] == pytest.approx(3.0)
    expected = look(scene.layer("renderer"), Camera(9, 9, sensor_height=0.4), stance.position, 0.3, 0.2)
    seen = sight("rgb:9x9,height=0.4", scene, "a", stance=Stance(stance.position, 0.3, 0.2))
    assert np.array_equal(seen, expected.rgb[0])


@pytest.mark.parametrize("order", [("rgb", "depth", "semantic"), ("semantic", "depth", "rgb")])
def test_sights_of_one_observation_trace_a_camera_once(scene: Scene, order: tuple[str, ...]) -> None:
    drawn: dict[Any, Any] = {}
    needs = [f"{name}:16x16" for name in order] + ["depth:16x16,near=0.5,far=5", "depth:16x16,metres"]
    seen = {need: sight(need, scene, "a", drawn=drawn) for need in needs}
    assert CountingRenderer.traced == 1
    for need, value in seen.items():
        assert np.array_equal(value, sight(need, scene, "a")), need
    sight("rgb:16x16,height=1", scene, "a", drawn=drawn)
    assert len(drawn) == 2


def test_a_panorama_has_a_view_per_direction(scene: Scene) -> None:
    around = sight("depth:9x9,hfov=30,count=12,metres,far=100", scene, "a")
    assert around.shape == (12, 9, 9, 1)
    assert around[[0, 6], 4, 4, 0] == pytest.approx([5.0, 2.0])
    assert around[1, 4, 4, 0] == pytest.approx(5.0 / math.cos(math.radians(30)))


@pytest.mark.parametrize("need", ["rgb:12x10", "depth:12x10", "semantic:12x10,count=3", "semantic-classes"])
def test_what_is_seen_comes_back_from_the_wire(scene: Scene, need: str) -> None:
    seen = sight(need, scene, "a")
    back = decode_sight(need, encode_sight(need, seen))
    assert type(back) is type(seen)
    assert np.array_equal(back, seen)
    assert getattr(back, "dtype", None) == getattr(seen, "dtype", None)


def test_what_cannot_be_seen_is_refused(scene: Scene) -> None:
    with pytest.raises(InputError, match="describes no camera"):
        sight_kind("rgb:large")
    with pytest.raises(InputError, match="describes no camera"):
        check_needs(["annotation", "rgb:large"])
    with pytest.raises(InputError, match="not finite"):
        sight("rgb:4x4", scene, "a", stance=Stance((0.0, math.nan, 0.0)))
    with pytest.raises(MissingLayerError, match="renderer"):
        sight("rgb", Scene("bare", GRAPH), "a")
