"""Global springs: fixed directions in space, angles between markers.   FTG (5.17), (5.18)"""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx

QUIET = {"show": False}


def test_a_body_on_springs_in_three_directions():
    """ω = √(k/m) in each, whatever its orientation."""
    stiffness = {"x": 800.0, "y": 1800.0, "z": 3200.0}
    body = fx.RigidBody("body", mass=2, inertia=0.1, orientation={"axis": (1, 2, 3), "angle": 1.0})
    springs = [fx.GlobalSpring(axis, fx.ground, body, axis, stiffness=k) for axis, k in stiffness.items()]
    turns = [fx.GlobalSpring(f"r{axis}", fx.ground, body, angle=axis, stiffness=1e4) for axis in "xyz"]
    found = fx.Model("m", [body, *springs, *turns]).modes(3).frequencies
    np.testing.assert_allclose(found, np.sqrt(np.array(list(stiffness.values())) / 2) / (2 * np.pi), rtol=1e-6)


def test_it_holds_its_direction_while_the_body_turns():
    """A body that spins freely on a spring along x: the force stays along x, the swing is that of a mass on a spring."""
    body = fx.RigidBody("body", mass=2, inertia=0.1, velocity=(1, 0, 0), angular_velocity=(0, 0, 7.0))
    spring = fx.GlobalSpring("s", fx.ground, body, "x", stiffness=200, damping=1)
    run = fx.Model("m", [body, spring]).dynamics(until=1.0, step=2e-4, **QUIET)
    rate, omega, t = 0.25, np.sqrt(100 - 0.25**2), run.time
    np.testing.assert_allclose(run["body.position_x"].values, np.exp(-rate * t) * np.sin(omega * t) / omega, atol=1e-6)
    np.testing.assert_allclose(run["body.position_y"].values, 0, atol=1e-12)
    assert np.ptp(run["energy.check_sum"].values) < 1e-6


def test_it_is_free_as_drawn_or_where_told():
    body = fx.RigidBody("body", mass=2, inertia=0.1, position=(0.3, 0, 0.7))
    drawn = fx.GlobalSpring("s", fx.ground, body, "z", stiffness=100)
    told = fx.GlobalSpring("s", fx.ground, body, "z", stiffness=100, free="0.5 m")
    guide = fx.Prismatic("g", fx.ground, body, axis="z", at=(0.3, 0, 0.7))
    for spring, force in ((drawn, 0.0), (told, 20.0)):
        run = fx.Model("m", [body, spring, guide]).dynamics(until=0.001, step=1e-3, **QUIET)
        assert run["s.force"][0] == pytest.approx(force, abs=1e-12)
    assert run["s.value"][0] == pytest.approx(0.7)


def test_the_euler_angles_of_two_bodies():
    """A twist of B against A about z, then y, then x is what each spring sees."""
    from flexor.spatial import about

    q = {"z": 0.3, "y": -0.2, "x": 0.1}
    R = about(2, q["z"]) @ about(1, q["y"]) @ about(0, q["x"])
    a = fx.RigidBody("a", mass=1, inertia=0.1, orientation=about(0, 0.8))
    b = fx.RigidBody("b", mass=1, inertia=0.1, orientation=about(0, 0.8) @ R)
    springs = [fx.GlobalSpring(axis, a, b, angle=axis, stiffness=2, free=0) for axis in "xyz"]
    run = fx.Model("m", [a, b, *springs]).dynamics(until=0.001, step=1e-3, **QUIET)
    for axis, angle in q.items():
        assert run[f"{axis}.deflection"][0] == pytest.approx(angle, rel=1e-9)
        assert run[f"{axis}.torque"][0] == pytest.approx(2 * angle, rel=1e-9)


def test_mistakes_are_told():
    body = fx.RigidBody("body", mass=2, inertia=0.1)
    with pytest.raises(fx.ModelError, match="along a direction or on an angle"):
        fx.GlobalSpring("s", fx.ground, body, stiffness=1)
    with pytest.raises(fx.ModelError, match="along a direction or on an angle"):
        fx.GlobalSpring("s", fx.ground, body, "x", angle="x", stiffness=1)
    with pytest.raises(fx.ModelError, match="rotational stiffness"):
        fx.GlobalSpring("s", fx.ground, body, angle="x", stiffness="1 N/m")
