"""Following an instruction through a scene, with the whole house known or seeing only what is in sight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vlnscope.language.actions import Action, Parse
from vlnscope.language.ground.grounding import WEIGHTS, Weights, ground
from vlnscope.language.ground.known_map import WalkMap
from vlnscope.types import Percept
from vlnscope.worlds.scene import Scene

MOST_STEPS = 25
"""Most steps of a walk; a walker who is lost stops then."""


def follow(
    instruction: Parse | Sequence[Action],
    scene: Scene,
    percepts: Mapping[str, Percept],
    start: str,
    heading: float,
    *,
    walk_map: WalkMap | None = None,
    most_steps: int = MOST_STEPS,
    weights: Weights = WEIGHTS,
) -> tuple[str, ...]:
    """Return the walk of someone who knows at each step what could be seen from the viewpoints visited.

    The walker looks around, scores the next steps with `ground`, takes the best one, and so on until stopping
    is best. Having gone wrong it goes back, and the way back is part of the walk.

    Args:
        instruction: what to do, parsed.
        scene: gives the candidates and places of viewpoints; nothing else of it is looked at.
        percepts: what can be seen from each viewpoint; asked for visited viewpoints only.
        start: where the walk starts.
        heading: where the walker looks there.
        walk_map: what is known from before; it is added to. A fresh map if None.
        most_steps: when to give up.
        weights: what counts how much.
    """
    known = WalkMap() if walk_map is None else walk_map
    graph = scene.graph
    walk = [start]
    while True:
        x, y, z = graph.positions[graph.row(walk[-1])].tolist()
        known.add(walk[-1], scene.candidates(walk[-1]), percepts[walk[-1]], position=(x, y, z))
        step = ground(instruction, known, walk, heading, weights=weights).best
        if step is None or len(walk) > most_steps:
            return tuple(walk)
        walk.append(step)
