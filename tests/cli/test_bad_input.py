"""Files damaged in every way: reading gives sound records or an error for users, never anything else."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from vlnscope.core.exceptions import InputError, VlnscopeError
from vlnscope.episodes.convert import convert
from vlnscope.episodes.format import Problem, formats, get_format, refuse
from vlnscope.episodes.json import blocks as json_blocks
from vlnscope.episodes.json import stream as json_stream
from vlnscope.episodes.reading import head_of, read_predictions, sniff
from vlnscope.types import Prediction, TourLog

VIEWS = [f"{i:032x}" for i in range(6)]
STEP = {"position": [1.5, 0.25, -3.0], "heading": 0.5, "stop": False}
ENTRY = {"position": [1.5, 0.25, -3.0], "phase": "agent", "episode_id": "7"}
SAMPLES: dict[str, Any] = {
    "r2r": [
        {"instr_id": "1_0", "trajectory": [[view, 0.5, 0.0] for view in VIEWS]},
        {"instr_id": "1_1", "trajectory": [[VIEWS[0]], VIEWS[1:4]]},
        {"instr_id": 17, "trajectory": VIEWS[:2], "score": {"a": [1, None]}},
    ],
    "reverie": [
        {"instr_id": f"{i}_4_0", "trajectory": [[view, 0.5, 0.0] for view in VIEWS[:3]], "predObjId": 44}
        for i in range(3)
    ],
    "vlnce": {"12": [STEP, STEP | {"stop": True}], "13": [STEP | {"hit": 1}], "14": [STEP]},
    "r2r-by-id": {"1_0": [[view, 0.5, 0.0] for view in VIEWS], "1_1": VIEWS[:2], "1_2": [[VIEWS[0]]]},
    "positions-by-id": {"1": [[0.5, 1, 2.5], [1, 2, 3]], "2": [[0.5, 1, 2.5]]},
    "rxrce": [{"instruction_id": i, "path": [[0.5, 1, 2.5], [1, 2, 3]]} for i in range(3)],
    "rxr": [{"instruction_id": i, "path": VIEWS[:3]} for i in range(3)],
    "evidence": [
        {"v": 1, "case_id": f"c{i}", "episode_id": "1_0", "path": VIEWS[:2], "headings": [0.5, 1.5]}
        | {"stopped": True, "seconds": 1.5, "events": [{"kind": "retry"}], "extra": {"seed": i}}
        for i in range(3)
    ],
    "ivln-log": {"0": [ENTRY, ENTRY | {"phase": "oracle_goal"}], "1": [{**ENTRY, "viewpoint": VIEWS[0]}]},
}
EPISODES = [
    {
        "path_id": i,
        "scan": "s",
        "heading": 0.5,
        "path": VIEWS,
        "distance": 2.5,
        "instructions": ["a", "b", "c"],
    }
    for i in range(3)
]


def fuzz(examples: int = 100) -> settings:
    slow = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(suppress_health_check=slow, deadline=None, max_examples=examples)


def text_of(name: str, content: Any) -> bytes:
    if get_format(name).suffix == ".jsonl":
        return "".join(json.dumps(record) + "\n" for record in content).encode()
    return json.dumps(content).encode()


# --- two kinds of damage: to the bytes, and to the values that they stand for --------------------------

TOKENS = [
    b"[",
    b"]",
    b"{",
    b"}",
    b",",
    b":",
    b'"',
    b"\\",
    b"null",
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"\n",
    b"0",
]
TOKENS += [
    b"\x00",
    b"\xff\xfe",
    b"\xe9",
    b'"\\ud800"',
    b"true",
    b" ",
    b"9" * 400,
    b"[" * 2000,
    b'"instr_id": 3,',
]
STRANGE = [
    None,
    True,
    0,
    -1,
    10**30,
    1.5,
    1e308,
    "",
    "x",
    [],
    {},
    [[]],
    [None],
    {"": None},
    [[1, 2, 3]],
    ["a", "b"],
]


@st.composite
def broken_bytes(draw: st.DrawFn, text: bytes) -> bytes:
    """Text with a few flips, cuts, insertions and deletions."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        length = draw(st.sampled_from([0, 1, 1, 2, 10, 200]))
        change = draw(st.sampled_from(["flip", "insert", "delete", "cut", "repeat"]))
        if change == "flip":
            text = text[:at] + bytes([draw(st.integers(0, 255))]) + text[at + 1 :]
        elif change == "insert":
            text = text[:at] + draw(st.sampled_from(TOKENS)) + text[at:]
        elif change == "delete":
            text = text[:at] + text[at + length :]
        elif change == "cut":
            text = text[:at]
        else:
            text = text[: at + length] + text[at:]
    return text


@st.composite
def broken_values(draw: st.DrawFn, value: Any) -> Any:
    """The value with one part, anywhere in it, removed or replaced by something strange."""
    if isinstance(value, dict | list) and value and draw(st.integers(0, 9)):
        key = draw(st.sampled_from(list(value) if isinstance(value, dict) else range(len(value))))
        copy = value.copy()
        if draw(st.integers(0, 7)):
            copy[key] = draw(broken_values(value[key]))
        else:
            del copy[key]
        return copy
    return draw(st.sampled_from(STRANGE))


def check_record(record: Any) -> None:
    """A record that was let through must be sound in all its parts."""
    assert isinstance(record, Prediction | TourLog)
    if isinstance(record, TourLog):
        assert record.tour_id
        assert record.steps
        assert all(step.episode_id and (step.position or step.viewpoint) for step in record.steps)
        return
    assert record.episode_id
    assert record.path or record.positions
    assert all(isinstance(view, str) and view for view in record.path)
    numbers = [
        *(record.headings or ()),
        *(record.elevations or ()),
        *(v for p in record.positions for v in p),
    ]
    assert all(isinstance(number, float) and math.isfinite(number) for number in numbers)
    assert record.headings is None or len(record.headings) == len(record.path or record.positions)
    assert record.segments is None or sum(record.segments) == len(record.path)
    assert record.stopped is None or isinstance(record.stopped, bool)


def survives(path: Path, name: str) -> None:
    """Read a file in all ways; every outcome must be a sound record or an error for users."""
    problems: list[Problem] = []
    refusals: list[str] = []
    for chosen in (None, name):
        for on_problem in (refuse, problems.append):
            try:
                fmt = get_format(chosen) if chosen else sniff(path)
                for record in fmt.read(path, on_problem):
                    if fmt.holds in ("predictions", "tour-logs"):
                        check_record(record)
            except VlnscopeError as error:
                refusals.append(error.what)
    assert all(what.startswith(str(path)) and "\n" not in what for what in refusals)
    for problem in problems:
        assert problem.code
        assert problem.what
        assert problem.where.startswith(str(path))
        problem.what.encode()
        (problem.episode_id or "").encode()
    target = path.with_name(f"made{get_format(name).suffix}")
    try:
        convert(path, target, to=name, from_=name)
    except VlnscopeError:
        assert not target.exists()
    else:
        assert list(get_format(name).read(target, refuse)) == list(get_format(name).read(path, refuse))
        target.unlink()


@pytest.mark.hypothesis
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", SAMPLES)
def test_damaged_bytes(tmp_path, name, packed):
    path = tmp_path / f"a{get_format(name).suffix}{'.gz' if packed else ''}"
    text = text_of(name, SAMPLES[name])

    @fuzz(30 if packed else 100)
    @given(broken_bytes(gzip.compress(text, mtime=0) if packed else text))
    def try_it(damaged):
        path.write_bytes(damaged)
        survives(path, name)

    try_it()


@pytest.mark.hypothesis
@pytest.mark.parametrize("name", SAMPLES)
def test_damaged_values(tmp_path, name):
    path = tmp_path / f"a{get_format(name).suffix}"

    @fuzz()
    @given(broken_values(SAMPLES[name]))
    def try_it(damaged):
        is_lines = get_format(name).suffix == ".jsonl"
        content = damaged if isinstance(damaged, list) or not is_lines else [damaged]
        path.write_bytes(text_of(name, content))
        survives(path, name)

    try_it()


@pytest.mark.hypothesis
def test_damage_in_a_block_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(json_stream, "READ_SIZE", 100)
    path = tmp_path / "a.json"

    @fuzz()
    @given(broken_bytes(text_of("r2r", SAMPLES["r2r"])))
    def try_it(damaged):
        path.write_bytes(damaged)
        survives(path, "r2r")

    try_it()


@pytest.mark.hypothesis
def test_damaged_episodes(tmp_path):
    path = tmp_path / "a.json"

    @fuzz()
    @given(
        broken_bytes(json.dumps(EPISODES).encode())
        | broken_values(EPISODES).map(lambda v: json.dumps(v).encode())
    )
    def try_it(damaged):
        path.write_bytes(damaged)
        survives(path, "r2r-episodes")

    try_it()


def real_slices(path: Path) -> Iterator[bytes]:
    """Ten records at a time out of a real file."""
    records = json.loads(gzip.decompress(path.read_bytes()))
    for start in range(0, len(records), len(records) // 5):
        yield json.dumps(records[start : start + 10]).encode()


@pytest.mark.hypothesis
def test_damaged_real_submissions(tmp_path, prevalent):
    path = tmp_path / "a.json"

    @fuzz()
    @given(st.sampled_from(list(real_slices(prevalent))).flatmap(broken_bytes))
    def try_it(damaged):
        path.write_bytes(damaged)
        survives(path, "r2r")

    try_it()


def test_a_real_file_cut_anywhere_is_refused(tmp_path, prevalent):
    packed = prevalent.read_bytes()
    for share in (0.1, 0.5, 0.9, 0.9999):
        path = tmp_path / "cut.json.gz"
        path.write_bytes(packed[: int(len(packed) * share)])
        with pytest.raises(InputError, match="gzip"):
            list(read_predictions(path))
    text = gzip.decompress(packed)
    for cut in (len(text) // 2, len(text) - 1):
        path = tmp_path / "cut.json"
        path.write_bytes(text[:cut])
        found = []
        with pytest.raises(InputError, match="cut off"):
            found.extend(read_predictions(path))


# --- particular files ----------------------------------------------------------------------------------


ONE = '{"instr_id": "1_0", "trajectory": ["a"]}'
UNUSABLE = {
    "nothing": b"",
    "blanks": b"\n \t",
    "only a mark": b"\xef\xbb\xbf",
    "null": b"null",
    "a string": b'"a top-level string"',
    "a number": b"12",
    "a page": b"<html></html>",
    "a pickle": b"\x80\x04\x95pickle",
    "a zip": b"PK\x03\x04zip",
    "no gzip": b"\x1f\x8b",
    "gzip of nothing": gzip.compress(b"", mtime=0),
    "gzip of brackets": gzip.compress(b"[" * 100_000, mtime=0),
    "brackets": b"[" * 100_000,
    "closed brackets": b"[" * 100_000 + b"]" * 100_000,
    "deep objects": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "latin-1": '[{"instr_id": "1_0", "trajectory": ["é"]}]'.encode("latin-1"),
    "utf-16": f"[{ONE}]".encode("utf-16"),
    "utf-16 without a mark": f"[{ONE}]".encode("utf-16-le"),
    "utf-32": f"[{ONE}]".encode("utf-32"),
    "zeros": b"\0" * 100,
    "a zero": ONE.replace("a", "a\0").join("[]").encode(),
    "a lone surrogate": b'[{"instr_id": "1_0", "trajectory": ["\\ud800"]}]',
    "a huge number": b'[{"instr_id": "1_0", "trajectory": [["a", 1e999, 0]]}]',
    "a long number": b"[" + b"9" * 5000 + b"]",
    "NaN": b'[{"instr_id": "1_0", "trajectory": [["a", NaN, 0]]}]',
    "a number for a viewpoint": b'[{"instr_id": "1_0", "trajectory": [[1, 0, 0]]}]',
    "an id twice": f"[{ONE}, {ONE}]".encode(),
    "a key twice": b'[{"instr_id": "1_0", "instr_id": "1_0", "trajectory": ["a"]}]',
    "no end": f"[{ONE}".encode(),
    "two ends": f"[{ONE}]]".encode(),
    "a comma too many": f"[{ONE},]".encode(),
    "the wrong bracket": f"[{ONE}}}".encode(),
}


@pytest.mark.parametrize("kind", UNUSABLE)
@pytest.mark.parametrize("name", [None, "r2r", "vlnce", "evidence"])
def test_unusable_files_are_refused_by_all_readers(tmp_path, kind, name):
    path = tmp_path / "a.json"
    path.write_bytes(UNUSABLE[kind])
    with pytest.raises(InputError, match=r"a\.json") as caught:
        list(read_predictions(path, name))
    assert caught.value.expected
    with pytest.raises(InputError):
        convert(path, tmp_path / "b.json", to="r2r", from_=name)
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_one_record_of_enormous_size_is_refused_without_holding_it(tmp_path, monkeypatch):
    monkeypatch.setattr(json_blocks, "largest_record", lambda: 10_000)
    monkeypatch.setattr(json_stream, "READ_SIZE", 1000)
    path = tmp_path / "a.json"
    good = json.dumps({"instr_id": "1_0", "trajectory": ["a"]})
    path.write_text(f'[{good}, {{"instr_id": "2_0", "trajectory": ["{"x" * 50_000}"]}}]')
    with pytest.raises(InputError, match="record 2 is larger than"):
        list(read_predictions(path))
    lines = tmp_path / "a.jsonl"
    lines.write_text(good + "\n" + "x" * 50_000)
    with pytest.raises(InputError, match="record 2 is larger than"):
        list(read_predictions(lines, "r2r"))


def test_one_line_of_any_size_is_fine_if_its_records_are_small(tmp_path, monkeypatch):
    monkeypatch.setattr(json_blocks, "largest_record", lambda: 1000)
    monkeypatch.setattr(json_stream, "READ_SIZE", 1000)
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"instr_id": f"{i}", "trajectory": VIEWS} for i in range(300)]))
    assert len(list(read_predictions(path))) == 300
    path.write_text(json.dumps({f"{i}": [STEP] * 3 for i in range(300)}))
    assert len(list(read_predictions(path))) == 300


KEYS = ["instr_id", "trajectory", "predObjId", "path", "path_id", "scan", "instructions", "instruction_id"]
KEYS += ["instruction", "position", "phase", "stop", "episode_id", "v", "case_id", "episodes", "val"]
documents = st.recursive(
    st.sampled_from(STRANGE[:9]) | st.text(max_size=3),
    lambda v: st.lists(v, max_size=3) | st.dictionaries(st.sampled_from(KEYS), v, max_size=4),
    max_leaves=12,
)


@fuzz()
@example([])
@example({"": []})
@given(
    st.lists(documents, max_size=2)
    | st.dictionaries(st.sampled_from(["1", "episodes", "val"]), documents, max_size=2)
)
def test_no_format_stumbles_over_a_strange_beginning(tmp_path, content):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(content))
    head = head_of(path)
    for fmt in formats().values():
        assert fmt.sniff(head) in (True, False)
