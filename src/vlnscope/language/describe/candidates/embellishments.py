"""What people say without need: remarks on the way, where they start, and attributes of things."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from vlnscope.language.bearings import relative, side_word
from vlnscope.language.describe.candidates.referring import Ref, told_attributes
from vlnscope.language.describe.candidates.statements import Clue, fuss, room_ref, salience
from vlnscope.language.describe.route import Walk
from vlnscope.language.describe.scene_index import OPENINGS
from vlnscope.language.describe.select.choice import Manner, pick
from vlnscope.language.lexicon.sizes import FRAMED, OPINIONS, room_size_words, size_words

_SEEN = 6.0
_CLOSE = 4.0
_STAIRS_SEEN = 9.0
_FACED = math.radians(25)
_BESIDE = (math.radians(38), math.radians(125))


def start_remarks(walk: Walk) -> tuple[Clue, ...]:
    """Return what can be said of the start: what the walker faces, and which room it is."""
    room = room_ref(walk, walk.survey.regions[walk.rows[0]])
    found = []
    if room is not None:
        found.append(Clue("remark", 0, 0, place=room, relation="in", worth=2.0))
    for thing, sight in walk.survey.sights[walk.rows[0]].items():
        if abs(relative(walk.heading, sight.heading)) > _FACED or (sight.distance or 3.0) > _SEEN:
            continue
        worth = salience(walk, thing, 0, 0)
        found += [
            Clue("remark", 0, 0, place=ref, side="ahead", worth=worth - fuss(ref))
            for ref in walk.names.of(walk.rows[0], walk.heading, thing)
            if ref.side is None and not ref.relations and len(ref.things) == 1
        ]
    return tuple(found)


def sight_remarks(walk: Walk, step: int) -> Iterator[Clue]:
    """Yield what there is to see to the left and right of a step by a walker who walks on."""
    row, survey = walk.rows[step], walk.survey
    heading = walk.courses[step] if step < walk.end else walk.headings[step]
    for thing, sight in survey.sights[row].items():
        angle = relative(heading, sight.heading)
        if not _BESIDE[0] <= abs(angle) <= _BESIDE[1] or (sight.distance or 2.0) > _SEEN:
            continue
        if survey.things[thing].name in OPENINGS and survey.homes[thing] is None:
            continue
        worth = salience(walk, thing, step, step)
        for ref in walk.names.of(row, heading, thing):
            sides = {side_word(relative(heading, survey.sights[row][one].heading)) for one in ref.things}
            if ref.side is None and not ref.relations and len(sides) == 1:
                yield Clue("remark", step, step, place=ref, side=side_word(angle), worth=worth - fuss(ref))


def stairs_remarks(walk: Walk) -> tuple[Clue, ...]:
    """Return remarks on stairs that come in sight on the way but are not taken; sides are as one arrives."""
    if walk.flights:
        return ()
    found: list[Clue] = []
    for step in range(1, walk.end):
        stairs = walk.survey.in_view(walk.rows[step], "stairs")
        if len(stairs) != 1:
            continue
        sight = walk.survey.sights[walk.rows[step]][stairs[0]]
        away = sight.distance or _SEEN
        if away > _STAIRS_SEEN:
            continue
        ref = Ref("object", "stairs", things=stairs)
        side = side_word(relative(walk.headings[step], sight.heading))
        if side != "behind":
            found.append(Clue("remark", step, step, place=ref, side=side))
        if away < _CLOSE:
            found.append(Clue("remark", step, step, place=ref, how="not"))
    return tuple(found)


def room_remark(walk: Walk, step: int) -> Clue | None:
    """Return that the walker is in another room now; None if the step does not begin a stay in a room."""
    room = room_ref(walk, walk.survey.regions[walk.rows[step]])
    if room is None or room.name == "room" or not any(stay.first == step for stay in walk.stays):
        return None
    return Clue("remark", step, step, place=room, relation="in", worth=2.0)


def adorn(walk: Walk, clues: tuple[Clue, ...], rng: np.random.Generator, manner: Manner) -> tuple[Clue, ...]:
    """Add remarks and attributes to the statements of an instruction; all of them true."""
    said = _with_stairs(walk, _with_remarks(walk, clues, rng, manner), rng.random(), manner)
    return tuple(_adorned(walk, clue, rng, manner) for clue in said)


def _with_remarks(
    walk: Walk, clues: tuple[Clue, ...], rng: np.random.Generator, manner: Manner
) -> tuple[Clue, ...]:
    said: list[Clue] = list(_opening(walk, rng)) if manner.opening else []
    named = {thing for clue in clues for ref in (clue.place, clue.at) if ref for thing in ref.things}
    for clue in clues:
        said.append(clue)
        if not clue.first < clue.last < walk.end or rng.random() >= manner.remarks:
            continue
        room = room_remark(walk, clue.last)
        if room is not None and room.place not in (clue.place, clue.into):
            said.append(room)
            if rng.random() >= manner.remarks / 2:
                continue
        seen = [r for r in sight_remarks(walk, clue.last) if r.place and named.isdisjoint(r.place.things)]
        if seen and walk.words[clue.last] == "straight":
            said.append(pick(seen, {}, rng.random()))
            named.update(said[-1].place.things if said[-1].place else ())
    return tuple(said)


def _with_stairs(walk: Walk, clues: tuple[Clue, ...], chance: float, manner: Manner) -> tuple[Clue, ...]:
    """Add a remark on stairs that are only seen, where a statement ends at which they are in sight."""
    spoken = any(ref is not None and ref.name == "stairs" for clue in clues for ref in (clue.place, clue.at))
    if spoken or chance >= manner.stairs:
        return clues
    places = {clue.last: number for number, clue in enumerate(clues) if clue.first < clue.last}
    remarks = [remark for remark in stairs_remarks(walk) if remark.first in places]
    if not remarks:
        return clues
    remark = remarks[int(chance / manner.stairs * len(remarks))]
    place = places[remark.first] + 1
    return (*clues[:place], remark, *clues[place:])


def _adorned(walk: Walk, clue: Clue, rng: np.random.Generator, manner: Manner) -> Clue:
    """Add an attribute or a size to a plain name, as people do without need."""
    ref = clue.place
    if ref is None or ref.attributes or ref.ordinal is not None or rng.random() > manner.adorned:
        return clue
    words = _attributes(walk, ref)
    if not words:
        return clue
    return clue._replace(place=ref._replace(attributes=(words[int(rng.integers(len(words)))],)))


def _attributes(walk: Walk, ref: Ref) -> tuple[str, ...]:
    """Return what may be said of a place without need: colour, material, size, now and then an opinion."""
    survey = walk.survey
    if ref.what == "room":
        spots = [
            spot
            for spot, region in zip(survey.positions, survey.regions, strict=True)
            if region == ref.region
        ]
        return room_size_words(ref.name, spots)
    thing = survey.things[ref.things[0]]
    told = told_attributes(thing.name, thing.attributes)
    if len(ref.things) != 1:
        shared = [word for word in told if all(word in survey.things[t].attributes for t in ref.things)]
        return (*shared * 2, "matching") if shared else ()
    framed = ("framed",) if thing.name in FRAMED and ref.name == thing.name else ()
    if ref.name == "doorway" or not told:
        return size_words(thing.name, thing.box)
    opinions = OPINIONS if thing.name not in OPENINGS else ()
    return (*told * 4, *size_words(thing.name, thing.box) * 2, *framed, *opinions)


def _opening(walk: Walk, rng: np.random.Generator) -> Iterator[Clue]:
    remarks = start_remarks(walk)
    rooms = [clue for clue in remarks if clue.relation == "in"]
    faced = [clue for clue in remarks if clue.side == "ahead"]
    if rooms and rng.random() < 0.8:
        yield rooms[0]
    if faced:
        yield pick(faced, {}, rng.random())
