"""How a walk ends, in exactly one of several ways, and where it stops on the described way.

The first that holds, in the order of `OUTCOMES`, is the kind. The order puts the cause before what followed
from it:

- whoever has not moved has made no other mistake;
- whoever has been at the goal knew the way, so that leaving it is the mistake, wherever the walk ended;
- whoever walks to and fro ends anywhere, so that neither the last turn nor the floor says why;
- whoever ends on the described way has made no wrong turn, and is on another floor only because the way
  was not walked to its end;
- a wrong floor is a wrong turn with worse consequences: where that turn was is recorded as well.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple

import numpy as np

from vlnscope.benchmarks.outcomes.kinds import Outcome
from vlnscope.benchmarks.outcomes.score.track import Track
from vlnscope.types import Flags, Ints

Stop = Literal["there", "short", "past", "never"]
STOPS: tuple[Stop, ...] = ("there", "short", "past", "never")
CLOSE = 0.5
"""A success with a lower CLS came by another way than the described one, or by a long detour; as in
fidelity."""
OFTEN = 3
"""Who walks to and fro comes to one place so many times, …"""
BACK, BACK_SHARE = 3, 1 / 2
"""… or to places seen before with so many moves, which are this share of all: there and back is to and fro,
but turning back once, early or late, is a wrong turn."""
FLOOR = 1.5
"""Another storey is at least so many metres higher or lower; viewpoints on stairs count to the nearest."""


def stop_of(track: Track, outcome: Outcome, arrived: int | None) -> Stop | None:
    """Return where a walk stopped, or None if that says nothing of stopping, because it had lost the way.

    ``there``: it ended at the last place of the way (see `Way.place`). A walk that ends a step before it may
    well succeed, because the success radius is wider, but is ``short``, as is any that ends at the furthest
    place of the way that it came to. ``past``: it had come to the goal (`arrived`) and ended elsewhere.
    ``never``: all these without calling stop. A walk to and fro has lost the way wherever it ends.
    """
    where = None if outcome == "wandered" else _where(track, outcome, arrived)
    return "never" if where is not None and track.stopped is False else where


def _where(track: Track, outcome: Outcome, arrived: int | None) -> Stop | None:
    if track.places[-1] == track.way.end:
        return "there"
    if track.furthest is not None and track.left_at is None:
        return "short"
    been_there = track.furthest == track.way.end or outcome == "overshot"
    return "past" if been_there and arrived is not None else None


class Ending(NamedTuple):
    """How a walk ended, by the measures of a profile.

    Attributes:
        success: whether it counts as a success.
        close: whether it kept to the described way: CLS of at least `CLOSE`.
        near: for each viewpoint of the graph, whether it is within the success radius of the goal.
    """

    success: bool
    close: bool
    near: Flags


def outcome_of(track: Track, ending: Ending, storeys: Ints) -> Outcome:
    """Return the kind of a walk; `storeys` are those of the viewpoints of the graph.

    ``reached``: success, and close to the described way. ``never-left``: no move. ``other-path``: success.
    ``overshot``: had come to the goal (see `arrived_at`) and ended away from it. ``wandered``: went to and
    fro (see `OFTEN`). ``stopped-early``: ends at the furthest place of the way that it came to, and stopped
    there, as far as is known. ``ran-out``: the same without a stop, and whoever is at the goal where only a
    stop counts as success. ``wrong-floor``: ends on another storey than the goal. ``wrong-turn``: all else,
    which is to have left the way and not to have come as far again.
    """
    if ending.success and ending.close:
        return "reached"
    if track.end == 0:
        return "never-left"
    if ending.success:
        return "other-path"
    if ending.near[track.walk[-1]]:
        return "ran-out"
    if arrived_at(track, ending.near) is not None:
        return "overshot"
    if is_wandering(track):
        return "wandered"
    if track.furthest is not None and track.left_at is None:
        return "ran-out" if track.stopped is False else "stopped-early"
    return "wrong-floor" if is_other_floor(track, storeys) else "wrong-turn"


def arrived_at(track: Track, near: Flags) -> int | None:
    """Return the number of the last visited viewpoint at the goal; None if the walk never came to it.

    Where the described way itself passes the goal before its end, or starts near it, being there counts only
    once the walk has been further along the way than that.
    """
    passed = _passed(track, near)
    reached, arrival = -1, None
    for at, (row, index) in enumerate(zip(track.walk, track.places, strict=True)):
        reached = max(reached, -1 if index is None else index)
        if near[row] and (passed is None or reached > passed):
            arrival = at
    return arrival


def is_wandering(track: Track) -> bool:
    """Say whether a walk went to and fro."""
    often = max(Counter(track.walk).values()) >= OFTEN
    return often or track.again >= max(BACK, BACK_SHARE * track.end)


def is_other_floor(track: Track, storeys: Ints) -> bool:
    """Say whether a walk ended on another storey than that of the goal."""
    end, goal = track.walk[-1], track.way.rows[-1]
    heights = track.way.graph.positions[:, 2]
    return bool(storeys[end] != storeys[goal] and abs(heights[end] - heights[goal]) >= FLOOR)


def _passed(track: Track, near: Flags) -> int | None:
    """Return the last place at which the way is near the goal and then leaves it again."""
    way = near[list(track.way.rows)]
    outside = np.flatnonzero(~way)
    before = np.flatnonzero(way[: outside[-1]]) if outside.size else np.zeros(0, dtype=np.int64)
    return int(before[-1]) if before.size else None
