"""A run that ends where an angle ends says so: which item, which angle, at which limit, and what helps."""

import pytest

import flexor as fx
from flexor.engine.angle_limits import angles_at_limits
from flexor.errors import DivergenceError, LawError
from flexor.solve.prepare import compile_model

BODY = fx.RigidBody("arm", mass=1, inertia=0.01)


def stopped(*items):
    with pytest.raises(DivergenceError) as error:
        fx.Model("to the limit", [BODY, *items]).dynamics(until=0.7, step=0.01, show=False)
    return error.value


@pytest.mark.parametrize("others", [{}, {"angle_x": 0}, {"angle_z": 0}])
def test_prescribed_motion_with_a_middle_angle(others):
    error = stopped(fx.PrescribedMotion("turn", BODY, x=0, y=0, z=0, angle_y="3*t", **others))
    assert error.time == pytest.approx(0.5236, abs=1e-3)
    for words in ("'turn.angle_y'", "about y, is at ±90 deg", "prescribe all three angles"):
        assert any(words in cause for cause in error.causes[: 1 + len(others)])


def test_what_acts_on_a_ball():
    ball = fx.Spherical("ball", fx.ground, BODY, start_rate=(0, 3, 0))
    for item in (
        fx.JointSpring("spring", ball, variable="angle_x", stiffness=1),
        fx.Motor("motor", ball, variable="angle_y", speed=3),
    ):
        first = stopped(ball, item).causes[0]
        assert first.startswith(f"'{item.name}' acts on an angle of a joint whose 'ball.angle_y' is at ±")
        assert "90 deg" in first
        assert "form: rotation_vector" in first
    rub = fx.Friction("rub", ball, variable="angle_z", prestress=0.01)
    with pytest.raises(
        LawError, match="'rub': the middle angle of its joint has come within 1° of 90°"
    ):  # its law says so
        fx.Model("to the limit", [BODY, ball, rub]).dynamics(until=0.7, step=0.01, show=False)


def test_a_transmission_on_a_ball():
    ball = fx.Spherical("ball", fx.ground, BODY, start_rate=(0, 3, 0))
    wheel = fx.RigidBody("wheel", mass=1, inertia=0.01)
    pin = fx.Revolute("pin", fx.ground, wheel, axis="z")
    gear = fx.Coupling("gear", of={"ball.angle_z": 1.0, "pin.angle": 1.0}, stiffness=1e3)
    assert "'gear' acts on an angle of a joint whose 'ball.angle_y'" in stopped(ball, wheel, pin, gear).causes[0]


def test_nothing_is_said_of_angles_that_are_far_from_their_limit():
    for angle, said in ((1.0, 0), (-1.55, 1), (1.55, 1)):
        ball = fx.Spherical("ball", fx.ground, BODY, start=(0.3, angle, 2.0))
        spring = fx.JointSpring("spring", ball, variable="angle_z", stiffness=1)
        assert len(angles_at_limits(compile_model(fx.Model("ball", [BODY, ball, spring])))) == said


def test_a_ball_by_elimination():
    ball = fx.Spherical("ball", fx.ground, BODY, start=(0.3, 1.55, 2.0), enforcement="elimination")
    (cause,) = angles_at_limits(compile_model(fx.Model("ball", [BODY, ball])))
    assert "by elimination, whose 'ball.angle_y' is at ±88.8" in cause
    assert "enforcement: multipliers" in cause


def test_a_rotation_vector_by_elimination():
    ball = fx.Spherical("ball", fx.ground, BODY, form="rotation_vector", enforcement="elimination")
    system = compile_model(fx.Model("ball", [BODY, ball]))
    assert angles_at_limits(system) == []
    system.memory.s[0::3] = (0.0, 6.25, 0.0)
    (cause,) = angles_at_limits(system)
    assert "joint 'ball'" in cause
    assert "at 360 deg it ends" in cause


def test_motors_on_all_angles_of_a_ball_by_elimination():
    """Their advice is that of a ball, not that of a prescribed motion, and is given once for each."""
    ball = fx.Spherical("ball", fx.ground, BODY, start=(0.3, 1.55, 2.0), enforcement="elimination")
    angles = {"angle_z": 0.3, "angle_y": 1.55, "angle_x": 2.0}
    motors = [fx.Motor(f"m_{each}", ball, variable=each, position=value) for each, value in angles.items()]
    causes = angles_at_limits(compile_model(fx.Model("ball", [BODY, ball, *motors])))
    assert [cause.split()[0] for cause in causes] == ["'m_angle_z'", "'m_angle_y'", "'m_angle_x'"]
    for cause in causes:
        assert "acts on an angle of a joint whose 'ball.angle_y' is at ±88.8" in cause
        assert "form: rotation_vector" in cause
        assert "prescribe all three" not in cause
