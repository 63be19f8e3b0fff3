"""What could be said of a walk: for each stretch of it, the true things that a walker could go by."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal, NamedTuple

from vlnscope.language.actions import ActionKind, Direction, Relation, Side
from vlnscope.language.bearings import SLIGHT, STRAIGHT, relative
from vlnscope.language.describe.candidates.referring import LOOSE, Ref, flat_distance, room_name
from vlnscope.language.describe.route import Crossing, Flight, Walk
from vlnscope.language.describe.scene_index import OPENINGS, Survey
from vlnscope.language.lexicon.lexicon import lexicon

REACHED = 2.5
"""How near the end of a walk towards something is to it, metres."""
STAIRS_REACH = 1.0
"""How much farther away than other things stairs may be, whose middle one does not reach."""
STOP_NEAR = 2.8
"""How near a walker stops to what the stop is named by, metres; a little less than the 3 m that count."""
_TOWARDS = math.radians(42)
_LONGEST, _SHORT = 4, 2
_ONWARD = math.radians(45)
_BEHIND = math.radians(140)
_AWAY = 4.0
_COUNTED = 1.5
_GAP = 2.2
_NO_GATES = OPENINGS | {"rug", "chandelier", "window", "curtain", "picture"}


How = Literal["", "sharp", "immediate", "again", "square", "not", "middle"]


class Clue(NamedTuple):
    """A true statement about the steps `first` to `last` of a walk.

    The fields are those of `vlnscope.language.actions.Action`; beyond them:

    Attributes:
        into: a room that the same steps lead into (“through the door into the kitchen”).
        how: what else is said of it.
        worth: how glad a person would be of it; used to choose.
    """

    kind: ActionKind
    first: int
    last: int
    direction: Direction | None = None
    place: Ref | None = None
    relation: Relation | None = None
    at: Ref | None = None
    at_relation: Relation | None = None
    side: Side | None = None
    into: Ref | None = None
    how: How = ""
    worth: float = 1.0


def clues_of(walk: Walk) -> tuple[Clue, ...]:
    """Return everything that could be said of the stretches of a walk, stops apart."""
    found: list[Clue] = []
    for first in range(walk.end):
        for last in range(first + 1, min(walk.end, first + _LONGEST) + 1):
            found += _stretch(walk, first, last)
    for flight in walk.flights:
        found += _flight(walk, flight)
    return tuple(found)


def _flight(walk: Walk, flight: Flight) -> Iterator[Clue]:
    stairs = walk.stairs_taken(flight)
    ref = None if stairs is None else Ref("object", "stairs", things=(stairs,))
    yield Clue("stairs", flight.first, flight.last, flight.direction, place=ref, worth=6.0)
    before = flight.first - 1
    if before >= 0 and stairs in walk.survey.sights[walk.rows[before]]:
        yield Clue("stairs", before, flight.last, flight.direction, place=ref, worth=5.0)


def _stretch(walk: Walk, first: int, last: int) -> Iterator[Clue]:
    bends = [abs(turn) for turn in walk.turns[first + 1 : last]]
    if any(flight.first < last and first < flight.last for flight in walk.flights):
        return
    if all(bend <= STRAIGHT for bend in bends):
        yield from _straight(walk, first, last)
    if all(bend <= SLIGHT for bend in bends):
        yield from _rooms(walk, first, last)
    if all(bend <= (SLIGHT if last - first <= _SHORT else STRAIGHT) for bend in bends):
        yield from _past(walk, first, last)
        yield from _between(walk, first, last)
        yield from _towards(walk, first, last)
    yield from _doors(walk, first, last, bends)


def _straight(walk: Walk, first: int, last: int) -> Iterator[Clue]:
    yield Clue("go", first, last, "straight", worth=0.5 + 0.3 * (last - first))
    regions = {walk.survey.regions[row] for row in walk.rows[first : last + 1]}
    here = room_ref(walk, walk.survey.regions[walk.rows[first]])
    if len(regions) == 1 and here and here.name == "hallway":
        yield Clue("go", first, last, place=here, worth=0.9 + 0.4 * (last - first))
        if ends_here(walk, last):
            yield Clue(
                "towards", first, last, place=here, relation="at the end of", worth=1.2 + 0.3 * (last - first)
            )
    if first == 0:
        yield from _away(walk, last)


def ends_here(walk: Walk, step: int) -> bool:
    """Return whether a walker has come along a hallway that ends here, or goes on in another direction."""
    survey, row = walk.survey, walk.rows[step]
    region = survey.regions[row]
    if step == 0 or survey.regions[walk.rows[step - 1]] != region:
        return False
    onward = (
        to for to, course in survey.ways[row].items() if abs(relative(walk.headings[step], course)) <= _ONWARD
    )
    return not any(survey.regions[to] == region for to in onward)


def _away(walk: Walk, last: int) -> Iterator[Clue]:
    """Yield what the walker turns his back to at the start."""
    survey, row = walk.survey, walk.rows[0]
    for thing, sight in survey.sights[row].items():
        behind = abs(relative(walk.courses[0], sight.heading)) >= _BEHIND
        if behind and sight.distance is not None and sight.distance <= _AWAY:
            worth = 0.5 * salience(walk, thing, 0, 0)
            for ref in walk.names.of(row, walk.courses[0], thing):
                if ref.side is None:
                    yield Clue("go", 0, last, place=ref, side="behind", worth=worth - fuss(ref))


def room_ref(walk: Walk, region: int | None) -> Ref | None:
    """Return how a region is called; None if it has no name."""
    name = None if region is None else room_name(walk.survey.labels[region])
    return None if name is None else Ref("room", name, region=region)


def _rooms(walk: Walk, first: int, last: int) -> Iterator[Clue]:
    regions = [walk.survey.regions[row] for row in walk.rows[first : last + 1]]
    here, there = room_ref(walk, regions[0]), room_ref(walk, regions[-1])
    rooms = [room_ref(walk, region) for region in regions]
    if there and regions[-2] != regions[-1] and not any(_answers(walk, r, there) for r in regions[:-1]):
        worth = 3.0 if there.name != "room" else 1.5
        yield Clue("enter", first, last, place=there, worth=worth)
        if there.name == "porch":
            yield Clue("enter", first, last, place=there._replace(name="outdoor"), worth=worth - 0.5)
        for ref in _furnished(walk, first, last, there):
            yield Clue("enter", first, last, place=ref, worth=worth - 1.2)
    apart = here is not None and not _answers(walk, regions[-1], here)
    if here and set(regions[:-1]) == {regions[0]} and apart:
        worth = 3.0 if here.name != "room" else 2.0
        yield Clue("exit", first, last, place=here, worth=worth)
        if there and not _answers(walk, regions[0], there):
            yield Clue("exit", first, last, place=here, into=there, worth=worth + 0.5)
        for ref in _way_out(walk, first, last):
            yield Clue(
                "exit", first, last, place=here, at=ref, at_relation="at", worth=worth + 0.6 - fuss(ref)
            )
    middle = rooms[1:-1]
    one = middle[0] if len(set(regions[1:-1])) == 1 else None
    if one and not any(_answers(walk, region, one) for region in (regions[0], regions[-1])):
        yield Clue("through", first, last, place=one, worth=3.5 if one.name != "room" else 1.0)


def _answers(walk: Walk, region: int | None, room: Ref) -> bool:
    """Return whether a region could be meant by the name of a room; “room” means only the one."""
    if region is None or room.name == "room":
        return region == room.region
    return walk.survey.labels[region] in lexicon().rooms[room.name].letters


def _way_out(walk: Walk, first: int, last: int) -> Iterator[Ref]:
    """Yield names of the door through which a room is left."""
    for crossing in walk.crossings:
        seen = crossing.thing in walk.survey.sights[walk.rows[first]]
        if crossing.last == last and first <= crossing.first and seen:
            yield from walk.names.of(walk.rows[first], walk.courses[first], crossing.thing)


def _furnished(walk: Walk, first: int, last: int, room: Ref) -> Iterator[Ref]:
    """Yield “the room with the piano”."""
    survey = walk.survey
    for thing in survey.sights[walk.rows[last]]:
        seen_before = thing in survey.sights[walk.rows[first]]
        if not seen_before or survey.things[thing].name in _NOT_IN_ROOMS:
            continue
        for ref in walk.names.of(walk.rows[first], walk.courses[first], thing):
            at_home = all(survey.homes[one] == room.region for one in ref.things)
            if ref.side is None and not ref.relations and at_home:
                yield room._replace(relations=(("with", ref),))


def _past(walk: Walk, first: int, last: int) -> Iterator[Clue]:
    survey = walk.survey
    start, before = walk.rows[first], walk.rows[last - 1]
    for met in survey.abreast(before, walk.rows[last]):
        thing = survey.things[met.thing]
        if met.thing not in survey.sights[start] or abs(met.aside) < 0.4 or thing.name in OPENINGS | {"rug"}:
            continue
        if last < walk.end and _abreast_later(walk, last, met.thing):
            continue
        side: Side = "right" if met.aside > 0 else "left"
        worth = salience(walk, met.thing, first, last) - 0.2 * abs(met.aside)
        for ref in walk.names.of(start, walk.courses[first], met.thing):
            if ref.side not in (None, side) or not _all_on(walk, last, ref, side):
                continue
            yield Clue("past", first, last, place=ref, side=side, worth=worth - fuss(ref))


def _between(walk: Walk, first: int, last: int) -> Iterator[Clue]:
    """Yield pairs of things, one on each side, between which the last step goes."""
    survey, start = walk.survey, walk.rows[first]
    met = [
        one
        for one in survey.abreast(walk.rows[last - 1], walk.rows[last])
        if 0.4 <= abs(one.aside) <= _GAP and survey.things[one.thing].name not in _NO_GATES
    ]
    for left in (one for one in met if one.aside < 0):
        for right in (one for one in met if one.aside > 0):
            here, there = (_plain_name(walk, start, one.thing) for one in (left, right))
            if here and there and here.name != there.name:
                worth = sum(salience(walk, one.thing, first, last) for one in (left, right)) / 2
                yield Clue(
                    "past",
                    first,
                    last,
                    place=here._replace(relations=(("with", there),)),
                    relation="between",
                    worth=worth - 0.4,
                )


def _plain_name(walk: Walk, row: int, thing: int) -> Ref | None:
    """Return a name without side or neighbour, if the thing is in sight and has one."""
    if thing not in walk.survey.sights[row]:
        return None
    names = walk.names.of(row, 0.0, thing)
    return next((ref for ref in names if ref.side is None and not ref.relations and ref.number is None), None)


def _all_on(walk: Walk, last: int, ref: Ref, side: Side) -> bool:
    """Return whether all things of a group are on the same side of the last step."""
    if len(ref.things) == 1:
        return True
    course = walk.courses[last - 1]
    spots = [ahead_of(walk.survey, walk.rows[last - 1], course, thing) for thing in ref.things]
    return all(spot is not None and (spot[1] > 0) == (side == "right") for spot in spots)


def _abreast_later(walk: Walk, last: int, thing: int) -> bool:
    later = walk.survey.abreast(walk.rows[last], walk.rows[last + 1])
    return any(met.thing == thing and met.along > 0.3 for met in later)


def _towards(walk: Walk, first: int, last: int) -> Iterator[Clue]:
    survey = walk.survey
    for number, sight in survey.sights[walk.rows[first]].items():
        thing = survey.things[number]
        if thing.centre is None or abs(relative(walk.courses[first], sight.heading)) > _TOWARDS:
            continue
        if thing.name in OPENINGS and any(crossing.thing == number for crossing in walk.crossings):
            continue
        away = [flat_distance(survey.positions[row], thing.centre) for row in walk.rows[first:]]
        near = away[: last - first + 1]
        reached = REACHED + (STAIRS_REACH if thing.name == "stairs" else 0.0)
        if near != sorted(near, reverse=True) or near[-1] > reached or near[0] - near[-1] < 1.5:
            continue
        if len(away) > len(near) and away[len(near)] < near[-1] - 0.3:
            continue
        worth = salience(walk, number, first, last)
        for ref in walk.names.of(walk.rows[first], walk.courses[first], number):
            if ref.side is None:
                yield Clue("towards", first, last, place=ref, worth=worth - fuss(ref))


def _doors(walk: Walk, first: int, last: int, bends: list[float]) -> Iterator[Clue]:
    survey = walk.survey
    for crossing in walk.crossings:
        if (
            crossing.last != last
            or not first <= crossing.first
            or crossing.thing not in survey.sights[walk.rows[first]]
        ):
            continue
        ways = _door_names(walk, first, crossing, bends)
        into = room_ref(walk, survey.regions[walk.rows[last]])
        if into and _answers(walk, survey.regions[walk.rows[first]], into):
            into = None
        for ref in ways:
            yield Clue(
                "through", first, last, place=ref, worth=2.6 + _COUNTED * bool(ref.ordinal) - fuss(ref)
            )
            if into:
                worth = 3.4 + _COUNTED * bool(ref.ordinal) - fuss(ref)
                yield Clue("through", first, last, place=ref, into=into, worth=worth)
        if into and into.name != "room" and all(bend <= SLIGHT for bend in bends):
            name = survey.things[crossing.thing].name
            to_room = Ref("object", name, relations=(("at", into),), things=(crossing.thing,))
            yield Clue("through", first, last, place=to_room, worth=2.2)


def _door_names(walk: Walk, first: int, crossing: Crossing, bends: list[float]) -> Iterator[Ref]:
    """Yield names of an opening: plain on a straight way, by side and number if it is turned into."""
    survey = walk.survey
    into = walk.turns[crossing.first] if crossing.first > first else 0.0
    straight_before = all(bend <= STRAIGHT for bend in bends[: max(0, crossing.first - first - 1)])
    if all(bend <= SLIGHT for bend in bends):
        yield from walk.names.of(walk.rows[first], walk.courses[first], crossing.thing)
    if crossing.first > first and abs(into) > SLIGHT and straight_before:
        side: Side = "right" if into > 0 else "left"
        counted = _count(walk, first, crossing, side)
        if counted is not None:
            name = survey.things[crossing.thing].name
            for number in counted:
                yield Ref("object", name, ordinal=number, side=side, things=(crossing.thing,))


def _count(walk: Walk, first: int, crossing: Crossing, side: Side) -> tuple[int, ...] | None:
    """Return which opening on a side this is, counted from `first`; -1 for the last, None if unclear."""
    survey = walk.survey
    name = survey.things[crossing.thing].name
    start, course = walk.rows[first], walk.courses[first]
    rows = walk.rows[first : crossing.last + 1]
    seen = {thing for row in rows for thing in survey.sights[row] if survey.things[thing].name in OPENINGS}
    spots = {thing: ahead_of(survey, start, course, thing) for thing in sorted(seen)}
    mine = spots[crossing.thing]
    if mine is None or (mine[1] > 0) != (side == "right"):
        return None
    order = [
        thing
        for thing, spot in sorted(spots.items(), key=lambda item: item[1] or (0.0, 0.0))
        if spot and spot[0] > 0.2 and spot[1] * mine[1] > 0 and 0.3 <= abs(spot[1]) <= 3.0
    ]
    if crossing.thing not in order:
        return None
    place = order.index(crossing.thing)
    if any(survey.things[thing].name != name for thing in order[: place + 1]):
        return None
    last = place == len(order) - 1 and place > 0
    return (place + 1, -1) if last else (place + 1,)


def ahead_of(survey: Survey, start: int, course: float, thing: int) -> tuple[float, float] | None:
    """Return how far along a course and to its right a thing is; None if nobody knows."""
    centre = survey.things[thing].centre
    if centre is None:
        return None
    here = survey.positions[start]
    dx, dy = centre[0] - here[0], centre[1] - here[1]
    return dx * math.sin(course) + dy * math.cos(course), dx * math.cos(course) - dy * math.sin(course)


_NOT_IN_ROOMS = OPENINGS | {"window", "stairs"}
_DULL = {
    "picture": 0.4, "window": 0.5, "curtain": 0.4, "books": 0.3, "bowl": 0.4, "towel": 0.4, "candle": 0.4,
    "cushion": 0.4, "kettle": 0.5, "rug": 0.7, "door": 0.6, "doorway": 0.6, "chandelier": 0.6, "vase": 0.7,
    "trash can": 0.6, "basket": 0.6, "stairs": 2.6,
}  # fmt: skip
"""How much less (or more) than their size tells these things catch the eye."""


def salience(walk: Walk, thing: int, first: int, last: int) -> float:
    """Return how much a thing catches the eye on a stretch: large things do, and those in the same room."""
    survey = walk.survey
    its = survey.things[thing]
    size = math.sqrt(sum(side * side for side in its.box)) if its.box else 1.0
    at_home = survey.homes[thing] in {survey.regions[row] for row in walk.rows[first : last + 1]}
    return _DULL.get(its.name, 1.0) * (1.2 + 0.5 * min(size, 2.5)) - (0.0 if at_home else 1.5)


def fuss(ref: Ref) -> float:
    """Return how much longer than a plain noun a name is."""
    extra = 0.3 * len(ref.attributes) + 0.5 * (ref.side is not None) + 0.8 * len(ref.relations)
    return extra + 0.3 * (ref.number is not None) + 0.6 * (ref.name in LOOSE)
