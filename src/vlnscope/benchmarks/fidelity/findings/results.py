"""Results beside the published ones (Tables 3 and 4), and what single episodes show (Figures 1 and 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vlnscope.benchmarks.fidelity.build.ablations import ABLATIONS
from vlnscope.benchmarks.fidelity.findings.published import EXAMPLES, PUBLISHED
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Cell, Figure, Panel, Series, Table
from vlnscope.metrics.metric import get_metric
from vlnscope.types import ScoreRow

METRICS = ("TL", "NE", "SR", "SPL", "CLS", "nDTW", "sDTW", "SED")
POINTS = 300
"""How many episodes of an agent a figure shows, at most."""
_KINDS = ("shortest", "roundabout")
_MEANS = "means over the cases that have a value"
_SPL = "published SPL compares with the shortest way, as the profiles default and paper do and hamt does not"


def results_table(asked: CaseSet, agents: Mapping[str, Mapping[str, Sequence[ScoreRow]]]) -> Table:
    """Return the means of every agent and variant, after the published rows on the same data."""
    variant = asked.options.get("variant", "")
    published = PUBLISHED.get((variant, asked.data), ())
    rows: list[tuple[Cell, ...]] = [
        (f"{row.model} (published)", row.variant, None, *row[2:], *[None] * (len(METRICS) - 5))
        for row in published
    ]
    rows += [
        (agent, name, len(variants[name]), *(_mean(variants[name], metric) for metric in METRICS))
        for agent, variants in agents.items()
        for name in ABLATIONS
        if name in variants
    ]
    plain = variant == "as-is"
    return Table(
        name="table-3" if plain else "table-4",
        title=f"Results on {asked.data}" + ("" if plain else f", {variant}"),
        columns=("agent", "instruction", "cases", *(f"{name} ({_unit(name)})" for name in METRICS)),
        rows=tuple(rows),
        notes=(_MEANS, _SPL) if published else (_MEANS,),
        source=f"Jain et al. 2019, Table {3 if plain else 4}",
    )


def _unit(name: str) -> str:
    return get_metric(name).unit or "number"


def _mean(rows: Sequence[ScoreRow], metric: str) -> float | None:
    values = [row.values[metric] for row in rows if metric in row.values]
    return get_metric(metric).scale * float(np.mean(values)) if values else None


def example_figures(full: Mapping[str, Sequence[ScoreRow]]) -> tuple[Figure, ...]:
    """Return SPL against CLS, and SED against CLS, a point per episode, with the examples of the paper."""
    return (
        _figure(
            "figure-1",
            "SPL",
            "SPL rewards the straight way, CLS the described one",
            "Where references are roundabout, who heads for the goal gets a high SPL and a low CLS, and who "
            "follows the path gets the reverse.",
            "Jain et al. 2019, Figure 1",
            full,
        ),
        _figure(
            "figure-4",
            "SED",
            "SED gives nothing for a path beside the described one, CLS does",
            "Episodes with an SED of 0 have every CLS: how far a path strays is invisible to SED.",
            "Jain et al. 2019, Figure 4",
            full,
        ),
    )


def _figure(
    name: str, metric: str, title: str, caption: str, source: str, full: Mapping[str, Sequence[ScoreRow]]
) -> Figure:
    panels = tuple(
        Panel(
            title=f"{kind} references",
            series=(
                *(_episodes(agent, rows, metric, kind) for agent, rows in full.items()),
                *(_examples(name) if kind == "roundabout" else ()),
            ),
        )
        for kind in _KINDS
    )
    return Figure(
        name=name,
        title=title,
        kind="points",
        x=f"{metric} (%)",
        y="CLS (%)",
        panels=panels,
        caption=f"{caption} Whole instructions; at most {POINTS} episodes of each agent.",
        source=source,
    )


def _episodes(agent: str, rows: Sequence[ScoreRow], metric: str, kind: str) -> Series:
    there = [
        row
        for row in rows
        if row.groups.get("reference") == kind and metric in row.values and "CLS" in row.values
    ]
    chosen = [there[int(k)] for k in np.linspace(0, len(there) - 1, min(POINTS, len(there)))]
    return Series(
        name=agent,
        x=tuple(100 * row.values[metric] for row in chosen),
        y=tuple(100 * row.values["CLS"] for row in chosen),
    )


def _examples(name: str) -> tuple[Series, ...]:
    shown = EXAMPLES[name]
    return (
        Series(
            name="the paper's example",
            x=tuple(x for _, x, _ in shown),
            y=tuple(y for _, _, y in shown),
            labels=tuple(label for label, _, _ in shown),
            role="reference",
        ),
    )
