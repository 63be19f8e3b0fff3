"""Reads JSON arrays, JSON objects and JSON lines of any size in blocks of whole records.

A block is itself a small JSON document that a typed decoder turns into records in one call, so a file
of a gigabyte never lies in memory as Python objects. Damage is reported with the file's name and the
number of the record.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from vlnscope.compiled import compiled
from vlnscope.exceptions import InputError
from vlnscope.files import open_bytes

Container = Literal["array", "object", "lines"]

READ_SIZE = 4 << 20
LARGEST_RECORD = 64 << 20
_SPACE = b" \t\r\n"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"


class Block(NamedTuple):
    """Some whole records: `data` is a JSON array (or object) of `count` of them, from number `first`."""

    container: Container
    data: bytes
    first: int
    count: int


def read_blocks(path: str | Path, read_size: int = READ_SIZE) -> Iterator[Block]:
    """Yield the records of a JSON file in blocks.

    Arrays give array blocks, objects give object blocks (a part of the members each), JSON lines give
    array blocks with one element per line that is not blank. A file is taken for JSON lines if its name
    says so (``.jsonl``) or if more text follows its first object.

    Raises:
        InputError: the file is empty, not JSON, not UTF-8, cut off, or one record is larger than 64 MB.
    """
    path = Path(path)
    with open_bytes(path) as stream:
        head = _read_head(path, stream, read_size)
        if _is_lines(path, head):
            yield from _line_blocks(path, stream, head, read_size)
        else:
            yield from _container_blocks(path, stream, head, read_size)


def decode(block: Block, path: Path, decoder: msgspec.json.Decoder[Any] | None = None) -> Any:
    """Decode a block, turning every way in which that can fail into an `InputError`.

    A `msgspec.ValidationError` (valid JSON of another shape) passes through: only the reader of a
    format can say what was expected.
    """
    try:
        return decoder.decode(block.data) if decoder else msgspec.json.decode(block.data)
    except msgspec.ValidationError:
        raise
    except UnicodeDecodeError:
        raise _bad_encoding(path) from None
    except RecursionError:
        raise InputError(
            f"{path}: record {block.first + 1} or a later one is nested too deeply",
            expected="records of a few levels",
        ) from None
    except msgspec.DecodeError as error:
        raise _bad_json(path, block, str(error)) from None


def _read_head(path: Path, stream: BinaryIO, read_size: int) -> bytes:
    head = stream.read(read_size)
    if head.startswith(_UTF16):
        raise _bad_encoding(path)
    head = head.removeprefix(_UTF8_MARK).lstrip(_SPACE)
    while not head and (more := stream.read(read_size)):
        head = more.lstrip(_SPACE)
    if not head:
        raise InputError(f"{path}: the file is empty", expected="a JSON array, object or lines")
    if head[:1] not in b"[{":
        raise InputError(
            f"{path}: is not JSON (it starts with {head[:20]!r})",
            expected="text that starts with [ or {",
            fix="give the file that the agent or the benchmark wrote",
        )
    return head


def _is_lines(path: Path, head: bytes) -> bool:
    if ".jsonl" in path.suffixes:
        return True
    if head[:1] != b"{":
        return False
    state = np.zeros(3, dtype=np.int64)
    end = int(_scan(np.frombuffer(head, dtype=np.uint8), state)[2])
    return end >= 0 and bool(head[end:].strip(_SPACE))


def _container_blocks(path: Path, stream: BinaryIO, head: bytes, read_size: int) -> Iterator[Block]:
    container: Container = "array" if head[:1] == b"[" else "object"
    opening, closing = (b"[", b"]") if container == "array" else (b"{", b"}")
    state = np.zeros(3, dtype=np.int64)
    pending, new, first, commas = b"", head, 0, 0
    skip = 1  # the opening bracket itself
    while new:
        last, more, end = (int(v) for v in _scan(np.frombuffer(new, dtype=np.uint8), state))
        body = new[skip:]
        shift, skip = skip, 0
        if end >= 0:
            data = pending + body[: end - shift - 1]
            count = commas + more + 1 if data.strip(_SPACE) else 0
            if count:
                yield Block(container, opening + data + closing, first, count)
            _nothing_follows(path, stream, new[end:], read_size)
            return
        if last >= 0:
            yield Block(container, opening + pending + body[: last - shift] + closing, first, commas + more)
            first += commas + more
            pending, commas = body[last - shift + 1 :], 0
        else:
            pending += body
        if len(pending) > LARGEST_RECORD:
            raise _too_large(path, first)
        new = stream.read(read_size)
    raise InputError(
        f"{path}: the file is cut off in or after record {first + 1} (its {opening.decode()} is never closed)",
        expected="a complete JSON file",
        fix="copy or download the file again, or let the agent write it again",
    )


def _line_blocks(path: Path, stream: BinaryIO, head: bytes, read_size: int) -> Iterator[Block]:
    pending, new, first = b"", head, 0
    while new or pending:
        whole = pending + new
        cut = whole.rfind(b"\n") + 1 if new else len(whole)
        lines = [line for line in whole[:cut].splitlines() if line.strip(_SPACE)]
        if lines:
            yield Block("lines", b"[" + b",".join(lines) + b"]", first, len(lines))
            first += len(lines)
        pending = whole[cut:]
        if len(pending) > LARGEST_RECORD:
            raise _too_large(path, first)
        if not new:
            return
        new = stream.read(read_size)


def _nothing_follows(path: Path, stream: BinaryIO, rest: bytes, read_size: int) -> None:
    while not rest.strip(_SPACE):
        rest = stream.read(read_size)
        if not rest:
            return
    raise InputError(
        f"{path}: text follows the end of the JSON document ({rest.strip(_SPACE)[:20]!r})",
        expected="one JSON array or object, or JSON lines in a file named .jsonl",
    )


def _bad_json(path: Path, block: Block, reason: str) -> InputError:
    unit = "line" if block.container == "lines" else "record"
    where = f"{unit} {block.first + 1}" + (f" to {block.first + block.count}" if block.count > 1 else "")
    if block.container != "object":
        for offset, raw in enumerate(_elements(block)):
            try:
                msgspec.json.decode(raw)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                where, reason = f"{unit} {block.first + offset + 1}", str(error)
                break
    hint = "finite numbers; JSON has no NaN or Infinity" if _has_nan(block.data) else "valid JSON"
    return InputError(f"{path}: {where}: not valid JSON ({reason})", expected=hint)


def _elements(block: Block) -> Iterator[bytes]:
    """Cut a block at its top-level commas (slow; only to find which record is broken)."""
    body, state = block.data, np.zeros(3, dtype=np.int64)
    data = np.frombuffer(body, dtype=np.uint8)
    start = 1
    for stop in range(1, len(body) + 1):
        comma, _, end = _scan(data[stop - 1 : stop], state)
        if comma >= 0 or end >= 0:
            yield body[start : stop - 1]
            start = stop


def _has_nan(data: bytes) -> bool:
    return b"NaN" in data or b"Infinity" in data


def _bad_encoding(path: Path) -> InputError:
    return InputError(
        f"{path}: the text is not UTF-8",
        expected="UTF-8",
        fix=f"convert it, for example `iconv -f UTF-16 -t UTF-8 {path.name} > fixed.json`",
    )


def _too_large(path: Path, first: int) -> InputError:
    return InputError(
        f"{path}: record {first + 1} is larger than {LARGEST_RECORD >> 20} MB",
        expected="one record per episode",
    )


@compiled
def _scan(data: NDArray[np.uint8], state: NDArray[np.int64]) -> tuple[int, int, int]:
    """Follow JSON nesting through `data`.

    `state` is (depth, inside a string, after a backslash) and is updated. Returns the place of the last
    comma between top-level records, how many there were, and the place after the closing bracket (-1:
    not reached).
    """
    depth, in_string, escaped = state[0], state[1], state[2]
    last, count = -1, 0
    for i in range(data.size):
        c = data[i]
        if in_string:
            if escaped:
                escaped = 0
            elif c == 92:
                escaped = 1
            elif c == 34:
                in_string = 0
        elif c == 34:
            in_string = 1
        elif c == 91 or c == 123:
            depth += 1
        elif c == 93 or c == 125:
            depth -= 1
            if depth <= 0:
                state[0], state[1], state[2] = depth, in_string, escaped
                return last, count, i + 1
        elif c == 44 and depth == 1:
            last = i
            count += 1
    state[0], state[1], state[2] = depth, in_string, escaped
    return last, count, -1
