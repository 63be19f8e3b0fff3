"""The first table of the page: all files side by side, and what each allows to say."""

from __future__ import annotations

from collections.abc import Sequence

from vlnscope.benchmarks.kit.findings import Cell, Findings, Table, interval_cells
from vlnscope.evaluate.published.files import PublishedFile
from vlnscope.metrics.metric import get_metric
from vlnscope.reporting.page.sections.overview import OVERVIEW

METRICS = ("TL", "NE", "OSR", "SR", "SPL", "nDTW")
"""What the table shows of each file, as far as it is known."""


def overview(files: Sequence[PublishedFile], compared: Table | None = None) -> Findings:
    """Return the files as findings that a page shows first, and how they compare, if any two do."""
    return Findings(
        benchmark=OVERVIEW,
        data=", ".join(dict.fromkeys(file.data.dataset.name for file in files if file.data)),
        agents=tuple(file.name for file in files),
        tables=(_scores(files), *((compared,) if compared else ()), _remarks(files)),
    )


def _scores(files: Sequence[PublishedFile]) -> Table:
    units = {name: get_metric(name).unit for name in METRICS}
    heads = tuple(f"{name} ({unit})" if unit else name for name, unit in units.items())
    at = METRICS.index("SR") + 1
    columns = ("agent", "data", "n", *heads[:at], "from", "to", *heads[at:])
    return Table(
        name="files",
        title="All files, each on the split that its ids and starts belong to",
        columns=columns,
        rows=tuple(_row(file, at) for file in files),
        notes=(
            "n: episodes that were scored; from, to: 95 % interval of SR over scenes, or over paths where "
            "there are fewer than six scenes",
            "numbers of files without walks are as their authors state them; all others are measured here",
            "rows of different data do not compare",
        ),
    )


def _row(file: PublishedFile, at: int) -> tuple[Cell, ...]:
    if file.score is None or file.data is None:
        return file.name, "none that is here", *([None] * (len(METRICS) + 3))
    means: list[Cell] = []
    for name in METRICS:
        known = file.score.intervals.get(name)
        scale = get_metric(name).scale
        means.append(None if known is None or known.mean is None else known.mean * scale)
    rate = file.score.intervals.get("SR")
    ends = (None, None) if rate is None else interval_cells(rate)[1:]
    return file.name, file.data.dataset.name, file.score.n, *means[:at], *ends, *means[at:]


def _remarks(files: Sequence[PublishedFile]) -> Table:
    rows = [
        (file.name if k == 0 else "", remark)
        for file in files
        for k, remark in enumerate((f"{file.path.name}: {file.holds}", *file.remarks))
    ]
    return Table(
        name="remarks",
        title="What the files hold, and what they do not say",
        columns=("agent", "what to know"),
        rows=tuple(rows),
    )
