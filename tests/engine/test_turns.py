"""Angles of joints are counted beyond half a turn, however rarely they are written down and however fast they turn."""

import pytest

import flexor as fx
from benchmarks.nowhere import Nowhere
from flexor.solve.dynamics import integrate, prepare
from flexor.solve.settings import DynamicsSettings


def discs(*speeds):
    """Discs one behind the other on one axis, each spinning against the one before."""
    bodies = [fx.RigidBody(f"disc{i}", 1, 0.1, position=(0, 0, 0)) for i in range(len(speeds))]
    before = [fx.ground, *bodies]
    pins = [fx.Revolute(f"pin{i}", before[i], body, axis="z", start_rate=speeds[i]) for i, body in enumerate(bodies)]
    return fx.Model("discs", [*bodies, *pins])


@pytest.mark.parametrize("speed", [0.7, 40.0, -40.0, 300.0, 1000.0, -1000.0])
def test_turns_between_rare_rows_and_long_steps(speed):
    """From 0.007 to 10 rad a step, a row every 50 steps; the second disc turns back against the first."""
    run = discs(speed, -2 * speed).dynamics(until=2.0, step=0.01, output=0.5)
    time = run["time"].values
    assert run["pin0.angle"].values == pytest.approx(speed * time, abs=1e-6 * abs(speed))
    assert run["pin1.angle"].values == pytest.approx(-2 * speed * time, abs=1e-6 * abs(speed))


def test_turns_are_counted_only_as_often_as_needed():
    """At 0.002 rad a step turns are counted every 250th step at most: the angle that is known is older than the state, by less than ½ rad."""
    settings = DynamicsSettings(until=0.4, step=0.001, output=0.4)
    system = prepare(discs(1.0), settings)
    integrate(system, settings, Nowhere())
    known = float(system.memory.history[0])
    assert 0.1 < 0.4 - known < 0.5
