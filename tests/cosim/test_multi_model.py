"""Models solved together with an exact interface, against the whole model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import flexor as fx
from flexor.cosim.meta_model import Connection
from flexor.cosim.multi_model import multi_model
from flexor.errors import ModelError
from tests.cosim.test_flexor_model import GRAVITY, arm, both, hub_at, meta


def test_a_double_pendulum_in_two_models() -> None:
    first, hub, second = arm("first", (0, 0, 0)), hub_at((1, 0, 0)), arm("second", (1, 0, 0))
    upper = [
        first,
        hub,
        fx.Revolute("top", fx.ground, first["top"], axis="y"),
        fx.Revolute("knee", first["tip"], hub, axis="y"),
    ]
    runs = multi_model(
        {
            "upper": fx.Model("upper", gravity=GRAVITY, items=upper),
            "lower": fx.Model("lower", gravity=GRAVITY, items=[second]),
        },
        [("upper.hub", "lower.second.top")],
        until=0.3,
        step=1e-3,
    )
    whole = fx.Model("whole", gravity=GRAVITY, items=[*upper, second, fx.Fixed("weld", hub, second["top"])])
    reference = whole.dynamics(0.3, 1e-3, show=False)
    for name, signal in (
        ("upper", "first.position_z"),
        ("lower", "second.position_z"),
        ("lower", "second.angular_velocity_y"),
    ):
        assert runs[name][signal].values == pytest.approx(reference[signal].values, abs=2e-6)
    force = runs["lower"]["line second top.force_z"].values
    assert force[5:] == pytest.approx(-runs["upper"]["line hub.force_z"].values[5:], rel=1e-9)


def test_three_models_with_turned_markers_in_space() -> None:
    """A chain that tumbles in space, cut twice; the second weld joins markers with different axes."""
    spin = {"angular_velocity": (3.0, -2.0, 5.0)}

    def link(i: int) -> fx.RigidBody:
        at = np.array([i, 0.0, 0.0])
        markers = {"left": (-0.5, 0, 0), "right": {"at": (0.5, 0, 0), "orientation": {"axis": "y", "angle": "40 deg"}}}
        v = np.cross(spin["angular_velocity"], at)
        return fx.RigidBody(
            f"link{i}", mass=1.0 + i, inertia=(0.1, 0.2, 0.25), position=at, velocity=v, markers=markers, **spin
        )

    links = [link(i) for i in range(3)]
    models = {f"m{i}": fx.Model(f"m{i}", items=[each]) for i, each in enumerate(links)}
    runs = multi_model(
        models, [("m0.link0.right", "m1.link1.left"), ("m1.link1.right", "m2.link2.left")], until=0.5, step=1e-3
    )
    mass = np.array([1.0, 2.0, 3.0])
    position = [np.column_stack([runs[f"m{i}"][f"link{i}.position_{a}"].values for a in "xyz"]) for i in range(3)]
    centre = sum(m * p for m, p in zip(mass, position, strict=True)) / mass.sum()
    t = runs["m0"].time
    velocity = np.cross(spin["angular_velocity"], centre[0])
    assert np.abs(centre - centre[0] - t[:, None] * velocity).max() < 1e-6  # nothing pushes it from outside
    for a, b in ((0, 1), (1, 2)):
        assert np.linalg.norm(position[a] - position[b], axis=1) == pytest.approx(np.ones(len(t)), abs=1e-9)
    whole = fx.Model(
        "whole", items=[*links, *(fx.Fixed(f"w{i}", links[i].at(0.5, 0, 0), links[i + 1]["left"]) for i in range(2))]
    )
    reference = whole.dynamics(0.5, 1e-3, show=False)
    assert position[2][-1] == pytest.approx([reference[f"link2.position_{a}"].values[-1] for a in "xyz"], abs=1e-5)


def test_a_flexible_body_and_its_bearing() -> None:
    beam = fx.Beam("beam", [(0, 0, 0), (1, 0, 0)], fx.Rectangle(0.02, 0.01), divisions=4, material=fx.Aluminium())
    hub = hub_at((0, 0, 0))
    bearing = [hub, fx.Revolute("pin", fx.ground, hub, axis="y")]
    runs = multi_model(
        {
            "bearing": fx.Model("bearing", gravity=GRAVITY, items=bearing),
            "beam": fx.Model("beam", gravity=GRAVITY, items=[beam]),
        },
        [("bearing.hub", "beam.beam.start")],
        until=0.1,
        step=5e-4,
    )
    whole = fx.Model("whole", gravity=GRAVITY, items=[*bearing, beam, fx.Fixed("weld", hub, beam["start"])])
    tip = "beam.end.position_z"
    reference = whole.dynamics(0.1, 5e-4, show=False)[tip].values
    assert np.abs(runs["beam"][tip].values - reference).max() < 1e-5  # of 48 mm


def test_what_does_not_fit_is_refused() -> None:
    a, b = fx.Model("a", items=[arm("x", (0, 0, 0))]), fx.Model("b", items=[arm("y", (1.1, 0, 0))])
    with pytest.raises(ModelError, match=r"its ends are 0.1 m apart at the start"):
        multi_model({"a": a, "b": b}, [("a.x.tip", "b.y.top")], 0.1, 1e-3)
    with pytest.raises(ModelError, match="there is no model 'c'"):
        multi_model({"a": a, "b": b}, [("a.x.tip", "c.y.top")], 0.1, 1e-3)
    with pytest.raises(ModelError, match="leave error, accuracy and start out"):
        multi_model({"a": a, "b": b}, [("a.x.tip", "b.y.top")], 0.1, 1e-3, accuracy=1e-6)


def test_lines_approach_the_exact_interface_as_their_delay_shrinks(tmp_path: Path) -> None:
    """With the same impedance, stiffness grows and mass falls with the delay: the error is of first order in it."""
    hub = hub_at((0, 0, 0))
    parts = {
        "bearing": fx.Model("bearing", gravity=GRAVITY, items=[hub, fx.Revolute("pin", fx.ground, hub, axis="y")]),
        "pendulum": fx.Model("pendulum", gravity=GRAVITY, items=[arm("arm", (0, 0, 0))]),
    }
    exact = multi_model(parts, [("bearing.hub", "pendulum.arm.top")], 0.2, 1e-4)["pendulum"]["arm.position_z"].values[
        -1
    ]
    errors = []
    for delay in (4e-4, 2e-4, 1e-4):
        line = Connection("bearing.hub", "pendulum.arm.top", delay=delay, zf=1e3, zfr=50.0, alpha=0.2)
        kept, _ = both(meta(line, stop=0.2), parts, tmp_path)
        errors.append(kept["pendulum"]["arm.position_z"].values[-1] - exact)
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.25)
    assert errors[1] / errors[2] == pytest.approx(2.0, rel=0.25)
