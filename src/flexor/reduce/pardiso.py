"""MKL Pardiso through the C interface of the library that pypardiso installs.

Of a symmetric matrix, real or complex, definite or not, only the upper triangle is kept; indices are handed over once,
zero-based, so a solution costs no copies. `PardisoOfPattern` factorises real matrices of one pattern again and again.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from functools import cache
from importlib import metadata
from pathlib import Path

import numpy as np
from scipy import sparse

from flexor.errors import SolveError
from flexor.threads import FEW, SMALL

ANALYSE, ANALYSE_AND_FACTORISE, FACTORISE, SOLVE, RELEASE = 11, 12, 22, 33, -1
DEFINITE, INDEFINITE, COMPLEX, UNSYMMETRIC = 2, -2, 6, 11
"""Kinds of matrices: real symmetric positive definite, real symmetric indefinite, complex symmetric, real unsymmetric."""
GIVEN, RETURNED = 1, 2
"""The ordering is prescribed; or found, and written out."""


class NotFactorised(Exception):
    """Pardiso met a pivot that is zero, or negative in a definite matrix; `row` is the equation, or None."""

    def __init__(self, row: int | None) -> None:
        super().__init__(row)
        self.row = row


@cache
def library() -> tuple[ctypes._FuncPointer, ctypes._FuncPointer]:
    """MKL's functions `pardiso` and `MKL_Set_Num_Threads_Local`; ImportError where it is not installed."""
    mkl = _mkl()
    pardiso = mkl["pardiso"]  # an object of our own: argument types are not shared
    pardiso.restype = None
    return pardiso, mkl["MKL_Set_Num_Threads_Local"]


@cache
def installed() -> bool:
    """Whether the library is there."""
    try:
        library()
    except (ImportError, OSError):
        return False
    return True


def _mkl() -> ctypes.CDLL:
    """The library, where its package says it is; else pypardiso searches the folders of Python for it."""
    with contextlib.suppress(metadata.PackageNotFoundError):
        for file in metadata.files("mkl") or ():
            if "mkl_rt" in file.name and Path(str(file.locate())).is_file():
                with contextlib.suppress(OSError):
                    return ctypes.CDLL(str(file.locate()))
    from pypardiso.scipy_aliases import pypardiso_solver

    return pypardiso_solver.libmkl


class Pardiso:
    """Factors of a symmetric matrix.

    nodes: (n,) number, from 0, of the node that each equation belongs to. Then nodes are ordered instead of equations,
    which takes half the time.
    """

    library = "Pardiso"

    def __init__(
        self,
        A: sparse.csc_matrix,
        definite: bool,
        nodes: np.ndarray | None = None,
        points: np.ndarray | None = None,
    ) -> None:
        order = None if nodes is None else _order_of_nodes(A, nodes)
        self._set(A, COMPLEX if np.iscomplexobj(A.data) else DEFINITE if definite else INDEFINITE)
        if order is not None:
            self._order, self._settings[4] = order, GIVEN
        self._call(ANALYSE_AND_FACTORISE, np.zeros(1), np.zeros(1), 1)
        self.entries = int(self._settings[17])
        """Nonzero entries of the factor."""
        self.negative = int(self._settings[22]) if self._kind == INDEFINITE else 0
        """How many eigenvalues of a real matrix are negative."""

    def _set(self, A: sparse.csc_matrix, kind: int) -> None:
        upper = sparse.triu(A, format="csr")
        upper.sort_indices()
        first = upper.indptr[:-1]
        n = A.shape[0]
        if np.any(np.diff(upper.indptr) == 0) or np.any(upper.indices[first] != np.arange(n)):
            raise NotFactorised(_without_diagonal(upper))
        self._n, self._kind = n, kind
        self._dtype = complex if kind == COMPLEX else float
        self._values = np.ascontiguousarray(upper.data, dtype=self._dtype)
        self._starts, self._columns = (np.ascontiguousarray(a, dtype=np.int32) for a in (upper.indptr, upper.indices))
        self._handle = np.zeros(64, dtype=np.int64)
        self._order = np.zeros(n, dtype=np.int32)
        self._settings = _settings()

    @classmethod
    def ordering(cls, A: sparse.csc_matrix) -> np.ndarray:
        """(n,) place of each equation in an order that fills the factor little."""
        self = cls.__new__(cls)
        self._set(A, DEFINITE)
        self._settings[4] = RETURNED
        self._call(ANALYSE, np.zeros(1), np.zeros(1), 1)
        return self._order

    def solve(self, b: np.ndarray) -> np.ndarray:
        right = np.asfortranarray(b, dtype=self._dtype)
        if np.may_share_memory(right, b):
            right = right.copy(order="F")  # Pardiso uses it as scratch
        x = np.empty_like(right, order="F")
        if not right.size:  # which it refuses
            return x
        self._call(SOLVE, right, x, 1 if right.ndim == 1 else right.shape[1])
        return x

    def _call(self, phase: int, b: np.ndarray, x: np.ndarray, columns: int) -> None:
        error = ctypes.c_int32(0)
        number = [ctypes.byref(ctypes.c_int32(i)) for i in (1, 1, self._kind, phase, self._n, columns, 0)]
        arrays = (self._handle, self._values, self._starts, self._columns, self._order, self._settings, b, x)
        pt, a, ia, ja, perm, iparm, right, left = (ctypes.c_void_p(array.ctypes.data) for array in arrays)
        maxfct, mnum, mtype, phase_, n, nrhs, msglvl = number
        pardiso, set_threads = library()
        before = set_threads(threads(self._n, solving=phase == SOLVE))
        pardiso(
            *(pt, maxfct, mnum, mtype, phase_, n, a, ia, ja, perm),
            *(nrhs, iparm, msglvl, right, left, ctypes.byref(error)),
        )
        set_threads(before)
        if error.value == -4:
            row = int(self._settings[29]) - 1
            raise NotFactorised(row if 0 <= row < self._n else None)
        if error.value in (-2, -9):
            raise SolveError(
                f"there is not enough memory to factorise {self._n} equations",
                causes=["the mesh is too fine for this machine; use a coarser one or one of higher order"],
            )
        if error.value:
            raise SolveError(f"the Pardiso library failed with its error {error.value}")

    def __del__(self) -> None:
        with contextlib.suppress(Exception):  # also while the interpreter ends
            if self._handle.any():
                self._call(RELEASE, np.zeros(1), np.zeros(1), 1)


class PardisoOfPattern(Pardiso):
    """Factors of real matrices that share one pattern: analysed once, factorised again with other values.

    starts, columns: the pattern, row by row with ascending columns, of a symmetric matrix the upper triangle; each row has
    its diagonal.   places: (n,) place of each equation in the order of elimination.
    """

    def __init__(self, starts: np.ndarray, columns: np.ndarray, symmetric: bool, places: np.ndarray):
        self._n, self._kind, self._dtype = len(starts) - 1, INDEFINITE if symmetric else UNSYMMETRIC, float
        self._starts, self._columns = (np.ascontiguousarray(a, dtype=np.int32) for a in (starts, columns))
        self._values = np.zeros(len(columns))
        self._handle = np.zeros(64, dtype=np.int64)
        self._order = np.ascontiguousarray(places, dtype=np.int32)
        self._settings = _settings()
        self._settings[4] = GIVEN
        self._call(ANALYSE, np.zeros(1), np.zeros(1), 1)

    def factorise(self, values: np.ndarray) -> int:
        """Factors of the matrix with these values; how many of its pivots were too small and were perturbed."""
        self._values[:] = values
        self._call(FACTORISE, np.zeros(1), np.zeros(1), 1)
        return int(self._settings[13])

    def refine(self, steps: int) -> None:
        """Let solutions be improved by their residuals up to so many times, where pivots were perturbed at least twice."""
        self._settings[7] = steps


def threads(n: int, solving: bool) -> int:
    """How many threads pay for n equations; 0 for all there are.

    Threads that wait for each other cost more than they bring in small systems, and a triangular solution is bound by
    memory.
    """
    if n < SMALL:
        return 1
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    told = os.environ.get("MKL_NUM_THREADS") or os.environ.get("OMP_NUM_THREADS") or ""
    return min(int(told) if told.isdecimal() else allowed, FEW) if solving else 0


def _settings() -> np.ndarray:
    """Pardiso's parameters; numbers in the comments are those of its manual (iparm, from 1)."""
    iparm = np.zeros(64, dtype=np.int32)
    iparm[0] = 1  # 1: what follows holds
    iparm[1] = 2  # 2: nested dissection (METIS)
    iparm[9] = 8  # 10: perturb pivots below 1e-8 (indefinite); refined in the solution
    iparm[17] = -1  # 18: count the entries of the factor
    iparm[20] = 1  # 21: 1×1 and 2×2 pivots
    iparm[34] = 1  # 35: indices from zero
    return iparm


def _order_of_nodes(A: sparse.csc_matrix, nodes: np.ndarray) -> np.ndarray:
    """(n,) place of each equation, those of a node together, from an ordering of the graph of the nodes."""
    n = A.shape[0]
    places = np.empty(n, dtype=np.int32)
    places[np.argsort(Pardiso.ordering(graph_of_nodes(A, nodes))[nodes], kind="stable")] = np.arange(n, dtype=np.int32)
    return places


def graph_of_nodes(A: sparse.csc_matrix, nodes: np.ndarray) -> sparse.csr_matrix:
    """Which nodes, numbered from 0, meet in a matrix; each meets itself."""
    n = A.shape[0]
    belongs = sparse.csr_matrix((np.ones(n, dtype=np.float32), (nodes, np.arange(n))))
    pattern = sparse.csr_matrix((np.ones(A.nnz, dtype=np.float32), A.indices, A.indptr), shape=A.shape)
    return belongs @ pattern @ belongs.T + sparse.identity(belongs.shape[0], dtype=np.float32)


def _without_diagonal(upper: sparse.csr_matrix) -> int:
    """The first row that has no diagonal entry."""
    filled = np.zeros(upper.shape[0], dtype=bool)
    rows = np.repeat(np.arange(upper.shape[0]), np.diff(upper.indptr))
    filled[rows[upper.indices == rows]] = True
    return int(np.argmin(filled))
