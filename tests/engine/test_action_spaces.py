"""Action spaces: one class each, and a session that moves agents in any of them as the array drivers do."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_up import dataset, street
from vlnscope.agents.vectorised import ManyStates, episode_keys
from vlnscope.core import registry
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.engine.action_space import ActionSpace, make_action_space, register_action_space
from vlnscope.engine.action_spaces.graph import GraphSpace, Pose, start_pose
from vlnscope.engine.decisions import AgentError
from vlnscope.engine.environment import Environment
from vlnscope.engine.run import run
from vlnscope.engine.session import Session
from vlnscope.engine.store.run_folder import read_record
from vlnscope.engine.vectorised import move_many
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.types import STOP, Action, Case, Decision, Episode, Ints, Observation, OracleRule
from vlnscope.worlds.graph.views import wrap_heading
from vlnscope.worlds.scene import Scene

TURN = math.radians(30)


class TurningObservation(Observation):
    """What an agent is given that turns and goes forward."""

    @property
    def actions(self) -> tuple[Action, ...]:
        return ("forward", "left", "right", STOP)


class TurningSpace(GraphSpace):
    """Turns by 30°, and goes forward to the candidate that lies within 15° of ahead, if there is one."""

    name = "turning"

    def observe(self, scene: Scene, pose: Pose, episode: Episode, step: int, seen: Any) -> Observation:
        return TurningObservation(
            episode_id=episode.episode_id,
            instruction=episode.instruction,
            scan=episode.scan,
            viewpoint=pose.viewpoint,
            heading=pose.heading,
            elevation=pose.elevation,
            step=step,
            seen=seen,
        )

    def move(self, scene: Scene, pose: Pose, action: Action) -> Pose:
        if action in ("left", "right"):
            return pose._replace(heading=(pose.heading + (TURN if action == "right" else -TURN)) % math.tau)
        for candidate in self.candidates(scene, pose.viewpoint):
            if math.cos(candidate.heading - pose.heading) > math.cos(TURN / 2) and action == "forward":
                return super().move(scene, pose, candidate.viewpoint)
        return pose if action == "forward" else super().move(scene, pose, action)


class ProposingSpace(TurningSpace):
    """Agents propose headings, and go to the candidate there."""

    name = "proposing"

    def choices(self, observation: Observation, decision: Decision) -> tuple[Action, ...]:
        if not decision.proposals:
            raise AgentError("nothing was proposed")
        return decision.proposals

    def move(self, scene: Scene, pose: Pose, action: Action) -> Pose:
        if isinstance(action, str):
            return super().move(scene, pose, action)
        return super().move(scene, pose._replace(heading=action[0]), "forward")


@pytest.fixture(autouse=True)
def spaces() -> Iterator[None]:
    registry.names("action-space")  # imports all of them: a module registers only once
    entries = registry._kinds["action-space"].entries
    before = dict(entries)
    register_action_space(TurningSpace)
    register_action_space(ProposingSpace)
    yield
    entries.clear()
    entries.update(before)


HOUSE = street(0, 2, 4, 6)
"""Viewpoints a, b, c, d along a line."""


def episode(path: str, name: str = "1_0") -> Episode:
    return Episode(
        episode_id=name, path_id="1", scan="street", instruction="Go.", path=tuple(path), heading=0.0
    )


class Turner:
    """Turns towards the street, then goes forward until it cannot, and stops."""

    action_space = "turning"
    pace = 0

    def start_episode(self, instruction: str, observation: Observation) -> None:
        self.before: tuple[str, float] | None = None

    def act(self, observation: Observation) -> Decision:
        here, self.before = self.before, (observation.viewpoint, observation.heading)
        if here == self.before:
            return Decision.stop(observation)
        ahead = math.isclose(math.sin(observation.heading), 1.0)
        return Decision.choose(observation, observation.actions.index("forward" if ahead else "right"))


class Proposer:
    action_space = "proposing"

    def act(self, observation: Observation) -> Decision:
        if observation.viewpoint == "c":
            return Decision((1.0,), (STOP,))
        return Decision((0.75, 0.25), ((math.pi / 2, 2.0), STOP))


def test_agents_act_in_the_space_that_they_name(tmp_path: Path) -> None:
    data = dataset([episode("abd")], HOUSE)
    done = run(Turner(), data, out=tmp_path / "run", log="all", max_steps=30)
    [line] = done.lines().values()
    assert line.failed is None
    assert line.stopped
    assert line.path == ("a", "a", "a", "a", "b", "c", "d", "d")
    assert line.headings is not None
    assert line.headings[:4] == pytest.approx([0, TURN, 2 * TURN, 3 * TURN])
    assert line.decisions is not None
    assert line.decisions[0].candidates == ["forward", "left", "right"]
    assert line.decisions[-1].probabilities == [0.0, 0.0, 0.0, 1.0]
    assert read_record(tmp_path / "run").action_space == "turning"


def test_agents_may_propose_actions(tmp_path: Path) -> None:
    data = dataset([episode("abd")], HOUSE)
    [line] = run(Proposer(), data, out=tmp_path / "run", log="all").lines().values()
    assert line.path == ("a", "b", "c")
    assert line.decisions is not None
    assert line.decisions[0].candidates == ["1.5708,2"]
    assert line.decisions[0].probabilities == [0.75, 0.25]
    assert line.decisions[-1].probabilities == [1.0]


def test_forced_prefixes_and_oracle_phases_work_in_any_space(tmp_path: Path) -> None:
    data = dataset([episode("abd")], HOUSE)
    forced = [Case(case_id="1_0", episode=episode("abd"), forced_steps=1)]
    [line] = run(Turner(), data, cases=forced, out=tmp_path / "run", max_steps=30).lines().values()
    assert line.path[:2] == ("a", "b")
    assert line.stopped
    session = Session(Environment(data.scenes, action_space="turning"))  # type: ignore[arg-type]
    session.reset(episode("ab"))
    session.step("right")
    session.step("c", led=True)
    assert (session.viewpoint, session.steps, len(session.poses)) == ("c", 1, 2)


class Silent(Proposer):
    def act(self, observation: Observation) -> Decision:
        return Decision((1.0,))


def test_what_cannot_be_done_fails_the_case(tmp_path: Path) -> None:
    data = dataset([episode("abd")], HOUSE)
    [line] = run(Silent(), data, out=tmp_path / "run").lines().values()
    assert line.failed == "nothing was proposed"
    assert line.path == ("a",)


def test_unknown_spaces_are_refused(tmp_path: Path) -> None:
    class Flying(Turner):
        action_space = "flying"

    with pytest.raises(UnknownNameError, match="flying"):
        run(Flying(), dataset([episode("abd")], HOUSE), out=tmp_path / "run")
    registry._kinds["action-space"].entries["odd"] = "no class"
    with pytest.raises(InputError, match="odd"):
        make_action_space("odd")


def test_runs_record_the_space_and_older_runs_are_of_the_graph(tmp_path: Path) -> None:
    run("stop", "sample/demo", out=tmp_path / "run", limit=1)
    file = tmp_path / "run" / "run.json"
    text = file.read_text()
    assert '"action_space": "graph"' in text or '"action_space":"graph"' in text
    file.write_text(text.replace('"action_space": "graph",', "").replace('"action_space":"graph",', ""))
    assert read_record(tmp_path / "run").action_space == "graph"
    run("stop", "sample/demo", out=tmp_path / "run", limit=1, resume=True)


# A session is what array drivers are measured against.


class Scripted:
    """Does what numbers between 0 and 1 say, by arrays."""

    def __init__(self, shares: Sequence[float]) -> None:
        self.shares = np.asarray(shares)

    def act_many(self, states: ManyStates) -> Ints:
        chosen = (self.shares[states.step] * (states.counts + 1)).astype(np.int64)
        return np.minimum(chosen, states.counts)


@given(
    st.lists(st.floats(0, 1), min_size=6, max_size=6),
    st.integers(0, 40),
    st.floats(-7, 7, allow_nan=False),
)
def test_arrays_move_agents_as_a_session_does(shares: list[float], row: int, heading: float) -> None:
    demo = open_dataset("sample/demo")
    assert demo.scenes is not None
    episodes = list(demo.episodes())
    chosen = msgspec.structs.replace(episodes[row % len(episodes)], heading=heading)
    session = Session(Environment(demo.scenes))
    observation = session.reset(chosen)
    for share in shares:
        actions = observation.actions
        observation = session.step(actions[min(int(share * len(actions)), len(actions) - 1)])
        if session.stopped:
            break
    scene = demo.scenes.scene(chosen.scan)
    keys = episode_keys([chosen.episode_id])
    walked = move_many(Scripted(shares), scene, [chosen], np.array([0]), keys, len(shares))
    moves = walked.moves[0][walked.moves[0] >= 0]
    start, *reached = session.poses
    assert start == start_pose(chosen)
    assert [scene.graph.nodes[n] for n in walked.table.nodes[moves]] == [pose.viewpoint for pose in reached]
    headings = [wrap_heading(heading) for heading in walked.table.heading[moves].tolist()]
    assert headings == [pose.heading for pose in reached]
    assert walked.table.elevation[moves].tolist() == [pose.elevation for pose in reached]
    assert bool(walked.stopped[0]) == session.stopped


def test_only_an_oracle_moves_an_agent_that_has_stopped() -> None:
    demo = open_dataset("sample/demo")
    assert demo.scenes is not None
    session = Session(Environment(demo.scenes))
    with pytest.raises(RuntimeError, match="reset"):
        session.step(STOP)
    first, *_ = session.reset(next(iter(demo.episodes()))).actions
    session.step(STOP)
    with pytest.raises(RuntimeError, match="over"):
        session.step(first)
    session.step(first, led=True)
    assert session.viewpoint == first
    assert (len(session.poses), session.steps, session.stopped) == (1, 0, True)


@pytest.mark.parametrize("rule", ["whole", "starts", "ivln"])
def test_oracles_lead_where_the_graph_says(rule: OracleRule) -> None:
    space, here = GraphSpace(), start_pose(episode("bd"))
    phases = space.phases(HOUSE, here, episode("bd"), episode("ac"), rule)
    expected = {
        "whole": (("c", "d"), ("c", "b")),
        "starts": ((), ()),
        "ivln": (("b", "c"), ("c", "b")),
    }
    assert tuple(phases) == expected[rule]
    assert space.phases(HOUSE, here, episode("bd"), None, rule).to_start == ()


def test_an_agent_is_led_past_its_goal_where_goals_are_secret() -> None:
    space, here = GraphSpace(), start_pose(episode("ba"))
    phases = {
        rule: tuple(space.phases(HOUSE, here, episode("ba"), episode("dc"), rule))
        for rule in get_args(OracleRule)
    }
    assert phases["whole"] == (("a",), ("b", "c"))
    assert phases["starts"] == ((), ("c",))


def test_the_space_of_the_graph_is_what_agents_get_by_default() -> None:
    assert isinstance(make_action_space("graph"), GraphSpace)
    assert issubclass(GraphSpace, ActionSpace)
