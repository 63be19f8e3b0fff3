"""The experts: Habitat's greedy follower and VLN-CE's older one."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from plane import Plane
from vlnscope.core.rng import rng_for
from vlnscope.types import Floats
from vlnscope.worlds.continuous.body import Body
from vlnscope.worlds.continuous.follower import (
    ARRIVED,
    Follower,
    GreedyFollower,
    NoWayError,
    TurningFollower,
    half_turn,
    walk_along,
)
from vlnscope.worlds.continuous.motion import SpacePose
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh

START = SpacePose((0.0, 0.0, 0.0), 0.0)
NORTH, SOUTH = (0.0, 0.0, -2.0), (0.0, 0.0, 2.0)


class Stuck(Plane):
    """Ground that nobody gets ahead on."""

    def step(self, starts: ArrayLike, targets: ArrayLike, *, sliding: bool = True) -> Floats:
        return self.snap(starts)


def at(x: float, z: float, yaw: float = 0.0) -> SpacePose:
    return SpacePose((x, 0.0, z), yaw)


def test_the_greedy_follower_stops_only_when_it_is_strictly_nearer() -> None:
    follower = GreedyFollower(Plane(), radius=0.5)
    assert follower.next(at(0, 0.5), (0, 0, 0)) == "forward"
    assert follower.next(at(0, np.nextafter(0.5, 0)), (0, 0, 0)) == ARRIVED


def test_the_older_follower_stops_also_at_the_radius_itself() -> None:
    follower = TurningFollower(Plane(), radius=0.5)
    assert follower.next(at(0, 0.5), (0, 0, 0)) == ARRIVED
    assert follower.next(at(0, np.nextafter(0.5, 1)), (0, 0, 0)) == "forward"


@pytest.mark.parametrize("angle", [15.0, 30.0])
def test_left_comes_before_right_where_the_goal_is_behind(angle: float) -> None:
    assert GreedyFollower(Plane(), angle=angle).next(START, SOUTH) == "left"


@pytest.mark.parametrize(("x", "wanted"), [(-2.0, "left"), (2.0, "right")])
def test_both_turn_to_the_side_of_the_goal(x: float, wanted: str) -> None:
    followers: list[Follower] = [GreedyFollower(Plane()), TurningFollower(Plane())]
    assert [follower.next(START, (x, 0, 0)) for follower in followers] == [wanted, wanted]


def test_the_older_follower_goes_ahead_within_one_turn() -> None:
    follower = TurningFollower(Plane())
    one = math.radians(15)
    for sign, side in ((1, "left"), (-1, "right")):
        assert follower.next(at(0, 0, -sign * (one + 5e-7)), NORTH) == "forward"
        assert follower.next(at(0, 0, -sign * (one + 2e-6)), NORTH) == side
    assert TurningFollower(Plane(), angle=30).next(at(0, 0, 0.5), NORTH) == "forward"


@pytest.mark.parametrize(
    ("behind", "wanted"), [(180, "left"), (-179, "left"), (-173, "left"), (-172, "right"), (172, "left")]
)
def test_the_older_follower_turns_left_wherever_that_helps(behind: float, wanted: str) -> None:
    assert TurningFollower(Plane()).next(at(0, 0, math.radians(-behind)), NORTH) == wanted


def test_no_way_is_an_error_of_both() -> None:
    for follower in (GreedyFollower(Plane(wall_x=1.0)), TurningFollower(Plane(wall_x=1.0))):
        with pytest.raises(NoWayError, match="no way"):
            follower.next(START, (2.0, 0.0, 0.0))


def test_a_greedy_follower_that_nothing_brings_nearer_says_so() -> None:
    with pytest.raises(NoWayError, match="no action"):
        GreedyFollower(Stuck()).next(START, NORTH)


def thrash(follower: GreedyFollower, times: int) -> list[str]:
    """Ask in poses that look away from the goal by turns: two turns to one side, two to the other."""
    yaws = [math.radians(30 if k % 2 else -30) for k in range(times)]
    return [follower.next(at(0, 0, yaw), NORTH) for yaw in yaws]


def test_after_sixteen_alternating_answers_it_carries_a_plan_out() -> None:
    follower = GreedyFollower(Plane())
    assert thrash(follower, 16) == ["left", "right"] * 8
    # wherever it looks now, the plan of the next pose goes on: two turns, then forward
    plan = [follower.next(at(0, 0, math.radians(-30)), NORTH)]
    plan += [follower.next(at(0, 0, math.radians(150)), NORTH) for _ in range(2)]
    assert plan == ["left", "left", "forward"]
    assert follower.next(at(0, 0, math.radians(-30)), NORTH) == "left"
    assert follower.next(at(0, 0, math.radians(30)), NORTH) == "right"  # a single answer again


def test_fifteen_are_not_enough_nor_are_sixteen_with_a_step_between() -> None:
    follower = GreedyFollower(Plane())
    thrash(follower, 15)
    assert follower.next(at(0, 0, math.radians(30)), NORTH) == "right"
    follower = GreedyFollower(Plane())
    thrash(follower, 8)
    assert follower.next(START, NORTH) == "forward"
    thrash(follower, 8)
    assert follower.next(at(0, 0, math.radians(-30)), NORTH) == "left"
    assert follower.next(at(0, 0, math.radians(30)), NORTH) == "right"


def test_another_goal_makes_it_forget() -> None:
    follower = GreedyFollower(Plane())
    thrash(follower, 16)
    follower.next(at(0, 0, math.radians(-30)), NORTH)  # a plan of three lies ready
    assert follower.next(START, SOUTH) == "left"
    assert follower.next(at(0, 0, math.pi), SOUTH) == "forward"
    assert follower.next(at(0, 0, math.radians(30)), NORTH) == "right"


@pytest.mark.parametrize(("angle", "wanted"), [(15.0, 12), (30.0, 6), (10.0, 18), (90.0, 2), (7.0, 25)])
def test_turns_up_to_a_half_circle_are_tried(angle: float, wanted: int) -> None:
    found = half_turn(angle)
    assert abs(found - wanted) <= (180 % angle == 0)  # the half circle itself is a matter of rounding
    assert found * angle <= 180


@given(st.floats(-6, 6), st.floats(-6, 6), st.floats(-3, 3), st.sampled_from(["greedy", "turning"]))
def test_on_a_plane_both_arrive_without_detours(x: float, z: float, yaw: float, kind: str) -> None:
    ground = Plane()
    follower = GreedyFollower(ground, 0.25) if kind == "greedy" else TurningFollower(ground, 0.25)
    moves = list(walk_along(follower, ground, at(0, 0, yaw), [(x, 0, z)]))
    end = moves[-1][1].position if moves else (0.0, 0.0, 0.0)
    assert math.dist(end, (x, 0, z)) <= 0.25
    assert sum(move == "forward" for move, _ in moves) <= math.hypot(x, z) / 0.25 * 1.1 + 3


def test_a_walk_goes_to_one_goal_after_another_and_ends_where_it_must() -> None:
    ground = Plane(wall_x=5.0)
    goals = [(0.0, 0.0, -1.0), (1.0, 0.0, -1.0)]
    poses = [pose for _, pose in walk_along(GreedyFollower(ground, 0.25), ground, START, goals)]
    for goal in goals:
        assert min(math.dist(pose.position, goal) for pose in poses) < 0.25
    shut = [*goals, (6.0, 0.0, 0.0), (0.0, 0.0, 0.0)]
    again = [pose for _, pose in walk_along(GreedyFollower(ground, 0.25), ground, START, shut)]
    assert again == poses
    assert len(list(walk_along(GreedyFollower(ground, 0.25), ground, START, goals, limit=2))) == 2


def test_real_ground_is_followed_to_every_goal(shared: Path) -> None:
    mesh = shared / "data" / "habitat_navmesh" / "house-40003.navmesh"
    if not mesh.is_file():
        pytest.skip(f"needs {mesh.name}")
    ground = NavMesh.read(mesh)
    rng = rng_for(0, "goals")
    points = ground.random_points(rng, 20_000)
    points = points[(np.abs(points[:, [0, 2]]) < 6).all(axis=1)]  # in the house: its garden is much larger
    starts, goals = points[:200], points[200:400]
    far, straight = ground.distance(starts, goals), np.linalg.norm(starts - goals, axis=1)
    winding = np.flatnonzero(np.isfinite(far) & (far > 1.3 * straight))[:25]
    assert len(winding) == 25
    for start, goal in zip(starts[winding], goals[winding], strict=True):
        pose = SpacePose(tuple(start.tolist()), float(rng.uniform(-3, 3)))
        follower = GreedyFollower(ground, radius=0.25)
        for _, after in walk_along(follower, ground, pose, [goal], body=Body()):
            pose = after
        assert ground.distance(pose.position, goal)[0] < 0.25
