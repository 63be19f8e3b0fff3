"""Which figures are drawn as shapes on planes, and their planes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vlnscope.benchmarks.kit.findings import Figure, Kind
from vlnscope.reporting.figures.map_plane import map_planes
from vlnscope.reporting.figures.plane import Plane
from vlnscope.reporting.figures.polar import polar_plane
from vlnscope.reporting.figures.ridges import ridge_plane

PLANES: Mapping[Kind, Callable[[Figure], list[Plane]]] = {
    "polar": lambda figure: [polar_plane(panel) for panel in figure.panels],
    "ridges": lambda figure: [ridge_plane(figure)],
    "map": map_planes,
}
"""The planes of a figure, by its kind; other kinds have axes of numbers or names."""
