"""Observations: what an agent is given at one step, and what can be seen from a viewpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import msgspec

from vlnscope.types.episode import Point

STOP = "<stop>"
"""The action that ends an episode, in every action space; also in `Case.correct`."""
Action = str | tuple[float, ...]
"""One thing that an agent may do: a viewpoint to go to, a name such as ``forward``, numbers, or `STOP`."""


class Candidate(msgspec.Struct, frozen=True):
    """A neighbouring viewpoint as MatterSim presents it to an agent.

    Attributes:
        viewpoint: its id.
        view_index: the view (0-35) in which it is closest to the centre (``pointId``).
        slot: its place among the navigable locations of that view (``idx``; 0 is the agent itself).
        heading: absolute heading; as in MatterSim not wrapped, so it may be < 0 or > 2π.
        elevation: absolute elevation, up positive.
        angular_distance: distance from the centre of that view.
        distance: straight-line metres.
    """

    viewpoint: str
    view_index: int
    slot: int
    heading: float
    elevation: float
    angular_distance: float
    distance: float


class SeenObject(NamedTuple):
    """An object as seen from a viewpoint; what is unknown is None.

    `centre` is the middle of its box in the scene's frame; `box` is the box's extent along x, y and z.
    """

    name: str
    heading: float
    distance: float | None = None
    attributes: tuple[str, ...] = ()
    object_id: str | None = None
    centre: Point | None = None
    box: Point | None = None


class SeenRoom(NamedTuple):
    """A room as seen from a viewpoint: its label letter, and where one of its viewpoints is."""

    label: str
    heading: float
    distance: float


@runtime_checkable
class Percept(Protocol):
    """What can be seen from one viewpoint; houses, Matterport labels and captions all provide it.

    A source that knows nothing of a kind returns None for the room and nothing for the others.
    """

    def room(self) -> str | None:
        """Return the label letter of the room the viewpoint is in."""

    def rooms(self) -> Sequence[SeenRoom]:
        """Return the rooms of the neighbouring viewpoints, one entry per neighbour."""

    def objects(self) -> Sequence[SeenObject]:
        """Return the objects in sight."""

    def captions(self) -> Sequence[str]:
        """Return a description per heading sector, the first at heading 0, clockwise."""


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent is given at one step, and nothing of the answer.

    Action spaces that are not about viewpoints and candidates leave these empty, and return a subclass that
    has fields of its own and other `actions`.

    Attributes:
        episode_id: which episode.
        instruction: what to do.
        scan: scene id.
        viewpoint: where the agent stands.
        heading: where it looks.
        elevation: how far up it looks.
        step: number of decisions made so far in this episode.
        candidates: where it can go, in MatterSim's order.
        seen: what it declared that it needs, by name (``captions``, ``objects``, ``rooms``, …), made
            only when looked up.
    """

    episode_id: str
    instruction: str
    scan: str
    viewpoint: str = ""
    heading: float
    elevation: float
    step: int
    candidates: tuple[Candidate, ...] = ()
    seen: Mapping[str, Any] = msgspec.field(default_factory=dict)

    @property
    def actions(self) -> tuple[Action, ...]:
        """What the agent may do: go to the viewpoint of a candidate, or, last, `STOP`."""
        return (*[candidate.viewpoint for candidate in self.candidates], STOP)


class SpaceObservation(Observation, frozen=True, kw_only=True):
    """What an agent in continuous space is given at one step; its sensors are found in `seen`.

    Attributes:
        position: where its feet are, in Habitat's frame (y up, -z ahead at heading 0).
        rotation: of its body, a unit quaternion x, y, z, w.
        collided: whether its last move ended at something.
        offered: what it may do, `STOP` last; only `STOP` where it proposes actions itself.
    """

    position: Point
    rotation: tuple[float, float, float, float]
    collided: bool = False
    offered: tuple[Action, ...] = (STOP,)

    @property
    def actions(self) -> tuple[Action, ...]:
        """What the agent may do."""
        return self.offered
