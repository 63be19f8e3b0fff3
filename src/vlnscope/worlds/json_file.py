"""Reads the JSON files that describe scenes, turning every defect into an error that names the file."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from vlnscope.exceptions import InputError
from vlnscope.files import read_bytes

T = TypeVar("T")
Parts = dict[str, msgspec.Raw]
_UTF8_MARK = b"\xef\xbb\xbf"


def read_json(path: Path, kind: type[T], expected: str) -> T:
    """Return the content of a JSON file (plain or gzip) as `kind`.

    Args:
        path: the file.
        kind: what to decode it to; members of type `msgspec.Raw` are left for `decode_part`.
        expected: what such a file holds, for the error message.
    """
    return decode_part(read_bytes(path).removeprefix(_UTF8_MARK), kind, path, expected)


def decode_part(raw: bytes | msgspec.Raw, kind: type[T], where: object, expected: str) -> T:
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
    raise InputError(f"{where}: {reason}", expected=expected, fix="copy or download the file again")
