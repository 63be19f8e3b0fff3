"""Several agents over the same episodes: every pair compared, and corrected for having compared so many."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.stats.columns import Column
from vlnscope.stats.multiplicity import Correction, adjust
from vlnscope.stats.nesting import Nesting
from vlnscope.stats.paired import PairedDifference, paired_difference


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two agents compared, as one of several comparisons.

    Attributes:
        a: name of one agent.
        b: name of the other.
        difference: a − b, with interval and test.
        adjusted: p-value corrected for the number of comparisons; None where there is none.
        tests: how many comparisons it was corrected for.
        low: lower end of the corrected interval, which excludes 0 if and only if `adjusted` is below the
            level: that of `difference` is made for this pair alone.
        high: its upper end.
    """

    a: str
    b: str
    difference: PairedDifference
    adjusted: float | None = None
    tests: int = 1
    low: float | None = None
    high: float | None = None


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
        >>> def column(*values: float) -> Sample:
        ...     return Sample(np.array(values), np.ones(8, dtype=np.bool_))
        >>> found = compare_agents(
        ...     {"x": column(5, 6, 5, 7, 6, 5, 6, 7), "y": column(3, 5, 4, 4, 5, 4, 4, 5)}, nesting
        ... )
        >>> [(c.a, c.b, c.difference.mean, round(c.adjusted, 5), c.tests) for c in found]
        [('x', 'y', 1.625, 0.00046, 1)]
    """
    comparisons = [
        Comparison(a=a, b=b, difference=paired_difference(columns[a], columns[b], nesting, **options))
        for a, b in pairs(columns, against)
    ]
    return corrected(comparisons, correction)


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
    tested = [i for i, c in enumerate(comparisons) if c.difference.p is not None]
    p_values = [p for c in comparisons if (p := c.difference.p) is not None]
    adjusted_by_index = dict(zip(tested, adjust(p_values, correction), strict=True))
    return [_corrected(c, adjusted_by_index.get(i), len(tested)) for i, c in enumerate(comparisons)]


def _corrected(one: Comparison, adjusted: float | None, tests: int) -> Comparison:
    difference = one.difference
    if adjusted is None or difference.p is None:
        return one
    growth = adjusted / difference.p if difference.p > 0 else float(tests)
    wider = difference.at(1 - (1 - difference.level) / max(growth, 1.0))
    return msgspec.structs.replace(one, adjusted=adjusted, tests=tests, low=wider.low, high=wider.high)
