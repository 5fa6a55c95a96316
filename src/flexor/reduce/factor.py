"""Sparse factorisation for finite-element matrices: the best library that is installed, behind one small interface.

CHOLMOD (scikit-sparse) if the user has it, MKL Pardiso (pypardiso, part of the recommended installation), else
SuperLU with symmetric ordering. BLAS threads are limited while factors are used: pools of many threads slow down the
small dense blocks of a Lanczos iteration.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from flexor.errors import SingularError


class Factors(Protocol):
    """A factorised matrix."""

    library: str

    def solve(self, b: np.ndarray) -> np.ndarray: ...


class _SuperLU:
    library = "SuperLU"

    def __init__(self, A: sparse.csc_matrix, definite: bool):
        options = {"SymmetricMode": True} if definite else {}
        threshold = 0.0 if definite else 1.0
        self._factors = splu(A.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=threshold, options=options)
        pivots: np.ndarray = np.abs(self._factors.U.diagonal())
        if float(pivots.min()) <= 1e-14 * float(pivots.max()):
            raise _singular(int(self._factors.perm_c.argsort()[int(pivots.argmin())]))

    def solve(self, b: np.ndarray) -> np.ndarray:
        return self._factors.solve(np.ascontiguousarray(b))


class _Pardiso:
    library = "Pardiso"

    def __init__(self, A: sparse.csc_matrix, definite: bool):
        from pypardiso import PyPardisoSolver

        self._matrix = sparse.triu(A, format="csr")
        self._matrix.sort_indices()
        self._solver: Any = PyPardisoSolver(mtype=2 if definite else -2)
        with _quiet_pardiso():
            self._solver.factorize(self._matrix)

    def solve(self, b: np.ndarray) -> np.ndarray:
        b = np.asarray(b)
        with _quiet_pardiso():
            return self._solver.solve(self._matrix, np.asfortranarray(b)).reshape(b.shape)

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self._solver.free_memory(everything=True)


class _Cholmod:
    library = "CHOLMOD"

    def __init__(self, A: sparse.csc_matrix, definite: bool):
        from sksparse.cholmod import cholesky

        if not definite:
            raise ImportError("CHOLMOD takes definite matrices only")
        self._factors = cholesky(A.tocsc())

    def solve(self, b: np.ndarray) -> np.ndarray:
        return self._factors(b)


@contextlib.contextmanager
def _quiet_pardiso() -> Iterator[None]:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _singular(row: int | None = None) -> SingularError:
    return SingularError(
        "the stiffness matrix is singular" + (f" (equation {row})" if row is not None else ""),
        causes=[
            "a part of the mesh that nothing holds; check for disconnected pieces (mesh quality report)",
            "a mechanism in the mesh: nodes with rotations that no element resists, pins at both ends",
            "no interface, or interfaces that leave a rigid-body motion free",
        ],
    )


LADDER = (_Cholmod, _Pardiso, _SuperLU)


def factorise(A: sparse.spmatrix, *, definite: bool = True, library: str | None = None) -> Factors:
    """Factorise a symmetric matrix; `library` asks for one by name (CHOLMOD, Pardiso, SuperLU)."""
    A = sparse.csc_matrix(A)
    if not np.all(np.isfinite(A.data)):
        raise SingularError("the stiffness matrix holds values that are not finite; check material and geometry")
    for choice in LADDER:
        if library is not None and choice.library != library:
            continue
        try:
            factors = choice(A, definite)
        except ImportError:
            continue
        except SingularError:
            raise
        except Exception as error:  # a library's own breakdown: not positive definite, zero pivot
            if choice is LADDER[-1]:
                raise _singular() from error
            continue
        if _solves(A, factors):
            return factors
        if choice is LADDER[-1] or library is not None:
            raise _singular()
    raise _singular()


def _solves(A: sparse.csc_matrix, factors: Factors) -> bool:
    """Whether the factors really solve: a singular matrix that slipped through gives huge or wrong values."""
    x = np.ones(A.shape[0])
    b = A @ x
    found = factors.solve(b)
    if not np.all(np.isfinite(found)):
        return False
    scale = float(np.abs(A).sum(axis=1).max()) * max(float(np.abs(found).max(initial=0.0)), 1.0)
    return float(np.abs(A @ found - b).max(initial=0.0)) <= 1e-9 * scale


@contextlib.contextmanager
def few_threads(limit: int = 2) -> Iterator[None]:
    """Limit BLAS threads while the block runs, where threadpoolctl is installed."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield
        return
    with threadpool_limits(limits=limit):
        yield
