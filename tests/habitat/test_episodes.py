"""Episodes as loops see them, the order in which they come, and how an environment goes through them."""

from __future__ import annotations

from collections import Counter
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import pytest

from vlnscope.core.exceptions import DataNotFoundError, InputError, MissingLayerError
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.habitat import Env, make_dataset
from vlnscope.habitat.dataset import HabitatDataset
from vlnscope.habitat.episodes import EpisodeIterator


class Stub:
    def __init__(self, name: str) -> None:
        self.episode_id, self.scene_id = name, name[0]


def order(names: str, count: int, **options: Any) -> list[str]:
    """Names are a letter for the scene and a digit for the episode."""
    episodes: Any = [Stub(name) for name in names.split()]
    return [episode.episode_id for episode in islice(EpisodeIterator(episodes, **options), count)]


def test_episodes_come_by_scene_and_begin_again() -> None:
    assert order("a1 b1 a2 b2", 6) == ["a1", "a2", "b1", "b2", "a1", "a2"]
    assert order("a1 b1 a2", 5, group_by_scene=False) == ["a1", "b1", "a2", "a1", "b1"]
    assert order("a1 b1 a2", 9, cycle=False) == ["a1", "a2", "b1"]


def test_a_random_order_depends_on_the_seed_alone_and_keeps_scenes_together() -> None:
    names = " ".join(f"{scene}{k}" for scene in "abc" for k in range(5))
    first, again, other = (order(names, 30, shuffle=True, seed=seed) for seed in (1, 1, 2))
    assert first == again != other
    assert first[:15] != names.split()
    assert first[:15] != first[15:]
    for lap in (first[:15], first[15:]):
        assert sorted(lap) == sorted(names.split())
        assert len([scene for scene, _ in groupby(lap, key=lambda name: name[0])]) == 3
    apart = order(names, 15, shuffle=True, group_by_scene=False, seed=1)
    assert len([scene for scene, _ in groupby(apart, key=lambda name: name[0])]) > 3


def test_a_sample_is_as_large_as_asked_for_and_at_most_all() -> None:
    names = " ".join(f"a{k}" for k in range(8))
    assert len(set(order(names, 20, num_episode_sample=3, cycle=False))) == 3
    assert len(order(names, 20, num_episode_sample=30, cycle=False)) == 8


def test_a_scene_is_left_after_so_many_episodes_or_steps() -> None:
    names = "a1 a2 a3 b1 b2 b3"
    assert order(names, 6, max_scene_repeat_episodes=2) == ["a1", "a2", "b1", "b2", "a3", "b3"]
    iterator = EpisodeIterator([Stub(name) for name in names.split()], max_scene_repeat_steps=10)  # type: ignore[arg-type]
    taken = []
    for _ in range(4):
        taken.append(next(iterator).episode_id)
        for _ in range(12):
            iterator.step_taken()
    assert [name[0] for name in taken] == ["a", "b", "a", "b"]


def test_an_environment_begins_the_episodes_one_after_the_other(tiny_config: Any) -> None:
    env = Env(tiny_config("habitat.environment.iterator_options.cycle=False"))
    env.episodes = env.episodes[:2]
    assert env.number_of_episodes == 2
    seen = []
    for _ in range(2):
        env.reset()
        seen.append(env.current_episode.episode_id)
        assert env.sim.get_agent_state().position.tolist() == pytest.approx(
            env.current_episode.start_position
        )
    assert seen == [episode.episode_id for episode in env.episodes]
    with pytest.raises(StopIteration):
        env.reset()


def test_an_episode_that_is_set_begins_at_the_next_reset(tiny_config: Any) -> None:
    env = Env(tiny_config())
    first = env.current_episode  # known before the first reset, as in Habitat
    env.reset()
    assert env.current_episode is first
    env.current_episode = env.episodes[7]
    with pytest.raises(InputError, match="the episode was changed, and an action came"):
        env.step(1)
    env.reset()
    assert env.current_episode is env.episodes[7]
    env.reset()
    assert env.current_episode is env.episodes[1]
    env.episodes = env.episodes[3:5]
    with pytest.raises(InputError, match="there is no current episode"):
        _ = env.current_episode
    env.reset()
    assert env.current_episode is env.episodes[0]
    with pytest.raises(InputError, match="an empty list"):
        env.episodes = []


def test_an_episode_is_over_after_a_stop_or_the_last_action(tiny_config: Any) -> None:
    env = Env(tiny_config("habitat.environment.max_episode_steps=3"))
    with pytest.raises(InputError, match="no episode has begun"):
        env.step(0)
    env.reset()
    assert env.episode_start_time is not None
    assert not env.episode_over
    env.step(2)
    env.step(2)
    assert not env.episode_over
    env.step(2)
    assert env.episode_over
    assert not env.task.is_stop_called
    env.reset()
    env.step(0)
    assert env.episode_over
    assert env.task.is_stop_called
    with pytest.raises(InputError, match="the episode is over"):
        env.step(1)


def test_episodes_have_what_files_of_vlnce_have(env: Env) -> None:
    episode = env.current_episode
    source = open_dataset("houses-ce/val_unseen@1").episodes()
    own = next(own for own in source if own.episode_id == episode.episode_id)
    assert episode.scene_id == f"houses/{own.scan}/{own.scan}.glb"
    assert episode.instruction.instruction_text == own.instruction
    assert episode.goals[0].position == list(own.continuous.goals[0])
    assert episode.reference_path == [list(point) for point in own.continuous.reference_path]
    assert episode.trajectory_id == own.path_id


def test_splits_share_out_the_episodes(tiny_config: Any) -> None:
    whole = make_dataset("R2RVLN-v1", config=tiny_config().habitat.dataset)
    parts, again = whole.get_splits(7), whole.get_splits(7)
    names = [[episode.episode_id for episode in part.episodes] for part in parts]
    assert names == [[episode.episode_id for episode in part.episodes] for part in again]
    assert {len(part) for part in names} == {180 // 7}
    assert max(Counter(name for part in names for name in part).values()) == 1
    uneven = whole.get_splits(7, allow_uneven_splits=True, sort_by_episode_id=True)
    assert sum(part.num_episodes for part in uneven) == 180
    first = [episode.episode_id for episode in uneven[0].episodes]
    assert first == sorted(first)
    assert [part.num_episodes for part in whole.get_splits(2, episodes_per_split=5)] == [5, 5]
    with pytest.raises(InputError, match="into 181 parts"):
        whole.get_splits(181)
    whole.get_splits(2, episodes_per_split=5, remove_unused_episodes=True)
    assert whole.num_episodes == 10


def test_episodes_are_chosen_by_scene_id_and_function(tiny_config: Any) -> None:
    config = tiny_config("habitat.dataset.content_scenes=['house-40000']")
    whole = make_dataset("R2RVLN-v1", config=config.habitat.dataset)
    assert whole.num_episodes == 180
    assert whole.scene_ids == ["houses/house-40000/house-40000.glb"]
    assert len(whole.get_scene_episodes(whole.scene_ids[0])) == 180
    assert whole.scene_from_scene_path(whole.scene_ids[0]) == "house-40000"
    short = whole.filter_episodes(lambda episode: episode.info["geodesic_distance"] < 6)
    assert 0 < short.num_episodes < 180
    assert [e.episode_id for e in whole.get_episodes([2, 0])] == [
        whole.episodes[2].episode_id,
        whole.episodes[0].episode_id,
    ]
    config.defrost()
    config.habitat.dataset.content_scenes = ["elsewhere"]
    with pytest.raises(InputError, match="has no episode that is allowed in the scenes elsewhere"):
        make_dataset("R2RVLN-v1", config=config.habitat.dataset)


def test_data_that_is_not_there_is_named(tiny_config: Any) -> None:
    with pytest.raises(DataNotFoundError, match=r"nowhere/val_unseen\.json\.gz"):
        Env(tiny_config("habitat.dataset.data_path=nowhere/{split}.json.gz"))
    with pytest.raises(InputError, match="has no start position"):
        Env(tiny_config("habitat.dataset.data_path=houses/val_unseen@1"))


def test_real_episodes_without_scenes_say_what_is_missing(
    tiny_config: Any, data_root: Path, tmp_path: Path
) -> None:
    file = data_root / "r2r_ce/R2R_VLNCE_v1-3_preprocessed/{split}/{split}.json.gz"
    options = f"habitat.dataset.data_path={file}", f"habitat.dataset.scenes_dir={tmp_path}"
    with pytest.raises(MissingLayerError, match="scenes of these episodes are not at hand"):
        Env(tiny_config(*options))
    dataset = make_dataset("R2RVLN-v1", config=tiny_config(*options).habitat.dataset)
    assert dataset.num_episodes == 1839
    assert dataset.instruction_vocab.get_size() == 2504
    assert dataset.episodes[0].scene_id.startswith("mp3d/")
    assert len(dataset.episodes[0].instruction.instruction_tokens) == 200


def test_a_data_set_of_vlnscope_can_be_handed_over(tiny_config: Any) -> None:
    source = open_dataset("houses-ce/val_unseen@1")
    for dataset in (source, HabitatDataset(source)):
        assert len(Env(tiny_config(), dataset).episodes) == 180
