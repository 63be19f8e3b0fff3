"""Lines of maps: paths over a graph, and the floor beneath them, as series in metres."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from vlnscope.benchmarks.kit.findings import Role, Series
from vlnscope.worlds.maps.floor_map import levels
from vlnscope.worlds.maps.outline import floor_outline
from vlnscope.worlds.scene import Scene

Place = tuple[float, float] | None


def floor_series(scene: Scene, level: int) -> Iterator[Series]:
    """Yield what lies beneath walks on a floor: the ground, and walls or the edges of the graph."""
    outline = floor_outline(scene, level)
    yield series_of("floor", _joined(outline.areas), "ground")
    yield series_of("walls" if scene.has("plan") else "graph", _joined(outline.lines), "outline")


def walk_series(
    name: str,
    scene: Scene,
    paths: Iterable[Sequence[str]],
    role: Role,
    *,
    level: int,
    starts: Sequence[str] = (),
) -> Series:
    """Return paths as one series, as far as they are on a floor.

    Args:
        name: of the series.
        scene: where.
        paths: viewpoints; a path that leaves the floor is interrupted.
        role: of the series.
        level: the floor.
        starts: a label for the first point of each path.
    """
    floors = levels(scene)
    places: list[Place] = []
    labels: list[str] = []
    for number, path in enumerate(paths):
        before = len(places)
        for part in _on_level(path, floors, level):
            places += [*(_at(scene, node) for node in part), None]
        labels += [""] * (len(places) - before)
        if starts and len(places) > before and floors.get(path[0]) == level:
            labels[before] = starts[number]
    return series_of(name, places, role, labels if any(labels) else ())


def series_of(name: str, places: Sequence[Place], role: Role, labels: Sequence[str] = ()) -> Series:
    """Return places as a series; None ends a line."""
    x = tuple(None if place is None else round(place[0], 3) for place in places)
    y = tuple(None if place is None else round(place[1], 3) for place in places)
    return Series(name=name, x=x, y=y, role=role, labels=tuple(labels))


def _on_level(path: Sequence[str], floors: dict[str, int], level: int) -> Iterator[list[str]]:
    """Yield the parts of a path that are on a floor, with the step onto it or off it."""
    part: list[str] = []
    for a, b in pairwise(path):
        if level in (floors.get(a), floors.get(b)):
            part = part or [a]
            part.append(b)
        elif part:
            yield part
            part = []
    if part:
        yield part


def _at(scene: Scene, node: str) -> tuple[float, float]:
    x, y, _ = scene.graph.positions[scene.graph.row(node)].tolist()
    return x, y


def _joined(lines: Iterable[Sequence[tuple[float, float]]]) -> list[Place]:
    return [place for line in lines for place in (*line, None)]
