"""Cuts JSON into blocks of whole records, and decodes them.

A block is itself a small JSON document that a typed decoder turns into records in one call. The cut is made
by nesting alone, at full speed; whether the text between two cuts is JSON shows when it is decoded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.core.json_file import NOT_JSON
from vlnscope.core.limits import RECORD_MB, too_large
from vlnscope.episodes.json.feed import MEND, ByteFeed, bad_encoding, bad_json, cut_off, largest_record
from vlnscope.episodes.json.record import SPACE, BrokenRecordError, Container, decode_record
from vlnscope.episodes.json.scan import CLOSES, BracketState, scan

_AT_ONCE = 64 << 20


@dataclass(frozen=True, slots=True)
class RecordBlock:
    """Some whole records.

    Attributes:
        container: how the file holds its records.
        data: a JSON array of them, or an object if the container is one.
        first: how many records come before them.
        count: how many they are.
        terminated: False for a last line that does not end with a line feed, which may be cut off.
    """

    container: Container
    data: bytes
    first: int
    count: int
    terminated: bool = True

    def records(self) -> list[bytes]:
        """Return the text of each record (of an object: key, colon and value)."""
        if self.container == "lines":
            first, *rest = self.data[1:-1].split(b"\n")
            return [first, *(line.removeprefix(b",") for line in rest)]
        commas = scan(self.data, BracketState(0)).commas
        return [self.data[a + 1 : b] for a, b in zip([0, *commas], [*commas, -1], strict=True)]


def decode(block: RecordBlock, path: Path, decoder: msgspec.json.Decoder[Any] | None = None) -> Any:
    """Decode a block, turning every way in which that can fail into an `InputError`.

    With a typed decoder a `msgspec.ValidationError` (valid JSON of another shape) passes through: only
    the reader of a format can say what was expected.
    """
    try:
        _check_lines(block)
        return decoder.decode(block.data) if decoder else msgspec.json.decode(block.data)
    except NOT_JSON as error:
        if decoder and isinstance(error, msgspec.ValidationError):
            raise
        raise _first_damage(block, path, str(error)) from None


def try_decode(block: RecordBlock, decoder: msgspec.json.Decoder[Any]) -> Any | None:
    """Decode a block, or return None if any of its records is damaged or has another shape."""
    try:
        _check_lines(block)
        return decoder.decode(block.data)
    except NOT_JSON:
        return None


def cut_array(feed: ByteFeed) -> Iterator[RecordBlock]:
    """Cut the array that a file is: all of it at once if it is sound and not too large, which is quicker."""
    text = feed.pull_all(_AT_ONCE)
    try:
        records = [bytes(record) for record in msgspec.json.decode(text, type=list[msgspec.Raw])]
    except NOT_JSON:
        records = []
    blank = len(text) - sum(map(len, records))
    if not records or max(blank, *map(len, records)) > largest_record():
        feed.push(text)
        yield from cut(feed, "array")
        return
    first = 0
    ends = zip(records, accumulate(map(len, records)), strict=True)
    for _, group in groupby(ends, key=lambda pair: pair[1] // feed.size):
        batch = [record for record, _ in group]
        yield RecordBlock("array", b"[" + b",".join(batch) + b"]", first, len(batch))
        first += len(batch)


def cut(feed: ByteFeed, container: Container) -> Iterator[RecordBlock]:
    """Cut the container at whose opening bracket the feed stands; leave the feed behind its end."""
    new = feed.pull()
    opening, new = new[:1], new[1:]
    closing = CLOSES[opening]
    nesting = BracketState(1)
    pending, first = b"", 0
    while True:
        commas, end, nesting, _, _ = scan(new, nesting)
        if end >= 0:
            content = pending + new[: end - 1]
            if new[end - 1 : end] != closing:
                raise bad_json(feed.path, first + 1, f"{opening.decode()} is closed by another bracket")
            if content.strip(SPACE):
                yield RecordBlock(container, opening + content + closing, first, len(commas) + 1)
            elif first:
                raise bad_json(feed.path, first + 1, "there is a comma but no record after it")
            feed.push(new[end:])
            return
        if commas:
            content = pending + new[: commas[-1]]
            if not content.strip(SPACE):
                raise bad_json(feed.path, first + 1, "there is a comma but no record before it")
            yield RecordBlock(container, opening + content + closing, first, len(commas))
            first += len(commas)
            pending = new[commas[-1] + 1 :]
        else:
            pending += new
        if len(pending) > largest_record():
            raise too_large(feed.path, RECORD_MB, f"record {first + 1}")
        new = feed.pull()
        if not new:
            raise cut_off(feed.path, first)


def cut_lines(feed: ByteFeed) -> Iterator[RecordBlock]:
    """Cut JSON lines; those that are blank are left out."""
    pending, first, blank = b"", 0, 0
    while new := feed.pull():
        whole, mark, rest = new.rpartition(b"\n")
        if mark:
            lines = [line for line in (pending + whole).split(b"\n") if line.strip(SPACE)]
            if lines:
                yield RecordBlock("lines", b"[" + b"\n,".join(lines) + b"]", first, len(lines))
            first += len(lines)
            pending = rest
            blank = 0 if lines else blank + len(new)
        else:
            pending += rest
        if len(pending) + blank > largest_record():
            raise too_large(feed.path, RECORD_MB, f"record {first + 1}")
    if pending.strip(SPACE):
        yield RecordBlock("lines", b"[" + pending + b"]", first, 1, terminated=False)


def _first_damage(block: RecordBlock, path: Path, reason: str) -> InputError:
    for offset, raw in enumerate(block.records()):
        try:
            decode_record(block.container, raw)
        except BrokenRecordError as damage:
            return refusal(path, block.first + offset + 1, damage)
    return bad_json(path, block.first + 1, reason)


def _check_lines(block: RecordBlock) -> None:
    """Refuse a line that is not one JSON value: two broken ones may complete each other."""
    if block.container == "lines":
        values = msgspec.json.decode(block.data, type=list[msgspec.Raw])
        if [bytes(value) for value in values] != [line.strip(SPACE) for line in block.records()]:
            raise msgspec.DecodeError("a line holds a part of a record")


def refusal(path: Path, number: int, damage: BrokenRecordError) -> InputError:
    """Return the error for a broken record."""
    if damage.code == "encoding":
        return bad_encoding(path)
    return InputError(f"{path}: record {number}: {damage.what}", expected=damage.expected, fix=MEND)
