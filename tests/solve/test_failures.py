"""A run that cannot go on says why, in the user's names, and keeps what it has."""

import numpy as np
import pytest

import flexor as fx


def oscillator(**spring):
    mass = fx.PointMass("bob", 1.0, position=(1, 0, 0))
    return fx.Model("oscillator", items=[mass, fx.AxialSpring("spring", fx.ground, mass, **spring)])


def test_function_without_a_value_names_its_owner():
    mass = fx.PointMass("bob", 1.0)
    pull = fx.PointForce("pull", mass, direction="x", force=fx.expression("sqrt(0.01 - t)"))
    with pytest.raises(fx.SolveError, match="'pull'") as caught:
        fx.Model("m", items=[mass, pull]).dynamics(until=0.1, step=1e-3, show=False)
    assert caught.value.time == pytest.approx(0.01, abs=1.1e-3)
    run = caught.value.run
    assert run.status == "failed"
    assert run.time[-1] == pytest.approx(caught.value.time)
    assert run["bob.velocity_x"].values[-1] > 0


def test_table_that_ends_stops_the_run():
    spring = oscillator(stiffness=10, free_length=fx.table([0, 0.05], [1.0, 1.2], extrapolation="error"))
    with pytest.raises(fx.LawError, match="'spring'"):
        spring.dynamics(until=0.2, step=1e-3, show=False)


def test_mechanism_that_cannot_be_assembled():
    long = fx.RigidBody("long", 1, (1, 1, 1))
    short = fx.RigidBody("short", 1, (1, 1, 1))
    model = fx.Model(
        "triangle",
        items=[
            long,
            short,
            fx.Revolute("a", fx.ground, long.at(0, 0, 0), axis="z"),
            fx.Revolute("b", long.at(1, 0, 0), short.at(0, 0, 0), axis="z"),
            fx.Revolute("c", fx.ground.at(3, 0, 0), short.at(1, 0, 0), axis="z"),
        ],
    )
    with pytest.raises(fx.AssemblyError, match="cannot be assembled") as caught:
        model.dynamics(until=0.1, step=1e-3, show=False)
    assert any(name.startswith(("a:", "b:", "c:")) for name, _ in caught.value.worst)


def test_loop_is_closed_by_a_small_move():
    """A four-bar linkage drawn 1 mm wrong is assembled; its joints then hold to rounding."""
    crank = fx.RigidBody("crank", 1, (0.1, 0.1, 0.1))
    coupler = fx.RigidBody("coupler", 1, (0.1, 0.1, 0.1))
    rocker = fx.RigidBody("rocker", 1, (0.1, 0.1, 0.1))
    items = [
        crank,
        coupler,
        rocker,
        fx.Revolute("a", fx.ground, crank, axis="z"),
        fx.Revolute("b", crank.at(0.2, 1, 0), coupler, axis="z"),
        fx.Revolute("c", coupler.at(2.001, 0, 0), rocker, axis="z"),
        fx.Revolute("d", fx.ground.at(2.4, 0, 0), rocker.at(0.2, -1, 0), axis="z"),
    ]
    with (
        pytest.warns(fx.RedundantConstraints, match="3 redundant constraints"),
        pytest.warns(fx.DoubtfulModel, match=r"joint 'd': its points are 0.001 m apart"),
    ):
        run = fx.Model("four bar", items=items).dynamics(until=0.01, step=1e-3, show=False)
    c, s = np.cos(run["a.angle"].values[0]), np.sin(run["a.angle"].values[0])
    np.testing.assert_allclose(run["coupler.position"].values[0], (0.2 * c - s, 0.2 * s + c, 0), atol=1e-10)
    assert 0 < abs(run["a.angle"].values[0]) < 1e-3


def test_ctrl_c_keeps_what_is_done():
    from flexor.results.writer import RunWriter
    from flexor.solve import dynamics

    model = oscillator(stiffness=10)
    calls = []

    def progress(*_):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt

    writer = RunWriter(model, {}, file=None)
    dynamics(model, 10.0, 1e-3, sink=writer, progress=progress)
    run = writer.run()
    assert run.status == "interrupted"
    assert 0 < run.time[-1] < 10
    assert len(run.time) == round(run.time[-1] / 1e-3) + 1


def test_step_and_end_are_asked_for():
    with pytest.raises(fx.ModelError, match="step"):
        oscillator(stiffness=1).dynamics(until=1.0, show=False)
    with pytest.raises(fx.ModelError, match="until"):
        oscillator(stiffness=1).dynamics(until=-1.0, step=1e-3, show=False)
