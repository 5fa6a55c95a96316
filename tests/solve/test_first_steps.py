"""First steps: reactions of second order, bodies too stiff for the step, steps that would turn too far."""

import numpy as np
import pytest

import flexor as fx
from flexor.engine.initial import solve_accelerations
from flexor.engine.step import _leaps
from flexor.mesh.generate import bar
from flexor.solve.begin import LATER, SOON, third_derivative
from flexor.solve.prepare import compile_model
from flexor.solve.resolution import resolved_equations

TIGHT = fx.Tolerances(displacement=1e-15, acceleration=1e-12)


def reactions(step: float, until: float = 0.04, beside: tuple = ()) -> np.ndarray:
    """Force in the ball joint of a heavy asymmetric top, every 2 ms; `beside` it there may be things without any joint to it."""
    top = fx.RigidBody(
        "top",
        1.3,
        (0.02, 0.03, 0.012),
        center_of_mass=(0.02, 0, 0.25),
        position=(0, 0, 0),
        orientation={"axis": "x", "angle": "40 deg"},
        angular_velocity=(3.0, -14.0, 20.0),
    )
    model = fx.Model("top", gravity=(0, 0, -9.81), items=[top, fx.Spherical("tip", fx.ground, top), *beside])
    run = model.dynamics(until=until, step=step, output=2e-3, tolerances=TIGHT, show=False)
    return run["tip.force"].values[1:]


def test_reactions_of_a_spinning_top_from_the_first_step():
    exact = reactions(2.5e-5)
    coarse, fine = (np.abs(reactions(step) - exact).max() for step in (2e-3, 1e-3))
    assert coarse < 2e-2  # of some 30 N
    assert coarse / fine > 3.4


@pytest.mark.parametrize("reduction", [fx.Guyan(), fx.CraigBampton(modes=4)], ids=["guyan", "craig_bampton"])
def test_a_small_stiff_body_starts_quietly(reduction):
    """A steel link of 4 mm rings at 100 kHz, which a step of 1 ms cannot see: it must move like a rigid one at once.

    Its third derivative is that of the ringing; a start shifted by it would turn the link by whole turns in a step.
    """
    mesh = bar(0.004, 0.002, 0.002, (3, 2, 2), element="hex20", material=fx.Steel())
    runs = []
    for formulation in ("rigid", "superelement", "floating"):
        link = fx.FlexibleBody(
            "link",
            mesh,
            interfaces={"a": "x_min", "b": "x_max"},
            position=(0, 0, 0),
            reduction=reduction,
            formulation=formulation,
        )
        bob = fx.RigidBody("bob", 1e-2, (1e-6,) * 3, center_of_mass=(0.03, 0, 0), position=(0.004, 0, 0))
        joints = [fx.Revolute("pin", fx.ground, link["a"], axis="y"), fx.Fixed("weld", link["b"], bob)]
        runs.append(fx.Model("pendulum", [link, bob, *joints], gravity=(0, 0, -9.81)).dynamics(0.1, "1 ms", show=False))
    rigid, *flexible = runs
    for run in flexible:
        np.testing.assert_allclose(run["bob.position"].values, rigid["bob.position"].values, rtol=0, atol=1e-7)
        assert run["pin.force"].norm().values.max() == pytest.approx(rigid["pin.force"].norm().values.max(), rel=1e-4)


@pytest.mark.parametrize("eliminated", [False, True])
def test_a_step_does_not_turn_by_whole_turns(eliminated):
    """Positions that are the same after a turn solve the equations as well; such a step is refused."""
    rod = fx.RigidBody("rod", 1.0, (0.1, 0.1, 0.1), center_of_mass=(0.5, 0, 0))
    how = "elimination" if eliminated else "multipliers"
    model = fx.Model("m", [rod, fx.Revolute("pin", fx.ground, rod, axis="z", enforcement=how)])
    system = compile_model(model, symmetric=False, python=True)
    system.run.beta, system.run.step_size = 0.25, 0.01
    target = system.memory.s_pseudo if eliminated else system.nodes("pseudo")[1, 5:]
    for turn, leaps in ((0.9, False), (2 * np.pi, True), (-2 * np.pi, True)):
        target[:] = turn / (0.25 * 0.01**2)
        assert _leaps(system.memory) is leaps


def flywheel(angle: str, over: float) -> tuple:
    """A rod that a motor turns by an angle in a short time."""
    rod = fx.RigidBody("rod", 0.0314, (1e-6, 2.62e-5, 2.62e-5), center_of_mass=(0.05, 0, 0), position=(0, 0, 0))
    return (
        rod,
        fx.Revolute("axle", fx.ground, rod, axis="y"),
        fx.Motor("drive", "axle", position=fx.ramp(0, angle, over=over)),
    )


@pytest.mark.filterwarnings("ignore::flexor.EnergyDrift")
@pytest.mark.parametrize("rho", [0.0, 0.5, 0.8])
@pytest.mark.parametrize("angle", [60, 120, 170])
def test_a_violent_motor_does_not_change_to_another_turn(angle, rho):
    """Turned in two steps: the iteration ends at rounding, and must not do so some turns further on."""
    model = fx.Model("m", flywheel(f"{angle} deg", 2e-3))
    run = model.dynamics(0.02, 1e-3, integrator=fx.GeneralizedAlpha(rho), show=False)
    largest = 15 / 8 * np.radians(angle) / 2e-3
    assert run["axle.angle"].values[-1] == pytest.approx(np.radians(angle), abs=1e-9)
    assert np.abs(run["axle.angle_rate"].values).max() < 1.5 * largest
    assert np.abs(run["axle.angle_rate"].values[-1]) < 0.02 * largest


@pytest.mark.parametrize("formulation", ["floating", "superelement"])
def test_an_unrelated_stiff_body_does_not_spoil_the_start(formulation):
    mesh = bar(0.1, 0.02, 0.02, (3, 1, 1), element="hex20", material=fx.Steel())
    body = fx.FlexibleBody(
        "f", mesh, interfaces={"r": "x_min", "t": "x_max"}, position=(0, 3, 0),
        reduction=fx.CraigBampton(6), formulation=formulation,
    )  # fmt: skip
    beside = (
        body,
        fx.Fixed("clamp", fx.ground.at(0, 3, 0), body["r"]),
        fx.PointForce("f1", on=body["t"], direction="z", force=1.0),
    )
    alone = reactions(2e-3)
    np.testing.assert_allclose(reactions(2e-3, beside=beside), alone, rtol=0, atol=1e-5)  # else 0.27 N


@pytest.mark.filterwarnings("ignore::flexor.EnergyDrift")
def test_the_start_is_made_for_the_step_that_is_taken():
    """A neighbour cuts the first step to pieces; shift and offset for the whole step would be 0.2 N off."""
    exact = reactions(2.5e-5, until=2e-3)
    cut = reactions(2e-3, until=2e-3, beside=flywheel("170 deg", 4e-3))
    assert np.abs(cut - exact).max() < 1e-3


def slider(stiffness: float, damping: float) -> object:
    mass = fx.RigidBody("mass", 2.0, (1.0, 1.0, 1.0), position=(0, 0, 0))
    guide = fx.Prismatic("guide", fx.ground, mass, axis="x", start_rate=3.0, enforcement="elimination")
    other = fx.RigidBody("other", 1.0, (1.0, 1.0, 1.0), position=(0, 1, 0), angular_velocity=(0, 0, 1.0))
    pin = fx.Revolute("pin", fx.ground.at(0, 1, 0), other, axis="z")
    spring = fx.JointSpring("spring", "guide", stiffness=stiffness, damping=damping)
    return compile_model(fx.Model("m", [mass, guide, spring, other, pin]), symmetric=False)


@pytest.mark.parametrize(
    ("stiffness", "damping", "h"),
    [
        (2.0 * 1000.0**2, 0.0, np.sqrt(6 * 0.5 / (1 + 2 / 9)) / 1000.0),
        (0.0, 2.0 * 500.0, 2 * 0.5 / (1 + 2 / 9) / 500.0),
    ],
    ids=["vibration", "damper"],
)
def test_which_steps_are_short_enough(stiffness, damping, h):
    """The mean third derivative changes by (hω)²/6 for ω = 1000 rad/s, by hλ/2 for λ = 500/s; ρ = 0.8 has Δ = −1/9."""
    for factor, resolved in ((0.97, True), (1.03, False)):
        system = slider(stiffness, damping)
        solve_accelerations(system)
        now = third_derivative(system, SOON * 1e-2 * h)
        later = [third_derivative(system, part * factor * h, now) for part in LATER]
        found = resolved_equations(system, now, later, factor * h, 1 / 9)
        groups = system.equations.pattern.groups
        mine = groups == groups[system.memory.scalar_eq[0]]
        assert np.all(found[mine] == resolved)
        assert np.all(found[~mine])


def test_a_matrix_of_another_step_does_not_lead_astray():
    """A stiff link that turns by 0.02 rad in a step: its stiffness turns along, and old matrices point elsewhere."""
    mesh = bar(0.1, 0.02, 0.02, (4, 1, 1), element="hex20", material=fx.Steel())
    link = fx.FlexibleBody("link", mesh, interfaces={"a": "x_min", "b": "x_max"}, reduction=fx.CraigBampton(modes=2))
    hinge = fx.Revolute("hinge", fx.ground, link["a"], axis="y", start_rate=20.0)
    run = fx.Model("link", [link, hinge]).dynamics(0.1, "1 ms", show=False)
    assert run.history["cut_backs"].sum() == 0
    assert run.history["iterations"].mean() < 5
    assert run["hinge.angle_rate"].values[-1] == pytest.approx(20.0, rel=3e-4)
