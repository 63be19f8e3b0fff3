"""The rows Random of Tables 3 and 4 of the R4R paper: R2R as it is, and paths joined to R4R."""

from __future__ import annotations

from collections.abc import Iterator

from vlnscope.benchmarks.fidelity.findings.published import PUBLISHED
from vlnscope.benchmarks.fidelity.joins.join import join_paths
from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.findings import Cell, Findings
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.evaluate.exhibit import Exhibit, ExhibitRequest, register_exhibit
from vlnscope.evaluate.many_walks import mean_scores
from vlnscope.metrics.metric import get_metric

WALKS = 60_000
METRICS = ("TL", "NE", "SR", "SPL", "CLS")
VARIANTS = {"as-is": "random", "r4r": "random:edges=r4r"}
"""The agent by what is done to the paths: it draws how far to go from the training split of the same kind."""


def _rows(request: ExhibitRequest) -> Findings:
    dataset = request.dataset()
    walks = request.most or WALKS
    rows = [row for variant in VARIANTS for row in _variant(dataset, variant, walks, request.profile)]
    table = declarations("vlnscope.benchmarks.fidelity.findings").table(
        "random-rows",
        rows,
        columns=("paths", "row", *(f"{name} ({get_metric(name).unit})" for name in METRICS)),
        data=dataset.name,
    )
    return Findings(benchmark="fidelity", data=dataset.name, agents=("random",), tables=(table,))


def _variant(dataset: Dataset, variant: str, walks: int, profile: str) -> Iterator[tuple[Cell, ...]]:
    """Yield what the paper prints, if it does, what is found, and how sure that is."""
    title = variant if variant == "as-is" else variant.upper()
    for row in PUBLISHED.get((variant, dataset.name), ()):
        if row.model == "Random":
            yield title, "published", row.tl, row.ne, row.sr, row.spl, row.cls
    taken = dataset if variant == "as-is" else join_paths(dataset, variant).dataset()
    found = mean_scores(VARIANTS[variant], taken, walks, METRICS, profile=profile)
    scales = {name: get_metric(name).scale for name in METRICS}
    yield title, VARIANTS[variant], *(found[name][0] * scales[name] for name in METRICS)
    yield title, "standard error", *(found[name][1] * scales[name] for name in METRICS)


register_exhibit(
    Exhibit(
        name="fidelity-random",
        title="the rows Random of Tables 3 (R2R) and 4 (R4R) for a split of R2R",
        paper="Jain et al., 2019",
        needs="data",
        counts="walks of each kind of path",
        make=_rows,
    )
)
