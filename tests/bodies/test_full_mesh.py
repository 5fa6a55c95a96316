"""A flexible body as its whole mesh: every finite element co-rotated by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_bvp
from scipy.linalg import eigh

import flexor as fx
from flexor.bodies import full_mesh
from flexor.bodies.body import Start
from flexor.bodies.full_mesh import FullMesh
from flexor.engine import slots
from flexor.engine.initial import move
from flexor.errors import ModelError
from flexor.law import MATRIX, RESIDUAL
from flexor.mesh.generate import bar, plate
from flexor.mesh.mesh import AverageLink, Mesh, NodalMass, RigidBar, RigidLink
from flexor.reduce.from_mesh import from_mesh
from flexor.solve.prepare import compile_model
from flexor.spatial import Pose, skew
from tests.laws.calls import call, call_compiled, energies, matrix, residual
from tests.laws.flexible import Sample
from tests.laws.states import COORDINATES, VELOCITIES, moved, slope
from tests.laws.test_tangent import derivative

ALL = (0, 1, 2, 3, 4, 5)
H, E, RHO = 0.1, 1e7, 1000.0
ENDS = {"root": fx.plane(at=(0, 0, 0), normal="x"), "tip": fx.plane(at=(1, 0, 0), normal="x")}


def strip(element: str, *divisions: int, young: float = E, poisson: float = 0.0) -> Mesh:
    """1 m × 100 mm × 100 mm along x."""
    material = fx.Isotropic(young=young, poisson=poisson, density=RHO)
    if element.startswith("shell"):
        section = fx.ShellSection(thickness=H)
        return plate(1, H, divisions=divisions, element=element, material=material, section=section)
    section = fx.Rectangle(width=H, height=H) if element == "beam2" else None
    return bar(1, H, H, divisions=divisions, element=element, material=material, section=section)


def rod(mesh: Mesh, **about: Any) -> fx.FlexibleBody:
    return fx.FlexibleBody("rod", mesh, **{"interfaces": ENDS, "formulation": "full_mesh", **about})


def clamped(body: Any, *items: Any) -> Any:
    return fx.Model("cantilever", [body, fx.Fixed("clamp", fx.ground, body["root"]), *items])


def lowered(body: Any) -> Sample:
    return Sample(body, body.parts(Start(Pose(), np.zeros(6), python=True)))


# -- against exact solutions -----------------------------------------------------------------------------------------


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
    law = made.elements[0]
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
    active = np.flatnonzero(system[slots.NORM_KIND] <= 3)
    random = np.random.default_rng(0)

    def moved_by(change: np.ndarray) -> None:
        full = np.zeros(system.equations.pattern.n)
        full[active] = change
        move(system, full)

    def forces() -> np.ndarray:
        assert system.evaluate(RESIDUAL | MATRIX, 1.0, 0.0, 0.0) == slots.OK
        return system[slots.RESIDUAL_VECTOR][active].copy()

    moved_by(0.1 * random.normal(size=len(active)))
    forces()
    K = system.solver.to_csc()[active][:, active].toarray()
    x, R = system[slots.X].copy(), system[slots.ROT].copy()
    for j in range(len(active)):
        seen = []
        for step in (1e-6, -1e-6):
            system[slots.X][:], system[slots.ROT][:] = x, R
            moved_by(step * np.eye(len(active))[j])
            seen.append(forces())
        np.testing.assert_allclose(K[:, j], (seen[0] - seen[1]) / 2e-6, rtol=0, atol=1e-7 * np.abs(K).max())


def test_equal_elements_share_their_matrices():
    made = FullMesh(rod(strip("hex8", 10, 2, 2)))
    assert len({id(shaped) for _, _, shaped in made.placed}) == 1
    elements = made.parts(Start(Pose(), np.zeros(6))).elements
    assert [element.law.name for element in elements].count("superelement") == 40


def test_shells_turn_about_their_normal_with_little_inertia():
    _, _, element = FullMesh(rod(strip("shell4", 4, 1))).placed[0]
    np.testing.assert_allclose(element.masses[:, 3:], element.masses[0, 3] * np.array([[1, 1, 0.01]] * 4))
    assert element.masses[0, 3] > 0


# -- what belongs to the mesh ---------------------------------------------------------------------------------------------


def offset_mass(m: float, J: tuple[float, ...], c: Any) -> np.ndarray:
    arm = m * skew(np.array(c, dtype=float))
    return np.block([[m * np.eye(3), -arm], [arm, np.diag(J) - arm @ arm / m]])


def loaded(element: str, *divisions: int) -> Mesh:
    """With a mass beside its middle, carried by a rigid link and a rigid bar."""
    mesh = strip(element, *divisions)
    n = len(mesh.points)
    middle = np.flatnonzero(np.isclose(mesh.points[:, 0], 0.5))
    points = np.vstack([mesh.points, [[0.5, 0, 0.4], [0.5, 0.2, 0.4]]])
    return replace(
        mesh,
        points=points,
        node_ids=np.arange(1, n + 3),
        rigid_links=(RigidLink(n, tuple(middle.tolist()), id=7),),
        rigid_bars=(RigidBar((n, n + 1), id=8),),
        masses=(NodalMass(n + 1, offset_mass(3.0, (0.1, 0.2, 0.15), (0, 0.1, 0.05))), NodalMass(0, 0.5 * np.diag([1, 1, 1, 0, 0, 0]))),
    )  # fmt: skip


@pytest.mark.parametrize(("element", "divisions"), [("hex8", (4, 1, 1)), ("beam2", (4,))])
def test_links_and_masses_of_the_mesh(element, divisions):
    """In rigid motion it has the kinetic energy of its mass properties, and gravity pulls at its centre."""
    interfaces = {"tip": ENDS["tip"]} if element == "beam2" else ENDS
    body = rod(loaded(element, *divisions), interfaces=interfaces, velocity=(1, 2, 3), angular_velocity=(2, -1, 0.5))
    m = body.reduced.mass_properties
    omega = np.array(body.angular_velocity)
    run = fx.Model("flight", [body], gravity=(0, 0, -9.81)).dynamics(until=0.02, step=1e-3)
    v = np.array(body.velocity) + np.cross(omega, m.com)
    assert run["energy.kinetic"].values[0] == pytest.approx(
        0.5 * (m.mass * v @ v + omega @ m.inertia @ omega), rel=1e-9
    )
    fall = v[2] * 0.02 - 0.5 * 9.81 * 0.02**2
    assert run["energy.potential"].values[-1] == pytest.approx(m.mass * 9.81 * fall, rel=1e-3)


def test_markers_name_nodes_of_the_mesh():
    mesh = strip("beam2", 4)
    body = rod(mesh, markers={"middle": (0.5, 0, 0), "beside": (0.5, 0.1, 0)})
    names = [node.name for node in lowered(body).parts.nodes]
    assert names == ["rod.root", "rod.tip", "rod.middle", "", "", "rod.beside"]
    assert body.carrier("middle", np.array([0.5, 0, 0]))[0] == 2
    assert body.carrier("beside", np.array([0.5, 0.1, 0]))[0] == 5
    with pytest.raises(ModelError, match=r"something attaches at \(0.5, 0.2, 0\) m"):
        body.carrier(None, np.array([0.5, 0.2, 0]))
    twice = rod(strip("hex8", 2, 1, 1), markers={"end": (1, 0, 0)})  # where an interface is: it follows that
    assert twice.realisation.carried == {"end": [twice.realisation.connections[1]]}
    loose = rod(strip("hex8", 2, 1, 1), interfaces={}, reduction=fx.Modal(modes=3))
    with pytest.raises(ModelError, match="neither interfaces nor markers"):
        loose.carrier(None, np.zeros(3))


@pytest.mark.parametrize("element", ["hex8", "tet10", "shell4"])
def test_average_ties_and_markers_anywhere_are_those_of_the_superelement(element):
    """A bar on average ties, pushed at a marker inside it and turned by a moment there, little: linear statics alike."""
    divisions = (8, 2) if element == "shell4" else (8, 2, 2)
    body = rod(
        strip(element, *divisions, poisson=0.3),
        interfaces={"root": fx.Interface(ENDS["root"], tie="average"), "tip": fx.Interface(ENDS["tip"], tie="average")}
        if element != "shell4"
        else ENDS,
        markers={"inside": (0.6, 0.02, 0.01)},
        reduction=fx.CraigBampton(modes=12),
    )
    found = []
    for formulation in ("full_mesh", "superelement"):
        body = body.replace(formulation=formulation)
        model = clamped(
            body.replace(position=None),
            fx.PointForce("push", body["inside"], direction=(0.3, 0.5, 1), force=0.02),
            fx.PointTorque("twist", body["inside"], direction=(1, 0.5, 0), torque=0.01),
            fx.PointForce("pull", body["tip"], direction=(1, 0, -1), force=0.01),
        )
        found.append(model.statics())
    for name in ("inside", "tip"):
        moves = [position[f"rod.{name}.position"] - np.array(body.marker(name).at) for position in found]
        shift = found[0]["rod.root.position"] - np.array(body.marker("root").at)
        assert np.linalg.norm(moves[1] - shift) > 1e-7
        np.testing.assert_allclose(moves[0], moves[1], atol=2e-4 * np.linalg.norm(moves[1] - shift))
        turns = [position[f"rod.{name}.orientation"][1:] for position in found]
        np.testing.assert_allclose(turns[0], turns[1], atol=2e-4 * np.linalg.norm(turns[1]) + 1e-10)


def test_a_pendulum_on_an_average_tie_keeps_its_energy():
    """Hung on a bore-like tie, a mass at a marker: energy, and the swing of the superelement."""
    ends = {"root": fx.Interface(ENDS["root"], tie="average")}
    body = rod(strip("hex8", 6, 1, 1, young=1e9), interfaces=ends, markers={"inside": (0.5, 0, 0)})
    bob = fx.RigidBody("bob", mass=2.0, inertia=(0.01, 0.01, 0.01))
    tips = []
    for formulation in ("full_mesh", "superelement"):
        swinging = body.replace(formulation=formulation)
        pin = fx.Revolute("pin", fx.ground, swinging["root"], axis="y")
        hung = fx.Fixed("hung", swinging["inside"], bob)
        run = fx.Model("pendulum", [swinging, bob, pin, hung], gravity=(0, 0, -9.81)).dynamics(until=0.5, step=1e-3)
        tips.append(run["bob.position"].values)
        assert np.ptp(run["energy.check_sum"].values) < 1e-3 * np.ptp(run["energy.potential"].values)
    assert np.ptp(tips[0][:, 0]) > 0.3
    np.testing.assert_allclose(tips[0], tips[1], atol=1e-3)


# -- what it cannot do ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"damping": fx.ModalDamping(0.02)}, "stiffness-proportional damping only"),
        ({"damping": fx.Rayleigh(0.5, 1e-3)}, "stiffness-proportional damping only"),
    ],
)
def test_what_single_elements_cannot_do_is_refused(change, what):
    with pytest.raises(ModelError, match=f"flexible body 'rod': .*{what}"):
        lowered(rod(strip("hex8", 3, 1, 1), **change))


def test_links_that_do_not_hold_rigidly_are_refused():
    mesh = strip("beam2", 4)
    for what, links in (
        (
            "average link 3 .* leaves directions",
            {"average_links": (AverageLink(2, (1, 3), components=(0, 1, 2), id=3),)},
        ),
        ("averages rotations", {"average_links": (AverageLink(2, (1, 3), independent_components=ALL),)}),
        ("lie on a line", {"average_links": (AverageLink(2, (0, 1, 3)),)}),
        ("link 5 leaves directions free", {"rigid_links": (RigidLink(1, (2,), (0, 1, 2), id=5),)}),
        ("rigid bars", {"rigid_bars": (RigidBar((1, 2), ((0, 1, 2, 3, 4, 5), ()), ((), (0, 1, 2))),)}),
        ("is not that of a rigid body", {"masses": (NodalMass(2, np.diag([1.0, 2, 1, 0, 0, 0])),)}),
    ):
        with pytest.raises(ModelError, match=what):
            lowered(rod(replace(mesh, **links)))


def test_springs_are_refused():
    mesh = strip("beam2", 2)
    spring = replace(mesh.blocks[0], element="spring", section="spring", material=None, orientation=None)
    sections = {**mesh.sections, "spring": fx.SpringSection(1.0)}
    with pytest.raises(ModelError, match="its mesh has spring elements"):
        lowered(rod(replace(mesh, blocks=(*mesh.blocks, spring), sections=sections)))


def test_a_large_mesh_is_refused(monkeypatch):
    monkeypatch.setattr(full_mesh, "MOST_ELEMENTS", 2)
    with pytest.raises(ModelError, match="its mesh has 3 elements"):
        lowered(rod(strip("hex8", 3, 1, 1)))


def test_a_body_reduced_before_has_no_elements():
    body = rod(strip("hex8", 3, 1, 1))
    with pytest.raises(ModelError, match="no mesh whose elements could move"):
        lowered(fx.FlexibleBody("rod", reduced_body=body.reduced, formulation="full_mesh"))
