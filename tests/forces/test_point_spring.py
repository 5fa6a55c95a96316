"""Springs between points that do not turn: the same as those between any points, with a leaner law."""

from itertools import pairwise

import numpy as np
import pytest

import flexor as fx
from flexor.coordinates.force import force_along
from flexor.coordinates.point_spring import point_spring
from flexor.solve.settings import Tolerances
from tests.laws.by_duals import assert_tangent
from tests.laws.calls import call, energies, matrix, outputs, residual
from tests.laws.random_states import random_state
from tests.laws.scene import Places, site


def both(**fields):
    """The spring as the lean and as the general law."""
    spring = fx.AxialSpring("s", "a", "b", **fields)
    (lean,) = spring.terms(Places(site(1), site(2)))
    (general,) = spring.terms(Places(site(1, (1e-300, 0, 0)), site(2)))  # an arm, if none that matters
    assert (lean.law, general.law) == (point_spring, force_along)
    return lean, general


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("fields", [{"stiffness": 3, "damping": 0.8, "free_length": 0.4}, {"damping": 1.4}])
def test_the_same_as_the_general_law(fields, seed):
    lean, general = both(**fields)
    state = random_state(general, seed)
    assert residual(lean, state) == pytest.approx(residual(general, state), rel=1e-13)
    for c in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.7, -1.3, 0.4)):
        assert matrix(lean, state, c) == pytest.approx(matrix(general, state, c), rel=1e-12, abs=1e-13)
    assert energies(lean, state) == pytest.approx(energies(general, state), rel=1e-13)
    assert outputs(lean, state) == pytest.approx(outputs(general, state), rel=1e-13)
    assert_tangent(lean, state)


def test_ends_that_coincide():
    """Without a free length it pulls where the ends move; with one it has no direction."""
    lean, general = both(stiffness=3, damping=0.8, free_length=0)
    state = random_state(general, 1)
    state.x[1] = state.x[0]
    assert residual(lean, state) == pytest.approx(residual(general, state))
    assert matrix(lean, state, (0.7, 1.3, 0.0)) == pytest.approx(matrix(general, state, (0.7, 1.3, 0.0)))
    assert outputs(lean, state) == pytest.approx(outputs(general, state))
    long, _ = both(stiffness=3, free_length=0.4)
    assert call(long, state, 1).status == 1


def test_where_it_is_taken():
    """At points of the ground and origins of bodies; not at points that a body carries about, nor with anything else in the spring."""
    spring = fx.AxialSpring("s", "a", "b", stiffness=3)
    assert spring.terms(Places(site(0, (1, 2, 3)), site(2)))[0].law is point_spring
    assert spring.terms(Places(site(1, (1, 2, 3)), site(2)))[0].law is force_along
    for more in ({"force": "t^2"}, {"damper": "t^3"}, {"free_length": "0.2*t"}, {"yields": 3}, {"scale": "1+t"}):
        law = fx.AxialSpring("s", "a", "b", stiffness=3, **more).terms(Places(site(1), site(2)))[0].law
        assert law is not point_spring


def test_a_net_of_particles_moves_as_by_the_general_law():
    """Large motion under gravity, ends on the ground and on a body that turns; the energy balances."""

    def net(**fields):
        rod = fx.RigidBody("rod", 2, (0.1, 0.2, 0.2), position=(1, 0, 0))
        points = [fx.PointMass(f"p{i}", 0.3, position=(0.3 * i, -0.5, 0.2 * i)) for i in range(3)]
        pairs = [(fx.ground.at(0, 0.5, 0), points[0]), *pairwise(points), (points[2], rod)]
        springs = [fx.AxialSpring(f"s{i}", a, b, stiffness=40, damping=0.1, **fields) for i, (a, b) in enumerate(pairs)]
        pin = fx.Revolute("pin", fx.ground.at(0, 0, 0), rod.at(-1, 0, 0), axis="z")
        return fx.Model("net", [rod, pin, *points, *springs], gravity=(0, -9.81, 0))

    settings = {"until": 1.0, "step": 1e-3, "output": 0.1, "tolerances": Tolerances(acceleration=1e-11)}
    lean, general = net().dynamics(**settings), net(force="0*t").dynamics(**settings)
    for name in ("p1.position_x", "p2.position_z", "s1.force", "s3.rate", "rod.angular_velocity_z", "pin.force_x"):
        scale = np.abs(general[name].values).max()
        assert lean[name].values == pytest.approx(general[name].values, abs=1e-8 * scale)
    balance = lean["energy.check_sum"].values
    assert np.ptp(balance) < 1e-4 * np.ptp(lean["energy.kinetic"].values)


def test_springs_of_constant_free_length_have_nothing_to_remember():
    """So that they are not asked at the end of each step; a free length that changes is work, which is."""
    ends = Places(site(1, (0.1, 0, 0)), site(2))
    assert fx.AxialSpring("s", "a", "b", stiffness=3).terms(ends)[0].forgets
    assert not fx.AxialSpring("s", "a", "b", stiffness=3, free_length="0.1*t").terms(ends)[0].forgets
    assert not fx.AxialSpring("s", "a", "b", stiffness=3, yields=2).terms(ends)[0].forgets
