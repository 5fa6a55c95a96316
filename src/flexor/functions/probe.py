"""Probe: what an analysis adds to a function of time to see how the equations depend on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

from flexor.functions.function import Function


def probe_evaluator(p, x, out):
    for i in range(4):
        out[i] = p[i]
    return 0


class Probe(Function):
    """Value, rate, second rate and integral as given, at any time. Made by analyses; models do not declare it."""

    evaluator: ClassVar[Callable[..., int]] = staticmethod(probe_evaluator)
    type: Literal["probe"] = "probe"
    values: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)

    @property
    def parameters(self) -> tuple[float, ...]:
        return self.values
