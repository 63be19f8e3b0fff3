"""REVERIE submissions: an R2R submission whose records also name the object that the agent chose.

``predObjId`` is a number in REVERIE's files and becomes text in `Prediction.object_id`. Null, which agents
write when they see no object to choose, is kept as ``extra["predObjId"]``, so that a prediction that was
never about objects is not taken for one.
"""

from __future__ import annotations

from typing import Any

from vlnscope.episodes.formats.r2r_submission import (
    CARRIES,
    NEEDS,
    Name,
    Trajectory,
    build_trajectory,
    layouts_of,
    parse_trajectory,
    prediction_of,
    submitted,
)
from vlnscope.episodes.prediction_checks import check_id, members
from vlnscope.episodes.prediction_codec import PredictionCodec, with_extra, without
from vlnscope.episodes.records import Record, RecordError, number_or_text
from vlnscope.types import Prediction

_NOTHING: Record = {"predObjId": None}


def _make(record: Any, trajectory: Trajectory) -> Prediction:
    return _chosen(record.instr_id, trajectory, record.predObjId, {})


def _chosen(name: Any, trajectory: Trajectory, chosen: Any, extra: Record) -> Prediction:
    if chosen is None:
        return prediction_of(name, trajectory, extra=extra | _NOTHING)
    return prediction_of(name, trajectory, object_id=check_id(chosen, "predObjId"), extra=extra)


def _parse(_: str | None, value: Any) -> Prediction:
    record = members(value, "instr_id", "trajectory", "predObjId")
    name = check_id(record["instr_id"], "instr_id")
    extra = without(record, "instr_id", "trajectory", "predObjId")
    return _chosen(name, parse_trajectory(record["trajectory"]), record["predObjId"], extra)


def _build(prediction: Prediction) -> Record:
    record: Record = {
        "instr_id": prediction.episode_id,
        "trajectory": build_trajectory(prediction, "reverie"),
    }
    rest = without(prediction.extra, "trajectory")
    if prediction.object_id is not None:
        record["predObjId"] = number_or_text(prediction.object_id)
    elif rest.get("predObjId", "") is not None:
        raise RecordError("missing-key", "says nothing of an object", "a prediction for REVERIE")
    return with_extra(prediction, "reverie", record, rest)


CODEC = PredictionCodec(
    name="reverie",
    title="REVERIE submission: R2R's and the chosen object",
    carries=CARRIES | {"object_id"},
    needs=NEEDS,
    sniff=lambda head: (record := submitted(head)) is not None and "predObjId" in record,
    parse=_parse,
    layouts=layouts_of([("predObjId", Name | int | None)], _make),
    build=_build,
    id_key="instr_id",
)
CODEC.register()
