"""A law written in plain Python, called from the compiled loop.

It is slower than a compiled law by the cost of a Python call (some microseconds), needs no compilation and may use
any library. Its arrays are views on the engine's memory with their exact sizes. An exception ends the run and comes
out whole. With `numerical_tangent` the matrix is found by differences of the residual, so that only r need be filled.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from flexor.law.face import MATRIX, RESIDUAL, Coefficients
from flexor.law.law import Law
from flexor.spatial import exp_so3

RAISED = 999
"""Status of a law whose function raised an exception."""

_I64 = ctypes.POINTER(ctypes.c_int64)
_F64 = ctypes.POINTER(ctypes.c_double)
_CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_int64, _I64, _I64, _F64, _F64, ctypes.c_double, *([_F64] * 10)
)  # want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w


@dataclass(frozen=True, eq=False)
class PythonLaw(Law):
    """A law around a Python function, for one term: its arrays' sizes are fixed."""

    n_ints: int = 0
    n_floats: int = 0
    n_history: int = 0
    numerical_tangent: bool = True
    _failure: list[BaseException] = field(default_factory=list)
    _kept: list[ctypes._FuncPointer] = field(default_factory=list)

    @property
    def address(self) -> int:
        if not self._kept:
            self._kept.append(_CALLBACK(self._call))
        return int(ctypes.cast(self._kept[0], ctypes.c_void_p).value or 0)

    def failure(self) -> BaseException | None:
        """The exception that the function raised, if any."""
        return self._failure[-1] if self._failure else None

    def __hash__(self) -> int:
        return id(self)

    def _call(self, want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):  # type: ignore[no-untyped-def]
        try:
            nodes, scalars, multipliers = n[0], n[1], n[2]
            size = 6 * nodes + scalars + multipliers

            def view(pointer: ctypes._Pointer[ctypes.c_double], *shape: int) -> np.ndarray:
                if 0 in shape:
                    return np.zeros(shape)
                return np.ctypeslib.as_array(pointer, shape)

            ints = np.ctypeslib.as_array(k, (self.n_ints,)) if self.n_ints else np.zeros(0, dtype=np.int64)
            return self.evaluate(
                want, np.array([nodes, scalars, multipliers]), ints, view(p, self.n_floats), view(h, self.n_history), t,
                view(c, Coefficients.WORDS), view(x, 3 * nodes), view(R, 9 * nodes), view(v, 6 * nodes), view(a, 6 * nodes),
                view(s, 3 * scalars), view(lam, multipliers), view(r, size), view(K, size * size), view(w, self.scratch),
            )  # fmt: skip
        except BaseException as error:
            self._failure.append(error)
            return RAISED

    def evaluate(self, want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):  # type: ignore[no-untyped-def]
        """The function, with its matrix by differences if asked for."""
        arguments = [n, k, p, h, t, c, x, R, v, a, s, lam]
        if not (want & MATRIX and self.numerical_tangent):
            return self.function(want, *arguments, r, K, w) or 0
        status = self.function(want & ~MATRIX | RESIDUAL, *arguments, r, K, w) or 0
        if status:
            return status
        size = len(r)
        K = K.reshape(size, size)
        level = want & ~(MATRIX | RESIDUAL) | RESIDUAL

        def residual(x, R, v, a, s, lam):  # type: ignore[no-untyped-def]
            out = np.zeros(size)
            self.function(level, n, k, p, h, t, c, x, R, v, a, s, lam, out, np.zeros(0), w)
            return out

        state = [x, R, v, a, s, lam]
        for column in range(size):
            K[:, column] = _difference(residual, state, column, int(n[0]), int(n[1]), Coefficients(c))
        return 0


def _difference(
    residual: Callable, state: list[np.ndarray], column: int, nodes: int, scalars: int, c: Coefficients
) -> np.ndarray:
    """cK ∂r/∂q + cC ∂r/∂v + cM ∂r/∂a for one column, by central differences."""
    eps = 1e-6
    samples = []
    for sign in (eps, -eps):
        x, R, v, a, s, lam = (array.copy() for array in state)
        if column < 6 * nodes:
            node, dof = divmod(column, 6)
            if dof < 3:
                x[3 * node + dof] += sign * c.K
            else:
                turn = np.zeros(3)
                turn[dof - 3] = sign * c.K
                R[9 * node : 9 * node + 9] = (exp_so3(turn) @ R[9 * node : 9 * node + 9].reshape(3, 3)).ravel()
            v[column] += sign * c.C
            a[column] += sign * c.M
        elif column < 6 * nodes + scalars:
            scalar = column - 6 * nodes
            s[3 * scalar : 3 * scalar + 3] += sign * np.array([c.K, c.C, c.M])
        else:
            lam[column - 6 * nodes - scalars] += sign
        samples.append(residual(x, R, v, a, s, lam))
    return (samples[0] - samples[1]) / (2 * eps)
