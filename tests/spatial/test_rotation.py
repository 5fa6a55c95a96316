from fractions import Fraction
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import polar
from scipy.spatial.transform import Rotation

from flexor.spatial import (
    exp_so3,
    is_rotation,
    log_so3,
    nearest_rotation,
    skew,
    tangent,
    tangent_inverse,
    unskew,
)
from tests.spatial.strategies import (
    EPS,
    directions,
    error,
    law,
    numbers,
    rotation_vectors,
    rotations,
    vectors,
    π,
)


@law
@given(vectors(), vectors())
def test_skew_is_the_cross_product(a, b):
    assert error(skew(a) @ b, np.cross(a, b)) <= 400 * EPS
    assert error(unskew(skew(a)), a) == 0
    assert error(skew(a).T, -skew(a)) == 0


def test_unskew_takes_the_skew_part():
    A = np.arange(9.0).reshape(3, 3) ** 2
    assert error(skew(unskew(A)), (A - A.T) / 2) == 0


@law
@given(rotation_vectors())
def test_exp_agrees_with_scipy_and_is_orthonormal(θ):
    R = exp_so3(θ)
    assert error(R, Rotation.from_rotvec(θ).as_matrix()) <= 4 * EPS * (1 + np.linalg.norm(θ))
    assert is_rotation(R, 8 * EPS)


@pytest.mark.parametrize("turns", [-7, -1, 0, 1, 2, 100])
@law
@given(axis=directions(), angle=st.floats(-π, π))
def test_whole_turns_do_not_matter(turns, axis, angle):
    θ = (angle + 2 * π * turns) * axis  # rounded by some ε |θ|, as the length of the axis is
    assert error(exp_so3(θ), exp_so3(angle * axis)) <= 4 * EPS * (1 + np.linalg.norm(θ))


@law
@given(directions(), numbers(), numbers())
def test_turns_about_one_axis_add(axis, a, b):
    assert error(exp_so3(a * axis) @ exp_so3(b * axis), exp_so3((a + b) * axis)) <= 40 * EPS


@law
@given(rotation_vectors(0.9 * π))
def test_log_undoes_exp(θ):
    assert error(log_so3(exp_so3(θ)), θ) <= 8 * EPS * np.pi


@law
@given(rotations())
def test_exp_undoes_log_and_log_agrees_with_scipy(R):
    θ = log_so3(R)
    assert np.linalg.norm(θ) <= π * (1 + EPS)
    assert error(exp_so3(θ), R) <= 16 * EPS
    other = Rotation.from_matrix(R).as_rotvec()
    half_turn = π - np.linalg.norm(θ) < 1e-14  # both signs are right there
    assert min(error(θ, other), error(θ, -other) if half_turn else np.inf) <= 32 * EPS


@pytest.mark.parametrize("off", [10.0**-k for k in range(1, 15)])
@law
@given(axis=directions())
def test_log_near_half_a_turn_keeps_the_angle_and_the_axis(off, axis):
    for angle in (π - off, off - π):
        assert error(log_so3(exp_so3(angle * axis)), angle * axis) <= 8 * EPS * π
    beyond = log_so3(exp_so3((π + off) * axis))  # comes back as the shorter turn the other way round
    assert error(beyond, (off - π) * axis) <= 8 * EPS * π


@law
@given(directions())
def test_exact_half_turn(axis):
    R = 2 * np.outer(axis, axis) - np.eye(3)  # symmetric: no information on the sign
    θ = log_so3(R)
    assert error(np.abs(θ), π * np.abs(axis)) <= 8 * EPS * π
    assert np.max(θ) >= np.max(np.abs(θ)) * (1 - 4 * EPS)  # a largest component is positive
    assert error(exp_so3(θ), R) <= 16 * EPS


@pytest.mark.parametrize("size", [1e-2, 1e-4, 1e-6, 1e-8, 1e-16, 1e-100, 1e-152, 1e-160, 1e-300, 0.0])
def test_small_rotations_keep_their_relative_accuracy(size):
    θ = size * np.array([0.6, -0.48, 0.64])
    assert error(log_so3(exp_so3(θ)), θ) <= 4 * EPS * size


@law
@given(rotation_vectors(), vectors(1.0))
def test_tangent_is_the_derivative_of_exp(θ, rate):
    h = 1e-30
    Ṙ = exp_so3(θ + 1j * h * rate).imag / h  # complex step: no cancellation
    ω = unskew(Ṙ @ exp_so3(θ).T)
    assert error(tangent(θ) @ rate, ω) <= 16 * EPS * (1 + np.linalg.norm(θ))
    assert error(tangent(-θ), tangent(θ).T) == 0
    assert error(tangent(θ).T @ rate, exp_so3(θ).T @ ω) <= 16 * EPS * (1 + np.linalg.norm(θ))  # body axes


@law
@given(directions(), st.floats(0.1, 20))
def test_tangent_as_printed_in_ftg_2_20(n, angle):
    nn = np.outer(n, n)
    H = nn + np.sin(angle) / angle * (np.eye(3) - nn) + (1 - np.cos(angle)) / angle * skew(n)
    assert error(tangent(angle * n), H) <= 16 * EPS


@law
@given(rotation_vectors(1.99 * π))
def test_tangent_inverse_up_to_a_full_turn(θ):
    # the largest entry of H⁻¹ is about π/(2π − θ) here, some 60 at the most
    assert error(tangent_inverse(θ) @ tangent(θ), np.eye(3)) <= 500 * EPS
    assert error(tangent_inverse(θ), np.linalg.inv(tangent(θ))) <= 1e-11


def _exact(x: Fraction, n: int) -> Fraction:
    return sum((-x) ** k / factorial(2 * k + n) for k in range(40))


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-5, 1e-3, 0.1, 0.5, 0.9, 1 - 1e-12, 1.0, 1 + 1e-12, 1.1, 2.0, 3.0])
def test_coefficients_are_exact_on_both_sides_of_the_series(angle):
    x = Fraction(angle) ** 2
    a, b, c = (_exact(x, n) for n in (1, 2, 3))
    d = (1 - a / (2 * b)) / x if x else Fraction(1, 12)
    θ, θ2 = skew([0, 0, angle]), np.diag([-1.0, -1.0, 0.0]) * angle**2
    assert error(exp_so3([0, 0, angle]), np.eye(3) + float(a) * θ + float(b) * θ2) <= 4 * EPS
    assert error(tangent([0, 0, angle]), np.eye(3) + float(b) * θ + float(c) * θ2) <= 4 * EPS
    assert error(tangent_inverse([0, 0, angle]), np.eye(3) - θ / 2 + float(d) * θ2) <= 8 * EPS
    if angle:  # relative accuracy of the second-order terms, which H shows only against 1
        z = np.array([0, 0, angle])
        derivative = tangent(z + 1e-200j * np.array([1, 0, 0])).imag[0, 2] / 1e-200  # c θ_z
        assert derivative == pytest.approx(float(c) * angle, rel=4 * (1 if angle < 1 else 8) * EPS, abs=0)
        derivative = tangent_inverse(z + 1e-200j * np.array([1, 0, 0])).imag[0, 2] / 1e-200  # d θ_z
        loss = 1 if angle < 1 else 16  # beyond the series 1 − θ/2 cot θ/2 cancels by up to 1/12
        assert derivative == pytest.approx(float(d) * angle, rel=4 * loss * EPS, abs=0)


def test_leading_axes():
    θ = np.random.default_rng(1).normal(size=(4, 5, 3)) * 3
    θ[0, 0] = 0
    for f in (skew, exp_so3, tangent, tangent_inverse):
        assert f(θ).shape == (4, 5, 3, 3)
        assert error(f(θ)[2, 3], f(θ[2, 3])) <= 4 * EPS
        assert error(f(θ)[0, 0], f([0, 0, 0])) == 0
    R = exp_so3(θ)
    assert error(log_so3(R)[2, 3], log_so3(R[2, 3])) <= 4 * EPS
    assert unskew(R).shape == (4, 5, 3)
    assert nearest_rotation(R).shape == R.shape
    assert exp_so3(np.zeros((0, 3))).shape == (0, 3, 3)


@law
@given(rotations(), st.lists(numbers(0.1), min_size=9, max_size=9))
def test_nearest_rotation_is_the_polar_factor(R, noise):
    A = R + np.reshape(noise, (3, 3))
    assert error(nearest_rotation(A), polar(A)[0]) <= 1e-13
    assert error(nearest_rotation(R), R) <= 8 * EPS


def test_nearest_rotation_of_a_reflection_is_still_a_rotation():
    A = np.diag([1.0, 1.0, -0.5])
    R = nearest_rotation(A)
    assert is_rotation(R)
    samples = Rotation.random(2000, rng=np.random.default_rng(2)).as_matrix()
    assert np.linalg.norm(R - A) <= np.min(np.linalg.norm(samples - A, axis=(-2, -1)))


def test_is_rotation():
    assert is_rotation(np.eye(3))
    assert not is_rotation(np.diag([1.0, 1.0, -1.0]))
    assert not is_rotation(np.eye(3) + 1e-6)
    assert not is_rotation(np.full((3, 3), np.nan))
    assert not is_rotation(np.stack((np.eye(3), 2 * np.eye(3))))
