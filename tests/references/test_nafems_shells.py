"""NAFEMS cases for shells: FV12 free thin square plate, LE1 elliptic membrane."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from flexor.elements.assembly.model import assemble
from flexor.elements.assembly.stress import nodal_stress
from flexor.materials import Isotropic
from flexor.mesh.section import ShellSection
from tests.elements.structures import fixed, frequencies, grid, mesh_of, solve
from tests.references.conftest import Reference


@pytest.mark.parametrize("element", ["shell3", "shell4"])
def test_fv12_free_plate(element: str, reference: Reference) -> None:
    """Three rigid motions, then the twisting, saddle and ring modes and the first pair."""
    record = reference.record("nafems_fv12")
    a, t, expected = record["parameters"]["a"], record["parameters"]["t"], record["reference"]["f_Hz"]
    material = Isotropic(record["parameters"]["E"], record["parameters"]["nu"], record["parameters"]["rho"])
    points, nodes = grid(element, 16, 16, lambda s, t: (a * s, a * t, 0 * s))
    mesh = fixed(mesh_of(element, points, nodes, ShellSection(t), material), (np.ones(len(points), bool), (0, 1, 5)))
    found = frequencies(mesh, 8)
    assert np.all(found[:3] < 1e-3)
    assert np.allclose(found[3:6], [expected["4"], expected["5"], expected["6"]], rtol=0.006)
    assert np.allclose(found[6:8], 4.2, rtol=record["tolerance"]["rel"])  # 4.233 and 4.190, by source


def test_fv12_without_supports_has_six_rigid_motions(reference: Reference) -> None:
    parameters = reference.record("nafems_fv12")["parameters"]
    material = Isotropic(parameters["E"], parameters["nu"], parameters["rho"])
    points, nodes = grid("shell4", 6, 6, lambda s, t: (10 * s, 10 * t, 0 * s))
    found = frequencies(mesh_of("shell4", points, nodes, ShellSection(parameters["t"]), material), 7)
    assert np.all(found[:6] < 1e-3)
    assert found[6] == pytest.approx(1.622, rel=0.01)


@pytest.mark.parametrize(("n", "tolerance"), [(8, 0.02), (32, 0.02)])
def test_le1_elliptic_membrane(n: int, tolerance: float, reference: Reference) -> None:
    """Hoop stress at the inner ellipse's vertex."""
    record = reference.record("nafems_le1")
    t = 0.1
    (ao, bo), (ai, bi) = record["parameters"]["outer"], record["parameters"]["inner"]

    def place(s, t):
        c, d = np.cos(np.pi / 2 * t), np.sin(np.pi / 2 * t)
        return (ai + s * (ao - ai)) * c, (bi + s * (bo - bi)) * d, 0 * s

    points, nodes = grid("shell4", n, 2 * n, place)
    x, y, _ = points.T
    mesh = mesh_of("shell4", points, nodes, ShellSection(t), Isotropic(210e9, 0.3, 0.0))
    mesh = fixed(mesh, (np.ones(len(points), bool), (2, 3, 4)), (y < 1e-9, (1, 5)), (x < 1e-9, (0, 5)))
    f = np.zeros((len(points), 6))
    edge = np.arange(2 * n + 1) * (n + 1) + n
    for i, j in pairwise(edge):
        side = points[j] - points[i]
        f[[i, j], :3] += 10e6 * t / 2 * np.array([side[1], -side[0], 0])
    model, u = assemble(mesh), solve(mesh, f)
    values = np.zeros(model.dofs.n)
    values[model.dofs.node_dofs.ravel()] = u.ravel()
    stress = nodal_stress(model, values, surface="middle")[0, 1]
    assert stress == pytest.approx(1e6 * record["reference"]["sigma_yy_at_2_0_MPa"], rel=tolerance)
