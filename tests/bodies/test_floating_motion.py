"""Floating bodies in mechanisms: statics, modes, motion, and as a formulation of a flexible body."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from scipy import linalg
from scipy.integrate import solve_ivp

import flexor as fx
from flexor.bodies.body import Start
from flexor.bodies.floating.control_point import shape_at
from flexor.bodies.floating.formulation import Floating
from flexor.bodies.floating.law import floating_body, floating_term
from flexor.bodies.floating.mean_axes import mean_axes
from flexor.bodies.floating.shortening import shortening
from flexor.bodies.floating.stiffened import stiffened_body, stiffened_term
from flexor.bodies.follower import Follower
from flexor.bodies.marker import Marker, Site
from flexor.errors import ModelError, Problem
from flexor.joints import Fixed, Motor, Revolute
from flexor.materials import Isotropic
from flexor.mesh.generate import bar
from flexor.mesh.section import Rectangle
from flexor.model.mechanism import Mechanism, Node, Scalar
from flexor.reduce import CraigBampton, from_mesh, reduce_problem
from flexor.solve import dynamics, modes, statics
from flexor.spatial import Pose, triad
from tests.bodies.floating_bodies import (
    Rows,
    beam_axes,
    drawn,
    floating,
    reduced_beam,
    soft_beam,
)
from tests.bodies.material_point import material_point_element
from tests.laws.scene import Places


def hung(axes, reduced, joint, *, gravity=(0.0, 0.0, -9.81), points=(), multipliers=False):
    """The beam with its left end at the origin, held there by a joint; further points as nodes.

    Its points follow by elimination, as in models, or by multipliers.
    """
    m = axes.size
    scalars = tuple(range(m))
    root = reduced.at("left")
    still = np.zeros(6)
    nodes = [Node("ground", np.zeros(3), np.eye(3), still)]
    weights = (axes.invariants.mass, float(np.trace(axes.invariants.inertia)) / 3)
    nodes.append(Node("rod", axes.com - root, np.eye(3), still, p_NO=root - axes.com, weights=weights, own_axes=True))
    elements = [floating_term("rod", axes, 1, scalars, nodes[1].x)]
    followers: list[Follower] = []
    for name in ("left", *points):
        number, X = len(nodes), reduced.at(name)
        nodes.append(Node(f"rod.{name}", X - root, np.eye(3), still))
        shape = shape_at(reduced, axes.modes, name)
        if multipliers:
            elements.append(material_point_element(f"rod.{name}", 1, number, scalars, X - axes.com, *shape))
        else:
            ends = Site(1, X - axes.com, np.eye(3)), Site(number, np.zeros(3), np.eye(3))
            followers.append(Follower("", number, 1, *ends, (), scalars, np.vstack(shape)))
    axis = triad((0.0, 1.0, 0.0))
    elements += joint.terms(Places(Site(0, np.zeros(3), axis), Site(2, np.zeros(3), axis)))
    names = tuple(Scalar(f"rod.mode_{i + 1}", "") for i in range(m))
    return Mechanism("hung", tuple(nodes), names, tuple(elements), tuple(followers), gravity)


PIN = Revolute("pin", a="ground", b="rod", axis="y")


def test_cantilever_hangs_down_under_its_weight():
    """w = μ g L⁴ / 8 EI; the mesh and shear add less than 0.1 %."""
    reduced, axes = reduced_beam(), beam_axes()
    rest = statics(hung(axes, reduced, Fixed("clamp", a="ground", b="rod"), points=("right",)))
    b, h, E, rho, L = 0.02, 0.01, 210e9, 7850.0, 1.0
    expected = rho * b * h * 9.81 * L**4 / (8 * E * b * h**3 / 12)
    assert -rest["rod.right.position_z"] == pytest.approx(expected, rel=2e-3)
    weight = np.hypot(np.hypot(rest["clamp.force_x"], rest["clamp.force_y"]), rest["clamp.force_z"])
    assert weight == pytest.approx(rho * b * h * L * 9.81, rel=1e-9)


def test_clamped_modes_are_those_of_the_reduced_body_clamped():
    reduced, axes = reduced_beam(), beam_axes()
    clamp = Fixed("clamp", a="ground", b="rod")
    found = modes(hung(axes, reduced, clamp, gravity=(0.0, 0.0, 0.0)), 6, at="start").frequencies
    squares = linalg.eigh(reduced.K[6:, 6:], reduced.M[6:, 6:], eigvals_only=True)  # left end held
    np.testing.assert_allclose(found, np.sqrt(squares[:6]) / (2 * np.pi), rtol=1e-7)


def test_points_by_elimination_and_by_multipliers_move_alike():
    """A soft pendulum (it bends by some percent): motion and its modes at rest, by two ways to carry a point."""
    reduced = reduced_beam(6).scaled(stiffness=0.05)
    axes = mean_axes(reduced)
    runs, frequencies = [], []
    for multipliers in (False, True):
        made = hung(axes, reduced, PIN, points=("right",), multipliers=multipliers)
        rows = Rows()
        dynamics(made, until=0.3, step=5e-4, sink=rows, integrator=fx.GeneralizedAlpha(0.8))
        runs.append(np.column_stack([rows[f"rod.right.position_{i}"] for i in "xyz"]))
        frequencies.append(modes(hung(axes, reduced, PIN, multipliers=multipliers), 5).frequencies)
    np.testing.assert_allclose(runs[0], runs[1], atol=1e-8)
    np.testing.assert_allclose(frequencies[0], frequencies[1], rtol=1e-8)


def test_pendulum_of_a_stiff_beam_swings_like_a_rigid_one():
    reduced = reduced_beam().scaled(stiffness=1e4)
    axes = mean_axes(reduced)
    flexible, rigid = Rows(), Rows()
    dynamics(hung(axes, reduced, PIN), until=0.5, step=2e-3, sink=flexible)
    inv = axes.invariants
    body = fx.RigidBody("rod", inv.mass, inv.inertia, center_of_mass=tuple(axes.com))
    model = fx.Model("rigid", gravity=(0, 0, -9.81), items=[body, fx.Revolute("pin", fx.ground, body, axis="y")])
    dynamics(model, until=0.5, step=2e-3, sink=rigid)
    np.testing.assert_allclose(flexible["pin.angle"], rigid["pin.angle"], rtol=0, atol=2e-5)
    assert np.abs(rigid["pin.angle"]).max() > 1.0


def test_flexible_pendulum_keeps_its_energy_and_agrees_with_a_finer_model():
    # soft enough to bend: E of a plastic
    soft, fine = reduced_beam(6).scaled(stiffness=0.05), reduced_beam(20).scaled(stiffness=0.05)
    runs = []
    for reduced, step in ((soft, 1e-3), (fine, 1e-3)):
        sink = Rows()
        dynamics(
            hung(mean_axes(reduced), reduced, PIN, points=("right",)), until=0.8, step=step, sink=sink, energies=True
        )
        runs.append(sink)
    coarse, finer = runs
    total = sum(coarse[f"energy.{kind}"] for kind in ("kinetic", "potential", "strain"))
    assert np.ptp(coarse["energy.kinetic"]) > 3.0
    np.testing.assert_allclose(total, total[0], atol=2e-3 * np.ptp(coarse["energy.kinetic"]))
    bent = np.abs(coarse["rod.right.position_z"] - 2 * coarse["rod.position_z"]).max()
    assert bent > 0.005
    for axis in "xz":
        name = f"rod.right.position_{axis}"
        np.testing.assert_allclose(coarse[name], finer[name], rtol=0, atol=1e-3)


def test_spin_up_of_a_beam():
    """A beam of 10 m is brought to 6 rad/s in 15 s (Kane, Ryan and Banerjee 1987; Simo and Vu-Quoc 1987).

    Against the equation of the rotating beam in the plane, (EI w″)″ − (N w′)′ + μ (ẅ − Ω² w) = μ Ω̇ x with
    N = μΩ²(L² − x²)/2, by Ritz's method; in the end it is longer by μΩ²L³/3EA = 5.14e-4 m. Without geometric
    stiffening the deflection is wrong by a third.
    """
    L, A, T, speed = 10.0, 0.006, 15.0, 6.0
    side = np.sqrt(A)
    material = Isotropic(2.8e7 / A, 0.3, 1.2 / A)  # EA = 2.8e7 N, EI = 1.4e4 N m², 1.2 kg/m
    mesh = bar(L, side, side, divisions=(16,), element="beam2", section=Rectangle(side, side), material=material)
    problem = from_mesh(mesh, {"left": "x_min", "right": "x_max"})
    reduced = reduce_problem(problem, CraigBampton(modes=12), check=False)
    axes = mean_axes(reduced)
    angle = fx.expression(
        f"if(t < {T}, {speed / T}*(t^2/2 + ({T}/(2*pi))^2*(cos(2*pi*t/{T}) - 1)), {speed}*t - {speed * T / 2})"
    )
    time, expected = rotating_beam(L, speed, T)
    assert np.abs(expected).max() == pytest.approx(0.574, abs=1e-3)
    largest = []
    for stiff in (shortening(reduced, axes, {"left": "left", "right": "right"}), None):
        mechanism = hung(axes, reduced, PIN, gravity=(0.0, 0.0, 0.0), points=("right",))
        law = ("rod", axes, 1, tuple(range(axes.size)), mechanism.nodes[1].x)
        body = floating_term(*law) if stiff is None else stiffened_term(*law, stiff)
        if stiff is not None:
            curved = [replace(s, curvature=N) for s, N in zip(mechanism.followers, stiff.points.values(), strict=True)]
            mechanism = replace(mechanism, followers=tuple(curved))
        sites = [Site(node, np.zeros(3), triad((0.0, 1.0, 0.0))) for node in (0, 2)]
        drive = Motor("drive", joint="pin", position=angle).terms(Places(*sites, PIN))
        run = Rows()
        terms = (body, *mechanism.terms[1:], *drive)
        dynamics(replace(mechanism, terms=terms), until=20.0, step=0.01, sink=run)
        turned, x, z = run["pin.angle"], run["rod.right.position_x"], run["rod.right.position_z"]
        along, across = x * np.cos(turned) - z * np.sin(turned) - L, x * np.sin(turned) + z * np.cos(turned)
        largest.append(np.abs(across - np.interp(run["time"], time, expected)).max())
        if stiff is not None:
            assert along[run["time"] > 18].mean() == pytest.approx(1.2 * speed**2 * L**3 / (3 * 2.8e7), rel=2e-3)
    assert largest[0] < 1e-3
    assert largest[1] > 0.1


def rotating_beam(L, speed, T):
    """Times and tip deflection of the beam in `test_spin_up_of_a_beam`, against the sense of rotation."""
    x, weight = np.polynomial.legendre.leggauss(40)
    x, weight = (x + 1) / 2 * L, weight / 2 * L
    basis = [np.polynomial.Legendre.basis(k, domain=[0, L]).convert(kind=Polynomial) for k in range(6)]
    shapes = [Polynomial([0, 0, 1 / L**2]) * b for b in basis]
    w, w1, w2 = (np.array([shape.deriv(n)(x) if n else shape(x) for shape in shapes]) for n in range(3))
    M, K = 1.2 * (w * weight) @ w.T, 1.4e4 * (w2 * weight) @ w2.T
    G, load = 1.2 * (w1 * weight * (L**2 - x**2) / 2) @ w1.T, 1.2 * (w * weight) @ x
    inverse = np.linalg.inv(M)

    def rate(t, y):
        phase = 2 * np.pi * min(t, T) / T
        omega, alpha = speed / (2 * np.pi) * (phase - np.sin(phase)), speed / T * (1 - np.cos(phase))
        return np.concatenate([y[6:], inverse @ (load * alpha - (K + omega**2 * (G - M)) @ y[:6])])

    times = np.linspace(0, 20, 2001)
    found = solve_ivp(rate, (0, 20), np.zeros(12), method="Radau", rtol=1e-6, atol=1e-8, t_eval=times)
    return times, np.array([shape(L) for shape in shapes]) @ found.y[:6]


# -- as a formulation of a flexible body ------------------------------------------------------------------------


@dataclass(frozen=True)
class Declared:
    """What the formulation asks of a flexible body."""

    name: str = "rod"
    markers: dict = field(default_factory=lambda: {"middle": Marker((0.5, 0.0, 0.0))})
    stiffening: object = False

    def refuse(self, what, why, fix):
        return ModelError(Problem(self.name, what, why, fix))


def test_formulation_has_a_node_for_the_frame_and_for_every_attachment():
    formulation = Floating(Declared(), reduced_beam())
    pose = Pose(np.array([1.0, 2.0, 3.0]), drawn(floating(soft_beam()), 1).R[0])
    twist = np.array([0.1, 0.2, 0.3, 1.0, -2.0, 0.5])
    parts = formulation.parts(Start(pose, twist, node=4, scalar=7))
    assert [node.name for node in parts.nodes] == ["rod", "rod.left", "rod.right", "rod.middle"]
    m = beam_axes().size
    assert [scalar.name for scalar in parts.scalars] == [f"rod.mode_{i + 1}" for i in range(m)]
    (body,) = parts.terms
    assert body.nodes == (4,)
    assert [(follower.master, follower.node) for follower in parts.followers] == [(4, 5), (4, 6), (4, 7)]
    assert all(follower.scalars == body.scalars == tuple(range(7, 7 + m)) for follower in parts.followers)
    np.testing.assert_allclose(parts.nodes[0].x + pose.R @ parts.nodes[0].p_NO, pose.p, atol=1e-14)
    for follower, node in zip(parts.followers, parts.nodes[1:], strict=True):  # where the undeformed body has the point
        np.testing.assert_allclose(parts.nodes[0].x + pose.R @ follower.site_master.p_NM, node.x, atol=1e-14)
    for number, name in enumerate(("left", "right", "middle")):
        node, at = formulation.carrier(name, np.zeros(3))
        assert node == 1 + number
        np.testing.assert_allclose(at, parts.nodes[node].R.T @ (parts.nodes[node].x - pose.p), atol=1e-12)
        assert formulation.carrier(None, at)[0] == node
    with pytest.raises(ModelError, match="no point of its own"):
        formulation.carrier(None, np.array([0.3, 0.0, 0.0]))


def test_formulation_with_stiffening_draws_its_ends_together():
    plain, stiff = (
        Floating(Declared(stiffening=on), reduced_beam()).parts(Start(Pose(), np.zeros(6))) for on in (0, 1)
    )
    assert (plain.terms[0].law, stiff.terms[0].law) == (floating_body, stiffened_body)
    m = beam_axes().size
    assert [follower.curvature is None for follower in plain.followers] == [True, True, True]
    assert [follower.curvature.shape for follower in stiff.followers] == [(6, m, m)] * 3
    # the first bending mode draws the ends together
    ends = [follower.curvature[0, 0, 0] for follower in stiff.followers[:2]]
    assert ends[0] > 0 > ends[1]
