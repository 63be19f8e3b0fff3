"""Whole tours on maps: the order of episodes in colour, and dashed where an oracle leads between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.findings import Figure, Panel
from vlnscope.benchmarks.tours.coverage.curves import OracleWalk
from vlnscope.benchmarks.tours.maps.lines import floor_series, walk_series
from vlnscope.core.exceptions import InputError
from vlnscope.worlds.maps.floor_map import levels
from vlnscope.worlds.scene import Scene, Scenes

LED = "led by the oracle"
_LONG = 11


def tour_figure(walks: Sequence[OracleWalk], scenes: Scenes, *, data: str, most: int = 10) -> Figure:
    """Return a figure with a map for each floor of each tour.

    Args:
        walks: the tours, as an oracle walks them.
        scenes: where.
        data: name of the data set.
        most: episodes of a tour that are drawn, from its first on.

    Raises:
        InputError: there is no tour.
    """
    if not walks:
        raise InputError(
            f"{data}: has no tour to draw", expected="at least one", fix="take another scene, or all of them"
        )
    panels = [panel for walk in walks for panel in tour_panels(walk, scenes.scene(walk.scan), most)]
    return declarations("vlnscope.benchmarks.tours.findings").figure(
        "tours-on-maps", panels, data=data, drawn=min(most, max(len(walk.legs) for walk in walks))
    )


def tour_panels(walk: OracleWalk, scene: Scene, most: int) -> Iterator[Panel]:
    """Yield a map for each floor on which one of the first episodes of a tour is."""
    legs, floors = walk.legs[:most], levels(scene)
    led = [leg.approach for leg in legs if len(leg.approach) > 1]
    metres = f"{_metres(scene, [leg.path for leg in legs]):.0f} m, led {_metres(scene, led):.0f} m"
    used = sorted({floors[node] for leg in legs for node in leg.path})
    for level in used:
        episodes = (
            walk_series(f"episode {k}", scene, [leg.path], "ordered", level=level, starts=(str(k),))
            for k, leg in enumerate(legs, 1)
        )
        yield Panel(
            title=short(walk.scan) + (f", floor {level}" if len(used) > 1 else ""),
            note=f"{len(legs)} of {len(walk.legs)} episodes: {metres}",
            series=(
                *floor_series(scene, level),
                walk_series(LED, scene, led, "led", level=level),
                *episodes,
            ),
        )


def short(scan: str) -> str:
    """Return the name of a scene, of a Matterport scan its beginning."""
    return scan if len(scan) <= _LONG else f"{scan[:_LONG]}…"


def _metres(scene: Scene, paths: Iterable[Sequence[str]]) -> float:
    return sum(scene.graph.distance(a, b) for path in paths for a, b in pairwise(path))
