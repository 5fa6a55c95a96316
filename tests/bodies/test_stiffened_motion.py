"""Floating bodies with geometric stiffening in motion: a soft pendulum, a blade spun up, free flight."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.bodies.body import Start
from flexor.mesh.generate import bar
from flexor.spatial import Pose, quaternion_to_matrix
from tests.laws.calls import matrix
from tests.laws.states import State

PLASTIC = fx.Isotropic(3e8, 0.3, 2700)
ALLOY = fx.Isotropic(70e9, 0.3, 3000)
TUBE = fx.Tube("32.614 mm", "2.0142 mm")


def rod(formulation: str, **how) -> fx.FlexibleBody:
    """A soft rod along x with 14 modes, the highest 37 times the lowest."""
    mesh = bar(0.5, 0.01, 0.01, (30, 1, 1), element="hex8", material=PLASTIC)
    faces = {"left": "x_min", "right": "x_max"}
    return fx.FlexibleBody(
        "rod", mesh, interfaces=faces, reduction=fx.CraigBampton(modes=8), formulation=formulation, **how
    )


def test_soft_pendulum_swings_like_its_whole_mesh():
    """It bends by 4 mm, 1 % of its length; the tension of its weight and swing holds it straighter than that."""
    paths = {}
    for formulation, how in (("full_mesh", {}), ("floating", {}), ("floating", {"stiffening": True})):
        body = rod(formulation, **how)
        model = fx.Model("swing", [body, fx.Revolute("pin", fx.ground, body["left"], axis="y")], gravity=(0, 0, -9.81))
        run = model.dynamics(until=0.6, step=5e-4, show=False)
        paths[formulation, bool(how)] = run["rod.right.position"].values
    whole = paths["full_mesh", False]
    plain, stiff = (np.abs(paths["floating", on] - whole).max() for on in (False, True))
    assert plain > 1e-3
    assert stiff < 1e-4  # 194, 80, 61 µm with 4, 8, 16 modes
    assert np.ptp(whole, axis=0).max() > 0.5


@pytest.mark.parametrize("stiffening", [False, True])
@pytest.mark.parametrize("rho", [0.8, 0.95])
def test_blade_stays_in_its_plane(stiffening, rho):
    """A bent slender blade has hardly any inertia about its axis, and turns by 0.06 rad in a step.

    With frame and modes integrated in different axes it left its plane from rounding errors, at 7 s.
    """
    mesh = bar(10.0, "65 mm", "65 mm", (16,), element="beam2", section=TUBE, material=ALLOY)
    faces = {"root": "x_min", "tip": "x_max"}
    how = {"formulation": "floating", "stiffening": stiffening, "reduction": fx.CraigBampton(modes=4)}
    body = fx.FlexibleBody("blade", mesh, interfaces=faces, **how)
    speed = fx.expression("6*(min(t, 15)/15 - sin(2*pi*min(t, 15)/15)/(2*pi))")
    hub = fx.Revolute("hub", fx.ground, body["root"], axis="z")
    model = fx.Model("spin-up", [body, hub, fx.Motor("drive", "hub", speed=speed)])
    run = model.dynamics(until=20.0, step=0.01, integrator=fx.GeneralizedAlpha(rho), show=False)
    x, y, z = run["blade.tip.position"].values.T
    angle = run["hub.angle"].values
    lag = -(np.cos(angle) * y - np.sin(angle) * x).min()
    assert np.abs(z).max() < 1e-7
    assert run.history["cut_backs"].sum() == 0
    assert lag == pytest.approx(0.574 if stiffening else 0.683, abs=1e-3)


def momenta(run, body, row):
    """Linear and angular momentum: mass matrix of the body times its velocities."""
    parts = body.parts(Start(Pose(), np.zeros(6)))
    node, element = parts.nodes[0], parts.terms[0]

    def of(signal):
        return run[f"{node.name}.{signal}"].values[row]

    R, omega = quaternion_to_matrix(of("orientation")), of("angular_velocity")
    arm = R @ node.p_NO
    x, v = of("position") - arm, np.concatenate([of("velocity") - np.cross(omega, arm), omega])
    s = np.array([[run[q.name].values[row], run[f"{q.name}_rate"].values[row], 0.0] for q in parts.scalars])
    none, still = np.zeros(0), np.zeros((1, 6))
    state = State(x[None], R[None], v[None], still, s, none, none, 0.0, np.zeros(3))
    p = (matrix(element, state, (0.0, 0.0, 1.0)) @ state.rates)[:6]
    return p[:3], np.cross(x, p[:3]) + p[3:]


@pytest.mark.parametrize("stiffening", [False, True])
def test_free_flight_keeps_momentum_and_energy(stiffening):
    """10⁴ steps at 200 rad/s about no principal axis; the start is undeformed, so the bar rings."""
    mesh = bar(1.0, 0.06, 0.04, (10, 1, 1), element="hex20", material=ALLOY)
    body = fx.FlexibleBody(
        "bar",
        mesh,
        interfaces={"a": "x_min", "b": "x_max"},
        reduction=fx.CraigBampton(modes=4),
        formulation="floating",
        stiffening=stiffening,
        velocity=(1, 2, 3),
        angular_velocity=(20, 200, 30),
    )
    run = fx.Model("flight", [body]).dynamics(until=1.0, step=1e-4, integrator=fx.GeneralizedAlpha(0.9), show=False)
    rows = np.linspace(0, len(run) - 1, 11).astype(int)
    P, L = (np.array(values) for values in zip(*(momenta(run, body, row) for row in rows)))
    assert len(run) == 10001
    assert np.abs(P - P[0]).max() < 1e-10 * np.linalg.norm(P[0])
    assert np.abs(L - L[0]).max() < 1e-4 * np.linalg.norm(L[0])
    energy, kinetic = run["energy.check_sum"].values, run["energy.kinetic"].values[0]
    assert np.ptp(energy) < 2e-4 * kinetic


@pytest.mark.parametrize("stiffening", [False, True])
def test_second_order_in_the_step(stiffening):
    """Tumbling freely at 60 rad/s: error of the path at three steps."""
    ends = []
    for step in (1.25e-4, 5e-4, 1e-3, 2e-3):
        body = rod(
            "floating", stiffening=stiffening, angular_velocity=(20, 5, 60), velocity=(1, 0, 0), stiffness_scale=10
        )
        run = fx.Model("flight", [body]).dynamics(until=0.2, step=step, integrator=fx.GeneralizedAlpha(0.8), show=False)
        ends.append(run["rod.position"].values[-1])
    errors = np.linalg.norm(np.array(ends[1:]) - ends[0], axis=1)
    assert np.all(np.log2(errors[1:] / errors[:-1]) > 1.7)
    assert errors[0] < 1e-3
