"""Figures 2 and 4 of vln-behave, which are about data and not about agents."""

from __future__ import annotations

from vlnscope.benchmarks.behavior.findings.directions import data_sector_figure
from vlnscope.benchmarks.behavior.findings.figures import data_path_figure
from vlnscope.benchmarks.kit.findings import Figure, Findings
from vlnscope.evaluate.exhibit import Exhibit, ExhibitRequest, register_exhibit

PAPER = "Yang, Majumdar and Lee, 2023"


def _found(request: ExhibitRequest, figure: Figure) -> Findings:
    return Findings(benchmark="behavior", data=request.data or "", agents=(), figures=(figure,))


def _paths(request: ExhibitRequest) -> Findings:
    return _found(request, data_path_figure(request.dataset()))


def _sectors(request: ExhibitRequest) -> Findings:
    return _found(request, data_sector_figure(request.dataset(), request.direction))


register_exhibit(
    Exhibit(
        name="behavior-figure-2",
        title="how sharply the paths of a data set turn, and how long they are",
        paper=PAPER,
        needs="data",
        make=_paths,
    )
)
register_exhibit(
    Exhibit(
        name="behavior-figure-4",
        title="the six directions, and where one of them is asked or left out",
        paper=PAPER,
        needs="data",
        make=_sectors,
    )
)
