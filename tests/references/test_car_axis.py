"""Car axis on a bumpy road: two masses on springs, a base that rocks, stiff and of index 3.

Test Set for IVP Solvers (Mazzia & Magherini, Univ. Bari). In its equations (ε²M/2) p̈ = f, so the masses weigh
m = ε²M/2 and the springs have unit stiffness. The right end of the base moves on a circle about the left one,

    (x_b, y_b) = (√(L² − y_b²), y_b),   y_b = r sin ω t,

so the base is a bar that a motor turns by arcsin(r sin ω t / L). The left mass stays on the bar's normal through the
origin (multiplier λ₁: it pushes with λ₁ (x_b, y_b)), the masses keep the distance L (λ₂: 2 λ₂ (p_l − p_r) on the left).
"""

from __future__ import annotations

import numpy as np

import flexor as fx


def car_axis(p: dict) -> fx.Model:
    mass = p["eps"] ** 2 * p["M"] / 2
    xl, yl, xr, yr, ul, vl, ur, vr = p["y0"][:8]
    base = fx.RigidBody("base", 1.0, 1.0)
    left = fx.PointMass("left", mass, position=(xl, yl, 0), velocity=(ul, vl, 0))
    right = fx.PointMass("right", mass, position=(xr, yr, 0), velocity=(ur, vr, 0))
    tilt = fx.expression(f"asin({p['r']}*sin({p['w']}*t)/{p['L']})")
    return fx.Model(
        "car axis",
        gravity=(0, -p["g"], 0),
        items=[
            base,
            left,
            right,
            fx.Revolute("pivot", fx.ground, base, axis="z"),
            fx.Motor("road", "pivot", position=tilt),
            fx.PointOnLine("guide", base, left, axis="y"),
            fx.Distance("axle", left, right, length=p["L"]),
            fx.AxialSpring("spring l", base, left, stiffness=1, free_length=p["L0"]),
            fx.AxialSpring("spring r", base.at(p["L"], 0, 0), right, stiffness=1, free_length=p["L0"]),
        ],
    )


def test_state_after_three_seconds(reference) -> None:
    record = reference.record("ivp_caraxis")
    run = car_axis(record["parameters"]).dynamics(until=3, step=8e-6, output=0.1, show=False)
    end = [run[f"{body}.{what}"][-1, :2] for what in ("position", "velocity") for body in ("left", "right")]
    assert np.abs(np.concatenate(end) / record["reference"]["y"][:8] - 1).max() < record["tolerance"]["rel"]


def test_multipliers_after_three_seconds(reference) -> None:
    """They are of second order; extrapolated from steps that are not so short that rounding of positions shows."""
    record = reference.record("ivp_caraxis")
    forces = []
    for step in (2e-4, 1e-4):
        run = car_axis(record["parameters"]).dynamics(until=3, step=step, output=0.1, show=False)
        forces.append([run["axle.force"][-1], np.hypot(run["guide.force_x"][-1], run["guide.force_y"][-1])])
    coarse, fine = np.array(forces)
    lambda_1, lambda_2 = record["reference"]["y"][8:]
    expected = record["parameters"]["L"] * np.array([2 * lambda_2, abs(lambda_1)])
    assert np.abs((4 * fine - coarse) / 3 / expected - 1).max() < record["tolerance"]["rel"]
