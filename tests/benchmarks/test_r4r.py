"""Joining paths: the rule and its edges, the official files to the byte, samples of longer chains."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import made_up
from commands import Cli
from made_up import dataset, street
from vlnscope.benchmarks.fidelity.joins.join import VARIANTS, Chains, draw, join_paths
from vlnscope.benchmarks.fidelity.joins.paths import JoinedPath
from vlnscope.benchmarks.fidelity.joins.result import Joined
from vlnscope.core.exceptions import DataNotFoundError, InputError, UnknownNameError
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.reading import read_episodes
from vlnscope.types import Episode
from vlnscope.worlds.houses.contact_sheet import sample_paths
from vlnscope.worlds.houses.house import generate, house_scene

SPLITS = ("val_seen", "val_unseen", pytest.param("train", marks=pytest.mark.slow))
OTHER_BLANKS = {551, 7220}
"""Paths with an instruction that has a blank more or less in another public copy of R2R, the oracle's."""


def path(
    number: int, nodes: str | Sequence[str], *texts: str, distance: float | None = 1.0, **more: Any
) -> list[Episode]:
    return made_up.path(number, nodes, *(texts or ("go. ",)), distance=distance, **{"heading": 0.5, **more})


def ids(joined: Joined) -> list[tuple[int, ...]]:
    return [tuple(int(part.path_id) for part in whole.parts) for whole in joined.paths]


def part_ids(whole: JoinedPath) -> set[int]:
    return {int(part.path_id) for part in whole.parts}


@pytest.fixture(scope="module")
def r4r(data_root: Path) -> Callable[[str], Joined]:
    """R4R of R2R, built once per split."""
    return cache(lambda split: join_paths(open_dataset(f"r2r/{split}", data_root)))


@pytest.fixture(scope="module")
def oracle(shared: Path) -> Any:
    return json.loads((shared / "fixtures" / "r4r_construction.json").read_text())


@pytest.mark.parametrize("split", SPLITS)
def test_the_official_numbers(split: str, r4r: Callable[[str], Joined], oracle: Any) -> None:
    joined, wanted = r4r(split), oracle["variant_connectivity_pose_le3"][split]
    summary = joined.summary()
    for name in ("paths", "instructions", "filtered_distance", "self_joins"):
        assert getattr(summary, name) == wanted[name]
    for name in ("avg_distance", "avg_shortest", "avg_path_nodes", "avg_shortest_nodes"):
        assert getattr(summary, name) == pytest.approx(wanted[name], abs=1e-12)
    counts: dict[str, int] = {}
    for whole in joined.paths:
        counts[str(whole.instruction_count)] = counts.get(str(whole.instruction_count), 0) + 1
    assert counts == wanted["instr_per_path"]
    rows = [
        [whole.path_id, *(int(part.path_id) for part in whole.parts), list(whole.path)]
        for whole in joined.paths
    ]
    assert hashlib.sha256(json.dumps(rows).encode()).hexdigest() == wanted["sha256_pairs"]
    assert summary.possible == summary.paths


def test_all_items_of_val_seen(r4r: Callable[[str], Joined], oracle: Any) -> None:
    for whole, wanted in zip(r4r("val_seen").paths, oracle["val_seen_items"], strict=True):
        record = whole.record()
        texts = record.pop("instructions")
        assert len(texts) == wanted.pop("n_instructions")
        found = zip(texts, wanted.pop("instruction_lengths"), strict=True)
        assert sum(abs(len(text) - length) for text, length in found) == 3 * bool(
            OTHER_BLANKS & part_ids(whole)
        )
        assert {**record, "path": list(record["path"])} == wanted  # floats to the last digit


def test_the_file_is_laid_out_as_the_official_one(r4r: Callable[[str], Joined], tmp_path: Path) -> None:
    joined = r4r("val_seen")
    saved = joined.save(tmp_path / joined.file_name)
    assert saved.name == "R4R_val_seen.json"
    content = json.loads(saved.read_text())
    assert saved.read_text() == json.dumps(content, indent=2, sort_keys=True, separators=(",", ": "))
    assert list(read_episodes(saved)) == list(joined.episodes())


def test_published_counts_are_explained(r4r: Callable[[str], Joined]) -> None:
    assert any("45,162" in note and ".house" in note for note in r4r("val_unseen").notes)
    assert not r4r("val_seen").notes


def test_house_positions_change_lengths_by_little(data_root: Path) -> None:
    scans = ("GdvgFV5R1Z5", "YmJkqBEsHnH")
    chosen = [e for e in open_dataset("r2r/train", data_root).episodes() if e.scan in scans]
    made = {
        where: join_paths(
            replace(
                open_dataset("r2r/train", data_root, positions=where), load=lambda on_problem: iter(chosen)
            ),
            operator="<",
        )
        for where in ("connectivity", "house")
    }
    usual, other = (dict(zip(ids(joined), joined.paths, strict=True)) for joined in made.values())
    changes = [
        abs(other[pair].shortest_path_distance - usual[pair].shortest_path_distance)
        for pair in usual.keys() & other.keys()
    ]
    assert len(changes) > 10
    assert 0 < max(changes) < 0.2
    with pytest.raises(DataNotFoundError, match=r"no \.house file"):
        join_paths(open_dataset("r2r/val_seen", data_root, positions="house"))


def test_a_connector_leads_through_other_viewpoints_or_is_empty() -> None:
    line = street(0, 10, 11, 12, 22)
    joined = join_paths(dataset([*path(1, "ab"), *path(2, "de"), *path(3, "ba")], line))
    assert ids(joined) == [(1, 2), (1, 3), (3, 1)]
    through, touching, again = joined.paths
    assert through.path == tuple("abcde")
    assert through.distance == 1.0 + 2.0 + 1.0
    assert through.starts == (0, 3)
    assert touching.path == tuple("aba")  # no viewpoint twice where the paths meet
    assert touching.starts == (0, 1)
    assert again.path == tuple("bab")
    assert again.shortest_path == ("b",)


@pytest.mark.parametrize(
    ("gap", "operator", "met"),
    [
        (3.0, "<=", True),
        (3.0, "<", False),
        (3.0 - 1e-6, "<", True),
        (3.0 + 1e-6, "<=", False),
    ],
)
def test_exactly_three_metres(gap: float, operator: str, met: bool) -> None:
    line = street(0, 10, 10 + gap, 20 + gap)
    joined = join_paths(dataset([*path(1, "ab"), *path(2, "cd")], line), operator=operator)
    assert ids(joined) == ([(1, 2)] if met else [])
    assert joined.filtered == 3 + (not met)


def test_a_path_that_comes_back_is_joined_to_itself_and_goes_nowhere() -> None:
    joined = join_paths(dataset(path(7, "aba", "there. ", "back. "), street(0, 10)))
    assert joined.summary().self_joins == 1
    (whole,) = joined.paths
    assert whole.path == tuple("ababa")
    assert whole.record()["shortest_path_distance"] == 0
    assert json.dumps(whole.record()["shortest_path_distance"]) == "0"  # as networkx and so the script has it
    assert whole.shortest_path == ("a",)


def test_instructions_are_a_product_with_the_first_path_outside() -> None:
    three, four = ("A1. ", "A2. ", "A3. "), ("B1. ", "B2. ", "B3. ", "B4. ")
    line = street(0, 10, 20)
    joined = join_paths(dataset([*path(1, "ab", *three), *path(2, "bc", *four)], line))
    (whole,) = joined.paths
    assert whole.instruction_count == 12
    assert whole.instructions()[:5] == ["A1. B1. ", "A1. B2. ", "A1. B3. ", "A1. B4. ", "A2. B1. "]
    again = join_paths(dataset([*path(1, "aba", *four)], line))
    assert again.paths[0].instruction_count == 16


def test_words_are_kept_apart_unless_told_otherwise() -> None:
    source = dataset([*path(1, "ab", "stop."), *path(2, "bc", "Go on.")], street(0, 10, 20))
    apart = join_paths(source)
    assert apart.paths[0].instructions() == ["stop. Go on."]
    assert not apart.notes
    glued = join_paths(source, separator="")
    assert glued.paths[0].instructions() == ["stop.Go on."]
    assert "1 instructions end without a space" in glued.notes[0]


def test_a_few_instructions_without_a_space_change_no_others() -> None:
    texts = ("Leave. ", "Go out. ", "stop.")
    source = dataset([*path(1, "ab", *texts), *path(2, "bc", "Go on. ")], street(0, 10, 20))
    assert join_paths(source).paths[0].instructions()[1:] == ["Go out. Go on. ", "stop.Go on. "]


def test_lengths_and_headings_that_are_not_stated(tmp_path: Path) -> None:
    paths = [*path(1, "abc", distance=None, heading=None), *path(2, "cd", distance=5.0)]
    joined = join_paths(dataset(paths, street(0, 1, 3, 6)), near=0)
    (whole,) = joined.paths
    assert whole.distance == 3.0 + 0.0 + 5.0
    assert joined.notes == ("1 paths state no length: it was measured on the graph",)
    (record,) = json.loads(joined.save(tmp_path / "x.json").read_text())
    assert "heading" not in record
    assert list(read_episodes(tmp_path / "x.json")) == list(joined.episodes())


def test_text_beyond_ascii_and_ids_that_are_no_numbers(tmp_path: Path) -> None:
    line = street(0, 10, 20)
    first = [msgspec.structs.replace(e, path_id="lr-0") for e in path(1, "ab", 'zur "Tür" – 门\n')]
    joined = join_paths(dataset([*first, *path(2, "bc")], line))
    text = joined.save(tmp_path / "x.json").read_text()
    assert text.isascii()
    assert '"first_path_id": "lr-0"' in text
    assert json.loads(text)[0]["instructions"] == ['zur "Tür" – 门\ngo. ']


def test_no_joins_is_an_empty_file(tmp_path: Path) -> None:
    joined = join_paths(dataset(path(1, "ab"), street(0, 10)))
    assert joined.summary().avg_distance is None
    assert joined.save(tmp_path / "x.json").read_text() == "[]"


def test_parts_of_a_disconnected_graph_are_never_joined() -> None:
    line = street(0, 10, 11, 20, gaps=[1])
    assert not join_paths(dataset([*path(1, "ab"), *path(2, "cd")], line)).paths


@pytest.mark.parametrize(
    ("episodes", "what"),
    [
        ([], "has no episodes"),
        (path(1, ""), "names no viewpoints"),
        ([*path(1, "ab"), *path(2, "bz")], "path 2 visits viewpoint 'z'"),
        ([*path(1, "ab"), *path(2, "b")], "path 2 is a single viewpoint"),
        (path(1, "abcd"), "ends where no way leads from its start"),
        (path(1, "acb"), "goes from a to c, where no way leads"),
        ([*path(1, "ab"), *path(1, "ab")], "two episodes are called 1_0"),
        ([*path(1, "ab"), *path(1, "ba")], "share the path id 1 but walk different paths"),
        (path(1, "a"), "the goals are secret"),
    ],
)
def test_bad_paths_are_named(episodes: list[Episode], what: str) -> None:
    with pytest.raises(InputError, match=what):
        join_paths(dataset(episodes, street(0, 10, 11, 20, gaps=[1])))


def test_bad_arguments_and_data_sets_without_graphs() -> None:
    source = dataset(path(1, "ab"), street(0, 10))
    with pytest.raises(UnknownNameError, match="did you mean 'r4r'"):
        join_paths(source, "r44r")
    with pytest.raises(UnknownNameError, match="operator"):
        join_paths(source, operator=">")
    with pytest.raises(InputError, match="negative"):
        join_paths(source, max_paths=-1)
    with pytest.raises(InputError, match="near is nan"):
        join_paths(source, near=float("nan"))
    without = Dataset(
        name="x", split="", format="", files=(), load=lambda p: iter(path(1, "ab")), load_scenes=None
    )
    with pytest.raises(InputError, match="has no navigation graphs"):
        join_paths(without)


def squares(size: int) -> st.SearchStrategy[list[list[bool]]]:
    row = st.lists(st.booleans(), min_size=size, max_size=size)
    return st.lists(row, min_size=size, max_size=size)


@given(st.integers(1, 5).flatmap(squares), st.integers(2, 4))
def test_chains_are_numbered_in_order(follows: list[list[bool]], parts: int) -> None:
    wanted = [
        chain
        for chain in itertools.product(range(len(follows)), repeat=parts)
        if all(follows[a][b] for a, b in itertools.pairwise(chain))
    ]
    chains = Chains(np.array(follows), parts)
    assert [chains.at(number) for number in range(len(chains))] == wanted


def test_samples_are_fair() -> None:
    chains = {name: Chains(np.ones((size, size), dtype=np.bool_), 2) for name, size in (("a", 2), ("b", 1))}
    counts = np.zeros(5)
    for seed in range(600):
        for scan, numbers in draw(chains, 2, np.random.default_rng(seed)):
            for number in numbers:
                counts[int(number) + (4 if scan == "b" else 0)] += 1
    assert counts.sum() == 1200
    assert np.abs(counts - 240).max() < 5 * np.sqrt(240 * 0.6)


def test_longer_chains_join_again_by_the_same_rule(r4r: Callable[[str], Joined], data_root: Path) -> None:
    source = open_dataset("r2r/val_seen", data_root)
    pairs = set(ids(r4r("val_seen")))
    for variant, parts in (("r6r", 3), ("r8r", 4)):
        joined = join_paths(source, variant, max_paths=0, max_instructions=0)
        wanted: set[tuple[int, ...]] = set(pairs)
        for _ in range(parts - 2):
            wanted = {(*chain, b) for chain in wanted for a, b in pairs if chain[-1] == a}
        assert len(joined.paths) == joined.possible == len(wanted)
        assert set(ids(joined)) == wanted
        assert {whole.instruction_count for whole in joined.paths} <= {3**parts, 4 * 3 ** (parts - 1)}
        whole = joined.paths[0]
        for part, start in zip(whole.parts, whole.starts, strict=True):
            assert whole.path[start : start + len(part.path)] == part.path
        fields = whole.record()
        names = ("first", "second", "third", "fourth")[:parts]
        assert tuple(fields[f"{name}_path_id"] for name in names) == ids(joined)[0]
        assert ("fourth_path_id" in fields) == (parts == 4)


def test_limits_draw_a_part_of_the_whole(data_root: Path) -> None:
    source = open_dataset("r2r/val_seen", data_root)
    every = join_paths(source, "r8r", max_paths=0, max_instructions=0)
    texts = {chain: whole.instructions() for chain, whole in zip(ids(every), every.paths, strict=True)}
    some = join_paths(source, "r8r", max_paths=20, seed=3)
    assert len(some.paths) == 20
    assert [whole.path_id for whole in some.paths] == list(range(20))
    places = [ids(every).index(chain) for chain in ids(some)]
    assert places == sorted(places)
    for chain, whole in zip(ids(some), some.paths, strict=True):
        kept = whole.instructions()
        assert len(kept) == whole.instruction_count == VARIANTS["r8r"].max_instructions
        found = [texts[chain].index(text) for text in kept]
        assert found == sorted(found)
    assert list(some.episodes()) == list(join_paths(source, "r8r", max_paths=20, seed=3).episodes())
    assert ids(some) != ids(join_paths(source, "r8r", max_paths=20, seed=4))
    assert some.notes[0] == f"20 of {every.possible} joined paths, drawn with seed 3"
    assert "drawn with seed 3" in some.notes[1]


def test_houses_can_be_joined() -> None:
    scene = house_scene(generate(12))
    drawn = sample_paths(scene, 40)
    episodes = [
        episode
        for number, marked in enumerate(drawn)
        for episode in path(number, marked.viewpoints, "a", "b", scan=scene.id, distance=None)
    ]
    joined = join_paths(dataset(episodes, scene), "r6r", max_paths=50)
    assert 0 < len(joined.paths) <= 50
    graph = scene.graph
    for whole in joined.paths:
        steps = list(itertools.pairwise(whole.path))
        assert all(b in graph.neighbours(a) for a, b in steps)
        assert whole.distance == pytest.approx(sum(graph.distance(a, b) for a, b in steps))
    again = joined.dataset()
    assert [e.episode_id for e in again.episodes()] == [e.episode_id for e in joined.episodes()]
    assert again.scenes is not None
    assert not again.is_test


def test_the_command(cli: Cli, tmp_path: Path) -> None:
    build = ("build", "fidelity", "--data", "sample/demo", "--out", tmp_path)
    done = cli(*build, "--json")
    assert done.code == 0
    (report,) = done.data["files"]
    assert report["file"] == str(tmp_path / "R4R_demo.json")
    assert report["instructions"] == len(list(read_episodes(report["file"]))) > 0
    done = cli(*build, "--variant", "r8r", "--max-paths", 5, "--separator", " ")
    assert done.code == 0
    assert "drawn with seed 0" in done.out
    assert len({e.path_id for e in read_episodes(tmp_path / "R8R_demo.json")}) == 5
    done = cli(*build, "--variant", "r5r")
    assert done.code == 2
    assert "there is no variant called 'r5r'" in done.err
    done = cli(*build, "--data", "sample/demo")
    assert done.code == 2
    assert "would be written twice" in done.err
