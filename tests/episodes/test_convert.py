"""Converting: exact round trips between all prediction formats, and clear refusals where there are none."""

from __future__ import annotations

import dataclasses
import gzip
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from vlnscope.core.exceptions import InputError, LossyConversionError, UnknownNameError
from vlnscope.episodes.convert import convert
from vlnscope.episodes.format import formats, get_format, used_fields
from vlnscope.episodes.formats.evidence import case_of
from vlnscope.episodes.formats.ivln_log import SplitTourLog
from vlnscope.episodes.reading import read_episodes, read_predictions, read_tour_logs
from vlnscope.types import Prediction, TourLog, TourStep

quick = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
    max_examples=40,
)

names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=5)
ids = names | st.integers(-5, 10**18).map(str) | st.just("007")
numbers = st.floats(allow_nan=False, allow_infinity=False)
points = st.tuples(numbers, numbers, numbers)
paths = st.lists(names, min_size=1, max_size=4).map(tuple)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | numbers | st.text(max_size=3),
    lambda v: st.lists(v, max_size=2) | st.dictionaries(st.text(max_size=3), v, max_size=2),
    max_leaves=4,
)
TAKEN = {"instr_id", "trajectory", "predObjId", "instruction_id", "path"}
extras = st.dictionaries(names.filter(lambda key: key not in TAKEN), json_values, max_size=2)


def exactly(element: Any, count: int) -> Any:
    return st.lists(element, min_size=count, max_size=count).map(tuple)


@st.composite
def discrete(draw: st.DrawFn) -> Prediction:
    """A prediction in one of the encodings of an R2R submission."""
    path = draw(paths)
    prediction = Prediction(episode_id=draw(ids), path=path, extra=draw(extras))
    match draw(st.sampled_from(["angles", "pieces", "flat", "mixture"])):
        case "angles":
            angles = {name: draw(exactly(numbers, len(path))) for name in ("headings", "elevations")}
            return msgspec.structs.replace(prediction, **angles)
        case "pieces":
            cuts = sorted(draw(st.lists(st.integers(0, len(path)), max_size=3)))
            lengths = tuple(b - a for a, b in zip([0, *cuts], [*cuts, len(path)], strict=True))
            return msgspec.structs.replace(prediction, segments=lengths)
        case "mixture":
            prediction.extra["trajectory"] = [[path[0], draw(numbers), 0.5], *([p] for p in path[1:]), []]
    return prediction


@st.composite
def with_object(draw: st.DrawFn) -> Prediction:
    """A prediction of a REVERIE submission; agents may choose nothing."""
    prediction = msgspec.structs.replace(draw(discrete()), object_id=draw(st.none() | ids))
    if prediction.object_id is None:
        prediction.extra["predObjId"] = None
    return prediction


@st.composite
def continuous(draw: st.DrawFn) -> Prediction:
    """A prediction of a VLN-CE file, sometimes with members that nobody knows."""
    positions = tuple(draw(st.lists(points, min_size=1, max_size=4)))
    early = [draw(st.sampled_from([{}, {}, {"stop": True}, {"hit": 1}])) for _ in positions[1:]]
    steps = [*early, draw(st.sampled_from([{}, {"hit": None}]))]
    return Prediction(
        episode_id=draw(ids),
        positions=positions,
        headings=draw(exactly(numbers, len(positions))),
        stopped=draw(st.booleans()),
        extra={"steps": steps} if any(steps) else {},
    )


DECISION = st.fixed_dictionaries(
    {"step": st.integers(0, 9), "viewpoint": names, "candidates": st.just(["a"])}
    | {"probabilities": st.sampled_from([[0.5, 0.5], [1, 0], [0.25]])}
)
ONLY_EVIDENCE = st.fixed_dictionaries(
    {},
    optional={
        "case_id": ids | json_values,
        "decisions": st.lists(DECISION, max_size=2) | json_values,
        "seconds": st.floats(0, 99) | json_values,
        "events": st.lists(json_values, max_size=2) | json_values,
    },
)


@st.composite
def anything(draw: st.DrawFn) -> Prediction:
    """A prediction with whatever our own format can hold."""
    base = draw(discrete() | with_object() | continuous())
    stopped = draw(st.none() | st.booleans())
    positions = base.positions or tuple(draw(st.lists(points, max_size=2)))
    extra = base.extra | draw(ONLY_EVIDENCE)
    return msgspec.structs.replace(base, stopped=stopped, positions=positions, extra=extra)


PREDICTIONS: dict[str, Any] = {
    "r2r": discrete(),
    "reverie": with_object(),
    "vlnce": continuous(),
    "rxr": st.builds(Prediction, episode_id=ids, path=paths, extra=extras),
    "rxrce": st.builds(
        Prediction,
        episode_id=ids,
        positions=st.lists(points, min_size=1, max_size=4).map(tuple),
        extra=extras,
    ),
    "evidence": anything(),
    "r2r-by-id": discrete().map(
        lambda p: msgspec.structs.replace(p, extra={k: v for k, v in p.extra.items() if k == "trajectory"})
    ),
    "positions-by-id": st.builds(
        Prediction, episode_id=ids, positions=st.lists(points, min_size=1, max_size=4).map(tuple)
    ),
}
LOGS = st.lists(
    st.builds(
        TourLog,
        tour_id=ids,
        steps=st.lists(
            st.builds(TourStep, position=points, episode_id=ids, phase=st.sampled_from(["agent", "oracle"]))
            | st.builds(
                TourStep, position=st.none() | points, viewpoint=names, episode_id=ids, phase=st.just("agent")
            ),
            min_size=1,
            max_size=3,
        ).map(tuple),
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda log: log.tour_id,
)


def several(name: str) -> Any:
    unique: Callable[[Prediction], str] = case_of if name == "evidence" else lambda p: p.episode_id
    return st.lists(PREDICTIONS[name], min_size=1, max_size=4, unique_by=unique)


def write(folder: Path, name: str, records: Any) -> Path:
    """Write a file with a format's own writer."""
    fmt = get_format(name)
    path = folder / f"{name}{fmt.suffix}"
    stream = io.BytesIO()
    assert fmt.write is not None
    fmt.write(records, stream)
    path.write_bytes(stream.getvalue())
    return path


def test_every_prediction_format_is_tested_here():
    assert set(PREDICTIONS) == {name for name in formats("predictions") if name in PREDICTIONS}
    assert len(PREDICTIONS) == 8


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", PREDICTIONS)
def test_what_is_written_is_read_back_exactly(tmp_path, name):
    @quick
    @given(several(name))
    def round_trip(records):
        assert list(read_predictions(write(tmp_path, name, records), name)) == records

    if name == "evidence":  # an integer that is no float
        round_trip = example([Prediction(episode_id="0", path=("0",), extra={"seconds": 2**53 + 1})])(
            round_trip
        )
    round_trip()


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", PREDICTIONS)
def test_there_and_back_through_our_own_format_changes_nothing(tmp_path, name):
    suffix = get_format(name).suffix

    @quick
    @given(several(name))
    def round_trip(records):
        source = write(tmp_path, name, records)
        there = convert(source, tmp_path / "there.jsonl.gz", to="evidence", from_=name)
        back = convert(there.target, tmp_path / f"back{suffix}", to=name, from_="evidence")
        assert (there.records, back.records) == (len(records), len(records))
        assert list(read_predictions(there.target)) == records
        assert back.target.read_bytes() == source.read_bytes()

    round_trip()


@pytest.mark.hypothesis
@pytest.mark.parametrize("target", PREDICTIONS)
def test_a_conversion_is_exact_or_refused(tmp_path, target):
    @quick
    @given(st.sampled_from(sorted(PREDICTIONS)).flatmap(lambda name: st.tuples(st.just(name), several(name))))
    def exact_or_refused(case):
        name, records = case
        source = write(tmp_path, name, records)
        made = tmp_path / f"made{get_format(target).suffix}"
        made.unlink(missing_ok=True)
        try:
            convert(source, made, to=target, from_=name)
        except InputError:
            assert not made.exists()
            assert not list(tmp_path.glob(".*.part"))
        else:
            assert list(read_predictions(made, target)) == records

    exact_or_refused()


@quick
@given(LOGS)
def test_logs_of_tours_survive_being_written_and_read(tmp_path, logs):
    assert list(read_tour_logs(write(tmp_path, "ivln-log", logs))) == logs
    with_split = [SplitTourLog(tour_id=log.tour_id, steps=log.steps, split="val") for log in logs]
    path = write(tmp_path, "ivln-log", with_split)
    assert list(read_tour_logs(path, split="val")) == with_split
    convert(path, tmp_path / "copy.json")
    assert (tmp_path / "copy.json").read_bytes() == path.read_bytes()


ANGLES = {"instr_id": "1_0", "trajectory": [["a", 0.5, 0.0], ["b", 1.5, 0.0]]}
NESTED = {"instr_id": "1_1", "trajectory": [["a"], ["b", "c"]], "score": 1}
STEPS = [{"position": [0, 0, 0], "heading": 0.5, "stop": False}]


def put(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content))
    return path


def test_the_fields_that_would_be_lost_and_the_first_episode_are_named(tmp_path):
    source = put(tmp_path / "a.json", [{"instr_id": "0_0", "trajectory": ["a"]}, ANGLES, NESTED])
    with pytest.raises(LossyConversionError) as caught:
        convert(source, tmp_path / "b.jsonl", to="rxr")
    assert "episode 1_0: " in caught.value.what
    assert "elevations, headings" in caught.value.what
    assert "`--drop elevations,headings`" in caught.value.fix
    assert "drop=['elevations', 'headings']" in caught.value.fix
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.json"]


def test_what_may_be_lost_can_be_said(tmp_path):
    source = put(tmp_path / "a.json", [ANGLES, NESTED])
    drop = ("headings", "elevations", "segments", "extra")
    report = convert(source, tmp_path / "b.jsonl", to="rxr", drop=drop)
    assert report.dropped == {"elevations": 1, "headings": 1, "segments": 1, "extra": 1}
    assert (report.source_format, report.target_format, report.records) == ("r2r", "rxr", 2)
    assert [p.path for p in read_predictions(report.target)] == [("a", "b"), ("a", "b", "c")]
    assert all(used_fields(p) == {"path"} for p in read_predictions(report.target))


def test_a_field_that_does_not_exist_cannot_be_dropped(tmp_path):
    with pytest.raises(InputError, match="no field 'heading'") as caught:
        convert(put(tmp_path / "a.json", [ANGLES]), tmp_path / "b.json", drop=("heading",))
    assert "headings" in caught.value.expected


@pytest.mark.parametrize(
    ("content", "to", "says"),
    [
        ({"1": STEPS}, "r2r", "needs path"),
        ({"1": STEPS}, "rxr", "needs path"),
        ([ANGLES], "rxrce", "needs positions"),
        ([ANGLES], "vlnce", "needs positions, stopped"),
        ([ANGLES], "reverie", "says nothing of an object"),
        ([ANGLES], "ivln-log", "'r2r' files hold predictions"),
        ([ANGLES], "r2r-episodes", "hold episodes"),
    ],
)
def test_what_the_target_needs_cannot_be_made_up(tmp_path, content, to, says):
    suffix = get_format(to).suffix
    with pytest.raises(InputError, match=says):
        convert(put(tmp_path / "a.json", content), tmp_path / f"b{suffix}", to=to)
    assert not (tmp_path / f"b{suffix}").exists()


def test_dropping_what_is_needed_is_refused(tmp_path):
    with pytest.raises(InputError, match="needs path"):
        convert(put(tmp_path / "a.json", [ANGLES]), tmp_path / "b.json", drop=("path",))


@pytest.mark.parametrize(
    "fields",
    [
        {"headings": (0.0,)},
        {"elevations": (0.0,)},
        {"segments": (1,), "headings": (0.0,), "elevations": (0.0,)},
        {"extra": {"instr_id": "other"}},
        {"extra": {"trajectory": ["b"]}},
        {"extra": {"trajectory": [["a"]]}},
        {"extra": {"trajectory": 3}},
    ],
)
def test_r2r_refuses_combinations_that_it_cannot_say(tmp_path, fields):
    source = write(tmp_path, "evidence", [Prediction(episode_id="1_0", path=("a",), **fields)])
    with pytest.raises(LossyConversionError, match="episode 1_0") as caught:
        convert(source, tmp_path / "b.json", to="r2r")
    advised = re.search(r"--drop ([\w,]+)", caught.value.fix)
    assert convert(source, tmp_path / "b.json", to="r2r", drop=advised[1].split(",")).records == 1


def test_two_cases_of_one_episode_do_not_fit_into_a_submission(tmp_path):
    cases = [Prediction(episode_id="1_0", path=("a",), extra={"case_id": name}) for name in "xy"]
    source = write(tmp_path, "evidence", cases)
    with pytest.raises(InputError, match="two predictions have the id '1_0'"):
        convert(source, tmp_path / "b.json", to="r2r")
    with pytest.raises(InputError, match="two predictions have the id '1_0'"):
        convert(source, tmp_path / "b.jsonl", drop=("extra",))


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"path": ("a", "")},
        {"path": ("a",), "headings": (float("nan"),)},
        {"path": ("a",), "headings": (0.0, 1.0)},
        {"path": ("a",), "segments": (2,)},
        {"path": ("a",), "extra": {"loss": [float("inf")]}},
        {"path": ("a",), "extra": {"text": "\ud800"}},
        {"path": ("a",), "extra": {"thing": object()}},
        {"positions": ((0.0, 0.0, float("nan")),)},
        {"path": ("a",), "object_id": ""},
    ],
)
def test_writers_refuse_what_no_file_can_hold(fields):
    write_evidence = get_format("evidence").write
    assert write_evidence is not None
    with pytest.raises(InputError):
        write_evidence([Prediction(episode_id="1", **fields)], io.BytesIO())


def test_extra_that_is_nested_too_deeply_is_refused():
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    write_r2r = get_format("r2r").write
    assert write_r2r is not None
    with pytest.raises(InputError, match="nested too deeply"):
        write_r2r([Prediction(episode_id="1", path=("a",), extra={"deep": deep})], io.BytesIO())


def test_the_name_must_suit_the_format(tmp_path):
    source = put(tmp_path / "a.json", [ANGLES])
    with pytest.raises(InputError, match="does not suit") as caught:
        convert(source, tmp_path / "b.json", to="evidence")
    assert caught.value.expected == "a name that ends in .jsonl or .jsonl.gz"
    with pytest.raises(InputError, match="does not suit"):
        convert(source, tmp_path / "b.jsonl.gz")


def test_unknown_and_read_only_formats(tmp_path, monkeypatch):
    source = put(tmp_path / "a.json", [ANGLES])
    with pytest.raises(UnknownNameError, match="did you mean 'evidence'"):
        convert(source, tmp_path / "b.jsonl", to="evidenc")
    read_only = dataclasses.replace(get_format("r2r"), name="frozen", write=None)
    monkeypatch.setattr("vlnscope.episodes.convert.get_format", lambda name: read_only)
    with pytest.raises(InputError, match="can only be read"):
        convert(source, tmp_path / "b.json", to="frozen")


def test_without_a_target_format_a_file_is_only_packed(tmp_path):
    source = put(tmp_path / "a.json", [ANGLES, NESTED])
    packed = convert(source, tmp_path / "b.json.gz").target
    assert json.loads(gzip.decompress(packed.read_bytes())) == json.loads(source.read_text())
    again = convert(source, tmp_path / "c.json.gz").target
    assert again.read_bytes() == packed.read_bytes()


def test_a_file_can_be_converted_in_place(tmp_path):
    source = put(tmp_path / "a.json", [ANGLES])
    convert(source, source, drop=("headings", "elevations"), in_place=True)
    assert json.loads(source.read_text()) == [{"instr_id": "1_0", "trajectory": ["a", "b"]}]


def test_an_empty_list_stays_one(tmp_path):
    source = put(tmp_path / "a.json", [])
    report = convert(source, tmp_path / "b.jsonl", to="evidence", from_="r2r")
    assert (report.records, report.target.read_bytes()) == (0, b"")
    convert(source, tmp_path / "c.json", from_="r2r")
    assert json.loads((tmp_path / "c.json").read_text()) == []
    convert(put(tmp_path / "d.json", {}), tmp_path / "e.json", from_="vlnce")
    assert json.loads((tmp_path / "e.json").read_text()) == {}


def test_damage_half_way_leaves_the_old_target(tmp_path):
    records = [{"instr_id": f"{i}_0", "trajectory": ["a"]} for i in range(20_000)]
    source = put(tmp_path / "a.json", [*records, {"instr_id": "x"}])
    target = put(tmp_path / "b.json", "old")
    with pytest.raises(InputError, match="record 20001"):
        convert(source, target)
    assert target.read_text() == '"old"'
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.json", "b.json"]


def test_records_are_written_as_they_are_read(tmp_path, monkeypatch):
    real = get_format("r2r")
    pulled: list[str] = []

    def read(path, on_problem):
        for prediction in real.read(path, on_problem):
            pulled.append(prediction.episode_id)
            yield prediction

    def write(records, stream):
        for number, _ in enumerate(records, 1):
            assert len(pulled) == number

    watched = dataclasses.replace(real, read=read, write=write)
    monkeypatch.setattr("vlnscope.episodes.convert.get_format", lambda name: watched)
    source = put(tmp_path / "a.json", [ANGLES | {"instr_id": f"{i}"} for i in range(50)])
    assert convert(source, tmp_path / "b.json", to="r2r", from_="r2r").records == 50


def test_episodes_are_converted_too(tmp_path):
    record = {"path_id": 1, "scan": "s", "heading": 0.5, "path": ["a", "b"], "distance": 2.5}
    source = put(tmp_path / "R2R_x.json", [record | {"instructions": ["go", "walk", "run"]}])
    report = convert(source, tmp_path / "copy.json.gz")
    assert report.source_format == report.target_format == "r2r-episodes"
    assert list(read_episodes(report.target)) == list(read_episodes(source))
    with pytest.raises(InputError):
        convert(source, tmp_path / "b.json", to="vlnce-episodes")
    assert not (tmp_path / "b.json").exists()


def test_a_real_submission_goes_there_and_back(tmp_path, prevalent):
    convert(prevalent, tmp_path / "there.jsonl", to="evidence")
    back = convert(tmp_path / "there.jsonl", tmp_path / "back.json", to="r2r")
    assert back.records == 2349
    assert json.loads(back.target.read_text()) == json.loads(gzip.decompress(prevalent.read_bytes()))
