"""Co-rotational beam: its law, its inertia, its section forces; turns that an element of either theory refuses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import flexor.functions as functions
from flexor.bodies.beam.beam import Beam
from flexor.bodies.body import Start
from flexor.errors import LawError, ModelError
from flexor.law import Term
from flexor.materials import Isotropic
from flexor.mesh.section import Circle, IProfile, Rectangle
from flexor.recover.beam_line import line_forces
from flexor.solve import modes, statics
from flexor.solve.dynamics import dynamics
from flexor.spatial import Pose, exp_so3
from tests.laws.calls import call_compiled, energies, matrix, outputs, residual
from tests.laws.random_states import _drawn
from tests.laws.states import ACCELERATIONS, COORDINATES, VELOCITIES, State, moved, slope, superposed
from tests.laws.test_tangent import COEFFICIENTS, derivative
from tests.references.beams import Kept, beam_mechanism, force, torque

FORMULATIONS = ("exact", "corotational")
STEEL, RUBBER = Isotropic(2e11, 0.3, 8000.0), Isotropic(5e7, 0.3, 1100.0)
SOFT = Isotropic(4e3, 0.3, 900.0)
ROUND = Circle(0.02)
ARC = [(0, 0, 0), (0.7, 0.2, 0), (1, 0.8, 0)]
DECLARED = {
    "straight": Beam("rod", [(0, 0, 0), (1, 0, 0)], Rectangle(0.2, 0.3), SOFT, divisions=2, formulation="corotational"),
    "curved, damped": Beam(
        "rod", ARC, Rectangle(0.2, 0.3), SOFT, curve="arc", divisions=4, damping=0.02, formulation="corotational"
    ),
}
both = pytest.mark.parametrize("formulation", FORMULATIONS)
declared = pytest.mark.parametrize("beam", DECLARED.values(), ids=DECLARED.keys())
seeds = pytest.mark.parametrize("seed", range(3))


def rod(section=ROUND, material=STEEL, **fields) -> Beam:
    return Beam("rod", [(0, 0, 0), (1, 0, 0)], section, material, **fields)


def sample(beam: Beam, seed: int) -> tuple[Term, State]:
    """Its second element in large motion, bent and strained by some ten percent."""
    element = beam.parts(Start(Pose(np.zeros(3), np.eye(3)), np.zeros(6), node=1)).terms[1]
    random = np.random.default_rng(seed)
    state = _drawn(element, random)
    X = beam.geometry[0][1:3]
    turns = [exp_so3(0.3 * random.normal(size=3)) for _ in range(2)]
    x = X + 0.1 * (X[1] - X[0]) @ np.ones(3) * random.normal(size=(2, 3))
    return element, replace(state, x=x @ state.R[0].T, R=np.array([state.R[0] @ turn for turn in turns]))


@seeds
@declared
def test_tangent_is_the_derivative_of_the_residual(beam, seed):
    element, state = sample(beam, seed)
    by = [derivative(element, state, 0, what, 12) for what in (COORDINATES, VELOCITIES, ACCELERATIONS)]
    for c in COEFFICIENTS:
        expected = c[0] * by[0] + c[1] * by[1] + c[2] * by[2]
        np.testing.assert_allclose(matrix(element, state, c), expected, rtol=0, atol=1e-9 * np.abs(expected).max())


@seeds
@declared
def test_power_balances_to_rounding(beam, seed):
    """The inertia forces are the exact derivative of the kinetic energy, in any motion."""
    element, state = sample(beam, seed)
    power = residual(element, state) @ state.rates
    stored = slope(lambda tau: energies(element, moved(state, tau))[:3].sum())
    scale = np.abs(residual(element, state)).max() * np.abs(state.rates).max()
    np.testing.assert_allclose(power, stored + energies(element, state)[3], rtol=0, atol=1e-9 * scale)


@seeds
@declared
def test_section_forces_follow_a_rigid_motion(beam, seed):
    element, state = sample(beam, seed)
    rates = np.random.default_rng(seed).normal(size=(4, 3))
    other = superposed(state, exp_so3([0.4, -1.3, 2.2]), np.array([3.0, -1.0, 0.5]), rates)
    expected = outputs(element, state)
    np.testing.assert_allclose(outputs(element, other), expected, rtol=0, atol=1e-9 * np.abs(expected).max())
    compiled = call_compiled(element, state, 4)
    np.testing.assert_allclose(compiled.w[:6], expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    assert not compiled.r.any()


@both
def test_section_forces_of_small_deflection(formulation):
    """A tip load across, along and off the line, everywhere along it; section axes y and z."""
    beam = rod(Rectangle(0.1, 0.2), divisions=2, up="y", formulation=formulation)
    found = statics(beam_mechanism(beam, loads=(force(beam, "end", (70, 30, 20)),)))
    forces = line_forces(beam, found.signals)
    for s in (0.0, 0.2, 0.5, 0.9, 1.0):
        # up = y: the section's z is y, its y is −z
        exact = [70, -20, 30, 0, -(1 - s) * 30, -(1 - s) * 20]
        np.testing.assert_allclose(forces.at(s).values[0], exact, atol=1e-3)
    assert forces.force("My", "250 mm").values == pytest.approx(-22.5, abs=1e-3)
    s, all_along = forces.along()
    np.testing.assert_allclose(s, [0, 0.5, 0.5, 1])
    np.testing.assert_allclose(all_along[:, 4], [-30, -15, -15, 0], atol=1e-3)


def test_section_forces_of_an_arc():
    """A dead force at the end of a quarter circle: its components and its moment, everywhere along it."""
    quarter = [(0, 0, 0), (np.sin(np.pi / 4), 0, 1 - np.cos(np.pi / 4)), (1, 0, 1)]
    P = 1e-2 * np.array([3.0, 2.0, -4.0])
    for formulation, error in (("exact", 1e-5), ("corotational", 1e-5)):
        beam = Beam("rod", quarter, Circle(0.02), STEEL, curve="arc", divisions=6, up="y", formulation=formulation)
        forces = line_forces(beam, statics(beam_mechanism(beam, loads=(force(beam, "end", P),))).signals)
        for s in (0.1, 0.7, 1.1, 1.5):
            x = np.array([np.sin(s), 0, 1 - np.cos(s)])
            t, z = np.array([np.cos(s), 0, np.sin(s)]), np.array([0.0, 1, 0])
            axes = np.stack([t, np.cross(z, t), z])
            exact = np.concatenate([axes @ P, axes @ np.cross([1, 0, 1] - x, P)])
            np.testing.assert_allclose(forces.at(s).values[0], exact, atol=error * np.linalg.norm(P))


def test_section_forces_of_large_deflection_converge():
    """In space, by 70 % of the length: the orders are three and two."""
    section = Rectangle(0.004, 0.002)
    P = np.array([0.0, -1.5, 2.0])
    places = (0.0, 0.25, 0.5, 0.75, 1.0)

    def found(formulation: str, n: int) -> np.ndarray:
        beam = rod(section, divisions=n, formulation=formulation)
        forces = line_forces(beam, statics(beam_mechanism(beam, loads=(force(beam, "end", P),)), load_steps=8).signals)
        return np.array([forces.at(s).values[0] for s in places])

    fine = found("exact", 64)
    np.testing.assert_allclose(np.linalg.norm(fine[:, :3], axis=1), 2.5, rtol=1e-5)
    exact = [np.abs(found("exact", n) - fine).max() for n in (8, 16)]
    corotational = [np.abs(found("corotational", n) - fine).max() for n in (8, 16)]
    assert exact[1] < 1.5e-4
    assert exact[0] / exact[1] > 6
    assert corotational[1] < 8e-4
    assert corotational[0] / corotational[1] > 3


def test_mistakes():
    beam = rod(divisions=2, formulation="corotational")
    forces = line_forces(beam, statics(beam_mechanism(beam)).signals)
    with pytest.raises(ModelError, match=r"no section at 1.5 m.*length is 1 m"):
        forces.at(1.5)
    with pytest.raises(ModelError, match="no section force 'Vy'"):
        forces.force("Vy", 0.5)
    with pytest.raises(ModelError, match=r"element 1\.axial_force' was not recorded"):
        line_forces(beam, {"time": np.zeros(1)})


def test_frequencies_are_those_of_the_exact_beam():
    """The same mass; a straight element has the same stiffness."""
    found = [
        modes(beam_mechanism(rod(IProfile(0.05, 0.1, 0.005, 0.008), divisions=4, formulation=name)), 8, at="start")
        for name in FORMULATIONS
    ]
    np.testing.assert_allclose(found[1].frequencies, found[0].frequencies, rtol=1e-6)


def test_free_flight():
    """Thrown with a spin about no principal axis: energy and momenta, and the motion of the exact beam.

    (With the nodal form of inertia its tip was 2.8 mm off the converged motion, now 0.14 mm as that of the exact beam.)"""
    spin = np.array([3.0, 5.0, 7.0])
    found = {}
    for name in FORMULATIONS:
        beam = rod(Rectangle(0.05, 0.02), RUBBER, divisions=4, formulation=name)
        kept = Kept()
        mechanism = beam_mechanism(beam, clamped=(), twist=(0.0, 0.0, 0.0, *spin))
        dynamics(mechanism, until=0.5, step=1e-3, sink=kept, integrator=1.0)
        energy = kept["energy.kinetic"] + kept["energy.strain"]
        assert np.ptp(energy) < 5e-5 * energy[0]
        found[name] = kept["rod.end.position"]
    np.testing.assert_allclose(found["corotational"], found["exact"], rtol=0, atol=5e-6)


def test_swinging_rubber_rod():
    """Hinged, released from the horizontal, strongly bent: energy is kept; the error of the tip falls with the square."""

    def tip(n: int, name: str) -> np.ndarray:
        beam = rod(Circle(0.02), Isotropic(5e6, 0.3, 1100.0), divisions=n, formulation=name)
        mechanism = beam_mechanism(beam, clamped=(), gravity=(0, 0, -9.81))
        hinge = replace(mechanism.nodes[1], locked=(0, 1, 2, 3, 5))
        kept = Kept()
        nodes = (mechanism.nodes[0], hinge, *mechanism.nodes[2:])
        dynamics(replace(mechanism, nodes=nodes), until=0.5, step=2e-3, sink=kept, integrator=1.0)
        energy = kept["energy.kinetic"] + kept["energy.potential"] + kept["energy.strain"]
        assert np.abs(energy).max() < 2e-4 * kept["energy.kinetic"].max()
        return kept["rod.end.position"]

    fine = tip(32, "exact")
    errors = [np.abs(tip(n, "corotational") - fine).max() for n in (4, 8)]
    assert errors[1] < 4e-3
    assert errors[0] / errors[1] > 3


@both
@pytest.mark.parametrize("load_steps", [1, 10])
def test_a_turn_that_an_element_cannot_follow_is_refused(formulation, load_steps):
    """Two elements rolled up to more than a circle: half a turn each."""
    section = Circle(0.002)
    beam = rod(section, divisions=2, formulation=formulation)
    load = torque(beam, "end", (0, 0, 2.2 * np.pi * 2e11 * section.Iy))
    with pytest.raises(LawError, match=r"'rod.element \d'.*turned.*150°.*raise divisions"):
        statics(beam_mechanism(beam, loads=(load,)), load_steps=load_steps)


@both
def test_a_twist_that_grows_is_refused_in_motion(formulation):
    """It ends before half a turn of an element, and what was computed before is kept; with more elements it goes on."""
    section = Circle(0.002)
    GJ = STEEL.shear * section.J
    for divisions in (2, 6):
        beam = rod(section, divisions=divisions, formulation=formulation)
        load = torque(beam, "end", (1, 0, 0), functions.ramp(0, 7 * GJ, over=2.0))
        mechanism, kept = beam_mechanism(beam, loads=(load,)), Kept()
        if divisions == 2:
            with pytest.raises(LawError, match=r"'rod.element 1'.*turned.*150°.*raise divisions"):
                dynamics(mechanism, until=2.5, step=0.005, sink=kept)
            half = 2 * np.arccos(kept["rod.node 1.orientation_w"][-1])
            assert np.radians(140) < half < np.radians(150)
        else:
            dynamics(mechanism, until=2.5, step=0.005, sink=kept)
