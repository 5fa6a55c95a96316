"""Bodies from matrices: the same as from the mesh they came from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import eigh

from flexor.elements.assembly.model import assemble
from flexor.errors import ModelError, SolveError
from flexor.io import MatrixModel
from flexor.mesh.mesh import AverageLink
from flexor.reduce import CraigBampton, Interface, from_matrices, from_mesh, reduce_problem
from flexor.reduce.reduced import project
from tests.reduce.bodies import beams, held_beams, held_rod, rod


def matrices(mesh, **changed) -> MatrixModel:
    """The matrices of a mesh in another order of rows."""
    model = assemble(mesh)
    order = np.random.default_rng(0).permutation(model.dofs.n)
    owners = model.dofs.owners[order]
    rows = np.stack([mesh.node_ids[owners[:, 0]], owners[:, 1]], axis=1)
    K, M = (sparse.csc_matrix(A[order][:, order]) for A in (model.K, model.M))
    return replace(MatrixModel(K, M, None, rows, mesh.points, mesh.node_ids), **changed)


FACES = {
    "left": [int(i) for i in rod().node_ids[rod().node_sets["x_min"]]],
    "right": [int(i) for i in rod().node_ids[rod().node_sets["x_max"]]],
}


def evenly_held_rod():
    mesh, n = rod(), len(rod().points)
    faces = [tuple(int(i) for i in mesh.node_sets[name]) for name in ("x_min", "x_max")]
    linked = replace(
        mesh,
        points=np.vstack([mesh.points, [[0, 0, 0], [1, 0, 0]]]),
        node_ids=np.arange(1, n + 3),
        average_links=tuple(AverageLink(n + i, face, id=i) for i, face in enumerate(faces)),
    )
    return from_mesh(linked, {"left": n + 1, "right": n + 2})


@pytest.mark.parametrize("tie", ["rigid", "average"])
def test_flanges_strutted_here_or_in_the_program(tie):
    """ZE table 6: constraint equations of the FE program, or ties added to its matrices, give the same body. Matrices know
    no faces: all nodes of an average count alike."""
    faces = {name: Interface({"type": "numbered", "ids": ids}, tie=tie) for name, ids in FACES.items()}
    found = reduce_problem(from_matrices(matrices(rod()), faces), CraigBampton(5))
    p = held_rod() if tie == "rigid" else evenly_held_rod()
    exact = project(p, CraigBampton(5).basis(p)[0])
    assert np.allclose(found.K[:12, :12], exact.K[:12, :12], atol=1e-7 * np.abs(exact.K[:12, :12]).max())
    assert np.allclose(found.M[:12, :12], exact.M[:12, :12], atol=1e-9)
    assert np.allclose(eigh(found.K, found.M, eigvals_only=True)[6:], eigh(exact.K, exact.M, eigvals_only=True)[6:])
    assert np.allclose(found.invariants.second, exact.invariants.second)
    assert np.allclose(found.gravity[:, :12], exact.gravity[:, :12], atol=1e-9)
    assert found.validation is not None
    with pytest.raises(ModelError, match="reduced from matrices"):
        _ = found.stress_modes


def test_nodes_with_six_degrees_of_freedom():
    found = reduce_problem(from_matrices(matrices(beams()), {"left": 1, "right": 9}), CraigBampton(4))
    p = held_beams()
    exact = project(p, CraigBampton(4).basis(p)[0])
    assert np.allclose(found.K, exact.K, atol=1e-8 * np.abs(exact.K).max())


def test_a_damping_matrix_comes_along():
    model = matrices(beams())
    damped = replace(model, C=0.3 * model.M + 1e-4 * model.K)
    body = reduce_problem(from_matrices(damped, {"left": 1, "right": 9}), CraigBampton(4))
    assert np.allclose(body.D, 0.3 * body.M + 1e-4 * body.K, atol=1e-6 * np.abs(body.D).max())


def test_missing_things_are_told_together():
    model = matrices(beams())
    points = model.points.copy()
    points[3] = np.nan
    rows = model.dofs.copy()
    rows[5, 1] = -1
    with pytest.raises(ModelError) as told:
        from_matrices(replace(model, M=None, points=points, dofs=rows), {"left": 1})
    text = str(told.value)
    assert "no mass matrix" in text
    assert "positions of 1 nodes are not known, e.g. of 4" in text
    assert "1 rows belong to no node" in text


def test_matrices_of_a_held_body_are_refused():
    model = matrices(rod())
    keep = model.dofs[:, 0] != 1  # a program leaves out fixed degrees of freedom
    held = replace(model, K=model.K[keep][:, keep], M=model.M[keep][:, keep], dofs=model.dofs[keep])
    faces = {"right": FACES["right"]}
    with pytest.raises(SolveError, match="it is not free"):
        from_matrices(held, faces)
