"""What people say without need: remarks on the way, where they start, and attributes of things."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from vlnscope.language.describe.candidates.referring import Ref, side_of, told_attributes
from vlnscope.language.describe.candidates.statements import (
    RouteStatement,
    is_plain,
    is_single,
    named,
    room_ref,
    salience,
)
from vlnscope.language.describe.route import RouteIndex
from vlnscope.language.describe.scene_index import OPENINGS
from vlnscope.language.describe.select.choice import Verbosity, pick
from vlnscope.language.geometry import relative, side_word
from vlnscope.language.lexicon.sizes import FRAMED, OPINIONS, room_size_words, size_words

_SEEN = 6.0
_CLOSE = 4.0
_STAIRS_SEEN = 9.0
_FACED = math.radians(25)
_BESIDE = (math.radians(38), math.radians(125))


def start_remarks(route: RouteIndex) -> tuple[RouteStatement, ...]:
    """Return what can be said of the start: what the walker faces, and which room it is."""
    room = room_ref(route, route.index.regions[route.rows[0]])
    remarks = []
    if room is not None:
        remarks.append(RouteStatement("remark", 0, 0, place=room, relation="in", worth=2.0))
    for thing, sight in route.index.visible[route.rows[0]].items():
        if abs(relative(route.heading, sight.heading)) <= _FACED and (sight.distance or 3.0) <= _SEEN:
            remark = RouteStatement("remark", 0, 0, side="ahead", worth=salience(route, thing, 0, 0))
            remarks += named(route, remark, route.heading, thing, is_single)
    return tuple(remarks)


def sight_remarks(route: RouteIndex, step: int) -> Iterator[RouteStatement]:
    """Yield what there is to see to the left and right of a step by a walker who walks on."""
    row, index = route.rows[step], route.index
    heading = route.courses[step] if step < route.end else route.headings[step]
    for thing, sight in index.visible[row].items():
        angle = relative(heading, sight.heading)
        if not _BESIDE[0] <= abs(angle) <= _BESIDE[1] or (sight.distance or 2.0) > _SEEN:
            continue
        if index.things[thing].name in OPENINGS and index.homes[thing] is None:
            continue
        worth = salience(route, thing, step, step)
        remark = RouteStatement("remark", step, step, side=side_word(angle), worth=worth)
        for it in named(route, remark, heading, thing, is_plain):
            things = it.place.things if it.place else ()
            if len({side_of(index, row, heading, one) for one in things}) == 1:
                yield it


def stairs_remarks(route: RouteIndex) -> tuple[RouteStatement, ...]:
    """Return remarks on stairs that come in sight on the way but are not taken; sides are as one arrives."""
    if route.flights:
        return ()
    remarks: list[RouteStatement] = []
    for step in range(1, route.end):
        stairs = route.index.in_view(route.rows[step], "stairs")
        if len(stairs) != 1:
            continue
        sight = route.index.visible[route.rows[step]][stairs[0]]
        away = sight.distance or _SEEN
        if away > _STAIRS_SEEN:
            continue
        ref = Ref("object", "stairs", things=stairs)
        side = side_word(relative(route.headings[step], sight.heading))
        if side != "behind":
            remarks.append(RouteStatement("remark", step, step, place=ref, side=side))
        if away < _CLOSE:
            remarks.append(RouteStatement("remark", step, step, place=ref, how="not"))
    return tuple(remarks)


def room_remark(route: RouteIndex, step: int) -> RouteStatement | None:
    """Return that the walker is in another room now; None if the step does not begin a stay in a room."""
    room = room_ref(route, route.index.regions[route.rows[step]])
    if room is None or room.name == "room" or not any(visit.first == step for visit in route.visits):
        return None
    return RouteStatement("remark", step, step, place=room, relation="in", worth=2.0)


def embellish(
    route: RouteIndex, statements: tuple[RouteStatement, ...], rng: np.random.Generator, verbosity: Verbosity
) -> tuple[RouteStatement, ...]:
    """Add remarks and attributes to the statements of an instruction; all of them true."""
    said = _with_stairs(route, _with_remarks(route, statements, rng, verbosity), rng.random(), verbosity)
    return tuple(_embellished(route, statement, rng, verbosity) for statement in said)


def _with_remarks(
    route: RouteIndex, statements: tuple[RouteStatement, ...], rng: np.random.Generator, verbosity: Verbosity
) -> tuple[RouteStatement, ...]:
    remarked: list[RouteStatement] = list(_opening(route, rng)) if verbosity.opening else []
    named = {thing for it in statements for ref in (it.place, it.at) if ref for thing in ref.things}
    for statement in statements:
        remarked.append(statement)
        if not statement.first < statement.last < route.end or rng.random() >= verbosity.remarks:
            continue
        room = room_remark(route, statement.last)
        if room is not None and room.place not in (statement.place, statement.into):
            remarked.append(room)
            if rng.random() >= verbosity.remarks / 2:
                continue
        remarks = sight_remarks(route, statement.last)
        seen = [it for it in remarks if it.place and named.isdisjoint(it.place.things)]
        if seen and route.words[statement.last] == "straight":
            remarked.append(pick(seen, {}, rng.random()))
            named.update(remarked[-1].place.things if remarked[-1].place else ())
    return tuple(remarked)


def _with_stairs(
    route: RouteIndex, statements: tuple[RouteStatement, ...], chance: float, verbosity: Verbosity
) -> tuple[RouteStatement, ...]:
    """Add a remark on stairs that are only seen, where a statement ends at which they are in sight."""
    refs = (ref for it in statements for ref in (it.place, it.at))
    spoken = any(ref is not None and ref.name == "stairs" for ref in refs)
    if spoken or chance >= verbosity.stairs:
        return statements
    places = {it.last: number for number, it in enumerate(statements) if it.first < it.last}
    remarks = [remark for remark in stairs_remarks(route) if remark.first in places]
    if not remarks:
        return statements
    remark = remarks[int(chance / verbosity.stairs * len(remarks))]
    after = places[remark.first] + 1
    return (*statements[:after], remark, *statements[after:])


def _embellished(
    route: RouteIndex, statement: RouteStatement, rng: np.random.Generator, verbosity: Verbosity
) -> RouteStatement:
    """Add an attribute or a size to a plain name, as people do without need."""
    ref = statement.place
    if ref is None or ref.attributes or ref.ordinal is not None or rng.random() > verbosity.embellished:
        return statement
    words = _attributes(route, ref)
    if not words:
        return statement
    return statement._replace(place=ref._replace(attributes=(words[int(rng.integers(len(words)))],)))


def _attributes(route: RouteIndex, ref: Ref) -> tuple[str, ...]:
    """Return what may be said of a place without need: colour, material, size, now and then an opinion."""
    index = route.index
    if ref.what == "room":
        spots = [
            spot for spot, region in zip(index.positions, index.regions, strict=True) if region == ref.region
        ]
        return room_size_words(ref.name, spots)
    thing = index.things[ref.things[0]]
    attributes = told_attributes(thing.name, thing.attributes)
    if len(ref.things) != 1:
        shared = [word for word in attributes if all(word in index.things[t].attributes for t in ref.things)]
        return (*shared * 2, "matching") if shared else ()
    framed = ("framed",) if thing.name in FRAMED and ref.name == thing.name else ()
    if ref.name == "doorway" or not attributes:
        return size_words(thing.name, thing.box)
    opinions = OPINIONS if thing.name not in OPENINGS else ()
    return (*attributes * 4, *size_words(thing.name, thing.box) * 2, *framed, *opinions)


def _opening(route: RouteIndex, rng: np.random.Generator) -> Iterator[RouteStatement]:
    remarks = start_remarks(route)
    rooms = [statement for statement in remarks if statement.relation == "in"]
    faced = [statement for statement in remarks if statement.side == "ahead"]
    if rooms and rng.random() < 0.8:
        yield rooms[0]
    if faced:
        yield pick(faced, {}, rng.random())
