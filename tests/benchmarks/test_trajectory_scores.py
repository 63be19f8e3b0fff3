"""Walks of cases in continuous space are measured there, or on the graph if the cases lie nowhere else."""

from __future__ import annotations

import msgspec
import pytest

from made_up import Held
from plane import Plane
from space_walks import ground_scene, space_episode
from vlnscope.benchmarks.kit.trajectory_scores import score_trajectories
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import Case, Episode, Points, ScoreRow

START, GOAL = (0.0, 0.0, 0.0), (4.0, 0.0, 0.0)
EPISODE = space_episode("1", START, GOAL, path=("a", "b"))
NEAR: Points = (START, (3.0, 0.0, 0.0))


def line(case_id: str, **walked: object) -> EvidenceLine:
    return EvidenceLine(v=3, case_id=case_id, episode_id="1", **walked)  # type: ignore[arg-type]


def scored(episode: Episode, *lines: EvidenceLine) -> list[ScoreRow]:
    cases = [Case(case_id=given.case_id, episode=episode) for given in lines]
    scenes = Held(ground_scene("hall", Plane()))
    return score_trajectories(cases, {given.case_id: given for given in lines}, scenes, needed=["collisions"])


def test_positions_are_measured_in_space() -> None:
    whole = line("near", positions=NEAR, path=("a", "b"), actions=(1,), collisions=(0,), stopped=True)
    (row,) = scored(EPISODE, whole)
    assert row.values["NE"] == pytest.approx(1.0)
    assert (row.values["steps"], row.values["collisions"]) == (2.0, 1.0)


def test_cases_that_failed_get_the_worst_value_in_space_too() -> None:
    near, broken = scored(EPISODE, line("x", positions=NEAR), line("y", path=("a",), failed="it broke"))
    assert (near.values["SR"], broken.values["SR"]) == (1.0, 0.0)
    assert broken.undefined["NE"] == "the case failed: it broke"


def test_walks_are_measured_on_the_graph_where_cases_have_no_positions() -> None:
    on_graph = msgspec.structs.replace(EPISODE, continuous=None)
    slow: Points = (START, (0.5, 0.0, 0.0), (1.0, 0.0, 0.0), (3.0, 0.0, 0.0), (3.5, 0.0, 0.0))
    (row,) = scored(on_graph, line("near", positions=slow, path=("a", "a", "a", "b", "b")))
    assert (row.values["NE"], row.values["nDTW"], row.values["steps"]) == (0.0, 1.0, 1.0)
    assert row.undefined["collisions"] == "agents that walk on graphs run into nothing"
