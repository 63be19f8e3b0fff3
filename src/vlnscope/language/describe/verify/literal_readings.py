"""What each kind of statement asks of a walk, taken at its word: a function per kind, in `WAYS`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from vlnscope.language.actions import Direction
from vlnscope.language.bearings import relative
from vlnscope.language.describe.candidates.referring import Ref, denoted, flat_distance, in_view
from vlnscope.language.describe.candidates.statements import REACHED, STAIRS_REACH, Clue
from vlnscope.language.describe.route import CLIMB, Walk
from vlnscope.language.describe.scene_index import FLAT, STAIRWELL
from vlnscope.language.describe.verify.ambiguity_search import FORWARD, NEAR, Pathfinder, Reading, Steps


class Reader:
    """Reads statements in one scene from one start.

    Args:
        walk: the walk that the statements are about; the reader uses its scene, its start and its length.
    """

    def __init__(self, walk: Walk) -> None:
        self._finder = Pathfinder(walk)
        self._right = walk.rows
        self._read: dict[tuple[Clue, ...], list[Reading]] = {}

    def read(self, clues: Sequence[Clue]) -> list[tuple[int, ...]]:
        """Return walks that fit all statements, one per last step."""
        return [reading.rows for reading in self._readings(tuple(clues))]

    def _readings(self, clues: tuple[Clue, ...]) -> list[Reading]:
        """Return what is left after some statements; what begins alike is read once."""
        if not clues:
            return [Reading(self._right[:1])]
        if clues not in self._read:
            found: dict[tuple[tuple[int, ...], Direction | None, float | None], Reading] = {}
            for reading in self._readings(clues[:-1]):
                for after in self._carry_out(clues[-1], reading):
                    key = (after.rows[-2:], after.turn, after.facing)
                    if key not in found or after.rows == self._right[: len(after.rows)]:
                        found[key] = after
            self._read[clues] = list(found.values())
        return self._read[clues]

    def _carry_out(self, clue: Clue, reading: Reading) -> Iterator[Reading]:
        if clue.kind == "turn":
            if clue.at is None or self._finder.is_at(clue.at, reading.rows):
                yield reading._replace(turn=clue.direction)
        elif clue.kind == "face" and clue.place is not None:
            survey, here = self._finder.survey, reading.rows[-1]
            for thing in denoted(survey, clue.place, here, self._finder.arrival(reading.rows)):
                yield reading._replace(facing=survey.sights[here][thing].heading)
        else:
            for rows in WAYS[clue.kind](self._finder, clue, reading):
                yield reading if rows == reading.rows else Reading(rows)


_BENT = math.radians(60)
_LEFT_BEHIND = math.radians(110)
_BACK = math.radians(145)


def _go(finder: Pathfinder, clue: Clue, reading: Reading) -> Steps:
    if clue.side == "behind":
        yield from _leave_behind(finder, clue, reading)
        return
    front = [reading.rows]
    for _ in range(clue.last - clue.first + 2):
        front = [longer for rows in front for longer in finder.onward(reading, rows, FORWARD)]
        yield from front


def _leave_behind(finder: Pathfinder, clue: Clue, reading: Reading) -> Steps:
    here, place = reading.rows[-1], clue.place
    things = denoted(finder.survey, place, here, finder.arrival(reading.rows)) if place else ()
    headings = [finder.survey.sights[here][thing].heading for thing in things]
    front = [
        rows
        for rows in finder.onward(reading, reading.rows, math.pi)
        if any(abs(relative(finder.arrival(rows), heading)) > _LEFT_BEHIND for heading in headings)
    ]
    yield from front
    for _ in range(clue.last - clue.first):
        front = [longer for rows in front for longer in finder.onward(reading, rows, FORWARD)]
        yield from front


def _enter(finder: Pathfinder, clue: Clue, reading: Reading) -> Steps:
    place = clue.place
    if place is None or finder.in_room(reading.rows[-1], place):
        return iter(())
    return finder.search(
        clue, reading, _BENT, lambda rows: True, lambda rows: _enters(finder, place, rows), math.pi
    )


def _enters(finder: Pathfinder, place: Ref, rows: tuple[int, ...]) -> bool:
    """Return whether a walk ends in a room that has what it is said to have."""
    things = finder.survey.sights[rows[-1]]
    return finder.in_room(rows[-1], place) and all(
        any(thing in things for thing in in_view(finder.survey, rows[-1], ref.name, ref.attributes))
        for _, ref in place.relations
    )


def _exit(finder: Pathfinder, clue: Clue, reading: Reading) -> Steps:
    region = finder.survey.regions[reading.rows[-1]]
    if clue.place is None or not finder.in_room(reading.rows[-1], clue.place):
        return iter(())
    return finder.search(
        clue,
        reading,
        _BENT,
        lambda rows: finder.survey.regions[rows[-1]] == region,
        lambda rows: (
            finder.survey.regions[rows[-1]] != region
            and _leads_into(finder, clue, rows)
            and _leaves_by(finder, clue, reading, rows)
        ),
        math.pi,
    )


def _leaves_by(finder: Pathfinder, clue: Clue, reading: Reading, rows: tuple[int, ...]) -> bool:
    """Return whether a walk goes through the door by which it is said to leave."""
    if clue.at is None:
        return True
    start, here = len(reading.rows), reading.rows[-1]
    doors = denoted(finder.survey, clue.at, here, finder.survey.ways[here][rows[start]])
    steps = zip(rows[start - 1 :], rows[start:], strict=False)
    crossed = {thing for a, b in steps for thing in finder.survey.crossed(a, b)}
    return any(door in crossed for door in doors)


def _leads_into(finder: Pathfinder, clue: Clue, rows: tuple[int, ...]) -> bool:
    rooms = [clue.into] if clue.into else []
    rooms += [ref for _, ref in clue.place.relations if ref.what == "room"] if clue.place else []
    return all(finder.in_room(rows[-1], room) for room in rooms)


def _through(finder: Pathfinder, clue: Clue, reading: Reading) -> Steps:
    if clue.place is None:
        return iter(())
    return _cross(finder, clue, reading) if clue.place.what == "object" else _traverse(finder, clue, reading)


def _traverse(finder: Pathfinder, clue: Clue, reading: Reading) -> Steps:
    place, start = clue.place, len(reading.rows)
    assert place is not None

    def done(rows: tuple[int, ...]) -> bool:
        return (
            len(rows) > start + 1 and finder.in_room(rows[-2], place) and not finder.in_room(rows[-1], place)
        )

    return finder.search(clue, reading, _BENT, lambda rows: finder.in_room(rows[-1], place), done, _BACK)


def _cross(finder: Pathfinder, clue: Clue, reading: Reading) -> Steps:
    place, start, here = clue.place, len(reading.rows), reading.rows[-1]
    assert place is not None
    counted = place.ordinal is not None
    meant: dict[int, frozenset[int]] = {}

    def done(rows: tuple[int, ...]) -> bool:
        first = rows[start]
        if first not in meant:
            meant[first] = frozenset(denoted(finder.survey, place, here, finder.survey.ways[here][first]))
        return any(
            finder.survey.beyond(thing, here, rows[-1])
            for a, b in zip(rows[start - 1 :], rows[start:], strict=False)
            for thing in finder.survey.crossed(a, b)
            if thing in meant[first]
        ) and _leads_into(finder, clue, rows)

    return finder.search(clue, reading, _BACK if counted else _BENT, lambda rows: True, done, _BACK)


def _towards(finder: Pathfinder, clue: Clue, reading: Reading) -> Steps:
    here = reading.rows[-1]
    if clue.place is None:
        return
    if clue.place.what == "room":
        yield from _go(finder, clue, reading)
        return
    for thing in denoted(finder.survey, clue.place, here, finder.arrival(reading.rows)):
        stairs = finder.survey.things[thing].name == "stairs"
        yield from _approach(finder, clue, reading, thing, REACHED + (STAIRS_REACH if stairs else 0.0))


def _approach(finder: Pathfinder, clue: Clue, reading: Reading, thing: int, reach: float) -> Steps:
    centre = finder.survey.things[thing].centre
    if centre is None:
        return

    def away(row: int) -> float:
        return flat_distance(finder.survey.positions[row], centre)

    def nearer(rows: tuple[int, ...]) -> bool:
        return away(rows[-1]) < away(rows[-2])

    yield from finder.search(
        clue,
        reading,
        _BENT,
        nearer,
        lambda rows: nearer(rows) and away(rows[-1]) <= reach,
        _BACK,
        open_ended=True,
    )


def _past(finder: Pathfinder, clue: Clue, reading: Reading) -> Steps:
    here, start = reading.rows[-1], len(reading.rows)
    if clue.place is None:
        return
    things = frozenset(denoted(finder.survey, clue.place, here, finder.arrival(reading.rows)))
    sign = {"left": -1, "right": 1, None: 0}.get(clue.side, 0)

    gate = [ref for kind, ref in clue.place.relations if kind == "with"]
    others = frozenset(thing for ref in gate for thing in denoted(finder.survey, ref, here, 0.0))

    def done(rows: tuple[int, ...]) -> bool:
        met = finder.survey.abreast(rows[-2], rows[-1])
        passed = [one.aside for one in met if one.thing in things and one.aside * sign >= 0]
        if not gate:
            return bool(passed)
        return any(a * one.aside < 0 for a in passed for one in met if one.thing in others)

    for rows in finder.search(clue, reading, _BENT, lambda rows: True, done):
        yield rows
        if len(rows) - start < clue.last - clue.first + 1:
            yield from finder.onward(reading, rows, FORWARD)


def _stairs(finder: Pathfinder, clue: Clue, reading: Reading) -> Steps:
    sign = 1 if clue.direction == "up" else -1
    start = len(reading.rows)
    base = finder.survey.positions[reading.rows[-1]][2]

    def height(row: int) -> float:
        return (finder.survey.positions[row][2] - base) * sign

    def done(rows: tuple[int, ...]) -> bool:
        if height(rows[-1]) < CLIMB:
            return False
        onward = [row for row in finder.survey.ways[rows[-1]] if row not in rows]
        return (
            not onward
            or finder.survey.is_landing(rows[-1])
            or any(
                abs(height(row) - height(rows[-1])) <= FLAT and finder.survey.label(row) != STAIRWELL
                for row in onward
            )
        )

    def strolls(rows: tuple[int, ...]) -> bool:
        arrived = len(rows) > start + 1 and done(rows[:-1]) and not finder.survey.is_landing(rows[-2])
        return arrived and height(rows[-1]) - height(rows[-2]) < FLAT

    def keep(rows: tuple[int, ...]) -> bool:
        return height(rows[-1]) > -FLAT and not strolls(rows)

    return finder.search(
        clue, reading, math.pi, keep, lambda rows: done(rows) and not strolls(rows), open_ended=True
    )


def _stop(finder: Pathfinder, clue: Clue, reading: Reading) -> Steps:
    place = clue.place
    if place is None:
        yield reading.rows
    elif place.what == "room":
        if finder.in_room(reading.rows[-1], place):
            yield reading.rows
    elif clue.relation in ("top of", "bottom of"):
        yield reading.rows
    else:
        yield from _stop_at(finder, clue, place, reading)


def _stop_at(finder: Pathfinder, clue: Clue, place: Ref, reading: Reading) -> Steps:
    if reading.turn is None and _stands(finder, clue, place, reading.rows):
        yield reading.rows
    front = [reading.rows]
    for _ in range(clue.last - clue.first):
        front = [longer for rows in front for longer in finder.onward(reading, rows, _BENT)]
        yield from (rows for rows in front if _stands(finder, clue, place, rows))


def _stands(finder: Pathfinder, clue: Clue, place: Ref, rows: tuple[int, ...]) -> bool:
    if clue.relation == "in":
        return any(
            finder.survey.inside(thing, rows[-1])
            for thing in finder.survey.sights[rows[-1]]
            if thing in finder.survey.answering(place.name)
        )
    return finder.within(place, rows, NEAR)


WAYS: dict[str, Callable[[Pathfinder, Clue, Reading], Steps]] = {
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
