"""Reading files that may be compressed, and writing files whole or not at all."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

from vlnscope.exceptions import DataNotFoundError, InputError

GZIP_MAGIC = b"\x1f\x8b"


@contextmanager
def open_bytes(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file for reading bytes, unpacking gzip whatever the file is called.

    Damage that shows up only while reading (a gzip file cut half-way, a disk error) is reported as an
    `InputError` that names the file.
    """
    path = Path(path)
    try:
        raw = path.open("rb")
    except FileNotFoundError:
        raise DataNotFoundError(
            f"{path}: there is no such file", expected="an existing file", fix="check the path"
        ) from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a directory", expected="a file", fix="name a file in it") from None
    except OSError as error:
        raise _unreadable(path, error) from None
    with raw:
        if not raw.seekable():
            raise InputError(
                f"{path}: is a pipe or a device",
                expected="a regular file, which can be read more than once",
                fix="save it to a file first",
            )
        packed = raw.read(2) == GZIP_MAGIC
        raw.seek(0)
        stream = cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if packed else cast(BinaryIO, raw)
        try:
            yield stream
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(
                f"{path}: the gzip data is damaged or cut off ({error})",
                expected="a complete gzip file",
                fix="copy or download the file again; `gzip -t FILE` tests it",
            ) from None
        except OSError as error:
            raise _unreadable(path, error) from None


def read_bytes(path: str | Path) -> bytes:
    """Return the whole content of a file, unpacked if it is gzip."""
    with open_bytes(path) as stream:
        return stream.read()


def find_file(*candidates: Path) -> Path | None:
    """Return the first existing file among `candidates`, each also tried with ``.gz`` appended."""
    for candidate in candidates:
        for path in (candidate, candidate.with_name(candidate.name + ".gz")):
            if path.is_file():
                return path
    return None


@contextmanager
def write_whole(path: str | Path) -> Iterator[IO[bytes]]:
    """Write a file that appears complete or not at all, gzip-compressed if its name ends in ``.gz``.

    The bytes go to a temporary file in the same folder, which takes the final name only when the
    block ends without an error. Compression is reproducible: it stores neither name nor time.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
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
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _unwritable(path, error) from None
        raise


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


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(
        f"{path}: cannot be written ({error.strerror or error})",
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
