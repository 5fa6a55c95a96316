import numpy as np
import pytest
from hypothesis import given
from scipy.spatial.transform import Rotation

from flexor.errors import ModelError
from flexor.spatial import (
    continuous_quaternions,
    exp_so3,
    matrix_to_quaternion,
    quaternion_conjugate,
    quaternion_product,
    quaternion_to_matrix,
)
from tests.spatial.strategies import EPS, directions, error, law, rotation_vectors, rotations, π


@law
@given(rotations())
def test_round_trip_and_scipy(R):
    q = matrix_to_quaternion(R)
    assert q[0] >= 0
    assert abs(np.linalg.norm(q) - 1) <= 4 * EPS
    assert error(quaternion_to_matrix(q), R) <= 16 * EPS
    other = Rotation.from_matrix(R).as_quat(scalar_first=True)
    assert error(q * np.sign(q @ other), other) <= 16 * EPS


@law
@given(rotation_vectors())
def test_half_angle(θ):
    angle = np.linalg.norm(θ)
    axis = θ / angle if angle else θ
    q = np.concatenate(([np.cos(angle / 2)], np.sin(angle / 2) * axis))
    assert error(quaternion_to_matrix(q), exp_so3(θ)) <= 8 * EPS * (1 + angle)
    assert error(quaternion_to_matrix(-3 * q), quaternion_to_matrix(q)) <= 8 * EPS


@law
@given(rotations(), rotations(), rotations())
def test_group_laws(R_1, R_2, R_3):
    p, q, r = (matrix_to_quaternion(R) for R in (R_1, R_2, R_3))
    assert error(quaternion_to_matrix(quaternion_product(p, q)), R_1 @ R_2) <= 32 * EPS
    left = quaternion_product(quaternion_product(p, q), r)
    assert error(left, quaternion_product(p, quaternion_product(q, r))) <= 8 * EPS
    assert error(quaternion_product(p, quaternion_conjugate(p)), [1, 0, 0, 0]) <= 8 * EPS
    assert error(quaternion_to_matrix(quaternion_conjugate(p)), R_1.T) <= 16 * EPS


def test_the_four_cases_of_the_largest_component():
    for i in range(4):
        q = np.full(4, 0.1)
        q[i] = 1
        q /= np.linalg.norm(q)
        for sign in (1, -1):
            assert error(matrix_to_quaternion(quaternion_to_matrix(sign * q)), q) <= 4 * EPS


@pytest.mark.parametrize("off", [10.0**-k for k in range(1, 17)])
@law
@given(axis=directions())
def test_accurate_near_half_a_turn(off, axis):
    q = np.array([np.sin(off), *np.cos(off) * axis])  # a turn of π − 2 off
    assert error(matrix_to_quaternion(quaternion_to_matrix(q)), q) <= 4 * EPS


@law
@given(directions())
def test_half_turn_has_its_largest_component_positive(axis):
    q = matrix_to_quaternion(2 * np.outer(axis, axis) - np.eye(3))
    assert np.max(q) >= np.max(np.abs(q)) * (1 - 4 * EPS)  # or, with several equally large, one of them
    assert error(np.abs(q), np.abs(np.array([0, *axis]))) <= 4 * EPS


@law
@given(directions())
def test_continuous_along_many_turns(axis):
    angle = np.concatenate((np.linspace(0, 15 * π, 400), np.linspace(15 * π, -4 * π, 500)[1:]))
    q = continuous_quaternions(matrix_to_quaternion(exp_so3(angle[:, None] * axis)))
    exact = np.column_stack((np.cos(angle / 2), np.sin(angle / 2)[:, None] * axis))
    assert error(q, exact) <= 1e-13


def test_continuous_with_several_bodies():
    angle = np.linspace(0, 20, 300)
    θ = angle[:, None, None] * np.array([[0, 0, 1.0], [0, -1.0, 0]])
    q = matrix_to_quaternion(exp_so3(θ))
    both = continuous_quaternions(q)
    assert both.shape == (300, 2, 4)
    assert np.max(np.abs(np.diff(q, axis=0))) > 0.1  # the raw history does jump
    assert np.max(np.abs(np.diff(both, axis=0))) < 0.04
    for body in (0, 1):
        assert error(both[:, body], continuous_quaternions(q[:, body])) == 0
    assert continuous_quaternions(q[:1]).shape == (1, 2, 4)


def test_leading_axes():
    R = Rotation.random(6, rng=np.random.default_rng(3)).as_matrix().reshape(2, 3, 3, 3)
    q = matrix_to_quaternion(R)
    assert q.shape == (2, 3, 4)
    assert error(quaternion_to_matrix(q), R) <= 16 * EPS
    assert quaternion_product(q, q[0, 0]).shape == (2, 3, 4)


def test_zero_quaternion_is_refused():
    with pytest.raises(ModelError, match="zero"):
        quaternion_to_matrix([[1, 0, 0, 0], [0, 0, 0, 0]])
