"""The state of any analysis as the start of any other, and runs that start in equilibrium."""

import warnings

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexor as fx
from flexor.mesh.generate import bar

ARM = fx.RigidBody("arm", 1, (0.01, 0.02, 0.03), center_of_mass=(0.3, 0, 0))
DOWN = (0, 0, -9.81)
QUIET = {"step": 1e-3, "show": False}
ENFORCEMENTS = ("multipliers", "elimination")


def sprung(enforcement: str = "auto", **pin) -> fx.Model:
    """An arm on a coil spring that carries its weight."""
    joint = fx.Revolute("pin", fx.ground, ARM, axis="y", enforcement=enforcement, **pin)
    return fx.Model("arm", gravity=DOWN, items=[ARM, joint, fx.JointSpring("coil", "pin", stiffness=20.0)])


def driven() -> fx.Model:
    pin = fx.Revolute("pin", fx.ground, ARM, axis="y")
    return fx.Model("arm", gravity=DOWN, items=[ARM, pin, fx.Motor("motor", joint="pin", speed=20)])


def sag() -> float:
    """k φ = m g l cos φ"""
    angle = 0.0
    for _ in range(100):
        angle = 9.81 * 0.3 * np.cos(angle) / 20.0
    return angle


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
def test_from_equilibrium_nothing_moves(enforcement: str) -> None:
    run = sprung(enforcement).dynamics(until=0.5, start="equilibrium", **QUIET)
    np.testing.assert_allclose(run["pin.angle"], sag(), atol=1e-12)
    longer = run.continue_until(0.6, show=False)
    np.testing.assert_allclose(longer["pin.angle"], sag(), atol=1e-12)


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
def test_given_velocities_hold_at_the_equilibrium(enforcement: str) -> None:
    run = sprung(enforcement, start=0.3, start_rate=2.0).dynamics(until=0.1, start="equilibrium", **QUIET)
    assert run["pin.angle"][0] == pytest.approx(sag(), abs=1e-12)
    assert run["pin.angle_rate"][0] == pytest.approx(2.0, rel=1e-12)
    assert run.time[0] == 0


@pytest.mark.parametrize("formulation", ["superelement", "floating"])
def test_a_flexible_body_hangs_still(formulation: str) -> None:
    mesh = bar("500 mm", "10 mm", "4 mm", (8, 1, 1), element="hex20")
    body = fx.FlexibleBody(
        "strip", mesh=mesh, material="steel", interfaces={"root": "x_min"}, formulation=formulation,
        reduction=fx.CraigBampton(modes=4),
    )  # fmt: skip
    model = fx.Model("strip", gravity=DOWN, items=[body, fx.Fixed("clamp", fx.ground, body["root"])])
    run = model.dynamics(until=0.02, start="equilibrium", **QUIET)
    weight = run["clamp.force"].values
    np.testing.assert_allclose(weight, np.tile(weight[0], (len(run), 1)), atol=1e-6 * np.abs(weight).max())
    assert run["energy.kinetic"].max() < 1e-12 * run["energy.strain"].max()


@pytest.mark.parametrize("enforcement", ENFORCEMENTS)
def test_any_result_starts_any_analysis(enforcement: str) -> None:
    model = sprung(enforcement)
    rest, modes = model.statics(), model.modes(3)
    for start in (rest, rest.state, modes):
        run = model.dynamics(until=0.05, start=start, **QUIET)
        np.testing.assert_allclose(run["pin.angle"], sag(), atol=1e-10)
        assert model.modes(3, start=start).frequencies == pytest.approx(modes.frequencies, rel=1e-9)
    swung = sprung(enforcement, start=1.0).dynamics(until=0.4, **QUIET)
    for start in (swung, swung.at("0.2 s")):
        assert model.statics(start=start)["pin.angle"] == pytest.approx(sag(), abs=1e-10)


def swings(time: np.ndarray) -> np.ndarray:
    """J φ̈ = m g l cos φ − k φ from φ = 1 at rest."""
    J = 0.02 + 0.3**2
    found = solve_ivp(
        lambda t, y: (y[1], (9.81 * 0.3 * np.cos(y[0]) - 20.0 * y[0]) / J),
        (0.0, time[-1]), (1.0, 0.0), t_eval=time, rtol=1e-10, atol=1e-12,
    )  # fmt: skip
    return found.y[0]


def test_times_that_were_not_recorded_are_no_moments() -> None:
    run = sprung(start=1.0).dynamics(until=0.1, **QUIET)
    with pytest.raises(
        fx.ModelError,
        match=r"^run in memory: finished.*: no row was recorded at nan s; .*first and last are 0 s, 0.1 s",
    ):
        run.at(float("nan"))
    with pytest.raises(fx.ModelError, match=r"no row was recorded at 0.0123456 s; .*the nearest are"):
        run.at(0.0123456)


def test_a_run_goes_on_from_the_middle_of_another() -> None:
    """A new start is exact where the run has the integrator's error: they differ by a small part of it, of second order."""
    model, apart = sprung(start=1.0), []
    for step in (1e-3, 5e-4):
        whole = model.dynamics(until=1, step=step, show=False)
        part = model.dynamics(until=1, start=whole.at("0.5 s"), step=step, show=False)
        assert part.time[0] == pytest.approx(0.5)
        later = slice(len(whole.time) // 2, None)
        error = np.abs(whole["pin.angle"].values - swings(whole.time)).max()
        apart.append(
            [np.abs(part[name].values - whole[name].values[later]).max() for name in ("pin.angle", "pin.force")]
        )
        assert apart[-1][0] < 2e-3 * error
        assert apart[-1][1] < 1e-4 * np.abs(whole["pin.force"].values).max()
    assert np.all(np.divide(*apart) > 3.5)


def test_turns_are_kept() -> None:
    model = driven()
    run = model.dynamics(until=1, **QUIET)
    assert run.at(0.7)["pin.angle"] == pytest.approx(14.0)
    for start, begin in ((run.at(0.7), 0.7), (run, 1.0), (model.kinematics(until=1, step=0.1, show=False), 1.0)):
        later = model.dynamics(until=1.2, start=start, **QUIET)
        assert later.time[0] == pytest.approx(begin)
        np.testing.assert_allclose(later["pin.angle"], 20 * later.time, atol=1e-9)
        followed = model.kinematics(until=1.5, step=0.1, start=start, show=False)
        np.testing.assert_allclose(followed["pin.angle"], 20 * followed.time, atol=1e-9)


def test_held_and_released() -> None:
    """The state of a model with another load: bodies and joints are found by name."""
    pull = fx.PointForce("pull", ARM.at(0.3, 0, 0), direction="z", force=5.0)
    held = sprung().with_item(pull).statics()
    run = sprung().dynamics(until=0.1, start=held, **QUIET)
    assert run["pin.angle"][0] == pytest.approx(held["pin.angle"], abs=1e-12)
    assert run["pin.angle_acceleration" if "pin.angle_acceleration" in run else "pin.angle_rate"][5] > 0  # it falls


def test_states_serve_whatever_enforces_the_joints() -> None:
    rest = sprung("elimination").statics()
    assert sprung("multipliers").modes(1, start=rest).frequencies == pytest.approx(
        sprung().modes(1).frequencies, rel=1e-6
    )


def test_campbell_starts_from_a_state() -> None:
    disc = fx.RigidBody("disc", 1.0, (0.2, 0.2, 0.12))
    items = [disc, fx.Spherical("ball", fx.ground, disc)]
    for i, at in enumerate([(5, 0, 0), (-5, 0, 0), (0, 5, 0), (0, -5, 0)]):
        items.append(
            fx.AxialSpring(f"spring{i}", fx.ground.at(*at), disc.at(0, 0, 1), stiffness=15, free_length=26**0.5)
        )
    model = fx.Model("disc", items)
    usual = model.campbell((0, 10, 20), rotor="disc", axis="z")
    tilted = model.dynamics(until=0.01, **QUIET)
    started = model.campbell((0, 10, 20), rotor="disc", axis="z", start=tilted)
    np.testing.assert_allclose(started.frequencies, usual.frequencies, rtol=1e-9)


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (3, "is no state"),
        ({"X": 1}, "is no state"),
        ("rest", "start"),
    ],
)
def test_what_is_no_state_is_refused(start, said) -> None:
    with pytest.raises(fx.ModelError, match=said):
        sprung().dynamics(until=0.1, start=start, **QUIET)


def test_states_of_other_models_are_refused() -> None:
    other = fx.RigidBody("leg", 1, (0.01, 0.02, 0.03))
    foreign = fx.Model("leg", [other, fx.Revolute("knee", fx.ground, other, axis="y")]).statics()
    with pytest.raises(fx.ModelError, match="does not know 'arm'"):
        sprung().dynamics(until=0.1, start=foreign, **QUIET)
    elsewhere = fx.Revolute("pin", fx.ground.at(0.1, 0, 0), ARM, axis="y", enforcement="multipliers")
    with pytest.raises(fx.ModelError, match=r"'pin.*open by 0.1"):
        sprung().with_item(elsewhere).dynamics(until=0.1, start=sprung("multipliers").statics(), **QUIET)
    run = driven().dynamics(until=1, **QUIET)
    with pytest.raises(fx.ModelError, match="the start is at t = 1 s"):
        driven().dynamics(until=0.5, start=run, **QUIET)


def test_a_moment_must_have_been_recorded() -> None:
    run = sprung().dynamics(until=0.1, output="10 ms", **QUIET)
    with pytest.raises(fx.ModelError, match=r"nearest are 0.01 s, 0.02 s"):
        run.at("14 ms")
    few = sprung("multipliers").dynamics(until=0.1, record="pin", **QUIET)
    assert few.at(0.1)["pin.angle"] == few["pin.angle"][-1]
    with pytest.raises(fx.ModelError, match="does not record arm"):
        sprung("multipliers").dynamics(until=0.2, start=few.at(0.1), **QUIET)


def test_doubts_without_end_are_counted() -> None:
    """One warning for each of the first fifty, and one that tells how many more there are."""
    ball = fx.PointMass("ball", 1)
    springs = [fx.GlobalSpring(f"s{i}", fx.ground, ball, direction="x", stiffness=-1e-3) for i in range(70)]
    model = fx.Model("pushed", [ball, *springs])
    assert len(model.check().warnings) == 70
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.dynamics(until=2e-3, **QUIET)
    told = [str(each.message) for each in caught if each.category is fx.DoubtfulModel]
    assert len(told) == 51
    assert told[-1].startswith("… and 20 more doubts")
