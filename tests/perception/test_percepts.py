"""What agents are shown of a scene: rooms, objects and captions of each viewpoint."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vlnscope.core.exceptions import InputError, MissingLayerError
from vlnscope.perception.sights.captions import CaptionFile, Captions
from vlnscope.perception.sights.percept import scene_percepts
from vlnscope.types import Percept, SeenObject
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.objects import Objects
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene

SOFA = SeenObject("sofa", 1.0, 2.0)


def small_scene(**layers: object) -> Scene:
    graph = NavGraph.build(["a", "b", "c"], [[0, 0, 1.5], [0, 3, 1.5], [3, 0, 1.5]], [("a", "b"), ("a", "c")])
    return Scene("small", graph, {name: lambda layer=layer: layer for name, layer in layers.items()})


def test_a_scene_without_layers_shows_nothing() -> None:
    seen = scene_percepts(small_scene())["a"]
    assert isinstance(seen, Percept)
    assert seen.room() is None
    assert (seen.rooms(), seen.objects(), seen.captions()) == ((), (), ())


def test_rooms_of_the_neighbours_are_where_the_neighbours_are() -> None:
    regions = Regions({"a": 0, "b": 1, "c": None}, {0: "k", 1: "h"})
    seen = scene_percepts(small_scene(regions=regions))
    assert seen["a"].room() == "k"
    assert [(room.label, room.heading, room.distance) for room in seen["a"].rooms()] == [("h", 0.0, 3.0)]
    assert seen["c"].room() is None
    assert [room.label for room in seen["c"].rooms()] == ["k"]


def test_only_the_senses_asked_for_show_anything() -> None:
    scene = small_scene(
        regions=Regions({"a": 0, "b": 0, "c": 0}, {0: "k"}), objects=Objects("test", {"a": (SOFA,)})
    )
    captions = Captions({"a": ("a sofa",) * 8})
    blind = scene_percepts(scene, captions, senses=("objects",))["a"]
    assert (blind.room(), blind.rooms(), blind.captions()) == (None, (), ())
    assert blind.objects() == (SOFA,)
    seeing = scene_percepts(scene, captions)["a"]
    assert seeing.captions() == ("a sofa",) * 8
    assert scene_percepts(scene)["b"].objects() == (), "a viewpoint that the objects do not cover"


def test_percepts_are_a_mapping_over_the_viewpoints() -> None:
    percepts = scene_percepts(small_scene())
    assert list(percepts) == ["a", "b", "c"]
    assert percepts["a"] is percepts["a"]
    with pytest.raises(KeyError):
        percepts["z"]


def write_captions(root: Path, content: object) -> None:
    (root / "navgpt_text").mkdir()
    (root / "navgpt_text" / "observations_list_raw_captions.json").write_text(json.dumps(content))


def test_caption_files_are_read_scan_by_scan(tmp_path: Path) -> None:
    eight = ["down: a rug\nmiddle: a sofa\ntop: a lamp"] * 8
    write_captions(tmp_path, {"s1": {"v": eight}, "s2": {"w": ["only one"]}})
    captions = CaptionFile(tmp_path)
    assert captions.scan("s1").at("v") == ("a rug\na sofa\na lamp",) * 8
    assert captions.scan("s1").at("elsewhere") == ()
    assert captions.scan("s1") is captions.scan("s1")
    with pytest.raises(InputError, match="s2"):
        captions.scan("s2")
    with pytest.raises(MissingLayerError, match="s3"):
        captions.scan("s3")


def test_missing_and_unknown_captions_say_so(tmp_path: Path) -> None:
    with pytest.raises(MissingLayerError, match="observations_list_summarized"):
        CaptionFile(tmp_path, "summarized").scan("s1")
    with pytest.raises(InputError, match="poems"):
        CaptionFile(tmp_path, "poems")  # type: ignore[arg-type]


def test_real_captions_cover_every_viewpoint(data_root: Path) -> None:
    scenes = MatterportScenes(data_root, objects="navgpt")
    for kind in ("raw", "summarized"):
        files = CaptionFile(data_root, kind)
        for scan in scenes.scans()[:3]:
            percepts = scene_percepts(scenes.scene(scan), files.scan(scan))
            for percept in percepts.values():
                assert len(percept.captions()) == 8
                assert not any("middle:" in text for text in percept.captions())
                assert percept.room() is not None
