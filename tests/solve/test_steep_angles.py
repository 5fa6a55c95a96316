"""Eliminated balls whose middle angle passes 90°: a run that loses their motion says so, one that keeps it does not."""

import warnings

import numpy as np
import pytest

import flexor as fx

SPIN = 5.0


def ran(part, step, output=None, **ball):
    """A body of equal inertia about all axes turns steadily for ever; its middle angle passes 90° as close as a part of its spin."""
    spin = np.array([0, SPIN, SPIN * part])
    body = fx.RigidBody("body", mass=1, inertia=0.1, angular_velocity=spin)
    joint = fx.Spherical("ball", fx.ground, body, enforcement="elimination", **ball)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run = fx.Model("top", [body, joint]).dynamics(until=0.4, step=step, output=output, show=False)
    told = [str(each.message) for each in caught if each.category is fx.SteepAngles]
    return float(np.abs(run["body.angular_velocity"].values - spin).max()) / SPIN, told


@pytest.mark.parametrize("part", [0.03, 0.003, 3e-4])
def test_a_motion_that_is_lost_is_told(part):
    error, (told,) = ran(part, 1e-3)
    assert error > 1e-3
    assert told.startswith("'ball.angle_y' comes within ")
    for words in ("joint 'ball' is enforced by elimination", "enforcement: multipliers", "form: rotation_vector"):
        assert words in told


def test_it_is_told_however_far_rows_are_apart():
    assert ran(0.003, 1e-3)[1] == ran(0.003, 1e-3, output=0.2)[1]


@pytest.mark.parametrize(("part", "step"), [(0.3, 1e-3), (0.1, 2.5e-4)])
def test_a_motion_that_is_kept_is_not_told(part, step):
    error, told = ran(part, step)
    assert error < 1e-3
    assert not told


def test_a_turn_in_a_plane_passes():
    error, told = ran(0.0, 1.6e-3)
    assert error < 1e-9
    assert not told


def test_a_rotation_vector_passes():
    error, told = ran(0.003, 1e-3, form="rotation_vector")
    assert error < 1e-9
    assert not told
