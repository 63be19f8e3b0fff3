"""Configurations: by attribute, read-only unless opened, from names, files and overrides."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import pytest

import vlnscope.habitat as habitat
from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.habitat.config import Config, read_write
from vlnscope.habitat.config.files import get_agent_config
from vlnscope.habitat.config.node import NoOptionError, ReadOnlyConfigError
from vlnscope.habitat.config.omegaconf import ConfigFunctions
from vlnscope.habitat.config.settings import settings_of
from vlnscope.habitat.coverage import NotCoveredError


def test_options_are_read_by_attribute_and_changed_inside_read_write() -> None:
    config = habitat.get_config("vlnce")
    assert config.habitat.simulator.turn_angle == config["habitat"]["simulator"]["turn_angle"] == 15
    with pytest.raises(ReadOnlyConfigError, match="the configuration is read-only"):
        config.habitat.seed = 3
    with read_write(config), read_write(config.habitat.dataset):
        config.habitat.seed = 3
        config.habitat.dataset.split = "val_seen"
        del config.habitat.task.lab_sensors["instruction_sensor"]
    assert (config.habitat.seed, config.habitat.dataset.split) == (3, "val_seen")
    with pytest.raises(ReadOnlyConfigError):
        config.habitat.dataset.split = "train"
    with pytest.raises(ReadOnlyConfigError):
        config.habitat.task.lab_sensors.clear()


def test_a_misspelled_option_is_guessed() -> None:
    config = habitat.get_config("vlnce")
    with pytest.raises(NoOptionError, match="did you mean turn_angle"):
        _ = config.habitat.simulator.turn_angel
    assert not hasattr(config, "nothing")
    assert config.get("nothing", 7) == 7


def test_copies_share_nothing_and_stay_read_only() -> None:
    config = habitat.get_config("vlnce")
    for other in (config.clone(), copy.deepcopy(config), pickle.loads(pickle.dumps(config))):
        assert other == config
        assert other.habitat.is_frozen()
        with read_write(other):
            other.habitat.seed = 9
        assert config.habitat.seed == 100


def test_overrides_come_in_both_styles_and_as_plain_values() -> None:
    new = habitat.get_config("vlnce", ["habitat.seed=3", "+habitat.dataset.content_scenes=['a','b']"])
    assert (new.habitat.seed, new.habitat.dataset.content_scenes) == (3, ["a", "b"])
    old = habitat.get_config("vlnce-0.1.7", opts=["SEED", 3, "TASK.NDTW.FDTW", "False", "DATASET.SPLIT", "x"])
    assert (old.SEED, old.TASK.NDTW.FDTW, old.DATASET.SPLIT) == (3, False, "x")
    assert habitat.get_config("vlnce", ["habitat.seed=null"]).habitat.seed is None


def test_later_files_change_what_they_name_and_nothing_else(here: Path) -> None:
    (here / "one.yaml").write_text("SIMULATOR: {TURN_ANGLE: 30}\nSEED: 5\n", "utf-8")
    (here / "two.yaml").write_text("SIMULATOR: {FORWARD_STEP_SIZE: 0.5}\n", "utf-8")
    for paths in ("one.yaml,two.yaml", ["one.yaml", "two.yaml"], [Path("one.yaml"), Path("two.yaml")]):
        config = habitat.get_config(config_paths=paths)
        assert (config.SIMULATOR.TURN_ANGLE, config.SIMULATOR.FORWARD_STEP_SIZE, config.SEED) == (30, 0.5, 5)
    later = habitat.get_config("vlnce-0.1.7,two.yaml")
    assert (later.SIMULATOR.TURN_ANGLE, later.SIMULATOR.FORWARD_STEP_SIZE) == (15, 0.5)


def test_files_of_baselines_keep_the_task_in_a_node(here: Path) -> None:
    (here / "run.yaml").write_text("TASK_CONFIG: {SIMULATOR: {TURN_ANGLE: 30}}\nNUM: 4\n", "utf-8")
    config = habitat.get_config("run.yaml")
    assert (config.NUM, config.TASK_CONFIG.SIMULATOR.TURN_ANGLE) == (4, 30)
    assert settings_of(config).body.angle == 30
    (here / "new.yaml").write_text("habitat_baselines: {gpu: 1}\nhabitat: {seed: 8}\n", "utf-8")
    other = habitat.get_config("new.yaml", configs_dir=here)
    assert (other.habitat_baselines.gpu, other.habitat.seed) == (1, 8)


def test_files_that_cannot_be_used_are_named(here: Path) -> None:
    with pytest.raises(DataNotFoundError, match=r"there is no configuration none\.yaml"):
        habitat.get_config("none.yaml")
    (here / "text.yaml").write_text("just words", "utf-8")
    with pytest.raises(InputError, match="holds no options"):
        habitat.get_config("text.yaml")
    (here / "broken.yaml").write_text("a: [1", "utf-8")
    with pytest.raises(InputError, match="is no YAML"):
        habitat.get_config("broken.yaml")
    (here / "arm.yaml").write_text("defaults: [{/habitat/task: rearrange_pick}]\n", "utf-8")
    with pytest.raises(NotCoveredError, match=r"habitat/task: rearrange_pick of .*arm\.yaml"):
        habitat.get_config("arm.yaml")
    with pytest.raises(DataNotFoundError, match=r"there is no file gone\.yaml"):
        Config().merge_from_file("gone.yaml")


def test_a_configuration_need_not_say_everything() -> None:
    least = {"environment": {}, "simulator": {}, "task": {"measurements": {}}, "dataset": {"split": "train"}}
    settings = settings_of(least)
    assert (settings.max_steps, settings.body.angle, settings.actions[:2]) == (
        1000,
        10.0,
        ("stop", "move_forward"),
    )
    with pytest.raises(InputError, match="the configuration has no dataset"):
        settings_of({"environment": {}, "simulator": {}, "task": {}})


def test_agents_options_are_found_in_both_spellings() -> None:
    new, old = habitat.get_config("rxr-ce"), habitat.get_config("rxr-ce-0.1.7")
    assert get_agent_config(new.habitat.simulator).height == get_agent_config(old.SIMULATOR).HEIGHT == 0.88
    with pytest.raises(NotCoveredError, match="agent 2"):
        get_agent_config(new.habitat.simulator, 2)


def test_omegaconfs_functions_do_what_loops_use_them_for() -> None:
    config = habitat.get_config("vlnce")
    assert json.loads(ConfigFunctions.to_yaml(config)) == config
    plain = ConfigFunctions.to_container(config, resolve=True)
    assert type(plain["habitat"]["task"]) is dict
    merged = ConfigFunctions.merge({"a": {"b": 1, "c": 2}}, {"a": {"b": 3}})
    assert merged == {"a": {"b": 3, "c": 2}}
    assert ConfigFunctions.is_config(ConfigFunctions.create({"a": 1}))
    ConfigFunctions.set_readonly(merged, True)
    with pytest.raises(ReadOnlyConfigError):
        merged.a.b = 4
