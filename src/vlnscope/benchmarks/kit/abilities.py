"""Abilities that several benchmarks look at, each from its own side.

A `Statement` with a topic says how much of that ability an agent shows, between `worst` and `best`. Reports
bring the statements of a topic together: what one benchmark cannot find, another may.
"""

from __future__ import annotations

from typing import NamedTuple

HALF = 0.5
"""What words or memory change is full ability from this share on of all that they could change.

An instruction says most things twice, and a walk without words is not worth nothing: nobody loses everything
to one wrong word, or to none at all.
"""


class Topic(NamedTuple):
    """An ability.

    Attributes:
        can: said of an agent that has it.
        cannot: said of one that lacks it.
        partly: said of one that surely does not have all of it.
        asked_by: the benchmark that was made to ask for it; others confirm.
        part_of: the ability that it is a part of; who lacks that one lacks this one.
        needs: abilities that are not part of it, but without which it cannot be shown.
    """

    can: str
    cannot: str
    partly: str
    asked_by: str
    part_of: str = ""
    needs: tuple[str, ...] = ()


TOPICS = {
    "stopping": Topic(
        "stops where it should",
        "does not stop where it should",
        "does not always stop where it should",
        "outcomes",
    ),
    "reading": Topic(
        "reads its instructions",
        "does not read its instructions",
        "makes too little of its instructions",
        "fidelity",
    ),
    "left": Topic(
        "turns left when told to",
        "does not heed “left”",
        "does not always heed “left”",
        "nuances",
        "directions",
    ),
    "right": Topic(
        "turns right when told to",
        "does not heed “right”",
        "does not always heed “right”",
        "nuances",
        "directions",
    ),
    "directions": Topic(
        "goes in the direction it is told",
        "does not heed directions",
        "does not always heed directions",
        "nuances",
        "reading",
    ),
    "up": Topic(
        "goes up when told to", "does not heed “up”", "does not always heed “up”", "nuances", "stairs"
    ),
    "down": Topic(
        "goes down when told to", "does not heed “down”", "does not always heed “down”", "nuances", "stairs"
    ),
    "stairs": Topic(
        "takes the right stairs",
        "does not heed “up” and “down”",
        "does not always take the right stairs",
        "nuances",
        "reading",
    ),
    "rooms": Topic(
        "knows rooms by name",
        "does not heed the names of rooms",
        "does not always heed the names of rooms",
        "nuances",
        "reading",
    ),
    "things": Topic(
        "knows things by name",
        "does not heed the names of things",
        "does not always heed the names of things",
        "nuances",
        "reading",
    ),
    "counting": Topic(
        "counts",
        "does not count",
        "does not always count right",
        "nuances",
        "reading",
        needs=("left", "right", "things"),
    ),
    "route": Topic(
        "takes the described way",
        "does not take the described way",
        "does not always take the described way",
        "fidelity",
    ),
    "memory": Topic(
        "remembers the house", "does not remember the house", "remembers only some of the house", "tours"
    ),
}
"""By name; where agents lack several as much, reports name them in this order."""
