"""The check of a model: each mistake that concerns several items, found and named."""

import pytest

import flexor as fx
from flexor.errors import ModelError
from flexor.model.file import read_text
from tests.model.examples import ONE_OF_EACH

ARM = fx.RigidBody("arm", 1.0, 0.1, markers={"tip": (0.5, 0, 0)})
BOB = fx.RigidBody("bob", 1.0, 0.1)
POINT = fx.PointMass("point", 1.0, markers={"side": (0.1, 0, 0)})
PIN = fx.Revolute("pin", fx.ground, ARM, axis="z")


def report(*items):
    return fx.Model("m", items).check(raise_errors=False)


def errors(*items):
    return [str(problem) for problem in report(*items).problems]


def test_sound_models():
    assert report(ARM, PIN).ok
    found = ONE_OF_EACH.check()
    assert found.ok
    assert not found.warnings
    assert str(found) == "no problems"


def test_all_mistakes_are_raised_together():
    with pytest.raises(ModelError) as caught:
        fx.Model("m", [ARM, ARM, fx.Revolute("pin", "gruond", "arm.tap")]).check()
    assert len(caught.value.problems) == 3
    assert str(caught.value).startswith("3 problems:\n  body 'arm': its name is given twice")


@pytest.mark.parametrize(
    ("items", "says"),
    [
        ([], "model: it has no bodies; nothing can move, add one, e.g. RigidBody('arm', mass=1)"),
        (
            [ARM, fx.Motor("arm", "pin", speed=1), PIN],
            "motor 'arm': its name is given twice, also to a rigid body; every item needs a name of its own",
        ),
        (
            [fx.RigidBody("ground", 1, 1)],
            "body 'ground': its name is taken; the ground is there in every model",
        ),
        (
            [ARM, fx.Revolute("pin", "gruond", ARM)],
            "joint 'pin': a = gruond: there is no body 'gruond'; did you mean 'ground'?",
        ),
        (
            [ARM, fx.Revolute("pin", fx.ground, "xyz")],
            "joint 'pin': b = xyz: there is no body 'xyz'; bodies are arm, ground",
        ),
        (
            [ARM, PIN, fx.Revolute("two", fx.ground, "pin")],
            "joint 'two': b = pin: 'pin' is a revolute; it attaches to a body, bodies are arm",
        ),
        (
            [ARM, fx.Revolute("pin", fx.ground, ARM["tap"])],
            "joint 'pin': b = arm.tap: body 'arm' has no marker 'tap'; did you mean 'tip'?",
        ),
        (
            [BOB, fx.Revolute("pin", fx.ground, BOB["tip"])],
            "has no marker 'tip'; give it one: markers: {tip: [0, 0, 0]}",
        ),
        (
            [ARM, fx.Revolute("pin", "ground.tip", ARM)],
            "a = ground.tip: the ground has no markers; write {body: ground, at: [0, 0, 0]}",
        ),
        (
            [ARM, fx.Revolute("pin", ARM["tip"], ARM)],
            "joint 'pin': it connects body 'arm' with itself; nothing can move",
        ),
        (
            [ARM, fx.AxialSpring("s", fx.ground, fx.ground.at(1, 0, 0), stiffness=1)],
            "spring 's': it connects the ground with itself",
        ),
        (
            [ARM, fx.PointForce("f", fx.ground, direction="x", force=1)],
            "force 'f': it acts on the ground; the ground never moves",
        ),
        (
            [ARM, fx.PointTorque("f", "amr", direction="x", torque=1)],
            "torque 'f': on = amr: there is no body 'amr'; did you mean 'arm'?",
        ),
        (
            [ARM, fx.Revolute("pin", fx.ground, ARM.at(1, 0, 0), at=(1, 0, 0))],
            "joint 'pin': it has both a global point (at) and points on its bodies; leave out at",
        ),
        (
            [ARM, PIN, fx.Motor("m", "pim", speed=1)],
            "motor 'm': there is no joint 'pim'; did you mean 'pin'?",
        ),
        (
            [ARM, PIN, fx.Motor("m", "arm", speed=1)],
            "motor 'm': 'arm' is a rigid body, no joint; joints are pin",
        ),
        (
            [ARM, fx.Fixed("weld", fx.ground, ARM), fx.Motor("m", "weld", speed=1)],
            "motor 'm': joint 'weld' (fixed) has no variable; there is nothing that it could act on",
        ),
        (
            [ARM, fx.Distance("rod", fx.ground.at(0, 0, 1), ARM), fx.JointSpring("s", "rod", stiffness=1)],
            "spring 's': joint 'rod' (distance) has no variable",
        ),
        (
            [ARM, fx.Cylindrical("c", fx.ground, ARM), fx.JointSpring("s", "c", stiffness=1)],
            "spring 's': joint 'c' has 2 variables; add variable: displacement or angle",
        ),
        (
            [ARM, fx.Cylindrical("c", fx.ground, ARM), fx.JointSpring("s", "c", stiffness=1, variable="angel")],
            "spring 's': joint 'c' has no variable 'angel'; did you mean 'angle'?",
        ),
        (
            [ARM, PIN, fx.Motor("m", "pin", speed=1), fx.Motor("n", "pin", variable="angle", position="t")],
            "motor 'n': joint 'pin' is already driven by motor 'm'; one motor prescribes the motion",
        ),
        (
            [ARM, fx.Revolute("pin", ARM, fx.ground, enforcement="elimination")],
            "joint 'pin': its b is the ground, which cannot follow; elimination makes b follow a, exchange a and b",
        ),
        (
            [
                ARM,
                BOB,
                PIN.replace(enforcement="elimination"),
                fx.Revolute("two", BOB, ARM, enforcement="elimination"),
            ],
            "joint 'two': body 'arm' would follow two bodies at once; two joints or motions make it follow by elimination",
        ),
        (
            [
                ARM,
                BOB,
                fx.Fixed("f", ARM, BOB, enforcement="elimination"),
                fx.Fixed("g", BOB, ARM, enforcement="elimination"),
            ],
            "joint 'g': what is eliminated forms a loop; a body cannot follow itself",
        ),
        (
            [ARM, PIN, POINT, fx.Spherical("b", ARM["tip"], POINT, enforcement="elimination")],
            "joint 'b': body 'point' cannot follow by elimination; a point mass has no orientation to follow with",
        ),
        (
            [POINT, fx.AxialSpring("s", fx.ground.at(0, 0, 1), POINT.at(0, 0.1, 0), stiffness=1)],
            "spring 's': b = point at (0.0, 0.1, 0.0) is not at the origin of point mass 'point'; a "
            "point mass cannot take a moment",
        ),
        (
            [POINT, fx.PointForce("f", POINT["side"], direction="x", force=1)],
            "on = point.side is not at the origin of point mass",
        ),
        (
            [POINT, fx.PointTorque("t", POINT, direction="x", torque=1)],
            "torque 't': body 'point' is a point mass; it cannot turn",
        ),
        (
            [ARM, PIN, POINT, fx.Revolute("r", ARM, POINT)],
            "joint 'r': body 'point' is a point mass; the joint would hold the orientation that it does not have",
        ),
        (
            [fx.PointMass("p", 1, angular_velocity=(0, 0, 1))],
            "body 'p': angular_velocity is given; a point mass has no orientation",
        ),
    ],
)
def test_one_mistake(items, says):
    found = errors(*items)
    assert len(found) == 1, found
    assert says in found[0]


def test_elimination_is_unknown_to_distance_rods():
    with pytest.raises(ModelError, match="joint 'rod': unknown key 'enforcement'"):
        fx.Distance("rod", fx.ground, ARM, enforcement="elimination")


def test_ball_joints_and_rods_may_hold_a_point_mass():
    assert report(ARM, PIN, POINT, fx.Spherical("b", ARM["tip"], POINT)).ok
    assert report(POINT, fx.Distance("rod", fx.ground.at(0, 0, 1), POINT)).ok
    assert report(POINT, fx.PointOnLine("wire", fx.ground, POINT, axis="x")).ok


def test_negative_coefficients_are_worth_a_warning():
    found = report(ARM, PIN, fx.JointSpring("s", "pin", stiffness=-2, damping=-3))
    assert found.ok
    assert [str(w) for w in found.warnings] == [
        "spring 's': stiffness = -2 is negative; it drives the motion instead of holding it, check the sign",
        "spring 's': damping = -3 is negative; it drives the motion instead of holding it, check the sign",
    ]
    assert str(found).startswith("warning: spring 's'")


def test_attachments_of_a_users_law_are_checked_too():
    found = errors(ARM, PIN, fx.UserLaw("magnet", print, on=(ARM["tip"], fx.ground, "bob", ARM["tap"])))
    assert found == [
        "user law 'magnet': on = bob: there is no body 'bob'; bodies are arm, ground",
        "user law 'magnet': on = arm.tap: body 'arm' has no marker 'tap'; did you mean 'tip'?",
    ]
    assert not errors(ARM, PIN, fx.UserLaw("magnet", print, on=(ARM["tip"], fx.ground)))


def test_universal_joints_with_parallel_arms():
    with pytest.raises(ModelError, match="joint 'u': its cross_axis is parallel to its axis; choose it perpendicular"):
        fx.Universal("u", fx.ground, ARM, axis=(0, 2, 0), cross_axis=(0, -1, 1e-9))


def test_a_beam_that_gravity_does_not_bend_is_told():
    light = fx.Isotropic("70 GPa", 0.3)
    beam = fx.Beam("b", ((0, 0, 0), (1, 0, 0)), fx.Circle(0.01), light)
    items = [beam, fx.Fixed("clamp", fx.ground, beam["start"])]
    said = "body 'b': it has no mass: its material has no density; gravity does not bend it, give one"
    assert said in str(fx.Model("m", items, gravity=(0, 0, -9.81)).check())
    assert str(fx.Model("m", items).check()) == "no problems"  # a massless beam under forces is no mistake
    bare = beam.replace(section=fx.StiffnessSection([1e6] * 6), material=None)
    assert "its section is given without mass" in str(fx.Model("m", [bare, items[1]], gravity=(0, 0, -9.81)).check())
    with pytest.raises(fx.SolveError, match="nothing that can move has mass") as error:
        fx.Model("m", items).modes(3)
    assert "body 'b': give its material a density" in str(error.value)
    text = fx.Model("m", items, gravity=(0, 0, -9.81)).to_yaml()
    assert said in str(read_text(text)[1])


def test_a_beam_thicker_than_long_is_told():
    beam = fx.Beam("b", ((0, 0, 0), (1, 0, 0)), fx.Circle(20), "steel")
    clamp = fx.Fixed("clamp", fx.ground, beam["start"])
    said = "body 'b': its section is about 40 m across, the beam is 1 m long; beam theory is for slender parts"
    assert said in str(fx.Model("m", [beam, clamp]).check())
    stub = beam.replace(section=fx.Circle(0.2))
    assert str(fx.Model("m", [stub, clamp]).check()) == "no problems"


def test_a_report_is_gone_through_mistakes_before_warnings():
    """Those of `problems`, then those of `warnings`; a report of neither is empty, and still one."""
    found = report(ARM, fx.Revolute("pin", fx.ground, "arn", axis="z"))
    assert found.problems
    assert [*found] == [*found.problems, *found.warnings]
    sound = report(ARM, PIN)
    assert not [*sound]
    assert sound
