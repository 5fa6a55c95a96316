"""Generic part: a mass on a spider with springs.   FTG A.16"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import eigh

import flexor as fx
from flexor.bodies.body import Start
from flexor.bodies.generic_part import SPRING_FREQUENCY, GenericPart
from flexor.errors import ModelError
from flexor.spatial import Pose, exp_so3, skew
from tests.laws.calls import energies, matrix, residual
from tests.laws.flexible import Sample
from tests.laws.states import ACCELERATIONS, COORDINATES, VELOCITIES, moved, slope
from tests.laws.test_tangent import derivative

LEGS = {"a": (0, 0, 0), "b": (1, 0, 0), "c": (0.3, 0.5, 0.1)}
MASS = {"mass": 2.0, "inertia": (0.06, 0.2, 0.21, 0.01, 0.005, -0.01), "center_of_mass": (0.4, 0.05, -0.02)}
counts = pytest.mark.parametrize("count", [1, 2, 3])


def part(count: int, **about: Any) -> GenericPart:
    markers = {name: LEGS[name] for name in list(LEGS)[:count]}
    soft = {"translational_stiffness": 5e3, "rotational_stiffness": 70.0, "damping": 1e-3}
    return GenericPart("link", markers=markers, **{**MASS, **soft, **about})


def lowered(body: GenericPart) -> Sample:
    return Sample(body, body.parts(Start(Pose(), np.zeros(6))))


def rigid_motion(points: np.ndarray) -> np.ndarray:
    return np.vstack([np.block([[np.eye(3), -skew(x)], [np.zeros((3, 3)), np.eye(3)]]) for x in points])


@counts
def test_rigid_motion_has_the_mass_and_no_strain(count):
    body = part(count)
    c, made = np.array(body.center_of_mass), body.condensed
    R = rigid_motion(body.points)
    arm = body.mass * skew(c)
    expected = np.block([[body.mass * np.eye(3), -arm], [arm, body.inertia_matrix - arm @ skew(c)]])
    np.testing.assert_allclose(R.T @ made.M @ R, expected, atol=1e-12)
    np.testing.assert_allclose(made.K @ R, 0, atol=1e-9)
    np.testing.assert_allclose(made.B @ R, rigid_motion(c[None]), atol=1e-12)  # the sign of FTG (A.28)


def test_condensation_is_that_of_the_spider_with_its_centre():
    """FTG (A.25), (A.26) with the centre kept, condensed by its Schur complement."""
    body = part(3)
    k_t, k_r = body.stiffness
    k = np.diag([k_t] * 3 + [k_r] * 3)
    whole = np.zeros((24, 24))
    for i, e in enumerate(body.points - np.array(body.center_of_mass)):
        leg = np.block([[np.eye(3), -skew(e)], [np.zeros((3, 3)), np.eye(3)]])
        D = np.zeros((6, 24))
        D[:, 6 * i : 6 * i + 6], D[:, 18:] = np.eye(6), -leg
        whole += D.T @ k @ D
    solved = np.linalg.solve(whole[18:, 18:], whole[18:, :18])
    np.testing.assert_allclose(body.condensed.K, whole[:18, :18] - whole[:18, 18:] @ solved, atol=1e-9)
    np.testing.assert_allclose(body.condensed.B, -solved, atol=1e-12)
    central = np.zeros((6, 6))
    central[:3, :3], central[3:, 3:] = body.mass * np.eye(3), body.inertia_matrix
    np.testing.assert_allclose(body.condensed.field.M, solved.T @ central @ solved, atol=1e-12)  # (A.30)


def test_stiffness_from_the_frequency():
    """FTG (A.31), (A.32) read as mean moment of inertia: the same in all axes."""
    f = 250.0
    turned = exp_so3(np.array([0.3, -1.1, 0.7]))
    J = np.diag([0.06, 0.2, 0.21])
    for axes in (np.eye(3), turned):
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = axes @ J @ axes.T
        body = GenericPart("link", 2.0, (xx, yy, zz, xy, xz, yz), markers={"a": (0, 0, 0)}, frequency="250 Hz")
        k_t, k_r = body.stiffness
        assert np.sqrt(k_t / 2.0) / (2 * np.pi) == pytest.approx(f)
        assert np.sqrt(k_r / (0.47 / 3)) / (2 * np.pi) == pytest.approx(f)


def test_frequencies_with_one_end_held():
    """Along the line of two markers the centre moves by half of the free end's motion: ω² = (k/2) / (m/4)."""
    f, J = 250.0, 0.09
    body = GenericPart("link", 2.0, (J, J, J), markers={"a": (-0.1, 0, 0), "b": (0.1, 0, 0)}, frequency=f)
    K, M = (A[6:, 6:] for A in (body.condensed.K, body.condensed.M))
    found = np.sqrt(eigh(K, M, eigvals_only=True)) / (2 * np.pi)
    expected = np.sqrt(2.0 / (1 + 2 / SPRING_FREQUENCY**2)) * f
    assert np.sum(np.isclose(found, expected, rtol=1e-9)) == 2  # along x and about x
    assert found.min() > 0.9 * f


@counts
def test_tangent_is_the_derivative(count):
    made = lowered(part(count))
    element = made.terms[0]
    state = made.state(element, 0)
    found = [derivative(element, state, 0, what, element.size) for what in (COORDINATES, VELOCITIES, ACCELERATIONS)]
    for c in (*np.eye(3), (0.7, -1.3, 0.4)):
        expected = sum(factor * part for factor, part in zip(c, found))
        np.testing.assert_allclose(matrix(element, state, c), expected, rtol=0, atol=1e-9 * np.abs(expected).max())


@counts
def test_power_balances_to_first_order(count):
    made = lowered(part(count))
    element = made.terms[0]

    def mismatch(size: float) -> float:
        state = made.state(element, 1, deformation=size, rates=size)
        stored = slope(lambda tau: energies(element, moved(state, tau))[:3].sum(), 1e-4)
        return float(residual(element, state) @ state.rates - stored - energies(element, state)[3])

    scale = energies(element, made.state(element, 1, deformation=0.0, rates=0.0))[0]
    assert abs(mismatch(0.0)) < 1e-9 * scale
    if count == 1:
        assert abs(mismatch(0.1)) < 1e-9 * scale
    else:
        assert abs(mismatch(2e-3)) > 3.5 * abs(mismatch(1e-3))  # a first-order error would double


def test_with_one_marker_it_is_a_rigid_body():
    """Inertia forces are those of the rigid body, moved from the centre of mass to the marker."""
    made = lowered(part(1))
    state = made.state(made.terms[0], 4)
    rigid = part(1).rigid()
    (element,) = rigid.parts(Start(Pose(), np.zeros(6))).terms
    arm = state.R[0] @ np.array(rigid.center_of_mass)
    omega, alpha = state.v[0, 3:], state.a[0, 3:]
    central = made.state(made.terms[0], 4)
    central.x[0] += arm
    central.v[0, :3] += np.cross(omega, arm)
    central.a[0, :3] += np.cross(alpha, arm) + np.cross(omega, np.cross(omega, arm))
    force, moment = residual(element, central).reshape(2, 3)
    expected = np.concatenate([force, moment + np.cross(arm, force)])
    np.testing.assert_allclose(residual(made.terms[0], state), expected, rtol=1e-11, atol=1e-11)


def pendulum(kind: Any, **about: Any) -> Any:
    body = kind("arm", markers={"pin": (0, 0, 0), "tip": (1, 0, 0)}, **MASS, **about)
    return fx.Model("pendulum", [body, fx.Revolute("pin", fx.ground, body["pin"], axis="z")], gravity=(0, -9.81, 0))


def test_pendulum_swings_like_a_rigid_body():
    settings = {"until": 1.0, "step": 1e-3}
    exact = pendulum(fx.RigidBody).dynamics(**settings)["pin.angle"].values
    errors = [
        np.abs(pendulum(GenericPart, frequency=f).dynamics(**settings)["pin.angle"].values - exact).max()
        for f in (30.0, 1e4)
    ]
    assert np.ptp(exact) > 3.0
    assert errors[1] < 2e-5 < errors[0]


def slider_crank(kind: Any, **about: Any) -> Any:
    rod = kind("rod", 0.8, (1e-4, 8e-3, 8e-3), center_of_mass=(0.12, 0, 0), markers={"big": (0, 0, 0), "small": (0.3, 0, 0)}, **about)  # fmt: skip
    crank = fx.RigidBody("crank", 1.2, (2e-3, 2e-3, 4e-3))
    piston = fx.RigidBody("piston", 0.5, (1e-4, 1e-4, 1e-4))
    return fx.Model(
        "slider-crank",
        [
            rod,
            crank,
            piston,
            fx.Revolute("main", fx.ground, crank.at(0, 0, 0), axis="z"),
            fx.Revolute("pin", crank.at(0.08, 0, 0), rod["big"], axis="z"),
            fx.Revolute("wrist", rod["small"], piston.at(0, 0, 0), axis="z"),
            fx.Prismatic("bore", fx.ground, piston.at(0, 0, 0), axis="x"),
            fx.Motor("drive", joint="main", speed=fx.ramp(0, 100.0, over=0.05)),
        ],
    )


@pytest.mark.filterwarnings("ignore::flexor.solve.prepare.RedundantConstraints")
def test_slider_crank_with_a_rod_almost_rigid():
    """The remaining error is that of the stiffness, in proportion to 1/f²; the torque follows."""
    settings = {"until": 0.1, "step": 2e-4}
    exact = slider_crank(fx.RigidBody).dynamics(**settings)
    errors = []
    for f in (1e3, 1e4):
        run = slider_crank(GenericPart, frequency=f, damping=1e-6).dynamics(**settings)
        errors.append(np.abs(run["piston.position"].values - exact["piston.position"].values).max())
        torque = run["drive.torque"].values - exact["drive.torque"].values
        assert np.abs(torque[100:]).max() < 2e-3 * np.ptp(exact["drive.torque"].values)
    assert np.ptp(exact["piston.position"].values[:, 0]) > 0.15
    assert errors[1] < 1e-6
    assert errors[0] == pytest.approx(100 * errors[1], rel=0.1)


@pytest.mark.parametrize(
    ("about", "what"),
    [
        ({"markers": {}}, "no markers"),
        ({"mass": 0.0, "inertia": 0.0}, "no mass"),
        ({"inertia": 0.0, "markers": {"a": (0.4, 0.05, -0.02)}}, "rotational stiffness"),
        ({"translational_stiffness": 1e5, "rotational_stiffness": 1e3, "frequency": 50}, "frequency has no effect"),
    ],
)
def test_incomplete_parts_are_refused(about, what):
    with pytest.raises(ModelError, match=what):
        GenericPart("link", **{**MASS, "markers": LEGS, **about})


def test_attachments_are_markers():
    body = part(2)
    assert body.carrier(None, np.array([1.0, 0, 0]))[0] == 1
    with pytest.raises(ModelError, match=r"generic part 'link': something attaches at \(0.5, 0, 0\) m"):
        body.carrier(None, np.array([0.5, 0, 0]))


def test_it_is_written_and_read():
    body = part(3, frequency="2 kHz", rotational_stiffness=None)
    assert GenericPart(**body.model_dump(mode="json")) == body
    assert body.model_dump()["type"] == "generic_part"
