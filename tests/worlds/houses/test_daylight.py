"""When houses are seen: drawn by seed, written in plans, changed by edits; light follows."""

from __future__ import annotations

from functools import cache

import msgspec
import numpy as np
import pytest

from small_house import small_plan
from vlnscope.core.exceptions import InputError
from vlnscope.worlds.houses import house
from vlnscope.worlds.houses.daylight import daylight_of, lamps_on, sky_of
from vlnscope.worlds.houses.edit.apply import edit, replay
from vlnscope.worlds.houses.edit.edits import SetHour, SwitchLamps
from vlnscope.worlds.houses.edit.names import edited_name, edits_in
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.houses.plan.checks import plan_problems
from vlnscope.worlds.houses.plan.file import decode_plan, encode_plan
from vlnscope.worlds.houses.plan.plan import Daylight, FloorPlan
from vlnscope.worlds.rendering.light.bake import BakedLight


@cache
def _house() -> FloorPlan:
    return generate(7)


def test_hours_vary_and_one_house_in_five_is_seen_in_the_evening() -> None:
    drawn = [daylight_of(seed) for seed in range(400)]
    evenings = [light for light in drawn if light.lamps]
    assert 50 <= len(evenings) <= 110
    assert all(light.hour > 18.5 for light in evenings)
    by_day = [light.hour for light in drawn if not light.lamps]
    assert 8.0 <= min(by_day) < 8.5
    assert 17.0 < max(by_day) <= 18.0
    assert np.std([light.north for light in drawn]) > 80.0
    assert min(light.cover for light in drawn) < 0.1 < 0.9 < max(light.cover for light in drawn)
    assert daylight_of(3) == daylight_of(3)


def test_a_house_carries_its_daylight_through_its_file() -> None:
    plan = _house()
    assert plan.daylight == daylight_of(7)
    assert decode_plan(encode_plan(plan)).daylight == plan.daylight


def test_without_daylight_it_is_noon_with_lamps_off() -> None:
    plan = msgspec.structs.replace(_house(), daylight=None)
    assert sky_of(plan) == sky_of(msgspec.structs.replace(plan, daylight=Daylight(hour=12.0)))
    assert not lamps_on(plan)
    assert b"daylight" not in encode_plan(plan)


def test_clouds_differ_from_house_to_house() -> None:
    plan = _house()
    assert sky_of(plan).seed != sky_of(msgspec.structs.replace(plan, id="other")).seed


@pytest.mark.parametrize("wrong", [{"hour": 24.5}, {"hour": -1.0}, {"cover": 1.5}, {"north": 400.0}])
def test_impossible_daylight_is_named(wrong: dict[str, float]) -> None:
    plan = msgspec.structs.replace(_house(), daylight=Daylight(**wrong))
    assert "daylight" in plan_problems(plan)[0].what


def test_edits_of_light_change_light_alone_and_replay() -> None:
    plan = _house()
    edited = edit(plan, SetHour(20.25), SwitchLamps(True))
    assert edited.daylight == msgspec.structs.replace(daylight_of(7), hour=20.25, lamps=True)
    assert msgspec.structs.replace(edited, daylight=plan.daylight, history=()) == plan
    assert encode_plan(replay(plan, edited.history)) == encode_plan(edited)
    assert sky_of(edited).sun[2] < 0.0
    assert lamps_on(edited)
    name = edited_name(plan.id, edited.history)
    assert name.endswith("~set-hour;hour=20.25~switch-lamps;on=true")
    assert list(edits_in(name)) == list(edited.history)


def test_an_edit_gives_daylight_to_a_plan_without() -> None:
    plan = msgspec.structs.replace(_house(), daylight=None)
    assert edit(plan, SwitchLamps(True)).daylight == Daylight(lamps=True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (SetHour(25.0), "no hour 25"),
        (SetHour(-0.5), "no hour -0.5"),
        (SetHour(float("nan")), "finite"),
        (SwitchLamps(daylight_of(7).lamps), "already"),
        (SetHour(daylight_of(7).hour), "already"),
    ],
)
def test_impossible_edits_of_light_say_why(change: SetHour | SwitchLamps, message: str) -> None:
    with pytest.raises(InputError, match=message):
        edit(_house(), change)


def test_the_light_of_a_house_follows_its_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "surrounded", lambda plan, mesh: mesh)  # the house alone: quickly baked

    def light(hour: float) -> BakedLight:
        plan = msgspec.structs.replace(small_plan(), daylight=Daylight(hour=hour, cover=0.0))
        baked: BakedLight = house_scene(plan, cached=False).layer("light")
        return baked

    morning, night = light(9.0), light(23.0)
    assert morning.frames.shape == night.frames.shape
    assert (morning.atlas != night.atlas).any()
    assert np.isfinite(morning.atlas).all()
    assert night.atlas.mean() * night.exposure < 0.3 * morning.atlas.mean() * morning.exposure
