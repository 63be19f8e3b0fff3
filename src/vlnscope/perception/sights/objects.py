"""``objects``: the objects in sight of a viewpoint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from vlnscope.perception.sight import SightKind, register_sight
from vlnscope.types import SeenObject

_TUPLES = ("attributes", "centre", "box")


def objects_from_wire(data: Iterable[Mapping[str, Any]]) -> tuple[SeenObject, ...]:
    """Return the objects of plain data."""
    return tuple(SeenObject(**{**each, **{name: _tuple(each[name]) for name in _TUPLES}}) for each in data)


def _tuple(value: list[Any] | None) -> tuple[Any, ...] | None:
    return None if value is None else tuple(value)


register_sight(
    SightKind(
        name="objects",
        summary="the objects in sight, as SeenObject",
        show=lambda request: request.scene.objects.at(request.viewpoint),
        layers=("objects",),
        decode=objects_from_wire,
    )
)
