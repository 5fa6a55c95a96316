"""Faces of elements: the outer skin of a mesh, and the integral of a load over a face."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from flexor.elements import quadrature
from flexor.elements.assembly.batches import kind_of
from flexor.elements.quadrature import Rule
from flexor.elements.solids.isoparametric import (
    Exponents,
    midside_coordinates,
    monomial_gradients,
    monomials,
)
from flexor.mesh.mesh import Mesh

_TRIANGLE = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
_SQUARE = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))


@dataclass(frozen=True, eq=False)
class FaceKind:
    """A triangle or quadrilateral, by its number of nodes: corners, then mid-sides."""

    corners: tuple[tuple[float, ...], ...]
    monomials: Exponents
    rule: Rule

    @property
    def coefficients(self) -> np.ndarray:
        return np.linalg.inv(monomials(self.monomials, np.array(self.corners)))


@cache
def face_kind(n_nodes: int) -> FaceKind:
    """The kind of face with 3, 4, 6 or 8 nodes."""
    linear: Exponents = ((0, 0), (1, 0), (0, 1))
    if n_nodes == 3:
        return FaceKind(_TRIANGLE, linear, quadrature.triangle(2))
    if n_nodes == 4:
        return FaceKind(_SQUARE, (*linear, (1, 1)), quadrature.quadrilateral(2))
    if n_nodes == 6:
        corners = midside_coordinates(_TRIANGLE, ((0, 1), (1, 2), (2, 0)))
        return FaceKind(corners, (*linear, (2, 0), (1, 1), (0, 2)), quadrature.triangle(5))
    corners = midside_coordinates(_SQUARE, ((0, 1), (1, 2), (2, 3), (3, 0)))
    terms: Exponents = (*linear, (1, 1), (2, 0), (0, 2), (2, 1), (1, 2))
    return FaceKind(corners, terms, quadrature.quadrilateral(3))


def area_vectors(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shape functions N (q, k) and directed areas n dA (m, q, 3) at the integration points of faces X (m, k, 3)."""
    kind = face_kind(X.shape[1])
    N = monomials(kind.monomials, kind.rule.points) @ kind.coefficients
    dN = np.einsum("qtd,tk->qkd", monomial_gradients(kind.monomials, kind.rule.points), kind.coefficients)
    tangents = np.einsum("mkc,qkd->mqdc", X, dN)
    return N, np.cross(tangents[:, :, 0], tangents[:, :, 1]) * kind.rule.weights[:, None]


def outer_faces(mesh: Mesh) -> list[np.ndarray]:
    """Faces that belong to one solid only, and the faces of shells: arrays (m, k) of nodes, one per number of nodes."""
    solid: dict[int, list[np.ndarray]] = {}
    shell: dict[int, list[np.ndarray]] = {}
    for block in mesh.blocks:
        kind = kind_of(block)
        for face in kind.faces:
            group = (solid if kind.dofs == 3 else shell).setdefault(len(face), [])
            group.append(np.asarray(block.nodes)[:, list(face)])
    skin = []
    for k in sorted({*solid, *shell}):
        faces = np.concatenate([*solid.get(k, []), np.empty((0, k), dtype=int)])
        _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
        skin.append(np.concatenate([faces[np.sort(first[count == 1])], *shell.get(k, [])]))
    return skin


class Skin:
    """The outer faces of a mesh with the faces that meet at each node, so that asking for some of them is quick."""

    def __init__(self, mesh: Mesh) -> None:
        self.groups = outer_faces(mesh)
        self._meeting = [_Meeting(faces, len(mesh.points)) for faces in self.groups]

    def on(self, nodes: np.ndarray) -> list[np.ndarray]:
        """Outer faces all of whose nodes are among the given ones, which are all different."""
        found = []
        for faces, meeting in zip(self.groups, self._meeting):
            hits = np.bincount(meeting.at(nodes), minlength=len(faces))
            if (whole := hits == faces.shape[1]).any():
                found.append(faces[whole])
        return found


class _Meeting:
    """Which faces (m, k) meet at each of n nodes."""

    def __init__(self, faces: np.ndarray, n: int) -> None:
        by_node = np.argsort(faces, axis=None, kind="stable")
        self._faces = by_node // faces.shape[1]
        self._first = np.searchsorted(faces.ravel()[by_node], np.arange(n + 1))

    def at(self, nodes: np.ndarray) -> np.ndarray:
        """Numbers of the faces at some nodes, one after the other."""
        first, count = self._first[nodes], self._first[nodes + 1] - self._first[nodes]
        behind = np.repeat(first - np.cumsum(count) + count, count)  # from places in the answer to places in the list
        return self._faces[behind + np.arange(len(behind))]
