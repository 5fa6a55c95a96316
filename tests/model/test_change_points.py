"""Mechanisms that start where they can go on in several ways."""

import warnings

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexor as fx

A, D = 0.2, 0.5


def in_line(*more, lengths=(A, D, A, D), starts=(), **rates):
    """Crank, coupler and rocker in one line on the x axis, hinged at A, B, C and D."""
    a, b, c, d = lengths
    crank = fx.RigidBody("crank", 1.0, 1e-3, center_of_mass=(a / 2, 0, 0))
    coupler = fx.RigidBody("coupler", 1.0, 1e-2, center_of_mass=(b / 2, 0, 0))
    rocker = fx.RigidBody("rocker", 1.0, 1e-2, center_of_mass=(c / 2, 0, 0))
    given = {name: {"start_rate": rate} for name, rate in rates.items()}
    for name, angle in dict(starts).items():
        given.setdefault(name, {})["start"] = angle
    items = [
        crank, coupler, rocker,
        fx.Revolute("A", fx.ground, crank, axis="z", **given.get("A", {})),
        fx.Revolute("B", crank.at(a, 0, 0), coupler, axis="z", **given.get("B", {})),
        fx.Revolute("C", coupler.at(b, 0, 0), rocker.at(c, 0, 0), axis="z", **given.get("C", {})),
        fx.Revolute("D", fx.ground.at(d, 0, 0), rocker, axis="z", **given.get("D", {})),
        *more,
    ]  # fmt: skip
    return fx.Model("in line", items, gravity=(0, -9.81, 0))


def run(model, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.dynamics(until=0.3, step=1e-3, show=False, **options)


def test_one_rate_gives_the_slowest_way_on_and_is_told():
    report = in_line(A=5).check()
    rates = {name: joint.rates[0] for name, joint in report.placement.joints.items()}
    assert rates == pytest.approx({"A": 5, "B": -5, "C": 5, "D": 5}, rel=1e-9)
    assert "joint 'A': its mechanism starts at a change point" in str(report.warnings[0])


def test_the_other_way_on_is_taken_if_the_rates_say_so():
    """The crossed parallelogram: coupler −4/3, rocker −7/3 of the crank."""
    rates = {"A": 3.0, "D": -7.0}
    report = in_line(**rates).check()
    assert not report.warnings
    assert report.placement.twists["coupler"][5] == pytest.approx(-4, rel=1e-9)
    found = run(in_line(**rates))
    α, γ = found["A.angle"].values, found["D.angle"].values
    span = np.hypot(D + A * np.cos(γ) - A * np.cos(α), A * np.sin(γ) - A * np.sin(α))
    np.testing.assert_allclose(span, D, atol=1e-10)  # the coupler keeps its length
    assert np.abs(α - γ).max() > 0.5


@pytest.mark.parametrize("rates", [{"A": 5}, {"A": 5, "B": -5, "C": 5, "D": 5}])
def test_a_flat_parallelogram_swings_as_one_pendulum(rates):
    found = run(in_line(**rates))
    inertia = 1e-3 + 1e-2 + 2 * (A / 2) ** 2 + A**2  # crank and rocker about their hinges, the coupler at their ends
    exact = solve_ivp(
        lambda t, y: (y[1], -9.81 * 2 * A * np.cos(y[0]) / inertia), (0, 0.3), (0, 5), t_eval=found.time, rtol=1e-10
    )
    np.testing.assert_allclose(found["D.angle"].values, found["A.angle"].values, atol=1e-9)
    np.testing.assert_allclose(found["A.angle"].values, exact.y[0], atol=2e-4)
    np.testing.assert_allclose(found["A.angle_rate"].values[:20], exact.y[1][:20], atol=1e-3)


def test_a_motor_drives_a_flat_parallelogram():
    found = run(in_line(fx.Motor("drive", "A", speed=2)))
    np.testing.assert_allclose(found["D.angle"].values, 2 * found.time, atol=1e-8)


def test_at_rest_nothing_tells_the_way_on():
    with pytest.raises(fx.AssemblyError, match=r"change point(.|\n)*give start rates of all joints, or start well off"):
        run(in_line())


@pytest.mark.parametrize("weight", [0.0, 9.81])
@pytest.mark.parametrize("how", ["position", "speed"])
def test_a_motor_that_starts_smoothly_from_rest_tells_no_way_either(weight, how):
    model = in_line(fx.Motor("drive", "A", **{how: fx.ramp(0, 1, over=0.2)})).replace(gravity=(0, -weight, 0))
    for analysis in (model.dynamics, model.kinematics):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(fx.AssemblyError, match="at a change point"):
                analysis(until=0.3, step=1e-3, show=False)


def test_a_load_that_comes_later_tells_none_either():
    push = fx.PointForce("push", "crank", direction="y", force=fx.ramp(0, 1, over=0.2))
    with pytest.raises(fx.AssemblyError, match="rests at a change point"):
        run(in_line(push).replace(gravity=(0, 0, 0)))


def test_what_nothing_moves_may_rest_at_a_change_point():
    hold = fx.Motor("hold", "A", position=0.0)
    found = run(in_line(hold).replace(gravity=(0, 0, 0)))
    assert np.abs(found["D.angle"].values).max() < 1e-12


@pytest.mark.parametrize(
    "motion", [{"acceleration": 2}, {"position": "t^2"}, {"position": fx.ramp(0, 1, over=0.2)}, {"speed": "t^2"}]
)
def test_a_motor_that_begins_from_rest_tells_no_way_on(motion):
    model = in_line(fx.Motor("drive", "A", **motion))
    for gravity in ((0, 0, 0), (0, -9.81, 0)):
        with pytest.raises(fx.AssemblyError, match="change point"):
            run(model.replace(gravity=gravity))


def test_two_hinges_and_a_motor_that_begins_smoothly_are_no_change_point():
    door = fx.RigidBody("door", mass=10, inertia=1, center_of_mass=(0.4, 0, 0.5))
    hinges = [fx.Revolute(f"h{z}", fx.ground.at(0, 0, z), door.at(0, 0, z), axis="z") for z in (0, 1)]
    motor = fx.Motor("drive", "h0", position=fx.ramp(0, 1, over=0.2))
    found = run(fx.Model("door", [door, *hinges, motor]))
    assert found["h1.angle"][-1] == pytest.approx(1.0, abs=1e-8)


OTHER = (D - A) / (D + A)  # rates of the rocker on the crossed way, of the crank's: 1/OTHER at 0, OTHER at 180 deg


@pytest.mark.parametrize("hinge", ["A", "D"])
@pytest.mark.parametrize("half", ["180 deg", "-180 deg"])
def test_half_a_turn_is_landed_on_exactly(hinge, half):
    """There only the other crank at half a turn closes."""
    placement = in_line(starts={hinge: half}).check().placement
    for name in "AD":
        turned = np.remainder(placement.joints[name].values[0], 2 * np.pi)
        assert turned == pytest.approx(np.pi, abs=1e-12)


def test_at_half_a_turn_rest_tells_no_way_on_either():
    with pytest.raises(fx.AssemblyError, match="change point"):
        run(in_line(starts={"A": "180 deg"}))


@pytest.mark.parametrize(("given", "rate"), [({"A": 2}, -2 * OTHER), ({"A": 2, "D": 2}, 2.0), ({"D": 2}, None)])
def test_rates_at_half_a_turn_are_those_of_a_way_on(given, rate):
    """They run on as the coupler demands, with their energy."""
    model = in_line(starts={"A": "180 deg"}, **given).replace(gravity=(0, 0, 0))
    found = run(model)
    α, γ = found["A.angle"].values, found["D.angle"].values
    for name, value in given.items():
        assert found[f"{name}.angle_rate"].values[0] == pytest.approx(value, abs=1e-9)
    if rate is not None:
        assert found["D.angle_rate"].values[0] == pytest.approx(rate, abs=1e-9)
    span = np.hypot(D + A * np.cos(γ) - A * np.cos(α), A * np.sin(γ) - A * np.sin(α))
    np.testing.assert_allclose(span, D, atol=1e-10)
    energy = found["energy.kinetic"].values
    np.testing.assert_allclose(energy, energy[0], rtol=1e-4)


@pytest.mark.parametrize("speed", [2.0, -2.0])
def test_a_motor_at_half_a_turn(speed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = in_line(fx.Motor("drive", "A", speed=speed), starts={"A": "180 deg"})
        found = model.kinematics(until=0.01, step=1e-3, show=False)
    np.testing.assert_allclose(found["D.angle_rate"].values, -speed * OTHER, rtol=1e-3)
    torque = found["drive.torque"].values
    assert np.abs(np.diff(torque)).max() < 1e-3 * np.abs(torque).max()


@pytest.mark.parametrize("off", [1e-9, 1e-8, 1e-7, -1e-6, 1e-5, -1e-4, 2e-4])
@pytest.mark.parametrize("at", [0.0, np.pi])
def test_next_to_a_change_point_the_start_is_refused(off, at):
    with pytest.raises(
        fx.AssemblyError, match=rf"'A': start asks for .* rad, .* rad off the next change point at {at:.9g} rad"
    ):
        in_line(starts={"A": at + off}, A=2).check()


@pytest.mark.parametrize("off", [5e-4, -5e-4, 3e-3, -3e-3])
def test_a_little_farther_off_it_is_a_parallelogram(off):
    model = in_line(starts={"A": off}, A=2).replace(gravity=(0, 0, 0))
    placement = model.check().placement
    assert placement.joints["D"].values[0] == pytest.approx(off, abs=1e-10)
    assert placement.joints["D"].rates[0] == pytest.approx(2, abs=1e-7)
    found = run(model)
    np.testing.assert_allclose(found["A.angle"].values, off + 2 * found.time, atol=1e-5)
    np.testing.assert_allclose(found["D.angle"].values, found["A.angle"].values, atol=1e-8)


def test_digits_that_lack_are_told():
    """Half a turn to eight digits is half a turn."""
    report = in_line(starts={"A": 3.1415927}).check()
    assert "joint 'A': start asks for 3.1415927 rad, it begins 4.6e-08 rad off that, at a change point" in str(report)


@pytest.mark.parametrize(("rates", "bore"), [({"main": 1}, 0.0), ({"main": 1, "bore": -0.6}, -0.6)])
def test_a_slider_crank_with_a_rod_as_long_as_its_crank(rates, bore):
    """At 90 deg the piston may stay in the middle, or go on as x = 2 r cos φ."""
    crank = fx.RigidBody("crank", 1.2, (2e-3, 2e-3, 4e-3))
    rod = fx.RigidBody("rod", 0.8, (1e-4, 6e-3, 6e-3), center_of_mass=(0.15, 0, 0))
    piston = fx.RigidBody("piston", 0.5)
    items = [
        crank, rod, piston,
        fx.Revolute("main", fx.ground, crank, axis="z", start="90 deg", start_rate=rates["main"]),
        fx.Cylindrical("pin", crank.at(0.3, 0, 0), rod, axis="z"),
        fx.Spherical("wrist", rod.at(0.3, 0, 0), piston),
        fx.Prismatic("bore", fx.ground, piston, axis="x", start_rate=rates.get("bore")),
    ]  # fmt: skip
    found = run(fx.Model("slider-crank", items))
    assert found["main.angle_rate"].values[0] == pytest.approx(1, abs=1e-9)
    φ, x = found["main.angle"].values, found["piston.position_x"].values
    np.testing.assert_allclose(x, 0.6 * np.cos(φ) if bore else 0.0, atol=1e-9)
    energy = found["energy.kinetic"].values
    np.testing.assert_allclose(energy, energy[0], rtol=1e-4)


def test_rates_with_which_a_loop_cannot_go_on_are_refused_with_those_that_fit():
    """The parallelogram in line goes on with D = A, or crossed with D = -A (d + a)/(d - a)."""
    crossed = -2 * (D + A) / (D - A)
    with pytest.raises(
        fx.AssemblyError, match=rf"'D': start_rate = 1 rad/s .* what fits is {crossed:.6g} rad/s or 2 rad/s"
    ):
        in_line(A=2, D=1).check()
    assert str(in_line(A=2, D=2).check()) == "no problems"
    with pytest.raises(fx.AssemblyError, match="what fits is"):
        in_line(A=2, D=2.001).check()


def test_ways_that_meet_are_no_doubt():
    """Half a turn on, both ways from the drawing end in the same place; a quarter turn on they do not."""
    assert str(in_line(starts={"A": np.pi}).check()) == "no problems"
    assert "could as well go another way" in str(in_line(starts={"A": np.pi / 2}).check())


def test_the_stroke_of_a_slider_crank_ends_in_one_place():
    crank, rod = (fx.RigidBody(name, 1.0, 1e-2) for name in ("crank", "rod"))
    piston = fx.RigidBody("piston", mass=0.5)
    joints = [
        fx.Revolute("main", fx.ground, crank, axis="z"),
        fx.Cylindrical("pin", crank.at(0.08, 0, 0), rod, axis="z"),
        fx.Spherical("wrist", rod.at(0.3, 0, 0), piston),
    ]

    def told(start):
        bore = fx.Prismatic("bore", fx.ground, piston, axis="x", start=start)
        return str(fx.Model("m", [crank, rod, piston, *joints, bore]).check())

    assert "could as well" not in told(0.22)
    assert "could as well" in told(0.3)
