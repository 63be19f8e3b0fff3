"""How a turn is said: which word, and if need be where it is made."""

from __future__ import annotations

import math
from collections.abc import Iterator

from vlnscope.language.actions import Direction
from vlnscope.language.bearings import STRAIGHT, relative
from vlnscope.language.describe.candidates.referring import Ref
from vlnscope.language.describe.candidates.statements import Clue, ends_here, fuss, room_ref, salience
from vlnscope.language.describe.route import Walk
from vlnscope.language.describe.scene_index import OPENINGS

AT, NEAR = 2.2, 3.0
"""How near a turn is to what it is made at, metres; stairs are large and may be a little farther away."""
_FACED = math.radians(15)


def plain_word(walk: Walk, step: int) -> Direction:
    """Return what a turn may be called: “left” also for a slight one where no other way leads left."""
    word = walk.words[step]
    if not word.startswith("slight"):
        return word
    sign = 1 if word == "slight right" else -1
    others = (
        relative(walk.headings[step], course) * sign
        for row, course in walk.survey.ways[walk.rows[step]].items()
        if row != walk.rows[step + 1]
    )
    if any(angle > STRAIGHT for angle in others):
        return word
    return "right" if sign > 0 else "left"


def turns_at(walk: Walk, step: int, word: Direction, before: Clue) -> tuple[Clue, ...]:
    """Return ways to say where a turn is made; `before` is the statement that led there."""
    turn = Clue("turn", step, step, word)
    return tuple(
        turn._replace(at=clue.at, at_relation=clue.at_relation, worth=clue.worth)
        for clue in (
            *_after_stairs(walk, step, before),
            *_at_things(walk, step, before),
            *_in_room(walk, step, before),
        )
        if word in ("left", "right") or clue.at_relation in ("at", "in")
    )


def faces(walk: Walk, step: int) -> tuple[Clue, ...]:
    """Return what a walker can be told to face so as to look where the path goes on."""
    survey, row = walk.survey, walk.rows[step]
    found = []
    for thing, sight in survey.sights[row].items():
        if abs(relative(walk.courses[step], sight.heading)) > _FACED or sight.distance is None:
            continue
        worth = salience(walk, thing, step, step)
        found += [
            Clue("face", step, step, place=ref, worth=worth - fuss(ref))
            for ref in walk.names.of(row, walk.headings[step], thing)
            if ref.side is None and not ref.relations and len(ref.things) == 1
        ]
    return tuple(found)


def _after_stairs(walk: Walk, step: int, before: Clue) -> Iterator[Clue]:
    if walk.survey.is_landing(walk.rows[step]):
        return
    for flight in walk.flights:
        stairs = walk.stairs_taken(flight)
        if before.kind == "stairs" and flight.last == step and stairs in walk.survey.sights[walk.rows[step]]:
            assert stairs is not None
            at = Ref("object", "stairs", things=(stairs,))
            up = flight.direction == "up"
            yield Clue("turn", step, step, at=at, at_relation="top of" if up else "bottom of", worth=5.0)


def _at_things(walk: Walk, step: int, before: Clue) -> Iterator[Clue]:
    survey, row = walk.survey, walk.rows[step]
    named = before.place.things if before.place else ()
    for thing, sight in survey.sights[row].items():
        name = survey.things[thing].name
        if thing in named or name in OPENINGS or name == "chandelier":
            continue
        if sight.distance is None or sight.distance > (NEAR if name == "stairs" else AT):
            continue
        worth = salience(walk, thing, step, step)
        for ref in walk.names.of(row, walk.headings[step], thing):
            if ref.side is None and not ref.relations:
                yield Clue("turn", step, step, at=ref, at_relation="at", worth=worth - fuss(ref))


def _in_room(walk: Walk, step: int, before: Clue) -> Iterator[Clue]:
    survey, row = walk.survey, walk.rows[step]
    room = room_ref(walk, survey.regions[row])
    if room is None or step == 0:
        return
    told = before.kind == "towards" and before.relation == "at the end of"
    if room.name == "hallway" and ends_here(walk, step) and not told:
        yield Clue("turn", step, step, at=room, at_relation="at the end of", worth=4.0)
    fresh = any(stay.first == step for stay in walk.stays)
    if fresh and room.name != "room" and room not in (before.place, before.into):
        yield Clue("turn", step, step, at=room, at_relation="in", worth=2.0)
