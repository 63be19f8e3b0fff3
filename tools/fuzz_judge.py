"""Says what was wrong with how a command of `fuzz_commands` ended."""

from __future__ import annotations

import gzip
import hashlib
import re
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

DEVICES = [Path("/dev", name) for name in ("zero", "null", "full", "urandom", "stdout", "stdin")]
LARGEST = 1 << 30
SECONDS = 60
CODES = (0, 1, 2)
_NAN = re.compile(r"(?<![\w'\"./-])nan(?![\w'\"])")
_TEXTS = (".md", ".csv", ".tex", ".svg")


class Ended(NamedTuple):
    """How a process ended: exit code (negative: signal), what it printed, and what it took."""

    code: int
    out: bytes
    err: bytes
    seconds: float
    memory: int
    hung: bool


class Seen(NamedTuple):
    """What stood at a place: the kind of file, and a hash of its content if that is a regular file."""

    kind: int
    content: str


def look(folder: Path) -> dict[str, Seen]:
    """Return what stands in a folder, at any depth."""
    return {str(path.relative_to(folder)): _seen(path) for path in sorted(folder.rglob("*"))}


def _seen(path: Path) -> Seen:
    kind = stat.S_IFMT(path.lstat().st_mode)
    if kind == stat.S_IFLNK:
        return Seen(kind, str(path.readlink()))
    if kind != stat.S_IFREG or path.stat().st_size > LARGEST:
        return Seen(kind, "")
    return Seen(kind, hashlib.blake2b(path.read_bytes()).hexdigest())


def devices() -> list[int]:
    """Return what the devices are, which no command may replace."""
    return [stat.S_IFMT(path.stat().st_mode) for path in DEVICES[:-2]]


def faults(
    argv: Sequence[str], ended: Ended, folder: Path, before: dict[str, Seen], may_change: Sequence[str]
) -> Iterator[str]:
    """Yield everything that must not be.

    Args:
        argv: the arguments.
        ended: how the command ended.
        folder: where it ran.
        before: what stood there.
        may_change: places, and folders, that it may write to.
    """
    if ended.hung:
        yield f"hung: not done after {SECONDS} s"
    elif ended.code not in CODES:
        yield f"exit code {ended.code}"
    if ended.memory > LARGEST:
        yield f"memory: {ended.memory >> 20} MB"
    for name, text in (("stdout", ended.out), ("stderr", ended.err)):
        if b"Traceback (most recent call last)" in text or b"Exception ignored" in text:
            last = text.decode(errors="replace").rstrip().splitlines()[-1]
            yield f"traceback on {name}: {last[:200]}"
    if ended.code in (0, 1) and not ended.hung:
        yield from _nan_in_output(argv, ended.out)
    yield from _files(folder, before, may_change)


def _nan_in_output(argv: Sequence[str], out: bytes) -> Iterator[str]:
    if "--json" in argv and out and argv[0] != "convert":
        try:
            msgspec.json.decode(out)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            yield f"what --json printed is not JSON: {error}"
    given = any("nan" in word.lower() for word in argv)
    if argv[0] not in ("check", "parse", "ls") and not given and _NAN.search(out.decode(errors="replace")):
        yield "nan on stdout"


def _files(folder: Path, before: dict[str, Seen], may_change: Sequence[str]) -> Iterator[str]:
    after = look(folder)
    for name, was in before.items():
        now = after.get(name)
        free = any(name == place or name.startswith(f"{place}/") for place in may_change)
        if now is None:
            if not free:
                yield f"{name!r} is gone"
        elif now.kind != was.kind:
            yield f"{name!r} was replaced by another kind of file"
        elif now.content != was.content and not free:
            yield f"the input {name!r} was changed"
    for name, now in after.items():
        if name.endswith(".part"):
            yield f"a temporary file was left: {name!r}"
        if now.kind == stat.S_IFREG and before.get(name) != now and (why := _not_whole(folder / name)):
            yield f"{name!r} is not whole: {why}"


def _not_whole(path: Path) -> str | None:
    name = path.name.removesuffix(".gz")
    data = path.read_bytes()
    try:
        data = gzip.decompress(data) if path.suffix == ".gz" else data
        if name.endswith(".json"):
            msgspec.json.decode(data)
        elif name.endswith(".jsonl"):
            for line in data.splitlines():
                msgspec.json.decode(line)
        elif name.endswith(".parquet") and not data[:4] == data[-4:] == b"PAR1":
            return "no Parquet"
        elif name.endswith(_TEXTS) and _NAN.search(data.decode()):
            return "it says nan"
    except (msgspec.DecodeError, UnicodeDecodeError, EOFError, OSError) as error:
        return str(error)
    return None
