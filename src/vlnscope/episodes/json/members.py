"""Walks through the members of a JSON object, whatever their size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.core.limits import RECORD_MB, too_large
from vlnscope.episodes.json.blocks import RecordBlock, cut, decode
from vlnscope.episodes.json.feed import MEND, ByteFeed, bad_json, cut_off, largest_record
from vlnscope.episodes.json.record import SPACE, Container
from vlnscope.episodes.json.scan import CLOSES, BracketState, scan

KEY = re.compile(rb'[ \t\r\n]*("(?:[^"\\]|\\.)*")[ \t\r\n]*:[ \t\r\n]*(?=[^ \t\r\n])', re.DOTALL)
"""A key, the colon behind it, and space."""
_LARGEST_KEY = 1 << 16


def keys_of(feed: ByteFeed) -> Iterator[str]:
    """Yield the keys of the object at whose bracket the feed stands, and leave the feed behind the object.

    After each key the feed stands at the value. Whoever goes on must have moved it behind that.
    """
    feed.push(feed.pull()[1:])
    seen: set[str] = set()
    mark = b""
    if (text := feed.pull_text())[:1] == b"}":
        mark, text = b"}", text[1:]
    feed.push(text)
    while mark != b"}":
        key = _next_key(feed)
        if key in seen:
            raise InputError(
                f"{feed.path}: {key[:40]!r} stands twice in the file", expected="each key once", fix=MEND
            )
        seen.add(key)
        yield key
        text = feed.pull_text()
        mark = text[:1]
        if mark not in (b",", b"}"):
            if not mark:
                raise cut_off(feed.path, 0)
            raise bad_json(
                feed.path, None, f"after {key[:40]!r}: expected a comma or }}, found {text[:20]!r}"
            )
        feed.push(text[1:])


def container_at(feed: ByteFeed, key: str) -> Container:
    """Return what the container is that the feed stands at, under a key."""
    value = feed.pull()
    feed.push(value)
    if value[:1] not in CLOSES:
        raise InputError(
            f"{feed.path}: {key!r} holds no records", expected="a JSON array or object", fix=MEND
        )
    return "array" if value[:1] == b"[" else "object"


def skip(feed: ByteFeed, *, check: bool) -> None:
    """Move the feed behind the value that it stands at.

    Args:
        feed: the file.
        check: refuse what is not JSON; else only its brackets are followed.
    """
    for block in _parts(feed):
        if check:
            decode(block, feed.path)


def take(feed: ByteFeed, key: str) -> Any:
    """Return the value that the feed stands at, and move the feed behind it."""
    value: Any = None
    size = 0
    for block in _parts(feed):
        size += len(block.data)
        if size > largest_record():
            raise too_large(feed.path, RECORD_MB, repr(key))
        part = decode(block, feed.path)
        if value is None:
            value = part
        elif isinstance(value, dict):
            value |= part
        else:
            value += part
    return value


def _parts(feed: ByteFeed) -> Iterator[RecordBlock]:
    """Cut the value that the feed stands at into blocks; one that is no container is a block as it is."""
    head = feed.pull()
    feed.push(head)
    if head[:1] not in CLOSES:
        yield RecordBlock("array", _scalar(feed), 0, 1)
        return
    container: Container = "array" if head[:1] == b"[" else "object"
    empty = True
    for block in cut(feed, container):
        empty = False
        yield block
    if empty:
        yield RecordBlock(container, head[:1] + CLOSES[head[:1]], 0, 0)


def _scalar(feed: ByteFeed) -> bytes:
    """Return the text of a value that is no container, up to the comma or bracket behind it."""
    text, nesting = b"", BracketState(1)
    while new := feed.pull():
        commas, end, nesting, _, _ = scan(new, nesting)
        stop = commas[0] if commas else end - 1 if end >= 0 else len(new)
        text += new[:stop]
        if len(text) > largest_record():
            raise too_large(feed.path, RECORD_MB, "a value")
        if stop < len(new):
            feed.push(new[stop:])
            return text
    raise cut_off(feed.path, 0)


def _next_key(feed: ByteFeed) -> str:
    text = feed.pull()
    while not (match := KEY.match(text)):
        more = feed.pull() if len(text) < _LARGEST_KEY and text.lstrip(SPACE)[:1] in (b'"', b"") else b""
        if not more:
            raise bad_json(feed.path, None, f"expected a key, found {text.lstrip(SPACE)[:20]!r}")
        text += more
    feed.push(text[match.end() :])
    try:
        return msgspec.json.decode(match[1], type=str)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise bad_json(feed.path, None, f"key {match[1][:40]!r}: {error}") from None
