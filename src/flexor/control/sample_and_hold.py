"""Sample and hold: takes its input at the ticks of a clock and keeps it until the next.   FTG 8.4.2, type 12

Ticks are at t = (d + k m) T. Steps end there, exactly (`flexor.engine.loop`); all that sample at an instant do so before any of them changes
its output: two in a row, of one clock, make a shift register.

For small motions it is taken for what it does to slow signals, a delay by half a period, e^(−s m T/2) by Padé's formula of first degree.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from flexor.control.block import SingleInput
from flexor.control.held_states import moves, packed, rates, rests, rows
from flexor.control.linear_block import LinearEquations, Time
from flexor.control.realisation import StateMatrices, pade
from flexor.control.state_equations import read_outputs
from flexor.declaration import Number
from flexor.law import ACCELERATION_LEVEL, COMMIT, OUTPUT, RESIDUAL, Term, law
from flexor.law.dual import floor
from flexor.law.face import INTEGRATED, SWITCH, TRANSITION
from flexor.law.record import Record, integer, nested, number

EARLY = 1e-6
"""Of a period: how much before a tick it is due."""


class Hold(Record):
    """Parameters of the law."""

    outputs = integer("1")
    period = number("m T", "s")
    first = number("d T, time of the first sample", "s")
    slow = nested(LinearEquations, "what it is for small motions")


class Sampled(Record):
    """What it remembers."""

    regime = number("0: it has not begun")
    value = number("the last sample")
    due = number("number of the next one")


@law(Hold, history=Sampled, symmetric=False, transitions=True, signals=read_outputs, told_by_unknowns=True)
def sample_and_hold(want, p, now, out):
    """Unknowns y and states of small motions; reads u"""
    h = now.h
    u = now.lam[1 + p.slow.states]
    if want & RESIDUAL:
        if now.c.states == INTEGRATED or want & ACCELERATION_LEVEL:
            moves(p.slow, now.lam, out.r, h.value)
        else:
            rests(p.slow, now.lam, out.r)
    if want & TRANSITION:
        out.w[0] = out.w[1] = 1.0
    if want & COMMIT and h.regime == 0.0 and now.c.states != INTEGRATED:  # at rest
        h.value = now.lam[0]
    if want & SWITCH:
        out.w[0] = 0.0
        if h.regime == 0.0:
            h.regime = 1.0
            h.due = max(0.0, floor((now.t - p.first) / p.period - EARLY) + 1.0)
        if now.t >= p.first + (h.due - EARLY) * p.period:
            out.w[0] = 1.0
            h.value = u
            h.due = floor((now.t - p.first) / p.period + EARLY) + 1.0
    if want & OUTPUT:
        out.w[0] = now.lam[0]
    return 0


class SampleAndHold(SingleInput):
    """Takes its input every `multiple` of a period, beginning `phase` periods late, and holds it until the next time. Signal: value.

    Before the first sample its output is `initial`.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "period")
    type: Literal["sample_and_hold"] = "sample_and_hold"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {"input": "tilt", "period": "10 ms"},
        {"input": "tilt", "period": "10 ms", "multiple": 3, "phase": 1, "initial": 0.2},
    )
    period: Time = Field(description="Basic period T of the clock [s].")
    multiple: int = Field(1, description="m: it samples every m-th tick.", ge=1)
    phase: float = Field(0.0, description="d: how many basic periods after t = 0 it samples first.", ge=0)
    initial: Number = Field(0.0, description="Output before the first sample.")

    @property
    def slow(self) -> StateMatrices:
        """What it is for small motions."""
        return pade(0.5 * self.multiple * self.period, 1)

    def block_terms(self, inputs: tuple[str, ...]) -> list[Term]:
        period, first = self.multiple * self.period, self.phase * self.period
        return [
            Term(
                self.name,
                sample_and_hold,
                rows=rows(self.slow),
                parameters=Hold.pack(outputs=1, period=period, first=first, slow=packed(self.slow)),
                history=Sampled.begin(value=self.initial),
                own_outputs=self.signals,
                readings=1 + self.slow.states,
                reads=((inputs[0], 1),),
                rates=rates(self.slow),
                clocks=((period, first),),
            )
        ]
