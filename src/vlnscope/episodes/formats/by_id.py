"""Predictions by id: one JSON object ``{id: trajectory}``, as many agents dump what they hold.

The trajectory is one of an R2R submission in any of its encodings (`r2r_submission`), or a list of positions
``[[x, y, z], …]`` in continuous space. It may stand in an object, as ``trajectory``, ``path`` or
``pred_path``; what else that holds is kept in `extra` and written back.

A file with the walk of one instruction alone, ``{"instr_id": …, "trajectory": […]}``, is read, too, as
``r2r-one``: it is a record of a submission without the array around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec

from vlnscope.episodes.format import Format, Head, OnProblem, register_format
from vlnscope.episodes.formats.r2r_submission import (
    CARRIES,
    ENCODINGS,
    NEEDS,
    Name,
    Trajectory,
    build_trajectory,
    parse_record,
    parse_trajectory,
    prediction_of,
)
from vlnscope.episodes.json.stream import beside
from vlnscope.episodes.prediction_checks import check_id, check_list, check_point
from vlnscope.episodes.prediction_codec import PredictionCodec, RecordLayout, with_extra, without
from vlnscope.episodes.records import Record, RecordError
from vlnscope.types import Point, Prediction

_Positions = Annotated[tuple[Point, ...], msgspec.Meta(min_length=1)]
WALKS = ("trajectory", "path", "pred_path")
"""Members that hold a trajectory, if an object stands under the id; the first that is there does."""


def _walk(value: Any) -> tuple[Any, Record]:
    """Return the trajectory that stands under an id, and what stands beside it."""
    if not isinstance(value, dict):
        return value, {}
    for key in WALKS:
        if key in value:
            return value[key], without(value, key)
    raise RecordError("missing-key", "names no walk", f"an array, or an object with {' or '.join(WALKS)}")


def _parse(key: str | None, value: Any) -> Prediction:
    walk, extra = _walk(value)
    return prediction_of(check_id(key, "the episode id"), parse_trajectory(walk), extra=extra)


def _build(prediction: Prediction) -> Any:
    walk = build_trajectory(prediction, "r2r-by-id")
    if more := without(prediction.extra, "trajectory"):
        return with_extra(prediction, "r2r-by-id", {"trajectory": walk}, more)
    return walk


def _parse_positions(key: str | None, value: Any) -> Prediction:
    walk, extra = _walk(value)
    points = check_list(walk, "the path")
    return Prediction(
        episode_id=check_id(key, "the episode id"),
        positions=tuple(check_point(point) for point in points),
        extra=extra,
    )


def _build_positions(prediction: Prediction) -> Any:
    if not prediction.extra:
        return prediction.positions
    record = {"trajectory": prediction.positions}
    return with_extra(prediction, "positions-by-id", record, prediction.extra)


def _first_step(head: Head) -> list[Any]:
    """Return the first element of the first trajectory, in an array if it stands alone; empty if none."""
    if head.container != "object" or head.key in _OF_ONE:
        return []
    walk = head.record
    if isinstance(walk, dict):
        walk = next((walk[key] for key in WALKS if key in walk), None)
    if not isinstance(walk, list) or not walk:
        return []
    first = walk[0]
    return first if isinstance(first, list) else [first]


def _holds_viewpoints(head: Head) -> bool:
    return isinstance(next(iter(_first_step(head)), None), str)


def _holds_positions(head: Head) -> bool:
    first = _first_step(head)
    return len(first) == 3 and all(type(part) in (int, float) for part in first)


def _layout(shape: Any, read: Callable[[Any], Trajectory]) -> RecordLayout:
    decoder = msgspec.json.Decoder(dict[Name, shape])
    return RecordLayout(decoder, lambda item: prediction_of(item[0], read(item[1])))


def _read_one(path: Path, on_problem: OnProblem) -> Iterator[Prediction]:
    """Yield the prediction that a file is."""
    where = f"{path}: record 1"
    try:
        yield parse_record(None, beside(path, member=""))
    except RecordError as flaw:
        on_problem(flaw.at(where, None))


_OF_ONE = ("instr_id", "trajectory", "pred_path")
register_format(
    Format(
        name="r2r-one",
        holds="predictions",
        title="One R2R prediction per file: a record of a submission without the array around it",
        carries=CARRIES,
        sniff=lambda head: head.container == "object" and head.key in _OF_ONE,
        read=_read_one,
        needs=NEEDS,
    )
)
PredictionCodec(
    name="r2r-by-id",
    title="R2R trajectories by id: one object, viewpoints with or without angles",
    carries=CARRIES,
    needs=NEEDS,
    sniff=_holds_viewpoints,
    parse=_parse,
    layouts=tuple(_layout(shape, read) for shape, read in ENCODINGS),
    build=_build,
    container="object",
).register()
PredictionCodec(
    name="positions-by-id",
    title="Positions by id (continuous space): one object, [[x, y, z], …] per episode",
    carries=frozenset({"positions", "extra"}),
    needs=frozenset({"positions"}),
    sniff=_holds_positions,
    parse=_parse_positions,
    layouts=(
        RecordLayout(
            msgspec.json.Decoder(dict[Name, _Positions]),
            lambda item: Prediction(episode_id=item[0], positions=item[1]),
        ),
    ),
    build=_build_positions,
    container="object",
).register()
