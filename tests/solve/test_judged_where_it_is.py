"""Which constraints are redundant is judged where a mechanism settles, starts or is linearised, not in its drawing."""

import warnings

import numpy as np
import pytest

import flexor as fx

R, L, G = 0.3, 1.0, 9.81
INERTIA = 2 * (0.01 + (R / 2) ** 2) + R**2  # of the cranks about their hinges, and the coupler at their ends
HANGING = np.sqrt(G * 2 * R / INERTIA) / (2 * np.pi)  # two cranks of 1 kg at R/2 and the coupler at R


def parallelogram(*more, start=None, gravity=(0, -G, 0)):
    """Drawn in line, where four rows are redundant; everywhere else three are."""
    a, c = (fx.RigidBody(n, 1, (1e-3, 0.01, 0.01), center_of_mass=(R / 2, 0, 0)) for n in "ac")
    b = fx.RigidBody("b", 1, (1e-3, 0.1, 0.1), center_of_mass=(L / 2, 0, 0))
    items = [
        a, b, c,
        fx.Revolute("A", fx.ground, a, axis="z", start=start),
        fx.Revolute("B", a.at(R, 0, 0), b, axis="z"),
        fx.Revolute("C", fx.ground.at(L, 0, 0), c, axis="z"),
        fx.Revolute("D", b.at(L, 0, 0), c.at(R, 0, 0), axis="z"),
        *more,
    ]  # fmt: skip
    return fx.Model("parallelogram", items, gravity=gravity)


def springs(stiffness, free):
    return [fx.JointSpring(f"spring {j}", j, stiffness=stiffness, free=free) for j in "AC"]


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize(
    "modes",
    [
        lambda: parallelogram().modes(3),
        lambda: parallelogram().modes(3, complex=True),
        lambda: parallelogram().modes(3, start=parallelogram().statics()),
        lambda: parallelogram().modes(3, start=parallelogram(start="-30 deg").statics()),
        lambda: parallelogram(start="-30 deg").modes(3),
    ],
    ids=["undamped", "complex", "start", "start of another drawing", "drawn elsewhere"],
)
def test_one_freedom_has_one_mode(modes):
    found = modes()
    assert found.frequencies == pytest.approx([HANGING], rel=1e-8)


def test_modes_of_springs():
    """Both springs turn by the same angle: ω² = 2 k / J."""
    found = parallelogram(*springs(10.0, 1.0), gravity=(0, 0, 0)).modes(3)
    assert found.frequencies == pytest.approx([np.sqrt(20.0 / INERTIA) / (2 * np.pi)], rel=1e-8)


def test_campbell_judges_where_it_settles():
    """The lowest speed is rest, where the cranks hang."""
    found = parallelogram().campbell([0, 1], 2, axis="y")
    assert found.frequencies[0] == pytest.approx([HANGING], rel=1e-8)


def test_dynamics_from_equilibrium_and_from_another_result():
    push = fx.PointForce("push", parallelogram().items[0].at(R, 0, 0), force=3, direction="x")
    model = parallelogram(push)
    angle = np.arctan2(-2 * R * G, R * 3)  # 3 N at the end of the crank against three weights
    run = model.dynamics(until=0.1, step=2e-3, start="equilibrium", show=False)
    assert run["A.angle"].values == pytest.approx(angle, abs=1e-8)
    assert run["C.angle"].values == pytest.approx(angle, abs=1e-8)
    fall = model.dynamics(until=0.1, step=1e-3, start=parallelogram().statics(), show=False)
    φ = fall["A.angle"].values + np.pi / 2
    energy = 0.5 * INERTIA * fall["A.angle_rate"].values ** 2 + 2 * R * G * (1 - np.cos(φ)) - 3 * R * np.sin(φ)
    assert φ[-1] > 0.02
    assert energy == pytest.approx(0, abs=1e-4)
    assert fall["C.angle"].values == pytest.approx(fall["A.angle"].values, abs=1e-9)


def test_springs_that_pull_it_into_line():
    """It comes to rest there, its reactions are not unique, and small motions have no modes."""
    model = parallelogram(*springs(10.0, 0.0), start="30 deg", gravity=(0, 0, 0))
    with pytest.warns(fx.RedundantConstraints, match="comes to rest at a change point"):
        rest = model.statics()
    assert rest["A.angle"] == pytest.approx(0, abs=1e-10)
    assert rest["C.angle"] == pytest.approx(0, abs=1e-10)
    with pytest.raises(fx.AssemblyError, match=r"change point(.|\n)*no modes"):
        model.modes(3)


def test_kinematics_from_a_change_point():
    """A motor of one speed carries the weights: M = 2 R G cos φ."""
    run = parallelogram(fx.Motor("motor", "A", speed=2)).kinematics(until=0.01, step=1e-3, show=False)
    assert run["C.angle_rate"].values == pytest.approx(2, abs=1e-9)
    assert run["motor.torque"].values == pytest.approx(2 * R * G * np.cos(2 * run.time), rel=1e-5)
