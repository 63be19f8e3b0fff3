"""RxR submissions: JSON lines ``{"instruction_id": …, "path": […]}``.

In the Habitat track (``rxrce``) a path is ``[[x, y, z], …]``, in the discrete one (``rxr``) a list of
viewpoint ids. Points and order are kept as they are; the official agents drop consecutive equal points
and sort by id before they submit. Ids that are numbers are written as numbers, as RxR's own files have
them. The same records in a JSON array are read, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import msgspec

from vlnscope.episodes.format import Head
from vlnscope.episodes.formats.r2r_submission import Name, Names
from vlnscope.episodes.prediction_checks import check_id, check_list, check_point, check_viewpoint, members
from vlnscope.episodes.prediction_codec import PredictionCodec, RecordLayout, with_extra, without
from vlnscope.episodes.records import Record, number_or_text
from vlnscope.types import Point, Prediction

_KEYS = ("instruction_id", "path")
_OF_EPISODES = frozenset({"instruction", "scan", "language", "annotator_id", "demonstration_id"})
_Positions = Annotated[tuple[Point, ...], msgspec.Meta(min_length=1)]


def _first_place(head: Head) -> Any:
    """Return the first place of the first record's path, if the file may be a submission."""
    record = head.record
    if head.container == "object" or not isinstance(record, dict) or _OF_EPISODES & record.keys():
        return None
    path = record.get("path") if "instruction_id" in record else None
    return path[0] if isinstance(path, list) and path else None


def _register(name: str, title: str, field: str, kind: type, shape: Any, check: Callable[[Any], Any]) -> None:
    """Register one of the two tracks.

    Args:
        name: of the format.
        title: see `Format`.
        field: the field of `Prediction` that holds the path.
        kind: what a place of the path is in JSON.
        shape: the type of the whole path.
        check: checks one place.
    """
    fields = [("instruction_id", Name | int), ("path", shape)]
    record_type = msgspec.defstruct("Submitted", fields, forbid_unknown_fields=True, gc=False)
    decoder = msgspec.json.Decoder(list[record_type])  # type: ignore[valid-type]

    def parse(_: str | None, value: Any) -> Prediction:
        record = members(value, *_KEYS)
        instruction = check_id(record["instruction_id"], "instruction_id")
        path: Any = tuple(map(check, check_list(record["path"], "the path")))
        return Prediction(episode_id=instruction, extra=without(record, *_KEYS), **{field: path})

    def build(prediction: Prediction) -> Record:
        record = {
            "instruction_id": number_or_text(prediction.episode_id),
            "path": getattr(prediction, field),
        }
        return with_extra(prediction, name, record, prediction.extra)

    def make(record: Any) -> Prediction:
        return Prediction(episode_id=str(record.instruction_id), **{field: record.path})

    PredictionCodec(
        name=name,
        title=title,
        carries=frozenset({field, "extra"}),
        needs=frozenset({field}),
        sniff=lambda head: isinstance(_first_place(head), kind),
        parse=parse,
        layouts=(RecordLayout(decoder, make, _KEYS),),
        build=build,
        container="lines",
        id_key="instruction_id",
    ).register()


_register("rxrce", "RxR-Habitat submission: positions", "positions", list, _Positions, check_point)
_register("rxr", "RxR submission: viewpoints", "path", str, Names, check_viewpoint)
