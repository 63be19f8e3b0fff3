"""Perception without torch: feature files and what else agents may ask to see."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from feature_files import Rows, tsv
from made_up import seen_at
from vlnscope.core.exceptions import DataNotFoundError, InputError, MissingLayerError
from vlnscope.engine.environment import Environment
from vlnscope.perception.features.files import KEPT, features_of, open_features
from vlnscope.perception.sight import sight
from vlnscope.perception.sights.rooms import RoomSight
from vlnscope.types import Episode
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.objects import Objects
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene

HEAD = "scanId\tviewpointId\timage_w\timage_h\tvfov\tfeatures\n"


def made(width: int, count: int = 3) -> Rows:
    chance = np.random.default_rng(width)
    return {("scan_a", f"v{i}"): chance.random((36, width)).astype(np.float32) for i in range(count)}


def hdf5(path: Path, rows: Rows) -> Path:
    h5py = pytest.importorskip("h5py", reason="needs h5py (pip install 'vlnscope[features]')")
    with h5py.File(path, "w") as file:
        for (scan, view), array in rows.items():
            file.create_dataset(f"{scan}_{view}", data=array)
    return path


def written(kind: str, folder: Path, rows: Rows) -> Path:
    return tsv(folder / "f.tsv", rows) if kind == "tsv" else hdf5(folder / f"f.{kind}", rows)


@pytest.mark.parametrize("kind", ["tsv", "hdf5", "h5"])
def test_features_are_read_as_written(kind: str, tmp_path: Path) -> None:
    rows = made(48)
    features = open_features(written(kind, tmp_path, rows))
    assert features.width == 48
    for key in reversed(rows):
        assert np.array_equal(features.at(*key), rows[key])
        assert features.at(*key).dtype == np.float32
        assert features.logits(*key).shape == (36, 0)
        with pytest.raises(ValueError, match="read-only"):
            features.at(*key)[0, 0] = 1


@pytest.mark.parametrize("kind", ["tsv", "hdf5"])
def test_class_scores_are_kept_apart(kind: str, tmp_path: Path) -> None:
    rows = made(1768)
    file = written(kind, tmp_path, rows)
    features = open_features(file)
    key = ("scan_a", "v1")
    assert features.width == 768
    assert np.array_equal(features.at(*key), rows[key][:, :768])
    assert np.array_equal(features.logits(*key), rows[key][:, 768:])
    assert open_features(file, 100).at(*key).shape == (36, 100)
    with pytest.raises(InputError, match="fewer than the width 2000"):
        open_features(file, 2000).at(*key)


def test_a_header_line_is_no_viewpoint(tmp_path: Path) -> None:
    rows = made(4)
    features = open_features(tsv(tmp_path / "f.tsv", rows, HEAD))
    assert np.array_equal(features.at("scan_a", "v0"), rows["scan_a", "v0"])


@pytest.mark.parametrize("kind", ["tsv", "hdf5"])
def test_what_is_missing_or_odd_is_named(kind: str, tmp_path: Path) -> None:
    rows = made(8)
    rows["scan_a", "wide"] = np.zeros((36, 9), np.float32)
    if kind == "hdf5":
        rows["scan_a", "x-few"] = np.zeros((35, 8), np.float32)
    features = open_features(written(kind, tmp_path, rows))
    with pytest.raises(InputError, match="no features of viewpoint v9 of scan scan_a"):
        features.at("scan_a", "v9")
    features.at("scan_a", "v0")
    with pytest.raises(InputError, match="viewpoint wide of scan scan_a are 9 wide, those of others 8"):
        features.at("scan_a", "wide")
    if kind == "hdf5":
        with pytest.raises(InputError, match=r"shape \(35, 8\)"):
            features.at("scan_a", "x-few")


def test_damaged_files_are_named(tmp_path: Path) -> None:
    file = tmp_path / "f.tsv"
    file.write_text("scan_a\tv0\t640\t480\t60\t!!!!\nscan_a\tv1\t640\t480\t60\tAAAA\n")
    for view in ("v0", "v1"):
        with pytest.raises(InputError, match=f"viewpoint {view} of scan scan_a are damaged"):
            open_features(file).at("scan_a", view)
    file.write_text("one column\n")
    with pytest.raises(InputError, match="line 1: has 1 columns"):
        open_features(file).at("scan_a", "v0")
    file.write_bytes(gzip.compress(b"scan_a\tv0\tx"))
    with pytest.raises(InputError, match="gunzip") as caught:
        open_features(file).at("scan_a", "v0")
    assert "compressed" in caught.value.what
    file.write_text("")
    with pytest.raises(InputError, match="no features of viewpoint"):
        open_features(file).at("scan_a", "v0")
    with pytest.raises(InputError, match="holds no features"):
        _ = open_features(file).width
    file.write_bytes(b"scan_\xff\tv0\tx\n")
    with pytest.raises(InputError, match="no features of viewpoint"):
        open_features(file).at("scan_a", "v0")
    other = tmp_path / "f.hdf5"
    other.write_bytes(b"nothing of the kind")
    h5py = pytest.importorskip("h5py")
    with pytest.raises(InputError, match="cannot be read as HDF5"):
        open_features(other).at("scan_a", "v0")
    with h5py.File(other, "w") as made:
        made.create_group("scan_a_v0")
        made["scan_a_v1"] = ["no", "numbers"]
    for view in ("v0", "v1"):
        with pytest.raises(InputError, match=f"scan_a_{view}: cannot be read as numbers"):
            open_features(other).at("scan_a", view)


def test_no_more_than_the_last_viewpoints_are_kept(tmp_path: Path) -> None:
    rows = made(1, KEPT + 20)
    features = open_features(tsv(tmp_path / "f.tsv", rows))
    for key in rows:
        assert np.array_equal(features.at(*key), rows[key])
    assert len(features._kept) == KEPT
    (tmp_path / "f.tsv").unlink()
    assert np.array_equal(features.at("scan_a", "v100"), rows["scan_a", "v100"])  # not read again


def test_features_by_need(tmp_path: Path) -> None:
    rows = made(20)
    (tmp_path / "features").mkdir()
    file = tsv(tmp_path / "features" / "clip.tsv", rows)
    key = ("scan_a", "v2")
    for need in ("features:clip", "features:clip@7", f"features:other={file}", f"features:other@7={file}"):
        width = 7 if "@" in need else 20
        assert np.array_equal(features_of(need, tmp_path).at(*key), rows[key][:, :width])
    assert features_of("features:clip", tmp_path) is features_of("features:clip", tmp_path)
    with pytest.raises(MissingLayerError, match="no feature file 'vit'"):
        features_of("features:vit", tmp_path)
    with pytest.raises(MissingLayerError, match="no data folder"):
        features_of("features:clip", None)
    for need in ("features:", "features:=x.tsv", "features:a@b=x.tsv"):
        with pytest.raises(InputError, match="cannot be understood"):
            features_of(need, tmp_path)
    with pytest.raises(DataNotFoundError, match="no such file"):
        features_of("features:x=nowhere.tsv", None)
    (tmp_path / "f.npy").write_text("")
    with pytest.raises(InputError, match="no kind of feature file"):
        features_of(f"features:x={tmp_path}/f.npy", None)


def test_what_scenes_show_real_ones_too(data_root: Path) -> None:
    scene = MatterportScenes(data_root).scene("2azQ1b91cZZ")
    viewpoint = scene.graph.nodes[3]
    assert sight("objects", scene, viewpoint) == scene.objects.at(viewpoint)
    rooms = sight("rooms", scene, viewpoint)
    assert rooms.here == scene.regions.label(viewpoint)
    assert len(rooms.ahead) == len(scene.candidates(viewpoint))
    with pytest.raises(MissingLayerError, match="views"):
        sight("views", scene, viewpoint)


def test_rooms_objects_and_views_of_a_scene() -> None:
    graph = NavGraph.build(["a", "b", "c"], [[0, 0, 0], [0, 3, 0], [3, 0, 0]], [("a", "b"), ("a", "c")])
    drawn: list[str] = []

    class Pictures:
        def at(self, viewpoint: str) -> str:
            drawn.append(viewpoint)
            return f"picture of {viewpoint}"

    scene = Scene(
        "s",
        graph,
        {
            "regions": lambda: Regions({"a": 0, "b": 1, "c": None}, {0: "k", 1: "h"}),
            "objects": lambda: Objects("made up", {"a": ()}),
            "views": Pictures,
        },
    )
    rooms = sight("rooms", scene, "a")
    assert isinstance(rooms, RoomSight)
    assert (rooms.here, [room.label for room in rooms.ahead]) == ("k", ["h"])
    assert sight("rooms", scene, "c").here is None
    assert sight("objects", scene, "a") == ()
    assert [sight("views", scene, name) for name in "aab"] == ["picture of a", "picture of a", "picture of b"]
    assert drawn == ["a", "b"]
    with pytest.raises(MissingLayerError, match="no data folder"):
        sight("captions", scene, "a")


def test_an_agent_sees_the_features_it_needs(tmp_path: Path) -> None:
    graph = NavGraph.build(["v0", "v1"], [[0, 0, 0], [0, 3, 0]], [("v0", "v1")])
    rows = made(6)
    need = f"features:mine={tsv(tmp_path / 'f.tsv', rows)}"

    class Scenes:
        def scans(self) -> tuple[str, ...]:
            return ("scan_a",)

        def scene(self, scan: str) -> Scene:
            return Scene(scan, graph)

    episode = Episode(episode_id="1", path_id="1", scan="scan_a", instruction="", path=("v0", "v1"))
    seen = seen_at(Environment(Scenes(), (need,)), episode, "v1").seen
    assert np.array_equal(seen[need], rows["scan_a", "v1"])


def test_a_narrow_first_viewpoint_does_not_cut_the_others(tmp_path: Path) -> None:
    rows = {("scan_a", "a"): np.zeros((36, 4), np.float32), ("scan_a", "b"): np.zeros((36, 6), np.float32)}
    features = open_features(written("hdf5", tmp_path, rows))
    assert features.width == 4
    with pytest.raises(InputError, match="viewpoint b of scan scan_a are 6 wide, those of others 4"):
        features.at("scan_a", "b")
