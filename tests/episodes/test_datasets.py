"""Data sets by name, by file, and what is said when there is none."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from vlnscope.core import registry
from vlnscope.core.data_root import data_root
from vlnscope.core.exceptions import DataNotFoundError, InputError, UnknownNameError
from vlnscope.episodes.datasets.dataset import (
    Dataset,
    DatasetSpec,
    describe_root,
    open_dataset,
    register_dataset,
)
from vlnscope.episodes.datasets.files import FileDataset
from vlnscope.types import Episode

RECORD = {
    "path_id": 12,
    "scan": "houseA",
    "path": ["a", "b"],
    "heading": 0.5,
    "distance": 2.0,
    "instructions": ["Go. ", "Walk. "],
}
GRAPH = [
    {
        "image_id": name,
        "pose": [1, 0, 0, 2.0 * place, 0, 1, 0, 0, 0, 0, 1, 1.5, 0, 0, 0, 1],
        "included": True,
        "visible": [place == 1, place == 0],
        "unobstructed": [place == 1, place == 0],
        "height": 1.5,
    }
    for place, name in enumerate("ab")
]
GUIDE = {
    "instruction_id": 26,
    "path_id": 11,
    "scan": "houseA",
    "path": ["a", "b"],
    "heading": 3.1,
    "instruction": "Okay",
    "language": "en-US",
}
FOLLOWER = {"demonstration_id": 7, "instruction_id": 26, "path": ["a"], "metrics": {"ne": 2.0}}
CE = {
    "episode_id": 1,
    "trajectory_id": 15,
    "scene_id": "mp3d/houseA/houseA.glb",
    "start_position": [1, 2, 3],
    "start_rotation": [0, 0, 0, 1],
    "goals": [{"position": [1, 2, 4], "radius": 3.0}],
    "instruction": {"instruction_text": "Go. "},
}
ERRORS = {"episode_contains_error": False, "error_type": 0, "token_swapped": []}
TRUTH = {"locations": [[1, 2, 3], [1, 2, 4]], "actions": [1, 0], "forward_steps": 1}

HOUSES = ("houses", "houses-rxr", "houses-terse", "houses-ce", "houses-ce-rxr", "houses-ce-terse")
BUILT_IN = ("sample", *HOUSES)


def put(root: Path, name: str, content: Any) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = name.endswith(".jsonl")
    path.write_text("".join(json.dumps(c) + "\n" for c in content) if lines else json.dumps(content))
    return path


@pytest.fixture(autouse=True)
def _no_root_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VLNSCOPE_DATA", raising=False)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A data folder with one small split of everything."""
    folder = tmp_path / "data"
    put(folder, "connectivity/houseA_connectivity.json", GRAPH)
    put(folder, "r2r/R2R_val_unseen.json", [RECORD])
    put(folder, "r2r/R2R_test.json", [RECORD | {"path": ["a"]}])
    put(folder, "r4r/R4R_val_seen.json", [RECORD | {"shortest_path": ["a", "b"]}])
    put(folder, "rxr/rxr_val_seen_guide.jsonl", [GUIDE])
    put(folder, "rxr/rxr_val_seen_follower.jsonl", [FOLLOWER])
    chunks = {"new_instructions": "[[['go']], [['walk']]]", "chunk_view": [[[1, 2]], [[1, 2]]]}
    put(folder, "fgr2r/FGR2R_val_seen.json", [RECORD | chunks])
    put(folder, "reverie/REVERIE_val_seen.json", [RECORD | {"objId": 3, "id": "12_3"}])
    put(folder, "navnuances/R2R_RR.json", [RECORD | {"path_id": "rr-1", "path": ["a"], "valid_ends": ["b"]}])
    put(folder, "r2r_ce/R2R_VLNCE_v1-3_preprocessed/val_seen/val_seen.json", {"episodes": [CE]})
    put(folder, "r2r_ce/R2R_VLNCE_v1-3_preprocessed/val_seen/val_seen_gt.json", {"1": TRUTH})
    put(
        folder, "rxr_ce/RxR_VLNCE_v0/val_seen/val_seen_guide.json", {"episodes": [CE, CE | {"episode_id": 2}]}
    )
    put(folder, "rxr_ce/RxR_VLNCE_v0/val_seen/val_seen_guide_gt.json", {"1": TRUTH})
    put(folder, "rxr_ce/RxR_VLNCE_v0/val_seen/val_seen_follower_gt.json", {"2": TRUTH})
    wrong = "r2rie_ce/R2RIE_CE_1_3_v1/val_error/val_error"
    put(folder, f"{wrong}_bertidx.json", {"episodes": [CE | {"error_information": ERRORS}]})
    put(folder, f"{wrong}_gt.json", {"1": TRUTH})
    return folder


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("r2r/val_unseen", ["12_0", "12_1"]),
        ("r4r/val_seen", ["12_0", "12_1"]),
        ("rxr/val_seen", ["26"]),
        ("rxr-follower/val_seen", ["26"]),
        ("fgr2r/val_seen", ["12_0", "12_1"]),
        ("reverie/val_seen", ["12_3_0", "12_3_1"]),
        ("navnuances/RR", ["rr-1_0", "rr-1_1"]),
        ("r2r-ce/val_seen", ["1"]),
        ("rxr-ce/val_seen", ["1", "2"]),
        ("r2rie-ce/val_error", ["1"]),
    ],
)
def test_each_data_set_opens_by_name(name: str, ids: list[str], root: Path) -> None:
    dataset = open_dataset(name, root)
    assert [e.episode_id for e in dataset.episodes()] == ids
    assert [e.episode_id for e in dataset.episodes()] == ids  # a second time as well
    assert (dataset.name, dataset.split) == (name, name.partition("/")[2])
    assert not dataset.is_test
    assert dataset.path == dataset.files[0]


def test_the_scenes_come_with_a_discrete_data_set(root: Path) -> None:
    dataset = open_dataset("r2r/val_unseen", root)
    scenes = dataset.scenes
    assert scenes is not None
    assert scenes.scene("houseA").graph.distance("a", "b") == 2.0
    assert not dataset.continuous
    positions_only = open_dataset("r2r-ce/val_seen", root)
    assert positions_only.continuous
    assert positions_only.scenes is None


def test_dense_paths_are_attached_from_all_files(root: Path) -> None:
    for name in ("r2r-ce/val_seen", "rxr-ce/val_seen", "r2rie-ce/val_error"):
        for episode in open_dataset(name, root).episodes():
            assert episode.continuous is not None
            assert len(episode.continuous.locations) == 2
            assert episode.continuous.forward_steps == 1


def test_followers_know_what_they_followed(root: Path) -> None:
    (episode,) = open_dataset("rxr-follower/val_seen", root).episodes()
    assert (episode.instruction, episode.path, episode.extra["demonstration_id"]) == ("Okay", ("a",), 7)
    (root / "rxr/rxr_val_seen_guide.jsonl").unlink()
    with pytest.raises(DataNotFoundError, match="guide file") as caught:
        list(open_dataset("rxr-follower/val_seen", root).episodes())
    assert "rxr_val_seen_guide.jsonl" in caught.value.expected


def test_a_split_with_secret_references_is_known(root: Path) -> None:
    assert open_dataset("r2r/test", root).is_test
    hidden = {key: value for key, value in CE.items() if key != "goals"}
    put(root, "r2r_ce/R2R_VLNCE_v1-3_preprocessed/test/test.json", {"episodes": [hidden]})
    assert open_dataset("r2r-ce/test", root).is_test


def test_the_digest_is_that_of_the_files(root: Path) -> None:
    dataset = open_dataset("r2r/val_unseen", root)
    before = dataset.digest()
    assert dataset.path is not None
    assert before == hashlib.sha256(dataset.path.read_bytes()).hexdigest()
    put(root, "r2r/R2R_val_unseen.json", [RECORD | {"heading": 0.6}])
    assert dataset.digest() != before
    joined = open_dataset("r2r-ce/val_seen", root)
    before = joined.digest()
    joined.files[1].write_text("{}")
    assert joined.digest() != before


@pytest.mark.parametrize(
    "place", ["R2R_val_unseen.json", "R2R/R2R_val_unseen.json", "tasks/R2R/data/R2R_val_unseen.json"]
)
def test_the_layouts_of_the_original_downloads_are_found(place: str, tmp_path: Path) -> None:
    path = put(tmp_path, place, [RECORD])
    assert open_dataset("r2r/val_unseen", tmp_path).path == path
    (found,) = [d for d in describe_root(tmp_path) if d.name == "r2r"]
    assert found.splits == {"val_unseen": path}


def test_the_root_may_come_from_the_environment(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert data_root() is None
    monkeypatch.setenv("VLNSCOPE_DATA", str(root))
    assert data_root() == root
    assert open_dataset("r2r/val_unseen").path == root / "r2r/R2R_val_unseen.json"
    monkeypatch.setenv("VLNSCOPE_DATA", str(root / "nowhere"))
    with pytest.raises(DataNotFoundError, match=r"nowhere .*VLNSCOPE_DATA"):
        open_dataset("r2r/val_unseen")
    assert open_dataset("r2r/val_unseen", root)


def test_without_a_root_it_is_said_how_to_give_one() -> None:
    with pytest.raises(DataNotFoundError, match="no data folder") as caught:
        open_dataset("r2r/val_unseen")
    assert "--root" in caught.value.fix
    assert "VLNSCOPE_DATA" in caught.value.fix


def test_an_unknown_data_set_gets_suggestions(root: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'rxr'"):
        open_dataset("RXR/val_seen", root)


def test_an_unknown_split_gets_suggestions_and_a_list(root: Path) -> None:
    with pytest.raises(DataNotFoundError, match="did you mean 'val_unseen'") as caught:
        open_dataset("r2r/val_unsen", root)
    assert "test, val_unseen" in caught.value.expected
    with pytest.raises(InputError, match="which split") as missing:
        open_dataset("r2r", root)
    assert "test, val_unseen" in missing.value.expected


def test_a_data_set_that_is_not_there_says_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(DataNotFoundError) as caught:
        open_dataset("reverie/val_seen", tmp_path)
    assert str(tmp_path / "reverie/REVERIE_val_seen.json") in caught.value.expected


def test_a_file_opens_by_its_path(root: Path) -> None:
    path = root / "r2r/R2R_val_unseen.json"
    for name in (path, str(path)):
        dataset = open_dataset(name, root)
        assert (dataset.format, dataset.path, dataset.split) == ("r2r-episodes", path, "")
        assert len(list(dataset.episodes())) == 2
        assert dataset.scenes is not None
    with pytest.raises(DataNotFoundError, match="navigation graphs"):
        _ = open_dataset(path).scenes
    with pytest.raises(DataNotFoundError, match="no such file"):
        open_dataset("nowhere/R2R_val_unseen.json", root)


def test_a_continuous_file_takes_the_dense_paths_beside_it(root: Path) -> None:
    dataset = open_dataset(root / "r2rie_ce/R2RIE_CE_1_3_v1/val_error/val_error_bertidx.json")
    (episode,) = dataset.episodes()
    assert episode.continuous is not None
    assert episode.continuous.locations
    assert dataset.continuous
    assert dataset.scenes is None
    assert len(dataset.files) == 2


def test_a_file_of_predictions_is_no_data_set(tmp_path: Path) -> None:
    path = put(tmp_path, "run.json", [{"instr_id": "12_0", "trajectory": [["a", 0.0, 0.0]]}])
    with pytest.raises(InputError, match="predictions"):
        open_dataset(path)


def test_a_root_is_described(root: Path) -> None:
    described = {d.name: set(d.splits) for d in describe_root(root) if d.name not in BUILT_IN}
    assert described == {
        "r2r": {"test", "val_unseen"},
        "r4r": {"val_seen"},
        "rxr": {"val_seen"},
        "rxr-follower": {"val_seen"},
        "fgr2r": {"val_seen"},
        "reverie": {"val_seen"},
        "navnuances": {"RR"},
        "r2r-ce": {"val_seen"},
        "rxr-ce": {"val_seen"},
        "r2rie-ce": {"val_error"},
    }
    for summary in describe_root(root):
        assert summary.title
        for path in summary.splits.values() if summary.name in described else ():
            assert path is not None
            assert path.is_file()


def test_a_skill_of_navnuances_is_no_split_of_r2r(tmp_path: Path) -> None:
    put(tmp_path, "R2R_DC.json", [RECORD])
    assert [d.name for d in describe_root(tmp_path) if d.name not in BUILT_IN] == []


def test_files_that_come_with_the_package_need_no_root(root: Path) -> None:
    packaged = FileDataset(
        name="kept",
        title="",
        format="r2r-episodes",
        folders=("r2r",),
        pattern="R2R_{split}.json",
        home=str(root),
    )
    assert set(packaged.splits(None)) == {"test", "val_unseen"}
    dataset = packaged.open("val_unseen", None)
    assert len(list(dataset.episodes())) == 2
    assert dataset.scenes is not None
    assert dataset.scenes.scene("houseA").id == "houseA"


def test_data_sets_that_need_no_root_can_be_added() -> None:
    def load(on_problem: Any) -> Iterator[Episode]:
        yield Episode(episode_id="1", path_id="1", scan="s", instruction="Go.", path=("a", "b"))

    def open_split(split: str, root: Path | None) -> Dataset:
        return Dataset(name="made/one", split=split, format="", files=(), load=load, load_scenes=None)

    spec = DatasetSpec(
        name="made", title="made on the spot", splits=lambda root: {"one": None}, open=open_split
    )
    register_dataset(spec)
    try:
        dataset = open_dataset("made/one")
        assert [e.episode_id for e in dataset.episodes()] == ["1"]
        assert dataset.path is None
        assert "made" in [d.name for d in describe_root()]
    finally:
        registry._kinds["dataset"].entries.pop("made")


# ---------------------------------------------------------------- real data


def test_the_real_data_folder_is_described(data_root: Path) -> None:
    described = {d.name: list(d.splits) for d in describe_root(data_root) if d.name not in BUILT_IN}
    assert described == {
        "r2r": ["test", "train", "val_seen", "val_unseen"],
        "fgr2r": ["val_seen", "val_unseen"],
        "reverie": ["val_seen", "val_unseen"],
        "r2r-ce": ["test", "train", "val_seen", "val_unseen"],
    }


@pytest.mark.parametrize(
    ("name", "count", "is_test"),
    [
        ("r2r/val_unseen", 2349, False),
        ("r2r/test", 4173, True),
        ("fgr2r/val_seen", 1021, False),
        ("reverie/val_unseen", 3521, False),
        ("r2r-ce/val_seen", 778, False),
        ("r2r-ce/test", 3408, True),
    ],
)
def test_real_data_sets(name: str, count: int, is_test: bool, data_root: Path) -> None:
    dataset = open_dataset(name, data_root)
    episodes = list(dataset.episodes())
    assert len(episodes) == count
    assert dataset.is_test is is_test
    if name == "r2r-ce/val_seen":
        assert all(e.continuous is not None and e.continuous.locations for e in episodes)
    if dataset.scenes is not None:
        scene = dataset.scenes.scene(episodes[0].scan)
        assert set(episodes[0].path) <= set(scene.graph.nodes)
