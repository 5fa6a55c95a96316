"""A flexible body as its whole mesh, every finite element co-rotated by itself: its motion and its laws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_bvp
from scipy.linalg import eigh

import flexor as fx
from flexor.bodies.body import Start
from flexor.engine.initial import move
from flexor.engine.linear.table import PAD
from flexor.engine.memory import OK
from flexor.law import MATRIX, RESIDUAL
from flexor.reduce.of_mesh import from_mesh
from flexor.solve.prepare import compile_model
from flexor.spatial import Pose
from tests.bodies.meshed_rods import ENDS, RHO, E, H, clamped, lowered, rod, strip
from tests.laws.calls import call, call_compiled, energies, matrix, residual
from tests.laws.states import COORDINATES, VELOCITIES, moved, slope
from tests.laws.test_tangent import derivative

# -- against exact solutions -------------------------------------------------------------------------------------------


def bent_beam(P: float) -> np.ndarray:
    """Tip of the cantilever under the dead load −P along z: plane beam of exact geometry, with shear and extension.

    N = −P sin ϑ, Q = −P cos ϑ;  x' = (1 + N/EA) cos ϑ − Q/kGA sin ϑ, …;  M' = P x'   (Reissner 1972)
    """
    EI, EA, GA = E * H**4 / 12, E * H**2, 5 / 6 * E / 2 * H**2

    def rates(s, y):
        turn = y[2]
        stretch, shear = 1 - P * np.sin(turn) / EA, -P * np.cos(turn) / GA
        x = stretch * np.cos(turn) - shear * np.sin(turn)
        z = stretch * np.sin(turn) + shear * np.cos(turn)
        return np.vstack([x, z, y[3] / EI, P * x])

    s = np.linspace(0, 1, 100)
    found = solve_bvp(rates, lambda a, b: np.array([*a[:3], b[3]]), s, np.vstack([s, 0 * s, 0 * s, 0 * s]), tol=1e-9)
    assert found.success
    return found.y[:2, -1]


@pytest.mark.parametrize(
    ("element", "coarse", "fine", "error"),
    [
        ("hex8", (10, 1, 1), (20, 2, 2), 3e-4),
        ("hex20", (5, 1, 1), (10, 1, 1), 4e-4),
        ("beam2", (5,), (10,), 5e-4),
        ("shell4", (10, 1), (20, 2), 1e-4),
    ],
)
def test_large_deflection_converges_to_the_exact_beam(element, coarse, fine, error):
    """P L²/EI = 2: the tip goes down by half the length and turns by 45°."""
    P = 2 * E * H**4 / 12
    errors = []
    for divisions in (coarse, fine):
        body = rod(strip(element, *divisions))
        load = fx.PointForce("load", body["tip"], direction=(0, 0, -1), force=P)
        found = clamped(body, load).statics()
        x, y, z = found["rod.tip.position"]
        assert y == pytest.approx(found["rod.root.position"][1], abs=1e-9)
        errors.append(np.hypot(*(np.array([x, z]) - bent_beam(P))))
    assert errors[1] < error
    assert errors[0] > 3 * errors[1]


@pytest.mark.parametrize(
    ("element", "divisions", "inertia", "error"),
    [
        ("hex8", (10, 1, 1), "consistent", 3e-5),
        ("hex20", (5, 1, 1), "consistent", 1e-6),
        ("shell4", (10, 1), "consistent", 5e-5),
        ("beam2", (10,), "nodal", 3e-5),
        ("beam2", (10,), "consistent", 3e-5),
        ("beam2", (20,), "consistent", 1e-5),
    ],
)
def test_spinning_rod_is_stretched(element, divisions, inertia, error):
    """EA u'' + ρAω²(x + u) = 0: the tip moves out by tan κ/κ − 1, κ² = ρω²L²/E."""
    speed = 15.0
    kappa = speed * np.sqrt(RHO / E)
    body = rod(strip(element, *divisions), inertia=inertia)
    u = clamped(body).statics(angular_velocity=(0, 0, speed))["rod.tip.position_x"] - 1
    assert u == pytest.approx(np.tan(kappa) / kappa - 1, rel=error)


@pytest.mark.parametrize("element", ["hex8", "tet10", "beam2"])
def test_small_vibrations_are_those_of_the_finite_element_model(element):
    body = rod(strip(element, 4, 1, 1, poisson=0.3))
    problem = from_mesh(body.mesh, {"root": ENDS["root"], "tip": ENDS["tip"]})
    held = np.flatnonzero(np.abs(problem.C[:6]).sum(axis=0) == 0)
    K, M = (A.toarray()[np.ix_(held, held)] for A in (problem.K, problem.M))
    expected = np.sqrt(eigh(K, M, eigvals_only=True)[:6]) / (2 * np.pi)
    found = clamped(body).modes(count=6).frequencies
    np.testing.assert_allclose(found[:6], expected, rtol=1e-6)


# -- against the superelement ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("element", "error"), [("hex8", 1e-4), ("beam2", 5e-5), ("shell4", 5e-4)])
def test_free_flight_keeps_energy_and_agrees_with_the_superelement(element, error):
    """A thick shell has some inertia about its normal that the superelement lacks."""
    divisions = (5, 1) if element == "shell4" else (5, 1, 1)
    body = rod(strip(element, *divisions, poisson=0.3), angular_velocity=(3, 5, -4))
    runs = [
        fx.Model("flight", [body.replace(formulation=formulation)]).dynamics(until=0.5, step=2e-3)
        for formulation in ("full_mesh", "superelement")
    ]
    energy = runs[0]["energy.kinetic"].values + runs[0]["energy.strain"].values
    assert np.ptp(energy) < 1e-4 * energy[0]
    ends = [run["rod.tip.position"].values for run in runs]
    assert np.ptp(ends[0], axis=0).max() > 0.5
    np.testing.assert_allclose(ends[0], ends[1], atol=error)


def test_pendulum_differs_from_the_superelement_in_second_order():
    """What bending beyond the first order does falls faster than the deformation itself."""
    errors = []
    for young in (E, 10 * E):
        body = rod(strip("hex8", 10, 1, 1, young=young, poisson=0.3), damping=fx.Rayleigh(beta=2e-3))
        tips = []
        for formulation in ("full_mesh", "superelement"):
            swinging = body.replace(formulation=formulation)
            pin = fx.Revolute("pin", fx.ground, swinging["root"], axis="y")
            run = fx.Model("pendulum", [swinging, pin], gravity=(0, 0, -9.81)).dynamics(until=1.0, step=2e-3)
            tips.append(run["rod.tip.position"].values)
        errors.append(np.abs(tips[0] - tips[1]).max())
        assert np.ptp(tips[0][:, 0]) > 1.5
    assert errors[0] < 2e-3
    assert errors[1] < errors[0] / 100


# -- laws --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("element", ["hex8", "wedge6", "tet4", "shell3", "beam2"])
def test_laws_of_an_element(element):
    """Exact tangent; no force from rigid motion; equilibrium; power, exactly for solids; the same compiled."""
    made = lowered(rod(strip(element, 3, 1, 1, poisson=0.3), damping=fx.Rayleigh(beta=1e-3)))
    law = made.terms[0]
    state = made.state(law, 0, deformation=0.05)
    for c, what in (((1.0, 0, 0), COORDINATES), ((0, 1.0, 0), VELOCITIES)):
        expected = derivative(law, state, 0, what, law.size)
        np.testing.assert_allclose(matrix(law, state, c), expected, rtol=0, atol=1e-9 * np.abs(expected).max())
    still = replace(state, v=0 * state.v, a=0 * state.a, gravity=np.zeros(3))
    forces = residual(law, still).reshape(-1, 2, 3)
    size = np.abs(forces).max()
    np.testing.assert_allclose(forces[:, 0].sum(axis=0), 0, atol=1e-9 * size)
    moments = np.cross(state.x, forces[:, 0]) + forces[:, 1]
    np.testing.assert_allclose(moments.sum(axis=0), 0, atol=1e-9 * size * np.abs(state.x).max())
    unstrained = replace(made.state(law, 0, deformation=0.0), v=still.v, a=still.a, gravity=np.zeros(3))
    assert np.abs(residual(law, unstrained)).max() < 1e-9 * size
    if element in ("hex8", "wedge6", "tet4"):
        assert not forces[:, 1].any()
        stored = slope(lambda tau: energies(law, moved(state, tau))[:3].sum(), 1e-4)
        power = residual(law, state) @ state.rates
        assert power == pytest.approx(stored + energies(law, state)[3], rel=1e-8)
    for want in (RESIDUAL, RESIDUAL | MATRIX):
        python, machine = (f(law, state, want, (0.7, -1.3, 0.4)) for f in (call, call_compiled))
        np.testing.assert_allclose(machine.r, python.r, atol=1e-10 * np.abs(python.r).max())
        np.testing.assert_allclose(machine.K, python.K, atol=1e-10 * np.abs(python.K).max(initial=1.0))


def test_tied_nodes_have_an_exact_tangent():
    """The tip of a beam follows a connection node at the same place, both under large forces."""
    tied = {"root": ENDS["root"], "tip": fx.Interface(ENDS["tip"], at=(1, 0, 0))}
    system = compile_model(clamped(rod(strip("beam2", 2), interfaces=tied)), symmetric=False)
    system.use_lu()
    active = np.union1d(system.coordinates, system.constraints)
    random = np.random.default_rng(0)

    def moved_by(change: np.ndarray) -> None:
        full = np.zeros(system.equations.pattern.n)
        full[active] = change
        move(system, full)

    def forces() -> np.ndarray:
        assert system.evaluate(RESIDUAL | MATRIX, 1.0, 0.0, 0.0) == OK
        return system.memory.residual[active].copy()

    moved_by(0.1 * random.normal(size=len(active)))
    forces()
    K = system.solver.to_csc()[active][:, active].toarray()
    x, R = system.memory.x.copy(), system.memory.R.copy()
    for j in range(len(active)):
        seen = []
        for step in (1e-6, -1e-6):
            system.memory.x[:], system.memory.R[:] = x, R
            moved_by(step * np.eye(len(active))[j])
            seen.append(forces())
        np.testing.assert_allclose(K[:, j], (seen[0] - seen[1]) / 2e-6, rtol=0, atol=1e-7 * np.abs(K).max())


def test_equal_elements_share_their_matrices():
    made = rod(strip("hex8", 10, 2, 2)).realisation
    assert len({id(shaped) for _, _, shaped in made.placed}) == 1
    elements = made.parts(Start(Pose(), np.zeros(6))).terms
    assert [element.law.name for element in elements].count("superelement") == 40


def test_shells_turn_about_their_normal_with_little_inertia():
    _, _, element = rod(strip("shell4", 4, 1)).realisation.placed[0]
    np.testing.assert_allclose(element.masses[:, 3:], element.masses[0, 3] * np.array([[1, 1, 0.01]] * 4))
    assert element.masses[0, 3] > 0


def test_equations_of_nodes_are_named_by_their_numbers():
    """What does not converge is told with the node of the mesh, not with an empty name."""
    body = rod(strip("hex8", 2, 1, 1))
    system = compile_model(clamped(body))
    named = {
        system.equations.name(int(equation))
        for equation in np.flatnonzero(system.equations.pattern.identity["kind"] != PAD)
    }
    inner = set(body.mesh.node_ids.tolist())
    numbers = {int(name.split("node_")[1].split(":")[0]) for name in named if "node_" in name}
    assert numbers
    assert numbers < inner
    assert {f"rod.node_{i}: {direction}" for i in numbers for direction in "xyz"} <= named
    assert all(name.split(":")[0].strip() for name in named)
