"""The world `gridtown`: towns of five by five junctions, four blocks long and four wide."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from vlnscope.core.exceptions import UnknownNameError
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.world import World

SIZE = 5
BLOCK = 4.0
DIRECTIONS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
_NAME = re.compile(r"town-\d+")


def junction(x: int, y: int) -> str:
    """Return the viewpoint at a crossing of streets."""
    return f"x{x}y{y}"


def coordinates(viewpoint: str) -> tuple[int, int]:
    """Return where a junction lies."""
    x, _, y = viewpoint[1:].partition("y")
    return int(x), int(y)


def town(name: str) -> Scene:
    """Make a town; all are alike but for their names."""
    places = [(x, y) for x in range(SIZE) for y in range(SIZE)]
    edges = [
        (junction(x, y), junction(x + dx, y + dy))
        for x, y in places
        for dx, dy in ((0, 1), (1, 0))
        if x + dx < SIZE and y + dy < SIZE
    ]
    positions = [[x * BLOCK, y * BLOCK, 1.5] for x, y in places]
    return Scene(name, NavGraph.build([junction(x, y) for x, y in places], positions, edges))


class Towns:
    """Towns by name."""

    def __init__(self, names: Sequence[str]) -> None:
        self._towns = {name: town(name) for name in names}

    def scans(self) -> tuple[str, ...]:
        """Return their names."""
        return tuple(sorted(self._towns))

    def scene(self, scan: str) -> Scene:
        """Return one of them."""
        if scan not in self._towns:
            raise UnknownNameError("scene", scan, self._towns)
        return self._towns[scan]


def open_towns(scans: Sequence[str], root: Path | None) -> Towns:
    """Open towns; they need no data folder."""
    return Towns(scans)


GRIDTOWN = World(
    name="gridtown",
    summary="towns of straight streets",
    open=open_towns,
    recognises=lambda scan: bool(_NAME.fullmatch(scan)),
)
