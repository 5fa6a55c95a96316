"""Sine: a harmonic oscillation, for all x, from a start on, or for a number of cycles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ClassVar, Literal

from pydantic import Field

from flexor.declaration import Angle, Number
from flexor.functions.periodic import Periodic


def sine_evaluator(p, x, out):
    amplitude, omega, phase, offset, origin, begin, end = p[0], p[1], p[2], p[3], p[4], p[5], p[6]
    angle = omega * (x - origin) + phase
    out[0] = offset
    out[1] = 0.0
    out[2] = 0.0
    if begin <= x <= end:
        out[0] = offset + amplitude * math.sin(angle)
        out[1] = amplitude * omega * math.cos(angle)
        out[2] = -amplitude * omega * omega * math.sin(angle)
    # ∫ₐᵇ sin(ω(x−x₀)+φ) dx = 2/ω sin((α+β)/2) sin((β−α)/2), α, β the angles at a, b: no cancellation
    a = min(max(0.0, begin), end)
    b = min(max(x, begin), end)
    mean = omega * (0.5 * (a + b) - origin) + phase
    out[3] = offset * x + 2.0 * amplitude / omega * math.sin(mean) * math.sin(0.5 * omega * (b - a))
    return 0


class Sine(Periodic):
    """f(x) = offset + amplitude · sin(2π frequency · (x − start) + phase).

    Without `start` and `cycles` it oscillates for all x, counted from x = 0. With `start` it is switched on
    there, with `cycles` it is switched off after so many periods (a half-sine shock has cycles 0.5); outside
    it is `offset`. Unless the sine is zero at these points the function jumps there.
    """

    positional: ClassVar[tuple[str, ...]] = ("amplitude",)
    value_fields: ClassVar[tuple[str, ...]] = ("amplitude", "offset")
    argument_fields: ClassVar[tuple[str, ...]] = ("start",)
    evaluator: ClassVar[Callable[..., int]] = staticmethod(sine_evaluator)
    type: Literal["sine"] = "sine"
    amplitude: Number = Field(description="Amplitude about the offset.")
    phase: Angle = Field(0.0, description="Phase at the start, e.g. 90 deg for a cosine [rad].")
    offset: Number = Field(0.0, description="Mean value.")
    start: Number | None = Field(None, description="Where it is switched on, e.g. 1 s; without it, it is always on.")
    cycles: float | None = Field(None, description="Number of periods until it is switched off.", gt=0)

    @property
    def _span(self) -> tuple[float, float]:
        begin = -math.inf if self.start is None and self.cycles is None else self.start or 0.0
        return begin, math.inf if self.cycles is None else begin + self.cycles / self.frequency

    @property
    def parameters(self) -> tuple[float, ...]:
        omega = 2.0 * math.pi * self.frequency
        return (self.amplitude, omega, self.phase, self.offset, self.start or 0.0, *self._span)

    @property
    def breakpoints(self) -> tuple[float, ...]:
        return tuple(point for point in self._span if math.isfinite(point))


sine = Sine
