"""Descriptions are true: checked against the scene's layers, over houses; and the check notices lies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import islice

import msgspec
import pytest

from vlnscope.episodes.datasets.house_paths import HousePath, house_paths
from vlnscope.language.describe import REGISTERS, Describer, Description, GroundedAction, Register
from vlnscope.language.describe.verify.truth import false_statements
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.scene import Scene

SEEDS = (1, 6, 40_000)
PATHS = 15


@cache
def scene(seed: int) -> Scene:
    return house_scene(generate(seed))


@cache
def paths(seed: int) -> tuple[HousePath, ...]:
    return tuple(islice(house_paths(scene(seed), seed), PATHS))


@cache
def told(seed: int, register: Register) -> tuple[tuple[HousePath, Description], ...]:
    return tuple(
        (path, Describer(scene(seed), path.nodes, path.heading).describe(register, variant=variant))
        for path in paths(seed)
        for variant in range(2)
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("register", REGISTERS)
def test_everything_said_is_true(seed: int, register: Register) -> None:
    for path, it in told(seed, register):
        assert false_statements(scene(seed), path.nodes, path.heading, it) == (), it.text


def test_few_paths_cannot_be_told_apart() -> None:
    ambiguous = [
        it for seed in SEEDS for register in REGISTERS for _, it in told(seed, register) if it.ambiguous
    ]
    assert len(ambiguous) <= 0.12 * len(SEEDS) * len(REGISTERS) * PATHS * 2
    assert all("the goal" in (it.ambiguous or "") or "literally" in (it.ambiguous or "") for it in ambiguous)


# ---- the check can fail: statements made false are noticed


def _replaced(it: Description, number: int, statement: GroundedAction) -> Description:
    statements = (*it.statements[:number], statement, *it.statements[number + 1 :])
    return msgspec.structs.replace(it, statements=statements)


def _other_direction(statement: GroundedAction) -> GroundedAction | None:
    other = {"left": "right", "right": "left", "slight left": "right", "slight right": "left", "up": "down",
             "down": "up", "around": "left"}.get(statement.action.direction or "")  # fmt: skip
    if other is None:
        return None
    return msgspec.structs.replace(
        statement, action=msgspec.structs.replace(statement.action, direction=other)
    )


def _other_side(statement: GroundedAction) -> GroundedAction | None:
    other = {"left": "right", "right": "left"}.get(statement.action.side or "")
    if statement.action.kind != "past" or other is None:
        return None
    return msgspec.structs.replace(statement, action=msgspec.structs.replace(statement.action, side=other))


def _other_object(statement: GroundedAction) -> GroundedAction | None:
    if not statement.object_ids:
        return None
    referents = tuple(
        msgspec.structs.replace(r, object_ids=tuple(f"{name}-not" for name in r.object_ids))
        for r in statement.referents
    )
    return msgspec.structs.replace(statement, referents=referents)


def _other_region(statement: GroundedAction) -> GroundedAction | None:
    if not statement.regions:
        return None
    referents = tuple(
        msgspec.structs.replace(r, regions=tuple((region + 1) % 5 for region in r.regions))
        for r in statement.referents
    )
    return msgspec.structs.replace(statement, referents=referents)


def _no_steps(statement: GroundedAction) -> GroundedAction | None:
    if statement.action.kind not in ("go", "enter", "exit", "past", "stairs"):
        return None
    return msgspec.structs.replace(statement, last_step=statement.first_step)


def _other_colour(statement: GroundedAction) -> GroundedAction | None:
    if statement.action.place is None or not statement.object_ids:
        return None
    place = msgspec.structs.replace(statement.action.place, attributes=("mauve",))
    referents = tuple(
        msgspec.structs.replace(r, place=place) if r.place == statement.action.place else r
        for r in statement.referents
    )
    action = msgspec.structs.replace(statement.action, place=place)
    return msgspec.structs.replace(statement, action=action, referents=referents)


def _other_count(statement: GroundedAction) -> GroundedAction | None:
    place = statement.action.place
    if place is None or place.ordinal is None:
        return None
    wrong = msgspec.structs.replace(place, ordinal=place.ordinal % 3 + 1)
    referents = tuple(
        msgspec.structs.replace(r, place=wrong) for r in statement.referents if r.place == place
    )
    action = msgspec.structs.replace(statement.action, place=wrong)
    return msgspec.structs.replace(statement, action=action, referents=referents)


LIES: tuple[Callable[[GroundedAction], GroundedAction | None], ...] = (
    _other_direction, _other_side, _other_object, _other_region, _no_steps, _other_colour, _other_count,
)  # fmt: skip


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__.lstrip("_"))
def test_lies_are_noticed(lie: Callable[[GroundedAction], GroundedAction | None]) -> None:
    noticed: Counter[bool] = Counter()
    for register in REGISTERS:
        for path, it in told(1, register):
            for number, statement in enumerate(it.statements):
                false = lie(statement)
                if false is not None:
                    found = false_statements(scene(1), path.nodes, path.heading, _replaced(it, number, false))
                    noticed[bool(found)] += 1
    assert noticed[True] >= 3
    assert noticed[False] == 0


def test_instructions_for_another_path_are_noticed() -> None:
    found = told(1, "r2r")
    others = [(path, other) for (path, _), (its, other) in zip(found, found[2:], strict=False) if path != its]
    assert len(others) > 20
    for path, other in others:
        assert false_statements(scene(1), path.nodes, path.heading, other) != ()


def test_wrong_alignment_is_noticed() -> None:
    path, it = told(1, "r2r")[0]
    late = msgspec.structs.replace(it, step_times=tuple(reversed(it.step_times)))
    assert any("times" in found for found in false_statements(scene(1), path.nodes, path.heading, late))
    short = msgspec.structs.replace(it, chunks=it.chunks[:-1])
    assert any("chunks" in found for found in false_statements(scene(1), path.nodes, path.heading, short))
    gap = msgspec.structs.replace(it, statements=it.statements[:1])
    assert any(
        "the statements end at" in found
        for found in false_statements(scene(1), path.nodes, path.heading, gap)
    )
