"""Superelements in closed-form cases: statics, spin, free flight, frames, limits."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.bodies.body import Start
from flexor.bodies.superelement.shadow_frame import (
    TURNING_WEIGHT,
    Shadow,
    average_turning,
    find_frame,
    shadow_frame,
    turning_condition,
)
from flexor.errors import ModelError
from flexor.mesh.generate import bar
from flexor.spatial import Pose, exp_so3, quaternion_to_matrix, skew
from tests.laws.calls import matrix
from tests.laws.states import State

ALLOY = fx.Isotropic(young=7e10, poisson=0.3, density=2700.0)
MESH = bar(1.0, 0.1, 0.2, divisions=(8, 2, 2), material=ALLOY)
ENDS = {"a": fx.plane(at=(0, 0, 0), normal="x"), "b": fx.plane(at=(1, 0, 0), normal="x")}


def rod(**about):
    return fx.FlexibleBody("rod", MESH, **{"interfaces": ENDS, "reduction": fx.CraigBampton(modes=6), **about})


def held(body, **about):
    return fx.Model("held", [body, fx.Fixed("root", fx.ground, body["a"])], **about)


SOFT_ENDS = {**ENDS, "b": fx.Interface(ENDS["b"], tie="average")}
"""The free end deforms as it does in the mesh."""


@pytest.mark.parametrize("frame", ["average", "triangle"])
def test_weight_on_a_cantilever(frame):
    """As in the full mesh; near ρgA L⁴/8EI (1 + shear), whichever frame follows it."""
    body = rod(frame=frame, interfaces=SOFT_ENDS, reduction=fx.CraigBampton(modes=20))
    position = held(body, gravity=(0, -9.81, 0)).statics()
    I, A = 0.2 * 0.1**3 / 12, 0.02
    q = 2700 * 9.81 * A
    shear = q / (2 * 5 / 6 * A * 7e10 / 2.6)
    full = fx.MeshStudy(MESH, fix=(ENDS["a"],), loads=(fx.Gravity((0, -9.81, 0)),)).statics().nodal
    tip = full[np.isclose(MESH.points[:, 0], 1.0), 1].mean()
    assert position["rod.b.position"][1] == pytest.approx(tip, rel=2e-3)
    assert tip == pytest.approx(-(q / (8 * 7e10 * I) + shear), rel=0.05)
    assert position["root.force_y"] == pytest.approx(q, rel=1e-9)
    assert abs(position["root.torque_z"]) == pytest.approx(q / 2, rel=1e-4)


def test_modes_of_the_held_body_are_those_of_its_mesh():
    body = rod(interfaces=SOFT_ENDS, reduction=fx.CraigBampton(modes=20))
    found = np.asarray(held(body).modes(4).frequencies)
    exact = np.asarray(fx.MeshStudy(MESH, fix=(ENDS["a"],)).modes(4).frequencies)
    np.testing.assert_allclose(found[:4], exact[:4], rtol=2e-4)
    assert np.all(found[:4] > exact[:4] * (1 - 1e-9))  # Rayleigh: a reduced model is stiffer


def spin_forces(body, omega):
    """Residual of the undeformed body in steady rotation about the origin: what the elastic forces must balance."""
    parts = body.parts(Start(Pose(), np.zeros(6)))
    element = parts.terms[0]
    x = np.array([node.x for node in parts.nodes])
    n = len(x)
    v = np.hstack([np.cross(omega, x), np.tile(omega, (n, 1))])
    a = np.hstack([np.cross(omega, np.cross(omega, x)), np.zeros((n, 3))])
    state = State(
        x=x, R=np.tile(np.eye(3), (n, 1, 1)), v=v, a=a, s=np.zeros((len(parts.scalars), 3)), lam=np.zeros(0),
        h=np.array(element.history), t=0.0, gravity=np.zeros(3),
    )  # fmt: skip
    from tests.laws.calls import residual

    return residual(element, state)


def test_turning_of_the_average_frame_is_that_of_its_constants():
    Q = exp_so3(np.array([0.4, -1.1, 0.7])).ravel()
    B = np.array([0.3 * skew(e) for e in np.eye(3)]).ravel()
    expected = turning_condition(B, tuple(Q))
    np.testing.assert_allclose(average_turning(B[TURNING_WEIGHT], tuple(Q)), expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("bent", [0.0, 1e-9, 1e-3, 9.9e-3, 0.011, 0.1, 1.0])
def test_the_average_frame_is_the_best_fit_wherever_it_is_looked_for_from(bent):
    """R₀ of the singular vectors of S = Σ w (x − x₀) Xᵀ + v R, the same where a node has its axes near by and where it has not."""
    rng = np.random.default_rng(4)
    points = rng.normal(size=(4, 3))
    frame = shadow_frame(points, np.full(4, 2.0), np.full(4, 0.3))
    shadow = Shadow(frame.packed(points).words)
    turn, ways = exp_so3(rng.normal(size=3)), rng.normal(size=(4, 3))
    R = np.array([turn @ exp_so3(bent * way / np.linalg.norm(way)) for way in ways])
    x = points @ turn.T + 0.1 * bent * ways
    X, w = points - frame.weights @ points, frame.weights
    v = [B[TURNING_WEIGHT] for B in frame.B.reshape(4, 27)]
    S = np.einsum("k,ka,kb->ab", w, x - w @ x, X) + np.einsum("k,kab->ab", v, R)
    U, _, V = np.linalg.svd(S)
    status, x0, R0 = find_frame(shadow, 4, x.ravel(), R.ravel())
    assert status == 0
    np.testing.assert_allclose(x0, w @ x, atol=1e-14)
    np.testing.assert_allclose(np.reshape(R0, (3, 3)), U @ np.diag([1, 1, np.linalg.det(U @ V)]) @ V, atol=2e-14)


@pytest.mark.parametrize("off", [1e-9, 5e-3, -5e-3, 0.02])
def test_the_frame_is_no_saddle_where_the_first_node_is_half_a_turn_away(off):
    """From there Newton's method stays where it begins, and the twist would have the wrong sign."""
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0.5, 0.3, 0], [0.5, -0.3, 0.1]])
    frame = shadow_frame(points, np.full(4, 2.0), np.full(4, 0.3))
    R = np.array([exp_so3(np.array([np.pi + off, 0, 0])), *[np.eye(3)] * 3])
    v = [B[TURNING_WEIGHT] for B in frame.B.reshape(4, 27)]
    X, w = points - frame.weights @ points, frame.weights
    S = np.einsum("k,ka,kb->ab", w, X, X) + np.einsum("k,kab->ab", v, R)
    U, _, V = np.linalg.svd(S)
    status, _, R0 = find_frame(Shadow(frame.packed(points).words), 4, points.ravel(), R.ravel())
    assert status == 0
    np.testing.assert_allclose(np.reshape(R0, (3, 3)), U @ np.diag([1, 1, np.linalg.det(U @ V)]) @ V, atol=2e-14)


def test_centrifugal_load_is_that_of_the_finite_elements():
    """Consistent inertia: exactly the reduced load; the nodal form misses it by some percent."""
    body, omega = rod(), np.array([3.0, -2.0, 5.0])
    exact = np.einsum("i,j,ijr->r", omega, omega, body.reduced.invariants.centrifugal)
    np.testing.assert_allclose(spin_forces(body, omega), exact, atol=1e-9 * np.abs(exact).max())
    nodal = spin_forces(rod(inertia="nodal"), omega)
    assert np.abs(nodal - exact).max() > 0.01 * np.abs(exact).max()


def test_stretch_of_a_spinning_bar():
    """Driven at constant speed about one end until it is steady: u = ρω²L³/3E, and the stress at the root ρω²L²/2."""
    omega = 100.0
    thin = bar(1.0, 0.02, 0.02, divisions=(12, 1, 1), material=fx.Isotropic(young=7e10, poisson=0.0, density=2700.0))
    body = fx.FlexibleBody(
        "bar", thin, interfaces=ENDS, reduction=fx.CraigBampton(modes=30), damping=fx.Rayleigh(200.0, 1e-5)
    )
    model = fx.Model(
        "spin", [
            body,
            fx.Revolute("hub", fx.ground, body["a"], axis="z", start_rate=omega),
            fx.Motor("drive", "hub", speed=omega),
        ],
    )  # fmt: skip
    run = model.dynamics(until=0.15, step=2e-4, show=False)
    length = run["bar.b.position"].norm()[-1]
    assert length - 1 == pytest.approx(2700 * omega**2 / (3 * 7e10), rel=5e-3)
    stress = run.stress("bar", "xx")
    near = [node for node, x in zip(body.reduced.node_ids, body.reduced.nodes) if abs(x[0] - 0.25) < 1e-9]
    expected = 2700 * omega**2 / 2 * (1 - 0.25**2)
    assert np.mean([stress.at(int(node)).values[-1] for node in near]) == pytest.approx(expected, rel=0.02)


def momenta(run, body, row):
    """Linear and angular momentum: mass matrix of the position times velocities."""
    parts = body.parts(Start(Pose(), np.zeros(6)))
    element = parts.terms[0]

    def of(signal):
        return np.array([run[f"{node.name}.{signal}"].values[row] for node in parts.nodes])

    x, R = of("position"), quaternion_to_matrix(of("orientation"))
    v = np.hstack([of("velocity"), of("angular_velocity")])
    s = np.array([[run[q.name].values[row], run[f"{q.name}_rate"].values[row], 0.0] for q in parts.scalars])
    state = State(x=x, R=R, v=v, a=0 * v, s=s, lam=np.zeros(0), h=np.array(element.history), t=0.0, gravity=np.zeros(3))
    p = (matrix(element, state, (0.0, 0.0, 1.0)) @ state.rates)[: 6 * len(x)].reshape(-1, 2, 3)
    return p[:, 0].sum(axis=0), (np.cross(x, p[:, 0]) + p[:, 1]).sum(axis=0)


def test_free_flight_keeps_momentum_and_energy():
    """10⁴ steps at 200 rad/s (tip speed 100 m/s, stretch 2.6e-4) about no principal axis.

    The start is undeformed, so the bar rings; numerical damping takes that energy (1e-4 of the whole), no more.
    """
    body = rod(position=(0, 0, 0), velocity=(1, 2, 3), angular_velocity=(20, 200, 30), damping=fx.Rayleigh())
    run = fx.Model("flight", [body]).dynamics(until=1.0, step=1e-4, integrator=fx.GeneralizedAlpha(0.9), show=False)
    rows = np.linspace(0, len(run) - 1, 11).astype(int)
    P, L = (np.array(values) for values in zip(*(momenta(run, body, row) for row in rows)))
    assert len(run) == 10001
    assert np.abs(P - P[0]).max() < 1e-10 * np.linalg.norm(P[0])
    assert np.abs(L - L[0]).max() < 1e-4 * np.linalg.norm(L[0])
    energy, kinetic = run["energy.check_sum"].values, run["energy.kinetic"].values[0]
    assert np.ptp(energy) < 2e-4 * kinetic
    assert np.ptp(energy[5000:]) < 2e-5 * kinetic


def test_its_orientation_does_not_jump():
    """Several turns: the quaternion of the frame goes on smoothly through rows and chunks of rows."""
    body = rod(position=(0, 0, 0), angular_velocity=(0, 30, 0))
    run = fx.Model("turns", [body]).dynamics(until=1.0, step=2e-3, show=False)
    q = run["rod.orientation"].values
    assert np.abs(np.diff(q, axis=0)).max() < 0.05
    assert q[:, 0].min() < -0.99


def test_a_stiff_body_moves_like_a_rigid_one():
    def swing(**about):
        body = rod(**about)
        model = fx.Model("swing", [body, fx.Revolute("pin", fx.ground, body["a"], axis="z")], gravity=(0, -9.81, 0))
        return model.dynamics(until=1.0, step=1e-3, show=False)["pin.angle"].values[-1]

    exact = swing(formulation="rigid")
    errors = [abs(swing(stiffness_scale=scale) - exact) for scale in (1e-3, 1e-1)]
    assert errors[1] < 2e-5
    assert errors[1] < 0.05 * errors[0]


def test_mass_and_stiffness_scale_frequencies():
    base = held(rod()).modes(3).frequencies
    softer = held(rod(stiffness_scale=0.25)).modes(3).frequencies
    heavier = held(rod(mass_scale=4.0)).modes(3).frequencies
    np.testing.assert_allclose(softer[:3], 0.5 * base[:3], rtol=1e-9)
    np.testing.assert_allclose(heavier[:3], 0.5 * base[:3], rtol=1e-9)


def test_elimination_and_multipliers_agree():
    body = rod()
    ends = []
    for enforcement in ("elimination", "multipliers"):
        pin = fx.Revolute("pin", fx.ground, body["a"], axis="z", enforcement=enforcement)
        run = fx.Model("swing", [body, pin], gravity=(0, -9.81, 0)).dynamics(until=0.5, step=5e-4, show=False)
        ends.append(run["rod.b.position"].values[-1])
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-9)


def test_static_shape_of_a_spinning_body_is_that_of_its_mesh():
    """The reduced centrifugal load on the held body: connection b moves as the end of the full model."""
    omega = np.array([0.0, 0.0, 80.0])
    body = rod(reduction=fx.CraigBampton(modes=30), interfaces=SOFT_ENDS)
    load = -np.einsum("i,j,ijr->r", omega, omega, body.reduced.invariants.centrifugal)
    z = np.linalg.solve(body.reduced.K[6:, 6:], load[6:])
    spin = fx.Centrifugal(tuple(omega))
    full = fx.MeshStudy(MESH, fix=(ENDS["a"],), loads=(spin,)).statics().nodal
    assert z[0] == pytest.approx(full[np.isclose(MESH.points[:, 0], 1.0), 0].mean(), rel=2e-3)


def test_frame_of_points_in_a_line_needs_rotations():
    with pytest.raises(ModelError, match="no frame"):
        shadow_frame(np.outer([0.0, 1.0], [1, 0, 0]), np.ones(2), np.zeros(2), "average", turning=False)


def test_what_it_cannot_be_attached_to_is_told():
    body = rod()
    model = fx.Model("m", [body, fx.Revolute("pin", fx.ground, body.at(0.5, 0, 0))])
    with pytest.raises(ModelError, match="has no node"):
        model.check()
    nothing = fx.FlexibleBody("rod", "nowhere.inp", interfaces=ENDS)
    with pytest.raises(ModelError, match=r"nowhere\.inp"):
        fx.Model("m", [nothing, fx.Revolute("pin", fx.ground, nothing["a"])]).check()
    with pytest.raises(ValueError, match="one source"):
        fx.FlexibleBody("rod")
