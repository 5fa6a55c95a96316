"""Direct frequency response: the equations of all unknowns are solved at each frequency.   FTG (7.96)"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from flexor.errors import SolveError
from flexor.solve.frequency.linear_system import LinearSystem


class Factory:
    """Solves at any frequency. All matrices share one pattern, whose order of elimination is found once."""

    def __init__(self, system: LinearSystem) -> None:
        self.system = system
        parts = [sparse.coo_array(X) for X in (system.K, system.H, system.C, system.M)]
        n = len(system.own)
        row, column = (np.concatenate([part.coords[i] for part in parts]).astype(np.int64) for i in (0, 1))
        places, self._to = np.unique(column * n + row, return_inverse=True)
        self._first = np.concatenate([[0], np.cumsum([part.nnz for part in parts])])
        self._values = [part.data for part in parts]
        self._count = len(places)
        columns, self._rows = np.divmod(places, n)
        self._indptr = np.searchsorted(columns, np.arange(n + 1))
        self._n = n
        self._order: np.ndarray | None = None
        self.rounding = np.zeros((n, 0))
        """What refinement changed in the last solution: its error by rounding is of this size."""

    def solve(self, omega: float) -> np.ndarray:
        """Unknowns at a frequency [rad/s], a column per input."""
        return self.solve_for(omega, self.system.excitation(omega))

    def solve_for(self, omega: float, right: np.ndarray) -> np.ndarray:
        """Likewise for other right sides."""
        values = np.zeros(self._count, dtype=complex)
        for i, factor in enumerate((1.0, 1j if omega else 0.0, 1j * omega, -(omega**2))):
            part = slice(self._first[i], self._first[i + 1])
            values += factor * np.bincount(self._to[part], self._values[i], self._count)
        A = sparse.csc_array((values, self._rows, self._indptr), shape=(self._n, self._n))
        size = np.sqrt(np.maximum(abs(A).max(axis=0).toarray().ravel(), 1e-300))  # rows and columns of like size
        scale = sparse.dia_array((1 / size[None], [0]), shape=A.shape)
        A = sparse.csc_array(scale @ A @ scale)
        order = np.arange(self._n) if self._order is None else self._order
        try:
            if self._order is None:
                lu = splu(A, permc_spec="COLAMD")
                self._order = np.argsort(lu.perm_c)
            else:
                lu = splu(sparse.csc_array(A[:, order]), permc_spec="NATURAL")
            x, left = np.zeros(right.shape, dtype=complex), right / size[:, None] + 0j
            for _ in range(2):  # the second time refines what the first one found
                self.rounding = np.empty(right.shape, dtype=complex)
                self.rounding[order] = lu.solve(left)
                x += self.rounding
                left = right / size[:, None] - A @ x
        except RuntimeError:
            raise _no_response(omega) from None
        if not np.all(np.isfinite(x)):
            raise _no_response(omega)
        self.rounding = np.abs(self.rounding) / size[:, None]
        return x / size[:, None]


def _no_response(omega: float) -> SolveError:
    at = f"at {omega / (2 * np.pi):.6g} Hz there is no response: the equations are singular there"
    causes = ["an undamped resonance; give damping, or leave this frequency out"]
    if omega == 0:
        causes = ["something is free to move, and nothing holds it at 0 Hz; begin above it"]
    return SolveError(at, causes=causes)


def direct_response(system: LinearSystem, omegas: np.ndarray) -> np.ndarray:
    """Outputs by inputs at every frequency, (frequencies, outputs, inputs)."""
    factory = Factory(system)
    return np.array([factory.solve(float(omega))[system.read] for omega in omegas])
