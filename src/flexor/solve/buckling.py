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
from flexor.solve.strut import Loaded, Strut
from flexor.threads import few_threads

SMALL, LARGEST = 300, 1500
"""Coordinates up to which all modes are found, and up to which they are where the lowest alone are not."""
FEW = 40
"""Modes in which a body bends that are looked at."""
PULLED_ALONE = 0.1
"""Softening over stiffening of a body with stiffening below which it counts as pulled, and does not buckle."""
BENDS, ITS_OWN = 1e-3, 0.1
"""Share of a body in the strain energy of a mode, and of a form of buckling, from which it counts as one of that body."""
ROUNDS, ANSWERED, SAME = 3, 6, 1e-2
"""How often, and for how many forms of buckling, the mesh is asked how else it would deform; strain energy that is nothing new."""
STATE = ("x", "R", "v", "a", "proper", "s", "lam")
"""Arrays that tell the loads."""


@dataclass(frozen=True)
class Share:
    """The loads of a body beside those at which it buckles.

    softens, stiffens: load over buckling load by the motion that the loads soften, and by the one that they stiffen most.
    known: softens, by the shapes of the body alone.   error: of the stiffness, positive where the body lacks stiffness.
    """

    softens: float
    stiffens: float
    known: float
    error: float


def share_of_buckling(system: System, struts: list[Strut], judged: Strut, least: float) -> Share:
    """How a body is loaded in the present state.

    least: estimate from which on a body's own stress is counted. NotFound if it bends in none of the modes that were looked at.
    """
    system.run.want = RESIDUAL
    if system.call("assemble") != OK:
        raise NotFound
    on_judged, bodies = judged.loads(system), {}
    for strut in struts:
        if strut.body.stiffening:
            continue  # the mechanism's own matrices have it all
        loads = on_judged if strut is judged else strut.loads(system)
        if strut is judged or (strut.stressed and strut.share(loads) > least):
            bodies[strut] = strut.loaded(system, loads)
    own = system.coordinates
    masked = [strut.term for strut in bodies if not strut.floating] + [i for strut in bodies for i in strut.load_terms]
    K_e, G, M, B = _matrices(system, masked, own)
    for strut, body in bodies.items():
        T = strut.rows(system)[:, own]
        G = G + T.T @ sparse.csr_array(body.G) @ T
        if not strut.floating:
            K_e = K_e + T.T @ sparse.csr_array(strut.K) @ T
    rows = judged.rows(system)[:, own]
    near = _connected([K_e, G, M, B.T @ B], rows)
    rows, K_e, G, M, B = rows[:, near], K_e[near][:, near], G[near][:, near], M[near][:, near], B[:, near]
    squares, V = _elastic_modes(K_e, M, B)
    moved = rows @ V
    strain = np.einsum("ik,ik->k", moved, judged.K @ moved)
    bending = np.flatnonzero((squares > 0) & (strain > BENDS * squares))[:FEW]
    if not len(bending):
        raise NotFound
    others = np.setdiff1d(np.flatnonzero(squares < squares[bending[-1]]), bending)
    size = 1.0 / np.sqrt(squares[bending])
    V = np.hstack([V[:, bending] * size, V[:, others]])
    moved, energy = rows @ V, np.concatenate([np.ones(len(bending)), squares[others]])
    modes = _Modes(moved, energy, V.T @ (G @ V), len(bending))
    known, _ = modes.forms(judged.K)
    at_most, stiffens = _largest_of(-known), _largest_of(known)
    if judged.body.stiffening and at_most < PULLED_ALONE * stiffens:
        return Share(at_most, stiffens, at_most, 0.0)  # nothing that could buckle: the mesh need not be asked
    this = bodies.get(judged) or judged.loaded(system, on_judged)
    with few_threads(judged.mesh.problem.n):
        shares = _with_answers(judged, this, modes)
    moved = moved[:, : len(bending)]
    missing = np.linalg.eigvalsh(moved.T @ this.missing @ moved)
    return Share(_largest_of(-shares), _largest_of(shares), at_most, float(missing[np.argmax(np.abs(missing))]))


@dataclass(frozen=True)
class _Modes:
    """Modes of a mechanism: first those in which a body bends, of unit strain energy, then others, of unit mass.

    moved: coordinates of the body.   energy: twice the strain energy of each.   G: geometric stiffness.   bending: how many bend it.
    """

    moved: np.ndarray
    energy: np.ndarray
    G: np.ndarray
    bending: int

    def forms(self, K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """λ and forms of buckling among those in which the body, of the stiffness K, bends."""
        m = self.bending
        moved = self.moved[:, :m]
        return _forms(self.G[:m, :m], np.eye(m), moved.T @ K @ moved)


def _with_answers(strut: Strut, body: Loaded, modes: _Modes) -> np.ndarray:
    """Load over buckling load, where the body may also deform as its shapes do not.

    Added are the answers X of the mesh, its points held, to the forces that its stress causes in the forms of buckling,
    K X = K_g u; less what they have of the modes in which the body does not bend: X − F FᵀMX.
    """
    mesh, stiffer, m, n = strut.mesh, strut.reduced.stiffening, modes.bending, len(modes.G)
    Y = body.displacements(modes.moved)
    momentum = strut.heavier * (mesh.model.M @ Y[:, m:]).T
    of_others = modes.G - body.stress.stiffness(Y), np.diag(modes.energy) - stiffer * Y.T @ (mesh.model.K @ Y)
    answers = mesh.while_held(body.held)
    shares, forms = modes.forms(strut.K)
    T = np.eye(n, m)
    for _ in range(ROUNDS):
        X = answers(body.stress.K_g @ (Y @ (T @ forms[:, np.argsort(-np.abs(shares))[:ANSWERED]])))
        energy = np.sqrt(stiffer * np.einsum("ik,ik->k", X, mesh.model.K @ X))
        Y = np.hstack([Y, X[:, energy > 0] / energy[energy > 0]])
        k = Y.shape[1] - n
        T = np.block(
            [[np.eye(m), np.zeros((m, k))], [np.zeros((n - m, m)), -momentum @ Y[:, n:]], [np.zeros((k, m)), np.eye(k)]]
        )
        G, K = body.stress.stiffness(Y), stiffer * (Y.T @ (mesh.model.K @ Y))
        K_own = T.T @ K @ T
        G[:n, :n] += of_others[0]
        K[:n, :n] += of_others[1]
        shares, forms = _forms(T.T @ G @ T, T.T @ K @ T, K_own)
    return shares


def _forms(G: np.ndarray, K: np.ndarray, K_own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(λ, v) of G v = λ K v where the body, K_own, has a part in the energy."""
    energy, Q = np.linalg.eigh(0.5 * (K + K.T))
    Q = Q[:, energy > SAME] / np.sqrt(energy[energy > SAME])
    shares, forms = np.linalg.eigh(Q.T @ G @ Q)
    forms = Q @ forms
    own = np.einsum("ik,ik->k", forms, K_own @ forms) > ITS_OWN
    return shares[own], forms[:, own]


def _connected(matrices: list[sparse.csr_array], rows: sparse.csr_array) -> np.ndarray:
    """Coordinates that anything but the ground connects with those of a body."""
    pattern = sum(abs(matrix) for matrix in matrices)
    _, part = csgraph.connected_components(pattern, directed=False)
    return np.flatnonzero(np.isin(part, part[np.unique(rows.tocoo().col)]))


def _largest_of(values: np.ndarray) -> float:
    return float(values.max(initial=0.0))


def _elastic_modes(K: sparse.csr_array, M: sparse.csr_array, B: sparse.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """(ω², shapes) of the lowest modes, VᵀMV = 1; free motions, ω² = 0, come first."""
    n = K.shape[0]
    none, empty, own = sparse.csr_array(K.shape), sparse.csr_array((0, n)), np.arange(n)
    p = pencil(Linearisation(K, none, M, B, empty, empty, ("",) * n, own, own), symmetric=True)
    with few_threads(n), warnings.catch_warnings():
        warnings.simplefilter("ignore", ModesNotProven)  # any of them will do
        try:
            if len(p) <= SMALL:
                squares, xi, N = all_undamped(p)
            else:
                squares, xi, N = few_undamped(p, FEW)
        except (NotFound, linalg.LinAlgError):
            if len(p) > LARGEST:
                return np.zeros(0), np.zeros((len(p), 0))
            squares, xi, N = all_undamped(p)
    positive = squares > 1e-12 * squares.max(initial=0.0)
    N = np.hstack([N, xi[:, ~positive]])
    mass, Q = np.linalg.eigh(N.T @ (p.M @ N))
    heavy = mass > 1e-12 * mass.max(initial=0.0)
    free = N @ (Q[:, heavy] / np.sqrt(mass[heavy]))
    return np.concatenate([np.zeros(free.shape[1]), squares[positive]]), p.shapes(np.hstack([free, xi[:, positive]]))


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
