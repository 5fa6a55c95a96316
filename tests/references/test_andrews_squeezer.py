"""Andrews' squeezing mechanism: seven bodies in a plane, driven by a torque of 0.033 N m for 0.05 s.

Test Set for IVP Solvers (Mazzia & Magherini, Univ. Bari): mechanism of Schiehlen 1990, of Hairer & Wanner II, VII.7,
and IFToMM benchmark A03. The geometry follows from the constraints of the test set, e(α) = (cos α, sin α):

    O: K1 turns by β, its tip F = rr e(β);             F: K2 turns by θ against K1, E = F − d e(β + θ)
    B: K3 turns by γ, E = B + ss (sin γ, −cos γ), the spring from C ends at D = B + sd e(γ) + sc (sin γ, −cos γ)
    A: K5 turns by δ, G = A + zt e(δ);                 G: K4 turns by φ, E = G + e (sin(φ + δ), −cos(φ + δ))
    A: K7 turns by ε, H = A + u (sin ε, −cos ε);       H: K6 turns by ω, E = H + zf e(ω + ε)

Spatial hinges: ten of them on seven bodies in a plane are 9 constraints too many.
"""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx

ANGLES = ("O", "F", "B", "G", "A5", "H", "A7")
"""Joints whose angles are β, θ, γ, φ, δ, ω, ε."""
STEP = 2.5e-6
OUTPUT = 0.00025
END = 120
"""Row of t = 0.03 s."""


def squeezer(p: dict) -> fx.Model:
    centers = {
        1: (p["ra"], 0),
        2: (-p["da"], 0),
        3: (p["sb"], -p["sa"]),
        4: (0, p["ea"] - p["e"]),
        5: (p["ta"], p["tb"]),
        6: (p["zf"] - p["fa"], 0),
        7: (p["ub"], -p["ua"]),
    }
    K = {
        i: fx.RigidBody(f"K{i}", p["m"][i - 1], p["I"][i - 1], center_of_mass=(*center, 0))
        for i, center in centers.items()
    }
    q = p["q0"]
    A, B, C = (fx.ground.at(p[f"x{i}"], p[f"y{i}"], 0) for i in "abc")
    ends = {2: K[2].at(-p["d"], 0, 0), 3: K[3].at(0, -p["ss"], 0), 4: K[4].at(0, -p["e"], 0), 6: K[6].at(p["zf"], 0, 0)}
    hinges = [
        fx.Revolute("O", fx.ground, K[1], start=q["beta"]),
        fx.Revolute("F", K[1].at(p["rr"], 0, 0), K[2], start=q["theta"]),
        fx.Revolute("B", B, K[3], start=q["gamma"]),
        fx.Revolute("A5", A, K[5], start=q["delta"]),
        fx.Revolute("G", K[5].at(p["zt"], 0, 0), K[4], start=q["phi"]),
        fx.Revolute("A7", A, K[7], start=q["epsilon"]),
        fx.Revolute("H", K[7].at(0, -p["u"], 0), K[6], start=q["omega"]),
        fx.Revolute("E3", ends[2], ends[3]),
        fx.Revolute("E4", ends[2], ends[4]),
        fx.Revolute("E6", ends[2], ends[6]),
    ]
    spring = fx.AxialSpring("spring", C, K[3].at(p["sd"], -p["sc"], 0), stiffness=p["c0"], free_length=p["l0"])
    drive = fx.PointTorque("drive", K[1], direction="z", torque=p["mom"])
    return fx.Model("squeezer", [*K.values(), *hinges, spring, drive])


@pytest.fixture(scope="module")
def run(reference):
    record = reference.record("ivp_andrews_squeezer")
    with pytest.warns(fx.RedundantConstraints, match="9 redundant constraints"):
        return squeezer(record["parameters"]).dynamics(until=0.05, step=STEP, output=OUTPUT, show=False)


def test_initial_accelerations(reference, run) -> None:
    expected = reference.record("ivp_andrews_squeezer")["reference"]
    beta = run["K1.angular_acceleration_z"][0]
    theta = run["K2.angular_acceleration_z"][0] - beta
    assert beta == pytest.approx(expected["beta_ddot_0"], rel=1e-9)
    assert theta == pytest.approx(expected["theta_ddot_0"], rel=1e-9)


def test_angles_and_rates_after_30_ms(reference, run) -> None:
    record = reference.record("ivp_andrews_squeezer")
    q = np.array([run[f"{joint}.angle"][END] for joint in ANGLES])
    expected = np.array(record["reference"]["q"])
    assert run.time[END] == pytest.approx(0.03)
    assert np.abs(q / expected - 1).max() < record["tolerance"]["q_rel"]
    rates = np.array([run[f"{joint}.angle_rate"][END] for joint in ANGLES])
    assert np.abs(rates - record["reference"]["qd"]).max() < 1e-4 * np.abs(rates).max()
    assert run["O.angle"][-1] == pytest.approx(record["reference"]["beta_t005"], rel=record["tolerance"]["q_rel"])


def test_forces_in_the_loops_after_30_ms(reference, run) -> None:
    """The multipliers (λ₁, λ₂), (λ₃, λ₄), (λ₅, λ₆) are the forces with which K2 holds K3, K4, K6 at E."""
    expected = np.reshape(reference.record("ivp_andrews_squeezer")["reference"]["lambda_"], (3, 2))
    for joint, force in zip(("E3", "E4", "E6"), expected):
        found = np.hypot(run[f"{joint}.force_x"][END], run[f"{joint}.force_y"][END])
        assert found == pytest.approx(np.linalg.norm(force), rel=1e-4)


def test_path_of_f(reference, run) -> None:
    t, x, y, beta = reference.curve("andrews_F")
    assert np.allclose(run.time, t)
    radius = np.hypot(x[0], y[0])
    assert np.abs(run["O.angle"] - beta).max() < 1e-4 * np.abs(beta).max()
    assert np.abs(run["K2.position"][:, :2] - np.column_stack([x, y])).max() < 1e-3 * radius
