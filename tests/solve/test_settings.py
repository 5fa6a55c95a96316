"""Settings that cannot be kept as given are refused with advice; names from elsewhere are answered with ours."""

import numpy as np
import pytest

import flexor as fx

BAR = fx.RigidBody("bar", 1, (0.01, 0.1, 0.1), center_of_mass=(0.4, 0, 0))
PIN = fx.Revolute("pin", fx.ground, BAR, axis="z")
MODEL = fx.Model("pendulum", gravity=(0, -9.81, 0), items=[BAR, PIN])
DRIVEN = MODEL.with_item(fx.Motor("motor", joint="pin", speed=1.0))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"step": "0.3 ms", "output": "1 ms"},
            "no whole number of steps of 0.0003 s, give output=0.0009, or step=0.00025",
        ),
        ({"step": "1 ms", "output": "0.1 ms"}, "rows cannot be closer than steps"),
        ({"step": "1 ms", "output": "0.1 ms", "error": 1e-4}, "rows cannot be closer than steps"),
        ({"step": "1 ms", "min_step": "2 ms"}, "min_step = 0.002 s; it is above step = 0.001 s"),
        ({"error": 1e-4, "max_step": "1 ms", "min_step": "2 ms"}, "it is above max_step"),
        ({"error": 1e-4, "max_step": "1 ms", "step": "2 ms"}, "it is above max_step"),
        ({"step": "1 ms", "max_step": "2 ms"}, "a fixed step has no largest one"),
        ({"step": 1e-300}, r"1e\+298 of them"),
        ({"step": 1}, "the run ends before"),
        ({}, "no step"),
        ({"step": "1 ms", "record": ["nope"]}, "no signals of 'nope'"),
        ({"step": "1 ms", "record": ["pni"]}, "did you mean 'pin'"),
        ({"step": "1 ms", "record": ["pin.angle"]}, "name the object, 'pin'"),
    ],
)
def test_times_and_names_that_cannot_be_kept(settings: dict, said: str) -> None:
    with pytest.raises(fx.ModelError, match=said):
        MODEL.dynamics(until=0.01, show=False, **settings)


def test_every_contradiction_is_told_at_once() -> None:
    with pytest.raises(fx.ModelError) as caught:
        MODEL.dynamics(until=0.01, step=0.3e-3, output=1e-3, max_step=1, min_step=1, show=False)
    assert len(caught.value.problems) == 3


def test_rows_stand_at_multiples_of_output() -> None:
    run = MODEL.dynamics(until="10 ms", step="0.25 ms", output="1 ms", show=False)
    np.testing.assert_allclose(run.time, 1e-3 * np.arange(11), rtol=1e-9)
    run = DRIVEN.kinematics(until=1, step=0.3, show=False)
    np.testing.assert_allclose(run.time, [0, 0.3, 0.6, 0.9, 1.0], rtol=1e-12)
    np.testing.assert_allclose(run["pin.angle"], run.time, atol=1e-12)


@pytest.mark.parametrize(("until", "step"), [(-1, 0.1), (1, 0), (1, 2), (1, -0.1), (1, 1e-300), (float("inf"), 1)])
def test_kinematics_needs_times_that_make_sense(until: float, step: float) -> None:
    with pytest.raises(fx.ModelError, match="kinematics"):
        DRIVEN.kinematics(until=until, step=step, show=False)
    with pytest.raises(fx.ModelError, match="no signals of 'nope'"):
        DRIVEN.kinematics(until=1, step=0.1, record="nope", show=False)


@pytest.mark.parametrize(
    ("analysis", "args", "given", "said"),
    [
        ("dynamics", (), {"t_end": 1}, "unknown option 't_end'; did you mean 'until'"),
        ("dynamics", (1,), {"dt": 1e-3}, "did you mean 'step'"),
        ("dynamics", (), {"until": 1, "stepsize": 1e-3}, "did you mean 'step'"),
        ("dynamics", (), {}, "'until' is missing"),
        ("dynamics", (1, 1e-3, 5), {}, "it takes 2 values by position"),
        ("dynamics", (1,), {"until": 1}, "'until' is given twice"),
        ("dynamics", (1, 1e-3), {"initial_state": 1}, "did you mean 'start'"),
        ("statics", (), {"tol": 1}, "did you mean 'tolerance'"),
        ("statics", (5,), {}, "it takes no values by position"),
        ("modes", (), {"n_modes": 3}, "did you mean 'count'"),
        ("modes", (), {"omega": 3}, "did you mean 'angular_velocity'"),
        ("kinematics", (), {"t_end": 1, "dt": 0.1}, "did you mean 'until'"),
        ("kinematics", (), {"until": 1}, "'step' is missing"),
        ("campbell", (), {}, "'speeds' is missing"),
        ("campbell", ([0, 1],), {"rotr": "bar"}, "did you mean 'rotor'"),
        ("campbell", ([0, 1],), {"zzz": "bar"}, "known are speeds, count"),
    ],
)
def test_unknown_options_are_answered_with_the_right_ones(analysis: str, args: tuple, given: dict, said: str) -> None:
    with pytest.raises(fx.ModelError, match=said):
        getattr(MODEL, analysis)(*args, **given)
