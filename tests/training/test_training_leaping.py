"""Models that leap learn as DUET does: a teacher on the map, choices of many moves, official losses."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vlnscope.core.exceptions import InputError
from vlnscope.engine.batched import roll_out_batches
from vlnscope.engine.environment import Environment
from vlnscope.engine.jobs import Job
from vlnscope.types import Case, Episode, Rules
from vlnscope.worlds.matterport.connectivity import read_connectivity
from vlnscope.worlds.scene import Scene

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from hash_rule import key_of, made_input  # noqa: E402
from map_models import Numbers, made  # noqa: E402
from training_world import MadeFeatures, task  # noqa: E402
from training_world import made as made_data  # noqa: E402
from vlnscope.agents.learned.agent import LearnedAgent  # noqa: E402
from vlnscope.agents.learned.checkpoints import make_model  # noqa: E402
from vlnscope.training.arrays import EpisodeArrays, SceneArrays  # noqa: E402
from vlnscope.training.experiment import LearningConfig  # noqa: E402
from vlnscope.training.imitation import weighted_loss  # noqa: E402
from vlnscope.training.loop import Trainer  # noqa: E402
from vlnscope.training.ranks import Ranks  # noqa: E402
from vlnscope.training.rollouts import (  # noqa: E402
    ENDED,
    Learner,
    SampledActions,
    advised,
    likeliest,
    roll_out_batch,
)

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

LAID = task(model="duet")


def model(seed: int = 0) -> Any:
    """A model that does not like to stop."""
    found = make_model("duet", LAID.config, seed=seed).eval()
    with torch.no_grad():
        for weight in found.parameters():
            weight += 0.3 * torch.randn(weight.shape, generator=torch.Generator().manual_seed(seed))
    step = found.step

    def restless(state: Any, visual: Any) -> Any:
        logits, after = step(state, visual)
        return torch.cat([logits[:, :-1], logits[:, -1:] - 1.5], dim=1), after

    found.step = restless
    return found


def paths(nodes: Any) -> list[list[int]]:
    return [[node for node in row if node != ENDED] for row in nodes.tolist()]


def check_edges(nodes: Any) -> None:
    world = LAID.world.visuals
    for path in paths(nodes):
        for a, b in itertools.pairwise(path):
            assert b in world.nodes[a, world.open[a]].tolist()


def test_the_teacher_walks_a_shortest_way() -> None:
    batch = LAID.train
    walked = roll_out_batch(model(), LAID.world, batch, advised, max_steps=15)
    assert walked.stopped.all()
    check_edges(walked.nodes)
    for row, path in enumerate(paths(walked.nodes)):
        first = path[: path.index(int(batch.goal[row])) + 1]
        pairs = torch.tensor(list(itertools.pairwise(first))).reshape(-1, 2)
        length = float(LAID.world.distance(pairs[:, 0], pairs[:, 1]).sum())
        assert length == pytest.approx(float(LAID.world.distance(batch.start[row], batch.goal[row])))


@pytest.mark.parametrize("seed", range(3))
def test_advice_is_the_place_over_which_the_goal_is_nearest(seed: int) -> None:
    batch, world, mover = LAID.train, LAID.world, model(seed)
    places: list[Any] = []
    step = mover.step

    def noted(state: Any, visual: Any) -> Any:
        logits, after = step(state, visual)
        places.append(mover.places(after))
        return logits, after

    mover.step = noted
    walked = roll_out_batch(mover, world, batch, SampledActions(seed, "any", batch.keys), max_steps=6)
    check_edges(walked.nodes)
    leapt = 0
    for known, each in zip(places, walked.steps, strict=True):
        for place, row in enumerate(each.rows.tolist()):
            here, goal = each.nodes[place], batch.goal[row]
            if here == goal:
                assert each.advised[place] == known.shape[1]
                continue
            costs = [
                float(world.distance(here, node) + world.distance(node, goal)) if can else np.inf
                for node, can in zip(known[place], each.logits[place, :-1].isfinite().tolist(), strict=True)
            ]
            assert costs[int(each.advised[place])] == pytest.approx(min(costs))
        leapt += sum(int(c) < known.shape[1] for c in each.chosen)
    assert sum(map(len, paths(walked.nodes))) - len(batch) > leapt, "every choice was one move"


@pytest.mark.parametrize("follow", ["goal", "reference"])
def test_walks_may_also_end_at_the_goal(follow: Any) -> None:
    batch = LAID.train
    draw = SampledActions(3, "any", batch.keys)
    walked = roll_out_batch(model(), LAID.world, batch, draw, follow=follow, max_steps=9, at_goal=True)
    check_edges(walked.nodes)
    led = 0
    for now, after in itertools.pairwise(walked.steps):
        stop, going = now.logits.shape[1] - 1, set(after.rows.tolist())
        for row, node, chosen in zip(now.rows.tolist(), now.nodes, now.chosen, strict=True):
            if arrived := bool(node == batch.goal[row]):
                assert row not in going
                assert walked.last[row] == node
            led += int(arrived and chosen != stop)
    assert led, "some walks end only since they are at their goals"


@pytest.mark.parametrize("seed", range(2))
def test_arrays_leap_as_the_engine_does(seed: int) -> None:
    data, mover = made_data(), model(seed)
    walked = roll_out_batch(mover, LAID.world, LAID.train, likeliest, max_steps=6)
    names = [name for graph in LAID.world.graphs for name in graph.nodes]
    agent = LearnedAgent(mover, LAID.vocabulary, Views())
    jobs = [
        Job(name=str(row), scan=each.scan, cases=(Case(case_id=str(row), episode=each),))
        for row, each in enumerate(data.episodes())
    ]
    lines = roll_out_batches(agent, jobs, Environment(data.scenes), Rules(max_steps=6))
    found = {line.case_id: line for line in lines}
    for row, path in enumerate(paths(walked.nodes)):
        assert [names[node] for node in path] == list(found[str(row)].path)
        assert bool(walked.stopped[row]) == found[str(row)].stopped
    assert any(line.segments for line in found.values())


class Views:
    """The features of the made-up world, as agents see them."""

    needs: tuple[str, ...] = ()

    def views(self, observation: Any) -> Any:
        return MadeFeatures().at(observation.scan, observation.viewpoint)

    def grid(self, observation: Any) -> None:
        return None


def test_losses_are_those_of_the_official_code(shared: Path, data_root: Path) -> None:
    """Teacher forcing along references, in the single precision of training."""
    official = json.loads((shared / "fixtures" / "duet_rollouts.json").read_text())
    taught = [case for case in official["cases"] if "il_loss" in case]
    assert taught
    width, vocabulary = official["config"]["image_feat_size"], official["config"]["vocab_size"]
    for case in taught:
        scans = sorted({item["scan"] for item in case["items"]})
        files = [data_root / "connectivity" / f"{scan}_connectivity.json" for scan in scans]
        scenes = [Scene(scan, read_connectivity(file).graph) for scan, file in zip(scans, files, strict=True)]
        world = SceneArrays.of(scenes, Ruled(width))  # type: ignore[arg-type]
        batch = EpisodeArrays.of(
            [
                Episode(
                    episode_id=str(row),
                    path_id=str(row),
                    scan=item["scan"],
                    instruction=" ".join(map(str, item["txt_ids"])),
                    path=tuple(item["gt_path"]),
                    heading=item["heading"],
                )
                for row, item in enumerate(case["items"])
            ],
            world,
            Numbers(vocabulary),
            longest=99,
        )
        taken = made("duet", official, case).float()
        steps = case["max_action_len"]
        walked = roll_out_batch(taken, world, batch, advised, follow="reference", max_steps=steps)
        learning = LearningConfig(follow="reference")
        shares = torch.full((len(batch),), 1 / len(batch))
        loss = weighted_loss(Learner(taken, world, learning), batch, walked, shares)
        assert float(loss.detach()) == pytest.approx(case["il_loss"], abs=2e-3)


class Ruled:
    """Features by the rule of the oracles."""

    def __init__(self, width: int) -> None:
        self.width = width

    def of(self, scene: Scene, viewpoint: str) -> Any:
        return made_input((36, self.width), key_of(viewpoint)).numpy()


@pytest.mark.slow
def test_models_that_leap_learn(tmp_path: Path) -> None:
    trainer = Trainer(task(model="duet", updates=30, rate=1e-2, student=0.0), tmp_path / "run", Ranks())
    trainer.begin(resume=False)
    losses = [trainer._update(number)[0] for number in range(30)]
    assert np.mean(losses[-8:]) < 0.7 * np.mean(losses[:8])


@pytest.mark.slow
@pytest.mark.parametrize("keeps", [False, True])
def test_tours_are_learned_from(keeps: bool, tmp_path: Path) -> None:
    laid = task(model="duet", method="tours", updates=2)
    config = type(laid.config).of({**laid.config.to_dict(), "keeps_map": keeps})
    trainer = Trainer(laid._replace(config=config), tmp_path / "run", Ranks())
    trainer.begin(resume=False)
    assert trainer.model.forgets is not keeps
    assert all(np.isfinite(trainer._update(number)).all() for number in range(2))


def test_rewards_of_moves_do_not_fit_leaps(tmp_path: Path) -> None:
    trainer = Trainer(task(model="duet", method="reinforce", updates=2, cloning=0.0), tmp_path / "r", Ranks())
    trainer.begin(resume=False)
    with pytest.raises(InputError, match="leaps"):
        trainer.advance()
