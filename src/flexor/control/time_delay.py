"""Time delay: y(t) = u(t − T).   FTG 8.4.2, type 11

The past of the input is kept in a ring of samples, of which those next to t − T are interpolated linearly, within the step too where the delay
is shorter than that. Where steps are many in the delay, samples are left out, evenly.

Where the input jumped there are two samples of one time. The output jumps a delay later: a step ends there (`flexor.law.law`, regimes), with
the sample before the jump, and the next one begins with that behind it. So it is with `initial`, which the input of t = 0 follows.

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
from flexor.law.face import INTEGRATED, SWITCH, TOUCH, TRANSITION
from flexor.law.record import Record, integer, nested, number, tail

JUMP = 1e-9
"""Change of the input at an instant, relative to it, that is a jump."""
FULL = 1
ERRORS = {FULL: "its input jumps more often within the delay than it has room for; raise room"}


class Delay(Record):
    """Parameters of the law."""

    outputs = integer("1")
    delay = number("T", "s")
    initial = number("output before the input has come through")
    room = integer("samples that there is room for")
    slow = nested(LinearEquations, "what it is for small motions")


class Ring(Record):
    """What it remembers."""

    regime = number("0: it has not begun")
    steady = number("1: the input has always been what it is at the begin")
    count = number("samples so far")
    first = number("the sample behind the last jump of the output; -1: there is none yet")
    jump = number("the sample behind its next jump; count: none is known")
    samples = tail("time and value of each, round and round")


def _time(p, h, i):
    return h.samples[2 * (i % p.room)]


def _value(p, h, i):
    return h.samples[2 * (i % p.room) + 1]


def _jumps(p, h, i):
    """Whether the input jumped from the sample before to this one; the first one follows the initial value."""
    return i == 0 if i < 1 else _time(p, h, i) == _time(p, h, i - 1)


def _past(p, h, t):
    """The input at a time before the last sample, as it comes through between two jumps of the output."""
    low = max(int(h.first), int(h.count) - p.room)
    high = int(h.jump) - 1
    if high < 0 or low < 0:
        return p.initial
    low = min(low, high)
    if t <= _time(p, h, low):
        return _value(p, h, low)
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


def _forgotten(p, h, t):
    """Whether a sample of that time has been written over."""
    first = int(h.count) - p.room
    return first > 0 and first > int(h.first) and t < _time(p, h, first)


def _put(p, h, t, u):
    """Another sample; it takes the place of the last one where that is near the one before it, unless the input jumped to either."""
    count = int(h.count)
    near = count > 1 and _time(p, h, count - 1) - _time(p, h, count - 2) < 2.0 * p.delay / p.room
    if near and not _jumps(p, h, count - 1):
        count -= 1
    _set(p, h, count, t, u)


def _set(p, h, i, t, u):
    h.samples[2 * (i % p.room)] = t
    h.samples[2 * (i % p.room) + 1] = u
    h.count = float(i + 1)
    _look(p, h)


def _look(p, h):
    """Go on to the next jump that is known."""
    i = max(int(h.jump), int(h.count) - p.room + 1)
    while i < int(h.count) and not _jumps(p, h, i):
        i += 1
    h.jump = float(min(i, int(h.count)))


def _left(p, h, t):
    """Time until the output jumps [s]."""
    i = int(h.jump)
    return _time(p, h, i) + p.delay - t if h.regime != 0.0 and i < int(h.count) else 1e9


def _begin(p, h, t, u):
    h.regime, h.count, h.jump = 1.0, 0.0, 0.0
    h.first = 0.0 if h.steady != 0.0 else -1.0
    if h.steady != 0.0:
        h.jump = 1.0
    _set(p, h, 0, t, u)


@law(Delay, history=Ring, errors=ERRORS, symmetric=False, transitions=True, signals=read_outputs, told_by_unknowns=True)
def time_delay(want, p, now, out):
    """Unknowns y and states of small motions; reads u"""
    h = now.h
    u = now.lam[1 + p.slow.states]
    if want & RESIDUAL:
        if now.c.states == INTEGRATED or want & ACCELERATION_LEVEL:
            then = now.t - p.delay
            y = 0.0 * u
            if h.regime == 0.0:
                y += u if h.steady != 0.0 else p.initial
            else:
                last = _time(p, h, int(h.count) - 1)
                if then > last and now.t > last and int(h.jump) == int(h.count):
                    before = _value(p, h, int(h.count) - 1)
                    y += before + (then - last) / (now.t - last) * (u - before)
                else:
                    if _forgotten(p, h, then):
                        return FULL
                    y += _past(p, h, then)
            moves(p.slow, now.lam, out.r, y)
        else:
            rests(p.slow, now.lam, out.r)
    if want & TRANSITION:
        out.w[0] = _left(p, h, now.t) / now.c.step
        out.w[1] = _left(p, h, now.t - now.c.step) / now.c.step
    if want & COMMIT:
        if h.regime != 0.0:
            _put(p, h, now.t, u)
        elif now.c.states != INTEGRATED:  # at rest
            h.steady = 1.0
    if want & SWITCH:
        out.w[0] = 0.0
        if h.regime == 0.0:
            _begin(p, h, now.t, u)
        last = int(h.count) - 1
        before = _value(p, h, last)
        if abs(u - before) > JUMP * (abs(u) + abs(before)):
            again = _jumps(p, h, last) and _time(p, h, last) == now.t
            if _time(p, h, last) != now.t:
                _put(p, h, now.t, before)
            _set(p, h, last if again else int(h.count), now.t, u)
        while _left(p, h, now.t) <= 2.0 * TOUCH * now.c.step:
            out.w[0] = 1.0
            h.first = h.jump
            h.jump += 1.0
            _look(p, h)
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
            room=self.room,
            slow=packed(self.slow),
        )
        begin = {"regime": 0.0, "steady": float(self.steady), "count": 0.0, "first": 0.0, "jump": 0.0}
        return [
            Term(
                self.name,
                time_delay,
                rows=rows(self.slow),
                parameters=parameters,
                history=tuple(Ring.pack(**begin, samples=[0.0] * (2 * self.room)).words.tolist()),
                own_outputs=self.signals,
                readings=1 + self.slow.states,
                reads=((inputs[0], 1),),
                rates=rates(self.slow),
            )
        ]
