"""The agents that understand instructions: follower on houses, captions on real viewpoints."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import msgspec
import pytest

from vlnscope.agents.spec import make_agent
from vlnscope.core.exceptions import InputError
from vlnscope.engine.environment import Environment
from vlnscope.engine.jobs import Job
from vlnscope.engine.rollout import roll_out
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.evaluate.conformance.check_agent import check_agent
from vlnscope.language.ground import KnownMap
from vlnscope.perception.sights.percept import PlainPercept
from vlnscope.types import Case, Episode, OracleRule, Percept, Rules
from vlnscope.worlds.graph.candidates import candidates_of
from vlnscope.worlds.graph.navgraph import NavGraph


def successes(spec: str, dataset: Dataset, episodes: list[Episode], root: Path | None = None) -> int:
    assert dataset.scenes is not None
    agent = make_agent(spec).agent
    environment = Environment(dataset.scenes, getattr(agent, "needs", ()), root)
    good = 0
    for episode in episodes:
        case = Case(case_id=episode.episode_id, episode=episode)
        for line in roll_out(
            agent, Job(name=case.case_id, scan=episode.scan, cases=(case,)), environment, Rules(max_steps=25)
        ):
            graph = dataset.scenes.scene(episode.scan).graph
            good += graph.distance(line.path[-1], episode.path[-1]) < 3.0
    return good


def test_follower_arrives_on_houses_by_what_it_is_told() -> None:
    dataset = open_dataset("houses/train@1+7")
    episodes = list(islice(dataset.episodes(), 0, 60, 5))
    told = successes("follower", dataset, episodes)
    others = [
        msgspec.structs.replace(episode, instruction=other.instruction)
        for episode, other in zip(episodes, [*episodes[5:], *episodes[:5]], strict=True)
    ]
    assert told >= 0.6 * len(episodes)
    assert successes("follower", dataset, others) <= told - 0.25 * len(episodes)
    assert successes("random", dataset, episodes) < told / 2


@pytest.mark.usefixtures("one_process")
def test_follower_conforms() -> None:
    assert check_agent("follower").wrong == ()


def test_a_place_is_recognised_by_its_neighbours() -> None:
    """An agent whose steps are used up has not looked around where it stands when it is led on from there."""
    graph = NavGraph.build(
        "abcde",
        [[0, 0, 0], [3, 0, 0], [3, 4, 1], [9, 9, 0], [9, 12, 0]],
        [("a", "b"), ("b", "c"), ("d", "e")],
    )
    percept = PlainPercept()
    known = KnownMap()
    known.add("a", candidates_of(graph, "a"), percept)
    assert known.joins("c", candidates_of(graph, "c"))  # b is in sight of both
    known.add("c", candidates_of(graph, "c"), percept)
    assert known.positions[known.index["c"]] == pytest.approx((3, 4, 1))
    assert known.successors("b") == ("a", "c")
    assert not known.joins("d", candidates_of(graph, "d"))
    with pytest.raises(InputError, match="no neighbour"):
        known.add("d", candidates_of(graph, "d"), percept)


@pytest.mark.parametrize("oracle", ["whole", "starts", "ivln"])
def test_follower_is_led_on_wherever_its_steps_end(oracle: OracleRule) -> None:
    dataset = open_dataset("sample/demo")
    assert dataset.scenes is not None
    episodes = [episode for episode in dataset.episodes() if episode.episode_id.endswith("_0")]
    cases = tuple(Case(case_id=e.episode_id, episode=e) for e in episodes if e.scan == episodes[0].scan)
    job = Job(name="tour", scan=episodes[0].scan, cases=cases, toured=True)
    agent = make_agent("follower").agent
    environment = Environment(dataset.scenes, agent.needs, None)
    lines = list(roll_out(agent, job, environment, Rules(max_steps=2, oracle=oracle)))
    assert len(lines) > 5
    assert not any(line.failed for line in lines)
    assert any(not line.stopped for line in lines)


def test_captions_show_no_rooms() -> None:
    percept = PlainPercept(captions=["a kitchen"] * 8)
    assert isinstance(percept, Percept)
    assert percept.room() is None
    assert percept.rooms() == ()


@pytest.mark.parametrize("split", ["val_seen"])
def test_captions_beat_chance_on_real_viewpoints(data_root: Path, split: str) -> None:
    dataset = open_dataset(f"r2r/{split}", data_root)
    episodes = list(islice(dataset.episodes(), 0, 240, 10))
    assert successes("captions", dataset, episodes, data_root) >= 3 * successes("random", dataset, episodes)
