"""Shells, beams and their solutions, as the tests of structural elements share them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse.linalg

from flexor.elements import Properties, by_name
from flexor.elements.assembly.model import FeModel, assemble
from flexor.materials import Isotropic
from flexor.mesh import Block, Mesh

STEEL = Isotropic(210e9, 0.3, 7850.0)


def properties(section: Any, material: Any = STEEL, orientation: np.ndarray | None = None, **data: Any) -> Properties:
    return Properties(
        D=material.stiffness()[None],
        density=np.array([material.density]),
        material=material,
        section=section,
        orientation=orientation,
        data=data,
    )


def mesh_of(
    element: str,
    points: Any,
    nodes: Any,
    section: Any,
    material: Any = STEEL,
    *,
    orientation: np.ndarray | None = None,
    data: dict[str, Any] | None = None,
    **more: Any,
) -> Mesh:
    """A mesh of one block."""
    points, nodes = np.asarray(points, dtype=float), np.asarray(nodes)
    ids = np.arange(1, len(nodes) + 1)
    block = Block(element, nodes, ids, "material", "section", orientation, data or {})
    tables: dict[str, Any] = {"materials": {"material": material}, "sections": {"section": section}}
    return Mesh(points, np.arange(1, len(points) + 1), (block,), **tables, **more)


def line(start: Any, end: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and elements of a straight line of n beams."""
    points = np.linspace(start, end, n + 1)
    return points, np.stack([np.arange(n), np.arange(1, n + 1)], axis=1)


def grid(element: str, nx: int, ny: int, place: Any) -> tuple[np.ndarray, np.ndarray]:
    """Points place(s, t) for s, t from 0 to 1, s running fastest, and nx × ny shell4 or twice as many shell3."""
    s, t = np.meshgrid(np.linspace(0, 1, nx + 1), np.linspace(0, 1, ny + 1))
    points = np.stack(place(s.ravel(), t.ravel()), axis=-1)
    corner = (np.arange(ny)[:, None] * (nx + 1) + np.arange(nx)).ravel()
    quads = np.stack([corner, corner + 1, corner + nx + 2, corner + nx + 1], axis=1)
    if element == "shell3":
        return points, np.concatenate([quads[:, [0, 1, 3]], quads[:, [1, 2, 3]]])
    return points, quads


def fixed(mesh: Mesh, *supports: tuple[np.ndarray, tuple[int, ...]]) -> Mesh:
    """The mesh with components of nodes (a mask or indices) held."""
    held = [(int(n), parts) for where, parts in supports for n in np.arange(len(mesh.points))[where]]
    return replace(mesh, fixed=tuple(held))


def solve(mesh: Mesh, forces: np.ndarray) -> np.ndarray:
    """(nodes, 6) displacements under forces (nodes, 6); missing freedoms are 0."""
    model = assemble(mesh)
    f = np.zeros(model.dofs.n)
    there = model.dofs.node_dofs >= 0
    f[model.dofs.node_dofs[there]] = forces[there]
    q = scipy.sparse.linalg.spsolve(model.K_reduced, model.T.T @ f)
    return model.dofs.nodal(model.T @ q)


def frequencies(mesh: Mesh, n: int, lumped: bool = False) -> np.ndarray:
    """The n lowest natural frequencies [Hz], rigid motions as 0."""
    model = assemble(mesh, lumped=lumped)
    return frequencies_of(model, n)


def frequencies_of(model: FeModel, n: int) -> np.ndarray:
    K, M = model.K_reduced, model.M_reduced
    scale = K.diagonal().sum() / M.diagonal().sum()
    if K.shape[0] < 400:  # M has no inertia about the shells' normals: solve M x = μ (K + σ M) x instead
        sigma = 1e-6 * scale
        mu = scipy.linalg.eigh(M.toarray(), (K + sigma * M).toarray(), eigvals_only=True)
        values = (1 / np.sort(mu)[::-1][:n]) - sigma
    else:
        sigma = -1e-8 * scale
        values = scipy.sparse.linalg.eigsh(K, n, M, sigma=sigma, v0=np.ones(K.shape[0]), return_eigenvectors=False)
    return np.sqrt(np.maximum(np.sort(values), 0)) / (2 * np.pi)


def rigid_motions(X: np.ndarray) -> np.ndarray:
    """(6k, 6) of nodes with rotations."""
    modes = np.zeros((len(X), 6, 6))
    modes[:, :3, :3] = modes[:, 3:, 3:] = np.eye(3)
    for axis in range(3):
        modes[:, :3, 3 + axis] = np.cross(np.eye(3)[axis], X)
    return modes.reshape(-1, 6)


def element(name: str) -> Any:
    return by_name[name]
