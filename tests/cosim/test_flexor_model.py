"""Flexor models as components, against the unsplit model with the mass of the lines added."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import flexor as fx
from flexor.cosim.component.flexor_model import component
from flexor.cosim.meta_model import Connection, InterfacePoint, MetaModel, SubModel
from flexor.cosim.run import run

GRAVITY = (0.0, 0.0, -9.81)


def meta(*connections: Connection, stop: float, exact: bool = True) -> MetaModel:
    """Components and interfaces as the connections name them."""
    ends = [end for each in connections for end in each.ends]
    names = list(dict.fromkeys(name for name, _ in ends))
    subs = [
        SubModel(name, exact_step=exact, interface_points=[InterfacePoint(i) for n, i in ends if n == name])
        for name in names
    ]
    return MetaModel("split", subs, connections, stop_time=stop)


def arm(name: str, at: tuple[float, float, float], **more: object) -> fx.RigidBody:
    """A slender arm of 2 kg and 1 m along x from `at`, with markers at its ends."""
    x, y, z = at
    return fx.RigidBody(
        name, mass=2.0, inertia=(0.01, 0.17, 0.17), position=(x + 0.5, y, z),
        markers={"top": (-0.5, 0, 0), "tip": (0.5, 0, 0)}, **more,
    )  # fmt: skip


def test_a_pendulum_and_its_bearing(tmp_path: Path) -> None:
    """The arm hangs on a hub, which turns in a bearing of the other component.   NAK 26.1"""
    hub = fx.RigidBody("hub", mass=0.5, inertia=(1e-3, 1e-3, 1e-3))
    bearing = fx.Model(
        "bearing", gravity=GRAVITY, items=[hub, fx.Revolute("pin", fx.ground, hub.at(0, 0, 0), axis="y")]
    )
    pendulum = fx.Model("pendulum", gravity=GRAVITY, items=[arm("arm", (0, 0, 0))])
    line = Connection("bearing.hub", "pendulum.arm.top", delay=1e-4, zf=2e3, zfr=20.0)
    kept: dict[str, fx.Run] = {}
    model = meta(line, stop=0.4)
    outcome = run(
        model,
        {
            "bearing": component(bearing, keep=lambda r: kept.update(bearing=r)),
            "pendulum": component(pendulum, keep=lambda r: kept.update(pendulum=r)),
        },
        out=tmp_path,
        timeout=120,
    )
    whole = fx.Model(
        "whole",
        gravity=GRAVITY,
        items=[
            hub, (swinging := arm("arm", (0, 0, 0))),
            fx.Revolute("pin", fx.ground, hub.at(0, 0, 0), axis="y"),
            fx.Fixed("weld", hub.at(0, 0, 0), swinging["top"]),
            fx.AddedMass("line", hub.at(0, 0, 0), line.line.parasitic_mass, (line.line.parasitic_inertia,) * 3),
        ],
    ).dynamics(0.4, 1e-4, show=False)  # fmt: skip
    for signal, scale in (("arm.angular_velocity_y", 10.0), ("arm.position_z", 0.5)):
        split = kept["pendulum"][signal].values
        assert np.abs(split - whole[signal].values).max() < 2e-3 * scale
    gained = [abs(balance.gained) / balance.passed for balance in outcome.waves.balances(line)]
    assert max(gained) < 1e-9
    assert outcome.waves.gap(line) < 1e-4


def both(
    model: MetaModel, parts: dict[str, fx.Model], out: Path, **settings: object
) -> tuple[dict[str, fx.Run], object]:
    """Runs of all components, and the waves."""
    kept: dict[str, fx.Run] = {}
    started = {
        name: component(part, keep=lambda r, name=name: kept.update({name: r}), **settings)
        for name, part in parts.items()
    }
    outcome = run(model, started, out=out, timeout=120)
    return kept, outcome.waves


def weightless(name: str, on: object, line: Connection) -> list[object]:
    """The mass of a line at a marker: it has inertia but no weight."""
    mass = line.line.parasitic_mass
    return [
        fx.AddedMass(f"mass of {name}", on, mass, (line.line.parasitic_inertia,) * 3),
        fx.PointForce(f"lift of {name}", on, direction="z", force=9.81 * mass),
    ]


def test_a_double_pendulum(tmp_path: Path) -> None:
    """The second arm hangs on a hub that turns in the first one.   NAK 26.2"""
    first, hub, second = arm("first", (0, 0, 0)), hub_at((1, 0, 0)), arm("second", (1, 0, 0))
    upper = [
        first,
        hub,
        fx.Revolute("top", fx.ground, first["top"], axis="y"),
        fx.Revolute("knee", first["tip"], hub, axis="y"),
    ]
    line = Connection("upper.hub", "lower.second.top", delay=1e-4, zf=2e3, zfr=20.0)
    parts = {
        "upper": fx.Model("upper", gravity=GRAVITY, items=upper),
        "lower": fx.Model("lower", gravity=GRAVITY, items=[second]),
    }
    kept, _ = both(meta(line, stop=0.4), parts, tmp_path)
    weld = fx.Fixed("weld", hub, second["top"])
    whole = fx.Model("whole", gravity=GRAVITY, items=[*upper, second, weld, *weightless("line", hub, line)]).dynamics(
        0.4, 1e-4, show=False
    )
    for name, signal in (("upper", "first.angular_velocity_y"), ("lower", "second.angular_velocity_y")):
        assert np.abs(kept[name][signal].values - whole[signal].values).max() < 0.03  # of 14 rad/s
    assert np.abs(kept["lower"]["second.position_z"].values - whole["second.position_z"].values).max() < 5e-4


def hub_at(at: tuple[float, float, float]) -> fx.RigidBody:
    return fx.RigidBody("hub", mass=0.5, inertia=(1e-3, 1e-3, 1e-3), position=at)


def test_a_flexible_body_and_its_bearing(tmp_path: Path) -> None:
    """A beam in one component swings in the bearing of the other; steps under error control against fixed ones."""
    beam = fx.Beam("beam", [(0, 0, 0), (1, 0, 0)], fx.Rectangle(0.02, 0.01), divisions=4, material=fx.Aluminium())
    hub = hub_at((0, 0, 0))
    bearing = [hub, fx.Revolute("pin", fx.ground, hub, axis="y")]
    line = Connection("bearing.hub", "beam.beam.start", delay=1e-4, zf=300.0, zfr=2.0)
    parts = {
        "bearing": fx.Model("bearing", gravity=GRAVITY, items=bearing),
        "beam": fx.Model("beam", gravity=GRAVITY, items=[beam]),
    }
    kept, _ = both(meta(line, stop=0.1), parts, tmp_path)
    items = [*bearing, beam, fx.Fixed("weld", hub, beam["start"])]
    added = fx.AddedMass("line", hub, line.line.parasitic_mass, (line.line.parasitic_inertia,) * 3)
    whole = fx.Model("whole", gravity=GRAVITY, items=[*items, added]).dynamics(0.1, 1e-4, show=False)
    tip = "beam.end.position_z"
    assert np.abs(kept["beam"][tip].values - whole[tip].values).max() < 3e-4  # of 48 mm
    free = {}
    model = meta(line, stop=0.1, exact=False)
    outcome = run(
        model,
        {
            "bearing": component(parts["bearing"]),
            "beam": component(parts["beam"], error=1e-7, keep=lambda r: free.update(beam=r)),
        },
        out=tmp_path,
        timeout=120,
    )
    steps = np.diff(outcome.waves["beam.beam.start"].time)
    assert steps.max() <= 0.5001e-4
    assert len(np.unique(np.round(steps, 9))) > 3  # they do adapt
    told = outcome.waves["beam.beam.start"].time[1:]
    assert told == pytest.approx(free["beam"].history["time"], abs=1e-12)  # finished steps, and no others
    assert free["beam"][tip].values[-1] == pytest.approx(whole[tip].values[-1], abs=3e-4)


def test_one_component_held_at_three_interfaces(tmp_path: Path) -> None:
    """A plate on three springs of another component sinks and swings as on those springs."""
    corners = {"a": (0.5, 0, 0), "b": (-0.25, 0.4, 0), "c": (-0.25, -0.4, 0)}
    plate = fx.RigidBody("plate", mass=3.0, inertia=(0.2, 0.2, 0.4), markers=corners)
    feet = [fx.RigidBody(f"foot {n}", mass=0.2, inertia=(1e-4,) * 3, position=p) for n, p in corners.items()]
    springs = [
        fx.Bushing(f"spring {n}", fx.ground.at(*p), foot, stiffness=(5e3, 5e3, 5e3, 10, 10, 10), damping=(20, 20, 20, 0.1, 0.1, 0.1))
        for (n, p), foot in zip(corners.items(), feet, strict=True)
    ]  # fmt: skip
    lines = [Connection(f"top.plate.{n}", f"base.foot {n}", delay=2e-4, zf=100.0) for n in corners]
    parts = {
        "top": fx.Model("top", gravity=GRAVITY, items=[plate]),
        "base": fx.Model("base", gravity=GRAVITY, items=[*feet, *springs]),
    }
    kept, waves = both(meta(*lines, stop=0.2), parts, tmp_path)
    balls = [fx.Spherical(f"ball {n}", plate[n], foot) for n, foot in zip(corners, feet, strict=True)]
    added = [each for n, line in zip(corners, lines, strict=True) for each in weightless(n, plate[n], line)[:2]]
    added = [
        each if not isinstance(each, fx.AddedMass) else fx.AddedMass(each.name, each.on, each.mass) for each in added
    ]
    whole = fx.Model("whole", gravity=GRAVITY, items=[plate, *feet, *springs, *balls, *added]).dynamics(
        0.2, 2e-4, show=False
    )
    assert (
        np.abs(kept["top"]["plate.position_z"].values - whole["plate.position_z"].values).max() < 8e-5
    )  # of 4 mm: a line is 100 times stiffer than a spring
    for line in lines:
        assert max(abs(balance.gained) / balance.passed for balance in waves.balances(line)) < 1e-9


def test_a_car_split_at_a_wheel_hub(tmp_path: Path) -> None:
    """A quarter of a car: body, trailing arm and strut in one component, hub, wheel and tyre in the other.   NAK 26.3

    The wheel spins and is off-centre, so that the car is shaken once a turn.
    """
    z = 0.3
    chassis = fx.RigidBody("chassis", mass=300.0, inertia=(20, 20, 20), position=(0, 0, 0.6))
    trailing = fx.RigidBody(
        "trailing",
        mass=8.0,
        inertia=(0.1, 0.4, 0.4),
        position=(0.2, 0, z),
        markers={"pivot": (-0.2, 0, 0), "end": (0.2, 0, 0)},
    )
    still = {"velocity": (0, 0, 0), "angular_velocity": (0, 0, 0)}
    hub = fx.RigidBody("hub", mass=3.0, inertia=(0.02, 0.02, 0.02), position=(0.4, 0, z), **still)
    wheel = fx.RigidBody(
        "wheel", mass=15.0, inertia=(0.6, 1.0, 0.6), position=(0.4, 0, z), center_of_mass=(0.004, 0, 0),
        angular_velocity=(0, 60.0, 0),
    )  # fmt: skip
    car = [
        chassis, trailing,
        fx.Prismatic("rail", fx.ground.at(0, 0, 0.6), chassis, axis="z"),
        fx.Revolute("pivot", chassis.at(0, 0, -0.3), trailing["pivot"], axis="y"),
        fx.AxialSpring("strut", chassis.at(0.3, 0, 0.2), trailing.at(0.1, 0, 0), stiffness=4e4, damping=2e3),
    ]  # fmt: skip
    corner = [
        hub, wheel, fx.Revolute("bearing", hub, wheel, axis="y"),
        fx.Bushing("tyre", fx.ground.at(0.4, 0, z), hub, stiffness=(0, 0, 2e5, 0, 0, 0), damping=(0, 0, 300, 0, 0, 0)),
    ]  # fmt: skip
    line = Connection("car.trailing.end", "corner.hub", delay=2e-4, zf=400.0, zfr=4.0)
    parts = {"car": fx.Model("car", items=car), "corner": fx.Model("corner", items=corner)}
    kept, waves = both(meta(line, stop=0.3), parts, tmp_path)
    weld = fx.Fixed("weld", trailing["end"], hub)
    added = fx.AddedMass("line", hub, line.line.parasitic_mass, (line.line.parasitic_inertia,) * 3)
    whole = fx.Model("whole", items=[*car, *corner, weld, added]).dynamics(0.3, 2e-4, show=False)
    for name, signal in (
        ("corner", "hub.position_z"),
        ("car", "chassis.position_z"),
    ):
        there = whole[signal].values
        assert np.abs(kept[name][signal].values - there).max() < 0.02 * np.ptp(there)
    assert np.ptp(whole["hub.position_z"].values) > 1e-3  # it is shaken
    assert max(abs(balance.gained) / balance.passed for balance in waves.balances(line)) < 1e-9


def test_the_law_in_plain_python_is_the_compiled_one(tmp_path: Path) -> None:
    hub, swinging = (
        hub_at((0, 0, 0)),
        arm("arm", (0, 0, 0), angular_velocity=(1.0, 2.0, -1.0), velocity=(0, -0.5, -1.0)),
    )
    parts = {
        "a": fx.Model("a", items=[hub.replace(angular_velocity=(1.0, 2.0, -1.0), velocity=(0, 0, 0))]),
        "b": fx.Model("b", items=[swinging]),
    }
    line = Connection("a.hub", "b.arm.top", delay=1e-3, zf=200.0, zfr=2.0, alpha=0.2)
    found = [both(meta(line, stop=0.02), parts, tmp_path, python=python)[0]["b"] for python in (False, True)]
    for name in ("arm.position_z", "arm.angular_velocity_x", "line arm top.torque_z", "line arm top.force_y"):
        assert found[0][name].values == pytest.approx(found[1][name].values, rel=1e-9, abs=1e-12)
