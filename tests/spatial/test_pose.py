import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from flexor.errors import ModelError
from flexor.spatial import Pose, direction, exp_so3, is_rotation, triad
from tests.spatial.strategies import EPS, directions, error, law, numbers, rotations, vectors

poses = st.builds(Pose, vectors(), rotations())


@law
@given(poses, poses, poses, vectors())
def test_group_laws(X_AB, X_BC, X_CD, point):
    assert ((X_AB @ X_BC) @ X_CD).isclose(X_AB @ (X_BC @ X_CD), 1e-13)
    assert (X_AB @ X_AB.inverse()).isclose(Pose(), 1e-13)
    assert (X_AB.inverse() @ X_AB).isclose(Pose(), 1e-13)
    assert (X_AB @ Pose()).isclose(X_AB, 0)
    assert error((X_AB @ X_BC).apply(point), X_AB.apply(X_BC.apply(point))) <= 1e-13
    assert error(X_AB.inverse().apply(X_AB.apply(point)), point) <= 1e-13


@law
@given(poses, poses, vectors())
def test_agrees_with_the_matrix_form(X, Y, point):
    assert error((X @ Y).matrix, X.matrix @ Y.matrix) <= 1e-13
    assert error(X.inverse().matrix, np.linalg.inv(X.matrix)) <= 1e-13
    assert error(X.apply(point), (X.matrix @ [*point, 1])[:3]) <= 1e-13
    assert error(X.rotate(point), (X.matrix @ [*point, 0])[:3]) <= 1e-13
    assert Pose.from_matrix(X.matrix) == X


@law
@given(directions(), vectors(), numbers(), vectors())
def test_turn_about_an_axis_through_a_point(axis, point, angle, other):
    X = Pose.turn(angle, axis, point)
    on_axis = point + 3 * axis
    assert error(X.apply(on_axis), on_axis) <= 1e-13
    arm = other - point
    assert error(X.apply(other), point + Rotation.from_rotvec(angle * axis).apply(arm)) <= 1e-13
    assert (X @ X).isclose(Pose.turn(2 * angle, axis, point), 1e-13)


def test_quarter_turn():
    X = Pose.turn(np.pi / 2, "z", (1, 0, 0))
    assert error(X.apply((2, 0, 5)), (1, 1, 5)) <= 4 * EPS


def test_frame_of_an_axis():
    X = Pose.from_axis((0, 3, 4), (1, 2, 3))
    assert error(X.apply((0, 0, 5)), (1, 5, 7)) <= 8 * EPS
    assert error(X.apply((1, 0, 0)), (2, 2, 3)) <= 8 * EPS


def test_leading_axes():
    t = np.linspace(0, 1, 5)[:, None]
    X = Pose(t * (1, 2, 3), exp_so3(t * (0, 0, 1)))
    assert X.matrix.shape == (5, 4, 4)
    assert X.apply((1, 0, 0)).shape == (5, 3)
    assert (X @ X.inverse()).isclose(Pose(np.zeros((5, 3)), np.tile(np.eye(3), (5, 1, 1))), 1e-15)
    cloud = np.random.default_rng(0).normal(size=(7, 3))
    assert Pose((1, 2, 3)).apply(cloud).shape == (7, 3)
    assert (Pose((1, 2, 3)) @ X).p.shape == (5, 3)


def test_frozen_and_compared_by_value():
    p = np.zeros(3)
    pose = Pose(p)
    p[0] = 1  # the pose has its own copy
    assert pose == Pose()
    assert pose != Pose((1, 0, 0))
    assert pose != "origin"
    with pytest.raises(dataclasses.FrozenInstanceError):
        pose.p = p
    with pytest.raises(ValueError, match="read-only"):
        pose.R[0, 0] = 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Pose((0, 0)), "shapes"),
        (lambda: Pose((0, 0, 0), np.eye(4)), "shapes"),
        (lambda: Pose((0, 0, 0), np.diag([1, 1, -1])), "not a rotation"),
        (lambda: Pose((0, 0, 0), 1.001 * np.eye(3)), "nearest_rotation"),
        (lambda: Pose.from_matrix(Pose((1, 2, 3)).matrix.T), "transposed"),
        (lambda: direction((0, 0, 0), "joint 'pin'"), "joint 'pin': axis is zero-length; it needs"),
        (lambda: direction([(0, 0, 1), (0, 0, 0)]), "zero-length"),
        (lambda: direction("w"), "axis 'w' is unknown"),
        (lambda: direction((1, 2)), "three numbers"),
        (lambda: direction((1, "a", 2)), "three numbers"),
        (lambda: direction((1, float("nan"), 2)), "three numbers"),
        (lambda: triad("z", x="-z"), "parallel"),
    ],
)
def test_mistakes_are_explained(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_named_directions():
    for i, name in enumerate("xyz"):
        for text, sign in ((name, 1), (f"+{name}", 1), (f"-{name}", -1), (name.upper(), 1)):
            assert error(direction(text), sign * np.eye(3)[i]) == 0


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_direction_of_any_length(size):
    assert error(direction(size * np.array([3, 0, -4])), [0.6, 0, -0.8]) <= 2 * EPS


@law
@given(directions(), directions())
def test_triad_is_right_handed_with_the_given_z(z, x):
    R = triad(z)
    assert is_rotation(R, 8 * EPS)
    assert error(R[:, 2], z) <= 4 * EPS
    if np.linalg.norm(np.cross(z, x)) > 1e-5:
        R = triad(z, x)
        assert is_rotation(R, 8 * EPS)
        assert error(R[:, 2], z) <= 4 * EPS
        assert R[:, 0] @ x > 0
        assert abs(R[:, 1] @ x) <= 8 * EPS  # x lies in the x-z plane


def test_triads_of_the_named_axes():
    assert error(triad("z"), np.eye(3)) == 0
    assert error(triad("x"), np.eye(3)[:, [1, 2, 0]]) == 0  # x, y, z → y, z, x
    assert error(triad("y"), [[1, 0, 0], [0, 0, 1], [0, -1, 0]]) == 0
    assert error(triad("-z"), np.diag([1.0, -1.0, -1.0])) == 0


@law
@given(st.sampled_from(["x", "y", "z", "-x", "-y", "-z"]), vectors(1e-12))
def test_triad_does_not_jump_for_rounded_axes(name, noise):
    assert error(triad(direction(name) + noise), triad(name)) <= 1e-11


def test_triads_over_leading_axes():
    z = np.random.default_rng(4).normal(size=(6, 2, 3))
    z[0, 0] = (1, 0, 0)
    R = triad(z)
    assert R.shape == (6, 2, 3, 3)
    assert all(error(R[i], triad(z[i])) <= 4 * EPS for i in np.ndindex(6, 2))
