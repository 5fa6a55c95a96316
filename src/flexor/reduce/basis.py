"""Reduction bases H, q = H [u_b; y]: motions of the connection nodes first, then generalised coordinates.

    guyan            static shapes B of unit motions of the connection nodes                     FTG 3.1.2
    craig_bampton    and modes Φ with the connection nodes held, H = [[I, 0], [B, Φ]]            FTG (3.13)
    response_modes   and shapes of harmonic motions of the connection nodes                      NAK (5-4)
    free_interface   free modes with residual attachment modes (Rubin 1975, Craig and Chang 1977)
    krylov           matches the transfer matrix at complex frequencies, rigid motion kept        ZE 2.4, 3.4
    modal            free modes alone; no connection coordinates, for floating bodies only

All but the last have the same form: C H = [I 0], and HᵀKH is block diagonal, with ω² of the generalised coordinates in
its second block. A rigid-body motion is one of the connection nodes alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import linalg, sparse

from flexor.errors import SingularError, SolveError
from flexor.reduce.factor import Factors, factorise
from flexor.reduce.free_body import FreeBody
from flexor.reduce.invariants import inertia_loads
from flexor.reduce.precise import product

INDEPENDENT = 1e-10
"""Size of what is new in a unit vector below which it counts as a combination of others."""


def guyan(p: FreeBody) -> np.ndarray:
    """Static shapes of unit motions of the connection nodes."""
    return p.static


def craig_bampton(p: FreeBody, count: int, up_to: float = 0.0) -> np.ndarray:
    """Static shapes and the `count` lowest modes with held connection nodes, and all others below ω² = up_to."""
    squares, shapes = p.held_modes(count + 1, up_to, roughly=1)  # one more tells what the basis lacks
    kept = max(count, int((squares <= up_to).sum()))
    return np.hstack([p.static, shapes[:, :kept]])


def with_inertia_shapes(p: FreeBody, H: np.ndarray) -> np.ndarray:
    """H and the static shapes, connection nodes held, of the body's own inertia in any rigid motion: 12 load cases."""
    shapes = p.held.solve(inertia_loads(p))
    sizes = np.linalg.norm(shapes, axis=0)
    return to_interface_form(p, np.hstack([H, shapes[:, sizes > 0] / sizes[sizes > 0]]))


def response_modes(p: FreeBody, frequencies: Sequence[float], count: int = 0) -> np.ndarray:
    """Static shapes, shapes of harmonic motions of the connection nodes at angular frequencies ω [rad/s], and modes.

    (K − ω²M) q = Cᵀλ, one shape per connection coordinate; unit loads λ and unit motions C q give the same space.
    NAK (5-4) prints +ω².
    """
    shapes = [p.static, p.held_modes(count)[1]]
    shapes += [_shifted(p, -(ω**2)).solve(_loads(p)) for ω in frequencies]
    return to_interface_form(p, np.hstack(shapes))


def free_interface(p: FreeBody, count: int, up_to: float = 0.0) -> np.ndarray:
    """Rigid-body motions, the `count` lowest modes of the free body (and all others below ω² = up_to), and residual
    attachment modes."""
    return with_attachment_modes(p, p.free_modes(count, up_to)[1])


def with_attachment_modes(p: FreeBody, modes: np.ndarray) -> np.ndarray:
    """Rigid-body motions, modes of the free body, and what the modes left out contribute statically to unit loads on
    the connection nodes: F = Σ φφᵀ/ω² over those left out."""
    attachment = p.solve_free(p.balanced(_loads(p)))
    attachment -= modes @ (modes.T @ (p.M @ attachment))
    return to_interface_form(p, np.hstack([p.rigid_modes, modes, attachment]))


def krylov(p: FreeBody, points: Sequence[complex], moments: int = 1) -> np.ndarray:
    """Rigid-body motions and the response to unit loads on the connection nodes at complex frequencies s [rad/s].

    The reduced transfer matrix C (s²M + K)⁻¹ Cᵀ equals the full one at every s, with its first 2·moments − 1
    derivatives by s², because the basis holds [(s²M + K)⁻¹M]ʲ (s²M + K)⁻¹ Cᵀ, j < moments. Conjugate points come along.
    Being a projection of symmetric matrices the reduced body is stable.
    """
    blocks = [p.rigid_modes]
    for square in _squares(points):
        if square == 0:  # the free body: moments of the elastic part, the rigid part is there already
            solve = lambda b: p.solve_free(p.balanced(b))  # noqa: E731
        else:
            solve = _shifted(p, square).solve
        block = _loads(p)
        for j in range(moments):
            block = solve(block if j == 0 else p.M @ block)
            block = block / np.linalg.norm(block, axis=0)
            blocks += [block.real, block.imag] if np.iscomplexobj(block) else [block]
    return to_interface_form(p, np.hstack(blocks))


def modal(p: FreeBody, count: int, up_to: float = 0.0) -> np.ndarray:
    """The `count` lowest elastic modes of the free body, and all others below ω² = up_to."""
    return p.free_modes(count, up_to)[1]


def to_interface_form(p: FreeBody, V: np.ndarray) -> np.ndarray:
    """H that spans the same space as V, with C H = [I 0] and HᵀKH block diagonal, ω² in its second block.

    The first columns are the shapes of least strain energy in the space, so that rigid-body motion is free of it.
    """
    V = _orthonormal(p, V)
    scale = np.tile(np.repeat([1.0, 1 / p.size], 3), p.n_connections // 6)
    U, s, W = np.linalg.svd((p.C @ V) / scale[:, None])
    rank = int((s > 1e-9 * s[0]).sum())
    if rank < p.n_connections:
        raise SolveError(
            f"the reduction basis moves the {p.n_connections} connection coordinates in only {rank} ways",
            causes=["too few modes or expansion points; add some", "use Craig-Bampton, which has no such limit"],
        )
    moving = V @ (W[:rank].T / s[:rank]) @ (U.T / scale)
    inner = V @ W[rank:].T
    if not inner.shape[1]:
        return p.with_rigid_motion(moving)
    K_inner = product(p.K, inner)
    _, vectors = linalg.eigh(_symmetric(inner.T @ K_inner), _symmetric(inner.T @ (p.M @ inner)))
    inner, K_inner = inner @ vectors, K_inner @ vectors
    energy = np.einsum("ij,ij->j", inner, K_inner)
    moving = moving - inner @ ((K_inner.T @ moving) / energy[:, None])
    return np.hstack([p.with_rigid_motion(moving), inner])


def _loads(p: FreeBody) -> np.ndarray:
    """Unit loads on the connection coordinates; moments scaled to be comparable with forces."""
    return p.C.T.toarray() * np.tile(np.repeat([1.0, 1 / p.size], 3), p.n_connections // 6)


def _squares(points: Sequence[complex]) -> list[complex]:
    """s² of expansion points, one of each conjugate pair, real where it is."""
    squares: list[complex] = []
    for s in points:
        square = complex(s) ** 2
        square = complex(square.real, abs(square.imag) if abs(square.imag) > 1e-14 * abs(square) else 0.0)
        if not any(abs(square - other) <= 1e-12 * abs(square) for other in squares):
            squares.append(square)
    return squares


def _shifted(p: FreeBody, square: complex) -> Factors:
    """Factors of K + s²M."""
    real = square.real if complex(square).imag == 0 else square
    definite = bool(np.isreal(square)) and real.real > 0
    points = p.nodes[p.moved]
    try:
        return factorise(p.K + real * p.M, definite=definite, nodes=p.moved, points=points, equation=p.called)
    except SingularError as error:
        hertz = abs(square) ** 0.5 / (2 * np.pi)
        cause = (
            f"{hertz:.4g} Hz is so far below the vibrations of the body that inertia is lost in the rounding of its stiffness, or it is one of its "
            "natural frequencies: take 0 for the static response, or frequencies nearer to those of interest"
        )
        raise SingularError(
            f"there is no response of the free body at {hertz:.4g} Hz", causes=[cause, *error.causes]
        ) from None


def _orthonormal(p: FreeBody, V: np.ndarray) -> np.ndarray:
    """Mass-orthonormal directions of the columns of V, one after another; combinations of earlier ones are dropped."""
    Q, MQ = np.zeros(V.shape, order="F"), np.zeros(V.shape, order="F")
    found = 0
    for v in V.T:
        v = v / np.sqrt(v @ (p.M @ v))
        for _ in range(2):  # once more because of rounding
            v = v - Q[:, :found] @ (MQ[:, :found].T @ v)
        Mv = p.M @ v
        size = np.sqrt(max(v @ Mv, 0.0))
        if size > INDEPENDENT:
            Q[:, found], MQ[:, found] = v / size, Mv / size
            found += 1
    return Q[:, :found]


def _symmetric(A: np.ndarray | sparse.csc_array) -> np.ndarray:
    return 0.5 * (A + A.T)
