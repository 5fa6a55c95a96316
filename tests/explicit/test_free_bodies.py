"""Velocity Verlet of free bodies: conservation, order, rotation; against the implicit engine."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from benchmarks.nowhere import Nowhere
from flexor.explicit import dynamics
from flexor.explicit.stepper import ShortenedSteps
from flexor.solve.dynamics import integrate, prepare
from flexor.solve.settings import DynamicsSettings
from tests.explicit.grains import INERTIA, MASS, ball

QUIET = {"show": False, "solver": "explicit"}


def gas() -> fx.Model:
    """Balls that fly at each other from all sides."""
    random = np.random.default_rng(3)
    places = 12e-3 * (np.stack(np.meshgrid(*[np.arange(3)] * 3), axis=-1).reshape(-1, 3) - 1.0)
    balls = [
        ball(i, place, velocity=-8.0 * place + random.normal(size=3) * 0.2, angular_velocity=random.normal(size=3) * 20)
        for i, place in enumerate(places + random.uniform(-5e-4, 5e-4, places.shape))
    ]
    return fx.Model("gas", [*balls, fx.Contacts("grains", balls, fx.Penalty(1e5, exponent=1.5))])


def totals(run: fx.Run) -> tuple[np.ndarray, np.ndarray]:
    """Momentum and angular momentum over time."""
    p, L = 0.0, 0.0
    for i in range(27):
        x, v, w = (run[f"b{i}.{name}"].values for name in ("position", "velocity", "angular_velocity"))
        p = p + MASS * v
        L = L + MASS * np.cross(x, v) + INERTIA * w
    return np.asarray(p), np.asarray(L)


def test_an_elastic_gas_keeps_momentum_and_energy():
    """Momentum to rounding; the error of the energy falls with the square of the step."""
    errors = []
    for h in (8e-6, 4e-6, 2e-6):
        run = gas().dynamics(until=8e-3, step=h, output=8e-5, **QUIET)
        p, L = totals(run)
        scale = 27 * MASS * 0.2
        assert np.abs(p - p[0]).max() < 1e-10 * scale
        assert np.abs(L - L[0]).max() < 1e-10 * scale * 0.01
        assert run["grains.touching"].values.max() > 5
        energy = run["energy.kinetic"].values + run["energy.strain"].values
        errors.append(np.abs(energy / energy[0] - 1).max())
    assert errors[0] < 1e-3
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(orders > 1.6), (errors, orders)


def test_a_free_top_turns_as_in_the_implicit_engine():
    """Three different moments, about axes that are none of the body's: second order, and L to rounding."""
    top = fx.RigidBody(
        "top", 0.5, (2e-3, 3e-3, 4e-3, 3e-4, -2e-4, 1e-4), center_of_mass=(0.01, 0.02, 0), angular_velocity=(9, 3, -7)
    )
    model = fx.Model("top", [top])
    exact = model.dynamics(until=0.4, accuracy=1e-8, output=0.1, show=False)["top.orientation"].values[-1]
    errors = []
    for h in (2e-3, 1e-3):
        run = model.dynamics(until=0.4, step=h, **QUIET)
        found = run["top.orientation"].values[-1]
        errors.append(min(np.abs(found - exact).max(), np.abs(found + exact).max()))
        kinetic = run["energy.kinetic"].values
        assert np.abs(kinetic / kinetic[0] - 1).max() < 1e-3
    assert errors[1] < 2e-5
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.1)


def test_springs_dampers_and_loads_act_as_in_the_implicit_engine():
    """A ball and a particle on springs with a load that turns one of them; rows of acceleration, too."""
    one = fx.RigidBody("one", 0.3, (2e-4, 3e-4, 4e-4), position=(0.2, 0, 0), velocity=(0, 0.3, 0))
    two = fx.PointMass("two", 0.2, position=(0.5, 0.1, 0))
    model = fx.Model(
        "springs",
        [
            one,
            two,
            fx.AxialSpring("s1", fx.ground, one.at(0.02, 0.01, 0), stiffness=200, damping=0.4, free_length=0.2),
            fx.AxialSpring("s2", one.at(-0.02, 0, 0.01), two, stiffness=150, free_length=0.3),
            fx.PointForce("push", one.at(0, 0.03, 0), force=fx.sine(0.5, frequency=3), direction="z"),
        ],
        gravity=(0, 0, -9.81),
    )
    explicit = model.dynamics(until=0.3, step=1e-4, output=0.01, **QUIET)
    implicit = model.dynamics(until=0.3, step=2e-4, output=0.01, show=False)
    for name in ("one.position", "two.position", "one.velocity", "one.orientation", "energy.dissipated"):
        scale = np.abs(implicit[name].values).max()
        assert np.abs(explicit[name].values - implicit[name].values).max() < 1e-4 * scale, name
    a, b = explicit["one.acceleration"].values[1:], implicit["one.acceleration"].values[1:]
    assert np.abs(a - b).max() < 1e-2 * np.abs(b).max()
    assert np.ptp(explicit["energy.check_sum"].values) < 1e-5


@pytest.mark.filterwarnings("ignore::flexor.solve.balance.EnergyDrift")
def test_a_step_too_long_for_a_spring_is_shortened_and_told():
    """ω = 1000/s, so that steps beyond 2 ms would explode."""
    mass = fx.PointMass("mass", 0.1, position=(0.3, 0, 0), velocity=(0.1, 0, 0))
    spring = fx.AxialSpring("spring", fx.ground, mass, stiffness=1e5, free_length=0.3)
    model = fx.Model("stiff", [mass, spring])
    with pytest.warns(ShortenedSteps, match=r"explicit steps of 0\.005 s are too long .* shortened"):
        run = model.dynamics(until=0.1, step=5e-3, **QUIET)
    assert run.history["step_size"].max() < 2e-3
    assert np.abs(run["mass.position"].values[:, 0] - 0.3).max() < 3e-4


def test_what_is_no_free_body_is_refused_by_name():
    body = fx.RigidBody("arm", 1.0, (0.1, 0.1, 0.1))
    pin = fx.Revolute("pin", fx.ground, body, axis="z")
    with pytest.raises(fx.ModelError, match=r"solver explicit: 'pin': it binds bodies(?s:.*)leave solver out"):
        fx.Model("arm", [body, pin]).dynamics(until=0.1, step=1e-3, **QUIET)
    beam = fx.Beam("cane", points=[(0, 0, 0), (1, 0, 0)], section=fx.Circle("10 mm"), material=fx.Steel())
    with pytest.raises(fx.ModelError, match="it is no rigid body or point mass"):
        fx.Model("cane", [beam]).dynamics(until=0.1, step=1e-3, **QUIET)


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"step": 1e-3, "error": 1e-6}, "error = 1e-06"),
        ({"step": 1e-3, "integrator": "newmark"}, "integrator is given"),
        ({"step": 1e-3, "threads": 2}, "threads is given"),
        ({"step": 1e-3, "start": "equilibrium"}, 'start = "equilibrium"'),
        ({"accuracy": 1e-6}, "accuracy = 1e-06"),
        ({}, "no step; the time step is unknown, give output="),
    ],
)
def test_settings_that_have_no_meaning_are_refused(settings, what):
    model = fx.Model("free", [fx.PointMass("p", 1.0)])
    with pytest.raises(fx.ModelError, match=what):
        model.dynamics(until=0.1, **settings, **QUIET)


def test_plain_python_computes_the_same():
    """Every kernel of the solver, uncompiled."""
    balls = [ball(i, (0.0095 * i, 0, 0.0049), velocity=(0.1 - 0.1 * i, 0, 0)) for i in range(2)]
    friction, law = fx.ContactFriction(0.3, rolling="0.1 mm"), fx.Penalty(1e4, restitution=0.7, rest_speed=0.05)
    grains = fx.Contacts("grains", balls, law, friction=friction, walls=[fx.ground.surface(fx.Plane())])
    model, ends = fx.Model("two", [*balls, grains], gravity=(0, 0, -9.81)), []
    for python in (False, True):
        system = dynamics(model, 4e-4, 2e-5, sink=Nowhere(), solver="explicit", python=python)
        ends.append([system.memory.x.copy(), system.memory.v.copy(), system.memory.history.copy()])
    for compiled, plain in zip(*ends, strict=True):
        np.testing.assert_allclose(compiled, plain, rtol=1e-11, atol=1e-15)


def test_other_loops_do_not_take_its_models():
    """Who integrates without its steps would leave out all contacts."""
    settings = DynamicsSettings(until=0.1, step=1e-3, solver="explicit")
    with pytest.raises(fx.ModelError, match="what makes its steps is not given"):
        integrate(prepare(fx.Model("free", [fx.PointMass("p", 1.0)]), settings), settings, Nowhere())
    with pytest.raises(fx.ModelError, match="explicit solver has a system of its own"):
        fx.Model("free", [fx.PointMass("p", 1.0)]).prepare(until=0.1, step=1e-3, solver="explicit")


def test_chosen_steps_follow_a_body_that_tumbles():
    """Near the axis of its middle moment it turns over; rows are asked for twice a turn."""
    top = fx.RigidBody("top", 1, (1, 2, 3), position=(0, 0, 0), angular_velocity=(0.1, 20, 0.1))
    model = fx.Model("tumbling", [top])
    exact = model.dynamics(until=2, step=2e-4, output=0.1, show=False)
    run = model.dynamics(until=2, output=0.1, solver="explicit", show=False)
    for axis in "xz":
        name = f"top.angular_velocity_{axis}"
        assert np.abs(run[name].values - exact[name].values).max() < 0.05
