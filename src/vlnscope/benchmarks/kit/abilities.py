"""Abilities that several benchmarks look at, each from its own side.

A benchmark brings along the abilities that it was made to ask for (`Benchmark.abilities`). A `Statement` with
a topic says how much of the ability of that name an agent shows, between `worst` and `best`. Reports bring
the statements of an ability together: what one benchmark cannot find, another may.
"""

from __future__ import annotations

import msgspec

HALF = 0.5
"""What words or memory change is full ability from this share on of all that they could change.

An instruction says most things twice, and a walk without words is not worth nothing: nobody loses everything
to one wrong word, or to none at all.
"""


class Ability(msgspec.Struct, frozen=True, kw_only=True):
    """Something that an agent can or cannot do.

    Attributes:
        can: said of an agent that has it.
        cannot: said of one that lacks it.
        partly: said of one that surely does not have all of it.
        order: where agents lack several abilities as much, reports name the one with the lowest number first.
        part_of: the ability that it is a part of; who lacks that one lacks this one.
        needs: abilities that are not part of it, but without which it cannot be shown.
        asked_by: the benchmark that brings it; others confirm. Filled in by `abilities`.
    """

    can: str
    cannot: str
    partly: str
    order: int = 1000
    part_of: str = ""
    needs: tuple[str, ...] = ()
    asked_by: str = ""


def abilities() -> dict[str, Ability]:
    """Return the abilities of all benchmarks by name, in the order in which reports name them."""
    from vlnscope.benchmarks.kit.benchmark import benchmarks

    known: dict[str, Ability] = {}
    for benchmark in benchmarks():
        for name, ability in benchmark.abilities.items():
            known.setdefault(name, msgspec.structs.replace(ability, asked_by=benchmark.name))
    return dict(sorted(known.items(), key=lambda item: item[1].order))
