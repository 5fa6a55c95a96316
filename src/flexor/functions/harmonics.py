"""Harmonics: a Fourier sum, e.g. the torque of an engine over the crank angle."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ClassVar, Literal

from pydantic import Field

from flexor.declaration import Number
from flexor.functions.periodic import Periodic


def harmonics_evaluator(p, x, out):
    n, omega = int(p[0]), p[1]
    f = p[2]
    f1 = 0.0
    f2 = 0.0
    integral = p[2] * x
    for i in range(n):
        k = (i + 1) * omega
        c = p[3 + 2 * i]
        s = p[4 + 2 * i]
        cos = math.cos(k * x)
        sin = math.sin(k * x)
        half = math.sin(0.5 * k * x)
        f += c * cos + s * sin
        f1 += k * (s * cos - c * sin)
        f2 -= k * k * (c * cos + s * sin)
        integral += (c * sin + 2.0 * s * half * half) / k  # 1 − cos kx = 2 sin²(kx/2)
    out[0] = f
    out[1] = f1
    out[2] = f2
    out[3] = integral
    return 0


class Harmonics(Periodic):
    """f(x) = mean + Σₖ (cosines[k] cos kωx + sines[k] sin kωx), k = 1, 2, …, ω = 2π frequency."""

    positional: ClassVar[tuple[str, ...]] = ("frequency",)
    value_fields: ClassVar[tuple[str, ...]] = ("mean", "cosines", "sines")
    evaluator: ClassVar[Callable[..., int]] = staticmethod(harmonics_evaluator)
    type: Literal["harmonics"] = "harmonics"
    cosines: tuple[Number, ...] = Field((), description="Amplitudes of cos ωx, cos 2ωx, …", max_length=1000)
    sines: tuple[Number, ...] = Field((), description="Amplitudes of sin ωx, sin 2ωx, …", max_length=1000)
    mean: Number = Field(0.0, description="Mean value.")

    @property
    def parameters(self) -> tuple[float, ...]:
        n = max(len(self.cosines), len(self.sines))
        cosines = self.cosines + (0.0,) * (n - len(self.cosines))
        sines = self.sines + (0.0,) * (n - len(self.sines))
        pairs = [amplitude for pair in zip(cosines, sines, strict=True) for amplitude in pair]
        return (float(n), 2.0 * math.pi * self.frequency, self.mean, *pairs)


harmonics = Harmonics
