"""Every instruction of houses of val_unseen is true of its house; ``perf/truth.py`` tries the whole split."""

from __future__ import annotations

import pytest

from truth import false_instructions
from vlnscope.language.describe import REGISTERS, Register
from vlnscope.worlds.houses.splits import house_ids

HOUSES = house_ids("val_unseen")
CASES = [
    *(pytest.param(house, "r2r", marks=pytest.mark.slow) for house in (HOUSES[0], *HOUSES[2:4])),
    *(  # side by side: the house is made once
        pytest.param(HOUSES[1], register, marks=[pytest.mark.slow] if register == "rxr" else [])
        for register in REGISTERS
    ),
]


@pytest.mark.parametrize(("house", "register"), CASES)
def test_all_instructions_of_a_house_are_true(house: str, register: Register) -> None:
    assert list(false_instructions(house, register)) == []
