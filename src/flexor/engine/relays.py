"""Long chains of followers, cut into pieces: elimination whose matrix grows with the number of joints, not with its square.

A follower moves with all joints inwards of it, so that the matrix of a chain of N of them has N²/2 entries, assembled from N
condensed ones of up to N × N. Some followers, the *relays*, therefore get six equations of their own in the matrix (δ, the small
motion of their node), and six forces μ that tie it to the coordinates q of its piece, those of the relay before and of the joints
between:

    δ = T δq        residual and matrix of all that lies further out stand on δ as on the motion of a free body

The state knows nothing of it: coordinates stay those of the joints, a relay follows them exactly, its residual is carried
inwards to them (r_q += Tᵀ r_δ, from the last relay to the first), and only δq moves the mechanism. Elimination of δ, then μ,
then q is the recursion of articulated bodies, from the ends of the tree to its root.   Featherstone, Rigid Body Dynamics Algorithms, 7
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexor.bodies.rigid_body import Inertial, principal_moments, rigid_body
from flexor.engine.linear.rows import MatrixRows
from flexor.engine.memory import FollowerRecord, Memory
from flexor.law.primitives import at
from flexor.model.mechanism import Mechanism

if TYPE_CHECKING:
    from flexor.engine.system import System

PIECE = 3
"""Joint variables from relay to relay."""
LONG = 12
"""Joint variables from the root of a tree to its farthest end from which on relays pay."""
SLIGHT = 1e-6
"""Least moment of inertia of a relay, as a part of its largest: its matrix is inverted."""


def relays_of(mechanism: Mechanism, piece: int = PIECE, longest: int = LONG) -> tuple[int, ...]:
    """Numbers of the followers that are to be relays, masters first: bodies in long chains of rigid ones."""
    followers = mechanism.followers
    if not followers:
        return ()
    number = {follower.node: i for i, follower in enumerate(followers)}
    root = list(range(len(followers)))  # of each follower, the first one of its tree
    depth = [0] * len(followers)
    master = [number.get(follower.master, -1) for follower in followers]
    for i, follower in enumerate(followers):
        root[i] = root[master[i]] if master[i] >= 0 else i
        depth[i] = len(follower.scalars) + (depth[master[i]] if master[i] >= 0 else 0)
    rigid = {term.nodes[0] for term in mechanism.terms if term.law is rigid_body}
    heavy = _heavy_nodes(mechanism)
    long = {root[i] for i in range(len(followers)) if depth[i] > longest}
    named = ((i, follower.node) for i, follower in enumerate(followers) if mechanism.nodes[follower.node].name)
    long -= {
        root[i] for i, node in named if node not in rigid
    }  # flexible bodies are judged by their followers' columns
    goes_on = set(master)
    found, since = [], [0] * len(followers)
    for i, follower in enumerate(followers):
        before = master[i]
        since[i] = len(follower.scalars) + (since[before] if before >= 0 else 0)
        if root[i] in long and since[i] >= piece and i in goes_on and follower.node in heavy:
            found.append(i)
            since[i] = 0
    return tuple(found)


def _heavy_nodes(mechanism: Mechanism) -> set[int]:
    """Nodes of rigid bodies whose own mass matrix can be inverted."""
    found = set()
    for term in mechanism.terms:
        if term.law is rigid_body and term.parameters is not None:
            body = Inertial(term.parameters.words)
            moments = principal_moments(body.inertia.tolist())
            if body.mass > 0.0 and moments[0] > SLIGHT * moments[2]:
                found.add(term.nodes[0])
    return found


def by_coordinates(system: System, rows: np.ndarray, columns: np.ndarray) -> MatrixRows:
    """Rows of the assembled matrix, e.g. gradients of constraints, by coordinates; what relays have in them counts for what moves them.

    δ = T_δ δ + T_q q for all relays together, so B_q + B_δ (1 − T_δ)⁻¹ T_q.
    """
    solver, memory, n = system.solver, system.memory, system.equations.pattern.n
    B = solver.rows_of(rows, columns)
    if not system.run.n_relays:
        return B
    records = system.followers[memory.relays]
    own = (records["own_eq"][:, None] + np.arange(6)).ravel()
    on_relays = solver.rows_of(rows, np.sort(own))
    touched = np.unique(on_relays.row[on_relays.data != 0.0])
    if not len(touched):
        return B
    from scipy import sparse  # takes long to load, and few models need it
    from scipy.sparse.linalg import splu

    entries = []
    for record in records:
        size, first = int(record["size"]), int(record["gradient"])
        equations = memory.relay_columns[record["column_eq"] :][:size]
        J = memory.gradients[first : first + 6 * size].reshape(-1, 6).T
        entries.append((np.repeat(record["own_eq"] + np.arange(6), size), np.tile(equations, 6), J.ravel()))
    i, j, values = (np.concatenate(each) for each in zip(*entries, strict=True))
    T, own = sparse.csr_array((values, (i, j)), shape=(n, n)), np.sort(own)
    inner = sparse.csc_array(sparse.eye_array(len(own)) - T[own][:, own]).T
    carried = splu(sparse.csc_array(inner)).solve(on_relays.csr[touched].T.toarray())
    spread = sparse.csr_array(
        (np.ones(len(touched)), (touched, np.arange(len(touched)))), shape=(len(rows), len(touched))
    )
    found = sparse.csr_array(B.csr + spread @ (sparse.csr_array(carried.T) @ T[own][:, columns]))
    return MatrixRows(found.data, found.indices, found.indptr, B.shape)


def carry_inwards(T: Memory):
    """Residuals of relays → forces on them, and → residuals of the coordinates that move them; from the last relay to the first."""
    residual, columns = T.residual, T.relay_columns
    for k in range(T.run.n_relays):
        follower = T.relays[T.run.n_relays - 1 - k]
        d = FollowerRecord(T.followers, follower)
        force, own = at(T.follower_force, 6 * follower), at(residual, d.own_eq)
        f0, f1, f2, f3, f4, f5 = own[0], own[1], own[2], own[3], own[4], own[5]
        force[0], force[1], force[2], force[3], force[4], force[5] = f0, f1, f2, f3, f4, f5
        for j in range(6):
            own[j] = 0.0
        J, equations = at(T.gradients, d.gradient), at(columns, d.column_eq)
        for j in range(d.size):
            t = at(J, 6 * j)
            residual[equations[j]] += (t[0] * f0 + t[1] * f1 + t[2] * f2) + (t[3] * f3 + t[4] * f4 + t[5] * f5)
    return 0


def tie(T, d, K):
    """K of a relay: rows of its columns, of its node δ, of the tie μ, with δ − T δq = 0 and its transpose; the number of rows."""
    size = d.size
    n = size + 12
    J = at(T.gradients, d.gradient)
    for i in range(n * n):
        K[i] = 0.0
    for i in range(6):
        mu = size + 6 + i
        K[mu * n + size + i] = 1.0
        K[(size + i) * n + mu] = 1.0
        for j in range(size):
            K[mu * n + j] = -J[6 * j + i]
            K[j * n + mu] = -J[6 * j + i]
    return n
