"""Thin rods and massless links: their joints support them, the matrix stays sparse and the motion is the same."""

import numpy as np
import pytest

import flexor as fx
from flexor.engine.inertia import light_blocks
from flexor.engine.linear.pattern import Pattern
from flexor.engine.system import System
from flexor.solve.prepare import compile_model


def rod(name, about_axis, length=1.0):
    across = length**2 / 12
    return fx.RigidBody(name, 1.0, (about_axis, across, across), center_of_mass=(length / 2, 0, 0))


def windows(n, about_axis):
    """n four-bars side by side, each with a column of the next."""
    columns = [rod(f"column{i}", about_axis) for i in range(n + 1)]
    items = [*columns]
    for i, column in enumerate(columns):
        rate = {"start_rate": -1.0} if i == 0 else {}
        items.append(
            fx.Revolute(f"foot{i}", fx.ground.at(i, 0, 0), column.at(0, 0, 0), axis="z", start="90 deg", **rate)
        )
    for i in range(n):
        beam = rod(f"beam{i}", about_axis)
        left, right = columns[i].at(1, 0, 0), columns[i + 1].at(1, 0, 0)
        items += [beam, fx.Revolute(f"left{i}", left, beam.at(0, 0, 0), axis="z", start="-90 deg")]
        items.append(fx.Revolute(f"right{i}", beam.at(1, 0, 0), right, axis="z"))
    return fx.Model("windows", gravity=(0, -9.81, 0), items=items)


def chain(n, about_axis):
    rods = [rod(f"rod{i}", about_axis) for i in range(n)]
    ends = [fx.ground.at(0, 0, 0), *(body.at(1, 0, 0) for body in rods)]
    hinges = [fx.Revolute(f"pin{i}", ends[i], rods[i].at(0, 0, 0), axis="z") for i in range(n)]
    return fx.Model("chain", gravity=(0, -9.81, 0), items=[*rods, *hinges])


@pytest.mark.filterwarnings("ignore::flexor.solve.prepare.RedundantConstraints")
@pytest.mark.parametrize(("build", "n", "signal"), [(windows, 12, "foot0.angle"), (chain, 12, "pin11.angle")])
def test_thin_rods_are_factorised_like_thick_ones(build, n, signal):
    """No dense block, no unsymmetric matrix; inertia about an axis that never turns has no effect."""
    thick, thin = (compile_model(build(n, about_axis)) for about_axis in (1e-3, 0.0))
    assert len(light_blocks(thin)) == len([b for b in thin.equations.multiplier if not b])
    assert not light_blocks(thick)
    assert thin.symmetric
    assert thin.equations.pattern.columns["size"][:-1].max() == 6
    assert thin.equations.pattern.mirror == thick.equations.pattern.mirror
    angles = [build(n, about).dynamics(until=0.1, step=1e-3, show=False)[signal].values for about in (1e-3, 0.0)]
    np.testing.assert_allclose(angles[0], angles[1], rtol=0, atol=1e-9)


def test_reactions_of_thin_rods_are_those_of_thick_ones():
    forces = [chain(3, about).dynamics(until=0.1, step=1e-3, show=False) for about in (1e-6, 0.0)]
    for name in ("pin0.force_x", "pin0.force_y", "pin2.force_y"):
        np.testing.assert_allclose(forces[0][name].values, forces[1][name].values, rtol=1e-6, atol=1e-5)


def test_a_chain_of_massless_links_carries_a_weight():
    """Two massless rods on universal joints with a ball at the end hang like a rod: a pendulum of twice their length."""
    rods = [fx.RigidBody(f"rod{i}", 0.0, (0, 0, 0)) for i in range(2)]
    ball = fx.RigidBody("ball", 2.0, (1e-6, 1e-6, 1e-6))
    items = [
        *rods, ball,
        fx.Revolute("pin", fx.ground, rods[0].at(0, 0, 0), axis="z", start="0.1 rad"),
        fx.Fixed("weld", rods[0].at(0.5, 0, 0), rods[1].at(0, 0, 0)),
        fx.Fixed("end", rods[1].at(0.5, 0, 0), ball),
    ]  # fmt: skip
    model = fx.Model("pendulum", gravity=(9.81, 0, 0), items=items)
    run = model.dynamics(until=0.5, step=1e-3, show=False)
    expected = 0.1 * np.cos(np.sqrt(9.81) * run.time)
    assert np.abs(run["pin.angle"].values - expected).max() < 2e-4  # amplitude² / 16 of the phase


def test_point_masses_are_not_light():
    """Their missing rotations do not count."""
    masses = [fx.PointMass(f"m{i}", 0.1, position=(i, 0, 0)) for i in range(4)]
    rods = [fx.Distance(f"d{i}", masses[i], masses[i + 1]) for i in range(3)]
    system = compile_model(fx.Model("net", items=[*masses, *rods]))
    assert light_blocks(system) == set()
    assert system.symmetric


def test_locking_looks_places_up_once(monkeypatch):
    masses = [fx.PointMass(f"m{i}", 0.1, position=(i, 0, 0)) for i in range(20)]
    system = compile_model(fx.Model("cloud", items=masses))
    calls = []
    locate = Pattern.locate

    def counted(self, I, J):
        calls.append(np.size(I))
        return locate(self, I, J)

    monkeypatch.setattr(Pattern, "locate", counted)
    System.lock(system, [])
    assert calls == [60]
