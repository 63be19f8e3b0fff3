"""Wordings of atomic instructions: the templates of the paper first, then others that keep its keywords.

The official evaluators look for ``walk towards``, ``walk past``, ``go into`` and ``exit`` in the text itself,
so every wording of landmarks and regions has its keyword; a turn around is always called so.
"""

from __future__ import annotations

from collections.abc import Mapping

from vlnscope.core.rng import rng_for

_TURNS = (
    "turn {way} and then walk straight",
    "turn {way} and go straight",
    "turn {way}, then walk straight ahead",
    "turn {way} and walk forward",
    "make a {way} turn and go straight",
    "go {way} and then continue straight",
)
_AROUND = (
    "turn around and then walk straight",
    "turn around and go straight",
    "turn around, then walk straight ahead",
    "turn around and walk forward",
)

PHRASES: Mapping[str, tuple[str, ...]] = {
    "left": _TURNS,
    "right": _TURNS,
    "around": _AROUND,
    "up": (
        "go upstairs",
        "go upstairs and stop",
        "walk up the stairs and stop",
        "take the stairs up to the next floor and stop",
    ),
    "down": (
        "go downstairs",
        "go downstairs and stop",
        "walk down the stairs and stop",
        "take the stairs down to the next floor and stop",
    ),
    "door": (
        "walk along the corridor and turn into the {ordinal} room on your {side}",
        "go through the {ordinal} door on your {side}",
        "take the {ordinal} door on the {side}",
        "walk through the {ordinal} door on your {side} and stop",
    ),
    "count": (
        "walk to the {ordinal} {thing} on your {side}",
        "go to the {ordinal} {thing} on the {side}",
        "walk over to the {ordinal} {thing} on your {side} and stop",
    ),
    "towards": (
        "walk towards {landmark}",
        "walk towards {landmark} and stop",
        "walk towards {landmark} and stop near it",
        "turn and walk towards {landmark}",
    ),
    "past": (
        "walk past {landmark}",
        "walk past {landmark} and stop",
        "walk past {landmark}, then stop",
        "walk past {landmark} and wait there",
    ),
    "into": (
        "go into {room}",
        "go into {room} and stop",
        "turn and go into {room}",
        "go into {room} and wait there",
    ),
    "exit": (
        "exit {room}",
        "exit {room} and stop",
        "turn and exit {room}",
        "exit {room} and wait there",
    ),
}
"""Wordings by kind of item; the first is the template."""

KEYWORDS: Mapping[str, str] = {
    "towards": "walk towards",
    "past": "walk past",
    "into": "go into",
    "exit": "exit",
    "around": "turn around",
}
"""What must stand in the text for the official evaluators."""


def template(phrase: str, slots: Mapping[str, str]) -> str:
    """Return the paper's wording of an instruction.

    Example:
        >>> template("towards", {"landmark": "the red chair"})
        'walk towards the red chair'
    """
    return PHRASES[phrase][0].format(**slots)


def reworded(phrase: str, slots: Mapping[str, str], seed: int, name: str) -> str:
    """Return one of the wordings of an instruction, drawn for the item called `name`.

    Example:
        >>> "exit" in reworded("exit", {"room": "the kitchen"}, 0, "any")
        True
    """
    options = PHRASES[phrase]
    draw = int(rng_for(seed, "nuances wording", name).integers(len(options)))
    return options[draw].format(**slots)
