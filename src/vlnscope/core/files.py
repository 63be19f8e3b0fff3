"""Reading files that may be compressed, and writing files whole or not at all.

Every file that a user names is opened here: what is no regular file is refused before it is touched, since
a pipe may block for ever and a device has no end, and no read is larger than a limit. Every output goes
through `write_whole`, which never puts a file in the place of a device, a pipe or a link.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import shutil
import stat
import struct
import sys
import tempfile
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, cast

from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.core.gunzip import GZIP_MAGIC, Gunzip
from vlnscope.core.limits import RECORD_MB, STREAM_MB, WHOLE_MB, allowed, too_large
from vlnscope.core.pointer_files import refuse_pointer

STDOUT = "-"
"""Stands for the standard output, where a verb can write there."""

DAMAGE = (
    OSError, EOFError, ValueError, LookupError, TypeError, ArithmeticError, MemoryError, RuntimeError,
    SyntaxError, struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""All that Python's libraries raise on bytes that are not what they claim to be."""
_PIECE = 1 << 20
_TIGHTEST = 10
_KINDS = {
    stat.S_IFDIR: "is a directory",
    stat.S_IFIFO: "is a pipe",
    stat.S_IFSOCK: "is a socket",
    stat.S_IFCHR: "is a device",
    stat.S_IFBLK: "is a device",
}


def check_regular(path: str | Path) -> int:
    """Return the size of a regular file; refuse what is none, before it is opened.

    Raises:
        DataNotFoundError: there is nothing.
        InputError: it is a folder, a pipe, a socket or a device, a pointer of Git LFS or git-annex, or it
            cannot be looked at.
    """
    path = Path(path)
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise DataNotFoundError(
            f"{path}: there is no such file", expected="an existing file", fix="check the path"
        ) from None
    except OSError as error:
        raise _unreadable(path, error) from None
    except ValueError as error:  # a null character
        raise InputError(f"{str(path)!r}: {error}", expected="a name of a file", fix="name one") from None
    kind = _KINDS.get(stat.S_IFMT(status.st_mode))
    if kind == "is a directory":
        raise InputError(f"{path}: is a directory", expected="a file", fix="name a file in it")
    if kind:
        raise InputError(
            f"{path}: {kind}",
            expected="a regular file, which can be read more than once",
            fix="save it to a file first (files packed with gzip are read as they are)",
        )
    refuse_pointer(path, status.st_size)
    return status.st_size


@contextmanager
def open_bytes(path: str | Path, most: int = STREAM_MB) -> Iterator[io.BufferedReader]:
    """Open a file for reading bytes, unpacking gzip whatever the file is called.

    Damage that shows up only while reading (a gzip file cut half-way, a disk error) is reported as an
    `InputError` that names the file; so is more content than `most` megabytes.
    """
    path = Path(path)
    size = check_regular(path)
    try:
        with path.open("rb") as raw:
            packed = raw.read(len(GZIP_MAGIC)) == GZIP_MAGIC
            raw.seek(0)
            if packed:
                unpacked = Gunzip(raw, allowed(most), lambda: too_large(path, most))
                yield io.BufferedReader(unpacked, _PIECE)
            elif size > allowed(most):
                raise too_large(path, most)
            else:
                yield raw
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(
            f"{path}: the gzip data is damaged or cut off ({error})",
            expected="a complete gzip file",
            fix="copy or download the file again; `gzip -t FILE` tests it",
        ) from None
    except OSError as error:
        raise _unreadable(path, error) from None


def read_bytes(path: str | Path, most: int = WHOLE_MB) -> bytes:
    """Return the whole content of a file, unpacked if it is gzip; at most `most` megabytes.

    What is packed may not hold more than `WHOLE_MB` unless its size bears it out: gzip can make a gigabyte
    of a megabyte, but the large files that are read as a whole are of numbers, which hardly shrink.
    """
    pieces: list[bytes] = []
    most = min(most, max(WHOLE_MB, _TIGHTEST * check_regular(path) >> 20))
    left = allowed(most)
    with open_bytes(path, most) as stream:
        while piece := stream.read1(_PIECE * 16):
            pieces.append(piece)
            left -= len(piece)
            if left < 0:  # files of the system have no size before they are read
                raise too_large(path, most)
    return b"".join(pieces)


def read_text(path: str | Path, expected: str, most: int = WHOLE_MB) -> str:
    """Return the whole content of a text file in UTF-8; `expected` says in errors what it should hold."""
    try:
        return read_bytes(path, most).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(
            f"{path}: the text is not UTF-8", expected=f"{expected}, in UTF-8", fix="convert it with `iconv`"
        ) from None


def read_lines(path: str | Path) -> Iterator[bytes]:
    """Yield the lines of a file, unpacked if it is gzip, with their line breaks.

    Raises:
        InputError: it cannot be read, or a line, or what is blank between two, is larger than `RECORD_MB`.
    """
    most = allowed(RECORD_MB)
    blank = 0
    with open_bytes(path) as stream:
        for number, line in enumerate(iter(lambda: stream.readline(most + 1), b""), 1):
            blank = 0 if line.strip() else blank + len(line)
            if len(line) > most or blank > most:
                raise too_large(
                    path, RECORD_MB, f"line {number}" if line.strip() else "white space in the file"
                )
            yield line


@contextmanager
def reading(
    path: str | Path, kind: str, expected: str, fix: str = "copy or download the file again"
) -> Iterator[None]:
    """Turn all that libraries raise on damaged bytes into an `InputError` that names the file.

    Args:
        path: the file.
        kind: what it is read as.
        expected: what such a file holds.
        fix: what to do about one that holds something else.
    """
    try:
        yield
    except DAMAGE as error:
        reason = str(error).partition("\n")[0][:200] or type(error).__name__
        what = f"{path}: cannot be read as {kind} ({reason})"
        raise InputError(what, expected=expected, fix=fix) from None


def find_file(*candidates: Path) -> Path | None:
    """Return the first existing file among `candidates`, each also tried with ``.gz`` appended."""
    for candidate in candidates:
        for path in (candidate, candidate.with_name(candidate.name + ".gz")):
            if path.is_file():
                return path
    return None


def check_output(path: str | Path, *sources: str | Path) -> Path:
    """Return the file that writing to `path` makes or replaces, with links followed; refuse what cannot be.

    A link that points nowhere names the file to make, as it does for a shell.

    Args:
        path: what is to be written.
        sources: files that are read meanwhile, and would be lost.

    Raises:
        InputError: it is a folder, a pipe or a device, the standard output, a link in a circle, a file that
            may not be written to, or one of the sources.
    """
    path = Path(path)
    try:
        real, status = Path(os.path.realpath(path)), _status(path)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    if str(path) == STDOUT:
        raise InputError(
            f"{STDOUT}: is no name of a file",
            expected="a file; only `vlnscope convert` writes to the standard output",
            fix="name a file",
        )
    if status and not stat.S_ISREG(status.st_mode):
        kind = _KINDS.get(stat.S_IFMT(status.st_mode), "is something else")
        raise InputError(
            f"{path}: {kind} and no regular file",
            expected="a file to replace, or a name that is not taken",
            fix="name a file" if kind != _KINDS[stat.S_IFDIR] else "name a file in it",
        )
    if status is None:
        if path.is_symlink() and not real.parent.is_dir():
            raise InputError(
                f"{path}: is a link to {real}, in a folder that does not exist",
                expected="a link to a place where a file can be made",
                fix="make that folder, or remove the link",
            )
        return real
    if any(os.path.samestat(status, other) for other in _own_streams()):
        raise InputError(
            f"{path}: is what this command prints to",
            expected="another file",
            fix="name a file of its own, and send what is printed elsewhere",
        )
    if not os.access(real, os.W_OK):
        raise _unwritable(path, PermissionError("it is read-only"))
    check_not_source(path, *sources)
    return real


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def check_not_source(path: str | Path, *sources: str | Path) -> None:
    """Refuse to write to a file that is read meanwhile, under whatever name."""
    for source in sources:
        with suppress(OSError):
            if Path(path).samefile(source):
                raise InputError(
                    f"{path}: is read and would be overwritten",
                    expected="another file to write",
                    fix="name another one",
                )


def _own_streams() -> Iterator[os.stat_result]:
    for number in (1, 2):
        with suppress(OSError):
            status = os.fstat(number)
            if stat.S_ISREG(status.st_mode):
                yield status


@contextmanager
def write_whole(path: str | Path) -> Iterator[IO[bytes]]:
    """Write a file that appears complete or not at all, gzip-compressed if its name ends in ``.gz``.

    The bytes go to a temporary file in the same folder, which takes the final name only when the
    block ends without an error. Compression is reproducible: it stores neither name nor time. What
    `check_output` refuses is refused; of a link, the file it points to is written. A file that was
    there keeps its permissions.
    """
    path = Path(path)
    real = check_output(path)
    try:
        real.parent.mkdir(parents=True, exist_ok=True)
        mode = stat.S_IMODE(real.stat().st_mode) if real.exists() else 0o666 & ~_umask()
        handle, temporary = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name[:200]}.", suffix=".part")
    except OSError as error:
        raise _unwritable(path, error) from None
    try:
        with os.fdopen(handle, "wb") as raw:
            if path.suffix == ".gz":
                with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed:
                    yield cast(IO[bytes], packed)
            else:
                yield raw
            raw.flush()
        Path(temporary).chmod(mode)
        Path(temporary).replace(real)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _unwritable(path, error) from None
        raise


@contextmanager
def print_whole() -> Iterator[IO[bytes]]:
    """Write to the standard output, all at the end: nothing if the block ends with an error."""
    with tempfile.TemporaryFile() as stream:
        yield stream
        stream.seek(0)
        sys.stdout.flush()
        shutil.copyfileobj(stream, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def check_folder(folder: str | Path) -> None:
    """Refuse a folder in which no file could be written, before any work is done; it need not exist.

    Raises:
        InputError: it is a file or in one, or it may not be written to.
    """
    folder = Path(folder)
    there = next(one for one in (folder, *folder.absolute().parents) if os.path.lexists(one))
    if not there.is_dir():
        raise InputError(
            f"{there}: is {'a file' if there.is_file() else 'no folder'}",
            expected="a folder, or a name that is not taken",
            fix="name another one with --out",
        )
    if not os.access(there, os.W_OK | os.X_OK):
        raise InputError(
            f"{there}: may not be written to",
            expected="a folder that you may write to",
            fix="name another one with --out",
        )


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError(
        f"{path}: cannot be read ({error.strerror or error})",
        expected="a file that you may read, on a disk that works",
        fix="check its permissions with `ls -l`",
    )


def _unwritable(path: Path, error: OSError | ValueError) -> InputError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else error
    return InputError(
        f"{path}: cannot be written ({reason})",
        expected="a folder that you may write to, with room on its disk",
        fix="name another place",
    )


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def write_text(path: str | Path, text: str) -> None:
    """Write `text` as UTF-8, whole or not at all."""
    with write_whole(path) as stream:
        stream.write(text.encode())


def digest(*parts: bytes | memoryview) -> str:
    """Return a short content hash of `parts` (their boundaries count)."""
    state = hashlib.blake2b(digest_size=16)
    for part in parts:
        state.update(len(part).to_bytes(8, "little"))
        state.update(part)
    return state.hexdigest()


def file_digest(path: str | Path) -> str:
    """Return the SHA-256 of a file as it lies on disk, for provenance."""
    state = hashlib.sha256()
    check_regular(path)
    try:
        with Path(path).open("rb") as stream:
            while block := stream.read(io.DEFAULT_BUFFER_SIZE * 64):
                state.update(block)
    except OSError as error:
        raise _unreadable(Path(path), error) from None
    return state.hexdigest()


def cache_dir() -> Path:
    """Return the folder for derived data: ``$VLNSCOPE_CACHE``, else ``~/.cache/vlnscope``."""
    named = os.environ.get("VLNSCOPE_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "vlnscope"
    except RuntimeError:  # an account without a home
        return Path(tempfile.gettempdir()) / f"vlnscope-{os.getuid()}"
