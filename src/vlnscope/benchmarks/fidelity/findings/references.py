"""What the references are like: Table 1 and Figure 3 of V. Jain et al. (2019)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from vlnscope.benchmarks.fidelity.build.reference_statistics import (
    METRES,
    STATISTICS,
    TOKENS,
    Bins,
    References,
)
from vlnscope.benchmarks.fidelity.findings.published import PUBLISHED_REFERENCES
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.findings import Cell, Figure, Series, Table

_WIDTHS = {"steps": 1.0, "lengths": METRES, "directs": METRES, "tokens": TOKENS}
"""Widths of the bins of the distributions of Figure 3."""
_declared = declarations(__package__)


def references_of(case_set: CaseSet) -> list[References]:
    """Return the descriptions that the builder left: of the data set, and of what was built from it."""
    return msgspec.convert(case_set.options.get(STATISTICS, []), list[References])


def references_table(references: Sequence[References]) -> Table:
    """Return Table 1, each row of ours followed by the published one where there is one."""
    rows: list[tuple[Cell, ...]] = []
    for it in references:
        shares = 100 * it.shortest, 100 * it.returning
        rows.append((it.name, it.paths, it.samples, it.length, it.direct, *shares))
        if it.name in PUBLISHED_REFERENCES:
            rows.append((f"{it.name} (published)", None, *PUBLISHED_REFERENCES[it.name], None, None))
    return _declared.table("references", rows)


def reference_figures(references: Sequence[References]) -> Iterator[Figure]:
    """Yield the four distributions of Figure 3, a line per data set."""
    for member, width in _WIDTHS.items() if references else ():
        lines = (_line(it.name, getattr(it, member), width) for it in references)
        yield _declared.figure(f"figure-3-{member}", {"": lines}, width=width)


def _line(name: str, bins: Bins, width: float) -> Series:
    counts = dict(bins)
    total = sum(counts.values())
    first, last = min(counts), max(counts)
    places = [first + k * width for k in range(round((last - first) / width) + 1)]
    return Series(name=name, x=tuple(places), y=tuple(100 * counts.get(x, 0) / total for x in places))
