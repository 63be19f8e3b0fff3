"""Loops with the calls of Habitat 0.1.7, as VLN-CE, NaVid and ETPNav write theirs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from vlnscope.habitat.config.default import CONFIG_FILE_SEPARATOR, get_config
from vlnscope.habitat.config.default import Config as CN  # noqa: N814
from vlnscope.habitat.quaternion import quaternion
from vlnscope.habitat.sims.habitat_simulator.actions import HabitatSimActions
from vlnscope.habitat.tasks.nav.shortest_path_follower import ShortestPathFollower
from vlnscope.habitat.tasks.utils import cartesian_to_polar
from vlnscope.habitat.utils.geometry_utils import quaternion_rotate_vector

import vlnscope.habitat as habitat
from vlnscope.core.exceptions import InputError
from vlnscope.habitat import Config, Env, RLEnv, VectorEnv, make_dataset

TASK = """\
ENVIRONMENT:
  MAX_EPISODE_STEPS: 500
  ITERATOR_OPTIONS: {SHUFFLE: False, MAX_SCENE_REPEAT_STEPS: -1}
SIMULATOR:
  AGENT_0:
    SENSORS: [RGB_SENSOR, DEPTH_SENSOR]
  FORWARD_STEP_SIZE: 0.25
  TURN_ANGLE: 15
  HABITAT_SIM_V0:
    GPU_DEVICE_ID: 0
  RGB_SENSOR: {WIDTH: 16, HEIGHT: 12, HFOV: 90, TYPE: HabitatSimRGBSensor}
  DEPTH_SENSOR: {WIDTH: 16, HEIGHT: 12}
TASK:
  TYPE: VLN-v0
  SUCCESS_DISTANCE: 3.0
  SENSORS: [INSTRUCTION_SENSOR]
  INSTRUCTION_SENSOR_UUID: instruction
  POSSIBLE_ACTIONS: [STOP, MOVE_FORWARD, TURN_LEFT, TURN_RIGHT]
  MEASUREMENTS: [DISTANCE_TO_GOAL, SUCCESS, SPL, NDTW, SDTW, PATH_LENGTH, ORACLE_SUCCESS, ORACLE_SPL,
    STEPS_TAKEN, COLLISIONS]
  SUCCESS: {SUCCESS_DISTANCE: 3.0}
  SPL: {SUCCESS_DISTANCE: 3.0}
  NDTW: {SUCCESS_DISTANCE: 3.0, GT_PATH: "data/R2R_VLNCE/{split}/{split}_gt.json.gz"}
  ORACLE_SUCCESS: {SUCCESS_DISTANCE: 3.0}
DATASET:
  TYPE: VLN-CE-v1
  SPLIT: train
  DATA_PATH: houses-ce/{split}@1
  SCENES_DIR: data/scene_datasets/
"""
EXPERIMENT = """\
BASE_TASK_CONFIG_PATH: vlnce_task.yaml
NUM_ENVIRONMENTS: 3
EVAL: {SPLIT: val_unseen}
"""


def experiment_config(path: str, opts: list[Any]) -> Config:
    """Read an experiment as VLN-CE does: defaults of its own, the task's file, options in turn."""
    task = get_config()
    task.defrost()
    task.TASK.MY_SENSOR = CN()
    task.TASK.MY_SENSOR.GOAL_RADIUS = 0.5
    config = CN()
    config.EVAL = CN()
    config.EVAL.EPISODE_COUNT = 2
    config.TASK_CONFIG = CN()
    for name in path.split(CONFIG_FILE_SEPARATOR):
        config.merge_from_file(name)
    task = task.clone()
    task.merge_from_file(config.BASE_TASK_CONFIG_PATH)
    config.TASK_CONFIG = task
    config.merge_from_list(opts)
    config.TASK_CONFIG.DATASET.SPLIT = config.EVAL.SPLIT
    config.freeze()
    return config


@pytest.fixture
def config(here: Path) -> Config:
    (here / "vlnce_task.yaml").write_text(TASK, "utf-8")
    (here / "experiment.yaml").write_text(EXPERIMENT, "utf-8")
    return experiment_config("experiment.yaml", ["EVAL.EPISODE_COUNT", 6])


class DaggerEnv(RLEnv):
    """An environment as VLN-CE's and ETPNav's: no reward, metrics as information, and helpers."""

    def __init__(self, config: Config, dataset: Any = None) -> None:
        super().__init__(config.TASK_CONFIG, dataset)

    def get_reward_range(self) -> tuple[float, float]:
        return 0.0, 0.0

    def get_reward(self, observations: dict[str, Any]) -> float:
        return 0.0

    def get_done(self, observations: dict[str, Any]) -> bool:
        return self._env.episode_over

    def get_info(self, observations: dict[str, Any]) -> dict[Any, Any]:
        return self.habitat_env.get_metrics()

    def get_agent_info(self) -> dict[str, Any]:
        state = self._env.sim.get_agent_state()
        ahead = quaternion_rotate_vector(state.rotation.inverse(), np.array([0, 0, -1]))
        heading = cartesian_to_polar(-ahead[2], ahead[0])[1]
        return {
            "position": state.position.tolist(),
            "heading": heading,
            "stop": self._env.task.is_stop_called,
        }

    def next_expert_action(self, radius: float) -> int:
        follower = ShortestPathFollower(self._env.sim, radius, return_one_hot=False)
        return int(follower.get_next_action(self._env.current_episode.goals[0].position))

    def reached(self, forward: float, angle: float) -> list[float]:
        """Say where a walk would end, and stay: turn in one go, then steps without pictures."""
        sim = self._env.sim
        before = sim.get_agent_state()
        step = sim.get_agent(0).agent_config.action_space[HabitatSimActions.MOVE_FORWARD].actuation.amount
        half = np.arctan2(before.rotation.imag[1], before.rotation.real) + angle / 2
        sim.set_agent_state(before.position, quaternion(np.cos(half), 0, np.sin(half), 0))
        for _ in range(int(forward // step)):
            sim.step_without_obs(HabitatSimActions.MOVE_FORWARD)
        ended = sim.get_agent_state().position.tolist()
        sim.set_agent_state(before.position, before.rotation)
        return ended

    def walk(self, turns: int, steps: int) -> dict[str, Any]:
        """Walk without pictures, but be measured."""
        acts = [HabitatSimActions.TURN_LEFT] * turns + [HabitatSimActions.MOVE_FORWARD] * steps
        for act in acts:
            self._env.sim.step_without_obs(act)
            self._env._task.measurements.update_measures(
                episode=self._env.current_episode, action=act, task=self._env.task
            )
        return self._env.get_metrics()


class WaypointEnv(DaggerEnv):
    """An environment whose step takes more than an action."""

    def step(self, action: dict[str, Any], vis_info: Any, *args: Any, **kwargs: Any) -> Any:
        assert vis_info == "drawn"
        for act in [HabitatSimActions.TURN_LEFT] * action["turns"]:
            observed = self._env.step(act)
        return observed, 0.0, self.get_done(observed), self.get_info(observed)


def sharded(config: Config, count: int, kind: type[DaggerEnv] = DaggerEnv, **options: Any) -> VectorEnv:
    """Make environments that share out the episodes, as VLN-CE does."""
    names = [episode.episode_id for episode in opened(config).episodes[: config.EVAL.EPISODE_COUNT]]
    configs = []
    for k in range(count):
        own = config.clone()
        own.defrost()
        own.TASK_CONFIG.SEED += k
        own.TASK_CONFIG.DATASET.EPISODES_ALLOWED = names[k::count]
        own.freeze()
        configs.append((own,))
    return VectorEnv(make_env_fn=kind, env_fn_args=tuple(configs), workers_ignore_signals=True, **options)


def opened(config: Config) -> Any:
    return make_dataset(id_dataset=config.TASK_CONFIG.DATASET.TYPE, config=config.TASK_CONFIG.DATASET)


@pytest.fixture
def envs(config: Config) -> Iterator[VectorEnv]:
    made = sharded(config, 3, auto_reset_done=False)
    yield made
    made.close()


def test_environments_side_by_side_measure_what_vlnscope_does(
    envs: VectorEnv, shortest: Any, same_metrics: Any
) -> None:
    """VLN-CE's inference: all step together, and those that have no episode left are paused."""
    envs.resume_all()
    observations = envs.reset()
    found: dict[str, Any] = {}
    while envs.num_envs > 0:
        assert len(observations) == envs.num_envs
        actions = envs.call(["next_expert_action"] * envs.num_envs, [{"radius": 0.25}] * envs.num_envs)
        episodes = envs.current_episodes()
        outputs = envs.step(actions)
        observations, _, dones, infos = (list(part) for part in zip(*outputs, strict=True))
        finished = []
        for k in range(envs.num_envs):
            if not dones[k]:
                continue
            found[episodes[k].episode_id] = infos[k]
            observations[k] = envs.reset_at(k)[0]
            if envs.current_episodes()[k].episode_id in found:
                finished.append(k)
        for k in reversed(finished):
            observations.pop(k)
            envs.pause_at(k)
    envs.resume_all()
    assert envs.num_envs == 3
    assert found.keys() == shortest.keys()
    for name, metrics in found.items():
        same_metrics(metrics, shortest[name])


def test_environments_are_asked_by_name(envs: VectorEnv) -> None:
    first = envs.reset()
    assert envs.count_episodes() == envs.number_of_episodes == [2, 2, 2]
    assert [set(observed) for observed in first] == [{"rgb", "depth", "instruction"}] * 3
    info = envs.call_at(1, "get_agent_info")
    episode = envs.current_episodes()[1]
    assert info["position"] == pytest.approx(episode.start_position)
    assert info["stop"] is False
    before = envs.call_at(1, "get_agent_info", None)
    ended = envs.call_at(1, "reached", {"forward": 0.6, "angle": math.pi / 2})
    assert envs.call_at(1, "get_agent_info") == before
    assert envs.call_at(1, "number_of_episodes") == 2
    walked = envs.call_at(1, "walk", {"turns": 6, "steps": 2})
    assert envs.call_at(1, "get_agent_info")["position"] == pytest.approx(ended, abs=1e-6)
    assert walked["steps_taken"] == 8
    assert walked["path_length"] == pytest.approx(math.dist(ended, info["position"]), abs=1e-6)


def test_a_heading_is_the_angle_to_the_left_of_north(envs: VectorEnv) -> None:
    envs.reset()
    first = envs.call_at(0, "get_agent_info")["heading"]
    envs.step_at(0, HabitatSimActions.TURN_LEFT)
    assert envs.call_at(0, "get_agent_info")["heading"] - first == pytest.approx(math.radians(15))


def test_a_step_hands_over_all_arguments_that_an_environment_takes(config: Config) -> None:
    envs = sharded(config, 2, WaypointEnv)
    envs.reset()
    outputs = envs.step([{"action": {"turns": k + 1}, "vis_info": "drawn"} for k in range(2)])
    assert [output[3]["steps_taken"] for output in outputs] == [1.0, 2.0]


def test_an_environment_whose_episode_is_done_begins_the_next_unless_told_otherwise(config: Config) -> None:
    going = sharded(config, 2)
    going.reset()
    before = [episode.episode_id for episode in going.current_episodes()]
    observed, _, done, info = going.step([HabitatSimActions.STOP, HabitatSimActions.TURN_LEFT])[0]
    after = [episode.episode_id for episode in going.current_episodes()]
    assert (done, info["steps_taken"]) == (True, 1.0)
    assert before[0] != after[0]
    assert before[1] == after[1]
    assert observed["instruction"]["text"] == going.current_episodes()[0].instruction.instruction_text
    staying = sharded(config, 1, auto_reset_done=False)
    staying.reset()
    staying.step([HabitatSimActions.STOP])
    with pytest.raises(InputError, match="the episode is over, and an action came"):
        staying.step([HabitatSimActions.TURN_LEFT])


def test_paused_environments_come_back_where_they_were(envs: VectorEnv) -> None:
    names = [episode.episode_id for episode in envs.current_episodes()]
    envs.pause_at(2)
    envs.pause_at(0)
    assert [episode.episode_id for episode in envs.current_episodes()] == [names[1]]
    envs.reset()
    with pytest.raises(InputError, match="2 actions came for 1 environments"):
        envs.step([1, 1])
    envs.resume_all()
    assert [episode.episode_id for episode in envs.current_episodes()] == names
    envs.reset()
    envs.async_step([1, 2, 3])
    assert [output[3]["steps_taken"] for output in envs.wait_step()] == [1.0] * 3


def test_a_loop_with_the_calls_of_navid_measures_what_vlnscope_does(
    config: Config, scored: Any, same_metrics: Any
) -> None:
    """One environment over a split of the data; actions as dictionaries; it gives up if it stays too long."""
    dataset = opened(config)
    dataset.episodes = dataset.episodes[:6]
    dataset.episodes.sort(key=lambda episode: episode.episode_id)
    rows = scored("stop", 6)
    done = []
    for part in dataset.get_splits(2):
        env = Env(config.TASK_CONFIG, part)
        for _ in range(len(env.episodes)):
            env.reset()
            last, stayed = math.nan, 0
            while not env.episode_over:
                info = env.get_metrics()
                stayed = stayed + 1 if info["distance_to_goal"] == last else 0
                last = info["distance_to_goal"]
                env.step({"action": 0} if stayed >= 3 else {"action": HabitatSimActions.TURN_RIGHT})
            metrics = env.get_metrics()
            assert metrics.pop("steps_taken") == 4.0
            same_metrics(metrics, rows[env.current_episode.episode_id])
            done.append(env.current_episode.episode_id)
    assert sorted(done) == sorted(rows)


def test_scenes_are_known_before_the_episodes_are(config: Config) -> None:
    empty = make_dataset(config.TASK_CONFIG.DATASET.TYPE)
    assert empty.episodes == []
    assert empty.get_scenes_to_load(config.TASK_CONFIG.DATASET) == ["house-40000"]
    with pytest.raises(InputError, match="the data set has no episodes"):
        _ = empty.scenes


def test_the_configuration_of_0_1_7_asks_for_the_same_as_the_new_one() -> None:
    from vlnscope.habitat.config.settings import settings_of

    new, old = habitat.get_config("rxr-ce"), habitat.get_config("rxr-ce-0.1.7")
    assert old.SIMULATOR.TURN_ANGLE == new.habitat.simulator.turn_angle == 30
    left, right = settings_of(new), settings_of(old)
    for name in ("seed", "max_steps", "iterator", "body", "ground", "sensors", "actions", "dataset"):
        assert getattr(left, name) == getattr(right, name), name
    assert [part.type for part in left.measures] == [part.type for part in right.measures]
    assert left.actions[-2:] == ("look_up", "look_down")


def test_twelve_cameras_around_as_waypoint_agents_have_them(config: Config) -> None:
    config = config.clone()
    config.defrost()
    simulator = config.TASK_CONFIG.SIMULATOR
    for angle in range(30, 360, 30):
        name = f"RGB_{angle}.0"
        camera = simulator.RGB_SENSOR.clone()
        camera.ORIENTATION = [0, math.radians(angle), 0]
        camera.UUID = name.lower()
        setattr(simulator, name, camera)
        simulator.AGENT_0.SENSORS.append(name)
    config.freeze()
    env = Env(config.TASK_CONFIG)
    around = env.reset()
    assert len([name for name in around if name.startswith("rgb")]) == 12
    for angle in range(30, 360, 30):
        env.sim.step_without_obs(HabitatSimActions.TURN_LEFT)
        ahead = env.step(HabitatSimActions.TURN_LEFT)["rgb"]
        assert (ahead == around[f"rgb_{angle}.0"]).mean() > 0.97, angle


def test_maps_of_0_1_7_name_one_place_and_one_angle(config: Config) -> None:
    config = config.clone()
    config.defrost()
    config.TASK_CONFIG.TASK.MEASUREMENTS.append("TOP_DOWN_MAP")
    config.TASK_CONFIG.TASK.TOP_DOWN_MAP.MAP_RESOLUTION = 64
    env = Env(config.TASK_CONFIG)
    env.reset()
    shown = env.get_metrics()["top_down_map"]
    row, column = shown["agent_map_coord"]
    assert min(shown["map"].shape) == 64
    assert shown["map"][row, column] == 4
    assert isinstance(shown["agent_angle"], float)
