"""Figures of errors: the loss by type and by place, and when walks part."""

from __future__ import annotations

from collections.abc import Mapping

from vlnscope.benchmarks.errors.findings.pairs import Cost
from vlnscope.benchmarks.errors.findings.tables import BEVBERT, PUBLISHED
from vlnscope.benchmarks.errors.score import DELAY, PARTING
from vlnscope.benchmarks.kit.findings import Figure, Panel, Series, interval_series
from vlnscope.stats.paired import Difference

_INTERVALS = "Whiskers are 95 % intervals over scenes."


def cost_figure(costs: Mapping[str, Mapping[str, Cost]]) -> Figure:
    """Return the relative change of SR by type, beside the published one."""
    series = [
        interval_series(agent, list(its), [cost.relative for cost in its.values()])
        for agent, its in costs.items()
    ]
    used = [name for name in PUBLISHED if any(name in its for its in costs.values())]
    published = Series(
        name=BEVBERT,
        x=tuple(used),
        y=tuple(PUBLISHED[name][2] for name in used),
        role="reference",
    )
    return Figure(
        name="cost",
        title="Success lost to wrong words",
        kind="bars",
        x="type of error",
        y="relative change of SR (%)",
        panels=(Panel(series=(*series, published)),),
        caption=f"Change of the success rate from right to wrong instructions, pair by pair. {_INTERVALS}",
        source="Taioli et al. 2024, Figure 2 and Table II",
    )


def position_figure(places: Mapping[str, Mapping[tuple[str, int], Difference]]) -> Figure:
    """Return the loss of SR by the fifth of the instruction, a panel per type."""
    types = list(dict.fromkeys(name for its in places.values() for name, _ in its))
    panels = []
    for name in types:
        series = []
        for agent, its in places.items():
            mine = {fifth: loss for (of, fifth), loss in its.items() if of == name}
            if mine:
                series.append(interval_series(agent, list(mine), list(mine.values())))
        panels.append(Panel(title=name, series=tuple(series)))
    return Figure(
        name="positions",
        title="Success lost, by the place of the error",
        kind="lines",
        x="fifth of the instruction",
        y="loss of SR (points)",
        panels=tuple(panels),
        caption=f"Right minus wrong, by where in the instruction the first error is. {_INTERVALS}",
    )


def parting_figure(costs: Mapping[str, Mapping[str, Cost]]) -> Figure:
    """Return when the walks part, counted from the start and, where known, from the place of the error."""
    panels = []
    for title, metric in (("from the start", PARTING), ("from the error", DELAY)):
        series = []
        for agent, its in costs.items():
            found = [
                (name, row.values[metric])
                for name, cost in its.items()
                for row in cost.wrong
                if metric in row.values
            ]
            if found:
                series.append(
                    Series(name=agent, x=tuple(name for name, _ in found), y=tuple(y for _, y in found))
                )
        if series:
            panels.append(Panel(title=title, series=tuple(series)))
    return Figure(
        name="parting",
        title="When wrong words change the walk",
        kind="boxes",
        x="type of error",
        y="steps",
        panels=tuple(panels),
        caption="First step at which the walks with the right and the wrong instruction differ, over the "
        "pairs in which they do.",
    )
