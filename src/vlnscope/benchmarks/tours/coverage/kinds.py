"""The kinds of coverage that can be measured: what a cell is, and how it is found out which are seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from vlnscope.benchmarks.tours.coverage.depth_maps import STANDING
from vlnscope.benchmarks.tours.coverage.observed import observed_in_space
from vlnscope.benchmarks.tours.coverage.visibility import Visibility, floor_in_sight, viewpoints_in_reach
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.worlds.scene import Scenes


class CoverageKind(NamedTuple):
    """A way of measuring what is seen.

    Attributes:
        cells: what is counted, in words; ``{:g}`` stands for the metres that are seen.
        look: returns what is seen in the scenes of a data set, so many metres far.
    """

    cells: str
    look: Callable[[Dataset, float], Visibility]


def coverage_kind(name: str) -> CoverageKind:
    """Return a kind of coverage.

    Raises:
        UnknownNameError: there is none of this name.
    """
    if name not in KINDS:
        raise UnknownNameError("kind of coverage", name, KINDS)
    return KINDS[name]


def _viewpoints(dataset: Dataset, reach: float) -> Visibility:
    return viewpoints_in_reach(_scenes(dataset), reach)


def _floor(dataset: Dataset, reach: float) -> Visibility:
    return floor_in_sight(_scenes(dataset), reach)


def _scenes(dataset: Dataset) -> Scenes:
    if dataset.scenes is None:
        raise InputError(
            f"{dataset.name}: has no scenes to look at",
            expected="a data set whose episodes walk over a graph, as in R2R",
            fix="take another data set, such as houses/val_unseen",
        )
    return dataset.scenes


KINDS: Mapping[str, CoverageKind] = {
    "viewpoints": CoverageKind("viewpoints within {:g} m along the graph", _viewpoints),
    "floor": CoverageKind("floor in line of sight up to {:g} m", _floor),
    "observed": CoverageKind("floor in depth images (up to {:g} m)", observed_in_space),
    "mapped": CoverageKind(
        "walls and furniture in depth images (up to {:g} m)", partial(observed_in_space, band=STANDING)
    ),
}
"""By name. The last two walk in space; ``mapped`` has the cells of the map that IVLN's agent reads."""
