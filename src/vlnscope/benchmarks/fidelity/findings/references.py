"""What the references are like: Table 1 and Figure 3 of V. Jain et al. (2019)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from vlnscope.benchmarks.fidelity.findings.published import PUBLISHED_REFERENCES
from vlnscope.benchmarks.fidelity.findings.reference_statistics import (
    METRES,
    STATISTICS,
    TOKENS,
    Bins,
    References,
)
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Cell, Figure, Panel, Series, Table


class _Distribution(NamedTuple):
    member: str
    title: str
    axis: str
    width: float
    share: str


_DISTRIBUTIONS = (
    _Distribution("steps", "Number of steps", "edges of the reference", 1.0, "paths (%)"),
    _Distribution("lengths", "Path lengths", "length of the reference (m)", METRES, "paths (%)"),
    _Distribution("directs", "Shortest ways", "shortest way from start to goal (m)", METRES, "paths (%)"),
    _Distribution("tokens", "Instruction lengths", "words and punctuation marks", TOKENS, "instructions (%)"),
)


def references_of(asked: CaseSet) -> list[References]:
    """Return the descriptions that the builder left: of the data set, and of what was built from it."""
    return msgspec.convert(asked.options.get(STATISTICS, []), list[References])


def references_table(found: Sequence[References]) -> Table:
    """Return Table 1, each row of ours followed by the published one where there is one."""
    rows: list[tuple[Cell, ...]] = []
    for it in found:
        shares = 100 * it.shortest, 100 * it.returning
        rows.append((it.name, it.paths, it.samples, it.length, it.direct, *shares))
        if it.name in PUBLISHED_REFERENCES:
            rows.append((f"{it.name} (published)", None, *PUBLISHED_REFERENCES[it.name], None, None))
    return Table(
        name="references",
        title="The references of the data set, and of what was built from it",
        columns=(
            "data",
            "paths",
            "instructions",
            "PL(R) (m)",
            "shortest way (m)",
            "shortest (%)",
            "returning (%)",
        ),
        rows=tuple(rows),
        notes=(
            "all references, whether or not they were asked; means over paths",
            "shortest: no way from start to goal is shorter; returning: the goal is less than 3 m from it",
            "the paper prints 2249 instructions for R2R val_unseen, which has 2,349: a misprint",
        ),
        source="Jain et al. 2019, Table 1",
    )


def reference_figures(found: Sequence[References]) -> tuple[Figure, ...]:
    """Return the four distributions of Figure 3, a line per data set."""
    return tuple(_figure(distribution, found) for distribution in _DISTRIBUTIONS) if found else ()


def _figure(of: _Distribution, found: Sequence[References]) -> Figure:
    return Figure(
        name=f"figure-3-{of.member}",
        title=of.title,
        kind="lines",
        x=of.axis,
        y=of.share,
        panels=(Panel(series=tuple(_line(it.name, getattr(it, of.member), of.width) for it in found)),),
        caption="All references of the data sets"
        + (f", in bins of {of.width:g} from the value shown on." if of.member != "steps" else "."),
        source="Jain et al. 2019, Figure 3",
    )


def _line(name: str, bins: Bins, width: float) -> Series:
    counts = dict(bins)
    total = sum(counts.values())
    first, last = min(counts), max(counts)
    places = [first + k * width for k in range(round((last - first) / width) + 1)]
    return Series(name=name, x=tuple(places), y=tuple(100 * counts.get(x, 0) / total for x in places))
