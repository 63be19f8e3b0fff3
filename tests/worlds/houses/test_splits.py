"""Splits of houses: disjoint seeds, a cache that cannot do harm, the same bytes however they are made."""

from __future__ import annotations

import gzip
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.worlds.houses import splits
from vlnscope.worlds.houses.parallel import graph_scenes, load_houses
from vlnscope.worlds.houses.plan.file import encode_plan
from vlnscope.worlds.houses.splits import (
    SPLITS,
    HouseScenes,
    cache_path,
    house_id,
    house_ids,
    load_house,
    make_house,
    seed_of,
    split_of,
)
from vlnscope.worlds.scene import Scenes

FRESH = house_ids("fresh", 2)


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLNSCOPE_CACHE", str(tmp_path / "cache"))


def test_default_sizes() -> None:
    assert {name: len(house_ids(name)) for name in SPLITS} == {
        "train": 40,
        "val_seen": 40,
        "val_unseen": 10,
        "nuances": 40,
        "fresh": 10,
    }
    assert house_ids("val_seen") == house_ids("train")


def test_ranges_never_meet() -> None:
    ranges = [range(*SPLITS[name][:2]) for name in ("train", "val_unseen", "nuances", "fresh")]
    for a, b in combinations(ranges, 2):
        assert a.stop <= b.start or b.stop <= a.start


@given(st.sampled_from(list(SPLITS)), st.integers(1, 300), st.integers(0, 30_000))
def test_houses_stay_in_their_split(split: str, size: int, seed: int) -> None:
    ids = house_ids(split, size, seed=seed)
    assert len(set(ids)) == size
    assert {split_of(house) for house in ids} == {"train" if split == "val_seen" else split}
    assert ids[:1] == house_ids(split, 1, seed=seed)


@given(st.integers(0, 10**12 - 1))
def test_names_and_seeds_belong_together(seed: int) -> None:
    assert seed_of(house_id(seed)) == seed


@pytest.mark.parametrize(
    "name", ["house-12", "house-012345", "House-00012", "house-", "17DRP5sb8fy", "house-00012 "]
)
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(DataNotFoundError):
        seed_of(name)


@pytest.mark.parametrize(
    ("split", "size", "seed"),
    [("test", 1, 0), ("train", 0, 0), ("train", 40_001, 0), ("train", 1, 40_000), ("val_unseen", 1, -1)],
)
def test_impossible_splits_are_refused(split: str, size: int, seed: int) -> None:
    with pytest.raises(InputError):
        house_ids(split, size, seed=seed)


@pytest.mark.parametrize("seed", [-1, 10**12])
def test_impossible_seeds_are_refused(seed: int) -> None:
    with pytest.raises(InputError):
        house_id(seed)


def test_houses_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = load_house("house-00001")
    monkeypatch.setattr(splits, "make_house", _never)
    assert load_house("house-00001") == first
    assert first.id == "house-00001"
    with pytest.raises(AssertionError):
        load_house("house-00001", cached=False)


def _never(house: str) -> None:
    raise AssertionError(f"{house} was made again")


def test_other_generators_look_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    load_house("house-00001")
    monkeypatch.setattr(splits, "houses_key", lambda: "other")
    monkeypatch.setattr(splits, "make_house", _never)
    with pytest.raises(AssertionError):
        load_house("house-00001")


@pytest.mark.parametrize("damage", [b"", b"{}", b"\x1f\x8b\x08", b"null", b"\xff\xfe"])
def test_damaged_files_are_made_anew(damage: bytes) -> None:
    plan = load_house("house-00001")
    whole = cache_path("house-00001").read_bytes()
    cache_path("house-00001").write_bytes(damage)
    assert load_house("house-00001") == plan
    assert cache_path("house-00001").read_bytes() == whole


def test_a_house_under_another_name_is_not_taken() -> None:
    load_house("house-00001")
    cache_path("house-00001").rename(cache_path("house-00005"))
    assert load_house("house-00005").id == "house-00005"


def test_caches_that_cannot_be_written_are_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("VLNSCOPE_CACHE", str(tmp_path / "file"))
    assert load_house("house-00001").rooms


def test_fresh_houses_leave_no_trace(tmp_path: Path) -> None:
    assert load_house(FRESH[0]) == make_house(FRESH[0])
    assert not (tmp_path / "cache" / "houses").exists()


def test_processes_at_once_with_another_hash_seed_change_no_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    made = [encode_plan(plan) for plan in load_houses(["house-00001"] * 2, workers=2)]
    assert made == [encode_plan(make_house("house-00001"))] * 2
    kept = cache_path("house-00001")
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]
    assert gzip.decompress(kept.read_bytes()) == made[0]


def test_one_process_gives_the_same_bytes_too() -> None:
    assert [encode_plan(plan) for plan in load_houses(FRESH[:1])] == [encode_plan(make_house(FRESH[0]))]


def test_scenes_of_houses_are_scenes() -> None:
    scenes: Scenes = HouseScenes(["house-00005", "house-00001", "house-00005"])
    assert scenes.scans() == ("house-00001", "house-00005")
    scene = scenes.scene("house-00001")
    assert scene is scenes.scene("house-00001")
    assert scene.id == "house-00001"
    assert set(scene.regions.of) == set(scene.graph.nodes)
    with pytest.raises(DataNotFoundError, match="house-00001"):
        scenes.scene("house-00002")
    with pytest.raises(DataNotFoundError):
        HouseScenes(["nonsense"])
    assert HouseScenes("val_unseen").scans() == house_ids("val_unseen")


def test_light_scenes_have_the_same_graph_and_rooms() -> None:
    full = HouseScenes(["house-00001"]).scene("house-00001")
    (light,) = graph_scenes(["house-00001"])
    assert light.graph.digest == full.graph.digest
    assert light.regions == full.regions
