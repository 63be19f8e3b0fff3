"""Where a walk ends, said so that a walker can tell: by what is near, by the room, by stairs or a doorway."""

from __future__ import annotations

import math
from collections.abc import Iterator

from vlnscope.language.actions import Relation
from vlnscope.language.bearings import relative
from vlnscope.language.describe.candidates.referring import Ref, flat_distance
from vlnscope.language.describe.candidates.statements import STOP_NEAR, Clue, fuss, room_ref, salience
from vlnscope.language.describe.route import Walk
from vlnscope.language.describe.scene_index import OPENINGS, STAIRWELL

_MANY = 4
_AHEAD = math.radians(50)


def stops_of(walk: Walk) -> tuple[Clue, ...]:
    """Return the ways to name the end of a walk, the plain “stop” among them; a landing is always named."""
    if walk.end and walk.survey.is_landing(walk.rows[-1]):
        landing = Ref("room", "landing", region=walk.survey.regions[walk.rows[-1]])
        return (Clue("stop", walk.end, walk.end, place=landing, relation="on"),)
    return (
        Clue("stop", walk.end, walk.end, worth=0.2),
        *_by_things(walk),
        *_by_room(walk),
        *_by_stairs(walk),
        *_in_doorway(walk),
    )


def _by_things(walk: Walk) -> Iterator[Clue]:
    survey, goal = walk.survey, walk.rows[-1]
    for number, sight in survey.sights[goal].items():
        thing = survey.things[number]
        if thing.name == "stairs" and survey.label(goal) == STAIRWELL:
            continue
        if (sight.distance is not None and sight.distance > STOP_NEAR) or survey.inside(number, goal):
            continue
        eye = salience(walk, number, walk.end, walk.end)
        for ref in walk.names.of(goal, walk.headings[-1], number):
            worth = 1.5 * eye - fuss(ref) - 0.3 * (sight.distance or 1.5)
            for first in _approach(walk, number):
                for relation in _relations(walk, number, thing.name):
                    bonus = 0.6 * (walk.end - first)
                    yield Clue("stop", first, walk.end, place=ref, relation=relation, worth=worth + bonus)


def _relations(walk: Walk, number: int, name: str) -> Iterator[Relation]:
    survey, goal = walk.survey, walk.rows[-1]
    sight, centre = survey.sights[goal][number], survey.things[number].centre
    if name == "rug":
        box = survey.things[number].box
        if centre and box and all(abs(survey.positions[goal][k] - centre[k]) <= box[k] / 2 for k in (0, 1)):
            yield "on"
        return
    if name not in OPENINGS:
        yield "near"
    if abs(relative(walk.headings[-1], sight.heading)) <= _AHEAD and name != "chandelier":
        yield "in front of"
    if name in OPENINGS and abs(relative(walk.headings[-1], sight.heading)) <= _AHEAD:
        yield "before"


def _approach(walk: Walk, number: int) -> Iterator[int]:
    """Return from which steps on the walk only goes up to a thing, the last step first."""
    survey, centre = walk.survey, walk.survey.things[number].centre
    yield walk.end
    if centre is None:
        return
    for first in range(walk.end - 1, max(-1, walk.end - 3), -1):
        row = walk.rows[first]
        if any(flight.last > first for flight in walk.flights) or number not in survey.sights[row]:
            return
        here, there = (flat_distance(survey.positions[walk.rows[k]], centre) for k in (first, first + 1))
        off = abs(relative(walk.courses[first], survey.sights[row][number].heading))
        if here < there + 0.5 or off > math.radians(60):
            return
        yield first


def _by_room(walk: Walk) -> Iterator[Clue]:
    room = room_ref(walk, walk.survey.regions[walk.rows[-1]])
    if room is None or room.name == "room":
        return
    stay = walk.stays[-1]
    if stay.first == walk.end and walk.end > 0:
        yield Clue("stop", walk.end, walk.end, place=room, relation="in", worth=2.5)
    elif stay.first > 0:
        yield Clue("stop", walk.end, walk.end, place=room, relation="in", worth=1.2)
    if _is_central(walk):
        yield Clue("stop", walk.end, walk.end, place=room, relation="in", how="middle", worth=1.8)


def _is_central(walk: Walk) -> bool:
    """Return whether a walk ends at the viewpoint nearest to the middle of its room."""
    survey = walk.survey
    region = survey.regions[walk.rows[-1]]
    spots = [survey.positions[row] for row in range(len(survey.nodes)) if survey.regions[row] == region]
    if len(spots) < _MANY:
        return False
    middle = tuple(sum(spot[k] for spot in spots) / len(spots) for k in range(3))
    goal = survey.positions[walk.rows[-1]]
    return math.dist(goal, middle) <= min(1.0, *(math.dist(spot, middle) + 1e-9 for spot in spots))


def _by_stairs(walk: Walk) -> Iterator[Clue]:
    if not walk.flights or walk.flights[-1].last < walk.end:
        return
    flight = walk.flights[-1]
    stairs = walk.stairs_taken(flight)
    if stairs is not None:
        relation: Relation = "top of" if flight.direction == "up" else "bottom of"
        ref = Ref("object", "stairs", things=(stairs,))
        yield Clue("stop", walk.end, walk.end, place=ref, relation=relation, worth=5.0)


def _in_doorway(walk: Walk) -> Iterator[Clue]:
    survey, goal = walk.survey, walk.rows[-1]
    for number in survey.sights[goal]:
        if survey.things[number].name in OPENINGS and survey.inside(number, goal):
            ref = Ref("object", "doorway", things=(number,))
            room = room_ref(walk, survey.regions[goal])
            yield Clue("stop", walk.end, walk.end, place=ref, relation="in", worth=3.0)
            if room and walk.end > 0 and walk.stays[-1].first == walk.end and room.name != "room":
                whole = ref._replace(relations=(("at", room),))
                yield Clue("stop", walk.end, walk.end, place=whole, relation="in", worth=3.0)
