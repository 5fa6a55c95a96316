"""Kinematics of free motions: variables are read back for every sequence of rotations, not only for those of the registered joints."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from flexor.coordinates.between import Between
from flexor.coordinates.measure import nearest, wrap
from flexor.joints.kinematics import FreeMotions
from flexor.model.joint_state import AT_NODE
from flexor.spatial import exp_so3

SEQUENCES = ["".join(axes) for n in (1, 2, 3) for axes in permutations("xyz", n)]


def turned(sequence, angles):
    R = np.eye(3)
    for axis, angle in zip(sequence, angles, strict=True):
        R = R @ exp_so3(angle * np.eye(3)["xyz".index(axis)])
    return R


def random_angles(sequence, seed):
    angles = np.random.default_rng(seed).uniform(-3.1, 3.1, len(sequence))
    if len(angles) == 3:
        angles[1] *= 0.45
    return angles


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("sequence", SEQUENCES)
def test_angles_of_any_sequence_are_read_back(sequence, seed):
    angles = random_angles(sequence, seed)
    R_A = exp_so3([0.3, 1.9, -0.6])
    R = [*R_A.ravel(), *(R_A @ turned(sequence, angles)).ravel()]
    free = FreeMotions("", sequence)
    np.testing.assert_allclose(free.pose(angles).R, turned(sequence, angles), atol=1e-15)
    found = [Between(m, AT_NODE, AT_NODE).value_and_rate([0.0] * 6, R, [0.0] * 12) for m in free.measures]
    np.testing.assert_allclose([q for q, _ in found], angles, atol=1e-13)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_locked_axes_of_any_sequence_stay_perpendicular(sequence):
    pairs = FreeMotions("", sequence).perpendicular_axes
    assert len(pairs) == 3 - len(sequence)
    R = turned(sequence, random_angles(sequence, 0))
    np.testing.assert_allclose([R[i, j] for i, j in pairs], 0, atol=1e-15)


@pytest.mark.parametrize("translations", ["", "x", "z", "xy", "yz", "xyz"])
def test_translations(translations):
    x = [0.1, 0.2, 0.3, 1.1, 2.2, 3.3]
    R = [*np.eye(3).ravel()] * 2
    free = FreeMotions(translations)
    found = [Between(m, AT_NODE, AT_NODE).value_and_rate(x, R, [0.0] * 12) for m in free.measures]
    assert [q for q, _ in found] == pytest.approx([{"x": 1, "y": 2, "z": 3}[axis] for axis in translations])
    points = free.locked_translations
    assert sorted(translations + "".join("xyz"[i] for i in points)) == ["x", "y", "z"]


def test_rows_are_named():
    assert FreeMotions("", "z").row_names == ("point x", "point y", "point z", "axes x⊥z", "axes y⊥z")
    assert FreeMotions("z", "zyx").row_names == ("point x", "point y")


def test_wrap_and_nearest():
    assert wrap(0.3 + 8 * np.pi) == pytest.approx(0.3)
    assert wrap(-0.3 - 8 * np.pi) == pytest.approx(-0.3)
    assert wrap(3.5) == pytest.approx(3.5 - 2 * np.pi)
    assert nearest(-3.0, 3.1) == pytest.approx(2 * np.pi - 3.0)
    assert nearest(0.1, -25.0) == pytest.approx(0.1 - 8 * np.pi)
