"""Statements in words: the wording that the interval allows, with the numbers filled in."""

from __future__ import annotations

from vlnscope.benchmarks.kit.findings import Statement, Unit

_SUFFIX: dict[Unit, str] = {
    "%": " %",
    "% change": " %",
    "points": " points",
    "m": " m",
    "steps": " steps",
    "episodes": " episodes",
    "": "",
}


def sentence(statement: Statement) -> str:
    """Say what was found, with the interval behind the number.

    A statement without a number says why there is none; one whose interval includes the null is said in
    the words for that, never in those for an effect.

    Example:
        >>> from vlnscope.benchmarks.kit.findings import Wording
        >>> words = Wording(above="turns left when told to: {value}", unclear="chance: {value}")
        >>> left = Statement(
        ...     key="left", agent="mine", value=91.0, low=88.0, high=94.0, null=20.0, wording=words
        ... )
        >>> sentence(left)
        'turns left when told to: 91.0 % [88.0, 94.0]'
    """
    template = getattr(statement.wording, statement.verdict) or statement.wording.plain
    if statement.value is None:
        return f"{statement.key}: not to be said ({statement.reason or 'no case has a value'})"
    suffix = _SUFFIX[statement.unit]
    value = f"{number(statement.value)}{suffix}"
    if statement.low is not None and statement.high is not None:
        value += f" [{number(statement.low)}, {number(statement.high)}]"
    return template.format(
        value=value,
        low=_with(statement.low, suffix),
        high=_with(statement.high, suffix),
        null=_with(statement.null, suffix),
        n=f"{statement.n:,}",
    )


def ranked(statements: tuple[Statement, ...]) -> list[Statement]:
    """Return statements, the weightiest first; those of equal weight as they stand."""
    return sorted(statements, key=lambda statement: -statement.weight)


def number(value: float) -> str:
    """Write a number as reports do: one decimal, two below one, never minus nought."""
    digits = 1 if abs(value) >= 1 or value == 0 else 2
    text = f"{value:.{digits}f}"
    return text.replace("-", "−") if float(text) else f"{0:.{digits}f}"


def _with(value: float | None, suffix: str) -> str:
    return "?" if value is None else number(value) + suffix
