"""Results beside the published ones (Tables 3 and 4), and what single episodes show (Figures 1 and 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from vlnscope.benchmarks.fidelity.build.ablations import ABLATIONS
from vlnscope.benchmarks.fidelity.findings.published import EXAMPLES, PUBLISHED
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.estimates import select
from vlnscope.benchmarks.kit.findings import Cell, Figure, Series, Table
from vlnscope.metrics.metric import get_metric
from vlnscope.types import ScoreRow

METRICS = ("TL", "NE", "SR", "SPL", "CLS", "nDTW", "sDTW", "SED")
POINTS = 300
"""How many episodes of an agent a figure shows, at most."""
_KINDS = ("shortest", "roundabout")
_SPL = "published SPL compares with the shortest way, as the profiles default and paper do and hamt does not"
_declared = declarations(__package__)


def results_table(case_set: CaseSet, agents: Mapping[str, Mapping[str, Sequence[ScoreRow]]]) -> Table:
    """Return the means of every agent and variant, after the published rows on the same data."""
    variant = case_set.options.get("variant", "")
    published = PUBLISHED.get((variant, case_set.data), ())
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
    table = _declared.table(
        "table-3" if variant == "as-is" else "table-4",
        rows,
        columns=("agent", "instruction", "cases", *(f"{name} ({_unit(name)})" for name in METRICS)),
        data=case_set.data,
        variant=variant,
    )
    return replace(table, notes=(*table.notes, _SPL)) if published else table


def _unit(name: str) -> str:
    return get_metric(name).unit or "number"


def _mean(rows: Sequence[ScoreRow], metric: str) -> float | None:
    values = [row.values[metric] for row in rows if metric in row.values]
    return get_metric(metric).scale * float(np.mean(values)) if values else None


def example_figures(full: Mapping[str, Sequence[ScoreRow]]) -> Iterator[Figure]:
    """Yield SPL against CLS, and SED against CLS, a point per episode, with the examples of the paper."""
    for name, metric in (("figure-1", "SPL"), ("figure-4", "SED")):
        panels = {
            f"{kind} references": [_episodes(agent, rows, metric, kind) for agent, rows in full.items()]
            for kind in _KINDS
        }
        panels["roundabout references"].append(_examples(name))
        yield _declared.figure(name, panels, points=POINTS)


def _episodes(agent: str, rows: Sequence[ScoreRow], metric: str, kind: str) -> Series:
    known = [row for row in select(rows, reference=kind) if metric in row.values and "CLS" in row.values]
    chosen = [known[int(k)] for k in np.linspace(0, len(known) - 1, min(POINTS, len(known)))]
    return Series(
        name=agent,
        x=tuple(100 * row.values[metric] for row in chosen),
        y=tuple(100 * row.values["CLS"] for row in chosen),
    )


def _examples(name: str) -> Series:
    labels, x, y = zip(*EXAMPLES[name], strict=True)
    return Series(name="the paper's example", x=x, y=y, labels=labels, role="reference")
