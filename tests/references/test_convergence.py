"""How the integrators converge: second order in positions and reactions, bounded energy, error control, cut-back.

Arnold & Brüls 2007 prove second order for the modified generalized-α method, multipliers included. The trapezoidal rule
(Newmark's γ = ½, β = ¼) has no damping at high frequencies; the multipliers of its constraints swing from step to step and
grow with time (Cardona & Géradin 1989), so its reactions are only looked at where joints are eliminated.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import flexor as fx

TIGHT = {"displacement": 1e-14, "acceleration": 1e-11}
INTEGRATORS = {"generalized-α": fx.GeneralizedAlpha(0.8), "HHT": fx.HHT(-0.1), "Newmark": fx.Newmark()}


def orders(errors: list[float]) -> np.ndarray:
    """Observed orders where each error belongs to half the step of the one before."""
    e = np.array(errors)
    return np.log2(e[:-1] / e[1:])


# ---- order


def pendulum() -> fx.Model:
    bob = fx.PointMass("bob", 1.0, position=(-1, 0, 0))
    return fx.Model("pendulum", [bob, fx.Distance("rod", fx.ground, bob)], gravity=(0, -9.81, 0))


def exact_pendulum(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Position and tension of `pendulum`: sin(φ/2) = sin 45° sn(√(g/ℓ) t + K), F = 3 m g cos φ."""
    sn = ellipj(np.sqrt(9.81) * t + ellipk(0.5), 0.5)[0]
    phi = 2 * np.arcsin(np.sqrt(0.5) * sn)
    return np.column_stack([-np.sin(phi), -np.cos(phi)]), 3 * 9.81 * np.cos(phi)


@pytest.mark.parametrize("name", INTEGRATORS)
def test_pendulum_converges_to_the_closed_form(name: str) -> None:
    in_position, in_force = [], []
    for step in (4e-3, 2e-3, 1e-3):
        run = pendulum().dynamics(until=2, step=step, output=0.04, integrator=INTEGRATORS[name], tolerances=TIGHT, show=False)
        position, tension = exact_pendulum(run.time)
        in_position.append(np.abs(run["bob.position"][:, :2] - position).max())
        in_force.append(np.abs(-run["rod.force"] - tension).max())
    assert np.abs(orders(in_position) - 2).max() < 0.02
    if name != "Newmark":
        assert np.abs(orders(in_force) - 2).max() < 0.02


def arm(enforcement: str) -> fx.Model:
    """Two asymmetric bodies in space: a Cardan joint to the ground, a skew hinge between them."""
    inertia = (0.03, 0.05, 0.04, 0.004, -0.002, 0.003)
    how = {"enforcement": enforcement}
    upper = fx.RigidBody("upper", 1.7, inertia, center_of_mass=(0.25, 0.02, -0.04))
    lower = fx.RigidBody("lower", 0.9, inertia, center_of_mass=(0.2, -0.03, 0.05))
    cardan = fx.Universal("cardan", fx.ground, upper, axis="z", cross_axis="y", start_rate=(2, -1), **how)
    hinge = fx.Revolute("hinge", upper.at(0.5, 0, 0), lower, axis=(0.2, 1, 0.3), start=0.4, start_rate=3, **how)
    return fx.Model("arm", [upper, lower, cardan, hinge], gravity=(0, 0, -9.81))


@functools.cache
def fine_arm() -> dict[str, np.ndarray]:
    """Positions and reactions of the arm, extrapolated from two fine steps."""
    coarse, fine = (arm("elimination").dynamics(until=0.5, step=h, output=0.02, tolerances=TIGHT, show=False) for h in (2e-4, 1e-4))
    return {name: (4 * fine[name].values - coarse[name].values) / 3 for name in ("lower.position", "hinge.force", "hinge.torque")}


@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
@pytest.mark.parametrize("name", INTEGRATORS)
def test_spinning_bodies_converge_with_second_order(name: str, enforcement: str) -> None:
    signals = ["lower.position", "hinge.force", "hinge.torque"]
    if name == "Newmark" and enforcement == "multipliers":
        signals = signals[:1]
    errors: dict[str, list[float]] = {signal: [] for signal in signals}
    for step in (4e-3, 2e-3, 1e-3):
        run = arm(enforcement).dynamics(
            until=0.5, step=step, output=0.02, integrator=INTEGRATORS[name], tolerances=TIGHT, show=False
        )
        for signal in signals:
            errors[signal].append(np.abs(run[signal] - fine_arm()[signal]).max())
    for signal in signals:
        assert np.abs(orders(errors[signal]) - 2).max() < 0.1, signal
