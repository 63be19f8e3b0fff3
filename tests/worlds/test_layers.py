"""Rooms and objects of scenes."""

from __future__ import annotations

import gzip
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.matterport.house_file import read_house_file
from vlnscope.worlds.matterport.house_objects import read_house_objects
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.objects import (
    box_headings,
    circular_means,
    navgpt_objects,
    read_navgpt_file,
    read_reverie_objects,
)
from vlnscope.worlds.rooms import ROOM_NAMES, Regions, read_rooms_file, rooms_of_house, rooms_of_scan


def save(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = json.dumps(content).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def rooms(tmp_path: Path, rows: dict[str, list[Any]]) -> Regions:
    path = save(tmp_path / "rooms.json.gz", {"fields": [], "label_names": {}, "scans": {"s": rows}})
    return rooms_of_scan(path, "s", read_rooms_file(path)["s"])


def test_rooms(tmp_path: Path) -> None:
    regions = rooms(tmp_path, {"a": [4, "e", "e", 1], "b": [4, "e", "e", 1], "c": [-1, "z", "z", 1]})
    assert [regions.region(v) for v in "abc"] == [4, 4, None]
    assert [regions.label(v) for v in "abc"] == ["e", "e", None]
    assert [regions.name(v) for v in "abc"] == ["entryway", "entryway", None]
    assert regions.viewpoints(4) == ("a", "b")
    assert regions.only(["b", "x"]).of == {"b": 4}
    with pytest.raises(InputError, match="'d'"):
        regions.label("d")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ({"a": [0, "k", "k", 1], "b": [0, "h", "h", 1]}, "viewpoint b: region 0 is labelled 'h'"),
        ({"a": [0, "?", "?", 1]}, "unknown label"),
        ({"a": [0, "k"]}, "scan s: "),
        ({"a": None}, "scan s: "),
    ],
)
def test_bad_rooms(tmp_path: Path, rows: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        rooms(tmp_path, rows)
    assert "rooms.json.gz" in str(caught.value)


def test_rooms_file_without_scans(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="scans"):
        read_rooms_file(save(tmp_path / "rooms.json", {"scan": {}}))


def test_rooms_of_a_house_file(tmp_path: Path) -> None:
    path = tmp_path / "s.house"
    path.write_text("R 2 0 0 0 S 0\nP a 0 2 0 1 2 3\nP b 1 -1 0 1 2 3\n")
    regions = rooms_of_house(path, read_house_file(path))
    assert (regions.name("a"), regions.name("b")) == ("spa", None)
    path.write_text("R 2 0 0 0 S 0\nP a 0 1 0 1 2 3\n")
    with pytest.raises(InputError, match="viewpoint a is in region 1, which has no label"):
        rooms_of_house(path, read_house_file(path))


def test_real_rooms(data_root: Path) -> None:
    scenes = MatterportScenes(data_root)
    everywhere = [scenes.scene(scan) for scan in scenes.scans()]
    assert sum(len(scene.regions.labels) for scene in everywhere) == 1_998
    assert all(tuple(scene.regions.of) == scene.graph.nodes for scene in everywhere)
    share = Counter(scene.regions.name(node) for scene in everywhere for node in scene.graph.nodes)
    assert share["hallway"] / 10_567 == pytest.approx(0.173, abs=5e-4)
    assert share["stairs"] / 10_567 == pytest.approx(0.055, abs=5e-4)


@pytest.mark.parametrize("scan", ["GdvgFV5R1Z5", "YmJkqBEsHnH"])
def test_rooms_file_and_house_file_agree(data_root: Path, scan: str) -> None:
    path = data_root / "mp3d_house" / f"{scan}.house.gz"
    regions = MatterportScenes(data_root).scene(scan).regions
    other = rooms_of_house(path, read_house_file(path))
    assert dict(regions.of) == dict(other.only(regions.of).of)
    assert {region: other.labels[region] for region in regions.labels} == dict(regions.labels)


@pytest.mark.parametrize("scan", ["GdvgFV5R1Z5", "YmJkqBEsHnH"])
def test_objects_of_real_house_files_are_those_of_another_reader(data_root: Path, scan: str) -> None:
    house = read_house_objects(data_root / "mp3d_house" / f"{scan}.house.gz")
    other = json.loads(gzip.decompress((data_root / "mp3d_house" / f"{scan}.house.json.gz").read_bytes()))
    objects, categories = other["objects"], other["categories"]
    assert [house.objects[int(index)].category for index in objects["object_index"]] == [
        int(index) for index in objects["category_index"]
    ]
    assert len(house.objects) == len(objects["object_index"])
    assert [thing.name for thing in house.categories.values()] == categories["mpcat40_name"]
    assert set(house.segments.values()) <= house.objects.keys()


def test_label_letters_are_those_of_the_real_file(data_root: Path) -> None:
    content = json.loads(gzip.decompress((data_root / "mp3d_rooms" / "viewpoint_rooms.json.gz").read_bytes()))
    assert set(content["label_names"]) == set(ROOM_NAMES)


def boxes(name: str, *seen: tuple[int, list[int]]) -> dict[str, Any]:
    return {"name": name, "visible_pos": [view for view, _ in seen], "bbox2d": [box for _, box in seen]}


CENTRED = [300, 0, 40, 40]


def test_reverie_objects(tmp_path: Path) -> None:
    content = {
        "v": {
            "7": boxes("bath#cabinet#door", (0, CENTRED), (1, CENTRED)),
            "3": boxes("hidden"),
            "5": boxes("lamp", (11, CENTRED), (25, CENTRED)),
        },
        "w": {},
    }
    objects = read_reverie_objects(save(tmp_path / "s.json.gz", content))
    cabinet, lamp = objects.at("v")
    assert (cabinet.name, cabinet.object_id, cabinet.distance) == ("bath cabinet door", "7", None)
    assert cabinet.heading == pytest.approx(math.radians(15))
    assert lamp.heading == pytest.approx(0.0, abs=1e-9) or lamp.heading == pytest.approx(math.tau)
    assert 0 <= lamp.heading < math.tau
    assert objects.at("w") == ()
    with pytest.raises(InputError, match="reverie objects do not cover viewpoint 'x'"):
        objects.at("x")


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"name": "x", "visible_pos": [0], "bbox2d": []}, "object 1: 1 views, 0 boxes"),
        ({"name": "x", "visible_pos": [36], "bbox2d": [CENTRED]}, "viewpoint v: "),
        ({"name": "x", "visible_pos": [0], "bbox2d": [[1, 2, 3]]}, "viewpoint v: "),
        ({"visible_pos": [0], "bbox2d": [CENTRED]}, "viewpoint v: .*name"),
        ("x", "viewpoint v: "),
    ],
)
def test_bad_reverie_objects(tmp_path: Path, record: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_reverie_objects(save(tmp_path / "s.json", {"v": {"1": record}}))


@settings(deadline=None)
@given(st.lists(st.floats(-20, 20), min_size=1, max_size=5), st.floats(-7, 7))
def test_circular_mean_turns_with_its_angles(angles: list[float], turn: float) -> None:
    groups = np.zeros(len(angles), dtype=np.int64)
    length = abs(sum(complex(math.cos(a), math.sin(a)) for a in angles))
    (mean,) = circular_means(np.array(angles), groups, 1)
    (turned,) = circular_means(np.array(angles) + turn, groups, 1)
    assert 0 <= mean < math.tau
    if length > 1e-6:
        assert math.cos(turned - mean - turn) == pytest.approx(1, abs=1e-6)


def test_box_headings_and_means_of_the_official_code(shared: Path) -> None:
    fixture = json.loads((shared / "fixtures" / "vln_behave.json").read_text())
    for item in fixture["object_headings"]:
        views = np.array(item["visible_pos"], dtype=np.int64)
        headings = box_headings(views, np.array(item["bbox2d"], dtype=np.float64))
        assert headings.tolist() == pytest.approx(item["headings"], abs=1e-9)
        (mean,) = circular_means(headings, np.zeros(len(views), dtype=np.int64), 1)
        assert mean == pytest.approx(item["avg_heading"], abs=1e-9)
    for angles, expected in fixture["average_angles"]:
        (mean,) = circular_means(np.array(angles), np.zeros(len(angles), dtype=np.int64), 1)
        assert mean == pytest.approx(expected, abs=1e-9)


def navgpt(tmp_path: Path, sectors: Any) -> Any:
    path = save(tmp_path / "objects_list.json", {"s": {"v": sectors}})
    return navgpt_objects(path, "s", read_navgpt_file(path)["s"])


def test_navgpt_objects(tmp_path: Path) -> None:
    sectors: list[dict[str, Any]] = [{} for _ in range(8)]
    sectors[0] = {"trash can ": {"heading": -1.5, "distance": 1.25}}
    sectors[4] = {
        "sofa chair _12": {"heading": 180, "distance": 0.5},
        "lamp_1": {"heading": 190.0, "distance": 2},
    }
    bin_, chair, lamp = navgpt(tmp_path, sectors).at("v")
    assert (bin_.name, bin_.distance) == ("trash can", 1.25)
    assert bin_.heading == pytest.approx(math.radians(358.5))
    assert (chair.name, chair.heading) == ("sofa chair", pytest.approx(math.pi))
    assert lamp.name == "lamp"


@pytest.mark.parametrize(
    "sectors",
    [[{}] * 7, [{"x": {"heading": 0}}] + [{}] * 7, [{"x": {"heading": 0, "distance": -1}}] + [{}] * 7, 3],
)
def test_bad_navgpt_objects(tmp_path: Path, sectors: Any) -> None:
    with pytest.raises(InputError, match="scan s, viewpoint v"):
        navgpt(tmp_path, sectors)


def test_real_objects_of_both_sources(data_root: Path) -> None:
    scenes = {
        "reverie": MatterportScenes(data_root, objects="reverie"),
        "navgpt": MatterportScenes(data_root, objects="navgpt"),
    }
    seen = {
        source: {node: it for scan in of.scans() for node, it in of.scene(scan).objects.seen.items()}
        for source, of in scenes.items()
    }
    assert {source: len(nodes) for source, nodes in seen.items()} == {"reverie": 10_567, "navgpt": 10_567}
    # 38,293 pairs, of which 10,233 have no box
    assert sum(map(len, seen["reverie"].values())) == 38_293 - 10_233
    assert sum(map(len, seen["navgpt"].values())) == 76_244
    gaps = []
    for node, objects in seen["reverie"].items():
        times = Counter(it.name for it in objects)
        for it in objects:
            near = [o.heading for o in seen["navgpt"][node] if o.name == it.name]
            if times[it.name] == 1 and near:
                gaps.append(min(abs((h - it.heading + math.pi) % math.tau - math.pi) for h in near))
    assert len(gaps) > 15_000
    # both look from the same place with the same north: half a sector of 45 degrees, with few exceptions
    assert np.quantile(np.degrees(gaps), 0.98) < 22.5
