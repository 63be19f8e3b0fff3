"""A file of evidence that grows line by line and survives being cut off at any byte."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.exceptions import InputError
from vlnscope.files import check_output, check_regular, write_whole
from vlnscope.json_file import NOT_JSON
from vlnscope.limits import STREAM_MB, allowed, too_large

_DECODER = msgspec.json.Decoder(EvidenceLine)
_SYNC_EVERY = 1.0


class Place(NamedTuple):
    """Where a line lies in the file, and why its case failed, if it did."""

    start: int
    end: int
    failed: str | None


class EvidenceLog:
    """Appends lines to an evidence file.

    A line is handed to the operating system in one write as soon as its case is finished, so a process that
    is killed loses nothing that was finished; the disk itself is told to keep it once a second. A last line
    that is cut off (the machine went down while it was written) is removed when the file is opened.
    """

    def __init__(self, path: Path) -> None:
        """Open a file to append to, made if it is not there; what it holds is found in `places`.

        Raises:
            InputError: it cannot be opened, or a line in it is damaged.
        """
        self.path = check_output(path)
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise _cannot_write(path, error) from None
        try:
            content = _content(path)
            self.places, whole = _index(path, content)
            self._size = whole
            if whole < len(content):
                os.ftruncate(self._file, whole)
            elif content and not content.endswith(b"\n"):
                self._write(b"\n")
        except BaseException:
            os.close(self._file)
            raise
        self._synced = time.monotonic()

    def append(self, lines: Sequence[EvidenceLine]) -> None:
        """Add lines.

        Raises:
            InputError: the disk is full or fails; the lines that found room are there, and are whole.
        """
        texts = [msgspec.json.encode(line) + b"\n" for line in lines]
        start = self._size
        self._write(b"".join(texts))
        for line, text in zip(lines, texts, strict=True):
            self.places[line.case_id] = Place(start, start + len(text), line.failed)
            start += len(text)
        if time.monotonic() - self._synced > _SYNC_EVERY:
            self.sync()

    def sync(self) -> None:
        """Have the disk keep what was written."""
        try:
            os.fsync(self._file)
        except OSError as error:
            raise _cannot_write(self.path, error) from None
        self._synced = time.monotonic()

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def rewrite(self, without: Collection[str] = ()) -> None:
        """Sort the lines by case, and leave out some cases. The file is closed."""
        self.close()
        chosen = [place for name, place in sorted(self.places.items()) if name not in without]
        with self.path.open("rb") as source, write_whole(self.path) as target:
            for place in chosen:
                source.seek(place.start)
                target.write(source.read(place.end - place.start).rstrip() + b"\n")

    def _write(self, data: bytes) -> None:
        written = 0
        try:
            while written < len(data):
                written += os.write(self._file, memoryview(data)[written:])
        except OSError as error:
            self._size += data.rfind(b"\n", 0, written) + 1
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
            raise _cannot_write(self.path, error) from None
        self._size += len(data)


def read_log(path: Path) -> dict[str, EvidenceLine]:
    """Return the whole lines of an evidence file by case; a last one that is cut off is passed over."""
    content = _content(path)
    places, _ = _index(path, content)
    return {case_id: _DECODER.decode(content[place.start : place.end]) for case_id, place in places.items()}


def _content(path: Path) -> bytes:
    if check_regular(path) > allowed(STREAM_MB):
        raise too_large(path, STREAM_MB)
    try:
        return path.read_bytes()
    except OSError as error:
        raise _cannot_read(path, error) from None


def _index(path: Path, content: bytes) -> tuple[dict[str, Place], int]:
    """Return where the lines are, and how many bytes are whole lines."""
    places: dict[str, Place] = {}
    start = 0
    for number, text in enumerate(content.splitlines(keepends=True), 1):
        end = start + len(text)
        try:
            line = _DECODER.decode(text)
        except NOT_JSON as error:
            if end == len(content) and not text.endswith(b"\n"):
                return places, start
            raise _damaged(path, number, str(error)) from None
        if line.case_id in places:
            raise _damaged(path, number, f"case {line.case_id!r} came before")
        places[line.case_id] = Place(start, end, line.failed)
        start = end
    return places, start


def _damaged(path: Path, number: int, what: str) -> InputError:
    return InputError(
        f"{path}: line {number} is damaged ({what})",
        expected="a line of evidence per case; only the last may be cut off",
        fix="remove that line and run again with --resume; the other cases are kept",
    )


def _cannot_write(path: Path, error: OSError) -> InputError:
    return InputError(
        f"{path}: cannot be written ({error.strerror or error})",
        expected="a folder that you may write to, with room on its disk",
        fix="make room or check permissions, then run again with --resume: finished cases are kept",
    )


def _cannot_read(path: Path, error: OSError) -> InputError:
    return InputError(
        f"{path}: cannot be read ({error.strerror or error})",
        expected="the evidence file of a run",
        fix="name a folder that `vlnscope run` wrote",
    )
