"""Harmonic balance: Duffing's oscillator in closed form and in time, a clearance, friction, a pendulum, and linear models."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import flexor as fx
from flexor.mesh.generate import bar
from flexor.solve.periodic.analysis import FrozenFunction, IncompleteCurve, TooFewHarmonics
from flexor.solve.periodic.stability import UncertainStability

M, K, C, K3, F = 1.0, (2 * np.pi) ** 2, 0.3, 40.0, 1.0
OUT = "rail.displacement"


def oscillator(force=0.0, cubic: float = K3, **spring) -> fx.Model:
    mass = fx.RigidBody("mass", mass=M, inertia=(1, 1, 1))
    spring["force"] = fx.polynomial(0, 0, 0, cubic) if cubic else spring.pop("law", None)
    items = [
        mass, fx.Prismatic("rail", fx.ground, mass, axis="x"), fx.JointSpring("spring", "rail", stiffness=K, damping=C, **spring),
        fx.PointForce("push", mass, direction="x", force=force),
    ]  # fmt: skip
    return fx.Model("duffing", items)


def stiffened(A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """ω of both branches of [(k + ¾k₃A² − mω²)² + c²ω²] A² = F² (m = 1)."""
    k = K + 0.75 * K3 * A**2
    root = np.sqrt(np.maximum((k - C**2 / 2) ** 2 - k**2 + (F / A) ** 2, 0.0))
    return np.sqrt(np.maximum(k - C**2 / 2 - root, 0.0)), np.sqrt(k - C**2 / 2 + root)


def late(run: fx.Run, hertz: float, name: str = OUT) -> tuple[float, complex]:
    """Half of the peak-to-peak value in the last cycles, and the first harmonic of e^{iωt}."""
    cycles = run.time > run.time[-1] - 4 / hertz + 1e-9
    t, y = run.time[cycles], np.asarray(run[name])[cycles]
    return 0.5 * float(np.ptp(y)), complex(2 * np.mean(y * np.exp(-2j * np.pi * hertz * t)))


def long_run(model: fx.Model, hertz: float, got, point: int, cycles: int = 60) -> tuple[float, complex]:
    """What a run that begins with a motion of the curve ends with."""
    rate = -2 * np.pi * hertz * float((np.arange(got.harmonics + 1) * got.phasors[point, 0]).sum().imag)
    start = {"start": (got.cycle(OUT, point)[1][0],), "start_rate": (rate,)}
    items = [item.model_copy(update=start) if item.name == "rail" else item for item in model.items]
    run = fx.Model("long", items).dynamics(f"{cycles / hertz} s", f"{1 / hertz / 400} s", show=False)
    return late(run, hertz)


def test_one_harmonic_of_duffing_is_the_closed_form():
    got = oscillator().harmonic_balance((0.6, 1.6), {"push.force": F}, OUT, harmonics=1, samples=16, step=0.1)
    A, w = np.abs(got[OUT]), 2 * np.pi * got.frequencies
    left = ((K + 0.75 * K3 * A**2 - w**2) ** 2 + (C * w) ** 2) * A**2
    np.testing.assert_allclose(left, F**2, rtol=1e-8)
    sizes = np.linspace(0.05, 0.999 * A.max(), 400_001)
    low, high = stiffened(sizes)  # the branch before the peak, and that behind it
    assert got.complete
    assert got.folds[0] == pytest.approx(max(low.max(), high[-1]) / (2 * np.pi), rel=1e-3)
    assert got.folds[1] == pytest.approx(high.min() / (2 * np.pi), rel=1e-8)
    # stable but between the folds
    between = np.cumsum(np.isin(got.frequencies, got.folds)) == 1
    at_fold = np.isin(got.frequencies, got.folds)
    assert np.all(got.stable[between & ~at_fold] == 0)
    assert np.all(got.stable[~between & ~at_fold] == 1)


def test_both_branches_of_duffing_are_those_of_long_runs():
    got = oscillator().harmonic_balance((0.6, 1.6), {"push.force": F}, OUT, harmonics=5, samples=32, step=0.1)
    middle = float(np.mean(got.folds))
    assert [stable for _, stable in got.at(middle, OUT)] == [True, False, True]
    first, last = np.flatnonzero(np.isin(got.frequencies, got.folds))
    order = np.arange(len(got))
    for some in (order < first, order > last):
        point = int(order[some][np.argmin(np.abs(got.frequencies[some] - middle))])
        hertz = float(got.frequencies[point])
        size, harmonic = long_run(oscillator(fx.sine(F, frequency=hertz, phase="90 deg")), hertz, got, point)
        assert size == pytest.approx(got.amplitude(OUT)[point], rel=2e-3)
        assert abs(harmonic / got[OUT][point] - 1) < 5e-3


def test_a_linear_model_has_its_frequency_response():
    """Constraints, base motion by a motor, and a flexible body, at every point of the curve."""
    ends = {"left": fx.Interface("x_min", tie="average"), "tip": fx.Interface("x_max", tie="average")}
    mesh = bar(0.5, 0.02, 0.01, (6, 1, 1), element="hex20", material=fx.Steel())
    rod = fx.FlexibleBody(
        "rod",
        mesh=mesh,
        interfaces=ends,
        reduction=fx.CraigBampton(2),
        formulation="floating",
        damping=fx.Rayleigh(beta=1e-4),
    )
    still = dict.fromkeys(("x", "y", "angle_x", "angle_y", "angle_z"), 0)
    shaker = fx.PrescribedMotion("shaker", rod["left"], given="acceleration", z=0, **still)
    outputs = ["rod.tip.position_z", "rod.tip.acceleration_z"]
    model = fx.Model("shaken", [rod, shaker, fx.PointForce("push", rod["tip"], direction="y", force=0)])
    asked = {"shaker.z": 1e-6, "push.force": 1e-7j}
    got = model.harmonic_balance((20, 40), asked, outputs, harmonics=2, step=0.5, samples=8)
    linear = model.frequency_response(got.frequencies, asked, outputs).total
    assert got.complete
    np.testing.assert_allclose(got.phasors[:, :, 1], linear, rtol=1e-7)
    assert np.abs(got.phasors[:, :, 2]).max() < 1e-6 * np.abs(linear).max()
    small = oscillator(cubic=0.0).harmonic_balance((0.6, 1.6), {"push.force": F}, OUT, harmonics=3, step=0.1)
    expected = oscillator(cubic=0.0).frequency_response(small.frequencies, {"push.force": F}, OUT).total
    np.testing.assert_allclose(small.phasors[:, :, 1], expected, rtol=1e-9)
    assert np.all(small.stable == 1)


def test_clearance_against_a_long_run():
    """A mass on a soft spring in a play of ± 2 cm: the curve bends over where it touches."""

    def model(push=0.0):
        return oscillator(push, cubic=0.0, law=fx.clearance("20 mm", "60 N/m"))

    got = model().harmonic_balance((0.8, 1.9), {"push.force": 0.6}, OUT, harmonics=7, samples=128, step=0.2)
    first, last = (int(np.flatnonzero(got.frequencies == each(got.folds))[0]) for each in (max, min))
    assert got.folds.max() > 1.1 * got.folds.min()
    assert got.amplitude(OUT)[first] > 0.1
    middle, order = 0.5 * (got.folds.max() + got.folds.min()), np.arange(len(got))
    for some in (order < first, order > last):
        point = int(order[some][np.argmin(np.abs(got.frequencies[some] - middle))])
        assert got.stable[point] == 1
        hertz = float(got.frequencies[point])
        size, harmonic = long_run(model(fx.sine(0.6, frequency=hertz, phase="90 deg")), hertz, got, point)
        assert abs(got[OUT][point] / harmonic - 1) < 0.01
        assert got.amplitude(OUT)[point] == pytest.approx(size, rel=5e-3)


def test_smooth_friction_against_a_long_run():
    items = [
        *oscillator(cubic=0.0).items,
        fx.Friction("rub", "rail", coefficient=0.3, load=1.0, model="tanh", smooth_speed=0.02),
    ]
    model = fx.Model("rubbing", items)
    got = model.harmonic_balance((0.8, 1.2), {"push.force": F}, OUT, harmonics=7, samples=128, step=0.2)
    hertz = 1.0
    items[3] = fx.PointForce("push", "mass", direction="x", force=fx.sine(F, frequency=hertz, phase="90 deg"))
    _, first = late(fx.Model("rubbing", items).dynamics("40 s", "2 ms", show=False), hertz)
    ((motion, stable),) = got.at(hertz, OUT)
    assert stable
    assert abs(motion / first - 1) < 5e-3
    assert abs(motion) < 0.9 * abs(
        oscillator(cubic=0.0).frequency_response([hertz], {"push.force": F}, OUT).total[0, 0]
    )


@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
def test_a_pendulum_with_large_swings_against_a_long_run(enforcement):
    def model(force=0.0):
        arm = fx.RigidBody("arm", mass=1.0, inertia=(0.02, 0.02, 0.02), center_of_mass=(0, -0.4, 0))
        items = [
            arm, fx.Revolute("pin", fx.ground, arm, axis="z", enforcement=enforcement), fx.JointSpring("d", "pin", damping=0.15),
            fx.PointForce("wind", arm.at(0, -0.5, 0), direction="x", force=force),
        ]  # fmt: skip
        return fx.Model("pendulum", items, gravity=(0, -9.81, 0))

    hertz, outputs = 0.58, ["pin.angle", *(["pin.force_y"] if enforcement == "multipliers" else [])]
    got = model().harmonic_balance((0.3, hertz), {"wind.force": 1.5}, outputs, harmonics=5, step=0.2)
    run = model(fx.sine(1.5, frequency=hertz, phase="90 deg")).dynamics("70 s", "5 ms", show=False)
    size, first = late(run, hertz, "pin.angle")
    assert got.amplitude("pin.angle")[-1] > 0.4
    assert abs(got["pin.angle"][-1] / first - 1) < 2e-3
    assert got.amplitude("pin.angle")[-1] == pytest.approx(size, rel=2e-3)
    for output in outputs[1:]:
        assert got.amplitude(output)[-1] == pytest.approx(late(run, hertz, output)[0], rel=5e-3)


def test_the_curve_is_drawn_and_told(tmp_path):
    model = oscillator()
    got = model.harmonic_balance((0.6, 1.6), {"push.force": F}, OUT, harmonics=3, step=0.05)
    linear = model.frequency_response(np.linspace(0.6, 1.6, 50), {"push.force": F}, OUT)
    got.plot(tmp_path / "curve.png", compare=linear)
    assert (tmp_path / "curve.png").stat().st_size > 1000
    assert "folds at" in str(got)
    time, values = got.cycle(OUT, 3)
    assert values[0] == pytest.approx(values[-1])
    assert time[-1] == pytest.approx(1 / got.frequencies[3])
    with pytest.raises(fx.ModelError, match="no harmonic 4"):
        got.harmonic(OUT, 4)
    with pytest.raises(fx.ModelError, match="these are"):
        got.amplitude("mass")


def test_stability_that_is_not_settled_is_told():
    """A stop that is struck hard: multipliers of an independent integration are 0.83 and 0.44 at 1 Hz, by few harmonics larger than one."""
    mass = fx.RigidBody("mass", mass=1.0, inertia=(1, 1, 1))
    items = [
        mass, fx.Prismatic("rail", fx.ground, mass, axis="x"), fx.JointSpring("spring", "rail", stiffness=40.0, damping=1.0),
        fx.JointSpring("stop", "rail", force=fx.clearance("20 mm", "2 N/mm")), fx.PointForce("push", mass, direction="x", force=0),
    ]  # fmt: skip
    struck = fx.Model("struck", items)
    with pytest.warns(UncertainStability, match="with 22 harmonics"):
        got = struck.harmonic_balance((0.999, 1.02), {"push.force": 1.0}, [OUT], harmonics=11, samples=220, step=1.0)
    assert not got.stable[0]
    with warnings.catch_warnings():
        warnings.simplefilter("error", UncertainStability)
        oscillator().harmonic_balance((0.9, 1.3), {"push.force": F}, [OUT], harmonics=3, step=0.5)


def test_what_is_left_out_is_told():
    with pytest.warns(IncompleteCurve, match="max_points"):
        oscillator().harmonic_balance((0.6, 1.6), {"push.force": F}, OUT, harmonics=1, max_points=3)
    with pytest.warns(TooFewHarmonics, match="highest of 3"):
        oscillator(cubic=2000.0).harmonic_balance((0.6, 0.5), {"push.force": 8.0}, OUT, harmonics=3)
    model = oscillator()
    wind = fx.PointForce("wind", "mass", direction="x", force=fx.sine(1.0, frequency=1.0))
    with pytest.warns(FrozenFunction, match="wind.force"):
        model.with_item(wind).harmonic_balance((0.6, 0.7), {"push.force": 0.1}, OUT, harmonics=1)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"between": 3.0}, "two frequencies"),
        ({"between": (1.0, 1.0)}, "positive, and two"),
        ({"between": (0.0, 1.0)}, "positive, and two"),
        ({"harmonics": 0}, "harmonic"),
        ({"samples": 8}, "samples"),
        ({"inputs": "pull"}, "no such item"),
        ({"outputs": "rail.shift"}, "rail.displacement"),
    ],
)
def test_bad_input_is_refused(change, told):
    asked = {"between": (0.6, 0.7), "inputs": {"push.force": F}, "outputs": OUT} | change
    with pytest.raises(fx.ModelError, match=told):
        oscillator().harmonic_balance(**asked)


def test_forces_with_a_past_are_refused():
    with pytest.raises(fx.ModelError, match="yields"):
        oscillator(yields=0.2).harmonic_balance((0.6, 0.7), {"push.force": F}, OUT)
    model = oscillator().with_item(fx.Friction("rub", "rail", coefficient=0.3, load=1.0))
    with pytest.raises(fx.ModelError, match="tanh"):
        model.harmonic_balance((0.6, 0.7), {"push.force": F}, OUT)


def controlled(force="0 - act", push=0.0) -> fx.Model:
    """A mass whose velocity, filtered and (with a border) limited, is fed back as a force."""
    items = [
        *oscillator(push, cubic=0.0).items, fx.Sensor("v", "mass.velocity_x"),
        fx.FirstOrder("filter", "v", gain=2.0, lag=0.05), fx.Limitation("act", "filter", lower=-0.4, upper=0.4),
        fx.PointForce("back", "mass", direction="x", force=force),
    ]  # fmt: skip
    return fx.Model("controlled", items)


def test_states_of_controllers_are_part_of_it():
    model = controlled()
    got = model.harmonic_balance((0.8, 1.2), {"push.force": 1e-3}, OUT, harmonics=1, samples=8, step=0.3)
    linear = model.frequency_response(got.frequencies, {"push.force": 1e-3}, OUT).total[:, 0]
    np.testing.assert_allclose(got[OUT], linear, rtol=1e-9)
    assert np.all(got.stable == 1)


def test_a_limited_actuator_against_a_long_run():
    got = controlled().harmonic_balance((0.8, 1.0), {"push.force": F}, OUT, harmonics=7, samples=128, step=0.5)
    run = controlled(push=fx.sine(F, frequency=1.0, phase="90 deg")).dynamics("40 s", "2.5 ms", show=False)
    _, first = late(run, 1.0)
    linear = controlled().frequency_response([1.0], {"push.force": F}, OUT).total[0, 0]
    assert abs(got[OUT][-1] / first - 1) < 5e-3
    assert abs(first) > 1.3 * abs(linear)  # it is limited
