"""Scores of environment cases: does the agent still arrive when the house has changed?"""

from __future__ import annotations

import math

from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import Case
from vlnscope.worlds.scene import Scenes

NEAR = 3.0
"""Metres from the goal within which a walk succeeds."""


def environment_values(case: Case, line: EvidenceLine, scenes: Scenes) -> dict[str, float]:
    """Return whether a walk ended near the goal (less than 3 m along the graph), and how far from it.

    The goal is the end of the path that the instruction describes in the house as it was. Where there is no
    way to the goal there is no distance, and no success.
    """
    graph = scenes.scene(case.episode.scan).graph
    distance = graph.distance(line.path[-1], case.episode.path[-1])
    values = {"success": float(distance < NEAR)}
    return values | ({"distance_m": distance} if math.isfinite(distance) else {})
