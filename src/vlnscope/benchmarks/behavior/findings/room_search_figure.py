"""Figure 8 of the paper as data: how far from the named room agents end that look for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from vlnscope.benchmarks.behavior.findings.figures import PAPER, slug
from vlnscope.benchmarks.behavior.findings.tables import hops_of, searching
from vlnscope.benchmarks.kit.findings import Figure, Panel, Series
from vlnscope.types import Floats, ScoreRow

PLACES: Floats = np.linspace(-5.0, 30.0, 141)
_ENDS = {"distance_m": "with the words", "distance_m_none": "without"}


def search_figures(scored: Mapping[str, Sequence[ScoreRow]]) -> Iterable[Figure]:
    """Yield for each agent the density of the metres left, a panel per number of hops."""
    for agent, rows in scored.items():
        panels = [
            Panel(title=f"{hops} hop{'s' * (hops != '1')}", series=_series(searching(rows, hops)))
            for hops in hops_of(rows)
        ]
        if panels:
            yield Figure(
                name=f"behavior-search-{slug(agent)}",
                title=f"How far from the named room {agent} ends",
                kind="lines",
                x="metres to the nearest such room",
                y="density",
                panels=tuple(panels),
                caption="Gaussian kernel densities (Scott's rule). Reference: an agent that stops in place.",
                source=f"Figure 8 {PAPER}",
            )


def _series(rows: Sequence[ScoreRow]) -> tuple[Series, ...]:
    drawn = [
        _density(name, [row.values[key] for row in rows if key in row.values]) for key, name in _ENDS.items()
    ]
    still = [row.values["distance_m_stop"] for row in rows if "distance_m_stop" in row.values]
    return (*drawn, _density("stopping in place", still, role="reference"))


def _density(name: str, metres: Sequence[float], **more: str) -> Series:
    """Return a density; of values that are all equal there is none."""
    from scipy.stats import gaussian_kde

    y: tuple[float | None, ...] = (None,) * PLACES.size
    if len(metres) > 1 and np.ptp(metres) > 0:
        y = tuple(gaussian_kde(metres)(PLACES).tolist())
    return Series(name=name, x=tuple(PLACES.tolist()), y=y, **more)  # type: ignore[arg-type]
