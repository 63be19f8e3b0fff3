"""Reading an agent's decision: is it a distribution, and what does it choose?"""

from __future__ import annotations

import math
from collections.abc import Sequence

from vlnscope.core.rng import rng_for
from vlnscope.types import Decision

TOLERANCE = 1e-6


class AgentError(Exception):
    """An agent did not finish a case; the text says why."""


def probabilities_of(decision: Decision, actions: int) -> tuple[float, ...]:
    """Return the probabilities of a decision between so many actions.

    Raises:
        AgentError: it is no distribution over these actions.

    Example:
        >>> probabilities_of(Decision((0.5, 0.5)), 2)
        (0.5, 0.5)
        >>> probabilities_of(Decision((0.5, 0.6)), 2)
        Traceback (most recent call last):
        vlnscope.engine.decisions.AgentError: the probabilities sum to 1.1, not to 1
    """
    try:
        numbers = tuple(map(float, decision.probabilities))
    except (TypeError, ValueError) as error:
        raise AgentError(f"the probabilities are no numbers ({error})") from None
    if len(numbers) != actions:
        raise AgentError(f"{len(numbers)} probabilities for {actions} actions, stop included")
    total = math.fsum(numbers) if all(map(math.isfinite, numbers)) else math.nan
    if math.isnan(total):
        raise AgentError("a probability is NaN or infinite")
    if min(numbers) < 0:
        raise AgentError(f"a probability is {min(numbers)}")
    if abs(total - 1) > TOLERANCE:
        raise AgentError(f"the probabilities sum to {total:.6g}, not to 1")
    return numbers


def most_probable(probabilities: Sequence[float]) -> int:
    """Return the index of the largest probability, the first of equal ones."""
    return max(range(len(probabilities)), key=probabilities.__getitem__)


def drawn(probabilities: Sequence[float], seed: int, case_id: str, step: int) -> int:
    """Draw an index; the draw depends on seed, case and step alone."""
    generator = rng_for(seed, "sample", case_id, step)
    total = sum(probabilities)
    return int(generator.choice(len(probabilities), p=[p / total for p in probabilities]))


def reason_of(error: BaseException) -> str:
    """Say in one line what went wrong and in which line of which file.

    Example:
        >>> reason_of(ValueError("no such room"))
        'ValueError: no such room'
    """
    said = " ".join(f"{type(error).__name__}: {error}".split())[:400].removesuffix(":")
    what = said.encode(errors="backslashreplace").decode()
    trace = error.__traceback__
    if trace is None:
        return what
    while trace.tb_next is not None:
        trace = trace.tb_next
    name = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
    return f"{what} ({name}, line {trace.tb_lineno})"
