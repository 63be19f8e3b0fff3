"""Walks to draw on maps: where an agent was and looked, and where it should have gone; colours of time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vlnscope.types import Points
from vlnscope.worlds.frames import to_habitat
from vlnscope.worlds.maps.canvas import XY
from vlnscope.worlds.scene import Scene

TIMES = ((43, 74, 160), (176, 48, 128), (240, 126, 22))
"""The colours of a walk: blue at its start, magenta in its middle, orange at its end."""
_EYES = 1.5


class WalkMark(NamedTuple):
    """A mark beside a walk: at which of its positions, and what is written."""

    at: int
    text: str


@dataclass(frozen=True)
class MapWalk:
    """A walk to draw, in Habitat's frame; everything but positions may be missing.

    Attributes:
        positions: where the agent was: the start, and after each action.
        headings: where it looked there, radians clockwise from -z (north).
        collisions: numbers of the positions at which it had just run into something.
        reference: the described path.
        shortest: the corners of the shortest path.
        goals: where it should end.
        radius: how near to a goal counts as there, metres.
        stopped: whether it stopped itself; None if that is not known.
        on_graph: whether it went from viewpoint to viewpoint.
        marks: numbered pictures, for example.
    """

    positions: Points
    headings: tuple[float, ...] = ()
    collisions: tuple[int, ...] = ()
    reference: Points = ()
    shortest: Points = ()
    goals: Points = ()
    radius: float = 3.0
    stopped: bool | None = None
    on_graph: bool = False
    marks: tuple[WalkMark, ...] = ()

    @cached_property
    def length(self) -> float:
        """Metres walked."""
        return sum(math.dist(a, b) for a, b in pairwise(self.positions))

    @property
    def places(self) -> Points:
        """All places that a map of the walk should show."""
        return (*self.positions, *self.reference, *self.shortest, *self.goals)

    def heading(self, at: int) -> float | None:
        """Return where the agent looked at a position: as is known, else along its last move."""
        if at < len(self.headings):
            return self.headings[at]
        moves = [(a, b) for a, b in pairwise(self.positions[: at + 1]) if math.dist(a[::2], b[::2]) > 1e-3]
        if not moves:
            return None
        before, after = moves[-1]
        return math.atan2(after[0] - before[0], before[2] - after[2]) % math.tau


def feet_on_graph(scene: Scene, viewpoints: Sequence[str]) -> Points:
    """Return where the feet of an agent at viewpoints are, in Habitat's frame, as far as the graph tells."""
    rows = [scene.graph.row(node) for node in viewpoints]
    heights = scene.heights[rows] if scene.has("heights") else np.full(len(rows), _EYES)
    if not rows:
        return ()
    feet = to_habitat(scene.graph.positions[rows], heights, above_floor=0.0)
    return tuple((x, y, z) for x, y, z in feet.tolist())


def time_colour(share: float) -> str:
    """Return the colour of a walk after a share of its time.

    Example:
        >>> time_colour(0.0), time_colour(0.5), time_colour(1.0)
        ('#2b4aa0', '#b03080', '#f07e16')
    """
    at = min(max(share, 0.0), 1.0) * (len(TIMES) - 1)
    k = min(int(at), len(TIMES) - 2)
    mixed = (round(a + (b - a) * (at - k)) for a, b in zip(TIMES[k], TIMES[k + 1], strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def xy(point: Sequence[float]) -> XY:
    """Return where a position in Habitat's frame lies on maps."""
    return point[0], -point[2]
