"""Contact at nodes of bodies that deform: statics by their own stiffness, momentum in an impact."""

import numpy as np
import pytest

import flexor as fx
from tests.bodies.meshed_rods import rod, strip


@pytest.mark.parametrize("formulation", ["superelement", "floating", "full_mesh"])
def test_a_weight_on_the_end_of_a_meshed_cantilever(formulation):
    """A ball that is pressed on the free end bends it as a point force of the same size does."""
    lever = rod(strip("hex8", 8, 2, 2), formulation=formulation)
    clamp = fx.Fixed("clamp", fx.ground, lever["root"])
    alone = fx.Model("alone", [lever, clamp, fx.PointForce("push", lever["tip"], direction="z", force=-2.0)]).statics()
    weight = fx.RigidBody("weight", 0.2, 1e-3, shapes=[fx.Sphere(0.05)])
    guide = fx.Prismatic("guide", fx.ground.at(1, 0, 0), weight, axis="z", start=0.08)
    touch = fx.Contact("touch", lever["tip"].surface(fx.Sphere(0.02)), weight, fx.Penalty(1e7))
    push = fx.PointForce("push", weight, direction="z", force=-2.0)
    loaded = fx.Model("loaded", [lever, clamp, weight, guide, touch, push]).statics()
    assert loaded["touch.normal_force"] == pytest.approx(2.0, rel=1e-3)
    assert loaded["rod.tip.position_z"] == pytest.approx(alone["rod.tip.position_z"], rel=1e-3)


def test_a_ball_hits_a_free_beam():
    """It leaves part of its energy in the beam's motion and vibration; nothing is lost."""
    section = fx.Rectangle("20 mm", "20 mm")
    beam = fx.Beam("beam", ((0, 0, 0), (1, 0, 0)), section=section, material=fx.Steel(), divisions=8)
    hammer = fx.RigidBody("ball", 0.5, 1e-3, position=(1, 0, 0.06), velocity=(0, 0, -2), shapes=[fx.Sphere(0.03)])
    hit = fx.Contact("hit", beam["end"].surface(fx.Sphere(0.02)), hammer, fx.Penalty(1e5))
    run = fx.Model("blow", items=[beam, hammer, hit]).dynamics(until=0.02, step=1e-4, show=False)
    assert run["hit.deepest"][-1] > 1e-6
    assert run["ball.velocity_z"][-1] > -1.0
    assert np.ptp(run["energy.check_sum"].values) < 0.02 * 0.5 * 0.5 * 4
