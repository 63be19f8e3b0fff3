"""``rooms``: the room that a viewpoint is in, and those next to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from vlnscope.perception.sight import SightKind, SightRequest, register_sight
from vlnscope.types import SeenRoom
from vlnscope.worlds.graph.views import wrap_heading
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene


class RoomSight(NamedTuple):
    """Rooms as seen from a viewpoint.

    Attributes:
        here: label letter of the room that it is in; None if it is in none.
        ahead: rooms of the neighbouring viewpoints that are in one, in the order of the candidates.
    """

    here: str | None
    ahead: tuple[SeenRoom, ...]


def rooms_ahead(scene: Scene, regions: Regions, viewpoint: str) -> tuple[SeenRoom, ...]:
    """Return the rooms of the neighbours of a viewpoint, as far as they are in one."""
    labelled = ((regions.label(each.viewpoint), each) for each in scene.candidates(viewpoint))
    return tuple(
        SeenRoom(label, wrap_heading(candidate.heading), candidate.distance)
        for label, candidate in labelled
        if label is not None
    )


def rooms_from_wire(data: Iterable[Mapping[str, Any]]) -> tuple[SeenRoom, ...]:
    """Return the rooms of plain data."""
    return tuple(SeenRoom(**each) for each in data)


def _show(request: SightRequest) -> RoomSight:
    scene, viewpoint = request.scene, request.viewpoint
    return RoomSight(scene.regions.label(viewpoint), rooms_ahead(scene, scene.regions, viewpoint))


register_sight(
    SightKind(
        name="rooms",
        summary="the room that the viewpoint is in and those next to it, as RoomSight",
        show=_show,
        layers=("regions",),
        decode=lambda data: RoomSight(data["here"], rooms_from_wire(data["ahead"])),
    )
)
