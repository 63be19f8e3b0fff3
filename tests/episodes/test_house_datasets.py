"""The data sets of the built-in houses: their paths, ids, splits, cache, files, and the commands on them."""

from __future__ import annotations

import itertools
import json
import math
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import Cli
from vlnscope.core import files
from vlnscope.core.exceptions import (
    DataNotFoundError,
    InputError,
    LossyConversionError,
    UnknownNameError,
    VlnscopeError,
)
from vlnscope.episodes.convert import convert
from vlnscope.episodes.datasets import house_episodes as making
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.episodes.datasets.house_episodes import (
    INSTRUCTIONS,
    HouseEpisodes,
    HousePart,
    cache_path,
    house_episodes,
    make_episodes,
)
from vlnscope.episodes.datasets.house_paths import EDGES, LEAST_LENGTH, LEAST_STEP, HousePath, house_paths
from vlnscope.episodes.datasets.houses import split_houses
from vlnscope.episodes.reading import read_episodes
from vlnscope.language.describe import Describer, Description
from vlnscope.types import Episode
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.house import house_scene
from vlnscope.worlds.houses.splits import HouseScenes, load_house, seed_of
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene

FEW = 3
SPLIT = "val_unseen@1+1"
HOUSE = "house-40001"
TRAINED = "house-00005"
ROOMY = "house-40005"
"""Has many long paths; in HOUSE these are so few that one of 60 is another's reverse."""


@pytest.fixture(scope="module", autouse=True)
def _few_paths(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Make a few paths per house, in a cache of their own: what is tested does not depend on how many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "PATHS", FEW)
        patch.setattr(making, "HELD_OUT_PATHS", FEW)
        patch.setenv("VLNSCOPE_CACHE", str(tmp_path_factory.mktemp("few")))
        patch.delenv("VLNSCOPE_DATA", raising=False)
        yield


@cache
def scene(house: str) -> Scene:
    return house_scene(load_house(house))


@cache
def paths(house: str, held_out: bool = False) -> tuple[HousePath, ...]:
    return tuple(itertools.islice(house_paths(scene(house), seed_of(house), held_out=held_out), 60))


def ends(found: Sequence[HousePath]) -> list[tuple[str, str]]:
    return [(path.nodes[0], path.nodes[-1]) for path in found]


@pytest.mark.parametrize("house", [HOUSE, TRAINED])
def test_paths_are_shortest_paths_like_those_of_r2r(house: str) -> None:
    graph = scene(house).graph
    found = paths(house)
    assert len(found) == 60
    for path in found:
        walked = sum(graph.distance(a, b) for a, b in itertools.pairwise(path.nodes))
        assert all(b in graph.neighbours(a) for a, b in itertools.pairwise(path.nodes))
        assert walked == pytest.approx(graph.distance(path.nodes[0], path.nodes[-1])) == path.length
        assert EDGES[0] <= len(path.nodes) - 1 <= EDGES[1]
        assert path.length >= LEAST_LENGTH
        assert min(graph.distance(a, b) for a, b in itertools.pairwise(path.nodes)) >= LEAST_STEP
        assert 0.0 <= path.heading < math.tau


@pytest.mark.parametrize("house", [ROOMY, TRAINED])
def test_paths_differ_in_their_ends_and_lead_elsewhere(house: str) -> None:
    regions = scene(house).regions
    pairs = ends(paths(house))
    assert len(set(pairs)) == len(pairs)
    assert not {(b, a) for a, b in pairs} & set(pairs)
    assert len({a for a, _ in pairs}) > 30
    assert len({b for _, b in pairs}) > 30
    assert sum(regions.region(a) != regions.region(b) for a, b in pairs) > 0.8 * len(pairs)


def test_held_out_paths_are_never_those_of_train_nor_their_reverses() -> None:
    found = scene(TRAINED)
    every = [set(ends(list(house_paths(found, 5, held_out=held)))) for held in (False, True)]
    assert all(every)
    train, held = every
    assert not held & (train | {(b, a) for a, b in train})
    assert 0.08 < len(held) / (len(held) + len(train)) < 0.25


def test_lengths_and_first_looks_are_distributed_as_in_r2r() -> None:
    found = [path for house in (HOUSE, TRAINED, "house-00001", "house-00003") for path in paths(house)]
    quartiles = np.percentile([path.length for path in found], [25, 50, 75])
    assert np.abs(quartiles / (7.5, 9.5, 11.8) - 1).max() < 0.15
    quarters = np.histogram([path.heading for path in found], 4, (0, math.tau))[0] / len(found)
    assert quarters.min() > 0.15


def test_a_house_with_few_paths_gives_few() -> None:
    names = [f"v{i}" for i in range(6)]
    graph = NavGraph.build(names, [(2.0 * i, 0.0, 1.5) for i in range(6)], list(itertools.pairwise(names)))
    row = Scene("row", graph, {"regions": lambda: Regions(dict.fromkeys(names, 0), {0: "h"})})
    both = ends([*house_paths(row, 1), *house_paths(row, 1, held_out=True)])
    wanted = {(0, 4), (1, 5), (0, 5)}
    assert sorted(both) == sorted((f"v{i}", f"v{j}") for a, b in wanted for i, j in ((a, b), (b, a)))


@given(st.integers(0, 10**9), st.booleans())
def test_paths_depend_on_the_seed_alone(seed: int, held_out: bool) -> None:
    found = scene(HOUSE)
    first, again = (list(itertools.islice(house_paths(found, seed, held_out=held_out), 3)) for _ in range(2))
    assert first == again


def test_splits_never_share_a_house_but_val_seen_and_train() -> None:
    names = ("train", "val_seen", "val_unseen", "nuances", "fresh")
    houses = {split: set(split_houses(split)[1]) for split in names}
    assert [len(houses[split]) for split in houses] == [40, 40, 10, 40, 10]
    assert houses["train"] == houses["val_seen"]
    for a, b in itertools.combinations(("train", "val_unseen", "nuances", "fresh"), 2):
        assert not houses[a] & houses[b]
    assert split_houses(SPLIT) == ("val_unseen", (HOUSE,))
    assert split_houses("fresh@2+20270101")[1] == ("house-20410101", "house-20410102")


@pytest.mark.parametrize("split", ["val_unsen", "val_unseen@", "val_unseen@x", "", "val_unseen@1@2", "test"])
def test_an_unknown_split_is_refused(split: str) -> None:
    with pytest.raises(InputError):
        open_dataset(f"houses/{split}")


@pytest.mark.parametrize("split", ["val_unseen@0", "train@40001", "val_unseen@1+60000"])
def test_more_houses_than_a_split_has_are_refused(split: str) -> None:
    with pytest.raises(InputError, match="cannot be had"):
        open_dataset(f"houses/{split}")


def test_episodes_have_the_form_of_r2r() -> None:
    dataset = open_dataset(f"houses/{SPLIT}")
    found = list(dataset.episodes())
    assert (dataset.name, dataset.files, dataset.is_test) == (f"houses/{SPLIT}", (), False)
    assert [e.episode_id for e in found] == [f"{4000100 + k}_{j}" for k in range(FEW) for j in range(3)]
    assert [(e.path_id, e.instruction_index) for e in found] == [
        (e.episode_id.partition("_")[0], int(e.episode_id.partition("_")[2])) for e in found
    ]
    assert dataset.scenes is not None
    graph = dataset.scenes.scene(HOUSE).graph
    for episode in found:
        assert episode.scan == HOUSE
        assert episode.distance == round(graph.distance(episode.path[0], episode.path[-1]), 2)
        assert episode.chunks[0].first_step == 1
        assert episode.chunks[-1].last_step == len(episode.path)
        assert (episode.words, episode.language) == ((), None)
    for _, group in itertools.groupby(found, lambda episode: episode.path):
        assert len({episode.instruction for episode in group}) == INSTRUCTIONS


def test_registers_describe_the_same_paths_in_other_words() -> None:
    plain, terse, spoken = (
        list(open_dataset(f"{name}/{SPLIT}").episodes()) for name in ("houses", "houses-terse", "houses-rxr")
    )
    fixed = [(e.episode_id, e.path, e.heading, e.distance) for e in plain]
    for others in (terse, spoken):
        assert [(e.episode_id, e.path, e.heading, e.distance) for e in others] == fixed
    words = [np.mean([len(e.instruction.split()) for e in part]) for part in (terse, plain, spoken)]
    assert words == sorted(words)
    assert words[2] > 1.5 * words[1]
    for episode in spoken:
        assert episode.language == "en-US"
        assert len(episode.words) == len(episode.instruction.split())
        times = [t for word in episode.words for t in (word.start_time, word.end_time)]
        assert None not in times
        assert times == sorted(times, key=lambda t: t or 0.0)


def test_val_seen_has_other_paths_of_the_houses_of_train() -> None:
    train = list(open_dataset("houses/train@1+5").episodes())
    seen = list(open_dataset("houses/val_seen@1+5").episodes())
    assert {e.scan for e in train} == {e.scan for e in seen} == {TRAINED}
    assert [e.path_id for e in seen[::3]] == ["560", "561", "562"]
    assert not {e.episode_id for e in train} & {e.episode_id for e in seen}
    assert not {e.path for e in train} & {e.path for e in seen}


def test_ambiguous_paths_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = make_episodes(scene(HOUSE), 40001)
    banned = {episode.path for episode in plain.episodes[:INSTRUCTIONS]}
    _flag(monkeypatch, lambda path: path in banned)
    other = make_episodes(scene(HOUSE), 40001)
    assert len(other.given_up) == len(plain.given_up) + 1
    assert ("no words", 1) in [(reason, 1) for _, reason in other.given_up]
    assert (len(other.episodes), other.missing) == (FEW * INSTRUCTIONS, 0)
    assert not banned & {episode.path for episode in other.episodes}
    _flag(monkeypatch, lambda path: True)
    none = make_episodes(scene(HOUSE), 40001)
    assert (none.episodes, none.missing) == ((), FEW)


def _flag(monkeypatch: pytest.MonkeyPatch, banned: Callable[[tuple[str, ...]], bool]) -> None:
    """Let all descriptions of some paths be ambiguous."""

    class Flagging(Describer):
        def __init__(self, scene: Scene, path: Sequence[str], heading: float) -> None:
            super().__init__(scene, path, heading)
            self.path = tuple(path)

        def describe(self, *args: Any, **kwargs: Any) -> Description:
            found = super().describe(*args, **kwargs)
            return msgspec.structs.replace(found, ambiguous="no words") if banned(self.path) else found

    monkeypatch.setattr("vlnscope.language.describe.describer.Describer", Flagging)


def test_an_ambiguous_wording_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def describe(self: Describer, register: str, *, variant: int, seed: int) -> Description:
        tried.append(variant)
        text = f"text {variant}" if variant != 1 else "text 0"
        return Description(
            text=text, register="r2r", statements=(), words=(), chunks=(), timed_words=(), step_times=(),
            ambiguous="so" if variant in (0, 2) else None,
        )  # fmt: skip

    monkeypatch.setattr(Describer, "describe", describe)
    path = paths(HOUSE)[0]
    told = list(making.instructions(scene(HOUSE), path.nodes, path.heading, "r2r", seed=1))
    assert [it.text for it in told] == ["text 3", "text 0", "text 5"]
    assert tried == [0, 3, 1, 2, 5]


SCRIPT = f"""
import sys
from vlnscope.episodes.datasets import house_episodes
from vlnscope.episodes.datasets.dataset import open_dataset
house_episodes.PATHS = {FEW}
for name in ("houses", "houses-rxr"):
    print(open_dataset(f"{{name}}/{SPLIT}").digest())
"""


def run_script(script: str, tmp_path: Path, **env: str) -> list[str]:
    path = tmp_path / "script.py"
    path.write_text(script)
    done = subprocess.run(
        [sys.executable, str(path)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "VLNSCOPE_CACHE": str(tmp_path / "cache"), **env},
    )
    return done.stdout.split()


def test_other_processes_make_the_same_episodes(tmp_path: Path) -> None:
    here = [open_dataset(f"{name}/{SPLIT}").digest() for name in ("houses", "houses-rxr")]
    assert run_script(SCRIPT, tmp_path, PYTHONHASHSEED="77") == here
    assert here[0] != here[1]


def test_workers_do_not_run_the_script_that_started_them(tmp_path: Path) -> None:
    script = """
from vlnscope.worlds.houses.parallel import for_houses
from vlnscope.worlds.houses.splits import seed_of
print("once", *for_houses(seed_of, ["house-00001", "house-00002"], workers=2))
"""
    assert run_script(script, tmp_path) == ["once", "1", "2"]


@pytest.mark.parametrize(
    "error", [InputError("a", expected="b", fix="c"), UnknownNameError("house", "x", ["y"])]
)
def test_errors_of_workers_arrive_whole(error: VlnscopeError) -> None:
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), str(back)) == (type(error), str(error))


def test_episodes_come_from_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    part = HousePart("r2r")
    found = house_episodes(HOUSE, part)
    assert cache_path(HOUSE, part).is_file()
    monkeypatch.setattr(making, "make_episodes", _never)
    assert house_episodes(HOUSE, part) == found
    assert open_dataset(f"houses/{SPLIT}").prepare is not None


def _never(*args: object, **kwargs: object) -> HouseEpisodes:
    raise AssertionError("was made once more")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def _other_house(path: Path) -> None:
    with files.write_whole(path) as stream:
        stream.write(msgspec.json.encode(house_episodes(TRAINED, HousePart("r2r"))))


def _no_json(path: Path) -> None:
    path.write_bytes(b"\xff\xfe no JSON")


@pytest.mark.parametrize("damage", [_cut, _other_house, _no_json, lambda path: path.write_bytes(b"")])
def test_a_damaged_cache_is_made_anew(damage: Callable[[Path], None]) -> None:
    part = HousePart("r2r")
    found = house_episodes(HOUSE, part)
    path = cache_path(HOUSE, part)
    sound = path.read_bytes()
    damage(path)
    assert house_episodes(HOUSE, part) == found
    assert path.read_bytes() == sound


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = house_episodes(HOUSE, HousePart("r2r"))
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("VLNSCOPE_CACHE", str(tmp_path / "file" / "cache"))
    assert house_episodes(HOUSE, HousePart("r2r")) == found


def test_fresh_houses_leave_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLNSCOPE_CACHE", str(tmp_path))
    dataset = open_dataset("houses/fresh@1+7")
    assert dataset.prepare is not None
    parts, work = dataset.prepare()
    assert (parts, list(work)) == (1, ["house-140007"])
    monkeypatch.setattr(making, "make_episodes", _never)
    assert len(list(dataset.episodes())) == FEW * INSTRUCTIONS
    assert dataset.prepare().parts == 0
    assert not list(tmp_path.glob("house*"))


def test_a_digest_tells_contents_apart() -> None:
    names = (f"houses/{SPLIT}", f"houses-terse/{SPLIT}", "houses/train@1+5", "houses/val_seen@1+5")
    digests = [open_dataset(name).digest() for name in names]
    assert len(set(digests)) == len(names)
    assert open_dataset(names[0]).digest() == digests[0]


def test_houses_lie_where_they_lie(tmp_path: Path) -> None:
    dataset = open_dataset(f"houses/{SPLIT}", tmp_path, positions="house")
    assert isinstance(dataset.scenes, HouseScenes)


def without(episodes: Sequence[Episode], *fields: str) -> list[Episode]:
    absent = {"chunks": (), "distance": None, "instruction_index": 0}
    return [msgspec.structs.replace(e, **{name: absent[name] for name in fields}) for e in episodes]


@pytest.mark.parametrize(
    ("name", "to", "file", "drop"),
    [
        ("houses", "fgr2r-episodes", "out.json.gz", ()),
        ("houses-terse", "fgr2r-episodes", "out.json", ()),
        ("houses", "r2r-episodes", "out.json", ("chunks",)),
        ("houses-rxr", "rxr-episodes", "out.jsonl", ("chunks", "distance", "instruction_index")),
    ],
)
def test_files_read_back_as_the_same_episodes(
    name: str, to: str, file: str, drop: tuple[str, ...], tmp_path: Path
) -> None:
    target = tmp_path / file
    wanted = list(open_dataset(f"{name}/{SPLIT}").episodes())
    report = convert(f"{name}/{SPLIT}", target, to=to, drop=drop)
    assert (report.source, report.records) == (f"{name}/{SPLIT}", len(wanted))
    assert list(read_episodes(target)) == without(wanted, *drop)
    assert open_dataset(target).format == to
    if drop:
        with pytest.raises(LossyConversionError, match="chunks"):
            convert(f"{name}/{SPLIT}", tmp_path / file, to=to)


def test_a_made_data_set_needs_a_format_to_be_written_in(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no format of its own"):
        convert(f"houses/{SPLIT}", tmp_path / "out.json")


def test_files_of_houses_need_no_root(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    convert(f"houses/{SPLIT}", path, to="fgr2r-episodes")
    for root in (None, tmp_path):
        scenes = open_dataset(path, root).scenes
        assert isinstance(scenes, HouseScenes)
        assert scenes.scans() == (HOUSE,)
    mixed = json.loads(path.read_text())
    mixed[-1]["scan"] = "zsNo4HB9uLZ"
    path.write_text(json.dumps(mixed))
    with pytest.raises(DataNotFoundError):
        _ = open_dataset(path).scenes


@pytest.fixture
def perfect(tmp_path: Path) -> Path:
    """Predictions that follow every path."""
    path = tmp_path / "perfect.json"
    walks = [
        {"instr_id": e.episode_id, "trajectory": [[node, 0.0, 0.0] for node in e.path]}
        for e in open_dataset(f"houses/{SPLIT}").episodes()
    ]
    path.write_text(json.dumps(walks))
    return path


def test_commands_work_on_houses_as_on_other_data(cli: Cli, perfect: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"
    written = cli("convert", f"houses/{SPLIT}", mine, "--to", "fgr2r-episodes")
    assert written.code == 0
    assert f"{FEW * INSTRUCTIONS} records: houses/{SPLIT} →" in written.out
    for data in (f"houses/{SPLIT}", f"houses-rxr/{SPLIT}", mine):
        scored = cli("score", perfect, "--data", data, "--json")
        assert scored.code == 0, scored.err
        metrics = scored.data["metrics"]
        assert (metrics["SR"]["mean"], metrics["SPL"]["mean"], metrics["NE"]["mean"]) == (100.0, 100.0, 0.0)
        assert cli("check", perfect, "--data", data).code == 0
    assert cli("score", perfect, "--data", "houses/train@1+5").code == 2
    assert cli("check", perfect, "--data", "houses/train@1+5").code == 1


def test_ls_shows_the_houses(cli: Cli) -> None:
    found = {entry["name"]: entry for entry in cli("ls", "datasets", "--json").data["datasets"]}
    for name in ("houses", "houses-terse", "houses-rxr"):
        assert found[name]["splits"] == ["train", "val_seen", "val_unseen", "nuances", "fresh"]
        assert found[name]["files"] == {}


def test_describe_shows_words_and_steps(cli: Cli, tmp_path: Path) -> None:
    result = cli("houses", "describe", HOUSE, "--paths", 2, "--out", tmp_path, "--json")
    assert result.code == 0, result.err
    episodes = list(open_dataset(f"houses/{SPLIT}").episodes())
    shown = result.data["paths"]
    assert [path["name"] for path in shown] == ["4000100", "4000101"]
    assert [told["text"] for path in shown for told in path["instructions"]] == [
        episode.instruction for episode in episodes[:6]
    ]
    assert all("<svg" in Path(file).read_text() for file in result.data["files"])
    start, goal = shown[0]["path"][0], shown[0]["path"][-1]
    own = cli("houses", "describe", HOUSE, "--path", f"{start[:8]},{goal[:8]}", "--register", "terse")
    assert own.code == 0, own.err
    assert "your path" in own.out
    for wrong in (("--path", "x"), ("--register", "loud")):
        refused = cli("houses", "describe", HOUSE, *wrong)
        assert (refused.code, refused.out) == (2, "")
        assert "Traceback" not in refused.err
