"""Lowering: sites, nodes and scalars such that the laws themselves find the mechanism assembled."""

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from numpy.testing import assert_allclose

import flexor as fx
from flexor.coordinates.constraint import ConstraintOn
from flexor.joints import Joint
from flexor.law import OUTPUT, RESIDUAL, VELOCITY_LEVEL
from flexor.model import ITEMS, lower
from flexor.spatial import Pose, exp_so3
from tests.model.examples import ONE_OF_EACH
from tests.model.laws_in_python import evaluate
from tests.model.strategies import models

calm = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def test_every_item_is_lowered():
    mechanism = lower(ONE_OF_EACH)
    assert {type(item) for item in ONE_OF_EACH.items} == set(ITEMS)
    named = {element.name.partition(".")[0] for element in mechanism.terms} | {
        s.joint
        for s in mechanism.followers
        if s.joint  # points of floating bodies have none
    }
    assert named == {item.name for item in ONE_OF_EACH.items}
    assert mechanism.nodes[0].name == "ground"
    assert list(dict.fromkeys(node.name.partition(".")[0] for node in mechanism.nodes[1:])) == [
        item.name for item in ONE_OF_EACH.items if isinstance(item, tuple(fx.bodies.BODIES))
    ]
    assert mechanism.gravity == (0.0, 0.0, -9.81)


@pytest.mark.parametrize("python", [True, False], ids=["python", "compiled"])
def test_functions_are_found_when_the_parameters_are_asked_for(monkeypatch, python):
    """A handle in plain Python, an address of machine code otherwise (here made up, so that nothing is compiled)."""
    monkeypatch.setattr("flexor.law.term.handle", lambda evaluator, python: -7 if python else 4711)
    arm = fx.RigidBody("arm", 1.0, 0.1)
    items = [arm, fx.Revolute("pin", fx.ground, arm), fx.Motor("drive", "pin", speed="60 rpm")]
    (drive,) = (term for term in lower(fx.Model("m", items)).terms if term.name == "drive")
    assert ConstraintOn(drive.words(python)).motion.address == (-7 if python else 4711)


def violations(mechanism, names, want):
    """Largest violation of the constraints of these elements."""
    worst = 0.0
    for element in mechanism.terms:
        if element.name in names and len(element.rows) > element.readings:
            r, _ = evaluate(mechanism, element, want)
            worst = max(worst, np.abs(r[6 * len(element.nodes) :]).max())
    return worst


def test_the_laws_find_one_of_each_assembled():
    mechanism = lower(ONE_OF_EACH)
    # a contact, a cam or a guide places no body: it is closed by assembly
    names = {item.name for item in ONE_OF_EACH.items if not isinstance(item, (fx.RollingDisc, fx.Cam, fx.Guide))}
    assert violations(mechanism, names, RESIDUAL) < 1e-14
    assert violations(mechanism, names, RESIDUAL | VELOCITY_LEVEL) < 1e-14
    for element in mechanism.terms:
        item = ONE_OF_EACH[element.name.partition(".")[0]]
        if isinstance(item, Joint):
            _, w = evaluate(mechanism, element, OUTPUT)
            values = w[: 2 * len(item.variables) : 2]
            assert_allclose(values, item.start or np.zeros(len(item.variables)), atol=1e-14)


def without_elimination(model):
    return model.replace(
        items=[item.replace(enforcement="multipliers") if isinstance(item, Joint) else item for item in model.items]
    )


@calm
@given(models())
def test_the_laws_find_any_tree_assembled_and_moving_consistently(model):
    mechanism = lower(without_elimination(model))
    joints = {item.name for item in model.items if isinstance(item, Joint)}
    assert violations(mechanism, joints, RESIDUAL) < 1e-12
    fastest = max(np.abs(node.v).max() for node in mechanism.nodes)
    assert violations(mechanism, joints, RESIDUAL | VELOCITY_LEVEL) < 1e-14 * (1 + fastest)


@calm
@given(models())
def test_eliminated_joints_reproduce_the_placement(model):
    mechanism = lower(model)
    done = {0}
    for follower in mechanism.followers:
        later = {other.node for other in mechanism.followers} - done
        assert follower.master not in later  # masters come first
        done.add(follower.node)
        a, b = mechanism.nodes[follower.master], mechanism.nodes[follower.node]
        X = Pose(a.x, a.R) @ Pose(follower.site_master.p_NM, follower.site_master.R_NM)
        for (turns, axis), scalar in zip(follower.motions, follower.scalars, strict=True):
            step = mechanism.scalars[scalar].value * np.eye(3)[axis]
            X = X @ (Pose(np.zeros(3), exp_so3(step)) if turns else Pose(step))
        X = X @ Pose(follower.site_follower.p_NM, follower.site_follower.R_NM).inverse()
        assert X.isclose(Pose(b.x, b.R), 1e-12)
        assert all(element.name != follower.joint or not element.rows for element in mechanism.terms)


def test_followers_in_any_order_come_after_their_masters():
    links = [fx.RigidBody(f"l{i}", 1, 1) for i in range(4)]
    joints = [
        fx.Revolute(
            f"j{i}",
            links[i - 1].at(1, 0, 0),
            links[i],
            start=0.1 * i,
            start_rate=i,
            enforcement="elimination",
        )
        for i in (3, 1, 2)
    ]
    mechanism = lower(fx.Model("chain", [*links, fx.Fixed("base", fx.ground, links[0]), *joints]))
    assert [follower.joint for follower in mechanism.followers] == ["j1", "j2", "j3"]
    names = [mechanism.scalars[follower.scalars[0]] for follower in mechanism.followers]
    assert [(s.name, s.unit, s.value, s.rate) for s in names] == [
        ("j1.angle", "rad", 0.1, 1.0), ("j2.angle", "rad", 0.2, 2.0),
        ("j3.angle", "rad", 0.30000000000000004, 3.0),
    ]  # fmt: skip
    assert [element.name for element in mechanism.terms] == ["l0", "l1", "l2", "l3", "base"]


def test_the_node_is_the_centre_of_mass():
    turned = {"axis": "z", "angle": "90 deg"}
    arm = fx.RigidBody(
        "arm",
        2,
        0.5,
        center_of_mass=(0.25, 0, 0),
        position=(1, 0, 0),
        orientation=turned,
        angular_velocity=(0, 0, 3),
    )
    (_, node) = lower(fx.Model("m", [arm])).nodes
    assert_allclose(node.x, (1, 0.25, 0), atol=1e-15)
    assert_allclose(node.v, (-0.75, 0, 0, 0, 0, 3), atol=1e-15)
    assert_allclose(node.x + node.R @ node.p_NO, (1, 0, 0), atol=1e-15)
    assert node.weights == (2.0, 0.5)
    assert node.placed


def test_sites_of_forces_are_relative_to_the_node():
    arm = fx.RigidBody("arm", 1, 1, center_of_mass=(0.25, 0, 0), markers={"tip": (0.5, 0, 0)})
    model = fx.Model("m", [arm, fx.PointForce("f", arm["tip"], direction="y", force=2)], gravity=(0, 0, 0))
    mechanism = lower(model)
    r, _ = evaluate(mechanism, mechanism.terms[1], RESIDUAL)
    assert_allclose(r, (0, -2, 0, 0, 0, -0.5), atol=1e-15)  # force, and moment about the centre of mass


def test_lengths_left_out_are_measured():
    arm = fx.RigidBody("arm", 1, 1, position=(3, 0, 4))
    items = [
        arm,
        fx.Distance("rod", fx.ground, arm),
        fx.AxialSpring("spring", fx.ground, arm.at(0, 0, 1), stiffness=100),
        fx.AxialSpring("stretched", fx.ground, arm, stiffness=100, free_length="4 m"),
    ]
    mechanism = lower(fx.Model("m", items))
    rod, spring, stretched = mechanism.terms[1:]
    assert_allclose(evaluate(mechanism, rod, RESIDUAL)[0][12:], 0, atol=1e-15)
    assert_allclose(evaluate(mechanism, spring, RESIDUAL)[0], 0, atol=1e-12)
    assert_allclose(evaluate(mechanism, stretched, RESIDUAL)[0][6:9], (60, 0, 80), atol=1e-12)


def test_motors_start_where_the_joint_stands():
    piston = fx.RigidBody("piston", 1, 1, position=(0.38, 0, 0))
    items = [piston, fx.Prismatic("bore", fx.ground, piston, axis="x"), fx.Motor("push", "bore", speed="2*t")]
    mechanism = lower(fx.Model("m", items))
    assert violations(mechanism, {"push", "bore"}, RESIDUAL) < 1e-15
    motor = mechanism.terms[2]
    assert motor.history == (0.0, pytest.approx(0.38))


def test_joint_springs_count_turns_from_the_start():
    arm = fx.RigidBody("arm", 1, 1)
    items = [
        arm,
        fx.Revolute("pin", fx.ground, arm, start="740 deg"),
        fx.JointSpring("coil", "pin", stiffness=2),
    ]
    mechanism = lower(fx.Model("m", items))
    _, w = evaluate(mechanism, mechanism.terms[2], OUTPUT)
    assert_allclose(w[:2], (np.radians(740), -2 * np.radians(740)))


def test_the_motors_of_eliminated_joints_are_found_in_one_pass(monkeypatch):
    """Twice the joints, twice the questions: not every motor is asked for every joint."""
    motor, asked = fx.Motor.drive.fget, []
    monkeypatch.setattr(fx.Motor, "drive", property(lambda self: asked.append(self.name) or motor(self)))

    def questions(count):
        items, before = [], fx.ground
        for i in range(count):
            link = fx.RigidBody(f"link {i}", mass=1, inertia=0.1)
            pin = fx.Revolute(f"pin {i}", before, link, axis="z", enforcement="elimination")
            items += [link, pin, fx.Motor(f"motor {i}", joint=pin.name, position="0*t")]
            before = link.at(1, 0, 0)
        model = fx.Model("chain", items)
        placement = model.check().placement
        asked.clear()
        lower(model, placement=placement)
        return len(asked)

    assert questions(40) <= 2 * questions(20)
