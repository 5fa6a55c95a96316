"""Turned instances: every kind of item accelerates as in the flat model that was turned by hand, gravity and all."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import flexor as fx
from flexor.bodies import BODIES
from flexor.control.block import ControlBlock
from flexor.engine.columns import choose_signals, take_rows
from flexor.engine.initial import solve_accelerations
from flexor.engine.system import System
from flexor.errors import ModelError
from flexor.joints import JOINTS, Joint
from flexor.model import ITEMS
from flexor.solve.prepare import compile_model
from flexor.spatial import quaternion_to_matrix
from tests.laws.samples import declared
from tests.model import examples

TURNS = {
    "x": {"axis": "x", "angle": "90 deg"},
    "y": {"axis": "y", "angle": "90 deg"},
    "z": {"axis": "z", "angle": "90 deg"},
    "any": {"axis": (0.3, -0.8, 0.5), "angle": 2.1},
}
SHIFT = np.array((1.0, -2.0, 0.5))
GRAVITY = np.array((0.3, -9.0, 2.0))


def accelerated(model: fx.Model) -> System:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        system = compile_model(model)
        solve_accelerations(system)
    return system


def check(items: list[Any], turn: str) -> None:
    """Positions, axes, accelerations of all nodes; what joints and forces say of themselves."""
    instance = fx.Instance("it", fx.Component("unit", items), position=SHIFT.tolist(), orientation=TURNS[turn])
    R = quaternion_to_matrix(instance.orientation)
    here = accelerated(fx.Model("here", items, gravity=GRAVITY.tolist()))
    there = accelerated(fx.Model("there", [instance], gravity=(R @ GRAVITY).tolist()))
    assert [node.name for node in there.mechanism.nodes[1:]] == [f"it.{n.name}" for n in here.mechanism.nodes[1:]]
    size = max(1.0, np.abs(here.memory.a).max())
    near = {"rtol": 0, "atol": 1e-8 * size}
    assert np.allclose(there.nodes("x")[1:], here.nodes("x")[1:] @ R.T + SHIFT, **near)
    frames = [system.memory.R.reshape(-1, 3, 3)[1:] for system in (there, here)]
    assert np.allclose(frames[0], R @ frames[1], **near)
    for rates in ("v", "a"):
        turned = (here.nodes(rates)[1:].reshape(-1, 2, 3) @ R.T).reshape(-1, 6)
        assert np.allclose(there.nodes(rates)[1:], turned, **near)
    assert np.allclose(there.memory.s, here.memory.s, **near)
    told = [signals(system) for system in (there, here)]
    assert list(told[0]) == [f"it.{name}" for name in told[1]]
    for name, value in told[1].items():
        largest = max(size, max(map(abs, told[1].values())))
        assert told[0][f"it.{name}"] == pytest.approx(value, rel=0, abs=1e-8 * largest), name


def signals(system: System) -> dict[str, float]:
    """What joints and forces say of themselves: in their own frames."""
    columns = choose_signals(system, None, False)
    system.run.step_size = 0.0
    system.call("write")
    row = take_rows(system)[0][0]
    nodes = {node.name for node in system.mechanism.nodes}
    found = {
        name: float(value)
        for (name, _), value in zip(columns[1:], row[1:], strict=True)
        if name.rpartition(".")[0] not in nodes
    }
    for name in [name for name in found if name.endswith("wheel.force_x")]:  # x of its plane follows from the normal
        found[name] = float(np.hypot(found[name], found.pop(f"{name[:-1]}y")))
    return found


def closed(items: list[Any]) -> list[Any]:
    """The items with their bodies where constraints lead them: what a turned body left open, its axes, is given there."""
    system = accelerated(fx.Model("drawn", items))
    R = system.memory.R.reshape(-1, 3, 3)
    found = {}
    for number, node in enumerate(system.mechanism.nodes[1:], start=1):
        place = system.nodes("x")[number] + R[number] @ node.p_NO
        found[node.name] = {"position": place.tolist(), "orientation": R[number].tolist()}
    return [item.replace(**found[item.name]) if item.name in found else item for item in items]


@pytest.mark.parametrize("turn", TURNS)
def test_a_chain_of_all_joints(turn: str) -> None:
    check(examples._chain(), turn)


@pytest.mark.parametrize("kind", [kind for kind in JOINTS if issubclass(kind, Joint)], ids=lambda kind: kind.__name__)
def test_joints_at_a_point(kind: Any) -> None:
    """Their frame turns with the component: free motions, angles and reactions count in its axes."""
    spin = {"velocity": (0.2, 0.1, 0.3), "angular_velocity": (0.5, -0.2, 1)}
    one = fx.RigidBody("one", 1.2, (0.1, 0.2, 0.25), position=(0.1, 0.2, 0.3), orientation=TURNS["any"], **spin)
    two = fx.RigidBody("two", 0.7, (0.2, 0.2, 0.25), position=(0.4, 0.1, -0.2))
    bodies = [one, two]
    own = declared(kind, a="one", b="two").replace(a="one", b="two", at=(0.2, 0.1, 0.4), start=None, start_rate=None)
    spring = fx.AxialSpring("spring", fx.ground.at(1, 1, 0), bodies[1], stiffness=30, free_length=0.5)
    items = [*bodies, own, spring]
    for turn in ("y", "any"):
        check(items, turn)


ON_A_JOINT = ("Motor", "Friction", "JointSpring", "Sensor", "MeshLoad", "LineLoad")


@pytest.mark.parametrize(
    "kind",
    [
        kind
        for kind in ITEMS
        if not issubclass(kind, (*BODIES, Joint, ControlBlock)) and kind.__name__ not in ON_A_JOINT
    ],
    ids=lambda kind: kind.__name__,
)
def test_items_of_their_own(kind: Any) -> None:
    items = closed(examples._with_bodies(kind))
    for turn in ("x", "any"):
        check(items, turn)


def test_drives_springs_and_sensors_on_joints() -> None:
    arm = fx.RigidBody("arm", 1.5, (0.1, 0.2, 0.3), center_of_mass=(0.4, 0, 0))
    rod = fx.RigidBody("rod", 0.5, 0.1, center_of_mass=(0.1, 0.2, 0))
    items = [
        *(arm, rod),
        fx.Revolute("pin", fx.ground.at(0, 1, 0), arm, axis="z", start=0.3, start_rate=1.0),
        fx.Cylindrical("slide", arm.at(0.8, 0, 0), rod, axis="y"),
        fx.Motor("drive", "pin", speed="1 + sin(5*t)"),
        fx.JointSpring("spring", "slide", variable="displacement", stiffness=30, damping=1),
        fx.Sensor("height", "rod.position_z"),
        fx.PointForce("push", rod, direction="y", force="3 - 2*height"),
    ]
    for turn in TURNS:
        check(items, turn)


def test_an_orientation_needs_a_point() -> None:
    rod = fx.RigidBody("rod", 1.0, 0.1)
    pin = fx.Planar("table", fx.ground, rod, axis="z", orientation={"axis": "x", "angle": 0.3})
    with pytest.raises(ModelError, match="orientation is given without at"):
        fx.Model("m", [rod, pin]).check()
