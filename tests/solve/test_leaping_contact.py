"""Equilibria where a contact has no single place: a ball in the middle of a meshed plate, between facets that are as near."""

import warnings

import pytest

import flexor as fx
from flexor.mesh.generate import bar


def pressed(x: float, force: float, formulation: str = "floating") -> fx.Model:
    """A ball that is pressed on a plate, clamped at both ends, at a distance x from one of them; nodes are 25 mm apart."""
    mesh = bar(0.4, 0.1, 0.01, divisions=(16, 4, 2), element="hex20", material=fx.Steel())
    ends = {"left": fx.plane(at=(0, 0, 0), normal="x"), "right": fx.plane(at=(0.4, 0, 0), normal="x")}
    reduction = fx.CraigBampton(modes=20)
    plate = fx.FlexibleBody(
        "plate", mesh, interfaces=ends, reduction=reduction, formulation=formulation, position=(0, 0, 0)
    )
    ball = fx.RigidBody("ball", 1.0, 1e-3, position=(x, 0, 0.055), shapes=[fx.Sphere("50 mm")])
    held = [fx.Fixed("a", fx.ground, plate["left"]), fx.Fixed("b", fx.ground.at(0.4, 0, 0), plate["right"])]
    guide = fx.Prismatic("guide", fx.ground.at(x, 0, 0.055), ball, axis="z")
    push = fx.PointForce("push", ball, force=force, direction=(0, 0, -1))
    touch = fx.Contact("touch", plate.surface("skin"), ball, fx.Penalty("1e7 N/m"))
    return fx.Model("pressed", [plate, ball, *held, guide, push, touch])


@pytest.mark.parametrize("formulation", ["floating", "superelement"])
def test_a_ball_over_a_node_of_a_plate_that_sags_comes_to_rest(formulation):
    """As deep as with a fifth of the load, which is balanced to rounding, times five: the plate is linear."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", fx.LeapingContact)
        small = pressed(0.2, 100.0, formulation).statics()["guide.displacement"]
        beside = pressed(0.203, 500.0, formulation).statics()["guide.displacement"]
    with pytest.warns(fx.LeapingContact, match=r"\('touch'\) leaps between places .* every_node=True"):
        found = pressed(0.2, 500.0, formulation).statics()
    assert found["guide.displacement"] == pytest.approx(5 * small, rel=5e-5)
    assert found["guide.displacement"] == pytest.approx(beside, rel=5e-3)
    assert found["touch.normal_force"] == pytest.approx(500.0, rel=1e-3)


def test_what_is_no_rest_is_none():
    """A ball on a slope without friction leaps as well, from step to step of its way down."""
    ball = fx.RigidBody("ball", 1.0, 1e-3, position=(0, 0, 0.05), shapes=[fx.Sphere("50 mm")])
    touch = fx.Contact("touch", fx.ground.surface(fx.Plane(normal=(0.1, 0, 1))), ball, fx.Penalty("1e6 N/m"))
    with pytest.raises((fx.DivergenceError, fx.SingularError)):
        fx.Model("slope", [ball, touch], gravity=(0, 0, -9.81)).statics()
