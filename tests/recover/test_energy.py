"""Energies of a moving, deforming body against the sums over its mesh."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.recover import BodyHistory, energies
from flexor.reduce import CraigBampton, from_mesh
from flexor.reduce.reduced import project
from flexor.spatial import exp_so3
from tests.recover.bodies import beam, clamped, resting
from tests.reduce.bodies import held_rod, rod


def moving(body, rows=6, seed=3):
    rng = np.random.default_rng(seed)
    return BodyHistory(
        body,
        np.arange(rows) * 1.0,
        rng.standard_normal((rows, 3)),
        np.array([exp_so3(v) for v in rng.standard_normal((rows, 3))]),
        1e-2 * rng.standard_normal((rows, body.size)),
        twist=rng.standard_normal((rows, 6)),
        rates=0.3 * rng.standard_normal((rows, body.size)),
    )


def test_kinetic_energy_is_that_of_the_mesh():
    """½ vᵀ M_FE v with the velocities of all nodes, v = Rᵀv₀ + Rᵀω × (x + u) + u̇."""
    p = held_rod()
    body = project(p, CraigBampton(5).basis(p)[0], "rod")
    history = moving(body)
    found = energies(history).kinetic
    node, component = p.owners.T
    for row in range(len(history)):
        R = history.orientation[row]
        v, w = R.T @ history.twist[row, :3], R.T @ history.twist[row, 3:]
        u, u_dot = (body.displacement(x)[:, :3] for x in (history.z[row], history.rates[row]))
        velocity = np.zeros((len(body.nodes), 6))
        velocity[:, :3] = v + np.cross(w, body.nodes + u) + u_dot
        q = velocity[node, component]
        assert found[row] == pytest.approx(0.5 * q @ (p.M_full @ q), rel=1e-9)


def test_kinetic_energy_of_a_rigid_motion():
    """½ m v² + ½ ω·Jω, for beams with rotary inertia as well."""
    body = beam()
    history = moving(body)
    rigid = BodyHistory(body, history.times, history.position, history.orientation, 0 * history.z, history.twist,
                        0 * history.rates)  # fmt: skip
    m = body.mass_properties
    for row, found in enumerate(energies(rigid).kinetic):
        R = history.orientation[row]
        v, w = R.T @ history.twist[row, :3], R.T @ history.twist[row, 3:]
        center = v + np.cross(w, m.com)
        assert found == pytest.approx(0.5 * m.mass * center @ center + 0.5 * w @ m.inertia @ w, rel=1e-9)


def test_strain_energy_is_the_work_of_the_load():
    p = from_mesh(rod(), {"left": "x_min", "right": "x_max"})
    body = project(p, CraigBampton(3).basis(p)[0])
    load = np.array([1e5, 2e4, -3e4, 500.0, 800.0, -700.0])
    z = clamped(body, load)
    assert energies(resting(body, np.array([z, z, 2 * z]))).strain == pytest.approx(
        0.5 * load @ z[6:12] * np.array([1, 1, 4]), rel=1e-9
    )
