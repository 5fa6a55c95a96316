"""Stability of a periodic motion by Hill's method: do small disturbances p(τ) e^{st} grow?

(∂F/∂X + s (C* + 2ω M* d/dτ) + s² M*) p = 0. Of every true exponent s there are copies s + ikω; those with |Im s| ≤ ω/2 are looked at.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from flexor.engine.memory import MULTIPLIER, READING
from flexor.solve.periodic.cycle import Matrices
from flexor.solve.periodic.fourier import Fourier

LARGEST = 600
"""Unknowns up to which stability is told, by dense matrices."""
SHIFT = 0.137
"""About which exponents are sought, in parts of ω."""
INFINITE = 1e-5
"""Reciprocals of exponents, in parts of 1/ω, below which they are infinite."""
MARGIN = 1e-6
"""Growth, in parts of ω, below which a disturbance counts as staying."""


def exponents(
    matrices: Matrices, fourier: Fourier, omega: float, kinds: np.ndarray, largest: int = LARGEST
) -> np.ndarray | None:
    """Floquet exponents s [1/s] with |Im s| ≤ ω/2; None where there are too many unknowns.   kinds: of the unknowns of a sample.
    fourier: of the disturbances, at the samples of the motion.

    Constraints that bind positions are taken out by the null spaces of their gradients, readings that nothing depends on are left out.
    """
    if matrices.n * fourier.size > largest:
        return None
    J = matrices.balanced(fourier, omega).toarray()
    first, second = (each.toarray() for each in matrices.by_exponent(fourier, omega))
    every = np.tile(kinds, fourier.size)
    own, bound, read = every < MULTIPLIER, every == MULTIPLIER, every == READING
    if not np.any(J[np.ix_(~read, read)]):
        read = np.zeros(len(every), dtype=bool)  # nothing depends on them
    bound &= ~(np.any(first, axis=1) | np.any(second, axis=1))
    kept = (own | read) | ((every == MULTIPLIER) & ~bound)
    left = _null_space(J[np.ix_(kept, bound)].T)
    right = _null_space(J[np.ix_(bound, kept)])
    if left.shape != right.shape:
        return None
    J, first, second = (left.T @ each[np.ix_(kept, kept)] @ right for each in (J, omega * first, omega**2 * second))
    row, column = (np.sqrt(np.maximum(np.abs(J).max(axis=axis), 1e-300)) for axis in (1, 0))
    J, first, second = (each / np.outer(row, column) for each in (J, first, second))
    # (J + s first + s² second) p = 0 about s = ω (σ + 1/μ):  shifted μ² p + (first + 2σ second) μ p + second p = 0
    try:
        lu = linalg.lu_factor(J + SHIFT * first + SHIFT**2 * second)
    except (linalg.LinAlgError, ValueError):
        return None
    a, b = linalg.lu_solve(lu, first + 2 * SHIFT * second), linalg.lu_solve(lu, second)
    companion = np.block([[-a, -b], [np.eye(len(J)), np.zeros((len(J), len(J)))]])
    mu = linalg.eigvals(companion, check_finite=False)
    s = (SHIFT + 1 / mu[np.abs(mu) > INFINITE]) * omega
    return s[np.abs(s.imag) <= 0.5 * omega * (1 + 1e-9)]


def _null_space(B: np.ndarray) -> np.ndarray:
    """Columns that B, with rows of any size, makes zero."""
    size = np.linalg.norm(B, axis=1)
    B = B[size > 0] / size[size > 0, None]
    if not len(B):
        return np.eye(B.shape[1])
    Q, R, _ = linalg.qr(B.T, pivoting=True)
    diagonal: np.ndarray = np.abs(np.diag(R))
    return np.asarray(Q[:, int(np.count_nonzero(diagonal > 1e-9 * diagonal[0])) :])


def is_stable(found: np.ndarray | None, omega: float) -> float:
    """1 or 0; not a number where it is not known."""
    if found is None:
        return float("nan")
    return float(not len(found) or bool(found.real.max() < MARGIN * omega))
