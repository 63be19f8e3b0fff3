"""Predictions and tours: what an agent did in one episode, or in several of a scene, one after the other."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from vlnscope.types.episode import Point, Points

Phase = Literal["agent", "oracle", "oracle_goal", "oracle_start"]


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent did in one episode.

    Attributes:
        episode_id: as in `Episode`.
        path: viewpoints in order, start included, turns on the spot as repeats, as the file has them.
        headings: one per element of `path` or `positions`, if the file has them; radians clockwise from +y,
            in Habitat's frame from -z, not always between 0 and 2π.
        elevations: one per element of `path`, if the file has them.
        segments: lengths of the pieces in which nested files group `path`; None if it is flat.
        positions: coordinates in order (continuous).
        stopped: whether the agent called STOP; None where the format does not say.
        object_id: the object the agent chose (REVERIE).
        extra: every other field of the source record.
    """

    episode_id: str
    path: tuple[str, ...] = ()
    headings: tuple[float, ...] | None = None
    elevations: tuple[float, ...] | None = None
    segments: tuple[int, ...] | None = None
    positions: Points = ()
    stopped: bool | None = None
    object_id: str | None = None
    extra: dict[str, Any] = msgspec.field(default_factory=dict)


class Tour(msgspec.Struct, frozen=True, kw_only=True):
    """Episodes of one scene that an agent walks one after the other, keeping its memory."""

    tour_id: str
    scan: str
    episode_ids: tuple[str, ...]


class TourStep(msgspec.Struct, frozen=True, kw_only=True):
    """One logged place of a tour: where, in which episode, and who was in control."""

    position: Point | None = None
    viewpoint: str | None = None
    episode_id: str
    phase: Phase


class TourLog(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was logged of one tour, oracle phases included."""

    tour_id: str
    steps: tuple[TourStep, ...]
