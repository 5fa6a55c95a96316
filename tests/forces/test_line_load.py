"""Forces per length on beams, against the beam theory of textbooks."""

import numpy as np
import pytest

import flexor as fx
from flexor.spatial import exp_so3
from tests.laws.by_duals import assert_tangent
from tests.laws.calls import energies, outputs, residual
from tests.laws.flexible import sample
from tests.laws.states import superposed

STEEL = fx.Steel()
SIDE, LENGTH = 0.02, 2.0
EI = STEEL.young * SIDE**4 / 12


def beam(divisions=4, **about):
    # rigid in shear, so that textbook formulas hold
    section = fx.GeneralSection(area=SIDE**2, Iy=SIDE**4 / 12, Iz=SIDE**4 / 12, J=SIDE**4 / 7, shear_factors=(0, 0))
    return fx.Beam("beam", [(0, 0, 0), (LENGTH, 0, 0)], section, STEEL, divisions=divisions, **about)


def cantilever(load, divisions=4, **about):
    made = beam(divisions, **about)
    return fx.Model("cantilever", [made, fx.Fixed("clamp", fx.ground, made["start"], enforcement="multipliers"), load])


def on_supports(load, divisions=4):
    made = beam(divisions)
    left = fx.Revolute("left", fx.ground, made["start"], axis="y")
    right = fx.PointOnLine("right", fx.ground.at(LENGTH, 0, 0), made["end"], axis="x")
    return fx.Model("on supports", [made, left, right, load])


@pytest.mark.parametrize("formulation", ["exact", "corotational"])
def test_a_cantilever_under_a_uniform_load(formulation):
    """w = q L⁴/8EI, Q(0) = q L, M(0) = q L²/2, and nothing at the free end."""
    q = 0.1
    model = cantilever(fx.LineLoad("q", "beam", direction="-z", force=q), formulation=formulation)
    rest = model.statics()
    assert rest["beam.end.position"][2] == pytest.approx(-q * LENGTH**4 / (8 * EI), rel=1e-6)
    assert rest["clamp.force_z"] == pytest.approx(q * LENGTH, rel=1e-9)
    forces = rest.section_forces("beam")
    for s in (0.0, 0.2, 0.5, 1.1, LENGTH):
        _, _, shear, _, moment, _ = np.ravel(forces.at(s).values)
        assert abs(shear) == pytest.approx(q * (LENGTH - s), abs=1e-6 * q * LENGTH)
        assert abs(moment) == pytest.approx(q * (LENGTH - s) ** 2 / 2, abs=1e-6 * q * LENGTH**2)


def test_a_triangular_load():
    """q = q₀ (1 − x/L): w = q₀ L⁴/30EI at the free end; Q = q₀ L/2, M = q₀ L²/6 at the clamp."""
    q = 0.1
    model = cantilever(fx.LineLoad("q", "beam", direction="-z", force=q, along=f"1 - x/{LENGTH}"))
    rest = model.statics()
    assert rest["beam.end.position"][2] == pytest.approx(-q * LENGTH**4 / (30 * EI), rel=1e-6)
    _, _, shear, _, moment, _ = np.ravel(rest.section_forces("beam").at(0).values)
    assert abs(shear) == pytest.approx(q * LENGTH / 2, rel=1e-6)
    assert abs(moment) == pytest.approx(q * LENGTH**2 / 6, rel=1e-6)


def test_a_load_on_a_part_of_a_beam_on_two_supports():
    """Reactions by moments; the moment under the load's middle by equilibrium."""
    q, a, b = 0.1, 0.35, 1.15
    rest = on_supports(fx.LineLoad("q", "beam", direction="-z", force=q, begin=a, end=b), divisions=5).statics()
    right = q * (b - a) * (a + b) / 2 / LENGTH
    assert np.linalg.norm(rest["right.force"]) == pytest.approx(right, rel=1e-9)
    assert np.linalg.norm(rest["left.force"]) == pytest.approx(q * (b - a) - right, rel=1e-9)
    moment = np.ravel(rest.section_forces("beam").force("My", 1.6).values)[0]
    assert abs(moment) == pytest.approx(right * 0.4, rel=1e-6)
    assert np.ravel(rest.section_forces("beam").force("My", 0.0).values)[0] == pytest.approx(0, abs=1e-8)


def test_a_slow_load_that_moves_onto_a_bridge():
    """At any instant the deflection in the middle is that of statics: half loaded, 5 q L⁴/768 EI."""
    q, speed = 0.1, 0.02
    load = fx.LineLoad("train", "beam", direction="-z", force=q, begin=f"{speed}*t - 1", end=f"{speed}*t")
    model = on_supports(load, divisions=8)
    half = model.statics(time=LENGTH / 2 / speed)
    assert half["beam.node 4.position"][2] == pytest.approx(-5 * q * LENGTH**4 / (768 * EI), rel=1e-5)
    assert np.linalg.norm(half["left.force"]) == pytest.approx(3 / 8 * q * LENGTH, rel=1e-6)
    gone = model.statics(time=(LENGTH + 1) / speed)
    assert gone["beam.node 4.position"][2] == pytest.approx(0, abs=1e-12)


def test_a_load_that_follows_stays_across_the_beam():
    """A cantilever bent by a pressure that stays normal to it: the section forces are those of the deformed line (scipy)."""
    from scipy.integrate import solve_bvp

    q = 4 * EI / LENGTH**3
    rest = cantilever(fx.LineLoad("wind", "beam", direction="z", force=q, follows=True), divisions=16).statics(
        load_steps=4
    )

    def slope(s, y):  # x, z, θ, κ EI = M, n, v: n' = κ v, v' = −κ n + q, M' = v, all in the plane
        theta, moment, n, v = y[2:]
        kappa = moment / EI
        return np.array([np.cos(theta), np.sin(theta), kappa, -v, kappa * v, -kappa * n - q])

    s = np.linspace(0, LENGTH, 41)
    guess = np.zeros((6, 41))
    guess[0] = s
    found = solve_bvp(
        slope, lambda a, b: np.array([a[0], a[1], a[2], b[3], b[4], b[5]]), s, guess, tol=1e-8, max_nodes=20000
    )
    x, _, z = rest["beam.end.position"]
    assert (x, z) == pytest.approx((found.y[0, -1], found.y[1, -1]), rel=2e-3)


def test_work_of_the_load_is_the_energy_of_the_beam():
    run = cantilever(
        fx.LineLoad("q", "beam", direction="-z", force=fx.ramp(0, 0.1, over=0.2, smooth="cosine"))
    ).dynamics(until=0.3, step=0.002, show=False)
    stored = run["energy.kinetic"] + run["energy.strain"] + run["energy.dissipated"]
    np.testing.assert_allclose(stored, run["energy.input"], atol=2e-3 * run["energy.input"].max())


def test_a_load_may_follow_a_sensor():
    """Q = k·w of its own tip: as a negative foundation; q = c w_tip, w = q L⁴/8EI + P L³/3EI."""
    P, c = 0.05, 2 * EI / LENGTH**4
    made = cantilever(
        fx.LineLoad("lift", "beam", direction="z", force=fx.polynomial(0, c, sensor="tip")), divisions=4
    ).with_item(fx.Sensor("tip", "beam.end.position_z"), fx.PointForce("push", "beam.end", direction="z", force=P))
    rest = made.statics()
    expected = P * LENGTH**3 / (3 * EI) / (1 - c * LENGTH**4 / (8 * EI))
    assert rest["beam.end.position"][2] == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("name", ["beam", "beam, curved"])
def test_tangent_objectivity_and_power(name, number):
    made = sample(name)
    load = fx.LineLoad(**{"name": "load", **fx.LineLoad.samples[number], "body": "rod"})
    Q = exp_so3(np.array([0.3, -1.2, 0.8]))
    turned = load if load.follows else load.replace(direction=tuple(Q @ np.array([0, 0, -1])))
    for term, other in zip(load.on_beam(made.body, 1), turned.on_beam(made.body, 1), strict=True):
        state = made.state(term, 3)
        assert_tangent(term, state)
        r, seen = residual(term, state), residual(other, superposed(state, Q, np.array([1.0, 2, 3])))
        np.testing.assert_allclose(seen.reshape(-1, 3), r.reshape(-1, 3) @ Q.T, atol=1e-12 * np.abs(r).max())
        assert energies(term, state)[4] == pytest.approx(-r @ state.v.ravel(), rel=1e-12)
        assert outputs(term, state)[1] == pytest.approx(energies(term, state)[4], rel=1e-12)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"body": "bean"}, "there is no beam 'bean'.*beam"),
        ({"body": "block"}, "body 'block' is no beam"),
        ({"begin": 3}, "begin = 3 m is not on the beam.*2 m long"),
        ({"begin": 1, "end": 0.5}, "begins at 1 m and ends at 0.5 m"),
    ],
)
def test_loads_beside_a_beam_are_refused(fields, told):
    load = fx.LineLoad(**{"name": "q", "body": "beam", "direction": "z", "force": 1, **fields})
    model = cantilever(load).with_item(fx.RigidBody("block", mass=1, inertia=1))
    with pytest.raises(fx.ModelError, match=f"(?s){told}"):
        model.check()


def test_units_are_those_of_a_force_per_length():
    assert fx.LineLoad("q", "b", direction="z", force="2 kN/m").force.value == 2000
    with pytest.raises(fx.ModelError, match=r"force per length|N/m"):
        fx.LineLoad("q", "b", direction="z", force="2 kN")


def test_a_short_load_that_crosses_a_bridge_fast():
    """As a moving force: w = (2 P L³/π⁴EI) Σ (sin nωt − (α/n) sin n²ω₁t) sin(nπ/2)/(n² (n² − α²)), α = ω/ω₁, ω = π v/L (Frýba)."""
    P, wide, alpha = 1.0, 0.04, 0.4
    first = np.pi**2 / LENGTH**2 * np.sqrt(EI / (STEEL.density * SIDE**2))
    omega = alpha * first
    speed = float(omega * LENGTH / np.pi)
    crossing = LENGTH / speed
    load = fx.LineLoad(
        "axle",
        "beam",
        direction="-z",
        force=P / wide,
        begin=f"{speed!r}*t - {wide / 2}",
        end=f"{speed!r}*t + {wide / 2}",
    )
    run = on_supports(load, divisions=8).dynamics(until=crossing, step=crossing / 400, show=False)
    t = run["time"]
    w = np.zeros(len(t))
    for n in range(1, 20, 2):
        share = np.sin(n * omega * t) - alpha / n * np.sin(n**2 * first * t)
        w += share * np.sin(n * np.pi / 2) / (n**2 * (n**2 - alpha**2))
    w *= 2 * P * LENGTH**3 / (np.pi**4 * EI)
    np.testing.assert_allclose(-run["beam.node 4.position"][:, 2], w, atol=0.01 * w.max())
