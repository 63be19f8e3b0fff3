"""Detection and localisation of instruction errors: metrics, detectors, the command."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import fit_detector
from flat_scene import PATH, RIGHT, flat
from vlnscope.benchmarks.errors.detection.annotation import wrong_words
from vlnscope.benchmarks.errors.detection.protocol import Detection, Outing, look_along, make_detector
from vlnscope.benchmarks.errors.detection.rows import parts_of, row_of, score_detections
from vlnscope.benchmarks.errors.detection.scores import (
    auc_over_scenes,
    average_precision,
    corrected_distance,
    hit_share,
    located,
    official_distance,
    risk_coverage,
    roc_auc,
)
from vlnscope.benchmarks.errors.detectors.calibration import Senses, calibration, features, together
from vlnscope.benchmarks.errors.detectors.claims import claims_of, opposite_of
from vlnscope.benchmarks.errors.detectors.grounding import WalkFit
from vlnscope.benchmarks.errors.detectors.presence import presence
from vlnscope.benchmarks.errors.detectors.turns import signs_of, turns_of
from vlnscope.benchmarks.errors.protocol import rules
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.cli.main import app
from vlnscope.core import registry
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.evaluate.audit.detect import detect
from vlnscope.language.alignment import words_of
from vlnscope.language.parse import parse
from vlnscope.perception.sights.percept import scene_percepts
from vlnscope.types import Case, Episode, InstructionErrors, WordSwap


@pytest.fixture
def walk() -> Outing:
    """The way from the bedroom to the kitchen."""
    scene = flat()
    return look_along(scene, scene_percepts(scene), PATH, 0.0)


def test_auc_and_atd_as_the_official_code(shared: Path) -> None:
    for run in json.loads((shared / "fixtures" / "iedl_auc_atd.json").read_text()):
        episodes = run["episodes"]
        truth = [bool(e["contains_error"]) for e in episodes]
        auc = roc_auc(truth, [e["score"] for e in episodes])
        assert auc == pytest.approx(run["roc_auc_sklearn"], abs=1e-9)
        wrong = [e for e in episodes if e["contains_error"]]
        for e in wrong:
            found = located(e["token_logits"], len(e["gt_positions"]))
            assert sorted(found) == sorted(e["predicted_positions"])
            assert official_distance(e["gt_positions"], e["token_logits"]) == pytest.approx(
                e["atd"], abs=1e-9
            )
        mean = np.mean([official_distance(e["gt_positions"], e["token_logits"]) for e in wrong])
        assert mean == pytest.approx(run["ATD"], abs=1e-9)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=1, max_size=30))
def test_auc_counts_pairs(rows: list[tuple[bool, int]]) -> None:
    wrong = [score for is_wrong, score in rows if is_wrong]
    right = [score for is_wrong, score in rows if not is_wrong]
    auc = roc_auc([w for w, _ in rows], [float(s) for _, s in rows])
    if not wrong or not right:
        assert auc is None
        return
    pairs = [(a > b) + (a == b) / 2 for a in wrong for b in right]
    assert auc == pytest.approx(sum(pairs) / len(pairs))


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=30))
def test_risk_ends_at_the_share_of_errors_and_precision_is_one_when_sorted(
    rows: list[tuple[bool, float]],
) -> None:
    truth, scores = [w for w, _ in rows], [s for _, s in rows]
    curve = risk_coverage(truth, scores)
    assert curve.coverage[-1] == 1.0
    assert curve.risk[-1] == pytest.approx(np.mean(truth))
    if any(truth):
        assert average_precision(truth, [float(w) for w in truth]) == 1.0
        assert 0.0 < (average_precision(truth, scores) or 0.0) <= 1.0
    else:
        assert average_precision(truth, scores) is None


@given(st.lists(st.floats(0, 1), min_size=3, max_size=20, unique=True), st.data())
def test_both_distances_agree_where_nothing_is_tied(scores: list[float], data: st.DataObject) -> None:
    places = st.integers(0, len(scores) - 1)
    true = data.draw(st.lists(places, min_size=1, max_size=3, unique=True))
    assert corrected_distance(true, scores) == pytest.approx(official_distance(true, scores))


def test_a_silent_detector_gains_nothing_by_early_errors() -> None:
    assert official_distance([0], [0.0] * 9) == 0.0
    assert corrected_distance([0], [0.0] * 9) == 4.0
    assert corrected_distance([8], [0.0] * 9) == 4.0


def test_padding_is_left_out_only_by_the_corrected_distance() -> None:
    scores = [0.0, 0.2, 0.1, 0.9]
    assert official_distance([1], scores) == 2.0
    assert corrected_distance([1], scores, slice(1, 3)) == 0.0


def test_hits_and_intervals() -> None:
    assert hit_share([{1, 2}, {5}], [2, 7]) == 0.5
    assert auc_over_scenes([True, True], [0.1, 0.2], ["a", "b"]).reason
    both = auc_over_scenes(
        [True, False] * 12,
        [0.9, 0.1] * 12,
        [name for name in "abcdef" for _ in range(4)],
    )
    assert (both.value, both.high) == (1.0, 1.0)
    assert 0.5 < (both.low or 0.0) < 0.7, "twelve of each kind may be luck"
    few = auc_over_scenes([True, False] * 2, [0.9, 0.1] * 2, ["a", "a", "b", "b"])
    assert (few.value, few.low) == (1.0, None)
    assert auc_over_scenes([True, False], [1.0, 0.0], ["a", "a"]).low is None


def test_claims_say_what_they_would_be_otherwise() -> None:
    read = parse("Turn left at the red sofa and stop at the second door.")
    found = {(claim.aspect, claim.word): claim for claim in claims_of(read)}
    assert set(found) >= {("direction", "left"), ("object", "sofa"), ("attribute", "red"), ("object", "door")}
    assert found["direction", "left"].otherwise[0].direction == "right"
    assert found["object", "sofa"].otherwise[0].at is None
    assert found["object", "sofa"].otherwise[1:] == read.actions[1:]
    assert found["ordinal", "second"].otherwise[-1].place is not None
    assert found["ordinal", "second"].otherwise[-1].place.ordinal is None
    for claim in found.values():
        assert read.text[claim.span.start : claim.span.end].lower() == claim.word


def test_a_walk_fits_its_own_instruction_best(walk: Outing) -> None:
    fit = WalkFit(walk)
    now = fit.score(parse(RIGHT).actions)
    for old, new in (("left", "right"), ("kitchen", "bathroom"), ("sofa", "bed"), ("bedroom", "kitchen")):
        assert fit.score(parse(RIGHT.replace(old, new)).actions) < now


def test_turns_take_two_steps_and_words_their_order(walk: Outing) -> None:
    assert turns_of(walk).round().tolist() == [-90.0, -90.0, 0.0, 0.0]
    signs = signs_of(parse("Turn left, go straight and pass the door on your right."))
    assert [sign.side for sign in signs] == [-1, 0, 1]
    assert [sign.role for sign in signs][:2] == ["turn:turn", "straight"]


@pytest.mark.parametrize(
    ("old", "new"), [("left", "right"), ("kitchen", "bathroom"), ("sofa", "bed"), ("bedroom", "office")]
)
def test_grounding_finds_the_wrong_word(walk: Outing, old: str, new: str) -> None:
    detector = make_detector("grounding")
    text = RIGHT.replace(old, new)
    clean, wrong = detector.detect(RIGHT, walk), detector.detect(text, walk)
    assert wrong.score > clean.score
    words = [word for word, _ in words_of(text)]
    assert words[located(wrong.words, 1)[0]] == new
    assert wrong.reasons
    assert new in wrong.reasons[0].text


def test_alignment_sees_names_and_no_directions(walk: Outing) -> None:
    detector = make_detector("alignment")
    clean = detector.detect(RIGHT, walk)
    assert clean.score == 0.0
    assert detector.detect(RIGHT.replace("left", "right"), walk).score == clean.score
    wrong = detector.detect(RIGHT.replace("sofa", "piano"), walk)
    assert wrong.score > 0.0
    assert located(wrong.words, 1)[0] == RIGHT.split().index("sofa")


@pytest.mark.parametrize("name", ["alignment", "grounding"])
def test_who_cannot_see_rooms_does_not_miss_them(name: str) -> None:
    scene = flat()
    blind = look_along(scene, scene_percepts(scene, senses=["objects"]), PATH, 0.0)
    told = make_detector(name).detect(RIGHT.replace("kitchen", "garage"), blind)
    assert not any("garage" in reason.text for reason in told.reasons)


def test_detectors_tell_aspects_apart(walk: Outing) -> None:
    detector = make_detector("grounding")
    right, wrong = (detector.detect(text, walk) for text in (RIGHT, RIGHT.replace("left", "right")))
    assert wrong.aspects["direction"] > right.aspects["direction"]
    assert wrong.aspects["direction"] > wrong.aspects["object"]


def test_one_of_the_claims_is_wrong_or_none(walk: Outing) -> None:
    found = make_detector("grounding").detect(RIGHT.replace("sofa", "piano"), walk)
    assert sum(found.words) == pytest.approx(found.score, abs=1e-6)
    assert max(found.aspects.values()) <= found.score


def test_the_first_word_stands_for_a_name_of_several(walk: Outing) -> None:
    text = RIGHT.replace("kitchen", "laundry room")
    words = [word for word, _ in words_of(text)]
    found = make_detector("grounding").detect(text, walk)
    assert 0.0 < found.words[words.index("room")] < min(found.words[words.index("laundry")], found.score / 10)


@pytest.mark.parametrize("senses", ["labels", "captions"])
def test_weights_belong_to_kinds_and_counts_to_words(senses: Senses) -> None:
    known = calibration(senses)
    read = parse("Turn left into the bedroom, go forward, pass the lamp and go up to the second red door.")
    claims = claims_of(read)
    for claim in claims:
        other = opposite_of(claim.word) if claim.aspect == "direction" else "anything"
        renamed = claim._replace(word=other)
        assert features(claim, among=2, gain=1.0) == features(renamed, among=2, gain=1.0)
        if claim.aspect == "direction":
            (here,), (there,) = (known.beforehand(one).values() for one in (claim, renamed))
            assert here == pytest.approx(-there)
        if claim.aspect in ("room", "object"):
            assert known.unseen(claim, 0) > known.unseen(claim, 3)
    names = {name for claim in claims for name in features(claim, among=1, gain=0.0, turned=0.0)}
    assert {name.partition(":")[0] for name in known.weights} <= {
        *(name.partition(":")[0] for name in names),
        *("unseen", "unusual", "seldom", "common"),
    }


@given(st.lists(st.floats(-20, 20), max_size=6))
def test_odds_of_several_claims_add_up(odds: list[float]) -> None:
    assert math.exp(together(odds)) == pytest.approx(sum(math.exp(one) for one in odds))


def test_presence_looks_where_a_place_is_expected(walk: Outing) -> None:
    assert presence("room", "kitchen", 1.0, walk) == 3
    assert presence("room", "kitchen", 0.0, walk) == 1
    assert presence("room", "garage", 1.0, walk) == 0


def test_random_is_fair_and_the_same_every_time(walk: Outing) -> None:
    detector = make_detector("random", 3)
    assert detector.detect(RIGHT, walk) == make_detector("random", 3).detect(RIGHT, walk)
    assert detector.detect(RIGHT, walk) != make_detector("random", 4).detect(RIGHT, walk)
    scores = [detector.detect(f"{RIGHT} {k}", walk).score for k in range(4000)]
    auc = roc_auc([bool(k % 2) for k in range(4000)], scores)
    assert auc == pytest.approx(0.5, abs=0.02)


def test_detectors_are_registered() -> None:
    assert {"random", "alignment", "grounding"} <= set(registry.names("detector"))
    with pytest.raises(UnknownNameError, match="grounding"):
        make_detector("groundin")


def test_a_walk_must_follow_the_graph() -> None:
    scene = flat()
    with pytest.raises(InputError, match="no neighbour"):
        look_along(scene, scene_percepts(scene), ("bed", "west"), 0.0)
    with pytest.raises(InputError, match="empty"):
        look_along(scene, scene_percepts(scene), (), 0.0)
    assert look_along(scene, scene_percepts(scene), ("bed", "bed", "hall"), 0.0).path == ("bed", "hall")


def _episode(text: str, wrong: str = "", extra: dict[str, Any] | None = None) -> Episode:
    errors = InstructionErrors(bool(wrong), int(bool(wrong)), (WordSwap("x", wrong),) if wrong else ())
    return Episode(
        episode_id="1",
        path_id="1",
        scan="flat",
        instruction=text,
        path=PATH,
        errors=errors,
        extra=extra or {},
    )


def test_wrong_words_come_from_the_record_or_are_looked_for() -> None:
    assert wrong_words(_episode(RIGHT)) == ()
    assert wrong_words(_episode("Go out of the room.", "out of")) == ((1, 2),)
    recorded = _episode("Go left, then left.", "left", extra={"words_swapped": [{"positions": [3]}]})
    assert wrong_words(recorded) == ((3,),)


def test_rows_are_scored_by_type() -> None:
    found = Detection(score=0.9, words=(0.0, 0.8, 0.1, 0.0))
    quiet = Detection(score=0.1, words=(0.0,) * 4)
    cases = [
        Case(case_id="w", episode=_episode("Go left then stop.", "left"), groups={"type": "direction"}),
        Case(case_id="c", episode=_episode("Go right then stop."), groups={"type": "direction"}),
    ]
    (scores,) = score_detections([row_of(cases[0], found), row_of(cases[1], quiet)])
    assert (scores.type, scores.right, scores.wrong, scores.auc.value) == ("direction", 1, 1, 1.0)
    assert scores.located == {"ATD": 0.0, "ATD official": 0.0, "hit word": 1.0, "hit part": 1.0}
    assert scores.average_precision == 1.0


def test_parts_cover_all_words() -> None:
    parts = parts_of(_episode(RIGHT))
    assert len(parts) == len(words_of(RIGHT))
    assert parts == sorted(parts)
    assert len(set(parts)) >= 3


@pytest.fixture(scope="session")
def house_cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Planted errors in the instructions of a house."""
    from vlnscope.benchmarks.errors.build.cases import build_cases

    dataset = open_dataset("houses/val_seen@1")
    types = ("direction", "room", "object")
    made = build_cases(dataset, types=types, priors="houses", limit=12)
    return made.save(tmp_path_factory.mktemp("cases"))


def test_grounding_beats_the_others_in_houses(house_cases: Path) -> None:
    def aucs(detector: str) -> dict[str, float]:
        return {s.type: s.auc.value or 0.0 for s in detect(house_cases, detector).scores()}

    grounding, alignment = aucs("grounding"), aucs("alignment")
    assert min(grounding.values()) > 0.8
    assert alignment["direction"] < 0.7 < grounding["direction"]


def test_the_fit_tells_planted_errors(house_cases: Path) -> None:
    asked = CaseSet.load(house_cases)
    dataset = open_dataset(asked.data)
    weighing = fit_detector.Weighing(fit_detector.Looking(dataset, None), calibration("labels"))
    weighed = [weighing.weighed(case) for case in asked.cases]
    weights = fit_detector.fit_weights(weighed, calibration("labels"))
    assert weights["turned"] > 0.0
    assert weights["unseen:object"] > 0.0
    assert weights == fit_detector.fit_weights(weighed, calibration("labels"))


def test_words_are_counted_in_instructions_as_they_are() -> None:
    dataset = fit_detector.some_of(open_dataset("houses/val_seen@1"), 1, 30)
    read = fit_detector.Reading(fit_detector.Looking(dataset, None))
    for episode in dataset.episodes():
        read.add(episode)
    said, seen = read.said()["direction"], read.sightings()
    texts = " ".join(episode.instruction.lower() for episode in dataset.episodes())
    assert 0 < said["left"] <= texts.count("left")
    for aspect in ("room", "object"):
        named, others = seen[aspect]["*"]
        assert named[0] / sum(named) < others[0] / sum(others)


def test_detectors_are_listed() -> None:
    made = CliRunner().invoke(app, ["ls", "detectors", "--json"])
    assert made.exit_code == 0, made.output
    assert {"random", "alignment", "grounding"} <= {
        one["name"] for one in json.loads(made.stdout)["detectors"]
    }


def test_detect_command(house_cases: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.parquet"
    command = ["detect", str(house_cases), "--limit", "3", "--json", "--threshold", "0.5", "--out", str(out)]
    made = CliRunner().invoke(app, command)
    assert made.exit_code == 0, made.output
    found = json.loads(made.stdout)
    assert found["walks"] == "reference"
    assert found["instructions"] == 18
    assert {one["type"] for one in found["scores"]} == {"direction", "room", "object"}
    assert all(one["score"] > 0.5 for one in found["flagged"])
    assert out.is_file()
    shown = CliRunner().invoke(app, ["detect", str(house_cases), "--limit", "2", "--detector", "random"])
    assert "AUC" in shown.stdout


def test_detect_needs_walks(tmp_path: Path) -> None:
    empty = Case(case_id="x", episode=_episode("Go left then stop."))
    asked = CaseSet(benchmark="errors", data="houses/val_seen@1", rules=rules(), cases=(empty,))
    with pytest.raises(InputError, match="holds no run"):
        detect(asked, "random", walks=tmp_path)
