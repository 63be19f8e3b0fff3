"""Figures 4 and 5 of the paper: what six directions mean and where they are asked, and where agents go."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from vlnscope.benchmarks.behavior.build.direction import (
    facing,
    lets_through,
    sector,
    sector_ends,
    turn_degrees,
)
from vlnscope.benchmarks.behavior.findings.effects import pooled
from vlnscope.benchmarks.behavior.findings.skills import DIRECTIONS, intervened, subs_of
from vlnscope.benchmarks.behavior.score.bins import POLAR
from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.estimates import mean_of
from vlnscope.benchmarks.kit.findings import Figure, Panel, Series, interval_series
from vlnscope.benchmarks.kit.routes import graphs_of, routes_of
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import ScoreRow
from vlnscope.worlds.scene import Scene

_CLEAR = 9.0
"""Degrees from a border at which a way is seen to be on one side."""
TOLD = "the direction told"
_BINS = [str(degrees) for degrees in range(-180, 180, POLAR)]
_declared = declarations(__package__)


def direction_panels(rows: Sequence[ScoreRow]) -> Iterator[Panel]:
    """Yield Figure 5: a panel for each direction, with the share of stopping below its title."""
    for sub in (name for name in DIRECTIONS if name in subs_of(rows, "direction")):
        chosen = intervened(rows, "direction", sub)
        series = [_moves(chosen, "with the words", "polar")]
        if any(name.startswith("polar_none.") for row in chosen for name in row.values):
            series.append(_moves(chosen, "without", "polar_none"))
        region = Series(name=TOLD, x=sector_ends(sub), y=(None, None), role="region")
        yield Panel(title=sub, note=_stops(chosen), series=(*series, region))


def sector_figure(rows: Sequence[ScoreRow]) -> Figure:
    """Return Figure 4a for the cases that were asked: the sectors of the directions, with their cases."""
    counts = {name: len(intervened(rows, "direction", name)) for name in DIRECTIONS}
    names = {name: f"{name} ({count:,})" for name, count in counts.items()}
    panel = Panel(series=tuple(_regions(names)))
    return _declared.figure("behavior-sectors", [panel], cases=sum(counts.values()))


class _End(NamedTuple):
    """Where a truncated path ends: which ways there are, in which sectors."""

    path_id: str
    turns: tuple[float, ...]
    metres: tuple[float, ...]
    sectors: tuple[str, ...]

    def kind(self, direction: str) -> str:
        """Say whether a direction is asked here, and if not why."""
        if direction not in self.sectors:
            return "none there"
        return "asked" if lets_through(self.sectors, direction, "paper") else "trivial"


def data_sector_figure(dataset: Dataset, direction: str = "left") -> Figure:
    """Return Figure 4 for the paths of a data set: the sectors, and where paths end, some let through.

    Paths are cut at each inner node, as truncated episodes are; whether a text leads there is not asked.

    Args:
        dataset: whose paths.
        direction: which is asked in the examples.

    Raises:
        UnknownNameError: there is no such direction.
        InputError: the data set has no scenes, or no path of three nodes.
    """
    if direction not in DIRECTIONS:
        raise UnknownNameError("direction", direction, DIRECTIONS)
    ends = list(_ends(dataset))
    if not ends:
        raise InputError(
            f"{dataset.name}: has no path of three viewpoints or more",
            expected="paths with an inner viewpoint, where they can be cut",
            fix="take another data set, such as r2r/val_unseen",
        )
    counts = Counter(end.kind(direction) for end in ends)
    sectors = Panel(title="(a) the six directions", series=tuple(_regions({n: n for n in DIRECTIONS})))
    titles = {
        "asked": f"(b) “{direction}” is asked",
        "none there": "(c) left out: none there",
        "trivial": "(d) left out: too few elsewhere",
    }
    panels = [sectors]
    for kind, title in titles.items():
        if counts[kind]:
            note = f"{100 * counts[kind] / len(ends):.1f} % of the ends"
            panels.append(_example(_telling(ends, direction, kind), direction, title, note))
    return _declared.figure(
        "behavior-data-sectors", panels, data=dataset.name, direction=direction, ends=len(ends)
    )


def _ends(dataset: Dataset) -> Iterator[_End]:
    by_scan = routes_of(dataset)
    graphs_of(dataset, by_scan)
    assert dataset.scenes is not None  # else there were no graphs
    for scan, routes in by_scan.items():
        scene = dataset.scenes.scene(scan)
        for route in routes:
            for nodes in range(2, len(route.path)):
                yield _end(scene, route.path_id, route.path[:nodes])


def _end(scene: Scene, path_id: str, path: Sequence[str]) -> _End:
    look, ways = facing(scene, path, "view"), scene.candidates(path[-1])
    turns = tuple(turn_degrees(way.heading - look) for way in ways)
    metres = tuple(scene.graph.distance(path[-1], way.viewpoint) for way in ways)
    return _End(path_id, turns, metres, tuple(map(sector, turns)))


def _telling(ends: Iterable[_End], direction: str, kind: str) -> _End:
    """Return the first end of a kind whose ways can be told apart, and from the border, by eye."""
    fits = [end for end in ends if end.kind(direction) == kind]
    wanted = 5 if kind == "asked" else 2 if kind == "trivial" else 4

    def plain(end: _End) -> bool:
        borders = sector_ends(direction)
        clear = all(abs(turn_degrees(math.radians(t - b))) > _CLEAR for t in end.turns for b in borders)
        return clear and len(end.turns) == wanted and _apart(end.turns) > 2 * _CLEAR

    return next((end for end in fits if plain(end)), fits[0])


def _apart(turns: Sequence[float]) -> float:
    """Return the least number of degrees between two turns."""
    ordered = sorted(turns)
    gaps = [b - a for a, b in zip(ordered, [*ordered[1:], ordered[0] + 360.0], strict=True)]
    return min(gaps, default=math.inf)


def _example(end: _End, direction: str, title: str, note: str) -> Panel:
    region = Series(name=direction, x=sector_ends(direction), y=(None, None), role="region")
    ways = Series(name="neighbouring viewpoints", x=end.turns, y=end.metres, role="ways")
    return Panel(title=title, note=note, series=(region, ways))


def _regions(names: Mapping[str, str]) -> Iterator[Series]:
    for direction, name in names.items():
        yield Series(name=name, x=sector_ends(direction), y=(None, None), role="region")


def _moves(rows: Sequence[ScoreRow], name: str, prefix: str) -> Series:
    """Return in which bins moves go, in the middle of each bin."""
    shares = pooled(rows, prefix, _BINS)
    places = [float(low) + POLAR / 2 for low in _BINS]
    return interval_series(name, places, shares, [f"{share.n} cases" for share in shares])


def _stops(rows: Sequence[ScoreRow]) -> str:
    """Say how often agents stop instead, with the words and without."""
    shares = {name: mean_of(rows, name).mean for name in ("stop", "stop_none")}
    known = {name: f"{100 * share:.0f} %" for name, share in shares.items() if share is not None}
    if "stop" not in known:
        return ""
    return f"stops: {known['stop']}" + (f", without {known['stop_none']}" if "stop_none" in known else "")
