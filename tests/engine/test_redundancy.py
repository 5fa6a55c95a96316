"""Redundant constraints are a matter of geometry, and what they say must agree with the others."""

import warnings

import numpy as np
import pytest
from scipy import linalg
from scipy.optimize import brentq

import flexor as fx
from flexor.engine import redundancy
from flexor.engine.redundancy import find_redundant
from flexor.law import ACCELERATION_LEVEL, MATRIX, RESIDUAL, VELOCITY_LEVEL, law
from flexor.law.record import Record, number
from flexor.mesh.generate import bar
from flexor.solve.prepare import compile_model

BODIES, N, ROWS = 4, 12, 4


def matrices(seed, rank=9):
    """K, R, a mass matrix of the given rank, and four independent constraints of twelve coordinates."""
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((N, N))
    G = rng.standard_normal((N, N))
    half = rng.standard_normal((N, rank))
    return A @ A.T + N * np.eye(N), 0.1 * (A.T @ A) + G - G.T, half @ half.T, rng.standard_normal((ROWS, N))


def constrained_by_law(K, R, M, Cq, levels=(0, 1, 2), tangent=True):
    """Four point masses of 1 kg whose equations a user's law completes to M ẍ + R ẋ + K x + Cqᵀ λ = 0, Cq x = 0.

    levels: what it puts into the rows when asked for positions, velocities and accelerations.
    """
    places = np.array([6 * (i // 3) + i % 3 for i in range(N)])
    extra = M - np.eye(N)
    size = 6 * BODIES + ROWS

    def equations(want, n, k, p, h, t, c, x, Rot, v, a, s, lam, r, Kmat, w):
        at, speed, acc = x[:N], v.reshape(BODIES, 6)[:, :3].ravel(), a.reshape(BODIES, 6)[:, :3].ravel()
        level = levels[2 if want & ACCELERATION_LEVEL else 1 if want & VELOCITY_LEVEL else 0]
        if want & RESIDUAL:
            r[places] += extra @ acc + R @ speed + K @ at + Cq.T @ lam[:ROWS]
            r[6 * BODIES : size] += Cq @ (at, speed, acc)[level]
        if want & MATRIX:
            full = Kmat.reshape(size, size)
            full[np.ix_(places, places)] += c[0] * K + c[1] * R + c[2] * extra
            full[np.ix_(places, range(6 * BODIES, size))] += Cq.T
            full[np.ix_(range(6 * BODIES, size), places)] += c[level] * Cq

    masses = [fx.PointMass(f"m{i}", 1.0, position=(0, 0, 0)) for i in range(BODIES)]
    rows = tuple(f"c{i}" for i in range(ROWS))
    law = fx.UserLaw("law", equations, on=tuple(masses), rows=rows, numerical_tangent=not tangent)
    return fx.Model("matrices", items=[*masses, law])


def eigenvalues_of_pencil(K, R, M, Cq):
    """Finite eigenvalues of the whole, dense descriptor pencil in (x, ẋ, λ)."""
    Z, E = np.zeros, np.eye(N)
    A = np.block([[Z((N, N)), E, Z((N, ROWS))], [-K, -R, -Cq.T], [Cq, Z((ROWS, N + ROWS))]])
    B = np.block([[E, Z((N, N + ROWS))], [Z((N, N)), M, Z((N, ROWS))], [Z((ROWS, 2 * N + ROWS))]])
    alpha, beta = linalg.eig(A, B, right=False, homogeneous_eigvals=True)
    finite = np.abs(beta) > 1e-7 * np.abs(alpha)
    return alpha[finite] / beta[finite]


@pytest.mark.parametrize("rank", [11, 8, 7, 5])
@pytest.mark.parametrize("seed", range(3))
def test_constraints_on_a_singular_mass_matrix_are_all_kept(seed, rank):
    """Only the gradient decides, and the eigenvalues are those of the matrices; below rank 8 no acceleration is defined."""
    K, R, M, Cq = matrices(seed, rank)
    model = constrained_by_law(K, R, M, Cq)
    with warnings.catch_warnings():
        warnings.simplefilter("error", fx.RedundantConstraints)
        system = compile_model(model, symmetric=False)
        assert system.dropped == []
        found = model.modes(40, complex=True)
    expected = eigenvalues_of_pencil(K, R, M, Cq)
    expected = expected[(expected.imag > -1e-9) & (np.abs(expected) < 1e5)]
    assert len(expected) >= 5
    for value in expected:
        assert np.abs(found.eigenvalues - value).min() < 1e-6 * abs(value), value


@pytest.mark.parametrize("tangent", [True, False])
@pytest.mark.parametrize(
    ("levels", "missed"), [((0, 0, 0), "velocities"), ((0, 1, 1), "accelerations"), ((0, 1, 0), "acc")]
)
def test_rows_that_forget_their_level_are_refused(levels, missed, tangent):
    """They have no gradient, but are not redundant: the position that they bind is told from it."""
    model = constrained_by_law(*matrices(0, 12), levels, tangent)
    with pytest.raises(
        fx.LawError, match=f"'law': its constraint rows c0, c1, c2, c3 do not depend on {missed}"
    ) as told:
        model.modes(10)
    assert "LEVEL" in told.value.causes[0]


class Share(Record):
    """Parameters of a law."""

    b = number("how much", "")


@law(Share)
def forgets_its_level(want, p, now, out):
    """Φ = z − 0.1 x, whatever it is asked for"""
    if want & RESIDUAL:
        out.r[6] = out.r[6] + p.b * (now.x[2] - 0.1 * now.x[0])
        out.r[2] = out.r[2] + p.b * now.lam[0]
        out.r[0] = out.r[0] - 0.1 * p.b * now.lam[0]
    return 0


def test_rows_that_forget_their_level_are_refused_where_the_matrix_is_symmetric():
    """There their forces stand for half of what they bind."""
    body = fx.RigidBody("body", 1.0, 0.1, position=(0, 0, 0), velocity=(1, 0, 0))
    bound = fx.UserLaw("law", forgets_its_level, on=[body], rows=("c0",), parameters={"b": 1.0})
    with pytest.raises(fx.LawError, match="'law': its constraint rows c0 do not depend on velocities"):
        fx.Model("m", [body, bound], gravity=(0, 0, -9.81)).dynamics(until=0.1, step=1e-3, show=False)


def test_laws_made_from_text_have_no_module():
    made = {"RESIDUAL": RESIDUAL, "MATRIX": MATRIX}
    lines = (
        "def pull(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):",
        "    if want & RESIDUAL:",
        "        r[0] += 4.0 * x[0]",
        "    if want & MATRIX:",
        "        K[0] += 4.0 * c[0]",
    )
    exec("\n".join(lines), made)
    assert made["pull"].__module__ is None
    body = fx.RigidBody("body", 1.0, 0.1)
    spring = fx.UserLaw("law", made["pull"], on=[body])
    slide = fx.Prismatic("slide", fx.ground, body, axis="x")
    model = fx.Model("m", [body, spring, slide])
    assert model.modes(1).frequencies[0] == pytest.approx(2.0 / (2 * np.pi), rel=1e-9)
    assert model.dynamics(until=0.01, step=1e-3, show=False).status == "finished"


@pytest.mark.parametrize("seed", [0, 2, 3])
def test_heavy_masses_do_not_make_a_constraint_redundant(seed):
    K, R, M, Cq = matrices(seed, 12)
    assert find_redundant(compile_model(constrained_by_law(K, R, 1e9 * M, Cq), symmetric=False)) == []


def light_between_heavy(ratio):
    """Arm, link and weight in a line; the arm is hinged at its centre of mass, the link only turns about the line."""
    heavy = {"mass": ratio, "inertia": (ratio, ratio, ratio)}
    arm, link, weight = (
        fx.RigidBody("arm", **heavy),
        fx.RigidBody("link", 1.0, (1, 1, 1)),
        fx.RigidBody("weight", **heavy),
    )
    items = [
        arm, link, weight,
        fx.Revolute("held", fx.ground, arm.at(0, 0, 0), axis="z"),
        fx.Revolute("twist", arm.at(1, 0, 0), link.at(0, 0, 0), axis="x"),
        fx.Revolute("end", link.at(1, 0, 0), weight.at(0, 0, 0), axis="z"),
    ]  # fmt: skip
    return fx.Model("light between heavy", gravity=(0, -9.81, 0), items=items)


@pytest.mark.filterwarnings("error::flexor.solve.prepare.RedundantConstraints")
@pytest.mark.parametrize("ratio", [1e3, 1e9])
def test_a_light_link_between_heavy_bodies_holds(ratio):
    run = light_between_heavy(ratio).dynamics(until=0.05, step=1e-3, show=False)
    fall = 2 * 9.81 / (1 + 4) * 0.05**2 / 2  # α = m g 2 / (J + m 2²)
    assert run["held.angle"].values[-1] == pytest.approx(-fall, rel=1e-3)


def test_masses_too_different_are_refused():
    with pytest.raises(fx.SingularError, match="cannot be told from other constraints"):
        light_between_heavy(1e12).dynamics(until=0.05, step=1e-3, show=False)


# -- loops ---------------------------------------------------------------------------------------------------


def zigzag(n):
    """A plane loop of n links in a zigzag there and back, in a tilted plane; one end of a link is held."""
    half = n // 2
    points = [(i, 0.3 * (i % 2), 0) for i in range(half)] + [(n - 1 - i, 1 + 0.3 * (i % 2), 0) for i in range(half, n)]
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((3, 3)))[0]
    Q *= np.sign(np.linalg.det(Q))
    bodies, ends = [], []
    for i in range(n):
        along = np.subtract(points[(i + 1) % n], points[i])
        length = float(np.linalg.norm(along))
        x = along / length
        turn = Q @ np.array([x, np.cross([0, 0, 1], x), [0, 0, 1]]).T
        place = {"position": tuple(Q @ np.array(points[i])), "orientation": turn.tolist()}
        inertia = (1e-3 * length**2, length**2 / 12, length**2 / 12)
        bodies.append(fx.RigidBody(f"link{i}", 1.0, inertia, center_of_mass=(length / 2, 0, 0), **place))
        ends.append(bodies[-1].at(length, 0, 0))
    joints = [fx.Revolute(f"joint{i}", ends[i - 1], bodies[i].at(0, 0, 0), axis="z") for i in range(1, n)]
    joints.append(fx.Revolute("close", ends[-1], bodies[0].at(0, 0, 0), axis="z"))
    held = fx.Revolute("held", fx.ground.at(*(Q @ np.array(points[0]))), bodies[0].at(0, 0, 0), axis=tuple(Q[:, 2]))
    return fx.Model("zigzag", items=[*bodies, *joints, held])


@pytest.mark.parametrize("n", [4, 160])
def test_a_plane_loop_has_three_redundant_rows_however_long(n):
    """The rows that stay are independent: as many as the singular values of all that are not zero."""
    system = compile_model(zigzag(n), project=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dropped = find_redundant(system)
    assert len(dropped) == 3
    B, rows, columns = redundancy.gradient(system)
    scaled = redundancy._scaled(system, B, columns).csr
    every = np.linalg.svd(scaled.toarray(), compute_uv=False)
    kept = np.linalg.svd(scaled[~np.isin(rows, dropped)].toarray(), compute_uv=False)
    counted = every[every > 1e-12]
    assert len(counted) == len(rows) - 3
    assert kept[-1] > 0.05 * counted[-1]


@pytest.mark.parametrize("far", [0.0, 1e3])
def test_a_small_linkage_in_a_large_model(far):
    """Arms of 1 cm, with and without a body 1 km away: three rows are redundant, and the loop moves."""
    bar_ = {"mass": 1e-3, "inertia": (1e-9, 1e-8, 1e-8), "center_of_mass": (0.005, 0, 0)}
    crank, rod, rocker = (fx.RigidBody(name, **bar_) for name in ("crank", "rod", "rocker"))
    items = [
        crank, rod, rocker, fx.PointMass("far", 1.0, position=(far, 0, 0)),
        fx.Revolute("a", fx.ground, crank.at(0, 0, 0), axis="z", start="60 deg", start_rate=3.0),
        fx.Revolute("b", crank.at(0.01, 0, 0), rod.at(0, 0, 0), axis="z", start="-60 deg"),
        fx.Revolute("c", fx.ground.at(0.01, 0, 0), rocker.at(0, 0, 0), axis="z", start="60 deg"),
        fx.Revolute("d", rod.at(0.01, 0, 0), rocker.at(0.01, 0, 0), axis="z"),
    ]  # fmt: skip
    with pytest.warns(fx.RedundantConstraints, match="3 redundant constraints"):
        run = fx.Model("linkage", items=items).dynamics(until=0.1, step=1e-3, show=False)
    assert run["a.angle"].values[-1] == pytest.approx(np.pi / 3 + 0.3, rel=1e-3)
    assert run["c.angle"].values[-1] == pytest.approx(run["a.angle"].values[-1], abs=1e-6)


# -- contradictions ------------------------------------------------------------------------------------------


def block_on(*items):
    body = fx.RigidBody("block", 1.0, (1, 1, 1))
    return fx.Model("driven", items=[body, *(item(body) for item in items)])


def hinge(name="pin", axis="z", at=(0, 0, 0)):
    return lambda body: fx.Revolute(name, fx.ground.at(*at), body.at(*at), axis=axis)


def drive(name="drive", joint="pin", **law):
    return lambda body: fx.Motor(name, joint=joint, **law)


WELDED = [hinge(), lambda body: fx.Fixed("weld", fx.ground, body.at(0, 0, 0))]
CROSSED = [hinge(), hinge("across", "x")]


@pytest.mark.parametrize("analysis", ["dynamics", "statics", "modes", "kinematics"])
@pytest.mark.parametrize(("held", "by"), [(WELDED, "weld"), (CROSSED, "across")])
def test_a_driver_that_cannot_move_what_it_drives_is_named(held, by, analysis):
    model = block_on(*held, drive(speed=1.0))
    options = {"until": 0.05, "step": 1e-3, "show": False} if analysis in ("dynamics", "kinematics") else {}
    with pytest.raises(fx.AssemblyError, match=f"'drive' cannot move what it drives: '{by}' holds it") as caught:
        getattr(model, analysis)(**options)
    assert caught.value.worst == (("drive: angle", pytest.approx(-1.0)),)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_a_driver_that_begins_with_a_jerk_is_named(order):
    """The step fails at once, and the state before it shows nothing open yet; whichever row was left out."""
    late = drive(position=fx.table([0, 0.02, 0.05], [0, 0, 1]))
    items = [[*WELDED, late][i] for i in order]
    with (
        pytest.warns(fx.RedundantConstraints),
        pytest.raises(fx.AssemblyError, match=r"'drive' cannot move what it drives: 'weld' holds it") as caught,
    ):
        block_on(*items).dynamics(until=0.05, step=1e-3, show=False)
    assert caught.value.time == pytest.approx(0.02, abs=1e-3)


@pytest.mark.parametrize(
    ("speed", "level"), [(fx.expression("t"), "accelerations"), (fx.expression("t^2"), "positions")]
)
def test_a_driver_that_begins_later_is_found_then(speed, level):
    with (
        pytest.warns(fx.RedundantConstraints),
        pytest.raises(fx.AssemblyError, match=f"'drive' cannot move .* no {level} satisfy") as caught,
    ):
        block_on(*CROSSED, drive(speed=speed)).dynamics(until=1.0, step=1e-2, show=False)
    if level == "positions":
        assert caught.value.time == pytest.approx((3e-5) ** (1 / 3), rel=0.02)  # t³/3 = 1e-5 rad
        assert caught.value.run["pin.angle"].values[-1] == pytest.approx(0.0, abs=1e-12)


def test_kinematics_finds_it_too():
    with pytest.warns(fx.RedundantConstraints), pytest.raises(fx.AssemblyError, match="'drive' cannot move"):
        block_on(*CROSSED, drive(speed=fx.expression("t^2"))).kinematics(until=1.0, step=1e-2, show=False)


def test_two_drivers_must_say_the_same():
    twice = [hinge(), hinge("upper", at=(0, 0, 1)), drive(speed=1.0)]
    with pytest.warns(fx.RedundantConstraints, match="6 redundant constraints"):
        run = block_on(*twice, drive("second", "upper", speed=1.0)).dynamics(until=0.1, step=1e-2, show=False)
    assert run["upper.angle"].values[-1] == pytest.approx(0.1, abs=1e-9)
    for speed in (1.01, 1.00005):
        with pytest.raises(
            fx.AssemblyError, match="'drive' and 'second' contradict each other; no velocities"
        ) as caught:
            block_on(*twice, drive("second", "upper", speed=speed)).dynamics(until=0.1, step=1e-2, show=False)
        assert [abs(value) for _, value in caught.value.worst] == pytest.approx(2 * [(speed - 1) / 2], rel=1e-6)
    later = drive("second", "upper", speed=fx.expression("1 + 1e-4*t^2"))
    with pytest.warns(fx.RedundantConstraints), pytest.raises(fx.AssemblyError, match="no positions") as caught:
        block_on(*twice, later).dynamics(until=1.0, step=1e-2, show=False)
    assert "'drive' and 'second' contradict each other" in str(caught.value)
    assert caught.value.time == pytest.approx(0.3 ** (1 / 3), rel=0.02)  # 1e-4 t³/3 = 1e-5 rad


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_the_size_of_a_mechanism_does_not_matter(size):
    """A parallelogram of three hinged plates runs with its six rows left out."""
    bar = {"mass": size**3, "inertia": (1e-3 * size**5, size**5 / 12, size**5 / 12), "center_of_mass": (size / 2, 0, 0)}
    crank, rod, rocker = (fx.RigidBody(name, **bar) for name in ("crank", "rod", "rocker"))
    items = [
        crank, rod, rocker,
        fx.Revolute("a", fx.ground, crank.at(0, 0, 0), axis="z", start="60 deg", start_rate=3.0),
        fx.Revolute("b", crank.at(size, 0, 0), rod.at(0, 0, 0), axis="z", start="-60 deg"),
        fx.Revolute("c", fx.ground.at(size, 0, 0), rocker.at(0, 0, 0), axis="z", start="60 deg"),
        fx.Revolute("d", rod.at(size, 0, 0), rocker.at(size, 0, 0), axis="z"),
    ]  # fmt: skip
    with pytest.warns(fx.RedundantConstraints, match="3 redundant constraints"):
        run = fx.Model("parallelogram", items=items).dynamics(until=0.2, step=1e-3, show=False)
    assert run["a.angle"].values[-1] == pytest.approx(np.pi / 3 + 0.6, rel=1e-3)


def test_statics_from_a_flat_parallelogram():
    """In line, one more row is redundant; it is in force again as soon as the mechanism sags: both arms turn alike."""
    crank, rocker = (fx.RigidBody(name, 1.0, (1e-3, 1, 1), center_of_mass=(0.5, 0, 0)) for name in ("crank", "rocker"))
    rod = fx.RigidBody("rod", 1.0, (1e-3, 1, 1), center_of_mass=(1, 0, 0))
    items = [
        crank, rod, rocker,
        fx.Revolute("a", fx.ground, crank.at(0, 0, 0), axis="z"),
        fx.Revolute("b", crank.at(1, 0, 0), rod.at(0, 0, 0), axis="z"),
        fx.Revolute("c", fx.ground.at(2, 0, 0), rocker.at(0, 0, 0), axis="z"),
        fx.Revolute("d", rod.at(2, 0, 0), rocker.at(1, 0, 0), axis="z"),
        fx.JointSpring("spring", "c", stiffness=20.0),
    ]  # fmt: skip
    with pytest.warns(fx.RedundantConstraints, match="4 redundant constraints"):
        found = fx.Model("parallelogram", gravity=(0, -9.81, 0), items=items).statics()
    angle = brentq(lambda a: 2 * 9.81 * np.cos(a) + 20.0 * a, -np.pi / 2, 0.0)
    assert found["a.angle"] == pytest.approx(angle, abs=1e-6)
    assert found["c.angle"] == pytest.approx(angle, abs=1e-6)


@pytest.mark.parametrize("formulation", ["superelement", "floating"])
def test_a_flexible_body_may_give_way_to_a_driver(formulation):
    """A rod driven at one end and clamped at the other: a contradiction only if it were rigid. M = 4 EI θ / L"""
    height, young = 0.05, 1e7
    material = fx.Isotropic(young=young, poisson=0.0, density=1000.0)
    mesh = bar(1, height, height, divisions=(10, 1, 1), element="hex20", material=material)
    ends = {"root": fx.plane(at=(0, 0, 0), normal="x"), "tip": fx.plane(at=(1, 0, 0), normal="x")}
    rod = fx.FlexibleBody("rod", mesh, interfaces=ends, formulation=formulation)
    items = [
        rod,
        fx.Revolute("pin", fx.ground, rod["root"], axis="z"),
        fx.Fixed("clamp", fx.ground.at(1, 0, 0), rod["tip"]),
        fx.Motor("drive", joint="pin", position=fx.ramp(0, 0.01, over=2.0)),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error", fx.RedundantConstraints)
        found = fx.Model("driven rod", items=items).dynamics(until=3.0, step=2e-2, show=False)
    assert found["pin.angle"].values[-1] == pytest.approx(0.01, abs=1e-9)
    EI = young * height**4 / 12
    assert np.mean(found["drive.torque"].values[-50:]) == pytest.approx(4 * EI * 0.01, rel=0.05)


@pytest.mark.parametrize("formulation", ["superelement", "floating"])
def test_a_flexible_body_may_give_way_from_the_first_instant(formulation):
    """The same at a constant speed: rigid bodies could not begin to move like that, this one can."""
    mesh = bar(1, 0.05, 0.05, divisions=(4, 1, 1), element="hex20", material=fx.Isotropic(1e7, 0.0, 1000.0))
    ends = {"root": fx.plane(at=(0, 0, 0), normal="x"), "tip": fx.plane(at=(1, 0, 0), normal="x")}
    rod = fx.FlexibleBody("rod", mesh, interfaces=ends, formulation=formulation)
    clamp = fx.Fixed("clamp", fx.ground.at(1, 0, 0), rod["tip"])
    items = [rod, fx.Revolute("pin", fx.ground, rod["root"], axis="z"), clamp, fx.Motor("drive", "pin", speed=0.005)]
    model = fx.Model("driven rod", items=items)
    model.check()
    found = model.dynamics(until=0.1, step=1e-2, show=False)
    np.testing.assert_allclose(found["pin.angle"].values, 0.005 * found.time, atol=1e-12)
    held = [*items[:3], fx.Fixed("bolt", fx.ground, rod["root"]), items[3]]
    with pytest.raises(fx.AssemblyError, match="'drive' cannot move what it drives: 'bolt' holds it; no velocities"):
        fx.Model("held rod", items=held).dynamics(until=0.1, step=1e-2, show=False)


def door(tilt):
    leaf = fx.RigidBody("leaf", 1.0, 0.1)
    upper = fx.Revolute("upper", fx.ground.at(0, 0, 1), leaf.at(0, 0, 1), axis=(tilt, 0, 1))
    return fx.Model("door", [leaf, fx.Revolute("lower", fx.ground, leaf, axis="z"), upper])


def test_hinges_that_are_not_quite_in_line_lock_the_door():
    """Ten rows hold six coordinates; were the axes parallel, five of them would."""
    with pytest.warns(
        fx.RedundantConstraints, match="4 redundant.*nothing is left free to move: mobility falls from 1 to 0"
    ):
        compile_model(door(0.01))
    with pytest.warns(fx.RedundantConstraints, match="5 redundant.*the motion is unaffected"):
        compile_model(door(0.0))


def test_modes_tell_how_much_is_free():
    with pytest.warns(fx.NoModes, match="nothing in the model is free to move: joints hold it"):
        found = door(0.01).modes(3)
    assert len(found) == 0
    assert "nothing is free" in str(found)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert "these are all: 1 of 50 that were asked for" in str(door(0.0).modes(50))
        assert "these are all" not in str(door(0.0).modes(1))
    with pytest.warns(fx.NoModes, match="motors drive what joints leave free .'motor'"):
        door(0.0).without("upper").with_item(fx.Motor("motor", "lower", speed=0.0)).modes(3)
