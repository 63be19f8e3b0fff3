"""What each kind of statement asks of a walk, taken at its word: a function per kind, in `READINGS`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from vlnscope.language.actions import Direction
from vlnscope.language.describe.candidates.referring import Ref, flat_distance, in_view, referents
from vlnscope.language.describe.candidates.statements import REACHED, STAIRS_REACH, RouteStatement
from vlnscope.language.describe.route import CLIMB, RouteIndex
from vlnscope.language.describe.scene_index import FLAT, STAIRWELL
from vlnscope.language.describe.verify.route_search import FORWARD, NEAR, ReaderState, RouteSearch, Steps
from vlnscope.language.geometry import relative


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
            found: dict[tuple[tuple[int, ...], Direction | None, float | None], ReaderState] = {}
            for state in self._states(statements[:-1]):
                for after in self._carry_out(statements[-1], state):
                    key = (after.rows[-2:], after.turn, after.facing)
                    if key not in found or after.rows == self._right[: len(after.rows)]:
                        found[key] = after
            self._read[statements] = list(found.values())
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
            for rows in READINGS[statement.kind](self._search, statement, state):
                yield state if rows == state.rows else ReaderState(rows)


_BENT = math.radians(60)
_LEFT_BEHIND = math.radians(110)
_BACK = math.radians(145)


def _go(search: RouteSearch, statement: RouteStatement, state: ReaderState) -> Steps:
    if statement.side == "behind":
        yield from _leave_behind(search, statement, state)
        return
    front = [state.rows]
    for _ in range(statement.last - statement.first + 2):
        front = [longer for rows in front for longer in search.onward(state, rows, FORWARD)]
        yield from front


def _leave_behind(search: RouteSearch, statement: RouteStatement, state: ReaderState) -> Steps:
    here, place = state.rows[-1], statement.place
    things = referents(search.index, place, here, search.arrival(state.rows)) if place else ()
    headings = [search.index.visible[here][thing].heading for thing in things]
    front = [
        rows
        for rows in search.onward(state, state.rows, math.pi)
        if any(abs(relative(search.arrival(rows), heading)) > _LEFT_BEHIND for heading in headings)
    ]
    yield from front
    for _ in range(statement.last - statement.first):
        front = [longer for rows in front for longer in search.onward(state, rows, FORWARD)]
        yield from front


def _enter(search: RouteSearch, statement: RouteStatement, state: ReaderState) -> Steps:
    place = statement.place
    if place is None or search.in_room(state.rows[-1], place):
        return iter(())
    return search.routes(
        statement, state, _BENT, lambda rows: True, lambda rows: _enters(search, place, rows), math.pi
    )


def _enters(search: RouteSearch, place: Ref, rows: tuple[int, ...]) -> bool:
    """Return whether a walk ends in a room that has what it is said to have."""
    things = search.index.visible[rows[-1]]
    return search.in_room(rows[-1], place) and all(
        any(thing in things for thing in in_view(search.index, rows[-1], ref.name, ref.attributes))
        for _, ref in place.relations
    )


def _exit(search: RouteSearch, statement: RouteStatement, state: ReaderState) -> Steps:
    region = search.index.regions[state.rows[-1]]
    if statement.place is None or not search.in_room(state.rows[-1], statement.place):
        return iter(())
    return search.routes(
        statement,
        state,
        _BENT,
        lambda rows: search.index.regions[rows[-1]] == region,
        lambda rows: (
            search.index.regions[rows[-1]] != region
            and _leads_into(search, statement, rows)
            and _leaves_by(search, statement, state, rows)
        ),
        math.pi,
    )


def _leaves_by(
    search: RouteSearch, statement: RouteStatement, state: ReaderState, rows: tuple[int, ...]
) -> bool:
    """Return whether a walk goes through the door by which it is said to leave."""
    if statement.at is None:
        return True
    start, here = len(state.rows), state.rows[-1]
    doors = referents(search.index, statement.at, here, search.index.edges[here][rows[start]])
    steps = zip(rows[start - 1 :], rows[start:], strict=False)
    crossed = {thing for a, b in steps for thing in search.index.crossed(a, b)}
    return any(door in crossed for door in doors)


def _leads_into(search: RouteSearch, statement: RouteStatement, rows: tuple[int, ...]) -> bool:
    rooms = [statement.into] if statement.into else []
    rooms += [ref for _, ref in statement.place.relations if ref.what == "room"] if statement.place else []
    return all(search.in_room(rows[-1], room) for room in rooms)


def _through(search: RouteSearch, statement: RouteStatement, state: ReaderState) -> Steps:
    if statement.place is None:
        return iter(())
    return (
        _cross(search, statement, state)
        if statement.place.what == "object"
        else _traverse(search, statement, state)
    )


def _traverse(search: RouteSearch, statement: RouteStatement, state: ReaderState) -> Steps:
    place, start = statement.place, len(state.rows)
    assert place is not None

    def done(rows: tuple[int, ...]) -> bool:
        return (
            len(rows) > start + 1 and search.in_room(rows[-2], place) and not search.in_room(rows[-1], place)
        )

    return search.routes(statement, state, _BENT, lambda rows: search.in_room(rows[-1], place), done, _BACK)


def _cross(search: RouteSearch, statement: RouteStatement, state: ReaderState) -> Steps:
    place, start, here = statement.place, len(state.rows), state.rows[-1]
    assert place is not None
    counted = place.ordinal is not None
    meant: dict[int, frozenset[int]] = {}

    def done(rows: tuple[int, ...]) -> bool:
        first = rows[start]
        if first not in meant:
            meant[first] = frozenset(referents(search.index, place, here, search.index.edges[here][first]))
        return any(
            search.index.beyond(thing, here, rows[-1])
            for a, b in zip(rows[start - 1 :], rows[start:], strict=False)
            for thing in search.index.crossed(a, b)
            if thing in meant[first]
        ) and _leads_into(search, statement, rows)

    return search.routes(statement, state, _BACK if counted else _BENT, lambda rows: True, done, _BACK)


def _towards(search: RouteSearch, statement: RouteStatement, state: ReaderState) -> Steps:
    here = state.rows[-1]
    if statement.place is None:
        return
    if statement.place.what == "room":
        yield from _go(search, statement, state)
        return
    for thing in referents(search.index, statement.place, here, search.arrival(state.rows)):
        stairs = search.index.things[thing].name == "stairs"
        yield from _approach(search, statement, state, thing, REACHED + (STAIRS_REACH if stairs else 0.0))


def _approach(
    search: RouteSearch, statement: RouteStatement, state: ReaderState, thing: int, reach: float
) -> Steps:
    centre = search.index.things[thing].centre
    if centre is None:
        return

    def away(row: int) -> float:
        return flat_distance(search.index.positions[row], centre)

    def nearer(rows: tuple[int, ...]) -> bool:
        return away(rows[-1]) < away(rows[-2])

    yield from search.routes(
        statement,
        state,
        _BENT,
        nearer,
        lambda rows: nearer(rows) and away(rows[-1]) <= reach,
        _BACK,
        open_ended=True,
    )


def _past(search: RouteSearch, statement: RouteStatement, state: ReaderState) -> Steps:
    here, start = state.rows[-1], len(state.rows)
    if statement.place is None:
        return
    things = frozenset(referents(search.index, statement.place, here, search.arrival(state.rows)))
    sign = {"left": -1, "right": 1, None: 0}.get(statement.side, 0)

    gate = [ref for kind, ref in statement.place.relations if kind == "with"]
    others = frozenset(thing for ref in gate for thing in referents(search.index, ref, here, 0.0))

    def done(rows: tuple[int, ...]) -> bool:
        met = search.index.abreast(rows[-2], rows[-1])
        passed = [one.aside for one in met if one.thing in things and one.aside * sign >= 0]
        if not gate:
            return bool(passed)
        return any(a * one.aside < 0 for a in passed for one in met if one.thing in others)

    for rows in search.routes(statement, state, _BENT, lambda rows: True, done):
        yield rows
        if len(rows) - start < statement.last - statement.first + 1:
            yield from search.onward(state, rows, FORWARD)


def _stairs(search: RouteSearch, statement: RouteStatement, state: ReaderState) -> Steps:
    sign = 1 if statement.direction == "up" else -1
    start = len(state.rows)
    base = search.index.positions[state.rows[-1]][2]

    def height(row: int) -> float:
        return (search.index.positions[row][2] - base) * sign

    def done(rows: tuple[int, ...]) -> bool:
        if height(rows[-1]) < CLIMB:
            return False
        onward = [row for row in search.index.edges[rows[-1]] if row not in rows]
        return (
            not onward
            or search.index.is_landing(rows[-1])
            or any(
                abs(height(row) - height(rows[-1])) <= FLAT and search.index.label(row) != STAIRWELL
                for row in onward
            )
        )

    def strolls(rows: tuple[int, ...]) -> bool:
        arrived = len(rows) > start + 1 and done(rows[:-1]) and not search.index.is_landing(rows[-2])
        return arrived and height(rows[-1]) - height(rows[-2]) < FLAT

    def keep(rows: tuple[int, ...]) -> bool:
        return height(rows[-1]) > -FLAT and not strolls(rows)

    return search.routes(
        statement, state, math.pi, keep, lambda rows: done(rows) and not strolls(rows), open_ended=True
    )


def _stop(search: RouteSearch, statement: RouteStatement, state: ReaderState) -> Steps:
    place = statement.place
    if place is None:
        yield state.rows
    elif place.what == "room":
        if search.in_room(state.rows[-1], place):
            yield state.rows
    elif statement.relation in ("top of", "bottom of"):
        yield state.rows
    else:
        yield from _stop_at(search, statement, place, state)


def _stop_at(search: RouteSearch, statement: RouteStatement, place: Ref, state: ReaderState) -> Steps:
    if state.turn is None and _stands(search, statement, place, state.rows):
        yield state.rows
    front = [state.rows]
    for _ in range(statement.last - statement.first):
        front = [longer for rows in front for longer in search.onward(state, rows, _BENT)]
        yield from (rows for rows in front if _stands(search, statement, place, rows))


def _stands(search: RouteSearch, statement: RouteStatement, place: Ref, rows: tuple[int, ...]) -> bool:
    if statement.relation == "in":
        return any(
            search.index.inside(thing, rows[-1])
            for thing in search.index.visible[rows[-1]]
            if thing in search.index.answering(place.name)
        )
    return search.within(place, rows, NEAR)


READINGS: dict[str, Callable[[RouteSearch, RouteStatement, ReaderState], Steps]] = {
    "go": _go,
    "enter": _enter,
    "exit": _exit,
    "through": _through,
    "towards": _towards,
    "past": _past,
    "stairs": _stairs,
    "stop": _stop,
}
"""How the statements that lead on are carried out: the walks after each, given a reading before it."""
