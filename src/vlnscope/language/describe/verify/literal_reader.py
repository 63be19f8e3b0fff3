"""A literal reader: finds every walk that fits what was said, so that a describer knows when to say more.

The reader takes each statement at its word (hard conditions, no weighing) and keeps all walks that fit. It is
meant for writing instructions, not for following them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from vlnscope.language.actions import Direction
from vlnscope.language.describe.candidates.referring import Ref, in_view, referents
from vlnscope.language.describe.candidates.statements import REACHED, STAIRS_REACH, RouteStatement
from vlnscope.language.describe.route import RouteIndex
from vlnscope.language.describe.scene_index import STAIRWELL
from vlnscope.language.describe.verify.route_search import FORWARD, NEAR, ReaderState, RouteSearch, Steps
from vlnscope.language.geometry import CLIMB, FLAT, flat_distance, relative

_BENT = math.radians(60)
_LEFT_BEHIND = math.radians(110)
_BACK = math.radians(145)


class LiteralReader:
    """Reads statements in one scene from one start.

    Args:
        route: the walk that the statements are about; the reader uses its scene, its start and its length.
    """

    def __init__(self, route: RouteIndex) -> None:
        self._search = RouteSearch(route)
        self._right = route.rows
        self._read: dict[tuple[RouteStatement, ...], list[ReaderState]] = {}

    def read(self, statements: Sequence[RouteStatement]) -> list[tuple[int, ...]]:
        """Return walks that fit all statements, one per last step."""
        return [state.rows for state in self._states(tuple(statements))]

    def _states(self, statements: tuple[RouteStatement, ...]) -> list[ReaderState]:
        """Return what is left after some statements; what begins alike is read once."""
        if not statements:
            return [ReaderState(self._right[:1])]
        if statements not in self._read:
            states: dict[tuple[tuple[int, ...], Direction | None, float | None], ReaderState] = {}
            for state in self._states(statements[:-1]):
                for after in self._carry_out(statements[-1], state):
                    key = (after.rows[-2:], after.turn, after.facing)
                    if key not in states or after.rows == self._right[: len(after.rows)]:
                        states[key] = after
            self._read[statements] = list(states.values())
        return self._read[statements]

    def _carry_out(self, statement: RouteStatement, state: ReaderState) -> Iterator[ReaderState]:
        if statement.kind == "turn":
            if statement.at is None or self._search.is_at(statement.at, state.rows):
                yield state._replace(turn=statement.direction)
        elif statement.kind == "face" and statement.place is not None:
            index, here = self._search.index, state.rows[-1]
            for thing in referents(index, statement.place, here, self._search.arrival(state.rows)):
                yield state._replace(facing=index.visible[here][thing].heading)
        else:
            for rows in getattr(_Reading(self._search, statement, state), statement.kind)():
                yield state if rows == state.rows else ReaderState(rows)


class _Reading:
    """A statement after a walk so far; a method per kind yields the walks that carry it out."""

    def __init__(self, search: RouteSearch, statement: RouteStatement, state: ReaderState) -> None:
        self.search, self.index = search, search.index
        self.statement, self.state = statement, state
        self.rows, self.here, self.start = state.rows, state.rows[-1], len(state.rows)
        self.steps = statement.last - statement.first

    @property
    def place(self) -> Ref:
        """The place that the statement names."""
        assert self.statement.place is not None
        return self.statement.place

    def meant(self, ref: Ref) -> tuple[int, ...]:
        """Return what a name means where the statement begins."""
        return referents(self.index, ref, self.here, self.search.arrival(self.rows))

    def meant_after(self, ref: Ref, first: int) -> tuple[int, ...]:
        """Return what a name means for who looks along the first step."""
        return referents(self.index, ref, self.here, self.index.edges[self.here][first])

    def on(self, front: list[tuple[int, ...]], count: int, most: float = FORWARD) -> Steps:
        """Yield walks lengthened by up to so many steps, none of which turns by more than `most`."""
        for _ in range(count):
            front = [longer for rows in front for longer in self.search.onward(self.state, rows, most)]
            yield from front

    def walks(
        self,
        done: Callable[[tuple[int, ...]], bool],
        keep: Callable[[tuple[int, ...]], bool] = lambda rows: True,
        *,
        most: float = _BENT,
        first: float | None = None,
        open_ended: bool = False,
    ) -> Steps:
        """Yield walks that are done; see `RouteSearch.routes`."""
        return self.search.routes(self.statement, self.state, most, keep, done, first, open_ended)

    def crossed(self, rows: tuple[int, ...]) -> set[int]:
        """Return the openings that a walk has gone through since the statement began."""
        steps = pairwise(rows[self.start - 1 :])
        return {thing for a, b in steps for thing in self.index.crossed(a, b)}

    def go(self) -> Steps:
        if self.statement.side != "behind":
            yield from self.on([self.rows], self.steps + 2)
            return
        headings = [self.index.visible[self.here][thing].heading for thing in self.meant(self.place)]
        front = [
            rows
            for rows in self.search.onward(self.state, self.rows, math.pi)
            if any(abs(relative(self.search.arrival(rows), each)) > _LEFT_BEHIND for each in headings)
        ]
        yield from front
        yield from self.on(front, self.steps)

    def enter(self) -> Steps:
        if self.search.in_room(self.here, self.place):
            return iter(())
        return self.walks(self._entered, first=math.pi)

    def _entered(self, rows: tuple[int, ...]) -> bool:
        """Return whether a walk ends in a room that has what it is said to have."""
        return self.search.in_room(rows[-1], self.place) and all(
            in_view(self.index, rows[-1], ref.name, ref.attributes) for _, ref in self.place.relations
        )

    def exit(self) -> Steps:
        region = self.index.regions[self.here]
        if not self.search.in_room(self.here, self.place):
            return iter(())

        def inside(rows: tuple[int, ...]) -> bool:
            return self.index.regions[rows[-1]] == region

        return self.walks(
            lambda rows: not inside(rows) and self._leads_into(rows) and self._leaves_by(rows),
            inside,
            first=math.pi,
        )

    def _leaves_by(self, rows: tuple[int, ...]) -> bool:
        """Return whether a walk goes through the door by which it is said to leave."""
        door = self.statement.at
        return door is None or not self.crossed(rows).isdisjoint(self.meant_after(door, rows[self.start]))

    def _leads_into(self, rows: tuple[int, ...]) -> bool:
        rooms = [self.statement.into] if self.statement.into else []
        rooms += [ref for _, ref in self.place.relations if ref.what == "room"]
        return all(self.search.in_room(rows[-1], room) for room in rooms)

    def through(self) -> Steps:
        return self._cross() if self.place.what == "object" else self._traverse()

    def _traverse(self) -> Steps:
        def inside(rows: tuple[int, ...]) -> bool:
            return self.search.in_room(rows[-1], self.place)

        return self.walks(
            lambda rows: len(rows) > self.start + 1 and inside(rows[:-1]) and not inside(rows),
            inside,
            first=_BACK,
        )

    def _cross(self) -> Steps:
        meant: dict[int, frozenset[int]] = {}

        def done(rows: tuple[int, ...]) -> bool:
            first = rows[self.start]
            if first not in meant:
                meant[first] = frozenset(self.meant_after(self.place, first))
            crossed = self.crossed(rows) & meant[first]
            through = any(self.index.beyond(thing, self.here, rows[-1]) for thing in crossed)
            return through and self._leads_into(rows)

        return self.walks(done, most=_BENT if self.place.ordinal is None else _BACK, first=_BACK)

    def towards(self) -> Steps:
        if self.place.what == "room":
            yield from self.go()
            return
        for thing in self.meant(self.place):
            stairs = self.index.things[thing].name == "stairs"
            yield from self._approach(thing, REACHED + (STAIRS_REACH if stairs else 0.0))

    def _approach(self, thing: int, reach: float) -> Steps:
        centre = self.index.things[thing].centre
        if centre is None:
            return iter(())

        def away(row: int) -> float:
            return flat_distance(self.index.positions[row], centre)

        def nearer(rows: tuple[int, ...]) -> bool:
            return away(rows[-1]) < away(rows[-2])

        return self.walks(
            lambda rows: nearer(rows) and away(rows[-1]) <= reach, nearer, first=_BACK, open_ended=True
        )

    def past(self) -> Steps:
        things = frozenset(self.meant(self.place))
        sign = {"left": -1, "right": 1, None: 0}.get(self.statement.side, 0)
        gate = [ref for kind, ref in self.place.relations if kind == "with"]
        others = frozenset(thing for ref in gate for thing in referents(self.index, ref, self.here, 0.0))

        def done(rows: tuple[int, ...]) -> bool:
            met = self.index.abreast(rows[-2], rows[-1])
            passed = [one.aside for one in met if one.thing in things and one.aside * sign >= 0]
            if not gate:
                return bool(passed)
            return any(a * one.aside < 0 for a in passed for one in met if one.thing in others)

        for rows in self.walks(done):
            yield rows
            if len(rows) - self.start < self.steps + 1:
                yield from self.search.onward(self.state, rows, FORWARD)

    def stairs(self) -> Steps:
        sign = 1 if self.statement.direction == "up" else -1

        def height(row: int) -> float:
            return self.index.rise(self.here, row) * sign

        def done(rows: tuple[int, ...]) -> bool:
            if height(rows[-1]) < CLIMB:
                return False
            onward = [row for row in self.index.edges[rows[-1]] if row not in rows]
            return (
                not onward
                or self.index.is_landing(rows[-1])
                or any(
                    abs(height(row) - height(rows[-1])) <= FLAT and self.index.label(row) != STAIRWELL
                    for row in onward
                )
            )

        def strolls(rows: tuple[int, ...]) -> bool:
            arrived = len(rows) > self.start + 1 and done(rows[:-1]) and not self.index.is_landing(rows[-2])
            return arrived and height(rows[-1]) - height(rows[-2]) < FLAT

        return self.walks(
            lambda rows: done(rows) and not strolls(rows),
            lambda rows: height(rows[-1]) > -FLAT and not strolls(rows),
            most=math.pi,
            open_ended=True,
        )

    def stop(self) -> Steps:
        place = self.statement.place
        if place is None or (place.what == "object" and self.statement.relation in ("top of", "bottom of")):
            yield self.rows
        elif place.what == "room":
            if self.search.in_room(self.here, place):
                yield self.rows
        else:
            if self.state.turn is None and self._stands(self.rows):
                yield self.rows
            yield from filter(self._stands, self.on([self.rows], self.steps, _BENT))

    def _stands(self, rows: tuple[int, ...]) -> bool:
        if self.statement.relation == "in":
            doorways = self.index.in_view(rows[-1], self.place.name)
            return any(self.index.inside(thing, rows[-1]) for thing in doorways)
        return self.search.within(self.place, rows, NEAR)
