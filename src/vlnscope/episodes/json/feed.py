"""The bytes of a JSON file in pieces; tells what container of records it is."""

from __future__ import annotations

import io
import zlib
from pathlib import Path

from vlnscope.core.exceptions import InputError
from vlnscope.core.limits import RECORD_MB, allowed, too_large
from vlnscope.episodes.json.record import SPACE, Container
from vlnscope.episodes.json.scan import CLOSES, BracketState, scan

MEND = "mend that record by hand, or let the program that wrote the file write it again"
_SHOWN = 20
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"


class ByteFeed:
    """The bytes of a file in pieces; what was read too much can be put back."""

    def __init__(self, path: Path, stream: io.BufferedReader, size: int) -> None:
        self.path, self.stream, self.size = path, stream, size
        self._held = b""
        self._damage: Exception | None = None

    def pull(self) -> bytes:
        """Return the next piece, from what was put back if there is any; empty at the end of the file."""
        piece, self._held = self._held[: self.size], self._held[self.size :]
        if piece:
            return piece
        if self._damage:
            raise self._damage
        return self.stream.read1(self.size)

    def look_ahead(self) -> bytes:
        """Return the next piece; empty if the file is damaged there, which the next `pull` tells."""
        try:
            return self.pull()
        except (EOFError, OSError, zlib.error) as error:
            self._damage = error
            return b""

    def pull_text(self) -> bytes:
        """Return the rest of the next piece that is not white space alone, without space in front.

        Raises:
            InputError: as much white space follows as no record may be large.
        """
        skipped = 0
        while piece := self.pull():
            if text := piece.lstrip(SPACE):
                return text
            skipped += len(piece)
            if skipped > largest_record():
                raise too_large(self.path, RECORD_MB, "white space in the file")
        return b""

    def pull_all(self, most: int) -> bytes:
        """Return all that is left of the file; put it back and return nothing if that is more than `most`."""
        pieces, size = [], 0
        while size <= most and (piece := self.look_ahead()):
            pieces.append(piece)
            size += len(piece)
        text = b"".join(pieces)
        if size <= most:
            return text
        self.push(text)
        return b""

    def push(self, data: bytes) -> None:
        """Put bytes back in front."""
        self._held = data + self._held


def largest_record() -> int:
    """Return how many bytes a record may have."""
    return allowed(RECORD_MB)


def recognise(feed: ByteFeed) -> Container:
    """Tell the container; afterwards the feed starts at its opening bracket or at the first line."""
    head = feed.pull()
    while len(head) < 4 and (more := feed.look_ahead()):
        head += more
    if head.startswith(_UTF16) or b"\0" in head[:4]:
        raise bad_encoding(feed.path)
    feed.push(head.removeprefix(_UTF8_MARK))
    head = feed.pull_text()
    while 0 < len(head) < _SHOWN and (more := feed.look_ahead()):
        head += more
    if not head:
        raise InputError(
            f"{feed.path}: the file is empty",
            expected="a JSON array, object or lines",
            fix="let the agent write the file again; nothing was saved in it",
        )
    if head[:1] not in CLOSES:
        raise InputError(
            f"{feed.path}: does not hold JSON records (it starts with {head[:_SHOWN]!r})",
            expected="text that starts with [ or {",
            fix="give the file that the agent or the benchmark wrote",
        )
    feed.push(head)
    if feed.path.name.removesuffix(".gz").endswith(".jsonl"):
        return "lines"
    if head[:1] == b"[":
        return "array"
    return "lines" if _starts_with_line(feed) else "object"


def _starts_with_line(feed: ByteFeed) -> bool:
    """Is the first line a whole object, with more text on later lines?"""
    head = feed.pull()
    while b"\n" not in head and len(head) <= largest_record() and (more := feed.look_ahead()):
        head += more
    line, mark, rest = head.partition(b"\n")
    end = scan(line, BracketState(0)).end
    is_whole = mark != b"" and end >= 0 and not line[end:].strip(SPACE)
    while is_whole and not rest.strip(SPACE) and len(head) <= largest_record():
        if not (rest := feed.look_ahead()):
            break
        head += rest
    feed.push(head)
    return is_whole and rest.strip(SPACE) != b""


def nothing_follows(feed: ByteFeed) -> None:
    """Refuse text after the end of the document."""
    if rest := feed.pull_text():
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
