"""What a file format is: how to recognise it, read it, write it, and what it can carry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, cast

import msgspec

from vlnscope.core import registry
from vlnscope.core.exceptions import InputError, LossyConversionError
from vlnscope.episodes.json.feed import MEND
from vlnscope.episodes.json.stream import Container

Holds = Literal["episodes", "predictions", "tours", "tour-logs", "episode-metrics"]
SUMMARY = "summary"
"""Code of a record that is no fault: what the authors of a file found in all of it together."""


class Head(NamedTuple):
    """The beginning of a file, enough to recognise its format.

    Attributes:
        path: where the file is.
        container: how its records are held.
        key: the first member's key, if the file is a JSON object.
        record: the first record, decoded without a type (None if there is none); only its beginning if
            it is larger than 4 MB.
    """

    path: Path
    container: Container
    key: str | None
    record: Any


class Problem(NamedTuple):
    """Something wrong with one record of a file, or a summary among the records, which is left out.

    Attributes:
        code: short stable name of the kind of problem, e.g. ``tuple-shape``; `SUMMARY` if nothing is wrong.
        episode_id: the record's id, if it could be read.
        where: file and record number.
        what: what is wrong.
        expected: what would be right.
        fix: what to do.
        record: the record, if it is a summary.
    """

    code: str
    episode_id: str | None
    where: str
    what: str
    expected: str
    fix: str = MEND
    record: Any = None


OnProblem = Callable[[Problem], None]


def refuse(problem: Problem) -> None:
    """Turn a problem into an error: what every reader does unless somebody collects problems."""
    if problem.code == SUMMARY:
        return
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
        needs: names of fields without which a record cannot be written.
        own_success: how its task judges success, where no metric of vlnscope does; then metrics that go by
            the end of a path have no value, and this says why.
    """

    name: str
    holds: Holds
    title: str
    carries: frozenset[str]
    sniff: Callable[[Head], bool]
    read: Callable[[Path, OnProblem], Iterator[Any]]
    write: Callable[[Iterable[Any], IO[bytes]], None] | None = None
    suffix: str = ".json"
    needs: frozenset[str] = frozenset()
    own_success: str = ""


def register_format(fmt: Format) -> Format:
    """Make a format known under its name."""
    return registry.register("format", fmt.name, fmt)


def get_format(name: str) -> Format:
    """Return the format called `name`."""
    return cast(Format, registry.get("format", name))


def formats(holds: Holds | None = None) -> Mapping[str, Format]:
    """Return all formats, or those that hold one kind of record."""
    by_name = cast(dict[str, Format], registry.everything("format"))
    return {name: fmt for name, fmt in by_name.items() if holds is None or fmt.holds == holds}


@cache
def optional_fields(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the fields of a kind of record that may be absent, with the value that means so."""
    absent = {}
    for field in msgspec.structs.fields(kind):
        if field.default is not msgspec.NODEFAULT:
            absent[field.name] = field.default
        elif field.default_factory is not msgspec.NODEFAULT:
            absent[field.name] = field.default_factory()
    return absent


def used_fields(record: msgspec.Struct) -> set[str]:
    """Return the names of the optional fields that a record really uses.

    Example:
        >>> from vlnscope.types import Prediction
        >>> sorted(used_fields(Prediction(episode_id="1_0", path=("a",), stopped=False)))
        ['path', 'stopped']
    """
    return {name for name, absent in optional_fields(type(record)).items() if getattr(record, name) != absent}


def check_fit(record: msgspec.Struct, name: str, carries: frozenset[str], needs: frozenset[str]) -> None:
    """Refuse a record that a format would not store completely, or cannot store at all.

    Args:
        record: an episode, a prediction, ….
        name: of the format.
        carries: see `Format`.
        needs: see `Format`.
    """
    used = used_fields(record)
    if missing := sorted(needs - used):
        raise InputError(
            f"{who(record)}: the format {name!r} needs {', '.join(missing)}, which the record does not have",
            expected="a source that has it",
            fix="choose a format that does without (`vlnscope ls formats FORMAT` says what one needs)",
        )
    if lost := sorted(used - carries):
        raise LossyConversionError(
            f"{who(record)}: the format {name!r} cannot carry {', '.join(lost)}",
            expected="a format that can (`vlnscope ls formats`)",
            fix=if_lost(*lost),
        )


def if_lost(*fields: str) -> str:
    """Say how to convert all the same, without some fields.

    Example:
        >>> if_lost("headings", "elevations")
        "add `--drop headings,elevations` (in Python: drop=['headings', 'elevations']) if they may be lost"
    """
    lost = "they" if len(fields) > 1 else "it"
    return f"add `--drop {','.join(fields)}` (in Python: drop={list(fields)}) if {lost} may be lost"


def who(record: msgspec.Struct) -> str:
    """Name a record in a message."""
    episode_id = getattr(record, "episode_id", None)
    return f"episode {episode_id}" if episode_id is not None else f"tour {getattr(record, 'tour_id', '?')}"
