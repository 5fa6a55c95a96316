"""How hard a body is loaded beside the load at which it buckles as the mechanism holds it.

At a state, with the motions q that the constraints permit, B q = 0, all bodies moving along:

    K_e  stiffness without load: bodies, beams, springs
    G    geometric stiffness of all loads: of the forces in joints on their arms, of the stress in flexible bodies

    G v = λ K_e v,   |λ| = load / buckling load        (22.20a) of the theory manual

among the modes of K_e and the mass matrix in which the body bends; free motions and those of rigid bodies on springs are no
buckling of the body. What the body itself leaves out of G, the work of its stress on deformations against its own frame, is
compared with K_e in the same motions: the error of its stiffness.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse
from scipy.sparse import csgraph

from flexor.engine.memory import OK
from flexor.engine.system import System
from flexor.law import MATRIX, RESIDUAL
from flexor.solve.all_modes import all_undamped
from flexor.solve.few_modes import ModesNotProven, few_undamped
from flexor.solve.free_motions import NotFound
from flexor.solve.linearise import Linearisation
from flexor.solve.pencil import pencil
from flexor.solve.strut import Strut
from flexor.threads import few_threads

SMALL, LARGEST = 300, 1500
"""Coordinates up to which all modes are found, and up to which they are where the lowest alone are not."""
FEW = 40
"""Modes in which a body bends that are looked at."""
BENDS, ITS_OWN = 1e-3, 0.1
"""Share of a body in the strain energy of a mode, and of a form of buckling, from which it counts as one of that body."""
STATE = ("x", "R", "v", "a", "proper", "s", "lam")
"""Arrays that tell the loads."""


@dataclass(frozen=True)
class Share:
    """The loads of a body beside those at which it buckles.

    softens, stiffens: load over buckling load by the motion that the loads soften, and by the one that they stiffen most.
    error: of the stiffness, positive where the body lacks stiffness.
    """

    softens: float
    stiffens: float
    error: float


def share_of_buckling(system: System, struts: list[Strut], judged: Strut, least: float) -> Share:
    """How a body is loaded in the present state.

    least: estimate from which on a body's own stress is counted. NotFound if it bends in none of the modes that were looked at.
    """
    system.run.want = RESIDUAL
    if system.call("assemble") != OK:
        raise NotFound
    bodies = {}
    for strut in struts:
        loads = strut.loads(system)
        if strut is judged or (strut.stressed and strut.estimate(loads) > least):
            bodies[strut] = strut.loaded(system, loads)
    own = system.coordinates
    known = [strut.term for strut in bodies if not strut.floating] + [i for strut in bodies for i in strut.load_terms]
    K_e, G, M, B = _matrices(system, known, own)
    for strut, body in bodies.items():
        T = body.rows[:, own]
        G = G + T.T @ sparse.csr_array(body.G) @ T
        if not strut.floating:
            K_e = K_e + T.T @ sparse.csr_array(body.K) @ T
    this = bodies[judged]
    near = _connected([K_e, G, M, B.T @ B], this.rows[:, own])
    K_e, G, M, B = K_e[near][:, near], G[near][:, near], M[near][:, near], B[:, near]
    squares, V = _elastic_modes(K_e, M, B)
    moved = this.rows[:, own[near]] @ V
    strain = np.einsum("ik,ik->k", moved, this.K @ moved)
    bending = np.flatnonzero(strain > BENDS * squares)[:FEW]
    if not len(bending):
        raise NotFound
    V, moved, size = V[:, bending], moved[:, bending], 1.0 / np.sqrt(squares[bending])
    shares, forms = np.linalg.eigh((V.T @ (G @ V)) * np.outer(size, size))
    missing = np.linalg.eigvalsh((moved.T @ this.missing @ moved) * np.outer(size, size))
    forms = moved @ (size[:, None] * forms)
    shares = shares[np.einsum("ik,ik->k", forms, this.K @ forms) > ITS_OWN]
    return Share(-shares.min(initial=0.0), shares.max(initial=0.0), _largest(missing))


def _connected(matrices: list[sparse.csr_array], rows: sparse.csr_array) -> np.ndarray:
    """Coordinates that anything but the ground connects with those of a body."""
    pattern = sum(abs(matrix) for matrix in matrices)
    _, part = csgraph.connected_components(pattern, directed=False)
    return np.flatnonzero(np.isin(part, part[np.unique(rows.tocoo().col)]))


def _largest(values: np.ndarray) -> float:
    return float(values[np.argmax(np.abs(values))]) if len(values) else 0.0


def _elastic_modes(K: sparse.csr_array, M: sparse.csr_array, B: sparse.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """(ω², shapes) of the lowest modes that meet resistance, VᵀMV = 1."""
    n = K.shape[0]
    none, empty, own = sparse.csr_array(K.shape), sparse.csr_array((0, n)), np.arange(n)
    p = pencil(Linearisation(K, none, M, B, empty, empty, ("",) * n, own, own), symmetric=True)
    with few_threads(n), warnings.catch_warnings():
        warnings.simplefilter("ignore", ModesNotProven)  # any of them will do
        try:
            if len(p) <= SMALL:
                squares, xi, _ = all_undamped(p)
            else:
                squares, xi, _ = few_undamped(p, FEW)
        except (NotFound, linalg.LinAlgError):
            if len(p) > LARGEST:
                return np.zeros(0), np.zeros((len(p), 0))
            squares, xi, _ = all_undamped(p)
    positive = squares > 1e-12 * squares.max(initial=0.0)
    return squares[positive], p.shapes(xi[:, positive])


def _matrices(system: System, masked: list[int], own: np.ndarray) -> tuple[sparse.csr_array, ...]:
    """(K_e, G, M, B), symmetric: stiffness without loads, geometric stiffness of the loads, mass, all constraints.

    masked: terms whose stiffness is left out of both.
    """
    constraints = system.constraints
    rolling = np.isin(constraints, system.equations.nonholonomic())
    system.use_lu()
    kept, terms, followers = system.copy(*STATE), system.terms.copy(), system.followers.copy()
    coefficients = system.memory.coefficients.words.copy()
    try:
        M = _part(system, (0.0, 0.0, 1.0), own, own)
        A = _part(system, (0.0, 1.0, 0.0), constraints[rolling], own)
        system.zero("v")
        system.memory.s[1::3] = 0.0
        system.terms["scatter_count"][masked] = 0
        full = _part(system, (1.0, 0.0, 0.0), own, own)
        B = _part(system, (1.0, 0.0, 0.0), constraints[~rolling], own)
        system.zero("a", "proper", "lam")
        system.memory.s[2::3] = 0.0
        system.share_loads(0.0)
        system.followers["scatter_count"] = 0
        free = _part(system, (1.0, 0.0, 0.0), own, own)
    finally:
        system.terms[:], system.followers[:] = terms, followers
        system.memory.coefficients.words[:] = coefficients
        system.put(kept)
    K, G = 0.5 * (free + free.T), full - free
    return K, 0.5 * (G + G.T), 0.5 * (M + M.T), sparse.csr_array(sparse.vstack([B, A]))


def _part(system: System, c: tuple[float, float, float], rows: np.ndarray, columns: np.ndarray) -> sparse.csr_array:
    """Some rows and columns of the matrix, without what locks coordinates."""
    status = system.evaluate(RESIDUAL | MATRIX, *c)
    if status != OK:
        raise NotFound
    locked = np.isin(np.arange(system.equations.pattern.n), system.memory.locked_eq)
    switch = sparse.diags_array(np.where(locked, 0.0, 1.0))
    matrix = sparse.csr_array(switch @ sparse.csr_array(system.solver.to_csc()) @ switch)
    return sparse.csr_array(matrix[rows][:, columns])
