"""Several agents over the same episodes: every pair compared, and corrected for having compared so many."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from vlnscope.exceptions import InputError
from vlnscope.stats.columns import Column
from vlnscope.stats.multiplicity import Correction, adjust
from vlnscope.stats.nesting import Nesting
from vlnscope.stats.paired import Difference, paired_difference


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two agents compared, as one of several comparisons.

    Attributes:
        a: name of one agent.
        b: name of the other.
        difference: a − b, with interval and test.
        adjusted: p-value corrected for the number of comparisons; None where there is none.
    """

    a: str
    b: str
    difference: Difference
    adjusted: float | None = None


def compare_agents(
    columns: Mapping[str, Column],
    nesting: Nesting,
    *,
    against: str | None = None,
    correction: Correction = "holm",
    **options: Any,
) -> list[Comparison]:
    """Compare agents pair by pair, and correct the p-values for the number of pairs.

    Args:
        columns: one metric of each agent, over the same rows.
        nesting: how the rows are nested.
        against: compare all others with this agent only, which costs less power than all pairs do.
        correction: how p-values are corrected.
        **options: passed on to `paired_difference`.

    Raises:
        InputError: there are fewer than two agents, or none is called `against`.

    Example:
        >>> import numpy as np
        >>> from vlnscope.stats.columns import Sample
        >>> nesting = Nesting.of({"scene": list("ABCDEFGH")})
        >>> def column(low: float) -> Sample:
        ...     return Sample(low + np.arange(8.0), np.ones(8, dtype=np.bool_))
        >>> found = compare_agents({"x": column(0), "y": column(1), "z": column(1)}, nesting)
        >>> [(c.a, c.b, c.difference.mean, c.adjusted) for c in found]
        [('x', 'y', -1.0, 0.0234375), ('x', 'z', -1.0, 0.0234375), ('y', 'z', 0.0, 1.0)]
    """
    found = [
        Comparison(a=a, b=b, difference=paired_difference(columns[a], columns[b], nesting, **options))
        for a, b in pairs(columns, against)
    ]
    return corrected(found, correction)


def pairs(agents: Iterable[str], against: str | None = None) -> list[tuple[str, str]]:
    """Return which agents are compared: all pairs in their order, or each other one with `against`."""
    names = list(agents)
    if len(names) < 2 or (against is not None and against not in names):
        raise InputError(
            f"a comparison of {', '.join(names) or 'nothing'}"
            + (f" against {against}" if against is not None else ""),
            expected="two agents or more, and to compare against one of them",
            fix="name another agent",
        )
    if against is None:
        return list(itertools.combinations(names, 2))
    return [(name, against) for name in names if name != against]


def corrected(comparisons: Sequence[Comparison], correction: Correction = "holm") -> list[Comparison]:
    """Correct the p-values of comparisons for their number; those without one do not count."""
    tested = [i for i, c in enumerate(comparisons) if c.difference.p_value is not None]
    p_values = [p for c in comparisons if (p := c.difference.p_value) is not None]
    found = dict(zip(tested, adjust(p_values, correction), strict=True))
    return [msgspec.structs.replace(c, adjusted=found.get(i)) for i, c in enumerate(comparisons)]
