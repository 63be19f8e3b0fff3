"""Which things an expression can mean, taken literally, for someone who stands somewhere."""

from __future__ import annotations

from vlnscope.language.bearings import relative, side_word
from vlnscope.language.describe.candidates.referring import NEIGHBOURLY, Ref, flat_distance, in_view
from vlnscope.language.describe.candidates.statements import ahead_of
from vlnscope.language.describe.scene_index import Survey
from vlnscope.types import Point


def denoted(survey: Survey, ref: Ref, row: int, heading: float) -> tuple[int, ...]:
    """Return the things in sight that an expression can mean for a walker who looks to `heading`."""
    found = in_view(survey, row, ref.name, ref.attributes)
    if ref.ordinal is not None:
        return _counted(survey, ref, row, heading, found)
    if ref.side is not None:
        sights = survey.sights[row]
        found = tuple(t for t in found if side_word(relative(heading, sights[t].heading)) == ref.side)
    for relation, other in ref.relations:
        if other.what == "object" and relation == "near":
            near = [survey.things[t].centre for t in in_view(survey, row, other.name, other.attributes)]
            found = tuple(t for t in found if _beside(survey, t, near))
    return found


def _beside(survey: Survey, thing: int, others: list[Point | None]) -> bool:
    centre = survey.things[thing].centre
    return centre is not None and any(
        other is not None and flat_distance(centre, other) <= NEIGHBOURLY + 0.3 for other in others
    )


def _counted(survey: Survey, ref: Ref, row: int, heading: float, alike: tuple[int, ...]) -> tuple[int, ...]:
    sign = {"left": -1.0, "right": 1.0}.get(ref.side or "", 0.0)
    spots = sorted((spot, thing) for thing in alike if (spot := ahead_of(survey, row, heading, thing)))
    order = [thing for spot, thing in spots if spot[0] > 0.2 and spot[1] * sign >= 0 and abs(spot[1]) <= 3.0]
    if ref.ordinal is None:
        return ()
    return tuple(order[-1:] if ref.ordinal < 0 else order[ref.ordinal - 1 : ref.ordinal])
