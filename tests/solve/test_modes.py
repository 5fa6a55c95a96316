"""Natural modes of varied mechanisms against a dense eigenvalue problem of their own, and sparse against dense."""

from __future__ import annotations

import sys
import warnings
from itertools import pairwise

import numpy as np
import pytest
from scipy import linalg

import flexor as fx
from flexor.engine.initial import solve_accelerations
from flexor.mesh.generate import bar
from flexor.solve import UnsymmetricStiffness, compile_model, linearise
from flexor.solve.all_modes import all_complex, all_undamped
from flexor.solve.few_modes import few_complex, few_undamped, modes_below
from flexor.solve.modes import complex_modes, undamped_modes
from flexor.solve.pencil import pencil
from flexor.solve.statics import find_equilibrium

STEEL = fx.Isotropic(2e11, 0.3, 7850)


def reference(m) -> tuple[np.ndarray, np.ndarray]:
    """(λ of λ²M + λC + K, ω² of K − ω²M) in the null space of the constraints, by QZ and with nothing clever."""
    K, C, M, B = (x.toarray() for x in (m.K, m.C, m.M, m.B))
    assert not m.A.shape[0]
    Z = linalg.null_space(B) if len(B) else np.eye(len(K))
    K, C, M = (Z.T @ x @ Z for x in (K, C, M))
    n = len(K)
    left = np.block([[np.zeros((n, n)), np.eye(n)], [-K, -C]])
    values = linalg.eigvals(left, linalg.block_diag(np.eye(n), M))
    values = values[np.isfinite(values) & (values.imag >= 0)]
    squares = linalg.eigvals(K, M)
    return values[np.argsort(np.abs(values))], np.sort(squares[np.isfinite(squares)].real)


def chain(n: int, *, damping: float = 0.0, ends: str = "both", equal: bool = False) -> fx.Model:
    """Masses on a line with springs between them; `ends` that are held."""
    masses = [fx.PointMass(f"m{i}", 1.0 if equal else 1.0 + 0.1 * i, position=(i + 1, 0, 0)) for i in range(n)]
    points = [fx.ground, *masses, fx.ground.at(n + 1, 0, 0)]
    points = points if ends == "both" else points[1:-1]
    items: list = list(masses)
    for i, (a, b) in enumerate(pairwise(points)):
        items.append(
            fx.AxialSpring(f"s{i}", a, b, stiffness=100.0 * (i + 1), damping=damping * (i + 1), free_length=0.9)
        )
    return fx.Model("chain", items)


def beams(n: int, *, held: bool = True, enforcement: str = "auto", damping: float = 0.0) -> fx.Model:
    """Beams welded in a row along x."""
    pieces = [
        fx.Beam(
            f"b{i}",
            points=[(0, 0, 0), (0.1, 0, 0)],
            section=fx.Circle(0.005),
            material=STEEL,
            divisions=2,
            formulation="corotational",
            position=(0.1 * i, 0, 0),
        )
        for i in range(n)
    ]
    items: list = [*pieces]
    items += [
        fx.Fixed(f"w{i}", a["end"], b["start"], enforcement=enforcement) for i, (a, b) in enumerate(pairwise(pieces))
    ]
    if held:
        items.append(fx.Fixed("clamp", fx.ground, pieces[0]["start"], enforcement=enforcement))
    if damping:
        items.append(
            fx.AxialSpring("d", fx.ground.at(0.1 * n, 1, 0), pieces[-1]["end"], damping=damping, free_length=1)
        )
    return fx.Model("beams", items)


def flexible(formulation: str, *, held: bool) -> fx.Model:
    """Two reduced bars, on a pin under gravity or floating about."""
    mesh = bar(0.5, 0.02, 0.02, (8, 1, 1), element="beam2", material=STEEL, section=fx.Rectangle(0.02, 0.02))
    faces = {"a": fx.plane((0, 0, 0), "x"), "b": fx.plane((0.5, 0, 0), "x")}
    bars = [
        fx.FlexibleBody(
            f"f{i}", mesh, interfaces=faces, reduction=fx.CraigBampton(modes=4), position=(0.5 * i, 0, 0),
            formulation=formulation,
        )
        for i in range(2)
    ]  # fmt: skip
    items: list = [*bars, fx.Fixed("weld", bars[0]["b"], bars[1]["a"])]
    items += [fx.Revolute("pin", fx.ground, bars[0]["a"], axis="y")] if held else []
    return fx.Model("bars", items, gravity=(0, 0, -9.81) if held else (0, 0, 0))


def four_bar() -> fx.Model:
    """A planar loop of spatial hinges: three of its constraints are redundant."""
    inertia = (1e-3, 1e-2, 1e-2)
    a = fx.RigidBody("a", 1.0, inertia, center_of_mass=(0, 0.1, 0))
    b = fx.RigidBody("b", 1.0, inertia, center_of_mass=(0.25, 0, 0), position=(0, 0.2, 0))
    c = fx.RigidBody("c", 1.0, inertia, center_of_mass=(0, 0.1, 0), position=(0.5, 0, 0))
    pins = [
        fx.Revolute("p", fx.ground, a, axis="z"),
        fx.Revolute("q", a.at(0, 0.2, 0), b, axis="z"),
        fx.Revolute("r", b.at(0.5, 0, 0), c.at(0, 0.2, 0), axis="z"),
        fx.Revolute("s", fx.ground.at(0.5, 0, 0), c, axis="z"),
    ]
    spring = fx.JointSpring("k", "p", stiffness=5.0, damping=0.05)
    return fx.Model("four-bar", [a, b, c, *pins, spring], gravity=(0, -9.81, 0))


def slider(damping: float) -> fx.Model:
    body = fx.RigidBody("s", 2.0, (1, 1, 1))
    rail = fx.Prismatic("r", fx.ground, body, axis="x")
    return fx.Model("slider", [body, rail, fx.JointSpring("k", "r", stiffness=50, damping=damping)])


def cart() -> fx.Model:
    """A cart that only a drag slows down, with a mass on a spring."""
    cart, load = fx.RigidBody("cart", 2.0, (1, 1, 1)), fx.RigidBody("load", 1.0, (1, 1, 1))
    rails = [fx.Prismatic("r", fx.ground, cart, axis="x"), fx.Prismatic("u", cart, load, axis="x")]
    forces = [fx.JointSpring("k", "u", stiffness=50, damping=1.0), fx.JointSpring("d", "r", damping=0.3)]
    return fx.Model("cart", [cart, load, *rails, *forces])


def upright() -> fx.Model:
    rods = [fx.RigidBody(f"rod{i}", 1.0, (1e-3, 1 / 12, 1 / 12), center_of_mass=(0.5, 0, 0)) for i in range(2)]
    pins = [
        fx.Revolute("a", fx.ground, rods[0], axis="y", start="-90 deg"),
        fx.Revolute("b", rods[0].at(1, 0, 0), rods[1], axis="y"),
    ]
    return fx.Model("upright", [*rods, *pins], gravity=(0, 0, -9.81))


CASES = {
    "damped": (chain(6, damping=0.5), 0),
    "slack chain": (chain(4, ends="none"), 9),  # 3 + 3 · 2 across the springs
    "equal frequencies": (chain(5, equal=True), 0),
    "eliminated": (beams(4), 0),
    "multipliers": (beams(4, enforcement="multipliers", damping=20.0), 0),
    "free beams": (beams(3, held=False), 6),
    "superelements": (flexible("superelement", held=True), 0),
    "floating": (flexible("floating", held=True), 0),
    "free superelements": (flexible("superelement", held=False), 6),
    "free floating": (flexible("floating", held=False), 6),
    "redundant": (four_bar(), 0),
    "overdamped": (slider(40.0), 0),
    "drag": (cart(), 1),
    "unstable": (upright(), 0),
    "free body": (fx.Model("f", [fx.RigidBody("b", 2.0, (1, 2, 2.5))]), 6),
}


def linear(model: fx.Model):
    """About the equilibrium; the rods stand as they do."""
    system = compile_model(model, symmetric=False)
    if model.name == "upright":
        solve_accelerations(system)
    else:
        find_equilibrium(system)
    return linearise(system)


@pytest.mark.filterwarnings("ignore::flexor.solve.RedundantConstraints")
@pytest.mark.parametrize("name", CASES)
def test_all_modes_are_those_of_the_plain_eigenvalue_problem(name):
    model, rigid = CASES[name]
    m = linear(model)
    values, squares = reference(m)
    undamped, found = undamped_modes(m, 1000), complex_modes(m, 1000)[0]
    fast = np.abs(values).max(initial=1.0)

    def apart(some: np.ndarray, others: np.ndarray) -> float:
        return max((float(np.abs(others - value).min() / abs(value)) for value in some), default=0.0)

    assert found.rigid.sum() == undamped.rigid.sum() == rigid
    moving = found.eigenvalues[~found.rigid]
    assert apart(moving, values) < 2e-6  # the plain problem is no better
    assert apart(values[np.abs(values) > 1e-6 * fast], moving) < 2e-6  # none is missing; below are the scattered zeros
    assert len(undamped) == len(squares)
    omega = np.sign(undamped.frequencies) * (2 * np.pi * undamped.frequencies) ** 2
    np.testing.assert_allclose(
        omega[~undamped.rigid], squares[np.abs(squares) > 1e-9 * np.abs(squares).max()], rtol=1e-7
    )
    # shapes: K φ = ω²M φ but for reactions, and they keep to the constraints
    for shapes in (undamped.shapes, found.shapes):
        assert np.abs(m.B @ shapes).max(initial=0.0) < 1e-9
        assert np.all(np.abs(shapes).max(axis=0) == pytest.approx(1.0))


@pytest.mark.filterwarnings("ignore::flexor.solve.RedundantConstraints")
@pytest.mark.parametrize(
    "name", [n for n in CASES if n not in ("overdamped", "free body", "redundant", "drag", "unstable")]
)
def test_a_few_modes_by_sparse_factors_are_the_lowest_of_all(name):
    m = linear(CASES[name][0])
    p = pencil(m)
    every, _, N = all_complex(p)
    few, _, free, radius = few_complex(p, 5)
    assert free.shape == N.shape
    below = np.sort_complex(every[np.abs(every) < 0.999 * min(radius, 1e9)])
    found = few[np.abs(few) < 0.999 * radius]
    assert len(few[few.imag >= 0]) >= min(5, len(every) // 2)
    assert len(found) == len(below)
    assert max(float(np.abs(below - value).min() / abs(value)) for value in found) < 1e-7
    p = pencil(m, symmetric=True)
    squares, _, N = all_undamped(p)
    found, _, free = few_undamped(p, 5)
    assert free.shape == N.shape
    assert len(found) >= min(5, len(squares))
    np.testing.assert_allclose(found, squares[: len(found)], rtol=1e-7)


def test_many_modes_of_one_frequency_are_all_found():
    """Fifteen equal oscillators beside slower and faster ones: more of a kind than vectors in a block."""
    stiffness = [50.0] * 2 + [100.0] * 15 + [150.0, 200.0, 250.0, 300.0]
    items: list = []
    for i, k in enumerate(stiffness):
        body = fx.RigidBody(f"b{i}", 1.0, (1, 1, 1), position=(0, i, 0))
        items += [
            body,
            fx.Prismatic(f"r{i}", fx.ground.at(0, i, 0), body, axis="x"),
            fx.JointSpring(f"k{i}", f"r{i}", stiffness=k, damping=0.1),
        ]
    m = linear(fx.Model("many", items))
    values, _, _, _ = few_complex(pencil(m), 18)
    found = np.sort(np.abs(values[values.imag > 0]) ** 2)
    np.testing.assert_allclose(found[:18], stiffness[:18], rtol=1e-9)
    squares, _, _ = few_undamped(pencil(m, symmetric=True), 18)
    np.testing.assert_allclose(squares[:18], stiffness[:18], rtol=1e-9)


def test_pivots_count_the_modes_below_a_frequency():
    m = linear(beams(4, enforcement="multipliers"))
    p = pencil(m, symmetric=True)
    squares = all_undamped(p)[0]
    for k in (0, 2, 5):  # pairs of equal frequency, the first torsion
        between = 0.5 * (squares[2 * k] + squares[2 * k + 1]) if k == 5 else 1.01 * squares[2 * k]
        assert modes_below(p, between) == int((squares < between).sum())


def test_a_free_rotation_is_a_rigid_mode():
    """A rotor in bearings with nothing to hold its angle, among stiff beams: one mode of frequency and damping zero."""
    model = beams(6, enforcement="multipliers")
    held = [item for item in model.items if item.name != "clamp"]
    bearing = fx.Revolute("bearing", fx.ground, model["b0"]["start"], axis="x")
    model = model.replace(items=(*held, bearing))
    found = model.modes(4, complex=True)
    assert found.eigenvalues[0] == 0
    assert found.rigid.tolist() == [True, False, False, False]
    assert found.frequencies[1] > 1.0
    assert np.all(found.damping == 0)
    line = str(found).splitlines()[1]
    assert line.split()[-1] == "rigid"
    assert "rotation x" in line
    np.testing.assert_allclose(found.frequencies, model.modes(4).frequencies, rtol=1e-6)
    # with a little drag the rotation is free still, and a second root says how it dies away, −d/J
    drag = fx.JointSpring("drag", "bearing", damping=1e-6)
    found = model.replace(items=(*model.items, drag)).modes(4, complex=True)
    J = 7850 * np.pi * 0.005**4 / 2 * 0.6
    assert found.eigenvalues[0] == 0
    assert found.eigenvalues[1] == pytest.approx(-1e-6 / J, rel=1e-3)
    assert found.damping[1] == 1.0


def test_a_slow_pendulum_beside_stiff_beams_is_no_rigid_mode():
    """ω² = k/J of a soft torsion spring, twelve orders below the highest ω²."""
    model = beams(6, enforcement="multipliers")
    held = [item for item in model.items if item.name != "clamp"]
    bearing = fx.Revolute("bearing", fx.ground, model["b0"]["start"], axis="x")
    soft = fx.JointSpring("soft", "bearing", stiffness=1e-8)
    found = model.replace(items=(*held, bearing, soft)).modes(2)
    J = 7850 * np.pi * 0.005**4 / 2 * 0.6
    assert (2 * np.pi * found.frequencies[0]) ** 2 == pytest.approx(1e-8 / J, rel=1e-2)
    assert not found.rigid.any()


def test_more_modes_than_there_are():
    found = chain(3).modes(1000)
    assert len(found) == 9
    assert len(chain(3, damping=1.0).modes(1000, complex=True)) == 9


def test_a_spinning_start_is_seen_with_gyroscopic_terms():
    """Nutation of a free round body, Ω J₃/J₁, without being asked for complex modes."""
    body = fx.RigidBody("b", 2.0, (1, 1, 1.5), angular_velocity=(0, 0, 10.0))
    found = fx.Model("f", [body]).modes(at="start")
    assert found.complex
    assert 2 * np.pi * found.frequencies[-1] == pytest.approx(15.0, rel=1e-9)


@pytest.mark.parametrize(("share", "flutters"), [(0.97, False), (1.03, True)])
def test_becks_column_flutters(share, flutters):
    """A clamped column under a load that follows its end: 20.05 EI/L² (M. Beck, Z. angew. Math. Phys. 3, 1952).

    Undamped modes, from the symmetric part of the stiffness, would call it unstable far below that; they say that they may err.
    """
    pieces, side = 6, 0.01
    items = [
        fx.Beam(
            f"b{i}",
            points=[(0, 0, 0), (1 / pieces, 0, 0)],
            section=fx.Rectangle(side, 1.5 * side),
            material=fx.Isotropic(70e9, 0.3, 2700.0),
            divisions=2,
            formulation="corotational",
            position=(i / pieces, 0, 0),
        )
        for i in range(pieces)
    ]
    load = share * 20.05 * 70e9 * 1.5 * side**4 / 12
    joints = [fx.Fixed(f"w{i}", a["end"], b["start"]) for i, (a, b) in enumerate(pairwise(items))]
    joints.append(fx.Fixed("clamp", fx.ground, items[0]["start"]))
    push = fx.PointForce("push", items[-1]["end"], force=load, direction="-x", follows=True)
    model = fx.Model("column", [*items, *joints, push])
    found = model.modes(6, complex=True)
    assert bool(found.eigenvalues.real.max() > 1.0) == flutters
    if not flutters:
        assert np.all(found.damping == 0)
    with pytest.warns(UnsymmetricStiffness, match="complex=True"):
        model.modes(3)


def test_a_long_chain_of_hinges(monkeypatch):
    """Hinged links on torsion springs bend like a beam, EI = k ℓ: ω₁ = 3.516 √(EI/ρA L⁴); no dense matrices are needed."""
    links, k = 120, 1e4
    bodies = [
        fx.RigidBody(f"b{i}", 1.0, (1e-2, 1e-2, 1e-2), position=(i, 0, 0), center_of_mass=(0.5, 0, 0))
        for i in range(links)
    ]
    items: list = [*bodies]
    for i, body in enumerate(bodies):
        before = fx.ground if i == 0 else bodies[i - 1].at(1, 0, 0)
        items += [fx.Revolute(f"r{i}", before, body, axis="z"), fx.JointSpring(f"k{i}", f"r{i}", stiffness=k)]
    monkeypatch.setattr(sys.modules["flexor.solve.modes"], "all_undamped", None)
    found = fx.Model("chain", items).modes(3)
    beam = np.array([3.5160, 22.0345, 61.697]) * np.sqrt(k) / links**2
    np.testing.assert_allclose(2 * np.pi * found.frequencies, beam, rtol=0.02)


# -- velocities that are given -------------------------------------------------------------------------------------------

SPIN = 200 * np.pi  # 6000 rpm


def spinning(*more, body=None, **how):
    """A disc of tilt stiffness 8·10⁴ N m/rad on four springs, and a spring along its axis."""
    disc = fx.RigidBody("disc", mass=10, inertia=(0.1, 0.1, 0.15), **how)
    body = disc if body is None else body
    springs = [
        fx.AxialSpring(
            f"{axis}{side}", fx.ground.at(*at, 0.2 * side), body.at(0, 0, 0.2 * side), stiffness=1e6, free_length=100
        )
        for side in (-1, 1)
        for axis, at in (("x", (100, 0)), ("y", (0, 100)))
    ]
    hold = fx.AxialSpring("axial", fx.ground.at(0, 0, 100), body, stiffness=1e8, free_length=100)
    return fx.Model("rotor", [disc, *([body] if body is not disc else []), *springs, hold, *more])


def tilting():
    """It ω² ∓ Ip Ω ω − k = 0"""
    root = np.sqrt((0.15 * SPIN) ** 2 + 4 * 0.1 * 8e4)
    return np.array([root - 0.15 * SPIN, root + 0.15 * SPIN]) / (2 * 0.1) / (2 * np.pi)


@pytest.mark.parametrize("how", [{}, {"complex": True}, {"at": "start"}])
def test_a_round_rotor_keeps_its_spin(how):
    found = spinning(angular_velocity=(0, 0, SPIN)).modes(5, **how)
    assert found.complex
    np.testing.assert_allclose(found.frequencies[3:], tilting(), rtol=1e-6)


def test_a_rotor_keeps_the_spin_of_its_motor():
    house = fx.RigidBody("house", mass=1e-6, inertia=1e-9)
    bearing, motor = fx.Revolute("spin", house, "disc", axis="z"), fx.Motor("drive", "spin", speed=SPIN)
    found = spinning(bearing, motor, body=house).modes(5)
    np.testing.assert_allclose(found.frequencies[3:], tilting(), rtol=1e-6)


def test_velocities_that_disturb_the_equilibrium_are_left_out_and_told():
    arm = fx.RigidBody("arm", mass=1, inertia=0.1)
    pin = fx.Revolute("pin", fx.ground, arm.at(0, 1, 0), axis="z")
    still, swinging = (fx.Model("p", [arm, p], gravity=(0, -9.81, 0)) for p in (pin, pin.replace(start_rate=1.0)))
    with pytest.warns(fx.VelocitiesLeftOut, match="'arm'"):
        found = swinging.modes(1)
    np.testing.assert_allclose(found.frequencies, still.modes(1).frequencies, rtol=1e-12)
    with pytest.warns(fx.VelocitiesLeftOut, match="'disc'"):  # unbalance throws it out of its place
        spinning(angular_velocity=(0, 0, SPIN), center_of_mass=(0.01, 0, 0)).modes(4)


@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
@pytest.mark.parametrize("axis", ["y", "z"])
def test_a_hinged_blade_on_a_turning_hub(axis, enforcement):
    """Flapping Ω²(m r e + I_zz + m r² − I_xx)/(I_yy + m r²), lagging Ω² m r e/(I_zz + m r²): constraints that turn with the hub carry small motions along."""
    spin, m, r, e, I = 10.0, 1.0, 0.25, 0.2, (0.02, 0.03, 0.025)
    hub = fx.RigidBody("hub", mass=1.0, inertia=(0.1, 0.1, 0.1))
    blade = fx.RigidBody("blade", mass=m, inertia=I, center_of_mass=(r, 0, 0))
    main = fx.Revolute("main", fx.ground, hub, axis="z", enforcement=enforcement)
    hinge = fx.Revolute("hinge", hub.at(e, 0, 0), blade, axis=axis, enforcement=enforcement)
    model = fx.Model("rotor", [hub, blade, main, hinge, fx.Motor("drive", joint="main", speed=spin)])
    flap, lag = m * r * e + I[2] + m * r**2 - I[0], m * r * e
    square = flap / (I[1] + m * r**2) if axis == "y" else lag / (I[2] + m * r**2)
    later = model.dynamics(until=0.1, step=1e-3, show=False).at(0.07)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fx.MovingState)  # seen from the ground, coefficients change
        for state in ({"at": "start"}, {"start": later}):
            for kind in (True, False):
                found = model.modes(1, complex=kind, **state).frequencies[0]
                assert found == pytest.approx(spin * np.sqrt(square) / (2 * np.pi), rel=1e-6)


def test_modes_of_what_sets_out_to_move_are_told():
    """Two links at rest beside their equilibrium: what the slow modes are is a question of coordinates."""
    links = [fx.RigidBody(f"b{i}", 1.0, (0.02, 0.03, 0.025), center_of_mass=(0.25, 0, 0)) for i in range(2)]
    joints = [
        fx.Revolute("j0", fx.ground, links[0], axis="z"),
        fx.Revolute("j1", links[0].at(0.5, 0, 0), links[1], axis="z", start="0.3 rad"),
    ]
    model = fx.Model("links", [*links, *joints], gravity=(0, -9.81, 0))
    with pytest.warns(fx.MovingState, match="not in balance"):
        model.modes(2, at="start")
    with warnings.catch_warnings():
        warnings.simplefilter("error", fx.MovingState)
        model.modes(2)
