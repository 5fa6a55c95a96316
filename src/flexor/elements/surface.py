"""A point on the surface of a mesh: on which element and face it lies, and where on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexor.elements.assembly.batches import kind_of
from flexor.elements.faces import face_kind
from flexor.elements.solids.isoparametric import monomial_gradients, monomials
from flexor.errors import ModelError, Problem
from flexor.mesh.mesh import Mesh

BORDER = 1e-3
"""Distance from an edge of a face, as a share of the face, at which a point is on it."""
SMOOTH = 0.85
"""Cosine between the normals of faces above which they are one surface (32°)."""


@dataclass(frozen=True, eq=False)
class SurfacePoint:
    """A point on face `face` (0, 1, …) of element `row` of block `block`, at natural coordinates of the face.

    weights: (k,) shape functions of the face's nodes there;  normal: outward (of a shell: its own);  position [m].
    """

    block: int
    row: int
    face: int
    weights: np.ndarray
    normal: np.ndarray
    position: np.ndarray


def on_face(mesh: Mesh, where: str, element: int, face: int | None) -> SurfacePoint:
    """The middle of a face (1, 2, …; without it the only outer one) of the element with a number."""
    for b, block in enumerate(mesh.blocks):
        found = np.flatnonzero(np.asarray(block.ids) == element)
        if not len(found) or not kind_of(block).faces:
            continue
        row, count = int(found[0]), len(kind_of(block).faces)
        outer = [f + 1 for f in range(count) if _is_outer(mesh, b, row, f)]
        if face is None:
            if len(outer) != 1:
                faces = ", ".join(map(str, outer)) or "none"
                raise ModelError(
                    Problem(where, f"element {element} has the outer faces {faces}", "", "name one: face=…")
                )
            face = outer[0]
        if not 1 <= face <= count:
            raise ModelError(Problem(where, f"element {element} has no face {face}", "", f"its faces are 1 … {count}"))
        if face not in outer:
            fix = f"its outer faces: {', '.join(map(str, outer)) or 'none'}"
            raise ModelError(
                Problem(where, f"face {face} of element {element} is inside", "a gauge sits on the skin", fix)
            )
        nodes = kind_of(block).faces[face - 1]
        natural = np.mean(face_kind(len(nodes)).corners[: 3 if len(nodes) in (3, 6) else 4], axis=0)
        return _point(mesh, b, row, face - 1, natural)
    ids = np.concatenate([b.ids for b in mesh.blocks if kind_of(b).faces] or [np.zeros(0, dtype=int)])
    near = ids[np.argsort(np.abs(ids - element), kind="stable")[:3]]
    fix = f"near that number there are {', '.join(map(str, near))}" if len(near) else "the mesh has no solids or shells"
    raise ModelError(Problem(where, f"there is no element {element} with a surface", "", fix))


def nearest_on_surface(mesh: Mesh, where: str, at: np.ndarray) -> SurfacePoint:
    """The point of the outer skin nearest to `at` [m]; refused if it is farther away than the face is large."""
    best: SurfacePoint | None = None
    distance, size = np.inf, 0.0
    for nodes, owners in _skin(mesh):
        corners = 3 if nodes.shape[1] in (3, 6) else 4
        triangles = [(0, 1, 2)] if corners == 3 else [(0, 1, 2), (0, 2, 3)]
        naturals = np.array(face_kind(nodes.shape[1]).corners)
        for triangle in triangles:
            X = mesh.points[nodes[:, triangle]]
            bary = _nearest_on_triangles(X, at)
            away = np.linalg.norm(np.einsum("mk,mkc->mc", bary, X) - at, axis=1)
            for i in np.flatnonzero(away <= away.min() * (1 + 1e-9) + 1e-12):
                b, row, face = owners[i]
                natural = _refined(mesh.points[nodes[i]], bary[i] @ naturals[list(triangle)], at)
                point = _point(mesh, b, row, face, natural)
                off = float(np.linalg.norm(point.position - at))
                if off < distance * (1 - 1e-9):
                    best, distance, size = point, off, float(np.ptp(X[i], axis=0).max())
    if best is None:
        raise ModelError(Problem(where, "the mesh has no surface", "it has no solids or shells", "use section forces"))
    if distance > size:
        nearest = ", ".join(f"{c:.4g}" for c in best.position)
        what = f"at is {distance:.4g} m away from the surface"
        raise ModelError(Problem(where, what, "in the axes of the mesh", f"the nearest point is ({nearest}) m"))
    return best


def sharing(mesh: Mesh, point: SurfacePoint) -> list[SurfacePoint]:
    """The point, and itself on the other faces that share it where it lies on an edge or a corner of its face.

    Faces beyond a sharp edge of the body do not count, nor shells whose top is on the other side, nor shells beside solids.
    """
    kind = kind_of(mesh.blocks[point.block])
    own = np.asarray(mesh.blocks[point.block].nodes)[point.row, list(kind.faces[point.face])]
    there = np.abs(point.weights) > BORDER  # on an edge, the shape functions of all other nodes vanish
    if there.all():
        return [point]
    weights = np.where(there, point.weights, 0.0) / point.weights[there].sum()
    found = [point]
    for nodes, owners in _skin(mesh):
        for i in np.flatnonzero(np.isin(nodes, own[there]).sum(axis=1) == there.sum()):
            b, row, face = owners[i]
            if (b, row, face) == (point.block, point.row, point.face) or kind_of(mesh.blocks[b]).dofs != kind.dofs:
                continue
            same = np.array([weights[own == node].sum() for node in nodes[i]])
            natural = same @ np.array(face_kind(len(same)).corners)
            other = _point(mesh, b, row, face, natural)
            if other.normal @ point.normal > SMOOTH:
                found.append(other)
    return found


def _skin(mesh: Mesh) -> list[tuple[np.ndarray, np.ndarray]]:
    """Outer faces by number of nodes: nodes (m, k), and block, row, face (m, 3)."""
    groups: dict[tuple[int, bool], list[tuple[np.ndarray, np.ndarray]]] = {}
    for b, block in enumerate(mesh.blocks):
        kind = kind_of(block)
        for f, face in enumerate(kind.faces):
            owners = np.stack(
                [np.full(len(block.nodes), b), np.arange(len(block.nodes)), np.full(len(block.nodes), f)], 1
            )
            group = groups.setdefault((len(face), kind.dofs == 3), [])
            group.append((np.asarray(block.nodes)[:, list(face)], owners))
    skin = []
    for (_, solid), parts in groups.items():
        nodes, owners = (np.concatenate(arrays) for arrays in zip(*parts))
        if solid:  # a face of two solids is inside
            _, first, count = np.unique(np.sort(nodes, axis=1), axis=0, return_index=True, return_counts=True)
            outer = np.sort(first[count == 1])
            nodes, owners = nodes[outer], owners[outer]
        skin.append((nodes, owners))
    return skin


def _is_outer(mesh: Mesh, block: int, row: int, face: int) -> bool:
    kind = kind_of(mesh.blocks[block])
    if kind.dofs == 6:
        return True
    nodes = set(mesh.blocks[block].nodes[row, list(kind.faces[face])].tolist())
    shared = 0
    for other in mesh.blocks:
        if kind_of(other).dofs == 3:
            touching = np.flatnonzero(np.isin(other.nodes, list(nodes)).sum(axis=1) == len(nodes))
            shared += len(touching)
    return shared == 1


def _point(mesh: Mesh, block: int, row: int, face: int, natural: np.ndarray) -> SurfacePoint:
    kind = kind_of(mesh.blocks[block])
    X = mesh.points[mesh.blocks[block].nodes[row, list(kind.faces[face])]]
    N, dN = _shapes(len(X), natural)
    normal = np.cross(*(dN.T @ X))
    return SurfacePoint(int(block), int(row), int(face), N, normal / np.linalg.norm(normal), N @ X)


def _shapes(count: int, natural: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shape functions (k,) and derivatives (k, 2) of a face."""
    kind, at = face_kind(count), np.asarray(natural, dtype=float)[None]
    N = (monomials(kind.monomials, at) @ kind.coefficients)[0]
    return N, np.einsum("td,tk->kd", monomial_gradients(kind.monomials, at)[0], kind.coefficients)


def _nearest_on_triangles(X: np.ndarray, p: np.ndarray) -> np.ndarray:
    """(m, 3) barycentric coordinates of the points of triangles X (m, 3, 3) that are nearest to p."""
    a, b, c = X[:, 0], X[:, 1], X[:, 2]
    u, v, w = b - a, c - a, p - a
    uu, uv, vv = (np.einsum("mi,mi->m", s, t) for s, t in ((u, u), (u, v), (v, v)))
    wu, wv = np.einsum("mi,mi->m", w, u), np.einsum("mi,mi->m", w, v)
    det = np.maximum(uu * vv - uv * uv, 1e-300)
    s, t = (vv * wu - uv * wv) / det, (uu * wv - uv * wu) / det
    bary = np.stack([1 - s - t, s, t], axis=1)
    inside = bary.min(axis=1) >= 0
    best = np.where(inside[:, None], bary, 0.0)
    off = np.where(inside, 0.0, np.inf)
    for i, j in ((0, 1), (1, 2), (2, 0)):  # else it is on an edge
        edge = X[:, j] - X[:, i]
        along = np.einsum("mi,mi->m", p - X[:, i], edge) / np.maximum(np.einsum("mi,mi->m", edge, edge), 1e-300)
        along = np.clip(along, 0.0, 1.0)
        away = np.linalg.norm(X[:, i] + along[:, None] * edge - p, axis=1)
        candidate = np.zeros_like(bary)
        candidate[:, i], candidate[:, j] = 1 - along, along
        better = away < off
        best, off = np.where(better[:, None], candidate, best), np.where(better, away, off)
    return best


def _refined(X: np.ndarray, natural: np.ndarray, p: np.ndarray) -> np.ndarray:
    """The nearest point of a bilinear or quadratic face from a start on its flat triangles (Gauss–Newton, kept inside)."""
    best, distance = natural, np.linalg.norm(_shapes(len(X), natural)[0] @ X - p)
    for _ in range(20):
        N, dN = _shapes(len(X), natural)
        step = np.linalg.lstsq((dN.T @ X).T, p - N @ X, rcond=None)[0]
        natural = _inside(len(X), natural + step)
        off = np.linalg.norm(_shapes(len(X), natural)[0] @ X - p)
        if off < distance:
            best, distance = natural, off
        if np.abs(step).max() < 1e-12:
            break
    return best


def _inside(count: int, natural: np.ndarray) -> np.ndarray:
    if count in (4, 8):
        return np.clip(natural, -1.0, 1.0)
    natural = np.maximum(natural, 0.0)
    return natural / max(1.0, float(natural.sum()))
