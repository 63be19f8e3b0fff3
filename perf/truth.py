"""Is every instruction of the houses of val_unseen true of its house?

Words each path of each house again, checks that the data set says the same, and holds each thing that is said
against the house.

    python perf/truth.py
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache

from vlnscope.episodes.datasets.house_episodes import INSTRUCTIONS, HousePart, house_episodes, instructions
from vlnscope.language.describe import REGISTERS, Register
from vlnscope.language.describe.verify.truth import false_statements
from vlnscope.worlds.houses.house import house_scene
from vlnscope.worlds.houses.splits import house_ids, load_house
from vlnscope.worlds.scene import Scene

PATHS = 60


def false_instructions(house: str, register: Register) -> Iterator[str]:
    """Yield what is wrong with the episodes of a house: too few, other words, or something untrue."""
    scene = _scene(house)
    episodes = house_episodes(house, HousePart(register)).episodes
    if len(episodes) != PATHS * INSTRUCTIONS:
        yield f"{house}: {len(episodes)} episodes"
    for first in range(0, len(episodes), INSTRUCTIONS):
        its = episodes[first : first + INSTRUCTIONS]
        path, heading = its[0].path, its[0].heading or 0.0
        told = list(instructions(scene, path, heading, register, seed=int(its[0].path_id)))
        if [it.text for it in told] != [episode.instruction for episode in its]:
            yield f"{house}: path {its[0].path_id} is worded otherwise than in the data set"
        yield from (it.text for it in told if false_statements(scene, path, heading, it))


@lru_cache(maxsize=1)
def _scene(house: str) -> Scene:
    return house_scene(load_house(house))


def main() -> int:
    """Print what is untrue, and how many instructions were looked at; 1 if something is."""
    wrong = 0
    for house in house_ids("val_unseen"):
        for register in REGISTERS:
            for text in false_instructions(house, register):
                print(f"{register} {house}: {text}")
                wrong += 1
    print(f"{len(house_ids('val_unseen'))} houses looked at in {len(REGISTERS)} registers")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
