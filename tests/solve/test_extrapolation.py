"""Motion to a wanted accuracy: extrapolated signals against closed forms, and honest estimates of their errors."""

import warnings
from functools import partial

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk
from typer.testing import CliRunner

import flexor as fx
from flexor.cli import app
from flexor.results.kept_run import record
from flexor.results.writer import RunWriter
from flexor.solve.dynamics import dynamics, prepare
from flexor.solve.extrapolation import MOST_RUNS, extrapolate, run_to_accuracy
from flexor.solve.settings import DynamicsSettings

TIGHT = {"displacement": 1e-14, "acceleration": 1e-11, "prediction": 1e-5}


def pendulum():
    bob = fx.PointMass("bob", 1.0, position=(-1, 0, 0))
    return fx.Model("pendulum", [bob, fx.Distance("rod", fx.ground, bob)], gravity=(0, -9.81, 0))


def exact_pendulum(t):
    """Position, velocity and tension: sin(φ/2) = sin 45° sn(√(g/ℓ) t + K), F = 3 m g cos φ."""
    sn, cn, *_ = ellipj(np.sqrt(9.81) * t + ellipk(0.5), 0.5)
    phi = 2 * np.arcsin(np.sqrt(0.5) * sn)
    rate = 2 * np.sqrt(0.5) * cn * np.sqrt(9.81)  # φ̇ = 2 k ω cn
    position = np.column_stack([-np.sin(phi), -np.cos(phi)])
    return position, rate[:, None] * np.column_stack([-np.cos(phi), np.sin(phi)]), 3 * 9.81 * np.cos(phi)


def test_a_pendulum_is_as_accurate_as_asked_and_told():
    run = pendulum().dynamics(until=2, step=0.02, accuracy=1e-6, show=False)
    position, velocity, tension = exact_pendulum(run.time)
    off = {
        "bob.position": np.abs(run["bob.position"][:, :2] - position).max(),
        "bob.velocity": np.abs(run["bob.velocity"][:, :2] - velocity).max(),
        "rod.force": np.abs(-run["rod.force"] - tension).max(),
    }
    largest = {"bob.position": 1.0, "bob.velocity": np.sqrt(2 * 9.81), "rod.force": 3 * 9.81}
    for name, error in off.items():
        assert error <= 1e-6 * largest[name], name
        assert 0.2 * error <= run.error(name) <= 1e-6 * largest[name], name
    about = run.meta["accuracy"]
    assert about["reached"] <= 1e-6
    assert about["rough"] == []
    assert len(run.history["time"]) < 4000  # a run of its own would need steps of 20 µs
    assert "errors up to" in run.summary()
    assert run.seconds > 0


@pytest.mark.parametrize(("integrator", "order"), [(0.8, 3), (0.2, 3), (fx.HHT(-0.1), 3)])
def test_extrapolated_positions_velocities_and_forces_are_of_third_order(integrator, order):
    errors = []
    tables, columns = [], None
    for step in (0.02, 0.01, 0.005, 0.0025, 0.00125):
        run = pendulum().dynamics(until=1, step=step, output=0.02, integrator=integrator, tolerances=TIGHT, show=False)
        columns = [("time", "s"), *((name, run.units[name]) for name in run.names)]
        tables.append(run.rows(0, len(run)))
    place = {name: i for i, (name, _) in enumerate(columns)}
    for three in (tables[0:3], tables[1:4], tables[2:5]):
        rows = extrapolate(columns, three, 1e-12).rows
        position, velocity, tension = exact_pendulum(rows[:, 0])
        errors.append(
            [
                np.abs(rows[:, place["bob.position_x"]] - position[:, 0]).max(),
                np.abs(rows[:, place["bob.velocity_x"]] - velocity[:, 0]).max(),
                np.abs(-rows[:, place["rod.force"]] - tension).max(),
            ]
        )
    orders = np.log2(np.array(errors)[:-1] / np.array(errors)[1:])
    assert np.all(orders[-1] > order - 0.3), orders


def test_a_top_that_turns_many_times():
    """Euler's equations of a free asymmetric body about its unstable axis, by another program."""
    J, spin = np.array([0.1, 0.25, 0.3]), np.array([0.2, 9.0, 0.1])
    top = fx.RigidBody("top", 1.0, tuple(J), angular_velocity=tuple(spin))
    run = fx.Model("top", [top]).dynamics(until=3, step="10 ms", accuracy=1e-6, show=False)

    def rates(_, y):
        q, w = y[:4], y[4:]
        turn = [-q[1:] @ w, *(q[0] * w + np.cross(q[1:], w))]
        return np.concatenate([0.5 * np.array(turn), -np.cross(w, J * w) / J])

    exact = solve_ivp(rates, (0, 3), [1, 0, 0, 0, *spin], "DOP853", run.time, rtol=1e-12, atol=1e-13).y[:4].T
    q = np.column_stack([run[f"top.orientation_{c}"] for c in "wxyz"])
    np.testing.assert_allclose(np.linalg.norm(q, axis=1), 1.0, atol=1e-14)
    off = np.abs(q - exact * np.sign(np.sum(q * exact, axis=1))[:, None]).max()
    assert off <= 1e-6
    assert off <= 5 * run.error("top.orientation_w") + 1e-9
    energy = run["top.kinetic_energy"]
    assert np.abs(energy - energy[0]).max() < 1e-6 * energy[0]


def test_a_stiff_spring_and_damper_led_slowly():
    """A mass held to a point that moves as sin² by a spring of 1.6 kHz whose damper lets it die out in 0.1 ms."""
    m, k, d = 1.0, 1e8, 4e4
    mass = fx.RigidBody("mass", m, (1, 1, 1))
    slide = fx.Prismatic("slide", fx.ground, mass, axis="x")
    led = fx.PointForce("lead", mass, direction="x", force=f"{k}*0.01*sin(3*t)^2 + {d}*0.03*sin(6*t)")
    spring = fx.JointSpring("spring", "slide", stiffness=k, damping=d)
    model = fx.Model("led", [mass, slide, led, spring])
    run = model.dynamics(until=1, step="10 ms", accuracy=1e-6, record=("mass", "slide"), show=False)
    # x = x₀ − m ẍ₀/k + …: quasi-static to many digits
    t = run.time
    exact = 0.01 * np.sin(3 * t) ** 2 - m * 0.18 * np.cos(6 * t) / k
    assert np.abs(run["slide.displacement"] - exact)[20:].max() < 1e-6 * 0.01


def test_what_jumps_is_told_and_not_extrapolated():
    block = fx.PointMass("block", 2.0)
    jump = fx.PointForce("push", block, direction="x", force=fx.Table(x=[0, 0.1234, 0.1234001, 1], y=[0, 0, 8, 8]))
    model = fx.Model("pushed", [block, jump])
    with pytest.warns(fx.AccuracyMissed, match=r"'block.position_x' by .* not fall as those of a smooth motion"):
        run = model.dynamics(until=0.5, step="10 ms", accuracy=1e-7, show=False, record="block")
    assert "block.velocity_x" in run.meta["accuracy"]["rough"]
    late = np.maximum(run.time - 0.1234, 0.0)
    for name, exact in (("block.position_x", 2 * late**2), ("block.velocity_x", 4 * late)):
        assert np.abs(run[name] - exact).max() <= 2 * run.error(name)


def test_a_block_that_friction_stops():
    """The steps end where it comes to rest, so that only what jumps there is rough."""
    block = fx.RigidBody("block", 2.0, (1, 1, 1), velocity=(1, 0, 0))
    slide = fx.Prismatic("slide", fx.ground, block, axis="x")
    model = fx.Model("block", [block, slide, fx.Friction("rub", "slide", 0.2)], gravity=(0, 0, -9.81))
    run = model.dynamics(until=1, step="10 ms", accuracy=1e-6, show=False)
    brake = 0.2 * 9.81
    t = np.minimum(run.time, 1 / brake)
    assert np.abs(run["block.position_x"] - (t - brake * t**2 / 2)).max() < 1e-9
    assert "rub.force" in run.meta["accuracy"]["rough"]
    assert run.meta["accuracy"]["reached"] < 1e-6


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"error": 1e-6}, "not both"),
        ({"solver": "tree"}, "solver=.tree"),
        ({"integrator": fx.Newmark(gamma=0.6, beta=0.31)}, "first order"),
        ({"integrator": fx.HHT(-0.1, form="weighted")}, "first order"),
    ],
)
def test_what_cannot_be_extrapolated_is_refused(settings, why):
    with pytest.raises(fx.ModelError, match=why):
        pendulum().dynamics(until=1, step=0.01, accuracy=1e-6, show=False, **settings)


def test_a_system_is_not_prepared_for_several_step_lengths():
    with pytest.raises(fx.ModelError, match="a prepared system has one"):
        prepare(pendulum(), DynamicsSettings(until=1, accuracy=1e-6))


def test_a_run_is_not_continued_with_accuracy_but_without():
    run = pendulum().dynamics(until=0.2, step=0.01, accuracy=1e-4, show=False)
    with pytest.raises(fx.ModelError, match="accuracy=None"):
        run.continue_until(0.4, show=False)
    assert run.continue_until(0.4, accuracy=None, show=False).time[-1] == pytest.approx(0.4)


def test_a_run_of_one_step_length_has_no_error_to_tell():
    with pytest.raises(fx.FileError, match="accuracy=1e-6"):
        pendulum().dynamics(until=0.1, step=0.01, show=False).error("rod.force")


def test_the_command_line_and_a_model_file(tmp_path):
    pendulum().save(tmp_path / "pendulum.yaml")
    out = tmp_path / "run.flexor.h5"
    given = ["run", str(tmp_path / "pendulum.yaml"), "--until", "1 s", "--accuracy", "1e-5", "--output", "50 ms", "-q"]
    result = CliRunner().invoke(app, [*given, "--out", str(out)])
    assert result.exit_code == 0, result.output
    run = fx.Run(out)
    assert run.status == "finished"
    np.testing.assert_allclose(run["bob.position"][:, :2], exact_pendulum(run.time)[0], atol=1e-5)
    assert run.error("bob.position") <= 1e-5


def test_an_interrupted_run_keeps_what_there_is():
    asked = iter([False] * 3 + [True] * 1000)
    solver = partial(dynamics, pendulum(), 1, 0.02, accuracy=1e-9, output=0.1)
    run = record(solver, "pendulum", RunWriter(pendulum(), {}), False, lambda: next(asked))
    assert run.status == "interrupted"
    assert len(run) > 1


class Sink:
    """Keeps what it is given."""

    def __init__(self):
        self.given = {}

    def open(self, columns, meta):
        self.given |= {"columns": columns, "meta": meta}

    def rows(self, rows):
        self.given["rows"] = rows

    def history(self, steps): ...

    def checkpoint(self, state): ...

    def close(self, status, message):
        self.given["status"] = status


def made_up(error, steps):
    """A solver whose only signal is sin t + error(h)."""

    def solve(*, step, output, tolerances, impact_steps, sink, progress):
        steps.append(step)
        t = np.arange(0, 1 + output / 2, output)
        sink.open([("time", "s"), ("wave.value", "m")], {})
        sink.rows(np.column_stack([t, np.sin(t) + error(step) * t]))
        sink.close("finished", "")
        return

    return solve


def test_steps_are_halved_until_the_error_is_small_enough():
    sink, steps = Sink(), []
    chosen = DynamicsSettings(until=1, step=0.1, accuracy=1e-7)
    run_to_accuracy(made_up(lambda h: h**2 + h**3, steps), chosen, sink, None)
    assert steps == [0.1 / 2**i for i in range(len(steps))]
    t, wave = sink.given["rows"].T
    h = steps[-1]
    true = np.abs(wave - np.sin(t)).max()
    assert true == pytest.approx(4 / 3 * h**3, rel=1e-6)  # (4 h³ − (2h)³)/3
    assert sink.given["meta"]["accuracy"]["errors"]["wave.value"] == pytest.approx(true, rel=0.01)
    assert true <= 1e-7 * np.sin(1) < 8 * true


def test_errors_that_do_not_fall_end_the_search():
    sink, steps = Sink(), []
    chosen = DynamicsSettings(until=1, step=0.1, accuracy=1e-7)
    noise = np.random.default_rng(1)
    with pytest.warns(fx.AccuracyMissed, match="rounding"):
        run_to_accuracy(made_up(lambda h: 1e-5 * noise.standard_normal(), steps), chosen, sink, None)
    assert len(steps) <= MOST_RUNS - 2
    assert sink.given["status"] == "finished"


def test_errors_that_fall_slowly_are_told_by_how_they_fall():
    """What extrapolation leaves of an error with h²·⁵ or h²·² falls by less than 8: a seventh of the gap would be too little."""
    for left in (lambda h: h**2 + 3 * h**2.5, lambda h: h**2 + 2 * h**2.2):
        sink, steps = Sink(), []
        chosen = DynamicsSettings(until=1, step=0.01, accuracy=1e-9)
        run_to_accuracy(made_up(left, steps), chosen, sink, None)
        t, wave = sink.given["rows"].T
        told = sink.given["meta"]["accuracy"]["errors"]["wave.value"]
        assert np.abs(wave - np.sin(t)).max() <= 1.1 * told


def test_rounding_is_not_taken_for_a_seventh_of_it():
    chance = np.random.default_rng(3)
    for noise in (1e-9, 1e-7, 1e-6):
        sink, steps = Sink(), []
        chosen = DynamicsSettings(until=1, step=0.1, accuracy=1e-12)
        with pytest.warns(fx.AccuracyMissed, match="rounding"):
            run_to_accuracy(
                made_up(lambda h, n=noise: h**2 + h**3 + n * chance.choice([-1, 1]), steps), chosen, sink, None
            )
        t, wave = sink.given["rows"].T
        assert np.abs(wave - np.sin(t)).max() <= 2 * sink.given["meta"]["accuracy"]["errors"]["wave.value"] + noise


def test_a_first_step_that_is_far_too_long_is_not_the_last_word():
    """Steps of half a second see nothing of a pendulum's swing of 2 s; shorter ones do, and cost little."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", fx.AccuracyMissed)
        run = pendulum().dynamics(until=10, step=0.5, accuracy=1e-4, record=["bob"], show=False)
    position, *_ = exact_pendulum(run.time)
    assert np.abs(run["bob.position"][:, :2] - position).max() <= 1e-4


def test_quaternions_of_either_sign_are_the_same_orientation():
    columns = [("time", "s"), *((f"top.orientation_{c}", "") for c in "wxyz")]
    t = np.linspace(0, 1, 5)

    def rows(h, sign):
        angle = t + h**2 * t
        q = np.column_stack([np.cos(angle / 2), np.sin(angle / 2), 0 * t, 0 * t])
        return np.column_stack([t, sign * q])

    found = extrapolate(columns, [rows(0.4, 1), rows(0.2, -1), rows(0.1, 1)], 1e-6)
    np.testing.assert_allclose(found.rows[:, 1], np.cos(t / 2), atol=1e-3 * 0.1**2)
    assert found.smooth.all()


def test_what_has_no_value_is_left_so():
    columns = [("time", "s"), ("gap.value", "m"), ("lost.value", "m")]
    t = np.linspace(0, 1, 5)
    some = np.where(t < 0.5, np.nan, t)
    tables = [np.column_stack([t, some * (1 + h**2), np.where(h > 0.1, t, some)]) for h in (0.4, 0.2, 0.1)]
    found = extrapolate(columns, tables, 1e-6)
    np.testing.assert_array_equal(np.isnan(found.rows[:, 1]), t < 0.5)
    assert found.smooth[1]
    assert found.errors[1] < 1e-12
    assert found.errors[2] == np.inf  # one run has it, the other has not


def test_warnings_of_the_runs_come_once():
    bar = fx.RigidBody("bar", 1.0, (0.1, 0.1, 0.1))
    model = fx.Model(
        "undamped", [bar, fx.Revolute("pin", fx.ground, bar.at(-0.5, 0, 0), axis="z")], gravity=(0, -9.81, 0)
    )
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model.dynamics(until=0.1, step=0.01, accuracy=1e-3, integrator="newmark", record="bar", show=False)
    assert sum("without numerical damping" in str(each.message) for each in told) == 1
