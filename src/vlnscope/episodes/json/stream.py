"""Reads JSON arrays, JSON objects and JSON lines of any size in blocks of whole records.

A file of a gigabyte never lies in memory as Python objects. All of it must be JSON, whatever part of it is
wanted. Damage is reported with the file's name and the number of the record (counted from 1; blank lines do
not count).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import open_bytes
from vlnscope.episodes.json.blocks import RecordBlock, cut, cut_array, cut_lines, decode, refusal, try_decode
from vlnscope.episodes.json.feed import ByteFeed, nothing_follows, recognise
from vlnscope.episodes.json.members import KEY, container_at, keys_of, skip, take
from vlnscope.episodes.json.record import SPACE, BrokenRecordError, Container, decode_record
from vlnscope.episodes.json.scan import BracketState, close_brackets, scan

__all__ = [
    "BrokenRecordError",
    "Container",
    "Peek",
    "RecordBlock",
    "beside",
    "decode",
    "decode_record",
    "member_keys",
    "peek",
    "read_blocks",
    "try_decode",
]

READ_SIZE = 4 << 20
_USUAL = 1 << 16
EPISODES = b'"episodes"'


class Peek(NamedTuple):
    """How a file begins: its container, and the first record.

    Of an object the record is the first member's value, and `key` is its key; or those of the member
    ``episodes``, if others come before it.
    """

    container: Container
    key: str | None
    record: Any


def read_blocks(
    path: str | Path, read_size: int | None = None, member: str | None = None
) -> Iterator[RecordBlock]:
    """Yield the records of a JSON file in blocks.

    Arrays give array blocks, objects give object blocks (a part of the members each), JSON lines give
    blocks with one element per line that is not blank. A file is taken for JSON lines if its name says
    so (``.jsonl``) or if its first line is a whole object and more lines follow.

    Args:
        path: the file, gzip or not.
        read_size: how many bytes to read at a time (4 MB unless said).
        member: read the array or object under this key of the top-level object instead of that object.

    Raises:
        InputError: the file is empty, not JSON, not UTF-8, cut off, or one record is larger than
            `limits.RECORD_MB`.
    """
    path = Path(path)
    with open_bytes(path) as stream:
        feed = ByteFeed(path, stream, read_size or READ_SIZE)
        container = recognise(feed)
        if member is not None:
            yield from _blocks_of(feed, container, member)
        elif container == "lines":
            yield from cut_lines(feed)
        elif container == "array":
            yield from cut_array(feed)
        else:
            yield from cut(feed, container)
        nothing_follows(feed)


def _blocks_of(feed: ByteFeed, container: Container, member: str) -> Iterator[RecordBlock]:
    others: list[str] = []
    seen = False
    for key in keys_of(feed) if container == "object" else ():
        if key == member:
            seen = True
            yield from cut(feed, container_at(feed, member))
        else:
            others.append(key)
            skip(feed, check=True)
    if not seen:
        raise InputError(
            f"{feed.path}: there is no {member!r} in the file",
            expected=f"one of {', '.join(map(repr, others[:20]))}" if others else "a JSON object that has it",
            fix="name one that the file has, or give another file",
        )


def member_keys(path: str | Path, read_size: int | None = None) -> list[str]:
    """Return the keys of a file's top-level object without keeping the values; none if it is no object."""
    path = Path(path)
    keys: list[str] = []
    with open_bytes(path) as stream:
        feed = ByteFeed(path, stream, read_size or READ_SIZE)
        for key in keys_of(feed) if recognise(feed) == "object" else ():
            keys.append(key)
            skip(feed, check=False)
    return keys


def beside(path: str | Path, member: str, read_size: int | None = None) -> dict[str, Any]:
    """Return what a file's top-level object holds beside a member, which only `read_blocks` looks into."""
    path = Path(path)
    members: dict[str, Any] = {}
    with open_bytes(path) as stream:
        feed = ByteFeed(path, stream, read_size or READ_SIZE)
        for key in keys_of(feed) if recognise(feed) == "object" else ():
            if key == member:
                skip(feed, check=False)
            else:
                members[key] = take(feed, key)
    return members


def peek(
    path: str | Path, read_size: int | None = None, passing: Callable[[Any], bool] = lambda record: False
) -> Peek:
    """Return how a file begins; of a first record larger than `read_size` only its beginning.

    The record is decoded leniently (NaN is let through), because a file whose first record is damaged
    still has a format.

    Args:
        path: the file, gzip or not.
        read_size: how many bytes to look at (4 MB unless said).
        passing: whether a first record is no sample of the others, so that the second is taken.
    """
    path = Path(path)
    with open_bytes(path) as stream:
        feed = ByteFeed(path, stream, read_size or READ_SIZE)
        container = recognise(feed)
        head = feed.pull()
        while len(head) < feed.size and (more := feed.look_ahead()):
            head += more
    is_whole = len(head) < feed.size
    raw = _first_record(container, head, is_whole=is_whole)
    if not raw.strip(SPACE):
        return Peek(container, None, None)
    try:
        first = Peek(container, *decode_record(container, raw, lenient=True))
        if container != "object" and passing(first.record):
            rest = head[head.index(raw) + len(raw) + 1 :]
            rest = rest if container == "lines" else b"[" + rest
            second = _first_record(container, rest, is_whole=is_whole)
            if second.strip(SPACE):
                return Peek(container, *decode_record(container, second, lenient=True))
    except BrokenRecordError as damage:
        raise refusal(path, 1, damage) from None
    return first


def _first_record(container: Container, head: bytes, *, is_whole: bool) -> bytes:
    """Return the first record's text, or its beginning with the open brackets closed."""
    if container == "lines":
        line, mark, _ = head.partition(b"\n")
        return line if mark or is_whole else close_brackets(line)
    start = _start_of_episodes(head) if container == "object" else 1
    text = head[start:]
    inside = scan(text[:_USUAL], BracketState(1))
    if not inside.commas and inside.end < 0:
        inside = scan(text, BracketState(1))
    if inside.commas:
        return text[: inside.commas[0]]
    return text[: inside.end - 1] if inside.end >= 0 else close_brackets(text)


def _start_of_episodes(head: bytes) -> int:
    """Return where the member ``episodes`` of an object begins, or else the first member."""
    for comma in (0, *scan(head, BracketState(0)).commas):
        match = KEY.match(head, comma + 1)
        if match and match[1] == EPISODES:
            return comma + 1
    return 1
