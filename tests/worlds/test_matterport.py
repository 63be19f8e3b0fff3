"""Connectivity files, .house files and the scenes made of them."""

from __future__ import annotations

import gzip
import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vlnscope.core.exceptions import DataNotFoundError, InputError, MissingLayerError
from vlnscope.worlds.graph.candidates import candidates_of
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.matterport.connectivity import read_connectivity
from vlnscope.worlds.matterport.house_file import read_house_file
from vlnscope.worlds.matterport.house_objects import read_house_objects
from vlnscope.worlds.matterport.scans import MatterportScenes, load_graph
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene


def viewpoint(name: str, x: float, flags: list[int], included: bool = True) -> dict[str, Any]:
    pose = [1, 0, 0, x, 0, 1, 0, 2 * x, 0, 0, 1, 1.5 + x, 0, 0, 0, 1]
    return {
        "image_id": name,
        "pose": pose,
        "included": included,
        "visible": [True] * len(flags),
        "unobstructed": [bool(flag) for flag in flags],
        "height": 1.5 + x / 10,
    }


def small() -> list[dict[str, Any]]:
    """Viewpoints b, a and lone; gone is not included, though everything says one could walk there."""
    return [
        viewpoint("b", 0.0, [0, 1, 1, 0]),
        viewpoint("gone", 1.0, [1, 0, 1, 1], included=False),
        viewpoint("a", 2.0, [1, 0, 0, 0]),
        viewpoint("lone", 3.0, [0, 1, 0, 0]),
    ]


def save(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


HOUSE = """ASCII 1.1
H  -  -  4 4
R  0 0  0 0  k  0 0 0
R  3 0  0 0  h  0 0 0
P  b  0 0  0  0.01 0.02 1.47  0 0 0
P  gone  1 0  0  1 2 2.4  0
P  a  2 3  0  2.01 4.02 3.47  0 0
P  lone  3 -1  0  3.01 6.02 4.47
E  0 0 1618  0.007
"""


@pytest.mark.parametrize("name", ["s_connectivity.json", "s_connectivity.json.gz"])
def test_nodes_are_the_included_viewpoints_in_file_order(tmp_path: Path, name: str) -> None:
    content = read_connectivity(save(tmp_path / name, small()))
    graph = content.graph
    assert graph.nodes == ("b", "a", "lone")
    assert graph.edges.tolist() == [[0, 1]]
    assert graph.positions.tolist() == [[0, 0, 1.5], [2, 4, 3.5], [3, 6, 4.5]]
    assert content.heights is not None
    assert content.heights.tolist() == pytest.approx([1.5, 1.7, 1.8])
    assert graph.distance("a", "lone") == math.inf


def test_given_positions_replace_those_of_the_file(tmp_path: Path) -> None:
    path = save(tmp_path / "s.json", small())
    given_ = {"a": (1.0, 0.0, 0.0), "b": (4.0, 4.0, 0.0), "lone": (0.0, 0.0, 0.0), "more": (9.0, 9.0, 9.0)}
    assert load_graph(path, given_).distance("a", "b") == 5.0
    del given_["lone"]
    with pytest.raises(InputError, match=r"viewpoint lone has no given position \(1 of 3"):
        load_graph(path, given_)


def change(index: int, key: str, value: Any) -> list[dict[str, Any]]:
    views = small()
    views[index][key] = value
    return views


def without(key: str) -> list[dict[str, Any]]:
    views = small()
    del views[2][key]
    return views


BROKEN: dict[str, tuple[Any, str]] = {
    "short pose": (change(2, "pose", [0.0] * 15), "viewpoint a: .*pose"),
    "pose is text": (change(2, "pose", "far away"), "viewpoint a: .*pose"),
    "short row": (change(2, "unobstructed", [True]), "viewpoint a: unobstructed has 1 flags"),
    "numbers as flags": (change(2, "unobstructed", [0, 1, 0, 1]), "viewpoint a: .*unobstructed"),
    "listed twice": (change(2, "image_id", "b"), "viewpoint b is listed twice"),
    "name is a number": (change(2, "image_id", 7), "viewpoint 7: .*image_id"),
    "height is text": (change(2, "height", "tall"), "viewpoint a: .*height"),
    "no name": (without("image_id"), "viewpoint number 3: .*image_id"),
    "not said if included": (without("included"), "viewpoint a: .*included"),
    "one way": (change(2, "unobstructed", [False] * 4), "a is unobstructed from b, but not b from a"),
    "all left out": ([viewpoint("a", 0, [0], included=False)], "no viewpoint is included"),
    "no viewpoints": ([], "no viewpoint is included"),
    "not a record": ([17], "viewpoint number 1"),
    "not a list": ({"a": 1}, "Expected `array`"),
    "empty": (b"", "not valid JSON"),
    "not JSON": (b"not json", "not valid JSON"),
    "NaN": (b'[{"image_id": "a", "pose": [NaN]}]', "not valid JSON"),
    "infinite": (json.dumps(small()).encode().replace(b"4.0", b"1e999", 1), "viewpoint a: .*out of range"),
    "UTF-16": (json.dumps(small()).encode("utf-16"), "not valid JSON|UTF-8"),
    "nested": (b"[" * 100_000, "not valid JSON|nested"),
    "cut off": (gzip.compress(json.dumps(small()).encode())[:60], "cut off"),
}


@pytest.mark.parametrize(("content", "said"), BROKEN.values(), ids=BROKEN)
def test_bad_files_are_refused_with_file_and_viewpoint(tmp_path: Path, content: Any, said: str) -> None:
    path = save(tmp_path / "broken_connectivity.json", content)
    with pytest.raises(InputError, match=said) as caught:
        load_graph(path)
    assert str(path) in str(caught.value)


def test_flags_of_viewpoints_that_are_not_included_need_not_be_symmetric(tmp_path: Path) -> None:
    assert load_graph(save(tmp_path / "s.json", change(1, "unobstructed", [False] * 4))).nodes


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(place=st.floats(0, 1), junk=st.binary(max_size=3), cut=st.integers(0, 40))
def test_mutated_files_give_a_graph_or_an_error_for_users(
    tmp_path: Path, place: float, junk: bytes, cut: int
) -> None:
    text = json.dumps(small()).encode()
    at = int(place * len(text))
    path = save(tmp_path / "m.json", text[:at] + junk + text[at + cut :])
    try:
        graph = load_graph(path)
    except InputError as error:
        said = str(error)
    else:
        said = f"{path} is fine"
        assert np.isfinite(graph.positions).all()
    assert str(path) in said


def test_house_file(tmp_path: Path) -> None:
    for name in ("x.house", "x.house.gz"):
        house = read_house_file(save(tmp_path / name, HOUSE.encode()))
        assert house.positions["a"] == (2.01, 4.02, 3.47)
        assert house.regions == {"b": 0, "gone": 0, "a": 3, "lone": -1}
        assert house.labels == {0: "k", 3: "h"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("P  c  4 0  0  1 2", "line 10: cannot be read"),
        ("P  c  4 0  0  1 two 3", "line 10: cannot be read"),
        ("P  c  4 none  0  1 2 3", "line 10: cannot be read"),
        ("P  c  4 0  0  1 nan 3", "line 10: viewpoint c is at 1.0, nan, 3.0"),
        ("P  a  4 0  0  1 2 3", "line 10: viewpoint a is named twice"),
        ("R  1 0", "line 10: cannot be read"),
    ],
)
def test_bad_house_files(tmp_path: Path, line: str, said: str) -> None:
    path = save(tmp_path / "x.house", (HOUSE + line + "\n").encode())
    with pytest.raises(InputError, match=said) as caught:
        read_house_file(path)
    assert str(path) in str(caught.value)


def test_house_file_without_panoramas(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no panorama"):
        read_house_file(save(tmp_path / "x.house", b"ASCII 1.1\n\xff\xfe\n"))


OBJECTS = """ASCII 1.1
C  0  3 office#chair  3 chair  0 0 0 0 0
C  1  89 fridge  37 appliances  0 0 0 0 0
O  0 2 1  1 2 3  0 0 1
O  4 -1 0  1 2 3  0 0 1
O  1 0 -1  1 2 3  0 0 1
E  0 4 1000007  0.1
"""


def test_objects_of_a_house_file(tmp_path: Path) -> None:
    house = read_house_objects(save(tmp_path / "x.house.gz", OBJECTS.encode()))
    assert house.categories == {0: (3, "office chair", "chair"), 1: (89, "fridge", "appliances")}
    assert house.objects == {0: (2, 1), 4: (-1, 0), 1: (0, -1)}
    assert house.segments == {1000007: 4}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("O  5 0", "line 8: cannot be read"),
        ("O  five 0 0", "line 8: cannot be read"),
        ("O  4 0 0", "line 8: cannot be read .*4 is there twice"),
        ("C  0 5 table 5 table", "line 8: cannot be read .*0 is there twice"),
        ("O  2147483648 0 0", "line 8: cannot be read .*beyond all limits"),
        ("O  -1 0 0", "line 8: cannot be read .*beyond all limits"),
        ("C  2 5 table 5", "line 8: cannot be read"),
        ("E  1 4", "line 8: cannot be read"),
        ("O  5 0 2", "object 5 has category 2, which the file does not list"),
    ],
)
def test_bad_objects_of_house_files(tmp_path: Path, line: str, said: str) -> None:
    path = save(tmp_path / "x.house", (OBJECTS + line + "\n").encode())
    with pytest.raises(InputError, match=said) as caught:
        read_house_objects(path)
    assert str(path) in str(caught.value)


def test_house_file_without_objects(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no object in the file"):
        read_house_objects(save(tmp_path / "x.house", HOUSE.encode()))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    save(tmp_path / "connectivity" / "scanOne_connectivity.json", small())
    save(tmp_path / "connectivity" / "scanTwo_connectivity.json.gz", small())
    save(tmp_path / "mp3d_house" / "scanOne.house.gz", HOUSE.encode())
    return tmp_path


def test_scans_are_found_in_the_folder_or_in_connectivity(root: Path) -> None:
    assert MatterportScenes(root).scans() == ("scanOne", "scanTwo")
    assert MatterportScenes(root / "connectivity").scans() == ("scanOne", "scanTwo")


def test_scene_is_loaded_once(root: Path) -> None:
    scenes = MatterportScenes(root)
    scene = scenes.scene("scanTwo")
    assert scenes.scene("scanTwo") is scene
    assert scene.id == "scanTwo"
    assert scene.heights.tolist() == pytest.approx([1.5, 1.7, 1.8])
    assert scene.candidates("a") == candidates_of(scene.graph, "a")


def test_unknown_scan_suggests_the_nearest(root: Path) -> None:
    with pytest.raises(DataNotFoundError, match="did you mean 'scanOne'"):
        MatterportScenes(root).scene("scan0ne")
    with pytest.raises(DataNotFoundError):
        MatterportScenes(root).scene("../connectivity/scanOne")


def test_folder_without_graphs_says_where_it_looked(tmp_path: Path) -> None:
    with pytest.raises(DataNotFoundError, match=str(tmp_path / "connectivity")):
        MatterportScenes(tmp_path).scans()


def test_positions_of_the_house_file(root: Path) -> None:
    scenes = MatterportScenes(root, positions="house")
    assert scenes.scene("scanOne").graph.positions[1].tolist() == [2.01, 4.02, 3.47]
    with pytest.raises(DataNotFoundError, match=r"scanTwo: no \.house file; looked for .*scanTwo\.house"):
        scenes.scene("scanTwo")


def test_unknown_sources_are_refused(root: Path) -> None:
    with pytest.raises(InputError, match="positions='navmesh'"):
        MatterportScenes(root, positions="navmesh")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="objects='coco'"):
        MatterportScenes(root, objects="coco")  # type: ignore[arg-type]


def test_missing_layers_say_which_file_would_provide_them(root: Path) -> None:
    scene = MatterportScenes(root).scene("scanTwo")
    with pytest.raises(MissingLayerError, match=r"viewpoint_rooms\.json.*scanTwo\.house"):
        _ = scene.regions
    with pytest.raises(MissingLayerError, match=r"reverie_bbox.*scanTwo\.json"):
        _ = scene.objects
    with pytest.raises(MissingLayerError, match=r"objects_list\.json"):
        _ = MatterportScenes(root, objects="navgpt").scene("scanTwo").objects
    with pytest.raises(MissingLayerError, match="no layer 'mesh'"):
        scene.layer("mesh")
    assert [scene.has(name) for name in ("heights", "regions", "objects", "mesh")] == [
        True,
        False,
        False,
        False,
    ]


def test_missing_camera_heights_are_a_missing_layer(tmp_path: Path) -> None:
    save(tmp_path / "s_connectivity.json", without("height"))
    scene = MatterportScenes(tmp_path).scene("s")
    assert len(scene.graph.nodes) == 3
    with pytest.raises(MissingLayerError, match="height"):
        _ = scene.heights


def test_layers_are_made_when_first_asked_for_and_kept() -> None:
    calls: list[str] = []

    def load() -> Regions:
        calls.append("regions")
        return Regions({"a": 0}, {0: "k"})

    scene = Scene("house-7", NavGraph.build(["a"], [[0, 0, 0]], []), {"regions": load})
    assert calls == []
    assert scene.regions is scene.regions
    assert scene.regions.name("a") == "kitchen"
    assert calls == ["regions"]


def test_scenes_can_be_sent_to_other_processes(root: Path) -> None:
    scene = pickle.loads(pickle.dumps(MatterportScenes(root).scene("scanOne")))
    assert scene.regions.name("a") == "hallway"


def test_real_scans(data_root: Path) -> None:
    scenes = MatterportScenes(data_root)
    graphs = [scenes.scene(scan).graph for scan in scenes.scans()]
    assert len(graphs) == 90
    assert sum(len(graph.nodes) for graph in graphs) == 10_567
    assert sum(len(graph.edges) for graph in graphs) == 21_468
    assert sum(not np.isfinite(graph.distances).all() for graph in graphs) == 6


@pytest.mark.parametrize("scan", ["GdvgFV5R1Z5", "YmJkqBEsHnH"])
def test_house_positions_lie_close_to_connectivity_positions(data_root: Path, scan: str) -> None:
    ours = MatterportScenes(data_root).scene(scan).graph
    theirs = MatterportScenes(data_root, positions="house").scene(scan).graph
    assert ours.nodes == theirs.nodes
    gap = theirs.positions - ours.positions
    assert np.abs(gap[:, :2]).max() < 0.017
    assert np.abs(gap[:, 2] + 0.0335).max() < 0.001
