"""What each node contributes to the average over a surface or a line: consistent with the shape functions.

The rigid motion that fits a surface best in the mean over its area, ∫ |u − (u₀ + θ × r)|² dA → min with u = Σ N_a u_a,
needs of every node

    weight  w_a = ∫ N_a dA ,      lever  l_a = ∫ N_a (x − c) dA ,      c = ∫ x dA / ∫ dA

A force on the average is then spread as a uniform traction, a moment as a linear one, both in the way that the elements
take tractions: of an 8-node face a corner gets −1/12 and a mid-side 1/3. The fit is well posed although some weights are
negative: its matrix is ∫ SᵀS dA, S the rigid motions on the surface.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from flexor.elements import quadrature
from flexor.elements.assembly.batches import kind_of
from flexor.elements.faces import Skin, area_vectors, outer_faces
from flexor.mesh.mesh import Mesh

_LINE = quadrature.line(3)


@dataclass(frozen=True, eq=False)
class Shares:
    """weights: (n,) [m², m or none];  levers: (n, 3), weight × length;  by: "area", "length" or "number" of nodes.

    apart: how many of the nodes belong to no whole face where others do; then all count alike.
    """

    weights: np.ndarray
    levers: np.ndarray
    by: str
    apart: int = 0


def shares_of(mesh: Mesh, nodes: np.ndarray) -> Shares:
    """Shares of nodes of a mesh: by area if outer faces of the elements hold them all, else by length if edges do, else
    all alike."""
    faces = Skin(mesh).on(np.unique(nodes))
    found = shares_on_faces(mesh.points, nodes, faces)
    if found.apart and not faces:
        found = shares_on_edges(mesh.points, nodes, _edges_on(mesh, nodes))
    if not found.apart:
        return found
    weights = np.ones(len(nodes))
    levers = mesh.points[nodes] - mesh.points[nodes].mean(axis=0)
    return Shares(weights, levers, "number", found.apart if faces else 0)


def shares_on_faces(points: np.ndarray, nodes: np.ndarray, faces: Iterable[np.ndarray]) -> Shares:
    """By area, on faces of 3, 4, 6 or 8 nodes: arrays (m, k) of rows of the points; nodes of none of them have no share."""
    return _shares(points, nodes, faces, _areas, "area")


def shares_on_edges(points: np.ndarray, nodes: np.ndarray, edges: Iterable[np.ndarray]) -> Shares:
    """By length, on edges of two nodes, or three with the middle last."""
    return _shares(points, nodes, edges, _lengths, "length")


def _shares(points: np.ndarray, nodes: np.ndarray, pieces: Iterable[np.ndarray], measure, by: str) -> Shares:
    """From faces or edges, arrays (m, k) of nodes."""
    weights, moments = np.zeros(len(points)), np.zeros((len(points), 3))
    held = np.zeros(len(points), dtype=bool)
    for piece in pieces:
        X = points[piece]
        N, size = measure(X)  # (q, k), (m, q)
        part = np.einsum("qk,mq->mk", N, size)
        first = np.einsum("qk,mq,qb,mbc->mkc", N, size, N, X, optimize=True)
        np.add.at(weights, piece, part)
        np.add.at(moments, piece, first)
        held[piece] = True
    weights, moments = weights[nodes], moments[nodes]
    centre = moments.sum(axis=0) / (weights.sum() or 1.0)
    return Shares(weights, moments - weights[:, None] * centre, by, int(np.count_nonzero(~held[nodes])))


def _areas(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    N, directed = area_vectors(X)
    return N, np.linalg.norm(directed, axis=2)


def _lengths(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Edges of two nodes, or three with the middle last."""
    s = _LINE.points[:, 0]
    if X.shape[1] == 2:
        N, dN = np.stack([1 - s, 1 + s], axis=1) / 2, np.tile([-0.5, 0.5], (len(s), 1))
    else:
        N = np.stack([s * (s - 1) / 2, s * (s + 1) / 2, 1 - s * s], axis=1)
        dN = np.stack([s - 0.5, s + 0.5, -2 * s], axis=1)
    return N, np.linalg.norm(np.einsum("qk,mkc->mqc", dN, X), axis=2) * _LINE.weights


def _edges_on(mesh: Mesh, nodes: np.ndarray) -> list[np.ndarray]:
    """Edges of outer faces and line elements all of whose nodes are among the given ones."""
    chosen = np.zeros(len(mesh.points), dtype=bool)
    chosen[nodes] = True
    found: dict[int, list[np.ndarray]] = {2: [], 3: []}
    for faces in outer_faces(mesh):
        corners = faces.shape[1] if faces.shape[1] < 5 else faces.shape[1] // 2
        for i in range(corners):
            ends = [i, (i + 1) % corners, corners + i][: 2 if corners == faces.shape[1] else 3]
            found[len(ends)].append(faces[:, ends])
    for block in mesh.blocks:
        if not kind_of(block).faces and np.shape(block.nodes)[1] == 2:
            found[2].append(np.asarray(block.nodes))
    edges = []
    for k, parts in found.items():
        some = np.concatenate([*parts, np.empty((0, k), dtype=int)])
        some = some[chosen[some].all(axis=1)]
        some[:, :2] = np.sort(some[:, :2], axis=1)
        edges.append(np.unique(some, axis=0))
    return [each for each in edges if len(each)]
