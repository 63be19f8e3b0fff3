"""Which turns were due along the described way, and which were taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, cast

from vlnscope.benchmarks.outcomes.score.track import Track
from vlnscope.language.actions import Direction
from vlnscope.language.geometry import FLAT, heading_to, relative, turn_word
from vlnscope.types import Point

Turn = Literal["left", "right", "straight", "back", "up", "down"]
TURNS: tuple[Turn, ...] = ("left", "right", "straight", "back", "up", "down")
_TURN: dict[Direction, Turn] = {
    "slight left": "left",
    "slight right": "right",
    "around": "back",
    "left": "left",
    "right": "right",
    "straight": "straight",
}


class TurnMove(NamedTuple):
    """A move as the walker sees it: what it is called, and how far to the right it turns (radians)."""

    turn: Turn
    angle: float


class DueTurn(NamedTuple):
    """A step at which the described way went on.

    Attributes:
        turn: what was due.
        taken: whether the walk went from there to a later place of the way, and not off the way or back.
        chance: the share of the ways from there that lead on along the described way.
    """

    turn: Turn
    taken: bool
    chance: float


def move_to(track: Track, at: int, target: int) -> TurnMove | None:
    """Return what a move from a visited viewpoint to another is; None at the start if no heading is known.

    A walker looks where it was going. What rises or falls by a quarter of a metre is `up` or `down`, else it
    is called by its angle as in `vlnscope.language.geometry`, slight turns counting as turns.
    """
    here, there = _point(track, track.walk[at]), _point(track, target)
    looks = track.heading if at == 0 else heading_to(_point(track, track.walk[at - 1]), here)
    if looks is None:
        return None
    angle = relative(looks, heading_to(here, there))
    rise = there[2] - here[2]
    if abs(rise) >= FLAT:
        return TurnMove("up" if rise > 0 else "down", angle)
    return TurnMove(_TURN[turn_word(angle)], angle)


def dues(track: Track) -> Iterator[DueTurn]:
    """Yield what was due at each place of the way, as the walk first came to it and moved on from there.

    Places that the walk came to after it had been further along the way are left out, and so is where it
    ended: there it did not choose between ways.
    """
    furthest = -1
    for at, index in enumerate(track.places):
        if index is None or index <= furthest:
            continue
        furthest = index
        if index == track.way.end or at == track.end:
            continue
        move = move_to(track, at, track.way.rows[index + 1])
        after = next((k for k in range(at + 1, len(track.walk)) if track.places[k] != index), None)
        if move is not None and after is not None:
            onward = track.places[after]
            yield DueTurn(move.turn, onward is not None and onward > index, _chance(track, at, index))


def _chance(track: Track, at: int, index: int) -> float:
    graph = track.way.graph
    ways = graph.adjacency[track.walk[at]].nonzero()[0].tolist()
    onward = [track.way.place(row, index) for row in ways]
    return sum(reached is not None and reached > index for reached in onward) / max(len(ways), 1)


def _point(track: Track, row: int) -> Point:
    return cast(Point, tuple(track.way.graph.positions[row].tolist()))
