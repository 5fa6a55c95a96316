"""The same motion whatever the solver's choices: enforcement, factorisation, augmentation, compiled or plain Python."""

import numpy as np
import pytest

import flexor as fx
from flexor.engine.columns import choose_signals
from flexor.solve.dynamics import integrate, prepare
from flexor.solve.settings import DynamicsSettings

TIGHT = fx.Tolerances(displacement=1e-15, acceleration=1e-12)


class Rows:
    """A sink that keeps the rows in memory."""

    def open(self, columns, meta):
        self.names, self.kept = [name for name, _ in columns], []

    def rows(self, rows):
        self.kept.append(rows)

    def history(self, steps): ...
    def checkpoint(self, state): ...
    def close(self, status, message):
        self.status = status

    def __getitem__(self, name):
        return np.vstack(self.kept)[:, self.names.index(name)]


def mechanism(**joint):
    """A double pendulum with skew axes, a spring across it and a torsion spring in the elbow."""
    upper = fx.RigidBody("upper", 1.5, (0.01, 0.12, 0.12), center_of_mass=(0.5, 0, 0))
    lower = fx.RigidBody("lower", 0.8, (0.01, 0.05, 0.06), center_of_mass=(0.3, 0, 0), position=(1, 0, 0))
    return fx.Model(
        "double pendulum",
        gravity=(0, 0, -9.81),
        items=[
            upper,
            lower,
            fx.Revolute("shoulder", fx.ground, upper.at(0, 0, 0), axis="y", **joint),
            fx.Universal("elbow", upper.at(1, 0, 0), lower.at(0, 0, 0), axis=(0, 1, 1), cross_axis="x", **joint),
            fx.AxialSpring("spring", fx.ground.at(0, 0.5, 0.5), lower.at(0.6, 0, 0), stiffness=20, damping=0.3),
            fx.JointSpring("elbow spring", "elbow", variable="angle_a", stiffness=3, damping=0.05),
        ],
    )


def run(model, until=0.3, step=1e-3, change=None, **settings):
    chosen = DynamicsSettings(until=until, step=step, tolerances=TIGHT, **settings)
    system = prepare(model, chosen)
    if change is not None:
        change(system)
    sink = Rows()
    integrate(system, chosen, sink)
    return sink


@pytest.fixture(scope="module")
def reference():
    return run(mechanism())


@pytest.mark.parametrize(
    ("change", "settings"),
    [
        (None, {"matrix": "unsymmetric"}),
        (lambda system: system.use_pivoted(), {}),
        (None, {"newton": "full"}),
        (None, {"augmentation": 50.0}),
    ],
    ids=["LU", "pivoted", "full Newton", "augmented"],
)
def test_same_discrete_motion(reference, change, settings):
    other = run(mechanism(), change=change, **settings)
    for name in ("lower.position_x", "lower.position_z", "elbow.angle_a", "elbow.angle_b", "spring.force"):
        np.testing.assert_allclose(other[name], reference[name], rtol=0, atol=1e-10, err_msg=name)
    # reactions carry rounding of positions divided by β h²: 1e-16 · m / 3e-7 s² per digit, a few digits
    for name in ("shoulder.force_x", "elbow.force_z"):
        np.testing.assert_allclose(other[name], reference[name], rtol=0, atol=1e-6, err_msg=name)


def test_elimination_converges_to_the_same_motion():
    """Both enforcements are of second order: their difference falls with h² and extrapolates to nothing."""
    apart = []
    for step in (2e-3, 1e-3, 5e-4):
        a, b = (run(mechanism(**kind), step=step) for kind in ({}, {"enforcement": "elimination"}))
        apart.append(np.array([a[n][-1] - b[n][-1] for n in ("lower.position_x", "elbow.angle_b", "shoulder.angle")]))
    assert np.abs(apart[2]).max() < 2e-6
    np.testing.assert_allclose(apart[1] / apart[2], 4.0, rtol=0.1)
    extrapolated = (4 * apart[2] - apart[1]) / 3
    assert np.abs(extrapolated).max() < 1e-8


def test_eliminated_joints_report_the_same_reactions():
    step = 2e-4
    a, b = (run(mechanism(**kind), until=0.1, step=step) for kind in ({}, {"enforcement": "elimination"}))
    for name in ("elbow.force_x", "elbow.force_z", "shoulder.torque_x", "shoulder.force_y", "elbow.angle_b_rate"):
        np.testing.assert_allclose(a[name], b[name], rtol=1e-4, atol=1e-4, err_msg=name)


@pytest.mark.parametrize("kind", [{}, {"enforcement": "elimination"}], ids=["multipliers", "elimination"])
def test_plain_python_is_the_same_engine(kind):
    rows = []
    for python in (False, True):
        chosen = DynamicsSettings(until=3e-3, step=1e-3, tolerances=TIGHT)
        system = prepare(mechanism(**kind), chosen, python=python)
        sink = Rows()
        integrate(system, chosen, sink)
        rows.append(np.vstack(sink.kept))
    np.testing.assert_allclose(rows[0], rows[1], rtol=1e-9, atol=1e-9)


def test_massless_link_between_joints_is_a_rod():
    """A link without mass, hinged at both ends, holds a bob like a rod of constant length."""
    bob = fx.RigidBody("bob", 2.0, (0.1, 0.1, 0.1), position=(1, 0, 0))
    link = fx.RigidBody("link", 0.0, position=(0, 0, 0))
    linked = fx.Model(
        "linked",
        gravity=(0, 0, -9.81),
        items=[
            bob,
            link,
            fx.Revolute("pin", fx.ground, link.at(0, 0, 0), axis="y"),
            fx.Spherical("ball", link.at(1, 0, 0), bob.at(0, 0, 0)),
        ],
    )
    mass = fx.PointMass("bob", 2.0, position=(1, 0, 0))
    rod = fx.Model("rod", gravity=(0, 0, -9.81), items=[mass, fx.Distance("rod", fx.ground, mass, length=1.0)])
    a, b = run(linked), run(rod)
    np.testing.assert_allclose(a["bob.position_x"], b["bob.position_x"], atol=1e-6)
    pull = np.hypot(np.hypot(a["ball.force_x"], a["ball.force_y"]), a["ball.force_z"])
    np.testing.assert_allclose(pull, np.abs(b["rod.force"]), atol=1e-3)


def test_recording_a_choice_of_objects():
    chosen = DynamicsSettings(until=1e-2, step=1e-3, record=("elbow",), energies=False)
    system = prepare(mechanism(), chosen)
    columns = [name for name, _ in choose_signals(system, chosen.record, False)]
    assert columns[0] == "time"
    assert all(name.startswith("elbow.") for name in columns[1:])
    assert system.run.use_energy == 0
