"""Walks are collected as agents would see them, and stored whole or not at all."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest

from vlnscope.core.exceptions import InputError
from vlnscope.engine.continuous import ground_of
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.training.space.collection import collect, expert_steps, start_of, tour_steps, walk_file
from vlnscope.training.space.experiment import WalkChoice
from vlnscope.training.space.walks import HouseWalks
from vlnscope.training.watching import TrainingWatch
from vlnscope.types import Episode
from vlnscope.worlds.continuous.body import MOVES, Body
from vlnscope.worlds.scene import Scene

CHOICE = WalkChoice(train="houses-ce/val_unseen@1+3", depth="16x16", limit=3)


@pytest.fixture(scope="module")
def data() -> Dataset:
    return open_dataset(CHOICE.train)


@pytest.fixture(scope="module")
def episodes(data: Dataset) -> list[Episode]:
    return list(data.episodes())


@pytest.fixture(scope="module")
def scene(data: Dataset, episodes: list[Episode]) -> Scene:
    assert data.scenes is not None
    return data.scenes.scene(episodes[0].scan)


def collected(data: Dataset, episodes: list[Episode], choice: WalkChoice = CHOICE) -> HouseWalks:
    assert data.scenes is not None
    [file] = collect(data.scenes, episodes, choice, 0, TrainingWatch()).values()
    return HouseWalks.read(file)


def test_the_expert_walks_along_the_reference_and_stops(scene: Scene, episodes: list[Episode]) -> None:
    ground, space = ground_of(scene), episodes[0].continuous
    assert space is not None
    steps = list(expert_steps(ground, start_of(episodes[0]), space.reference_path[1:], 0.25, "a"))
    names = {number: name for name, number in MOVES.items()}
    for step, after in pairwise(steps):
        assert Body().after(ground, step.pose, names[step.action]) == after.pose
        assert after.previous == step.action
    assert (steps[-1].action, steps[0].previous) == (0, 0)
    assert steps[0].progress == 0
    assert steps[-1].progress > 0.9


def test_walks_are_stored_once_and_read_as_they_were(data: Dataset, episodes: list[Episode]) -> None:
    walks = collected(data, episodes)
    assert walks.names.tolist() == list(dict.fromkeys(e.path_id for e in episodes))[:3]
    assert walks.cells.shape[1:] == (64, 64)
    assert walks.depth.shape[1:] == (16, 16)
    assert (walks.actions[walks.starts[1:] - 1] == 0).all()
    assert (walks.previous[walks.starts[:-1]] == 0).all()
    file = walk_file(episodes, CHOICE, 0)
    written = file.stat().st_mtime_ns
    again = collected(data, episodes)
    assert file.stat().st_mtime_ns == written
    assert np.array_equal(again.cells, walks.cells)


def test_a_house_that_is_missing_is_collected_again_to_the_same_bytes(
    data: Dataset, episodes: list[Episode]
) -> None:
    first = collected(data, episodes)
    walk_file(episodes, CHOICE, 0).unlink()
    second = collected(data, episodes)
    for name in ("cells", "depth", "actions", "progress"):
        assert np.array_equal(getattr(first, name), getattr(second, name))


def test_maps_of_tours_hold_what_was_seen_before(
    data: Dataset, scene: Scene, episodes: list[Episode]
) -> None:
    touring = msgspec.structs.replace(CHOICE, memory="iterative", tour=3)
    tour = list({e.path_id: e for e in episodes}.values())[:3]
    steps = list(tour_steps(ground_of(scene), tour, touring))
    assert sum(step.begins for step in steps) == 3
    assert any(step.led for step in steps)
    alone, toured = collected(data, episodes), collected(data, episodes, touring)
    assert sorted(toured.names.tolist()) == sorted(alone.names.tolist())

    def known(walks: HouseWalks) -> int:
        """How many cells are known where walks begin."""
        return int((walks.cells[walks.starts[:-1]] > 0).sum())

    assert known(toured) > 1.5 * known(alone)


@pytest.mark.parametrize("damage", ["cut", "other"])
def test_damaged_stores_are_told(damage: str, data: Dataset, episodes: list[Episode], tmp_path: Path) -> None:
    walks = collected(data, episodes)
    file = tmp_path / "walks.npz"
    walks.save(file)
    if damage == "cut":
        file.write_bytes(file.read_bytes()[:-2000])
    else:
        np.savez(file, cells=walks.cells)
    with pytest.raises(InputError, match="delete the file; the same command collects it again"):
        HouseWalks.read(file)
