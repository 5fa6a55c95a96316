"""Time delay: y(t) = u(t − T).   FTG 8.4.2, type 11

The past of the input is kept in a ring of samples, of which those next to t − T are interpolated linearly, within the step too where the delay
is shorter than that. Where steps are many in the delay, samples are left out, evenly.

For small motions it is a rational function, Padé's formula of e^(−s T), of a degree that can be chosen.
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
from flexor.law.face import INTEGRATED, SWITCH, TRANSITION
from flexor.law.record import Record, integer, nested, number, tail


class Delay(Record):
    """Parameters of the law."""

    outputs = integer("1")
    delay = number("T", "s")
    initial = number("output before the input has come through")
    steady = integer("1: the input has always been what it is at the begin")
    room = integer("samples that there is room for")
    slow = nested(LinearEquations, "what it is for small motions")


class Ring(Record):
    """What it remembers."""

    regime = number("0: it has not begun")
    count = number("samples so far")
    samples = tail("time and value of each, round and round")


def _time(p, h, i):
    return h.samples[2 * (i % p.room)]


def _value(p, h, i):
    return h.samples[2 * (i % p.room) + 1]


def _past(p, h, t):
    """The input at a time before the last sample."""
    last = int(h.count) - 1
    first = max(0, last - p.room + 1)
    if t < _time(p, h, first):
        return _value(p, h, first) if p.steady == 1 or first > 0 else p.initial
    low, high = first, last
    while high - low > 1:  # the last sample not later than t is at low or high
        middle = (low + high) // 2
        if _time(p, h, middle) <= t:
            low = middle
        else:
            high = middle
    a, b = _time(p, h, low), _time(p, h, high)
    if t >= b or b <= a:
        return _value(p, h, high)
    return _value(p, h, low) + (t - a) / (b - a) * (_value(p, h, high) - _value(p, h, low))


def _put(p, h, t, u, jumps):
    """Another sample; it takes the place of the last one where that is near the one before it, unless the input jumps from that."""
    count = int(h.count)
    if count > 1 and not jumps and _time(p, h, count - 1) - _time(p, h, count - 2) < 2.0 * p.delay / p.room:
        count -= 1
    h.samples[2 * (count % p.room)] = t
    h.samples[2 * (count % p.room) + 1] = u
    h.count = float(count + 1)


@law(Delay, history=Ring, symmetric=False, transitions=True, signals=read_outputs, told_by_unknowns=True)
def time_delay(want, p, now, out):
    """Unknowns y and states of small motions; reads u"""
    h = now.h
    u = now.lam[1 + p.slow.states]
    if want & RESIDUAL:
        if now.c.states == INTEGRATED or want & ACCELERATION_LEVEL:
            then = now.t - p.delay
            y = 0.0 * u
            if h.regime == 0.0:
                y += u if p.steady == 1 else p.initial
            else:
                last = _time(p, h, int(h.count) - 1)
                if then > last and now.t > last:
                    before = _value(p, h, int(h.count) - 1)
                    y += before + (then - last) / (now.t - last) * (u - before)
                else:
                    y += _past(p, h, then)
            moves(p.slow, now.lam, out.r, y)
        else:
            rests(p.slow, now.lam, out.r)
    if want & TRANSITION:
        out.w[0] = out.w[1] = 1.0
    if want & COMMIT and h.regime != 0.0:
        _put(p, h, now.t, u, False)
    if want & SWITCH:
        if h.regime == 0.0:
            h.regime, h.count = 1.0, 0.0
        if h.count == 0.0 or u != _value(p, h, int(h.count) - 1):
            _put(p, h, now.t, u, True)
        out.w[0] = 0.0
    if want & OUTPUT:
        out.w[0] = now.lam[0]
    return 0


class TimeDelay(SingleInput):
    """Its input of a time before, y(t) = u(t − T). Signal: value."""

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "delay")
    type: Literal["time_delay"] = "time_delay"
    samples: ClassVar[tuple[dict[str, Any], ...]] = ({"input": "tilt", "delay": "30 ms", "initial": 0.1},)
    delay: Time = Field(description="T [s].")
    initial: Number = Field(0.0, description="Output until the input of t = 0 has come through.")
    steady: bool = Field(False, description="Whether the input has always been what it is at t = 0, before it.")
    room: int = Field(1000, description="How many samples of the delayed input are kept at most.", ge=10, le=1_000_000)
    order: int = Field(
        4,
        description="Degree of the rational function that it is in small motions: modes, frequency response.",
        ge=1,
        le=10,
    )

    @property
    def slow(self) -> StateMatrices:
        """What it is for small motions."""
        return pade(self.delay, self.order)

    def block_terms(self, inputs: tuple[str, ...]) -> list[Term]:
        parameters = Delay.pack(
            outputs=1,
            delay=self.delay,
            initial=self.initial,
            steady=int(self.steady),
            room=self.room,
            slow=packed(self.slow),
        )
        return [
            Term(
                self.name,
                time_delay,
                rows=rows(self.slow),
                parameters=parameters,
                history=tuple(Ring.pack(regime=0.0, count=0.0, samples=[0.0] * (2 * self.room)).words.tolist()),
                own_outputs=self.signals,
                readings=1 + self.slow.states,
                reads=((inputs[0], 1),),
                rates=rates(self.slow),
            )
        ]
