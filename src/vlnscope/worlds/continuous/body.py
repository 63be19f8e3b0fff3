"""Bodies: how far an agent steps and turns, and what its moves are called and numbered in VLN-CE's files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from vlnscope.worlds.continuous.motion import SpacePose, forward, look, turn
from vlnscope.worlds.continuous.pathfinder import PathFinder

MOVES: Mapping[str, int] = {"forward": 1, "left": 2, "right": 3, "up": 4, "down": 5}
"""The moves of a body, with their numbers in Habitat; 0 is to stop."""


class Body(NamedTuple):
    """How an agent moves; the defaults are those of VLN-CE.

    Attributes:
        step: metres of a forward step.
        angle: degrees of a turn.
        tilt: degrees by which the camera looks up or down.
        sliding: whether it slides along walls.
    """

    step: float = 0.25
    angle: float = 15.0
    tilt: float = 30.0
    sliding: bool = True

    def after(self, ground: PathFinder, pose: SpacePose, move: str) -> SpacePose:
        """Return the pose after one of `MOVES`."""
        if move == "forward":
            return forward(ground, pose, self.step, sliding=self.sliding)
        if move in ("up", "down"):
            return look(pose, self.tilt if move == "up" else -self.tilt)
        return turn(pose, self.angle if move == "left" else -self.angle)
