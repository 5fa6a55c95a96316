"""Hysteresis: a play between input and output, as that of gears.   FTG 8.4.3, type 24

    y = α (u − R) on the right slope, as u rises;   α (u − L) on the left slope, as it falls;   y as it was between them
    over a step:   y = min(max(y₀, α (u − R)), α (u − L))        for α > 0

The guide prints "y₁ otherwise"; between the slopes the output keeps its value. A step ends where a slope is met.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from flexor.control.block import SingleInput
from flexor.control.state_equations import read_outputs
from flexor.declaration import Number
from flexor.law import COMMIT, OUTPUT, RESIDUAL, Term, law
from flexor.law.face import ACCELERATION_LEVEL, INTEGRATED, SWITCH, TOUCH, TRANSITION
from flexor.law.record import Record, integer, number

REST, SLOPE = 1.0, 2.0


class Play(Record):
    """Parameters of the law."""

    slope = number("α")
    left = number("L")
    right = number("R")
    outputs = integer("1")


class PlayTaken(Record):
    """What it remembers."""

    regime = number("0: it has not begun; 1: between the slopes; 2: on one of them")
    value = number("output at the end of the last step")
    margin = number("against the nearer slope then, in widths")


def _margin(p, u, y):
    """How far y is from the slopes, in widths of the play."""
    a, b = p.slope * (u - p.right), p.slope * (u - p.left)
    low, high = min(a, b), max(a, b)
    return min(y - low, high - y) / (high - low)


def _moved(p, u, y):
    a, b = p.slope * (u - p.right), p.slope * (u - p.left)
    return min(max(y + 0.0 * u, min(a, b)), max(a, b))


@law(Play, history=PlayTaken, symmetric=False, transitions=True, signals=read_outputs, told_by_unknowns=True)
def play(want, p, now, out):
    """Unknown y; reads u"""
    h, u = now.h, now.lam[1]
    if want & RESIDUAL:
        y = _moved(p, u, h.value)
        if h.regime == REST and now.c.states == INTEGRATED and not want & ACCELERATION_LEVEL:
            y = h.value + 0.0 * u
        out.r[0] = now.lam[0] - y
    if want & TRANSITION:
        out.w[0] = _margin(p, u, h.value) if h.regime == REST else 1.0
        out.w[1] = h.margin if h.regime == REST else 1.0
    if want & (COMMIT | SWITCH):
        y = now.lam[0]
        margin = _margin(p, u, y)
        if h.regime == SLOPE and margin > TOUCH:
            h.regime = REST
        h.value, h.margin = y, margin
        if want & SWITCH:
            if h.regime == 0.0 or margin <= TOUCH:
                h.regime = REST if margin > TOUCH else SLOPE
            out.w[0] = 0.0
    if want & OUTPUT:
        out.w[0] = now.lam[0]
    return 0


class Hysteresis(SingleInput):
    """Play: the output follows with the slope α as soon as the play between `left` and `right` is used up. Signal: value."""

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "left", "right", "slope")
    type: Literal["hysteresis"] = "hysteresis"
    samples: ClassVar[tuple[dict[str, Any], ...]] = ({"input": "tilt", "left": -0.1, "right": 0.2, "slope": 1.5},)
    left: Number = Field(description="L: as the input falls, y = α (u − L).")
    right: Number = Field(description="R: as it rises, y = α (u − R).")
    slope: float = Field(1.0, description="α.", gt=0)
    initial: Number = Field(0.0, description="Output at the begin, as far as the input there leaves it open.")

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not self.left < self.right:
            raise ValueError(f"left = {self.left:g} is not below right = {self.right:g}; exchange them")
        return self

    def block_terms(self, inputs: tuple[str, ...]) -> list[Term]:
        return [
            Term(
                self.name,
                play,
                rows=("value",),
                parameters=Play.pack(slope=self.slope, left=self.left, right=self.right, outputs=1),
                history=PlayTaken.begin(value=self.initial),
                own_outputs=self.signals,
                readings=1,
                reads=((inputs[0], 1),),
            )
        ]
