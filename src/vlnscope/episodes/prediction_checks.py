"""What must hold for the parts of a prediction; what does not raises a `RecordError` with a stable code."""

from __future__ import annotations

import math
from typing import Any

from vlnscope.episodes.records import Record, RecordError, not_an_object, shown
from vlnscope.types import Point, Prediction


def check_sound(prediction: Prediction) -> None:
    """Raise a `RecordError` for a prediction whose parts are empty, not finite or do not fit together."""
    path, positions = prediction.path, prediction.positions
    check_id(prediction.episode_id, "the id")
    if prediction.object_id is not None:
        check_id(prediction.object_id, "the id of the object")
    if not path and not positions:
        raise RecordError("empty-path", "the path is empty", "at least the place where the agent starts")
    for viewpoint in path:
        check_viewpoint(viewpoint)
    numbers = [*(prediction.headings or ()), *(prediction.elevations or ())]
    if not all(map(math.isfinite, numbers)) or not all(math.isfinite(v) for p in positions for v in p):
        raise RecordError("not-finite", "a heading, elevation or coordinate is not finite", "finite numbers")
    if any(len(point) != 3 for point in positions):
        raise RecordError("tuple-shape", "a position has not three coordinates", "x, y and z")
    if prediction.headings is not None and len(prediction.headings) != len(path or positions):
        raise RecordError("tuple-shape", "headings and places differ in number", "one heading per place")
    if prediction.elevations is not None and len(prediction.elevations) != len(path):
        raise RecordError("tuple-shape", "elevations and viewpoints differ in number", "one per viewpoint")
    if not is_finite(prediction.extra):
        raise RecordError("not-finite", "extra holds NaN or infinity", "finite numbers")
    segments = prediction.segments
    if segments is not None and (sum(segments) != len(path) or min(segments, default=0) < 0):
        raise RecordError("tuple-shape", "the segments do not add up to the path", "lengths of its pieces")


def check_id(name: Any, what: str) -> str:
    """Return an id as text; a number is as good as a string."""
    if isinstance(name, bool) or not isinstance(name, str | int) or name == "":
        raise RecordError("bad-id", f"{what} is {shown(name)}", "a number or a string that is not empty")
    return str(name)


def check_viewpoint(name: Any) -> str:
    """Return a viewpoint id, which must be a string."""
    if not isinstance(name, str):
        raise RecordError("not-a-string", f"a viewpoint id is {shown(name)}", "strings")
    if not name:
        raise RecordError("bad-viewpoint", "a viewpoint id is empty", "strings that are not empty")
    return name


def check_number(value: Any, what: str) -> float:
    """Return a finite number; null, which stands for NaN in many files, is none."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        raise RecordError("not-finite", f"{what} is {shown(value)}", "a finite number")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RecordError("tuple-shape", f"{what} is {shown(value)}", "a finite number")
    try:
        return float(value)
    except OverflowError:
        raise RecordError("not-finite", f"{what} is too large", "a finite number") from None


def check_point(value: Any) -> Point:
    """Return a position in space."""
    if not isinstance(value, list) or len(value) != 3:
        raise RecordError("tuple-shape", f"a position is {shown(value)}", "three coordinates")
    x, y, z = (check_number(v, "a coordinate") for v in value)
    return x, y, z


def check_list(value: Any, what: str) -> list[Any]:
    """Return the elements of a path, which must be an array with at least one."""
    if not isinstance(value, list):
        raise RecordError("tuple-shape", f"{what} is {shown(value)}", "an array")
    if not value:
        raise RecordError("empty-path", f"{what} is empty", "at least the place where the agent starts")
    return value


def members(value: Any, *keys: str) -> Record:
    """Return a record that is an object and has all `keys`."""
    if not isinstance(value, dict):
        raise not_an_object(value, f"an object with {', '.join(keys)}")
    if missing := [key for key in keys if key not in value]:
        raise RecordError("missing-key", f"lacks {', '.join(missing)}", f"an object with {', '.join(keys)}")
    return value


def is_finite(value: Any) -> bool:
    """Tell whether a JSON value is free of NaN and infinities."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(map(is_finite, value.values()))
    return all(map(is_finite, value)) if isinstance(value, list | tuple) else True
