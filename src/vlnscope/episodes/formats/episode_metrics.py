"""Metrics of episodes without walks, as programs that evaluate agents in continuous space leave them.

==================  ===========================================================  ==========================
format              file                                                         written by
==================  ===========================================================  ==========================
``metrics-by-id``   ``{episode_id: {"success": 1.0, "spl": 0.9, …}}``            VLN-CE, as ``stats_ep_*``
``metrics-lines``   ``{"scene_id": …, "episode_id": …, "success": 1.0, …}``      StreamVLN, ``result.json``
==================  ===========================================================  ==========================

Lines may come in an array as well. A last line without an id, with the means of all (``sucs_all``), is a
summary and is left out. NaN, which Python writes and JSON does not have, counts as no value. What is no
number (the instruction, the last action) is kept in `MeasuredEpisode.extra`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.format import Format, Head, OnProblem, Problem, register_format
from vlnscope.episodes.formats.by_id import WALKS
from vlnscope.episodes.json.record import BrokenRecordError, decode_record
from vlnscope.episodes.json.stream import beside, peek, read_blocks
from vlnscope.episodes.measured import MeasuredEpisode
from vlnscope.episodes.prediction_checks import check_id
from vlnscope.episodes.records import (
    Record,
    RecordError,
    encoded,
    not_an_object,
    number_or_text,
    record_id,
    summary_problem,
)
from vlnscope.episodes.stated import is_number, is_summary, metric_called

ID_KEYS = ("episode_id", "instr_id", "instruction_id")
_SCENES = ("scene_id", "scan", "scene")
_FIRST = ("scene_id", "episode_id")
"""Keys that the object of an episode starts with, and that no episode is called."""
_PLACES = frozenset({*WALKS, "positions"})
_TWICE = (
    "keep one record per episode; several trials of an agent (pass@k) belong in a file each, to be compared "
    "as NAME=FILE,FILE"
)
Parse = Callable[[str | None, Any], MeasuredEpisode]


def scan_of(scene: Any) -> str:
    """Return the scan that a scene id names; Habitat writes the path of the scene's file.

    Example:
        >>> scan_of("mp3d/zsNo4HB9uLZ/zsNo4HB9uLZ.glb"), scan_of("zsNo4HB9uLZ")
        ('zsNo4HB9uLZ', 'zsNo4HB9uLZ')
    """
    return str(scene).rpartition("/")[2].partition(".")[0]


def _measured(name: Any, record: Record) -> MeasuredEpisode:
    numbers = {key: float(value) for key, value in record.items() if is_number(value)}
    values = {key: value for key, value in numbers.items() if math.isfinite(value)}
    if not any(metric_called(key) for key in numbers):
        raise RecordError("missing-key", "states no metric", "numbers such as success, spl, distance_to_goal")
    scene = next((record[key] for key in _SCENES if isinstance(record.get(key), str)), "")
    extra = {key: value for key, value in record.items() if not is_number(value) and key not in _SCENES}
    return MeasuredEpisode(
        episode_id=check_id(name, "the episode id"), scan=scan_of(scene), values=values, extra=extra
    )


def _parse_member(key: str | None, value: Any) -> MeasuredEpisode:
    if not isinstance(value, dict):
        raise not_an_object(value, "an object with metrics")
    return _measured(key, value)


def _parse_line(_: str | None, value: Any) -> MeasuredEpisode:
    if not isinstance(value, dict):
        raise not_an_object(value, "an object with metrics")
    id_key = next((key for key in ID_KEYS if key in value), None)
    if id_key is None:
        raise RecordError("missing-key", f"lacks {ID_KEYS[0]}", "the id of the episode")
    return _measured(value[id_key], {key: item for key, item in value.items() if key != id_key})


def _read(parse: Parse, of_object: bool, path: Path, on_problem: OnProblem) -> Iterator[MeasuredEpisode]:
    """Yield the episodes of a file, which is one object or not."""
    seen: set[str] = set()
    for where, key, value in _values(path, of_object, on_problem):
        if key is None and is_summary(value):
            on_problem(summary_problem(where, value))
            continue
        try:
            episode = parse(key, value)
        except RecordError as flaw:
            on_problem(flaw.at(where, key or (record_id(value) if isinstance(value, dict) else None)))
            continue
        if episode.episode_id in seen:
            what = f"an earlier record has the id {episode.episode_id!r}"
            on_problem(Problem("duplicate-id", episode.episode_id, where, what, "unique ids", _TWICE))
            continue
        seen.add(episode.episode_id)
        yield episode


def _values(path: Path, of_object: bool, on_problem: OnProblem) -> Iterator[tuple[str, str | None, Any]]:
    """Yield each record with its place and its key, NaN let through."""
    if not of_object and peek(path).key in _FIRST:  # a single line, which looks like one object
        yield f"{path}: record 1", None, beside(path, member="")
        return
    for block in read_blocks(path):
        if (block.container == "object") != of_object:
            raise InputError(
                f"{path}: the file is {'no object' if of_object else 'one JSON object'}",
                expected="one JSON object" if of_object else "an array or JSON lines",
                fix="leave the format out to let it be recognised",
            )
        for number, raw in enumerate(block.records(), block.first + 1):
            where = f"{path}: record {number}"
            try:
                yield where, *decode_record(block.container, raw, lenient=True)
            except BrokenRecordError as damage:
                on_problem(Problem(damage.code, None, where, damage.what, damage.expected))


def _write_by_id(episodes: Iterable[MeasuredEpisode], stream: IO[bytes]) -> None:
    between = b"{\n"
    for episode in episodes:
        record = _record(episode)
        stream.write(between + encoded(episode.episode_id) + b": " + encoded(record))
        between = b",\n"
    stream.write(b"\n}\n" if between == b",\n" else b"{\n}\n")


def _write_lines(episodes: Iterable[MeasuredEpisode], stream: IO[bytes]) -> None:
    for episode in episodes:
        record = {"episode_id": number_or_text(episode.episode_id)} | _record(episode)
        stream.write(encoded(record) + b"\n")


def _record(episode: MeasuredEpisode) -> Record:
    scene = {"scene_id": episode.scan} if episode.scan else {}
    return scene | episode.values | episode.extra


def _states_metrics(record: Any) -> bool:
    if not isinstance(record, dict) or _PLACES & record.keys():
        return False
    return any(is_number(value) and metric_called(key) is not None for key, value in record.items())


def _is_by_id(head: Head) -> bool:
    return head.container == "object" and _states_metrics(head.record)


def _is_lines(head: Head) -> bool:
    if head.container == "object":
        return head.key in _FIRST and not isinstance(head.record, dict | list)
    if not _states_metrics(head.record):
        return False
    return any(key in head.record for key in ID_KEYS)


_CARRIES = frozenset({"scan", "values", "extra"})
register_format(
    Format(
        name="metrics-by-id",
        holds="episode-metrics",
        title="Metrics of episodes by id, without walks (VLN-CE's stats_ep files)",
        carries=_CARRIES,
        sniff=_is_by_id,
        read=partial(_read, _parse_member, True),
        write=_write_by_id,
    )
)
register_format(
    Format(
        name="metrics-lines",
        holds="episode-metrics",
        title="Metrics of episodes, one a line, without walks (StreamVLN's result.json)",
        carries=_CARRIES,
        sniff=_is_lines,
        read=partial(_read, _parse_line, False),
        write=_write_lines,
        suffix=".jsonl",
    )
)
