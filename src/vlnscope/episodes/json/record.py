"""Decodes the text of single JSON records and says what is wrong with those that are not JSON."""

from __future__ import annotations

import json
from typing import Any, Literal

import msgspec

from vlnscope.episodes.json.scan import BracketState, scan

Container = Literal["array", "object", "lines"]

SPACE = b" \t\r\n"


class BrokenRecordError(ValueError):
    """The text of one record is not JSON.

    Attributes:
        code: short stable name of the kind of damage.
        what: what is wrong.
        expected: what would be right.
    """

    def __init__(self, code: str, what: str, expected: str) -> None:
        super().__init__(what)
        self.code, self.what, self.expected = code, what, expected


def decode_record(container: Container, raw: bytes, *, lenient: bool = False) -> tuple[str | None, Any]:
    """Decode the text of one record to its key (None unless the container is an object) and its value.

    Args:
        container: where the record comes from.
        raw: its text; in an object: key, colon and value.
        lenient: let through what is not JSON but has a meaning: NaN, infinities, lone surrogates.

    Raises:
        BrokenRecordError: the text is not JSON.

    Example:
        >>> decode_record("object", b'"1": [2]')
        ('1', [2])
    """
    text = b"{" + raw + b"}" if container == "object" else raw
    try:
        value = json.loads(text) if lenient else msgspec.json.decode(text)
    except UnicodeDecodeError:
        raise BrokenRecordError("encoding", "the text is not UTF-8", "UTF-8") from None
    except RecursionError:
        raise BrokenRecordError("nesting", "is nested too deeply", "a few levels of nesting") from None
    except ValueError as error:
        raise _damage(raw, str(error)) from None
    if container != "object":
        return None, value
    if len(value) != 1:
        raise BrokenRecordError("not-json", "is not valid JSON (it has no key)", "a key and a value")
    ((key, item),) = value.items()
    return key, item


def count_members(raw: bytes) -> int:
    """Count the members in the text of a JSON object, those with the same key one by one.

    Example:
        >>> count_members(b' {"a": [1, 2], "a": 3} '), count_members(b"{ }")
        (2, 0)
    """
    whole = scan(raw, BracketState(0))
    return len(whole.commas) + 1 if raw[: whole.end - 1].strip(SPACE) != b"{" else 0


def _damage(raw: bytes, reason: str) -> BrokenRecordError:
    if b"NaN" in raw or b"Infinity" in raw:
        what = "has NaN or Infinity, which JSON does not know"
        return BrokenRecordError("not-finite", what, "finite numbers")
    if "out of range" in reason:
        return BrokenRecordError("not-finite", "has a number too large to store", "finite numbers")
    return BrokenRecordError("not-json", f"is not valid JSON ({reason})", "valid JSON")
