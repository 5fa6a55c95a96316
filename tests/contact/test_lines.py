"""Cylinders and cones that lie along something: both ends of the line, from parallel axes to crossed ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import flexor as fx
from flexor.contact.approach import pair_of, records_of, sizes_of
from flexor.contact.approach.lines.along import line_at
from flexor.contact.approach.pair import ELSEWHERE
from flexor.contact.laws.line_share import share_of_line
from flexor.contact.laws.normal import Stiffness, elastic_energy, elastic_force
from flexor.contact.touch_law import TouchRecord
from flexor.law import MATRIX, RESIDUAL
from flexor.spatial import exp_so3
from tests.laws.calls import call_compiled, matrix, outputs, residual
from tests.laws.random_states import random_state
from tests.laws.samples import samples_of
from tests.laws.states import COORDINATES, perturbed, slope_and_error

R, L, K, G = 0.05, 0.1, 1e6, 9.81
ROLLER, SHAFT, ROD = fx.Cylinder(R, L), fx.Cylinder(R, 0.4), fx.Cylinder(0.03, 0.6)
BEAM = fx.Extruded(fx.Profile([(-R, -R), (R, -R), (R, R), (-R, R)], closed=True, kind="lines"), 0.4)
PIPE = fx.Extruded(fx.Profile([(R, 0), (0, R), (-R, 0), (0, -R)], closed=True, kind="arcs"), 0.4)
CONE = fx.Cone(R, L, top=0.03)
POINTS = [(x, y, z) for x in (-R, R) for y in (-R, R) for z in (-0.2, 0.2)]
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
BLOCK = fx.Triangles(POINTS, [corners for a, b, c, d in SIDES for corners in ((a, b, c), (a, c, d))])
SLOPE = np.arctan(0.02 / L)
ACROSS = exp_so3(np.array([np.pi / 2, 0, 0]))
BACK = exp_so3(np.array([np.pi, 0, 0]))
X, EDGE = np.array([1.0, 0, 0]), np.array([1.0, 1, 0]) / np.sqrt(2)

# what lies on what, where it stands along it, away along which normal, and how it is turned
LYING = {
    "roller on shaft": (SHAFT, ROLLER, (0, 0, 0.03), X, np.eye(3)),
    "rod on shaft": (SHAFT, ROD, (0, 0, 0.2), X, BACK),
    "shaft on shaft": (SHAFT, SHAFT, (0, 0, 0), X, np.eye(3)),
    "cone on cone": (CONE, CONE, (0, 0, 0), X * np.cos(SLOPE) + np.array([0, 0, np.sin(SLOPE)]), BACK),
    "roller on edge": (fx.Box(0.1, 0.1, 0.4), ROLLER, (0, 0, 0.03), EDGE, np.eye(3)),
    "rod on edge": (fx.Box(0.1, 0.1, 0.4), ROD, (0, 0, 0.2), EDGE, np.eye(3)),
    "roller on prism": (BEAM, ROLLER, (0, 0.01, 0.13), X, np.eye(3)),
    "shaft on prism": (BEAM, SHAFT, (0, 0, 0), X, np.eye(3)),
    "rod on prism": (BEAM, ROD, (0, 0.01, -0.2), X, BACK),
    "rod across prism": (BEAM, ROD, (0, 0.01, 0.05), X, ACROSS),
    "rod on round prism": (PIPE, ROD, (0, 0, 0.2), X, np.eye(3)),
    "roller on edge of prism": (BEAM, ROLLER, (0, 0, 0.03), EDGE, np.eye(3)),
    "rod on edge of prism": (BEAM, ROD, (0, 0, 0.2), EDGE, np.eye(3)),
    "cone on prism": (BEAM, CONE, (0, 0.01, 0.05), X, exp_so3(np.array([0, -SLOPE, 0]))),
    "roller on triangles": (BLOCK, ROLLER, (0, 0.01, 0.13), X, np.eye(3)),
    "rod on triangles": (BLOCK, ROD, (0, 0.01, -0.2), X, np.eye(3)),
    "roller on edge of triangles": (BLOCK, ROLLER, (0, 0, 0.03), EDGE, np.eye(3)),
    "rod across triangles": (BLOCK, ROD, (0, 0.01, 0.05), X, ACROSS),
}
TURNS = [(0, 0), (1e-5, 0), (-1e-5, 1e-3), (3e-5, 4e-3), (3e-4, 8e-3), (2e-3, 0.05), (0, 0.3)]


class Line:
    """Two shapes with the places of their line."""

    def __init__(self, a, b, exponent=1.0):
        self.pair = pair_of(a, b, 0, True)
        self.sizes = [record(size.words) for record, size in zip(records_of(a, b), sizes_of(a, b), strict=True)]
        self.law = Stiffness(fx.Penalty(K, exponent=exponent).packed((1.0, 1.0)).words)

    def places(self, p, R):
        found = [
            line_at(self.pair.function)(*self.sizes, tuple(p), tuple(np.ravel(R)), 3 * i)
            for i in range(self.pair.lines)
        ]
        return [[(g, np.array(n), np.array(x)) for g, n, x in three] for three in found]

    def beside(self, p, R):
        """The places of flat faces, beside those of lines."""
        count = range(3 * self.pair.lines, self.pair.places)
        found = [self.pair.function(*self.sizes, tuple(p), tuple(np.ravel(R)), k) for k in count]
        return [(g, np.array(n), np.array(x)) for g, n, x in found]

    def gap(self, p, R):
        return min(g for g, _, _ in [*(three[0] for three in self.places(p, R)), *self.beside(p, R)])

    def pressed(self, p, R):
        """(V, force and moment about the origin of b's axes, on b)"""
        V, wrench = 0.0, np.zeros(6)
        for g, n, x in self.beside(p, R):
            depth = max(-g, 0.0)
            V, wrench = (
                V + elastic_energy(self.law, depth),
                wrench + elastic_force(self.law, depth) * np.r_[n, np.cross(x - p, n)],
            )
        for three in self.places(p, R):
            for k, (_, n, x) in enumerate(three):
                N, stored = share_of_line(self.law, *[each[0] for each in three], k)
                V, wrench = V + stored, wrench + N * np.r_[n, np.cross(x - p, n)]
        return V, wrench


def standing(line, at, n, R, depth=1e-5):
    """Where b overlaps a by a depth along n."""
    p = np.array(at, dtype=float) + 0.3 * n
    for _ in range(4):
        p = p - (line.gap(p, R) + depth) * n
    return p


@pytest.mark.parametrize(
    ("name", "exponent"), [*((name, 1.0) for name in LYING if name != "shaft on prism"), ("roller on shaft", 1.5)]
)
def test_forces_are_the_derivatives_of_the_stored_energy(name, exponent):
    """From parallel lines to crossed ones, tilted, hanging over or not: V of all poses around has no kink, and its slopes are force and moment."""
    a, b, at, n, R_0 = LYING[name]
    line = Line(a, b, exponent)
    p = standing(line, at, n, R_0)
    side = np.cross(n, (0, 1, 0) if name.split()[1] == "across" else (0, 0, 1))
    for tilt, yaw in TURNS:
        R = exp_so3(tilt * side) @ exp_so3(yaw * n) @ R_0
        V, wrench = line.pressed(p, R)
        for i, step in enumerate([1e-9] * 3 + [2e-8] * 3):
            d = np.zeros(6)
            d[i] = step

            def energy(t, d=d, R=R):
                return line.pressed(p + t * d[:3], exp_so3(t * d[3:]) @ R)[0]

            slope = (8 * (energy(1) - energy(-1)) - energy(2) + energy(-2)) / (12 * step)
            assert -slope == pytest.approx(wrench[i], abs=5e-6 * np.linalg.norm(wrench[:3]) + 1e-12)
        assert V > 0


def rim_on_wall(p, R, i, a=SHAFT, b=ROLLER):
    """The largest separation of a rim from an endless wall, over all normals of that wall."""
    center, u = p + R[:, 2] * b.length * (i - 0.5), R[:, 2]
    way = np.arctan2(center[1], center[0])
    for width in (0.5, 1e-2, 1e-4, 1e-6):
        angle = way + width * np.linspace(-1, 1, 401)
        n = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
        s = n @ center - b.radius * np.sqrt(1 - (n @ u) ** 2) - a.radius
        way = angle[s.argmax()]
    return s.max()


@pytest.mark.parametrize("seed", range(20))
def test_ends_of_the_line_against_a_search(seed):
    """Of a roller within the length of a shaft they are its rims; the other way round, and seen from other axes, it is the same."""
    rng = np.random.default_rng(seed)
    tilt, yaw, spin = rng.normal(size=3) * (3e-4, 5e-3, 1.0)
    R_ab = exp_so3(np.array([yaw, tilt, 0])) @ exp_so3(np.array([0, 0, spin]))
    if seed % 2:
        R_ab = R_ab @ BACK
    angle = rng.uniform(0, 2 * np.pi)
    turn = exp_so3(np.array([0, 0, angle]))
    p, R_ab = turn @ np.array([2 * R - 1e-4, 0, rng.uniform(-0.14, 0.14)]), turn @ R_ab
    line = Line(SHAFT, ROLLER)
    first, *ends = line.places(p, R_ab)[0]
    assert [g for g, _, _ in ends] == pytest.approx([rim_on_wall(p, R_ab, i) for i in range(2)], abs=1e-12)
    assert all(first[0] <= g + 1e-12 for g, _, _ in ends)
    V, wrench = line.pressed(p, R_ab)
    V_back, back = Line(ROLLER, SHAFT).pressed(-R_ab.T @ p, R_ab.T)
    assert V_back == pytest.approx(V, rel=1e-9)
    np.testing.assert_allclose(R_ab @ back[:3], -wrench[:3], atol=1e-6 * V * K)
    np.testing.assert_allclose(R_ab @ back[3:], -wrench[3:] - np.cross(p, wrench[:3]), atol=1e-6)
    crossed = exp_so3(np.array([0, 0, angle])) @ exp_so3(np.array([1.2, 0, 0]))
    first, *ends = line.places(p, crossed)[0]
    assert first[0] == pytest.approx(-1e-4, rel=1e-6)
    assert all(g > 0.0 for g, _, _ in ends)


def between(name, off, load=30.0):
    """What lies along z is pressed by a load beside its middle [m, along its own axis], free to move along the normal and to tilt."""
    a, b, at, n, R_0 = LYING[name]
    p = standing(Line(a, b), at, n, R_0)
    turned = {"axis": "x", "angle": "180 deg" if R_0[2, 2] < 0 else 0.0}
    markers = {"load": (0, 0, off)}
    body = fx.RigidBody("b", 2.0, 1e-3, position=tuple(p), orientation=turned, shapes=[b], markers=markers)
    carriage = fx.RigidBody("carriage", 1e-6, 1e-9, position=tuple(p))
    return [
        carriage,
        body,
        fx.Prismatic("up", fx.ground.at(*p), carriage, axis=tuple(n)),
        fx.Revolute("tilt", carriage, body, axis=tuple(np.cross(n, (0, 0, 1)))),
        fx.PointForce("load", body["load"], direction=tuple(-n), force=load),
        fx.Contact("c", fx.ground.surface(a), body, fx.Penalty(K)),
    ]


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("roller on shaft", -0.05, 0.05),
        ("rod on shaft", -0.3, 0.0),
        ("roller on edge", -0.05, 0.05),
        ("roller on prism", -0.05, 0.05),
        ("roller on edge of prism", -0.05, 0.05),
        ("rod on edge of prism", -0.3, 0.0),
        ("roller on edge of triangles", -0.05, 0.05),
        ("shaft on prism", -0.2, 0.2),
        ("rod on triangles", 0.0, 0.3),
    ],
)
def test_a_load_beside_the_middle_is_carried_by_both_ends(name, low, high):
    """Forces by the lever rule, of a rod that hangs over from the end of the line on; how deep each end is pressed follows from them."""
    middle, half, load = 0.5 * (low + high), 0.5 * (high - low), 30.0
    for part in (0.0, 0.3, -0.8):
        items = between(name, LYING[name][4][2, 2] * (middle + part * half), load)
        found = fx.Model("line", items).statics()
        assert found["c.normal_force"] == pytest.approx(load, rel=1e-6)
        at = found["c.point"] - np.array(items[1].position)
        assert at[2] == pytest.approx(middle + part * half, abs=1e-5)
        deeper = 0.5 * load * (1 + abs(part)) / K
        assert found["c.gap"] == pytest.approx(-deeper, rel=1e-3)
        tilt = load * part / (2 * half * K)
        assert abs(found["tilt.angle"]) == pytest.approx(abs(tilt), rel=1e-3, abs=1e-12)


def test_a_roller_rocks_on_its_ends():
    """Up and down with 2K, to and fro with K ℓ²/2 less what the load F, pushed from below its point, turns over: F r."""
    load = 30.0
    found = fx.Model("rocking", between("roller on shaft", 0.0, load)).modes(2)
    expected = np.sqrt(np.array([2 * K / 2.0, (0.5 * K * L**2 - load * R) / 1e-3])) / (2 * np.pi)
    assert sorted(found.frequencies) == pytest.approx(sorted(expected), rel=2e-6)


def groove(off, friction, restitution, velocity=(0, 0, 0), spin=(0, 0, 0), lift=0.0, law=None):
    """A roller on two shafts, its centre of mass beside its middle."""
    half = np.radians(40)
    body = fx.RigidBody(
        "b", 2.0, 1e-3, position=(0, 0, lift), center_of_mass=(0, off, 0), velocity=velocity, angular_velocity=spin,
        shapes=[fx.Cylinder(R, L, axis="y")],
    )  # fmt: skip
    law = law or fx.Penalty(K, restitution=restitution)
    contacts = [
        fx.Contact(
            f"c{i}",
            fx.ground.surface(
                fx.Cylinder(R, 0.4, axis="y", at=(side * 2 * R * np.cos(half), 0, -2 * R * np.sin(half)))
            ),
            body,
            law,
            friction=friction,
        )
        for i, side in enumerate((-1, 1))
    ]
    return fx.Model("groove", [body, *contacts], gravity=(0, 0, -G))


@pytest.mark.parametrize("off", [0.002, 0.03])
def test_a_roller_comes_to_rest_in_a_groove(off):
    """Both shafts carry m g/(2 sin 40°) where the centre of mass is, at a tilt by two springs each; long steps are enough."""
    run = groove(off, 0.0, 0.3).dynamics(until=0.1, step="1 ms", show=False)
    sine = np.sin(np.radians(40))
    N = 2.0 * G / (2 * sine)
    for i in range(2):
        assert run[f"c{i}.normal_force"][-1] == pytest.approx(N, rel=1e-3)
        assert run[f"c{i}.point_y"][-1] == pytest.approx(off, abs=1e-5)
    assert 2 * run["b.orientation_x"][-1] == pytest.approx(-2 * N * off / (L**2 * K * sine), rel=2e-3)
    assert np.ptp(run["energy.check_sum"].values) < 2e-6
    assert len(run.history["step_size"]) < 400
    assert np.sum(run.history["time"] < 0.02) < 120


def test_energy_is_kept_while_a_rod_dances_on_another():
    """It falls, tilts and turns about the normal, from crossed to parallel and on: what the energy of 8 mJ is off by without losses is left to the steps, as on a plane."""
    rod = fx.RigidBody(
        "b", 2.0, (1e-2, 1e-2, 1e-3), position=(0, 0, 2 * R + 1e-4), orientation={"axis": "z", "angle": "-1 deg"},
        velocity=(0, 0, -0.05), angular_velocity=(0.4, 0, 1.0), shapes=[fx.Cylinder(R, 0.2, axis="y")],
    )  # fmt: skip
    touch = fx.Contact("c", fx.ground.surface(fx.Cylinder(R, 0.2, axis="y")), rod, fx.Penalty(K))
    model = fx.Model("dance", [rod, touch], gravity=(0, 0, -G))
    for count, drift in ((40, 3e-5), (320, 5e-7)):
        run = model.dynamics(until=0.04, step=1e-4, impact_steps=count, show=False)
        assert np.ptp(run["energy.check_sum"].values) < drift
    assert run["c.normal_force"].values.max() > 20
    assert run["b.orientation_z"].values.min() < 0 < run["b.orientation_z"].values.max()


@pytest.mark.parametrize(("tilt", "yaw"), [(0.0, 0.0), (1e-3, 0.0), (1e-3, 0.02), (0.0, 0.05)])
def test_tangent_along_a_line(tilt, yaw):
    """K = ∂r/∂x, by dual numbers, beside differences; machine code tells the same."""
    sample = samples_of(fx.Contact)[0]
    shapes = {"shape_a": fx.Cylinder(1.0, 6.0), "shape_b": fx.Cylinder(0.8, 4.0)}
    declared = sample.declaration.replace(**shapes)
    term = replace(sample, declaration=declared).term
    state = random_state(term, 3)
    p = TouchRecord(term.words(True))
    frames = [(np.array(f.p[0:3]), np.array(f.R[0:9]).reshape(3, 3)) for f in (p.a, p.b)]
    turn = exp_so3(np.array([yaw, tilt, 0]))
    A = state.R[0] @ frames[0][1]
    R_b = A @ turn @ frames[1][1].T
    x_b = state.x[0] + state.R[0] @ frames[0][0] + A @ np.array([1.79, 0, 0.4]) - R_b @ frames[1][0]
    state = replace(state, x=np.array([state.x[0], x_b]), R=np.array([state.R[0], R_b]))
    assert outputs(term, state)[0] > 0
    tangent = matrix(term, state, (1.0, 0.0, 0.0))
    found = [
        slope_and_error(lambda d, j=j: residual(term, perturbed(state, COORDINATES, j, d)), 1e-6) for j in range(12)
    ]
    slopes, errors = np.array(found)[:, 0].T, np.array(found)[:, 1].T
    np.testing.assert_allclose(tangent, slopes, rtol=0, atol=1e-6 * np.abs(tangent).max() + 10 * errors.max())
    machine = call_compiled(term, state, RESIDUAL | MATRIX)
    np.testing.assert_allclose(machine.r, residual(term, state), atol=1e-9 * np.abs(machine.r).max())


def yawed(a, b, n, d, angles, off=0.0):
    """V, and the moment on b about n, as b turns about that at the distance d; off: of its middle along a."""
    line, p = Line(a, b), d * n + np.array([0.0, 0.0, off])
    found = [line.pressed(p, exp_so3(angle * n)) for angle in angles]
    return np.array([V for V, _ in found]), np.array([wrench[3:] @ n for _, wrench in found])


SHORT, STUB = fx.Cylinder(R, 0.04), fx.Cylinder(0.02, 0.042)
YAWED = {
    "alike": (SHORT, SHORT, X, 2 * R, 90, 0.0),
    "longer": (SHORT, fx.Cylinder(R, 0.048), X, 2 * R, 90, 0.0),
    "shorter": (fx.Cylinder(R, 0.048), SHORT, X, 2 * R, 90, 0.0),
    "on a shaft": (SHAFT, SHORT, X, 2 * R, 90, 0.0),
    "thinner": (SHORT, STUB, X, R + 0.02, 90, 0.0),
    "thicker": (STUB, SHORT, X, R + 0.02, 90, 0.0),
    "beside the middle": (SHORT, SHORT, X, 2 * R, 90, 0.01),
    "edge": (fx.Box(0.1, 0.1, 0.04), SHORT, EDGE, R * (1 + np.sqrt(2)), 50, 0.0),
    "shaft on edge": (fx.Box(0.1, 0.1, 0.04), SHAFT, EDGE, R * (1 + np.sqrt(2)), 50, 0.0),
    "round prism": (fx.Extruded(PIPE.profile, 0.04), STUB, X, R + 0.02, 85, 0.0),
    "shaft on round prism": (fx.Extruded(PIPE.profile, 0.04), SHAFT, X, 2 * R, 85, 0.0),
}


@pytest.mark.parametrize("name", YAWED)
def test_short_rollers_turn_from_along_to_across_without_a_jump(name):
    """Deep enough that the ends part at some 40° only, √(8 (r_a + r_b) δ)/ℓ: V falls from that of both ends to that of one place, and its change is the work of the moment at every angle, −ΔV = ∫ M dφ.
    By the trapezoidal rule, whose error is h³ M″/12; where an end passes from one roller to the other gaps differ from the order φ⁶ on."""
    a, b, n, d, most, off = YAWED[name]
    depth = 8e-4
    angles = np.radians(np.arange(0, most, 0.25))
    V, M = yawed(a, b, n, d - depth, angles, off)
    assert pytest.approx([K * depth**2, 0.5 * K * depth**2], rel=1e-6) == [V[0], V[-1]]
    assert np.abs(np.diff(V) + 0.5 * (M[1:] + M[:-1]) * angles[1]).max() < 2e-5 * V[0]


def test_a_short_roller_spins_on_another_one_and_keeps_its_energy():
    """Pressed by 1 kN it turns from along to across and on by half a turn, drops in and is thrown up; where the ends part the moment fades out. What is lost, 1.5e-4 of the energy
    stored, is of the steps: halved ones lose an eighth of that."""
    roller = fx.RigidBody("roller", 2, 5e-3, position=(0, 0, 2 * R - 1e-4), angular_velocity=(0, 0, 5.0), shapes=[fx.Cylinder(R, 0.04, axis="y")])  # fmt: skip
    items = [
        roller,
        fx.Cylindrical("guide", fx.ground.at(0, 0, 2 * R), roller, axis="z"),
        fx.PointForce("load", roller, direction="-z", force=1000.0),
        fx.Contact("c", fx.ground.surface(fx.Cylinder(R, 0.04, axis="y")), roller, fx.Penalty(K)),
    ]
    run = fx.Model("spin", items).dynamics(until=0.3, step=5e-5, show=False)
    energy = run["energy.check_sum"].values
    assert np.ptp(energy) < 3e-4 * run["energy.strain"].values.max()
    assert run["roller.angular_velocity_z"].values.max() > 10.0


@pytest.mark.parametrize(("side", "thick", "apart"), [(0.5, 1e-3, 1e-4), (0.5, 1e-3, -1e-4), (0.1, 0.1, -1e-5)])
def test_a_cylinder_stands_on_the_end_of_a_flat_prism(side, thick, apart):
    """Its axis goes through the section, whose middle is nearer to the ends than to the sides: there is no line, and the gap is that of both ends, at four points of its rim."""
    half = side / 2
    prism = fx.Extruded(
        fx.Profile([(-half, -half), (half, -half), (half, half), (-half, half)], closed=True, kind="lines"), thick
    )
    pin = fx.Cylinder(0.004, 0.02)
    for x, y in ((0.0, 0.0), (0.013, 0.017)):
        for end in (1, -1):
            p = np.array([x, y, end * (0.5 * thick + 0.01 + apart)])
            for a, b, q in ((prism, pin, p), (pin, prism, -p)):
                line = Line(a, b)
                (_, *ends), *_ = line.places(q, np.eye(3))
                assert line.gap(q, np.eye(3)) == pytest.approx(apart, rel=1e-9)
                assert all(g >= ELSEWHERE for g, _, _ in ends)
                assert [g for g, _, _ in line.beside(q, np.eye(3)) if g < 0] == pytest.approx(
                    4 * [apart] if apart < 0 else []
                )


@pytest.mark.parametrize("yaw", [0.0, 1e-5, 1e-3, 5e-3, 0.02, 0.3, 1.2])
@pytest.mark.parametrize("solid", [BEAM, BLOCK])
def test_edges_of_prisms_and_triangles_hold_as_those_of_boxes(solid, yaw):
    """Parallel to it, 2 K δ by both ends; crossed, K δ by one place alone; between and beside that V and force are those of a box of the same size."""
    box, line, depth = Line(fx.Box(2 * R, 2 * R, 0.4), ROLLER), Line(solid, ROLLER), 1e-5
    for angle, tilt in ((np.pi / 4, 0.0), (np.pi / 6, 0.0), (np.pi / 6, 5e-5), (np.pi / 3, -5e-5)):
        n = np.array([np.cos(angle), np.sin(angle), 0])
        p = np.array([R, R, 0.03]) + (R - depth) * n
        turn = exp_so3(tilt * np.cross(n, (0, 0, 1))) @ exp_so3(yaw * n)
        V, wrench = line.pressed(p, turn)
        V_box, expected = box.pressed(p, turn)
        assert pytest.approx(V_box, rel=1e-6) == V
        np.testing.assert_allclose(wrench, expected, atol=1e-6 * K * depth)
        if tilt == 0.0 and yaw in (0.0, 0.3, 1.2):
            assert np.linalg.norm(wrench[:3]) == pytest.approx((1 if yaw else 2) * K * depth, rel=1e-6)


@pytest.mark.parametrize(
    ("b", "turn", "p", "z"),
    [
        (fx.Cone(0.03, 0.12, top=0.06), BACK, (0.10957, 0, 0), (0.0095, 0.0115)),
        (fx.Cylinder(0.04, 0.2), exp_so3(np.array([0, 0.0026, 0])), (0.089264, 0, 0), (0.0493, 0.0500)),
    ],
)
def test_energy_is_kept_where_a_cone_leaves_the_rim_of_another(b, turn, p, z):
    """Of different taper, its end may be deeper along the normal of the other wall than both are separated at all: what it adds to V is what forces do, at no place more."""
    line = Line(CONE, b)
    heights = np.linspace(*z, 401)
    found = [line.pressed(np.array(p) + np.array([0, 0, height]), turn) for height in heights]
    V, f = np.array([each[0] for each in found]), np.array([each[1][2] for each in found])
    work = np.diff(V) + 0.5 * (f[1:] + f[:-1]) * np.diff(heights)
    assert V.min() > 0
    assert np.abs(work).max() < 1e-2 * V.max()  # where the normal changes, in a step of 5 µm


@pytest.mark.parametrize("solid", [BEAM, BLOCK])
def test_the_edge_beside_one_end_is_not_the_other_end(solid):
    """A rod that is tilted off the far end of a beam is held by its lower rim alone, also just before that reaches the near end: V = ½ K δ²."""
    line, turn, depth = Line(solid, ROD), exp_so3(np.array([0, 1.2e-3, 0])) @ BACK, 4e-4
    for beside in (2e-3, 8e-4, 5e-4, 1e-4):
        p = np.array([0, 0.01, beside - 0.2]) - turn @ np.array([0, 0, 0.3])
        p[0] = R + 0.03 - depth - (turn @ np.array([0, 0, 0.3]))[0]
        assert line.pressed(p, turn)[0] == pytest.approx(0.5 * K * depth**2, rel=1e-3)


@pytest.mark.parametrize("width", [0.018, 0.02, 0.022])
def test_the_slip_of_a_line_is_that_of_its_ends(width):
    """A cam that turns under a roller which does not slides by its speed at the line, whether they are as wide or not: to cos of the angle between contour and speed, 1 ω² e²."""
    shaft = fx.RigidBody("shaft", 1, 1e-3, shapes=[fx.Extruded(fx.Profile.circle(0.03), 0.02)])
    arm = fx.RigidBody("arm", 0.3, 1e-4, shapes=[fx.Cylinder(0.01, width)])
    items = [
        shaft, arm, fx.Revolute("b", fx.ground, shaft, axis="z"), fx.Prismatic("g", fx.ground, arm, axis="y", start=0.04),
        fx.Motor("d", "b", speed=72.0), fx.PointForce("s", arm, direction="-y", force=60.0),
        fx.Contact("c", shaft, arm, fx.Penalty(20e6, restitution=0.4), friction=0.1),
    ]  # fmt: skip
    run = fx.Model("cam", items).dynamics(until=0.01, step="0.2 ms", show=False)
    assert run["c.slip"][-1] == pytest.approx(72.0 * 0.03, rel=1e-4)
    assert run["c.sticks"][-1] == 0
