"""Agents that leap: along recorded walks, through the engine, in tours, and whatever the batch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vlnscope.core.rng import rng_for
from vlnscope.engine.batched import roll_out_batches
from vlnscope.engine.environment import Environment
from vlnscope.engine.jobs import Job
from vlnscope.types import STOP, Candidate, Case, Episode, Observation, Rules
from vlnscope.worlds.matterport.connectivity import read_connectivity
from vlnscope.worlds.scene import Scene

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from hash_rule import key_of, made_input  # noqa: E402
from made_up import Held  # noqa: E402
from map_models import Numbers, made  # noqa: E402
from tiny_models import WIDTH, tiny  # noqa: E402
from training_world import episodes, scene  # noqa: E402
from vlnscope.agents.learned.agent import LearnedAgent  # noqa: E402
from vlnscope.agents.learned.leaps import Leap, decided, shares_of  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

CLEAR = 2e-4
"""Gaps between the best and the next choice from which single precision cannot change the choice."""


class MadeViews:
    """Features by the rule of the oracles, or at random."""

    needs: tuple[str, ...] = ()

    def __init__(self, width: int, *, ruled: bool = False) -> None:
        self.width, self.ruled = width, ruled

    def views(self, observation: Observation) -> Any:
        if self.ruled:
            return made_input((36, self.width), key_of(observation.viewpoint)).numpy()
        chance = rng_for(0, observation.scan, observation.viewpoint)
        return chance.normal(size=(36, self.width)).astype(np.float32)

    def grid(self, observation: Observation) -> None:
        return None


def rolled(agent: Any, jobs: Sequence[Job], scenes: Sequence[Scene], size: int, **rules: Any) -> list[Any]:
    environment = Environment(Held(*scenes), agent.needs)
    lines = list(roll_out_batches(agent, jobs, environment, Rules(**rules), size))
    assert not [line.failed for line in lines if line.failed]
    return sorted(lines, key=lambda line: line.case_id)


def alone(episode: Episode, **more: Any) -> Job:
    case = Case(case_id=episode.episode_id, episode=episode, **more)
    return Job(name=case.case_id, scan=episode.scan, cases=(case,))


def test_the_engine_walks_as_the_official_code_does(shared: Path, data_root: Path) -> None:
    official = json.loads((shared / "fixtures" / "duet_rollouts.json").read_text())
    free = [c for c in official["cases"] if c["feedback"] == "argmax" and c["min_top2_gap"] > CLEAR]
    assert free
    for case in free:
        agent = LearnedAgent(
            made("duet", official, case),
            Numbers(official["config"]["vocab_size"]),
            MadeViews(official["config"]["image_feat_size"], ruled=True),
        )
        graphs = {
            item["scan"]: read_connectivity(
                data_root / "connectivity" / f"{item['scan']}_connectivity.json"
            ).graph
            for item in case["items"]
        }
        walks = [
            Episode(
                episode_id=str(row),
                path_id=str(item["path_id"]),
                scan=item["scan"],
                instruction=" ".join(map(str, item["txt_ids"])),
                path=tuple(item["gt_path"]),
                heading=item["heading"],
            )
            for row, item in enumerate(case["items"])
        ]
        scenes = [Scene(scan, graph) for scan, graph in graphs.items()]
        for size in (1, 2):
            steps = case["max_action_len"]
            lines = rolled(agent, [alone(each) for each in walks], scenes, size, max_steps=steps)
            for line, expected in zip(lines, case["trajectories"], strict=True):
                assert list(line.path) == [node for part in expected for node in part]
                assert line.stopped
                leaps = tuple(map(len, expected))
                assert line.segments == (leaps if max(leaps) > 1 else None)


def small(seed: int = 0, **changes: Any) -> LearnedAgent:
    """An agent that does not like to stop."""
    agent = LearnedAgent(tiny("duet", seed=seed, **changes), Numbers(12), MadeViews(WIDTH))
    step = agent._model.step

    def restless(state: Any, visual: Any) -> Any:
        logits, after = step(state, visual)
        return torch.cat([logits[:, :-1], logits[:, -1:] - 1.5], dim=1), after

    agent._model.step = restless
    return agent


def told(*scenes: Scene) -> list[Episode]:
    import msgspec

    made_up = episodes(*scenes, each=3)
    return [
        msgspec.structs.replace(each, instruction=" ".join(str(1 + row % 11) for _ in range(1 + row % 4)))
        for row, each in enumerate(made_up)
    ]


@pytest.mark.parametrize("seed", range(2))
def test_walks_do_not_depend_on_the_batch(seed: int) -> None:
    scenes = [scene("a"), scene("b", 9)]
    jobs = [alone(each) for each in told(*scenes)]
    agent = small(seed)
    one, many = (rolled(agent, jobs, scenes, size, log="all") for size in (1, 5))
    assert [(line.path, line.segments, line.decisions) for line in one] == [
        (line.path, line.segments, line.decisions) for line in many
    ]
    assert any(line.segments for line in one), "nobody leapt, so nothing was tested"


def test_decisions_are_about_neighbours_and_routes_about_places() -> None:
    a, b = (Candidate(name, 0, 1, 0.0, 0.0, 0.0, 1.0) for name in "ab")
    seen = Observation(
        episode_id="1", instruction="", scan="s", heading=0, elevation=0, step=0, candidates=(a, b)
    )
    shares = np.array([0.125, 0.25, 0.375, 0.0, 0.25])
    decision = decided(Leap(shares, ["b", "a", "b", ""], ["b", "c"], stops=False), seen)
    assert decision.probabilities == (0.25, 0.5, 0.25)
    assert decision.route == ("b", "c")
    assert decided(Leap(shares, ["b", "a", "b", ""], ["a"], stops=True), seen).route == ("a", STOP)
    assert shares_of(np.array([2.0, 1.0, 0.0]), 6, must_stop=True).tolist() == [0.0, 0.0, 1.0]


def test_probabilities_of_neighbours_are_those_of_the_places_behind_them() -> None:
    """Of every decision the sum is 1, and a route begins at a neighbour that has some of it."""
    scenes = [scene("a")]
    lines = rolled(small(), [alone(each) for each in told(*scenes)], scenes, 4, log="all")
    decisions = [record for line in lines for record in line.decisions or ()]
    assert len(decisions) > 10
    for record in decisions:
        assert sum(record.probabilities) == pytest.approx(1)
        first = record.route[0]
        places = [*record.candidates, STOP]
        if len(record.route) > 1 and record.route[-1] == STOP:
            assert record.probabilities[-1] > 0
        else:
            assert record.probabilities[places.index(first)] > 0


def test_the_last_decision_is_to_stop() -> None:
    scenes = [scene("a")]
    lines = rolled(small(max_actions=3), [alone(each) for each in told(*scenes)], scenes, 4)
    assert all(line.stopped for line in lines)
    assert max(len(line.segments or line.path) for line in lines) <= 4


def test_a_map_lasts_over_a_tour_if_asked() -> None:
    """What was seen in the first episode can be leapt to in the second; nothing is visited there yet."""
    place = scene("a")
    walks = told(place)[:2]
    cases = tuple(Case(case_id=each.episode_id, episode=each) for each in walks)
    tour = Job(name="t", scan=place.id, cases=cases, toured=True)
    known = {}
    for keeps in (False, True):
        agent = small(keeps_map=keeps)
        sizes: list[int] = []
        step = agent._model.step

        def noted(state: Any, visual: Any, step: Any = step, sizes: list[int] = sizes) -> Any:
            sizes.append(int(state.plan.there.sum()))
            if not int(state.plan.time):
                assert not state.plan.visited.any()
            return step(state, visual)

        agent._model.step = noted
        rolled(agent, [tour], [place], 1)
        known[keeps] = sizes
    assert known[False].count(0) == 2
    assert known[True].count(0) == 1
