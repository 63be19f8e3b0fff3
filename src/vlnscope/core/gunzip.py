"""Unpacks gzip data piece by piece: never more than is asked for, and all that comes before damage."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from typing import BinaryIO

GZIP_MAGIC = b"\x1f\x8b"
_GZIP_BITS = 31
_READ_SIZE = 1 << 16


class Gunzip(io.RawIOBase):
    """What a gzip file holds, all its members one after the other.

    Python's own reader loses the piece in which damage is; this one hands out all that comes before it, and
    raises `zlib.error` or `EOFError` only when asked for more.

    Args:
        packed: the file, at its beginning.
        most: how many bytes may come out of it.
        refuse: returns the error for a file that holds more.
    """

    def __init__(self, packed: BinaryIO, most: int, refuse: Callable[[], Exception]) -> None:
        self._packed, self._left, self._refuse = packed, most, refuse
        self._unpacker = zlib.decompressobj(_GZIP_BITS)

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        """Fill a part of the buffer, from its beginning; 0 is the end."""
        text = b""
        while not text:
            if (packed := self._next_packed()) is None:
                return 0
            text = self._unpacker.decompress(packed, len(target))
        self._left -= len(text)
        if self._left < 0:
            raise self._refuse()
        target[: len(text)] = text
        return len(text)

    def _next_packed(self) -> bytes | None:
        """Return what to unpack next; None after the last member."""
        if self._unpacker.eof:
            packed = self._unpacker.unused_data.lstrip(b"\0")  # members may be padded
            while not packed and (more := self._packed.read(_READ_SIZE)):
                packed = more.lstrip(b"\0")
            self._unpacker = zlib.decompressobj(_GZIP_BITS) if packed else self._unpacker
            return packed or None
        if self._unpacker.unconsumed_tail:
            return self._unpacker.unconsumed_tail
        if packed := self._packed.read(_READ_SIZE):
            return packed
        raise EOFError("its end is missing")
