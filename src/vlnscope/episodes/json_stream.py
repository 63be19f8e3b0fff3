"""Reads JSON arrays, JSON objects and JSON lines of any size in blocks of whole records.

A block is itself a small JSON document that a typed decoder turns into records in one call, so a file
of a gigabyte never lies in memory as Python objects. The cut is made by nesting alone, at full speed;
whether the text between two cuts is JSON shows when it is decoded. Damage is reported with the file's
name and the number of the record (counted from 1; blank lines do not count).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from vlnscope.episodes.json_feed import (
    MEND,
    Feed,
    bad_encoding,
    bad_json,
    cut_off,
    enter,
    keys_of,
    leave,
    nothing_follows,
    recognise,
)
from vlnscope.episodes.json_record import (
    CLOSES,
    SPACE,
    BrokenRecordError,
    Container,
    close_brackets,
    decode_record,
)
from vlnscope.episodes.json_scan import as_array, commas_in, fresh, scan
from vlnscope.exceptions import InputError
from vlnscope.files import open_bytes

__all__ = [
    "Block",
    "BrokenRecordError",
    "Container",
    "Peek",
    "decode",
    "decode_record",
    "member_keys",
    "peek",
    "read_blocks",
    "try_decode",
]

READ_SIZE = 4 << 20
LARGEST_RECORD = 64 << 20


@dataclass(frozen=True, slots=True)
class Block:
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
        commas = list(commas_in(self.data))
        return [self.data[a + 1 : b] for a, b in zip([0, *commas], [*commas, -1], strict=True)]


class Peek(NamedTuple):
    """How a file begins: its container, the first member's key in an object, and the first record."""

    container: Container
    key: str | None
    record: Any


def read_blocks(path: str | Path, read_size: int | None = None, member: str | None = None) -> Iterator[Block]:
    """Yield the records of a JSON file in blocks.

    Arrays give array blocks, objects give object blocks (a part of the members each), JSON lines give
    blocks with one element per line that is not blank. A file is taken for JSON lines if its name says
    so (``.jsonl``) or if its first line is a whole object and more lines follow.

    Args:
        path: the file, gzip or not.
        read_size: how many bytes to read at a time (4 MB unless said).
        member: read the array or object under this key of the top-level object instead of that object.

    Raises:
        InputError: the file is empty, not JSON, not UTF-8, cut off, or one record is larger than 64 MB.
    """
    path = Path(path)
    with open_bytes(path) as stream:
        feed = Feed(path, stream, read_size or READ_SIZE)
        container = recognise(feed)
        if member is not None:
            container = enter(feed, container, member)
        if container == "lines":
            yield from _line_blocks(feed)
            return
        yield from _cut(feed, container)
        if member is not None:
            leave(feed)
        nothing_follows(feed)


def member_keys(path: str | Path, read_size: int | None = None) -> list[str]:
    """Return the keys of a file's top-level object without keeping the values; none if it is no object."""
    path = Path(path)
    with open_bytes(path) as stream:
        feed = Feed(path, stream, read_size or READ_SIZE)
        return list(keys_of(feed)) if recognise(feed) == "object" else []


def peek(path: str | Path, read_size: int | None = None) -> Peek:
    """Return how a file begins; of a first record larger than `read_size` only its beginning.

    The record is decoded leniently (NaN is let through), because a file whose first record is damaged
    still has a format.
    """
    path = Path(path)
    with open_bytes(path) as stream:
        feed = Feed(path, stream, read_size or READ_SIZE)
        container = recognise(feed)
        head = feed.pull()
        while len(head) < feed.size and (more := feed.pull()):
            head += more
    raw = _first_record(container, head, is_whole=len(head) < feed.size)
    if not raw.strip(SPACE):
        return Peek(container, None, None)
    try:
        return Peek(container, *decode_record(container, raw, lenient=True))
    except BrokenRecordError as damage:
        raise _refusal(path, 1, damage) from None


def decode(block: Block, path: Path, decoder: msgspec.json.Decoder[Any] | None = None) -> Any:
    """Decode a block, turning every way in which that can fail into an `InputError`.

    With a typed decoder a `msgspec.ValidationError` (valid JSON of another shape) passes through: only
    the reader of a format can say what was expected.
    """
    try:
        if not _is_joined_well(block):
            raise msgspec.DecodeError("a line holds a part of a record")
        return decoder.decode(block.data) if decoder else msgspec.json.decode(block.data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if decoder and isinstance(error, msgspec.ValidationError):
            raise
        raise _first_damage(block, path, str(error)) from None


def try_decode(block: Block, decoder: msgspec.json.Decoder[Any]) -> Any | None:
    """Decode a block, or return None if any of its records is damaged or has another shape."""
    try:
        return decoder.decode(block.data) if _is_joined_well(block) else None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _cut(feed: Feed, container: Container) -> Iterator[Block]:
    """Cut the container at whose opening bracket the feed stands; leave the feed behind its end."""
    new = feed.pull()
    opening, new = new[:1], new[1:]
    closing = CLOSES[opening]
    state = fresh(1)
    pending, first = b"", 0
    while True:
        comma, commas, end, _ = scan(as_array(new), state, 1, False)
        if end >= 0:
            content = pending + new[: end - 1]
            if new[end - 1 : end] != closing:
                raise bad_json(feed.path, first + 1, f"{opening.decode()} is closed by another bracket")
            if content.strip(SPACE):
                yield Block(container, opening + content + closing, first, commas + 1)
            elif first:
                raise bad_json(feed.path, first + 1, "there is a comma but no record after it")
            feed.push(new[end:])
            return
        if comma >= 0:
            content = pending + new[:comma]
            if not content.strip(SPACE):
                raise bad_json(feed.path, first + 1, "there is a comma but no record before it")
            yield Block(container, opening + content + closing, first, commas)
            first += commas
            pending = new[comma + 1 :]
        else:
            pending += new
        if len(pending) > LARGEST_RECORD:
            raise _too_large(feed.path, first)
        new = feed.pull()
        if not new:
            raise cut_off(feed.path, first)


def _line_blocks(feed: Feed) -> Iterator[Block]:
    pending, first = b"", 0
    while new := feed.pull():
        whole, mark, rest = new.rpartition(b"\n")
        if mark:
            lines = [line for line in (pending + whole).split(b"\n") if line.strip(SPACE)]
            if lines:
                yield Block("lines", b"[" + b"\n,".join(lines) + b"]", first, len(lines))
            first += len(lines)
            pending = rest
        else:
            pending += rest
        if len(pending) > LARGEST_RECORD:
            raise _too_large(feed.path, first)
    if pending.strip(SPACE):
        yield Block("lines", b"[" + pending + b"]", first, 1, terminated=False)


def _first_record(container: Container, head: bytes, *, is_whole: bool) -> bytes:
    """Return the first record's text, or its beginning with the open brackets closed."""
    if container == "lines":
        line, mark, _ = head.partition(b"\n")
        return line if mark or is_whole else close_brackets(line)
    found = scan(as_array(head[1:]), fresh(1), 1, True)
    if found.comma >= 0:
        return head[1 : found.comma + 1]
    return head[1 : found.end] if found.end >= 0 else close_brackets(head[1:])


def _first_damage(block: Block, path: Path, reason: str) -> InputError:
    for offset, raw in enumerate(block.records()):
        try:
            decode_record(block.container, raw)
        except BrokenRecordError as damage:
            return _refusal(path, block.first + offset + 1, damage)
    return bad_json(path, block.first + 1, reason)


def _is_joined_well(block: Block) -> bool:
    """Is each line of a block of lines one JSON value? Two broken ones may complete each other."""
    if block.container != "lines":
        return True
    found = scan(as_array(block.data), fresh(0), 1, False)
    return found.torn == 0 and found.commas == block.count - 1


def _refusal(path: Path, number: int, damage: BrokenRecordError) -> InputError:
    if damage.code == "encoding":
        return bad_encoding(path)
    return InputError(f"{path}: record {number}: {damage.what}", expected=damage.expected, fix=MEND)


def _too_large(path: Path, before: int) -> InputError:
    return InputError(
        f"{path}: record {before + 1} is larger than {LARGEST_RECORD >> 20} MB",
        expected="one record per episode",
        fix="look whether the file holds episodes or predictions at all",
    )
