"""Rooms that can be named so that one room of the scene is meant, and ways around them."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from vlnscope.language.describe.scene_index import STAIRWELL
from vlnscope.language.names.look_alikes import alike
from vlnscope.language.names.nouns import room_nouns
from vlnscope.types import Floats
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene

OPEN = "px"
"""Letters of places in the open, whose borders nobody sees."""
LEAST = 2
"""Fewest viewpoints of a room that is named."""


class SingleRoom(NamedTuple):
    """A room of a scene.

    Attributes:
        label: its letter.
        rows: its viewpoints, by row.
    """

    label: str
    rows: tuple[int, ...]

    @property
    def name(self) -> str:
        """What it is called."""
        return room_nouns(self.label)[0].singular


class SceneWithRooms:
    """A scene with the rooms that can be named, and the graph without each of them."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.graph: NavGraph = scene.graph
        self._around: dict[str, NavGraph] = {}

    @cached_property
    def regions(self) -> tuple[int | None, ...]:
        """The region of each viewpoint, by row."""
        return tuple(self.scene.regions.of.get(node) for node in self.graph.nodes)

    @cached_property
    def rooms(self) -> tuple[SingleRoom, ...]:
        """The rooms of which a scene has one, and none that looks like it."""
        labels = self.scene.regions.labels
        found = []
        for region, label in sorted(labels.items()):
            rows = tuple(row for row, its in enumerate(self.regions) if its == region)
            others = [other for number, other in labels.items() if number != region]
            nameable = room_nouns(label) and label not in (*OPEN, STAIRWELL)
            if nameable and len(rows) >= LEAST and not any(_confused(label, other) for other in others):
                found.append(SingleRoom(label, rows))
        return tuple(found)

    def around(self, room: SingleRoom) -> NavGraph:
        """Return the graph without the ways into a room."""
        if room.label not in self._around:
            inside = np.zeros(len(self.graph.nodes), dtype=np.bool_)
            inside[list(room.rows)] = True
            edges = self.graph.edges[~inside[self.graph.edges].any(axis=1)]
            self._around[room.label] = NavGraph(self.graph.nodes, self.graph.positions, edges)
        return self._around[room.label]

    def detours(self, room: SingleRoom) -> Floats:
        """Return how much longer the ways between all viewpoints are around a room, metres."""
        with np.errstate(invalid="ignore"):
            longer: Floats = self.around(room).distances - self.graph.distances
        return np.nan_to_num(longer, nan=np.inf, posinf=np.inf)


def _confused(label: str, other: str) -> bool:
    """Return whether a room of another label may be meant; labels of no kind are not held against one."""
    return bool(room_nouns(other)) and other != "z" and alike(label, other)
