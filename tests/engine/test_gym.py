from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="needs gymnasium (pip install 'vlnscope[gym]')")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from vlnscope.core.exceptions import InputError, UnknownNameError  # noqa: E402
from vlnscope.engine.gym import ID, NavEnv  # noqa: E402


def test_checker_of_gymnasium_is_content() -> None:
    for options in ({}, {"reward": "progress", "max_steps": 2}):
        check_env(gymnasium.make(f"vlnscope.engine.gym:{ID}", **options).unwrapped)  # warnings are errors


def test_following_the_reference_succeeds() -> None:
    env = NavEnv("sample/demo", max_steps=40)
    for episode_id, episode in env.episodes.items():
        seen, info = env.reset(options={"episode_id": episode_id})
        assert seen["instruction"] == episode.instruction
        total = 0.0
        for viewpoint in episode.path[1:]:
            assert seen in env.observation_space
            seen, reward, terminated, truncated, info = env.step(info["candidates"].index(viewpoint))
            total += reward
            assert not terminated
            assert not truncated
        assert total == 0
        seen, reward, terminated, truncated, info = env.step(env.action_space.n - 1)
        assert (reward, terminated, truncated, info["success"]) == (1.0, True, False, True)
        assert info["path"] == episode.path
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(0)


def test_progress_adds_up_to_what_was_gained() -> None:
    env = NavEnv("sample/demo", reward="progress")
    episode = next(e for e in env.episodes.values() if len(e.path) > 2)
    _, info = env.reset(options={"episode_id": episode.episode_id})
    total = 0.0
    for viewpoint in episode.path[1:]:
        _, reward, _, _, info = env.step(info["candidates"].index(viewpoint))
        total += reward
    graph = env._environment.scene(episode.scan).graph
    assert total == pytest.approx(graph.distance(episode.path[0], episode.path[-1]))
    assert env.step(env.action_space.n - 1)[1] == 1.0


def test_masked_actions_go_nowhere_and_steps_run_out() -> None:
    env = NavEnv("sample/demo", max_steps=2)
    seen, info = env.reset(seed=3)
    for left in (1, 0):
        masked = np.flatnonzero(seen["action_mask"] == 0)
        here = info["viewpoint"]
        action = int(masked[0]) if len(masked) else 0
        seen, reward, terminated, truncated, info = env.step(action)
        assert (info["viewpoint"] == here) == bool(len(masked))
        assert info["valid_action"] == (not len(masked))
        assert (reward, terminated, truncated) == (0.0, False, not left)
    assert info["success"] is False


def test_seed_decides_which_episode() -> None:
    env = NavEnv("sample/demo")
    first = [env.reset(seed=5)[1]["episode_id"], *(env.reset()[1]["episode_id"] for _ in range(9))]
    again = [env.reset(seed=5)[1]["episode_id"], *(env.reset()[1]["episode_id"] for _ in range(9))]
    assert first == again
    assert len(set(first)) > 1


def test_real_episodes_fit_the_spaces(data_root: Path) -> None:
    env = gymnasium.make(ID, data="r2r/val_unseen", root=data_root, needs=("objects",)).unwrapped
    for seed in range(40):
        seen, info = env.reset(seed=seed)
        assert seen in env.observation_space
        assert all(o.name for o in info["seen"]["objects"])
        seen, *_ = env.step(env.action_space.sample(seen["action_mask"]))
        assert seen in env.observation_space


def test_what_cannot_be_used_is_refused(data_root: Path) -> None:
    with pytest.raises(UnknownNameError, match="progress"):
        NavEnv(reward="progess")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="episode"):
        NavEnv().reset(options={"episode_id": "nowhere"})
    for data in ("r2r-ce/val_unseen", "houses-ce/val_unseen@1+3"):
        with pytest.raises(InputError, match=r"(?s)continuous.*vlnscope/NavCE-v0"):
            NavEnv(data, data_root)
