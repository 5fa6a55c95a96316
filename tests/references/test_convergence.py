"""How the integrators converge: second order in positions and reactions, and energy that neither grows nor decays.

Arnold & Brüls 2007 prove second order for the modified generalized-α method, multipliers included. The trapezoidal
rule (Newmark's γ = ½, β = ¼) does not damp high frequencies; the multipliers of its constraints swing from step to step
and grow with time (Cardona & Géradin 1989), so its reactions are only looked at where joints are eliminated.
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
        settings = {"integrator": INTEGRATORS[name], "tolerances": TIGHT, "show": False}
        run = pendulum().dynamics(until=2, step=step, output=0.04, **settings)
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


SIGNALS = ("lower.position", "hinge.force", "hinge.torque")


@functools.cache
def fine_arm() -> dict[str, np.ndarray]:
    """Positions and reactions of the arm, extrapolated from two fine steps."""
    settings = {"until": 0.5, "output": 0.02, "tolerances": TIGHT, "show": False}
    coarse, fine = (arm("elimination").dynamics(step=step, **settings) for step in (2e-4, 1e-4))
    return {name: (4 * fine[name].values - coarse[name].values) / 3 for name in SIGNALS}


@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
@pytest.mark.parametrize("name", INTEGRATORS)
def test_spinning_bodies_converge_with_second_order(name: str, enforcement: str) -> None:
    errors: dict[str, list[float]] = {signal: [] for signal in SIGNALS}
    for step in (4e-3, 2e-3, 1e-3):
        settings = {"integrator": INTEGRATORS[name], "tolerances": TIGHT, "show": False}
        run = arm(enforcement).dynamics(until=0.5, step=step, output=0.02, **settings)
        for signal in SIGNALS:
            errors[signal].append(np.abs(run[signal] - fine_arm()[signal]).max())
    for signal in SIGNALS:
        if name == "Newmark" and enforcement == "multipliers" and signal != "lower.position":
            continue
        assert np.abs(orders(errors[signal]) - 2).max() < 0.02, signal


@pytest.mark.parametrize("form", ["weighted", "inertia"])
def test_weighted_forces_are_of_first_order_where_bodies_spin(form: str) -> None:
    """FTG (7.43) weighs forces of two instants against the inertia M(q) of one: exact only for a constant M."""
    errors = []
    for step in (1e-3, 5e-4, 2.5e-4):
        settings = {"integrator": fx.HHT(-0.1, form=form), "tolerances": TIGHT, "show": False}
        run = arm("elimination").dynamics(until=0.5, step=step, output=0.02, **settings)
        errors.append(np.abs(run["lower.position"] - fine_arm()["lower.position"]).max())
    assert np.abs(orders(errors) - 1).max() < 0.1


def hanging_chain(count: int) -> fx.Model:
    """Rods of 1 m and 1 kg that hang down straight, drawn aside by half a radian."""
    items: list = []
    support, angle = fx.ground, np.pi / 2 - 0.5
    for i in range(count):
        rod = fx.RigidBody(
            f"rod {i}", 1.0, (1e-3, 1 / 12, 1 / 12), center_of_mass=(0.5, 0, 0), markers={"tip": (1, 0, 0)}
        )
        items += [rod, fx.Revolute(f"hinge {i}", support, rod, axis="y", start=angle, enforcement="elimination")]
        support, angle = rod["tip"], 0.0
    return fx.Model("chain", items, gravity=(0, 0, -9.81))


def test_energy_stays_bounded_over_100_000_steps() -> None:
    """The trapezoidal rule keeps the energy of a fourfold pendulum within O(h²), without a trend."""
    step = 5e-3
    run = hanging_chain(4).dynamics(until=1e5 * step, step=step, output=10 * step, integrator=fx.Newmark(), show=False)
    energy = run["energy.check_sum"].values
    assert run["energy.kinetic"].max() > 5.0
    assert np.abs(energy).max() < 1e-4
    assert abs(energy[-1000:].mean() - energy[:1000].mean()) < 5e-6
