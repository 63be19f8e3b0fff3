"""What could be said of a walk: for each stretch of it, the true things that a walker could go by."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal, NamedTuple

from vlnscope.language.actions import ActionKind, Direction, Relation, Side
from vlnscope.language.describe.candidates.referring import LOOSE, Ref, room_name
from vlnscope.language.describe.route import DoorCrossing, RouteIndex, StairFlight
from vlnscope.language.describe.scene_index import OPENINGS
from vlnscope.language.geometry import SLIGHT, STRAIGHT, flat_distance, relative
from vlnscope.language.lexicon.entries import lexicon

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
_NO_GATES = OPENINGS | {
    "rug", "chandelier", "window", "curtain", "picture", "radiator", "blinds", "bath mat", "yoga mat",
    "wall shelf", "ceiling fan", "air conditioner", "range hood", "toilet paper",
}  # fmt: skip


How = Literal["", "sharp", "immediate", "again", "square", "not", "middle"]


class RouteStatement(NamedTuple):
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


def candidate_statements(route: RouteIndex) -> tuple[RouteStatement, ...]:
    """Return everything that could be said of the stretches of a walk, stops apart."""
    statements: list[RouteStatement] = []
    for first in range(route.end):
        for last in range(first + 1, min(route.end, first + _LONGEST) + 1):
            statements += _stretch(route, first, last)
    for flight in route.flights:
        statements += _flight(route, flight)
    return tuple(statements)


def named(
    route: RouteIndex,
    statement: RouteStatement,
    heading: float,
    thing: int,
    fits: Callable[[Ref], bool] = lambda ref: ref.side is None,
) -> Iterator[RouteStatement]:
    """Yield a statement with each name of a thing that fits; names count where the statement begins.

    What the statement is worth falls by how wordy the name is.
    """
    for ref in route.namer.of(route.rows[statement.first], heading, thing):
        if fits(ref):
            yield statement._replace(place=ref, worth=statement.worth - wordiness(ref))


def is_plain(ref: Ref) -> bool:
    """Return whether a name has neither side nor neighbour."""
    return ref.side is None and not ref.relations


def is_single(ref: Ref) -> bool:
    """Return whether a name is plain and means one thing."""
    return is_plain(ref) and len(ref.things) == 1


def _flight(route: RouteIndex, flight: StairFlight) -> Iterator[RouteStatement]:
    stairs = route.stairs_taken(flight)
    ref = None if stairs is None else Ref("object", "stairs", things=(stairs,))
    yield RouteStatement("stairs", flight.first, flight.last, flight.direction, place=ref, worth=6.0)
    before = flight.first - 1
    if before >= 0 and stairs in route.index.visible[route.rows[before]]:
        yield RouteStatement("stairs", before, flight.last, flight.direction, place=ref, worth=5.0)


def _stretch(route: RouteIndex, first: int, last: int) -> Iterator[RouteStatement]:
    bends = [abs(turn) for turn in route.turns[first + 1 : last]]
    if any(flight.first < last and first < flight.last for flight in route.flights):
        return
    if all(bend <= STRAIGHT for bend in bends):
        yield from _straight(route, first, last)
    if all(bend <= SLIGHT for bend in bends):
        yield from _rooms(route, first, last)
    if all(bend <= (SLIGHT if last - first <= _SHORT else STRAIGHT) for bend in bends):
        yield from _past(route, first, last)
        yield from _between(route, first, last)
        yield from _towards(route, first, last)
    yield from _doors(route, first, last, bends)


def _straight(route: RouteIndex, first: int, last: int) -> Iterator[RouteStatement]:
    yield RouteStatement("go", first, last, "straight", worth=0.5 + 0.3 * (last - first))
    regions = {route.index.regions[row] for row in route.rows[first : last + 1]}
    here = room_ref(route, route.index.regions[route.rows[first]])
    if len(regions) == 1 and here and here.name == "hallway":
        yield RouteStatement("go", first, last, place=here, worth=0.9 + 0.4 * (last - first))
        if ends_here(route, last):
            yield RouteStatement(
                "towards", first, last, place=here, relation="at the end of", worth=1.2 + 0.3 * (last - first)
            )
    if first == 0:
        yield from _away(route, last)


def ends_here(route: RouteIndex, step: int) -> bool:
    """Return whether a walker has come along a hallway that ends here, or goes on in another direction."""
    index, row = route.index, route.rows[step]
    region = index.regions[row]
    if step == 0 or index.regions[route.rows[step - 1]] != region:
        return False
    heading = route.headings[step]
    onward = (to for to, course in index.edges[row].items() if abs(relative(heading, course)) <= _ONWARD)
    return not any(index.regions[to] == region for to in onward)


def _away(route: RouteIndex, last: int) -> Iterator[RouteStatement]:
    """Yield what the walker turns his back to at the start."""
    index, row = route.index, route.rows[0]
    for thing, sight in index.visible[row].items():
        behind = abs(relative(route.courses[0], sight.heading)) >= _BEHIND
        if behind and sight.distance is not None and sight.distance <= _AWAY:
            away = RouteStatement("go", 0, last, side="behind", worth=0.5 * salience(route, thing, 0, 0))
            yield from named(route, away, route.courses[0], thing)


def room_ref(route: RouteIndex, region: int | None) -> Ref | None:
    """Return how a region is called; None if it has no name."""
    name = None if region is None else room_name(route.index.labels[region])
    return None if name is None else Ref("room", name, region=region)


def _rooms(route: RouteIndex, first: int, last: int) -> Iterator[RouteStatement]:
    regions = [route.index.regions[row] for row in route.rows[first : last + 1]]
    here, there = room_ref(route, regions[0]), room_ref(route, regions[-1])
    rooms = [room_ref(route, region) for region in regions]
    if there and regions[-2] != regions[-1] and not any(_answers(route, r, there) for r in regions[:-1]):
        worth = 3.0 if there.name != "room" else 1.5
        yield RouteStatement("enter", first, last, place=there, worth=worth)
        if there.name == "porch":
            yield RouteStatement(
                "enter", first, last, place=there._replace(name="outdoor"), worth=worth - 0.5
            )
        for ref in _furnished(route, first, last, there):
            yield RouteStatement("enter", first, last, place=ref, worth=worth - 1.2)
    apart = here is not None and not _answers(route, regions[-1], here)
    if here and set(regions[:-1]) == {regions[0]} and apart:
        worth = 3.0 if here.name != "room" else 2.0
        yield RouteStatement("exit", first, last, place=here, worth=worth)
        if there and not _answers(route, regions[0], there):
            yield RouteStatement("exit", first, last, place=here, into=there, worth=worth + 0.5)
        for ref in _way_out(route, first, last):
            yield RouteStatement(
                "exit", first, last, place=here, at=ref, at_relation="at", worth=worth + 0.6 - wordiness(ref)
            )
    middle = rooms[1:-1]
    one = middle[0] if len(set(regions[1:-1])) == 1 else None
    if one and not any(_answers(route, region, one) for region in (regions[0], regions[-1])):
        yield RouteStatement("through", first, last, place=one, worth=3.5 if one.name != "room" else 1.0)


def _answers(route: RouteIndex, region: int | None, room: Ref) -> bool:
    """Return whether a region could be meant by the name of a room; “room” means only the one."""
    if region is None or room.name == "room":
        return region == room.region
    return route.index.labels[region] in lexicon().rooms[room.name].letters


def _crossings(route: RouteIndex, first: int, last: int) -> Iterator[DoorCrossing]:
    """Yield the openings behind which a stretch ends, and which are in sight where it begins."""
    seen = route.index.visible[route.rows[first]]
    return (it for it in route.crossings if it.last == last and first <= it.first and it.thing in seen)


def _way_out(route: RouteIndex, first: int, last: int) -> Iterator[Ref]:
    """Yield names of the door through which a room is left."""
    for crossing in _crossings(route, first, last):
        yield from route.namer.of(route.rows[first], route.courses[first], crossing.thing)


def _furnished(route: RouteIndex, first: int, last: int, room: Ref) -> Iterator[Ref]:
    """Yield “the room with the piano”."""
    index = route.index
    for thing in index.visible[route.rows[last]]:
        seen_before = thing in index.visible[route.rows[first]]
        if not seen_before or index.things[thing].name in _NOT_IN_ROOMS:
            continue
        for ref in route.namer.of(route.rows[first], route.courses[first], thing):
            at_home = all(index.homes[one] == room.region for one in ref.things)
            if is_plain(ref) and at_home:
                yield room._replace(relations=(("with", ref),))


def _past(route: RouteIndex, first: int, last: int) -> Iterator[RouteStatement]:
    index = route.index
    start, before = route.rows[first], route.rows[last - 1]
    for met in index.abreast(before, route.rows[last]):
        thing = index.things[met.thing]
        if met.thing not in index.visible[start] or abs(met.aside) < 0.4 or thing.name in OPENINGS | {"rug"}:
            continue
        if last < route.end and _abreast_later(route, last, met.thing):
            continue
        side: Side = "right" if met.aside > 0 else "left"
        worth = salience(route, met.thing, first, last) - 0.2 * abs(met.aside)
        past = RouteStatement("past", first, last, side=side, worth=worth)
        fits = partial(_passed_on, route, last, side)
        yield from named(route, past, route.courses[first], met.thing, fits)


def _between(route: RouteIndex, first: int, last: int) -> Iterator[RouteStatement]:
    """Yield pairs of things, one on each side, between which the last step goes."""
    index, start = route.index, route.rows[first]
    met = [
        one
        for one in index.abreast(route.rows[last - 1], route.rows[last])
        if 0.4 <= abs(one.aside) <= _GAP and index.things[one.thing].name not in _NO_GATES
    ]
    for left in (one for one in met if one.aside < 0):
        for right in (one for one in met if one.aside > 0):
            here, there = (_plain_name(route, start, one.thing) for one in (left, right))
            if here and there and here.name != there.name:
                worth = sum(salience(route, one.thing, first, last) for one in (left, right)) / 2
                yield RouteStatement(
                    "past",
                    first,
                    last,
                    place=here._replace(relations=(("with", there),)),
                    relation="between",
                    worth=worth - 0.4,
                )


def _plain_name(route: RouteIndex, row: int, thing: int) -> Ref | None:
    """Return a name without side or neighbour, if the thing is in sight and has one."""
    if thing not in route.index.visible[row]:
        return None
    names = route.namer.of(row, 0.0, thing)
    return next((ref for ref in names if is_plain(ref) and ref.number is None), None)


def _passed_on(route: RouteIndex, last: int, side: Side, ref: Ref) -> bool:
    """Return whether all things of a name are on one side of the last step, and on no other by the name."""
    if ref.side not in (None, side) or len(ref.things) == 1:
        return ref.side in (None, side)
    course = route.courses[last - 1]
    spots = [route.index.offset(route.rows[last - 1], course, thing) for thing in ref.things]
    return all(spot is not None and (spot[1] > 0) == (side == "right") for spot in spots)


def _abreast_later(route: RouteIndex, last: int, thing: int) -> bool:
    later = route.index.abreast(route.rows[last], route.rows[last + 1])
    return any(met.thing == thing and met.along > 0.3 for met in later)


def _towards(route: RouteIndex, first: int, last: int) -> Iterator[RouteStatement]:
    index = route.index
    for number, sight in index.visible[route.rows[first]].items():
        thing = index.things[number]
        if thing.centre is None or abs(relative(route.courses[first], sight.heading)) > _TOWARDS:
            continue
        if thing.name in OPENINGS and any(crossing.thing == number for crossing in route.crossings):
            continue
        away = [flat_distance(index.positions[row], thing.centre) for row in route.rows[first:]]
        near = away[: last - first + 1]
        reached = REACHED + (STAIRS_REACH if thing.name == "stairs" else 0.0)
        if near != sorted(near, reverse=True) or near[-1] > reached or near[0] - near[-1] < 1.5:
            continue
        if len(away) > len(near) and away[len(near)] < near[-1] - 0.3:
            continue
        towards = RouteStatement("towards", first, last, worth=salience(route, number, first, last))
        yield from named(route, towards, route.courses[first], number)


def _doors(route: RouteIndex, first: int, last: int, bends: list[float]) -> Iterator[RouteStatement]:
    index = route.index
    for crossing in _crossings(route, first, last):
        into = room_ref(route, index.regions[route.rows[last]])
        if into and _answers(route, index.regions[route.rows[first]], into):
            into = None
        for ref in _door_names(route, first, crossing, bends):
            for worth, room in ((2.6, None), (3.4, into))[: 2 if into else 1]:
                worth = worth + _COUNTED * bool(ref.ordinal) - wordiness(ref)
                yield RouteStatement("through", first, last, place=ref, into=room, worth=worth)
        if into and into.name != "room" and all(bend <= SLIGHT for bend in bends):
            name = index.things[crossing.thing].name
            to_room = Ref("object", name, relations=(("at", into),), things=(crossing.thing,))
            yield RouteStatement("through", first, last, place=to_room, worth=2.2)


def _door_names(route: RouteIndex, first: int, crossing: DoorCrossing, bends: list[float]) -> Iterator[Ref]:
    """Yield names of an opening: plain on a straight way, by side and number if it is turned into."""
    index = route.index
    into = route.turns[crossing.first] if crossing.first > first else 0.0
    straight_before = all(bend <= STRAIGHT for bend in bends[: max(0, crossing.first - first - 1)])
    if all(bend <= SLIGHT for bend in bends):
        yield from route.namer.of(route.rows[first], route.courses[first], crossing.thing)
    if crossing.first > first and abs(into) > SLIGHT and straight_before:
        side: Side = "right" if into > 0 else "left"
        counted = _count(route, first, crossing, side)
        if counted is not None:
            name = index.things[crossing.thing].name
            for number in counted:
                yield Ref("object", name, ordinal=number, side=side, things=(crossing.thing,))


def _count(route: RouteIndex, first: int, crossing: DoorCrossing, side: Side) -> tuple[int, ...] | None:
    """Return which opening on a side this is, counted from `first`; -1 for the last, None if unclear."""
    index = route.index
    name = index.things[crossing.thing].name
    start, course = route.rows[first], route.courses[first]
    rows = route.rows[first : crossing.last + 1]
    seen = {thing for row in rows for thing in index.visible[row] if index.things[thing].name in OPENINGS}
    spots = {thing: index.offset(start, course, thing) for thing in sorted(seen)}
    own = spots[crossing.thing]
    if own is None or (own[1] > 0) != (side == "right"):
        return None
    order = [
        thing
        for thing, spot in sorted(spots.items(), key=lambda item: item[1] or (0.0, 0.0))
        if spot and spot[0] > 0.2 and spot[1] * own[1] > 0 and 0.3 <= abs(spot[1]) <= 3.0
    ]
    if crossing.thing not in order:
        return None
    position = order.index(crossing.thing)
    if any(index.things[thing].name != name for thing in order[: position + 1]):
        return None
    last = position == len(order) - 1 and position > 0
    return (position + 1, -1) if last else (position + 1,)


_NOT_IN_ROOMS = OPENINGS | {"window", "stairs"}
_DULL = {
    "picture": 0.4, "window": 0.5, "curtain": 0.4, "books": 0.3, "bowl": 0.4, "towel": 0.4, "candle": 0.4,
    "cushion": 0.4, "kettle": 0.5, "rug": 0.7, "door": 0.6, "doorway": 0.6, "chandelier": 0.6, "vase": 0.7,
    "trash can": 0.6, "basket": 0.6, "stairs": 2.6, "radiator": 0.5, "blinds": 0.4, "bath mat": 0.5,
    "yoga mat": 0.6, "laptop": 0.5, "toaster": 0.4, "coffee machine": 0.5, "bottle": 0.2, "plate": 0.2,
    "cup": 0.2, "pot": 0.4, "knife block": 0.3, "fruit bowl": 0.5, "toilet paper": 0.2, "scale": 0.3,
    "bucket": 0.5, "wall shelf": 0.5, "backpack": 0.6, "photo frame": 0.3, "shoes": 0.3, "range hood": 0.5,
    "air conditioner": 0.5, "ceiling fan": 0.6, "printer": 0.6,
}  # fmt: skip
"""How much less (or more) than their size tells these things catch the eye."""


def salience(route: RouteIndex, thing: int, first: int, last: int) -> float:
    """Return how much a thing catches the eye on a stretch: large things do, and those in the same room."""
    index = route.index
    its = index.things[thing]
    size = math.sqrt(sum(side * side for side in its.box)) if its.box else 1.0
    at_home = index.homes[thing] in {index.regions[row] for row in route.rows[first : last + 1]}
    return _DULL.get(its.name, 1.0) * (1.2 + 0.5 * min(size, 2.5)) - (0.0 if at_home else 1.5)


def wordiness(ref: Ref) -> float:
    """Return how much longer than a plain noun a name is."""
    extra = 0.3 * len(ref.attributes) + 0.5 * (ref.side is not None) + 0.8 * len(ref.relations)
    return extra + 0.3 * (ref.number is not None) + 0.6 * (ref.name in LOOSE)
