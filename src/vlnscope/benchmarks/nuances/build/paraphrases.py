"""Wordings of atomic instructions: the templates of the paper first, then others that keep its keywords.

The official evaluators look for ``walk towards``, ``walk past``, ``go into`` and ``exit`` in the text itself,
so every wording of landmarks and regions has its keyword; a turn around is always called so.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

import msgspec

from vlnscope.core.rng import rng_for

PHRASES = msgspec.toml.decode(
    (resources.files(__package__) / "wordings.toml").read_bytes(), type=dict[str, tuple[str, ...]]
)
"""Wordings by kind of item; the first is the template."""
KEYWORDS: Mapping[str, str] = {
    "towards": "walk towards",
    "past": "walk past",
    "into": "go into",
    "exit": "exit",
    "around": "turn around",
}
"""What must stand in the text for the official evaluators."""

TURNING = "turn and "
"""How wordings begin that have the walker turn to a way that is not ahead."""


def template(phrase: str, slots: Mapping[str, str]) -> str:
    """Return the paper's wording of an instruction.

    Example:
        >>> template("towards", {"landmark": "the red chair"})
        'walk towards the red chair'
    """
    return PHRASES[phrase][0].format(**slots)


def reworded(phrase: str, slots: Mapping[str, str], seed: int, name: str, *, ahead: bool = False) -> str:
    """Return one of the wordings of an instruction, drawn for the item called `name`.

    Args:
        phrase: which wordings.
        slots: what is put in.
        seed: of the drawing.
        name: of the item.
        ahead: whether the way lies ahead, so that nobody says “turn and …”.

    Example:
        >>> "exit" in reworded("exit", {"room": "the kitchen"}, 0, "any")
        True
    """
    options = [text for text in PHRASES[phrase] if not (ahead and text.startswith(TURNING))]
    draw = int(rng_for(seed, "nuances wording", name).integers(len(options)))
    return options[draw].format(**slots)
