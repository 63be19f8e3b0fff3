"""Agents without learning in continuous space, on a small built-in house."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest

from vlnscope.core.exceptions import InputError
from vlnscope.engine.run import Run, run
from vlnscope.episodes.convert import convert
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.evaluate.score.score import score
from vlnscope.types import Decision, Observation

DATA = "houses-ce/val_unseen@1+3"
LIMIT = 6


@pytest.fixture(scope="module")
def data() -> Dataset:
    return open_dataset(DATA)


def walked(agent: object, data: Dataset, out: Path) -> Run:
    return run(agent, data, out=out, limit=LIMIT)


def test_the_follower_reaches_every_goal_by_the_shortest_way(data: Dataset, tmp_path: Path) -> None:
    done = walked("shortest", data, tmp_path / "run")
    means = {name: i.mean for name, i in score(done.folder, partial=True, profile="vlnce").intervals.items()}
    assert means["SR"] == 1
    assert means["SPL"] > 0.97


def test_the_reference_is_walked_point_by_point(data: Dataset, tmp_path: Path) -> None:
    done = walked("shortest:follow=reference", data, tmp_path / "run")
    means = {name: i.mean for name, i in score(done.folder, partial=True, profile="vlnce").intervals.items()}
    assert means["nDTW"] > 0.9


def test_replaying_evidence_and_ground_truth_walks_the_same_way(data: Dataset, tmp_path: Path) -> None:
    first = walked("noisy:p=0.2", data, tmp_path / "first")
    again = walked(f"replay:file={first.evidence}", data, tmp_path / "again")
    for name, line in first.lines().items():
        assert again.lines()[name].positions == line.positions


def test_random_and_forward_do_what_vln_ces_do(data: Dataset, tmp_path: Path) -> None:
    done = walked("random:seed=1", data, tmp_path / "random")
    actions = [action for line in done.lines().values() for action in line.actions or ()]
    assert np.mean(np.array(actions) == 1) > 0.5
    for line in walked("forward:steps=4", data, tmp_path / "forward").lines().values():
        turns = (line.actions or ()).count(3)
        assert line.actions == (3,) * turns + (1,) * 4
        assert line.stopped


@pytest.mark.parametrize("agent", ["shortest:follow=nobody", "noisy:p=2", "forward:steps=-1", "replay"])
def test_options_that_cannot_be_used_are_refused(agent: str, data: Dataset, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        walked(agent, data, tmp_path / "run")


def test_episodes_hold_what_r2r_ce_holds(data: Dataset) -> None:
    episodes = list(data.episodes())
    scene = data.scenes.scene(episodes[0].scan)  # type: ignore[union-attr]
    ground = scene.layer("navmesh")
    for episode in episodes[:30:3]:
        space = episode.continuous
        assert space is not None
        assert len(space.reference_path) == len(episode.path)
        assert ground.navigable(space.reference_path).all()
        assert space.geodesic_distance == pytest.approx(
            float(ground.distance([space.start_position], [space.goals[0]])[0])
        )
        assert len(space.locations) == (space.forward_steps or 0) + 1
        assert space.actions[-1] == 0
        assert float(ground.distance([space.locations[-1]], [space.goals[0]])[0]) <= 0.5
    assert [e.episode_id for e in episodes] == [
        e.episode_id for e in open_dataset(DATA.replace("-ce", "")).episodes()
    ]


def test_episodes_come_back_from_vln_ces_own_files(data: Dataset, tmp_path: Path) -> None:
    lost = ("path", "heading", "distance", "chunks", "instruction_index")
    convert(data, tmp_path / "val.json.gz", to="vlnce-episodes", drop=lost)
    again = {e.episode_id: e.continuous for e in open_dataset(tmp_path / "val.json.gz").episodes()}
    assert again == {e.episode_id: e.continuous for e in data.episodes()}
    done = run("shortest", tmp_path / "val.json.gz", out=tmp_path / "run", limit=2)
    assert not done.failures()
    assert all(line.stopped for line in done.lines().values())


class Wanderer:
    """Goes on while nothing is near, else turns; what it does depends on all that it sees."""

    action_space = "vlnce"
    needs = ("depth:8x8", "semantic:8x8")

    def act(self, observation: Observation) -> Decision:
        if observation.step >= 12:
            return Decision.stop(observation)
        ahead, classes = (observation.seen[need] for need in self.needs)
        away = "left" if int(classes.sum()) % 2 else "right"
        action = "forward" if ahead[3:5, 3:5].min() > 0.05 else away
        return Decision.choose(observation, observation.actions.index(action))


class ManyWanderers:
    batched = True
    action_space = Wanderer.action_space
    needs = Wanderer.needs

    def __init__(self) -> None:
        self.most = 0

    def act(self, slots: Sequence[int], observations: Sequence[Observation]) -> list[Decision]:
        self.most = max(self.most, len(slots))
        return [Wanderer().act(observation) for observation in observations]


def test_batches_walk_as_agents_do_one_by_one(data: Dataset, tmp_path: Path) -> None:
    many = ManyWanderers()
    batched, alone = walked(many, data, tmp_path / "many"), walked(Wanderer(), data, tmp_path / "one")
    assert many.most > 1
    assert {line.actions for line in alone.lines().values()} != {(1,) * 12}
    for name, line in alone.lines().items():
        assert msgspec.structs.replace(batched.lines()[name], seconds=None) == msgspec.structs.replace(
            line, seconds=None
        )
