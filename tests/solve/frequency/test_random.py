"""Random vibration against Miles' formula, and what is refused or told."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.solve.frequency.random import CoarseSpectrum

M, F, ZETA = 2.0, 30.0, 0.02
K, C = M * (2 * np.pi * F) ** 2, 2 * ZETA * M * 2 * np.pi * F


def shaken(hertz):
    table = fx.RigidBody("table", mass=5.0, inertia=(1, 1, 1))
    cart = fx.RigidBody("cart", mass=M, inertia=(1, 1, 1), position=(1, 0, 0))
    items = [
        table, cart, fx.Prismatic("rail", fx.ground, table, axis="x"), fx.Prismatic("second", table.at(1, 0, 0), cart, axis="x"),
        fx.JointSpring("spring", "second", stiffness=K, damping=C), fx.Motor("motor", "rail", acceleration=0.0),
        fx.PointForce("push", cart, direction="x", force=0),
    ]  # fmt: skip
    return fx.Model("shaken", items).frequency_response(
        hertz, ["motor.acceleration", "push.force"], ["cart.acceleration_x", "second.displacement"]
    )


def test_miles():
    density = 0.4
    got = shaken(np.linspace(0.5, 600.0, 24000)).random({"motor.acceleration": density})
    miles = np.sqrt(np.pi / 2 * F / (2 * ZETA) * density * (1 + 4 * ZETA**2))
    assert got.rms["cart.acceleration_x"] == pytest.approx(miles, rel=2e-3)
    relative = np.sqrt(density / (8 * ZETA * (2 * np.pi * F) ** 3))  # ∫|1/(ω_n² − ω² + 2iζω_nω)|² df
    assert got.rms["second.displacement"] == pytest.approx(relative, rel=2e-3)
    assert got.upcrossings["second.displacement"] == pytest.approx(F, rel=0.03)


def test_inputs_add_by_their_squares():
    response = shaken(np.linspace(10.0, 60.0, 500))
    a, b = response.random({"motor.acceleration": 1.0}), response.random({"push.force": fx.constant(2.0)})
    both = response.random({"motor.acceleration": 1.0, "push.force": np.full(500, 2.0)})
    np.testing.assert_allclose(both.psd, a.psd + b.psd)


def test_bad_input():
    with pytest.warns(CoarseSpectrum, match="closer"):
        shaken(np.linspace(1.0, 100.0, 20)).random({"push.force": 1.0})
    with pytest.raises(fx.ModelError, match="negative"):
        shaken([1.0, 2.0]).random({"push.force": -1.0})
    with pytest.raises(fx.ModelError, match="ascend"):
        shaken([2.0, 1.0]).random({"push.force": 1.0})
    with pytest.raises(fx.ModelError, match=r"push\.force"):
        shaken([1.0, 2.0]).random({"push.forse": 1.0})
    for given, told in (
        (np.ones(3), "shape"),
        ("0.04 g^2/Hz", "no number"),
        ([[1.0], [2.0]], "shape"),
        (None, "no number"),
    ):
        with pytest.raises(fx.ModelError, match=told):
            shaken([1.0, 2.0]).random({"push.force": given})
    for none in ({}, None, 0.04):
        with pytest.raises(fx.ModelError, match="no density"):
            shaken([1.0, 2.0]).random(none)
