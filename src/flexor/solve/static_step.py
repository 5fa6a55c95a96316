"""One iteration towards equilibrium: the linear solve, what rounding leaves of its residual, and the metric added to it."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import SuperLU, splu

EPS = float(np.finfo(float).eps)
ROUNDING = 8.0
"""How many times ε |K| |x| the residual of a position may be that is as good as numbers allow."""
JOINTS_ON = 4
"""Through how many joints what rounding leaves of forces is followed."""
INVERSIONS = "TNTN"
"""Solutions that tell whether a matrix is singular, with it and with its transpose in turn."""


def static_step(
    K: sparse.csc_matrix, W: np.ndarray, shift: float, r: np.ndarray, border: np.ndarray | None = None
) -> tuple[np.ndarray, bool]:
    """Solve (K + shift·W) δ = −r with pivoting; whether the matrix was singular.

    border: a direction n in which nothing moves, nᵀδ = 0, and in which forces need not balance.
    """
    if border is not None:
        n = sparse.csc_matrix(border[:, None] * float(np.abs(K.data).max(initial=1.0)) / np.abs(border).max())
        whole, singular = static_step(
            sparse.bmat([[K, n], [n.T, None]]).tocsc(), np.append(W, 0.0), shift, np.append(r, 0.0)
        )
        return whole[:-1], singular
    matrix = (K + sparse.diags(shift * W)).tocsc()
    d = equilibration(matrix)
    scaled = (sparse.diags(d) @ matrix @ sparse.diags(d)).tocsc()
    try:
        factors = splu(scaled)
    except RuntimeError:
        return np.zeros_like(r), True
    delta = d * factors.solve(-d * r)
    delta += d * factors.solve(d * (-r - matrix @ delta))
    error = np.linalg.norm(matrix @ delta + r)
    digits = 1e-13 * float(np.linalg.norm(abs(matrix) @ np.abs(delta)))  # of the forces that cancel in the sum
    bad = not np.all(np.isfinite(delta)) or error > max(1e-6 * float(np.linalg.norm(r)), digits, 1e-300)
    return delta, bool(bad or rounds_to_singular(scaled, factors))


def rounds_to_singular(matrix: sparse.csc_matrix, factors: SuperLU) -> bool:
    """Whether its smallest singular value is no more than rounding makes of nothing, σ₁ ≲ √n ε σₙ.

    Pivots may all be larger: those of a rotor at its critical speed are several times σ₁. Inverse iteration finds σ₁, from above;
    σₙ is at least the largest entry, and little more in an equilibrated matrix.
    """
    n = matrix.shape[0]
    bound = ROUNDING * np.sqrt(n) * EPS * float(abs(matrix).max())
    v = np.random.default_rng(0).standard_normal(n)
    for transposed in INVERSIONS:
        v = factors.solve(v / np.linalg.norm(v), trans=transposed)
        if not float(np.linalg.norm(v)) * bound < 1.0:
            return True
    return False


def equilibration(matrix: sparse.csc_matrix) -> np.ndarray:
    """d that brings the largest entry of each row and column of d·matrix·d near one, so that pivots can be compared."""
    size = abs(matrix)
    d = np.ones(matrix.shape[0])
    for _ in range(4):
        scaled = sparse.diags(d) @ size @ sparse.diags(d)
        largest = np.maximum(scaled.max(axis=1).toarray().ravel(), scaled.max(axis=0).toarray().ravel())
        d /= np.sqrt(np.where(largest > 0, largest, 1.0))
    return d


def within_rounding(K: sparse.csc_matrix, r: np.ndarray, x: np.ndarray) -> bool:
    """Whether every equation's residual is as small as rounding of unknowns of the sizes x makes it, |r| ≲ ε |K| x."""
    return bool(np.all(np.abs(r) <= ROUNDING * EPS * (abs(K) @ np.abs(x)) + 1e-300))


def stiffness_along(K: sparse.csc_matrix, W: np.ndarray, own: np.ndarray, delta: np.ndarray) -> float:
    """δᵀ K δ / δᵀ W δ: negative where a step of Newton's method goes uphill."""
    moved = np.where(own, delta, 0.0)
    return float(moved @ (K @ moved)) / max(float(moved @ (W * moved)), 1e-300)


def indifferent(K: sparse.csc_matrix, own: np.ndarray, delta: np.ndarray) -> bool:
    """Whether the stiffness along a step is nothing but rounding of the entries of K, |δᵀ K δ| ≲ ε |δ|ᵀ |K| |δ|."""
    moved = np.where(own, delta, 0.0)
    rounding = float(np.abs(moved) @ (abs(K) @ np.abs(moved)))
    return rounding > 0.0 and abs(float(moved @ (K @ moved))) <= ROUNDING * EPS * rounding


def free(K: sparse.csc_matrix, own: np.ndarray, stiffnesses: np.ndarray, delta: np.ndarray) -> bool:
    """Whether the stiffness along a step is rounding beside that of other motions of the same bodies, δᵀKδ ≲ ε Σ kᵢ δᵢ².

    stiffnesses: k, the largest of the node that an equation is of, zero for what is of none. The rows of a body that hangs and may spin
    are nothing but rounding, which among themselves look sound. Component modes of a bent shaft go round in it as it spins, so they
    belong to the step; its size is that of its nodes.
    """
    moved = np.where(own, delta, 0.0)
    size = float(stiffnesses @ (moved * moved))
    return size > 0.0 and abs(float(moved @ (K @ moved))) <= ROUNDING * EPS * size


def largest_of_nodes(values: np.ndarray, nodes: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Of forces of equations, the largest of all equations of the same node, as a force at its translations, as a moment at its rotations.

    nodes: number of the node of each equation, below zero where it is of none, which keeps its own.
    lengths: the model's size for rotations, one for translations.
    """
    of_none, numbers = nodes < 0, np.maximum(nodes, 0)
    largest = np.zeros(int(numbers.max(initial=0)) + 1)
    np.maximum.at(largest, numbers, np.where(of_none, 0.0, values / lengths))
    result: np.ndarray = np.where(of_none, values, largest[numbers] * lengths)
    return result


def carried(K: sparse.csc_matrix, own: np.ndarray, forces: np.ndarray) -> np.ndarray:
    """Of forces of coordinates, the largest that reach each from others through constraints: Bᵀλ with λ = max f|B|/max|B|².

    What rounding leaves of stiff parts goes on to what is joined to them, where no other force may act.
    """
    B = abs(K[np.flatnonzero(~own)][:, np.flatnonzero(own)]).tocsr()
    largest = B.max(axis=1).toarray().ravel() if B.nnz else np.zeros(B.shape[0])
    unit = sparse.diags(1.0 / np.where(largest > 0.0, largest, 1.0)) @ B
    result = forces.copy()
    for _ in range(JOINTS_ON if B.nnz else 0):
        reach = unit.multiply(result[own][None, :]).max(axis=1).toarray().ravel()
        result[own] = np.maximum(result[own], unit.T.multiply(reach[None, :]).max(axis=1).toarray().ravel())
    return result


def negligible(
    K: sparse.csc_matrix,
    W: np.ndarray,
    own: np.ndarray,
    r: np.ndarray,
    border: np.ndarray | None,
    size: float,
    share: float,
) -> bool:
    """Whether the forces left over move nothing even where the stiffness is that share of what it is elsewhere."""
    delta, singular = static_step(K, W, share * first_shift(K, W, own), r, border)
    return not singular and float(np.abs(delta[own]).max(initial=0.0)) <= size


def embedded(part: sparse.csc_matrix, own: np.ndarray) -> sparse.csc_matrix:
    """A matrix of the coordinates, with rows and columns of zeros for the multipliers."""
    into = sparse.csc_matrix(
        (np.ones(part.shape[0]), (np.flatnonzero(own), np.arange(part.shape[0]))), shape=(len(own), part.shape[0])
    )
    return into @ part @ into.T


def first_shift(K: sparse.csc_matrix, W: np.ndarray, own: np.ndarray) -> float:
    """A shift of the size of the stiffness, in units of the mass metric."""
    diagonal: np.ndarray = np.abs(K.diagonal()[own])
    stiffness = float(diagonal.max(initial=0.0))
    return max(stiffness, 1.0) / max(float(W.max(initial=0.0)), 1e-300)
