"""A finite-element model given by its matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse

from flexor.io.file_text import wrong
from flexor.io.file_units import FileUnits

SCALAR = -1
"""Component of degrees of freedom that are no displacement or rotation of a node: modes, scalar points."""


@dataclass(frozen=True)
class MatrixModel:
    """Matrices and what their rows stand for, SI units.

    K, M, C: (n, n) sparse, symmetric matrices stored in full; M and C are None where the file has none.
    dofs: (n, 2) number of the node and component 0…5 of each row (−1: no component, e.g. a mode).
    node_ids, points: (k,) numbers of the nodes in `dofs` and (k, 3) their positions [m], NaN where not known.
    notes: what a reader had to leave out or assume, one line each.
    """

    K: sparse.csc_matrix
    M: sparse.csc_matrix | None
    C: sparse.csc_matrix | None
    dofs: np.ndarray
    points: np.ndarray
    node_ids: np.ndarray
    notes: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        return self.K.shape[0]


@dataclass(frozen=True)
class Entries:
    """A matrix as a file lists it: rows and columns counted from 0."""

    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray
    size: int


def full_matrix(entries: Entries, path: Path, name: str) -> sparse.csc_matrix:
    """The matrix with both triangles, whichever the file holds: one only, each pair once, or both."""
    n, rows, columns = entries.size, entries.rows, entries.columns
    outside = (rows < 0) | (rows >= n) | (columns < 0) | (columns >= n)
    if outside.any():
        at = int(np.argmax(outside))
        what = f"{name}: entry ({rows[at] + 1}, {columns[at] + 1}) lies outside of {n} rows"
        raise wrong(path, None, what, fix="export the matrix again")
    if not np.isfinite(entries.values).all():
        raise wrong(path, None, f"{name} holds values that are no numbers", fix="export the matrix again")
    A = sparse.coo_matrix((entries.values, (rows, columns)), shape=(n, n)).tocsc()
    pattern = sparse.coo_matrix((np.ones(len(rows)), (rows, columns)), shape=(n, n)).tocsc()
    pattern.setdiag(0.0)
    pattern.eliminate_zeros()
    both = pattern.multiply(pattern.T).nnz
    if both == 0 and pattern.nnz:  # each pair stands once
        A = A + A.T - sparse.diags(A.diagonal())
    return A.tocsc()


def checked(A: sparse.csc_matrix, name: str) -> tuple[sparse.csc_matrix, tuple[str, ...]]:
    """The matrix without rounding in its symmetry, and a note if it is not symmetric at all."""
    size = abs(A).max() if A.nnz else 0.0
    defect = abs(A - A.T).max() if A.nnz else 0.0
    if defect > 1e-6 * size:
        return A, (f"{name} is not symmetric: |A − Aᵀ| is {defect / size:.2g} of its largest value",)
    return ((A + A.T) / 2).tocsc(), ()


def to_si(A: sparse.csc_matrix, dofs: np.ndarray, units: FileUnits, power_of_time: int) -> sparse.csc_matrix:
    """A matrix of energy × time^power per displacement²: 0 stiffness, 1 damping, 2 mass.

    With u_SI = S u, S the length unit for translations and 1 for rotations:   A_SI = e S⁻¹ A S⁻¹.
    """
    if units.is_si:
        return A
    s = sparse.diags(np.where((dofs[:, 1] >= 0) & (dofs[:, 1] < 3), 1 / units.length, 1.0))
    return (units.force * units.length * units.time**power_of_time * (s @ A @ s)).tocsc()


def assembled(
    matrices: dict[str, sparse.csc_matrix | None],
    dofs: np.ndarray,
    nodes: tuple[np.ndarray, np.ndarray] | None,
    units: FileUnits,
    path: Path,
    notes: Sequence[str] = (),
) -> MatrixModel:
    """Matrices "K", "M", "C" of a file in SI, with the positions of their nodes."""
    found = list(notes)
    result: dict[str, sparse.csc_matrix | None] = {}
    for power, name in enumerate("KCM"):
        A = matrices.get(name)
        result[name] = None
        if A is not None:
            if A.shape != (len(dofs), len(dofs)):
                what = f"{name} has {A.shape[0]} rows, but {len(dofs)} degrees of freedom are listed"
                raise wrong(path, None, what, fix="give files that belong together")
            A, more = checked(A, name)
            found += more
            result[name] = to_si(A, dofs, units, power)
    if result["K"] is None:
        raise wrong(path, None, "there is no stiffness matrix", fix="export it too")
    ids = np.unique(dofs[dofs[:, 1] != SCALAR, 0])
    points = np.full((len(ids), 3), np.nan)
    if nodes is not None:
        order = np.argsort(nodes[0])
        at = np.minimum(np.searchsorted(nodes[0][order], ids), max(len(order) - 1, 0))
        known = nodes[0][order][at] == ids if len(order) else np.zeros(len(ids), dtype=bool)
        points[known] = nodes[1][order][at[known]]
    unknown = ids[np.isnan(points[:, 0])]
    if len(unknown):
        found.append(f"positions of {len(unknown)} nodes are not known, first {unknown[0]}")
    return MatrixModel(result["K"], result["M"], result["C"], dofs, points, ids, tuple(found))
