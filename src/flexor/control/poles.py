"""Transfer functions of first and second order.   FTG 8.4.5, types 41–44"""

from __future__ import annotations

import math
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from flexor.control.linear_block import LinearBlock, Time
from flexor.control.realisation import StateMatrices, realised
from flexor.declaration import Number, quantity

AnyTime = Annotated[float, quantity("time")]


class RealPole(LinearBlock):
    """A lag of first order, K/(1 + T s). Signal: value."""

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "time", "gain")
    type: Literal["real_pole"] = "real_pole"
    samples: ClassVar[tuple[dict[str, Any], ...]] = ({"input": "tilt", "time": "50 ms", "gain": 2.0},)
    time: Time = Field(description="T, in which the output comes to 63 % of its final value [s].")
    gain: Number = Field(1.0, description="K, the steady gain.")

    @property
    def linear(self) -> StateMatrices:
        return realised((self.gain,), (self.time, 1.0))


class ComplexPole(LinearBlock):
    """A pair of complex poles, K/(s² + 2 ζ ω₀ s + ω₀²), with the steady gain K/ω₀². Signal: value."""

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "frequency", "damping", "gain")
    type: Literal["complex_pole"] = "complex_pole"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"input": "tilt", "frequency": "3 Hz", "damping": 0.2, "gain": 40.0},
    )
    frequency: Annotated[float, quantity("frequency"), Field(gt=0)] = Field(
        description="Natural frequency ω₀/2π, undamped [Hz]."
    )
    damping: float = Field(description="ζ, relative to critical damping.", gt=0)
    gain: Number | None = Field(None, description="K; ω₀², so that the steady gain is one, if left out.")

    @property
    def linear(self) -> StateMatrices:
        omega = 2 * math.pi * self.frequency
        gain = omega**2 if self.gain is None else self.gain
        return realised((gain,), (1.0, 2 * self.damping * omega, omega**2))


class FirstOrder(LinearBlock):
    """Lead or lag, K (1 + T₂ s)/(1 + T₁ s). Signal: value."""

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "lag", "lead", "gain")
    type: Literal["first_order"] = "first_order"
    samples: ClassVar[tuple[dict[str, Any], ...]] = ({"input": "tilt", "lag": "50 ms", "lead": "0.2 s", "gain": 2.0},)
    lag: Time = Field(description="T₁, of the pole [s].")
    lead: AnyTime = Field(0.0, description="T₂, of the zero [s].")
    gain: Number = Field(1.0, description="K, the steady gain.")

    @property
    def linear(self) -> StateMatrices:
        return realised((self.gain * self.lead, self.gain), (self.lag, 1.0))


class SecondOrder(LinearBlock):
    """Two poles and two zeros, K (1 + T₃ s + T₄ s²)/(1 + T₁ s + T₂ s²). Signal: value."""

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "denominator", "numerator", "gain")
    type: Literal["second_order"] = "second_order"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"input": "tilt", "denominator": (0.1, 0.02), "numerator": (0.3, 0.001), "gain": 2.0},
    )
    denominator: tuple[float, Annotated[float, Field(gt=0)]] = Field(
        description="T₁ and T₂ of 1 + T₁ s + T₂ s² [s, s²]."
    )
    numerator: tuple[float, float] = Field((0.0, 0.0), description="T₃ and T₄ of 1 + T₃ s + T₄ s² [s, s²].")
    gain: Number = Field(1.0, description="K, the steady gain.")

    @property
    def linear(self) -> StateMatrices:
        (t1, t2), (t3, t4), k = self.denominator, self.numerator, self.gain
        return realised((k * t4, k * t3, k), (t2, t1, 1.0))
