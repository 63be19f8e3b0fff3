"""Learned agents keep the rules of agents, and know of a building what they have seen of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from made_up import Held, dataset  # noqa: E402
from map_models import Numbers  # noqa: E402
from tiny_models import DUET_TINY, LEAPERS, NAMES, WIDTH, tiny  # noqa: E402
from training_world import episodes, scene  # noqa: E402
from vlnscope.agents.learned.agent import LearnedAgent  # noqa: E402
from vlnscope.core.rng import rng_for  # noqa: E402
from vlnscope.engine.environment import Environment, without_answer  # noqa: E402
from vlnscope.engine.run import run  # noqa: E402
from vlnscope.evaluate.conformance.check_agent import check_agent  # noqa: E402
from vlnscope.perception.features.grids import PatchGrid  # noqa: E402
from vlnscope.types import STOP, Decision, Episode, Observation  # noqa: E402
from vlnscope.worlds.graph.navgraph import NavGraph  # noqa: E402
from vlnscope.worlds.scene import Scene  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

EVERY = (*NAMES, *LEAPERS, "bevbert")
PATCH, SIDE = 5, 3
EVIDENCE = "evidence.jsonl"


class MadeSights:
    """Image and grid features that depend on the viewpoint's name alone."""

    needs: tuple[str, ...] = ("grid:made",)

    def views(self, observation: Observation) -> Any:
        return rng_for(0, observation.viewpoint).normal(size=(36, WIDTH)).astype(np.float32)

    def grid(self, observation: Observation) -> PatchGrid:
        chance = rng_for(0, "grid", observation.viewpoint)
        depths = chance.uniform(0.05, 0.4, (12, SIDE, SIDE))
        patches = chance.normal(size=(12, SIDE, SIDE, PATCH))
        return PatchGrid(patches.astype(np.float32), depths.astype(np.float32))


def learned(name: str) -> LearnedAgent:
    """An agent that does not like to stop."""
    grid = {**DUET_TINY, "patch_size": PATCH, "grid_size": 9} if name == "bevbert" else {}
    for key in ("alike_heads", "panorama", "feature_scale"):
        grid.pop(key, None)
    agent = LearnedAgent(tiny(name, **grid), Numbers(12), MadeSights())
    agent.needs, agent.widths = (), {}  # nothing has to be there: it is all made up
    step = agent._model.step

    def restless(state: Any, visual: Any) -> Any:
        logits, after = step(state, visual)
        return torch.cat([logits[:, :-1], logits[:, -1:] - 3.0], dim=1), after

    agent._model.step = restless  # type: ignore[method-assign]
    return agent


def told(*scenes: Scene, each: int = 3) -> list[Episode]:
    import msgspec

    made_up = episodes(*scenes, each=each)
    return [
        msgspec.structs.replace(one, instruction=" ".join(str(1 + row % 11) for _ in range(1 + row % 4)))
        for row, one in enumerate(made_up)
    ]


def moves_of(decision: Decision, seen: Observation) -> list[str]:
    """The viewpoints that a decision leads through; none if it stops."""
    if decision.route:
        return [place for place in decision.route if place != STOP]
    best = int(np.argmax(decision.probabilities))
    return [] if best == len(seen.candidates) else [seen.candidates[best].viewpoint]


def known_part(whole: Scene, visited: Sequence[str]) -> Scene:
    """The building as far as one sees it from viewpoints: they, their neighbours, and the edges between."""
    graph, stood = whole.graph, set(visited)
    edges = [
        (a, b)
        for a in graph.nodes
        for b in graph.nodes
        if a < b and graph.adjacency[graph.row(a), graph.row(b)] and stood & {a, b}
    ]
    nodes = [node for node in graph.nodes if node in stood or any(node in edge for edge in edges)]
    return Scene(whole.id, NavGraph.build(nodes, [graph.positions[graph.row(n)] for n in nodes], edges))


def last_decision(
    agent: Any, building: Scene, episode: Episode, moves: Sequence[Sequence[str]]
) -> tuple[Decision, Observation]:
    """What an agent decides, and sees, after the moves that are given; those of a leap are one step."""
    environment = Environment(Held(building), ())
    visible, pose = without_answer(episode), environment.space.start(episode)
    agent.start_tour([0], [building.id])
    for step, route in enumerate([*moves, []]):
        seen = environment.observe(visible, pose, step)
        if not step:
            agent.start_episode([0], [episode.instruction], [seen])
        (decision,) = agent.act([0], [seen])
        for place in route:
            pose = environment.space.move(building, pose, place)
    return decision, seen


@pytest.mark.parametrize("name", EVERY)
def test_no_decision_depends_on_what_was_not_seen(name: str) -> None:
    """It decides alike in a building of which nothing is there but what it has seen."""
    whole, out_of_sight = scene("a"), 0
    agent = learned(name)
    for episode in told(whole):
        moves: list[list[str]] = []
        for _ in range(5):
            decision, seen = last_decision(agent, whole, episode, moves)
            stood = [episode.path[0], *(place for route in moves for place in route)]
            part = known_part(whole, stood)
            assert last_decision(agent, part, episode, moves) == (decision, seen)
            out_of_sight += len(whole.graph.nodes) - len(part.graph.nodes)
            if not (route := moves_of(decision, seen)):
                break
            moves.append(route)
    assert out_of_sight > 20


@pytest.mark.parametrize("name", EVERY)
def test_a_run_that_was_killed_goes_on_to_the_same_bytes(name: str, tmp_path: Path) -> None:
    buildings = [scene("a"), scene("b", 9)]
    data = dataset(told(*buildings), *buildings)
    run(learned(name), data, out=tmp_path / "whole")
    run(learned(name), data, out=tmp_path / "cut")
    evidence = tmp_path / "cut" / EVIDENCE
    lines = evidence.read_bytes().splitlines(keepends=True)
    evidence.write_bytes(b"".join(lines[:2]) + lines[2][:9])  # killed while it wrote the third line
    run(learned(name), data, out=tmp_path / "cut", resume=True)
    assert timeless(evidence) == timeless(tmp_path / "whole" / EVIDENCE)


def timeless(evidence: Path) -> list[Any]:
    """Lines without how long they took."""
    lines = [json.loads(line) for line in evidence.read_text().splitlines()]
    return sorted(
        ({key: value for key, value in line.items() if key != "seconds"} for line in lines), key=str
    )


@pytest.mark.slow
@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize("name", EVERY)
def test_agents_keep_the_rules_of_agents(name: str) -> None:
    building = scene("a")

    def make() -> LearnedAgent:
        return learned(name)

    assert check_agent(make, data=dataset(told(building, each=2), building)).wrong == ()
