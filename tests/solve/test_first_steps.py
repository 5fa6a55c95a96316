"""First steps: reactions of second order, bodies too stiff for the step, steps that would turn too far."""

import numpy as np
import pytest

import flexor as fx
from flexor.engine import slots
from flexor.engine.step import _leaps
from flexor.mesh.generate import bar
from flexor.solve.prepare import compile_model

TIGHT = fx.Tolerances(displacement=1e-15, acceleration=1e-12)


def reactions(step: float, until: float = 0.04) -> np.ndarray:
    """Force in the ball joint of a heavy asymmetric top, every 2 ms."""
    top = fx.RigidBody(
        "top",
        1.3,
        (0.02, 0.03, 0.012),
        center_of_mass=(0.02, 0, 0.25),
        position=(0, 0, 0),
        orientation={"axis": "x", "angle": "40 deg"},
        angular_velocity=(3.0, -14.0, 20.0),
    )
    model = fx.Model("top", gravity=(0, 0, -9.81), items=[top, fx.Spherical("tip", fx.ground, top)])
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
    system.floats[slots.BETA], system.floats[slots.STEP_SIZE] = 0.25, 0.01
    target = system[slots.S_PSEUDO] if eliminated else system.nodes(slots.PSEUDO)[1, 5:]
    for turn, leaps in ((0.9, False), (2 * np.pi, True), (-2 * np.pi, True)):
        target[:] = turn / (0.25 * 0.01**2)
        assert _leaps(system.table) is leaps
