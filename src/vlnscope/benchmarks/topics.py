"""Abilities that several benchmarks look at, each from its own side.

A `Statement` with a topic says how much of that ability an agent shows, between `worst` and `best`. Reports
bring the statements of a topic together: what one benchmark cannot find, another may.
"""

from __future__ import annotations

from typing import NamedTuple


class Topic(NamedTuple):
    """An ability.

    Attributes:
        can: said of an agent that has it.
        cannot: said of one that lacks it.
        partly: said of one that has some of it.
    """

    can: str
    cannot: str
    partly: str


TOPICS = {
    "reading": Topic("reads its instructions", "does not read its instructions", "reads little"),
    "stopping": Topic("stops where it should", "does not stop where it should", "often stops elsewhere"),
    "left": Topic("turns left when told to", "does not heed “left”", "heeds “left” at times"),
    "right": Topic("turns right when told to", "does not heed “right”", "heeds “right” at times"),
    "directions": Topic(
        "goes in the direction it is told", "does not heed directions", "heeds directions at times"
    ),
    "stairs": Topic(
        "takes the right stairs", "does not heed “up” and “down”", "takes the right stairs at times"
    ),
    "rooms": Topic(
        "knows rooms by name", "does not heed the names of rooms", "heeds names of rooms at times"
    ),
    "things": Topic(
        "knows things by name", "does not heed the names of things", "heeds names of things at times"
    ),
    "counting": Topic("counts", "does not count", "counts at times"),
    "route": Topic("takes the described way", "does not take the described way", "often takes another way"),
    "memory": Topic("remembers the house", "does not remember the house", "remembers some of the house"),
}
"""By name; where agents lack several as much, reports name them in this order."""
