"""Joints by elimination whose three angles are the unknowns: their motion is lost in silence where the middle one passes 90°.

With the rates α̇, β̇, γ̇ of three successive rotations the spin has the component ω = α̇ cos β across the axes of the second and the
third. However small it is, the first and the third angle turn by half a turn while β passes 90°, in about the time
ω/(β̇² + ω²): steps that are not much shorter do not see it, and the body goes on with another spin.
"""

from __future__ import annotations

import numpy as np

from flexor.engine.angle_limits import three_angles
from flexor.engine.system import System
from flexor.warning import warn

STEEP = 0.2
"""|cos β| below which the first angle turns much faster than the body."""
OFF = 0.2
"""Error of the spin, in parts of it, over the square of the turn of the first angle in a step [1/rad²], as measured while that is slight."""
SLIGHT = 1e-3
"""Error of the spin, in parts of it, that is not told."""
ACROSS = 1e-6
"""Part of the spin across the axes below which β may pass 90° as in a plane."""


class SteepAngles(UserWarning):
    """The middle one of three angles that are unknowns has come so close to 90° that the steps do not resolve the others."""


class SteepJoints:
    """Watches the angles of joints by elimination that have three of them.

    implicit: whether steps are made with these angles; the other solvers have coordinates of their own.
    """

    def __init__(self, system: System, implicit: bool) -> None:
        joints = three_angles(system) if implicit else ()
        found = [turning for _, turning in joints if turning[0] >= 0 and turning[1] >= 0]
        self._first, self._middle = (np.array([each[i] for each in found], dtype=np.int64) for i in (0, 1))
        self._names = [system.mechanism.scalars[each[1]].name for each in found]
        self._before = np.zeros(len(found))
        self._worst: tuple[float, str, float, float] = 0.0, "", 0.0, 0.0
        if found:
            self._before = np.cos(system.memory.s[3 * self._middle])

    def most(self, system: System, steps: int) -> int:
        """So many steps, or as few as none of the middle angles comes to 90° unseen within."""
        if not len(self._middle):
            return steps
        s, h = system.memory.s, max(float(system.run.next_step), 1e-300)
        cosine = np.abs(np.cos(s[3 * self._middle]))
        across = s[3 * self._first + 1] * cosine
        turn = h * np.hypot(s[3 * self._middle + 1], across)
        return int(np.clip(np.min(0.5 * np.arcsin(cosine) / np.maximum(turn, 1e-9)), 1, steps))

    def watch(self, system: System) -> None:
        """Look at the present angles and their rates."""
        if not len(self._middle):
            return
        s, h = system.memory.s, float(system.run.last_step)
        cosine = np.cos(s[3 * self._middle])
        first, middle = np.abs(s[3 * self._first + 1]), np.abs(s[3 * self._middle + 1])
        passed = (cosine * self._before < 0) & (first * np.abs(cosine) > ACROSS * middle)
        turn = np.where(np.abs(cosine) < STEEP, h * first, 0.0)
        turn = np.where(passed, np.maximum(turn, np.pi), turn)
        self._before = cosine
        i = int(np.argmax(turn))
        if turn[i] > self._worst[0]:
            off = float(np.degrees(np.arcsin(min(abs(cosine[i]), 1.0))))
            self._worst = float(turn[i]), self._names[i], off, float(system.run.time0)

    def tell(self) -> None:
        """Warn at the end of a run."""
        turn, name, off, when = self._worst
        if OFF * turn**2 <= SLIGHT:
            return
        joint = name.rpartition(".")[0]
        what = "passes ±90 deg within a step" if turn >= np.pi else f"comes within {off:.2g} deg of ±90 deg"
        warn(
            f"'{name}' {what} at t = {when:.6g} s, and joint '{joint}' is enforced by elimination: its two other angles turn by "
            f"{turn:.2g} rad in a step there, and the spin of what it carries is off by {100 * OFF * turn**2:.1g} % or more, and may stay so. What helps: "
            "enforcement: multipliers, form: rotation_vector of a ball, other axes, or error control",
            SteepAngles,
        )
