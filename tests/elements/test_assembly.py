"""The assembled model: against dense assembly, degrees of freedom, masses, supports, mistakes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.elements import SOLIDS, by_name
from flexor.elements.assembly.batches import turned
from flexor.elements.assembly.model import assemble
from flexor.elements.assembly.stress import nodal_stress
from flexor.errors import ModelError
from flexor.materials import Isotropic, Orthotropic
from flexor.mesh import Block, Mesh, NodalMass, RigidLink
from flexor.mesh.generate import box, plate
from flexor.mesh.shell_section import ShellSection
from flexor.spatial import MassProperties, exp_so3
from flexor.spatial import box as box_inertia
from tests.elements import samples


@pytest.mark.parametrize("kind", SOLIDS, ids=lambda kind: kind.name)
def test_against_dense_assembly(kind) -> None:
    mesh, _ = samples.distorted_box(kind.name)
    model = assemble(mesh)
    K, M = np.zeros((model.dofs.n, model.dofs.n)), np.zeros((model.dofs.n, model.dofs.n))
    for nodes in mesh.blocks[0].nodes:
        at = (3 * nodes[:, None] + np.arange(3)).ravel()
        K[np.ix_(at, at)] += kind.stiffness(mesh.points[nodes][None], samples.properties())[0]
        M[np.ix_(at, at)] += kind.mass(mesh.points[nodes][None], samples.properties())[0]
    assert np.allclose(model.K.toarray(), K, atol=1e-13 * np.abs(K).max())
    assert np.allclose(model.M.toarray(), M, atol=1e-13 * np.abs(M).max())
    for matrix in (model.K, model.M, model.K_reduced):
        assert abs(matrix - matrix.T).max() == 0
        assert matrix.has_sorted_indices


def test_many_elements_go_in_portions() -> None:
    """More elements than one portion holds, two blocks of different kinds that share nodes, numbers out of order."""
    mesh = box((2, 1, 1), (12, 10, 10), material=samples.MATERIAL)
    nodes = mesh.blocks[0].nodes
    left = mesh.points[nodes][:, :, 0].mean(axis=1) < 1
    wedges = np.concatenate([nodes[~left][:, w] for w in ((0, 1, 2, 4, 5, 6), (0, 2, 3, 4, 6, 7))])
    blocks = (
        Block("wedge6", wedges, np.arange(len(wedges)) + 5000, material="material"),
        Block("hex8", nodes[left], np.arange(left.sum()) + 1, material="material"),
    )
    model = assemble(replace(mesh, blocks=blocks))
    found, expected = model.mass_properties, box_inertia(2, 1, 1, density=7850).moved(_at(1, 0.5, 0.5))
    assert found.mass == pytest.approx(expected.mass, rel=1e-12)
    assert np.allclose(found.com, expected.com, atol=1e-12)
    assert np.allclose(found.inertia, expected.inertia, rtol=1e-11, atol=1e-8)
    R = model.dofs.rigid_modes(mesh.points)
    assert np.abs(model.K @ R).max() < 1e-10 * np.abs(model.K).max()


def test_solids_and_shells_share_nodes() -> None:
    """A box with a shell on its top: rotations exist on the shared nodes only, rigid motions cost nothing."""
    mesh = box((1, 1, 0.5), (3, 3, 1), material=samples.MATERIAL)
    top = mesh.node_sets["z_max"]
    flat = plate(1, 1, divisions=(3, 3), element="shell4", section=ShellSection(0.01))
    match = [int(top[np.argmin(np.linalg.norm(mesh.points[top, :2] - x[:2], axis=1))]) for x in flat.points]
    skin = replace(flat.blocks[0], nodes=np.array(match)[flat.blocks[0].nodes], ids=flat.blocks[0].ids + 100)
    mesh = replace(mesh, blocks=(*mesh.blocks, skin), sections=flat.sections)
    model = assemble(mesh)
    assert model.dofs.n == 3 * 32 + 3 * 16
    assert np.all(model.dofs.node_dofs[top] >= 0)
    R = model.dofs.rigid_modes(mesh.points)
    assert np.abs(model.K @ R).max() < 1e-9 * np.abs(model.K).max()
    assert model.mass_properties.mass == pytest.approx(7850 * (0.5 + 0.01), rel=1e-12)
    values = np.linalg.eigvalsh(model.K_reduced.toarray())
    assert np.sum(np.abs(values) < 1e-10 * values[-1]) == 6
    # a uniform stretch has the same in-plane strain in the solid and on all surfaces of the shell
    u = np.zeros(model.dofs.n)
    u[model.dofs.node_dofs[:, 0]] = 1e-3 * mesh.points[:, 0]
    for surface in ("top", "middle", "bottom"):
        strain = nodal_stress(model, u, quantity="strain", surface=surface, blocks=[1])[top]
        assert np.allclose(strain[:, [0, 1, 3]], [1e-3, 0, 0], atol=1e-12)


def _at(*position: float):
    from flexor.spatial import Pose

    return Pose(np.array(position), np.eye(3))


def test_lumped_and_consistent_mass() -> None:
    mesh, _ = samples.distorted_box("hex20")
    lumped, consistent = assemble(mesh, lumped=True), assemble(mesh)
    assert lumped.M.nnz == lumped.dofs.n
    assert np.all(lumped.M.diagonal() > 0)
    assert lumped.mass_properties.mass == pytest.approx(consistent.mass_properties.mass, rel=1e-12)


def test_turned_orthotropic_material() -> None:
    """Material axes in global axes: a quarter turn about z swaps 1 and 2; turning body and axes turns the stiffness."""
    wood = Orthotropic(young=(11e9, 0.9e9, 0.5e9), poisson=(0.37, 0.6, 0.4), shear=(0.7e9, 0.04e9, 0.6e9))
    D = wood.stiffness()
    quarter = turned(D, exp_so3(np.array([0, 0, np.pi / 2]))[None])[0]
    swap = np.eye(6)[[1, 0, 2, 3, 5, 4]]
    assert np.allclose(quarter, swap @ D @ swap.T, atol=1e-12 * D.max())
    kind, X = by_name["tet10"], samples.distorted(by_name["tet10"])
    R = exp_so3(np.array([0.3, 0.5, -0.8]))
    p = samples.properties(wood)
    K = kind.stiffness(X, replace(p, D=turned(D, np.eye(3)[None])))[0]
    moved = kind.stiffness(X @ R.T, replace(p, D=turned(D, R[None])))[0]
    Q = np.kron(np.eye(10), R)
    assert np.allclose(moved, Q @ K @ Q.T, atol=1e-11 * np.abs(K).max())
    steel = samples.MATERIAL.stiffness()
    assert np.allclose(turned(steel, R[None]), steel)


def test_orientation_per_element() -> None:
    wood = Orthotropic(young=(11e9, 0.9e9, 0.5e9), poisson=(0.37, 0.6, 0.4), shear=(0.7e9, 0.04e9, 0.6e9))
    mesh = box((2, 1, 1), (2, 1, 1), material=wood)
    axes = np.stack([np.eye(3), exp_so3(np.array([0.0, 0.4, 0.2]))])
    model = assemble(replace(mesh, blocks=(replace(mesh.blocks[0], orientation=axes),)))
    K = np.zeros((36, 36))
    for nodes, R in zip(mesh.blocks[0].nodes, axes):
        at = (3 * nodes[:, None] + np.arange(3)).ravel()
        p = replace(samples.properties(wood), D=turned(wood.stiffness(), R[None]))
        K[np.ix_(at, at)] += by_name["hex8"].stiffness(mesh.points[nodes][None], p)[0]
    assert np.allclose(model.K.toarray(), K, atol=1e-12 * np.abs(K).max())


def test_mass_at_a_node_with_rotations() -> None:
    """An offset mass on a node that carries a solid face rigidly: mass, centre and inertia of both together."""
    mesh = box((1, 0.2, 0.2), (4, 1, 1), material=samples.MATERIAL)
    tip = len(mesh.points)
    points = np.vstack([mesh.points, [1.3, 0.1, 0.1]])
    extra = MassProperties(20.0, np.array([0.05, 0.02, 0.0]), np.array([0.3, 0.4, 0.5]))
    link = RigidLink(tip, tuple(int(i) for i in mesh.node_sets["x_max"]), id=1)
    mass = NodalMass(tip, extra.matrix())
    mesh = replace(mesh, points=points, node_ids=np.arange(1, len(points) + 1), rigid_links=(link,), masses=(mass,))
    model = assemble(mesh)
    assert list(model.dofs.node_dofs[tip] >= 0) == [True] * 6
    assert np.all(model.dofs.node_dofs[:tip, 3:] == -1)
    expected = box_inertia(1, 0.2, 0.2, density=7850).moved(_at(0.5, 0.1, 0.1)) + extra.moved(_at(1.3, 0.1, 0.1))
    found = model.mass_properties
    assert found.mass == pytest.approx(expected.mass, rel=1e-12)
    assert np.allclose(found.com, expected.com, atol=1e-12)
    assert np.allclose(found.inertia, expected.inertia, rtol=1e-10, atol=1e-10)


def test_inertia_on_a_solid_node_is_left_out_and_said() -> None:
    mesh = box((1, 1, 1), (1, 1, 1), material=samples.MATERIAL)
    model = assemble(replace(mesh, masses=(NodalMass(0, np.diag([2.0, 2, 2, 1, 1, 1])),)))
    assert model.mass_properties.mass == pytest.approx(7852, rel=1e-12)
    assert len(model.notes) == 1
    assert "node 1" in model.notes[0]


def test_loose_degrees_of_freedom_are_left_out_and_said() -> None:
    """A bare node that a link only mentions as independent, with nothing hanging on it, has no stiffness."""
    mesh = box((1, 1, 1), (1, 1, 1), material=samples.MATERIAL)
    points = np.vstack([mesh.points, [2, 0, 0], [3, 0, 0]])
    mesh = replace(mesh, points=points, node_ids=np.arange(1, 11), rigid_links=(RigidLink(8, (9,), id=4),))
    model = assemble(mesh)
    assert model.loose == tuple((8, c) for c in range(6))
    assert model.T.shape == (36, 24)
    assert len(model.notes) == 6


def test_supports() -> None:
    mesh = box((1, 1, 1), (1, 1, 1), material=samples.MATERIAL)
    model = assemble(replace(mesh, fixed=((0, (0, 1, 2, 3, 4, 5)), (3, (2,)))))
    assert model.T.shape == (24, 20)
    assert (3, 2) not in {tuple(row) for row in model.independent}
    assert (3, 1) in {tuple(row) for row in model.independent}
    node, component = model.independent[5]
    assert model.T[model.dofs.node_dofs[node, component], 5] == 1


def test_mistakes() -> None:
    mesh = box((1, 1, 1), (2, 1, 1), material=samples.MATERIAL)
    block = mesh.blocks[0]
    flipped = block.nodes.copy()
    flipped[1] = flipped[1, [4, 5, 6, 7, 0, 1, 2, 3]]
    cases = [
        (replace(block, nodes=flipped), "hex8 elements.*: 2;"),
        (replace(block, element="hex9"), "no element 'hex9'.*hex8"),
        (replace(block, material="gold"), "no material 'gold'; it has material"),
        (replace(block, material=None), "no material"),
        (replace(block, element="hex20"), "20 nodes"),
    ]
    for wrong, message in cases:
        with pytest.raises(ModelError, match=message):
            assemble(replace(mesh, blocks=(wrong,)))
    with pytest.raises(ModelError, match="incompatible_modes"):
        assemble(mesh, options={"incompatible": False})
    with pytest.raises(ModelError, match="nothing to assemble"):
        assemble(Mesh(points=np.zeros((0, 3)), node_ids=np.zeros(0, dtype=int), blocks=()))


def test_single_material_value() -> None:
    """Massless material: stiffness without mass."""
    model = assemble(box((1, 1, 1), (1, 1, 1), material=Isotropic(1e9, 0.2)))
    assert model.M.nnz == 0
    assert model.K.nnz > 0
