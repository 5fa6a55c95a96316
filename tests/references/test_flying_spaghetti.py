"""Flying flexible beam of Simo & Vu-Quoc (1986): free, thrown and bent by a force and a torque at one end."""

from __future__ import annotations

import numpy as np
import pytest

import flexor.functions as functions
from flexor.bodies.beam.beam import Beam
from flexor.bodies.beam.exact_term import line_mass
from flexor.bodies.beam.section_stiffness import StiffnessSection
from flexor.solve.dynamics import dynamics
from tests.references.beams import Kept, beam_mechanism, force, torque

STEP, DIVISIONS = 2.5e-3, 40


@pytest.fixture(scope="module")
def flight() -> tuple[Beam, Kept]:
    """In the plane. The rotary inertia ρI = 10 kg m is far beyond that of a real section."""
    section = StiffnessSection((1e4, 1e4, 1e4, 1e2, 1e2, 1e2), 1.0, (10.0, 10.0, 10.0))
    beam = Beam("beam", [(6, 0, 0), (0, 8, 0)], section, divisions=DIVISIONS)

    def pulse(size: float) -> functions.Function:
        return functions.table([0, 2.5, 2.5 + 1e-9, 10], [size, size, 0, 0])

    loads = (force(beam, "start", (1, 0, 0), pulse(8.0)), torque(beam, "start", (0, 0, -1), pulse(80.0)))
    kept = Kept()
    mechanism = beam_mechanism(beam, clamped=(), loads=loads, locked=(2, 3, 4))
    dynamics(mechanism, until=7.5, step=STEP, sink=kept, integrator=0.95)
    return beam, kept


def test_both_ends(reference, flight):
    """Against Exudyn, 40 elements of order 2, whose mesh error is some 0.3 %; the ends travel 17 m."""
    record = reference.record("flying_spaghetti_2d")
    beam, kept = flight
    for marker, name, origin in (("start", "loaded_end_u", beam.points[0]), ("end", "free_end_u", beam.points[-1])):
        for time, expected in record["reference"][name].items():
            u = kept[f"beam.{marker}.position"][round(float(time) / STEP)] - origin
            tolerance = record["tolerance"]["t2_5" if time == "2.5" else "t7_5"]
            np.testing.assert_allclose(u[:2], expected, rtol=0, atol=tolerance)


def test_momentum(flight):
    """8 N for 2.5 s: 20 N s along x (to one step of the load), kept from then on; the angular momentum is kept, too."""
    beam, kept = flight
    L = 10.0 / DIVISIONS
    M = line_mass(beam.properties[0], L)
    names = [beam.node_name(i) for i in range(DIVISIONS + 1)]
    x, v, w = (
        np.stack([kept[f"{n}.{what}"] for n in names], axis=1) for what in ("position", "velocity", "angular_velocity")
    )
    turns = [kept[f"{n}.orientation_z"] for n in names], [kept[f"{n}.orientation_w"] for n in names]
    angle = 2 * np.arctan2(*map(np.array, turns)).T[:, :, None]
    e, f = np.array([-0.6, 0.8, 0.0]), np.array([-0.8, -0.6, 0.0])
    t = np.cos(angle) * e + np.sin(angle) * f
    t_dot = np.cross(w, t)
    fields = np.stack([x[:, :-1], t[:, :-1], x[:, 1:], t[:, 1:]], axis=2)
    rates = np.stack([v[:, :-1], t_dot[:, :-1], v[:, 1:], t_dot[:, 1:]], axis=2)
    momenta = np.einsum("ab,tebi->teai", M, rates)
    linear = momenta[:, :, [0, 2]].sum(axis=(1, 2))
    after = slice(round(2.5 / STEP) + 2, None)
    np.testing.assert_allclose(linear[after], np.tile([20.0, 0, 0], (len(linear[after]), 1)), atol=8.0 * STEP)
    assert np.ptp(linear[after], axis=0).max() < 1e-4
    weights = np.full(DIVISIONS + 1, 10.0 * L)
    weights[[0, -1]] /= 2
    angular = np.cross(fields, momenta).sum(axis=(1, 2))[:, 2] + w[:, :, 2] @ weights
    assert np.ptp(angular[after]) < 2e-3 * np.abs(angular[after]).max()


def test_energy(flight):
    """What the loads put in is there at the end, but for numerical damping."""
    _, kept = flight
    total = kept["energy.kinetic"] + kept["energy.strain"]
    work = kept["energy.input"][-1]
    assert abs(total[-1] - work) < 0.01 * work
