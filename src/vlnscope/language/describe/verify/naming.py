"""Whether the names in a statement are right: in sight, answering to the words, and meaning nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vlnscope.language.actions import NamedPlace
from vlnscope.language.describe.describer import GroundedAction, Referent
from vlnscope.language.describe.verify.observer import MATCHING, Observer
from vlnscope.language.geometry import ABREAST, flat_distance, passing, relative, same_storey, side_word
from vlnscope.language.lexicon.entries import lexicon
from vlnscope.types import Point, SeenObject

BESIDE = 1.6


def wrong_names(observer: Observer, text: str, statement: GroundedAction) -> Iterator[str]:
    """Yield what is wrong with the places that a statement names."""
    for referent in statement.referents:
        place = referent.place
        words = text[place.span.start : place.span.end].lower()
        entry = (lexicon().rooms if place.what == "room" else lexicon().objects)[place.name]
        if words != "it" and not any(form in words for form in (*entry.forms, *entry.plurals)):
            yield f"{words!r} is no word for {place.name}"
        for _, other in place.relations:
            yield from _unrelated(observer, statement, referent, other)
        if place.what == "room":
            yield from _wrong_room(observer, referent)
        else:
            yield from _wrong_objects(observer, statement, referent, again=words == "it")


def referent_of(statement: GroundedAction, place: NamedPlace | None) -> Referent | None:
    """Return what a place of a statement is."""
    return next((referent for referent in statement.referents if referent.place == place), None)


def _wrong_room(observer: Observer, referent: Referent) -> Iterator[str]:
    place = referent.place
    for region in referent.regions:
        if observer.scene.regions.labels[region] not in lexicon().rooms[place.name].letters:
            yield f"region {region} is no {place.name}"
        if not observer.is_sized(region, place):
            yield f"region {region} is not {' '.join(place.attributes)}"


def _wrong_objects(
    observer: Observer, statement: GroundedAction, referent: Referent, *, again: bool
) -> Iterator[str]:
    place, ids = referent.place, referent.object_ids
    steps = range(statement.first_step, statement.last_step + 1)
    for name in ids:
        things = [thing for step in steps if (thing := observer.seen(step).get(name)) is not None]
        if not things:
            yield f"{name} is not in sight"
        elif not observer.answers(things[0], place):
            yield f"{name} is no {' '.join((*place.attributes, place.name))}"
    if MATCHING in place.attributes and not observer.match(ids, steps):
        yield f"the objects called {place.name!r} do not match"
    if not _right_number(place.count, len(ids)):
        yield f"it means {len(ids)} objects"
    if place.ordinal is not None:
        yield from _miscounted(observer, statement, referent)
    elif not again and not _picked_by_deed(statement, place) and not _unique(observer, statement, referent):
        yield f"other objects in sight answer to {place.name!r} too"


def _right_number(said: int | None, meant: int) -> bool:
    return meant == 1 if said is None else meant >= 2 if said == 0 else meant == said


def _picked_by_deed(statement: GroundedAction, place: NamedPlace) -> bool:
    """Return whether it is plain which object is meant by what is done with it.

    So it is for stairs that are climbed, a doorway that is stood in, and a door that leads to a room.
    """
    action = statement.action
    stood_in = action.kind == "stop" and action.relation in ("in", "at") and place.name == "doorway"
    leads = any(other.what == "room" for _, other in place.relations)
    climbed = action.kind == "stairs" or {action.relation, action.at_relation} & {"top of", "bottom of"}
    return bool(climbed) or leads or (stood_in and action.place == place)


def _unique(observer: Observer, statement: GroundedAction, referent: Referent) -> bool:
    """Return whether nothing else in sight can be meant where the walker has to know."""
    place, ids = referent.place, set(referent.object_ids)
    step = _needed(observer, statement, referent)
    alike = observer.alike(step, place)
    for relation, other in place.relations:
        if relation != "near":
            continue
        near = [thing.centre for thing in observer.alike(step, other).values()]
        alike = {name: thing for name, thing in alike.items() if _close(thing.centre, near)}
    if place.side is None and set(alike) == ids:
        return True
    side = place.side or statement.action.side
    return side is not None and any(
        {name for name, thing in alike.items() if side_word(relative(heading, thing.heading)) == side} == ids
        for heading in observer.headings(step)
    )


def _needed(observer: Observer, statement: GroundedAction, referent: Referent) -> int:
    """Return where a walker has to know what is meant: at a stop in the end, else where it comes in sight."""
    steps = range(statement.first_step, statement.last_step + 1)
    if statement.action.kind == "stop":
        return statement.last_step
    return next((s for s in steps if set(referent.object_ids) <= set(observer.seen(s))), statement.last_step)


def _unrelated(
    observer: Observer, statement: GroundedAction, referent: Referent, other: NamedPlace
) -> Iterator[str]:
    its = referent_of(statement, other)
    steps = range(statement.first_step, statement.last_step + 1)
    if its is None:
        yield f"nothing is known of {other.name!r}"
    elif referent.place.what == "room":
        if any(observer.home(name) not in referent.regions for name in its.object_ids):
            yield f"the {other.name} is not in the {referent.place.name}"
    elif other.what == "room":
        if not any(observer.region(step) in its.regions for step in steps):
            yield f"the {other.name} is not here"
    elif statement.action.relation != "between" and not any(
        _close(observer.centre(name, steps), [observer.centre(near, steps) for near in its.object_ids])
        for name in referent.object_ids
    ):
        yield f"it is not next to the {other.name}"


def _miscounted(observer: Observer, statement: GroundedAction, referent: Referent) -> Iterator[str]:
    """Count along the first step's direction what comes in sight on the way."""
    place, first = referent.place, statement.first_step
    here, ahead = observer.points[first], observer.points[first + 1]
    things: dict[str, SeenObject] = {}
    for step in range(first, statement.last_step + 1):
        things |= observer.alike(step, place)
    spots = {name: _spot(here, ahead, thing.centre) for name, thing in things.items() if thing.centre}
    sign = {"left": -1, "right": 1}.get(place.side or "", 0)
    order = [
        name
        for name, spot in sorted(spots.items(), key=lambda item: item[1] or (0.0, 0.0))
        if spot and spot[0] > 0.2 and abs(spot[1]) <= ABREAST and spot[1] * sign >= (0.3 if sign else 0.0)
    ]
    number = place.ordinal or 1
    if (order[-1:] if number < 0 else order[number - 1 : number]) != list(referent.object_ids):
        yield f"the {place.name} number {number} is another"


def _spot(here: Point, ahead: Point, centre: Point) -> tuple[float, float] | None:
    """Return how far along a step's direction and to its right something on the same storey is."""
    if not same_storey(here, centre):
        return None
    along, aside = passing(here, ahead, centre)
    return along * flat_distance(here, ahead), aside


def _close(centre: Point | None, others: Sequence[Point | None]) -> bool:
    return centre is not None and any(
        other is not None and flat_distance(centre, other) <= BESIDE for other in others
    )
