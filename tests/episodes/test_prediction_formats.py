"""Every prediction format: what it reads, what it refuses and why, and how it is recognised."""

from __future__ import annotations

import dataclasses
import gzip
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vlnscope.core.exceptions import InputError, LossyConversionError, UnknownNameError
from vlnscope.episodes.format import Format, Head, Problem, formats, get_format, register_format
from vlnscope.episodes.formats import evidence, r2r_submission, reverie_submission, vlnce_submission
from vlnscope.episodes.formats.ivln_log import SplitTourLog
from vlnscope.episodes.prediction_codec import RecordReader
from vlnscope.episodes.reading import (
    read_episodes,
    read_predictions,
    read_tour_logs,
    read_tours,
    sniff,
)
from vlnscope.types import Prediction, TourLog, TourStep

A, B, C = "a" * 32, "b" * 32, "c" * 32
ANGLES = {"instr_id": "1_0", "trajectory": [[A, 0.5, 0.0], [A, 1, 0.25], [B, 2.5, 0]]}
NESTED = {"instr_id": "1_1", "trajectory": [[A], [B, C]]}
FLAT = {"instr_id": "1_2", "trajectory": [A, B]}
MIXED = {"instr_id": "2_0", "trajectory": [[A, 0.5, 0.0], [B, C], A]}
STEP = {"position": [0.0, 1, 2.5], "heading": 0.5, "stop": False}
LINE = {"v": 1, "case_id": "c1", "episode_id": "1_0", "path": [A]}
LOG = {"position": [0.0, 1.0, 2.0], "phase": "agent", "episode_id": "7"}


def put(path: Path, content: Any) -> Path:
    """Write JSON; a list becomes lines if the name says so."""
    is_lines = ".jsonl" in path.suffixes
    path.write_text("".join(json.dumps(c) + "\n" for c in content) if is_lines else json.dumps(content))
    return path


def look(path: Path, name: str | None = None) -> tuple[list[Prediction], list[Problem]]:
    """Read a file to its end, collecting what is wrong."""
    problems: list[Problem] = []
    return list(read_predictions(path, name, problems.append)), problems


# --- R2R ---------------------------------------------------------------------------------------------


def test_each_encoding_of_r2r_says_what_it_has(tmp_path):
    angles, nested, flat, mixed = read_predictions(put(tmp_path / "a.json", [ANGLES, NESTED, FLAT, MIXED]))
    assert (angles.episode_id, angles.path) == ("1_0", (A, A, B))
    assert (angles.headings, angles.elevations, angles.segments) == ((0.5, 1.0, 2.5), (0.0, 0.25, 0.0), None)
    assert (nested.path, nested.headings, nested.segments) == ((A, B, C), None, (1, 2))
    assert (flat.path, flat.headings, flat.segments) == ((A, B), None, None)
    assert (mixed.path, mixed.headings, mixed.segments) == ((A, B, C, A), None, None)
    assert mixed.extra == {"trajectory": MIXED["trajectory"]}


@pytest.mark.parametrize("record", [ANGLES, NESTED, FLAT, MIXED | {"score": [1, None]}])
def test_each_encoding_of_r2r_is_written_back_as_it_was(tmp_path, record):
    stream = io.BytesIO()
    r2r_submission.CODEC.write(read_predictions(put(tmp_path / "a.json", [record])), stream)
    assert json.loads(stream.getvalue()) == [record]


def test_ids_may_be_numbers_and_other_members_are_kept(tmp_path):
    (found,) = read_predictions(put(tmp_path / "a.json", [FLAT | {"instr_id": 17, "loss": 0.5, "a_t": [1]}]))
    assert found.episode_id == "17"
    assert found.extra == {"loss": 0.5, "a_t": [1]}


def test_r2r_records_may_come_as_lines(tmp_path):
    found = list(read_predictions(put(tmp_path / "a.jsonl", [ANGLES, NESTED])))
    assert [p.episode_id for p in found] == ["1_0", "1_1"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"trajectory": []}, "empty-path"),
        ({"trajectory": [[]]}, "empty-path"),
        ({"trajectory": {}}, "tuple-shape"),
        ({"trajectory": "abc"}, "tuple-shape"),
        ({"trajectory": [{"path": [A]}]}, "tuple-shape"),
        ({"trajectory": [[A, 0.5]]}, "tuple-shape"),
        ({"trajectory": [[A, 0.5, 0.0, 0.0]]}, "tuple-shape"),
        ({"trajectory": [[A, 0.5, "0"]]}, "tuple-shape"),
        ({"trajectory": [[A, True, 0.0]]}, "tuple-shape"),
        ({"trajectory": [A, 0.5, 0.0]}, "tuple-shape"),
        ({"trajectory": [[A, None, 0.0]]}, "not-finite"),
        ({"trajectory": [[17, 0.5, 0.0]]}, "not-a-string"),
        ({"trajectory": [[None], [A]]}, "not-a-string"),
        ({"trajectory": [["", 0.5, 0.0]]}, "bad-viewpoint"),
        ({"trajectory": [""]}, "bad-viewpoint"),
        ({"instr_id": ""}, "bad-id"),
        ({"instr_id": None}, "bad-id"),
        ({"instr_id": 1.5}, "bad-id"),
        ({"instr_id": True}, "bad-id"),
        ({"instr_id": ["1_0"]}, "bad-id"),
    ],
)
def test_what_is_wrong_with_an_r2r_record_has_a_name(tmp_path, change, code):
    path = put(tmp_path / "a.json", [NESTED, ANGLES | change, FLAT])
    found, (problem,) = look(path)
    assert [p.episode_id for p in found] == ["1_1", "1_2"]
    assert problem.code == code
    assert problem.where == f"{path}: record 2"
    assert problem.what
    assert problem.expected
    if "trajectory" in change:
        assert problem.episode_id == "1_0"
        with pytest.raises(InputError, match=r"a\.json: record 2, episode 1_0: "):
            list(read_predictions(path))


@pytest.mark.parametrize("missing", ["instr_id", "trajectory"])
def test_a_missing_member_is_named(tmp_path, missing):
    record = {key: value for key, value in ANGLES.items() if key != missing}
    _, (problem,) = look(put(tmp_path / "a.json", [NESTED, record]))
    assert (problem.code, problem.where[-8:]) == ("missing-key", "record 2")
    assert missing in problem.what


@pytest.mark.parametrize("record", [None, 17, "text", [1], []])
def test_a_record_must_be_an_object(tmp_path, record):
    _, (problem,) = look(put(tmp_path / "a.json", [NESTED, record]))
    assert problem.code == "not-an-object"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f'{{"instr_id": "1_0", "trajectory": [["{A}", NaN, 0.0]]}}', "not-finite"),
        (f'{{"instr_id": "1_0", "trajectory": [["{A}", -Infinity, 0.0]]}}', "not-finite"),
        (f'{{"instr_id": "1_0", "trajectory": [["{A}", 1e999, 0.0]]}}', "not-finite"),
        (f'{{"instr_id": "1_0", "trajectory": [["{A}", {"9" * 400}, 0.0]]}}', "not-finite"),
        ('{"instr_id": "1_0", "trajectory": ["\\ud800"]}', "not-json"),
        (f'{{"instr_id": "1_0", "trajectory": ["{A}"], "instr_id": "1_3"}}', "duplicate-key"),
        (f'{{"instr_id": "1_0", "trajectory": ["{A}"], "x": 1, "x": 1}}', "duplicate-key"),
        (f'{{"instr_id": "1_0", "trajectory": ["{A}"] "x": 1}}', "not-json"),
        ('{"instr_id": "1_0", "trajectory": ["a\x00b"]}', "not-json"),
        ("[" * 100_000 + "]" * 100_000, "nesting"),
    ],
)
def test_text_that_is_not_quite_json_spoils_only_its_record(tmp_path, text, code):
    path = tmp_path / "a.json"
    path.write_text(f"[{json.dumps(NESTED)}, {text}, {json.dumps(FLAT)}]")
    found, (problem,) = look(path)
    assert [p.episode_id for p in found] == ["1_1", "1_2"]
    assert problem.code == code
    assert problem.where.endswith("record 2")


def test_nan_does_not_hide_which_episode_it_is_in(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(f'[{{"instr_id": "77_1", "trajectory": [["{A}", NaN, 0.0]]}}]')
    _, (problem,) = look(path)
    assert problem.episode_id == "77_1"


def test_an_id_that_comes_twice_is_a_problem_even_far_away(tmp_path, monkeypatch):
    monkeypatch.setattr("vlnscope.episodes.json.stream.READ_SIZE", 256)
    records = [FLAT | {"instr_id": f"{i}_0"} for i in range(50)]
    path = put(tmp_path / "a.json", [*records, NESTED | {"instr_id": "3_0"}])
    found, (problem,) = look(path)
    assert len(found) == 50
    assert found[3].path == (A, B)
    assert (problem.code, problem.episode_id) == ("duplicate-id", "3_0")
    assert problem.where.endswith("record 51")


def test_numbers_and_strings_that_mean_the_same_id_are_the_same(tmp_path):
    _, (problem,) = look(put(tmp_path / "a.json", [FLAT | {"instr_id": 5}, FLAT | {"instr_id": "5"}]))
    assert problem.code == "duplicate-id"


READERS = {
    "r2r": (r2r_submission.CODEC, "a.json"),
    "reverie": (reverie_submission.CODEC, "a.json"),
    "vlnce": (vlnce_submission.CODEC, "a.json"),
    "evidence": (evidence.CODEC, "a.jsonl"),
}
parts = st.sampled_from([A, B, "", 0.5, 1, None, [], {}, True])
elements = st.lists(parts, max_size=4) | st.just([A, 0.5, 0.0]) | st.just([A, B]) | parts
trajectories = st.lists(elements, max_size=3) | st.lists(st.just([B, 1, 0.0]), min_size=1, max_size=3)
records = {
    "r2r": st.fixed_dictionaries({"instr_id": st.integers(0, 9) | st.sampled_from(["", "x", None])})
    .flatmap(lambda r: st.fixed_dictionaries({"trajectory": trajectories}).map(lambda t: r | t))
    .flatmap(lambda r: st.sampled_from([r, r, r | {"more": 1}])),
    "vlnce": st.lists(
        st.sampled_from(
            [
                STEP,
                STEP,
                STEP | {"stop": True},
                STEP | {"stop": 1},
                STEP | {"hit": 2},
                STEP | {"heading": None},
                {},
            ]
        ),
        max_size=3,
    ),
    "evidence": st.sampled_from(["1", "2", "3"]).flatmap(
        lambda name: st.sampled_from(
            [
                LINE,
                LINE | {"seconds": 1.5, "events": ["x", {"y": None}]},
                LINE | {"headings": [0.5, 0.5]},
                LINE | {"headings": [0.5], "stopped": True},
                LINE | {"v": 2},
                LINE | {"new": 1},
                LINE | {"extra": {"seconds": 2}, "seconds": 1},
            ]
        ).map(lambda line: line | {"case_id": name})
    ),
}
records["reverie"] = records["r2r"].flatmap(
    lambda r: st.sampled_from([r, r | {"predObjId": 4}, r | {"predObjId": None}, r | {"predObjId": [4]}])
)


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", READERS)
def test_reading_whole_blocks_and_single_records_agree(tmp_path, name):
    reader, file = READERS[name]
    careful: RecordReader[Any] = dataclasses.replace(reader, layouts=())

    @settings(
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
        deadline=None,
        max_examples=80,
    )
    @given(st.lists(records[name], min_size=1, max_size=4))
    def agree(content):
        if name == "vlnce":
            content = {f"{i}": steps for i, steps in enumerate(content)}
        path = put(tmp_path / file, content)
        quick_problems: list[Problem] = []
        careful_problems: list[Problem] = []
        quick = list(reader.read(path, quick_problems.append))
        assert quick == list(careful.read(path, careful_problems.append))
        assert quick_problems == careful_problems

    agree()


# --- REVERIE, VLN-CE, RxR ----------------------------------------------------------------------------


def test_reverie_adds_the_chosen_object(tmp_path):
    path = put(tmp_path / "a.json", [ANGLES | {"predObjId": 44}, NESTED | {"predObjId": None}])
    assert sniff(path).name == "reverie"
    chosen, none = read_predictions(path)
    assert (chosen.object_id, chosen.extra) == ("44", {})
    assert (none.object_id, none.extra) == (None, {"predObjId": None})
    stream = io.BytesIO()
    reverie_submission.CODEC.write([chosen, none], stream)
    assert json.loads(stream.getvalue()) == json.loads(path.read_text())


def test_reverie_needs_the_object(tmp_path):
    _, (problem,) = look(put(tmp_path / "a.json", [ANGLES | {"predObjId": 4}, NESTED]))
    assert (problem.code, problem.episode_id) == ("missing-key", "1_1")
    with pytest.raises(InputError, match=r"episode 1: .*object"):
        reverie_submission.CODEC.write([Prediction(episode_id="1", path=("a",))], io.BytesIO())


def test_vlnce_positions_headings_and_stop(tmp_path):
    path = put(tmp_path / "a.json", {"5": [STEP, STEP | {"stop": True}], "6": [STEP]})
    assert sniff(path).name == "vlnce"
    five, six = read_predictions(path)
    assert (five.episode_id, five.stopped, five.extra) == ("5", True, {})
    assert five.positions == ((0.0, 1.0, 2.5), (0.0, 1.0, 2.5))
    assert five.headings == (-0.5, -0.5)  # clockwise
    assert six.stopped is False


def test_vlnce_is_recognised_by_positions_but_not_in_logs_of_tours(tmp_path):
    assert sniff(put(tmp_path / "a.json", {"5": [{"position": [0, 0, 0]}]})).name == "vlnce"
    both = {"0": [STEP | {"phase": "agent", "episode_id": "5"}]}
    assert sniff(put(tmp_path / "b.json", both)).name == "ivln-log"


def test_vlnce_keeps_what_it_has_no_field_for(tmp_path):
    content = {"5": [STEP | {"stop": True}, STEP | {"hit": True}, STEP]}
    (found,) = read_predictions(put(tmp_path / "a.json", content))
    assert found.stopped is False
    assert found.extra == {"steps": [{"stop": True}, {"hit": True}, {}]}
    stream = io.BytesIO()
    vlnce_submission.CODEC.write([found], stream)
    assert json.loads(stream.getvalue()) == content


@pytest.mark.parametrize(
    "extra",
    [
        {"note": 1},
        {"steps": 1},
        {"steps": []},
        {"steps": [{}]},
        {"steps": [{"stop": False}]},
        {"steps": [{"stop": True}]},
        {"steps": [{"position": [0, 0, 0]}]},
        {"steps": [{"a": 1}], "note": 1},
    ],
)
def test_vlnce_refuses_what_would_not_come_back(extra):
    whole = Prediction(episode_id="5", positions=((0, 0, 0),), headings=(0.0,), stopped=True, extra=extra)
    with pytest.raises(LossyConversionError, match=r"episode 5: .*extra"):
        vlnce_submission.CODEC.write([whole], io.BytesIO())


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        ([], "empty-path"),
        (17, "tuple-shape"),
        ([17], "not-an-object"),
        ([{"position": [0, 0, 0], "heading": 1}], "missing-key"),
        ([STEP | {"position": [0, 0]}], "tuple-shape"),
        ([STEP | {"position": [0, 0, "0"]}], "tuple-shape"),
        ([STEP | {"position": [0, 0, None]}], "not-finite"),
        ([STEP | {"heading": None}], "not-finite"),
        ([STEP | {"heading": "0"}], "tuple-shape"),
        ([STEP | {"stop": 0}], "tuple-shape"),
    ],
)
def test_what_is_wrong_with_vlnce_steps_has_a_name(tmp_path, steps, code):
    found, (problem,) = look(put(tmp_path / "a.json", {"5": [STEP], "6": steps}))
    assert len(found) == 1
    assert (problem.code, problem.episode_id) == (code, "6")


def test_a_key_of_an_object_that_comes_twice_is_a_duplicate_id(tmp_path):
    path = tmp_path / "a.json"
    steps = json.dumps([STEP])
    path.write_text(f'{{"5": {steps}, "6": {steps}, "5": {steps}}}')
    found, (problem,) = look(path)
    assert [p.episode_id for p in found] == ["5", "6"]
    assert (problem.code, problem.episode_id) == ("duplicate-id", "5")


def test_rxr_tells_points_from_viewpoints(tmp_path):
    points = put(tmp_path / "a.jsonl", [{"instruction_id": 12, "path": [[0, 1.5, 2], [0, 1, 2]]}])
    names = put(tmp_path / "b.jsonl", [{"instruction_id": "12", "path": [A, B], "language": "en"}])
    assert sniff(points).name == "rxrce"
    assert sniff(put(tmp_path / "c.jsonl", [{"instruction_id": 1, "path": [A]}])).name == "rxr"
    (point,) = read_predictions(points)
    assert (point.episode_id, point.positions) == ("12", ((0.0, 1.5, 2.0), (0.0, 1.0, 2.0)))
    (name,) = read_predictions(names, "rxr")
    assert (name.path, name.extra) == ((A, B), {"language": "en"})


@pytest.mark.parametrize(
    ("name", "path", "code"),
    [
        ("rxrce", [], "empty-path"),
        ("rxrce", [[0, 0]], "tuple-shape"),
        ("rxrce", [A], "tuple-shape"),
        ("rxrce", [[0, 0, None]], "not-finite"),
        ("rxr", [17], "not-a-string"),
        ("rxr", [""], "bad-viewpoint"),
        ("rxr", {"0": A}, "tuple-shape"),
    ],
)
def test_what_is_wrong_with_an_rxr_path_has_a_name(tmp_path, name, path, code):
    _, (problem,) = look(put(tmp_path / "a.jsonl", [{"instruction_id": 3, "path": path}]), name)
    assert (problem.code, problem.episode_id) == (code, "3")


def test_rxr_ids_that_are_numbers_are_written_as_numbers():
    stream = io.BytesIO()
    writer = get_format("rxr").write
    assert writer is not None
    writer([Prediction(episode_id=name, path=("a",)) for name in ("12", "012", "x")], stream)
    assert [json.loads(line)["instruction_id"] for line in stream.getvalue().splitlines()] == [12, "012", "x"]


# --- evidence ----------------------------------------------------------------------------------------


def test_evidence_carries_what_only_it_knows(tmp_path):
    decision = {"step": 2, "viewpoint": A, "candidates": [B], "probabilities": [0.75, 0.25]}
    own = {"decisions": [decision], "seconds": 1.5, "events": [{"kind": "retry"}], "extra": {"seed": 3}}
    (found,) = read_predictions(put(tmp_path / "a.jsonl", [LINE | own | {"stopped": True}]))
    assert (found.episode_id, found.path, found.stopped) == ("1_0", (A,), True)
    assert found.extra == own.pop("extra") | own | {"case_id": "c1"}
    stream = io.BytesIO()
    evidence.CODEC.write([found], stream)
    line = json.loads(stream.getvalue())
    assert line["decisions"] == [decision]
    assert line["extra"] == {"seed": 3}


def test_evidence_counts_cases_not_episodes(tmp_path):
    path = put(tmp_path / "a.jsonl", [LINE, LINE | {"case_id": "c2"}, LINE | {"case_id": "1_0"}, LINE])
    found, (problem,) = look(path)
    assert [p.extra.get("case_id") for p in found] == ["c1", "c2", None]
    assert problem.code == "duplicate-id"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"v": 4}, "version"),
        ({"v": 2, "actions": [1]}, "version"),
        ({"failed": "it broke"}, "version"),  # members of version 2 in a line of version 1
        ({"phases": {"tour_id": "0", "place": 0}}, "version"),
        ({"v": 2, "failed": ""}, "bad-id"),
        ({"v": 2, "phases": {"tour_id": "0"}}, "missing-key"),
        ({"v": None}, "version"),
        ({"new": 1}, "unknown-key"),
        ({"path": []}, "empty-path"),
        ({"headings": [0.0, 0.0]}, "tuple-shape"),
        ({"elevations": []}, "tuple-shape"),
        ({"segments": [2]}, "tuple-shape"),
        ({"segments": [2, -1]}, "tuple-shape"),
        ({"case_id": ""}, "bad-id"),
        ({"object_id": ""}, "bad-id"),
        ({"seconds": 1, "extra": {"seconds": 1}}, "duplicate-key"),
    ],
)
def test_what_is_wrong_with_a_line_of_evidence_has_a_name(tmp_path, change, code):
    path = put(tmp_path / "a.jsonl", [LINE | {"case_id": "c0"}, LINE | change])
    found, (problem,) = look(path)
    assert len(found) == 1
    assert (problem.code, problem.episode_id) == (code, "1_0")


@pytest.mark.parametrize(
    "change",
    [
        {"seconds": -1},
        {"decisions": [{"step": 0, "viewpoint": A, "candidates": [B], "probabilities": [1.0]}]},
        {"positions": [[0, 0]]},
        {"path": [17]},
        {"stopped": "yes"},
        {"extra": []},
    ],
)
def test_evidence_of_the_wrong_type_is_refused(tmp_path, change):
    _, (problem,) = look(put(tmp_path / "a.jsonl", [LINE | change]))
    assert problem.where.endswith("record 1")


def test_a_run_that_was_killed_leaves_all_but_its_last_line(tmp_path):
    path = put(tmp_path / "a.jsonl", [LINE | {"case_id": f"c{i}"} for i in range(5)])
    path.write_bytes(path.read_bytes()[:-20])
    found, (problem,) = look(path)
    assert len(found) == 4
    assert (problem.code, problem.where) == ("cut-off", f"{path}: record 5")


# --- logs of tours -----------------------------------------------------------------------------------


def test_logs_of_tours(tmp_path):
    entry = {"viewpoint": A, "phase": "oracle_goal", "episode_id": 8, "other": 1}
    path = put(tmp_path / "a.json", {"0": [LOG, LOG | {"phase": "oracle"}], "1": [entry]})
    assert sniff(path).name == "ivln-log"
    zero, one = read_tour_logs(path)
    assert zero.tour_id == "0"
    assert zero.steps[1] == TourStep(position=(0.0, 1.0, 2.0), episode_id="7", phase="oracle")
    assert one.steps == (TourStep(viewpoint=A, episode_id="8", phase="oracle_goal"),)


def test_logs_of_several_splits_need_the_name_of_one(tmp_path):
    path = put(tmp_path / "gt_ndtw.json", {"train": {"0": [LOG]}, "val": {"0": [LOG, LOG], "1": [LOG]}})
    assert sniff(path).name == "ivln-log"
    assert [len(log.steps) for log in read_tour_logs(path, split="val")] == [2, 1]
    with pytest.raises(InputError, match="several splits"):
        list(read_tour_logs(path))
    with pytest.raises(InputError, match="no split 'test'"):
        list(read_tour_logs(path, split="test"))
    only = put(tmp_path / "one.json", {"val": {"0": [LOG]}})
    assert [log.tour_id for log in read_tour_logs(only)] == ["0"]
    plain = put(tmp_path / "run.json", {"0": [LOG]})
    assert [log.tour_id for log in read_tour_logs(plain, split="val")] == ["0"]


@pytest.mark.parametrize("split", [None, "val"])
def test_logs_are_written_back_as_they_were(tmp_path, split):
    content: Any = {"0": [LOG, LOG], "1": [{"viewpoint": A, "phase": "agent", "episode_id": "8"}]}
    if split:
        content = {"val": content, "train": {"0": [LOG]}}
    fmt = get_format("ivln-log")
    stream = io.BytesIO()
    assert fmt.write is not None
    fmt.write(fmt.read(put(tmp_path / "a.json", content), pytest.fail), stream)
    assert json.loads(stream.getvalue()) == content


def log(tour_id: str = "0", split: str | None = None, **step: Any) -> TourLog:
    steps = (TourStep(**{"position": (0.0, 0.0, 0.0), "episode_id": "1", "phase": "agent"} | step),)
    if split is None:
        return TourLog(tour_id=tour_id, steps=steps)
    return SplitTourLog(tour_id=tour_id, steps=steps, split=split)


@pytest.mark.parametrize(
    "logs",
    [
        [log(), log()],
        [log(split="a"), log(split="b"), log("1", split="a")],
        [log(), log(split="a")],
        [log(position=None)],
        [log(position=(0.0, float("nan"), 0.0))],
        [TourLog(tour_id="0", steps=())],
        [log("")],
    ],
)
def test_logs_that_no_file_can_hold_are_refused(logs):
    write = get_format("ivln-log").write
    assert write is not None
    with pytest.raises(InputError):
        write(logs, io.BytesIO())


@pytest.mark.parametrize(
    ("tour", "code"),
    [
        ([], "empty-path"),
        ([LOG | {"phase": "lost"}], "bad-phase"),
        ([LOG | {"position": [1, 2]}], "tuple-shape"),
        ([{"phase": "agent", "episode_id": 1}], "missing-key"),
        ([LOG | {"episode_id": None}], "bad-id"),
        ([3], "not-an-object"),
    ],
)
def test_what_is_wrong_with_a_log_has_a_name(tmp_path, tour, code):
    problems: list[Problem] = []
    path = put(tmp_path / "a.json", {"0": [LOG], "1": tour})
    assert len(list(read_tour_logs(path, on_problem=problems.append))) == 1
    assert [(p.code, p.episode_id) for p in problems] == [(code, "1")]


def test_tours_of_one_split(tmp_path):
    path = put(
        tmp_path / "tours.json", {"train": {"s1": [["1_0", "2_0"]]}, "val": {"s2": [["3_0"], ["4_0"]]}}
    )
    assert [tour.episode_ids for tour in read_tours(path, split="val")] == [("3_0",), ("4_0",)]
    with pytest.raises(InputError, match="several splits"):
        read_tours(path)


# --- recognising -------------------------------------------------------------------------------------

SAMPLES: dict[str, Any] = {
    "r2r": [ANGLES],
    "reverie": [ANGLES | {"predObjId": 3}],
    "vlnce": {"1": [STEP]},
    "rxrce": [{"instruction_id": 3, "path": [[0, 0, 0]]}] * 2,
    "rxr": [{"instruction_id": 3, "path": [A]}] * 2,
    "evidence": [LINE] * 2,
    "ivln-log": {"0": [LOG]},
    "r2r-by-id": {"1_0": [A]},
    "positions-by-id": {"1": [[0, 0.5, 0]]},
    "r2r-one": ANGLES,
    "ndh": [{"inst_idx": 3, "trajectory": [[A, 0.5, 0.0]]}],
    "soon": [{"instr_id": "1_0", "trajectory": {"path": [[A]], "obj_heading": [0.5]}}],
    "metrics-by-id": {"1": {"success": 1.0, "spl": 0.5}},
    "metrics-lines": [{"episode_id": 3, "success": 1.0, "ne": 0.5}] * 2,
    "ndh-episodes": [{"inst_idx": 3, "scan": "s", "start_pano": {"pano": A}, "target": "mug"}],
}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("suffix", [None, ".json", ".json.gz"])
def test_each_format_is_recognised_and_no_other_claims_it(tmp_path, name, suffix):
    usual = get_format(name).suffix
    path = tmp_path / f"a{suffix or usual}"
    put(tmp_path / f"a{usual}", SAMPLES[name]).rename(path)
    assert sniff(path) is get_format(name)
    assert sniff(path, get_format(name).holds) is get_format(name)


@pytest.mark.parametrize(
    "content",
    [[], {}, [1], [[]], [{}], {"a": 1}, {"a": []}, {"a": [1]}, {"a": {}}, [{"instr_id": 1}], [None]],
)
def test_a_strange_file_is_described_and_the_formats_are_listed(tmp_path, content):
    path = put(tmp_path / "a.json", content)
    with pytest.raises(InputError, match=r"a\.json: is in no format") as caught:
        sniff(path)
    assert "r2r, " in caught.value.expected
    with pytest.raises(InputError, match="in no format"):
        read_predictions(path)


def test_a_file_of_another_kind_is_called_by_its_name(tmp_path):
    episodes = [{"path_id": 1, "scan": "s", "heading": 0, "path": [A], "distance": 1, "instructions": ["go"]}]
    with pytest.raises(InputError, match="holds episodes") as caught:
        read_predictions(put(tmp_path / "a.json", episodes))
    assert caught.value.expected == "a file with predictions"
    with pytest.raises(InputError, match="holds predictions"):
        read_episodes(put(tmp_path / "b.json", [ANGLES]))
    with pytest.raises(InputError, match="holds logs of tours"):
        read_predictions(put(tmp_path / "c.json", {"0": [LOG]}))


def test_the_format_can_be_named(tmp_path):
    path = put(tmp_path / "a.json", [ANGLES | {"predObjId": 3}])
    (found,) = read_predictions(path, "r2r")
    assert found.extra == {"predObjId": 3}
    assert next(read_predictions(path, get_format("reverie"))).object_id == "3"
    assert list(read_predictions(put(tmp_path / "b.json", []), "r2r")) == []
    with pytest.raises(UnknownNameError, match="did you mean 'reverie'"):
        read_predictions(path, "revery")
    with pytest.raises(InputError, match="is one of logs of tours"):
        read_predictions(path, "ivln-log")
    with pytest.raises(InputError, match="the file is a JSON array"):
        list(read_predictions(path, "vlnce"))
    with pytest.raises(InputError, match="the file is one JSON object"):
        list(read_predictions(put(tmp_path / "c.json", {"1": [STEP]}), "r2r"))


def test_two_formats_that_fit_are_both_named(tmp_path, monkeypatch):
    known = dict(formats())
    r2r = known["r2r"]
    known["twin"] = dataclasses.replace(r2r, name="twin")
    known["clumsy"] = dataclasses.replace(r2r, name="clumsy", sniff=lambda head: head.record["no such key"])
    monkeypatch.setattr(
        "vlnscope.episodes.reading.formats",
        lambda holds=None: {n: f for n, f in known.items() if holds in (None, f.holds)},
    )
    with pytest.raises(InputError, match="could be r2r or twin"):
        sniff(put(tmp_path / "a.json", [ANGLES]))


# --- real files --------------------------------------------------------------------------------------


def test_real_submissions(data_root, prevalent):
    shortest = data_root / "agent_predictions" / "matterport3dsim_val_unseen_shortest_agent.json.gz"
    for path in (prevalent, shortest):
        found = list(read_predictions(path))
        assert sniff(path).name == "r2r"
        assert len(found) == 2349
        assert all(len(p.headings or ()) == len(p.path) for p in found)
        stream = io.BytesIO()
        r2r_submission.CODEC.write(found, stream)
        assert json.loads(stream.getvalue()) == json.loads(gzip.decompress(path.read_bytes()))


def test_a_real_file_of_positions_by_id(data_root):
    path = data_root / "agent_predictions" / "glove_val_seen_result_sim_loc.json.gz"
    found = list(read_predictions(path))
    assert sniff(path).name == "positions-by-id"
    source = json.loads(gzip.decompress(path.read_bytes()))
    assert {p.episode_id: [list(point) for point in p.positions] for p in found} == source


@pytest.mark.parametrize(
    "record", [[[A, 0.5, 0.0], [B, 1.5, 0.25]], [A, B], [[A], [A, B]], [[A, 0.5, 0.0], [B]]]
)
def test_trajectories_by_id_are_those_of_a_submission(tmp_path, record):
    (plain,) = read_predictions(put(tmp_path / "a.json", [{"instr_id": "1_0", "trajectory": record}]))
    path = put(tmp_path / "b.json", {"1_0": record})
    assert list(read_predictions(path)) == [plain]
    stream = io.BytesIO()
    get_format("r2r-by-id").write([plain], stream)
    assert json.loads(stream.getvalue()) == {"1_0": record}


def test_navnuances_submissions_flatten_every_string(tmp_path, shared):
    groups = json.loads((shared / "fixtures" / "navnuances_evaluators.json").read_text())
    kinds: Counter[str] = Counter()
    for group in groups.values():
        found = list(read_predictions(put(tmp_path / "a.json", group["submission"])))
        for source, prediction in zip(group["submission"], found, strict=True):
            strings = [part for element in source["trajectory"] for part in element if isinstance(part, str)]
            assert list(prediction.path) == strings
            kinds["angles" if prediction.headings else "pieces"] += 1
    assert min(kinds.values()) > 50


def test_the_logs_of_the_oracle_numbers_are_read(tmp_path, shared):
    for split in json.loads((shared / "fixtures" / "tndtw_ce.json").read_text()):
        for content in (split["agent_paths"], split["gt_paths"]):
            logs = list(read_tour_logs(put(tmp_path / "a.json", content)))
            assert [log.tour_id for log in logs] == list(content)
            for entries, found in zip(content.values(), logs, strict=True):
                assert [list(step.position or ()) for step in found.steps] == [e["position"] for e in entries]
        whole = put(tmp_path / "gt.json", {"val": split["gt_paths"], "train": split["agent_paths"]})
        assert len(list(read_tour_logs(whole, split="train"))) == len(split["agent_paths"])


def test_a_format_is_added_by_registering_it(tmp_path):
    names = set(formats())
    assert set(SAMPLES) <= names
    assert all(isinstance(fmt, Format) and fmt.title for fmt in formats().values())
    assert register_format(get_format("r2r")) is get_format("r2r")
    assert not get_format("r2r").sniff(Head(tmp_path, "array", None, None))
