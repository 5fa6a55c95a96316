"""What springs and rods measure where their length is left out: the start with all loops closed."""

import math
import warnings

import pytest

import flexor as fx

CRANK = fx.RigidBody("crank", mass=1.2, inertia=(2e-3, 2e-3, 4e-3), markers={"pin": ("80 mm", 0, 0)})
ROD = fx.RigidBody("rod", mass=0.8, inertia=(1e-4, 6e-3, 6e-3), center_of_mass=(0.15, 0, 0))
PISTON = fx.RigidBody("piston", mass=0.5)
ANGLE = 0.5
STROKE = 0.08 * math.cos(ANGLE) + math.sqrt(0.3**2 - (0.08 * math.sin(ANGLE)) ** 2)
"""Where the piston is: r cos φ + √(ℓ² − r² sin² φ)."""


def slider_crank(*more, start=ANGLE, **enforced):
    joints = (
        fx.Revolute("main", fx.ground, CRANK, axis="z", start=start, **enforced),
        fx.Cylindrical("pin", CRANK["pin"], ROD, axis="z", **enforced),
        fx.Spherical("wrist", ROD.at(0.3, 0, 0), PISTON),
        fx.Prismatic("bore", fx.ground, PISTON, axis="x", **enforced),
    )
    return fx.Model("slider crank", [CRANK, ROD, PISTON, *joints, *more])


def springs():
    wall = fx.ground.at(0.6, 0, 0)
    bushing = (2000.0, 2000.0, 2000.0, 1.0, 1.0, 1.0)
    return (
        fx.AxialSpring("line", wall, PISTON, stiffness=2000),
        fx.GlobalSpring("along", wall, PISTON, direction="x", stiffness=2000),
        fx.GlobalSpring("about", fx.ground, ROD, angle="z", stiffness=2000),
        fx.Bushing("rubber", wall, PISTON, bushing),
        fx.Bushing("between", CRANK, ROD, bushing),
    )


def relaxed(model):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = model.dynamics(until=2e-4, step=1e-4, show=False)
    assert run["line.length"].values[0] == pytest.approx(0.6 - STROKE, rel=1e-12)
    signals = ("line.force", "along.force", "about.torque", "rubber.force_x", "between.force_y", "between.torque_z")
    for signal in signals:
        assert abs(run[signal].values[0]) < 1e-9, signal
    assert run["energy.strain"].values[0] < 1e-12


@pytest.mark.parametrize("enforcement", ["auto", "elimination"])
def test_springs_are_relaxed_where_a_stated_angle_closes_the_loop(enforcement):
    relaxed(slider_crank(*springs(), enforcement=enforcement))


def test_springs_are_relaxed_where_a_motor_begins():
    relaxed(slider_crank(*springs(), fx.Motor("drive", joint="main", position="0.5 + 0*t"), start=None))


def test_springs_are_relaxed_in_a_prepared_run_with_another_start():
    prepared = slider_crank(*springs(), start=0.1).prepare(until=2e-4, step=1e-4, show=False)
    run = prepared.run({"main.start": ANGLE})
    assert run["line.length"].values[0] == pytest.approx(0.6 - STROKE, rel=1e-12)
    assert abs(run["line.force"].values[0]) < 1e-9


def test_springs_are_relaxed_in_a_four_bar_that_is_moved_to_close():
    a = fx.RigidBody("a", mass=1, inertia=0.01, center_of_mass=(0, 0.15, 0))
    b = fx.RigidBody("b", mass=2, inertia=0.05, center_of_mass=(0.5, 0, 0))
    c = fx.RigidBody("c", mass=1.5, inertia=0.02, center_of_mass=(0, 0.25, 0))
    joints = (
        fx.Revolute("o", fx.ground, a, axis="z", start=0.3),
        fx.Revolute("p", a.at(0, 0.3, 0), b, axis="z"),
        fx.Revolute("q", b.at(1, 0, 0), c.at(0, 0.5, 0), axis="z"),
        fx.Revolute("r", fx.ground.at(0.9, -0.2, 0), c, axis="z"),
    )
    spring = fx.AxialSpring("s", fx.ground.at(0, 1, 0), c.at(0, 0.5, 0), stiffness=1000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = fx.Model("four-bar", [a, b, c, *joints, spring]).dynamics(until=2e-4, step=1e-4, show=False)
    assert abs(run["s.force"].values[0]) < 1e-9


def test_a_static_equilibrium_keeps_the_free_length_of_the_start():
    """The spring pushes and pulls from where the model starts, not from where the search for equilibrium has brought it."""
    model = slider_crank(fx.AxialSpring("line", fx.ground.at(0.6, 0, 0), PISTON, stiffness=2000)).replace(
        gravity=(0, 0, 0)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rest = model.statics()
    assert rest["line.length"] == pytest.approx(0.6 - STROKE, rel=1e-9)


def test_a_rod_without_a_length_has_that_of_the_mechanism_closed_without_it():
    rod = fx.Distance("tie", fx.ground.at(0.6, 0.1, 0), PISTON)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = slider_crank(rod).dynamics(until=2e-4, step=1e-4, show=False)
    assert run["tie.length"].values[0] == pytest.approx(math.hypot(0.6 - STROKE, 0.1), rel=1e-12)
    assert run["main.angle"].values[0] == pytest.approx(ANGLE, rel=1e-12)


def test_a_rod_without_a_length_between_placed_bodies_is_as_drawn():
    bob = fx.RigidBody("bob", mass=1, inertia=0.1, position=(0.3, 0.4, 0))
    model = fx.Model("pendulum", [bob, fx.Distance("tie", fx.ground, bob)], gravity=(0, -9.81, 0))
    run = model.dynamics(until=2e-4, step=1e-4, show=False)
    assert run["tie.length"].values[0] == pytest.approx(0.5, rel=1e-12)
