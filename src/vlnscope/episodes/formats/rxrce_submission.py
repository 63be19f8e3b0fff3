"""RxR submissions: JSON lines ``{"instruction_id": …, "path": […]}``.

In the Habitat track (``rxrce``) a path is ``[[x, y, z], …]``, in the discrete one (``rxr``) a list of
viewpoint ids. Points and order are kept as they are; the official agents drop consecutive equal points
and sort by id before they submit. Ids that are numbers are written as numbers, as RxR's own files have
them. The same records in a JSON array are read, too.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Annotated, Any

import msgspec

from vlnscope.episodes.format import Format, Head, register_format
from vlnscope.episodes.formats.r2r_submission import Name, Names
from vlnscope.episodes.prediction_checks import check_id, check_list, check_point, check_viewpoint, members
from vlnscope.episodes.prediction_codec import Layout, PredictionWriter, RecordReader, with_extra, without
from vlnscope.episodes.records import Record, number_or_text
from vlnscope.types import Point, Prediction

CARRIES_POINTS = frozenset({"positions", "extra"})
CARRIES_NAMES = frozenset({"path", "extra"})
_OF_EPISODES = frozenset({"instruction", "scan", "language", "annotator_id", "demonstration_id"})


class _Points(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    instruction_id: Name | int
    path: Annotated[tuple[Point, ...], msgspec.Meta(min_length=1)]


class _Names(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    instruction_id: Name | int
    path: Names


def _make_points(record: _Points) -> Prediction:
    return Prediction(episode_id=str(record.instruction_id), positions=record.path)


def _make_names(record: _Names) -> Prediction:
    return Prediction(episode_id=str(record.instruction_id), path=record.path)


def _parts(value: Any) -> tuple[str, list[Any], Record]:
    record = members(value, "instruction_id", "path")
    name = check_id(record["instruction_id"], "instruction_id")
    return name, check_list(record["path"], "the path"), without(record, "instruction_id", "path")


def _parse_points(_: str | None, value: Any) -> Prediction:
    name, path, extra = _parts(value)
    return Prediction(episode_id=name, positions=tuple(map(check_point, path)), extra=extra)


def _parse_names(_: str | None, value: Any) -> Prediction:
    name, path, extra = _parts(value)
    return Prediction(episode_id=name, path=tuple(map(check_viewpoint, path)), extra=extra)


def _build_points(prediction: Prediction) -> Record:
    return _record(prediction, "rxrce", prediction.positions)


def _build_names(prediction: Prediction) -> Record:
    return _record(prediction, "rxr", prediction.path)


def _record(prediction: Prediction, name: str, path: tuple[Any, ...]) -> Record:
    record = {"instruction_id": number_or_text(prediction.episode_id), "path": path}
    return with_extra(prediction, name, record, prediction.extra)


def _first_place(head: Head) -> Any:
    """Return the first place of the first record's path, if the file may be a submission."""
    record = head.record
    if head.container == "object" or not isinstance(record, dict) or _OF_EPISODES & record.keys():
        return None
    path = record.get("path") if "instruction_id" in record else None
    return path[0] if isinstance(path, list) and path else None


RXRCE = register_format(
    Format(
        name="rxrce",
        holds="predictions",
        title="RxR-Habitat submission: positions",
        carries=CARRIES_POINTS,
        needs=frozenset({"positions"}),
        sniff=lambda head: isinstance(_first_place(head), list),
        read=RecordReader(
            parse=_parse_points,
            layouts=(Layout(msgspec.json.Decoder(list[_Points]), _make_points, ("instruction_id", "path")),),
            id_key="instruction_id",
            identity=attrgetter("episode_id"),
        ).read,
        write=PredictionWriter(
            name="rxrce",
            carries=CARRIES_POINTS,
            needs=frozenset({"positions"}),
            build=_build_points,
            container="lines",
        ).write,
        suffix=".jsonl",
    )
)

RXR = register_format(
    Format(
        name="rxr",
        holds="predictions",
        title="RxR submission: viewpoints",
        carries=CARRIES_NAMES,
        needs=frozenset({"path"}),
        sniff=lambda head: isinstance(_first_place(head), str),
        read=RecordReader(
            parse=_parse_names,
            layouts=(Layout(msgspec.json.Decoder(list[_Names]), _make_names, ("instruction_id", "path")),),
            id_key="instruction_id",
            identity=attrgetter("episode_id"),
        ).read,
        write=PredictionWriter(
            name="rxr",
            carries=CARRIES_NAMES,
            needs=frozenset({"path"}),
            build=_build_names,
            container="lines",
        ).write,
        suffix=".jsonl",
    )
)
