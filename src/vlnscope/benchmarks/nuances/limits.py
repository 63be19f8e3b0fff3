"""How many items of each category are built."""

from __future__ import annotations

from collections.abc import Mapping

from vlnscope.core.exceptions import InputError

MOST: Mapping[str, int] = {"DC": 5, "VM": 4, "NU": 8, "LR": 10, "RR": 5}
"""How many junctions (DC), starts (VM), rows of each kind (NU), items of each kind (LR, RR) a scene gives."""


def read_limits(text: str) -> dict[str, int]:
    """Read numbers by category.

    Example:
        >>> read_limits("DC=5, LR=20")
        {'DC': 5, 'LR': 20}

    Raises:
        InputError: the text says something else.
    """
    parts = [part.partition("=") for part in text.split(",") if part.strip()]
    try:
        return {name.strip(): int(number) for name, _, number in parts}
    except ValueError:
        raise InputError(
            f"--most {text!r} cannot be read",
            expected="numbers by category",
            fix="write, say, --most DC=5,LR=20",
        ) from None
