"""Any proper transfer function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from flexor.control.linear_block import LinearBlock
from flexor.control.python_control import continuous
from flexor.control.realisation import StateMatrices, realised

if TYPE_CHECKING:
    from flexor.control.block import Input


class TransferFunction(LinearBlock):
    """(b₀ sᵐ + … + bₘ)/(a₀ sⁿ + … + aₙ) with m ≤ n. Signal: value."""

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "numerator", "denominator")
    type: Literal["transfer_function"] = "transfer_function"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"input": "tilt", "numerator": (0.02, 0.5, 1.0), "denominator": (2e-4, 0.03, 0.4, 1.0)},
    )
    numerator: tuple[float, ...] = Field(description="b₀, b₁, …, from the highest power of s down.", min_length=1)
    denominator: tuple[float, ...] = Field(description="a₀, a₁, …, from the highest power of s down.", min_length=1)

    @model_validator(mode="after")
    def _is_proper(self) -> Self:
        b, a = (np.trim_zeros(np.array(each), "f") for each in (self.numerator, self.denominator))
        if not len(a):
            raise ValueError("denominator: all its coefficients are zero; e.g. [0.1, 1] for 1 + 0.1 s")
        if len(b) > len(a):
            raise ValueError(
                f"it is improper: the numerator is of degree {len(b) - 1}, the denominator of degree {len(a) - 1}, so that it "
                "differentiates its input without limit; add a pole to the denominator, fast beside what matters, e.g. times (T s + 1)"
            )
        return self

    @property
    def linear(self) -> StateMatrices:
        return realised(self.numerator, self.denominator)

    @classmethod
    def of(cls, name: str, input: Input | str, system: Any, **fields: Any) -> Self:
        """From a TransferFunction of python-control (or of scipy.signal) with one input and one output."""
        num, den = (np.atleast_1d(np.squeeze(continuous(each, system))) for each in ("num", "den"))
        return cls(name=name, input=input, numerator=tuple(num), denominator=tuple(den), **fields)
