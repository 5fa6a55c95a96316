"""Every block against scipy.signal: step, ramp, sine and frequency response; listed is tested."""

from __future__ import annotations

import cmath

import numpy as np
import pytest
from scipy import signal

import flexor as fx
from flexor.control import CONTROLS, Sensor
from flexor.control.block import ControlBlock

STEP, UNTIL = 5e-4, 0.6
INPUTS = {"step": "1", "ramp": "t", "sine": "sin(7*t)"}
FREQUENCIES = np.array([0.03, 0.4, 2.0, 9.0])
W0 = 2 * np.pi * 3.0

TRANSFER = {
    "integrator": ([2.5], [1, 0]),
    "limited_derivative": ([0.7, 0], [0.02, 1]),
    "pi": ([3 * 0.4, 3], [0.4, 0]),
    "p_limited_i": (3 * 5 / 0.4 * np.array([0.4, 1]), [5, 1]),
    "p_limited_d": (3 * np.array([0.2, 1]), [0.01, 1]),
    "pi_limited_d": (3 * np.polymul([0.4, 1], [0.2, 1]), np.polymul([0.4, 0], [0.01, 1])),
    "p_limited_i_limited_d": (3 * 5 / 0.4 * np.polymul([0.4, 1], [0.2, 1]), np.polymul([5, 1], [0.01, 1])),
    "real_pole": ([2], [0.05, 1]),
    "complex_pole": ([40], [1, 2 * 0.2 * W0, W0**2]),
    "first_order": ([2 * 0.2, 2], [0.05, 1]),
    "second_order": (2 * np.array([0.001, 0.3, 1]), [0.02, 0.1, 1]),
    "transfer_function": ([0.02, 0.5, 1.0], [2e-4, 0.03, 0.4, 1.0]),
}
"""Numerator and denominator of each linear block, of its first sample, written down from FTG 8.4."""
IMPROPER = {"pd": ([3 * 0.2, 3], [1]), "pid": (3 * np.array([0.2 * 0.4, 0.4, 1]), [0.4, 0])}
STATIC = {
    "comparator": lambda u: 0.5 - u,
    "adder": lambda u: 1.5 * u - 0.2 * u,
    "amplifier": lambda u: -60 * u,
    "multiplier": lambda u: u * u,
    "power": lambda u: u**3,
    "logic_switch": lambda u: np.where(u < 0.1, -2.0, 5.0),
    "limitation": lambda u: np.clip(u, -0.3, 0.5),
    "dead_zone": lambda u: u - np.clip(u, -0.1, 0.2),
}
ELSEWHERE = {"state_space", "time_delay", "sample_and_hold", "hysteresis"}
"""With tests of their own below."""
KINDS = {kind.model_fields["type"].default: kind for kind in CONTROLS if kind is not Sensor}


def test_every_block_is_tested():
    assert set(KINDS) == {*TRANSFER, *IMPROPER, *STATIC, *ELSEWHERE}


def block(kind: str, name: str, given: str | float, **fields) -> ControlBlock:
    sample = KINDS[kind].samples[0]
    several = "inputs" in sample
    inputs = (
        {"inputs": [given if isinstance(each, str) else each for each in sample["inputs"]]}
        if several
        else {"input": given}
    )
    return KINDS[kind](
        **{**sample, "name": name, **inputs, **({"initial": 0} if "initial" in sample else {}), **fields}
    )


def exact(num, den, kind: str, t: np.ndarray) -> np.ndarray:
    """Exact for steps and ramps, which lsim interpolates; sines on a finer grid."""
    many = 1 if kind != "sine" else 20
    fine = np.linspace(0, t[-1], many * (len(t) - 1) + 1)
    u = {"step": np.ones_like(fine), "ramp": fine, "sine": np.sin(7 * fine)}[kind]
    return signal.lsim((num, den), u, fine)[1][::many]


@pytest.fixture(scope="module")
def run():
    """All blocks under all inputs at once."""
    names = [*TRANSFER, *IMPROPER, *STATIC]
    blocks = [block(kind, f"{kind} {way}", text) for kind in names for way, text in INPUTS.items()]
    return fx.Model("blocks", blocks).dynamics(until=UNTIL, step=STEP, show=False)


@pytest.mark.parametrize("way", INPUTS)
@pytest.mark.parametrize("kind", TRANSFER)
def test_linear_blocks_over_time(run, kind, way):
    expected = exact(*TRANSFER[kind], way, run.time)
    found = run[f"{kind} {way}.value"].values
    assert np.abs(found - expected).max() < 2e-3 * np.abs(expected).max()  # of the fastest pole, 1/T = 20 h
    assert abs(found[-1] - expected[-1]) < 1e-4 * np.abs(expected).max()


@pytest.mark.parametrize("kind", IMPROPER)
def test_pure_derivatives(run, kind):
    t = run.time[5:]
    gain, rate = 3.0, 0.2
    integral = {"ramp": t**2 / 2 / 0.4, "sine": (1 - np.cos(7 * t)) / 7 / 0.4}
    for way, u, du in (("ramp", t, 1 + 0 * t), ("sine", np.sin(7 * t), 7 * np.cos(7 * t))):
        expected = gain * (u + rate * du + (integral[way] if kind == "pid" else 0.0))
        np.testing.assert_allclose(
            run[f"{kind} {way}.value"].values[5:], expected, rtol=0, atol=1e-4 * np.abs(expected).max()
        )


@pytest.mark.parametrize("kind", STATIC)
def test_static_blocks(run, kind):
    for way, u in (("ramp", run.time), ("sine", np.sin(7 * run.time)), ("step", np.ones_like(run.time))):
        expected = STATIC[kind](u)
        found = run[f"{kind} {way}.value"].values
        away = np.abs(u - 0.1) > 1e-6 if kind == "logic_switch" else slice(None)
        np.testing.assert_allclose(found[away], expected[away], rtol=1e-9, atol=1e-9)


def response_of(*blocks, outputs=None):
    model = fx.Model("blocks", blocks)
    names = [each.name for each in blocks]
    fields = [f"{each.name}.input" for each in blocks]
    found = model.frequency_response(FREQUENCIES, fields, outputs=outputs or names)
    return {name: found.values[:, i, i] for i, name in enumerate(names)}


def test_frequency_response_of_linear_blocks():
    found = response_of(*(block(kind, kind, 0.0) for kind in (*TRANSFER, *IMPROPER)))
    s = 2j * np.pi * FREQUENCIES
    for kind, (num, den) in {**TRANSFER, **IMPROPER}.items():
        np.testing.assert_allclose(found[kind], np.polyval(num, s) / np.polyval(den, s), rtol=1e-9, err_msg=kind)


def test_frequency_response_of_delays():
    found = response_of(fx.TimeDelay("delay", 0.0, 0.03), fx.SampleAndHold("hold", 0.0, 0.01))
    for f, delay, hold in zip(FREQUENCIES, found["delay"], found["hold"], strict=True):
        assert abs(delay - cmath.exp(-2j * np.pi * f * 0.03)) < 1e-5
        assert abs(hold - cmath.exp(-2j * np.pi * f * 0.005)) < 2e-3


def test_state_space_with_two_inputs_and_outputs():
    fields = KINDS["state_space"].samples[0]
    plant = fx.StateSpace("plant", ["sin(7*t)", "t"], *(fields[name] for name in "ABCD"), initial=[0.1, -0.2])
    run = fx.Model("plant", [plant, fx.Sensor("second", "plant.value_2")]).dynamics(until=UNTIL, step=1e-3, show=False)
    fine = np.linspace(0, UNTIL, 20001)
    system = [np.array(fields[name], float) for name in "ABCD"]
    _, y, _ = signal.lsim(system, np.column_stack([np.sin(7 * fine), fine]), fine, X0=[0.1, -0.2])
    for i, name in enumerate(("plant.value", "plant.value_2")):
        expected = np.interp(run.time, fine, y[:, i])
        np.testing.assert_allclose(run[name].values, expected, rtol=0, atol=2e-5 * np.abs(y[:, i]).max())
    np.testing.assert_array_equal(run["second.value"].values, run["plant.value_2"].values)


@pytest.mark.parametrize(("step", "room"), [(7e-4, 1000), (0.05, 1000), (7e-4, 30)])
def test_delay(step, room):
    """Longer than the step, shorter than it, and with samples left out."""
    model = fx.Model("late", [fx.TimeDelay("late", "sin(3*t)", 0.03, room=room)])
    run = model.dynamics(until=0.5, step=step, show=False)
    expected = np.where(run.time < 0.03, 0.0, np.sin(3 * (run.time - 0.03)))
    assert np.abs(run["late.value"].values - expected).max() < 9 * max(step, 0.03 / room * 4) ** 2 / 8 + 1e-12


def test_sample_and_hold_meets_its_ticks():
    """(d + k m) T, whatever the step; before the first one it has its initial value."""
    hold = fx.SampleAndHold("hold", "t^2", 0.013, multiple=2, phase=1, initial=-1)
    run = fx.Model("held", [hold]).dynamics(until=0.2, step=1e-3, show=False)
    k = np.floor((run.time - 0.013) / 0.026 + 1e-9)
    expected = np.where(k < 0, -1.0, (0.013 + 0.026 * np.maximum(k, 0)) ** 2)
    np.testing.assert_allclose(run["hold.value"].values, expected, rtol=1e-12, atol=1e-15)


def test_two_holds_make_a_shift_register():
    first = fx.SampleAndHold("first", "t", 0.02)
    second = fx.SampleAndHold("second", first, 0.02)
    run = fx.Model("register", [first, second]).dynamics(until=0.1, step=5e-3, show=False)
    k = np.floor(run.time / 0.02 + 1e-9)
    np.testing.assert_allclose(run["second.value"].values, np.maximum(k - 1, 0) * 0.02, atol=1e-15)


def test_hysteresis_goes_round():
    run = fx.Model("play", [fx.Hysteresis("play", "2*sin(3*t)", -0.3, 0.4, 1.5)]).dynamics(
        until=4, step=1e-3, show=False
    )
    y, expected = 0.0, []
    for u in 2 * np.sin(3 * run.time):
        y = min(max(y, 1.5 * (u - 0.4)), 1.5 * (u + 0.3))
        expected.append(y)
    np.testing.assert_allclose(run["play.value"].values, expected, atol=1e-5)


def oscillator(p, t, x, u, dx, y):
    """Van der Pol's."""
    dx[0] = x[1]
    dx[1] = p[0] * (1 - x[0] * x[0]) * x[1] - x[0] + u[0]
    y[0] = x[0]


def test_blocks_of_the_user():
    """Compiled and as plain Python, of second order."""
    from scipy.integrate import solve_ivp

    def rates(t, x):
        return [x[1], 2 * (1 - x[0] ** 2) * x[1] - x[0] + np.sin(t)]

    expected = solve_ivp(rates, (0, 2), [1, 0], rtol=1e-11, atol=1e-12).y[0, -1]
    found = {}
    for compiled, step in ((True, 0.02), (True, 0.01), (False, 0.02)):
        own = fx.UserBlock(
            "own", oscillator, inputs=["sin(t)"], states=2, parameters=[2], initial=[1, 0], compiled=compiled
        )
        run = fx.Model("own", [own]).dynamics(until=2, step=step, show=False)
        found[compiled, step] = run["own.value"].values[-1] - expected
    assert found[True, 0.02] / found[True, 0.01] == pytest.approx(4, rel=0.1)
    assert found[False, 0.02] == pytest.approx(found[True, 0.02], rel=1e-6)
    run = fx.Model("own", [own]).dynamics(until=2, error=1e-5, show=False)
    assert abs(run["own.value"].values[-1] - expected) < 1e-5
