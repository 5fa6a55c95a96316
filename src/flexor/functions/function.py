"""What all functions have in common, most of which are of one variable.

A function is used for prescribed motion, loads over time, nonlinear springs and dampers. Its declaration
holds the engineer's numbers; its *evaluator* is a plain Python function

    status = evaluator(p, x, out)

that reads the float parameters `p` (never writes them) and sets out = (f, f′, f″, ∫₀ˣ f). It only indexes, so
it runs as it is and is compiled (kind "evaluator" of `flexor.law.compile`) where the engine needs it. `out`
must hold OUT_SIZE floats: what lies behind the first four is scratch. The status is 0 or a number of
`flexor.functions.status`; what then does not exist is NaN (all four, or only the integral).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Self, overload

import numpy as np
from pydantic import Field, model_validator

from flexor.declaration import Declaration
from flexor.errors import LawError
from flexor.functions.measure import Misfit, misfit, refuse, written
from flexor.functions.status import ERRORS
from flexor.units import Dimension, Quantity

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Values = np.ndarray | Sequence[float]
STACK_DEPTH = 16
"""Intermediate results that an expression may need at a time."""
OUT_SIZE = 4 + 3 * STACK_DEPTH
"""Floats that a caller must allocate for `out`: four results, then scratch, three per entry of the stack."""


class Function(Declaration):
    """Base of functions f(x); x is the time, a deflection, a velocity, …, everything in SI units."""

    sensor: str | None = Field(
        None, description="Name of the sensor that it is a function of; of time, or of what it acts along, if left out."
    )
    value_fields: ClassVar[tuple[str, ...]] = ()
    """Fields that measure what f does."""
    argument_fields: ClassVar[tuple[str, ...]] = ()
    """Fields that measure what x does."""
    evaluator: ClassVar[Callable[..., int]]
    """Plain Python evaluator. Sums and products put theirs together from their members'."""

    @property
    def title(self) -> str:
        """What messages call it."""
        return self.called(None)

    @property
    def parameters(self) -> tuple[float, ...]:
        """The numbers that the evaluator reads."""
        raise TypeError(f"{type(self).__name__} declares no parameters")

    @property
    def value_parameters(self) -> tuple[float, ...]:
        """As `parameters`, for callers that do not read the integral.

        Where it would cost a numerical quadrature (expressions, products), the evaluator then sets it to NaN.
        """
        return self.parameters

    @property
    def varies(self) -> bool:
        """Whether it depends on anything."""
        return True

    @property
    def arguments(self) -> tuple[str | None, ...]:
        """What it is a function of: names of sensors, None for the time or what it acts along; nothing if it does not vary."""
        return (self.sensor,) if self.varies else ()

    @property
    def sensors(self) -> tuple[str, ...]:
        """Names of the sensors that it is a function of."""
        return tuple(name for name in self.arguments if name is not None)

    @property
    def several(self) -> bool:
        """Whether it is a function of several things, which has no one argument."""
        return len(self.arguments) > 1

    def of_several(self, things: Sequence[str | None]) -> tuple[Callable[..., int], tuple[float, ...]]:
        """Evaluator and its parameters as one of several things, see `flexor.functions.several`."""
        from flexor.functions.several import of_one

        number = things.index(self.arguments[0]) if self.arguments else 0
        return of_one(self.evaluator), (float(number), *self.value_parameters)

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Where f or one of its derivatives may jump, in increasing order (as far as it is known)."""
        return ()

    def measures(self, argument: Dimension | None = None) -> Dimension | None:
        """What f measures, as far as units are written in it; argument: what x measures, if that is known."""
        return next((value.dimension for _, value in written(self, self.value_fields)), None)

    @property
    def argument_measures(self) -> Dimension | None:
        """What x measures, as far as units are written in it."""
        return next((value.dimension for _, value in written(self, self.argument_fields)), None)

    def misfits(self, values: Dimension | None, argument: Dimension | None) -> Iterator[Misfit]:
        """What does not fit where f has to measure `values` and x measures `argument`; None if that is open."""
        argument = argument or self.argument_measures
        values = values or self.measures(argument)
        for path, value in written(self, self.value_fields):
            yield from misfit(path, value, values)
        for path, value in written(self, self.argument_fields):
            yield from misfit(path, value, argument)

    @model_validator(mode="after")
    def _fits_itself(self) -> Self:
        refuse(self.misfits(None, None))
        return self

    @overload
    def __call__(self, x: float) -> float: ...
    @overload
    def __call__(self, x: Values) -> np.ndarray: ...
    def __call__(self, x: float | Values) -> float | np.ndarray:
        """f(x): a float for a number, an array of the same shape for an array."""
        return self._evaluate(x, self.value_parameters, 0)

    @overload
    def derivative(self, x: float, order: int = 1) -> float: ...
    @overload
    def derivative(self, x: Values, order: int = 1) -> np.ndarray: ...
    def derivative(self, x: float | Values, order: int = 1) -> float | np.ndarray:
        """f′(x), or f″(x) with order 2. At a jump or kink it is the slope on one side."""
        if order not in (1, 2):
            raise ValueError(f"{type(self).__name__}.derivative: order = {order!r} is not available; take 1 or 2")
        return self._evaluate(x, self.value_parameters, order)

    @overload
    def integral(self, x: float) -> float: ...
    @overload
    def integral(self, x: Values) -> np.ndarray: ...
    def integral(self, x: float | Values) -> float | np.ndarray:
        """∫₀ˣ f(ξ) dξ"""
        return self._evaluate(x, self.parameters, 3)

    def _evaluate(self, x: float | Values, p: tuple[float, ...], which: int) -> float | np.ndarray:
        arguments = np.asarray(x, dtype=float)
        if self.several:
            things = ", ".join("time" if name is None else f"sensor '{name}'" for name in self.arguments)
            raise LawError(f"{self.title} is a function of several things, {things}: it has no value at x alone")
        evaluator = self.evaluator
        out = [0.0] * OUT_SIZE
        results = np.empty(arguments.size)
        for i, argument in enumerate(arguments.ravel().tolist()):
            status = evaluator(p, argument, out)
            if status:
                raise self.failed(f"x = {argument:.9g}", status)
            results[i] = out[which]
        return float(results[0]) if arguments.ndim == 0 else results.reshape(arguments.shape)

    def failed(self, where: str, status: int) -> LawError:
        """The error for a status of its evaluator."""
        return LawError(f"{self.title} at {where}: {ERRORS[status]}")

    def plot(self, start: float = 0.0, stop: float | None = None, order: int = 0, axes: Axes | None = None) -> Axes:
        """Draw f (order 0), f′ (1) or f″ (2) from `start` to `stop` with matplotlib; returns the axes."""
        import matplotlib.pyplot as plt

        if stop is None:
            last = max((point for point in self.breakpoints if point > start), default=start + 1.0)
            stop = start + 1.2 * (last - start)
        x = np.linspace(start, stop, 1001)
        axes = axes if axes is not None else plt.subplots()[1]
        axes.plot(x, self.derivative(x, order) if order else self(x))
        axes.set_xlabel("x")
        axes.set_ylabel("f" + "′" * order + "(x)")
        return axes

    def __add__(self, other: Function | Quantity) -> Function:
        from flexor.functions.sum import Sum

        return Sum.of(self, other)

    def __radd__(self, other: Function | Quantity) -> Function:
        from flexor.functions.sum import Sum

        return Sum.of(other, self)

    def __mul__(self, other: Function | Quantity) -> Function:
        from flexor.functions.any_function import as_function
        from flexor.functions.constant import Constant
        from flexor.functions.product import Product
        from flexor.functions.scaled import Scaled

        function = as_function(other)
        if isinstance(function, Constant):
            return Scaled(factor=function.value, function=self)
        return Product(factors=(self, function))

    __rmul__ = __mul__

    def __truediv__(self, number: float) -> Function:
        return self * (1.0 / number)

    def __neg__(self) -> Function:
        return self * -1.0

    def __sub__(self, other: Function | Quantity) -> Function:
        from flexor.functions.any_function import as_function

        return self + -as_function(other)

    def __rsub__(self, other: Function | Quantity) -> Function:
        return other + -self
