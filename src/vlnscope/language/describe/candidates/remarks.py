"""Remarks that ask for nothing: where the walker is, and what there is to see. Only true ones."""

from __future__ import annotations

import math
from collections.abc import Iterator

from vlnscope.language.bearings import relative, side_word
from vlnscope.language.describe.candidates.referring import Ref
from vlnscope.language.describe.candidates.statements import Clue, fuss, room_ref, salience
from vlnscope.language.describe.route import Walk
from vlnscope.language.describe.scene_index import OPENINGS

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
