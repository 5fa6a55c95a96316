"""Flexor models as components, against the unsplit model with the mass of the lines added."""

from __future__ import annotations

from pathlib import Path

import numpy as np

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
        out=tmp_path, timeout=30,
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
