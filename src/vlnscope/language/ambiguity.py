"""A literal reader: finds every walk that fits what was said, so that a describer knows when to say more.

The reader takes each statement at its word (hard conditions, no weighing) and keeps all walks that fit. It is
meant for writing instructions, not for following them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from vlnscope.language.actions import Direction
from vlnscope.language.bearings import relative, turn_word
from vlnscope.language.clues import REACHED, STAIRS_REACH, Clue
from vlnscope.language.denoting import denoted
from vlnscope.language.lexicon import lexicon
from vlnscope.language.naming import Ref, flat_distance, in_view
from vlnscope.language.survey import FLAT, STAIRWELL, Survey
from vlnscope.language.walk import CLIMB, Walk

NEAR = 3.0
"""How near to the goal a walk ends that counts as the same, metres."""
_SPARE = 2
_FARTHEST = 4
"""How many steps a reader may take at least to carry out one statement."""
_FORWARD = math.radians(32)
_BENT = math.radians(60)
_LEFT_BEHIND = math.radians(110)
_BACK = math.radians(145)


class Reading(NamedTuple):
    """A walk that fits the statements so far, and the turn or the heading that the next step must take."""

    rows: tuple[int, ...]
    turn: Direction | None = None
    facing: float | None = None


Steps = Iterator[tuple[int, ...]]


class Reader:
    """Reads statements in one scene from one start.

    Args:
        walk: the walk that the statements are about; the reader uses its scene, its start and its length.
    """

    def __init__(self, walk: Walk) -> None:
        self.survey: Survey = walk.survey
        self.heading = walk.heading
        self.longest = len(walk.rows) + _SPARE
        self.right = walk.rows
        self._read: dict[tuple[Clue, ...], list[Reading]] = {}

    def read(self, clues: Sequence[Clue]) -> list[tuple[int, ...]]:
        """Return walks that fit all statements, one per last step."""
        return [reading.rows for reading in self._readings(tuple(clues))]

    def _readings(self, clues: tuple[Clue, ...]) -> list[Reading]:
        """Return what is left after some statements; what begins alike is read once."""
        if not clues:
            return [Reading(self.right[:1])]
        if clues not in self._read:
            found: dict[tuple[tuple[int, ...], Direction | None, float | None], Reading] = {}
            for reading in self._readings(clues[:-1]):
                for after in self._carry_out(clues[-1], reading):
                    key = (after.rows[-2:], after.turn, after.facing)
                    if key not in found or after.rows == self.right[: len(after.rows)]:
                        found[key] = after
            self._read[clues] = list(found.values())
        return self._read[clues]

    def _carry_out(self, clue: Clue, reading: Reading) -> Iterator[Reading]:
        if clue.kind == "turn":
            if clue.at is None or self._is_at(clue.at, reading.rows):
                yield reading._replace(turn=clue.direction)
        elif clue.kind == "face" and clue.place is not None:
            here = reading.rows[-1]
            for thing in denoted(self.survey, clue.place, here, self.arrival(reading.rows)):
                yield reading._replace(facing=self.survey.sights[here][thing].heading)
        else:
            for rows in _WAYS[clue.kind](self, clue, reading):
                yield reading if rows == reading.rows else Reading(rows)

    def arrival(self, rows: tuple[int, ...]) -> float:
        """Return the heading with which a walk arrives at its last viewpoint."""
        return self.survey.ways[rows[-2]][rows[-1]] if len(rows) > 1 else self.heading

    def _onward(
        self,
        reading: Reading,
        rows: tuple[int, ...],
        most: float,
        tried: set[tuple[int, ...]] | None = None,
    ) -> list[tuple[int, ...]]:
        """Return a walk lengthened by every step that turns by `most` at most, or as it was told to turn.

        Steps in `tried` are left out, the others are put there.
        """
        if len(rows) >= self.longest:
            return []
        fresh = rows is reading.rows
        told = reading.turn if fresh else None
        longer = []
        for row, angle in self._bends(rows, reading.facing if fresh else None):
            if row in rows or not (abs(angle) <= most if told is None else fits_turn(told, angle)):
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
            return self.survey.bends(rows[-2], rows[-1])
        heading = self.heading if facing is None else facing
        ways = self.survey.ways[rows[-1]].items()
        ahead = math.pi if facing is None else _FORWARD
        turns = ((row, relative(heading, course)) for row, course in ways)
        return tuple((row, angle) for row, angle in turns if abs(angle) <= ahead)

    def _search(
        self,
        clue: Clue,
        reading: Reading,
        most: float,
        keep: Callable[[tuple[int, ...]], bool],
        done: Callable[[tuple[int, ...]], bool],
        first: float | None = None,
        open_ended: bool = False,
    ) -> Steps:
        """Yield walks that are done, going on from those worth keeping; each last step is tried once."""
        tried: set[tuple[int, ...]] = set()
        front = [reading.rows]
        reach = most if first is None else first
        for _ in range(max(clue.last - clue.first + 2, _FARTHEST)):
            later = []
            for rows in front:
                for longer in self._onward(reading, rows, reach, tried):
                    finished = done(longer)
                    if finished:
                        yield longer
                    if (open_ended or not finished) and keep(longer):
                        later.append(longer)
            front, reach = later, most

    def _is_at(self, ref: Ref, rows: tuple[int, ...]) -> bool:
        if ref.what == "room":
            return self._in_room(rows[-1], ref)
        return self._within(ref, rows, NEAR)

    def _within(self, ref: Ref, rows: tuple[int, ...], reach: float) -> bool:
        sights = self.survey.sights[rows[-1]]
        return any(
            (sights[thing].distance or 0.0) <= reach
            for thing in denoted(self.survey, ref, rows[-1], self.arrival(rows))
        )

    def _in_room(self, row: int, ref: Ref) -> bool:
        if ref.name == "landing":
            return self.survey.is_landing(row)
        return (self.survey.label(row) or "?") in lexicon().rooms[ref.name].letters

    def _go(self, clue: Clue, reading: Reading) -> Steps:
        if clue.side == "behind":
            yield from self._leave_behind(clue, reading)
            return
        front = [reading.rows]
        for _ in range(clue.last - clue.first + 2):
            front = [longer for rows in front for longer in self._onward(reading, rows, _FORWARD)]
            yield from front

    def _leave_behind(self, clue: Clue, reading: Reading) -> Steps:
        here, place = reading.rows[-1], clue.place
        things = denoted(self.survey, place, here, self.arrival(reading.rows)) if place else ()
        headings = [self.survey.sights[here][thing].heading for thing in things]
        front = [
            rows
            for rows in self._onward(reading, reading.rows, math.pi)
            if any(abs(relative(self.arrival(rows), heading)) > _LEFT_BEHIND for heading in headings)
        ]
        yield from front
        for _ in range(clue.last - clue.first):
            front = [longer for rows in front for longer in self._onward(reading, rows, _FORWARD)]
            yield from front

    def _enter(self, clue: Clue, reading: Reading) -> Steps:
        place = clue.place
        if place is None or self._in_room(reading.rows[-1], place):
            return iter(())
        return self._search(
            clue, reading, _BENT, lambda rows: True, lambda rows: self._enters(place, rows), math.pi
        )

    def _enters(self, place: Ref, rows: tuple[int, ...]) -> bool:
        """Return whether a walk ends in a room that has what it is said to have."""
        things = self.survey.sights[rows[-1]]
        return self._in_room(rows[-1], place) and all(
            any(thing in things for thing in in_view(self.survey, rows[-1], ref.name, ref.attributes))
            for _, ref in place.relations
        )

    def _exit(self, clue: Clue, reading: Reading) -> Steps:
        region = self.survey.regions[reading.rows[-1]]
        if clue.place is None or not self._in_room(reading.rows[-1], clue.place):
            return iter(())
        return self._search(
            clue,
            reading,
            _BENT,
            lambda rows: self.survey.regions[rows[-1]] == region,
            lambda rows: (
                self.survey.regions[rows[-1]] != region
                and self._leads_into(clue, rows)
                and self._leaves_by(clue, reading, rows)
            ),
            math.pi,
        )

    def _leaves_by(self, clue: Clue, reading: Reading, rows: tuple[int, ...]) -> bool:
        """Return whether a walk goes through the door by which it is said to leave."""
        if clue.at is None:
            return True
        start, here = len(reading.rows), reading.rows[-1]
        doors = denoted(self.survey, clue.at, here, self.survey.ways[here][rows[start]])
        steps = zip(rows[start - 1 :], rows[start:], strict=False)
        crossed = {thing for a, b in steps for thing in self.survey.crossed(a, b)}
        return any(door in crossed for door in doors)

    def _leads_into(self, clue: Clue, rows: tuple[int, ...]) -> bool:
        rooms = [clue.into] if clue.into else []
        rooms += [ref for _, ref in clue.place.relations if ref.what == "room"] if clue.place else []
        return all(self._in_room(rows[-1], room) for room in rooms)

    def _through(self, clue: Clue, reading: Reading) -> Steps:
        if clue.place is None:
            return iter(())
        return self._cross(clue, reading) if clue.place.what == "object" else self._traverse(clue, reading)

    def _traverse(self, clue: Clue, reading: Reading) -> Steps:
        place, start = clue.place, len(reading.rows)
        assert place is not None

        def done(rows: tuple[int, ...]) -> bool:
            return (
                len(rows) > start + 1
                and self._in_room(rows[-2], place)
                and not self._in_room(rows[-1], place)
            )

        return self._search(clue, reading, _BENT, lambda rows: self._in_room(rows[-1], place), done, _BACK)

    def _cross(self, clue: Clue, reading: Reading) -> Steps:
        place, start, here = clue.place, len(reading.rows), reading.rows[-1]
        assert place is not None
        counted = place.ordinal is not None
        meant: dict[int, frozenset[int]] = {}

        def done(rows: tuple[int, ...]) -> bool:
            first = rows[start]
            if first not in meant:
                meant[first] = frozenset(denoted(self.survey, place, here, self.survey.ways[here][first]))
            return any(
                self.survey.beyond(thing, here, rows[-1])
                for a, b in zip(rows[start - 1 :], rows[start:], strict=False)
                for thing in self.survey.crossed(a, b)
                if thing in meant[first]
            ) and self._leads_into(clue, rows)

        return self._search(clue, reading, _BACK if counted else _BENT, lambda rows: True, done, _BACK)

    def _towards(self, clue: Clue, reading: Reading) -> Steps:
        here = reading.rows[-1]
        if clue.place is None:
            return
        if clue.place.what == "room":
            yield from self._go(clue, reading)
            return
        for thing in denoted(self.survey, clue.place, here, self.arrival(reading.rows)):
            stairs = self.survey.things[thing].name == "stairs"
            yield from self._approach(clue, reading, thing, REACHED + (STAIRS_REACH if stairs else 0.0))

    def _approach(self, clue: Clue, reading: Reading, thing: int, reach: float) -> Steps:
        centre = self.survey.things[thing].centre
        if centre is None:
            return

        def away(row: int) -> float:
            return flat_distance(self.survey.positions[row], centre)

        def nearer(rows: tuple[int, ...]) -> bool:
            return away(rows[-1]) < away(rows[-2])

        yield from self._search(
            clue,
            reading,
            _BENT,
            nearer,
            lambda rows: nearer(rows) and away(rows[-1]) <= reach,
            _BACK,
            open_ended=True,
        )

    def _past(self, clue: Clue, reading: Reading) -> Steps:
        here, start = reading.rows[-1], len(reading.rows)
        if clue.place is None:
            return
        things = frozenset(denoted(self.survey, clue.place, here, self.arrival(reading.rows)))
        sign = {"left": -1, "right": 1, None: 0}.get(clue.side, 0)

        gate = [ref for kind, ref in clue.place.relations if kind == "with"]
        others = frozenset(thing for ref in gate for thing in denoted(self.survey, ref, here, 0.0))

        def done(rows: tuple[int, ...]) -> bool:
            met = self.survey.abreast(rows[-2], rows[-1])
            passed = [one.aside for one in met if one.thing in things and one.aside * sign >= 0]
            if not gate:
                return bool(passed)
            return any(a * one.aside < 0 for a in passed for one in met if one.thing in others)

        for rows in self._search(clue, reading, _BENT, lambda rows: True, done):
            yield rows
            if len(rows) - start < clue.last - clue.first + 1:
                yield from self._onward(reading, rows, _FORWARD)

    def _stairs(self, clue: Clue, reading: Reading) -> Steps:
        sign = 1 if clue.direction == "up" else -1
        start = len(reading.rows)
        base = self.survey.positions[reading.rows[-1]][2]

        def height(row: int) -> float:
            return (self.survey.positions[row][2] - base) * sign

        def done(rows: tuple[int, ...]) -> bool:
            if height(rows[-1]) < CLIMB:
                return False
            onward = [row for row in self.survey.ways[rows[-1]] if row not in rows]
            return (
                not onward
                or self.survey.is_landing(rows[-1])
                or any(
                    abs(height(row) - height(rows[-1])) <= FLAT and self.survey.label(row) != STAIRWELL
                    for row in onward
                )
            )

        def strolls(rows: tuple[int, ...]) -> bool:
            arrived = len(rows) > start + 1 and done(rows[:-1]) and not self.survey.is_landing(rows[-2])
            return arrived and height(rows[-1]) - height(rows[-2]) < FLAT

        def keep(rows: tuple[int, ...]) -> bool:
            return height(rows[-1]) > -FLAT and not strolls(rows)

        return self._search(
            clue, reading, math.pi, keep, lambda rows: done(rows) and not strolls(rows), open_ended=True
        )

    def _stop(self, clue: Clue, reading: Reading) -> Steps:
        place = clue.place
        if place is None:
            yield reading.rows
        elif place.what == "room":
            if self._in_room(reading.rows[-1], place):
                yield reading.rows
        elif clue.relation in ("top of", "bottom of"):
            yield reading.rows
        else:
            yield from self._stop_at(clue, place, reading)

    def _stop_at(self, clue: Clue, place: Ref, reading: Reading) -> Steps:
        if reading.turn is None and self._stands(clue, place, reading.rows):
            yield reading.rows
        front = [reading.rows]
        for _ in range(clue.last - clue.first):
            front = [longer for rows in front for longer in self._onward(reading, rows, _BENT)]
            yield from (rows for rows in front if self._stands(clue, place, rows))

    def _stands(self, clue: Clue, place: Ref, rows: tuple[int, ...]) -> bool:
        if clue.relation == "in":
            return any(
                self.survey.inside(thing, rows[-1])
                for thing in self.survey.sights[rows[-1]]
                if thing in self.survey.answering(place.name)
            )
        return self._within(place, rows, NEAR)


_WAYS: dict[str, Callable[[Reader, Clue, Reading], Steps]] = {
    "go": Reader._go,
    "enter": Reader._enter,
    "exit": Reader._exit,
    "through": Reader._through,
    "towards": Reader._towards,
    "past": Reader._past,
    "stairs": Reader._stairs,
    "stop": Reader._stop,
}


def fits_turn(said: Direction, angle: float) -> bool:
    """Return whether a turn by `angle` can be meant by a word; “left” may be a slight one."""
    word = turn_word(angle)
    return word == said or word == f"slight {said}" or (said == "around" and abs(angle) > math.radians(125))
