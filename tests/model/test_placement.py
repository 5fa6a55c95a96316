"""Initial positions and velocities against geometry done by hand."""

import itertools
from math import cos, pi, radians, sin

import numpy as np
import pytest
from numpy.testing import assert_allclose

import flexor as fx
from flexor.joints import JOINTS, Joint
from flexor.model.placement import place
from flexor.spatial import Pose, exp_so3, log_so3, quaternion_to_matrix

PAIRS = [kind for kind in JOINTS if issubclass(kind, Joint)]
X, Y, Z = np.eye(3)


def body(name, **fields):
    return fx.RigidBody(name, 1.0, 0.1, **fields)


def slider_crank():
    """The example of the design."""
    rod = body("rod", markers={"big": (0, 0, 0), "small": (0.3, 0, 0)})
    crank, piston = body("crank"), body("piston")
    return [
        rod, crank, piston,
        fx.Revolute("main", fx.ground, crank.at(0, 0, 0), axis="z"),
        fx.Revolute("pin", crank.at(0.08, 0, 0), rod["big"], axis="z"),
        fx.Revolute("wrist", rod["small"], piston.at(0, 0, 0), axis="z"),
        fx.Prismatic("bore", fx.ground, piston.at(0, 0, 0), axis="x"),
    ]  # fmt: skip


def test_slider_crank_of_the_design():
    found = place(slider_crank())
    assert_allclose(found.poses["piston"].p, (0.38, 0, 0), atol=1e-15)
    assert_allclose(found.poses["rod"].p, (0.08, 0, 0), atol=1e-15)
    assert found.joints["bore"].values == pytest.approx((0.38,))
    assert found.put_on_by == {"crank": "main", "rod": "pin", "piston": "wrist"}


def test_the_order_of_the_joints_does_not_matter_where_sliders_are_left_open():
    bodies, joints = slider_crank()[:3], slider_crank()[3:]
    for order in itertools.permutations(joints):
        assert_allclose(place([*order, *bodies]).poses["piston"].p, (0.38, 0, 0), atol=1e-15)


def test_a_crank_that_starts_at_an_angle():
    items = [item.replace(start="30 deg") if item.name == "main" else item for item in slider_crank()]
    found = place(items)
    assert_allclose(found.poses["rod"].p, (0.08 * cos(pi / 6), 0.08 * sin(pi / 6), 0), atol=1e-15)
    assert_allclose(found.poses["rod"].R, exp_so3(pi / 6 * Z), atol=1e-15)


def test_a_double_pendulum_with_both_angles():
    first, second = body("first"), body("second")
    items = [
        fx.Revolute("low", first.at(0.5, 0, 0), second, axis="z", start="-20 deg"),
        fx.Revolute("top", fx.ground.at(1, 2, 0), first, axis="z", start="50 deg"),
        second, first,
    ]  # fmt: skip
    found = place(items)
    elbow = np.array([1 + 0.5 * cos(radians(50)), 2 + 0.5 * sin(radians(50)), 0])
    assert_allclose(found.poses["second"].p, elbow, atol=1e-15)
    assert_allclose(log_so3(found.poses["second"].R), (0, 0, radians(30)), atol=1e-15)


def test_walking_from_b_to_a_uses_the_inverse():
    arm = body("arm")
    forward = place([arm, fx.Cylindrical("j", fx.ground, arm.at(0.2, 0, 0), axis="x", start=(0.1, 0.4))])
    swapped = place([arm, fx.Cylindrical("j", arm.at(0.2, 0, 0), fx.ground, axis="x", start=(-0.1, -0.4))])
    assert forward.poses["arm"].isclose(swapped.poses["arm"], 1e-15)
    assert_allclose(swapped.poses["arm"].p, (-0.1, 0, 0), atol=1e-15)


def test_prismatic_and_universal_displacements():
    box, shaft = body("box"), body("shaft")
    items = [
        box, shaft,
        fx.Prismatic("slide", fx.ground.at(1, 0, 0), box, axis=(0, 3, 4), start="50 mm"),
        fx.Universal("cross", box, shaft, axis="z", cross_axis="y", start=("30 deg", "20 deg")),
    ]  # fmt: skip
    found = place(items)
    assert_allclose(found.poses["box"].p, (1, 0.03, 0.04), atol=1e-16)
    assert_allclose(found.poses["box"].R, np.eye(3), atol=1e-15)
    assert_allclose(found.poses["shaft"].R, exp_so3(pi / 6 * Z) @ exp_so3(pi / 9 * Y), atol=1e-15)


def test_marker_orientations_turn_the_joint_frame():
    turned = {"axis": "x", "angle": "90 deg"}  # its z axis points along −y of its body
    a, b = body("a", position=(0, 0, 1)), body("b")
    found = place([a, b, fx.Prismatic("slide", a.at(0, 0, 0, orientation=turned), b, axis="z", start=0.2)])
    assert_allclose(found.poses["b"].p, (0, -0.2, 1), atol=1e-16)
    assert_allclose(found.poses["b"].R, exp_so3(pi / 2 * X), atol=1e-15)  # B's axes are those of the marker
    on_b = fx.Prismatic("slide", a, b.at(0, 0, 0, orientation=turned), axis="z", start=0.2)
    assert_allclose(place([a, b, on_b]).poses["b"].R, exp_so3(-pi / 2 * X), atol=1e-15)


def test_a_global_point_and_bodies_in_drawing_coordinates():
    crank, rod = body("crank"), body("rod", center_of_mass=(0, 0.3, 0))
    items = [
        crank, rod,
        fx.Revolute("A", fx.ground, crank, at=(0, 0, 0), axis="z"),
        fx.Cylindrical("B", crank, rod, at=(0, 0.1, 0), axis="x", start=(0.2, 0.3)),
    ]  # fmt: skip
    found = place(items)
    for name in ("crank", "rod"):
        assert found.poses[name] == Pose()
    state = found.joints["B"]
    assert_allclose(state.X_AJ.p, (0, 0.1, 0))
    assert_allclose(state.X_BJ.p, (0.2, 0.1, 0), atol=1e-16)
    assert state.values == pytest.approx((0.2, 0.3))


def test_placed_bodies_keep_their_place_and_the_joint_reads_its_start_there():
    turned = {"euler": "zyx", "angles": (0.3, -0.2, 0.7)}
    arm = body("arm", position=(1, 2, 3), orientation=turned)
    for start in (None, "40 deg"):
        found = place([arm, fx.Revolute("pin", fx.ground.at(1, 2, 3), arm, axis="y", start=start)])
        assert_allclose(found.poses["arm"].p, (1, 2, 3))
        assert_allclose(found.poses["arm"].R, quaternion_to_matrix(arm.orientation))
        assert found.joints["pin"].values == pytest.approx((radians(40) if start else 0.0,), abs=1e-15)
        swapped = place([arm, fx.Revolute("pin", arm, fx.ground.at(1, 2, 3), axis="y", start=start)])
        assert swapped.joints["pin"].values == pytest.approx((radians(40) if start else 0.0,), abs=1e-15)


def test_more_than_one_turn_is_kept():
    arm = body("arm")
    found = place([arm, fx.Revolute("pin", fx.ground, arm, axis="z", start="740 deg")])
    assert found.joints["pin"].values == pytest.approx((radians(740),))


def test_free_chains_start_at_the_origin():
    a, b, alone = body("a"), body("b"), body("alone")
    found = place([alone, b, a, fx.Revolute("pin", a.at(0.5, 0, 0), b, axis="z")])
    assert found.poses["alone"] == Pose()
    assert_allclose(found.poses["b"].p, 0)  # the first one declared
    assert_allclose(found.poses["a"].p, (-0.5, 0, 0))


def test_a_motor_sets_position_and_speed_of_an_open_joint():
    arm, box = body("arm"), body("box")
    items = [
        arm, box,
        fx.Revolute("pin", fx.ground, arm, axis="z"),
        fx.Prismatic("slide", arm, box, axis="x"),
        fx.Motor("turn", "pin", position="0.5 + 3*t"),
        fx.Motor("push", "slide", speed=2.0),
    ]  # fmt: skip
    found = place(items)
    assert found.joints["pin"].values == pytest.approx((0.5,))
    assert found.joints["pin"].rates == pytest.approx((3.0,))
    assert found.joints["slide"].rates == pytest.approx((2.0,))


def test_a_motor_whose_table_begins_later_is_passed_over():
    arm = body("arm")
    table = fx.table([1, 2], [5, 6], extrapolation="error")
    found = place([arm, fx.Revolute("pin", fx.ground, arm), fx.Motor("m", "pin", position=table)])
    assert found.joints["pin"].values == (0.0,)


def test_velocity_of_a_pendulum():
    arm = body("arm", center_of_mass=(0.25, 0, 0))
    found = place([arm, fx.Revolute("pin", fx.ground.at(0, 1, 0), arm.at(-0.1, 0, 0), axis="z", start_rate="2 rad/s")])
    assert_allclose(found.twists["arm"], (0, 0.2, 0, 0, 0, 2), atol=1e-15)
    assert found.joints["pin"].rates == pytest.approx((2.0,))


def test_a_child_moves_along_with_its_parent_plus_its_own_rate():
    hull = body("hull", position=(0, 0, 0), velocity=(1, 0, 0), angular_velocity=(0, 0, 2))
    wheel, flap = body("wheel"), body("flap", position=(0, 3, 0))
    items = [
        flap, wheel, hull,
        fx.Revolute("axle", hull.at(1, 0, 0), wheel, axis="x", start_rate=5),
        fx.Revolute("hinge", hull.at(0, 3, 0), flap, axis="z"),
    ]  # fmt: skip
    found = place(items)
    assert_allclose(found.twists["wheel"], (1, 2, 0, 5, 0, 2), atol=1e-15)
    assert_allclose(found.twists["flap"], (1 - 6, 0, 0, 0, 0, 2), atol=1e-15)


def test_half_a_velocity():
    ball = body("ball", velocity=(1, 0, 0))
    found = place([ball])
    assert_allclose(found.twists["ball"], (1, 0, 0, 0, 0, 0))


def test_a_point_mass_stays_unturned():
    arm, bob = body("arm"), fx.PointMass("bob", 1)
    items = [
        arm,
        bob,
        fx.Revolute("pin", fx.ground, arm, start=1, start_rate=2),
        fx.Spherical("tip", arm.at(1, 0, 0), bob),
    ]
    found = place(items)
    assert_allclose(found.poses["bob"].p, (cos(1), sin(1), 0))
    assert_allclose(found.poses["bob"].R, np.eye(3))
    assert_allclose(found.twists["bob"], (-2 * sin(1), 2 * cos(1), 0, 0, 0, 0), atol=1e-15)


def chain(kind, q, rate, swap=False):
    """Ground, a turned and moving parent on two joints, then one joint of the given kind."""
    parent = body("parent")
    child = body("child", markers={"m": fx.Marker((0.1, -0.2, 0.3), {"euler": "xyz", "angles": (0.3, 0.4, -0.5)})})
    fields = {"cross_axis": (1.0, 0.0, -0.3)} if kind is fx.Universal else {}
    if "axis" in kind.model_fields:
        fields["axis"] = (0.3, 0.5, 1.0)
    ends = [parent.at(0.5, 0.1, 0.2, orientation={"axis": (1, 2, 3), "angle": 0.4}), child["m"]]
    # the first two joints stand at t times their rates, as does the third at q + t rate
    return lambda t: place([
        child, parent,
        fx.Spherical("ball", fx.ground, parent, start=np.array((0.3, 0.2, -0.4)) + t * np.array((1, 2, -3)),
                     start_rate=(1, 2, -3)),
        kind("joint", *(ends[::-1] if swap else ends), start=q + t * rate, start_rate=rate, **fields),
    ])  # fmt: skip


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("kind", PAIRS)
def test_every_joint_has_its_start_values_and_velocities_are_derivatives_of_positions(kind, swap):
    chance = np.random.default_rng(3)
    q, rate = chance.uniform(-0.5, 0.5, len(kind.variables)), chance.uniform(-2, 2, len(kind.variables))
    found = chain(kind, q, rate, swap)
    now = found(0.0)
    joint = now.joints["joint"]
    assert joint.values == pytest.approx(tuple(q), abs=1e-14)
    assert joint.rates == pytest.approx(tuple(rate), abs=1e-13)
    probe = kind("probe", "a", "b", start=q) if kind.variables else kind("probe", "a", "b")
    assert (joint.X_WJa @ probe.free.pose(q)).isclose(joint.X_WJb, 1e-14)
    h = 1e-6
    before, after = found(-h).poses["child"], found(h).poses["child"]
    v = (after.p - before.p) / (2 * h)
    omega = log_so3(after.R @ before.R.T) / (2 * h)
    assert_allclose(now.twists["child"], [*v, *omega], atol=1e-8)


def test_a_long_chain_is_walked_in_no_time():
    links = [body(f"l{i}") for i in range(2000)]
    joints = [fx.Revolute("j0", fx.ground, links[0])]
    joints += [fx.Revolute(f"j{i}", links[i - 1].at(1, 0, 0), links[i], start=0.01) for i in range(1, 2000)]
    found = place([*links, *reversed(joints)])
    # vertices of a regular polygon: the k-th link points along 0.01 k
    expected = np.cumsum([(cos(0.01 * k), sin(0.01 * k), 0) for k in range(1999)], axis=0)[-1]
    assert_allclose(found.poses["l1999"].p, expected, atol=1e-10)
