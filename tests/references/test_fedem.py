"""Fedem's own regression models: free fall, mass on a spring, pendulum, damped oscillator (2023 SAP SE, Apache-2.0).

Fedem starts with zero accelerations and integrates by HHT, α = −0.1. Its default puts the last computed inertia force
in the place of the actual one: F_actual = Fᴵₖ, which is zero at the start, so that the first step sees 1 + α = 0.9 of
the load and all motion lags behind (free fall by 1 % at t = 1 s). Fedem's option "NewmarkFlag = 1" takes
F_actual = Q − Fᴰ − Fˢ, FTG (7.46); only `constant-damper1` was computed with it.

What Fedem calls acceleration is Newmark's A; where the last inertia force counts, the acceleration that balances the
forces is (Aₖ₊₁ + α Aₖ)/(1 + α). Positions are printed with nine digits, all other results had single precision.
The curves are kept thinned; they are compared at the times that are there.
"""

from __future__ import annotations

import numpy as np

import flexor as fx

ALPHA = -0.1
FEDEM = {"step": 0.01, "start": "zero", "tolerances": {"displacement": 1e-14, "acceleration": 1e-12}, "show": False}
LAST_INERTIA = fx.HHT(ALPHA, form="inertia")
SINGLE = 6e-8
"""Relative rounding error of a number in single precision."""


def largest(curve: np.ndarray) -> float:
    return float(np.abs(curve).max())


def rows_of(run: fx.Run, time: np.ndarray) -> np.ndarray:
    """Numbers of the run's rows at these times."""
    rows = np.rint(time / 0.01).astype(int)
    assert np.allclose(run.time[rows], time)
    assert rows[-1] == len(run.time) - 1
    return rows


def test_free_fall(reference) -> None:
    time, kinetic, z = reference.fedem("free_fall")
    model = fx.Model("free fall", [fx.RigidBody("body", 1.1, 1.0)], gravity=(0, 0, -9.81))
    run = model.dynamics(until=1, integrator=LAST_INERTIA, **FEDEM)
    assert np.allclose(run.time, time)
    assert largest(run["body.position_z"] - z) < 5e-9
    assert largest(run["energy.kinetic"] - kinetic) < SINGLE * largest(kinetic)


def test_mass_on_a_spring(reference) -> None:
    time, part, triad = reference.fedem("mass_on_a_spring")
    mass = fx.PointMass("mass", 1.0, position=(0, 0, -1))
    spring = fx.AxialSpring("spring", fx.ground, mass, stiffness=1.0, free_length=1.0)
    model = fx.Model("mass on a spring", [mass, spring], gravity=(0, 0, -9.81))
    run = model.dynamics(until=25, integrator=LAST_INERTIA, **FEDEM)
    z = run["mass.position_z"][rows_of(run, time)]
    assert largest(z - triad) < 1e-7
    assert largest(z + 1.0 - part) < 1e-7


def test_pendulum(reference) -> None:
    """A bob of 1 kg on a "rigid" part of 1e-5 kg, which is not rigid.

    Fedem couples the ends of such a part to its centre by springs of stiffness m ω² with ω = 2π·10 kHz, here 39.5 kN/m:
    under gravity the pendulum is half a millimetre longer than its 1 m and rings at 22 Hz, as its curves show.
    """
    time, angle, x, z = reference.fedem("pendulum")
    tip = np.array([0.08715574, 0.0, -0.9961947])
    mass = 1e-5
    coupling = {"stiffness": mass * (2 * np.pi * 10e3) ** 2, "free_length": 0}
    part = fx.RigidBody("part", mass, 1e-5, position=tip / 2)
    bob = fx.PointMass("bob", 1.0, position=tip)
    begin = fx.AxialSpring("begin", fx.ground, part.at(*(-tip / 2)), **coupling)
    end = fx.AxialSpring("end", part.at(*(tip / 2)), bob, **coupling)
    model = fx.Model("pendulum", [part, bob, begin, end], gravity=(0, 0, -9.81))
    run = model.dynamics(until=25, integrator=LAST_INERTIA, **FEDEM)
    rows = rows_of(run, time)
    assert largest(run["bob.position_x"][rows] - x) < 2e-8
    assert largest(run["bob.position_z"][rows] - z) < 2e-8
    w, _, y, _ = run["part.orientation"][rows].T
    assert largest(2 * np.arctan2(y, w) - angle) < 2e-8


def oscillator() -> fx.Model:
    """10 kg on springs of 200 and 100 N/m along x and y, a damper of 10 N s/m along x, loads of 100 and 1 N."""
    body = fx.RigidBody("body", 10.0, 1.0)
    return fx.Model(
        "oscillator",
        [
            body,
            fx.Planar("plane", fx.ground, body),
            fx.JointSpring("spring x", "plane", variable="x", stiffness=200, damping=10),
            fx.JointSpring("spring y", "plane", variable="y", stiffness=100),
            fx.PointForce("load x", body, direction="x", force=100),
            fx.PointForce("load y", body, direction="y", force=1),
        ],
    )


def test_damped_oscillator_with_actual_forces(reference) -> None:
    time, *expected = reference.fedem("oscillator_actual_forces")
    run = oscillator().dynamics(until=10, integrator=fx.HHT(ALPHA, form="weighted"), **FEDEM)
    rows = rows_of(run, time)
    for i, position, velocity, acceleration in zip("xy", expected[:2], expected[2:4], expected[4:]):
        assert largest(run[f"body.position_{i}"][rows] - position) < 5.1e-10
        assert largest(run[f"body.velocity_{i}"][rows] - velocity) < SINGLE * largest(velocity)
        assert largest(run[f"body.acceleration_{i}"][rows] - acceleration) < SINGLE * largest(acceleration)


def test_damped_oscillator_with_the_last_inertia_force(reference) -> None:
    time, *expected = reference.fedem("oscillator_last_inertia")
    run = oscillator().dynamics(until=10, integrator=LAST_INERTIA, **FEDEM)
    rows = rows_of(run, time)
    later = np.flatnonzero(np.diff(rows) == 1) + 1  # every 10th row and the one before are there
    assert len(later) == 100
    for i, position, velocity, A in zip("xy", expected[:2], expected[2:4], expected[4:]):
        assert largest(run[f"body.position_{i}"][rows] - position) < 5.1e-10
        assert largest(run[f"body.velocity_{i}"][rows] - velocity) < SINGLE * largest(velocity)
        balanced = (A[later] + ALPHA * A[later - 1]) / (1 + ALPHA)
        assert largest(run[f"body.acceleration_{i}"][rows[later]] - balanced) < 2 * SINGLE * largest(A)
