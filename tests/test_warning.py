"""Warnings name the line of the user's program, not one of the package."""

import inspect
import warnings

import pytest

import flexor as fx
from flexor import solve

TURNING = {"until": 0.01, "step": 1e-3, "show": False}


def told(kind, ask):
    """Where a warning of this kind points to."""
    with pytest.warns(kind) as caught:
        ask()
    return [(each.filename, each.lineno) for each in caught if each.category is kind]


def line():
    """The line after the one that calls this."""
    return __file__, inspect.currentframe().f_back.f_lineno + 1


def standing():
    """A rod on its head."""
    rod = fx.RigidBody("rod", 1, (1, 1, 1), center_of_mass=(0, 1, 0))
    return fx.Model("on its head", [rod, fx.Revolute("pin", fx.ground, rod)], gravity=(0, -9.81, 0))


def doubtful():
    """A rod whose ends are not as far apart as it is long, and a block in two hinges on one line."""
    block, bob = fx.RigidBody("block", 1, (1, 1, 1)), fx.PointMass("bob", 1)
    hinges = [fx.Revolute(f"hinge{z}", fx.ground.at(0, 0, z), block.at(0, 0, z), axis="z") for z in (0, 1)]
    rod = fx.Distance("rod", fx.ground.at(0, 3, 0), bob, length=2)
    return fx.Model("doubtful", [block, bob, *hinges, rod], gravity=(0, -9.81, 0))


def rotor():
    disc = fx.RigidBody("disc", 1, (1, 1, 2))
    sled = fx.RigidBody("sled", 1, (1, 1, 1))
    guide = fx.Prismatic("guide", fx.ground, sled, axis="x")
    spring = fx.JointSpring("spring", "guide", stiffness=100.0)
    return fx.Model(
        "rotor", [disc, sled, guide, spring, fx.Revolute("bearing", sled, disc, axis="z")], gravity=(0, -9.81, 0)
    )


@pytest.mark.parametrize("ask", ["dynamics", "modes", "statics"])
@pytest.mark.parametrize("kind", [fx.DoubtfulModel, fx.RedundantConstraints])
def test_of_models(kind, ask):
    model, options = doubtful(), TURNING if ask == "dynamics" else {}
    here = line()
    assert set(told(kind, lambda: getattr(model, ask)(**options))) == {here}


def test_of_functions():
    here = line()
    assert set(told(fx.RedundantConstraints, lambda: solve.modes(doubtful()))) == {here}


def test_of_campbell_diagrams():
    here = line()
    assert told(solve.GravityLeftOut, lambda: rotor().campbell([0, 10], rotor="bearing")) == [here]


def test_of_equilibria():
    here = line()
    assert told(fx.UnstableEquilibrium, lambda: standing().statics()) == [here]


def test_elsewhere_it_is_told_again():
    """Python tells a warning once for each line: another line of the user is another place."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(2):
            standing().statics()
        standing().statics()
    assert len([each for each in caught if each.category is fx.UnstableEquilibrium]) == 2
