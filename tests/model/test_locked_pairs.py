"""Joints between the same bodies that nearly agree, and so lock them."""

import re

import numpy as np
import pytest

import flexor as fx
from flexor.mesh.generate import bar


def door(upper: fx.Revolute | None = None, *more, body=None, **how) -> fx.Model:
    """A door on two hinges, 2 m apart; how: the upper one."""
    body = body or fx.RigidBody("door", mass=20, inertia=(2, 3, 1.5), center_of_mass=(0.4, 0, 1))
    upper = upper or fx.Revolute("upper", fx.ground.at(0, 0, 2), body.at(0, 0, 2), **how)
    return fx.Model("door", [body, fx.Revolute("lower", fx.ground, body, axis="z"), upper, *more])


def tilted(angle: float) -> tuple[float, float, float]:
    return (np.sin(angle), 0.0, np.cos(angle))


@pytest.mark.parametrize("angle", [1e-6, 1e-3, 0.01, 0.1])
@pytest.mark.parametrize("sense", [1, -1])
def test_hinges_out_of_line_are_named_with_their_angle(angle, sense):
    axis = tuple(sense * np.array(tilted(angle)))
    (told,) = map(str, door(axis=axis).check().warnings)
    assert "joint 'upper': its axis is" in told
    assert "off that of joint 'lower'" in told
    assert "between 'ground' and 'door' they leave 0 motions free, 1 if they agreed" in told
    found = re.search(r"is (\S+) rad", told)
    assert found is not None
    assert float(found[1]) == pytest.approx(angle, rel=0.01)


def test_the_run_says_so_too():
    with (
        pytest.warns(fx.DoubtfulModel, match="its axis is 0.01 rad"),
        pytest.warns(fx.RedundantConstraints, match="nothing is left free to move"),
    ):
        door(axis=tilted(0.01)).dynamics(until=0.01, step=1e-3, show=False)


def test_parallel_hinges_side_by_side_are_told():
    upper = fx.Revolute("upper", fx.ground.at(0.01, 0, 2), fx.MarkerRef(body="door", at=(0.01, 0, 2)), axis="z")
    (told,) = map(str, door(upper).check().warnings)
    assert "its axis is parallel to that of joint 'lower', but 0.01 m beside it" in told


def test_slides_that_are_not_parallel_are_told():
    table = fx.RigidBody("table", mass=5, inertia=0.1)
    slides = [
        fx.Prismatic("left", fx.ground, table, axis="x"),
        fx.Prismatic("right", fx.ground.at(0, 1, 0), table.at(0, 1, 0), axis=(1, 0.002, 0)),
    ]
    (told,) = map(str, fx.Model("table", [table, *slides]).check().warnings)
    assert "joint 'right': its axis is 0.002 rad" in told


def test_parts_that_are_fixed_to_a_body_belong_to_it():
    """The upper hinge sits on a strap that is fixed to the door."""
    body, strap = fx.RigidBody("door", mass=20, inertia=(2, 3, 1.5)), fx.RigidBody("strap", mass=1, inertia=0.1)
    upper = fx.Revolute("upper", fx.ground.at(0, 0, 2), strap, axis=tilted(0.01))
    weld = fx.Fixed("weld", body.at(0, 0, 2), strap)
    (told,) = map(str, door(upper, strap, weld, body=body).check().warnings)
    assert "joint 'upper': its axis is 0.01 rad" in told


def test_what_agrees_or_is_free_to_differ_is_silent():
    body = fx.RigidBody("door", mass=20, inertia=(2, 3, 1.5), center_of_mass=(0.4, 0, 1))
    assert not door().check().warnings
    assert not door(axis=(0, 0, -1)).check().warnings
    assert (
        not door(axis=tilted(1.0)).check().warnings
    )  # nobody means these to be in line; that nothing moves, the run tells
    ball = fx.Spherical("upper", fx.ground.at(0, 0, 2), body.at(0, 0, 2))
    assert not door(ball, body=body).check().warnings
    balls = [fx.Spherical(n, fx.ground.at(x, 0, 0), body.at(x, 0, 0)) for n, x in (("one", 0.0), ("other", 1e-3))]
    assert not fx.Model("pair", [body, *balls]).check().warnings  # close together, but two points of one axis


def test_a_flexible_body_may_be_forced():
    beam = fx.FlexibleBody(
        "door", mesh=bar(2.0, 0.1, 0.1, (4, 1, 1), element="hex8", material=fx.Steel()),
        interfaces={"a": "x_min", "b": "x_max"}, reduction=fx.CraigBampton(modes=2),
    )  # fmt: skip
    hinges = [
        fx.Revolute("lower", fx.ground, beam["a"], axis="x"),
        fx.Revolute("upper", fx.ground.at(2, 0, 0), beam["b"], axis=(1, 0.01, 0)),
    ]
    assert not fx.Model("door", [beam, *hinges]).check().warnings
