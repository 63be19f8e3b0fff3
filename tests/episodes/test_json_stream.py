"""Cutting JSON files into records: right at every block size, and right about what is wrong and where."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.json import blocks as json_blocks
from vlnscope.episodes.json.record import count_members
from vlnscope.episodes.json.scan import close_brackets
from vlnscope.episodes.json.stream import (
    RecordBlock,
    beside,
    decode,
    member_keys,
    peek,
    read_blocks,
    try_decode,
)

SAME_FOLDER = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
    max_examples=50,
)

texts = st.text(st.sampled_from('ab[]{},:"\\\n é😀'), max_size=6)
scalars = st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.floats(-9, 9) | texts
values = st.recursive(scalars, lambda v: st.lists(v, max_size=3) | st.dictionaries(texts, v, max_size=3))
layouts = st.sampled_from([{}, {"indent": 1}, {"separators": (",", ":")}, {"ensure_ascii": False}])
sizes = st.integers(1, 40) | st.just(1 << 20)


def collect(path: Path, size: int, member: str | None = None) -> list[Any]:
    """All records, as (key, value) pairs for objects; checks what blocks say of themselves on the way."""
    found: list[Any] = []
    for block in read_blocks(path, size, member):
        assert block.first == len(found)
        decoded = decode(block, path)
        assert len(block.records()) == block.count
        if block.container == "object":
            pairs = [p for raw in block.records() for p in json.loads(b"{" + raw + b"}").items()]
            assert dict(pairs) == decoded
            found.extend(pairs)
        else:
            assert [json.loads(raw) for raw in block.records()] == decoded
            found.extend(decoded)
        assert len(found) == block.first + block.count
    return found


@SAME_FOLDER
@given(records=st.lists(values, max_size=6), layout=layouts, size=sizes, packed=st.booleans())
def test_an_array_is_read_whole_whatever_the_block_size(tmp_path, records, layout, size, packed):
    path = tmp_path / "a.json"
    text = json.dumps(records, **layout).encode()
    path.write_bytes(gzip.compress(text) if packed else text)
    assert collect(path, size) == records


@SAME_FOLDER
@given(pairs=st.lists(st.tuples(texts, values), max_size=6), layout=layouts, size=sizes)
def test_an_object_is_read_whole_even_if_it_repeats_keys(tmp_path, pairs, layout, size):
    path = tmp_path / "a.json"
    body = ", ".join(f"{json.dumps(key)}: {json.dumps(value, **layout)}" for key, value in pairs)
    path.write_text("{" + body + "}")
    assert collect(path, size) == pairs


@SAME_FOLDER
@given(
    records=st.lists(st.dictionaries(texts, values, max_size=3), min_size=1, max_size=6),
    gap=st.sampled_from(["\n", "\r\n", "\n\n \n"]),
    size=sizes,
    ends=st.booleans(),
)
def test_json_lines_are_read_whole(tmp_path, records, gap, size, ends):
    path = tmp_path / "a.jsonl"
    path.write_bytes((gap.join(map(json.dumps, records)) + (gap if ends else "")).encode())
    assert collect(path, size) == records
    if len(records) > 1:
        plain = tmp_path / "a.json"
        plain.write_bytes(path.read_bytes())
        assert collect(plain, size) == records


@SAME_FOLDER
@given(
    members=st.dictionaries(texts, st.lists(values, max_size=3) | st.dictionaries(texts, values, max_size=3)),
    layout=layouts,
    size=sizes,
)
def test_a_member_of_an_object_is_read_as_if_it_were_the_file(tmp_path, members, layout, size):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(members, **layout))
    assert member_keys(path, size) == list(members)
    for key, value in members.items():
        found = collect(path, size, key)
        assert found == (list(value.items()) if isinstance(value, dict) else value)


@SAME_FOLDER
@given(
    records=st.lists(values, min_size=1, max_size=4),
    layout=layouts,
    place=st.floats(0, 1),
    change=st.sampled_from(["drop", "cut", *'[]{},:"\\x0']),
    sizes=st.lists(sizes, min_size=2, max_size=4),
)
def test_a_damaged_array_is_refused_exactly_if_it_is_not_json(
    tmp_path, records, layout, place, change, sizes
):
    text = json.dumps(records, **layout)
    at = int(place * (len(text) - 1))
    rest = "" if change == "cut" else text[at + 1 :]
    damaged = (text[:at] + ("" if change in ("drop", "cut") else change) + rest).encode()
    path = tmp_path / "a.json"
    path.write_bytes(damaged)
    try:
        wanted = msgspec.json.decode(damaged, type=list[Any])
    except (msgspec.DecodeError, UnicodeDecodeError):
        wanted = None
    for size in sizes:
        if wanted is None and not damaged.strip().startswith(b"{"):
            with pytest.raises(InputError, match=r"a\.json"):
                collect(path, size)
        elif wanted is not None:
            assert collect(path, size) == wanted


def strictly(text: bytes) -> Any:
    """What a strict parser makes of a document; None if it refuses it, or if a key comes twice at the top."""
    try:
        value = msgspec.json.decode(text)
        pairs = json.loads(text, object_pairs_hook=list)
    except (ValueError, msgspec.DecodeError, RecursionError):
        return None
    return value if isinstance(value, dict) and len(pairs) == len(value) else None


@settings(SAME_FOLDER, max_examples=300)
@example({"instruction_vocab": {}, "episodes": [1]}, {}, 22, ' {"word_list":[]}', 0, 99)
@example({"instruction_vocab": {}, "episodes": [1]}, {}, 24, "}", 0, 1)
@example({"a": 1, "episodes": []}, {}, 7, ',"a":2', 0, 3)
@given(
    members=st.dictionaries(texts, values, max_size=3).map(lambda found: found | {"episodes": [1, {"a": 2}]}),
    layout=layouts,
    at=st.integers(0, 200),
    filling=st.sampled_from(
        ["", *'[]{},:"\\x0 ', "{}", "[]", " {}", ",,", '"a":1,', "NaN", "Infinity", "1e999", "\n{}", ' "a"']
    ),
    length=st.integers(0, 3),
    size=sizes,
)
def test_a_damaged_object_is_read_exactly_if_all_of_it_is_json(
    tmp_path, members, layout, at, filling, length, size
):
    """Whatever member is wanted, and whichever is damaged."""
    text = json.dumps(members, **layout)
    at = min(at, len(text))
    damaged = (text[:at] + filling + text[at + length :]).encode()
    path = tmp_path / "a.json"
    path.write_bytes(damaged)
    wanted = strictly(damaged)
    if wanted is None or not isinstance(wanted.get("episodes"), list):
        with pytest.raises(InputError, match=r"a\.json"):
            collect(path, size, "episodes")
    else:
        assert collect(path, size, "episodes") == wanted["episodes"]
        assert beside(path, "episodes", size) == {k: v for k, v in wanted.items() if k != "episodes"}


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
@pytest.mark.parametrize("bad", ["{,}", "tru", '{"a": NaN}', '"\\ud800"', "1e999", '{"a" 1}', '"\x00"'])
@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_the_record_that_is_broken_is_named(tmp_path, size, bad, name):
    path = tmp_path / name
    records = ['{"a": [1, 2]}'] * 5 + [bad] + ['{"b": 3}'] * 5
    path.write_text("\n".join(records) if name == "a.jsonl" else f"[{', '.join(records)}]")
    with pytest.raises(InputError, match=r"record 6: "):
        collect(path, size)


def test_nan_is_called_by_its_name(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('[{"heading": NaN}]')
    with pytest.raises(InputError) as caught:
        collect(path, 99)
    assert "NaN" in caught.value.what
    assert caught.value.expected == "finite numbers"


@pytest.mark.parametrize("text", ["[1, 2,]", "[,1]", "[1,,2]", "[ , ]", "[1, 2}", "[1] 2", "[1", '{"a": 1,}'])
@pytest.mark.parametrize("size", range(1, 9))
def test_slips_at_the_seams_are_noticed_at_every_block_size(tmp_path, text, size):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(InputError):
        collect(path, size)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b" \n\t ", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"hello", "starts with b'hello'"),
        (b'"a string"', "starts with"),
        (b"17", "starts with"),
        ("[1]".encode("utf-16"), "UTF-8"),
        ("[1]".encode("utf-16-le"), "UTF-8"),
        ("[1]".encode("utf-16-be"), "UTF-8"),
        ('["é"]'.encode("latin-1"), "UTF-8"),
        (b"[" * 100_000, "cut off"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        (b'{"a": [1, 2', "cut off"),
        (gzip.compress(b"[1, 2, 3]", mtime=0)[:-9], "gzip"),
        (b"\x1f\x8b\x00\x00", "gzip"),
    ],
)
@pytest.mark.parametrize("size", [3, 1 << 20])
def test_what_is_no_json_is_refused_with_a_reason(tmp_path, content, says, size):
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=says):
        collect(path, size)


def test_a_byte_order_mark_is_skipped(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(b"\xef\xbb\xbf \n[1, 2]\n ")
    assert collect(path, 1) == collect(path, 99) == [1, 2]


def test_no_file_and_a_folder_are_told_apart(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        collect(tmp_path / "none.json", 9)
    with pytest.raises(InputError, match="directory"):
        collect(tmp_path, 9)


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_one_huge_record_is_refused_but_a_huge_line_of_small_ones_is_fine(tmp_path, monkeypatch, name):
    monkeypatch.setattr(json_blocks, "largest_record", lambda: 1000)
    path = tmp_path / name
    records = [{"a": "x" * 500}] * 40
    path.write_text(json.dumps(records) if name == "a.json" else "\n".join(map(json.dumps, records)))
    assert len(collect(path, 64)) == 40
    records[7] = {"a": "x" * 2000}
    path.write_text(json.dumps(records) if name == "a.json" else "\n".join(map(json.dumps, records)))
    with pytest.raises(InputError, match="record 8 is larger"):
        collect(path, 64)


def test_broken_lines_that_complete_each_other_are_not_taken_for_a_record(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}, {"b": 2}\n{"c": [3\n4]}\n')
    with pytest.raises(InputError, match="record 1: "):
        collect(path, 1 << 20)
    (block,) = read_blocks(path)
    assert try_decode(block, msgspec.json.Decoder()) is None
    assert block.records() == [b'{"a": 1}, {"b": 2}', b'{"c": [3', b"4]}"]


def test_only_a_last_line_without_an_end_may_be_cut_off(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1}\n{"b": 2}\n{"c"')
    assert [(b.count, b.terminated) for b in read_blocks(path)] == [(2, True), (1, False)]
    path.write_text('{"a": 1}\n{"b": 2}\n')
    assert [(b.count, b.terminated) for b in read_blocks(path)] == [(2, True)]


def test_a_large_file_comes_in_several_blocks(tmp_path):
    path = tmp_path / "a.json"
    records = [{"id": i, "text": "x" * 50} for i in range(1000)]
    path.write_text(json.dumps(records))
    blocks = list(read_blocks(path, 4096))
    assert len(blocks) > 10
    assert max(len(block.data) for block in blocks) < 3 * 4096
    assert collect(path, 4096) == records


@pytest.mark.parametrize(
    ("name", "text", "container"),
    [
        ("a.json", '{"a": 1}', "object"),
        ("a.json", '{"a": 1}\n\n', "object"),
        ("a.json", '{\n"a": 1\n}\n', "object"),
        ("a.json", '{"a": 1}\n{"a": 2}', "lines"),
        ("a.jsonl", '{"a": 1}', "lines"),
        ("a.jsonl.gz", '{"a": 1}', "lines"),
        ("a.json", "[1]", "array"),
    ],
)
@pytest.mark.parametrize("size", [1, 5, 99])
def test_containers_are_told_apart(tmp_path, name, text, container, size):
    path = tmp_path / name
    path.write_text(text)
    assert peek(path).container == container
    assert {block.container for block in read_blocks(path, size)} == {container}


@pytest.mark.parametrize("text", ['{"a": 1} {"b": 2}', '{\n"a": 1}\n{"b": 2}'])
def test_objects_in_a_row_that_are_no_lines_are_refused(tmp_path, text):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(InputError, match="text follows"):
        collect(path, 99)


@SAME_FOLDER
@given(records=st.lists(values, min_size=1, max_size=4), layout=layouts)
def test_peek_shows_the_first_record(tmp_path, records, layout):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(records, **layout))
    assert peek(path) == ("array", None, records[0])
    path.write_text(json.dumps({"key": records}, **layout))
    assert peek(path) == ("object", "key", records)


def test_peek_shows_the_beginning_of_a_record_that_is_too_long(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"episodes": [{"id": i, "path": ["a", "b"]} for i in range(1000)]}))
    container, key, record = peek(path, 300)
    assert (container, key) == ("object", "episodes")
    assert 1 < len(record) < 20
    assert record[0] == {"id": 0, "path": ["a", "b"]}


def test_peek_lets_nan_through_and_finds_nothing_in_nothing(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('[{"heading": NaN}]')
    assert "heading" in peek(path).record
    path.write_text("[ ]")
    assert peek(path) == ("array", None, None)
    path.write_text('[{"a" 1}]')
    with pytest.raises(InputError, match="record 1"):
        peek(path)


@given(value=values, cut=st.floats(0, 1))
def test_closing_brackets_makes_json_of_any_beginning(value, cut):
    text = json.dumps([value, value, 1]).encode()
    beginning = text[: 1 + int(cut * (len(text) - 1))]
    closed = close_brackets(beginning)
    if closed != beginning:
        assert isinstance(json.loads(closed), list)


@given(pairs=st.lists(st.tuples(texts, values), max_size=5))
def test_members_are_counted_with_their_repetitions(pairs):
    text = "{" + ", ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in pairs) + "}"
    assert count_members(f" {text} ".encode()) == len(pairs)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"a": [1]}', "there is no 'b'"),
        ("[1]", "there is no 'b'"),
        ('{"b": 3}', "holds no records"),
        ('{"b": [1, 2]', "cut off"),
        ('{"b": [1, 2]]', "expected a comma or }"),
        ('{"b": [1, 2]} 3', "text follows"),
        ('{"b": [1, 2', "cut off"),
        ('{"a": 1, b: 2}', "expected a key"),
        ('{"a": 1, "b', "expected a key"),
        ('{"\\ud800": 1, "b": []}', "key"),
    ],
)
@pytest.mark.parametrize("size", [1, 6, 99])
def test_a_member_that_cannot_be_read_is_explained(tmp_path, text, says, size):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(InputError, match=says):
        collect(path, size, "b")


def test_a_typed_decoder_lets_other_shapes_through_to_the_caller(tmp_path):
    path = tmp_path / "a.json"
    block = RecordBlock("array", b'[1, "x"]', 0, 2)
    with pytest.raises(msgspec.ValidationError):
        decode(block, path, msgspec.json.Decoder(list[int]))
    with pytest.raises(InputError, match="too large"):
        decode(RecordBlock("array", b"[1e999]", 0, 1), path)
