"""How bodies move: turns, tilts, steps and what counts as a collision."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from plane import Plane
from vlnscope.core.exceptions import InputError
from vlnscope.types import Floats
from vlnscope.worlds.continuous.body import MOVES, Body
from vlnscope.worlds.continuous.motion import (
    SpacePose,
    directions,
    forward,
    forward_many,
    look,
    pose_at,
    turn,
    wrap_yaw,
)
from vlnscope.worlds.frames import heading_of_quaternion

AHEAD = (0.0, 0.0, 0.0, 1.0)


class Sloped(Plane):
    """A plane on which each step comes out so much longer or shorter, and so much higher."""

    def __init__(self, share: float, rise: float = 0.0) -> None:
        super().__init__()
        self._share, self._rise = share, rise

    def step(self, starts: ArrayLike, targets: ArrayLike, *, sliding: bool = True) -> Floats:
        a, b = np.asarray(starts, dtype=float), np.asarray(targets, dtype=float)
        return a + self._share * (b - a) + np.array([0.0, self._rise, 0.0])


class NoSliding(Plane):
    """Ground on which only those move that slide."""

    def step(self, starts: ArrayLike, targets: ArrayLike, *, sliding: bool = True) -> Floats:
        return np.asarray(targets if sliding else starts, dtype=float)


@given(st.floats(-100, 100))
def test_a_wrapped_yaw_looks_the_same_way(yaw: float) -> None:
    wrapped = wrap_yaw(yaw)
    assert -math.pi < wrapped <= math.pi
    assert math.sin(wrapped) == pytest.approx(math.sin(yaw), abs=1e-9)
    assert math.cos(wrapped) == pytest.approx(math.cos(yaw), abs=1e-9)


def test_half_a_turn_is_written_as_plus_pi() -> None:
    assert wrap_yaw(-math.pi) == math.pi
    assert wrap_yaw(math.pi) == math.pi
    assert turn(SpacePose((0, 0, 0), math.radians(170)), 15).yaw == pytest.approx(math.radians(-175))


@given(st.floats(-3, 3), st.floats(-720, 720))
def test_turning_back_ends_where_it_began(yaw: float, degrees: float) -> None:
    pose = SpacePose((1.0, 2.0, 3.0), yaw, 0.25, collided=True)
    there = turn(pose, degrees)
    assert (there.position, there.pitch, there.collided) == (pose.position, 0.25, False)
    assert turn(there, -degrees).yaw == pytest.approx(yaw, abs=1e-9)


def test_left_is_counter_clockwise_from_above() -> None:
    left = turn(pose_at([0, 0, 0], AHEAD), 90)
    assert forward(Plane(), left, 1.0).position == pytest.approx((-1, 0, 0))
    assert left.heading == pytest.approx(math.radians(270))


def test_a_camera_tilts_all_the_way_round() -> None:
    pose = pose_at([0, 0, 0], AHEAD)
    for angle in (30, 60, 90, 120, 150, 180, -150, -120, -90, -60, -30, 0):
        pose = look(pose, 30)
        assert math.cos(pose.pitch - math.radians(angle)) == pytest.approx(1)
        assert -math.pi <= pose.pitch <= math.pi
    assert look(pose, -30).pitch == pytest.approx(math.radians(-30))


def test_a_step_that_comes_out_shorter_collides() -> None:
    # 0.25² - 1e-5 is the least square that is none: a body may lose 0.02 mm, but not 0.03 mm
    least = math.sqrt(0.25**2 - 1e-5) / 0.25
    pose = pose_at([0, 0, 0], AHEAD)
    assert not forward(Plane(), pose, 0.25).collided
    assert not forward(Sloped(least + 1e-7), pose, 0.25).collided
    assert forward(Sloped(least - 1e-7), pose, 0.25).collided
    assert not forward(Sloped(1.2), pose, 0.25).collided


def test_stairs_are_no_collision_and_a_collision_does_not_last() -> None:
    pose = pose_at([0, 0, 0], AHEAD)
    assert forward(Sloped(0.9), pose, 0.25).collided
    assert not forward(Sloped(0.9, rise=0.2), pose, 0.25).collided
    hurt = pose._replace(collided=True)
    assert not forward(Plane(), hurt, 0.25).collided
    assert not look(hurt, 10).collided


def test_a_body_stops_at_a_wall_and_collides() -> None:
    right = SpacePose((-0.1, 0.0, 0.0), -math.pi / 2)
    end = forward(Plane(wall_x=0.0), right, 0.25)
    assert (end.position, end.collided) == ((-0.1, 0.0, 0.0), True)


def test_many_bodies_move_as_one_does() -> None:
    yaws = np.linspace(-3, 3, 7)
    places = np.column_stack([np.linspace(-0.3, 0.3, 7), np.zeros(7), np.arange(7.0)])
    ends, collided = forward_many(Plane(wall_x=0.05), places, yaws, 0.25)
    assert 0 < collided.sum() < 7
    for place, yaw, end, hit in zip(places, yaws, ends, collided, strict=True):
        alone = forward(Plane(wall_x=0.05), SpacePose(tuple(place), yaw), 0.25)
        assert (alone.position, alone.collided) == (tuple(end), hit)


def test_bodies_that_slide_not_are_moved_so() -> None:
    pose = pose_at([0, 0, 0], AHEAD)
    assert forward(NoSliding(), pose, 0.25, sliding=False).collided
    assert not forward(NoSliding(), pose, 0.25).collided
    assert Body(sliding=False).after(NoSliding(), pose, "forward").collided


def test_a_body_does_what_its_moves_are_called() -> None:
    pose, body = pose_at([0, 0, 0], AHEAD), Body(step=0.5, angle=30, tilt=10)
    after = {move: body.after(Plane(), pose, move) for move in MOVES}
    assert after["forward"].position == pytest.approx((0, 0, -0.5))
    assert after["left"].yaw == pytest.approx(math.radians(30))
    assert after["right"].yaw == pytest.approx(math.radians(-30))
    assert after["up"].pitch == pytest.approx(math.radians(10))
    assert after["down"].pitch == pytest.approx(math.radians(-10))


@given(st.floats(-math.pi, math.pi, exclude_min=True))
def test_the_rotation_of_a_pose_looks_along_its_heading(yaw: float) -> None:
    pose = SpacePose((0.0, 0.0, 0.0), yaw)
    off = heading_of_quaternion(pose.rotation) - pose.heading
    assert abs(wrap_yaw(off)) < 1e-6
    assert abs(wrap_yaw(pose_at((0, 0, 0), pose.rotation).yaw - yaw)) < 1e-6
    assert directions(yaw).tolist() == pytest.approx([-math.sin(yaw), 0, -math.cos(yaw)])


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_nobody_stands_at_a_place_that_is_not_finite(bad: float, axis: int) -> None:
    place = [1.0, 2.0, 3.0]
    place[axis] = bad
    with pytest.raises(InputError, match="nobody can stand"):
        pose_at(place, AHEAD)


@pytest.mark.parametrize(
    "rotation", [(math.nan, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.0), (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))]
)
def test_nobody_starts_with_a_rotation_that_has_no_heading(
    rotation: tuple[float, float, float, float],
) -> None:
    with pytest.raises(InputError, match="heading"):
        pose_at([0, 0, 0], rotation)
