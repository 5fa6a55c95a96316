"""What springs may have beside stiffness and damping: scale, yield, failure, hysteresis, stops, explicit functions.   FTG 5.1"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexor as fx

MASS = 2.0
BLOCK = fx.RigidBody("block", mass=MASS, inertia=0.1)
QUIET = {"show": False}


def slide(start: float = 0.0, rate: float = 0.0) -> fx.Prismatic:
    return fx.Prismatic("slide", fx.ground, BLOCK, axis="x", start=start, start_rate=rate)


def ran(*items, start=0.0, rate=0.0, until=1.0, step=1e-3, **options):
    return fx.Model("m", [BLOCK, slide(start, rate), *items]).dynamics(until=until, step=step, **QUIET, **options)


def drift(run) -> float:
    return float(np.ptp(run["energy.check_sum"].values))


def test_a_loop_of_a_yielding_spring_has_its_area():
    """Driven by ±a beyond the yield deflection F/k: 4 F (a − F/k) in every cycle, which is what is lost."""
    k, F, a = 1000.0, 40.0, 0.1
    drive = fx.Motor("drive", "slide", position=fx.sine(a, frequency=1))
    run = ran(drive, fx.JointSpring("k", "slide", stiffness=k, yields=F), until=2)
    x, f = run["k.deflection"].values[1000:], -run["k.force"].values[1000:]
    assert np.trapezoid(f, x) == pytest.approx(4 * F * (a - F / k), rel=1e-5)
    lost = run["energy.dissipated"].values
    assert lost[-1] - lost[1000] == pytest.approx(4 * F * (a - F / k), rel=1e-12)
    assert drift(run) < 2e-4
    assert np.abs(f).max() == F
    np.testing.assert_allclose(run["k.dissipated"].values, lost, atol=1e-9)


def test_free_swing_of_a_yielding_spring():
    """Against an independent integration; what has yielded remains."""
    k, F = 1000.0, 40.0

    def rates(t, y):
        x, v, yielded = y
        f = k * (x - yielded)
        return [v, -f / MASS, v if (f >= F and v > 0) or (f <= -F and v < 0) else 0.0]

    expected = solve_ivp(rates, (0, 1), [0, 3, 0], rtol=1e-8, atol=1e-10, max_step=5e-4).y[:, -1]
    run = ran(fx.JointSpring("k", "slide", stiffness=k, yields=F), rate=3.0, step=5e-4)
    assert run["slide.displacement"][-1] == pytest.approx(expected[0], abs=1e-5)
    assert run["k.yield_deflection"][-1] == pytest.approx(expected[2], abs=1e-5)
    assert drift(run) < 5e-4


def test_a_nonlinear_spring_yields_where_its_curve_has_the_limit():
    """f = c δ³ reaches F at δ = (F/c)^⅓; the energy there is ¼ c δ⁴."""
    c, F = 1e5, 40.0
    drive = fx.Motor("drive", "slide", position=fx.ramp(0, 0.2, over=1))
    run = ran(drive, fx.JointSpring("k", "slide", force=f"{c}*x^3", yields=fx.Yield(above=F)))
    reached = (F / c) ** (1 / 3)
    assert run["k.yield_deflection"][-1] == pytest.approx(0.2 - reached, rel=1e-9)
    assert run["k.strain_energy"][-1] == pytest.approx(c * reached**4 / 4, rel=1e-9)
    assert run["energy.dissipated"][-1] == pytest.approx(F * (0.2 - reached), rel=1e-9)


def test_a_clutch_drags_with_what_its_limit_allows():
    """Two discs; the torque between them grows in time as the clutch engages. Momentum is kept, the loss is ½ J₁J₂/(J₁+J₂) Δω²."""
    J1, J2, speed, limit = 0.2, 0.3, 10.0, fx.ramp(0, 6, start=0.1, over=0.5)
    a, b = fx.RigidBody("a", mass=1, inertia=(1, 1, J1)), fx.RigidBody("b", mass=1, inertia=(1, 1, J2))
    items = [
        a,
        b,
        fx.Revolute("ja", fx.ground, a, start_rate=speed),
        fx.Revolute("jb", a, b, start_rate=-speed),
        fx.JointSpring("clutch", "jb", stiffness=1e4, yields=limit),
    ]
    run = fx.Model("clutch", items).dynamics(until=1.0, step=1e-3, **QUIET)
    spin = run["a.angular_velocity_z"].values, run["b.angular_velocity_z"].values
    assert spin[0][90] == pytest.approx(speed, abs=1e-9)  # not engaged yet
    common = J1 * speed / (J1 + J2)
    assert [np.mean(each[-200:]) for each in spin] == pytest.approx([common] * 2, abs=0.01)
    assert run["energy.dissipated"][-1] == pytest.approx(0.5 * J1 * J2 / (J1 + J2) * speed**2, rel=1e-3)
    during = 0.5 * J1 * speed**2
    assert drift(run) < 1e-3 * during
    slipping = int(np.searchsorted(run.time, 0.3))
    assert run["clutch.torque"][slipping] == pytest.approx(limit(run.time[slipping]), rel=1e-9)


def test_a_failed_spring_carries_nothing_and_its_energy_is_lost():
    k, limit = 1000.0, 100.0
    run = ran(fx.JointSpring("k", "slide", stiffness=k, fails=fx.Failure(force_above=limit)), rate=3.0, until=0.3)
    failed = run["k.failed"].values
    first = int(np.argmax(failed))
    assert run["k.deflection"][first] == pytest.approx(limit / k, rel=0.03)
    assert np.all(failed[first:] == 1)
    assert np.all(run["k.force"].values[first:] == 0)
    assert np.ptp(run["block.velocity_x"].values[first + 1 :]) < 1e-3  # it goes on as it is
    energy = 0.5 * limit**2 / k
    assert run["energy.dissipated"][-1] == pytest.approx(energy, rel=0.05)
    assert drift(run) < 1e-3 * energy


def failure_time(run):
    """Of the first step that ends where something fails."""
    history = run.history
    return history["time"][int(np.argmax(history["transitions"] > 0))]


@pytest.mark.parametrize("limit", ["force_above", "deflection_above"])
def test_failing_happens_at_its_instant(limit):
    """At asin(F/(k a))/ω, to second order in the step, wherever that is in a step; then on at constant speed √(v² − ω² d²)."""
    k, force, v = 1000.0, 100.0, 3.0
    omega, depth = np.sqrt(k / MASS), force / k
    exact = np.arcsin(depth * omega / v) / omega
    speed = np.sqrt(v**2 - (omega * depth) ** 2)
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        fails = fx.Failure(**{limit: force if limit == "force_above" else depth})
        run = ran(fx.JointSpring("k", "slide", stiffness=k, fails=fails), rate=v, until=0.1, step=step)
        errors.append(abs(failure_time(run) - exact))
        assert errors[-1] < 2.0 * step**2 * omega
        after = run.time > exact
        np.testing.assert_array_equal(run["k.failed"].values, after)
        np.testing.assert_allclose(run["block.velocity_x"].values[after], speed, atol=3e-3 * step / 2e-3)
        ends = depth + speed * (run.time[after] - exact)
        np.testing.assert_allclose(run["slide.displacement"].values[after], ends, atol=5.0 * step**2 * omega)
        assert run["energy.dissipated"][-1] == pytest.approx(0.5 * force * depth, rel=1e-6)
    assert errors[2] < 0.1 * errors[0]


def test_a_failure_is_a_row_of_its_own_under_error_control():
    """Energy balances there, too: what was in the spring is still told of at that instant and lost after it."""
    spring = fx.JointSpring("k", "slide", stiffness=1000, fails=fx.Failure(force_above=100))
    model = fx.Model("m", [BLOCK, slide(rate=3.0), spring])
    run = model.dynamics(until=0.1, error=1e-7, show=False)
    omega = np.sqrt(1000 / MASS)
    assert failure_time(run) == pytest.approx(np.arcsin(0.1 * omega / 3.0) / omega, abs=2e-6)
    assert np.ptp(np.array(run["energy.check_sum"])) < 1e-4  # of 5 J in the spring


def test_two_springs_fail_one_after_the_other():
    """The second, which alone has to carry the block then, follows at its own instant."""
    first = fx.JointSpring("first", "slide", stiffness=600, fails=fx.Failure(deflection_above=0.03))
    second = fx.JointSpring("second", "slide", stiffness=400, fails=fx.Failure(deflection_above=0.05))
    v, both, one = 3.0, np.sqrt(1000 / MASS), np.sqrt(400 / MASS)
    t1 = np.arcsin(0.03 * both / v) / both
    v1 = v * np.cos(both * t1)
    a, phase = np.hypot(0.03, v1 / one), np.arctan2(0.03 * one, v1)
    t2 = t1 + (np.arcsin(0.05 / a) - phase) / one
    run = ran(first, second, rate=v, until=0.05, step=5e-4)
    times = run.history["time"][run.history["transitions"] > 0]
    np.testing.assert_allclose(times, (t1, t2), atol=2e-6)
    assert drift(run) < 1e-3


@pytest.mark.parametrize("others", [True, False])
def test_a_failing_spring_takes_the_others_of_its_joint_along(others):
    items = [
        fx.JointSpring("weak", "slide", stiffness=500, fails=fx.Failure(deflection_above=0.05, others=others)),
        fx.JointSpring("strong", "slide", stiffness=1000),
    ]
    run = ran(*items, rate=3.0, until=0.1)
    first = int(np.argmax(run["weak.failed"].values))
    assert run["weak.failed"][first] == 1
    after = run["strong.force"].values[first + 1 :]
    if others:
        assert np.all(after == 0)
        assert run["energy.strain"][-1] == 0
    else:
        assert np.all(after < 0)
    assert drift(run) < 0.01


def test_of_two_that_take_each_other_along_either_does():
    stretched = fx.Failure(deflection_above=0.05, others=True)
    pressed = fx.Failure(deflection_below=-0.02, others=True)
    for rate in (2.0, -2.0):
        run = ran(
            fx.JointSpring("a", "slide", stiffness=500, fails=stretched),
            fx.JointSpring("b", "slide", stiffness=500, fails=pressed),
            rate=rate,
            until=0.1,
        )
        assert run["a.force"][-1] == run["b.force"][-1] == 0
        assert run["a.failed"][-1] == run["b.failed"][-1] == 1


def test_an_equilibrium_is_found_without_what_breaks_in_it():
    """Two springs hang a weight; the stiffer one breaks, the other carries all."""
    weight = fx.PointForce("weight", BLOCK, direction="x", force=100)
    stiff = fx.JointSpring("stiff", "slide", stiffness=9000, fails=fx.Failure(force_above=50))
    soft = fx.JointSpring("soft", "slide", stiffness=1000)
    found = fx.Model("m", [BLOCK, slide(), weight, stiff, soft]).statics()
    assert found["slide.displacement"] == pytest.approx(0.1, rel=1e-9)
    assert found["stiff.failed"] == 1
    assert found["soft.force"] == pytest.approx(-100, rel=1e-9)


def test_statics_yield_and_modes_are_elastic_again():
    push = fx.PointForce("push", BLOCK, direction="x", force=60)
    springs = [
        fx.JointSpring("main", "slide", stiffness=500),
        fx.JointSpring("sheet", "slide", stiffness=1000, yields=40),
    ]
    model = fx.Model("m", [BLOCK, slide(), push, *springs])
    rest = model.statics()
    assert rest["slide.displacement"] == pytest.approx(20 / 500 if 60 / 1500 * 1000 > 40 else 60 / 1500, rel=1e-9)
    assert model.modes(1).frequencies[0] == pytest.approx(np.sqrt(1500 / MASS) / (2 * np.pi), rel=1e-6)


@pytest.mark.parametrize("start", [0.0, 0.05])
def test_bouc_wen_against_an_independent_integration(start):
    F, d, n, beta, k = 40.0, 0.04, 1.5, 0.7, 200.0

    def slope(z, v):
        return (1 - abs(z) ** n * (1 - beta + beta * np.sign(z * v))) / d

    def rates(t, y):
        x, v, z = y
        return [v, -(k * x + F * z) / MASS, slope(z, v) * v]

    z0 = solve_ivp(lambda x, z: slope(z[0], 1.0), (0, start), [0.0], rtol=1e-10).y[0, -1] if start else 0.0
    expected = solve_ivp(rates, (0, 1), [start, 3.0, z0], rtol=1e-9, atol=1e-12, max_step=1e-3).y[:, -1]
    loop = fx.BoucWen(F, d, sharpness=n, shape=beta)
    errors, drifts = [], []
    for step in (2e-3, 1e-3):
        run = ran(fx.JointSpring("k", "slide", stiffness=k, hysteresis=loop), start=start, rate=3.0, step=step)
        errors.append(abs(run["slide.displacement"][-1] - expected[0]))
        drifts.append(drift(run))
    assert errors[1] < 2e-5
    assert errors[0] / errors[1] > 3.0  # of second order
    assert drifts[0] / drifts[1] == pytest.approx(4, rel=0.3)


def test_a_sharp_bouc_wen_element_is_an_elastic_plastic_one():
    a, F, d = 0.1, 40.0, 0.04
    drive = fx.Motor("drive", "slide", position=fx.sine(a, frequency=1))
    run = ran(drive, fx.JointSpring("k", "slide", hysteresis=fx.BoucWen(F, d, sharpness=60)), until=2, step=2e-3)
    lost = run["energy.dissipated"].values
    assert lost[-1] - lost[500] == pytest.approx(4 * F * (a - d), rel=5e-3)


def test_explicit_functions_are_the_slopes_of_implicit_ones():
    """k(δ) = 3 c δ² and f(δ) = c δ³ are the same spring, C(v) = 2 b |v| and g(v) = b v |v| the same damper.   FTG (5.1), (5.2)"""
    given = [
        {"force": "1e4*x^3", "damper": "5*x*abs(x)"},
        {"stiffness_by_deflection": "3e4*x^2", "damping_by_rate": "10*abs(x)"},
    ]
    runs = [ran(fx.JointSpring("k", "slide", **fields), start=0.1, rate=1.0) for fields in given]
    np.testing.assert_allclose(runs[0]["slide.displacement"], runs[1]["slide.displacement"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(runs[0]["k.strain_energy"], runs[1]["k.strain_energy"], rtol=1e-10, atol=1e-12)


def test_a_table_of_stiffness():
    """Stiff beyond a play: k(δ) of 0 within ± 10 mm and 1e4 N/m beyond is the clearance as a force."""
    table = fx.table([-1, -0.0100001, -0.01, 0.01, 0.0100001, 1], [1e4, 1e4, 0, 0, 1e4, 1e4])
    runs = [
        ran(fx.JointSpring("k", "slide", **fields), rate=1.0, until=0.2)
        for fields in ({"stiffness_by_deflection": table}, {"force": fx.clearance(0.01, 1e4)})
    ]
    np.testing.assert_allclose(runs[0]["slide.displacement"], runs[1]["slide.displacement"], rtol=0, atol=1e-6)


def test_a_scale_of_time_and_the_work_of_changing_it():
    """k(t) = k S(t): a spring that is made stiffer while it is stretched takes in ½ k δ² ΔS."""
    hold = fx.Motor("hold", "slide", position=0.1)
    run = ran(hold, fx.JointSpring("k", "slide", stiffness=1000, scale=fx.ramp(1, 3, over=0.5)), start=0.1)
    assert run["k.force"][-1] == pytest.approx(-300, rel=1e-12)
    assert run["energy.strain"][-1] == pytest.approx(15, rel=1e-12)
    assert run["energy.input"][-1] == pytest.approx(10, rel=1e-9)
    assert run["k.input"][-1] == pytest.approx(10, rel=1e-9)
    assert drift(run) < 1e-9


def test_a_parametric_oscillator():
    """ẍ = −ω² (1 + ½ sin 3t) x, against an independent integration."""
    scale = fx.sine(0.5, frequency=3 / (2 * np.pi), offset=1.0)
    run = ran(fx.JointSpring("k", "slide", stiffness=50, scale=scale), start=0.1, until=2)
    found = solve_ivp(
        lambda t, y: [y[1], -25 * (1 + 0.5 * np.sin(3 * t)) * y[0]], (0, 2), [0.1, 0], rtol=1e-10, atol=1e-13
    )
    assert run["slide.displacement"][-1] == pytest.approx(found.y[0, -1], abs=1e-6)
    assert drift(run) < 1e-5


def test_damping_by_deflection():
    """F = c x² ẋ of a van der Pol kind, against an independent integration."""
    run = ran(fx.JointSpring("k", "slide", stiffness=50, damping_by_deflection="400*x^2"), start=0.3, until=2)
    found = solve_ivp(
        lambda t, y: [y[1], -25 * y[0] - 200 * y[0] ** 2 * y[1]], (0, 2), [0.3, 0], rtol=1e-10, atol=1e-13
    )
    assert run["slide.displacement"][-1] == pytest.approx(found.y[0, -1], abs=2e-6)
    assert drift(run) < 1e-4


@pytest.mark.parametrize("dissipation", [0.0, 0.05])
def test_a_stop_throws_back_with_its_restitution(dissipation):
    """e = 1 − ⅔ c v for small c (Hunt & Crossley); without damping the speed is kept."""
    v = 2.0
    stop = fx.Stop(0.05, 1e6, dissipation=dissipation)
    run = ran(fx.JointSpring("k", "slide", upper_stop=stop), rate=v, until=0.06, step=1e-5)
    back = -run["block.velocity_x"][-1]
    assert back / v == pytest.approx(1 - 2 / 3 * dissipation * v, abs=0.006 if dissipation else 1e-4)
    assert run["k.force"].values.max() <= 0  # it never pulls
    assert drift(run) < 1e-3


def test_play_between_two_stops():
    """Stops on a joint variable, wherever the spring is free: the mass goes to and fro between them."""
    fields = {"lower_stop": fx.Stop(-0.02, 1e7), "upper_stop": fx.Stop(0.03, 1e7)}
    run = ran(fx.JointSpring("k", "slide", **fields), rate=1.0, until=0.3, step=2e-5)
    x = run["slide.displacement"].values
    assert x.min() == pytest.approx(-0.02, abs=1e-3)
    assert x.max() == pytest.approx(0.03, abs=1e-3)


def test_it_goes_on_bit_by_bit_after_a_restart(tmp_path):
    springs = [
        fx.JointSpring("sheet", "slide", stiffness=1000, yields=20, damping=1),
        fx.JointSpring("wire", "slide", stiffness=200, hysteresis=fx.BoucWen(10, 0.01), scale=fx.ramp(1, 2, over=1)),
        fx.JointSpring("weak", "slide", stiffness=300, fails=fx.Failure(force_above=20, others=True)),
    ]
    model = fx.Model("m", [BLOCK, slide(rate=2.0), *springs])
    whole = model.dynamics(until=0.4, step=1e-3, **QUIET)
    first = model.dynamics(until=0.2, step=1e-3, file=tmp_path / "a.h5", **QUIET)
    parts = first.continue_until(0.4, **QUIET)
    for name in (
        "slide.displacement",
        "sheet.yield_deflection",
        "wire.hysteresis",
        "energy.dissipated",
        "energy.input",
    ):
        np.testing.assert_array_equal(parts[name].values[-150:], whole[name].values[-150:])


def test_an_axial_spring_may_do_all_that():
    bob = fx.RigidBody("bob", mass=1, inertia=0.1, position=(1, 0, 0))
    spring = fx.AxialSpring(
        "s", fx.ground, bob, stiffness=500, yields="20 N", upper_stop=fx.Stop("1.2 m", 1e4), damping=1
    )
    run = fx.Model("m", [bob, spring], gravity=(9.81, 0, 0)).dynamics(until=2, step=1e-3, **QUIET)
    assert run["s.length"].values.max() == pytest.approx(1.0 + 9.81 / 500, abs=0.02)
    assert run["s.yield_deflection"][-1] == 0
    heavy = fx.Model("m", [bob, spring], gravity=(40, 0, 0)).dynamics(until=2, step=1e-3, **QUIET)
    assert heavy["s.length"].values.max() == pytest.approx(1.2, abs=0.04)
    assert heavy["s.yield_deflection"][-1] > 0.1
    assert drift(heavy) < 0.05


MISTAKES = [
    (lambda: fx.Failure(force_above=-5), r"force_above = -5 must be positive.*change its sign"),
    (lambda: fx.Failure(deflection_below=0.1), r"deflection_below = 0\.1 must be negative"),
    (lambda: fx.Failure(), r"it has no limit"),
    (lambda: fx.JointSpring("k", "slide", stiffness=1, yields=0), r"above = 0 must be positive; the spring would carry nothing"),
    (lambda: fx.JointSpring("k", "slide", stiffness=1, yields={"below": 5}), r"below = 5 must be negative"),
    (lambda: fx.JointSpring("k", "slide", stiffness=1, yields=fx.ramp(1, -1, over=1)), r"above becomes negative"),
    (lambda: fx.JointSpring("k", "slide", yields=5), r"yields has no effect without an elastic force"),
    (
        lambda: fx.JointSpring("k", "slide", lower_stop=fx.Stop(1, 1), upper_stop=fx.Stop(0, 1)),
        r"lower_stop at 1 is not below upper_stop at 0",
    ),
    (lambda: fx.AxialSpring("k", "ground", "block", stiffness=1, yields="5 kg"), r"force is measured in N"),
    (lambda: fx.AxialSpring("k", "ground", "block", stiffness=1, fails=fx.Failure(deflection_above="1 N")), r"length is measured in m"),
    (lambda: fx.AxialSpring("k", "ground", "block", fails=fx.Failure(force_above=1, others=True)), r"fails\.others is for springs of a joint"),
    (lambda: fx.BoucWen(5, 0), r"deflection"),
    (lambda: fx.BoucWen(5, 1, shape=0.3), r"shape"),
    (lambda: fx.Stop(0, -5), r"stiffness"),
    (lambda: fx.Stop(0, "5 N/mm", exponent=1.5), r"stiffness = 5 N/mm has a unit, but with exponent = 1\.5.*write it as a number"),
    (lambda: fx.AxialSpring("k", "ground", "block", lower_stop=fx.Stop("1 m", "5 N*m/rad")), r"lower_stop\.stiffness.*N/m"),
    (lambda: fx.clearance(-1, 5), r"gap = -1"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "message"), MISTAKES)
def test_mistakes_are_told_with_their_fix(make, message):
    with pytest.raises(fx.FlexorError, match=message):
        make()


def test_units_along_a_joint_are_checked_in_parts_too():
    spring = fx.JointSpring("k", "slide", stiffness=1, yields="5 N*m", hysteresis=fx.BoucWen("5 N", "1 rad"))
    with pytest.raises(fx.ModelError, match=r"yields\.above.*(?s:.)*hysteresis\.deflection"):
        fx.Model("m", [BLOCK, slide(), spring]).check()


def test_the_stiffness_of_a_stop_takes_a_unit():
    assert fx.Stop("46 cm", "200 N/mm").stiffness == pytest.approx(200e3, rel=1e-15)
    spring = fx.JointSpring("k", "slide", upper_stop=fx.Stop("0.1 m", "5 N*m/rad"))
    with pytest.raises(fx.ModelError, match=r"upper_stop\.stiffness"):
        fx.Model("m", [BLOCK, slide(), spring]).check()


def test_what_has_no_effect_is_told():
    spring = fx.JointSpring("k", "slide", damping=1, scale=fx.ramp(0, 1, over=1))
    with pytest.warns(fx.DoubtfulModel, match="scale has no effect"):
        fx.Model("m", [BLOCK, slide(), spring]).dynamics(until=0.01, step=1e-3, **QUIET)
