"""Grounds instructions: from parsed actions and a partly known map to scores over the next steps.

`stages` cuts an instruction into stages, `potentials` scores the steps of each by what can be seen
(`referents`, `rooms`, `captions`), and `search` finds the best walk over the `terrain` of a `known_map`.
"""

from vlnscope.language.ground.grounding import WEIGHTS, Scores, best_walk, follow, ground
from vlnscope.language.ground.known_map import KnownMap

__all__ = ["WEIGHTS", "KnownMap", "Scores", "best_walk", "follow", "ground"]
