"""Patch tests: a linear displacement on the surface of an irregular mesh is found exactly inside, with its stress."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.elements import SOLIDS
from flexor.elements.assembly.model import assemble
from flexor.elements.assembly.stress import element_stress, nodal_stress
from flexor.materials import Orthotropic
from tests.elements import samples

A = 1e-3 * np.array([[1.0, 0.4, -0.3], [0.2, -0.8, 0.5], [-0.6, 0.1, 0.7]])
WOOD = Orthotropic(young=(11e9, 0.9e9, 0.5e9), poisson=(0.37, 0.6, 0.4), shear=(0.7e9, 0.04e9, 0.6e9), density=450.0)
CASES = [*[(kind.name, {}, samples.MATERIAL) for kind in SOLIDS], ("hex8", samples.PLAIN, samples.MATERIAL)]
CASES += [("hex8", {}, WOOD), ("tet10", {}, WOOD)]


@pytest.mark.parametrize(("element", "options", "material"), CASES)
def test_patch(element: str, options: dict, material) -> None:
    """Inner nodes are out of place, so that elements are distorted and quadratic ones have curved edges."""
    mesh, surface = samples.distorted_box(element, material=material)
    model = assemble(mesh, options=options)
    exact = samples.linear_field(A, mesh.points)
    outer = model.dofs.node_dofs[surface, :3].ravel()
    inner = np.setdiff1d(np.arange(model.dofs.n), outer)
    assert len(inner) >= 3
    u = np.zeros(model.dofs.n)
    u[outer] = exact[surface].ravel()
    K = model.K.toarray()
    u[inner] = np.linalg.solve(K[np.ix_(inner, inner)], -K[np.ix_(inner, outer)] @ u[outer])
    assert np.allclose(model.dofs.nodal(u)[:, :3], exact, atol=1e-14)

    stress = material.stiffness() @ samples.strain_of(A)
    for where in ("nodes", "points", "center"):
        assert np.allclose(element_stress(model, u, where=where)[0], stress, atol=1e-9 * np.abs(stress).max())
    assert np.allclose(nodal_stress(model, u), stress, atol=1e-9 * np.abs(stress).max())
    # traction σ n on the surface: its virtual work in any linear field is the strain energy, ½ σ:ε V
    assert 0.5 * u @ K @ u == pytest.approx(0.5 * stress @ samples.strain_of(A) * 0.48, rel=1e-9)


@pytest.mark.parametrize("options", [{}, samples.PLAIN])
def test_constant_curvature(options: dict) -> None:
    """Pure bending of a brick, ux = κ x z …: with incompatible modes hex8 has the exact energy ½ E I κ² L."""
    mesh = samples.box((0.8, 0.2, 0.1), (4, 1, 1), element="hex8", material=samples.MATERIAL)
    mesh = replace(mesh, points=mesh.points - [0, 0.1, 0.05])
    model = assemble(mesh, options=options)
    kappa, nu = 1e-2, 0.3
    x, y, z = mesh.points.T
    bent = np.stack([kappa * x * z, -nu * kappa * y * z, -kappa / 2 * (x**2 + nu * (z**2 - y**2))], axis=1)
    u = np.zeros(model.dofs.n)
    u[model.dofs.node_dofs[:, :3].ravel()] = bent.ravel()
    exact = 0.5 * 210e9 * (0.2 * 0.1**3 / 12) * kappa**2 * 0.8
    energy = 0.5 * u @ (model.K @ u)
    if options:
        assert energy > 1.4 * exact  # the plain brick locks
    else:
        assert energy == pytest.approx(exact, rel=1e-12)
        bending = element_stress(model, u, where="nodes")[0][..., 0]
        assert np.allclose(bending, 210e9 * kappa * mesh.points[mesh.blocks[0].nodes][..., 2], atol=1e-3)


@pytest.mark.parametrize("element", ["tet10", "wedge15", "hex20"])
def test_quadratic_elements_bend_exactly(element: str) -> None:
    """Straight quadratic elements represent pure bending, with linear stress also at the nodes."""
    mesh = samples.box((0.4, 0.2, 0.1), (2, 1, 1), element=element, material=samples.MATERIAL)
    model = assemble(mesh)
    kappa, nu = 1e-2, 0.3
    x, y, z = (mesh.points - [0, 0.1, 0.05]).T
    u = np.zeros(model.dofs.n)
    bent = np.stack([kappa * x * z, -nu * kappa * y * z, -kappa / 2 * (x**2 + nu * (z**2 - y**2))], axis=1)
    u[model.dofs.node_dofs[:, :3].ravel()] = bent.ravel()
    assert 0.5 * u @ (model.K @ u) == pytest.approx(0.5 * 210e9 * 0.2 * 0.1**3 / 12 * kappa**2 * 0.4, rel=1e-11)
    stress = np.zeros((len(x), 6))
    stress[:, 0] = 210e9 * kappa * z
    assert np.allclose(nodal_stress(model, u), stress, atol=1e-9 * 210e9 * kappa)
