"""Rigid links, rigid bars and average links as one transformation u = T q.

Every link expresses dependent degrees of freedom by others: u_d = Σ c_j u_j. Chains of links are resolved until only
independent ones remain. Rigid motion of a link, e from the independent to the dependent node:

    u₂ = u₁ + θ₁ × e,  θ₂ = θ₁                                                       FTG (A.8)–(A.13)

The average link is the least-squares rigid motion of its nodes, Σ ωₐ |uₐ − (u + θ × rₐ)|² → min, or of the surface they
span, with their shares of it (`shares`). It returns every rigid motion exactly. FTG (A.14) treats the three axes one at a time and agrees where the weighted products of inertia
Σ ωₐ rₐᵢ rₐⱼ vanish; elsewhere (A.14) answers a rotation about one axis with rotations about the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.linalg import qr
from scipy.sparse.csgraph import connected_components

from flexor.elements.assembly.dofs import COMPONENTS, DofMap
from flexor.elements.assembly.principal import left
from flexor.errors import ModelError, Problem
from flexor.mesh.mesh import AverageLink, Mesh, RigidBar, RigidLink

_SINGULAR = 1e-8  # of a matrix of lengths squared; FTG (A.19) squares its tolerance of 1e-4


@dataclass(frozen=True)
class LinkEquations:
    """u[dependent] = coefficients · u[independent], and the name of the link for messages."""

    name: str
    dependent: np.ndarray
    independent: np.ndarray
    coefficients: np.ndarray


def transformation(mesh: Mesh, dofs: DofMap) -> tuple[sp.csc_array, np.ndarray]:
    """T (n, n_q) with u = T q, and the equation of each q; fixed degrees of freedom are left out."""
    couplings = [c for c in _couplings(mesh, dofs) if len(c.dependent)]
    rows = np.concatenate([c.dependent for c in couplings] or [np.empty(0, dtype=int)])
    _refuse_twice(couplings, rows, mesh, dofs)
    held = _held(mesh, dofs)
    free = left(dofs.n, np.concatenate([rows, held]))
    own = sp.csr_array((np.ones(len(free)), (free, np.arange(len(free)))), shape=(dofs.n, len(free)))
    if not couplings:
        return sp.csc_array(own), free

    i = np.concatenate([np.repeat(c.dependent, len(c.independent)) for c in couplings])
    j = np.concatenate([np.tile(c.independent, len(c.dependent)) for c in couplings])
    values = np.concatenate([c.coefficients.ravel() for c in couplings])
    C = sp.csr_array((values, (i, j)), shape=(dofs.n, dofs.n))
    C.eliminate_zeros()
    S, X = C[rows][:, rows], C[rows][:, free]
    _refuse_cycles(S, couplings, rows, mesh, dofs)
    resolved = term = X
    while S.nnz:  # u_d = S u_d + X q = (1 + S + S² + …) X q, which ends since no link depends on itself
        term = S @ term
        if not term.nnz:
            break
        resolved = resolved + term
    _refuse_held(sp.csr_array(resolved), np.isin(rows, held), rows, couplings, mesh, dofs)
    placed = sp.csr_array((np.ones(len(rows)), (rows, np.arange(len(rows)))), shape=(dofs.n, len(rows)))
    T = sp.csc_array(own + placed @ resolved)
    T.eliminate_zeros()
    return T, free


def _couplings(mesh: Mesh, dofs: DofMap) -> list[LinkEquations]:
    found = [rigid_link(link, mesh, dofs) for link in mesh.rigid_links]
    found += [rigid_bar(bar, mesh, dofs) for bar in mesh.rigid_bars]
    taken = {int(e) for c in found for e in c.dependent} | set(_held(mesh, dofs).tolist())
    kept = {(n, c) for n, components in mesh.retained for c in components}
    for link in mesh.average_links:
        coupling = average_link(link, mesh, dofs)
        if any((link.node, c) in kept for c in link.components):
            coupling = _exchanged(coupling, taken)
        taken.update(coupling.dependent.tolist())
        found.append(coupling)
    return found


def rigid_link(link: RigidLink, mesh: Mesh, dofs: DofMap) -> LinkEquations:
    """Dependent nodes follow one node rigidly; components that a node lacks are left out."""
    name = f"rigid link {link.id}"
    if link.node in link.dependents:
        what = f"node {mesh.node_ids[link.node]} follows itself"
        raise ModelError(Problem(name, what, "", "leave it out of the dependent nodes"))
    nodes, components = np.array(link.dependents, dtype=int), np.array(link.components, dtype=int)
    motion = _rigid_motion(mesh.points[nodes] - mesh.points[link.node])[:, components]  # (d, c, 6)
    equations = dofs.node_dofs[nodes][:, components]
    there = equations >= 0
    return LinkEquations(name, equations[there], dofs.node_dofs[link.node], motion[there])


def rigid_bar(bar: RigidBar, mesh: Mesh, dofs: DofMap) -> LinkEquations:
    """Two nodes joined rigidly, the six independent components anywhere on the two.   FTG A.13"""
    name = f"rigid bar {bar.id}"
    independent = [6 * end + c for end in (0, 1) for c in bar.independent[end]]
    dependent = [6 * end + c for end in (0, 1) for c in bar.dependent[end]]
    if not dependent:
        dependent = [i for i in range(12) if i not in independent]
    if set(independent) & set(dependent):
        both = min(set(independent) & set(dependent))
        what = f"'{COMPONENTS[both % 6]}' of node {mesh.node_ids[bar.nodes[both // 6]]} is independent and dependent"
        raise ModelError(Problem(name, what, "", "list it once"))
    ends = mesh.points[list(bar.nodes)]
    size = float(np.linalg.norm(ends[1] - ends[0])) or 1.0
    motion = _rigid_motion((ends - ends[0]) / size).reshape(12, 6)  # rotations times length: no units
    basis = motion[independent]
    if len(independent) != 6 or np.linalg.cond(basis) > 1e8:
        why = "they must be six and fix every rigid motion of the bar"
        fix = "e.g. all six of one node, or 123 of one and the rest of the other"
        raise ModelError(Problem(name, "its independent components leave it loose or lock it", why, fix))
    scale = np.tile(np.repeat([1.0, size], 3), 2)
    coefficients = motion[dependent] @ np.linalg.inv(basis)
    coefficients *= scale[independent] / scale[dependent][:, None]
    equations = dofs.node_dofs[list(bar.nodes)].ravel()
    return LinkEquations(name, equations[dependent], equations[independent], _clean(coefficients))


def average_link(link: AverageLink, mesh: Mesh, dofs: DofMap) -> LinkEquations:
    """A node that moves with the weighted average of others; rotations of those count by the square of the mean
    distance from the node, so that they weigh like the displacements they cause."""
    name = f"average link {link.id}"
    nodes = np.array(link.independents, dtype=int)
    weights = np.array(link.weights, dtype=float) if len(link.weights) else np.ones(len(nodes))
    if link.node in link.independents:
        what = f"node {mesh.node_ids[link.node]} is averaged over itself"
        raise ModelError(Problem(name, what, "", "leave it out of the averaged nodes"))
    surface = len(link.levers) > 0
    if len(weights) != len(nodes) or (not surface and np.any(weights < 0)) or not weights.sum() > 0:
        what = f"{len(nodes)} nodes have the weights {tuple(link.weights)}"
        raise ModelError(Problem(name, what, "", "give one weight per node, none negative and not all zero"))
    r = mesh.points[nodes] - mesh.points[link.node]
    size = float(np.linalg.norm(r, axis=1).mean()) or 1.0
    components = np.array(link.independent_components, dtype=int)
    motion = _rigid_motion(r / size)[:, components].reshape(-1, 6)  # of each averaged component, no units
    equations = dofs.node_dofs[nodes][:, components].ravel()
    weighted = _rigid_motion(_levers(link, mesh.points[nodes], weights, mesh.points[link.node]) / size)
    weighted[:, range(6), range(6)] = weights[:, None]
    weighted = weighted[:, components].reshape(-1, 6) * (equations >= 0)[:, None]
    # u = (Σ Sᵀ ω S)⁻¹ Σ Sᵀ ω uₐ
    A = motion.T @ weighted
    A = (A + A.T) / 2
    values, vectors = np.linalg.eigh(A)
    seen = values > _SINGULAR * values[-1]
    blind = np.flatnonzero(np.abs(vectors[:, ~seen]).max(axis=1, initial=0.0) > 1e-6)
    lost = [c for c in link.components if c in blind]
    if lost:
        what = f"the averaged nodes do not determine its {', '.join(COMPONENTS[c] for c in lost)}"
        why = "they coincide or lie on a line" if len(nodes) > 1 else "one node has no rotation of its own"
        fix = "average over nodes that span a surface, add rotations to the averaged components, or drop these"
        raise ModelError(Problem(name, what, why, fix))
    inverse = (vectors[:, seen] / values[seen]) @ vectors[:, seen].T
    scale = np.repeat([1.0, size], 3)
    coefficients = inverse @ weighted.T * np.tile(scale[components], len(nodes))
    used, wanted = np.any(weighted != 0, axis=1), np.array(link.components, dtype=int)
    coefficients = _clean((coefficients / scale[:, None])[wanted][:, used])
    return LinkEquations(name, dofs.node_dofs[link.node][wanted], equations[used], coefficients)


def _levers(link: AverageLink, X: np.ndarray, weights: np.ndarray, about: np.ndarray) -> np.ndarray:
    """(m, 3) weight × distance from a point, of the nodes at X."""
    if not len(link.levers):
        return weights[:, None] * (X - about)
    return np.array(link.levers, dtype=float) + weights[:, None] * (weights @ X / weights.sum() - about)


def _exchanged(c: LinkEquations, taken: set[int]) -> LinkEquations:
    """The same equations solved for components of the averaged nodes, so that the reference node is independent.

    The pivots of B = QR choose components that determine the motion well.
    """
    allowed = np.array([e not in taken for e in c.independent.tolist()], dtype=bool)
    size = np.abs(c.coefficients).max(axis=1, keepdims=True)
    B = c.coefficients / size * allowed
    r, order = qr(B, mode="r", pivoting=True)
    k = len(c.dependent)
    if len(order) < k or abs(r[k - 1, k - 1]) < 1e-8 * abs(r[0, 0]):
        why = "too few of its averaged components are free to follow it"
        raise ModelError(
            Problem(c.name, "its node cannot be kept as a connection node", why, "average over more nodes")
        )
    chosen, rest = np.sort(order[:k]), np.sort(order[k:])
    solved = np.linalg.inv(c.coefficients[:, chosen])
    coefficients = np.hstack([solved, -solved @ c.coefficients[:, rest]])
    independent = np.concatenate([c.dependent, c.independent[rest]])
    return LinkEquations(c.name, c.independent[chosen], independent, coefficients)


def _rigid_motion(e: np.ndarray) -> np.ndarray:
    """(m, 6, 6) motion of points at e (m, 3) for the motion of the origin: u + θ × e, θ."""
    S = np.tile(np.eye(6), (len(e), 1, 1))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        S[:, i, 3 + j], S[:, i, 3 + k] = e[:, k], -e[:, j]  # (θ × e)ᵢ = θⱼ eₖ − θₖ eⱼ
    return S


def _clean(coefficients: np.ndarray) -> np.ndarray:
    """Rounding errors of entries that are zero would couple what is not coupled."""
    size = np.abs(coefficients).max(initial=0.0)
    return np.where(np.abs(coefficients) < 1e-14 * size, 0.0, coefficients)


def _held(mesh: Mesh, dofs: DofMap) -> np.ndarray:
    """Equations of the mesh's fixed components, as far as the nodes have them."""
    wanted = [dofs.node_dofs[node, list(components)] for node, components in mesh.fixed]
    equations = np.unique(np.concatenate(wanted)) if wanted else np.empty(0, dtype=int)
    return equations[equations >= 0]


def _called(equation: int, mesh: Mesh, dofs: DofMap) -> str:
    node, component = dofs.owners[equation]
    return f"node {mesh.node_ids[node]} {COMPONENTS[component]}"


def _refuse_twice(couplings: Sequence[LinkEquations], rows: np.ndarray, mesh: Mesh, dofs: DofMap) -> None:
    values, counts = np.unique(rows, return_counts=True)
    problems = []
    for equation in values[counts > 1][:10]:
        names = [c.name for c in couplings if equation in c.dependent]
        what = f"it follows {' and '.join(names)}"
        why = "a degree of freedom can depend on one link only"
        fix = "merge the links or take the component out of one"
        problems.append(Problem(_called(equation, mesh, dofs), what, why, fix))
    if problems:
        raise ModelError(problems)


def _refuse_cycles(
    S: sp.csr_array, couplings: Sequence[LinkEquations], rows: np.ndarray, mesh: Mesh, dofs: DofMap
) -> None:
    n, label = connected_components(S, directed=True, connection="strong")
    looped = (np.bincount(label, minlength=n)[label] > 1) | (S.diagonal() != 0)
    if not looped.any():
        return
    names = [c.name for c in couplings if np.isin(c.dependent, rows[looped]).any()]
    what = f"they depend on each other in a circle, e.g. through {_called(rows[looped][0], mesh, dofs)}"
    why = "none of its degrees of freedom is independent"
    raise ModelError(Problem(", ".join(names[:6]), what, why, "give one of them another independent node"))


def _refuse_held(
    resolved: sp.csr_array,
    held: np.ndarray,
    rows: np.ndarray,
    couplings: Sequence[LinkEquations],
    mesh: Mesh,
    dofs: DofMap,
) -> None:
    """A dependent degree of freedom may be fixed only if all that it depends on is fixed too."""
    moves = np.asarray(abs(resolved).sum(axis=1)).ravel() > 0
    problems = []
    for equation in rows[held & moves][:10]:
        name = next(c.name for c in couplings if equation in c.dependent)
        what, why = f"it is fixed and also follows {name}", "that leaves it no choice"
        fix = "fix the independent node, or take the component out of the link"
        problems.append(Problem(_called(equation, mesh, dofs), what, why, fix))
    if problems:
        raise ModelError(problems)
