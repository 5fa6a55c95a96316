"""Turns of joint angles: which values a motor leads through, and that all laws in a joint count the same.

An angle is known from the position up to whole turns only; laws count them from step to step, by the nearest value. A motor
knows the value itself. So where an analysis goes far at once, it is led there on the path that the motors prescribe, in steps
of less than half a turn, and what is driven takes its turns from the motor.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from flexor.coordinates.measure import nearest
from flexor.engine.initial import assemble_positions
from flexor.engine.redundancy import check_closed, choose_anew
from flexor.engine.system import System
from flexor.errors import AssemblyError
from flexor.warning import warn

STRIDE = 0.5
"""How far motors go between two positions [rad, parts of the size]."""
MOST = 4096
"""Positions on a way."""
HALVINGS = 10
"""How often a stretch of it is halved where joints cannot be followed."""


class TurnsNotCounted(UserWarning):
    """A motor goes so far that joints which it does not drive itself cannot be followed."""


def counted(system: System, present: bool = True) -> list[tuple[str, int]]:
    """Angles whose turns laws count: variable, and where in the history; those of now, or others that have their turns in common."""
    terms = enumerate(system.mechanism.terms)
    return [(r.variable, system.place(i, r)) for i, e in terms for r in e.counts if r.present == present]


def angles_of(system: System) -> dict[str, float]:
    """Angles with the turns that have been counted, in laws or in eliminated joints."""
    scalars = enumerate(system.mechanism.scalars)
    eliminated = {scalar.name: float(system.memory.s[3 * i]) for i, scalar in scalars if scalar.unit == "rad"}
    return {variable: float(system.memory.history[place]) for variable, place in counted(system)} | eliminated


def set_turns(system: System, values: Mapping[str, float]) -> None:
    """Count the turns of these angles from these values, in laws and in eliminated joints alike."""
    history, s = system.memory.history, system.memory.s
    for variable, place in counted(system) + counted(system, present=False):
        if variable in values:
            history[place] = nearest(history[place], values[variable])
    for i, scalar in enumerate(system.mechanism.scalars):
        if scalar.name in values and scalar.unit == "rad":
            s[3 * i] = nearest(float(s[3 * i]), values[scalar.name])


def count_turns(system: System) -> None:
    """Count on from a position less than half a turn ago; nothing else that laws remember changes."""
    places = [place for _, place in counted(system)]
    if places:
        history = system.memory.history
        before = history.copy()
        system.call("commit")
        before[places] = history[places]
        history[:] = before


def wound(system: System) -> float:
    """The largest angle of a joint [rad]."""
    return max((abs(angle) for angle in angles_of(system).values()), default=0.0)


def driven(system: System, time: float) -> dict[str, float]:
    """What motors prescribe at a time, by variable."""
    before, now = system.memory.history.copy(), float(system.run.time)
    system.run.time = time
    system.call("commit")
    found = {
        each.variable: float(system.memory.history[system.place(i, each)])
        for i, term in enumerate(system.mechanism.terms)
        for each in term.drives
    }
    system.memory.history[:] = before
    system.run.time = now
    return found


def led(system: System, time: float) -> bool:
    """Bring a mechanism to where its motors are at a time, on the way that they go; False, and nothing done, if it is short."""
    times = _stops(system, time)
    for stop in times:
        by_halves(system, stop)
    return bool(times)


def by_halves(system: System, time: float, count: int = HALVINGS) -> None:
    """Go on to a time; half of the way first where that is too far at once, as for a wheel that a gear drives many times faster."""
    begin, before = float(system.run.time), system.copy("x", "R", "s", "history")
    system.run.time = system.run.time0 = time
    try:
        close(system)
    except AssemblyError:
        if count == 0:
            raise
        system.run.time = system.run.time0 = begin
        system.put(before)
        if system.mechanism.followers:
            system.call("follow")
        by_halves(system, 0.5 * (begin + time), count - 1)
        by_halves(system, time, count - 1)
        return
    system.call("commit")
    set_turns(system, driven(system, time))


def close(system: System) -> None:
    """Close all constraints; where others than before follow from the rest, those are left out from here on."""
    assemble_positions(system)
    if choose_anew(system):
        assemble_positions(system)
        check_closed(system)


def _stops(system: System, end: float) -> list[float]:
    """Times between which no motor goes farther than STRIDE, if there is more than one."""
    begin = float(system.run.time)
    if begin == end or not (here := driven(system, begin)):
        return []
    lengths = np.array([_is_length(system, variable) for variable in here])
    unit = np.where(lengths, max(float(system.run.length_scale), 1e-9), 1.0)
    rate, second = (np.abs(system.nodes(name)[:, 3:]).max(initial=0.0) for name in ("v", "a"))
    spin = (rate + 0.5 * second * abs(end - begin)) * abs(end - begin)
    count, last = 2, np.inf
    while True:
        times = begin + (end - begin) * np.arange(count + 1) / count
        values = np.array([list(driven(system, t).values()) for t in times]) / unit
        steps = np.maximum(np.abs(np.diff(values, axis=0)).max(axis=1), spin / count)
        longest = float(steps.max())
        if longest <= STRIDE or count >= MOST or (count > 64 and longest > 0.9 * last):  # a jump
            break
        count, last = 2 * count, longest
    if steps.sum() <= STRIDE:
        return []
    if longest > 2.0 and count >= MOST:
        warn(
            f"motors go {steps.sum():.3g} rad from t = {begin:g} s to {end:g} s: turns of joints that they do not drive "
            "themselves are not counted. What helps: ask for more instants between",
            TurnsNotCounted,
        )
        return [end]
    gone = np.floor(np.cumsum(steps) / STRIDE)
    chosen = times[1:][np.diff(gone, prepend=0.0) > 0]
    return [*(t for t in chosen.tolist() if t != end), end]


def _is_length(system: System, variable: str) -> bool:
    """Whether a driven variable is a translation: nothing counts its turns."""
    angles = {name for name, _ in counted(system)} | {s.name for s in system.mechanism.scalars if s.unit == "rad"}
    return variable not in angles
