"""Experiments that take place in several worlds: what cannot be done in one is left out, and said."""

from __future__ import annotations

from collections.abc import Callable

from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.core.exceptions import InputError, VlnscopeError
from vlnscope.experiments.workspace import Lab
from vlnscope.experiments.worlds import World
from vlnscope.reporting.report_data import LeftOut


def in_each_world(
    lab: Lab, what: str, work: Callable[[Lab, World], Findings]
) -> tuple[tuple[Findings, ...], tuple[LeftOut, ...]]:
    """Do something in each world of a lab.

    Returns:
        What was found, and the worlds in which nothing could be, with the reasons; who took part there before
        it failed is forgotten.

    Raises:
        InputError: it could be done in none.
    """
    found: list[Findings] = []
    left_out: list[LeftOut] = []
    for world in lab.worlds:
        before = len(lab.entrants), len(lab.used)
        try:
            found.append(work(lab, world))
        except VlnscopeError as error:
            if len(lab.worlds) == 1:
                raise
            del lab.entrants[before[0] :], lab.used[before[1] :]
            left_out.append(
                LeftOut(benchmark=what, agents=(world.name,), reason=error.what, remedy=error.fix)
            )
    if not found:
        first = left_out[0]
        raise InputError(
            f"{what} can be had in no world; in {first.agents[0]}: {first.reason}",
            expected="one world at least",
            fix=first.remedy,
        )
    return tuple(found), tuple(left_out)
