"""VLN-CE predictions: one JSON object ``{episode_id: [{"position", "heading", "stop"}, …]}``.

The list starts with the initial state and has an entry after every action. Its headings are Habitat's yaw,
which grows counter-clockwise; those of a `Prediction` are their negatives. `Prediction.stopped` is the last
``stop``. What the fields of `Prediction` do not say (other members of an entry, a ``stop`` before the
last) is kept entry by entry in ``extra["steps"]`` and written back.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from vlnscope.core.exceptions import LossyConversionError
from vlnscope.episodes.format import Head, if_lost, who
from vlnscope.episodes.formats.r2r_submission import Name
from vlnscope.episodes.prediction_checks import check_id, check_list, check_number, check_point, members
from vlnscope.episodes.prediction_codec import PredictionCodec, RecordLayout, without
from vlnscope.episodes.records import Record, RecordError, shown
from vlnscope.types import Point, Prediction

_KEYS = ("position", "heading", "stop")


class _Step(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    position: Point
    heading: float
    stop: bool


_Steps = Annotated[list[_Step], msgspec.Meta(min_length=1)]


def _make(item: tuple[str, list[_Step]]) -> Prediction:
    name, steps = item
    stops = [step.stop for step in steps]
    extra = {"steps": _flags(stops)} if any(stops[:-1]) else {}
    return Prediction(
        episode_id=name,
        positions=tuple(step.position for step in steps),
        headings=tuple(turned(step.heading) for step in steps),
        stopped=stops[-1],
        extra=extra,
    )


def _parse(key: str | None, value: Any) -> Prediction:
    name = check_id(key, "the episode id")
    steps = [members(step, *_KEYS) for step in check_list(value, "the list of steps")]
    stops = [_flag(step["stop"]) for step in steps]
    rest = [without(step, *_KEYS) for step in steps]
    if any(stops[:-1]):
        rest = [flag | more for flag, more in zip(_flags(stops), rest, strict=True)]
    return Prediction(
        episode_id=name,
        positions=tuple(check_point(step["position"]) for step in steps),
        headings=tuple(turned(check_number(step["heading"], "a heading")) for step in steps),
        stopped=stops[-1],
        extra={"steps": rest} if any(rest) else {},
    )


def turned(angle: float) -> float:
    """Return Habitat's yaw of a heading, or the heading of a yaw; exact, so nothing is wrapped."""
    return 0.0 - angle


def _flags(stops: list[bool]) -> list[Record]:
    return [{"stop": True} if stop else {} for stop in stops[:-1]] + [{}]


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise RecordError("tuple-shape", f"stop is {shown(value)}", "true or false")
    return value


def _build(prediction: Prediction) -> list[Record]:
    places = zip(prediction.positions, prediction.headings or (), strict=True)
    steps: list[Record] = [
        {"position": p, "heading": turned(heading), "stop": False} for p, heading in places
    ]
    steps[-1]["stop"] = prediction.stopped
    if not prediction.extra:
        return steps
    rest = prediction.extra.get("steps")
    if len(prediction.extra) > 1 or not isinstance(rest, list) or not _fits(rest, len(steps)):
        raise LossyConversionError(
            f"{who(prediction)}: the format 'vlnce' has no place for what extra holds "
            f"({', '.join(sorted(prediction.extra))})",
            expected="nothing in extra, or members of each entry in extra.steps",
            fix=if_lost("extra"),
        )
    return [step | more for step, more in zip(steps, rest, strict=True)]


def _fits(rest: list[Any], count: int) -> bool:
    """Would these members be read back as they are?"""
    if len(rest) != count or not all(isinstance(more, dict) for more in rest) or not any(rest):
        return False
    early, last = rest[:-1], rest[-1]
    if "stop" in last or any(more.get("stop", True) is not True for more in early):
        return False
    return not any(more.keys() & {"position", "heading"} for more in rest)


def _sniff(head: Head) -> bool:
    if head.container != "object" or not isinstance(head.record, list) or not head.record:
        return False
    step = head.record[0]
    return isinstance(step, dict) and "position" in step and "phase" not in step


CODEC = PredictionCodec(
    name="vlnce",
    title="VLN-CE predictions (R2R-CE): position, heading and stop of every step",
    carries=frozenset({"positions", "headings", "stopped", "extra"}),
    needs=frozenset({"positions", "headings", "stopped"}),
    sniff=_sniff,
    parse=_parse,
    layouts=(RecordLayout(msgspec.json.Decoder(dict[Name, _Steps]), _make),),
    build=_build,
    container="object",
)
CODEC.register()
