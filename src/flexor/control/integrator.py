"""Integrator and limited derivator.   FTG 8.4.1, types 4 and 5"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from flexor.control.block import SingleInput
from flexor.control.linear_block import LinearBlock, Time, linear_term
from flexor.control.realisation import StateMatrices, realised
from flexor.declaration import Number
from flexor.law import Term


class Integrator(SingleInput):
    """The integral of its input over time, y = y₀ + K ∫ u dt. Signal: value.

    At rest its input is zero, and its output what it needs to be for that.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "gain")
    type: Literal["integrator"] = "integrator"
    samples: ClassVar[tuple[dict[str, Any], ...]] = ({"input": "tilt", "gain": 2.5, "initial": 0.3},)
    gain: Number = Field(1.0, description="K in y = K ∫ u dt.")
    initial: Number = Field(0.0, description="y at the begin.")

    @property
    def linear(self) -> StateMatrices:
        """ẋ = K u, y = x"""
        return StateMatrices(np.zeros((1, 1)), np.array([[self.gain]]), np.ones((1, 1)), np.zeros((1, 1)))

    def block_terms(self, inputs: tuple[str, ...]) -> list[Term]:
        return [linear_term(self, self.linear, inputs, False, (self.initial,))]


class LimitedDerivative(LinearBlock):
    """The rate of its input, limited at high frequencies: K s/(1 + T s). Signal: value."""

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "time", "gain")
    type: Literal["limited_derivative"] = "limited_derivative"
    samples: ClassVar[tuple[dict[str, Any], ...]] = ({"input": "tilt", "time": "20 ms", "gain": 0.7},)
    time: Time = Field(description="T, from whose reciprocal on frequencies are limited [s].")
    gain: Number = Field(1.0, description="K, one for the rate itself.")

    @property
    def linear(self) -> StateMatrices:
        return realised((self.gain, 0.0), (self.time, 1.0))
