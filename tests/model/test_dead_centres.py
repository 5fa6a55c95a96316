"""A slider-crank stays on the branch that it is drawn on, also where it could be put together in another way."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import flexor as fx


def slider_crank(start=None, bore=None, order=1, motor=()):
    crank = fx.RigidBody("crank", mass=1.2, inertia=(2e-3, 2e-3, 4e-3), markers={"pin": ("80 mm", 0, 0)})
    rod = fx.RigidBody("rod", mass=0.8, inertia=(1e-4, 6e-3, 6e-3), center_of_mass=(0.15, 0, 0))
    piston = fx.RigidBody("piston", mass=0.5)
    items = [
        crank,
        rod,
        piston,
        fx.Revolute("main", fx.ground, crank, axis="z", start=start),
        fx.Cylindrical("pin", crank["pin"], rod, axis="z"),
        fx.Spherical("wrist", rod.at(0.3, 0, 0), piston),
        fx.Prismatic("bore", fx.ground, piston, axis="x", start=bore),
        *motor,
    ]
    return fx.Model("slider-crank", items[::order])


def stroke(angle):
    return 0.08 * np.cos(angle) + np.sqrt(0.09 - (0.08 * np.sin(angle)) ** 2)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("angle", [120, 179.999, 180, 181, -180, 360, 540])
def test_the_piston_stays_on_its_side(angle, order):
    report = slider_crank(f"{angle} deg", order=order).check()
    assert not report.warnings
    assert_allclose(report.placement.joints["main"].values, np.radians(angle), rtol=1e-12)
    assert_allclose(report.placement.joints["bore"].values, stroke(np.radians(angle)), rtol=1e-10)


@pytest.mark.parametrize("order", [1, -1])
def test_a_motor_that_begins_at_half_a_turn(order):
    motor = fx.Motor("drive", "main", position=fx.ramp("180 deg", "200 deg", over=1))
    report = slider_crank(order=order, motor=[motor]).check()
    assert_allclose(report.placement.joints["bore"].values, 0.22, rtol=1e-10)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(("bore", "angle"), [(0.38, 0), (0.22, np.pi), (0.3, np.radians(82.338))])
def test_the_piston_may_be_given_up_to_both_dead_centres(bore, angle, order):
    placement = slider_crank(bore=bore, order=order).check().placement
    assert_allclose(placement.joints["bore"].values, bore, rtol=1e-12)
    assert_allclose(np.abs(placement.joints["main"].values), angle, atol=1e-5)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(("bore", "angle"), [(0.38, 0), (0.22, np.pi)])
def test_dead_centres_are_landed_on_to_rounding(bore, angle, order):
    """Though the piston moves only with the square of the angle."""
    placement = slider_crank(bore=bore, order=order).check().placement
    assert_allclose(placement.joints["main"].values, angle, atol=1e-12)


def test_start_of_a_joint_given_by_a_global_point_is_told_to_move_nothing():
    arm = fx.RigidBody("arm", mass=1, inertia=0.1, position=(0.5, 0, 0))
    pin = fx.Revolute("pin", fx.ground, arm, at=(0, 0, 0), axis="z")
    report = fx.Model("arm", [arm, pin.replace(start="30 deg")]).check()
    assert_allclose(report.placement.poses["arm"].R, np.eye(3), atol=1e-15)
    assert_allclose(report.placement.joints["pin"].values, np.pi / 6)
    (told,) = report.warnings
    assert "moves no body" in str(told)
    assert not fx.Model("arm", [arm, pin]).check().warnings
    assert not fx.Model("arm", [arm, pin.replace(start=0)]).check().warnings
