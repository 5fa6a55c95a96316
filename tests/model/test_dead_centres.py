"""A slider-crank stays on the branch that it is drawn on, also where it could be put together in another way."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import flexor as fx


def slider_crank(start=None, bore=None, order=1, motor=()):
    crank = fx.RigidBody("crank", mass=1.2, inertia=(2e-3, 2e-3, 4e-3), markers={"pin": ("80 mm", 0, 0)})
    rod = fx.RigidBody("rod", mass=0.8, inertia=(1e-4, 6e-3, 6e-3), center_of_mass=(0.15, 0, 0))
    piston = fx.RigidBody("piston", mass=0.5)
    items = [
        crank,
        rod,
        piston,
        fx.Revolute("main", fx.ground, crank, axis="z", start=start),
        fx.Cylindrical("pin", crank["pin"], rod, axis="z"),
        fx.Spherical("wrist", rod.at(0.3, 0, 0), piston),
        fx.Prismatic("bore", fx.ground, piston, axis="x", start=bore),
        *motor,
    ]
    return fx.Model("slider-crank", items[::order])


def stroke(angle):
    return 0.08 * np.cos(angle) + np.sqrt(0.09 - (0.08 * np.sin(angle)) ** 2)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("angle", [120, 179.999, 180, 181, -180, 360, 540])
def test_the_piston_stays_on_its_side(angle, order):
    report = slider_crank(f"{angle} deg", order=order).check()
    assert not report.warnings
    assert_allclose(report.placement.joints["main"].values, np.radians(angle), rtol=1e-12)
    assert_allclose(report.placement.joints["bore"].values, stroke(np.radians(angle)), rtol=1e-10)


@pytest.mark.parametrize("order", [1, -1])
def test_a_motor_that_begins_at_half_a_turn(order):
    motor = fx.Motor("drive", "main", position=fx.ramp("180 deg", "200 deg", over=1))
    report = slider_crank(order=order, motor=[motor]).check()
    assert_allclose(report.placement.joints["bore"].values, 0.22, rtol=1e-10)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(("bore", "angle"), [(0.38, 0), (0.22, np.pi), (0.3, np.radians(82.338))])
def test_the_piston_may_be_given_up_to_both_dead_centres(bore, angle, order):
    placement = slider_crank(bore=bore, order=order).check().placement
    assert_allclose(placement.joints["bore"].values, bore, rtol=1e-12)
    assert_allclose(np.abs(placement.joints["main"].values), angle, atol=1e-5)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(("bore", "angle"), [(0.38, 0), (0.22, np.pi)])
def test_dead_centres_are_landed_on_to_rounding(bore, angle, order):
    """Though the piston moves only with the square of the angle."""
    placement = slider_crank(bore=bore, order=order).check().placement
    assert_allclose(placement.joints["main"].values, angle, atol=1e-12)


def test_start_of_a_joint_given_by_a_global_point_is_told_to_move_nothing():
    arm = fx.RigidBody("arm", mass=1, inertia=0.1, position=(0.5, 0, 0))
    pin = fx.Revolute("pin", fx.ground, arm, at=(0, 0, 0), axis="z")
    report = fx.Model("arm", [arm, pin.replace(start="30 deg")]).check()
    assert_allclose(report.placement.poses["arm"].R, np.eye(3), atol=1e-15)
    assert_allclose(report.placement.joints["pin"].values, np.pi / 6)
    (told,) = report.warnings
    assert "moves no body" in str(told)
    assert not fx.Model("arm", [arm, pin]).check().warnings
    assert not fx.Model("arm", [arm, pin.replace(start=0)]).check().warnings


@pytest.mark.parametrize(("given", "told"), [({"orientation": {"axis": "z", "angle": "30 deg"}}, "orientation"),
                                             ({"position": (0, 0, 0)}, "position")])  # fmt: skip
def test_start_of_a_body_that_stands_as_drawn_is_told_to_turn_nothing(given, told):
    arm = fx.RigidBody("arm", mass=1, inertia=0.1, **given)
    pin = fx.Revolute("pin", fx.ground, arm, axis="z")
    report = fx.Model("arm", [arm, pin.replace(start="50 deg")]).check()
    assert report.placement.joints["pin"].values[0] == pytest.approx(np.radians(50))
    (said,) = report.warnings
    assert f"it turns no body; {told} of 'arm' is given" in str(said)
    assert not fx.Model("arm", [arm, pin]).check().warnings


def test_leaving_a_dead_centre_is_told():
    """The crank could turn either way."""
    x = stroke(np.pi / 3)
    report = slider_crank(bore=x).check()
    main = report.placement.joints["main"].values[0]
    assert abs(main) == pytest.approx(np.pi / 3, abs=1e-9)
    (told,) = report.warnings
    assert f"joint 'main': it starts at {main:.6g} rad, and could as well go another way" in str(told)
    assert not slider_crank("60 deg", bore=x).check().warnings


def four_bar(a, b, c, d, starts=(), rates=()):
    """Crank, coupler and rocker without positions, hinged at j1 … j4."""
    starts, rates = dict(starts), dict(rates)
    crank, coupler, rocker = (fx.RigidBody(name, 1, 0.01) for name in ("crank", "coupler", "rocker"))

    def hinge(name, *ends):
        return fx.Revolute(name, *ends, start=starts.get(name), start_rate=rates.get(name))

    items = [
        crank, coupler, rocker,
        hinge("j1", fx.ground, crank),
        hinge("j2", crank.at(a, 0, 0), coupler),
        hinge("j3", coupler.at(b, 0, 0), rocker.at(c, 0, 0)),
        hinge("j4", fx.ground.at(d, 0, 0), rocker),
    ]  # fmt: skip
    return fx.Model("four-bar", items)


def angles(a, b, c, d, α):
    """Of the joints at a crank angle: the triangle from the crank's pin to the rocker's hinge."""
    p = np.array([a * np.cos(α) - d, a * np.sin(α)])
    e = np.hypot(*p)
    γ = np.arctan2(p[1], p[0]) - np.arccos((c * c + e * e - b * b) / (2 * c * e))
    q = np.array([c * np.cos(γ), c * np.sin(γ)]) - p
    return {"j1": α, "j2": np.arctan2(q[1], q[0]) - α, "j4": γ}


BARS = (0.3, 0.9, 0.6, 1.0)
FIT = angles(*BARS, np.radians(50))


def test_contradictions_tell_what_fits_nearest():
    wrong = {"j1": FIT["j1"], "j2": FIT["j2"] + np.radians(1)}
    with pytest.raises(fx.AssemblyError, match=f"'j2': start asks for .* everything else for {FIT['j2']:.9g}"):
        four_bar(*BARS, starts=wrong).check()
    rounded = {name: round(angle, 4) for name, angle in FIT.items()}
    with pytest.raises(
        fx.AssemblyError, match=f"'j4': start asks for {rounded['j4']:g} rad, the nearest that fits is 1.548"
    ):
        four_bar(*BARS, starts=rounded).check()


def test_six_digits_are_met_and_told():
    report = four_bar(*BARS, starts={name: float(f"{angle:.6g}") for name, angle in FIT.items()}).check()
    for name, angle in FIT.items():
        assert report.placement.joints[name].values[0] == pytest.approx(angle, abs=1e-6)
    assert all("beyond the digits" in str(told) for told in report.warnings)


def test_angles_on_both_sides_of_the_coupler_leave_nothing_open():
    assert not four_bar(*BARS, starts={"j1": FIT["j1"], "j4": FIT["j4"]}).check().warnings
    (told,) = four_bar(*BARS, starts={"j1": FIT["j1"]}).check().warnings  # open or crossed
    assert "give the joint a start" in str(told)


def test_a_body_of_given_orientation_is_put_on_without_ado():
    a = fx.RigidBody("a", 1, 0.1)
    b = fx.RigidBody("b", 1, 0.1, orientation={"axis": "z", "angle": "30 deg"})
    joints = [fx.Revolute("h", fx.ground, a, start="20 deg"), fx.Revolute("k", a.at(1, 0, 0), b)]
    report = fx.Model("chain", [a, b, *joints]).check()
    assert not report.warnings
    assert_allclose(report.placement.poses["b"].p, [np.cos(np.radians(20)), np.sin(np.radians(20)), 0], atol=1e-12)


def test_a_rate_at_its_own_dead_centre():
    """Crank and coupler in one line: the rocker is as far out as it goes."""
    a, b, c, d = 0.3, 1.0, 0.6, 1.1
    limit = np.pi - np.arccos((c * c + d * d - (a + b) ** 2) / (2 * c * d))
    with pytest.raises(
        fx.AssemblyError,
        match=r"'j4': start_rate asks for 1 rad/s, everything else for 0 rad/s; it stands at its dead centre",
    ):
        four_bar(a, b, c, d, starts={"j4": limit}, rates={"j4": 1}).check()


def test_a_crank_beyond_its_limit():
    """With r > l it turns as far as sin φ = l/r."""
    crank = fx.RigidBody("crank", mass=1, inertia=0.01)
    rod, piston = fx.RigidBody("rod", mass=1, inertia=0.01), fx.RigidBody("piston", mass=1, inertia=0.01)
    items = [
        crank, rod, piston,
        fx.Revolute("main", fx.ground, crank, start="60 deg"),
        fx.Revolute("pin", crank.at(0.4, 0, 0), rod),
        fx.Revolute("wrist", rod.at(0.3, 0, 0), piston),
        fx.Prismatic("bore", fx.ground, piston, axis="x"),
    ]  # fmt: skip
    with pytest.raises(fx.AssemblyError, match=r"'main': start asks for .* the nearest that fits is 0.848062") as error:
        fx.Model("slider-crank", items).check()
    assert "contradicts joint 'main'" not in str(error.value)


def test_a_dead_centre_that_cannot_be_left():
    """A rod at right angles to a slide holds it, but only to second order."""
    slider = fx.RigidBody("slider", 1, 0.1)
    items = [
        slider,
        fx.Prismatic("slide", fx.ground, slider, axis="x"),
        fx.Distance("rod", fx.ground.at(0, 1, 0), slider),
        fx.PointForce("push", slider, force=3, direction="x"),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(fx.AssemblyError, match="cannot leave: it can go on in no way"):
            fx.Model("blocked", items).dynamics(until=0.1, step=1e-3, show=False)
