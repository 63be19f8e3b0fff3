"""Building pairs of right and wrong instructions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from vlnscope.benchmarks.errors.build.cases import build_cases
from vlnscope.benchmarks.errors.build.files import save_episodes
from vlnscope.benchmarks.errors.build.still_true import word_steps
from vlnscope.benchmarks.errors.build.types import TYPES
from vlnscope.benchmarks.errors.build.word_pieces import WordPieces
from vlnscope.benchmarks.errors.build.words import room_classes
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.cli.build import app
from vlnscope.core.exceptions import DataNotFoundError, InputError, UnknownNameError
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.language.alignment import words_of
from vlnscope.types import Case, Chunk, Continuous, Episode, SeenObject
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.objects import Objects
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene

NODES = ("a", "b", "c", "d", "e")
PLACES = [[0, 0, 1.5], [0, 3, 1.5], [-3, 3, 1.5], [-6, 3, 1.5], [-6, 6, 1.5]]
LABELS = {0: "k", 1: "h", 2: "b"}
REGION = {"a": 0, "b": 1, "c": 1, "d": 2, "e": 2}
SEEN = {
    "a": (SeenObject("stove", 3.0, 1.0), SeenObject("table", 2.0, 2.0)),
    "b": (SeenObject("plant", 3.0, 1.0, ("green",)),),
    "c": (),
    "d": (SeenObject("bed", 0.2, 3.0, ("white",)), SeenObject("lamp", 0.4, 3.0)),
    "e": (SeenObject("bed", 0.2, 1.0, ("white",)), SeenObject("nightstand", 1.0, 1.0)),
}
PIECES = (
    ("Leave the kitchen past the stove.", 1, 2),
    ("Turn left at the green plant, go down the hallway", 2, 3),
    ("and walk into the bedroom.", 3, 4),
    ("Stop by the second white bed inside.", 4, 5),
)
TEXT = " ".join(text for text, _, _ in PIECES)
OTHERS = (
    "Go up the stairs, turn right and wait in an office near an armchair.",
    "Exit the bathroom. Walk forward past the couches. Stop at the top of the stairs.",
    "Stop here.",
    "Leave the kitchen. Turn left and walk on. Enter the bedroom and wait by the bed.",
)


class _Scenes:
    def __init__(self, *layers: str) -> None:
        graph = NavGraph.build(list(NODES), PLACES, list(pairwise(NODES)))
        made = {"regions": lambda: Regions(REGION, LABELS), "objects": lambda: Objects("toy", SEEN)}
        self._scene = Scene("toy", graph, {name: made[name] for name in layers})

    def scans(self) -> tuple[str, ...]:
        return ("toy",)

    def scene(self, scan: str) -> Scene:
        assert scan == "toy"
        return self._scene


def _episodes() -> list[Episode]:
    chunks = tuple(Chunk(tuple(w.lower() for w, _ in words_of(t)), a, b) for t, a, b in PIECES)
    first = Episode(
        episode_id="1_0", path_id="1", scan="toy", instruction=TEXT, path=NODES, heading=0.0, chunks=chunks
    )
    rest = [
        Episode(episode_id=f"{k}_0", path_id=str(k), scan="toy", instruction=text, path=NODES, heading=0.0)
        for k, text in enumerate(OTHERS, 2)
    ]
    return [first, *rest]


def _dataset(
    episodes: Sequence[Episode] | None = None, layers: Sequence[str] = ("regions", "objects")
) -> Dataset:
    kept = _episodes() if episodes is None else episodes
    return Dataset(
        name="toy/test",
        split="test",
        format="",
        files=(),
        load=lambda on_problem: iter(kept),
        load_scenes=lambda: _Scenes(*layers),
    )


def _wrong(made: CaseSet) -> list[Case]:
    return [case for case in made.cases if case.groups["variant"] == "wrong"]


def _pairs(made: CaseSet) -> Iterator[tuple[Case, Case]]:
    clean = {case.groups["pair"]: case for case in made.cases if case.groups["variant"] == "clean"}
    return ((clean[case.groups["pair"]], case) for case in _wrong(made))


def _assert_recorded(clean: Case, wrong: Case) -> None:
    """The texts differ in the recorded words and nowhere else, and these are where they are said to be."""
    extra = wrong.episode.extra
    new = words_of(wrong.episode.instruction)
    rows = [*extra["words_swapped"], *extra.get("words_agreed", ())]
    text = wrong.episode.instruction
    for row in sorted(rows, key=lambda one: -one["span"][0]):
        start, end = row["span"]
        assert text[start:end] == row["new"]
        assert row["positions"] == [k for k, (_, at) in enumerate(new) if at.start < end and start < at.end]
        assert row["old"].lower() != row["new"].lower()
        text = text[:start] + row["old"] + text[end:]
    assert text == clean.episode.instruction


@pytest.mark.parametrize("common_sense", [True, False])
def test_pairs_differ_only_in_what_is_recorded(common_sense: bool) -> None:
    made = build_cases(_dataset(), types=tuple(TYPES), common_sense=common_sense)
    assert {case.groups["type"] for case in made.cases} == set(TYPES)
    originals = {episode.episode_id: episode.instruction for episode in _episodes()}
    for clean, wrong in _pairs(made):
        _assert_recorded(clean, wrong)
        assert clean.groups | {"variant": "wrong"} == wrong.groups
        assert clean.episode.instruction == originals[clean.episode.episode_id]
        assert clean.episode.errors is not None
        assert wrong.episode.errors is not None
        assert not clean.episode.errors.contains_error
        error = TYPES[wrong.groups["type"]]
        assert (wrong.episode.errors.error_type, wrong.episode.errors.contains_error) == (error.code, True)
        assert len(wrong.episode.errors.swaps) == len(error.ingredients)
    assert len({case.case_id for case in made.cases}) == len(made.cases)


def test_short_instructions_and_those_without_the_words_are_left_out_and_counted() -> None:
    made = build_cases(_dataset(), types=("room",), filters="paper")
    assert {case.episode.episode_id for case in made.cases} == {"1_0", "2_0", "3_0", "5_0"}
    assert [(loss.before, loss.after) for loss in made.losses[:2]] == [(5, 4), (4, 4)]
    assert len(build_cases(_dataset(), types=("room",), shortest=20, filters="paper").cases) == 2


def test_a_room_that_is_there_is_never_put_in() -> None:
    """The words about the kitchen speak of a kitchen and a hallway, those about the bedroom of the rest."""
    drawn: Counter[tuple[str, str]] = Counter()
    unchecked: Counter[tuple[str, str]] = Counter()
    for seed in range(60):
        for layers, found in ((("regions",), drawn), ((), unchecked)):
            made = build_cases(_dataset(_episodes()[:1], layers), types=("room",), seed=seed, filters="paper")
            swap = _wrong(made)[0].episode.extra["words_swapped"][0]
            found[swap["old"], swap["new"]] += 1
    assert ("kitchen", "hallway") not in drawn
    assert ("bedroom", "hallway") not in drawn
    assert unchecked["kitchen", "hallway"] > 0
    assert {old for old, _ in drawn} == {"kitchen", "hallway", "bedroom"}


def test_swaps_that_stay_true_are_counted() -> None:
    first = _dataset(_episodes()[:1])
    lost = [build_cases(first, types=("room",), seed=k, filters="paper").losses[2] for k in range(20)]
    assert all(loss.after == 1 for loss in lost)
    assert any(loss.before > 1 for loss in lost)


def test_an_object_in_sight_is_never_put_in() -> None:
    for seed in range(40):
        made = build_cases(_dataset(_episodes()[:1]), types=("object",), seed=seed)
        swap = _wrong(made)[0].episode.extra["words_swapped"][0]
        if swap["old"] == "stove":
            assert swap["new"] not in ("table", "plant")
        if swap["old"] == "bed":
            assert swap["new"] not in ("lamp", "nightstand")


def test_turns_and_colours_are_checked_where_words_are_aligned() -> None:
    """The path turns left at b and right at d; a plant that is green is not called green again."""
    for seed in range(20):
        made = build_cases(_dataset(_episodes()[:1]), types=("direction", "attribute"), seed=seed)
        for case in _wrong(made):
            swap = case.episode.extra["words_swapped"][0]
            assert (swap["old"], swap["new"]) != ("go down", "go up")  # a hallway has no up
            if case.groups["type"] == "attribute":
                assert swap["old"] != swap["new"]


def test_words_know_their_steps_and_keep_them() -> None:
    episode = _episodes()[0]
    assert word_steps(episode, TEXT.index("stove")) == range(2)
    assert word_steps(episode, TEXT.index("bedroom")) == range(2, 4)
    assert word_steps(replace(episode, chunks=()), 0) is None
    for case in _wrong(build_cases(_dataset([episode]), types=("room", "object", "all"), seed=3)):
        said = [word.lower() for word, _ in words_of(case.episode.instruction)]
        assert [word for chunk in case.episode.chunks for word in chunk.words] == said
        assert [c.first_step for c in case.episode.chunks] == [c.first_step for c in episode.chunks]
        for first, last in case.episode.extra["error_steps"]:
            assert 0 <= first <= last < len(NODES)


def test_positions_are_fifths_of_the_instruction() -> None:
    for case in _wrong(build_cases(_dataset(), types=("direction", "room", "object"))):
        first = case.episode.extra["words_swapped"][0]["positions"][0]
        words = len(words_of(case.episode.instruction))
        fifth = int(case.groups["position"])
        assert (fifth - 1) / 5 <= first / words < fifth / 5


def test_choices_depend_on_the_seed_and_on_the_episode_alone() -> None:
    whole = build_cases(_dataset(), types=("all", "object"), seed=5)
    assert build_cases(_dataset(), types=("all", "object"), seed=5) == whole
    part = build_cases(_dataset(_episodes()[:1]), types=("object",), seed=5)
    texts = {case.case_id: case.episode.instruction for case in whole.cases}
    assert all(texts[case.case_id] == case.episode.instruction for case in part.cases)
    other = [build_cases(_dataset(), types=("object",), seed=k).cases for k in range(5)]
    assert any(cases != other[0] for cases in other)


def test_common_sense_is_marked_where_it_plays_a_part() -> None:
    made = build_cases(_dataset(), types=("direction", "room"))
    marks = {(case.groups["type"], case.groups["common_sense"]) for case in made.cases}
    assert marks == {("direction", "no"), ("room", "yes")}
    made = build_cases(_dataset(), types=("room",), common_sense=False)
    assert {case.groups["common_sense"] for case in made.cases} == {"no"}


def test_limit_draws_whole_pairs() -> None:
    made = build_cases(_dataset(), types=("direction", "room"), limit=1)
    assert Counter(case.groups["type"] for case in made.cases) == {"direction": 2, "room": 2}
    kept = [loss for loss in made.losses if loss.filter.endswith("some swap is wrong where it is said")]
    assert [loss.after for loss in kept] == [1, 1]


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"types": ("direktion",)}, UnknownNameError),
        ({"priors": "guessed"}, UnknownNameError),
        ({"matching": "fuzzy"}, UnknownNameError),
        ({"filters": "lax"}, UnknownNameError),
        ({"length_in": "metres"}, UnknownNameError),
        ({"length_in": "pieces"}, InputError),
        ({"vocabulary": "no/such/vocab.txt"}, DataNotFoundError),
        ({"shortest": 1000}, InputError),
    ],
)
def test_bad_options_are_said(options: dict[str, object], kind: type[InputError]) -> None:
    with pytest.raises(kind):
        build_cases(_dataset(), **options)  # type: ignore[arg-type]


@pytest.fixture
def vocabulary(tmp_path: Path) -> Path:
    pytest.importorskip("tokenizers")
    words = {word.lower() for text in (TEXT, *OTHERS) for word, _ in words_of(text)}
    pieces = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        ".",
        ",",
        *sorted(words),
        "bath",
        "##room",
        "rooms",
    ]
    path = tmp_path / "vocab.txt"
    path.write_text("\n".join(dict.fromkeys(pieces)) + "\n")
    return path


def test_positions_of_word_pieces_count_the_special_one(vocabulary: Path) -> None:
    pieces = WordPieces(vocabulary)
    assert pieces.count("Stop here.") == 3
    made = build_cases(_dataset(), types=("room",), vocabulary=vocabulary)
    for case in _wrong(made):
        errors, ids = case.episode.errors, case.episode.extra["instruction"]["instruction_tokens"]
        assert errors is not None
        assert len(ids) == 80
        assert ids[0] == 2  # [CLS]
        for swap in errors.swaps:
            assert swap.token_id
            assert [ids[at] for at in swap.token_id_position] == list(swap.token_id)


def test_a_file_that_is_no_vocabulary_is_said(tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    path = tmp_path / "vocab.txt"
    path.write_text("stop\nhere\n")
    with pytest.raises(InputError, match="cannot be used as a vocabulary"):
        WordPieces(path)


def test_files_are_as_those_of_the_benchmark_and_can_be_read(tmp_path: Path, vocabulary: Path) -> None:
    space = Continuous(
        start_position=(0.0, 0.0, 0.0),
        start_rotation=(0.0, 0.0, 0.0, 1.0),
        goals=((1.0, 0.0, 1.0),),
        goal_radii=(3.0,),
        reference_path=((0.0, 0.0, 0.0), (1.0, 0.0, 1.0)),
        locations=((0.0, 0.0, 0.0), (0.5, 0.0, 0.5)),
        actions=(1, 0),
        forward_steps=1,
    )
    source = [
        replace(e, episode_id=str(k), continuous=space, path=(), chunks=(), heading=None)
        for k, e in enumerate(_episodes(), 11)
    ]
    made = build_cases(_dataset(source), types=("room", "room-object"), vocabulary=vocabulary)
    assert any("cannot be run" in note for note in made.notes)
    paths = save_episodes(made, tmp_path)
    assert [path.parent.name for path in paths] == ["test_error_v1_room", "test_error_v1_room_object"]
    again = list(open_dataset(paths[0]).episodes())
    halves = [case for case in made.cases if case.groups["type"] == "room"]
    assert open_dataset(paths[0]).format == "r2rie-episodes"
    assert [e.instruction for e in again] == [
        case.episode.instruction for v in ("clean", "wrong") for case in halves if case.groups["variant"] == v
    ]
    assert [e.errors for e in again][-1] == _wrong(made)[len(halves) // 2 - 1].episode.errors
    assert {e.extra["old_episode_id"] for e in again} <= {11, 12, 13, 14, 15}
    assert all(e.continuous and e.continuous.locations == space.locations for e in again)
    with pytest.raises(InputError, match="no positions"):
        save_episodes(build_cases(_dataset(), types=("room",)), tmp_path)


def test_the_command_writes_a_case_set(tmp_path: Path) -> None:
    out = tmp_path / "cases"
    asked = ["--data", "sample/demo", "--type", "direction", "--type", "order", "--limit", "7"]
    result = CliRunner().invoke(app, ["errors", *asked, "--out", str(out), "--json"])
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    made = CaseSet.load(out)
    assert said["counts"] == {"direction": 7, "order": 7}
    assert said["cases"] == len(made.cases) == 28
    assert made.options["positions"] == said["options"]["positions"]
    for clean, wrong in _pairs(made):
        _assert_recorded(clean, wrong)
    result = CliRunner().invoke(app, ["errors", *asked, "--out", str(out)])
    assert "1,609" in result.output


@pytest.fixture(scope="module")
def real(data_root: Path) -> CaseSet:
    """The sets of R2R-CE val_unseen that Table I of the paper counts."""
    pytest.importorskip("tokenizers")
    return build_cases(
        open_dataset("r2r-ce/val_unseen", data_root),
        types=("direction", "room"),
        graph=open_dataset("r2r/val_unseen", data_root),
        vocabulary=data_root / "bert" / "bert-base-uncased-vocab.txt",
        filters="paper",
    )


def test_real_counts_and_lengths(real: CaseSet, data_root: Path) -> None:
    pairs = Counter(case.groups["type"] for case in _wrong(real))
    assert pairs["direction"] == 1609
    assert abs(pairs["room"] - 1032) <= 10.32
    pieces = WordPieces(data_root / "bert" / "bert-base-uncased-vocab.txt")
    mine = [clean for clean, wrong in _pairs(real) if wrong.groups["type"] == "direction"]
    lengths = [pieces.count(case.episode.instruction) for case in mine]
    assert round(sum(lengths) / len(lengths), 2) == 31.59


def test_real_only_recorded_words_differ_and_all_can_be_walked(real: CaseSet) -> None:
    for clean, wrong in _pairs(real):
        _assert_recorded(clean, wrong)
    assert all(len(case.episode.path) > 3 and case.episode.continuous for case in real.cases)


def test_real_no_room_of_the_path_is_put_in(real: CaseSet, data_root: Path) -> None:
    letters = {room.forms[0]: room.letters for room in room_classes().values()}
    scenes = open_dataset("r2r/val_unseen", data_root).scenes
    assert scenes is not None
    for case in _wrong(real):
        if case.groups["type"] == "room":
            new = case.episode.extra["words_swapped"][0]["new"].lower()
            regions = scenes.scene(case.episode.scan).regions
            there = {regions.label(node) for node in case.episode.path}
            assert not there & set(letters.get(new, ()))
