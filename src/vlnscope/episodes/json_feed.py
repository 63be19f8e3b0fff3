"""The bytes of a JSON file in pieces: tells its container and walks to a member of a top-level object."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from vlnscope.episodes.json_record import CLOSES, SPACE, Container
from vlnscope.episodes.json_scan import as_array, fresh, scan
from vlnscope.exceptions import InputError

LARGEST_LINE = 64 << 20
MEND = "correct that record, or let the program that wrote the file write it again"
_LARGEST_KEY = 1 << 16
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"
_KEY = re.compile(rb'[ \t\r\n]*("(?:[^"\\]|\\.)*")[ \t\r\n]*:[ \t\r\n]*(?=[^ \t\r\n])', re.DOTALL)


class Feed:
    """The bytes of a file in pieces; what was read too much can be put back."""

    def __init__(self, path: Path, stream: BinaryIO, size: int) -> None:
        self.path, self.stream, self.size = path, stream, size
        self._held = b""

    def pull(self) -> bytes:
        """Return the next piece, from what was put back if there is any; empty at the end of the file."""
        piece, self._held = self._held[: self.size], self._held[self.size :]
        return piece or self.stream.read(self.size)

    def push(self, data: bytes) -> None:
        """Put bytes back in front."""
        self._held = data + self._held


def recognise(feed: Feed) -> Container:
    """Tell the container; afterwards the feed starts at its opening bracket or at the first line."""
    head = feed.pull()
    while len(head) < 4 and (more := feed.pull()):
        head += more
    if head.startswith(_UTF16) or b"\0" in head[:4]:
        raise bad_encoding(feed.path)
    head = head.removeprefix(_UTF8_MARK).lstrip(SPACE)
    while not head and (more := feed.pull()):
        head = more.lstrip(SPACE)
    if not head:
        raise InputError(
            f"{feed.path}: the file is empty",
            expected="a JSON array, object or lines",
            fix="let the agent write the file again; nothing was saved in it",
        )
    if head[:1] not in CLOSES:
        raise InputError(
            f"{feed.path}: does not hold JSON records (it starts with {head[:20]!r})",
            expected="text that starts with [ or {",
            fix="give the file that the agent or the benchmark wrote",
        )
    feed.push(head)
    if feed.path.name.removesuffix(".gz").endswith(".jsonl"):
        return "lines"
    if head[:1] == b"[":
        return "array"
    return "lines" if _starts_with_line(feed) else "object"


def _starts_with_line(feed: Feed) -> bool:
    """Is the first line a whole object, with more text on later lines?"""
    head = feed.pull()
    while b"\n" not in head and len(head) <= LARGEST_LINE and (more := feed.pull()):
        head += more
    line, mark, rest = head.partition(b"\n")
    end = scan(as_array(line), fresh(0), 1, False).end
    is_whole = mark != b"" and end >= 0 and not line[end:].strip(SPACE)
    while is_whole and not rest.strip(SPACE) and (rest := feed.pull()):
        head += rest
    feed.push(head)
    return is_whole and rest.strip(SPACE) != b""


def enter(feed: Feed, container: Container, member: str) -> Container:
    """Move the feed from the top-level object to the container that it holds under a key."""
    others: list[str] = []
    for key in keys_of(feed) if container == "object" else ():
        if key == member:
            break
        others.append(key)
    else:
        raise InputError(
            f"{feed.path}: there is no {member!r} in the file",
            expected=f"one of {', '.join(map(repr, others[:20]))}" if others else "a JSON object that has it",
            fix="name one that the file has, or give another file",
        )
    value = feed.pull()
    feed.push(value)
    if value[:1] not in CLOSES:
        raise InputError(
            f"{feed.path}: {member!r} holds no records", expected="a JSON array or object", fix=MEND
        )
    return "array" if value[:1] == b"[" else "object"


def leave(feed: Feed) -> None:
    """Move the feed from the end of a member behind the end of the top-level object."""
    while _skip_value(feed):
        pass


def keys_of(feed: Feed) -> Iterator[str]:
    """Yield the keys of the object at whose bracket the feed stands; after each it stands at the value."""
    feed.push(feed.pull()[1:])
    while (key := _next_key(feed)) is not None:
        yield key
        if not _skip_value(feed):
            return


def _next_key(feed: Feed) -> str | None:
    text = feed.pull()
    while not (match := _KEY.match(text)):
        if text.lstrip(SPACE)[:1] == b"}":
            return None
        more = feed.pull() if len(text) < _LARGEST_KEY else b""
        if not more:
            raise bad_json(feed.path, None, f"expected a key, found {text.lstrip(SPACE)[:20]!r}")
        text += more
    feed.push(text[match.end() :])
    try:
        return msgspec.json.decode(match[1], type=str)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise bad_json(feed.path, None, f"key {match[1][:40]!r}: {error}") from None


def _skip_value(feed: Feed) -> bool:
    """Move the feed behind a value and the comma after it; False, and behind the object, if that ends."""
    state = fresh(1)
    while new := feed.pull():
        comma, _, end, _ = scan(as_array(new), state, 1, True)
        if comma >= 0:
            feed.push(new[comma + 1 :])
            return True
        if end >= 0:
            if new[end - 1 : end] != b"}":
                raise bad_json(feed.path, None, "{ is closed by another bracket")
            feed.push(new[end:])
            return False
    raise cut_off(feed.path, 0)


def nothing_follows(feed: Feed) -> None:
    """Refuse text after the end of the document."""
    while rest := feed.pull():
        if rest.strip(SPACE):
            raise InputError(
                f"{feed.path}: text follows the end of the JSON document ({rest.strip(SPACE)[:20]!r})",
                expected="one JSON array or object, or JSON lines in a file named .jsonl",
                fix="remove what follows, or rename the file to .jsonl if each line is a record",
            )


def bad_json(path: Path, number: int | None, reason: str) -> InputError:
    """Return the error for text that is not JSON, in a record if its number is known."""
    where = f"{path}: record {number}" if number else f"{path}"
    return InputError(f"{where}: is not valid JSON ({reason})", expected="valid JSON", fix=MEND)


def bad_encoding(path: Path) -> InputError:
    """Return the error for text that is not UTF-8."""
    return InputError(
        f"{path}: the text is not UTF-8",
        expected="UTF-8",
        fix=f"`file {path.name}` tells what it is; `iconv -f ENCODING -t UTF-8 {path.name}` converts text",
    )


def cut_off(path: Path, before: int) -> InputError:
    """Return the error for a file that ends too early, after `before` whole records."""
    return InputError(
        f"{path}: the file is cut off in or after record {before + 1} (a bracket is never closed)",
        expected="a complete JSON file",
        fix="copy or download the file again, or let the agent write it again",
    )
