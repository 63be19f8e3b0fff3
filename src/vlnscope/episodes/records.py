"""The records of JSON files: decoding them one by one, checking them, and saying what is wrong.

`episode_codec` builds the formats of episodes on this, `prediction_codec` those of predictions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.format import SUMMARY, OnProblem, Problem
from vlnscope.episodes.json.stream import (
    BrokenRecordError,
    Container,
    decode_record,
    read_blocks,
    try_decode,
)

Record = dict[str, Any]
T = TypeVar("T")

_ANY = msgspec.json.Decoder()
_ID_KEYS = ("instruction_id", "id", "episode_id", "path_id")
_SAYS = re.compile(r"Expected (?P<expected>.+?)(, got (?P<got>.+?))?( - at `\$\.?(?P<place>.+)`)?")
_INT = re.compile(r"-?[1-9][0-9]{0,17}|0")


class RecordError(Exception):
    """A record that cannot be used; the reader turns it into a `Problem`."""

    def __init__(self, code: str, what: str, expected: str) -> None:
        super().__init__(what)
        self.code = code
        self.what = what
        self.expected = expected

    def at(self, where: str, episode_id: str | None) -> Problem:
        """Return the problem that this is at a place of a file."""
        return Problem(self.code, episode_id, where, self.what, self.expected)


def summary_problem(where: str, record: Record) -> Problem:
    """Return what a reader reports of a summary among the records, which it leaves out."""
    what = "is a summary by the authors of the file"
    return Problem(SUMMARY, None, where, what, "records of episodes", record=record)


def numbered_records(
    path: Path, on_problem: OnProblem, *, lenient: bool = False, member: str | None = None
) -> Iterator[tuple[str, Record]]:
    """Yield each JSON object of an array or of lines with the place where it stands.

    Args:
        path: the file.
        on_problem: gets what is not JSON or not an object.
        lenient: read ``NaN``, which JSON does not have but Python writes, as null.
        member: take the array under this key of the file's top-level object.
    """
    for block in read_blocks(path, member=member):
        if block.container == "object":
            raise InputError(
                f"{path}: holds one JSON object",
                expected="an array of records or JSON lines",
                fix="name the format that the file has; `vlnscope ls formats` lists all",
            )
        items = try_decode(block, _ANY)
        if items is None:
            items = (_decoded(raw, block.container, lenient) for raw in block.records())
        for number, item in enumerate(items, block.first + 1):
            where = f"{path}: record {number}"
            if isinstance(item, dict):
                yield where, item
            else:
                flaw = item if isinstance(item, RecordError) else not_an_object(item, "a JSON object")
                on_problem(flaw.at(where, None))


def _decoded(raw: bytes, container: Container, lenient: bool) -> Any:
    """Decode one record of a block that has damage; return the flaw if this is the damaged one."""
    try:
        return decode_record(container, raw)[1]
    except BrokenRecordError as damage:
        broken = RecordError(damage.code, damage.what, damage.expected)
    if not (lenient and broken.code == "not-finite"):
        return broken
    try:
        value = _without_nan(decode_record(container, raw, lenient=True)[1])
        msgspec.json.encode(value)  # lone surrogates come through as well, and are not text
    except (BrokenRecordError, UnicodeEncodeError, RecursionError):
        return broken
    return value


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def not_an_object(value: Any, expected: str) -> RecordError:
    """Return the flaw of a record that is another JSON value than an object."""
    return RecordError("not-an-object", f"is {shown(value)}", expected)


def shaped(record: Record, shape: type[T]) -> T:
    """Convert the fields of a record that `shape` names, or raise the `RecordError` that prevents it."""
    try:
        return msgspec.convert(record, shape)
    except msgspec.ValidationError as error:
        raise _misshapen(str(error)) from None


def _misshapen(text: str) -> RecordError:
    """Put what msgspec says of a record in other words: what there is, and what should be there."""
    if "missing required field" in text:
        return RecordError("missing-key", text, "all fields of the format")
    if "out of range" in text:
        return RecordError("not-finite", text, "finite numbers")
    says = _SAYS.fullmatch(text)
    if says is None:
        return RecordError("wrong-type", text, "a record as the format has it")
    where, got, expected = says["place"] or "the record", says["got"], says["expected"]
    field = re.split(r"\W", where)[0]
    if expected == "`str` of length >= 1":
        return RecordError("bad-id", f"{where} is empty", "a string that is not empty")
    if field.endswith("id"):
        return RecordError("bad-id", f"{where} is {got}", "a number or a string that is not empty")
    if expected.endswith("length >= 1"):
        return RecordError(f"empty-{field}", f"{where} is empty", f"a {field} with at least one element")
    if "of length" in expected:
        return RecordError("tuple-shape", f"{where} has length {got}", expected)
    code = "not-a-string" if expected == "`str`" else "wrong-type"
    return RecordError(code, f"{where} is {got or 'not allowed'}", expected)


def record_id(record: Record) -> str | None:
    """Return the id of a record that may be damaged, for messages."""
    for key in _ID_KEYS:
        value = record.get(key)
        if isinstance(value, str | int) and value != "":
            return str(value)
    return None


def id_text(value: int | str, field: str) -> str:
    """Return an id as text; an empty one is a flaw."""
    text = str(value)
    if not text.strip():
        raise RecordError("bad-id", f"{field} is empty", "a number or a string that is not empty")
    return text


def number_or_text(text: str) -> int | str:
    """Return an id as the number that the benchmarks store, if it looks like one.

    Example:
        >>> number_or_text("4332"), number_or_text("04332"), number_or_text("lr-0")
        (4332, '04332', 'lr-0')
    """
    return int(text) if _INT.fullmatch(text) else text


def leftover(record: Record, base: Record) -> Record:
    """Return what `record` holds beyond `base`, level by level.

    Example:
        >>> leftover({"a": 1, "b": {"c": 2, "d": 3}}, {"a": 1, "b": {"c": 2}})
        {'b': {'d': 3}}
    """
    rest: Record = {}
    for key, value in record.items():
        if key not in base:
            rest[key] = value
        elif isinstance(value, dict) and isinstance(base[key], dict):
            if below := leftover(value, base[key]):
                rest[key] = below
        elif value != base[key]:
            rest[key] = value
    return rest


def merged(base: Record, over: Record) -> Record:
    """Return `base` with `over` laid on top of it, level by level.

    Example:
        >>> merged({"a": 1, "b": {"c": 2}}, {"b": {"d": 3}})
        {'a': 1, 'b': {'c': 2, 'd': 3}}
    """
    result = dict(base)
    for key, value in over.items():
        below = result.get(key)
        deeper = isinstance(value, dict) and isinstance(below, dict)
        result[key] = merged(result[key], value) if deeper else value
    return result


def encoded(value: Any) -> bytes:
    """Return JSON text, or say that a value cannot be written as JSON."""
    try:
        return msgspec.json.encode(value)
    except (TypeError, UnicodeEncodeError, RecursionError) as error:
        raise InputError(
            f"a record cannot be written as JSON ({error})",
            expected="texts, finite numbers, lists and dicts with texts as keys",
            fix="look into `extra`: all other fields have a type",
        ) from None


def shown(value: Any) -> str:
    """Return a JSON value as a message shows it: short, whatever it is."""
    if isinstance(value, list | dict):
        return f"an {'array' if isinstance(value, list) else 'object'} of {len(value)}"
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else f"{value[:37]}…")
    names = {None: "null", True: "true", False: "false"}
    return names[value] if value is None or isinstance(value, bool) else str(value)[:40]
