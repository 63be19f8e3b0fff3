"""How a turn is said: which word, and if need be where it is made."""

from __future__ import annotations

import math
from collections.abc import Iterator

from vlnscope.language.actions import Direction
from vlnscope.language.describe.candidates.referring import Ref
from vlnscope.language.describe.candidates.statements import (
    RouteStatement,
    ends_here,
    room_ref,
    salience,
    wordiness,
)
from vlnscope.language.describe.route import RouteIndex
from vlnscope.language.describe.scene_index import OPENINGS
from vlnscope.language.geometry import STRAIGHT, relative

AT, NEAR = 2.2, 3.0
"""How near a turn is to what it is made at, metres; stairs are large and may be a little farther away."""
_FACED = math.radians(15)


def plain_word(route: RouteIndex, step: int) -> Direction:
    """Return what a turn may be called: “left” also for a slight one where no other way leads left."""
    word = route.words[step]
    if not word.startswith("slight"):
        return word
    sign = 1 if word == "slight right" else -1
    others = (
        relative(route.headings[step], course) * sign
        for row, course in route.index.edges[route.rows[step]].items()
        if row != route.rows[step + 1]
    )
    if any(angle > STRAIGHT for angle in others):
        return word
    return "right" if sign > 0 else "left"


def located_turns(
    route: RouteIndex, step: int, word: Direction, before: RouteStatement
) -> tuple[RouteStatement, ...]:
    """Return ways to say where a turn is made; `before` is the statement that led there."""
    turn = RouteStatement("turn", step, step, word)
    return tuple(
        turn._replace(at=statement.at, at_relation=statement.at_relation, worth=statement.worth)
        for statement in (
            *_after_stairs(route, step, before),
            *_at_things(route, step, before),
            *_in_room(route, step, before),
        )
        if word in ("left", "right") or statement.at_relation in ("at", "in")
    )


def facing_statements(route: RouteIndex, step: int) -> tuple[RouteStatement, ...]:
    """Return what a walker can be told to face so as to look where the path goes on."""
    index, row = route.index, route.rows[step]
    found = []
    for thing, sight in index.visible[row].items():
        if abs(relative(route.courses[step], sight.heading)) > _FACED or sight.distance is None:
            continue
        worth = salience(route, thing, step, step)
        found += [
            RouteStatement("face", step, step, place=ref, worth=worth - wordiness(ref))
            for ref in route.namer.of(row, route.headings[step], thing)
            if ref.side is None and not ref.relations and len(ref.things) == 1
        ]
    return tuple(found)


def _after_stairs(route: RouteIndex, step: int, before: RouteStatement) -> Iterator[RouteStatement]:
    if route.index.is_landing(route.rows[step]):
        return
    for flight in route.flights:
        stairs = route.stairs_taken(flight)
        if (
            before.kind == "stairs"
            and flight.last == step
            and stairs in route.index.visible[route.rows[step]]
        ):
            assert stairs is not None
            at = Ref("object", "stairs", things=(stairs,))
            up = flight.direction == "up"
            yield RouteStatement(
                "turn", step, step, at=at, at_relation="top of" if up else "bottom of", worth=5.0
            )


def _at_things(route: RouteIndex, step: int, before: RouteStatement) -> Iterator[RouteStatement]:
    index, row = route.index, route.rows[step]
    named = before.place.things if before.place else ()
    for thing, sight in index.visible[row].items():
        name = index.things[thing].name
        if thing in named or name in OPENINGS or name == "chandelier":
            continue
        if sight.distance is None or sight.distance > (NEAR if name == "stairs" else AT):
            continue
        worth = salience(route, thing, step, step)
        for ref in route.namer.of(row, route.headings[step], thing):
            if ref.side is None and not ref.relations:
                yield RouteStatement(
                    "turn", step, step, at=ref, at_relation="at", worth=worth - wordiness(ref)
                )


def _in_room(route: RouteIndex, step: int, before: RouteStatement) -> Iterator[RouteStatement]:
    index, row = route.index, route.rows[step]
    room = room_ref(route, index.regions[row])
    if room is None or step == 0:
        return
    told = before.kind == "towards" and before.relation == "at the end of"
    if room.name == "hallway" and ends_here(route, step) and not told:
        yield RouteStatement("turn", step, step, at=room, at_relation="at the end of", worth=4.0)
    fresh = any(visit.first == step for visit in route.visits)
    if fresh and room.name != "room" and room not in (before.place, before.into):
        yield RouteStatement("turn", step, step, at=room, at_relation="in", worth=2.0)
