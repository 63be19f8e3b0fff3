"""Reach: every room can be walked to from the entry, if need be through a further door."""

from __future__ import annotations

from vlnscope.worlds.houses.layout.draft import DraftRoom, HouseDraft, Link
from vlnscope.worlds.houses.layout.openings import NoRoomError, Openings
from vlnscope.worlds.houses.layout.programme import joined
from vlnscope.worlds.houses.layout.room_kinds import SMALL


def join_all(draft: HouseDraft, openings: Openings) -> None:
    """Add doors until every room is reached.

    Raises:
        NoRoomError: a room has no wall with room for a door to a room that is reached, or a flight of
            stairs or the front door is cut off.
    """
    while True:
        reached = _reached(draft, openings)
        missing = [space for space in draft.spaces if not reached[space.number]]
        if not missing:
            return
        if not any(_join(draft, openings, space, reached) for space in missing):
            raise NoRoomError(f"{len(missing)} rooms cannot be reached")


def _join(draft: HouseDraft, openings: Openings, space: DraftRoom, reached: list[bool]) -> bool:
    """Cut a door to a reached room, preferably of a kind that such rooms are mostly joined with."""
    hosts = [
        other
        for other in draft.on(space.floor)
        if reached[other.number] and other.label != "s" and not (other.outdoor or other.label in SMALL)
    ]
    hosts.sort(key=lambda other: -joined(space.label, other.label))
    return any(
        openings.cut(Link(space.number, host.number, "door", width, "end"))
        for host in hosts
        for width in (0.85, 0.8)
    )


def _reached(draft: HouseDraft, openings: Openings) -> list[bool]:
    ways: dict[int, list[int]] = {space.number: [] for space in draft.spaces}
    pairs = [(hole.a, hole.b) for hole in openings.holes if hole.kind != "window" and hole.b is not None]
    pairs += [flight.spaces for flight in draft.flights]
    for a, b in pairs:
        assert b is not None
        ways[a].append(b)
        ways[b].append(a)
    start = next(space.number for space in draft.spaces if space.label == "e")
    seen = [False] * len(draft.spaces)
    seen[start] = True
    queue = [start]
    for number in queue:
        for other in ways[number]:
            if not seen[other]:
                seen[other] = True
                queue.append(other)
    return seen
