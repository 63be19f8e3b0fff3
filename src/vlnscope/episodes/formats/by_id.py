"""Predictions by id: one JSON object ``{id: trajectory}``, as many agents dump what they hold.

The trajectory is one of an R2R submission in any of its encodings (`r2r_submission`), or a list of positions
``[[x, y, z], …]`` in continuous space.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Annotated, Any

import msgspec

from vlnscope.core.exceptions import LossyConversionError
from vlnscope.episodes.format import Head, if_lost, who
from vlnscope.episodes.formats.r2r_submission import (
    CARRIES,
    ENCODINGS,
    NEEDS,
    Name,
    Trajectory,
    build_trajectory,
    parse_trajectory,
    prediction_of,
)
from vlnscope.episodes.prediction_checks import check_id, check_list, check_point
from vlnscope.episodes.prediction_codec import PredictionCodec, RecordLayout, without
from vlnscope.types import Point, Prediction

_Positions = Annotated[tuple[Point, ...], msgspec.Meta(min_length=1)]


def _parse(key: str | None, value: Any) -> Prediction:
    return prediction_of(check_id(key, "the episode id"), parse_trajectory(value))


def _build(prediction: Prediction) -> list[Any]:
    if more := sorted(without(prediction.extra, "trajectory")):
        raise LossyConversionError(
            f"{who(prediction)}: the format 'r2r-by-id' has no place for {', '.join(more)} of extra",
            expected="nothing in extra",
            fix=if_lost("extra"),
        )
    return build_trajectory(prediction, "r2r-by-id")


def _parse_positions(key: str | None, value: Any) -> Prediction:
    points = check_list(value, "the path")
    return Prediction(
        episode_id=check_id(key, "the episode id"), positions=tuple(check_point(point) for point in points)
    )


def _first_step(head: Head) -> list[Any]:
    """Return the first element of the first trajectory, in an array if it stands alone; empty if none."""
    if head.container != "object" or not isinstance(head.record, list) or not head.record:
        return []
    first = head.record[0]
    return first if isinstance(first, list) else [first]


def _holds_viewpoints(head: Head) -> bool:
    return isinstance(next(iter(_first_step(head)), None), str)


def _holds_positions(head: Head) -> bool:
    first = _first_step(head)
    return len(first) == 3 and all(type(part) in (int, float) for part in first)


def _layout(shape: Any, read: Callable[[Any], Trajectory]) -> RecordLayout:
    decoder = msgspec.json.Decoder(dict[Name, shape])
    return RecordLayout(decoder, lambda item: prediction_of(item[0], read(item[1])))


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
    carries=frozenset({"positions"}),
    needs=frozenset({"positions"}),
    sniff=_holds_positions,
    parse=_parse_positions,
    layouts=(
        RecordLayout(
            msgspec.json.Decoder(dict[Name, _Positions]),
            lambda item: Prediction(episode_id=item[0], positions=item[1]),
        ),
    ),
    build=attrgetter("positions"),
    container="object",
).register()
