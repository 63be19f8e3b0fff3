"""Where a literal reader may go from a walk so far, and what it finds where the walk ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from vlnscope.language.actions import Direction
from vlnscope.language.describe.candidates.referring import Ref, referents
from vlnscope.language.describe.candidates.statements import RouteStatement
from vlnscope.language.describe.route import RouteIndex
from vlnscope.language.describe.scene_index import SceneIndex
from vlnscope.language.geometry import relative, turn_word
from vlnscope.language.lexicon.entries import lexicon

NEAR = 3.0
"""How near to the goal a walk ends that counts as the same, metres."""
FORWARD = math.radians(32)
"""Up to which angle a step goes straight on."""
_SPARE = 2
_FARTHEST = 4
"""How many steps a reader may take at least to carry out one statement."""


class ReaderState(NamedTuple):
    """A walk that fits the statements so far, and the turn or the heading that the next step must take."""

    rows: tuple[int, ...]
    turn: Direction | None = None
    facing: float | None = None


Steps = Iterator[tuple[int, ...]]


class RouteSearch:
    """Tries walks in one scene from one start.

    Args:
        route: the walk that the statements are about; its scene, its start and its length are used.
    """

    def __init__(self, route: RouteIndex) -> None:
        self.index: SceneIndex = route.index
        self.heading = route.heading
        self.longest = len(route.rows) + _SPARE

    def arrival(self, rows: tuple[int, ...]) -> float:
        """Return the heading with which a walk arrives at its last viewpoint."""
        return self.index.edges[rows[-2]][rows[-1]] if len(rows) > 1 else self.heading

    def onward(
        self,
        state: ReaderState,
        rows: tuple[int, ...],
        most: float,
        tried: set[tuple[int, ...]] | None = None,
    ) -> list[tuple[int, ...]]:
        """Return a walk lengthened by every step that turns by `most` at most, or as it was told to turn.

        Steps in `tried` are left out, the others are put there.
        """
        if len(rows) >= self.longest:
            return []
        fresh = rows is state.rows
        turn = state.turn if fresh else None
        longer = []
        for row, angle in self._bends(rows, state.facing if fresh else None):
            if row in rows or not (abs(angle) <= most if turn is None else fits_turn(turn, angle)):
                continue
            if tried is not None:
                step = (rows[-1], row)
                if step in tried:
                    continue
                tried.add(step)
            longer.append((*rows, row))
        return longer

    def _bends(self, rows: tuple[int, ...], facing: float | None) -> tuple[tuple[int, float], ...]:
        if len(rows) > 1 and facing is None:
            return self.index.bends(rows[-2], rows[-1])
        heading = self.heading if facing is None else facing
        ways = self.index.edges[rows[-1]].items()
        ahead = math.pi if facing is None else FORWARD
        turns = ((row, relative(heading, course)) for row, course in ways)
        return tuple((row, angle) for row, angle in turns if abs(angle) <= ahead)

    def routes(
        self,
        statement: RouteStatement,
        state: ReaderState,
        most: float,
        keep: Callable[[tuple[int, ...]], bool],
        done: Callable[[tuple[int, ...]], bool],
        first: float | None = None,
        open_ended: bool = False,
    ) -> Steps:
        """Yield walks that are done, going on from those worth keeping; each last step is tried once."""
        tried: set[tuple[int, ...]] = set()
        front = [state.rows]
        reach = most if first is None else first
        for _ in range(max(statement.last - statement.first + 2, _FARTHEST)):
            later = []
            for rows in front:
                for longer in self.onward(state, rows, reach, tried):
                    finished = done(longer)
                    if finished:
                        yield longer
                    if (open_ended or not finished) and keep(longer):
                        later.append(longer)
            front, reach = later, most

    def is_at(self, ref: Ref, rows: tuple[int, ...]) -> bool:
        """Return whether a walk ends in a room, or near a thing."""
        if ref.what == "room":
            return self.in_room(rows[-1], ref)
        return self.within(ref, rows, NEAR)

    def within(self, ref: Ref, rows: tuple[int, ...], reach: float) -> bool:
        """Return whether a walk ends within `reach` metres of a thing that is meant."""
        visible = self.index.visible[rows[-1]]
        return any(
            (visible[thing].distance or 0.0) <= reach
            for thing in referents(self.index, ref, rows[-1], self.arrival(rows))
        )

    def in_room(self, row: int, ref: Ref) -> bool:
        """Return whether a viewpoint lies in a room of that name."""
        if ref.name == "landing":
            return self.index.is_landing(row)
        return (self.index.label(row) or "?") in lexicon().rooms[ref.name].letters


def fits_turn(said: Direction, angle: float) -> bool:
    """Return whether a turn by `angle` can be meant by a word; “left” may be a slight one."""
    word = turn_word(angle)
    return word == said or word == f"slight {said}" or (said == "around" and abs(angle) > math.radians(125))
