"""A file of evidence that grows line by line and survives being cut off at any byte."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import check_output, check_regular, write_whole
from vlnscope.core.json_file import NOT_JSON
from vlnscope.core.limits import RECORD_MB, STREAM_MB, allowed, too_large
from vlnscope.episodes.formats.evidence import EvidenceLine

_DECODER = msgspec.json.Decoder(EvidenceLine)
_SYNC_EVERY = 1.0


class LineSpan(NamedTuple):
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
            self.places, self._size = {}, 0
            text = b""
            for text, line in _lines(path):
                end = self._size + len(text)
                self.places[line.case_id] = LineSpan(self._size, end, line.failed)
                self._size = end
            os.ftruncate(self._file, self._size)
            if text and not text.endswith(b"\n"):
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
            self.places[line.case_id] = LineSpan(start, start + len(text), line.failed)
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
        chosen = [line for name, line in sorted(self.places.items()) if name not in without]
        with self.path.open("rb") as source, write_whole(self.path) as target:
            for line in chosen:
                source.seek(line.start)
                target.write(source.read(line.end - line.start).rstrip() + b"\n")

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
    return {line.case_id: line for _, line in _lines(path)}


def _lines(path: Path) -> Iterator[tuple[bytes, EvidenceLine]]:
    """Yield the whole lines of a file, as text and decoded; a last one that is cut off is passed over."""
    size, most = check_regular(path), allowed(RECORD_MB)
    if size > allowed(STREAM_MB):
        raise too_large(path, STREAM_MB)
    seen: set[str] = set()
    try:
        with path.open("rb") as stream:
            for number, text in enumerate(iter(lambda: stream.readline(most + 1), b""), 1):
                if len(text) > most:
                    raise too_large(path, RECORD_MB, f"line {number}")
                try:
                    line = _DECODER.decode(text)
                except NOT_JSON as error:
                    if not text.endswith(b"\n"):
                        return
                    raise _damaged(path, number, str(error)) from None
                if line.case_id in seen:
                    raise _damaged(path, number, f"case {line.case_id!r} came before")
                seen.add(line.case_id)
                yield text, line
    except OSError as error:
        raise _cannot_read(path, error) from None


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
