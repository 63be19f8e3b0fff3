"""R2R submissions: a JSON array of ``{"instr_id": …, "trajectory": […]}``, in all encodings in use.

========================  ==================================================  =======================
encoding                  trajectory                                          in `Prediction`
========================  ==================================================  =======================
server, most agents       ``[[viewpoint, heading, elevation], …]``            `headings`, `elevations`
DUET, NavGPT              ``[[viewpoint], [viewpoint, viewpoint], …]``        `segments`: 1, 2, …
flat                      ``[viewpoint, …]``                                  none of these
a mixture                 ``[[viewpoint, heading, elevation], [viewpoint]]``  the source in `extra`
========================  ==================================================  =======================

In every encoding `Prediction.path` is the strings in order, as NavNuances' loader takes them. Of a
mixture the angles that some elements have are not used, but the source is kept as
``extra["trajectory"]`` and written back. Other members of a record are kept in `extra`. The same records
as JSON lines are read, too. Ids may be numbers; they are written as strings. Some programs write the walk as
``pred_path`` beside the reference path; it is read where there is no ``trajectory``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Annotated, Any, NamedTuple

import msgspec

from vlnscope.core.exceptions import LossyConversionError
from vlnscope.episodes.format import Head, if_lost, who
from vlnscope.episodes.prediction_checks import check_id, check_list, check_number, check_viewpoint, members
from vlnscope.episodes.prediction_codec import PredictionCodec, RecordLayout, with_extra, without
from vlnscope.episodes.records import Record, RecordError, shown
from vlnscope.types import Prediction

CARRIES = frozenset({"path", "headings", "elevations", "segments", "extra"})
NEEDS = frozenset({"path"})
PRED_PATH = "pred_path"

Name = Annotated[str, msgspec.Meta(min_length=1)]
Names = Annotated[tuple[Name, ...], msgspec.Meta(min_length=1)]
Pieces = Annotated[tuple[Names, ...], msgspec.Meta(min_length=1)]
Triples = Annotated[tuple[tuple[Name, float, float], ...], msgspec.Meta(min_length=1)]


class Trajectory(NamedTuple):
    """A trajectory in terms of `Prediction`, and the source if these terms do not say all of it."""

    path: tuple[str, ...]
    headings: tuple[float, ...] | None = None
    elevations: tuple[float, ...] | None = None
    segments: tuple[int, ...] | None = None
    source: Any = None


Make = Callable[[Any, Trajectory], Prediction]


def _from_triples(trajectory: Any) -> Trajectory:
    return Trajectory(*zip(*trajectory, strict=True))


def _from_pieces(trajectory: Any) -> Trajectory:
    return Trajectory(tuple(chain.from_iterable(trajectory)), segments=tuple(map(len, trajectory)))


ENCODINGS: tuple[tuple[Any, Callable[[Any], Trajectory]], ...] = (
    (Triples, _from_triples),
    (Pieces, _from_pieces),
    (Names, Trajectory),
)
_PIECES_OR_NOTHING = tuple[tuple[Name, ...], ...]
_SHAPES = "[viewpoint, heading, elevation], [viewpoint, …] or viewpoint"


def parse_trajectory(value: Any) -> Trajectory:
    """Read a trajectory in any encoding, or raise a `RecordError`.

    Example:
        >>> parse_trajectory([["a", 0.5, 0], ["b", 1.5, 0]]).headings
        (0.5, 1.5)
        >>> parse_trajectory([["a"], ["b", "c"]])[:4]
        (('a', 'b', 'c'), None, None, (1, 2))
    """
    trajectory = None
    for shape, read in (*ENCODINGS, (_PIECES_OR_NOTHING, _from_pieces)):
        try:
            trajectory = read(msgspec.convert(value, shape))
            break
        except msgspec.ValidationError:
            continue
    if trajectory is None:
        pieces = [_viewpoints(element) for element in check_list(value, "the trajectory")]
        trajectory = Trajectory(tuple(chain.from_iterable(pieces)), source=value)
    if not trajectory.path:
        raise RecordError("empty-path", "the trajectory names no viewpoint", "at least the start")
    return trajectory


def build_trajectory(prediction: Prediction, name: str) -> list[Any]:
    """Return the trajectory of a prediction in the encoding that its fields imply.

    Raises:
        LossyConversionError: no encoding can say all of it.
    """
    path, segments = prediction.path, prediction.segments
    headings, elevations = prediction.headings, prediction.elevations
    if "trajectory" in prediction.extra:
        source = prediction.extra["trajectory"]
        if not _says(source, prediction):
            why = "extra.trajectory says something else than the path"
            raise _contradiction(prediction, name, why, "extra")
        return list(source)
    if headings is None and elevations is None and segments is None:
        return list(path)
    if headings is not None and elevations is not None and segments is None:
        return list(zip(path, headings, elevations, strict=True))
    if segments is not None and headings is None and elevations is None:
        rest = iter(path)
        return [[next(rest) for _ in range(length)] for length in segments]
    odd = (
        "segments" if None not in (headings, elevations) else "elevations" if headings is None else "headings"
    )
    why = "headings need elevations, and neither goes with segments"
    raise _contradiction(prediction, name, why, odd)


def layouts_of(more: list[tuple[str, Any]], make: Make) -> tuple[RecordLayout, ...]:
    """Return the typed layouts of a submission whose records have ``instr_id``, ``trajectory`` and `more`.

    Args:
        more: further members, each with its type.
        make: turns a decoded record and its trajectory into a prediction.
    """
    keys = ("instr_id", "trajectory", *(name for name, _ in more))
    layouts = []
    for shape, read in ENCODINGS:
        fields = [("instr_id", Name | int), ("trajectory", shape), *more]
        record = msgspec.defstruct("Submitted", fields, forbid_unknown_fields=True, gc=False)
        decoder = msgspec.json.Decoder(list[record])  # type: ignore[valid-type]
        layouts.append(RecordLayout(decoder, partial(_make, make, read), keys))
    return tuple(layouts)


def _make(make: Make, read: Callable[[Any], Trajectory], record: Any) -> Prediction:
    return make(record, read(record.trajectory))


def prediction_of(instr_id: Any, trajectory: Trajectory, **more: Any) -> Prediction:
    """Return the prediction that a record's id and trajectory make."""
    path, headings, elevations, segments, source = trajectory
    if source is not None:
        more["extra"] = more.get("extra", {}) | {"trajectory": source}
    return Prediction(
        episode_id=str(instr_id),
        path=path,
        headings=headings,
        elevations=elevations,
        segments=segments,
        **more,
    )


def submitted(head: Head, id_key: str = "instr_id") -> Record | None:
    """Return the first record of a file if it is that of a submission in the manner of R2R."""
    record = head.record
    if head.container == "object" or not isinstance(record, dict) or id_key not in record:
        return None
    return record if isinstance(record.get(walk_key(record)), list | str) else None


def walk_key(record: Record) -> str:
    """Return the member of a record that holds the walk."""
    return PRED_PATH if PRED_PATH in record and "trajectory" not in record else "trajectory"


def _viewpoints(element: Any) -> list[str]:
    """Return the viewpoints of one element of a mixed trajectory."""
    if isinstance(element, str):
        return [check_viewpoint(element)]
    if not isinstance(element, list):
        raise RecordError("tuple-shape", f"an element of the trajectory is {shown(element)}", _SHAPES)
    if all(isinstance(part, str) for part in element):
        return [check_viewpoint(part) for part in element]
    viewpoint = check_viewpoint(element[0])
    if len(element) != 3:
        raise RecordError("tuple-shape", f"an element of the trajectory has {len(element)} parts", _SHAPES)
    check_number(element[1], "a heading")
    check_number(element[2], "an elevation")
    return [viewpoint]


def _says(source: Any, prediction: Prediction) -> bool:
    try:
        read = parse_trajectory(source)
    except RecordError:
        return False
    fields = (prediction.path, prediction.headings, prediction.elevations, prediction.segments)
    return read.source is not None and read[:4] == fields


def _contradiction(prediction: Prediction, name: str, why: str, odd: str) -> LossyConversionError:
    return LossyConversionError(
        f"{who(prediction)}: the format {name!r} cannot carry this combination of fields: {why}",
        expected="headings and elevations, or segments, or neither",
        fix=if_lost(odd),
    )


def parse_record(_: str | None, value: Any) -> Prediction:
    """Read a record of a submission, or raise a `RecordError`; it has no key."""
    walk = walk_key(value) if isinstance(value, dict) else "trajectory"
    record = members(value, "instr_id", walk)
    name = check_id(record["instr_id"], "instr_id")
    return prediction_of(name, parse_trajectory(record[walk]), extra=without(record, "instr_id", walk))


def _build(prediction: Prediction) -> Record:
    record = {"instr_id": prediction.episode_id, "trajectory": build_trajectory(prediction, "r2r")}
    return with_extra(prediction, "r2r", record, without(prediction.extra, "trajectory"))


CODEC = PredictionCodec(
    name="r2r",
    title="R2R submission: viewpoints with or without angles (also R4R, NavNuances)",
    carries=CARRIES,
    needs=NEEDS,
    sniff=lambda head: (record := submitted(head)) is not None and "predObjId" not in record,
    parse=parse_record,
    layouts=layouts_of([], lambda record, trajectory: prediction_of(record.instr_id, trajectory)),
    build=_build,
    id_key="instr_id",
)
CODEC.register()
