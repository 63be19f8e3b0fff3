"""Mirrored buildings, the two ways of forcing, and parts of batches."""

from __future__ import annotations

import math
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from training_world import MadeFeatures, episodes, scene, task  # noqa: E402
from vlnscope.agents.learned.checkpoints import make_model  # noqa: E402
from vlnscope.agents.learned.vocabulary import WordVocabulary  # noqa: E402
from vlnscope.core.exceptions import InputError  # noqa: E402
from vlnscope.training.arrays import EpisodeArrays, SceneArrays  # noqa: E402
from vlnscope.training.experiment import LearningConfig  # noqa: E402
from vlnscope.training.imitation import _rows, imitation_loss  # noqa: E402
from vlnscope.training.loop import Trainer  # noqa: E402
from vlnscope.training.mirroring import MARK, mirrored_episode, mirrored_text  # noqa: E402
from vlnscope.training.ranks import Ranks  # noqa: E402
from vlnscope.training.rollouts import Learner, Update  # noqa: E402
from vlnscope.training.tours import tour_loss  # noqa: E402


def features() -> Any:
    return MadeFeatures()


def test_a_mirrored_building_looks_as_in_a_mirror() -> None:
    """Whoever stands at the same place and looks the mirrored way sees the same, the other way round."""
    place = scene("a")
    world = SceneArrays.of([place], features(), mirror=True)
    size = len(place.graph.nodes)
    assert world.scans == ("a", "a" + MARK)
    visuals = world.visuals
    for node in range(size):
        here, there = (
            visuals.at(torch.tensor([n]), torch.tensor([0]), torch.tensor([-1])) for n in (node, node + size)
        )
        ours = {int(visuals.nodes[node, c]): c for c in range(int(visuals.open[node].sum()))}
        theirs = {
            int(visuals.nodes[node + size, c]) - size: c for c in range(int(visuals.open[node + size].sum()))
        }
        assert ours.keys() == theirs.keys()
        for goal, ours_at in ours.items():
            turned = float(here.headings[0, ours_at] + there.headings[0, theirs[goal]])
            assert math.remainder(turned, math.tau) == pytest.approx(0, abs=1e-5)
            same = here.candidate_images[0, ours_at], there.candidate_images[0, theirs[goal]]
            edge = math.degrees(float(here.headings[0, ours_at])) % 30
            if abs(edge - 15) > 0.1:  # else it lies between two views
                assert torch.equal(*same)
    nodes = torch.arange(size)
    assert torch.equal(world.distance(nodes, nodes[:1]), world.distance(nodes + size, nodes[:1] + size))


def test_words_and_headings_are_mirrored() -> None:
    told = "Turn left. Take the Right-hand door right after the rug, then stop right there, upright."
    assert mirrored_text(told) == (
        "Turn right. Take the Left-hand door right after the rug, then stop right there, upright."
    )
    assert (
        mirrored_text("Go right after the rug; the leftmost door")
        == "Go left after the rug; the rightmost door"
    )
    one = episodes(scene("a"))[0]
    other = mirrored_episode(one)
    assert (other.scan, other.path) == (one.scan + MARK, one.path)
    assert math.remainder((one.heading or 0) + (other.heading or 0), math.tau) == pytest.approx(0)
    assert mirrored_text(other.instruction) == one.instruction


def test_episodes_are_joined_as_if_laid_out_together() -> None:
    place = scene("a")
    found = episodes(place, each=9)
    world, known = (
        SceneArrays.of([place], features()),
        WordVocabulary.build((e.instruction for e in found), least=1),
    )
    whole = EpisodeArrays.of(found, world, known, 12)
    parts = [EpisodeArrays.of(part, world, known, 12) for part in (found[:4], found[4:])]
    joined = parts[0].with_others(parts[1])
    for field in fields(EpisodeArrays):
        if field.name != "table":
            ours, theirs = (getattr(each, field.name) for each in (joined, whole))
            assert torch.equal(ours[:, : theirs.shape[1]] if ours.ndim > 1 else ours, theirs), field.name


def test_vectors_stay_with_their_words_when_episodes_are_joined() -> None:
    laid = task().train
    table = torch.arange(float(laid.ids.numel()))[:, None].half()
    part = EpisodeArrays(**{f.name: getattr(laid, f.name) for f in fields(laid)} | {"table": table})
    joined = part.with_others(
        EpisodeArrays(**{f.name: getattr(part, f.name) for f in fields(part)} | {"table": -table})
    )
    assert torch.equal(joined.tokens[len(part) :], -part.tokens)


def test_either_forcing_walks_each_episode_once() -> None:
    asked = task(forcing="either", teacher=1.0, student=3.0)
    learning = asked.experiment.learning
    shares = []
    for update in range(60):
        rows, leads, weights = _rows(asked.train, learning, Update(0, update, len(asked.train)))
        assert torch.equal(rows, torch.arange(len(asked.train)))
        assert torch.equal(weights, torch.ones(len(asked.train)))
        shares.append(float(leads.float().mean()))
    assert 0.2 < sum(shares) / len(shares) < 0.3
    assert len(set(shares)) > 3, "drawn anew at each update"
    model = make_model("hamt", asked.config)
    only = {
        how: imitation_loss(
            Learner(model, asked.world, LearningConfig(**rule)), asked.train, Update(0, 0, len(asked.train))
        )
        for how, rule in {
            "either": {"forcing": "either", "teacher": 1.0, "student": 0.0, "max_steps": 8},
            "both": {"forcing": "both", "teacher": 1.0, "student": 0.0, "max_steps": 8},
        }.items()
    }
    torch.testing.assert_close(only["either"], only["both"])


@pytest.mark.parametrize("method", ["imitation", "tours"])
@torch.no_grad()
def test_the_losses_of_parts_of_a_batch_add_up(method: str) -> None:
    """Whichever process walks an episode, it is led by the same, for as many steps, and draws the same."""
    laid = task(model="tour_hamt", method=method, max_steps=3)
    model = make_model("tour_hamt", laid.config).train()
    learner, update = Learner(model, laid.world, laid.experiment.learning), Update(4, 7, 6)

    def loss(rows: Any) -> float:
        if laid.train_tours is not None:
            return float(tour_loss(learner, laid.train, laid.train_tours[rows], update))
        return float(imitation_loss(learner, laid.train.take(rows), update))

    rows = torch.arange(6)
    parts = sum(loss(Ranks(rank, 2).part(rows)) for rank in range(2))
    assert parts == pytest.approx(loss(rows), rel=1e-5)


def test_a_batch_must_be_as_large_as_the_number_of_processes(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a batch of 1 cannot be shared by 2 processes"):
        Trainer(task(batch=1), tmp_path, Ranks(0, 2))
