"""IVLN logs: ``{tour_id: [{"position", "phase", "episode_id"}, …]}``, oracle phases included.

The file with the reference paths (``gt_ndtw.json``) holds the same for several splits:
``{split: {tour_id: […]}}``; logs read from it say of which split they are (`SplitTourLog`). A discrete log
has ``viewpoint`` instead of ``position``, or both. Other members of an entry are not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import IO, Annotated, Any, get_args

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.format import Format, Head, OnProblem, register_format
from vlnscope.episodes.formats.r2r_submission import Name
from vlnscope.episodes.json.feed import MEND
from vlnscope.episodes.json.stream import member_keys, peek
from vlnscope.episodes.prediction_checks import (
    check_id,
    check_list,
    check_point,
    check_viewpoint,
    is_finite,
    members,
)
from vlnscope.episodes.prediction_codec import RecordLayout, RecordReader
from vlnscope.episodes.records import Record, RecordError, encoded, shown
from vlnscope.types import Phase, Point, TourLog, TourStep

PHASES = get_args(Phase)


class SplitTourLog(TourLog, frozen=True, kw_only=True):
    """The log of a tour that says of which split it is: tours of different splits have the same ids."""

    split: str


class _Entry(msgspec.Struct, gc=False):
    position: Point
    phase: Phase
    episode_id: Name | int
    viewpoint: Name | None = None


_Entries = Annotated[list[_Entry], msgspec.Meta(min_length=1)]


def read_logs(path: Path, on_problem: OnProblem) -> Iterator[TourLog]:
    """Yield the tours of a file, of all its splits if it has some, in its order."""
    if not isinstance(peek(path).record, dict):
        yield from READER.read(path, on_problem)
        return
    for split in member_keys(path):
        for log in READER.read(path, on_problem, member=split):
            yield SplitTourLog(tour_id=log.tour_id, steps=log.steps, split=split)


def write_logs(logs: Iterable[TourLog], stream: IO[bytes]) -> None:
    """Write logs as one object, by split if they say of which split they are."""
    splits: list[str | None] = []
    stream.write(b"{\n")
    for split, group in groupby(logs, lambda log: getattr(log, "split", None)):
        if split in splits or (splits and None in (split, splits[0])):
            raise InputError(
                "the logs of one split do not follow each other",
                expected="split after split",
                fix="sort them by split before writing",
            )
        stream.write(b",\n" if splits else b"")
        stream.write(encoded(split) + b": {\n" if split is not None else b"")
        _write_tours(group, stream)
        stream.write(b"\n}" if split is not None else b"")
        splits.append(split)
    stream.write(b"\n}\n")


def _write_tours(logs: Iterable[TourLog], stream: IO[bytes]) -> None:
    seen: set[str] = set()
    for log in logs:
        if not log.tour_id or not log.steps:
            raise InputError(
                f"tour {log.tour_id!r}: has no id or no steps",
                expected="a name and at least one step",
                fix="leave the tour out, or log at least where it starts",
            )
        if log.tour_id in seen:
            raise InputError(
                f"tour {log.tour_id}: occurs twice", expected="each tour once", fix="keep one of them"
            )
        stream.write(b",\n" if seen else b"")
        entries = [_entry(log.tour_id, step) for step in log.steps]
        stream.write(encoded(log.tour_id) + b": " + encoded(entries))
        seen.add(log.tour_id)


def _entry(tour_id: str, step: TourStep) -> Record:
    if (step.position is None and step.viewpoint is None) or not is_finite(step.position):
        raise InputError(
            f"tour {tour_id}: a step does not say where, or is at NaN or infinity",
            expected="a finite position, a viewpoint or both",
            fix="find out where the agent loses its position",
        )
    where = {"position": step.position, "viewpoint": step.viewpoint}
    known = {key: value for key, value in where.items() if value is not None}
    return known | {"phase": step.phase, "episode_id": step.episode_id}


def _make(item: tuple[str, list[_Entry]]) -> TourLog:
    name, entries = item
    steps = (
        TourStep(position=e.position, viewpoint=e.viewpoint, episode_id=str(e.episode_id), phase=e.phase)
        for e in entries
    )
    return TourLog(tour_id=name, steps=tuple(steps))


def _parse(key: str | None, value: Any) -> TourLog:
    name = check_id(key, "the tour id")
    return TourLog(tour_id=name, steps=tuple(_step(entry) for entry in check_list(value, "the tour")))


def _step(entry: Any) -> TourStep:
    record = members(entry, "phase", "episode_id")
    if not record.keys() & {"position", "viewpoint"}:
        raise RecordError("missing-key", "an entry does not say where", "position or viewpoint")
    if record["phase"] not in PHASES:
        raise RecordError("bad-phase", f"a phase is {shown(record['phase'])}", f"one of {', '.join(PHASES)}")
    return TourStep(
        position=check_point(record["position"]) if "position" in record else None,
        viewpoint=check_viewpoint(record["viewpoint"]) if "viewpoint" in record else None,
        episode_id=check_id(record["episode_id"], "episode_id"),
        phase=record["phase"],
    )


def _sniff(head: Head) -> bool:
    tour = head.record
    if isinstance(tour, dict) and tour:
        tour = next(iter(tour.values()))
    if head.container != "object" or not isinstance(tour, list) or not tour:
        return False
    return isinstance(tour[0], dict) and tour[0].keys() >= {"phase", "episode_id"}


READER = RecordReader(
    parse=_parse,
    layouts=(RecordLayout(msgspec.json.Decoder(dict[Name, _Entries]), _make),),
    container="object",
    identity=attrgetter("tour_id"),
    fix=MEND,
)

IVLN_LOG = register_format(
    Format(
        name="ivln-log",
        holds="tour-logs",
        title="IVLN: every logged place of each tour, oracle phases included",
        carries=frozenset({"steps", "split"}),
        sniff=_sniff,
        read=read_logs,
        write=write_logs,
    )
)
