"""One end of a transmission line, as the simulator there sees it: a force that depends on its motion and on what has arrived.

Forces and velocities of a 3-D line are in global axes. Torques and angular velocities run along in axes that turn with the ends: in
global axes a moment that turns with a shaft would be bent back by the delay, and two ends that turn as one would not be at rest to
each other. The axes of the two ends differ by the rotation between them at the start.   NAK 23, 24.5
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flexor.cosim.tlm.line import TransmissionLine
from flexor.cosim.tlm.waves import Wave, Waves

Numbers = Sequence[float]
UNTURNED = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
ORIGIN = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class PointMotion:
    """Position, orientation and velocity of an interface point.

    Of a 3-D line: x [m], R (nine numbers row by row, interface axes → global), v [m/s] and ω [rad/s] in global axes.
    Of a 1-D line: x and v have one number each, R is not used.
    """

    x: Numbers
    v: Numbers
    R: Numbers = UNTURNED
    omega: Numbers = ORIGIN


@dataclass(frozen=True, slots=True)
class Sample:
    """What one end tells the other: its motion at a time [s], and the wave that leaves it then.

    The wave has forces [N] in global axes, then torques [N m] in the axes of the interface.
    """

    time: float
    motion: PointMotion
    wave: Wave


class LineEnd:
    """One end of a line. Fed by `receive` with what the other one sent; asked for its force, told its motion."""

    def __init__(self, line: TransmissionLine, dimensions: int = 3) -> None:
        self.line = line
        self.dimensions = dimensions
        self.waves = Waves(line.delay, line.alpha)
        self._mine: Numbers | None = None
        self._turn: list[float] | None = None  # R_mineᵀ R_theirs at the start

    def begin(self, time: float, motion: PointMotion, force: Numbers | None = None) -> Sample:
        """The state at the start; the line exerts no force there, or this one (force and torque, global axes)."""
        Z, Zr = self.line.impedance, self.line.rotary
        if self.dimensions == 1:
            f = 0.0 if force is None else force[0]
            return Sample(time, motion, (Z * motion.v[0] - f,))
        f6 = force if force is not None else (0.0,) * 6
        self._mine = tuple(motion.R)
        u = [Z * v - f for v, f in zip(motion.v, f6[:3], strict=True)]
        torque = [Zr * w - m for w, m in zip(motion.omega, f6[3:], strict=True)]
        return Sample(time, motion, (*u, *into(motion.R, torque)))

    def receive(self, sample: Sample) -> None:
        """What the other end sent."""
        m = sample.motion
        if self.dimensions == 1:
            self.take((sample.time, m.x[0], m.v[0], sample.wave[0]))
        else:
            self.take((sample.time, *m.x, *m.R, *m.v, *m.omega, *sample.wave))

    def take(self, n: Numbers) -> None:
        """The same as plain numbers: time, position, orientation, velocities, wave; 4 of a 1-D line, 25 of a 3-D one."""
        if self.dimensions == 1:
            self.waves.receive(n[0], (n[3],))
            return
        if self._turn is None:
            mine = self._mine if self._mine is not None else n[4:13]
            self._turn = transposed_times(mine, n[4:13])
        if self.line.rotary:
            self.waves.receive(n[0], (n[19], n[20], n[21], *out_of(self._turn, n[22:25])))
        else:
            self.waves.receive(n[0], n[19:25])

    def force(self, time: float, motion: PointMotion) -> tuple[float, ...]:
        """Force (and torque) on the body at this end [N], [N m], global axes: f = w(t) − Z v. Any number of times, for trial motions."""
        w = self.waves.at(time)
        Z, Zr = self.line.impedance, self.line.rotary
        if self.dimensions == 1:
            return (w[0] - Z * motion.v[0],)
        v, omega = motion.v, motion.omega
        m = out_of(motion.R, w[3:])
        return (
            w[0] - Z * v[0], w[1] - Z * v[1], w[2] - Z * v[2],
            m[0] - Zr * omega[0], m[1] - Zr * omega[1], m[2] - Zr * omega[2],
        )  # fmt: skip

    def leaving(self, time: float, motion: PointMotion) -> Sample:
        """The wave that leaves at the end of a step that is done: u = 2 Z v − w(t)."""
        w = self.waves.at(time)
        Z, Zr = 2 * self.line.impedance, 2 * self.line.rotary
        self.waves.forget(time)
        if self.dimensions == 1:
            return Sample(time, motion, (Z * motion.v[0] - w[0],))
        v = motion.v
        o = into(motion.R, motion.omega)
        return Sample(
            time,
            motion,
            (Z * v[0] - w[0], Z * v[1] - w[1], Z * v[2] - w[2],
             Zr * o[0] - w[3], Zr * o[1] - w[4], Zr * o[2] - w[5]),
        )  # fmt: skip


def out_of(R: Numbers, u: Numbers) -> tuple[float, float, float]:
    """R u"""
    x, y, z = u
    return (R[0] * x + R[1] * y + R[2] * z, R[3] * x + R[4] * y + R[5] * z, R[6] * x + R[7] * y + R[8] * z)


def into(R: Numbers, u: Numbers) -> tuple[float, float, float]:
    """Rᵀ u"""
    x, y, z = u
    return (R[0] * x + R[3] * y + R[6] * z, R[1] * x + R[4] * y + R[7] * z, R[2] * x + R[5] * y + R[8] * z)


def transposed_times(A: Numbers, B: Numbers) -> list[float]:
    """Aᵀ B"""
    return [sum(A[3 * k + i] * B[3 * k + j] for k in range(3)) for i in range(3) for j in range(3)]
