"""Where a walk ends, said so that a walker can tell: by what is near, by the room, by stairs or a doorway."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

from vlnscope.language.actions import Relation
from vlnscope.language.describe.candidates.referring import Ref
from vlnscope.language.describe.candidates.statements import (
    STOP_NEAR,
    RouteStatement,
    room_ref,
    salience,
    wordiness,
)
from vlnscope.language.describe.route import RouteIndex
from vlnscope.language.describe.scene_index import OPENINGS, STAIRWELL
from vlnscope.language.geometry import flat_distance, relative

_MANY = 4
_AHEAD = math.radians(50)


def stop_statements(route: RouteIndex) -> tuple[RouteStatement, ...]:
    """Return the ways to name the end of a walk, the plain “stop” among them; a landing is always named."""
    if route.end and route.index.is_landing(route.rows[-1]):
        landing = Ref("room", "landing", region=route.index.regions[route.rows[-1]])
        return (RouteStatement("stop", route.end, route.end, place=landing, relation="on"),)
    return (
        RouteStatement("stop", route.end, route.end, worth=0.2),
        *_by_things(route),
        *_by_room(route),
        *_by_stairs(route),
        *_in_doorway(route),
    )


def _by_things(route: RouteIndex) -> Iterator[RouteStatement]:
    index, goal = route.index, route.rows[-1]
    for number, sight in index.visible[goal].items():
        thing = index.things[number]
        if thing.name == "stairs" and index.label(goal) == STAIRWELL:
            continue
        if (sight.distance is not None and sight.distance > STOP_NEAR) or index.inside(number, goal):
            continue
        eye = salience(route, number, route.end, route.end)
        for ref in route.namer.of(goal, route.headings[-1], number):
            worth = 1.5 * eye - wordiness(ref) - 0.3 * (sight.distance or 1.5)
            for first, relation in product(_approach(route, number), _relations(route, number, thing.name)):
                total = worth + 0.6 * (route.end - first)
                yield RouteStatement("stop", first, route.end, place=ref, relation=relation, worth=total)


def _relations(route: RouteIndex, number: int, name: str) -> Iterator[Relation]:
    index, goal = route.index, route.rows[-1]
    sight, centre = index.visible[goal][number], index.things[number].centre
    if name == "rug":
        box = index.things[number].box
        if centre and box and all(abs(index.positions[goal][k] - centre[k]) <= box[k] / 2 for k in (0, 1)):
            yield "on"
        return
    ahead = abs(relative(route.headings[-1], sight.heading)) <= _AHEAD
    if name not in OPENINGS:
        yield "near"
    if ahead and name != "chandelier":
        yield "in front of"
    if ahead and name in OPENINGS:
        yield "before"


def _approach(route: RouteIndex, number: int) -> Iterator[int]:
    """Return from which steps on the walk only goes up to a thing, the last step first."""
    index, centre = route.index, route.index.things[number].centre
    yield route.end
    if centre is None:
        return
    for first in range(route.end - 1, max(-1, route.end - 3), -1):
        row = route.rows[first]
        if any(flight.last > first for flight in route.flights) or number not in index.visible[row]:
            return
        here, there = (flat_distance(index.positions[route.rows[k]], centre) for k in (first, first + 1))
        off = abs(relative(route.courses[first], index.visible[row][number].heading))
        if here < there + 0.5 or off > math.radians(60):
            return
        yield first


def _by_room(route: RouteIndex) -> Iterator[RouteStatement]:
    room = room_ref(route, route.index.regions[route.rows[-1]])
    if room is None or room.name == "room":
        return
    stop = RouteStatement("stop", route.end, route.end, place=room, relation="in")
    entered = route.visits[-1].first
    if entered > 0:
        yield stop._replace(worth=2.5 if entered == route.end else 1.2)
    if _is_central(route):
        yield stop._replace(how="middle", worth=1.8)


def _is_central(route: RouteIndex) -> bool:
    """Return whether a walk ends at the viewpoint nearest to the middle of its room."""
    index = route.index
    region = index.regions[route.rows[-1]]
    spots = [index.positions[row] for row in range(len(index.nodes)) if index.regions[row] == region]
    if len(spots) < _MANY:
        return False
    middle = tuple(sum(spot[k] for spot in spots) / len(spots) for k in range(3))
    goal = index.positions[route.rows[-1]]
    return math.dist(goal, middle) <= min(1.0, *(math.dist(spot, middle) + 1e-9 for spot in spots))


def _by_stairs(route: RouteIndex) -> Iterator[RouteStatement]:
    if not route.flights or route.flights[-1].last < route.end:
        return
    flight = route.flights[-1]
    stairs = route.stairs_taken(flight)
    if stairs is not None:
        relation: Relation = "top of" if flight.direction == "up" else "bottom of"
        ref = Ref("object", "stairs", things=(stairs,))
        yield RouteStatement("stop", route.end, route.end, place=ref, relation=relation, worth=5.0)


def _in_doorway(route: RouteIndex) -> Iterator[RouteStatement]:
    index, goal = route.index, route.rows[-1]
    for number in index.visible[goal]:
        if index.things[number].name in OPENINGS and index.inside(number, goal):
            ref = Ref("object", "doorway", things=(number,))
            room = room_ref(route, index.regions[goal])
            stop = RouteStatement("stop", route.end, route.end, place=ref, relation="in", worth=3.0)
            yield stop
            if room and route.end > 0 and route.visits[-1].first == route.end and room.name != "room":
                yield stop._replace(place=ref._replace(relations=(("at", room),)))
