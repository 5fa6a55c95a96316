"""A prepared model runs as `model.dynamics` does, number for number, and refuses what would make other equations."""

from __future__ import annotations

import warnings
from threading import Thread

import numpy as np
import pytest

import flexor as fx
from flexor.engine import equations
from flexor.engine.system import System
from flexor.mesh.generate import bar
from flexor.model import check
from flexor.results.writer import h5py
from flexor.solve import repeated


def four_bar() -> fx.Model:
    """A loop with redundant constraints, a spring with a stop, a motor, a load, a sensor and a beam."""
    crank = fx.RigidBody("crank", 1.2, (1e-3, 2e-3, 2e-3), position=(0.0, 0.05, 0.0), orientation=fx_turn(90))
    coupler = fx.RigidBody("coupler", 0.8, (1e-3, 4e-3, 4e-3), position=(0.2, 0.1, 0.0))
    rocker = fx.RigidBody("rocker", 0.6, (1e-3, 3e-3, 3e-3), position=(0.4, 0.05, 0.0), orientation=fx_turn(90))
    return fx.Model(
        "four-bar",
        gravity=(0, -9.81, 0),
        items=[
            crank, coupler, rocker,
            fx.Revolute("main", fx.ground.at(0, 0, 0), crank.at(-0.05, 0, 0), axis="z"),
            fx.Revolute("big", crank.at(0.05, 0, 0), coupler.at(-0.2, 0, 0), axis="z"),
            fx.Revolute("small", coupler.at(0.2, 0, 0), rocker.at(0.05, 0, 0), axis="z"),
            fx.Revolute("back", fx.ground.at(0.4, 0, 0), rocker.at(-0.05, 0, 0), axis="z"),
            fx.AxialSpring("spring", fx.ground.at(0.2, -0.3, 0), coupler.at(0, 0, 0), stiffness=400.0, damping=3.0),
            fx.PointForce("push", coupler.at(0, 0, 0), force=fx.ramp(0, "5 N", over="5 ms"), direction=(1, 0, 0)),
        ],
    )  # fmt: skip


def fx_turn(degrees: float) -> dict[str, object]:
    return {"axis": "z", "angle": f"{degrees} deg"}


pytestmark = [
    pytest.mark.filterwarnings("ignore::flexor.RedundantConstraints"),  # a plane loop of spatial joints
    pytest.mark.filterwarnings("ignore::flexor.UnstableEquilibrium"),
]
SETTINGS = {"until": 0.02, "step": 1e-3, "show": False}


@pytest.fixture(scope="module")
def model() -> fx.Model:
    return four_bar()


@pytest.fixture(scope="module")
def prepared(model):
    return model.prepare(**SETTINGS)


def rows(run: fx.Run) -> np.ndarray:
    return run.rows(0, 1000)


def test_a_run_is_that_of_dynamics_each_time(model, prepared):
    expected = model.dynamics(**SETTINGS)
    for _ in range(2):
        run = prepared.run()
        assert run.units == expected.units
        assert run.meta == expected.meta
        np.testing.assert_array_equal(rows(run), rows(expected))
        np.testing.assert_array_equal(run.steps(), expected.steps())


VALUES = (
    {"spring.stiffness": "1 kN/m", "spring.damping": 0.0},
    {"coupler.mass": 2.0, "coupler.inertia": (2e-3, 9e-3, 9e-3)},
    {"push.force": fx.ramp(1, "-8 N", over="12 ms")},
    {"main.start_rate": (4.0,)},
    {"crank.angular_velocity": (0, 0, 3.0)},
)


@pytest.mark.parametrize("values", VALUES, ids=lambda values: next(iter(values)))
def test_other_numbers_give_the_motion_of_the_changed_model(model, prepared, values):
    """And they last for one run: the next one without them is that of the model itself."""
    changed = model.with_values(values)
    expected = changed.dynamics(**SETTINGS)
    for _ in range(2):
        run = prepared.run(values)
        np.testing.assert_array_equal(rows(run), rows(expected))
        assert run.model == changed
    np.testing.assert_array_equal(rows(prepared.run()), rows(model.dynamics(**SETTINGS)))


def test_another_initial_position():
    """The mechanism is put together anew; what does not fit is refused as by the check."""
    arm, tip = fx.RigidBody("arm", 1.0, (0.01, 0.02, 0.02)), fx.RigidBody("tip", 0.5, (0.01, 0.01, 0.01))
    shoulder = fx.Revolute("shoulder", fx.ground, arm.at(-0.2, 0, 0), axis="z", start=("20 deg",))
    elbow = fx.Revolute("elbow", arm.at(0.2, 0, 0), tip.at(-0.1, 0, 0), axis="z", enforcement="elimination")
    model = fx.Model("arm", [arm, tip, shoulder, elbow], gravity=(0, -9.81, 0))
    prepared = model.prepare(**SETTINGS)
    for values in ({"shoulder.start": ("-1 rad",), "elbow.start": (0.3,), "elbow.start_rate": (2.0,)}, {}):
        expected = model.with_values(values).dynamics(**SETTINGS)
        np.testing.assert_array_equal(rows(prepared.run(values)), rows(expected))
    with pytest.raises(fx.ModelError, match="they contradict each other"):
        prepared.run({"arm.angular_velocity": (0, 0, 1.0), "shoulder.start_rate": (3.0,)})


def test_nothing_is_checked_lowered_or_analysed_again(model, monkeypatch):
    prepared = model.prepare(**SETTINGS)
    expected = rows(prepared.run())

    def again(*_: object, **__: object) -> None:
        raise AssertionError("done again")

    for owner, name in (
        (check, "check"),
        (check, "check_fit"),
        (repeated, "lower"),
        (repeated, "make_ready"),
        (System, "__init__"),
        (equations, "analyse"),
        (h5py, "File"),
    ):
        monkeypatch.setattr(owner, name, again)
    np.testing.assert_array_equal(rows(prepared.run()), expected)


def test_other_forces_need_no_check_and_no_analysis(model, monkeypatch):
    prepared = model.prepare(**SETTINGS)
    values = {"spring.stiffness": 500.0}
    expected = rows(model.with_values(values).dynamics(**SETTINGS))
    counted = []
    monkeypatch.setattr(check, "check_fit", lambda *_, **__: counted.append("check"))
    monkeypatch.setattr(equations, "analyse", lambda *_, **__: counted.append("analysis"))
    np.testing.assert_array_equal(rows(prepared.run(values)), expected)
    assert counted == []


@pytest.mark.parametrize(
    "values", [{"spring.stiffness": 700.0}, {"coupler.mass": 2.5}], ids=lambda values: next(iter(values))
)
def test_other_forces_and_inertias_are_written_and_nothing_is_made_ready_again(model, monkeypatch, values):
    """Neither are redundant constraints sought anew nor tables filled; a run of another start in between does no harm."""
    prepared = model.prepare(**SETTINGS)
    moving = {"main.start_rate": (4.0,)}
    expected = [
        rows(model.with_values(each).dynamics(**SETTINGS)) for each in (values, {}, {**moving, **values}, moving)
    ]
    counted = []
    for owner, name in ((repeated, "make_ready"), (System, "refill")):
        monkeypatch.setattr(owner, name, _counting(getattr(owner, name), counted))
    for _ in range(2):
        np.testing.assert_array_equal(rows(prepared.run(values)), expected[0])
        np.testing.assert_array_equal(rows(prepared.run()), expected[1])
    assert counted == []
    for asked, wanted in (({**moving, **values}, 2), (moving, 3), (values, 0), ({}, 1)):
        np.testing.assert_array_equal(rows(prepared.run(asked)), expected[wanted])


def _counting(function, counted):
    def called(*given, **more):
        counted.append(function.__name__)
        return function(*given, **more)

    return called


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"main.axis": "x"}, "joint 'main': axis cannot be another one in a prepared model"),
        ({"coupler.center_of_mass": (0.01, 0, 0)}, "body 'coupler': center_of_mass cannot be another one"),
        ({"spring.stop": {"length": 0.1, "stiffness": 1e5}}, "'spring'"),
        ({"push.force": fx.sine("3 N", frequency="40 Hz")}, "'push': it cannot be so in a prepared model"),
        ({"spring.stifness": 1.0}, "did you mean 'stiffness'"),
    ],
)
def test_what_makes_other_equations_is_refused_in_words(prepared, values, said):
    before = rows(prepared.run())
    with pytest.raises(fx.ModelError) as refused:
        prepared.run(values)
    assert said in str(refused.value)
    np.testing.assert_array_equal(rows(prepared.run()), before)  # and does no harm


def test_start_of_another_analysis_and_a_file(model, prepared, tmp_path):
    first = prepared.run()
    moment = first.at("10 ms")
    expected = model.dynamics(**SETTINGS, start=moment)
    run = prepared.run(start=moment, file=tmp_path / "second.h5")
    np.testing.assert_array_equal(rows(run), rows(expected))
    assert fx.Run(tmp_path / "second.h5").time[0] == pytest.approx(0.01)
    at_rest = model.prepare(**SETTINGS, start="equilibrium")
    np.testing.assert_array_equal(rows(at_rest.run()), rows(model.dynamics(**SETTINGS, start="equilibrium")))


def test_a_run_that_took_another_factorisation_is_followed_by_the_usual_one(model, monkeypatch):
    """The system is prepared again where it cannot be brought back."""
    prepared = model.prepare(**SETTINGS)
    expected = rows(prepared.run())
    prepared._runs._system.use_lu()
    np.testing.assert_array_equal(rows(prepared.run()), expected)


def test_the_tree_solver_is_refused(model):
    with pytest.raises(fx.ModelError, match="tree solver has a system of its own"):
        model.prepare(**SETTINGS, solver="tree")


def test_runs_that_threads_ask_for_follow_each_other(model):
    """One memory for all: each run is what it is alone, number for number."""
    prepared, found = model.prepare(**SETTINGS), {}
    values = [{"spring.stiffness": 400.0 + 50.0 * i} for i in range(6)]

    def ask(i: int) -> None:
        found[i] = rows(prepared.run(values[i]))

    threads = [Thread(target=ask, args=(i,)) for i in range(len(values))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = model.prepare(**SETTINGS)
    for i, each in enumerate(values):
        assert np.array_equal(found[i], rows(alone.run(each)))


def test_doubts_of_other_initial_values_are_told_as_by_a_fresh_run():
    """A slider-crank drawn at its dead centre may leave it either way; and the model itself has none of it."""
    crank, rod, piston = (fx.RigidBody(name, mass=1, inertia=0.01) for name in ("crank", "rod", "piston"))
    items = [
        fx.Revolute("main", fx.ground, crank, axis="z"),
        fx.Cylindrical("pin", crank.at(0.08, 0, 0), rod, axis="z"),
        fx.Spherical("wrist", rod.at(0.3, 0, 0), piston),
        fx.Prismatic("bore", fx.ground, piston, axis="x"),
    ]
    model = fx.Model("slider-crank", [crank, rod, piston, *items])

    def told(run):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            run()
        return [str(each.message) for each in caught if each.category is fx.DoubtfulModel]

    prepared, values = model.prepare(**SETTINGS), {"bore.start": 0.35}
    expected = told(lambda: model.with_values(values).dynamics(**SETTINGS))
    assert "could as well go another way" in " ".join(expected)
    for _ in range(2):
        assert told(lambda: prepared.run(values)) == expected
    assert told(prepared.run) == []


def test_another_point_mass_and_an_array():
    """And an array that is changed in place is another value."""
    ball = fx.PointMass("ball", 2.0, position=(0.1, 0.0, 0.0))
    rubber = fx.Bushing("rubber", fx.ground, ball, (50.0, 60.0, 70.0, 0, 0, 0), relaxed="coincident")
    model = fx.Model("ball", [ball, rubber])
    prepared = model.prepare(**SETTINGS)
    stiffness = np.array([90.0, 60.0, 70.0, 0, 0, 0])
    for values in (
        {"ball.mass": 3.0},
        {"rubber.stiffness": stiffness},
        {"ball.mass": 3.0, "rubber.stiffness": stiffness},
    ):
        for _ in range(2):
            expected = model.with_values(values).dynamics(**SETTINGS)
            np.testing.assert_array_equal(rows(prepared.run(values)), rows(expected))
            stiffness[0] += 10.0


@pytest.mark.parametrize("formulation", ["superelement", "floating", "full_mesh"])
def test_other_scales_and_damping_of_a_flexible_body(formulation):
    mesh = bar("500 mm", "10 mm", "4 mm", (4, 1, 1), element="hex20")
    strip = fx.FlexibleBody(
        "strip", mesh=mesh, material="steel", interfaces={"root": "x_min"}, formulation=formulation,
        damping=fx.Rayleigh(alpha=0.0, beta=1e-5),
    )  # fmt: skip
    model = fx.Model("strip", gravity=(0, 0, -9.81), items=[strip, fx.Fixed("clamp", fx.ground, strip["root"])])
    prepared = model.prepare(until=5e-3, step=1e-3, show=False)
    for values in (
        {"strip.stiffness_scale": 2.0},
        {"strip.mass_scale": 3.0},
        {"strip.damping": fx.Rayleigh(alpha=0.0, beta=1e-4)},
    ):
        expected = model.with_values(values).dynamics(until=5e-3, step=1e-3, show=False)
        np.testing.assert_array_equal(rows(prepared.run(values)), rows(expected))
    if formulation == "full_mesh":
        with pytest.raises(fx.ModelError, match="stiffness-proportional damping only"):
            prepared.run({"strip.damping": fx.Rayleigh(alpha=1.0, beta=1e-4)})


@pytest.mark.parametrize("values", ["spring.stiffness", [1], {1: 2.0}, 3.0], ids=repr)
def test_values_without_names_are_refused_in_words(prepared, values):
    with pytest.raises(fx.ModelError, match="given by the names of fields") as refused:
        prepared.run(values)
    assert 'prepared.run({"spring.stiffness"' in str(refused.value)


def test_gravity_may_be_another_one() -> None:
    """Also where contacts know how much all bodies weigh."""
    ball = fx.RigidBody("ball", 1.0, 1e-3, position=(0, 0, 0.06), shapes=[fx.Sphere("50 mm")])
    floor = fx.Contact("floor", fx.ground.surface(fx.Plane()), ball, fx.Penalty("1e6 N/m", restitution=0.5))
    for model in (four_bar(), fx.Model("ball", [ball, floor], gravity=(0, 0, -9.81))):
        prepared = model.prepare(until=0.02, step=1e-3, show=False)
        first = prepared.run()
        for values in ({"gravity": (0, -1.62, -40.0)}, {}, {"gravity": ("1 m/s^2", 0, -3)}):
            found = prepared.run(values)
            alone = model.with_values(values).dynamics(until=0.02, step=1e-3, show=False)
            for name in alone.names:
                np.testing.assert_array_equal(found[name].values, alone[name].values)
        assert found.model.gravity == (1.0, 0.0, -3.0)
        assert any(not np.array_equal(found[name].values, first[name].values) for name in first.names)


def test_damping_of_bodies_of_shape_functions_may_be_another_one() -> None:
    beam = fx.ShapeBody(
        "beam", fx.Box(0.4, 0.05, 0.01), "steel", orders=(4, 2, 2), up_to="2 kHz", damping=fx.Rayleigh(1.0, 1e-5),
        position=(0, 0, 0), interfaces={"left": "x_min"},
    )  # fmt: skip
    model = fx.Model("m", [beam, fx.Fixed("clamp", fx.ground.at(-0.2, 0, 0), beam["left"])], gravity=(0, 0, -9.81))
    prepared = model.prepare(until=0.01, step=1e-3, show=False)
    found = prepared.run({"beam.damping.beta": 1e-3})
    alone = model.with_values({"beam.damping.beta": 1e-3}).dynamics(until=0.01, step=1e-3, show=False)
    for name in alone.names:
        np.testing.assert_array_equal(found[name].values, alone[name].values)
