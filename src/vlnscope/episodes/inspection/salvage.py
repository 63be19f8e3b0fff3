"""Unpacks as much of a damaged gzip file as there is."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from vlnscope.files import GZIP_MAGIC

_GZIP_BITS = 31
_READ_SIZE = 1 << 20


@contextmanager
def readable(path: Path) -> Iterator[Path]:
    """Yield a file to read instead of `path`: itself, or what can be unpacked of it if it is damaged gzip.

    Readers decode gzip in large pieces and lose the piece in which the damage is; a submission that was
    cut off half-way is worth checking up to there.
    """
    try:
        damaged = _unpack(path, None)
    except OSError:
        damaged = False  # the reader will refuse it, and say why
    if not damaged:
        yield path
        return
    with TemporaryDirectory(prefix="vlnscope-") as folder:
        unpacked = Path(folder) / path.name.removesuffix(".gz")
        with unpacked.open("wb") as stream:
            _unpack(path, stream)
        yield unpacked if unpacked.stat().st_size else path


def _unpack(path: Path, target: BinaryIO | None) -> bool:
    """Unpack a gzip file to `target` as far as that goes; return whether it is damaged."""
    unpacker = zlib.decompressobj(_GZIP_BITS)
    with path.open("rb") as stream:
        if stream.read(len(GZIP_MAGIC)) != GZIP_MAGIC:
            return False
        stream.seek(0)
        while packed := stream.read(_READ_SIZE):
            while packed:
                if unpacker.eof:
                    unpacker = zlib.decompressobj(_GZIP_BITS)
                try:
                    text = unpacker.decompress(packed)
                except zlib.error:
                    return True
                if target is not None:
                    target.write(text)
                packed = unpacker.unused_data
    return not unpacker.eof
