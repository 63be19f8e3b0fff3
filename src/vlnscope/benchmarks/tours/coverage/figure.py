"""Coverage curves as a figure: tours alone (Figures 2b and 5 of IVLN) or beside joined paths (Figure 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.findings import Figure, Series
from vlnscope.benchmarks.tours.coverage.curves import CoverageCurve
from vlnscope.benchmarks.tours.coverage.kinds import coverage_kind

_FIGURES = {"end-to-start": "Figure 2b", "start-to-start": "Figure 5"}


def coverage_figure(
    curves: Mapping[str, CoverageCurve], *, what: str, reach: float, legs: str = "end-to-start"
) -> Figure:
    """Return curves as a figure.

    Args:
        curves: by name.
        what: what the cells are, a name of `kinds`.
        reach: metres that were seen.
        legs: of the tours.
    """
    together = len(curves) > 1
    panels = {
        "upcoming episode": [_line(name, curve.upcoming, curve.walks) for name, curve in curves.items()],
        "complete region": [_line(name, curve.complete, curve.walks) for name, curve in curves.items()],
    }
    return declarations("vlnscope.benchmarks.tours.findings").figure(
        "coverage-{what}",
        panels,
        what=what + ("-joined" if together else ""),
        cells=coverage_kind(what).cells.format(reach),
        region="of all tours of the scene" if together else "of the tour",
        figure="Figure 7" if together else _FIGURES[legs],
    )


def _line(name: str, shares: Sequence[float], walks: Sequence[int]) -> Series:
    y = tuple(100.0 * share for share in shares)
    return Series(name=name, x=tuple(range(len(y))), y=y, labels=tuple(f"{n} walks" for n in walks))
