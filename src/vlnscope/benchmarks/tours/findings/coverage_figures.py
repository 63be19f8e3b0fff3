"""Coverage curves as figures: tours alone (Figures 2b and 5 of IVLN) or beside joined paths (Figure 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vlnscope.benchmarks.fidelity.joins.result import Joined
from vlnscope.benchmarks.kit.findings import Figure, Panel, Series
from vlnscope.benchmarks.tours.build.tours import BuiltTours
from vlnscope.benchmarks.tours.findings.coverage import (
    CoverageCurve,
    coverage_curve,
    joined_walks,
    seen_regions,
    tour_walks,
)
from vlnscope.benchmarks.tours.findings.visibility import Look

TOURS = "tours"
_SCALE = 100.0
_SOURCES = {"end-to-start": "IVLN, Figure 2b", "start-to-start": "IVLN, Figure 5"}


def coverage_curves(built: BuiltTours, look: Look, joined: Sequence[Joined] = ()) -> dict[str, CoverageCurve]:
    """Measure the coverage of tours, and of joined paths where there are any.

    Alone, tours are measured against what each of them shows. Beside joined paths, all are measured against
    what the tours of a scene show together, because short walks soon know all that they will ever see.
    """
    walks = tour_walks(built)
    if not joined:
        return {TOURS: coverage_curve(walks, look)}
    regions = seen_regions(walks, look)
    others = {made.variant.upper(): joined_walks(made) for made in joined}
    return {name: coverage_curve(group, look, regions) for name, group in ({TOURS: walks} | others).items()}


def coverage_figure(
    curves: Mapping[str, CoverageCurve], *, what: str, reach: float, legs: str = "end-to-start"
) -> Figure:
    """Return curves as a figure.

    Args:
        curves: by name.
        what: what the cells are: ``viewpoints`` or ``floor``.
        reach: metres that were seen.
        legs: of the tours.
    """
    together = len(curves) > 1
    region = "of all tours of the scene" if together else "of the tour"
    cells = f"viewpoints within {reach:g} m along the graph" if what == "viewpoints" else _floor(reach)
    return Figure(
        name=f"coverage-{what}" + ("-joined" if together else ""),
        title="What has been seen before an episode",
        kind="lines",
        x="episodes walked before",
        y="% seen",
        panels=(
            Panel(
                title="upcoming episode",
                series=tuple(_line(name, c.upcoming, c.walks) for name, c in curves.items()),
            ),
            Panel(
                title="complete region",
                series=tuple(_line(name, c.complete, c.walks) for name, c in curves.items()),
            ),
        ),
        caption=f"An oracle walks the references and is led from each to the next. Share of the {cells} that "
        f"the next path will show, and of those {region}, seen before. The paper (IR2R-CE, maps from depth "
        "images): over 50 % and over 70 % after 10 episodes; R8R under 30 % before its last part.",
        source="IVLN, Figure 7" if together else _SOURCES[legs],
    )


def _floor(reach: float) -> str:
    return f"floor in line of sight up to {reach:g} m"


def _line(name: str, shares: Sequence[float], walks: Sequence[int]) -> Series:
    return Series(
        name=name,
        x=tuple(range(len(shares))),
        y=tuple(_SCALE * share for share in shares),
        labels=tuple(f"{count} walks" for count in walks),
    )
