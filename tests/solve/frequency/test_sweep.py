"""Sweeps over many frequencies against the direct solution at each of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import flexor as fx
from flexor.solve.frequency.direct import Factory
from flexor.solve.frequency.linear_system import LinearSystem
from flexor.solve.frequency.sweep import swept_response


def frame(enforcement: str = "multipliers", **motor) -> fx.Model:
    """Beams in a row on a driven sledge, tapped at the end."""
    table = fx.RigidBody("table", mass=5.0, inertia=(1, 1, 1))
    pieces = [
        fx.Beam(
            f"b{i}", points=[(0, 0, 0), (0.1, 0, 0)], section=fx.Circle(0.02), material=fx.Steel(), divisions=2, damping=1e-4,
            position=(0.1 * i, 0, 0),
        )
        for i in range(5)
    ]  # fmt: skip
    items = [
        table,
        *pieces,
        fx.Prismatic("rail", fx.ground, table, axis="y"),
        fx.Motor("motor", "rail", **(motor or {"position": 0.0})),
    ]
    items += [
        fx.Fixed(f"w{i}", a["end"], b["start"], enforcement=enforcement) for i, (a, b) in enumerate(pairwise(pieces))
    ]
    items += [fx.Fixed("clamp", table, pieces[0]["start"], enforcement=enforcement)]
    items += [fx.PointForce("tap", pieces[-1]["end"], direction=(1, 1, 1), force=0)]
    return fx.Model("frame", items)


@pytest.mark.parametrize("motor", [{"position": 0.0}, {"speed": 0.0}, {"acceleration": 0.0}])
@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
def test_a_sweep_is_the_direct_response(motor, enforcement):
    """Loads and base motion in, motion and reactions out; few frequencies are solved."""
    model, hertz = frame(enforcement, **motor), np.linspace(2.0, 900.0, 300)
    outputs = ["b4.end.position_y", "b2.end.acceleration_y", "motor.force", "b1.end.position_z"]
    inputs = ["tap.force", f"motor.{next(iter(motor))}"]
    many = model.frequency_response(hertz, inputs, outputs, structural_damping=0.002)
    assert "in the space that these span" in many.method
    few = model.frequency_response(hertz[::9], inputs, outputs, structural_damping=0.002)
    assert few.method.startswith("direct at each")
    assert (
        np.abs(many.values[:, 3, 1]).max() < 1e-9 * np.abs(many.values[:, 0, 1]).max()
    )  # across the motion of the base
    many.values[:, 3, 1] = few.values[:, 3, 1] = 0.0
    floor = 1e-4 * np.abs(many.values).max(axis=0)
    off = np.abs(many.values[::9] - few.values) / np.maximum(np.abs(few.values), floor + 1e-300)
    assert off.max() < 2e-8


def test_feedback_is_swept_too():
    """A force by a sensor's reading is expressed by what it reads; one by a reaction is solved at each frequency."""
    hertz = np.linspace(2.0, 900.0, 80)
    sensor = fx.Sensor("v", "b4.end.velocity_y")
    model = frame().with_item(sensor, fx.PointForce("back", "b4.end", direction="y", force="-5*v"))
    got, each = (model.frequency_response(hertz, "tap", "v", method=how) for how in ("auto", "direct"))
    assert "in the space that these span" in got.method
    np.testing.assert_allclose(got["v"], each["v"], rtol=1e-7)
    sensor = fx.Sensor("f", "clamp.force_y")
    model = frame().with_item(sensor, fx.PointForce("back", "b4.end", direction="y", force="-0.1*f"))
    got = model.frequency_response(hertz, "tap", "b4.end.position_y")
    assert got.method.startswith("direct at each")
    assert "reactions" in got.method
    with pytest.raises(fx.ModelError, match="reactions"):
        model.frequency_response(hertz, "tap", "b4.end.position_y", method="sweep")


def test_what_is_free_is_swept_too():
    """Free motions make two eigenvectors of the small equations one."""
    beam = fx.Beam(
        "b", points=[(0, 0, 0), (0.8, 0, 0)], section=fx.Circle(0.02), material=fx.Steel(), divisions=6, damping=1e-5
    )
    model = fx.Model("free", [beam, fx.PointForce("tap", beam["end"], direction=(1, 2, 3), force=0)])
    swept, each = (
        model.frequency_response(
            np.linspace(5.0, 900.0, 90), "tap", ["b.end.position_y", "b.start.velocity_z"], method=how
        )
        for how in ("sweep", "direct")
    )
    np.testing.assert_allclose(swept.values, each.values, rtol=1e-7)


def test_a_space_of_rounding_is_given_up(monkeypatch):
    """Where no prediction comes true, a sweep tells nothing."""
    solve = Factory.solve

    def noisy(self: Factory, omega: float) -> np.ndarray:
        return solve(self, omega) * (1 + 1e-3 * np.sin(1e3 * omega))

    monkeypatch.setattr(Factory, "solve", noisy)
    assert swept_response(_oscillators(), np.linspace(1.0, 60.0, 100)) is None


def _oscillators() -> LinearSystem:
    from scipy import sparse

    n = 40
    stiffness = sparse.csr_array(
        sparse.diags_array([np.full(n, 2e3), np.full(n - 1, -1e3), np.full(n - 1, -1e3)], offsets=[0, 1, -1])
    )
    zero = sparse.csr_array((n + 1, n + 1))
    K = sparse.csr_array(sparse.block_diag([stiffness, sparse.eye_array(1)]))
    K = sparse.lil_array(K)
    K[n, n - 1] = -1.0
    C = sparse.csr_array(sparse.block_diag([1e-3 * stiffness, sparse.csr_array((1, 1))]))
    M = sparse.csr_array(sparse.diags_array(np.r_[np.ones(n), 0.0]))
    felt = np.zeros((n + 1, 1, 5))
    felt[0, 0, 0] = -1.0
    own = np.arange(n + 1) < n
    return LinearSystem(sparse.csr_array(K), zero, C, M, felt, np.array([n]), own, ~own, ("",) * (n + 1))


def test_oscillators_in_a_row():
    """Against dense solutions, with nothing of a mechanism about them."""
    system, omegas = _oscillators(), np.linspace(1.0, 60.0, 100)
    found = swept_response(system, omegas)
    assert found is not None
    values, solved = found
    assert solved < 60
    for i in range(0, 100, 7):
        expected = np.linalg.solve(system.matrix(omegas[i]).toarray(), system.excitation(omegas[i]))[-1]
        np.testing.assert_allclose(values[i, 0], expected, rtol=1e-8)
