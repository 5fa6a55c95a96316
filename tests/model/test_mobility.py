"""Bodies that could move without inertia."""

import numpy as np
import pytest

import flexor as fx
from flexor.spatial import quaternion_to_matrix


def check(*items):
    return fx.Model("m", items).check(raise_errors=False)


def said(*items):
    (problem,) = check(*items).problems
    return str(problem)


BALL = fx.RigidBody("ball", 1.0)
PIN = fx.Revolute("pin", fx.ground, BALL, axis="z")


def test_a_body_without_inertia_had_better_be_a_point_mass():
    assert said(BALL) == (
        "body 'ball': it has no moment of inertia about some axis, but can turn about it; "
        "its angular acceleration is undefined, give it inertia, or make it a point_mass"
    )
    assert check(fx.PointMass("ball", 1.0)).ok


def test_the_axis_is_named():
    assert "no moment of inertia about its z axis" in said(BALL, PIN)
    turned = BALL.replace(position=(0, 0, 0), orientation={"axis": "x", "angle": "90 deg"})
    assert "no moment of inertia about its y axis" in said(turned, PIN)
    assert "about its axis (0.707, 0, 0.707)" in said(BALL, PIN.replace(axis=(1, 0, 1)))


def test_a_pendulum_of_one_mass_has_inertia_about_its_hinge():
    assert check(BALL.replace(center_of_mass=(0.5, 0, 0)), PIN).ok
    assert not check(BALL.replace(center_of_mass=(0, 0, 0.5)), PIN).ok  # on the axis


def test_a_slider_needs_none():
    assert check(BALL, fx.Prismatic("bore", fx.ground, BALL, axis="x")).ok
    assert check(BALL, fx.Fixed("weld", fx.ground, BALL)).ok


def test_a_thin_rod_between_ball_joints_spins_freely():
    rod = fx.RigidBody("rod", 1.0, (0, 0.1, 0.1))
    ends = [
        fx.Spherical("left", fx.ground, rod),
        fx.Spherical("right", rod.at(1, 0, 0), fx.ground.at(1, 0, 0)),
    ]
    assert "about its x axis" in said(rod, *ends)
    assert check(rod.replace(inertia=(1e-6, 0.1, 0.1)), *ends).ok
    cross = fx.Universal("left", fx.ground, rod, axis="y", cross_axis="z")
    assert check(rod, cross, ends[1]).ok


def test_a_motor_holds_but_a_spring_only_helps():
    assert check(BALL, PIN, fx.Motor("m", "pin", speed=1)).ok
    found = check(BALL, PIN, fx.JointSpring("s", "pin", stiffness=1))
    assert found.ok
    assert "no moment of inertia about its z axis" in str(found.warnings[0])
    offset = fx.AxialSpring("s", fx.ground.at(1, 1, 0), BALL.at(1, 0, 0), stiffness=1)
    assert check(BALL, PIN, offset).ok
    through_the_axis = fx.AxialSpring("s", fx.ground.at(2, 0, 0), BALL.at(1, 0, 0), stiffness=1)
    assert not check(BALL, PIN, through_the_axis).ok


def test_massless_bodies():
    link = fx.RigidBody("link", 0.0)
    arm = fx.RigidBody("arm", 1.0, 0.1)
    assert said(link) == (
        "body 'link': it has no mass, and its joints leave it free to move; its acceleration is undefined, "
        "give it a mass and inertia, or hold it with further joints"
    )
    hinge = fx.Revolute("hinge", fx.ground, link, axis="z")
    assert "no mass" in said(link, hinge)
    assert check(link, hinge, fx.Motor("m", "hinge", speed=1)).ok
    coupler = [
        arm, link,
        fx.Revolute("A", fx.ground, arm, axis="z"),
        fx.Revolute("B", arm.at(1, 0, 0), link, axis="z"),
        fx.PointOnLine("C", fx.ground, link.at(1, 0, 0), axis="x"),
    ]  # fmt: skip
    assert check(*coupler).ok


@pytest.mark.parametrize("seed", range(5))
def test_the_verdict_does_not_depend_on_place_and_orientation(seed):
    chance = np.random.default_rng(seed)
    q = chance.normal(size=4)
    rod = fx.RigidBody(
        "rod", 1.0, (0, 0.1, 0.1), position=chance.uniform(-100, 100, 3), orientation=q / np.linalg.norm(q)
    )
    tip = np.array(rod.position) + quaternion_to_matrix(rod.orientation) @ (1.0, 0.0, 0.0)
    ends = [
        fx.Spherical("l", fx.ground.at(*rod.position), rod),
        fx.Spherical("r", rod.at(1, 0, 0), fx.ground.at(*tip)),
    ]
    assert "about its x axis" in said(rod, *ends)
    assert check(rod.replace(inertia=(0.01, 0.1, 0.1)), *ends).ok


def test_what_binds_by_its_own_law_holds_too():
    """A wheel that has no inertia about its axis cannot turn without moving on, where it rolls."""
    wheel = fx.RigidBody("wheel", 1.0, (0.1, 0, 0.1), position=(0, 0, 0.3))
    assert "about its y axis" in said(wheel)
    assert check(wheel, fx.RollingDisc("rim", wheel, radius=0.3)).ok
