"""How a turn is said: which word, and if need be where it is made."""

from __future__ import annotations

import math
from collections.abc import Iterator

from vlnscope.language.actions import Direction, Relation
from vlnscope.language.describe.candidates.referring import Ref
from vlnscope.language.describe.candidates.statements import (
    RouteStatement,
    ends_here,
    is_plain,
    is_single,
    named,
    room_ref,
    salience,
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
    statements: list[RouteStatement] = []
    for thing, sight in route.index.visible[route.rows[step]].items():
        if abs(relative(route.courses[step], sight.heading)) <= _FACED and sight.distance is not None:
            face = RouteStatement("face", step, step, worth=salience(route, thing, step, step))
            statements += named(route, face, route.headings[step], thing, is_single)
    return tuple(statements)


def _after_stairs(route: RouteIndex, step: int, before: RouteStatement) -> Iterator[RouteStatement]:
    if route.index.is_landing(route.rows[step]):
        return
    for flight in route.flights:
        stairs = route.stairs_taken(flight)
        seen = stairs in route.index.visible[route.rows[step]]
        if before.kind == "stairs" and flight.last == step and stairs is not None and seen:
            at = Ref("object", "stairs", things=(stairs,))
            end: Relation = "top of" if flight.direction == "up" else "bottom of"
            yield RouteStatement("turn", step, step, at=at, at_relation=end, worth=5.0)


def _at_things(route: RouteIndex, step: int, before: RouteStatement) -> Iterator[RouteStatement]:
    index, row = route.index, route.rows[step]
    mentioned = before.place.things if before.place else ()
    for thing, sight in index.visible[row].items():
        name = index.things[thing].name
        if thing in mentioned or name in OPENINGS or name == "chandelier":
            continue
        if sight.distance is None or sight.distance > (NEAR if name == "stairs" else AT):
            continue
        at = RouteStatement("turn", step, step, at_relation="at", worth=salience(route, thing, step, step))
        for it in named(route, at, route.headings[step], thing, is_plain):
            yield it._replace(at=it.place, place=None)


def _in_room(route: RouteIndex, step: int, before: RouteStatement) -> Iterator[RouteStatement]:
    index, row = route.index, route.rows[step]
    room = room_ref(route, index.regions[row])
    if room is None or step == 0:
        return
    is_known = before.kind == "towards" and before.relation == "at the end of"
    if room.name == "hallway" and ends_here(route, step) and not is_known:
        yield RouteStatement("turn", step, step, at=room, at_relation="at the end of", worth=4.0)
    fresh = any(visit.first == step for visit in route.visits)
    if fresh and room.name != "room" and room not in (before.place, before.into):
        yield RouteStatement("turn", step, step, at=room, at_relation="in", worth=2.0)
