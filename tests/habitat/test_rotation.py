"""Rotations multiply as numpy-quaternion's do, and the functions on them agree with matrices."""

from __future__ import annotations

import copy
import math
import pickle
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation as Turn

from vlnscope.core.exceptions import InputError
from vlnscope.habitat import habitat_sim, quaternion
from vlnscope.habitat.rotation import Rotation, rotation_of

PARTS = st.floats(-2, 2).filter(lambda x: abs(x) > 1e-3)
QUATERNIONS = st.builds(Rotation, PARTS, PARTS, PARTS, PARTS)
VECTORS = st.tuples(PARTS, PARTS, PARTS)
common = habitat_sim.utils.common


def turn(rotation: Rotation) -> Turn:
    return Turn.from_quat([rotation.x, rotation.y, rotation.z, rotation.w])


def test_products_by_hand() -> None:
    i, j, k = Rotation(0, 1, 0, 0), Rotation(0, 0, 1, 0), Rotation(0, 0, 0, 1)
    assert (i * j, j * k, k * i) == (k, i, j)
    assert (j * i, i * i) == (-k, Rotation(-1, 0, 0, 0))
    a, b = Rotation(1, 2, 3, 4), Rotation(5, 6, 7, 8)
    assert a * b == Rotation(-60, 12, 30, 24)
    assert b * a == Rotation(-60, 20, 14, 32)
    assert (a + b, a - b, 2 * a, a / 2) == (
        Rotation(6, 8, 10, 12),
        Rotation(-4, -4, -4, -4),
        Rotation(2, 4, 6, 8),
        Rotation(0.5, 1, 1.5, 2),
    )
    assert (a.norm(), abs(a), a.real) == (30.0, math.sqrt(30), 1.0)
    assert a.conjugate() == Rotation(1, -2, -3, -4)
    assert a.inverse().components.tolist() == pytest.approx([1 / 30, -2 / 30, -3 / 30, -4 / 30])
    assert a.components.tolist() == [1, 2, 3, 4]
    assert (a.imag.tolist(), a.vec.tolist()) == ([2, 3, 4], [2, 3, 4])
    assert (a / b * b).components.tolist() == pytest.approx([1, 2, 3, 4])
    assert a != b
    assert a != "a"
    assert hash(a) == hash(Rotation(1, 2, 3, 4))


def test_a_quarter_turn_to_the_left_by_hand() -> None:
    left = common.quat_from_angle_axis(math.pi / 2, [0, 1, 0])
    assert left.components.tolist() == pytest.approx([math.sqrt(0.5), 0, math.sqrt(0.5), 0])
    assert common.quat_rotate_vector(left, [0, 0, -1]).tolist() == pytest.approx([-1, 0, 0])
    assert common.quat_to_coeffs(left).tolist() == pytest.approx([0, math.sqrt(0.5), 0, math.sqrt(0.5)])
    assert common.quat_from_coeffs(common.quat_to_coeffs(left)) == left
    angle, axis = common.quat_to_angle_axis(left)
    assert (angle, axis.tolist()) == (pytest.approx(math.pi / 2), pytest.approx([0, 1, 0]))
    assert common.quat_to_angle_axis(Rotation())[0] == 0.0
    assert quaternion.as_rotation_vector(left).tolist() == pytest.approx([0, math.pi / 2, 0])
    assert quaternion.from_rotation_vector([0, 0, 0]) == Rotation()
    assert quaternion.as_float_array(left).tolist() == left.components.tolist()
    assert quaternion.quaternion(1, 0, 0, 0) == Rotation()


@given(QUATERNIONS, QUATERNIONS, VECTORS)
def test_rotations_agree_with_scipys(a: Rotation, b: Rotation, vector: tuple[float, float, float]) -> None:
    assert a.turned(vector) == pytest.approx(turn(a).apply(vector), abs=1e-9)
    assert (a * b).turned(vector) == pytest.approx((turn(a) * turn(b)).apply(vector), abs=1e-9)
    assert a.inverse().turned(a.turned(vector)) == pytest.approx(vector, abs=1e-9)
    assert quaternion.as_rotation_matrix(a) == pytest.approx(turn(a).as_matrix(), abs=1e-9)
    assert common.angle_between_quats(a, b) == pytest.approx((turn(a).inv() * turn(b)).magnitude(), abs=1e-6)
    again = quaternion.from_rotation_vector(quaternion.as_rotation_vector(a))
    assert again.turned(vector) == pytest.approx(a.turned(vector), abs=1e-9)


@given(VECTORS, VECTORS)
def test_the_shortest_rotation_turns_one_direction_to_the_other(
    a: tuple[float, float, float], b: tuple[float, float, float]
) -> None:
    turned = common.quat_from_two_vectors(a, b).turned(np.array(a) / np.linalg.norm(a))
    assert turned == pytest.approx(np.array(b) / np.linalg.norm(b), abs=1e-6)
    back = common.quat_from_two_vectors(a, [-part for part in a]).turned(a)
    assert back == pytest.approx([-part for part in a], abs=1e-6)


def test_rotations_are_copied_kept_and_taken_from_other_packages() -> None:
    own = Rotation(0.5, 0.5, -0.5, 0.5)
    assert copy.deepcopy(own) == pickle.loads(pickle.dumps(own)) == own
    other = SimpleNamespace(w=0.5, x=0.5, y=-0.5, z=0.5)
    assert rotation_of(other) == own
    assert own * other == own * own
    assert rotation_of(SimpleNamespace(scalar=0.5, vector=(0.5, -0.5, 0.5))) == own
    assert np.asarray(own).tolist() == own.components.tolist()
    assert isinstance(np.float64(2) * own, Rotation)
    with pytest.raises(InputError, match="is no rotation"):
        rotation_of("left")
    with pytest.raises(TypeError, match="use quat_rotate_vector"):
        _ = own * np.array([0, 0, -1])
