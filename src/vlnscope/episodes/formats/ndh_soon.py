"""Submissions to other tasks that are walked on the same graphs: NDH (CVDN) and SOON.

``ndh`` has R2R's records under another id, ``{"inst_idx": …, "trajectory": […]}``. In ``soon`` the trajectory
is an object, ``{"instr_id": …, "trajectory": {"path": […], "obj_heading": […], "obj_elevation": […]}}``.

A path is one of an R2R submission in any of its encodings. What else SOON says of a trajectory (the angles
or the box of the object that the agent chose) is found in ``extra["object"]`` and written back. Both tasks
have measures of success of their own (progress towards a goal region; the object found), which nothing here
computes: such walks are read, checked and converted.
"""

from __future__ import annotations

from typing import Any

from vlnscope.core.exceptions import LossyConversionError
from vlnscope.episodes.format import Head, if_lost, who
from vlnscope.episodes.formats.r2r_submission import (
    CARRIES,
    NEEDS,
    build_trajectory,
    parse_trajectory,
    prediction_of,
    submitted,
)
from vlnscope.episodes.prediction_checks import check_id, members
from vlnscope.episodes.prediction_codec import PredictionCodec, with_extra, without
from vlnscope.episodes.records import Record, number_or_text
from vlnscope.types import Prediction

NDH_SUCCESS = "NDH asks how much nearer an agent comes to the region of the target"
SOON_SUCCESS = "SOON asks whether an agent finds the object that is described"


def _parse_ndh(_: str | None, value: Any) -> Prediction:
    record = members(value, "inst_idx", "trajectory")
    name = check_id(record["inst_idx"], "inst_idx")
    extra = without(record, "inst_idx", "trajectory")
    return prediction_of(name, parse_trajectory(record["trajectory"]), extra=extra)


def _build_ndh(prediction: Prediction) -> Record:
    walk = build_trajectory(prediction, "ndh")
    record: Record = {"inst_idx": number_or_text(prediction.episode_id), "trajectory": walk}
    return with_extra(prediction, "ndh", record, without(prediction.extra, "trajectory"))


def _parse_soon(_: str | None, value: Any) -> Prediction:
    record = members(value, "instr_id", "trajectory")
    name = check_id(record["instr_id"], "instr_id")
    walk = members(record["trajectory"], "path")
    extra = without(record, "instr_id", "trajectory") | {"object": without(walk, "path")}
    return prediction_of(name, parse_trajectory(walk["path"]), extra=extra)


def _build_soon(prediction: Prediction) -> Record:
    seen = prediction.extra.get("object")
    if not isinstance(seen, dict) or "path" in seen:
        raise LossyConversionError(
            f"{who(prediction)}: says nothing of an object, which SOON asks for",
            expected="extra.object with obj_heading and obj_elevation",
            fix=if_lost("extra") + ", and write it as r2r",
        )
    walk = {"path": build_trajectory(prediction, "soon")} | seen
    record: Record = {"instr_id": prediction.episode_id, "trajectory": walk}
    return with_extra(prediction, "soon", record, without(prediction.extra, "trajectory", "object"))


def _is_soon(head: Head) -> bool:
    record = head.record
    if head.container == "object" or not isinstance(record, dict) or "instr_id" not in record:
        return False
    walk = record.get("trajectory")
    return isinstance(walk, dict) and isinstance(walk.get("path"), list)


PredictionCodec(
    name="ndh",
    title="NDH submission (CVDN): R2R's by inst_idx",
    carries=CARRIES,
    needs=NEEDS,
    sniff=lambda head: submitted(head, "inst_idx") is not None and "instr_id" not in head.record,
    parse=_parse_ndh,
    build=_build_ndh,
    id_key="inst_idx",
    own_success=NDH_SUCCESS,
).register()
PredictionCodec(
    name="soon",
    title="SOON submission: a path, and where the object is seen from its end",
    carries=CARRIES,
    needs=NEEDS,
    sniff=_is_soon,
    parse=_parse_soon,
    build=_build_soon,
    id_key="instr_id",
    own_success=SOON_SUCCESS,
).register()
