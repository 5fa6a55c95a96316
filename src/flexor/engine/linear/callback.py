"""Factors made by a library, behind the two kernels of the block solver: Python functions that compiled code calls back.

An exception is kept in `error`; the status is then EXCEPTION.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from flexor.engine.linear import table

KERNEL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)


class CallbackFactors:
    """The kernels `factor` and `solve`; who makes the factors gives `_factor` and `_solve`.

    right_hand_side: gives the vector to be solved on, in place.
    memory: the solver's, whose options and findings are shared.
    """

    def __init__(self, right_hand_side: Callable[[], NDArray[np.float64]], memory: table.Linear) -> None:
        self.right_hand_side = right_hand_side
        self.memory, self.numbers = memory, memory.numbers
        self.identity = memory.identity.view(table.Identity.dtype())
        self.error: BaseException | None = None
        self.callbacks = (KERNEL(self.factor), KERNEL(self.solve))

    @property
    def addresses(self) -> tuple[int, int]:
        """Addresses of the kernels `factor` and `solve`; valid as long as this object lives."""
        first, second = (ctypes.cast(callback, ctypes.c_void_p).value for callback in self.callbacks)
        assert first is not None
        assert second is not None
        return first, second

    def factor(self, L: object = None) -> int:
        """Kernel: factorise the assembled matrix."""
        return self._guarded(self._factor)

    def solve(self, L: object = None) -> int:
        """Kernel: solve in place."""
        return self._guarded(self._solve)

    def _factor(self) -> int:
        raise NotImplementedError

    def _solve(self) -> int:
        raise NotImplementedError

    def _guarded(self, work: Callable[[], int]) -> int:
        try:
            return work()
        except BaseException as error:  # must not be lost in the compiled caller
            self.error = error
            return table.EXCEPTION

    def _report(self, status: int, equation: int, pivot: float, scale: float) -> int:
        n, whose = self.numbers, self.identity[equation]
        n.bad_block, n.bad_row, n.bad_pivot, n.bad_scale = whose["block"], whose["row"], abs(pivot), scale
        return status
