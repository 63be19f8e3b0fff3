"""Every instruction of houses/val_unseen is true of its house; other registers are tried on two houses."""

from __future__ import annotations

from functools import cache

import pytest

from vlnscope.episodes.house_episodes import INSTRUCTIONS, Part, house_episodes, instructions
from vlnscope.language.describing import REGISTERS, Register
from vlnscope.language.truth import untruths
from vlnscope.worlds.houses.house import house_scene
from vlnscope.worlds.houses.splits import house_ids, load_house
from vlnscope.worlds.scene import Scene


@cache
def scene(house: str) -> Scene:
    return house_scene(load_house(house))


HOUSES = house_ids("val_unseen")
CASES = [
    (house, register) for register in REGISTERS for house in (HOUSES if register == "r2r" else HOUSES[:2])
]


@pytest.mark.parametrize(("house", "register"), CASES)
def test_all_instructions_of_the_split_are_true(house: str, register: Register) -> None:
    episodes = house_episodes(house, Part(register)).episodes
    assert len(episodes) == 60 * INSTRUCTIONS
    for first in range(0, len(episodes), INSTRUCTIONS):
        its = episodes[first : first + INSTRUCTIONS]
        path, heading = its[0].path, its[0].heading or 0.0
        told = list(instructions(scene(house), path, heading, register, seed=int(its[0].path_id)))
        assert [it.text for it in told] == [episode.instruction for episode in its]
        for it in told:
            assert untruths(scene(house), path, heading, it) == (), it.text
