"""Motors, springs, dampers along guides, as on any joint variable."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexor as fx
from flexor.errors import ModelError
from flexor.joints.guide_line import arc_lengths

AT = ((0, 0, 0), (1, 0.2, 0), (2, 0.1, 0.3), (3, 0.4, 0.2))
"""Markers of a bent rail on a turning table [m]."""
START = float(arc_lengths(np.array(AT, dtype=float))[1])
"""Where the slider begins."""


def sledge(*more: object, guide: dict[str, object] | None = None, speed: float = 0.0) -> fx.Model:
    """A ball on a bent rail that stands on a table which a motor turns."""
    table = fx.RigidBody("table", mass=3, inertia=0.5)
    ball = fx.RigidBody("ball", mass=0.7, inertia=0.02, position=AT[1], velocity=(speed, 0, 0) if speed else None)
    items = [
        table,
        ball,
        fx.Revolute("pivot", fx.ground, table, axis="z"),
        fx.Motor("turn", "pivot", speed=1.5),
        fx.Guide("rail", [table.at(*at) for at in AT], ball, **guide or {}),
    ]
    return fx.Model("sledge", [*items, *more], gravity=(0, 0, -9.81))


def same(run, other, signals, **tolerance):
    for one, two in signals.items():
        np.testing.assert_allclose(run[one].values, other[two].values, err_msg=one, **tolerance)


BOTH = {f"ball.position_{i}": f"ball.position_{i}" for i in "xyz"} | {"rail.speed": "rail.speed"}


@pytest.mark.parametrize(
    ("motor", "own"),
    [
        ({"position": f"{START!r} + 0.3*sin(2*t)^2"}, {"position": f"{START!r} + 0.3*sin(2*t)^2"}),
        ({"speed": "0.4*t"}, {"speed": "0.4*t"}),
    ],
)
def test_a_motor_drives_a_slider_as_the_guides_own_drive_does(motor, own):
    run = sledge(fx.Motor("push", "rail", **motor)).dynamics(until=0.5, step=0.01, show=False)
    other = sledge(guide=own).dynamics(until=0.5, step=0.01, show=False)
    same(run, other, {**BOTH, "push.force": "rail.force"}, rtol=1e-9, atol=1e-9)
    same(run, run, {"push.target": "rail.position"}, rtol=1e-9)
    np.testing.assert_allclose(
        run["push.power"].values, run["push.force"].values * run["rail.speed"].values, rtol=1e-3, atol=1e-3
    )
    check = run["energy.check_sum"].values
    assert np.ptp(check) < 1e-3 * np.ptp(run["energy.input"].values)


def test_a_given_acceleration_goes_on_from_the_speed_at_the_start():
    rail = fx.Guide("rail", [fx.ground, fx.ground.at(5, 0, 0)], "ball")
    ball = fx.RigidBody("ball", mass=2, inertia=0.1, position=(1, 0, 0), velocity=(0.5, 0, 0))
    model = fx.Model("rail", [ball, rail, fx.Motor("push", "rail", acceleration="0.6*t")])
    run = model.dynamics(until=1, step=0.02, show=False)
    t = run.time
    np.testing.assert_allclose(run["rail.position"].values, 1 + 0.5 * t + 0.1 * t**3, atol=1e-12)
    np.testing.assert_allclose(run["push.force"].values[3:], 2 * 0.6 * t[3:], atol=1e-9)


def test_a_motor_by_a_stiff_spring_is_nearly_the_constraint_and_starts_with_the_motion():
    firm = sledge(fx.Motor("push", "rail", position=f"{START!r} + 0.2*t")).dynamics(until=0.5, step=0.005, show=False)
    soft = sledge(fx.Motor("push", "rail", position=f"{START!r} + 0.2*t", stiffness=1e6, damping=1e3)).dynamics(
        until=0.5, step=0.005, show=False
    )
    assert soft["rail.speed"][0] == pytest.approx(0.2, rel=1e-9)
    same(soft, firm, {"rail.position": "rail.position"}, atol=3e-5)
    assert abs(soft["push.error"].values).max() < 3e-5
    assert soft["push.force"][-1] == pytest.approx(firm["push.force"][-1], rel=1e-2)


def test_a_spring_along_a_guide_is_the_guides_own():
    spring = fx.JointSpring("coil", "rail", stiffness=40, damping=0.7, free=1.5)
    run = sledge(spring).dynamics(until=0.5, step=0.01, show=False)
    other = sledge(guide={"spring": 40, "drag": 0.7, "free": 1.5}).dynamics(until=0.5, step=0.01, show=False)
    same(run, other, {**BOTH, "coil.force": "rail.force", "coil.strain_energy": "rail.strain_energy"}, atol=1e-9)
    np.testing.assert_allclose(run["coil.deflection"].values, run["rail.position"].values - 1.5, atol=1e-12)


def test_a_spring_along_a_guide_yields_and_has_a_stop():
    """Against the same spring on a slide."""
    details = {"stiffness": 100, "yields": 20, "upper_stop": {"at": 10.5, "stiffness": 1e3, "dissipation": 0.2}}
    runs = []
    for rail in (
        fx.Guide("way", [fx.ground.at(-9, 0, 0), fx.ground.at(9, 0, 0)], "ball"),
        fx.Prismatic("way", fx.ground.at(-9, 0, 0), "ball", axis="x", start=10),
    ):
        place = {"position": (1, 0, 0)} if isinstance(rail, fx.Guide) else {}
        ball = fx.RigidBody("ball", mass=2, inertia=0.1, **place)
        items = [ball, rail, fx.JointSpring("coil", "way", free=10.0, **details)]
        items.append(fx.PointForce("pull", ball, direction="x", force="30*sin(5*t)"))
        runs.append(fx.Model("yields", items).dynamics(until=2, step=0.005, show=False))
    for signal in ("coil.force", "coil.deflection", "coil.yield_deflection", "coil.dissipated", "ball.position_x"):
        np.testing.assert_allclose(runs[0][signal].values, runs[1][signal].values, atol=1e-9, err_msg=signal)
    assert runs[0]["coil.dissipated"][-1] > 1


def test_a_bead_on_a_sprung_wire():
    """On an incline, with a progressive spring and damper, against an integration of m s̈ = m g sin α − F(s, ṡ)."""
    down = np.array([0.8, 0, -0.6])
    bead = fx.RigidBody("bead", mass=0.5, inertia=0.01, position=tuple(2 * down))
    items = [
        bead,
        fx.Guide("wire", [fx.ground, fx.ground.at(*(3 * down)), fx.ground.at(*(6 * down))], bead),
        fx.JointSpring("coil", "wire", damper="0.3*x^3", force="20*x + 5*x^3", free=2.5),
    ]
    run = fx.Model("wire", items, gravity=(0, 0, -9.81)).dynamics(until=2, step=0.002, show=False)

    def motion(_, y):
        return y[1], 9.81 * 0.6 - (20 * (y[0] - 2.5) + 5 * (y[0] - 2.5) ** 3 + 0.3 * y[1] ** 3) / 0.5

    exact = solve_ivp(motion, (0, 2), (2, 0), t_eval=run.time, rtol=1e-10, atol=1e-12).y
    np.testing.assert_allclose(run["wire.position"].values, exact[0], atol=4e-5)


def test_a_slider_in_a_pipe_is_driven():
    """The guide itself binds nothing, the motor does."""
    ball = fx.RigidBody("ball", mass=2, inertia=0.1, position=(1, 0, 0))
    pipe = fx.Guide("pipe", [fx.ground, fx.ground.at(5, 0, 0)], ball, stiffness=1e4, damping=200)
    model = fx.Model("pipe", [ball, pipe, fx.Motor("push", pipe, speed=0.5)], gravity=(0, 0, -9.81))
    run = model.dynamics(until=1, step=0.01, show=False)
    np.testing.assert_allclose(run["pipe.position"].values, 1 + 0.5 * run.time, atol=1e-9)


def test_a_slider_hangs_on_a_spring():
    ball = fx.RigidBody("ball", mass=2, inertia=0.1, position=(1, 0, 0))
    way = fx.Guide("way", [fx.ground, fx.ground.at(3, 0, -4)], ball.at(-1, 0, 0))
    model = fx.Model("hangs", [ball, way, fx.JointSpring("coil", "way", stiffness=50, free=1)], gravity=(0, 0, -9.81))
    assert model.statics()["way.position"] == pytest.approx(1 + 2 * 9.81 * 0.8 / 50, rel=1e-8)


@pytest.mark.parametrize(
    ("items", "message"),
    [
        (lambda ball: [fx.Guide("way", [fx.ground, fx.ground.at(5, 0, 0)], ball, speed=1), fx.Motor("m", "way", speed=1)], "driven already"),
        (lambda ball: [fx.Guide("way", [fx.ground, fx.ground.at(5, 0, 0)], ball), fx.Motor("m", "way", speed=1), fx.Motor("n", "way", speed=1)], "already driven by motor 'm'"),
        (lambda ball: [fx.Guide("way", [fx.ground, fx.ground.at(5, 0, 0)], ball), fx.Motor("m", "way", variable="angle", speed=1)], "no variable 'angle'"),
        (lambda ball: [fx.Guide("way", [fx.ground, fx.ground.at(5, 0, 0)], ball), fx.Motor("m", "way", speed="3 rpm")], "m/s"),
        (lambda ball: [fx.Cam("way", fx.ground, ball, fx.Profile.circle(1)), fx.Motor("m", "way", speed=1)], "drives a cam"),
        (lambda ball: [fx.Cam("way", fx.ground, ball, fx.Profile.circle(1)), fx.JointSpring("s", "way", stiffness=1)], "acts on a cam"),
    ],
)  # fmt: skip
def test_wrong_input(items, message):
    ball = fx.RigidBody("ball", mass=2, inertia=0.1, position=(1, 0, 0))
    with pytest.raises(ModelError, match=message):
        fx.Model("wrong", [ball, *items(ball)]).check()
