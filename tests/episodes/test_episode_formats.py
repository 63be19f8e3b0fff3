"""Episode files: what is read, what is written back, and what is refused."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vlnscope.core.exceptions import DataNotFoundError, InputError, LossyConversionError, VlnscopeError
from vlnscope.episodes.datasets.ground_truth import attach_ground_truth, read_ground_truth, write_ground_truth
from vlnscope.episodes.datasets.pose_trace import read_pose_trace
from vlnscope.episodes.format import Problem, formats, get_format, refuse
from vlnscope.episodes.formats.ivln_tours import SplitTour
from vlnscope.episodes.formats.rxr import follow
from vlnscope.episodes.reading import head_of, read_tours, sniff
from vlnscope.types import Chunk, Continuous, Episode, InstructionErrors, TimedWord, Tour, WordSwap

R2R_RECORD = {
    "distance": 7.27,
    "scan": "houseA",
    "path_id": 5593,
    "path": ["a", "b", "c"],
    "heading": 0.053,
    "instructions": ["Go. ", "Walk. ", "Leave the room. "],
}
R4R_RECORD = R2R_RECORD | {
    "shortest_path": ["a", "c"],
    "shortest_path_distance": 3.5,
    "first_path_id": 1,
    "second_path_id": 2,
}
TEST_RECORD = {key: value for key, value in R2R_RECORD.items() if key != "distance"} | {"path": ["a"]}
FGR2R_RECORD = R2R_RECORD | {
    "new_instructions": "[[['go'], [\"don't\", 'stop']], [['walk']]]",
    "chunk_view": [[[1, 2], [2, 3]], [[1, 3]]],
}
REVERIE_RECORD = R2R_RECORD | {"objId": 66, "id": "5593_66", "ix": 208, "instructions_l": ["a", "b"]}
REVERIE_TEST_RECORD = TEST_RECORD | {"id": "5593_66"}
NAVNUANCES_RECORD = {
    "path_id": "lr-0",
    "scan": "houseA",
    "heading": 0.0,
    "path": ["a", "b"],
    "instructions": ["walk past the red chair."],
    "obj_center": [-1.8, -2.7, 0.7],
}
GUIDE_LINE = {
    "split": "val_seen",
    "instruction_id": 26,
    "annotator_id": 19,
    "language": "en-IN",
    "path_id": 11,
    "scan": "houseA",
    "path": ["a", "b", "c"],
    "heading": 3.1,
    "instruction": "Okay, now turn",
    "timed_instruction": [
        {"start_time": 0.4, "word": "Okay,", "end_time": 1.0},
        {"word": "now"},
        {"word": "turn", "end_time": 2},
    ],
    "edit_distance": 0.11,
}
FOLLOWER_LINE = {
    "demonstration_id": 27,
    "instruction_id": 26,
    "annotator_id": 43,
    "path": ["a", "x", "c"],
    "metrics": {"ne": 0, "sr": 1.0, "spl": 0.9, "dtw": 1.5, "ndtw": 0.9, "sdtw": 0.9},
}
CE_RECORD = {
    "episode_id": 1,
    "trajectory_id": 15,
    "scene_id": "mp3d/houseA/houseA.glb",
    "start_position": [15.1, 0.2, -4.5],
    "start_rotation": [0, 0.5, 0, 0.866],
    "info": {"geodesic_distance": 7.96, "difficulty": "easy"},
    "goals": [{"position": [13.0, 0.2, 1.9], "radius": 3.0}],
    "instruction": {"instruction_text": "Exit the bedroom. ", "instruction_tokens": [816, 2202, 0]},
    "reference_path": [[15.1, 0.2, -4.5], [13.0, 0.2, 1.9]],
}
CE_TEST_RECORD = {k: v for k, v in CE_RECORD.items() if k not in ("info", "goals", "reference_path")}
RXR_CE_RECORD = CE_RECORD | {
    "episode_id": "1",
    "trajectory_id": "0",
    "info": {"role": "guide"},
    "goals": None,
    "instruction": {
        "instruction_id": "26",
        "instruction_text": "Okay,",
        "language": "en-IN",
        "timed_instruction": [{"word": "Okay,", "start_time": 0.4}],
        "edit_distance": 0.1,
    },
}
R2RIE_RECORD = CE_RECORD | {
    "old_episode_id": 30,
    "error_information": {
        "episode_contains_error": True,
        "error_type": 1,
        "token_swapped": [
            {"old_word": "left", "new_word": "right", "token_id": [2157], "token_id_position": [4]}
        ],
    },
}
VOCAB = {"word_list": ["<pad>", "go"], "stoi": {"go": 1}, "num_vocab": 2}
TOURS = {
    "train": {"houseA": [["1_0", "2_0"], ["2_1", "1_1"]], "houseB": [["9_0"]]},
    "val": {"houseC": [["4_2"]]},
}
CE_TOURS = {"val_seen": {"houseA": [[1, 2], [3]]}}

SAMPLES: dict[str, tuple[str, str, Any]] = {
    "r2r": ("r2r-episodes", "R2R_val.json", [R2R_RECORD]),
    "r2r test": ("r2r-episodes", "R2R_test.json", [TEST_RECORD]),
    "r4r": ("r2r-episodes", "R4R_val.json", [R4R_RECORD, R4R_RECORD | {"path_id": 7}]),
    "fgr2r": ("fgr2r-episodes", "FGR2R_val.json", [FGR2R_RECORD]),
    "reverie": ("reverie-episodes", "REVERIE_val.json", [REVERIE_RECORD]),
    "reverie test": ("reverie-episodes", "REVERIE_test.json", [REVERIE_TEST_RECORD]),
    "navnuances": ("navnuances-episodes", "R2R_LR.json", [NAVNUANCES_RECORD]),
    "navnuances, numbered": (
        "navnuances-episodes",
        "R2R_VM.json",
        [NAVNUANCES_RECORD | {"path_id": "12", "has_both_dir": True}],
    ),
    "rxr guide": ("rxr-episodes", "rxr_val_guide.jsonl", [GUIDE_LINE]),
    "rxr follower": ("rxr-episodes", "rxr_val_follower.jsonl", [FOLLOWER_LINE]),
    "r2r-ce": ("vlnce-episodes", "val.json", {"episodes": [CE_RECORD], "instruction_vocab": VOCAB}),
    "r2r-ce, vocabulary first": (
        "vlnce-episodes",
        "val2.json",
        {"instruction_vocab": VOCAB, "episodes": [CE_RECORD]},
    ),
    "r2r-ce, with a header": (
        "vlnce-episodes",
        "val3.json",
        {"version": "1-3", "info": None, "instruction_vocab": {}, "tags": [], "episodes": [CE_RECORD]},
    ),
    "r2r-ce test": ("vlnce-episodes", "test.json", {"episodes": [CE_TEST_RECORD]}),
    "rxr-ce": ("vlnce-episodes", "val_guide.json", {"episodes": [RXR_CE_RECORD]}),
    "r2rie-ce": (
        "r2rie-episodes",
        "val_bertidx.json",
        {"episodes": [R2RIE_RECORD, R2RIE_RECORD | {"episode_id": 2}]},
    ),
    "tours": ("ivln-tours", "tours_iVLN.json", TOURS),
    "tours in continuous space": ("ivln-tours", "tours.json", CE_TOURS),
}


def text_of(content: Any, name: str) -> str:
    if name.endswith(".jsonl"):
        return "".join(json.dumps(line) + "\n" for line in content)
    return json.dumps(content)


def put(folder: Path, sample: str) -> tuple[str, Path]:
    fmt, name, content = SAMPLES[sample]
    path = folder / name
    path.write_text(text_of(content, name))
    return fmt, path


def load(path: Path) -> Any:
    """The content of a JSON file as Python's own reader sees it."""
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    if ".jsonl" in path.name:
        return [json.loads(line) for line in text.splitlines()]
    return json.loads(text)


def read(fmt: str, path: Path) -> list[Any]:
    return list(get_format(fmt).read(path, refuse))


def written(fmt: str, records: list[Any]) -> bytes:
    stream = io.BytesIO()
    write = get_format(fmt).write
    assert write is not None
    write(records, stream)
    return stream.getvalue()


def problems(fmt: str, path: Path) -> tuple[list[Any], list[Problem]]:
    found: list[Problem] = []
    return list(get_format(fmt).read(path, found.append)), found


# ---------------------------------------------------------------- round trips and recognition


@pytest.mark.parametrize("sample", SAMPLES)
def test_what_is_read_is_written_back_unchanged(sample: str, tmp_path: Path) -> None:
    fmt, path = put(tmp_path, sample)
    records = read(fmt, path)
    assert records
    again = tmp_path / f"again_{path.name}"
    again.write_bytes(written(fmt, records))
    assert load(again) == load(path)
    assert read(fmt, again) == records


@pytest.mark.parametrize("sample", SAMPLES)
def test_each_file_is_recognised(sample: str, tmp_path: Path) -> None:
    fmt, path = put(tmp_path, sample)
    assert sniff(path).name == fmt


@pytest.mark.parametrize(
    "content",
    [
        [{"instr_id": "1_0", "trajectory": [["a", 0.0, 0.0]]}],
        [{"instr_id": "1_0", "trajectory": [["a"]], "predObjId": 3}],
        {"1": [{"position": [0, 0, 0], "heading": 0, "stop": False}]},
        {"0": [{"position": [0, 0, 0], "phase": "agent", "episode_id": "1"}]},
        {"val": {"0": [{"position": [0, 0, 0], "phase": "agent", "episode_id": "1"}]}},
        {"1": {"locations": [[0, 0, 0]], "actions": [0], "forward_steps": 0}},
        {"val": {}},
        [],
        ["a"],
        [[1]],
        [{}],
        {},
    ],
)
def test_other_files_are_not_taken_for_episodes(content: Any, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps(content))
    head = head_of(path)
    assert [n for n, f in formats().items() if f.holds in {"episodes", "tours"} and f.sniff(head)] == []


def test_a_prediction_line_is_not_taken_for_an_rxr_episode(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({"instruction_id": 3, "path": ["a", "b"]}) + "\n" * 2)
    assert not get_format("rxr-episodes").sniff(head_of(path))


# ---------------------------------------------------------------- what the fields mean


def test_r2r_fields(tmp_path: Path) -> None:
    fmt, path = put(tmp_path, "r4r")
    episode = read(fmt, path)[1]
    assert episode == Episode(
        episode_id="5593_1",
        path_id="5593",
        scan="houseA",
        instruction="Walk. ",
        path=("a", "b", "c"),
        heading=0.053,
        distance=7.27,
        instruction_index=1,
        extra={
            "shortest_path": ["a", "c"],
            "shortest_path_distance": 3.5,
            "first_path_id": 1,
            "second_path_id": 2,
        },
    )


def test_fgr2r_chunks_and_an_instruction_that_is_not_cut(tmp_path: Path) -> None:
    fmt, path = put(tmp_path, "fgr2r")
    first, second, third = read(fmt, path)
    assert first.chunks == (Chunk(("go",), 1, 2), Chunk(("don't", "stop"), 2, 3))
    assert second.chunks == (Chunk(("walk",), 1, 3),)
    assert third.chunks == ()
    assert first.extra == {}


def test_reverie_ids_and_object(tmp_path: Path) -> None:
    fmt, path = put(tmp_path, "reverie")
    episode = read(fmt, path)[2]
    assert (episode.episode_id, episode.path_id, episode.object_id) == ("5593_66_2", "5593", "66")
    assert episode.extra == {"ix": 208, "instructions_l": ["a", "b"]}
    fmt, path = put(tmp_path, "reverie test")
    episode = read(fmt, path)[0]
    assert (episode.episode_id, episode.object_id) == ("5593_66_0", None)


def test_rxr_guide_fields(tmp_path: Path) -> None:
    fmt, path = put(tmp_path, "rxr guide")
    (episode,) = read(fmt, path)
    assert (episode.episode_id, episode.path_id, episode.language) == ("26", "11", "en-IN")
    assert episode.words == (TimedWord("Okay,", 0.4, 1.0), TimedWord("now"), TimedWord("turn", None, 2.0))
    assert episode.extra == {"split": "val_seen", "annotator_id": 19, "edit_distance": 0.11}


def test_followers_take_scene_and_text_from_the_guide(tmp_path: Path) -> None:
    guides = {e.episode_id: e for e in read(*put(tmp_path, "rxr guide"))}
    followers = read(*put(tmp_path, "rxr follower"))
    (episode,) = follow(followers, guides)
    assert (episode.scan, episode.instruction, episode.path) == ("houseA", "Okay, now turn", ("a", "x", "c"))
    assert (episode.episode_id, episode.extra["demonstration_id"]) == ("26", 27)
    with pytest.raises(InputError, match="instruction 26"):
        list(follow(followers, {}))


def test_several_followers_of_one_instruction_are_no_duplicates(tmp_path: Path) -> None:
    path = tmp_path / "rxr_val_follower.jsonl"
    path.write_text(text_of([FOLLOWER_LINE, FOLLOWER_LINE | {"demonstration_id": 28}], path.name))
    assert len(read("rxr-episodes", path)) == 2


def test_vlnce_fields(tmp_path: Path) -> None:
    fmt, path = put(tmp_path, "r2r-ce")
    (episode,) = read(fmt, path)
    assert (episode.episode_id, episode.path_id, episode.scan) == ("1", "15", "houseA")
    assert episode.continuous == Continuous(
        start_position=(15.1, 0.2, -4.5),
        start_rotation=(0.0, 0.5, 0.0, 0.866),
        goals=((13.0, 0.2, 1.9),),
        goal_radii=(3.0,),
        reference_path=((15.1, 0.2, -4.5), (13.0, 0.2, 1.9)),
        geodesic_distance=7.96,
    )
    assert episode.extra == {
        "instruction": {"instruction_tokens": [816, 2202, 0]},
        "info": {"difficulty": "easy"},
        "file": {"instruction_vocab": VOCAB},
    }


def test_the_vocabulary_rides_on_the_first_episode_only(tmp_path: Path) -> None:
    path = tmp_path / "val.json"
    content = {"episodes": [CE_RECORD, CE_RECORD | {"episode_id": 2}], "instruction_vocab": VOCAB}
    path.write_text(json.dumps(content))
    first, second = read("vlnce-episodes", path)
    assert "file" in first.extra
    assert "file" not in second.extra


def test_a_scene_that_is_not_of_matterport_keeps_its_path(tmp_path: Path) -> None:
    path = tmp_path / "val.json"
    scene = "hm3d/val/00800-TEEsavR23oF/TEEsavR23oF.basis.glb"
    path.write_text(json.dumps({"episodes": [CE_RECORD | {"scene_id": scene}]}))
    (episode,) = read("vlnce-episodes", path)
    assert episode.scan == "TEEsavR23oF"
    assert json.loads(written("vlnce-episodes", [episode]))["episodes"][0]["scene_id"] == scene


def test_r2rie_errors(tmp_path: Path) -> None:
    fmt, path = put(tmp_path, "r2rie-ce")
    episode = read(fmt, path)[0]
    assert episode.errors == InstructionErrors(True, 1, (WordSwap("left", "right", (2157,), (4,)),))
    assert episode.extra.keys() == {"old_episode_id", "instruction", "info"}


def test_tours_are_numbered_within_their_split(tmp_path: Path) -> None:
    fmt, path = put(tmp_path, "tours")
    tours = read(fmt, path)
    assert [(t.split, t.tour_id, t.scan) for t in tours] == [
        ("train", "0", "houseA"),
        ("train", "1", "houseA"),
        ("train", "2", "houseB"),
        ("val", "0", "houseC"),
    ]
    assert tours[1].episode_ids == ("2_1", "1_1")
    assert read_tours(path, split="val") == tours[3:]
    with pytest.raises(InputError, match="several splits"):
        read_tours(path)
    fmt, path = put(tmp_path, "tours in continuous space")
    assert read(fmt, path)[0].episode_ids == ("1", "2")


def test_tours_whose_ids_would_change_are_refused() -> None:
    tour = SplitTour(tour_id="5", scan="a", episode_ids=("1",), split="val")
    with pytest.raises(LossyConversionError, match="tour 5 of split val"):
        written("ivln-tours", [tour])
    plain = Tour(tour_id="0", scan="a", episode_ids=("1_0",))
    assert json.loads(written("ivln-tours", [plain])) == {"all": {"a": [["1_0"]]}}


# ---------------------------------------------------------------- writing


def test_instructions_of_a_path_are_gathered_and_records_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "R2R_val.json"
    content = [
        R2R_RECORD,
        R2R_RECORD | {"path_id": 7, "instructions": ["One. "]},
        R2R_RECORD | {"path_id": 8},
    ]
    path.write_text(json.dumps(content))
    assert json.loads(written("r2r-episodes", read("r2r-episodes", path))) == content


def test_episodes_that_the_format_would_number_anew_are_refused(tmp_path: Path) -> None:
    episodes = read(*put(tmp_path, "r2r"))
    with pytest.raises(LossyConversionError, match=r"episode 5593_1 .* episode_id, instruction_index"):
        written("r2r-episodes", episodes[1:])
    with pytest.raises(LossyConversionError, match="language"):
        written("r2r-episodes", [msgspec.structs.replace(episodes[0], language="en")])
    with pytest.raises(LossyConversionError, match="heading"):
        written("r2r-episodes", [msgspec.structs.replace(episodes[0], heading=float("nan"))])


def test_an_edited_episode_is_written_as_edited(tmp_path: Path) -> None:
    path = tmp_path / "R2R_val.json"
    path.write_text(json.dumps([R2R_RECORD | {"path_id": "12", "instructions": ["Go. "], "distance": None}]))
    (episode,) = read("r2r-episodes", path)
    assert json.loads(written("r2r-episodes", [episode]))[0]["path_id"] == "12"
    edited = msgspec.structs.replace(episode, path_id="13", episode_id="13_0", distance=2.5)
    (record,) = json.loads(written("r2r-episodes", [edited]))
    assert (record["path_id"], record["distance"]) == (13, 2.5)


def test_an_episode_without_positions_cannot_become_continuous(tmp_path: Path) -> None:
    episodes = read(*put(tmp_path, "r2r"))
    with pytest.raises(InputError, match="5593_0 has no positions"):
        written("vlnce-episodes", episodes)


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(str.strip)
IDS = st.one_of(st.integers(0, 10**6).map(str), NAMES)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
POINTS = st.tuples(NUMBERS, NUMBERS, NUMBERS)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), NUMBERS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=5,
)
EXTRA = st.dictionaries(NAMES.map("x_{}".format), JSON, max_size=2)
WORDS = st.builds(TimedWord, TEXTS, st.none() | NUMBERS, st.none() | NUMBERS)


@st.composite
def path_lists(draw: st.DrawFn, kind: str) -> list[Episode]:
    """Episodes of some paths, as one of the formats made of R2R records numbers them."""
    ids = IDS.map(lambda s: s.replace("_", "-")) if kind == "navnuances" else IDS
    episodes = []
    for path_id in draw(st.lists(ids, unique=True, max_size=3)):
        target = draw(IDS) if kind == "reverie" else None
        shared: dict[str, Any] = {
            "path_id": path_id,
            "scan": draw(NAMES),
            "path": tuple(draw(st.lists(NAMES, min_size=1, max_size=4))),
            "heading": draw(st.none() | NUMBERS),
            "distance": draw(st.none() | NUMBERS),
            "object_id": target,
            "extra": draw(EXTRA),
        }
        name = path_id if target is None else f"{path_id}_{target}"
        for k, instruction in enumerate(draw(st.lists(TEXTS, min_size=1, max_size=4))):
            steps = st.integers(1, 9)
            chunk = st.builds(Chunk, st.lists(TEXTS, max_size=3).map(tuple), steps, steps)
            chunks = tuple(draw(st.lists(chunk, max_size=2))) if kind == "fgr2r" else ()
            episodes.append(
                Episode(
                    episode_id=f"{name}_{k}",
                    instruction=instruction,
                    instruction_index=k,
                    chunks=chunks,
                    **shared,
                )
            )
    return episodes


@st.composite
def spoken(draw: st.DrawFn) -> list[Episode]:
    return [
        Episode(
            episode_id=name,
            path_id=draw(IDS),
            scan=draw(NAMES),
            instruction=draw(TEXTS),
            path=tuple(draw(st.lists(NAMES, min_size=1, max_size=4))),
            heading=draw(NUMBERS),
            language=draw(st.none() | TEXTS),
            words=tuple(draw(st.lists(WORDS, max_size=3))),
            extra=draw(EXTRA),
        )
        for name in draw(st.lists(IDS, unique=True, max_size=3))
    ]


@st.composite
def continuous(draw: st.DrawFn, errors: bool) -> list[Episode]:
    episodes = []
    swaps = st.builds(
        WordSwap, TEXTS, TEXTS, st.lists(st.integers(0, 9)).map(tuple), st.lists(st.integers(0, 9)).map(tuple)
    )
    for name in draw(st.lists(IDS, unique=True, max_size=3)):
        goals = draw(st.lists(st.tuples(POINTS, st.none() | NUMBERS), max_size=2))
        space = Continuous(
            start_position=draw(POINTS),
            start_rotation=draw(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS)),
            goals=tuple(goal for goal, _ in goals),
            goal_radii=tuple(radius for _, radius in goals),
            reference_path=tuple(draw(st.lists(POINTS, max_size=3))),
            geodesic_distance=draw(st.none() | NUMBERS),
        )
        scan = draw(st.text(st.characters(categories=["Lu", "Nd"]), min_size=1, max_size=5))
        flaws = InstructionErrors(
            draw(st.booleans()), draw(st.integers(0, 5)), tuple(draw(st.lists(swaps, max_size=2)))
        )
        episodes.append(
            Episode(
                episode_id=name,
                path_id=draw(IDS),
                scan=scan,
                instruction=draw(TEXTS),
                words=tuple(draw(st.lists(WORDS, max_size=2))),
                language=draw(st.none() | TEXTS),
                continuous=space,
                errors=flaws if errors else None,
                extra=draw(EXTRA),
            )
        )
    return episodes


@st.composite
def dialogues(draw: st.DrawFn) -> list[Episode]:
    episodes = []
    for name in draw(st.lists(IDS, unique=True, max_size=3)):
        turns = draw(st.lists(NAMES, min_size=1, max_size=3))
        episodes.append(
            Episode(
                episode_id=name,
                path_id=name,
                scan=draw(NAMES),
                instruction=" ".join(turn.strip() for turn in turns),
                path=(draw(NAMES),),
                heading=draw(st.none() | NUMBERS),
                extra=draw(EXTRA) | {"dialog_history": [{"message": turn, "nav_idx": 0} for turn in turns]},
            )
        )
    return episodes


STRATEGIES: dict[str, st.SearchStrategy[list[Episode]]] = {
    "r2r-episodes": path_lists("r2r"),
    "fgr2r-episodes": path_lists("fgr2r"),
    "reverie-episodes": path_lists("reverie"),
    "navnuances-episodes": path_lists("navnuances"),
    "ndh-episodes": dialogues(),
    "rxr-episodes": spoken(),
    "vlnce-episodes": continuous(errors=False),
    "r2rie-episodes": continuous(errors=True),
}


@pytest.mark.hypothesis
@pytest.mark.parametrize("fmt", STRATEGIES)
def test_every_episode_survives_being_written_and_read(fmt: str, tmp_path: Path) -> None:
    path = tmp_path / f"file{get_format(fmt).suffix}"

    @settings(max_examples=40, deadline=None)
    @given(STRATEGIES[fmt])
    def check(episodes: list[Episode]) -> None:
        text = written(fmt, episodes)
        if text:
            path.write_bytes(text)
            assert read(fmt, path) == episodes

    check()


def test_every_format_for_episodes_is_tested_here() -> None:
    ours = {name for name, fmt in formats("episodes").items() if fmt.read.__module__.startswith("vlnscope.")}
    assert set(STRATEGIES) == ours


# ---------------------------------------------------------------- what is wrong is said

BAD_RECORDS = [
    ("r2r", lambda r: r.pop("scan"), "missing-key", "scan"),
    ("r2r", lambda r: r.pop("instructions"), "missing-key", "instructions"),
    ("r2r", lambda r: r.update(path_id=""), "bad-id", "path_id"),
    ("r2r", lambda r: r.update(path_id=True), "bad-id", "path_id"),
    ("r2r", lambda r: r.update(path_id=None), "bad-id", "path_id"),
    ("r2r", lambda r: r.update(path=[]), "empty-path", "path"),
    ("r2r", lambda r: r.update(path=["a", 3]), "not-a-string", "path[1]"),
    ("r2r", lambda r: r.update(path=["a", ""]), "bad-id", "path[1]"),
    ("r2r", lambda r: r.update(path="abc"), "wrong-type", "path"),
    ("r2r", lambda r: r.update(instructions=[]), "empty-instructions", "instructions"),
    ("r2r", lambda r: r.update(instructions=[None]), "not-a-string", "instructions[0]"),
    ("r2r", lambda r: r.update(heading="east"), "wrong-type", "heading"),
    ("r2r", lambda r: r.update(heading=10**400), "not-finite", "heading"),
    ("fgr2r", lambda r: r.update(new_instructions="[[['go'"), "bad-chunks", "new_instructions"),
    ("fgr2r", lambda r: r.update(new_instructions="[[[1]]]"), "bad-chunks", "new_instructions"),
    ("fgr2r", lambda r: r.update(new_instructions="open('x')"), "bad-chunks", "new_instructions"),
    ("fgr2r", lambda r: r.update(new_instructions="[" * 10_000), "bad-chunks", "new_instructions"),
    ("fgr2r", lambda r: r.update(new_instructions=r"[[['\d']]]"), "chunk-count", "chunk views"),
    ("fgr2r", lambda r: r.update(chunk_view=[[[1, 2]], [[1, 3]]]), "chunk-count", "views"),
    ("fgr2r", lambda r: r.update(chunk_view=[[[1, 2, 3]]]), "tuple-shape", "chunk_view"),
    ("reverie test", lambda r: r.pop("id"), "missing-key", "id"),
    ("reverie", lambda r: r.update(objId=[]), "wrong-type", "objId"),
    ("navnuances", lambda r: r.update(path_id="lr_0"), "bad-id", "underscore"),
    ("rxr guide", lambda r: r.pop("heading"), "missing-key", "heading"),
    ("rxr guide", lambda r: r.update(heading=None), "wrong-type", "heading"),
    ("rxr guide", lambda r: r.update(timed_instruction=[{}]), "missing-key", "word"),
    ("rxr follower", lambda r: r.pop("path"), "missing-key", "path"),
    ("r2r-ce", lambda r: r.pop("trajectory_id"), "missing-key", "trajectory_id"),
    ("r2r-ce", lambda r: r.update(start_position=[1, 2]), "tuple-shape", "start_position"),
    ("r2r-ce", lambda r: r.update(start_rotation=[1, 2, None, 0]), "wrong-type", "start_rotation"),
    ("r2r-ce", lambda r: r.update(scene_id=""), "bad-id", "scene_id"),
    ("r2r-ce", lambda r: r.update(instruction="Go."), "wrong-type", "instruction"),
    ("r2rie-ce", lambda r: r.pop("error_information"), "missing-key", "error_information"),
]  # fmt: skip


@pytest.mark.parametrize(("sample", "spoil", "code", "word"), BAD_RECORDS)
def test_a_bad_record_is_named_and_the_others_are_read(
    sample: str, spoil: Callable[[dict[str, Any]], object], code: str, word: str, tmp_path: Path
) -> None:
    fmt, name, content = SAMPLES[sample]
    wrapped = isinstance(content, dict)
    good = json.loads(json.dumps((content["episodes"] if wrapped else content)[0]))
    bad = json.loads(json.dumps(good))
    for key in ("path_id", "instruction_id", "episode_id", "id", "demonstration_id"):
        if key in bad:
            bad[key] = f"{bad[key]}9" if isinstance(bad[key], str) else 99
    spoil(bad)
    alone, path = tmp_path / f"good_{name}", tmp_path / name
    for file, records in ((alone, [good]), (path, [good, bad])):
        file.write_text(text_of({"episodes": records} if wrapped else records, name))
    episodes, found = problems(fmt, path)
    assert episodes == read(fmt, alone)
    assert [p.code for p in found] == [code]
    assert word in found[0].what
    assert found[0].where == f"{path}: record 2"
    with pytest.raises(InputError, match="record 2"):
        read(fmt, path)


def test_an_id_used_twice_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "R2R_val.json"
    path.write_text(json.dumps([R2R_RECORD, R2R_RECORD]))
    episodes, found = problems("r2r-episodes", path)
    assert len(episodes) == 3
    assert [(p.code, p.episode_id) for p in found] == [("duplicate-id", f"5593_{k}") for k in range(3)]


def test_what_is_not_an_object_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "R2R_val.json"
    path.write_text(json.dumps([R2R_RECORD, 3, None, [], "x", True]))
    episodes, found = problems("r2r-episodes", path)
    assert len(episodes) == 3
    assert {p.code for p in found} == {"not-an-object"}
    assert [p.what for p in found] == [
        "is 3",
        "is null",
        "is an array of 0",
        "is 'x'",
        "is true",
    ]


def test_the_wrong_container_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps({"a": R2R_RECORD}))
    with pytest.raises(InputError, match="one JSON object"):
        read("r2r-episodes", path)
    with pytest.raises(InputError, match="episodes"):
        read("vlnce-episodes", path)
    path.write_text(json.dumps([R2R_RECORD]))
    with pytest.raises(InputError):
        read("vlnce-episodes", path)


def test_nan_is_a_missing_time_in_rxr_but_no_heading(tmp_path: Path) -> None:
    path = tmp_path / "rxr_val_guide.jsonl"
    times = [
        {"word": "Okay,", "start_time": float("nan"), "end_time": 1.0},
        {"word": "NaN", "end_time": None},
    ]
    line = GUIDE_LINE | {"timed_instruction": times, "edit_distance": float("nan")}
    other = GUIDE_LINE | {"instruction_id": 27}
    path.write_text(text_of([line, other, line | {"instruction_id": 28, "heading": float("nan")}], path.name))
    episodes, found = problems("rxr-episodes", path)
    assert [e.episode_id for e in episodes] == ["26", "27"]
    assert episodes[0].words == (TimedWord("Okay,", None, 1.0), TimedWord("NaN"))
    assert episodes[0].extra["edit_distance"] is None
    assert "timed_instruction" not in episodes[0].extra
    assert [(p.code, p.episode_id) for p in found] == [("wrong-type", "28")]
    again = tmp_path / "again.jsonl"
    again.write_bytes(written("rxr-episodes", episodes))
    assert read("rxr-episodes", again) == episodes


def test_nan_is_refused_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "R2R_val.json"
    path.write_text(json.dumps([R2R_RECORD | {"heading": float("nan")}, R2R_RECORD]))
    episodes, found = problems("r2r-episodes", path)
    assert len(episodes) == 3
    assert [p.code for p in found] == ["not-finite"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ({"val": {"a": 3}}, "wrong-type"),
        ({"val": {"a": [[]]}}, "empty-tour"),
        ({"val": {"a": [[1.5]]}}, "bad-id"),
    ],
)
def test_bad_tours_are_problems(content: Any, code: str, tmp_path: Path) -> None:
    path = tmp_path / "tours.json"
    path.write_text(json.dumps({"val": content["val"] | {"b": [["1_0"]]}}))
    tours, found = problems("ivln-tours", path)
    assert [t.scan for t in tours] == ["b"]
    assert [p.code for p in found] == [code]
    for text in ('{"val": [1]}', '{"val": {}, "val": {}}', '{"val": {"a": [["1"]], "a": [["2"]]}}'):
        path.write_text(text)
        with pytest.raises(InputError, match=r"split|twice"):
            read("ivln-tours", path)


@pytest.mark.hypothesis
@pytest.mark.parametrize("sample", SAMPLES)
def test_damaged_files_give_episodes_or_a_clear_error(sample: str, tmp_path: Path) -> None:
    fmt, path = put(tmp_path, sample)
    whole = path.read_bytes()
    said: list[str] = []
    junk = st.sampled_from(
        [b"", b"NaN", b"null", b"[", b"]", b"{}", b'"', b",", b"1e999", b"\xff", b"\\ud800", b"-1"]
    )

    @settings(max_examples=30, deadline=None)
    @example(21, 0, b"{}")
    @given(st.integers(0, len(whole) - 1), st.integers(0, 12), junk)
    @example(21, 0, b"{}")
    @example(459, 0, b"{}")
    def check(start: int, length: int, filling: bytes) -> None:
        path.write_bytes(whole[:start] + filling + whole[start + length :])
        for on_problem in (refuse, lambda _: None):
            try:
                records = list(get_format(fmt).read(path, on_problem))
            except VlnscopeError as error:
                said.append(error.what)
                continue
            again = path.with_name(f"again{path.name}")
            try:
                again.write_bytes(written(fmt, records))
            except LossyConversionError:  # what was left out may have numbered the others
                assert on_problem is not refuse
                continue
            if records:
                assert read(fmt, again) == records

    check()
    assert said
    assert all(str(path) in what for what in said)


# ---------------------------------------------------------------- dense paths

TRUTH = {
    "1": {"locations": [[0, 0, 0], [0.25, 0, 0]], "actions": [2, 1, 0], "forward_steps": 1},
    "9": {"locations": [[5, 5, 5]], "actions": [0], "forward_steps": 0},
}


def test_ground_truth_is_attached_and_written_back(tmp_path: Path) -> None:
    path = tmp_path / "val_gt.json"
    path.write_text(json.dumps(TRUTH))
    truths = dict(read_ground_truth(path))
    assert truths["1"].locations == ((0.0, 0.0, 0.0), (0.25, 0.0, 0.0))
    episodes = read(*put(tmp_path, "r2r-ce"))
    (episode,) = attach_ground_truth(episodes, truths)
    assert episode.continuous.actions == (2, 1, 0)
    assert episode.continuous.forward_steps == 1
    assert list(attach_ground_truth(episodes, {})) == episodes
    stream = io.BytesIO()
    write_ground_truth([episode, *episodes], stream)
    assert json.loads(stream.getvalue()) == {"1": TRUTH["1"]}
    assert written("vlnce-episodes", [episode]) == written("vlnce-episodes", episodes)
    stream = io.BytesIO()
    write_ground_truth([], stream)
    assert json.loads(stream.getvalue()) == {}


def test_bad_ground_truth_is_named(tmp_path: Path) -> None:
    path = tmp_path / "val_gt.json"
    good = json.dumps(TRUTH["1"])
    path.write_text(
        f'{{"1": {good}, "2": {{"actions": []}}, "1": {good}, "3": {{"locations": [[1, 2]]}}, "4": NaN}}'
    )
    found: list[Problem] = []
    assert [name for name, _ in read_ground_truth(path, found.append)] == ["1"]
    assert [p.code for p in found] == ["missing-key", "duplicate-key", "tuple-shape", "not-finite"]
    assert found[0].where.endswith("record 2")
    with pytest.raises(InputError, match="record 2"):
        list(read_ground_truth(path))
    path.write_text("[]")
    assert list(read_ground_truth(path)) == []
    path.write_text("[{}]")
    with pytest.raises(InputError, match="ground truth"):
        list(read_ground_truth(path))


# ---------------------------------------------------------------- pose traces


def pose_arrays(**changes: Any) -> dict[str, Any]:
    arrays: dict[str, Any] = {
        "pano": np.array([["a"], ["a"], ["b"]]),
        "time": np.array([[0.0], [0.5], [1.5]], dtype=np.float32),
        "audio_time": np.array([[0.0], [0.0], [1.0]], dtype=np.float32),
        "extrinsic_matrix": np.zeros((3, 16), dtype=np.float32),
        "intrinsic_matrix": np.zeros((3, 16), dtype=np.float32),
        "image_mask": np.zeros((2, 128, 256), dtype=bool),
        "text_mask": np.ones((2, 7), dtype=bool),
        "feature_weights": np.zeros((2, 36), dtype=np.float32),
    }
    arrays.update(changes)
    return {name: array for name, array in arrays.items() if array is not None}


def test_a_pose_trace_is_read(tmp_path: Path) -> None:
    path = tmp_path / "000026_follower_pose_trace.npz"
    np.savez_compressed(path, **pose_arrays())
    trace = read_pose_trace(path)
    assert trace.pano == ("a", "a", "b")
    assert trace.time.tolist() == [0.0, 0.5, 1.5]
    assert trace.audio_time is not None
    assert trace.audio_time.shape == (3,)
    assert trace.text_mask is not None
    assert trace.text_mask.shape == (2, 7)
    assert trace.extrinsic is not None
    assert trace.extrinsic.dtype == np.float64


def test_a_guides_trace_with_bytes_short_names_and_flat_arrays(tmp_path: Path) -> None:
    path = tmp_path / "trace.npz"
    np.savez(path, pano=np.array([b"a", b"b"]), time=np.array([0.0, 1.0]), extrinsic=np.zeros((2, 16)))
    trace = read_pose_trace(path)
    assert trace.pano == ("a", "b")
    assert trace.audio_time is None
    assert trace.image_mask is None
    assert trace.extrinsic is not None


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"pano": None}, "pano"),
        ({"time": None}, "time"),
        ({"pano": np.zeros(3)}, "pano"),
        ({"pano": np.array(["a", "b"], dtype=object)}, "cannot be read"),
        ({"time": np.zeros(2)}, "time"),
        ({"time": np.array([0.0, np.nan, 1.0])}, "finite"),
        ({"time": np.array(["x", "y", "z"])}, "time"),
        ({"extrinsic_matrix": np.zeros((3, 4, 4))}, "extrinsic_matrix"),
        ({"feature_weights": np.zeros((2, 35))}, "feature_weights"),
    ],
)
def test_a_bad_pose_trace_is_refused(changes: dict[str, Any], word: str, tmp_path: Path) -> None:
    path = tmp_path / "trace.npz"
    np.savez(path, **pose_arrays(**changes))
    with pytest.raises(InputError, match=word) as caught:
        read_pose_trace(path)
    assert str(path) in caught.value.what


def test_files_that_are_no_pose_trace_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataNotFoundError):
        read_pose_trace(tmp_path / "none.npz")
    np.save(tmp_path / "array.npy", np.zeros(3))
    with pytest.raises(InputError, match="single array"):
        read_pose_trace(tmp_path / "array.npy")
    for content in (b"", b"PK\x03\x04", b"not a zip"):
        path = tmp_path / "broken.npz"
        path.write_bytes(content)
        with pytest.raises(InputError):
            read_pose_trace(path)


@pytest.mark.hypothesis
def test_a_damaged_pose_trace_never_gives_another_error(tmp_path: Path) -> None:
    path = tmp_path / "trace.npz"
    np.savez_compressed(path, **pose_arrays(image_mask=None))
    whole = path.read_bytes()
    said: list[str] = []

    @settings(max_examples=80, deadline=None)
    @given(st.integers(0, len(whole) - 1), st.binary(max_size=4), st.booleans())
    def check(start: int, filling: bytes, cut: bool) -> None:
        path.write_bytes(whole[:start] + filling + (b"" if cut else whole[start + len(filling) :]))
        try:
            read_pose_trace(path)
        except VlnscopeError as error:
            said.append(error.what)

    check()
    assert said
    assert all(str(path) in what for what in said)


# ---------------------------------------------------------------- real files

CE = "r2r_ce/R2R_VLNCE_v1-3_preprocessed"
REAL = [
    ("r2r-episodes", "r2r/R2R_train.json.gz", 4675, 14039),
    ("r2r-episodes", "r2r/R2R_val_seen.json.gz", 340, 1021),
    ("r2r-episodes", "r2r/R2R_val_unseen.json.gz", 783, 2349),
    ("r2r-episodes", "r2r/R2R_test.json.gz", 1391, 4173),
    ("fgr2r-episodes", "fgr2r/FGR2R_val_seen.json.gz", 340, 1021),
    ("fgr2r-episodes", "fgr2r/FGR2R_val_unseen.json.gz", 783, 2349),
    ("reverie-episodes", "reverie/REVERIE_val_seen.json.gz", 127, 1423),
    ("reverie-episodes", "reverie/REVERIE_val_unseen.json.gz", 315, 3521),
    pytest.param("vlnce-episodes", f"{CE}/train/train.json.gz", 3603, 10819, marks=pytest.mark.slow),
    ("vlnce-episodes", f"{CE}/val_seen/val_seen.json.gz", 259, 778),
    ("vlnce-episodes", f"{CE}/val_unseen/val_unseen.json.gz", 613, 1839),
    ("vlnce-episodes", f"{CE}/test/test.json.gz", 1136, 3408),
]


@pytest.mark.parametrize(("fmt", "name", "paths", "instructions"), REAL)
def test_real_files_are_complete_and_written_back_equal(
    fmt: str, name: str, paths: int, instructions: int, data_root: Path, tmp_path: Path
) -> None:
    path = data_root / name
    assert sniff(path).name == fmt
    episodes = read(fmt, path)
    assert len(episodes) == instructions
    assert len({e.path_id for e in episodes}) == paths
    again = tmp_path / "again.json"
    again.write_bytes(written(fmt, episodes))
    assert load(again) == load(path)


def test_real_chunks_cover_the_path(data_root: Path) -> None:
    episodes = read("fgr2r-episodes", data_root / "fgr2r/FGR2R_val_seen.json.gz")
    assert sum(not e.chunks for e in episodes) == 1  # the one fourth instruction
    for episode in episodes:
        for chunk in episode.chunks:
            assert 1 <= chunk.first_step <= chunk.last_step <= len(episode.path)
            assert chunk.words


def test_real_dense_paths(data_root: Path) -> None:
    folder = data_root / CE / "val_unseen"
    truths = dict(read_ground_truth(folder / "val_unseen_gt.json.gz"))
    assert sum(len(truth.locations) for truth in truths.values()) == 68_124
    episodes = attach_ground_truth(read("vlnce-episodes", folder / "val_unseen.json.gz"), truths)
    for episode in episodes:
        assert episode.continuous.locations[0] == pytest.approx(episode.continuous.start_position, abs=1e-3)
        assert episode.continuous.forward_steps == episode.continuous.actions.count(1)


def test_navnuances_annotations_of_the_fixtures(shared: Path, tmp_path: Path) -> None:
    oracle = json.loads((shared / "fixtures/navnuances_evaluators.json").read_text())
    for skill, content in oracle.items():
        path = tmp_path / f"R2R_{skill}.json"
        path.write_text(json.dumps(content["annotations"]))
        assert sniff(path).name == "navnuances-episodes"
        episodes = read("navnuances-episodes", path)
        assert {e.episode_id for e in episodes} >= {s["instr_id"] for s in content["submission"]} & {
            f"{a['path_id']}_0" for a in content["annotations"]
        }
        assert json.loads(written("navnuances-episodes", episodes)) == content["annotations"]


def test_r4r_items_of_the_fixtures(shared: Path, tmp_path: Path) -> None:
    items = json.loads((shared / "fixtures/r4r_construction.json").read_text())["val_seen_items"]
    path = tmp_path / "R4R_val_seen.json"
    path.write_text(json.dumps([item | {"instructions": ["x"] * item["n_instructions"]} for item in items]))
    episodes = read("r2r-episodes", path)
    assert (len(episodes), len({e.path_id for e in episodes})) == (1035, 115)
    assert json.loads(written("r2r-episodes", episodes)) == load(path)
