"""Section forces of beams under what acts all along them: weight and centrifugal forces."""

import numpy as np
import pytest

import flexor as fx

SECTION, STEEL, LENGTH = fx.Rectangle(0.02, 0.01), fx.Steel(), 1.0
LINE = STEEL.density * 0.02 * 0.01  # kg/m
PLACES = np.linspace(0, LENGTH, 9)


def cantilever(formulation, *more, divisions=8, gravity=(0, 0, 0)):
    beam = fx.Beam("b", [(0, 0, 0), (LENGTH, 0, 0)], SECTION, STEEL, divisions=divisions, formulation=formulation)
    items = [beam, fx.Fixed("clamp", fx.ground, beam["start"]), *(make(beam) for make in more)]
    return fx.Model("m", items, gravity=gravity)


def found(forces, name):
    return np.array([float(forces.force(name, x).values[0]) for x in PLACES])


@pytest.mark.parametrize("divisions", [3, 8])
@pytest.mark.parametrize("formulation", ["exact", "corotational"])
def test_own_weight(formulation, divisions):
    forces = cantilever(formulation, divisions=divisions, gravity=(0, 0, -9.81)).statics().section_forces("b")
    q = LINE * 9.81
    np.testing.assert_allclose(found(forces, "Qz"), -q * (LENGTH - PLACES), atol=1e-4 * q)
    np.testing.assert_allclose(found(forces, "My"), q * (LENGTH - PLACES) ** 2 / 2, atol=1e-4 * q)


def test_centrifugal_tension():
    forces = cantilever("exact").statics(angular_velocity=(0, 0, 100)).section_forces("b")
    largest = LINE * 100**2 * LENGTH**2 / 2
    np.testing.assert_allclose(found(forces, "N"), largest * (1 - PLACES**2), atol=1e-3 * largest)


def test_forces_at_nodes_stay_jumps():
    """A force at the middle is no line load."""
    model = cantilever(
        "exact", lambda b: fx.PointForce("push", b["node 4"], direction="z", force=10), gravity=(0, 0, -9.81)
    )
    forces, q = model.statics().section_forces("b"), LINE * 9.81
    exact = -q * (LENGTH - PLACES) + 10 * (PLACES <= 0.5)
    np.testing.assert_allclose(found(forces, "Qz"), exact, atol=1e-3)
    at, along = forces.along()
    np.testing.assert_allclose(along[at == 0.5, 2], [10 - 0.5 * q, -0.5 * q], atol=1e-3)


def test_spin_up_of_a_shaft():
    """The torque that turns the rest of it."""
    shaft = fx.Beam("b", [(0, 0, 0), (LENGTH, 0, 0)], fx.Circle(0.02), STEEL, divisions=4)
    items = [shaft, fx.Revolute("r", fx.ground, shaft["start"], axis="x"), fx.Motor("mo", "r", acceleration=100)]
    run = fx.Model("m", items).dynamics(until=0.02, step=1e-4, show=False, integrator=fx.GeneralizedAlpha(rho=0))
    whole = STEEL.density * np.pi * 0.02**4 / 2 * 100 * LENGTH
    forces = run.section_forces("b")
    torque = [np.mean(forces.force("T", x).values[-50:]) for x in (0, 0.5, 1)]
    np.testing.assert_allclose(torque, [-whole, -0.5 * whole, 0], atol=0.01 * whole)
