"""Equilibrium and modes in steady rotation against closed forms and the theory of rotating beams."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.polynomial import Legendre, Polynomial
from scipy.linalg import eigh

import flexor as fx
from flexor.bodies.formulations import FORMULATIONS
from flexor.engine.initial import move, set_proper
from flexor.law import RESIDUAL
from flexor.materials import Isotropic
from flexor.mesh.generate import bar
from flexor.mesh.section import Rectangle
from flexor.solve import UnstableEquilibrium, modes, statics
from flexor.solve.linearise import linearise
from flexor.solve.mode_doubts import MovingState
from flexor.solve.prepare import compile_model
from flexor.solve.rotation import generator, seen_from_frame, turntable
from flexor.solve.statics import find_equilibrium

MOVING = pytest.mark.parametrize("formulation", [f for f in ("superelement", "floating") if f in FORMULATIONS])
BOTH = pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
E, RHO, LENGTH, SIDE = 2e11, 7850.0, 1.0, 0.02
STEEL = Isotropic(E, 0.3, RHO)
PERIOD = np.sqrt(RHO * SIDE**2 * LENGTH**4 / (E * SIDE**4 / 12))
"""Makes frequencies of the beam dimensionless [s]."""


def blade(pieces: int, enforcement: str = "multipliers", formulation: str = "superelement") -> fx.Model:
    """A square beam along x, clamped at the origin, of several flexible bodies in series."""
    length = LENGTH / pieces
    mesh = bar(length, SIDE, SIDE, (32 // pieces, 1, 1), element="beam2", material=STEEL, section=Rectangle(SIDE, SIDE))
    faces = {"a": fx.plane((0, 0, 0), "x"), "b": fx.plane((length, 0, 0), "x")}
    items, last = [], fx.ground
    for i in range(pieces):
        piece = fx.FlexibleBody(
            f"piece{i}",
            mesh,
            interfaces=faces,
            reduction=fx.CraigBampton(modes=4),
            position=(i * length, 0, 0),
            formulation=formulation,
        )
        items += [piece, fx.Fixed(f"weld{i}", last, piece["a"], enforcement=enforcement)]
        last = piece["b"]
    return fx.Model("blade", items)


def rotating_beam(speed: float, functions: int = 12) -> np.ndarray:
    """Flapping frequencies of a clamped Euler beam, ω²M = ∫w″² + speed² ∫½(1 − x²)w′², dimensionless; Ritz."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    x, weights = 0.5 * (nodes + 1), 0.5 * weights
    shapes = [
        Polynomial([0, 0, 1]) * Legendre.basis(k, domain=[0, 1]).convert(kind=Polynomial) for k in range(functions)
    ]
    w, w1, w2 = (np.array([f.deriv(d)(x) for f in shapes]) for d in range(3))
    K = (w2 * weights) @ w2.T + speed**2 * (w1 * weights * 0.5 * (1 - x**2)) @ w1.T
    return np.sqrt(eigh(K, (w * weights) @ w.T, eigvals_only=True)[:3])


def first_frequencies(found) -> tuple[float, float]:
    """Lowest frequencies of lead-lag (y) and flap (z), dimensionless."""
    result = []
    for axis in "yz":
        rows = [i for i, name in enumerate(found.names) if name.endswith(f"b: {axis}")]
        others = [i for i, name in enumerate(found.names) if name.endswith(f"b: {'zy'['yz'.index(axis)]}")]
        own = [
            m for m in range(len(found)) if np.abs(found.shapes[rows, m]).max() > np.abs(found.shapes[others, m]).max()
        ]
        result.append(2 * np.pi * PERIOD * found.frequencies[own[0]])
    return result[0], result[1]


@BOTH
def test_slider_on_a_turntable(enforcement):
    """k (r − r₀) = m Ω² r, and the frequency √(k/m − Ω²)."""
    m, k, r0, speed = 2.0, 1000.0, 0.5, 12.0
    slider = fx.RigidBody("slider", m, (0.01, 0.01, 0.01))
    rail = fx.Prismatic("rail", fx.ground.at(r0, 0, 0), slider, axis="x", enforcement=enforcement)
    model = fx.Model("m", [slider, rail, fx.JointSpring("spring", "rail", stiffness=k)])
    found = statics(model, angular_velocity=(0, 0, speed))
    assert found["slider.position_x"] == pytest.approx(r0 * k / (k - m * speed**2), rel=1e-10)
    assert found.iterations < 8
    several = statics(model, angular_velocity=(0, 0, speed), load_steps=4)
    assert several["slider.position_x"] == pytest.approx(found["slider.position_x"], rel=1e-10)
    vibration = modes(model, angular_velocity=(0, 0, speed))
    assert 2 * np.pi * vibration.frequencies[0] == pytest.approx(np.sqrt(k / m - speed**2), rel=1e-9)


def slider_at(speed: float, eccentricity: float = 0.5):
    """Of 1 kg on 100 N/m: 10 rad/s are critical."""
    slider = fx.RigidBody("slider", 1.0, 1.0)
    rail = fx.Prismatic("rail", fx.ground.at(eccentricity, 0, 0), slider, axis="x")
    model = fx.Model("m", [slider, rail, fx.JointSpring("spring", "rail", stiffness=100.0)])
    return statics(model, angular_velocity=(0, 0, speed))["rail.displacement"]


@pytest.mark.parametrize(("speed", "eccentricity"), [(9.94, 0.5), (9.999, 0.5), (9.99999, 1e-6)])
def test_near_a_critical_speed_displacements_may_be_many_times_the_model(speed, eccentricity):
    """e Ω²/(k/m − Ω²): the equation is linear, however far it leads."""
    expected = eccentricity * speed**2 / (100 - speed**2)
    assert slider_at(speed, eccentricity) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("speed", [11.0, 15.0])
def test_beyond_a_critical_speed_the_equilibrium_is_told_to_be_so(speed):
    """The same formula, on the other side; on a rail no gyroscopic force holds it."""
    with pytest.warns(UnstableEquilibrium, match="beyond a critical speed"):
        found = slider_at(speed)
    assert found == pytest.approx(0.5 * speed**2 / (100 - speed**2), rel=1e-9)


@pytest.mark.parametrize("speed", [1.0, 7.0, 8.0, 9.0, 9.99])
def test_a_mass_on_a_spring_from_the_axis(speed):
    """k (r − ℓ) = m Ω² r. The mass metric that is added at first must not just make up for −m Ω² across the spring."""
    mass = fx.PointMass("mass", 1.0, position=(1, 0, 0))
    model = fx.Model("m", [mass, fx.AxialSpring("spring", fx.ground, mass, stiffness=100.0, free_length=1.0)])
    found = statics(model, angular_velocity=(0, 0, speed))
    np.testing.assert_allclose(found["mass.position"], [100 / (100 - speed**2), 0, 0], rtol=1e-9, atol=1e-9)


def test_where_nothing_can_hold_it_the_speed_is_named():
    """The spring would have to be of negative length: −100/21 m."""
    mass = fx.PointMass("mass", 1.0, position=(1, 0, 0))
    model = fx.Model("m", [mass, fx.AxialSpring("spring", fx.ground, mass, stiffness=100.0, free_length=1.0)])
    with pytest.raises(fx.SolveError, match="beyond a critical one"):
        statics(model, angular_velocity=(0, 0, 11.0))


@BOTH
@pytest.mark.parametrize(("axis", "extra"), [("z", 0.0), ("y", 0.3**2 + 0.01 - 0.001)])
def test_pendulum_at_the_rim(enforcement, axis, extra):
    """Only the centrifugal force holds it: J ω² = (m a e + extra) Ω²; extra, m e² + J_y − J_x, for flapping alone."""
    e, a, speed = 0.3, 0.5, 12.0
    arm = fx.RigidBody("arm", 1.0, (0.001, 0.01, 0.01), center_of_mass=(e, 0, 0))
    center = (0.2, -0.1, 0.4)
    hinge = fx.ground.at(center[0] + a, center[1], center[2])
    pin = fx.Revolute("pin", hinge, arm, axis=axis, start="20 deg", enforcement=enforcement)
    model = fx.Model("m", [arm, pin])
    where = {"angular_velocity": (0, 0, speed), "about": center}
    rest = statics(model, **where)
    assert rest["pin.angle"] == pytest.approx(0, abs=1e-9)
    expected = speed * np.sqrt((a * e + extra) / (0.01 + e**2))
    assert 2 * np.pi * modes(model, **where).frequencies[0] == pytest.approx(expected, rel=1e-9)
    # about the saved position, without looking for it again
    again = modes(model, state=rest.state, **where)
    assert 2 * np.pi * again.frequencies[0] == pytest.approx(expected, rel=1e-9)


@BOTH
def test_centrifugal_governor(enforcement):
    """Gravity along the axis: cos θ = g/(Ω² ℓ) from the vertical, and small motions at Ω sin θ."""
    g, length, speed = 9.81, 0.4, 8.0
    ball = fx.RigidBody("ball", 1.5, (1e-9, 1e-9, 1e-9), center_of_mass=(length, 0, 0))
    pin = fx.Revolute("pin", fx.ground, ball, axis="y", start="60 deg", enforcement=enforcement)
    model = fx.Model("governor", gravity=(0, 0, -g), items=[ball, pin])
    found = statics(model, angular_velocity=(0, 0, "8 rad/s"))
    theta = np.arccos(g / (speed**2 * length))
    assert found["pin.angle"] == pytest.approx(np.pi / 2 - theta, rel=1e-7)
    vibration = modes(model, angular_velocity=(0, 0, speed))
    assert 2 * np.pi * vibration.frequencies[0] == pytest.approx(speed * np.sin(theta), rel=1e-6)


def test_gravity_across_the_axis_is_refused():
    arm = fx.RigidBody("arm", 1.0, (0.001, 0.01, 0.01), center_of_mass=(0.3, 0, 0))
    model = fx.Model("m", gravity=(0, 0, -9.81), items=[arm, fx.Revolute("pin", fx.ground, arm, axis="y")])
    with pytest.raises(fx.ModelError, match="gravity acts across the axis"):
        statics(model, angular_velocity=(0, 5, 0))


def test_mass_on_springs_whirls_in_the_rotating_frame():
    """A mass on equal springs seen from a frame that turns: forward whirl at ω − Ω, backward at ω + Ω."""
    m, k, speed = 2.0, 800.0, 7.0
    bob = fx.PointMass("bob", m)
    springs = [
        fx.AxialSpring(f"s{axis}{sign}", fx.ground.at(*(sign * np.eye(3)[axis])), bob, stiffness=k / 2, free_length=1)
        for axis in range(3)
        for sign in (1, -1)
    ]
    found = modes(fx.Model("m", [bob, *springs]), angular_velocity=(0, 0, speed))
    omega = np.sqrt(k / m)
    np.testing.assert_allclose(2 * np.pi * found.frequencies, [omega - speed, omega, omega + speed], rtol=1e-9)
    np.testing.assert_allclose(found.whirl, [1, 0, -1], atol=1e-9)
    assert "backward" in str(found)


@MOVING
def test_rotating_bar_stretches(formulation):
    """u = ρ Ω² L³/3E at the tip, root force ρ A Ω² L²/2."""
    speed = 300.0
    found = blade(1, formulation=formulation).statics(angular_velocity=(0, 0, speed))
    exact = RHO * speed**2 * LENGTH**3 / (3 * E)
    softening = RHO * speed**2 * LENGTH**2 / E  # the load grows as the bar stretches
    assert found["piece0.b.position_x"] - LENGTH == pytest.approx(exact, rel=softening)
    assert found["weld0.force_x"] == pytest.approx(-RHO * SIDE**2 * speed**2 * LENGTH**2 / 2, rel=2 * softening)
    assert found["piece0.b.velocity_y"] == pytest.approx(speed * found["piece0.b.position_x"], rel=1e-12)


@pytest.mark.parametrize("pieces", [1, 2])
@pytest.mark.parametrize("enforcement", ["multipliers", "auto"])  # auto eliminates nodes of flexible bodies
def test_stiffness_is_the_derivative_of_the_forces(pieces, enforcement):
    """With velocities and accelerations that follow from the position: matrices of Newton and of the modes."""
    system = compile_model(blade(pieces, enforcement), symmetric=False)
    rotation = turntable(system, (20.0, 60.0, 170.0), (0.05, 0.02, 0.1))
    find_equilibrium(system, rotation=rotation)
    m = linearise(system)
    own = m.equations
    system.evaluate(3, 1.0, 0.0, 0.0)
    newton = system.solver.to_csc()[own][:, own].toarray() + rotation.stiffness(system, own).toarray()
    seen = seen_from_frame(m, generator(system, rotation.omega, own)).K.toarray()
    keep = system.copy("x", "R", "s")
    numerical = np.zeros_like(seen)
    eps = 1e-6
    for column, equation in enumerate(own):
        for sign in (1.0, -1.0):
            delta = np.zeros(system.equations.pattern.n)
            delta[equation] = sign * eps
            move(system, delta)
            rotation.impose(system)
            set_proper(system)
            system.evaluate(RESIDUAL)
            numerical[:, column] += sign * system.memory.residual[own] / (2 * eps)
            system.put(keep)
    scale = np.abs(numerical).max()
    assert np.abs(seen - numerical).max() < 1e-8 * scale
    assert np.abs(newton - numerical).max() < 1e-8 * scale


def test_theory_of_the_rotating_beam():
    """A. D. Wright et al., J. Appl. Mech. 49 (1982) 197, hub of no radius."""
    printed = {0: (3.5160, 22.0345), 2: (4.1373, 22.6149), 6: (7.3604, 26.8091), 12: (13.1702, 37.6031)}
    for speed, frequencies in printed.items():
        np.testing.assert_allclose(rotating_beam(speed)[:2], frequencies, rtol=2e-5)


@MOVING
def test_centrifugal_stiffening_comes_with_the_number_of_pieces(formulation):
    """Flap against the theory, lead-lag ω² − Ω² against it; a piece stiffens as its frame turns, not inside itself."""
    speed = 6.0
    flap = rotating_beam(speed)[0]
    exact = np.array([np.sqrt(flap**2 - speed**2), flap])
    errors = []
    for pieces in (1, 2, 4, 8):
        model = blade(pieces, formulation=formulation)
        found = first_frequencies(model.modes(4, angular_velocity=(0, 0, speed / PERIOD)))
        errors.append(found / exact - 1)
    errors = np.array(errors)
    assert np.all(errors < 0)
    assert np.all(np.abs(errors[0]) < [0.33, 0.1])
    assert np.all(errors[1:] / errors[:-1] < [[0.5, 0.5], [0.4, 0.4], [0.4, 0.4]])
    assert np.all(np.abs(errors[3]) < [0.011, 0.004])


@pytest.mark.skipif("floating" not in FORMULATIONS, reason="no floating frame of reference")
@pytest.mark.parametrize("speed", [6.0, 12.0])
def test_one_body_with_geometric_stiffening(speed):
    """Flap as the theory says; lead-lag a little lower, since it is coupled with stretching by Coriolis forces."""
    mesh = bar(LENGTH, SIDE, SIDE, (32, 1, 1), element="beam2", material=STEEL, section=Rectangle(SIDE, SIDE))
    faces = {"a": fx.plane((0, 0, 0), "x"), "b": fx.plane((LENGTH, 0, 0), "x")}
    beam = fx.FlexibleBody(
        "beam",
        mesh,
        interfaces=faces,
        reduction=fx.CraigBampton(modes=8),
        formulation="floating",
        stiffening=True,
    )
    model = fx.Model("blade", [beam, fx.Fixed("clamp", fx.ground, beam["a"], enforcement="multipliers")])
    lag, flap = first_frequencies(model.modes(4, angular_velocity=(0, 0, speed / PERIOD)))
    exact = rotating_beam(speed)[0]
    assert flap == pytest.approx(exact, rel=5e-4)
    assert lag == pytest.approx(np.sqrt(exact**2 - speed**2), rel=5e-3)


def test_tension_raises_the_frequency_of_a_beam():
    """Pinned beam under tension N: ω² = (π/L)² (N + EI (π/L)²)/ρA.

    Of n pieces, N acts on the chords alone, whose slopes are smaller: (sin(π/2n)/(π/2n))² N.
    """
    pieces, tension = 4, 40e3
    length = LENGTH / pieces
    mesh = bar(length, SIDE, SIDE, (8, 1, 1), element="beam2", material=STEEL, section=Rectangle(SIDE, SIDE))
    faces = {"a": fx.plane((0, 0, 0), "x"), "b": fx.plane((length, 0, 0), "x")}
    bodies = [
        fx.FlexibleBody(
            f"p{i}", mesh, interfaces=faces, reduction=fx.CraigBampton(modes=4), position=(i * length, 0, 0)
        )
        for i in range(pieces)
    ]
    joints = [fx.Fixed(f"w{i}", a["b"], b["a"], enforcement="multipliers") for i, (a, b) in enumerate(pairwise(bodies))]
    ends = [
        fx.Universal("left", fx.ground, bodies[0]["a"], enforcement="multipliers"),
        fx.PointOnLine("right", fx.ground.at(LENGTH, 0, 0), bodies[-1]["b"], axis="x", enforcement="multipliers"),
        fx.PointForce("pull", bodies[-1]["b"], direction="x", force=tension),
    ]
    found = fx.Model("string", [*bodies, *joints, *ends]).modes(2)
    beta = np.pi / LENGTH
    felt = tension * np.sinc(0.5 / pieces) ** 2
    assert felt > 0.94 * tension
    expected = beta * np.sqrt((felt + E * SIDE**4 / 12 * beta**2) / (RHO * SIDE**2)) / (2 * np.pi)
    np.testing.assert_allclose(found.frequencies, expected, rtol=0.0015)
    slack = fx.Model("string", [*bodies, *joints, *ends[:2]]).modes(2).frequencies
    assert np.all(found.frequencies > 1.4 * slack)


def test_modes_about_a_state_of_a_run():
    """A pendulum stopped by a brake-like motor halfway has the frequencies of its flexible arm there, not below."""
    mesh = bar(0.5, SIDE, SIDE, (8, 1, 1), element="beam2", material=STEEL, section=Rectangle(SIDE, SIDE))
    faces = {"a": fx.plane((0, 0, 0), "x"), "b": fx.plane((0.5, 0, 0), "x")}
    arm = fx.FlexibleBody("arm", mesh, interfaces=faces, reduction=fx.CraigBampton(modes=4))
    model = fx.Model("m", [arm, fx.Revolute("pin", fx.ground, arm["a"], axis="z")], gravity=(0, -9.81, 0))
    run = model.dynamics(until=0.1, step=0.002, show=False)
    with pytest.warns(MovingState, match="angular_velocity"):  # it swings slowly: frozen coefficients serve well
        here = model.modes(4, state=run.state)
    start = model.modes(4, at="start")
    # held by nothing across gravity: the rigid swing differs with the angle, bending hardly
    assert abs(run["pin.angle"].values[-1]) > 0.05
    np.testing.assert_allclose(here.frequencies[1:], start.frequencies[1:], rtol=2e-3)
    assert here.frequencies[0] != pytest.approx(start.frequencies[0], rel=1e-3)
