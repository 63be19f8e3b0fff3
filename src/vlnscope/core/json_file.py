"""JSON files: one way to write a thing, and one to read it that turns every defect into a plain error."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import read_bytes, write_whole

T = TypeVar("T")
Parts = dict[str, msgspec.Raw]
NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""All that decoding with msgspec raises on bytes that are not JSON, or JSON of another shape."""
_UTF8_MARK = b"\xef\xbb\xbf"
_COPY = "copy or download the file again"


def json_text(thing: Any) -> str:
    """Return a thing as indented JSON that ends with a line break.

    Example:
        >>> print(json_text({"seeds": [1]}), end="")
        {
          "seeds": [
            1
          ]
        }
    """
    return msgspec.json.format(msgspec.json.encode(thing)).decode() + "\n"


def write_json(path: str | Path, thing: Any) -> Path:
    """Write a thing as indented JSON, whole or not at all, and return the path."""
    with write_whole(path) as stream:
        stream.write(json_text(thing).encode())
    return Path(path)


def write_json_lines(path: str | Path, things: Iterable[Any]) -> Path:
    """Write each thing as a line of JSON, whole or not at all, and return the path."""
    with write_whole(path) as stream:
        for thing in things:
            stream.write(msgspec.json.encode(thing) + b"\n")
    return Path(path)


def read_json(path: str | Path, kind: type[T], expected: str, fix: str = _COPY) -> T:
    """Return the content of a JSON file (plain or gzip) as `kind`.

    Args:
        path: the file.
        kind: what to decode it to; members of type `msgspec.Raw` are left for `decode_part`.
        expected: what such a file holds, for the error message.
        fix: what to do about a file that holds something else.

    Raises:
        InputError: it cannot be read, or holds something else; the error names the file.
    """
    return decode_part(read_bytes(path).removeprefix(_UTF8_MARK), kind, path, expected, fix)


def decode_part(raw: bytes | msgspec.Raw, kind: type[T], where: object, expected: str, fix: str = _COPY) -> T:
    """Return a piece of a JSON file as `kind`; ``str(where)`` names the file and the piece in errors."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as error:
        reason = str(error).replace(" - at `$.", " - at `")
    except msgspec.DecodeError as error:
        reason = f"not valid JSON: {error}"
    except UnicodeDecodeError:
        reason = "the text is not UTF-8"
    except RecursionError:
        reason = "nested too deeply"
    raise InputError(f"{where}: {reason}", expected=expected, fix=fix)
