"""Guides: beads on rails that turn, sliders on bending beams, telescopes, pipes in pipes, ends."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexor as fx
from flexor.bodies import Site
from flexor.errors import FlexorError, ModelError
from flexor.joints import guide_line
from flexor.joints.guide_line import arc_lengths, cardinal_functions, nearest, weights
from flexor.law import ACCELERATION_LEVEL, VELOCITY_LEVEL
from flexor.mesh.generate import bar
from flexor.spatial import exp_so3
from tests.laws.by_duals import assert_tangent
from tests.laws.calls import residual
from tests.laws.scene import Places
from tests.laws.states import COORDINATES, State, assert_derivative, moved, perturbed, slope_and_error

G = (0, 0, -9.81)


def same(run, other, signals, atol=1e-9):
    for signal in signals:
        np.testing.assert_allclose(run[signal].values, other[signal].values, atol=atol, err_msg=signal)


def of(body, *components, names=("position", "velocity")):
    return [f"{body}.{name}_{axis}" for name in names for axis in components or "xyz"]


# -- the line ------------------------------------------------------------------------------------------------------


def test_cardinal_functions():
    """One at their own knot, nought at the others; they sum up to 1, reproduce straight lines, and their curvature does not jump."""
    knots = np.array([0.0, 0.7, 1.0, 2.5, 3.1])
    for s in np.linspace(0, 3.1, 23):
        N = weights(knots, s)
        np.testing.assert_allclose(N.sum(axis=1), (1, 0, 0), atol=1e-13)
        np.testing.assert_allclose(N @ knots, (s, 1, 0), atol=1e-12)
    np.testing.assert_allclose([weights(knots, s)[0] for s in knots], np.eye(5), atol=1e-14)
    for s in knots[1:-1]:
        np.testing.assert_allclose(weights(knots, s - 1e-13), weights(knots, s), atol=1e-10)
    np.testing.assert_allclose(cardinal_functions(knots[:2])[0], [[1, -1 / 0.7, 0, 0], [0, 1 / 0.7, 0, 0]], atol=1e-15)


def test_arc_lengths_of_a_circle():
    angles = np.linspace(0, np.pi / 2, 33)
    knots = arc_lengths(np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1))
    assert knots[-1] == pytest.approx(np.pi / 2, rel=1e-5)


def test_the_nearest_place_on_a_long_line(monkeypatch):
    """The spline is solved for once, however many markers there are; in the plane of a circle the nearest place is on the radius."""
    calls = []
    monkeypatch.setattr(guide_line, "cardinal_functions", lambda knots: calls.append(1) or cardinal_functions(knots))
    angles = np.linspace(0, np.pi, 201)
    line = 2 * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    knots = 2 * angles
    for angle, radius in ((0.7, 1.9), (2.1, 3.0), (3.0, 1.0)):
        b = radius * np.array([np.cos(angle), np.sin(angle), 0.1])
        calls.clear()
        assert nearest(knots, line, b) == pytest.approx(2 * angle, abs=1e-6)
        assert len(calls) == 1
    assert nearest(knots, line, np.array([3.0, -0.1, 0])) == 0.0


def on_four_nodes(seed, **fields):
    """A guide with its three markers on three bodies and the slider on a fourth, and a state in which all this nearly fits."""
    random = np.random.default_rng(seed)
    guide = fx.Guide("rail", ["p.a", "q.a", "r.a"], "ball", **fields)
    sites = [Site(i, random.normal(size=3) * 0.2, exp_so3(random.normal(size=3) * (i > 1))) for i in (1, 2, 3, 4)]
    at = np.array([(0, 0, 0), (1, 0.1, 0), (2.5, -0.1, 0.2), (1.3, 0, 0)])
    shifted = tuple(replace(site, p_NM=site.p_NM + p) for site, p in zip(sites, at))
    (term,) = guide.terms(Places(shifted[0], shifted[3], offset=(1.3, 0.05, 0.1), along=shifted[:3]))
    R = np.array([exp_so3(random.normal(size=3) * 0.2) for _ in range(4)])
    state = State(
        x=random.normal(size=(4, 3)) * 0.1, R=R, v=random.normal(size=(4, 6)), a=random.normal(size=(4, 6)), s=np.zeros((0, 3)),
        lam=random.normal(size=len(term.rows)), h=np.array(term.history), t=0.3, gravity=random.normal(size=3),
    )  # fmt: skip
    return term, state


KINDS = (
    {"twist": "locked", "position": "1.2 + 0.1*t^2", "spring": 3, "drag": 0.4},
    {"twist": "locked", "stiffness": 30, "clearance": 0.02, "damping": 2, "ends": "stop", "stop": 40},
)


@pytest.mark.parametrize("fields", KINDS, ids=["bound", "pipe"])
@pytest.mark.parametrize("seed", range(3))
def test_markers_on_several_bodies(seed, fields):
    """Tangent, rates of the constraints, forces by their gradient, action = reaction."""
    term, state = on_four_nodes(seed, **fields)
    assert_tangent(term, state)

    def rows(at, level=0):
        return residual(term, at, level)[24:]

    for level, below in ((VELOCITY_LEVEL, 0), (ACCELERATION_LEVEL, VELOCITY_LEVEL)):
        expected, error = slope_and_error(lambda tau, below=below: rows(moved(state, tau), below))
        assert_derivative(rows(state, level), expected, error, 1.0 + np.abs(expected).max())
    gradient = [slope_and_error(lambda d, j=j: rows(perturbed(state, COORDINATES, j, d))) for j in range(24)]
    B, error = np.array(gradient).transpose(1, 2, 0)
    pushed = residual(term, state)[:24]
    idle = residual(term, replace(state, lam=0 * state.lam))[:24]
    assert_derivative(pushed - idle, B.T @ state.lam, error.T @ np.abs(state.lam), 1.0)
    forces = pushed.reshape(4, 2, 3)
    moments = np.cross(state.x, forces[:, 0]) + forces[:, 1]
    np.testing.assert_allclose([forces[:, 0].sum(axis=0), moments.sum(axis=0)], 0, atol=1e-12 * np.abs(pushed).max())


# -- on rigid bodies -------------------------------------------------------------------------------------------------


def test_a_bead_on_a_turning_table_is_a_point_on_a_line():
    """Coriolis and centrifugal forces on a tilted table that turns about all axes; four markers, three segments."""
    table = fx.RigidBody(
        "table", 5, (1, 2, 3), orientation={"axis": (1, 1, 0.3), "angle": "25 deg"}, angular_velocity=(0.3, 0.2, 2),
        markers={"p": (-3, 0, 0), "q": (-0.5, 0, 0), "r": (0.8, 0, 0), "s": (6, 0, 0)},
    )  # fmt: skip
    bead = fx.PointMass("bead", 1.3)
    hold = fx.Spherical("hold", fx.ground, table)
    runs = [
        fx.Model("bead", [table, bead, hold, line], gravity=G).dynamics(until=1.5, step=0.005)
        for line in (
            fx.Guide("line", [table[name] for name in "pqrs"], bead),
            fx.PointOnLine("line", table, bead, axis="x"),
        )
    ]
    same(*runs, [*of("bead"), *of("table", names=("angular_velocity",))], atol=5e-9)
    np.testing.assert_allclose(runs[0]["line.position"] - 3, runs[1]["line.displacement"], atol=5e-9)
    np.testing.assert_allclose(runs[0]["line.speed"], runs[1]["line.displacement_rate"], atol=5e-9)
    assert runs[0]["line.position"].values.max() > 3.8  # it has passed a marker


def test_a_wire_through_points_of_a_circle_is_a_pendulum():
    """The error falls with the fourth power of the distance of the markers; in mid-range the ends are far."""
    errors = []
    bead = fx.PointMass("bead", 0.4, position=(np.sin(0.4), 0, -np.cos(0.4)))
    rod = fx.Model("rod", [bead, fx.Distance("rod", fx.ground, bead, length=1)], gravity=G).dynamics(until=2, step=2e-3)
    for count in (9, 17):
        angles = np.linspace(-1.6, 1.6, count)
        wire = fx.Guide("wire", [fx.ground.at(np.sin(a), 0, -np.cos(a)) for a in angles], bead)
        run = fx.Model("wire", [bead, wire], gravity=G).dynamics(until=2, step=2e-3)
        errors.append(np.abs(run["bead.position_x"].values - rod["bead.position_x"].values).max())
    assert errors[0] < 5e-3
    assert errors[0] / errors[1] > 8


def slide(*connections, boom=None, **given):
    """A boom that swings about y with a sledge along its x axis."""
    boom = boom or fx.RigidBody("boom", 4, (0.5, 1, 1.2), center_of_mass=(1, 0, 0))
    sledge = fx.RigidBody("sledge", 2, (0.1, 0.3, 0.2), position=(1.2, 0.1, 0.2), center_of_mass=(0.2, 0.1, 0), **given)
    pin = fx.Revolute("pin", fx.ground, boom, axis="y")
    return fx.Model("slide", [boom, sledge, pin, *connections], gravity=(0, 3, -9.81))


def test_two_guides_one_of_them_without_twist_are_a_prismatic_joint():
    line = [fx.MarkerRef("boom", at=(x, 0.1, 0.2)) for x in (0, 1, 2.5, 6)]
    guides = (
        fx.Guide("front", line, fx.MarkerRef("sledge", at=(0.4, 0, 0)), twist="locked"),
        fx.Guide("rear", line, fx.MarkerRef("sledge", at=(-0.3, 0, 0))),
    )
    prismatic = fx.Prismatic("slider", fx.MarkerRef("boom", at=(1.2, 0.1, 0.2)), "sledge", axis="x")
    run, other = (slide(*each).dynamics(until=0.6, step=2e-3) for each in (guides, (prismatic,)))
    same(run, other, [*of("sledge"), *of("boom", names=("angular_velocity",))], atol=2e-9)
    moment = run["front.torque"].values
    assert np.abs(moment).max() > 1


def test_a_sledge_is_driven_and_sprung_along_its_guide():
    """s = 0.8 + 0.2 sin 3t and its force; the same by its speed; a spring gives ω² = k/m, with drag the amplitude decays."""
    line = [fx.ground.at(x) for x in (0, 0.5, 1.7, 3)]
    sledge = fx.PointMass("sledge", 2, position=(0.8, 0, 0))
    for drive in ({"position": "0.8 + 0.2*sin(3*t)"}, {"speed": "0.6*cos(3*t)"}):
        run = fx.Model("driven", [sledge, fx.Guide("rail", line, sledge, **drive)]).dynamics(until=1, step=0.005)
        s = 0.8 + 0.2 * np.sin(3 * run.time)
        np.testing.assert_allclose(run["rail.position"], s, atol=1e-9)
        np.testing.assert_allclose(run["rail.force"], -2 * 9 * (s - 0.8), atol=2e-3)
        np.testing.assert_allclose(np.ptp(run["energy.check_sum"].values), 0, atol=1e-4)
    sprung = fx.Guide("rail", line, sledge, spring=50, free=1, drag=2)
    run = fx.Model("sprung", [sledge, sprung]).dynamics(until=2, step=5e-4)
    omega = np.sqrt(25 - 0.25)
    decay = np.exp(-0.5 * run.time) * (np.cos(omega * run.time) + 0.5 / omega * np.sin(omega * run.time))
    np.testing.assert_allclose(run["rail.position"], 1 - 0.2 * decay, atol=1e-6)
    assert np.ptp(run["energy.check_sum"].values) < 1e-5


def test_sensors_read_the_position():
    sledge = fx.PointMass("sledge", 2, position=(0.8, 0, 0))
    rail = fx.Guide("rail", [fx.ground, fx.ground.at(3)], sledge)
    read = fx.Sensor("where", of="rail.position")
    back = fx.PointForce("back", sledge, direction="x", force=fx.polynomial(50, -50, sensor="where"))
    run = fx.Model("held", [sledge, rail, read, back]).dynamics(until=2, step=5e-4)
    np.testing.assert_allclose(run["rail.position"], 1 - 0.2 * np.cos(5 * run.time), atol=1e-6)


# -- ends ------------------------------------------------------------------------------------------------------------


def incline(**ends):
    line = [fx.ground.at(0, 0, 1), fx.ground.at(0.5, 0, 0.5), fx.ground.at(1, 0, 0)]
    block = fx.PointMass("block", 1, position=(0.5, 0, 0.5))
    return fx.Model("incline", [block, fx.Guide("rail", line, block, **ends)], gravity=G)


def test_a_stop_throws_the_slider_back():
    run = incline(ends="stop", stop="100 kN/m").dynamics(until=1.2, step=1e-4)
    s, length = run["rail.position"].values, np.sqrt(2)
    a = 9.81 / np.sqrt(2)
    v = np.sqrt(2 * a * length / 2)
    assert s.max() - length == pytest.approx(v / np.sqrt(1e5) + a / 1e5, rel=2e-2)
    bounced = run.time > 1.3 * np.sqrt(length / a)
    assert s[bounced].min() == pytest.approx(length / 2, abs=2e-3)
    assert np.ptp(run["energy.check_sum"].values) < 2e-3


def test_a_slider_that_leaves_its_guide():
    """By default the run ends with a message; a pipe in a pipe comes off and falls."""
    with pytest.raises(FlexorError, match="'rail': the slider has left its guide at the end; make the guide longer"):
        incline().dynamics(until=1, step=1e-3)
    run = incline(ends="leave", stiffness="1 MN/m", damping="100 N s/m").dynamics(until=0.8, step=1e-4)
    off = run["rail.position"].values > np.sqrt(2) + 1e-6
    assert np.any(off)
    np.testing.assert_allclose(run["rail.force_1"].values[off], 0, atol=0)
    z, rate, t = (each[off] for each in (run["block.position_z"].values, run["block.velocity_z"].values, run.time))
    fallen = z[50] + rate[50] * (t - t[50]) - 9.81 / 2 * (t - t[50]) ** 2
    np.testing.assert_allclose(z[50:], fallen[50:], atol=1e-7)


# -- on flexible bodies -----------------------------------------------------------------------------------------------

L, E, WIDTH = 4.0, 210e9, 0.05


def bridge(height, x, *, mass, density=1e-3, divisions=8, gravity=9.81, **guide):
    """A beam on two supports with a point mass on it, guided by its nodes."""
    beam = fx.Beam(
        "beam", [(0, 0, 0), (L, 0, 0)], fx.Rectangle(WIDTH, height), fx.Isotropic(E, 0.3, density), divisions=divisions, up="z"
    )  # fmt: skip
    ball = fx.PointMass("ball", mass, position=(x, 0, 0))
    return fx.Model(
        "bridge",
        [
            beam,
            ball,
            fx.Revolute("left", fx.ground, beam["start"], axis="y"),
            fx.PointOnLine("right", fx.ground.at(L), beam["end"], axis="x"),
            fx.Guide("rail", [beam[f"node {i}"] for i in range(divisions + 1)], ball, **guide),
        ],
        gravity=(0, 0, -gravity),
    )


@pytest.mark.parametrize("x", [0.5, 1.0, 1.3, 2.0, 2.75])
def test_a_load_sags_a_beam_wherever_it_stands(x):
    """w = P a² b²/(3 E I L); between markers the spline is as good as (distance of markers/L)³ of the sag in the middle."""
    P, h = 0.5, 0.02
    EI = E * WIDTH * h**3 / 12
    found = bridge(h, x, mass=P / 9.81, position=x).statics()["ball.position_z"]
    middle = P * L**3 / (48 * EI)
    at_marker = (x / 0.5).is_integer()
    assert -found == pytest.approx(P * (x * (L - x)) ** 2 / (3 * EI * L), abs=middle * (2e-4 if at_marker else 1.2e-3))


@pytest.mark.parametrize("formulation", ["superelement", "floating"])
@pytest.mark.parametrize("x", [0.25, 0.75])
def test_a_load_sags_a_reduced_mesh(formulation, x):
    """A cantilever with five interfaces: w = P x³/3EI + P x/κGA."""
    P, h = 0.5, 0.02
    EI, shear = E * WIDTH * h**3 / 12, 5 / 6 * E / 2.6 * WIDTH * h
    steel = fx.Isotropic(E, 0.3, 7800)
    mesh = bar(1, WIDTH, h, divisions=(8,), element="beam2", material=steel, section=fx.Rectangle(WIDTH, h))
    places = {f"p{i}": fx.plane(at=(0.25 * i, 0, 0), normal="x") for i in range(5)}
    beam = fx.FlexibleBody("beam", mesh, interfaces=places, formulation=formulation, reduction=fx.CraigBampton(modes=6))
    ball = fx.PointMass("ball", 1, position=(x, 0, 0))
    rail = fx.Guide("rail", [beam[name] for name in places], ball, position=x)
    load = fx.PointForce("load", ball, direction="-z", force=P)
    model = fx.Model("m", [beam, ball, fx.Fixed("root", fx.ground, beam["p0"]), rail, load])
    assert -model.statics()["ball.position_z"] == pytest.approx(P * x**3 / (3 * EI) + P * x / shear, rel=5e-4)


def test_modes_of_a_beam_with_a_mass_on_a_spring_along_it():
    """ω² = k/m along the beam, 48 E I/(m L³) across it."""
    h, m = 0.02, 1.0
    sag = 48 * E * WIDTH * h**3 / 12 / (m * L**3)
    modes = bridge(h, 2.0, mass=m, spring=100, free=2.0, gravity=0.0).modes(2)
    np.testing.assert_allclose(modes.frequencies, np.sqrt([100 / m, sag]) / (2 * np.pi), rtol=1e-4)


def moving_mass(times, M, v, g, EI, mu, modes=12):
    """Deflection under a mass that crosses a beam, which begins straight and at rest: M (g + d²w(vt, t)/dt²) loads its modes."""
    k = np.arange(1, modes + 1) * np.pi / L
    weight = np.where(np.arange(modes) % 2 == 0, 2 * mu * g / k, 0.0)

    def rates(t, y):
        q, q_dot = y[:modes], y[modes:]
        phi, slope_, bend = np.sin(k * v * t), k * np.cos(k * v * t), -(k**2) * np.sin(k * v * t)
        A = np.eye(modes) * mu * L / 2 + M * np.outer(phi, phi)
        load = M * phi * (g + 2 * v * slope_ @ q_dot + v * v * bend @ q)
        return np.concatenate([q_dot, np.linalg.solve(A, -EI * k**4 * L / 2 * q - load - weight)])

    found = solve_ivp(rates, (0, times[-1]), np.zeros(2 * modes), "DOP853", times, rtol=1e-9, atol=1e-12)
    return np.sum(np.sin(np.outer(k, v * times)) * found.y[:modes], axis=0)


def test_a_mass_crosses_a_beam():
    """Against the sum of modes; it passes eight markers. Energies balance with the work of the drive."""
    h, density, M, v, g = 0.02, 7800.0, 5.0, 8.0, 0.981
    EI, mu = E * WIDTH * h**3 / 12, density * WIDTH * h
    run = bridge(h, 0.0, mass=M, density=density, gravity=g, speed=v).dynamics(until=0.98 * L / v, step=1e-3)
    expected = moving_mass(np.asarray(run.time), M, v, g, EI, mu)
    np.testing.assert_allclose(run["ball.position_z"].values, expected, atol=1e-3 * np.abs(expected).max())
    assert np.ptp(run["energy.check_sum"].values) < 1e-6 * run["energy.kinetic"].values.max()


def test_the_passage_of_segments_is_of_second_order():
    """A bead on a wire through unevenly spaced points: halving the step quarters the change. No step loses the segment although it
    passes several."""
    ends = []
    bead = fx.PointMass("bead", 0.4, position=(-1, -0.2, 0.5))
    wire = fx.Guide("wire", [fx.ground.at(x, 0.2 * x**3, 0.5 * x**2) for x in (-2, -1, -0.6, 0.1, 0.3, 1, 2)], bead)
    for step in (4e-3, 2e-3, 1e-3):
        run = fx.Model("wire", [bead, wire], gravity=G).dynamics(until=0.9, step=step)
        ends.append([run[f"bead.position_{axis}"].values[-1] for axis in "xyz"])
    assert run["wire.position"].values.max() > 3
    coarse, fine = np.diff(ends, axis=0)
    assert np.linalg.norm(coarse) / np.linalg.norm(fine) == pytest.approx(4, rel=0.1)
    fast = fx.PointMass("fast", 1.0, position=(0.05, 0, 0), velocity=(100, 0, 0))
    rail = fx.Guide("rail", [fx.ground.at(0.5 * i) for i in range(9)], fast)
    run = fx.Model("fast", [fast, rail]).dynamics(until=0.036, step=0.012)
    np.testing.assert_allclose(run["rail.position"].values, 0.05 + 100 * run.time, atol=1e-9)


# -- telescopes ------------------------------------------------------------------------------------------------------


def telescope(**drive):
    """Two booms along x: the outer from 0 to 3, the inner from 1 to 4.5; each carries a shoe that slides on the other."""
    outer = fx.RigidBody("outer", 6, (0.2, 4.5, 4.6), center_of_mass=(1.5, 0, 0))
    inner = fx.RigidBody("inner", 4, (0.1, 4, 4.1), center_of_mass=(1.75, 0, 0), position=(1, 0, 0))
    pin = fx.Universal("pin", fx.ground, outer, axis="y", cross_axis="z")
    rear = fx.Guide("rear", [outer.at(x) for x in (0, 1, 2, 3)], inner, twist="locked", **drive)
    front = fx.Guide("front", [inner.at(x) for x in (0, 1, 2.5, 3.5)], outer.at(3))
    return outer, inner, pin, rear, front


def test_a_telescope_that_is_held_is_one_boom():
    outer, inner, pin, *guides = telescope(position=1.0)
    model = fx.Model("telescope", [outer, inner, pin, *guides], gravity=(0, 4, -9.81))
    masses, centres = np.array([6, 4]), np.array([1.5, 2.75])
    centre = masses @ centres / 10
    across = masses @ (centres - centre) ** 2
    boom = fx.RigidBody("outer", 10, (0.3, 8.5 + across, 8.7 + across), center_of_mass=(centre, 0, 0))
    run, one = (
        each.dynamics(until=1, step=2e-3) for each in (model, fx.Model("one", [boom, pin], gravity=(0, 4, -9.81)))
    )
    same(run, one, of("outer", names=("angular_velocity",)), atol=2e-6)


def test_a_telescope_of_two_flexible_booms():
    """Tip of two cantilevers that overlap between x = 1.5 and 3: superposed closed forms."""
    P, EI, end, rear, tip = 2.0, E * WIDTH * 0.02**3 / 12, 3.0, 1.5, 4.5
    beam = {"section": fx.Rectangle(WIDTH, 0.02), "material": fx.Isotropic(E, 0.3, 1e-3), "divisions": 6, "up": "z"}
    outer, inner = (
        fx.Beam(name, [(0, 0, 0), (3, 0, 0)], **beam, position=at)
        for name, at in (("outer", (0, 0, 0)), ("inner", (1.5, 0, 0)))
    )
    nodes = [f"node {i}" for i in range(7)]
    model = fx.Model(
        "booms",
        [
            outer,
            inner,
            fx.Fixed("root", fx.ground, outer["start"]),
            fx.Guide("shoe", [outer[node] for node in nodes], inner["start"], twist="locked", position=rear),
            fx.Guide("collar", [inner[node] for node in nodes], outer["end"]),
            fx.PointForce("load", inner["end"], direction="-z", force=P),
        ],
    )
    result = model.statics()
    down, up = (
        P * (tip - rear) / (end - rear),
        P * (tip - end) / (end - rear),
    )  # of the inner boom on the outer, at end and rear

    def sag(x, load, at):
        """Of a cantilever."""
        return load * (x**2 * (3 * at - x) if x < at else at**2 * (3 * x - at)) / (6 * EI)

    at_end, at_rear = (sag(x, down, end) - sag(x, up, rear) for x in (end, rear))
    turned = at_end + (at_end - at_rear) / (end - rear) * (tip - end)
    own = P * (tip - end) ** 2 * (tip - rear) / (3 * EI)  # inner boom on two supports with an overhang
    assert -result["inner.end.position_z"] == pytest.approx(turned + own, rel=2e-3)


# -- pipe in pipe ----------------------------------------------------------------------------------------------------


def test_a_pipe_lies_in_a_pipe():
    """It sinks by the clearance and m g/k; it rolls to and fro as a pendulum of that length, and energy is kept."""
    m, k, c = 2.0, 1e5, 0.05
    depth = c + m * 9.81 / k
    line = [fx.ground.at(x) for x in (0, 1, 2)]

    def pipe(angle, **more):
        ball = fx.PointMass("ball", m, position=(0.7, depth * np.sin(angle), -depth * np.cos(angle)))
        guide = fx.Guide("pipe", line, ball, clearance=c, stiffness=k, **more)
        return fx.Model("pipe", [ball, guide], gravity=G)

    run = pipe(0.05).dynamics(until=1, step=1e-4)
    assert np.ptp(run["energy.check_sum"].values) < 1e-6
    angle = np.arctan2(run["ball.position_y"].values, -run["ball.position_z"].values)
    np.testing.assert_allclose(angle, 0.05 * np.cos(np.sqrt(9.81 / depth) * run.time), atol=6e-4)
    assert run["pipe.gap"].values[0] == pytest.approx(depth, rel=1e-9)
    still = pipe(0.0).dynamics(until=0.1, step=1e-3)
    np.testing.assert_allclose(still["ball.position_z"], -depth, rtol=1e-9)
    assert np.hypot(still["pipe.force_1"].values, still["pipe.force_2"].values)[-1] == pytest.approx(m * 9.81)


def test_a_stiff_guide_without_clearance_is_nearly_a_bound_one():
    line = [fx.ground.at(x) for x in (0, 1, 4)]
    ball = fx.PointMass("ball", 1, position=(0.5, 0, 0), velocity=(1, 0, 0))
    stiff = fx.Guide("rail", line, ball, stiffness=1e6, damping=2e3)
    run = fx.Model("stiff", [ball, stiff], gravity=G).dynamics(until=1, step=1e-3)
    np.testing.assert_allclose(run["ball.position_z"].values[-1], -9.81e-6, rtol=1e-6)
    np.testing.assert_allclose(run["rail.position"], 0.5 + run.time, atol=1e-9)


# -- wrong input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"along": ["boom"]}, "one marker makes no line; name two or more in order"),
        ({"along": "boom.tip"}, "one marker makes no line"),
        ({"along": ["boom", "boom"]}, "boom is named twice in a row"),
        ({"along": ["boom", "ball"]}, "b is on 'ball' as the line is"),
        ({"stop": 5}, "stops need both: ends: stop and their stiffness"),
        ({"ends": "leave"}, "bound to the line cannot leave it"),
        ({"clearance": 0.1}, "without stiffness"),
        ({"position": 1, "speed": 2}, "give one of them"),
    ],
)
def test_wrong_input(fields, message):
    with pytest.raises(ModelError, match=message):
        fx.Guide("rail", **{"along": ["boom", "boom.tip"], "b": "ball", **fields})


@pytest.mark.parametrize(
    ("last", "x", "message"),
    [
        ("same", 0.5, r"boom\.tip and boom\.same coincide; the line has no direction between them, leave out one"),
        ("back", 0.5, r"its line turns back by 17.° at boom\.tip"),
        ("end", 2.5, "its slider begins 0.5 m beyond the end of the guide; place it between the ends"),
    ],
)
def test_markers_that_make_no_line_are_told(last, x, message):
    markers = {"tip": (1, 0, 0), "same": (1, 0, 0), "back": (0.5, 0.01, 0), "end": (2, 0, 0)}
    boom = fx.RigidBody("boom", 1, 1, markers=markers)
    ball = fx.PointMass("ball", 1, position=(x, 0, 0))
    with pytest.raises(ModelError, match=message):
        fx.Model("m", [boom, ball, fx.Guide("rail", [boom, boom["tip"], boom[last]], ball)]).check()


def test_twist_of_a_point_mass_is_refused():
    ball = fx.PointMass("ball", 1, position=(0.5, 0, 0))
    model = fx.Model("m", [ball, fx.Guide("rail", [fx.ground, fx.ground.at(1)], ball, twist="locked")])
    with pytest.raises(ModelError, match="body 'ball' is a point mass"):
        model.check()


def test_torque_about_the_line_is_that_on_the_slider():
    """As of a slide along the same line: −1.5 N m against 1.5 N m; the other way round the line, with the other sign."""
    body = fx.RigidBody("body", mass=2, inertia=0.1, position=(2, 0, 0), velocity=(1, 0, 0))
    push = fx.PointTorque("push", body, direction="x", torque=1.5)
    for points, sign in (((0, 2, 5), -1), ((5, 2, 0), 1)):
        guide = fx.Guide("guide", [fx.ground.at(x, 0, 0) for x in points], body, twist="locked")
        run = fx.Model("slide", [body, guide, push]).dynamics(until=0.05, step=0.005, show=False)
        np.testing.assert_allclose(run["guide.torque"], 1.5 * sign, rtol=1e-9)
