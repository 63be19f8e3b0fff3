"""Refuses evidence that was not walked in the tours that it is scored by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vlnscope.benchmarks.kit.case_set import CaseSet, CaseTour
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.formats.evidence import EvidenceLine


def tours_of(case_set: CaseSet) -> tuple[CaseTour, ...]:
    """Return the tours of a case set.

    Raises:
        InputError: there are none; or one is empty, or names a case that the set does not have, or that
            another place has.
    """
    if not case_set.tours:
        raise InputError(
            f"the cases of {case_set.data} are in no tours",
            expected="cases that are walked one after the other",
            fix="build them with `vlnscope build tours --cases`",
        )
    left = {case.case_id for case in case_set.cases}
    for tour in case_set.tours:
        for name in tour.case_ids:
            if name not in left:
                raise InputError(
                    f"tour {tour.tour_id} names case {name}, which is not in the set or has a place already",
                    expected="cases of the set, each at one place of one tour",
                    fix="build the cases again",
                )
            left.discard(name)
        if not tour.case_ids:
            raise InputError(
                f"tour {tour.tour_id} has no cases", expected="one or more", fix="build the cases again"
            )
    return case_set.tours


def check_lines(tours: Sequence[CaseTour], evidence: Mapping[str, EvidenceLine]) -> None:
    """Refuse evidence of cases that were not walked at their place of their tour.

    Cases that failed before anybody could say where they stand are let through.

    Raises:
        InputError: a case was walked alone, in another tour, or at another place.
    """
    for tour in tours:
        for place, name in enumerate(tour.case_ids):
            line = evidence.get(name)
            if line is None or (line.phases is None and line.failed is not None):
                continue
            led = line.phases
            where = "alone" if led is None else f"at place {led.place} of tour {led.tour_id}"
            if led is None or (led.tour_id, led.place) != (tour.tour_id, place):
                raise InputError(
                    f"case {name} was walked {where}",
                    expected=f"place {place} of tour {tour.tour_id}",
                    fix="run the agent on the cases of the same folder (`vlnscope run --cases DIR`)",
                )
