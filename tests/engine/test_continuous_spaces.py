"""Action spaces in continuous space, on a plane with four viewpoints."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from plane import Plane
from vlnscope.core.exceptions import InputError
from vlnscope.engine.action_space import make_action_space
from vlnscope.engine.decisions import AgentError
from vlnscope.engine.run import Run, run
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import STOP, Case, Continuous, Decision, Episode, Observation, SpaceObservation, Tour
from vlnscope.worlds.frames import start_rotation
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene

# a line to the north: a at z = 0, b 2 m ahead, c 4 m ahead; d 2 m to the right of b
NODES = {"a": (0.0, 0.0), "b": (0.0, 2.0), "c": (0.0, 4.0), "d": (2.0, 2.0)}


def flat(wall_x: float | None = None) -> Scene:
    graph = NavGraph.build(
        list(NODES), [[x, y, 1.5] for x, y in NODES.values()], [("a", "b"), ("b", "c"), ("b", "d")]
    )
    heights = np.full(len(NODES), 1.5)
    return Scene("flat", graph, {"heights": lambda: heights, "navmesh": lambda: Plane(wall_x)})


class Scenes:
    def __init__(self, wall_x: float | None = None) -> None:
        self._scene = flat(wall_x)

    def scans(self) -> tuple[str, ...]:
        return ("flat",)

    def scene(self, scan: str) -> Scene:
        return self._scene


def episode(path: str, episode_id: str = "1_0", heading: float = 0.0) -> Episode:
    points = tuple((NODES[node][0], 0.0, -NODES[node][1]) for node in path)
    space = Continuous(
        start_position=points[0],
        start_rotation=start_rotation(heading),
        goals=points[-1:],
        goal_radii=(3.0,),
        reference_path=points,
        locations=points,
    )
    return Episode(
        episode_id=episode_id,
        path_id=episode_id,
        scan="flat",
        instruction="Go.",
        path=tuple(path),
        heading=heading,
        continuous=space,
    )


def dataset(*episodes: Episode, wall_x: float | None = None) -> Dataset:
    return Dataset(
        name="flat/all",
        split="all",
        format="",
        files=(),
        load=lambda on_problem: iter(episodes),
        load_scenes=lambda: Scenes(wall_x),
        continuous=True,
    )


def only_line(done: Run) -> EvidenceLine:
    (line,) = done.lines().values()
    return line


class Scripted:
    """Does one thing after the other."""

    def __init__(self, space: str, *actions: object) -> None:
        self.action_space = space
        self._actions = actions

    def start_episode(self, instruction: str, observation: Observation) -> None:
        self.seen = [observation]
        self._ahead = list(self._actions)

    def observe(self, observation: Observation) -> None:
        self.seen.append(observation)

    def act(self, observation: Observation) -> Decision:
        self.seen.append(observation)
        action = self._ahead.pop(0) if self._ahead else STOP
        if isinstance(action, tuple):
            return Decision((1.0,), (action,))
        if action == STOP and self.action_space in ("waypoint", "metres"):
            return Decision((1.0,), (STOP,))
        return Decision.choose(observation, observation.actions.index(action))


def test_quarter_metres_and_turns_of_fifteen_degrees(tmp_path: Path) -> None:
    agent = Scripted("vlnce", "forward", "left", "forward", STOP)
    line = only_line(run(agent, dataset(episode("ab")), out=tmp_path / "run"))
    turned = math.radians(15)
    wanted = [(0, 0, 0), (0, 0, -0.25), (0, 0, -0.25)]
    wanted.append((-0.25 * math.sin(turned), 0, -0.25 - 0.25 * math.cos(turned)))
    assert np.allclose(line.positions, wanted)
    assert np.allclose(line.headings or (), [0, 0, math.tau - turned, math.tau - turned])
    assert (line.v, line.actions, line.collisions, line.stopped) == (3, (1, 2, 1), (), True)
    assert line.path == ("a", "a", "a", "a")
    first = agent.seen[0]
    assert isinstance(first, SpaceObservation)
    assert (first.position, first.rotation, first.actions) == (
        (0.0, 0.0, 0.0),
        (0.0, 0.0, 0.0, 1.0),
        ("forward", "left", "right", STOP),
    )


def test_rxr_ce_turns_twice_as_far_and_looks_up_and_down(tmp_path: Path) -> None:
    agent = Scripted("rxr-ce", "right", "up", "down", "down", STOP)
    line = only_line(run(agent, dataset(episode("ab")), out=tmp_path / "run"))
    assert line.actions == (3, 4, 5, 5)
    assert math.degrees((line.headings or ())[-1]) == pytest.approx(30)
    assert math.degrees(agent.seen[-1].elevation) == pytest.approx(-30)


def test_walls_are_collisions_and_turns_are_not(tmp_path: Path) -> None:
    agent = Scripted("vlnce", "forward", "left", "forward")
    data = dataset(episode("ab", heading=math.radians(90)), wall_x=0.1)
    line = only_line(run(agent, data, out=tmp_path / "run"))
    assert line.collisions == (0, 2)
    assert agent.seen[2].collided  # type: ignore[attr-defined]
    assert set(line.positions) == {(0.0, 0.0, 0.0)}


def test_a_waypoint_is_walked_in_turns_and_whole_steps(tmp_path: Path) -> None:
    agent = Scripted("waypoint", (math.radians(-37), 1.1), STOP)
    line = only_line(run(agent, dataset(episode("ab")), out=tmp_path / "run"))
    assert line.actions == (3, 3, 1, 1, 1, 1)
    assert np.allclose(line.positions[-1], (math.sin(math.radians(30)), 0, -math.cos(math.radians(30))))


@pytest.mark.parametrize(
    ("degrees", "left"),
    [(0, 0), (7.4, 0), (-7.6, -1), (180, 12), (-180, 12), (183, 12), (-173, 12), (-172, -11)],
)
def test_a_waypoint_behind_is_turned_to_by_the_left(tmp_path: Path, degrees: float, left: int) -> None:
    agent = Scripted("waypoint", (math.radians(degrees), 0.0), STOP)
    line = only_line(run(agent, dataset(episode("ab")), out=tmp_path / "run"))
    assert line.actions == (2,) * left + (3,) * -left


def test_metres_are_free(tmp_path: Path) -> None:
    agent = Scripted("metres", (math.radians(-37), 1.1), STOP)
    line = only_line(run(agent, dataset(episode("ab")), out=tmp_path / "run"))
    end = 1.1 * np.array([math.sin(math.radians(37)), 0, -math.cos(math.radians(37))])
    assert np.allclose(line.positions[-1], end)
    assert line.actions == (3, 1, 1, 1, 1, 1)


@pytest.mark.parametrize("action", [(math.nan, 1.0), (0.0, -1.0), (0.0, 1e9), (1.0,), ("forward",)])
def test_waypoints_that_nobody_can_walk_fail_the_case(tmp_path: Path, action: tuple[object, ...]) -> None:
    line = only_line(run(Scripted("waypoint", action), dataset(episode("ab")), out=tmp_path / "run"))
    assert line.failed
    assert line.path == ("a",)


@pytest.mark.parametrize("space", ["waypoint", "metres"])
@pytest.mark.parametrize("proposals", [5, (5,), (None,), (("a", "b"),), ((1j, 1.0),), ((10**400, 1.0),)])
def test_proposals_that_are_none_fail_the_case_and_not_the_run(
    tmp_path: Path, space: str, proposals: Any
) -> None:
    class Confused:
        action_space = space

        def act(self, observation: Observation) -> Decision:
            return Decision((1.0,), proposals)

    line = only_line(run(Confused(), dataset(episode("ab")), out=tmp_path / "run"))
    assert line.failed
    assert len(line.positions) == 1


def test_proposals_may_be_arrays(tmp_path: Path) -> None:
    class Numeric:
        action_space = "metres"

        def act(self, observation: Observation) -> Decision:
            rows: Any = np.array([[0.0, 1.0], [0.5, 2.0]])
            return Decision((1.0, 0.0), rows) if observation.step == 0 else Decision((1.0,), (STOP,))

    line = only_line(run(Numeric(), dataset(episode("ab")), out=tmp_path / "run"))
    assert np.allclose(line.positions[-1], (0.0, 0.0, -1.0))


def test_turns_of_any_size_leave_a_heading(tmp_path: Path) -> None:
    agent = Scripted("metres", (1e308, 0.0), (math.tau + 0.5, 0.0), STOP)
    line = only_line(run(agent, dataset(episode("ab")), out=tmp_path / "run"))
    first, second = (line.headings or ())[1:]
    assert math.remainder(first - second - 0.5, math.tau) == pytest.approx(0.0, abs=1e-9)


def test_fewer_actions_than_a_step_on_a_graph_stands_for_can_be_asked_for(tmp_path: Path) -> None:
    agent = Scripted("vlnce", *["forward"] * 9)
    line = only_line(run(agent, dataset(episode("ab")), out=tmp_path / "run", max_steps=3))
    assert (line.actions, line.stopped) == ((1, 1, 1), False)


def test_agents_on_graphs_walk_along_edges(tmp_path: Path) -> None:
    agent = Scripted("graph", "b", "d", STOP)
    done = run(agent, dataset(episode("abd")), out=tmp_path / "run")
    line = only_line(done)
    assert done.record.action_space == "graph-ce"
    assert [seen.viewpoint for seen in agent.seen[1:]] == ["a", "b", "d"]
    assert tuple(dict.fromkeys(line.path)) == ("a", "b", "d")
    assert math.dist(line.positions[-1], (2, 0, -2)) < 0.25
    assert math.degrees(agent.seen[-1].heading) == pytest.approx(90)


def test_an_edge_that_cannot_be_walked_leaves_the_agent_where_it_was(tmp_path: Path) -> None:
    agent = Scripted("graph", "b", "d", STOP)
    run(agent, dataset(episode("abd"), wall_x=1.0), out=tmp_path / "run")
    assert [seen.viewpoint for seen in agent.seen[1:]] == ["a", "b", "b"]


@pytest.mark.parametrize(
    ("actions", "choice"), [(["forward"] * 9, "c"), ([STOP], STOP), (["left"] * 9, None)]
)
def test_the_viewpoint_that_a_body_walks_to_is_its_decision(
    tmp_path: Path, actions: list[str], choice: str | None
) -> None:
    case = Case(case_id="x", episode=episode("abc"), forced_steps=1, correct=("c",))
    done = run(Scripted("vlnce", *actions), dataset(episode("abc")), cases=[case], out=tmp_path, max_steps=17)
    decisions = only_line(done).decisions
    if choice is None:  # nine turns, then it stops
        choice = STOP
    (decision,) = decisions or ()
    assert (decision.step, decision.viewpoint) == (1, "b")
    names = [*decision.candidates, STOP]
    assert {name for name, chance in zip(names, decision.probabilities, strict=True) if chance} == {choice}


def test_moves_of_a_forced_prefix_are_no_decisions_of_a_waypoint_agent(tmp_path: Path) -> None:
    case = Case(case_id="x", episode=episode("abc"), forced_steps=1)
    agent = Scripted("waypoint", *[(0.0, 0.25)] * 9)
    line = only_line(run(agent, dataset(episode("abc")), cases=[case], out=tmp_path / "run", max_steps=5))
    forced = 8  # to b, 2 m ahead
    assert line.actions == (1,) * (forced + 4)
    assert not line.stopped


def test_limits_are_those_of_vln_ce() -> None:
    assert [make_action_space(name).limit(15) for name in ("graph", "graph-ce", "vlnce")] == [15, 15, 500]
    space = make_action_space("vlnce")
    start = space.start(episode("ab"))
    with pytest.raises(AgentError, match="sideways"):
        space.move(flat(), start, "sideways")


def test_agents_in_space_need_data_in_space(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="on graphs"):
        run(Scripted("vlnce"), "sample/demo", out=tmp_path / "run")


def test_rotations_without_a_heading_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    space = episode("ab").continuous
    assert space is not None
    upright = msgspec.structs.replace(space, start_rotation=(0.0, 0.0, 0.0, 0.0))
    lost = msgspec.structs.replace(episode("ab", "2_0"), continuous=upright)
    with pytest.raises(InputError, match="2_0") as refused:
        run(Scripted("vlnce"), dataset(episode("ab"), lost), out=tmp_path / "run")
    assert "heading" in str(refused.value)
    assert not (tmp_path / "run").exists()


def test_tours_lead_agents_from_goal_to_start(tmp_path: Path) -> None:
    episodes = [episode("ab", "1_0"), episode("bd", "2_0", heading=math.radians(90))]
    tour = Tour(tour_id="t", scan="flat", episode_ids=("1_0", "2_0"))
    agent = Scripted("vlnce", "forward", STOP)
    done = run(agent, dataset(*episodes), tours=[tour], out=tmp_path / "run")
    first, second = done.lines()["1_0"], done.lines()["2_0"]
    assert first.phases is not None
    assert second.phases is not None
    assert len(first.phases.goal_positions) == 7  # 1.75 m, until it is nearer than 0.25 m
    assert math.dist(second.positions[0], (0, 0, -2)) < 0.25
    assert math.degrees((second.headings or ())[0]) == pytest.approx(90)
    log = json.loads((tmp_path / "run/tour_log.json").read_text())["t"]
    assert [entry["phase"] for entry in log][:3] == ["agent", "agent", "oracle_goal"]
    assert all(len(entry["position"]) == 3 for entry in log)


def test_a_limit_of_actions_holds_where_nothing_is_forced(tmp_path: Path) -> None:
    agent = Scripted("vlnce", *["left"] * 99)
    line = only_line(run(agent, dataset(episode("ab")), out=tmp_path / "run", max_steps=20))
    assert (len(line.actions or ()), line.stopped) == (20, False)
