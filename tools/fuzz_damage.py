"""Damages files for `fuzz_commands`: their bytes, the values they stand for, or what kind of file it is."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
Random = np.random.Generator

TOKENS = [
    b"[", b"]", b"{", b"}", b",", b":", b'"', b"\\", b"\n", b"\0", b"\xff\xfe", b"\xe9", b"null", b"true",
    b"NaN", b"-Infinity", b"1e999", b"-1", b"0", b"9" * 400, b"9" * 5000, b'"\\ud800"', b"[" * 3000,
    b'{"a":' * 3000, b'"instr_id": 3,', b"{}", b"[]", b" {}", b"\t", b"# ", b"\r",
]  # fmt: skip
STRANGE: list[Any] = [
    None, True, False, 0, -1, 1, 2, 10**9, 10**30, 10**400, -0.0, 0.5, 1e308, -1e308, 5e-324, float("nan"),
    float("inf"), "", " ", "x", "nan", "\0", "\n", "../../etc/passwd", "😀", "\u202e", "a" * 70_000, [], {},
    [[]], [None], {"": None}, [[1, 2, 3]], ["a", "b"], [0.0, 0.0, 0.0], "100_0", "a131", "sample-attic",
]  # fmt: skip

EXTREME: list[Any] = [1e308, -1e308, 1e200, 1e155, 5e-324, 0, -1, 0.1, 2**53, 2**63, 1e16, -0.0, 360, 1e-9]


def pick(rng: Random, items: Sequence[T]) -> T:
    """Return one of some things."""
    return items[int(rng.integers(len(items)))]


def broken_bytes(rng: Random, data: bytes) -> bytes:
    """Return bytes with a few flips, cuts, insertions, deletions and repetitions."""
    for _ in range(int(rng.integers(1, 4))):
        at = int(rng.integers(len(data) + 1))
        length = pick(rng, [0, 1, 1, 2, 10, 200, 5000])
        change = pick(rng, ["flip", "flip", "insert", "insert", "delete", "cut", "repeat"])
        if change == "flip":
            data = data[:at] + bytes([int(rng.integers(256))]) + data[at + 1 :]
        elif change == "insert":
            data = data[:at] + pick(rng, TOKENS) + data[at:]
        elif change == "delete":
            data = data[:at] + data[at + length :]
        elif change == "cut":
            data = data[:at]
        else:
            data = data[: at + length] + data[at:]
    return data


def broken_value(rng: Random, value: Any) -> Any:
    """Return a JSON value with one part, anywhere in it, removed, repeated, moved or replaced."""
    if isinstance(value, dict | list) and value and rng.random() < 0.88:
        keys = list(value) if isinstance(value, dict) else range(len(value))
        key = pick(rng, keys)
        copy = value.copy()
        roll = rng.random()
        if roll < 0.8:
            copy[key] = broken_value(rng, value[key])
        elif roll < 0.9:
            del copy[key]
        elif isinstance(copy, list):
            copy.insert(0, copy[key])
        else:
            copy[pick(rng, ["", "x", "path", "id"])] = copy.pop(key)
        return copy
    if rng.random() < 0.1:
        deep: Any = value
        for _ in range(pick(rng, [3, 70, 150])):
            deep = [deep]
        return deep
    if isinstance(value, int | float) and rng.random() < 0.6:
        return pick(rng, EXTREME)
    return pick(rng, STRANGE)


def broken_json(rng: Random, data: bytes) -> bytes:
    """Return JSON, or JSON lines, with one part replaced."""
    lines = data.splitlines()
    try:
        value = json.loads(data)
    except ValueError:
        at = int(rng.integers(len(lines))) if lines else 0
        try:
            lines[at] = json.dumps(broken_value(rng, json.loads(lines[at]))).encode()
        except (ValueError, IndexError):
            return broken_bytes(rng, data)
        return b"\n".join(lines) + b"\n"
    for _ in range(pick(rng, [1, 1, 2, 5])):
        value = broken_value(rng, value)
    return json.dumps(value).encode()


def other_whole(rng: Random, data: bytes) -> bytes:
    """Return something else in the place of all bytes."""
    made: list[Callable[[], bytes]] = [
        lambda: b"",
        lambda: b" \n ",
        lambda: b"null",
        lambda: b"[]",
        lambda: b"{}",
        lambda: b'"text"',
        lambda: b"[" * 100_000,
        lambda: b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
        lambda: b"\xef\xbb\xbf" + data,
        lambda: data.decode("utf-8", "replace").encode("utf-16"),
        lambda: data + data,
        lambda: data[: len(data) // 2],
        lambda: data * pick(rng, [3, 30]),
        lambda: bytes(rng.integers(0, 256, 5000, dtype=np.uint8)),
        lambda: gzip.compress(data, 1, mtime=0),
        lambda: gzip.compress(data, 1, mtime=0)[: -int(rng.integers(1, 40))],
        lambda: broken_bytes(rng, gzip.compress(data, 1, mtime=0)),
        lambda: gzip.compress(gzip.compress(data, 1, mtime=0), 1, mtime=0),
        lambda: b"\0" * 100_000,
        lambda: b"1" * 200_000,
        lambda: b"[" + b"[]," * 300_000 + b"[]]",
    ]
    return pick(rng, made)()


def damage(rng: Random, path: Path, bombs: Path) -> None:
    """Damage a file in place, in one of all ways.

    Args:
        rng: where choices come from.
        path: the file; it is replaced, not written to.
        bombs: folder of files that unpack to gigabytes.
    """
    data = path.read_bytes()
    path.unlink()
    roll = rng.random()
    if roll < 0.42:
        path.write_bytes(broken_json(rng, data))
    elif roll < 0.72:
        path.write_bytes(broken_bytes(rng, data))
    elif roll < 0.88:
        path.write_bytes(other_whole(rng, data))
    elif roll < 0.92:
        shutil.copy(pick(rng, sorted(bombs.iterdir())), path)
    else:
        special(rng, path)


def special(rng: Random, path: Path) -> None:
    """Put something that is no regular file, or a link, in a place that is free."""
    kind = pick(rng, ["fifo", "folder", "loop", "nowhere", "socket", "missing", "sparse", *DEVICES])
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "loop":
        path.symlink_to(path.name)
    elif kind == "nowhere":
        path.symlink_to("not/there")
    elif kind == "socket":
        here = Path.cwd()
        os.chdir(path.parent)  # names of sockets must be short
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
        os.chdir(here)
    elif kind == "sparse":
        with path.open("wb") as stream:
            stream.truncate(20 << 30)
    elif kind != "missing":
        path.symlink_to(kind)


DEVICES = ["/dev/zero", "/dev/null", "/dev/full", "/dev/urandom", "/proc/self/mem", "/dev/stdin"]


def make_bombs(folder: Path) -> None:
    """Write files that unpack to much more than they should."""
    folder.mkdir(parents=True)
    pieces = {
        "spaces": (b"", b" ", b""),
        "lines": (b"", b"\n", b""),
        "array": (b"[", b"1,", b"1]"),
        "arrays": (b"[", b"[],", b"[]]"),
        "nested": (b"", b"[", b""),
        "objects": (b"[", b'{"instr_id":"100_0","trajectory":["a131"]},', b"{}]"),
        "members": (b"{", b'"100_0":["a131"],', b'"b":[]}'),
        "string": (b'["', b"x", b'"]'),
        "zeros": (b"", b"\0", b""),
    }
    for name, (before, again, after) in pieces.items():
        block = gzip.compress(again * ((32 << 20) // len(again)), 6, mtime=0)
        with (folder / f"{name}.json").open("wb") as stream:
            stream.write(gzip.compress(before, mtime=0))
            for _ in range(132):
                stream.write(block)
            stream.write(gzip.compress(after, mtime=0))
