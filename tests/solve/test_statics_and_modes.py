"""Equilibria and natural modes against closed forms."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipk

import flexor as fx
from flexor.mesh.generate import bar
from flexor.solve import UnstableEquilibrium, modes, statics

G = 9.81


def test_mass_on_a_spring_hangs_at_mg_over_k():
    bob = fx.PointMass("bob", 2.0, position=(0, 0, -1))
    model = fx.Model(
        "m", gravity=(0, 0, -G), items=[bob, fx.AxialSpring("s", fx.ground, bob, stiffness=400, free_length=1)]
    )
    rest = statics(model)
    assert rest["bob.position_z"] == pytest.approx(-1 - 2 * G / 400, rel=1e-12)
    assert rest["s.force"] == pytest.approx(2 * G, rel=1e-12)
    # vertical ω² = k/m; sideways a pendulum of the stretched length: ω² = g/ℓ, twice
    found = modes(model)
    expected = np.sqrt([G / (1 + 2 * G / 400), G / (1 + 2 * G / 400), 400 / 2.0]) / (2 * np.pi)
    np.testing.assert_allclose(found.frequencies, expected, rtol=1e-9)


@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
def test_double_pendulum_modes(enforcement):
    """Two equal uniform rods: ω² = (3 ∓ 6/√7) g/ℓ.   Landau & Lifshitz, Mechanics, §23-like small oscillations"""
    length, mass = 1.2, 3.0
    inertia = (1e-3, mass * length**2 / 12, mass * length**2 / 12)
    rods = [fx.RigidBody(name, mass, inertia, center_of_mass=(length / 2, 0, 0)) for name in ("one", "two")]
    joints = [
        fx.Revolute("a", fx.ground, rods[0], axis="y", start="90 deg", enforcement=enforcement),
        fx.Revolute("b", rods[0].at(length, 0, 0), rods[1], axis="y", enforcement=enforcement),
    ]
    found = modes(fx.Model("d", gravity=(0, 0, -G), items=[*rods, *joints]))
    omega2 = np.array([3 - 6 / np.sqrt(7), 3 + 6 / np.sqrt(7)]) * G / length
    np.testing.assert_allclose((2 * np.pi * found.frequencies) ** 2, omega2, rtol=1e-9)


def test_damped_oscillator_has_complex_modes():
    """λ = −ζω ± iω√(1 − ζ²)"""
    m, k, d = 2.0, 50.0, 3.0
    slider = fx.RigidBody("slider", m, (1, 1, 1))
    items = [
        slider,
        fx.Prismatic("rail", fx.ground, slider, axis="x"),
        fx.JointSpring("spring", "rail", stiffness=k, damping=d),
    ]
    found = modes(fx.Model("m", items=items), complex=True)
    omega, zeta = np.sqrt(k / m), d / (2 * np.sqrt(k * m))
    assert len(found) == 1
    assert found.eigenvalues[0] == pytest.approx(complex(-zeta * omega, omega * np.sqrt(1 - zeta**2)), rel=1e-9)
    assert found.damping[0] == pytest.approx(zeta, rel=1e-9)


@pytest.mark.parametrize("formulation", ["floating", "superelement"])
def test_directions_of_an_unstable_equilibrium_are_counted(formulation):
    """Two flexible bars balanced on balls topple in 2 × 2 ways; that each may turn about itself is neutral."""
    mesh = bar(0.5, 0.02, 0.005, (8, 1, 1), element="hex20", material=fx.Steel())
    lower, upper = (
        fx.FlexibleBody(name, mesh=mesh, interfaces={"l": "x_min", "r": "x_max"}, formulation=formulation)
        for name in ("lower", "upper")
    )
    balls = [fx.Spherical("a", fx.ground, lower["l"]), fx.Spherical("b", lower["r"], upper["l"])]
    with pytest.warns(UnstableEquilibrium, match="unstable in 4 ways"):
        fx.Model("tower", [lower, upper, *balls], gravity=(-9.81, 0, 0)).statics()


def test_unstable_equilibrium_shows_a_negative_frequency():
    rod = fx.RigidBody("rod", 1.0, (1e-3, 1 / 12, 1 / 12), center_of_mass=(0.5, 0, 0))
    pin = fx.Revolute("pin", fx.ground, rod, axis="y", start="-90 deg")  # upright
    found = modes(fx.Model("m", gravity=(0, 0, -G), items=[rod, pin]), at="start")
    assert found.frequencies[0] == pytest.approx(-np.sqrt(1.5 * G) / (2 * np.pi), rel=1e-9)


def test_spinning_rotor_splits_into_whirl():
    """A disc on an isotropic angular spring: ω = ±Ω Jp/2Jt + √((Ω Jp/2Jt)² + k/Jt)."""
    jp, jt, k, spin = 0.2, 0.12, 30.0, 40.0
    disc = fx.RigidBody("disc", 1.0, (jt, jt, jp), angular_velocity=(0, 0, spin))
    # gimbal: two massless-like rings are avoided by a spherical joint with springs on its two tilting angles
    arms = [fx.ground.at(0, 0, 1), fx.ground.at(0, 0, -1)]
    items = [disc, fx.Spherical("ball", fx.ground, disc)]
    stiffness = k / 2
    for i, arm in enumerate(arms):  # springs of no free length from the axis to the ground: k_θ = Σ k ℓ²
        items.append(fx.AxialSpring(f"s{i}", arm, disc.at(0, 0, 1 - 2 * i), stiffness=stiffness, free_length=0))
    found = modes(fx.Model("rotor", items=items), at="start", complex=True)
    half = spin * jp / (2 * jt)
    # the spring's line is as long as the arm turns: f = k d, torque k ℓ² sin θ for small θ
    expected = sorted([np.hypot(half, np.sqrt(k / jt)) - half, np.hypot(half, np.sqrt(k / jt)) + half])
    whirl = np.sort(np.abs(found.eigenvalues.imag))
    np.testing.assert_allclose([w for w in whirl if w > 1e-6], expected, rtol=1e-6)


def test_free_mechanism_has_no_equilibrium():
    body = fx.RigidBody("body", 1.0, (1, 1, 1))
    with pytest.raises(fx.SolveError) as caught:
        statics(fx.Model("m", gravity=(0, 0, -G), items=[body]))
    assert "free to move" in str(caught.value)


def test_load_steps_lead_to_the_same_equilibrium():
    beam = fx.RigidBody("beam", 1.0, (0.1, 0.1, 0.1))
    items = [
        beam,
        fx.Revolute("pin", fx.ground, beam, axis="y"),
        fx.JointSpring("torsion", "pin", stiffness=10),
        fx.PointForce("load", beam.at(1, 0, 0), direction="-z", force=25),
    ]
    model = fx.Model("m", items=items)
    one, many = statics(model), statics(model, load_steps=10)
    assert one["pin.angle"] == pytest.approx(many["pin.angle"], abs=1e-9)
    angle = one["pin.angle"]
    assert 10 * angle == pytest.approx(25 * np.cos(angle), rel=1e-9)


def test_a_freedom_that_nothing_moves_rests_where_it_is():
    """A balanced wheel on a pendulum: any angle of the wheel is an equilibrium, the pendulum hangs down."""
    arm = fx.RigidBody("arm", 1.0, (1e-3, 1e-2, 1e-2), center_of_mass=(0.25, 0, 0))
    wheel = fx.RigidBody("wheel", 2.0, 0.01)
    joints = [fx.Revolute("pin", fx.ground, arm, axis="z"), fx.Revolute("axle", arm.at(0.5, 0, 0), wheel, axis="z")]
    model = fx.Model("balanced", [arm, wheel, *joints], gravity=(0, -9.81, 0))
    assert model.statics()["pin.angle"] == pytest.approx(-np.pi / 2, abs=1e-8)
    found = model.modes(2).frequencies
    assert abs(found[0]) < 1e-5
    inertia = 1e-2 + 0.25**2 + 2 * 0.5**2  # the wheel does not turn
    assert found[1] == pytest.approx(np.sqrt((0.25 + 2 * 0.5) * 9.81 / inertia) / (2 * np.pi), rel=1e-6)


@pytest.mark.parametrize("enforcement", ["elimination", "multipliers"])
@pytest.mark.parametrize(("stiff", "soft", "force"), [(1e9, 1e-6, 1e-7), (1e12, 1e-3, 1e-2), (1e15, 1.0, 1.0)])
@pytest.mark.parametrize("wheel", [False, True])
def test_a_soft_spring_behind_a_stiff_one(stiff, soft, force, enforcement, wheel):
    """F/k of the soft spring, though the load is no more than rounding of the stiff one; beside what is free to turn, too."""
    a, b, c = (fx.RigidBody(name, 1.0, 1.0) for name in "abc")
    rails = [fx.Prismatic(f"rail_{x.name}", fx.ground, x, axis="x", enforcement=enforcement) for x in (a, b)]
    springs = [
        fx.JointSpring("stiff", "rail_a", stiffness=stiff),
        fx.AxialSpring("soft", a.at(0, 0.1, 0), b.at(1, 0.1, 0), stiffness=soft, free_length=1.0),
    ]
    items = [a, b, *rails, *springs, fx.PointForce("load", b, direction="x", force=force)]
    items += [c, fx.Revolute("axle", fx.ground, c, axis="z", enforcement=enforcement)] if wheel else []
    found = fx.Model("series", items).statics()
    assert found["rail_b.displacement"] == pytest.approx(force / soft, rel=1e-9)
    assert found["soft.force"] == pytest.approx(force, rel=1e-9)


def test_light_coordinates_beside_heavy_ones():
    """Two torsional oscillators whose inertias differ by 10¹³."""
    big = fx.RigidBody("big", 1e5, (1e6, 1e6, 1e6))
    small = fx.RigidBody("small", 0.01, (1e-7, 1e-7, 1e-7), position=(5, 0, 0))
    pins = [fx.Revolute("a", fx.ground, big, axis="z"), fx.Revolute("b", fx.ground.at(5, 0, 0), small, axis="z")]
    springs = [fx.JointSpring("c", joint="a", stiffness=1e9), fx.JointSpring("d", joint="b", stiffness=1e-3)]
    model = fx.Model("oscillators", [big, small, *pins, *springs])
    expected = np.sqrt([1e9 / 1e6, 1e-3 / 1e-7]) / (2 * np.pi)
    np.testing.assert_allclose(model.modes(4).frequencies, expected, rtol=1e-9)
    np.testing.assert_allclose(model.modes(4, complex=True).frequencies, expected, rtol=1e-9)


@pytest.mark.parametrize("enforcement", ["elimination", "multipliers"])
def test_where_nothing_is_free(enforcement):
    body = fx.RigidBody("body", 2.0, (1.0, 1.0, 1.0))
    model = fx.Model("held", [body, fx.Fixed("weld", fx.ground, body, enforcement=enforcement)], gravity=(0, 0, -9.81))
    assert len(model.modes()) == 0
    np.testing.assert_allclose(model.statics()["weld.force"], [0, 0, 19.62], atol=1e-9)
    run = model.dynamics(until=0.01, step=0.001, show=False)
    np.testing.assert_allclose(run["weld.force"].values, [[0, 0, 19.62]] * 11, atol=1e-9)


def test_a_whole_mesh_hangs_from_a_ball():
    """From where it lies to where it hangs is a quarter turn, where the angles of a ball joint are singular; its own turn
    about the vertical is indifferent."""
    mesh = bar(1.0, 0.02, 0.02, (8, 1, 1), element="hex20", material=fx.Steel())
    body = fx.FlexibleBody("bar", mesh, interfaces={"a": "x_min", "b": "x_max"}, formulation="full_mesh")
    model = fx.Model("hanging", [body, fx.Spherical("ball", fx.ground, body["a"])], gravity=(0, 0, -9.81))
    rest = model.statics()
    np.testing.assert_allclose(rest["bar.b.position"], [0, 0, -1], atol=1e-6)
    np.testing.assert_allclose(rest["ball.force"], [0, 0, 7850 * 0.02**2 * 9.81], atol=1e-4)


@pytest.mark.parametrize("pieces", [16, 20])
def test_a_chain_of_floating_bodies_rolls_up(pieces):
    """A quarter of a full roll-up: the tip is at 2/π of the length, along and up."""
    length, E, width, height = 1.0, 70e9, 0.02, 0.005
    mesh = bar(length / pieces, width, height, (2, 1, 1), element="hex20", material=fx.Isotropic(E, 0.0, 2700))
    bodies = [
        fx.FlexibleBody(
            f"piece_{i}",
            mesh,
            interfaces={"a": "x_min", "b": "x_max"},
            reduction=fx.CraigBampton(modes=2),
            position=(i * length / pieces, 0, 0),
            formulation="floating",
        )
        for i in range(pieces)
    ]
    seams = [fx.Fixed(f"seam_{i}", a["b"], b["a"]) for i, (a, b) in enumerate(pairwise(bodies))]
    torque = 0.5 * np.pi * E * width * height**3 / 12 / length
    ends = [
        fx.Fixed("clamp", fx.ground, bodies[0]["a"]),
        fx.PointTorque("turn", bodies[-1]["b"], torque=torque, direction="-y"),
    ]
    rest = fx.Model("roll-up", [*bodies, *seams, *ends]).statics()
    x, _, z = rest[f"piece_{pieces - 1}.b.position"]
    np.testing.assert_allclose([x, z], 2 / np.pi, rtol=2e-3)


@pytest.mark.parametrize("enforcement", ["elimination", "multipliers"])
@pytest.mark.parametrize("start", [-80.0, -30.0, 0.0, 60.0, 150.0])
def test_a_pendulum_finds_its_stable_equilibrium(start, enforcement):
    """From anywhere but the top itself, where it would stay: it hangs down, the angle from the horizontal is 90°."""
    rod = fx.RigidBody("rod", 2.0, (1e-3, 0.1, 0.1), center_of_mass=(0.5, 0, 0))
    pin = fx.Revolute("pin", fx.ground, rod, axis="y", start=f"{start} deg", enforcement=enforcement)
    model = fx.Model("pendulum", [rod, pin], gravity=(0, 0, -9.81))
    angle = model.statics()["pin.angle"]
    assert np.cos(angle - np.pi / 2) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.filterwarnings("error::flexor.solve.UnstableEquilibrium")
def test_an_indifferent_turn_beside_stiff_beams():
    """A ball joint leaves a square bar free to turn about its bent axis: what stiffness that seems to have is rounding.

    A spring carries half of its weight.
    """
    E, side, length, k = 2e11, 0.1, 2.0, 2e5
    beam = fx.Beam(
        "beam",
        points=[(0, 0, 0), (length, 0, 0)],
        section=fx.Rectangle(side, side),
        material=fx.Isotropic(E, 0.3, 7850),
        divisions=10,
        formulation="corotational",
    )
    items = [beam, fx.Spherical("ball", fx.ground, beam["start"])]
    for name, at, stiffness in (("up", (length, 0, 2), k), ("side", (length, 2, 0), 2e3)):
        items.append(fx.AxialSpring(name, beam["end"], fx.ground.at(*at), stiffness=stiffness, free_length=2))
    found = fx.Model("hung", items, gravity=(0, 0, -G)).statics()
    assert found.iterations < 40
    weight = 7850 * side**2 * length * G
    assert found["beam.end.position_z"] == pytest.approx(-weight / 2 / k, rel=1e-4)


def column(share: float, push: float) -> fx.Model:
    """A pinned column of two beams under a share of Euler's load, pushed sideways in the middle [N]."""
    length, side, E = 1.0, 0.01, 70e9
    halves = [
        fx.Beam(
            name,
            points=[(0, 0, 0), (length / 2, 0, 0)],
            section=fx.Rectangle(side, side),
            material=fx.Isotropic(E, 0.3, 2700),
            divisions=8,
            formulation="exact",
            position=(x, 0, 0),
        )
        for name, x in (("lower", 0.0), ("upper", length / 2))
    ]
    euler = np.pi**2 * E * side**4 / 12 / length**2
    items = [
        *halves,
        fx.Revolute("foot", fx.ground, halves[0]["start"], axis="y"),
        fx.Fixed("seam", halves[0]["end"], halves[1]["start"]),
        fx.PointOnLine("head", fx.ground.at(length, 0, 0), halves[1]["end"], axis="x"),
        fx.PointForce("load", halves[1]["end"], force=share * euler, direction="-x"),
    ]
    if push:
        items.append(fx.PointForce("push", halves[0]["end"], force=push, direction="z"))
    return fx.Model("column", items)


@pytest.mark.filterwarnings("error::flexor.solve.UnstableEquilibrium")
@pytest.mark.parametrize("push", [0.001, -0.01])
@pytest.mark.parametrize("share", [1.02, 1.1])
def test_a_column_buckles_to_the_side_it_is_pushed_to(share, push):
    """Euler's elastica: P/P_E = (2 K(k)/π)², deflection k ℓ/K(k)."""
    k = brentq(lambda k: (2 * ellipk(k**2) / np.pi) ** 2 - share, 1e-6, 0.9)
    found = column(share, push).statics()
    deflection = found["lower.end.position_z"]
    assert np.sign(deflection) == np.sign(push)
    assert abs(deflection) == pytest.approx(k / ellipk(k**2), rel=6e-3)


def test_a_start_on_top_stays_there_and_says_so():
    with pytest.warns(UnstableEquilibrium, match="unstable in one way: 'foot: foot.angle'"):
        found = column(1.1, 0.0).statics()
    assert abs(found["lower.end.position_z"]) < 1e-9
    rod = fx.RigidBody("rod", 2.0, (1e-3, 0.1, 0.1), center_of_mass=(0.5, 0, 0))
    pin = fx.Revolute("pin", fx.ground, rod, axis="y", start="-90 deg")
    with pytest.warns(UnstableEquilibrium, match="a little off it"):
        assert fx.Model("top", [rod, pin], gravity=(0, 0, -G)).statics()["pin.angle"] == pytest.approx(-np.pi / 2)


@pytest.mark.parametrize("formulation", ["rigid", "superelement", "floating"])
def test_a_spring_is_as_long_as_declared(formulation):
    """A bar on a ball at one end and a vertical spring at the other sags by W/2k: the spring is slack as declared."""
    mesh = bar(1.0, 0.02, 0.02, (8, 1, 1), element="hex20", material=fx.Steel())
    body = fx.FlexibleBody(
        "bar", mesh, interfaces={"a": "x_min", "b": "x_max"}, position=(0, 0, 0), formulation=formulation
    )
    hung = fx.AxialSpring("spring", fx.ground.at(1, 0, 2), body["b"], stiffness=2e3)
    model = fx.Model("hung", [body, fx.Revolute("pin", fx.ground, body["a"], axis="y"), hung], gravity=(0, 0, -9.81))
    rest = model.statics()
    weight = 7850 * 0.02**2 * 9.81
    assert -rest["bar.b.position_z"] == pytest.approx(weight / 2 / 2e3, rel=1e-3)
    again = model.modes(3, state=rest.state)
    np.testing.assert_allclose(again.frequencies, model.modes(3).frequencies, rtol=1e-6)


def hanging(
    first: type, lengths: tuple[float, float], heights: tuple[float, float], modes: int, mass: float
) -> fx.Model:
    """Two floating bodies joined by a ball; the second hangs and may spin, the first may turn about its own axis."""
    bodies = [
        fx.FlexibleBody(
            name, mesh=bar(length, 0.02, height, (8, 1, 1), element="hex20"), material=fx.Isotropic("210 GPa", 0.3, 2700),
            interfaces={"a": "x_min", "b": "x_max"}, formulation="floating", position=(x, 0, 0),
            reduction=fx.CraigBampton(modes=modes),
        )
        for name, x, length, height in zip("AB", (0.0, lengths[0]), lengths, heights, strict=True)
    ]  # fmt: skip
    A, B = bodies
    items = [A, B, first("root", fx.ground, A["a"], **({"axis": "x"} if first is fx.Revolute else {}))]
    items.append(fx.Spherical("ball", A["b"], B["a"]))
    if mass:
        tip = fx.PointMass("tip", mass, position=(sum(lengths), 0, 0))
        items += [tip, fx.Spherical("hook", B["b"], tip)]
    return fx.Model("hanging", gravity=(0, 0, -9.81), items=items)


@pytest.mark.parametrize(
    "case",
    [
        (fx.Revolute, (2.0, 1.0), (0.03, 0.03), 0, 0.0),  # soft about its own axis, beside a free spin
        (fx.Spherical, (2.0, 2.0), (0.005, 0.01), 4, 4.65),  # free spins whose stiffness is nothing but rounding
    ],
)
def test_floating_bodies_on_a_ball_come_to_rest(case) -> None:
    model = hanging(*case)
    rest = model.statics()
    weight = 9.81 * (sum(2700 * 0.02 * h * L for h, L in zip(case[2], case[1], strict=True)) + case[4])
    np.testing.assert_allclose(rest["root.force"] @ rest["root.force"], weight**2, rtol=1e-6)
    run = model.dynamics(until=0.01, step=1e-3, start=rest, show=False)
    assert run["energy.kinetic"].max() < 1e-9 * weight


def test_of_a_saddle_the_growing_motion_is_shown():
    """λ = ±10: one mode asked for is the one that matters."""
    cart = fx.RigidBody("cart", mass=1.0)
    items = [cart, fx.Prismatic("slide", fx.ground, cart, axis="x")]
    push = fx.JointSpring("push", "slide", stiffness=-100.0)
    found = fx.Model("saddle", [*items, push]).modes(2, complex=True)
    np.testing.assert_allclose(found.eigenvalues, [10, -10], rtol=1e-12)
    assert found.unstable.tolist() == [True, False]
    (first, second) = str(found).splitlines()[1:]
    assert first.endswith("unstable")
    assert "unstable" not in second
    real = fx.Model("saddle", [*items, push]).modes(1)
    assert real.frequencies[0] == pytest.approx(-10 / (2 * np.pi))
    assert "unstable" in str(real)
    sound = fx.Model("spring", [*items, push.replace(stiffness=100.0)])
    assert "unstable" not in str(sound.modes(1)) + str(sound.modes(1, complex=True))
