"""What is not covered says so, by name, and as early as it can be known."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

import vlnscope.habitat as habitat
from vlnscope.core.exceptions import InputError
from vlnscope.habitat import Env
from vlnscope.habitat.addresses import addresses, found, names_of
from vlnscope.habitat.coverage import NotCoveredError
from vlnscope.habitat.dataset import HabitatDataset

AGENT = "habitat.simulator.agents.main_agent"
DEPTH = f"{AGENT}.sim_sensors.depth_sensor"


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("habitat.task.type=ObjectNav-v1", "habitat.task.type = 'ObjectNav-v1'"),
        ("habitat.dataset.type=ObjectNav-v1", "habitat.dataset.type = 'ObjectNav-v1'"),
        ("habitat.simulator.type=RearrangeSim-v0", "habitat.simulator.type = 'RearrangeSim-v0'"),
        ("habitat.simulator.habitat_sim_v0.enable_physics=True", "enable_physics = True"),
        ("habitat.task.end_on_success=True", "habitat.task.end_on_success = True"),
        ("habitat.simulator.turn_angel=30", "the option habitat.simulator.turn_angel"),
        ("habitat.environment.most_steps=3", "the option habitat.environment.most_steps"),
        (f"{DEPTH}.noise_model=RedwoodDepthNoiseModel", "noise_model = 'RedwoodDepthNoiseModel'"),
        (f"{DEPTH}.sensor_subtype=EQUIRECTANGULAR", "sensor_subtype = 'EQUIRECTANGULAR'"),
        (
            f"{DEPTH}.type=HabitatSimEquirectangularDepthSensor",
            "of type 'HabitatSimEquirectangularDepthSensor'",
        ),
        (f"{DEPTH}.far_plane=9", "the option far_plane of the sensor depth_sensor"),
        (f"{DEPTH}.orientation=[0, 0, 1]", "orientation[2] = 1.0"),
        ("habitat.task.actions.fly.type=FlyAction", "the action 'fly'"),
        ("habitat.task.measurements.awe.type=Awe", "the measure awe of type 'Awe'"),
        (
            "habitat.task.measurements.distance_to_goal.distance_to=VIEW_POINTS",
            "distance_to other than POINT",
        ),
        ("habitat.task.lab_sensors.smell.type=Smell", "the sensor smell of type 'Smell'"),
        ("habitat.simulator.agents.second={}", "2 agents"),
        ("habitat.dataset.languages=['hi-IN']", "dataset.languages = ['hi-IN']"),
        ("habitat.dataset.page=3", "the option dataset.page"),
    ],
)
def test_options_are_refused_when_the_environment_is_made(
    tiny_config: Any, override: str, named: str
) -> None:
    with pytest.raises(NotCoveredError) as raised:
        Env(tiny_config(override))
    assert named in raised.value.what
    assert raised.value.what.startswith("vlnscope.habitat does not cover ")
    assert raised.value.expected
    assert raised.value.fix


def test_options_of_0_1_7_are_named_as_it_spells_them() -> None:
    config = habitat.get_config("vlnce-0.1.7")
    config.defrost()
    config.SIMULATOR.TURN_ANGEL = 30
    with pytest.raises(NotCoveredError, match=r"the option SIMULATOR\.TURN_ANGEL"):
        Env(config)
    del config.SIMULATOR.TURN_ANGEL
    config.SIMULATOR.AGENT_0.SENSORS = ["RADAR"]
    with pytest.raises(NotCoveredError, match="the sensor RADAR"):
        Env(config)


@pytest.mark.parametrize("number", [4, -1, "fly", {"action": 1, "action_args": {"r": 2}}, None, 1.0])
def test_actions_that_the_task_does_not_have_are_refused(env: Env, number: Any) -> None:
    with pytest.raises(NotCoveredError, match="the action"):
        env.step(number)
    assert env.get_metrics()["steps_taken"] == 0.0


def test_measures_in_the_wrong_order_are_refused(tiny_config: Any) -> None:
    config = tiny_config()
    config.defrost()
    del config.habitat.task.measurements["distance_to_goal"]
    with pytest.raises(InputError, match="success builds on distance_to_goal, which does not come before it"):
        Env(config).reset()


def test_calls_that_are_not_covered_say_what_there_is(env: Env) -> None:
    with pytest.raises(NotCoveredError, match=r"sim\.add_object") as raised:
        env.sim.add_object("chair")
    assert "geodesic_distance" in raised.value.expected
    with pytest.raises(NotCoveredError, match=r"registry\.register_task"):
        habitat.registry.register_task(name="VLN-v1")
    for owner in (env, env.sim, env.sim.pathfinder, env.task, env.sim.config.sim_cfg, HabitatDataset()):
        assert not hasattr(owner, "nothing")
        with pytest.raises(NotCoveredError, match=r"\.nothing"):
            _ = owner.nothing


def test_names_and_modules_that_are_not_covered_say_so() -> None:
    with pytest.raises(NotCoveredError, match=r"habitat\.Benchmark"):
        _ = habitat.Benchmark
    with pytest.raises(ImportError, match=r"does not cover habitat\.tasks\.nav\.nav\.PointGoalSensor"):
        from vlnscope.habitat.tasks.nav.nav import PointGoalSensor  # noqa: F401
    with pytest.raises(ModuleNotFoundError, match=r"does not cover habitat\.tasks\.rearrange"):
        importlib.import_module("vlnscope.habitat.tasks.rearrange.rearrange_task")
    with pytest.raises(ImportError, match=r"does not cover habitat_sim\.gfx"):
        from vlnscope.habitat.habitat_sim import gfx  # noqa: F401
    with pytest.raises(ImportError, match="PointGoalConfig"):
        from vlnscope.habitat.config.default_structured_configs import PointGoalConfig  # noqa: F401
    assert not hasattr(habitat, "Benchmark")
    assert hasattr(habitat, "Env")


def test_every_address_leads_to_something() -> None:
    count = 0
    for address in ("", *addresses()):
        for name in names_of(address):
            assert found(address, name) is not None, (address, name)
            count += 1
    assert count > 120


def test_options_of_structured_configs_are_checked() -> None:
    from vlnscope.habitat.config.default_structured_configs import TopDownMapMeasurementConfig

    assert TopDownMapMeasurementConfig(map_resolution=64).map_resolution == 64
    with pytest.raises(InputError, match="draw_sauce"):
        TopDownMapMeasurementConfig(draw_sauce=True)
