"""Loads on the mesh of a body whose elements all move by themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_bvp

import flexor as fx
from flexor.bodies.body import Start
from flexor.elements.assembly.model import assemble
from flexor.joints.surroundings import Carrier
from flexor.mesh.generate import bar, plate
from flexor.mesh.mesh import NodalMass
from flexor.reduce.full import statics
from flexor.spatial import Pose, exp_so3
from tests.laws.calls import energies, matrix, residual
from tests.laws.flexible import Sample
from tests.laws.states import COORDINATES, superposed
from tests.laws.test_tangent import derivative

METAL = fx.Isotropic(young=7e10, poisson=0.3, density=2700.0)
ROOT, TIP = fx.plane(at=(0, 0, 0), normal="x"), fx.plane(at=(0.5, 0, 0), normal="x")
SIDE = fx.plane(at=(0, 0.01, 0), normal="y")


def rod(element="hex8", divisions=(10, 1, 1), formulation="full_mesh", **about):
    if element.startswith("shell"):
        mesh = plate(0.5, 0.02, divisions=divisions, element=element, section=fx.ShellSection(0.01), material=METAL)
    else:
        mesh = bar(0.5, 0.02, 0.02, divisions=divisions, element=element, material=METAL)
    given = {"interfaces": {"root": ROOT}, "reduction": fx.CraigBampton(modes=20), **about}
    return fx.FlexibleBody("rod", mesh, formulation=formulation, **given)


def clamped(body, *loads, factor=1.0):
    at = fx.ground.at(*body.marker("root").at)
    return fx.Model(
        "cantilever", [body, fx.Fixed("clamp", at, body["root"]), fx.MeshLoad("load", "rod", loads, factor)]
    )


# -- small loads: the linear finite-element solution -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("element", "divisions", "pressure"),
    [("hex8", (20, 1, 2), 2.0), ("tet10", (8, 1, 1), 2.0), ("wedge15", (8, 1, 1), 2.0), ("shell4", (20, 2), 0.1)],
)
def test_pressure_on_a_cantilever_is_the_linear_solution(element, divisions, pressure):
    """Displacement and all components of stress, averaged, in elements and in their middles; deflection 10⁻⁶ of the length."""
    body = rod(element, divisions)
    mesh, shell = body.mesh, element == "shell4"
    load = fx.Pressure(fx.plane(at=(0, 0, 0), normal="z") if shell else SIDE, pressure)
    found = clamped(body, load).statics()
    held = tuple((int(node), tuple(range(6 if shell else 3))) for node in ROOT.nodes(mesh))
    full = assemble(replace(mesh, fixed=held))
    expected = statics(full, load.nodal_forces(full))
    u = found.body("rod").displacement(0.0)[: len(mesh.points), :3]
    size = np.abs(expected.nodal[:, :3]).max()
    assert 1e-7 < size < 5e-7
    np.testing.assert_allclose(u, expected.nodal[:, :3], rtol=0, atol=1e-6 * size)
    stress = found.stress("rod")
    tensor = stress.tensor(0.0)[: len(mesh.points)]
    np.testing.assert_allclose(tensor, expected.stress, rtol=0, atol=1e-6 * np.abs(expected.stress).max())
    assert found["load.factor"] == 1.0
    total = pressure * 0.5 * 0.02
    assert np.linalg.norm(found["clamp.force"]) == pytest.approx(total, rel=1e-6)


LOADS = {
    "traction": fx.Traction(TIP, ("2 kPa", "-1 kPa", "3 kPa")),
    "point load": fx.PointLoad(fx.box((0.49, -1, -1), (0.51, 1, 1)), ("30 N", "1 N", "-2 N")),
    "gravity": fx.Gravity((3.0, -9.0, 1.0)),
    "centrifugal": fx.Centrifugal((0, 0, "20 rad/s"), about=(0.1, 0, 0)),
}


@pytest.mark.parametrize("name", LOADS)
def test_every_load_bends_and_is_held_as_with_a_superelement(name):
    """A mass at the tip takes part in gravity and centrifugal load. Small, since loads turn with the bent elements."""
    mesh = rod().mesh
    mesh = replace(mesh, masses=(NodalMass(len(mesh.points) - 1, 0.2 * np.diag([1, 1, 1, 0, 0, 0])),))
    body = rod(reduction=fx.CraigBampton(modes=40)).replace(mesh=mesh)
    found = [
        clamped(body.replace(formulation=f), LOADS[name], factor=1e-3).statics() for f in ("full_mesh", "superelement")
    ]
    forces, moments = ([position[f"clamp.{what}"] for position in found] for what in ("force", "torque"))
    np.testing.assert_allclose(forces[0], forces[1], rtol=0, atol=1e-5 * np.linalg.norm(forces[1]))
    np.testing.assert_allclose(moments[0], moments[1], rtol=0, atol=1e-4 * np.linalg.norm(moments[1]))
    u = [position.body("rod").displacement(0.0)[:, :3] for position in found]
    np.testing.assert_allclose(u[0], u[1], rtol=0, atol=0.02 * np.abs(u[1]).max())


# -- large motion ------------------------------------------------------------------------------------------------------


def pressed_beam(q: float, E: float, H: float) -> np.ndarray:
    """Tip of a cantilever of 1 m under q [N/m] across its axis, which turns along: plane beam of exact geometry.

    n' = −q (−sin ϑ, cos ϑ);  x' = (1 + N/EA) cos ϑ − Q/kGA sin ϑ, …;  M' = N γ − Q (1 + ε)   (Reissner 1972)
    """
    EI, EA, GA = E * H**4 / 12, E * H**2, 5 / 6 * E / 2 * H**2

    def rates(s, y):
        c, d = np.cos(y[2]), np.sin(y[2])
        N, Q = y[4] * c + y[5] * d, -y[4] * d + y[5] * c
        e, g = 1 + N / EA, Q / GA
        return np.vstack([e * c - g * d, e * d + g * c, y[3] / EI, N * g - Q * e, q * d, -q * c])

    s = np.linspace(0, 1, 100)
    start = np.vstack([s, *(0 * s for _ in range(5))])
    found = solve_bvp(rates, lambda a, b: np.array([*a[:3], *b[3:]]), s, start, tol=1e-9)
    assert found.success
    return found.y[:2, -1]


@pytest.mark.parametrize("element", ["hex8", "shell4"])
def test_pressure_follows_the_surface(element):
    """q L³/EI = 4: the tip goes up by 0.47 L. Dead load would give less; against the exact beam."""
    E, H = 1e7, 0.1
    q = 4 * E * H**4 / 12
    material = fx.Isotropic(young=E, poisson=0.0, density=1000.0)
    if element == "shell4":
        section = fx.ShellSection(H)
        mesh = plate(1, H, divisions=(20, 1), element=element, section=section, material=material)
        load = fx.Pressure(fx.plane(at=(0, 0, 0), normal="z"), -q / H)  # against the normal if positive
    else:
        mesh = bar(1, H, H, divisions=(20, 1, 2), material=material)
        load = fx.Pressure(fx.plane(at=(0, 0, -H / 2), normal="z"), q / H)
    ends = {"root": ROOT, "tip": fx.plane(at=(1, 0, 0), normal="x")}
    body = fx.FlexibleBody("rod", mesh, interfaces=ends, formulation="full_mesh")
    found = clamped(body, load).statics()
    x, _, z = found["rod.tip.position"]
    expected = pressed_beam(q, E, H)
    assert expected[1] > 0.4
    np.testing.assert_allclose([x, z], expected, atol=1e-3)


def test_a_load_turns_with_a_free_body():
    """Pushed across at its end: α = F L/2 / J about its middle, whatever its attitude, as the rigid body."""
    push = fx.MeshLoad("push", "rod", fx.Traction(TIP, (0, "20 kPa", 0)), factor=fx.ramp(0, 1, over="10 ms"))
    turned = []
    for formulation in ("full_mesh", "rigid"):
        body = rod(formulation=formulation, damping=fx.Rayleigh(0.0, 1e-6), interfaces={}, reduction=fx.Modal(modes=5))
        body = body.replace(orientation={"axis": (1, 2, 3), "angle": 2.0}, position=(1, 1, 1))
        run = fx.Model("pushed", [body, push]).dynamics(until=0.1, step=2e-4, show=False)
        turned.append(run["rod.orientation"].values[-1])
        assert run["push.factor"].values[-1] == 1.0
        work = np.abs(run["energy.check_sum"].values).max() / run["energy.input"].values[-1]
        assert work < 1e-3
    assert np.abs(np.dot(turned[0], run["rod.orientation"].values[0])) < 0.97  # by more than 30°
    np.testing.assert_allclose(*turned, atol=1e-3)


# -- laws --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("element", ["hex8", "shell4"])
def test_laws_of_the_load(element):
    """Exact tangents, power, resultant, and forces that turn with the body."""
    divisions = (3, 1) if element == "shell4" else (3, 1, 1)
    made = rod(element, divisions)
    side = fx.plane(at=(0, 0, 0), normal="z") if element == "shell4" else SIDE
    load = fx.Pressure(side, 1e3)
    elements = fx.MeshLoad("load", "rod", load, factor=fx.sine(2.0, frequency=1.3)).on_body(Carrier(made, 1, 0))
    sample = Sample(made, made.parts(Start(Pose(), np.zeros(6))))
    Q, shift = exp_so3(np.array([1.0, -2.0, 0.5])), np.array([3.0, 1.0, -2.0])
    total, moved = np.zeros(3), np.zeros(3)
    for law in elements:
        state = sample.state(law, 3, deformation=0.05)
        expected = derivative(law, state, 0, COORDINATES, law.size)
        np.testing.assert_allclose(matrix(law, state, (1.0, 0, 0)), expected, atol=1e-9 * np.abs(expected).max())
        r = residual(law, state)
        assert energies(law, state)[4] == pytest.approx(-r @ state.rates, rel=1e-10)
        still = replace(state, x=np.array([sample.parts.nodes[n - 1].x for n in law.nodes]), R=np.tile(np.eye(3), (len(law.nodes), 1, 1)))  # fmt: skip
        total -= residual(law, still).reshape(-1, 2, 3)[:, 0].sum(axis=0)
        moved -= residual(law, superposed(still, Q, shift)).reshape(-1, 2, 3)[:, 0].sum(axis=0)
    factor = 2.0 * np.sin(2 * np.pi * 1.3 * state.t)
    normal = np.array([0, 0, 1]) if element == "shell4" else np.array([0, 1, 0])
    np.testing.assert_allclose(total, -factor * 1e3 * 0.01 * normal, atol=1e-9)
    np.testing.assert_allclose(moved, Q @ total, atol=1e-9)
    assert [len(law.outputs) for law in elements] == [1] + [0] * (len(elements) - 1)
