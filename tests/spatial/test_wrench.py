import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from flexor.spatial import Pose, exp_so3, rotate_six, shift_matrix, shift_twist, shift_wrench
from tests.spatial.strategies import error, law, numbers, rotations, vectors

sixes = st.lists(numbers(), min_size=6, max_size=6).map(np.array)


@law
@given(sixes, sixes, vectors(), vectors(), rotations())
def test_power_is_the_same_at_every_point_and_in_all_axes(twist, wrench, p_AB, p_BC, R):
    power = twist @ wrench
    assert abs(shift_twist(twist, p_AB) @ shift_wrench(wrench, p_AB) - power) <= 1e-10
    assert abs(rotate_six(R, twist) @ rotate_six(R, wrench) - power) <= 1e-11
    for shift in (shift_twist, shift_wrench):
        assert error(shift(shift(twist, p_AB), p_BC), shift(twist, p_AB + p_BC)) <= 1e-12
        assert error(shift(shift(twist, p_AB), -p_AB), twist) <= 1e-12
        shifted_then_rotated = rotate_six(R, shift(twist, p_AB))
        assert error(shifted_then_rotated, shift(rotate_six(R, twist), R @ p_AB)) <= 1e-12


@law
@given(sixes, vectors())
def test_matrix_form(six, p_AB):
    T = shift_matrix(p_AB)
    assert error(T @ six, shift_twist(six, p_AB)) <= 1e-13
    assert error(T.T @ shift_wrench(six, p_AB), six) <= 1e-12


def test_moment_of_a_force():
    # 10 N upwards at A; seen from B, 2 m further along x, it turns clockwise about z: −20 N·m
    assert error(shift_wrench([0, 10, 0, 0, 0, 0], [2, 0, 0]), [0, 10, 0, 0, 0, -20]) == 0
    # a couple is the same everywhere
    assert error(shift_wrench([0, 0, 0, 1, 2, 3], [5, 6, 7]), [0, 0, 0, 1, 2, 3]) == 0


def test_rim_of_a_wheel():
    # hub at rest, 3 rad/s about z: the rim at (0.5, 0, 0) moves along y at 1.5 m/s
    assert error(shift_twist([0, 0, 0, 0, 0, 3], [0.5, 0, 0]), [0, 1.5, 0, 0, 0, 3]) == 0


@law
@given(sixes, vectors(), rotations())
def test_twist_is_the_velocity_of_a_moving_pose(twist, p_B, R):
    def point(t):  # A moves with v and the body turns with ω
        return Pose(t * twist[:3], exp_so3(t * twist[3:]) @ R).apply(p_B)

    h = 1e-4  # fourth-order central difference: error ~ h⁴ |ω|⁵ |p| / 30 + ε |p| / h
    velocity = (8 * (point(h) - point(-h)) - (point(2 * h) - point(-2 * h))) / (12 * h)
    assert error(shift_twist(twist, R @ p_B)[:3], velocity) <= 1e-9


def test_leading_axes():
    generator = np.random.default_rng(6)
    six, p, R = generator.normal(size=(4, 5, 6)), generator.normal(size=(5, 3)), exp_so3([1, 2, 3])
    assert shift_wrench(six, p).shape == shift_twist(six, p).shape == rotate_six(R, six).shape == (4, 5, 6)
    assert shift_wrench(six[0, 0], p).shape == (5, 6)
    assert shift_matrix(p).shape == (5, 6, 6)
    assert error(np.einsum("jab,ijb->ija", shift_matrix(p), six), shift_twist(six, p)) <= 1e-14
