"""Linearisation about a state: stiffness, damping and mass of the constrained mechanism.

With spins δθ as rotations, δω = δθ̇ − ω × δθ and δα = δθ̈ − ω × δθ̇ − α × δθ on the group, so that

    M δq̈ + (C − M ω̃) δq̇ + (K − C ω̃ − M α̃) δq + Bᵀ δλ = 0,   B δq = 0

holds for small motions δq about the state, where K, C, M are the derivatives of the residual by q, v, a.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.linalg import null_space
from scipy.sparse.linalg import splu

from flexor.engine.diagnose import describe_failure
from flexor.engine.memory import OK, READING
from flexor.engine.system import System
from flexor.errors import SolveError
from flexor.law import MATRIX, RESIDUAL
from flexor.spatial import exp_so3, skew

_EPS = 1e-6
ROUNDING, DIFFERENCES = 2e2 * float(np.finfo(float).eps), 1e-9
"""Relative errors of entries of K: sums of many terms; differences over eliminated joints that move."""


@dataclass(frozen=True)
class Linearisation:
    """K, C, M in all coordinates with equations, the constraints, and names of the coordinates; matrices are sparse.

    States of control blocks stand behind the coordinates, ẋ − f: they have no mass.

    Holonomic constraints: B δq = 0. Nonholonomic ones: A δq̇ + A_q δq = 0.
    vectors: for each coordinate the number of the translation or rotation of a node that it is a component of; else its own.
    accuracy: relative error of the entries, of rounding or of differences.   states: how many of the last coordinates are states.
    """

    K: sparse.csr_array
    C: sparse.csr_array
    M: sparse.csr_array
    B: sparse.csr_array
    A: sparse.csr_array
    A_q: sparse.csr_array
    names: tuple[str, ...]
    equations: np.ndarray
    vectors: np.ndarray
    accuracy: float = ROUNDING
    states: int = 0

    @property
    def basis(self) -> np.ndarray:
        """Columns span the displacements that the holonomic constraints allow."""
        return _null_space(self.B.toarray())

    @property
    def velocity_basis(self) -> np.ndarray:
        """Columns span the velocities that all constraints allow."""
        return _null_space(sparse.vstack([self.B, self.A]).toarray())


def _null_space(B: np.ndarray) -> np.ndarray:
    scale = np.linalg.norm(B, axis=1)
    if not np.any(scale > 0):
        return np.eye(B.shape[1])
    return null_space(B[scale > 0] / scale[scale > 0, None], rcond=1e-9)


def linearise(system: System) -> Linearisation:
    """Matrices at the system's present position, velocity, acceleration and multipliers."""
    system.use_lu()
    own, constraints = system.coordinates, system.constraints
    full = {
        name: _matrix(system, *c)
        for name, c in (("K", (1.0, 0.0, 0.0)), ("C", (0.0, 1.0, 0.0)), ("M", (0.0, 0.0, 1.0)))
    }
    rates, states = state_rates(system), state_rows(system)
    full["C"], full["M"] = (
        without_columns(full["C"], reading_rows(system)) + rates,
        without_columns(full["M"], reading_rows(system)),
    )
    full = _without_readings(system, full, own, constraints)
    own = np.concatenate([own, states])
    rolling = np.isin(constraints, system.equations.nonholonomic())
    B = full["K"][constraints[~rolling]][:, own]
    A, A_q = (full[name][constraints[rolling]][:, own] for name in "CK")
    _refuse_motors_by_sensors(system)
    _refuse_sliding_by_reactions(
        system, full["K"], sparse.vstack([B, A]), own, np.r_[constraints[~rolling], constraints[rolling]]
    )
    K, C, M = (full[name][own][:, own] for name in "KCM")
    accuracy = ROUNDING
    if system.mechanism.followers:
        dK, dC = _follower_corrections(system, own)
        K, C = K + dK, C + dC
        accuracy = DIFFERENCES if np.any(system.memory.v) or np.any(system.memory.a) else ROUNDING
    W, W_rate = (_spins(system, name)[own][:, own] for name in ("v", "a"))
    names = tuple(system.equations.name(int(eq)) for eq in own)
    return Linearisation(
        K - C @ W - M @ W_rate,
        C - M @ W,
        M,
        B,
        A,
        A_q - A @ W,
        names,
        own,
        vectors_of(system)[own],
        accuracy,
        len(states),
    )


@dataclass(frozen=True)
class SmallMotions:
    """K, C, M of all unknowns, (M d²/dt² + C d/dt + K) (q, λ, y) = 0: coordinates, multipliers and readings, each with its row.

    No feedback is left out, nor has the stiffness to be symmetric.
    own: which of the rows are coordinates.   equations: of each row, its number in the system.
    """

    K: sparse.csr_array
    C: sparse.csr_array
    M: sparse.csr_array
    own: np.ndarray
    equations: np.ndarray


def small_motions(system: System, frame: sparse.csr_array | None = None) -> SmallMotions:
    """At the system's present state.   frame: Ŵ of all coordinates, for small motions in axes that turn along."""
    system.use_lu()
    n, own = system.equations.pattern.n, system.coordinates
    active = np.sort(np.concatenate([own, system.constraints, reading_rows(system)]))
    K, C, M = (_matrix(system, *c) for c in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    moving = sparse.dia_array((system.is_coordinate.astype(float)[None], [0]), shape=(n, n))
    C, M = C @ moving, M @ moving  # multipliers and readings have no rates but for states of blocks
    if system.mechanism.followers:
        dK, dC = _follower_corrections(system, np.arange(n))
        K, C = K + dK @ moving, C + dC @ moving
    W, W_rate = _spins(system, "v"), _spins(system, "a")
    K, C = K - C @ W - M @ W_rate, C - M @ W
    C = sparse.csr_array(C + state_rates(system))
    if frame is not None:
        F = sparse.coo_array(frame)
        F = sparse.csr_array((F.data, (own[F.coords[0]], own[F.coords[1]])), shape=(n, n))
        K, C = K + C @ F + M @ F @ F, C + 2.0 * M @ F
    K, C, M = (sparse.csr_array(X[active][:, active]) for X in (K, C, M))
    return SmallMotions(K, C, M, np.isin(active, own), active)


def stiffness_of(system: System, terms: np.ndarray) -> sparse.csr_array:
    """K of some terms alone, by their numbers, in all coordinates (rows and columns of all else are zero)."""
    system.use_lu()
    kept = system.terms.copy()
    others = np.setdiff1d(np.arange(len(kept)), terms)
    system.terms["scatter_count"][others] = 0
    try:
        K = _matrix(system, 1.0, 0.0, 0.0)
    finally:
        system.terms[:] = kept
    moving = sparse.dia_array((system.is_coordinate.astype(float)[None], [0]), shape=K.shape)
    return sparse.csr_array(moving @ K @ moving)


def _without_readings(
    system: System, full: dict[str, sparse.csr_array], own: np.ndarray, constraints: np.ndarray
) -> dict[str, sparse.csr_array]:
    """The matrices with readings y expressed by what they read: Y δy = m_q δq + m_v δq̇ + m_a δq̈.

    Feedback of reactions into forces, or of rates into constraints, cannot be written so; it is refused.
    """
    rows = np.setdiff1d(reading_rows(system), state_rows(system))
    if not len(rows):
        return full
    by_readings = felt_readings(full["K"], rows)
    if full["K"][rows][:, constraints].count_nonzero() and full["K"][:, rows].count_nonzero():
        raise SolveError("a reaction is fed back into forces; modes of such a system are not available")
    for name in "CM":
        if (by_readings[constraints] @ full[name][rows][:, own]).count_nonzero():
            raise SolveError("a rate is fed back into a constraint; modes of such a system are not available")
    changed = {}
    for name, matrix in full.items():
        away = by_readings @ matrix[rows]
        keep = np.ones(matrix.shape[0])
        keep[rows] = 0.0
        switch = sparse.dia_array((keep[None], [0]), shape=matrix.shape)
        changed[name] = sparse.csr_array(switch @ (matrix - away) @ switch)
    return changed


def reading_rows(system: System) -> np.ndarray:
    """Equations of readings."""
    return np.flatnonzero(system.memory.norm_kind == READING)


def state_rates(system: System) -> sparse.csr_array:
    """E of E ẏ in the rows of readings: those with derivatives are states of control blocks."""
    n, first = system.equations.pattern.n, system.terms["lam_eq"]
    entries = [
        (first[i] + row, first[i] + column, value)
        for i, term in enumerate(system.mechanism.terms)
        for row, column, value in term.rates
    ]
    rows, columns, values = np.array(entries).reshape(-1, 3).T
    return sparse.csr_array((values, (rows.astype(int), columns.astype(int))), shape=(n, n))


def state_rows(system: System) -> np.ndarray:
    """Equations of states of control blocks."""
    return np.unique(state_rates(system).indices).astype(np.int64)


def without_columns(matrix: sparse.csr_array, columns: np.ndarray) -> sparse.csr_array:
    """The matrix with some columns of zeros."""
    keep = np.ones(matrix.shape[1])
    keep[columns] = 0.0
    return sparse.csr_array(matrix @ sparse.dia_array((keep[None], [0]), shape=matrix.shape))


def feeds_accelerations_back(system: System) -> bool:
    """Whether forces depend on accelerations by readings, which then act as masses that need not be symmetric or positive."""
    rows = reading_rows(system)
    if not len(rows):
        return False
    system.use_lu()
    rows = np.setdiff1d(rows, state_rows(system))
    own, M, K = system.coordinates, _matrix(system, 0.0, 0.0, 1.0), _matrix(system, 1.0, 0.0, 0.0)
    return bool((felt_readings(K, rows)[own] @ M[rows][:, own]).count_nonzero())


def felt_readings(K: sparse.csr_array, rows: np.ndarray) -> sparse.csr_array:
    """A_y Y⁻¹ of all equations: what they feel of what the readings in these rows read."""
    try:
        by_rows = sparse.csr_array(splu(sparse.csc_array(K[rows][:, rows])).solve(np.eye(len(rows))))
    except RuntimeError:  # singular
        raise SolveError(
            "readings and what depends on them have no unique values",
            causes=["a force that is fed back into itself as it is; take a gain below 1"],
        ) from None
    return sparse.csr_array(K[:, rows] @ by_rows)


def _refuse_sliding_by_reactions(
    system: System, K: sparse.csr_array, B: sparse.csr_array, own: np.ndarray, constraints: np.ndarray
) -> None:
    """Forces that depend on reactions, beside those of the constraints themselves, are not among K, C and M."""
    names = [term.name for term in system.mechanism.terms if term.reads and not term.readings]
    if names and len(constraints):
        excess = abs(K[own][:, constraints] - B.T).max()
        if excess > 1e-9 * max(1.0, abs(B).max()):
            raise SolveError(
                f"{', '.join(map(repr, names[:5]))}: a force that depends on the reaction of a joint, as of friction that slides; "
                "modes of such a system are not available. Take them at rest, where friction sticks, or give it a load"
            )


def motors_by_sensors(system: System) -> list[str]:
    """Motors that follow sensors: they push their joints alone, not along the gradients of their constraints."""
    return [term.name for term in system.mechanism.terms if term.drives and not term.law.symmetric]


def _refuse_motors_by_sensors(system: System) -> None:
    if names := motors_by_sensors(system):
        raise SolveError(
            f"{', '.join(map(repr, names[:5]))}: a motor that follows sensors; modes of such a system are not available. Take "
            "a stiff joint spring in its place, whose free value follows them"
        )


def vectors_of(system: System) -> np.ndarray:
    """Of each equation, the first one of the vector that it is a component of."""
    result = np.arange(system.equations.pattern.n)
    rows = system.node_rows[1].reshape(-1, 3)
    result[rows] = rows[:, :1]
    return result


def _matrix(system: System, cK: float, cC: float, cM: float) -> sparse.csr_array:
    status = system.evaluate(RESIDUAL | MATRIX, cK, cC, cM)
    if status != OK:
        raise describe_failure(system, status)
    free = np.ones(system.equations.pattern.n)
    free[system.memory.locked_eq] = 0.0
    switch = sparse.dia_array((free[None], [0]), shape=(len(free), len(free)))
    matrix = sparse.csr_array(switch @ sparse.csr_array(system.solver.to_csc()) @ switch)
    matrix.eliminate_zeros()
    return matrix


def _spins(system: System, name: str) -> sparse.csr_array:
    """Block-diagonal matrix of ω̃ (or α̃) on the rotations of independent nodes."""
    n = system.equations.pattern.n
    nodes, rows = system.node_rows
    rows = rows[:, 3:]
    i, j = np.repeat(rows, 3, axis=1).ravel(), np.tile(rows, (1, 3)).ravel()
    spins = [skew(w) for w in system.nodes(name)[nodes, 3:6]]
    return sparse.csr_array((np.array(spins).ravel(), (i, j)), shape=(n, n))


def _follower_corrections(system: System, own: np.ndarray) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Terms of K and C from followers whose velocity and acceleration depend on position and velocity.

    δv_s = T δq̇ + (∂v_s/∂q) δq and δa_s = T δq̈ + (∂a_s/∂q̇) δq̇ + (∂a_s/∂q) δq; the gradients are central differences
    of the exact kinematics.
    """
    dv_dq, da_dq, da_dv = _follower_gradients(system)
    C_v = _with_right(system, dv_dq, (0.0, 1.0, 0.0))
    M_a = _with_right(system, da_dq, (0.0, 0.0, 1.0))
    M_v = _with_right(system, da_dv, (0.0, 0.0, 1.0))
    return (C_v + M_a)[own][:, own], M_v[own][:, own]


def _with_right(system: System, right: np.ndarray, c: tuple[float, float, float]) -> sparse.csr_array:
    """Tᵀ (matrix of coefficients c) · right, summed over the terms that touch followers."""
    system.memory.right[:] = right
    terms = system.terms
    kept = terms.copy()
    system.run.right = 1
    # terms without followers have nothing to add here: let their scatter lists be empty
    terms["scatter_count"][terms["condense"] < 0] = 0
    try:
        return _matrix(system, *c)
    finally:
        system.run.right = 0
        terms[:] = kept


def _follower_gradients(system: System) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """∂v_s/∂q, ∂a_s/∂q, ∂a_s/∂q̇ in the layout of `gradients`: six rows per column."""
    gradients = tuple(np.zeros_like(system.memory.gradients) for _ in range(3))
    keep = system.copy("x", "R", "v", "a", "s")
    followers = system.followers
    eq = system.equations
    node_of = {int(b): i for i, b in enumerate(eq.node_block) if b >= 0}
    scalar_of = {(int(b), int(i)): s for s, (b, i) in enumerate(zip(eq.scalar_block, eq.scalar_inner, strict=True))}
    coordinates = sorted({c for columns in eq.follower_columns for c in columns})
    for block, row in coordinates:
        for slot, targets in ((0, (0, 1)), (1, (2,))):
            samples = []
            for sign in (1.0, -1.0):
                system.put(keep)
                _perturb(system, node_of, scalar_of, block, row, sign * _EPS, slot)
                system.call("follow")
                samples.append((system.nodes("v").copy(), system.nodes("a").copy()))
            dv = (samples[0][0] - samples[1][0]) / (2 * _EPS)
            da = (samples[0][1] - samples[1][1]) / (2 * _EPS)
            for i, columns in enumerate(eq.follower_columns):
                if (block, row) in columns:
                    at = followers["gradient"][i] + 6 * columns.index((block, row))
                    node = followers["node"][i]
                    for target in targets:
                        gradients[target][at : at + 6] = dv[node] if target == 0 else da[node]
    system.put(keep)
    system.call("follow")
    return gradients  # type: ignore[return-value]


def _perturb(system: System, node_of: dict, scalar_of: dict, block: int, row: int, eps: float, rate: int) -> None:
    """Shift one independent coordinate (rate 0) or its velocity (rate 1)."""
    if block in node_of:
        node = node_of[block]
        if rate:
            system.nodes("v")[node, row] += eps
        elif row < 3:
            system.nodes("x")[node, row] += eps
        else:
            R = system.memory.R.reshape(-1, 3, 3)
            R[node] = exp_so3(eps * np.eye(3)[row - 3]) @ R[node]
    else:
        system.memory.s[3 * scalar_of[(block, row)] + rate] += eps
