"""The user's own laws: a compiled and a Python spring on a point mass, m ẍ = −k x, x(t) = cos ωt."""

import numpy as np
import pytest

import flexor as fx
from flexor.coordinates.frames import Frame, arm_a, arm_b, offset, put_pair
from flexor.functions import OUT_SIZE
from flexor.functions.call import Call, evaluate
from flexor.law import (
    ACCELERATION_LEVEL,
    COMMIT,
    ENERGY,
    MATRIX,
    OUTPUT,
    RESIDUAL,
    VELOCITY_LEVEL,
    law,
    level_coefficient,
)
from flexor.law.face import put_energies
from flexor.law.record import Record, nested, number, numbers, tail
from flexor.law.tuples import scale

OMEGA, MASS = 10.0, 2.0


@law(tangent="own", outputs=(("force", "N"),))
def compiled_spring(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    if want & RESIDUAL:
        r[0] += p[0] * x[0]
    if want & MATRIX:
        K[0] += c[0] * p[0]
    if want & OUTPUT:
        w[0] = -p[0] * x[0]
    if want & ENERGY:
        for i in range(5):
            w[i] = 0.0
        w[2] = 0.5 * p[0] * x[0] * x[0]
    return 0


@law(outputs=(("force", "N"),))
def residual_spring(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """Without a record, and only its residual."""
    if want & RESIDUAL:
        r[0] += p[0] * x[0]
    if want & OUTPUT:
        w[0] = -p[0] * x[0]
    if want & ENERGY:
        w[2] = 0.5 * p[0] * x[0] * x[0]
    return 0


class Spring(Record):
    stiffness = number("stiffness", "N/m")


@law(Spring, outputs=(("force", "N"),))
def named_spring(want, p, now, out):
    """Only its residual; the matrix comes from dual numbers."""
    if want & RESIDUAL:
        out.r[0] += p.stiffness * now.x[0]
    if want & OUTPUT:
        out.w[0] = -p.stiffness * now.x[0]
    if want & ENERGY:
        put_energies(out.w, 0.0, 0.0, 0.5 * p.stiffness * now.x[0] * now.x[0], 0.0, 0.0)
    return 0


def python_spring(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    if want & RESIDUAL:
        r[0] += p[0] * x[0]
    if want & OUTPUT:
        w[0] = -p[0] * x[0]
    if want & ENERGY:
        w[:5] = 0.0
        w[2] = 0.5 * p[0] * x[0] ** 2


def failing_law(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    if t > 0.05:
        raise RuntimeError("no value beyond 50 ms")


def model(spring):
    mass = fx.PointMass("mass", MASS, position=(1, 0, 0))
    given = {"floats": (MASS * OMEGA**2,)}
    if spring is named_spring:
        given = {"parameters": {"stiffness": MASS * OMEGA**2}}
    own = fx.UserLaw("spring", spring, on=(mass,), outputs=(("force", "N"),), **given)
    return fx.Model("oscillator", items=[mass, own])


@pytest.mark.parametrize("spring", [compiled_spring, residual_spring, named_spring, python_spring])
def test_oscillator(spring):
    run = model(spring).dynamics(until=0.5, step=1e-3, integrator="newmark", show=False)
    # trapezoidal rule: phase error ω t (ωh)²/12
    expected = np.cos(OMEGA * run.time)
    assert np.abs(run["mass.position_x"] - expected).max() < 1.1 * OMEGA * 0.5 * (OMEGA * 1e-3) ** 2 / 12
    np.testing.assert_allclose(run["spring.force"], -MASS * OMEGA**2 * run["mass.position_x"].values, rtol=1e-12)
    assert np.ptp(run["energy.check_sum"].values) < 1e-9 * MASS * OMEGA**2


@pytest.mark.parametrize("spring", [compiled_spring, residual_spring, named_spring, python_spring])
def test_frequency_of_the_oscillator(spring):
    assert model(spring).modes(3).frequencies[-1] == pytest.approx(OMEGA / 2 / np.pi, rel=1e-9)


class Rail(Record):
    height = number("of the rail", "m")


@law(Rail, tangent="own")
def named_rail(want, p, now, out):
    """Φ = z − height"""
    if want & RESIDUAL:
        out.r[2] += now.lam[0]
        out.r[6] += (
            now.a[2] if want & ACCELERATION_LEVEL else now.v[2] if want & VELOCITY_LEVEL else now.x[2] - p.height
        )
    if want & MATRIX:
        out.K[2 * 7 + 6] += 1.0
        out.K[6 * 7 + 2] += level_coefficient(want, now.c)
    return 0


@law(tangent="own")
def plain_rail(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    if want & RESIDUAL:
        r[2] += lam[0]
        r[6] += a[2] if want & ACCELERATION_LEVEL else v[2] if want & VELOCITY_LEVEL else x[2] - p[0]
    if want & MATRIX:
        K[2 * 7 + 6] += 1.0
        K[6 * 7 + 2] += level_coefficient(want, c)
    return 0


@pytest.mark.parametrize(
    ("own", "given"), [(named_rail, {"parameters": {"height": 0.2}}), (plain_rail, {"floats": (0.2,)})]
)
def test_constraint_of_the_user_in_both_forms(own, given):
    """A mass thrown on a straight rail stays on it: the public `level_coefficient` serves laws with and without a record."""
    mass = fx.PointMass("mass", MASS, position=(0, 0, 0.2), velocity=(3, 0, 0))
    rail = fx.UserLaw("rail", own, on=(mass,), rows=("height",), **given)
    run = fx.Model("m", [mass, rail]).dynamics(until=0.1, step=1e-2, show=False)
    np.testing.assert_allclose(run["mass.position_z"].values, 0.2, atol=1e-12)
    np.testing.assert_allclose(run["mass.position_x"].values, 3 * run.time, atol=1e-12)


def test_exception_of_a_python_law_comes_out_whole():
    with pytest.raises(fx.LawError, match="'spring': its Python law raised RuntimeError: no value") as caught:
        model(failing_law).dynamics(until=0.2, step=1e-3, show=False)
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert caught.value.__cause__.__traceback__ is not None
    assert caught.value.run.time[-1] == pytest.approx(0.05)


def test_a_file_takes_no_code(tmp_path):
    with pytest.raises(fx.ModelError, match="a file cannot carry code"):
        model(compiled_spring).save(tmp_path / "oscillator.yaml")
    text = "name: m\nitems:\n  - {type: user_law, name: spring, law: os.system, on: [ground]}\n"
    with pytest.raises(fx.ModelError, match="a file cannot carry code"):
        fx.Model.from_yaml(text)


class Line(Record):
    """A spring between markers, f of the deflection, that hardens with the largest one it has seen."""

    f = nested(Call, "force of the deflection", "N")
    rest = numbers(3, "vector from A to B without force", "m")
    more = tail("two factors")
    a = nested(Frame, "marker A")
    b = nested(Frame, "marker B")


class Largest(Record):
    deflection = number("largest deflection so far", "m")
    last = numbers(2, "the last deflection, and the one before", "m")


@law(Line, history=Largest, outputs=(("deflection", "m"), ("largest", "m"), ("last", "m")), scratch=OUT_SIZE)
def line(want, p, now, out):
    s_a, s_b = arm_a(now.R, p), arm_b(now.R, p)
    d = offset(now.x, s_a, s_b)
    status = evaluate(p.f, d[0] - p.rest[0], out.w)
    if want & RESIDUAL:
        put_pair(out.r, scale(out.w[0] * p.more[0] * p.more[1], (1.0, 0.0, 0.0)), s_a, s_b)
    if want & OUTPUT:
        out.w[0] = d[0] - p.rest[0]
        out.w[1] = now.h.deflection
        out.w[2] = now.h.last[0]
    if want & COMMIT:
        now.h.last[1] = now.h.last[0]
        now.h.last[0] = d[0] - p.rest[0]
        now.h.deflection = max(now.h.deflection, abs(d[0] - p.rest[0]))
    return status


def line_law(**change):
    cubic = fx.polynomial(0.0, 200.0, 0.0, 5000.0)
    given = {
        "on": ("ground", "mass"),
        "parameters": {"f": cubic, "rest": ("90 cm", 0, 0), "more": (2.0, 0.5)},
        "history": (0.0, 0.0, 0.0),
    }
    return fx.UserLaw("spring", line, **{**given, **change})


def test_markers_functions_arrays_and_memory_by_name():
    """An oscillator with f = 200 δ + 5000 δ³ keeps its energy; its stiffness, by dual numbers, is f′."""
    mass = fx.PointMass("mass", MASS, position=(1, 0, 0))
    run = fx.Model("oscillator", [mass, line_law()]).dynamics(until=0.6, step=2e-4, show=False)
    energy = 0.5 * MASS * run["mass.velocity_x"].values ** 2
    deflection = run["spring.deflection"].values
    energy += 100.0 * deflection**2 + 1250.0 * deflection**4
    np.testing.assert_allclose(deflection, run["mass.position_x"].values - 0.9, atol=1e-14)
    np.testing.assert_allclose(energy, energy[0], rtol=1e-4)
    assert run["spring.largest"].values[-1] == pytest.approx(0.1, rel=1e-3)
    np.testing.assert_array_equal(run["spring.last"].values[1:], deflection[1:])
    stiffness = 200.0 + 3 * 5000.0 * 0.1**2
    modes = fx.Model("oscillator", [mass, line_law()]).modes(3, at="start")
    assert modes.frequencies[-1] == pytest.approx(np.sqrt(stiffness / MASS) / 2 / np.pi, rel=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parameters": {}}, r"its Line needs parameters={…} with f \(force of the deflection\), rest"),
        (
            {"parameters": {"f": 1.0, "rest": (0, 0, 0), "more": (), "stiff": 1}},
            "its Line has no 'stiff'; it has f, rest, more",
        ),
        ({"parameters": {"f": 1.0, "rest": (0, 0), "more": ()}}, "rest .*: it takes 3 numbers, not 2"),
        ({"parameters": {"f": 1.0, "rest": ("1 s", 0, 0), "more": ()}}, "s is not a unit of this dimension"),
        ({"parameters": {"f": 1.0, "rest": ("long", 0, 0), "more": ()}}, "parameter rest"),
        ({"parameters": {"f": [], "rest": (0, 0, 0), "more": ()}}, "parameter f .*is no function"),
        ({"history": ()}, "remembers deflection .* give history with 3 values, not 0"),
        ({"on": ("mass",)}, "has 2 frames, but on names 1 markers"),
        ({"floats": (1.0,)}, "reads a Line; give parameters"),
        ({"law": compiled_spring}, "its law has no record of parameters"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(change, message):
    with pytest.raises(fx.ModelError, match=message):
        line_law(**change) if "law" not in change else line_law().replace(**change)


def test_a_point_that_the_law_would_not_know_of_is_refused():
    arm = fx.RigidBody("arm", 1.0, 0.1)
    aside = fx.UserLaw("spring", named_spring, on=[arm.at(0.1, 0, 0)], parameters={"stiffness": 1.0})
    with pytest.raises(
        fx.ModelError, match=r"'spring': its law would not know of arm at \(0.1, 0.0, 0.0\): its Spring has no"
    ):
        fx.Model("m", [arm, aside]).dynamics(until=0.1, step=1e-2, show=False)


@law(tangent="own")
def resonator(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """m q̈ + d q̇ + k q = 0 and a second scalar, tied to the first by a spring   p: m, d, k, k₂;  N = 2"""
    if want & RESIDUAL:
        r[0] += p[0] * s[2] + p[1] * s[1] + p[2] * s[0] + p[3] * (s[0] - s[3])
        r[1] += p[0] * s[5] + p[1] * s[4] + p[3] * (s[3] - s[0])
    if want & MATRIX:
        K[0] += c[2] * p[0] + c[1] * p[1] + c[0] * (p[2] + p[3])
        K[3] += c[2] * p[0] + c[1] * p[1] + c[0] * p[3]
        K[1] -= c[0] * p[3]
        K[2] -= c[0] * p[3]
    if want & ENERGY:
        w[0] = 0.5 * p[0] * (s[1] * s[1] + s[4] * s[4])
        w[1] = 0.0
        w[2] = 0.5 * p[2] * s[0] * s[0] + 0.5 * p[3] * (s[0] - s[3]) * (s[0] - s[3])
        w[3] = p[1] * (s[1] * s[1] + s[4] * s[4])
        w[4] = 0.0
    return 0


def python_resonator(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    assert tuple(n) == (0, 2, 0)
    if want & RESIDUAL:
        r[0] += p[0] * s[2] + p[1] * s[1] + p[2] * s[0] + p[3] * (s[0] - s[3])
        r[1] += p[0] * s[5] + p[1] * s[4] + p[3] * (s[3] - s[0])


@pytest.mark.parametrize("own", [resonator, python_resonator])
def test_scalars_of_its_own(own):
    """No body at all: two coupled oscillators against the matrix exponential, and their modes."""
    law_ = fx.UserLaw("chain", own, scalars={"first": (1.0, 0.5), "second": -0.2}, floats=(2.0, 0.1, 50.0, 30.0))
    alone = fx.Model("chain", [law_])
    assert alone.check().ok
    run = alone.dynamics(until=1, step=2e-4, show=False)
    K = np.array([[80.0, -30.0], [-30.0, 30.0]]) / 2
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-K, -0.05 * np.eye(2)]])
    values, vectors = np.linalg.eig(A)
    expected = ((vectors * np.exp(values)) @ np.linalg.solve(vectors, [1.0, -0.2, 0.5, 0.0])).real
    found = [run[f"chain.{name}"].values[-1] for name in ("first", "second", "first_rate", "second_rate")]
    np.testing.assert_allclose(found, expected, atol=2e-5)
    np.testing.assert_allclose(run["chain.first"].values[0], 1.0)
    np.testing.assert_allclose(run["chain.first_acceleration"].values[0], -K[0] @ [1.0, -0.2] - 0.05 * 0.5, rtol=1e-9)
    frequencies = alone.modes(2).frequencies
    np.testing.assert_allclose(frequencies, np.sqrt(np.linalg.eigvalsh(K)) / 2 / np.pi, rtol=1e-6)


def test_scalars_beside_bodies_come_after_their_modes():
    """A beam's and a law's unknowns do not mix; the same alone and beside a body."""
    rod = fx.RigidBody("rod", 1.0, 0.1, position=(0, 0, 1))
    spring = fx.UserLaw("chain", resonator, scalars={"first": 1.0, "second": 0}, floats=(2.0, 0.0, 50.0, 30.0))
    two = fx.Model("m", [spring, rod], gravity=(0, 0, -9.81)).dynamics(until=0.2, step=1e-3, show=False)
    alone = fx.Model("m", [spring]).dynamics(until=0.2, step=1e-3, show=False)
    np.testing.assert_allclose(two["chain.second"].values, alone["chain.second"].values, atol=1e-9)
    np.testing.assert_allclose(two["rod.position_z"].values[-1], 1 - 0.5 * 9.81 * 0.04, atol=1e-9)


def test_a_scalar_without_inertia_is_named():
    def first_order(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
        if want & RESIDUAL:
            r[0] += 0.1 * s[1] + s[0] - 1

    lag = fx.UserLaw("lag", first_order, scalars={"u": 0.0})
    with pytest.raises(fx.SingularError, match=r"'lag.u' has no inertia"):
        fx.Model("m", [lag]).dynamics(until=0.1, step=1e-3, show=False)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "works on nothing"),
        ({"scalars": {"force": 0.0}}, "both called 'force'"),
        ({"scalars": {"a.b": 0.0}}, "scalars"),
        ({"scalars": {"q": (1, 2, 3)}}, "scalars"),
    ],
)
def test_what_is_refused(fields, message):
    with pytest.raises(fx.ModelError, match=message):
        fx.UserLaw("spring", compiled_spring, **fields)
