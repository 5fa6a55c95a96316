"""The finite-element model of a mesh: stiffness, mass and the transformation that links and supports impose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from flexor.elements.assembly.batches import Batch, batches, check_options
from flexor.elements.assembly.constraints import transformation
from flexor.elements.assembly.dofs import COMPONENTS, DofMap, dof_map, element_widths
from flexor.elements.assembly.places import Places, places_of
from flexor.elements.assembly.principal import left, principal
from flexor.elements.assembly.scatter import Scattering
from flexor.elements.faces import Skin
from flexor.errors import ModelError, Problem
from flexor.materials.material import Material
from flexor.mesh.made_of import made_of
from flexor.mesh.mesh import Mesh
from flexor.mesh.section import Section
from flexor.spatial import MassProperties

__all__ = ["DofMap", "FeModel", "assemble"]


@dataclass(frozen=True, eq=False)
class FeModel:
    """A mesh in equations: M ü + K u = f for all degrees of freedom, u = T q for the independent ones.

    K, M: (n, n) symmetric, stored in full, before links and supports [N/m, kg, …].
    T: (n, n_q) links resolved, fixed degrees of freedom left out.  independent: (n_q, 2) node and component of each q.
    loose: (node, component) that have neither stiffness nor mass and were left out with the fixed ones.
    notes: what was left out of the equations, one line each.
    """

    mesh: Mesh
    dofs: DofMap
    K: sp.csc_array
    M: sp.csc_array
    T: sp.csc_array
    independent: np.ndarray
    loose: tuple[tuple[int, int], ...] = ()
    lumped: bool = False
    options: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def _own(self) -> np.ndarray:
        """(n_q,) equations of the independent degrees of freedom, ascending."""
        return np.asarray(self.dofs.node_dofs[tuple(self.independent.T)])

    @cached_property
    def K_reduced(self) -> sp.csc_array:
        """Tᵀ K T"""
        return _congruent(self.K, self.T, self._own)

    @cached_property
    def M_reduced(self) -> sp.csc_array:
        """Tᵀ M T"""
        return _congruent(self.M, self.T, self._own)

    @cached_property
    def skin(self) -> Skin:
        """The outer faces of the mesh."""
        return Skin(self.mesh)

    @property
    def mass_properties(self) -> MassProperties:
        """Mass, centre of mass and inertia from the mass matrix and the rigid motions."""
        mean = self.mesh.points[self.dofs.owners[:, 0]].mean(axis=0)
        R = self.dofs.rigid_modes(self.mesh.points, about=mean)
        return MassProperties.of_matrix(R.T @ (self.M @ R), mean)


def assemble(
    mesh: Mesh,
    *,
    lumped: bool = False,
    options: Mapping[str, object] | None = None,
    material: Material | str | None = None,
    section: Section | None = None,
) -> FeModel:
    """Stiffness and mass of a mesh with its links, masses and supports.

    lumped: diagonal element masses instead of consistent ones.
    options: of the elements, e.g. {"incompatible_modes": False} for the plain hex8.
    material: of all elements, instead of what the mesh says;  section: of all shells or beams likewise.
    """
    check_options(options)
    mesh = made_of(mesh, material, section)
    dofs = dof_map(mesh)
    if not dofs.n:
        raise ModelError(Problem("mesh", "it has no elements and no masses", "there is nothing to assemble"))
    K, M = _matrices(mesh, dofs, lumped, options)
    M = sp.csc_array(M + _nodal_masses(mesh, dofs))
    T, free = transformation(mesh, dofs)
    T, free, loose = _without_loose(T, free, K, M)
    owners = dofs.owners
    loose_dofs = tuple((int(n), int(c)) for n, c in owners[loose])
    return FeModel(
        mesh, dofs, K, M, T, owners[free], loose_dofs, lumped, dict(options or {}), _notes(mesh, dofs, loose_dofs)
    )


def _matrices(
    mesh: Mesh, dofs: DofMap, lumped: bool, options: Mapping[str, object] | None
) -> tuple[sp.csc_array, sp.csc_array]:
    if not mesh.n_elements:
        return sp.csc_array((dofs.n, dofs.n)), sp.csc_array((dofs.n, dofs.n))
    blocks = [np.asarray(block.nodes) for block in mesh.blocks]
    where = places_of(blocks, element_widths(mesh), dofs.node_dofs, dofs.n)
    scatter = Scattering(where)
    stiffness, mass = np.zeros(len(where.indices)), np.zeros(len(where.indices))
    for b, block in enumerate(mesh.blocks):
        for batch in batches(mesh, block, options):
            _refuse_inverted(batch, block.ids)
            scatter.choose(b, batch.rows, batch.nodes, batch.kind.dofs)
            scatter.add(batch.kind.stiffness(batch.X, batch.properties), stiffness)
            scatter.add(batch.kind.mass(batch.X, batch.properties, lumped), mass)
    return _sparse(stiffness, where), _sparse(mass, where)


def _sparse(values: np.ndarray, where: Places) -> sp.csc_array:
    n = len(where.indptr) - 1
    # rows are columns: the matrix is symmetric
    matrix = sp.csc_array((values, where.indices.copy(), where.indptr.copy()), shape=(n, n))
    matrix.has_sorted_indices = True
    matrix.eliminate_zeros()
    return matrix


def _refuse_inverted(batch: Batch, ids: np.ndarray) -> None:
    worst = batch.kind.jacobians(batch.X).min(axis=1, initial=np.inf)
    bad = ids[batch.rows][~(worst > 0)]
    if len(bad):
        some = ", ".join(str(i) for i in bad[:8]) + (" …" if len(bad) > 8 else "")
        what = f"they are turned inside out or too distorted: {some}"
        fix = "check the node order, or mesh that region anew"
        raise ModelError(Problem(f"{batch.kind.name} elements", what, "a Jacobian determinant is not positive", fix))


def _nodal_masses(mesh: Mesh, dofs: DofMap) -> sp.csc_array:
    rows, columns, values = [], [], []
    for mass in mesh.masses:
        equations = dofs.node_dofs[mass.node]
        there = equations >= 0
        i, j = np.meshgrid(equations[there], equations[there], indexing="ij")
        rows.append(i.ravel())
        columns.append(j.ravel())
        values.append(np.asarray(mass.matrix, dtype=float)[np.ix_(there, there)].ravel())
    if not rows:
        return sp.csc_array((dofs.n, dofs.n))
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return sp.csc_array(sp.coo_array(entries, shape=(dofs.n, dofs.n)))


def _congruent(A: sp.csc_array, T: sp.csc_array, own: np.ndarray) -> sp.csc_array:
    """Tᵀ A T, exactly symmetric;  own: (n_q,) equation of each independent degree of freedom.

    Most equations are independent ones, whose rows of T are those of the unit matrix. They keep their entries of A; the others,
    with rows R of T, add the products A_oR R and their mirror images, and RᵀA_RR R.
    """
    others = left(A.shape[0], own)
    if not len(others):
        return A
    R = sp.csc_array(sp.csr_array(T)[others])
    columns = A[:, others]
    across = sp.csr_array(columns @ R)
    mixed = sp.csc_array(across[own]) + 0.5 * sp.csc_array(R.T @ sp.csc_array(across[others]))
    found = principal(A, own) + (mixed + sp.csc_array(mixed.T))
    found.sort_indices()
    return found


def _without_loose(
    T: sp.csc_array, free: np.ndarray, K: sp.csc_array, M: sp.csc_array
) -> tuple[sp.csc_array, np.ndarray, np.ndarray]:
    """Leave out independent degrees of freedom that nothing holds and that move no mass; return their equations."""
    # a zero on the diagonal of a positive semidefinite matrix means a zero row
    kept = abs(T).T @ (abs(K.diagonal()) + abs(M.diagonal())) > 0
    return (T, free, free[:0]) if kept.all() else (sp.csc_array(T[:, kept]), free[kept], free[~kept])


def _notes(mesh: Mesh, dofs: DofMap, loose: tuple[tuple[int, int], ...]) -> tuple[str, ...]:
    notes = [
        f"node {mesh.node_ids[node]}: {COMPONENTS[component]} has neither stiffness nor mass and is left out"
        for node, component in loose[:20]
    ]
    if len(loose) > 20:
        notes.append(f"… and {len(loose) - 20} more degrees of freedom")
    notes += [
        f"node {mesh.node_ids[mass.node]}: only solids meet there, so the rotational inertia of its mass is left out"
        for mass in mesh.masses
        if np.any(mass.matrix[3:]) and np.any(dofs.node_dofs[mass.node, 3:] < 0)
    ]
    return tuple(notes)
