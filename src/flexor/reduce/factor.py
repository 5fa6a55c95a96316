"""Sparse factorisation of symmetric finite-element matrices: the best library installed, behind one small interface.

Definite matrices by dense fronts of our own, in an order that follows from where their nodes are, or that MKL Pardiso (pypardiso,
part of the recommended installation) finds; else CHOLMOD (scikit-sparse) if the user has it, Pardiso, or SuperLU with symmetric
ordering. Every factorisation is tried on a known solution before it is handed out, so a singular matrix is never passed over in
silence.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from typing import Protocol

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from flexor.errors import SingularError
from flexor.reduce.fronts import Fronts
from flexor.reduce.pardiso import NotFactorised, Pardiso, installed, threads
from flexor.threads import LARGE, SMALL, few_threads
from flexor.warning import warn

ACCURATE = 1e-2
"""Largest relative error of a known solution; a regular stiffness of condition 10¹² keeps below 10⁻³."""


X86 = ("x86_64", "AMD64")
_told = False


class Factors(Protocol):
    """A factorised matrix."""

    library: str

    def solve(self, b: np.ndarray) -> np.ndarray:
        """x of A x = b, for one or several columns."""


class Empty:
    """Of no equations: a mesh all of whose nodes are tied has nothing between its interfaces to solve for."""

    library = "none"

    def solve(self, b: np.ndarray) -> np.ndarray:
        return np.array(b)


class SuperLU:
    library = "SuperLU"

    def __init__(
        self,
        A: sparse.csc_matrix,
        definite: bool,
        nodes: np.ndarray | None = None,
        points: np.ndarray | None = None,
    ) -> None:
        # a definite matrix needs no pivoting: keeping to the diagonal keeps the fill of the symmetric ordering
        threshold = 0.0 if definite and not np.iscomplexobj(A.data) else 0.1
        options = {"SymmetricMode": True}
        try:
            self._factors = splu(A, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=threshold, options=options)
        except RuntimeError:
            raise NotFactorised(None) from None
        pivots = np.abs(self._factors.U.diagonal())
        if not pivots.min() > 0:
            raise NotFactorised(int(self._factors.perm_c.argsort()[int(pivots.argmin())]))
        self._complex = np.iscomplexobj(A.data)

    def solve(self, b: np.ndarray) -> np.ndarray:
        b = np.asarray(b, dtype=complex if self._complex else float)
        if b.ndim == 1:
            return self._factors.solve(b)
        return np.stack([self._factors.solve(column.copy()) for column in b.T], axis=1)  # faster than all at once


class Cholmod:
    library = "CHOLMOD"

    def __init__(
        self,
        A: sparse.csc_matrix,
        definite: bool,
        nodes: np.ndarray | None = None,
        points: np.ndarray | None = None,
    ) -> None:
        from sksparse import cholmod

        if not definite or np.iscomplexobj(A.data):
            raise ImportError("CHOLMOD is used for real definite matrices only")
        make = getattr(cholmod, "cho_factor", None) or cholmod.cholesky  # since version 0.5, before it
        try:
            factors = make(A)
            self._solve = getattr(factors, "solve", factors)
            self._solve(np.zeros(A.shape[0]))
        except Exception as error:
            if "PositiveDefinite" in type(error).__name__:
                raise NotFactorised(getattr(error, "column", None)) from None
            raise ImportError(f"this version of scikit-sparse is not known: {error}") from None

    def solve(self, b: np.ndarray) -> np.ndarray:
        return self._solve(np.asarray(b, dtype=float))


LADDER: tuple[Callable[[sparse.csc_matrix, bool, np.ndarray | None, np.ndarray | None], Factors], ...] = (
    Fronts,
    Cholmod,
    Pardiso,
    SuperLU,
)


def factorise(
    A: sparse.spmatrix,
    *,
    definite: bool = True,
    library: str | None = None,
    nodes: np.ndarray | None = None,
    points: np.ndarray | None = None,
    equation: Callable[[int], str] = "equation {}".format,
) -> Factors:
    """Factorise a symmetric matrix, real or complex; `definite` promises that all eigenvalues are positive.

    library: Fronts, CHOLMOD, Pardiso or SuperLU, else the best there is;  nodes: (n,) number, from 0, of the node that
    each row belongs to, for a faster ordering;  points: (n, 3) where that node is, for one that is faster still;  equation: how a
    message names row i.
    """
    A = sparse.csc_matrix(A)
    if not A.shape[0]:
        return Empty()
    if not np.all(np.isfinite(A.data)):
        raise SingularError("the matrix holds values that are not finite; check material and geometry of the mesh")
    if definite and len(zero := np.flatnonzero(A.diagonal() == 0)):
        raise _singular(equation, int(zero[0]))
    if nodes is not None:
        nodes = (np.cumsum(np.bincount(nodes) > 0) - 1)[nodes]  # without gaps
    for choice in LADDER:
        if library not in (None, choice.library):  # type: ignore[attr-defined]
            continue
        large = A.shape[0] > LARGE and installed() and threads(A.shape[0], solving=True) > 2
        if library is None and choice is Fronts and large:
            continue  # Pardiso, with all processors, gains more than fronts, which use one and solve three times as fast
        if library is None and choice is SuperLU and A.shape[0] >= SMALL:
            _tell_once(A.shape[0])
        try:
            with few_threads(A.shape[0]):
                factors = choice(A, definite, nodes, points)
        except ImportError:
            continue
        except NotFactorised as failure:
            raise _singular(equation, failure.row) from None
        return _tried(A, factors, equation)
    raise SingularError(f"the library {library} is not installed; leave the choice open")


class SlowFactorisation(UserWarning):
    """A large matrix is factorised without the fast library."""


def _tell_once(n: int) -> None:
    """Where it costs minutes, say what would save them; once in a process."""
    global _told
    if not _told:
        fast = "pypardiso (pip install 'flexor[solvers]')" if platform.machine() in X86 else "scikit-sparse (CHOLMOD)"
        what = f"{n} equations are factorised by SuperLU, which takes about eight times as long as {fast} at 34 000"
        warn(f"{what} equations and sixteen times at 107 000", SlowFactorisation)
    _told = True


def _tried(A: sparse.csc_matrix, factors: Factors, equation: Callable[[int], str]) -> Factors:
    """The factors, if they recover a constant with random parts."""
    known = 1.0 + np.random.default_rng(1).standard_normal(A.shape[0])
    error = np.abs(factors.solve(A @ known) - known)
    if not error.max(initial=0.0) < ACCURATE * np.abs(known).max(initial=1.0):
        raise _singular(equation, int(np.nanargmax(np.where(np.isfinite(error), error, np.inf))))
    return factors


def _singular(equation: Callable[[int], str], row: int | None) -> SingularError:
    return SingularError(
        "the stiffness matrix is singular" + (f" at {equation(row)}" if row is not None else ""),
        causes=[
            "a part of the mesh that nothing holds; look for disconnected pieces (mesh quality report)",
            "a mechanism in the mesh: rotations that no element resists, pins at both ends",
            "no interface, or interfaces that leave a rigid-body motion free",
        ],
    )
