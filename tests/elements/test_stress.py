"""Averaged stress at nodes: thick-walled ring in closed form, operators, equivalent stress."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.elements.assembly.loads import Pressure
from flexor.elements.assembly.model import assemble
from flexor.elements.assembly.stress import element_stress, nodal_stress, nodal_stress_matrix, von_mises
from flexor.materials import Isotropic
from flexor.mesh import Block
from flexor.mesh.generate import box, ring
from flexor.reduce.full import statics
from tests.elements import samples


@pytest.mark.parametrize(("element", "accuracy"), [("hex20", 0.01), ("wedge15", 0.02), ("tet10", 0.02)])
def test_ring_under_inner_pressure(element: str, accuracy: float) -> None:
    """Lamé: σ_θ,r = p rᵢ²/(rₐ² − rᵢ²) (1 ± rₐ²/r²), u = p rᵢ²/(E (rₐ² − rᵢ²)) ((1 − ν) r + (1 + ν) rₐ²/r)."""
    ri, ro, p = 0.1, 0.2, 1e7
    mesh = ring(ro, ri, 0.01, (32, 4, 1), element=element, material=samples.MATERIAL)
    held = tuple((int(i), (2,)) for i in mesh.node_sets["start"])
    # two planes of symmetry keep it in place
    held += tuple((int(i), (1,)) for i in np.flatnonzero(np.abs(mesh.points[:, 1]) < 1e-9))
    held += tuple((int(i), (0,)) for i in np.flatnonzero(np.abs(mesh.points[:, 0]) < 1e-9))
    solution = statics(assemble(replace(mesh, fixed=held)), [Pressure("inner", p)])
    r = np.linalg.norm(mesh.points[:, :2], axis=1)
    k = p * ri**2 / (ro**2 - ri**2)
    n = mesh.points[:, :2] / r[:, None]
    u_r = np.einsum("ni,ni->n", solution.nodal[:, :2], n)
    expected = k / 210e9 * (0.7 * r + 1.3 * ro**2 / r)
    assert np.allclose(u_r, expected, rtol=2e-3)
    xx, yy, _, xy, _, _ = solution.stress.T
    radial = xx * n[:, 0] ** 2 + yy * n[:, 1] ** 2 + 2 * xy * n[:, 0] * n[:, 1]
    hoop = xx + yy - radial
    corner = np.unique(mesh.blocks[0].nodes[:, :4])
    for found, exact in ((hoop, k * (1 + ro**2 / r**2)), (radial, k * (1 - ro**2 / r**2))):
        assert np.abs(found - exact)[corner].max() < accuracy * k * (1 + ro**2 / ri**2)


def test_matrix_of_nodal_stress() -> None:
    mesh, _ = samples.distorted_box("hex8")
    model = assemble(mesh)
    u = np.random.default_rng(0).normal(size=(model.dofs.n, 2))
    nodes = np.array([26, 3, 13])
    stress = nodal_stress(model, u)
    assert stress.shape == (27, 6, 2)
    found = (nodal_stress_matrix(model, nodes) @ u).reshape(3, 6, 2)
    assert np.allclose(found, stress[nodes], rtol=1e-10, atol=1e-3)
    strain = (nodal_stress_matrix(model, nodes, quantity="strain") @ u).reshape(3, 6, 2)
    assert np.allclose(strain, nodal_stress(model, u, quantity="strain")[nodes], rtol=1e-10, atol=1e-12)


def test_average_of_two_materials_is_taken_block_by_block() -> None:
    """Two bars in series under one strain: stress jumps; each block alone shows its own."""
    mesh = box((2, 1, 1), (2, 1, 1), material=Isotropic(1e9, 0.0))
    nodes = mesh.blocks[0].nodes
    blocks = tuple(Block("hex8", nodes[i : i + 1], np.array([i + 1]), material=name) for i, name in enumerate("ab"))
    mesh = replace(mesh, blocks=blocks, materials={"a": Isotropic(1e9, 0.0), "b": Isotropic(3e9, 0.0)})
    model = assemble(mesh)
    u = np.zeros(model.dofs.n)
    u[model.dofs.node_dofs[:, 0]] = 1e-3 * mesh.points[:, 0]
    between = np.flatnonzero(np.abs(mesh.points[:, 0] - 1) < 1e-9)
    assert np.allclose(nodal_stress(model, u)[between, 0], 2e6)
    assert np.allclose(nodal_stress(model, u, blocks=[0])[between, 0], 1e6)
    alone = nodal_stress(model, u, blocks=[1])
    assert np.allclose(alone[between, 0], 3e6)
    assert np.isnan(alone[mesh.node_sets["x_min"]]).all()
    first, second = element_stress(model, u, where="center")
    assert np.allclose(first[..., 0], 1e6)
    assert np.allclose(second[..., 0], 3e6)


def test_von_mises() -> None:
    assert von_mises(np.array([5.0, 0, 0, 0, 0, 0])) == pytest.approx(5.0)
    assert von_mises(np.array([7.0, 7, 7, 0, 0, 0])) == pytest.approx(0.0)
    assert von_mises(np.array([0, 0, 0, 2.0, 0, 0])) == pytest.approx(2 * np.sqrt(3))
    turned = np.array([2.0, -2, 0, 0, 0, 0])  # pure shear in other axes
    assert von_mises(turned) == pytest.approx(2 * np.sqrt(3))
