"""The telling moments of a walk: where it begins and ends, turns, runs into things, and gets on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from vlnscope.types import Floats
from vlnscope.worlds.maps.walks import MapWalk

_LEAST_TURN = math.radians(40)
_BUMP = math.radians(70)
_APART = 2
_LEAST_WAY = 1.0
_ENDINGS = {True: "stops", False: "out of steps", None: "end"}


class WalkMoment(NamedTuple):
    """A position of a walk by its number, and what happens there."""

    at: int
    caption: str


class _Event(NamedTuple):
    at: int
    weight: float
    caption: str


def telling_moments(walk: MapWalk, count: int = 6) -> tuple[WalkMoment, ...]:
    """Return at most `count` moments of a walk, in order.

    The start and the end come first, then what weighs most: collisions (those that follow each other are one)
    and large turns. What is left is spread over the longest stretches in between.

    Example:
        >>> street = tuple((0.0, 0.0, -0.25 * k) for k in range(9))
        >>> [tuple(moment) for moment in telling_moments(MapWalk(street, stopped=True), 3)]
        [(0, 'start'), (4, 'after 1.0 m'), (8, 'stops')]
    """
    last = len(walk.positions) - 1
    if last < 0 or count < 1:
        return ()
    moments = {0: "start"}
    if last and count > 1:
        moments[last] = _ENDINGS[walk.stopped]
    apart = 0 if walk.on_graph else _APART
    for event in sorted((*_bumps(walk), *_turns(walk)), key=lambda event: (-event.weight, event.at)):
        if len(moments) < count and all(abs(event.at - at) > apart for at in moments):
            moments[event.at] = event.caption
    gone = np.cumsum([0.0, *(math.dist(a, b) for a, b in pairwise(walk.positions))])
    while len(moments) < count and (at := _widest(gone, sorted(moments))) is not None:
        moments[at] = f"after {gone[at]:.1f} m"
    return tuple(WalkMoment(at, moments[at]) for at in sorted(moments))


def evenly(walk: MapWalk, count: int) -> list[int]:
    """Return at most `count` positions of a walk, evenly in time, both ends among them."""
    last = len(walk.positions) - 1
    return sorted({round(at) for at in np.linspace(0, last, min(count, last + 1))}) if last >= 0 else []


def _bumps(walk: MapWalk) -> Iterator[_Event]:
    known = [at for at in walk.collisions if at < len(walk.positions)]
    for _, run in groupby(enumerate(known), key=lambda pair: pair[1] - pair[0]):
        numbers = [at for _, at in run]
        caption = "collides" if len(numbers) == 1 else f"collides {len(numbers)} times"
        yield _Event(numbers[0], _BUMP + 0.1 * len(numbers), caption)


def _turns(walk: MapWalk) -> Iterator[_Event]:
    """Yield turns to one side that neither a turn back nor a move interrupts, at the position after them."""
    looks = [walk.heading(at) for at in range(len(walk.positions))]
    turns = [_signed(b - a) if a is not None and b is not None else 0.0 for a, b in pairwise(looks)]
    moves = np.cumsum([0, *(a != b for a, b in pairwise(walk.positions))])
    for (sign, _), run in groupby(enumerate(turns, 1), key=lambda pair: (_sign(pair[1]), moves[pair[0]])):
        steps = list(run)
        angle = sum(turn for _, turn in steps)
        if sign and abs(angle) >= _LEAST_TURN:
            side = "right" if angle > 0 else "left"
            yield _Event(steps[-1][0], min(abs(angle), math.pi), f"turns {side} {_degrees(angle)}°")


def _widest(gone: Floats, taken: Sequence[int]) -> int | None:
    """Return the position in the middle of the longest way between two moments; None if all are near."""
    gaps = [(float(gone[b] - gone[a]), -a, a, b) for a, b in pairwise(taken) if b - a > 1]
    if not gaps:
        return None
    way, _, a, b = max(gaps)
    if way < _LEAST_WAY:
        return None
    return int(np.argmin(np.abs(gone[a + 1 : b] - (gone[a] + way / 2)))) + a + 1


def _signed(angle: float) -> float:
    return (angle + math.pi) % math.tau - math.pi


def _sign(turn: float) -> int:
    return 0 if abs(turn) < 1e-6 else 1 if turn > 0 else -1


def _degrees(angle: float) -> int:
    return min(360, round(abs(math.degrees(angle))))
