"""Matrices of another finite-element program as the free body that a reduction works on.   ZE 3.2, 3.3"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from flexor.elements.assembly.constraints import transformation
from flexor.elements.assembly.dofs import DofMap
from flexor.errors import ModelError, Problem
from flexor.io import MatrixModel
from flexor.mesh.mesh import Mesh
from flexor.reduce.free_body import FreeBody
from flexor.reduce.interface import Interfaces, interfaces_of
from flexor.reduce.of_mesh import rigid_coordinates
from flexor.reduce.tie import connections_of, tied


def from_matrices(matrices: MatrixModel, interfaces: Interfaces) -> FreeBody:
    """The free body of given matrices.

    interfaces: name → number of a node with six degrees of freedom, or several nodes (numbers, a selection, an
    Interface), which are tied to a connection node.
    """
    _refuse_unfit(matrices)
    mesh = Mesh(points=matrices.points, node_ids=matrices.node_ids, blocks=())
    index = np.searchsorted(matrices.node_ids, matrices.dofs[:, 0])
    component = matrices.dofs[:, 1]
    has = np.zeros((len(mesh.points), 6), dtype=bool)
    has[index, component] = True
    named = interfaces_of(interfaces, mesh)
    widths = np.where(has[:, 3:].any(axis=1), 6, np.where(has.any(axis=1), 3, 0))
    whole, nodes = tied(mesh, widths, named)
    has = np.vstack([has, np.ones((len(whole.points) - len(has), 6), dtype=bool)])
    numbers = np.where(has, np.cumsum(has.ravel()).reshape(has.shape) - 1, -1)
    dofs = DofMap(numbers, int(has.sum()))

    rows = numbers[index, component]
    place = sparse.csc_array((np.ones(len(rows)), (rows, np.arange(len(rows)))), shape=(dofs.n, len(rows)))
    T, free = transformation(whole, dofs)
    K, M = (sparse.csc_array(place @ sparse.csc_array(A) @ place.T) for A in (matrices.K, matrices.M))
    problem = FreeBody(
        K=_congruent(K, T),
        M=_congruent(M, T),
        C=connections_of(T, numbers[nodes], tuple(named)),
        points=whole.points[nodes].reshape(-1, 3),
        names=tuple(named),
        rigid=rigid_coordinates(dofs, whole.points, dofs.owners[free]),
        T=T,
        M_full=M,
        owners=dofs.owners,
        nodes=whole.points,
        node_ids=whole.node_ids,
        D=None if matrices.C is None else _congruent(place @ sparse.csc_array(matrices.C) @ place.T, T),
    )
    problem.check()
    return problem


def _congruent(A: sparse.csc_array, T: sparse.csc_array) -> sparse.csc_array:
    product = T.T @ A @ T
    return sparse.csc_array((product + product.T) * 0.5)


def _refuse_unfit(matrices: MatrixModel) -> None:
    problems = []
    if matrices.M is None:
        problems.append(Problem("matrices", "there is no mass matrix", "a body has inertia", "export it too"))
    scalar = int((matrices.dofs[:, 1] < 0).sum())
    if scalar:
        why = "their inertia in large motion is not in the matrices"
        fix = "export the matrices of the mesh, before it was condensed"
        problems.append(Problem("matrices", f"{scalar} rows belong to no node (modes, scalar points)", why, fix))
    unknown = matrices.node_ids[~np.isfinite(matrices.points).all(axis=1)]
    if len(unknown):
        what = f"the positions of {len(unknown)} nodes are not known, e.g. of {unknown[0]}"
        problems.append(Problem("matrices", what, "rigid-body motion depends on them", "read the nodes too: nodes=…"))
    if problems:
        raise ModelError(problems)
