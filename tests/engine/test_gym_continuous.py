"""The gymnasium environments in continuous space, in one small house."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="needs gymnasium (pip install 'vlnscope[gym]')")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

import vlnscope as vs  # noqa: E402
from vlnscope.core.exceptions import InputError, UnknownNameError  # noqa: E402
from vlnscope.engine.environment import Environment, without_answer  # noqa: E402
from vlnscope.engine.gym import CE_ID, CE_VECTOR_ID, NavCEEnv, NavCEVectorEnv  # noqa: E402
from vlnscope.engine.session import Session  # noqa: E402
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset  # noqa: E402
from vlnscope.types import STOP, Decision, Episode, Observation  # noqa: E402

CAMERAS = ("rgb:32x32", "depth:32x24,metres", "depth:32x32")
NAMES = (STOP, "forward", "left", "right", "up", "down")
FORWARD = 1


HOUSE = "houses-ce/val_unseen@1+3"


@pytest.fixture(scope="module")
def house() -> Dataset:
    return open_dataset(HOUSE)


@pytest.fixture(scope="module")
def episode(house: Dataset) -> Episode:
    return next(e for e in house.episodes() if len(expert(e)) > 20)


class Scripted:
    """Walks by numbers, then stops."""

    action_space = "vlnce"

    def __init__(self, actions: Sequence[int]) -> None:
        self._actions = actions

    def act(self, observation: Observation) -> Decision:
        action = NAMES[self._actions[observation.step]] if observation.step < len(self._actions) else STOP
        return Decision.choose(observation, observation.actions.index(action))


def expert(episode: Episode) -> list[int]:
    assert episode.continuous is not None
    return [action for action in episode.continuous.actions if action]


def finish(env: NavCEEnv, actions: Sequence[int]) -> tuple[float, dict[str, Any]]:
    """Do all actions, then stop; return the sum of rewards and the last info."""
    total = 0.0
    for action in [*actions, 0]:
        seen, reward, terminated, truncated, info = env.step(np.int64(action))
        assert seen in env.observation_space
        assert not truncated
        assert terminated == (action == 0) == ("success" in info) == ("distance" in info)
        total += reward
    return total, info


def alone(house: Dataset, episode: Episode) -> Dataset:
    return replace(house, name="one/all", split="all", load=lambda on_problem: iter([episode]), prepare=None)


@pytest.mark.parametrize(
    "options", [{"sensors": CAMERAS}, {"sensors": (), "reward": "progress", "action_space": "rxr-ce"}]
)
def test_checker_of_gymnasium_is_content(options: dict[str, Any]) -> None:
    env = gymnasium.make(f"vlnscope.engine.gym:{CE_ID}", data=HOUSE, max_steps=3, **options)
    check_env(env.unwrapped)  # warnings are errors


@pytest.mark.parametrize("further", [[], [2] * 12 + [FORWARD] * 60])
def test_ends_where_a_run_does_and_scores_as_it_does(
    house: Dataset, episode: Episode, tmp_path: Path, further: list[int]
) -> None:
    actions = [*expert(episode), *further]  # turns round, and walks into a wall
    env = NavCEEnv(house, sensors=())
    env.reset(options={"episode_id": episode.episode_id})
    total, info = finish(env, actions)
    done = vs.run(Scripted(actions), alone(house, episode), out=tmp_path / "run")
    (line,) = done.lines().values()
    assert env._session.pose.pose.position == line.positions[-1]
    assert info["collisions"] == len(line.collisions or ())
    assert bool(info["collisions"]) == bool(further)
    scored = next(iter(vs.score(done.folder, alone(house, episode), profile="vlnce").rows())).values
    mine = {"NE": info["distance"], "SR": total, "SPL": info["spl"], "TL": info["path_length"]}
    assert {name: scored[name] for name in mine} == pytest.approx(mine)
    assert info["success"] == bool(total) == (not further)


def test_progress_adds_up_to_what_was_gained(house: Dataset, episode: Episode) -> None:
    env = NavCEEnv(house, sensors=(), reward="progress")
    env.reset(options={"episode_id": episode.episode_id})
    total, info = finish(env, expert(episode))
    assert episode.continuous is not None
    gained = episode.continuous.geodesic_distance - info["distance"]  # type: ignore[operator]
    assert gained > 1.0
    assert total == pytest.approx(gained + info["success"])


def test_steps_run_out_without_success_and_nothing_goes_on_after_the_end(house: Dataset) -> None:
    near = next(e for e in house.episodes() if expert(e))
    env = NavCEEnv(house, sensors=(), max_steps=len(expert(near)))
    env.reset(options={"episode_id": near.episode_id})
    for action in expert(near):
        _, reward, terminated, truncated, info = env.step(np.int64(action))
        assert (reward, terminated) == (0.0, False)
    assert truncated
    assert info["distance"] < 3.0
    assert (info["success"], info["spl"]) == (False, 0.0)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(FORWARD))


@pytest.mark.parametrize("space", ["vlnce", "rxr-ce"])
def test_many_agents_do_what_as_many_environments_do(house: Dataset, space: str) -> None:
    options: dict[str, Any] = {
        "sensors": CAMERAS,
        "action_space": space,
        "max_steps": 9,
        "reward": "progress",
    }
    many = NavCEVectorEnv(3, house, **options)
    one_by_one = gymnasium.vector.SyncVectorEnv([lambda: NavCEEnv(house, **options)] * 3)
    assert many.observation_space == one_by_one.observation_space
    assert many.action_space == one_by_one.action_space
    assert many.metadata["autoreset_mode"] == one_by_one.metadata["autoreset_mode"]
    rng = np.random.default_rng(2)
    assert_equal(many.reset(seed=7), one_by_one.reset(seed=7))
    ended = 0
    for _ in range(24):  # past several ends, by stopping and by running out of steps
        actions = np.where(rng.random(3) < 0.08, 0, rng.integers(1, many.single_action_space.n, 3))
        done = many.step(actions)
        assert_equal(done, one_by_one.step(actions))
        assert done[0] in many.observation_space
        ended += int((done[2] | done[3]).sum())
    assert ended >= 6


def assert_equal(mine: Any, theirs: Any) -> None:
    """Compare to the last bit, and types of arrays with it."""
    if isinstance(mine, dict):
        assert mine.keys() == theirs.keys()
        mine, theirs = list(mine.values()), [theirs[key] for key in mine]
    if isinstance(mine, tuple | list):
        assert len(mine) == len(theirs)
        for one, other in zip(mine, theirs, strict=True):
            assert_equal(one, other)
    else:
        assert getattr(mine, "dtype", None) == getattr(theirs, "dtype", None)
        np.testing.assert_array_equal(mine, theirs)


@given(walks=st.lists(st.lists(st.integers(1, 3), min_size=30, max_size=30), min_size=3, max_size=3))
@settings(max_examples=12)
def test_agents_end_where_sessions_do(house: Dataset, walks: list[list[int]]) -> None:
    many = NavCEVectorEnv(3, house, sensors=())
    assert house.scenes is not None
    many.reset(options={"episode_id": list(many.episodes)[:9:3]})
    sessions = [Session(Environment(house.scenes, action_space="vlnce")) for _ in walks]
    for session, episode_id in zip(sessions, list(many.episodes)[:9:3], strict=True):
        session.reset(many.episodes[episode_id])
    for actions in zip(*walks, strict=True):
        seen, *_ = many.step(np.array(actions))
        for row, (session, action) in enumerate(zip(sessions, actions, strict=True)):
            session.step(NAMES[action])
            pose = session.pose.pose
            assert tuple(seen["position"][row]) == pose.position
            assert seen["heading"][row] == pose.heading
            assert seen["collided"][row] == pose.collided


def test_gymnasium_makes_many_by_name() -> None:
    for name in (CE_ID, CE_VECTOR_ID):
        envs = gymnasium.make_vec(name, num_envs=2, data=HOUSE, sensors=())
        assert isinstance(envs, NavCEVectorEnv)
        seen, info = envs.reset(seed=1)
        assert seen in envs.observation_space
        assert set(info["scan"]) == {"house-40003"}


def test_agents_may_be_in_different_scenes() -> None:
    houses = open_dataset("houses-ce/val_unseen@2+3")
    envs = NavCEVectorEnv(2, houses, sensors=("depth:16x16",))
    ids = [next(i for i, e in envs.episodes.items() if e.scan == f"house-4000{n}") for n in (4, 3)]
    seen, info = envs.reset(options={"episode_id": ids})
    assert info["scan"].tolist() == ["house-40004", "house-40003"]
    single = NavCEEnv(houses, sensors=("depth:16x16",))
    for row, episode_id in enumerate(ids):
        shown, _ = single.reset(options={"episode_id": episode_id})
        np.testing.assert_array_equal(seen["depth:16x16"][row], shown["depth:16x16"])
        np.testing.assert_array_equal(seen["position"][row], shown["position"])


def test_what_cannot_be_used_is_refused(house: Dataset, episode: Episode) -> None:
    refused: list[tuple[Any, dict[str, Any], str]] = [
        (house, {"reward": "progess"}, "progress"),
        (house, {"action_space": "waypoint"}, "rxr-ce"),
        (house, {"sensors": ("objects",)}, "no camera"),
        (house, {"sensors": ("rgb:big",)}, "describes no camera"),
        ("sample/demo", {}, r"(?s)graphs.*vlnscope/Nav-v0"),
        (replace(house, load_scenes=None), {}, "scenes"),
        (replace(house, load=lambda on_problem: iter([])), {}, "no episodes"),
        (alone(house, without_answer(episode)), {}, "no goal"),
    ]
    for data, options, message in refused:
        for make in (NavCEEnv, partial(NavCEVectorEnv, 2)):
            with pytest.raises((InputError, UnknownNameError), match=message):
                make(data, **options)
    with pytest.raises(InputError, match="agents"):
        NavCEVectorEnv(0, house)


@pytest.mark.parametrize("most", [0, -1, float("nan")])
def test_episodes_without_a_step_are_refused(house: Dataset, most: Any) -> None:
    with pytest.raises(InputError, match="max_steps"):
        NavCEEnv(house, sensors=(), max_steps=most)


def test_actions_and_episodes_that_are_none_are_refused(house: Dataset) -> None:
    one, many = NavCEEnv(house, sensors=()), NavCEVectorEnv(2, house, sensors=())
    for env, action in ((one, np.int64(1)), (many, np.array([1, 1]))):
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(action)
        with pytest.raises((UnknownNameError, InputError), match="nowhere"):
            env.reset(options={"episode_id": "nowhere"})
        env.reset(seed=0)
    for env, action in (
        (one, np.int64(4)),
        (one, np.int64(-1)),
        (many, np.array([1, 4])),
        (many, np.array([1])),
    ):
        with pytest.raises(gymnasium.error.InvalidAction):
            env.step(action)


def test_nothing_is_told_of_the_answer_before_the_end(house: Dataset, episode: Episode) -> None:
    env = NavCEEnv(house, sensors=())
    seen, info = env.reset(options={"episode_id": episode.episode_id})
    again = replace(house, load=lambda on_problem: iter([backwards(episode)]), prepare=None)
    other = NavCEEnv(again, sensors=())
    assert_equal((seen, info), other.reset())
    for action in expert(episode):
        assert_equal(env.step(np.int64(action)), other.step(np.int64(action)))


def backwards(episode: Episode) -> Episode:
    """Return the episode with its start for a goal."""
    assert episode.continuous is not None
    space = msgspec.structs.replace(episode.continuous, goals=(episode.continuous.start_position,))
    return msgspec.structs.replace(episode, continuous=space)
