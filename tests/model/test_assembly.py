"""What is stated about the start is met exactly, loops are closed, and contradictions are named."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import flexor as fx
from flexor.model.joint_table import gaps


def body(name, **fields):
    return fx.RigidBody(name, 1.0, 0.1, **fields)


def slider_crank(piston=0.5, crank=1.2, radius=0.08, length=0.3, offset=0.0, **main):
    """The mechanism of the README."""
    arm = fx.RigidBody("crank", crank, (2e-3 * crank, 2e-3 * crank, 4e-3 * crank), markers={"pin": (radius, 0, 0)})
    rod = fx.RigidBody("rod", 0.8, (1e-4, 6e-3, 6e-3), center_of_mass=(length / 2, 0, 0))
    slider = fx.RigidBody("piston", piston)
    return [
        arm, rod, slider,
        fx.Revolute("main", fx.ground, arm, axis="z", **main),
        fx.Cylindrical("pin", arm["pin"], rod, axis="z"),
        fx.Spherical("wrist", rod.at(length, 0, 0), slider),
        fx.Prismatic("bore", fx.ground.at(0, offset, 0), slider, axis="x"),
    ]  # fmt: skip


def start(items):
    """The start of a model that has no problems; its joints are closed to rounding."""
    report = fx.Model("m", items).check()
    joints = [item for item in items if hasattr(item, "rotations")]
    gap, tilt = gaps(joints, [report.placement.joints[joint.name] for joint in joints])
    assert gap.max(initial=0) < 1e-12
    assert tilt.max(initial=0) < 1e-12
    return report.placement


def problems(*items):
    return [str(problem) for problem in fx.Model("m", items).check(raise_errors=False).problems]


# ---- a start is met


@pytest.mark.parametrize("degrees", [20, 60, 90, 120, 179, -150])
@pytest.mark.parametrize(("piston", "crank"), [(0.5, 1.2), (0.5, 1e-3), (20, 1e-3), (500, 1e-3)])
def test_slider_crank_starts_where_it_is_asked_to_whatever_the_masses(degrees, piston, crank):
    items = slider_crank(piston, crank, start=f"{degrees} deg", start_rate=100)
    assert str(fx.Model("m", items).check()) == "no problems"
    found = start(items)
    φ = np.radians(degrees)
    assert found.joints["main"].values[0] == pytest.approx(φ, abs=1e-12)
    assert found.joints["main"].rates[0] == pytest.approx(100, rel=1e-13)
    side = np.sqrt(0.3**2 - (0.08 * np.sin(φ)) ** 2)
    assert_allclose(found.poses["piston"].p, (0.08 * np.cos(φ) + side, 0, 0), atol=1e-12)  # on the side it is drawn on
    speed = -0.08 * np.sin(φ) * (1 + 0.08 * np.cos(φ) / side) * 100
    assert_allclose(found.twists["piston"], (speed, 0, 0, 0, 0, 0), atol=1e-10)


def test_the_run_starts_there_too():
    model = fx.Model("m", slider_crank(20, 1e-3, start="60 deg", start_rate=100), gravity=(0, -9.81, 0))
    run = model.dynamics(until=1e-4, step=1e-4, show=False)
    assert run["main.angle"].values[0] == pytest.approx(np.pi / 3, abs=1e-10)
    assert run["main.angle_rate"].values[0] == pytest.approx(100, rel=1e-12)


@settings(max_examples=30, deadline=None)
@given(
    degrees=st.floats(-180, 180).map(lambda degrees: round(degrees, 9)), radius=st.floats(0.02, 0.1), length=st.floats(0.13, 0.5), offset=st.floats(-0.02, 0.02),
    masses=st.tuples(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3)), rate=st.floats(-200, 200),
)  # fmt: skip
def test_any_slider_crank(degrees, radius, length, offset, masses, rate):
    found = start(slider_crank(*masses, radius, length, offset, start=f"{degrees} deg", start_rate=rate))
    φ = np.radians(degrees)
    assert found.joints["main"].values[0] == pytest.approx(φ, abs=1e-10)
    assert found.joints["main"].rates[0] == pytest.approx(rate, rel=1e-12, abs=1e-12)
    x, y, z = found.poses["piston"].p
    assert np.hypot(x - radius * np.cos(φ), y - radius * np.sin(φ)) == pytest.approx(length, abs=1e-9)
    assert_allclose((y, z), (offset, 0), atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(
    lengths=st.tuples(st.floats(0.1, 0.3), st.floats(0.5, 1.0), st.floats(0.5, 1.0)),
    degrees=st.floats(-180, 180).map(lambda degrees: round(degrees, 9)),
    driven=st.sampled_from(["crank", "drawn"]),
    rate=st.floats(-50, 50),
)
def test_any_four_bar(lengths, degrees, driven, rate):
    """Crank, coupler and rocker on hinges, three rows of which are redundant; drawn closed, or with all links along x."""
    a, b, c = lengths
    d = 0.8 * (b + c - a)
    crank, coupler, rocker = body("crank"), body("coupler"), body("rocker")
    # drawn with the crank along x: the triangle (d − a), b, c
    reach = d - a
    cosine = (b**2 + reach**2 - c**2) / (2 * b * reach)
    assume(abs(cosine) < 0.95)
    top = np.array((b * cosine, b * np.sqrt(1 - cosine**2), 0))
    drawn = driven == "drawn"
    tip = top if drawn else np.array((b, 0, 0))
    foot = np.array((d - a, 0, 0)) - top if drawn else np.array((c, 0, 0))
    items = [
        crank, coupler, rocker,
        fx.Revolute("A", fx.ground, crank, axis="z", start=f"{degrees} deg", start_rate=rate),
        fx.Revolute("B", crank.at(a, 0, 0), coupler, axis="z"),
        fx.Revolute("C", coupler.at(*tip), rocker, axis="z"),
        fx.Revolute("D", fx.ground.at(d, 0, 0), rocker.at(*foot), axis="z"),
    ]  # fmt: skip
    φ = np.radians(degrees)
    far = np.hypot(d - a * np.cos(φ), a * np.sin(φ))
    assume(abs(b - c) + 0.02 < far < b + c - 0.02)
    found = start(items)
    assert found.joints["A"].values[0] == pytest.approx(φ, abs=1e-10)
    assert found.joints["A"].rates[0] == pytest.approx(rate, rel=1e-12, abs=1e-12)


def test_an_offset_slider_stays_on_its_side():
    items = slider_crank(offset=0.05, start="100 deg")
    found = start(items)
    x = 0.08 * np.cos(np.radians(100)) + np.sqrt(0.3**2 - (0.08 * np.sin(np.radians(100)) - 0.05) ** 2)
    assert found.joints["bore"].values[0] == pytest.approx(x, abs=1e-12)
    assert "joint 'bore': its points are 0.05 m apart" in str(fx.Model("m", items).check())


def test_a_piston_on_a_hinge_is_not_turned_over():
    items = slider_crank(start="150 deg")
    hinged = [fx.Revolute(i.name, i.a, i.b, axis="z") if i.name in ("pin", "wrist") else i for i in items]
    found = start(hinged)
    assert_allclose(found.poses["piston"].R, np.eye(3), atol=1e-12)
    assert found.poses["piston"].p[0] > 0.2


def test_a_start_on_a_joint_that_closes_the_loop_is_met_with_a_motor_elsewhere():
    """The motor goes on from where its joint is brought."""
    items = [item.replace(start=0.3) if item.name == "bore" else item for item in slider_crank()]
    drive = fx.Motor("drive", "main", speed=50)
    found = start([*items, drive])
    assert found.joints["bore"].values[0] == pytest.approx(0.3, abs=1e-12)
    assert found.joints["main"].rates[0] == pytest.approx(50, rel=1e-13)
    angle = found.joints["main"].values[0]
    assert 0.08 * np.cos(angle) + np.sqrt(0.3**2 - (0.08 * np.sin(angle)) ** 2) == pytest.approx(0.3, abs=1e-12)
    run = fx.Model("m", [*items, drive]).dynamics(until=1e-3, step=1e-4, show=False)
    assert run["drive.target"].values[0] == pytest.approx(angle, abs=1e-12)
    assert run["bore.displacement"].values[0] == pytest.approx(0.3, abs=1e-10)


@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
def test_a_position_that_is_stated_is_kept_and_the_rest_is_turned(enforcement):
    arm, rod = body("arm", position=(0.3, 0.4, 0)), body("rod")
    items = [
        arm, rod,
        fx.Revolute("base", fx.ground.at(0.3, 0.4, 0), arm, axis="z", enforcement=enforcement),
        fx.Revolute("elbow", arm.at(1, 0, 0), rod, axis="z"),
        fx.Spherical("end", fx.ground.at(0.3, 2.2, 0), rod.at(1, 0, 0)),
    ]  # fmt: skip
    found = start(items)
    assert_allclose(found.poses["arm"].p, (0.3, 0.4, 0), atol=1e-12)
    assert_allclose(found.poses["rod"].p[1], 1.3, atol=1e-12)


def test_a_flexible_rod_is_brought_there_unstrained():
    items = slider_crank(start="70 deg", start_rate=30)
    rod = fx.Beam("rod", [(0, 0, 0), (0.3, 0, 0)], fx.Circle("20 mm"), fx.Steel(), divisions=4)
    ends = {"pin": {"b": rod["start"]}, "wrist": {"a": rod["end"]}}
    items = [rod if item.name == "rod" else item.replace(**ends.get(item.name, {})) for item in items]
    run = fx.Model("m", items).dynamics(until=1e-5, step=1e-5, show=False)
    assert run["main.angle"].values[0] == pytest.approx(np.radians(70), abs=1e-10)
    assert run["main.angle_rate"].values[0] == pytest.approx(30, rel=1e-10)
    assert run["energy.strain"].values[0] < 1e-12


# ---- velocities


def test_the_velocity_of_a_body_turns_its_hinge():
    arm = body("arm", center_of_mass=(0.5, 0, 0), velocity=(0, 3, 0))
    pin = fx.Revolute("pin", fx.ground, arm.at(-1.5, 0, 0), axis="z")
    assert start([arm, pin]).joints["pin"].rates[0] == pytest.approx(2, rel=1e-14)


def test_an_angular_velocity_is_met_however_light_the_body_is():
    crank = slider_crank(500, 1e-3)[0].replace(angular_velocity=(0, 0, 100))
    found = start([crank, *slider_crank(500, 1e-3, start=1.0)[1:]])
    assert found.twists["crank"][5] == pytest.approx(100, rel=1e-13)


def test_a_disc_that_rolls_has_the_spin_of_its_velocity():
    wheel = body("wheel", position=(0, 0, 0.3), velocity=(1.5, 0, 0))
    found = start([wheel, fx.RollingDisc("roll", wheel, radius=0.3)])
    assert_allclose(found.twists["wheel"], (1.5, 0, 0, 0, 5, 0), atol=1e-12)


# ---- contradictions


def test_two_starts_that_do_not_go_together():
    items = [item.replace(start=0.35) if item.name == "bore" else item for item in slider_crank(start="60 deg")]
    (first, second) = problems(*items)
    x = 0.04 + np.sqrt(0.09 - (0.08 * np.sin(np.pi / 3)) ** 2)
    assert f"joint 'bore': start asks for 0.35 m, everything else for {x:.9g} m; it contradicts joint 'main'" in (
        first + second
    )
    assert "joint 'main': start asks for 1.04719755 rad, everything else for 0.8" in first + second
    with pytest.raises(fx.AssemblyError, match=r"joint 'main' \(start\)"):
        fx.Model("m", items).dynamics(until=0.1, step=1e-3, show=False)


def test_values_that_agree_to_rounding_are_no_contradiction():
    x = 0.04 + np.sqrt(0.09 - (0.08 * np.sin(np.pi / 3)) ** 2)
    for digits in (15, 7):
        items = slider_crank(start="60 deg")
        items = [item.replace(start=round(x, digits)) if item.name == "bore" else item for item in items]
        assert start(items).joints["main"].values[0] == pytest.approx(np.pi / 3, abs=1e-6)


def at_bore(items, **fields):
    return [item.replace(**fields) if item.name == "bore" else item for item in items]


def test_values_that_are_rounded_are_met_to_their_digits_and_told():
    x = 0.04 + np.sqrt(0.09 - (0.08 * np.sin(np.pi / 3)) ** 2)
    items = at_bore(slider_crank(start="60 deg"), start=round(x, 7))
    found = start(items)
    assert found.joints["main"].values[0] == pytest.approx(np.pi / 3, abs=1e-11)  # it has all digits
    assert found.joints["bore"].values[0] == pytest.approx(x, abs=1e-11)
    told = [str(each) for each in fx.Model("m", items).check().warnings]
    assert any("joint 'bore': start asks for 0.3318904 m, it begins 9.6e-09 m off that" in each for each in told)
    first, second = problems(*at_bore(slider_crank(start="60 deg"), start=round(x, 7) + 1e-7))  # not by rounding
    assert "joint 'bore': start asks for 0.3318905 m, everything else for 0.33189039 m" in first + second


@pytest.mark.parametrize("short", [3e-7, 1e-7, 1e-9, 1e-11])
def test_a_start_close_to_a_dead_centre_is_met(short):
    """The crank turns by the root of what the slider moves."""
    x = 0.38 - short
    items = at_bore(slider_crank(), start=x, start_rate=0.1)
    found = start(items)
    assert found.joints["bore"].values[0] == pytest.approx(x, abs=1e-12)
    φ = np.sqrt(2 * short / (0.08 * (1 + 0.08 / 0.3)))
    assert abs(found.joints["main"].values[0]) == pytest.approx(φ, rel=1e-3)
    assert found.joints["bore"].rates[0] == pytest.approx(0.1, rel=1e-6)
    assert abs(found.joints["main"].rates[0]) == pytest.approx(0.1 * φ / (2 * short), rel=1e-3)


def test_a_start_that_cannot_be_reached():
    items = [item.replace(start=0.5) if item.name == "bore" else item for item in slider_crank()]
    (said,) = problems(*items)
    assert "joint 'bore': start asks for 0.5 m, everything else for" in said or "nearest that fits is 0.38 m" in said


def test_a_wheel_above_its_plane():
    wheel = body("wheel", position=(0, 0, 9))
    assert problems(wheel, fx.RollingDisc("roll", wheel, radius=0.3)) == [
        "body 'wheel': position asks for (0, 0, 9) m, the nearest that fits is (0, 0, 0.3) m; it contradicts rolling disc "
        "'roll', correct it"
    ]


def test_a_velocity_along_a_hinge():
    arm = body("arm", velocity=(0, 0, 5))
    pin = fx.Revolute("pin", fx.ground, arm, axis="z")
    assert problems(arm, pin) == [
        "body 'arm': velocity asks for (0, 0, 5) m/s, everything else for (0, 0, 0) m/s; it contradicts joint 'pin', "
        "leave out or correct one of them"
    ]
    with pytest.raises(fx.AssemblyError, match="velocity asks for"):
        fx.Model("m", [arm, pin]).modes(1)


def test_rates_that_do_not_go_together():
    items = slider_crank(start="90 deg", start_rate=100)
    items = [item.replace(start_rate=-7) if item.name == "bore" else item for item in items]
    said = "".join(problems(*items))
    assert "joint 'bore': start_rate asks for -7 m/s, everything else for -8 m/s; it contradicts joint 'main'" in said
    good = [item.replace(start_rate=-8) if item.name == "bore" else item for item in items]
    assert start(good).joints["main"].rates[0] == pytest.approx(100, rel=1e-12)


def test_a_motor_that_cannot_begin_to_move():
    arm = body("arm")
    items = [
        arm,
        fx.Revolute("pin", fx.ground, arm, axis="z"),
        fx.Fixed("weld", fx.ground.at(1, 0, 0), arm.at(1, 0, 0)),
        fx.Motor("drive", "pin", speed=1),
    ]
    with pytest.raises(
        fx.AssemblyError, match="'drive' cannot move what it drives: 'weld' holds it; no velocities"
    ) as caught:
        fx.Model("m", items).check()
    assert caught.value.worst == (("drive: angle", pytest.approx(-1.0)),)


def test_those_are_named_that_hold_a_driver():
    """Not the joint of the motor, nor others that only take part in the loop."""
    crank, rod = body("crank"), body("rod")
    chain = [
        crank, rod,
        fx.Revolute("main", fx.ground, crank, axis="z"),
        fx.Revolute("elbow", crank.at(1, 0, 0), rod, axis="z"),
        fx.Motor("drive", "main", speed=1),
        fx.Motor("still", "elbow", position=0),
    ]  # fmt: skip
    for more, said in (
        ([fx.Fixed("bolt", fx.ground.at(1, 0, 0), crank.at(1, 0, 0))], "'bolt' holds it"),
        ([fx.Fixed("bolt", fx.ground.at(2, 0, 0), rod.at(1, 0, 0))], "'still' and 'bolt' hold it"),
        ([fx.Distance("stay", fx.ground.at(1, 3, 0), crank.at(1, 0, 0), length=3)], "'stay' holds it"),
    ):
        with pytest.raises(fx.AssemblyError) as caught:
            fx.Model("m", [*chain, *more]).check()
        assert f"'drive' cannot move what it drives: {said}; no velocities" in str(caught.value)


def test_the_line_of_a_contradiction_in_a_file_is_told(tmp_path):
    wheel = body("wheel", position=(0, 0, 9))
    path = fx.Model("m", [wheel, fx.RollingDisc("roll", wheel, radius=0.3)]).save(tmp_path / "wheel.yaml")
    with pytest.raises(fx.AssemblyError, match=r"wheel.yaml:\d+"):
        fx.Model.load(path)
