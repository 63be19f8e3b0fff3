"""What a file format is: how to recognise it, read it, write it, and what it can carry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, cast

from vlnscope import registry
from vlnscope.episodes.json_stream import Container
from vlnscope.exceptions import InputError

Holds = Literal["episodes", "predictions", "tours", "tour-logs"]


class Head(NamedTuple):
    """The beginning of a file, enough to recognise its format.

    Attributes:
        path: where the file is.
        container: how its records are held.
        key: the first member's key, if the file is a JSON object.
        record: the first record, decoded without a type (None if there is none).
    """

    path: Path
    container: Container
    key: str | None
    record: Any


class Problem(NamedTuple):
    """Something wrong with one record of a file.

    Attributes:
        code: short stable name of the kind of problem, e.g. ``tuple-shape``.
        episode_id: the record's id, if it could be read.
        where: file and record number.
        what: what is wrong.
        expected: what would be right.
        fix: what to do.
    """

    code: str
    episode_id: str | None
    where: str
    what: str
    expected: str = ""
    fix: str = ""


OnProblem = Callable[[Problem], None]


def refuse(problem: Problem) -> None:
    """Turn a problem into an error: what every reader does unless somebody collects problems."""
    who = f", episode {problem.episode_id}" if problem.episode_id is not None else ""
    raise InputError(f"{problem.where}{who}: {problem.what}", expected=problem.expected, fix=problem.fix)


@dataclass(frozen=True, kw_only=True)
class Format:
    """A file format.

    Attributes:
        name: what users call it on the command line.
        holds: what its records are.
        title: one line for `vlnscope ls formats`.
        carries: names of the fields of `Episode`, `Prediction`, … that it can store, without the ids.
        sniff: is this file of the format?
        read: yields the records of a file; calls `OnProblem` for each record that is wrong and, if that
            returns, goes on with the next.
        write: writes records; None if the format can only be read.
        suffix: usual ending of its files.
    """

    name: str
    holds: Holds
    title: str
    carries: frozenset[str]
    sniff: Callable[[Head], bool]
    read: Callable[[Path, OnProblem], Iterator[Any]]
    write: Callable[[Iterable[Any], IO[bytes]], None] | None = None
    suffix: str = ".json"


def register_format(fmt: Format) -> Format:
    """Make a format known under its name."""
    return registry.register("format", fmt.name, fmt)


def get_format(name: str) -> Format:
    """Return the format called `name`."""
    return cast(Format, registry.get("format", name))


def formats(holds: Holds | None = None) -> Mapping[str, Format]:
    """Return all formats, or those that hold one kind of record."""
    found = cast(dict[str, Format], registry.everything("format"))
    return {name: fmt for name, fmt in found.items() if holds is None or fmt.holds == holds}
