"""Cases of fidelity: what ablations leave of an instruction, how episodes are paired and drawn, bad input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import made_up
from made_up import Held, dataset
from vlnscope.benchmarks.fidelity.build.ablations import (
    ABLATIONS,
    count_tokens,
    last_tokens,
    pieces_of,
    shuffled,
)
from vlnscope.benchmarks.fidelity.build.cases import build_cases
from vlnscope.benchmarks.fidelity.joins.join import join_paths
from vlnscope.benchmarks.fidelity.protocol import rules
from vlnscope.benchmarks.kit.case_file import check_cases
from vlnscope.benchmarks.kit.case_set import CaseSet, Loss
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.types import Case, Chunk, Episode
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene

WORDS = st.lists(
    st.sampled_from(["turn", "left", "chairs", "entering", "the", "hall"]), min_size=1, max_size=4
)


def street(scan: str, size: int = 6, gaps: Sequence[int] = ()) -> Scene:
    """Viewpoints a, b, c, … in a row, ten metres from each other, not joined after those in `gaps`."""
    names = "abcdefghij"[:size]
    edges = [(names[k], names[k + 1]) for k in range(size - 1) if k not in gaps]
    return Scene(scan, NavGraph.build(list(names), [[10.0 * k, 0.0, 0.0] for k in range(size)], edges))


def path(scan: str, number: int, nodes: str, *texts: str, **more: Any) -> list[Episode]:
    return made_up.path(number, nodes, *texts, scan=scan, heading=0.0, **more)


def two_scenes() -> Dataset:
    first = [
        *path("one", 1, "abc", "Turn left. Go on.", "Leave."),
        *path("one", 2, "cba", "Turn right. Stop."),
    ]
    second = [*path("two", 3, "ab", "Enter the hall and stop."), *path("two", 4, "ba", "Walk past it. Wait.")]
    return dataset([*first, *second], street("one"), street("two"))


def by_variant(asked: CaseSet) -> dict[str, dict[str, Case]]:
    found: dict[str, dict[str, Case]] = {}
    for case in asked.cases:
        found.setdefault(case.groups["variant"], {})[case.groups["pair"]] = case
    return found


@given(st.text(max_size=60))
def test_the_last_five_tokens_are_the_end_of_the_text(text: str) -> None:
    kept = last_tokens(text)
    assert count_tokens(kept) == min(5, count_tokens(text))
    assert text.rstrip().endswith(kept.rstrip())
    assert last_tokens(kept) == kept


def letters(text: str) -> str:
    return "".join(text.split())


@given(st.text(alphabet="turnlef gostp.,\n", max_size=80))
def test_cutting_loses_nothing(text: str) -> None:
    (episode,) = path("one", 1, "ab", text)
    assert letters("".join(pieces_of(episode))) == letters(text)


@given(st.lists(WORDS, min_size=1, max_size=5))
def test_chunks_are_found_in_the_text_though_they_hold_stems(chunks: list[list[str]]) -> None:
    """FGR2R has “chair” for “chairs” and “enter” for “entering”."""
    stems = {"chairs": "chair", "entering": "enter"}
    told = tuple(Chunk(tuple(stems.get(word, word) for word in words), 1, 1) for words in chunks)
    written = [" ".join(words).capitalize() + "." for words in chunks]
    (episode,) = path("one", 1, "ab", " ".join(written), chunks=told)
    assert pieces_of(episode) == written


def test_without_chunks_the_parser_cuts() -> None:
    (episode,) = path("one", 1, "ab", "Turn left and walk past the sofa. Stop by the door.")
    assert pieces_of(episode) == ["Turn left", "and walk past the sofa.", "Stop by the door."]


@given(st.lists(st.sampled_from(["a.", "b.", "c."]), max_size=5), st.integers(0, 50))
def test_shuffling_keeps_the_pieces_and_changes_their_order(pieces: list[str], seed: int) -> None:
    text = shuffled(pieces, rng_for(seed))
    assert (text is None) == (len(set(pieces)) < 2)
    if text is not None:
        assert text.split() != pieces
        assert Counter(text.split()) == Counter(pieces)


def test_cases_are_paired_and_differ_in_their_words_only() -> None:
    asked = build_cases(two_scenes(), variant="as-is")
    assert asked.benchmark == "fidelity"
    assert asked.data == "made/up"
    check_cases(asked.cases, Held(street("one"), street("two")))
    found = by_variant(asked)
    assert tuple(found) == ABLATIONS
    for variant, cases in found.items():
        for pair, case in cases.items():
            whole = found["full"][pair]
            assert case.case_id == f"{pair}-{variant}"
            assert case.episode.episode_id == pair == whole.episode.episode_id
            assert (case.episode.path, case.episode.scan) == (whole.episode.path, whole.episode.scan)
            assert (case.episode.instruction == whole.episode.instruction) == (variant == "full")
    assert found["none"]["1_0"].episode.instruction == ""
    assert found["shuffled"]["1_0"].episode.instruction == "Go on. Turn left."
    assert found["last-five"]["1_0"].episode.instruction == "left. Go on."


def test_the_instruction_of_another_path_comes_from_another_scene() -> None:
    source = two_scenes()
    texts = {e.instruction: e.scan for e in source.episodes()}
    for seed in range(5):
        for case in by_variant(build_cases(source, variant="as-is", seed=seed))["other"].values():
            assert texts[case.episode.instruction] != case.episode.scan
    alone = dataset([*path("one", 1, "ab", "There.", "Go."), *path("one", 2, "ba", "Back.")], street("one"))
    others = by_variant(build_cases(alone, variant="as-is"))["other"]
    assert others["1_0"].episode.instruction == others["1_1"].episode.instruction == "Back."
    assert others["2_0"].episode.instruction in ("There.", "Go.")


def test_what_cannot_be_changed_is_left_out_and_counted() -> None:
    asked = build_cases(dataset(path("one", 1, "ab", "Stop."), street("one")), variant="as-is")
    assert set(by_variant(asked)) == {"full", "none"}
    assert Loss("episodes that last-five can change", 1, 0) in asked.losses
    assert Loss("episodes that other can change", 1, 0) in asked.losses
    assert Loss("episodes that shuffled can change", 1, 0) in asked.losses


def test_references_are_marked_and_described() -> None:
    around = path("one", 3, "abab", "There. And again.", distance=31.0)
    asked = build_cases(dataset([*path("one", 1, "abc", "Go. On."), *around], street("one")), variant="as-is")
    kinds = {case.groups["pair"]: case.groups["reference"] for case in asked.cases}
    assert kinds == {"1_0": "shortest", "3_0": "roundabout"}
    (about,) = asked.options["statistics"]
    assert (about["paths"], about["samples"], about["shortest"], about["returning"]) == (2, 2, 0.5, 0.0)
    assert (about["length"], about["direct"]) == ((20.0 + 31.0) / 2, (20.0 + 10.0) / 2)
    assert about["steps"] == ((2, 1), (3, 1))


def test_joined_paths_become_cases() -> None:
    source = two_scenes()
    asked = build_cases(source)
    joined = join_paths(source)
    found = by_variant(asked)
    assert [case.episode.instruction for case in found["full"].values()] == [
        text for whole in joined.paths for text in whole.instructions()
    ]
    assert all(case.episode.extra["shortest_path_distance"] == 0.0 for case in asked.cases)
    before, after = asked.options["statistics"]
    assert (before["name"], after["name"]) == ("made/up", "r4r of made/up")
    assert (after["paths"], after["shortest"], after["returning"]) == (4, 0.0, 1.0)
    assert asked.losses[0] == Loss("pairs of paths near enough to join", 8, 4)
    assert asked.options["separator"] == " "


def test_sub_instructions_of_joined_paths_are_those_of_their_parts() -> None:
    chunks = (Chunk(("go",), 1, 2), Chunk(("on",), 2, 3))
    source = dataset(
        [*path("one", 1, "abc", "Go, on.", chunks=chunks), *path("one", 2, "def", "Go, on.", chunks=chunks)],
        street("one"),
    )
    case = by_variant(build_cases(source, near=10))["shuffled"]["0_0"]
    assert case.episode.instruction != "Go, on. Go, on."
    assert sorted(case.episode.instruction.split()) == ["Go,", "Go,", "on.", "on."]


def test_a_sample_is_spread_over_scenes_and_paths() -> None:
    source = open_dataset("sample/demo")
    every = build_cases(source, variant="as-is", ablations=["full"])
    scans = {case.episode.scan for case in every.cases}
    some = build_cases(source, variant="as-is", ablations=["full"], max_episodes=2 * len(scans), seed=1)
    assert set(Counter(case.episode.scan for case in some.cases).values()) == {2}
    assert len({case.episode.path_id for case in some.cases}) == len(some.cases)
    places = [every.cases.index(case) for case in some.cases]
    assert places == sorted(places)
    assert (
        some.cases
        == build_cases(source, variant="as-is", ablations=["full"], max_episodes=2 * len(scans), seed=1).cases
    )
    other = build_cases(source, variant="as-is", ablations=["full"], max_episodes=2 * len(scans), seed=2)
    assert other.cases != some.cases
    assert Loss("episodes asked", len(every.cases), 2 * len(scans)) in some.losses
    assert build_cases(source, variant="as-is", ablations=["full"], max_episodes=10**6).cases == every.cases


def test_a_path_gives_a_second_instruction_only_after_all_gave_one() -> None:
    asked = build_cases(two_scenes(), variant="as-is", ablations=["full"], max_episodes=4)
    assert [case.episode.path_id for case in asked.cases] == ["1", "2", "3", "4"]


def test_steps_suffice_for_the_longest_path() -> None:
    assert build_cases(two_scenes()).rules.max_steps == 15
    long = [*path("one", 1, "abcdefghij", "Go."), *path("one", 2, "jihgfedcba", "Back.")]
    assert build_cases(dataset(long, street("one", 10))).rules.max_steps == 36
    assert rules(max_steps=40, seed=3).seed == 3


def test_the_set_can_be_saved(tmp_path: Path) -> None:
    asked = build_cases(two_scenes())
    again = CaseSet.load(asked.save(tmp_path))
    assert again.cases == asked.cases
    assert again.rules == asked.rules
    assert len(again.options["statistics"]) == 2


def test_cases_of_a_file_say_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    named = open_dataset("sample/demo")
    assert named.path is not None
    (tmp_path / "mine.json").write_bytes(named.path.read_bytes())
    (tmp_path / "connectivity").symlink_to(named.path.parents[1] / "connectivity")
    asked = build_cases(open_dataset("mine.json", tmp_path), variant="as-is", max_episodes=2)
    assert asked.data == str(tmp_path / "mine.json")
    assert build_cases(named, variant="as-is", max_episodes=2).data == "sample/demo"


@pytest.mark.parametrize(
    ("episodes", "options", "what"),
    [
        ([], {}, "has no episodes"),
        (path("one", 1, "", "x"), {}, "names no viewpoints"),
        ([*path("one", 1, "ab", "x"), *path("one", 2, "b", "x")], {}, "path 2 is a single viewpoint"),
        (path("one", 1, "b", "x"), {}, "the goals are secret"),
        ([*path("one", 1, "ab", "x")] * 2, {}, "two episodes are called 1_0"),
        ([*path("one", 1, "ab", "x"), *path("two", 1, "ab", "x")], {}, "two episodes are called 1_0"),
        (path("one", 1, "ad", "x"), {}, "no way leads from its start"),
        (path("one", 1, "adb", "x"), {}, "goes from a to d, where no way leads"),
        (path("one", 1, "az", "x"), {}, "visits viewpoint 'z'"),
        (path("one", 1, "ab", "x"), {"variant": "r4r"}, "none can be joined"),
        (path("one", 1, "ab", "x"), {"max_episodes": 0}, "at most 0 episodes"),
        (path("one", 1, "ab", "x"), {"ablations": ["none"]}, "the ablations lack 'full'"),
    ],
)
def test_bad_input_is_named(episodes: list[Episode], options: dict[str, Any], what: str) -> None:
    source = dataset(episodes, street("one", gaps=[2]), street("two"))
    with pytest.raises(InputError, match=what):
        build_cases(source, **{"variant": "as-is", **options})


def test_unknown_names_get_suggestions() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'r4r'"):
        build_cases(two_scenes(), variant="r44r")
    with pytest.raises(UnknownNameError, match="did you mean 'shuffled'"):
        build_cases(two_scenes(), ablations=["full", "shufled"])


def test_fine_grained_sub_instructions_of_real_episodes(data_root: Path) -> None:
    asked = build_cases(open_dataset("fgr2r/val_seen", data_root), max_episodes=40)
    found = by_variant(asked)
    assert len(found["shuffled"]) == 40
    for pair, case in found["shuffled"].items():
        whole = found["full"][pair].episode
        assert Counter(letters(case.episode.instruction)) == Counter(letters(whole.instruction))
