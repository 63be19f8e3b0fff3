"""How many steps chains have, and how many chains are built."""

from __future__ import annotations

from vlnscope.core.exceptions import InputError

SHORTEST, LONGEST = 2, 5
"""Fewest and most steps of a chain."""
MOST = 6
"""How many chains of each length a scene gives."""


def read_lengths(text: str) -> tuple[int, ...]:
    """Read one number of steps, or a range of them.

    Example:
        >>> read_lengths("2-5"), read_lengths("3")
        ((2, 3, 4, 5), (3,))

    Raises:
        InputError: the text says something else.
    """
    first, dash, last = text.partition("-")
    try:
        return checked_lengths(tuple(range(int(first), int(last if dash else first) + 1)))
    except ValueError:
        raise InputError(
            f"--lengths {text!r} cannot be read",
            expected="a number of steps or a range of them",
            fix="write, say, --lengths 2-5",
        ) from None


def checked_lengths(lengths: tuple[int, ...]) -> tuple[int, ...]:
    """Return the lengths if chains can have them.

    Raises:
        InputError: there are none, or some are out of range.
    """
    if not lengths or not all(SHORTEST <= length <= LONGEST for length in lengths):
        raise InputError(
            f"chains of {', '.join(map(str, lengths)) or 'no'} steps cannot be built",
            expected=f"{SHORTEST} to {LONGEST} steps",
            fix=f"write, say, --lengths {SHORTEST}-{LONGEST}",
        )
    return tuple(sorted(set(lengths)))
