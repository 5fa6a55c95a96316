"""Every joint, transmission, force and body accelerates through the tree as in the implicit engine: listed is tested."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.bodies import BODIES
from flexor.control.block import ControlBlock
from flexor.joints import Joint
from flexor.model import ITEMS
from tests.hierarchy.mechanisms import moving
from tests.hierarchy.test_accelerations import differences
from tests.laws.flexible import beam, rod
from tests.model import examples

ON_A_JOINT = ("Motor", "Friction", "JointSpring", "Sensor", "MeshLoad", "LineLoad")
"""They need another item beside them."""
REFUSED = ("Contact", "Contacts")
"""They shorten the steps of the implicit engine."""


def test_a_chain_of_all_joints() -> None:
    model = fx.Model("chain", examples._chain(), gravity=(0.1, 0.2, -9.81))
    assert differences(moving(model))[0] < 1e-10


@pytest.mark.parametrize(
    "kind",
    [
        kind
        for kind in ITEMS
        if not issubclass(kind, (*BODIES, Joint, ControlBlock)) and kind.__name__ not in (*ON_A_JOINT, *REFUSED)
    ],
    ids=lambda kind: kind.__name__,
)
def test_items_of_their_own(kind) -> None:
    model = fx.Model("one", examples._with_bodies(kind), gravity=(0.1, 0.2, -9.81))
    assert differences(moving(model))[0] < 1e-10


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name) -> None:
    (kind,) = (kind for kind in ITEMS if kind.__name__ == name)
    model = fx.Model("one", examples._with_bodies(kind), gravity=(0.1, 0.2, -9.81))
    with pytest.raises(fx.ModelError, match=r"solver tree(?s:.*)leave solver out"):
        model.dynamics(until=0.01, step=1e-3, show=False, solver="tree")


def controlled(*blocks: ControlBlock) -> fx.Model:
    """An arm that a torque turns as the last block says."""
    arm = fx.RigidBody("arm", 1.5, (0.1, 0.2, 0.3), center_of_mass=(0.4, 0, 0))
    pin = fx.Revolute("pin", fx.ground, arm, axis="z", start=0.3, start_rate=1.0)
    tilt, torque = (
        fx.Sensor("tilt", of="pin.angle"),
        fx.PointTorque("torque", arm, direction="z", torque=blocks[-1].name),
    )
    return fx.Model("controlled", [arm, pin, tilt, *blocks, torque], gravity=(1, -9.81, 2))


def test_blocks_without_states_act_at_once() -> None:
    model = controlled(fx.Amplifier("gain", "tilt", 3.0), fx.Adder("sum", inputs=["gain", "2"]))
    assert differences(moving(model))[0] < 1e-10


@pytest.mark.parametrize(
    "block", [fx.PID("last", "tilt", 5.0, 1.0, 0.2), fx.Integrator("last", "tilt"), fx.TimeDelay("last", "tilt", 0.1)]
)
def test_blocks_with_states_are_refused(block) -> None:
    with pytest.raises(fx.ModelError, match=r"'last'.*states or switches of its own(?s:.*)leave solver out"):
        controlled(block).dynamics(until=0.1, step=1e-3, show=False, solver="tree")


@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
def test_motors_and_springs_on_joints(enforcement: str) -> None:
    """By elimination both links are one body for the tree, of two coordinates."""
    first, second = (
        fx.RigidBody(name, 1.5, (0.1, 0.2, 0.3), center_of_mass=(0.4, 0, 0)) for name in ("first", "second")
    )
    pin = fx.Revolute("pin", fx.ground, first, axis="z", enforcement=enforcement)
    slide = fx.Cylindrical("slide", first.at(0.8, 0, 0), second, axis="y", enforcement=enforcement)
    items = [
        *(first, second, pin, slide),
        fx.Motor("drive", pin, speed="2*sin(5*t + 1)"),
        fx.JointSpring("spring", slide, variable="displacement", stiffness=30, damping=1),
    ]
    assert differences(moving(fx.Model("driven", items, gravity=(1, -9.81, 2))))[0] < 1e-10


def test_nodes_that_follow_have_accelerations_too() -> None:
    """Two links by elimination, and nothing else: no constraint is left."""
    first, second = (
        fx.RigidBody(name, 1.5, (0.1, 0.2, 0.3), center_of_mass=(0.4, 0, 0)) for name in ("first", "second")
    )
    pin = fx.Revolute("pin", fx.ground, first, axis="z", enforcement="elimination")
    ball = fx.Universal("ball", first.at(0.8, 0, 0), second, axis="z", cross_axis="y", enforcement="elimination")
    model = fx.Model("links", [first, second, pin, ball], gravity=(1, -9.81, 2))
    system = moving(model)
    assert differences(system)[0] < 1e-10
    run = model.dynamics(until=0.01, step=1e-3, show=False, solver="tree")
    implicit = model.dynamics(until=0.01, step=1e-4, output=1e-3, show=False)
    for name in ("second.acceleration", "second.angular_acceleration", "pin.force"):
        assert np.abs(run[name][0] - implicit[name][0]).max() < 1e-9


def four_bar(coupler) -> fx.Model:
    """A crank and a rocker on hinges, and a coupler that may bend between them."""
    crank = fx.RigidBody("crank", 1.0, 0.1, center_of_mass=(0, 0.2, 0))
    rocker = fx.RigidBody("rocker", 1.0, 0.1, position=(1, 0, 0), center_of_mass=(0, 0.2, 0))
    coupler = coupler.replace(position=(0, 0.5, 0))
    ends = ("left", "right") if isinstance(coupler, fx.FlexibleBody) else ("start", "end")
    joints = [
        fx.Revolute("A", fx.ground, crank, axis="z"),
        fx.Revolute("B", crank.at(0, 0.5, 0), coupler[ends[0]], axis="z"),
        fx.Revolute("D", fx.ground.at(1, 0, 0), rocker, axis="z"),
        fx.Spherical("C", rocker.at(0, 0.5, 0), coupler[ends[1]]),
    ]
    return fx.Model("four-bar", [crank, rocker, coupler, *joints], gravity=(2, -9.81, 1))


@pytest.mark.parametrize("formulation", ["floating", "superelement", "rigid"])
def test_flexible_bodies_are_leaves(formulation: str) -> None:
    """Their modes are condensed where joints hold them."""
    assert differences(moving(four_bar(rod(formulation=formulation))))[0] < 1e-10


def test_a_beam_is_a_leaf() -> None:
    assert differences(moving(four_bar(beam())))[0] < 1e-10


@pytest.mark.filterwarnings("ignore:body 'rod'")
def test_motion_of_a_floating_body() -> None:
    model = four_bar(rod(formulation="floating"))
    implicit = model.dynamics(until=0.2, step=1e-4, output=0.02, show=False)
    tree = model.dynamics(until=0.2, step=2e-4, output=0.02, show=False, solver="tree")
    for name, tolerance in (("crank.orientation", 1e-6), ("rod.position", 1e-6), ("energy.strain", 1e-4)):
        assert np.abs(tree[name][:] - implicit[name][:]).max() < tolerance
    energy = tree["energy.check_sum"]
    assert np.abs(energy - energy[0]).max() < 1e-5
