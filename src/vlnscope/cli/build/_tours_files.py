"""What `vlnscope build tours` writes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vlnscope.core.exceptions import InputError

if TYPE_CHECKING:
    from vlnscope.benchmarks.tours.build.tours import BuiltTours
    from vlnscope.cli.build._tours_output import Made
    from vlnscope.episodes.datasets.dataset import Dataset
    from vlnscope.types import OracleRule

COVERAGE = "coverage.json"


class Seeing(NamedTuple):
    """What coverage is measured.

    Attributes:
        what: the kind of it.
        reach: metres that are seen.
        joined: kinds of joined paths that are measured beside tours.
        seed: of these.
    """

    what: str
    reach: float
    joined: tuple[str, ...]
    seed: int


def refuse_mixture(datasets: Sequence[Dataset]) -> None:
    """Refuse data sets some of which are in continuous space and some not.

    Raises:
        InputError: they are of both kinds.
    """
    if len({dataset.continuous for dataset in datasets}) > 1:
        raise InputError(
            "tours on graphs and tours in continuous space",
            expected="data sets of one kind: IVLN has a file of its own for each",
            fix="build them one by one",
        )


def save_tour_files(out: Path, built: Sequence[BuiltTours], oracle: OracleRule) -> list[Path]:
    """Write tours to a folder; in continuous space, also where an expert goes on each of them.

    Args:
        out: the folder.
        built: the tours.
        oracle: how the expert is led from episode to episode.
    """
    from vlnscope.benchmarks.tours.build.tours import FILE_NAME, SPACE_FILE_NAME, save_tours

    if not built[0].source.continuous:
        return [save_tours(out / FILE_NAME, built)]
    return [
        save_tours(out / SPACE_FILE_NAME, built),
        _save_reference(out, built, goal_phase=oracle != "starts"),
    ]


def _save_reference(out: Path, built: Sequence[BuiltTours], *, goal_phase: bool) -> Path:
    from vlnscope.core.files import write_whole
    from vlnscope.engine.tour_reference import REFERENCE, reference_logs
    from vlnscope.episodes.formats.ivln_log import write_logs

    path = out / REFERENCE
    with write_whole(path) as stream:
        logs = (reference_logs(tours.tours, tours.source, goal_phase=goal_phase) for tours in built)
        write_logs(chain.from_iterable(logs), stream)
    return path


def save_coverage(out: Path, measured: Sequence[Made], seeing: Seeing) -> Path:
    """Write coverage curves to a folder, as figures."""
    from msgspec.structs import replace

    from vlnscope.benchmarks.kit.findings import Findings
    from vlnscope.benchmarks.tours.coverage.figure import coverage_figure

    figures = []
    for one in measured:
        drawn = coverage_figure(one.curves, what=seeing.what, reach=seeing.reach, legs=one.built.legs)
        figures.append(replace(drawn, name=f"{drawn.name}-{one.built.split.replace('_', '-')}"))
    data = ", ".join(one.built.source.name for one in measured)
    return Findings(benchmark="tours", data=data, agents=(), figures=tuple(figures)).save(out / COVERAGE)
