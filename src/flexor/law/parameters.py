"""Packing of a law's parameters: numbers, frames and functions in the order the law reads them."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexor.law.compile import handle


class Parameters:
    """Collects integer and float parameters.

    A function of one variable occupies two integers (address of its evaluator, offset of its floats in `p`;
    address 0 means "none"); its own floats are appended behind all others by `packed()`.
    """

    def __init__(self, python: bool = False):
        self.ints: list[int] = []
        self.floats: list[float] = []
        self._python = python
        self._functions: list[tuple[int, tuple[float, ...]]] = []

    def integers(self, *values: int) -> Parameters:
        self.ints.extend(int(value) for value in values)
        return self

    def numbers(self, *values: Any) -> Parameters:
        for value in values:
            self.floats.extend(float(number) for number in np.ravel(value))
        return self

    def function(self, function: Any | None, *, integral: bool = False) -> Parameters:
        """A declared function (see `flexor.functions`), or None.

        integral: whether the law reads the integral too, which costs time for expressions and products.
        """
        if function is None:
            self.ints += [0, 0]
        else:
            numbers = function.parameters if integral else function.value_parameters
            self._functions.append((len(self.ints) + 1, tuple(numbers)))
            self.ints += [handle(function.evaluator, self._python), 0]
        return self

    def packed(self) -> dict[str, Any]:
        """Keyword arguments `ints` and `floats` for an Element."""
        ints, floats = list(self.ints), list(self.floats)
        for slot, numbers in self._functions:
            ints[slot] = len(floats)
            floats.extend(numbers)
        return {"ints": tuple(ints), "floats": tuple(floats)}
