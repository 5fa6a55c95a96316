"""Polynomial: c₀ + c₁ x + c₂ x² + …"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar, Literal

from pydantic import Field

from flexor.declaration import Number
from flexor.functions.function import Function
from flexor.functions.measure import Misfit, misfit, written
from flexor.units import Dimension


def polynomial_evaluator(p, x, out):
    n = int(p[0])
    f = 0.0
    f1 = 0.0
    f2 = 0.0
    integral = 0.0
    for i in range(n, 0, -1):  # Horner's scheme for f, f′, f″/2 and for ∫₀ˣ f = x Σ cᵢ xⁱ/(i+1)
        f2 = f2 * x + f1
        f1 = f1 * x + f
        f = f * x + p[i]
        integral = integral * x + p[i] / i
    out[0] = f
    out[1] = f1
    out[2] = 2.0 * f2
    out[3] = integral * x
    return 0


class Polynomial(Function):
    """f(x) = c₀ + c₁ x + c₂ x² + …, e.g. a progressive spring or a constant acceleration."""

    positional: ClassVar[tuple[str, ...]] = ("coefficients",)
    evaluator: ClassVar[Callable[..., int]] = staticmethod(polynomial_evaluator)
    type: Literal["polynomial"] = "polynomial"
    coefficients: tuple[Number, ...] = Field(
        description="c₀, c₁, c₂, …, lowest power first.", min_length=1, max_length=64
    )

    def measures(self, argument: Dimension | None = None) -> Dimension | None:
        """cᵢ measures f/xⁱ."""
        for path, value in written(self, ("coefficients",)):
            power = int(path[1])
            if power == 0 or argument is not None:
                return value.dimension.times(argument, power) if argument is not None else value.dimension
        return None

    def misfits(self, values: Dimension | None, argument: Dimension | None) -> Iterator[Misfit]:
        values = values or self.measures(argument)
        for path, value in written(self, ("coefficients",)):
            power = int(path[1])
            if values is not None and (power == 0 or argument is not None):
                yield from misfit(path, value, values if argument is None else values.times(argument, -power))

    @property
    def parameters(self) -> tuple[float, ...]:
        return (float(len(self.coefficients)), *self.coefficients)


def polynomial(*coefficients: float | str, sensor: str | None = None) -> Polynomial:
    """polynomial(1, 0, 3) is 1 + 3 x²."""
    return Polynomial(coefficients=coefficients, sensor=sensor)  # type: ignore[arg-type]
