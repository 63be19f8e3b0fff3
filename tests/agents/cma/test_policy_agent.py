"""Recurrent policies as agents: what they see of tours, whose batch they are in, and files that hold them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from commands import Cli, cli  # noqa: E402, F401
from continuous_policies import ALL, tiny_policy  # noqa: E402
from vlnscope.agents.learned.checkpoints import save_checkpoint  # noqa: E402
from vlnscope.agents.learned.cma.agent import PolicyAgent, move_between  # noqa: E402
from vlnscope.agents.learned.cma.sensors import SensorChoice  # noqa: E402
from vlnscope.agents.learned.cma.steps import Steps  # noqa: E402
from vlnscope.agents.learned.vocabulary import WordVocabulary  # noqa: E402
from vlnscope.core.exceptions import InputError  # noqa: E402
from vlnscope.core.rng import rng_for  # noqa: E402
from vlnscope.engine.run import run  # noqa: E402
from vlnscope.perception.mapping import MemoryMode, PointCloud, save_cloud  # noqa: E402
from vlnscope.types import STOP, SpaceObservation  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

WORDS = WordVocabulary(["<PAD>", "<UNK>", "<EOS>", "<BOS>", *"abcdefgh"])
CAMERA = "16x16"
SEES: dict[str, Any] = {"depth_layers": 14, "depth_planes": 2, "rgb_layers": 14, "rgb_channels": 64}


def agent_of(name: str, memory: MemoryMode = "episodic") -> PolicyAgent:
    changes = SEES | ({"rgb_layers": 0, "classes": 13} if name == "map_cma" else {})
    return PolicyAgent(
        tiny_policy(name, **changes).float(), WORDS, SensorChoice(CAMERA, CAMERA, memory), "cpu"
    )


def seen(x: float, yaw: float = 0.0, *, collided: bool = False) -> SpaceObservation:
    """What an agent sees at a place: something of its own at each."""
    chance = rng_for(3, "sight", round(x * 100), round(yaw * 100))
    pictures: Mapping[str, Any] = {
        f"rgb:{CAMERA}": chance.integers(0, 256, (16, 16, 3), dtype=np.uint8),
        f"depth:{CAMERA}": chance.uniform(0.02, 0.3, (16, 16, 1)).astype(np.float32),
        f"semantic:{CAMERA}": chance.integers(-1, 3, (16, 16)),
        "semantic-classes": ("table", "wall", "sofa"),
    }
    return SpaceObservation(
        episode_id="1", instruction="a b", scan="s", heading=-yaw % math.tau, elevation=0.0, step=0,
        position=(x, 0.0, 0.0), rotation=(0.0, math.sin(yaw / 2), 0.0, math.cos(yaw / 2)), collided=collided,
        offered=("forward", "left", "right", STOP), seen=pictures,
    )  # fmt: skip


def steps_of(agent: PolicyAgent) -> list[Steps]:
    """Keep the steps that the policy of an agent is shown."""
    kept: list[Steps] = []
    agent._policy.register_forward_pre_hook(lambda _, arguments: kept.append(arguments[1]))
    return kept


@pytest.mark.parametrize("name", sorted(ALL))
def test_decisions_do_not_depend_on_who_else_is_in_the_batch(name: str) -> None:
    walks = [[seen(0.0), seen(0.25), seen(0.25, 0.3)], [seen(5.0), seen(5.0, -0.3), seen(5.0, -0.6)]]
    texts = ["a b c d e f", "g"]

    def walked(slots: Sequence[int]) -> list[list[tuple[float, ...]]]:
        agent = agent_of(name)
        agent.start_tour(slots, ["s"] * len(slots))
        agent.start_episode(slots, [texts[i] for i in slots], [walks[i][0] for i in slots])
        return [
            [tuple(each.probabilities) for each in agent.act(slots, [walks[i][step] for i in slots])]
            for step in range(3)
        ]

    together, alone = walked([0, 1]), [walked([0]), walked([1])]
    assert together == [[alone[0][step][0], alone[1][step][0]] for step in range(3)]
    assert len(set(together[0][0])) > 1


def test_a_tour_is_seen_by_those_who_remember_it_and_begins_once() -> None:
    for name, shown in (("tour_cma", 6), ("cma", 3)):
        agent = agent_of(name)
        kept = steps_of(agent)
        agent.start_tour([0], ["s"])
        agent.start_episode([0], ["a"], [seen(0.0)])
        agent.act([0], [seen(0.0)])
        agent.act([0], [seen(0.25)])
        agent.observe([0], [seen(0.5)])  # an oracle leads it to the goal
        agent.start_episode([0], ["b"], [seen(2.0)])  # shown before it is led there
        agent.observe([0], [seen(0.75)])
        agent.act([0], [seen(2.0, 0.3)])
        assert len(kept) == shown
        assert [bool(step.same_episode) for step in (kept[0], kept[1], kept[-1])] == [False, True, False]
        assert [bool(step.same_tour) for step in kept] == [False, *[True] * (shown - 1)]
        assert int(kept[1].previous) == 1


def test_a_walk_that_is_forced_belongs_to_the_episode() -> None:
    agent = agent_of("cma")
    kept = steps_of(agent)
    agent.start_tour([0], ["s"])
    agent.start_episode([0], ["a"], [seen(0.0)])
    agent.observe([0], [seen(0.0)])
    agent.observe([0], [seen(0.0, 0.3)])
    agent.act([0], [seen(0.25, 0.3)])
    assert [bool(step.same_episode) for step in kept] == [False, True, True]
    assert [int(step.previous) for step in kept[1:]] == [2, 1]


def test_iterative_maps_last_for_a_tour_and_episodic_ones_for_an_episode() -> None:
    cells = {}
    modes: tuple[MemoryMode, ...] = ("episodic", "iterative")
    for memory in modes:
        agent = agent_of("map_cma", memory)
        kept = steps_of(agent)
        agent.start_tour([0], ["s"])
        for start in (0.0, 1.0):
            agent.start_episode([0], ["a"], [seen(start)])
            agent.act([0], [seen(start)])
        occupancy = [step.sights.need("occupancy") for step in kept]
        cells[memory] = [int(layer.sum()) for layer in occupancy]
    assert cells["episodic"][0] == cells["iterative"][0]
    assert cells["episodic"][1] < cells["iterative"][1]


def test_known_maps_are_there_before_anything_is_seen(tmp_path: Path) -> None:
    save_cloud(PointCloud(np.array([[0.0, 1.0, -2.0]]), np.array([7], dtype=np.uint8)), tmp_path / "s.npz")
    policy = tiny_policy("map_cma", classes=13, **{**SEES, "rgb_layers": 0}).float()
    agent = PolicyAgent(policy, WORDS, SensorChoice(CAMERA, CAMERA, "known", str(tmp_path)), "cpu")
    kept = steps_of(agent)
    agent.start_tour([0], ["s"])
    agent.start_episode([0], ["a"], [seen(0.0)])
    agent.act([0], [seen(0.0)])
    assert kept[0].sights.need("semantic").nonzero().tolist() == [[0, 0, 12, 32]]


def test_moves_are_told_from_poses() -> None:
    assert move_between(seen(0.0), seen(0.25)) == 1
    assert move_between(seen(0.0), seen(0.0, collided=True)) == 1
    assert move_between(seen(0.0), seen(0.0, 0.2)) == 2
    assert move_between(seen(0.0), seen(0.0, -0.2)) == 3


@pytest.fixture
def checkpoint(tmp_path: Path) -> str:
    policy = tiny_policy("map_cma", classes=13, **{**SEES, "rgb_layers": 0}).float()
    notes = {"cameras": {"depth": CAMERA}, "memory": "iterative"}
    save_checkpoint(tmp_path / "best.pt", policy, WORDS, notes)
    return str(tmp_path / "best.pt")


def test_a_checkpoint_is_run_without_saying_what_it_is(checkpoint: str, tmp_path: Path, cli: Cli) -> None:  # noqa: F811
    told = cli("agents", "inspect", checkpoint, "--json").data
    assert told["needs"]["depth"] == f"depth:{CAMERA}"
    assert told["needs"]["map"].endswith("; iterative")
    assert told["command"] == f"vlnscope run learned:file={checkpoint} --data houses-ce/val_unseen --out RUN"
    done = run(
        f"learned:file={checkpoint},memory=episodic",
        "houses-ce/val_unseen@1+3",
        out=tmp_path / "run",
        limit=1,
    )
    [line] = done.lines().values()
    assert line.failed is None
    assert line.actions


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("memory=known", "nobody says where they are"),
        ("memory=long", "maps cannot be 'long'"),
        ("features=clip", "features cannot be set: the agent walks in continuous space"),
    ],
)
def test_options_that_cannot_be_are_refused(checkpoint: str, options: str, message: str) -> None:
    from vlnscope.agents.spec import make_agent

    with pytest.raises(InputError, match=message):
        make_agent(f"learned:file={checkpoint},{options}", seed=0).agent.start_tour([0], ["s"])
