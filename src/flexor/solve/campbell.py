"""Campbell diagram: natural frequencies and damping over the speed of a rotation, mode by mode.

Two kinds of rotation. A *rotor* turns in supports that rest: a joint's angle, or a body about an axis, runs at the speed.
Without a rotor the whole mechanism turns together with its ground, as a blade does on its hub.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy import sparse

from flexor.arguments import whole
from flexor.engine.initial import set_proper
from flexor.engine.system import System
from flexor.errors import DivergenceError, ModelError, Problem
from flexor.model import Model
from flexor.solve.change_point import refuse_modes_at_change_point
from flexor.solve.crossing import AXIAL, Crossing, beside, gap_of, root_of
from flexor.solve.linearise import Linearisation, linearise
from flexor.solve.modal_turn import against_spin, modal_generator, turned_back
from flexor.solve.mode_tracks import (
    CIRCULAR,
    EQUAL,
    Pairs,
    felt_change,
    gone_over_to_nutation,
    sizes_of,
    with_definite_whirl,
    without_turn,
)
from flexor.solve.modes import Modes, complex_modes, names_of, whirl_name, with_followers
from flexor.solve.prepare import compile_model
from flexor.solve.rotation import SteadyRotation, generator, seen_from_frame, turntable, whirl
from flexor.solve.rotor import rotor_at_unit_speed, unit_axis
from flexor.solve.state import StartState, adopt, save_state
from flexor.solve.statics import find_equilibrium
from flexor.spatial import exp_so3
from flexor.threads import one_thread
from flexor.units import Quantity, Triple, si

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CampbellFrame = Literal["inertial", "rotating"]
CONSTANT = 1e-6
"""Relative change of the equations over a turn below which they count as constant."""
LATERAL = 1e-6
"""Share of the energy across the axis below which a mode of a rotor is along it or about it."""
FREE = "free"
ROUNDED = 1e-9
"""Part of the speed of a rotor below which a frequency is rounding of the change of frame."""
SPARE = 4
"""Modes looked for beyond those asked for."""
BEGIN = (0.01, 0.2, 0.5)
"""Parts of the first speed at which modes are followed besides, seen from the rotating frame, where that speed is more than the
last part of the lowest |λ|: from rest, where they are planar, whirl begins there, and goes ahead or falls behind with the speed."""
ALIKE, FARTHEST = 0.6, 10.0
"""Likeness (MAC) of a mode at two speeds below which a better one is looked for, up to so many times the largest |λ|."""


@dataclass(frozen=True)
class Campbell:
    """Modes over speed: rows are speeds, columns are modes, each followed from speed to speed by its shape.

    speeds: [rad/s].   frequencies: [Hz], as seen in `frame`.   damping: ratios −Re λ/|λ|.   eigenvalues: λ [1/s].
    whirl: 1 forward on circles, −1 backward, 0 in a plane or along the axis.   lateral: share of the kinetic energy across the
        axis (translations, and rotations about axes across it), from 0 for axial and torsional modes to 1.
    frame: "inertial", or "rotating" where the whole mechanism turns, or a rotor is not round: seen from rest, such a mode
        of frequency f shows at |f ± speed|. Unbalance rests in that frame, so that its critical speeds have the order 0.
    """

    speeds: np.ndarray
    frequencies: np.ndarray
    damping: np.ndarray
    eigenvalues: np.ndarray
    whirl: np.ndarray
    lateral: np.ndarray
    frame: CampbellFrame
    _tracks: list[Pairs] = field(repr=False, compare=False)
    _solve: Callable[[float, float], Pairs] = field(repr=False, compare=False)
    _shapes: Callable[[int], Modes] = field(repr=False, compare=False)
    model: Model = field(repr=False, compare=False)
    """The one that they belong to."""
    _known: dict[float, list[Crossing]] = field(default_factory=dict, repr=False, compare=False)

    def modes(self, number: int) -> Modes:
        """The modes at one of the speeds, by its number, in the order of the lines, with their shapes by name."""
        return self._shapes(number)

    @one_thread
    def critical(self, order: float = 1.0) -> np.ndarray:
        """Speeds [rad/s], ascending, at which a frequency is `order` times the speed; solved for, not interpolated.

        A force that turns with the rotor, such as unbalance, excites order 1 in the inertial frame and order 0 in the
        rotating one; forces that rest excite whole orders in the rotating frame. Unbalance turns forward: it does no work on
        backward whirl on circles, so that such a critical speed is passed unnoticed; nor on axial and torsional modes, which
        are left out where the order is that of unbalance. `crossings` are all, with mode and whirl of each.
        """
        along = order == self.unbalance == 1.0
        return np.array([crossing.speed for crossing in self.crossings(order) if crossing.lateral or not along])

    def crossings(self, order: float = 1.0) -> list[Crossing]:
        """Speeds, ascending, at which a line meets an order, each with its mode and sense of whirl.

        That a free motion begins with order and frequency zero is no crossing.
        """
        if order not in self._known:
            found = []
            for mode in range(self.frequencies.shape[1]):
                gap = gap_of(self.eigenvalues[:, mode], order, self.speeds)
                if len(gap) > 1 and gap[0] == self.speeds[0] == 0:
                    gap[0] = gap[1]
                ahead = np.array([pairs.values[mode].imag > 0 for pairs in self._tracks])
                for k in range(len(gap) - 1):
                    if (gap[k] > 0) != (gap[k + 1] > 0):
                        found.append(self._crossing(order, mode, k))
                    elif order == 0 and gap[k] > 0 and ahead[k] != ahead[k + 1]:
                        found += self._through_zero(mode, k)
            self._known[order] = sorted(found, key=lambda crossing: crossing.speed)
        return self._known[order]

    def _crossing(self, order: float, mode: int, k: int, ends: tuple[float, float] | None = None) -> Crossing:
        """Where a line meets the order between two speeds, or the two ends, of opposite gaps."""
        at = self._line(mode, k)
        low, high = ends or (float(self.speeds[k]), float(self.speeds[k + 1]))
        speed = root_of(lambda x: gap_of(at(x)[0], order, x), low, high)
        return self._met(order, mode, k, speed)

    def _through_zero(self, mode: int, k: int) -> list[Crossing]:
        """Where a line of the rotating frame goes through zero between two speeds: at one, or at the two ends of an instability."""
        at = self._line(mode, k)
        low, high = map(float, self.speeds[k : k + 2])
        speed = root_of(lambda x: at(x)[0].imag, low, high)
        if gap_of(at(speed)[0], 0.0, speed) < 0 < abs(at(speed)[0].real):
            return [self._crossing(0.0, mode, k, ends) for ends in ((low, speed), (speed, high))]
        return [self._met(0.0, mode, k, speed)]

    def _met(self, order: float, mode: int, k: int, speed: float) -> Crossing:
        sense = float(self._line(mode, k)(speed)[1])
        return Crossing(speed, order * speed / (2 * np.pi), mode, sense, not self._along(mode, [k, k + 1]))

    def _line(self, mode: int, k: int) -> Callable[[float], tuple[complex, float]]:
        """Eigenvalue and whirl of a mode at any speed between two of the diagram; Im λ < 0 beyond zero (`Pairs.matched`)."""
        within = 1.5 * float(np.abs(self.eigenvalues[k : k + 2, mode]).max())
        near = np.flatnonzero(np.abs(self.eigenvalues[k : k + 2]).min(axis=0) <= within)
        tracks, own = self._tracks[k].chosen(near), int(np.flatnonzero(near == mode)[0])
        turning = self.frame == "rotating"
        known = {
            float(self.speeds[i]): (complex(self._tracks[i].values[mode]), float(self._tracks[i].whirl[mode]))
            for i in (k, k + 1)
        }

        def solved(speed: float) -> tuple[complex, float]:
            pairs = self._solve(speed, within)
            pairs = pairs.chosen(np.flatnonzero(np.abs(pairs.values) <= max(within, np.abs(pairs.values).min())))
            found = tracks.matched(tracks.aligned(pairs), turning)[1]
            return complex(found.values[own]), float(found.whirl[own])

        def at(speed: float) -> tuple[complex, float]:
            if speed not in known:
                try:
                    known[speed] = solved(speed)
                except DivergenceError as error:
                    known[speed] = beside(solved, speed, error)
            return known[speed]

        return at

    def _along(self, mode: int, rows: Any) -> bool:
        """Whether a mode of a rotor moves along the axis, or about it, alone."""
        return self.frame == "inertial" and bool(np.all(self.lateral[rows, mode] < LATERAL))

    def senses(self) -> list[str]:
        """What each line is: forward, backward, planar, of rotors also axial (or torsional); free where nothing resists it;
        "mixed" where it is one at some speeds and another at others."""
        every = [set(self.senses_of(mode)) for mode in range(self.whirl.shape[1])]
        return [each.pop() if len(each) == 1 else "mixed" for each in every]

    def senses_of(self, mode: int) -> list[str]:
        """How a mode whirls at each speed; at rest, where equal modes may be mixed at will, as at the next speed."""
        along = self._along(mode, slice(None))
        names = [AXIAL if along else whirl_name(value) for value in self.whirl[:, mode]]
        names = [FREE if value == 0 else name for value, name in zip(self.eigenvalues[:, mode], names)]
        return [names[1], *names[1:]] if len(names) > 1 and self.speeds[0] == 0 else names

    def plot(self, file: str | Path | None = None, orders: Sequence[float] = (1.0,)) -> Figure:
        """Draw frequencies over speed with lines frequency = order · speed: to an image file, or in a window.

        Forward whirl is drawn through, backward dashed, planar dash-dotted; circles are critical speeds, with their rpm.
        """
        from flexor.solve.campbell_plot import plot_campbell

        return plot_campbell(self, file, orders)

    def __str__(self) -> str:
        head = "speed [rpm]" + "".join(f"{f'mode {i + 1} [Hz]':>15}" for i in range(self.frequencies.shape[1]))
        rows = [
            f"{speed * 30 / np.pi:11.5g}" + "".join(f"{f:15.6g}" for f in row)
            for speed, row in zip(self.speeds, self.frequencies, strict=True)
        ]
        sense = "whirl      " + "".join(f"{name:>15}" for name in self.senses())
        return "\n".join([f"seen from the {self.frame} frame", head, *rows, sense, self.critical_told(self.unbalance)])

    @property
    def unbalance(self) -> float:
        """The order that unbalance excites."""
        return 1.0 if self.frame == "inertial" else 0.0

    def critical_told(self, order: float) -> str:
        """Critical speeds in words: each in rpm, with its mode and sense of whirl."""
        found = self.crossings(order)
        text = ", ".join(str(crossing) for crossing in found) or f"none up to {self.speeds[-1] * 30 / np.pi:.6g} rpm"
        told = f"critical speeds, frequency = {order:g} × speed: {text}"
        if order == self.unbalance == 1.0:
            idle = ["backward whirl on circles"] * any(crossing.whirl < -CIRCULAR for crossing in found)
            idle += ["axial and torsional modes"] * any(not crossing.lateral for crossing in found)
            told += f"; unbalance does not excite {' nor '.join(idle)}" if idle else ""
        return told


@one_thread
def campbell(
    model: Model,
    speeds: Sequence[Quantity] | np.ndarray,
    count: int = 8,
    *,
    rotor: str | None = None,
    axis: str | Triple | None = None,
    about: Triple = (0.0, 0.0, 0.0),
    start: StartState | None = None,
    python: bool = False,
) -> Campbell:
    """Natural frequencies and damping over speed, about the steady state that the model has at each speed.

    speeds: ascending, [rad/s] or with a unit: ("0 rpm", "500 rpm", …).   count: how many modes, from the lowest.
    rotor: a joint with one angle, which turns at the speed, or a body, which turns about `axis`; the ground rests.
        Left out: the whole mechanism turns with the ground about `axis` through the point `about` [m], and frequencies
        are those in the rotating frame.
    start: the result of another analysis, from whose position each equilibrium is sought.
    Initial velocities and motor speeds of the model do not matter. Its supports must be alike in all directions across
    the axis, or the rotor must be round.
    """
    count = whole("campbell", "count", count)
    values = _ascending(speeds)
    if rotor is None:
        system = compile_model(model, symmetric=False, python=python)
        if start is not None:
            adopt(system, start, motion=False)
        base = turntable(system, unit_axis(axis), about)
    else:
        system, base = rotor_at_unit_speed(model, rotor, axis, python, start)
    diagram = _Diagram(system, base, rotor)
    turning = values[values > 0]
    if len(turning):
        diagram.choose_frame(float(turning[0]))
    diagram = replace(diagram, shifted=rotor is not None and diagram.frame == "rotating")
    tracks = _followed(diagram, values, count)
    if diagram.shifted and not all(pairs.circular for pairs in tracks):
        diagram = replace(diagram, shifted=False)
        tracks = _followed(diagram, values, count)
    seen = [pairs.turned(pairs.values.imag < 0) for pairs in tracks]
    eigenvalues = np.array([pairs.values for pairs in seen])
    size = np.abs(eigenvalues)
    frequencies = np.abs(eigenvalues.imag) / (2 * np.pi)
    damping = np.where(eigenvalues.real == 0, 0.0, -eigenvalues.real / np.maximum(size, 1e-300))

    def shapes(k: int) -> Modes:
        few = (frequencies[k], eigenvalues[k], damping[k], seen[k].shapes, names_of(system), seen[k].whirl)
        found = with_followers(system, Modes(*few, complex=True))
        return replace(found, state=save_state(system, factors=False))

    return Campbell(
        values,
        frequencies,
        damping,
        eigenvalues,
        np.array([pairs.whirl for pairs in seen]),
        np.array([pairs.lateral for pairs in seen]),
        "rotating" if diagram.turning else "inertial",
        tracks,
        lambda speed, within: diagram.at(speed, 1, within),
        shapes,
        model,
    )


def _ascending(speeds: Any) -> np.ndarray:
    """The speeds [rad/s] as given, if they are finite and ascend."""
    fix = 'write e.g. speeds=("0 rpm", "500 rpm", "1000 rpm")'
    why = "modes are followed from speed to speed"
    try:
        several = [] if isinstance(speeds, str | bytes) else list(speeds)
    except TypeError:
        several = []
    if not several:
        raise ModelError(Problem("campbell", f"its speeds are {speeds!r}, not a list of them", why, fix))
    values = np.array([si(speed, "angular velocity") for speed in several], dtype=float)
    if values.ndim != 1 or not np.all(np.isfinite(values)):
        raise ModelError(Problem("campbell", f"its speeds are {speeds!r}: not all of them are numbers", why, fix))
    if np.any(np.diff(values) <= 0) or values[0] < 0:
        raise ModelError(Problem("campbell", "its speeds do not ascend from zero or above", why, fix))
    return values


def _followed(diagram: _Diagram, speeds: np.ndarray, count: int) -> list[Pairs]:
    """The lowest modes at the first speed, and what becomes of them."""
    first = diagram.at(float(speeds[0]), count)
    if not len(first.values):
        what, why = "nothing vibrates", "the joints leave no motion but that of the rotor"
        raise ModelError(Problem("campbell", what, why, "give it bearings that yield (springs), or a flexible shaft"))
    tracks = [first.chosen(np.arange(min(count, len(first.values))))]
    lowest = float(np.abs(first.values)[np.abs(first.values) > 0].min(initial=np.inf))
    far = diagram.turning and speeds[0] == 0 and len(speeds) > 1 and speeds[1] > BEGIN[-1] * lowest
    begin = np.array(BEGIN) * speeds[1] if far else np.zeros(0)
    for speed in [*begin, *speeds[1:]]:
        last = tracks[-1]
        within = 1.2 * float(np.abs(last.values).max(initial=0.0))
        while True:
            pairs = last.aligned(diagram.at(float(speed), count, within))
            columns, found = last.matched(pairs, diagram.turning)
            # a mode may have risen beyond those that were looked for
            sure = np.isinf(pairs.radius) or (
                len(set(columns)) == len(columns) and last.likeness(found).diagonal().min() > ALIKE
            )
            if sure or within > FARTHEST * float(np.abs(last.values).max(initial=0.0)):
                break
            within *= 1.6
        tracks.append(found)
    return [tracks[0], *tracks[1 + len(begin) :]]


@dataclass(frozen=True)
class _Diagram:
    """The model at any speed. shifted: eigenvalues of the rotating frame are turned into those seen from rest."""

    system: System
    base: SteadyRotation
    rotor: str | None
    shifted: bool = False
    _frame: list[CampbellFrame] = field(default_factory=list)
    _last: dict[float, Linearisation] = field(default_factory=dict)

    @property
    def turning(self) -> bool:
        """Whether frequencies are reported as seen from the rotating frame."""
        return self.rotor is None or (self.frame == "rotating" and not self.shifted)

    @property
    def frame(self) -> CampbellFrame:
        return self._frame[0] if self._frame else "inertial"

    def choose_frame(self, speed: float) -> None:
        """Find out in which frame the equations are constant."""
        rotation = self.base.at(speed)
        find_equilibrium(self.system, rotation=rotation)
        chosen: CampbellFrame = "rotating" if self.rotor is None else _constant_frame(self.system, rotation, self.rotor)
        self._frame.append(chosen)

    def at(self, speed: float, count: int, within: float = 0.0) -> Pairs:
        """At least the `count` lowest modes and all of |λ| ≤ within, as seen from where frequencies are reported."""
        asked, reach = count + SPARE, within
        while True:
            pairs = self._seen(self._in_own_frame(speed, asked, reach + (speed if self.shifted else 0.0)))
            if np.isinf(pairs.radius) or (len(pairs.values) >= count and pairs.radius >= within):
                return pairs
            asked, reach = 2 * asked, max(1.5 * reach, speed)

    def _in_own_frame(self, speed: float, count: int, within: float) -> Pairs:
        """Modes in the frame in which the equations are constant."""
        system, rotation = self.system, self.base.at(speed)
        if speed not in self._last:
            find_equilibrium(system, rotation=rotation)
            refuse_modes_at_change_point(system)
            m = linearise(system)
            if self.frame == "rotating":
                m = seen_from_frame(m, generator(system, rotation.omega, m.equations))
            else:
                m = seen_from_frame(m, against_spin(system, m.equations))
            self._last.clear()
            self._last[speed] = m
        m = self._last[speed]
        found, radius = complex_modes(m, count, within)
        values, shapes = found.eigenvalues, found.shapes
        M = sparse.csr_array(0.5 * (m.M + m.M.T))
        E = generator(system, rotation.axis, m.equations) + modal_generator(system, rotation.axis, m.equations)
        if np.isfinite(radius):  # the last may lack one of its kind
            radius *= 1 - 10 * EQUAL
            values, shapes = values[np.abs(values) <= radius], shapes[:, np.abs(values) <= radius]
        if self.base.free:
            values, shapes = without_turn(values, shapes, M, self.base.turn(system)[m.equations])
        shapes = with_definite_whirl(values, shapes, M, E)
        if self.frame == "inertial":
            several = np.flatnonzero(~gone_over_to_nutation(values, shapes, m.C, whirl(shapes, M, E)))
            values, shapes = values[several], shapes[:, several]
        across = np.einsum("ik,ik->k", (E @ shapes).conj(), M @ (E @ shapes)).real
        return Pairs(speed, values, shapes, whirl(shapes, M, E), across / sizes_of(shapes, M), M, radius)

    def _seen(self, pairs: Pairs) -> Pairs:
        """The same from where the frequencies are reported: λ + iΩ for forward, λ − iΩ for backward whirl."""
        if not self.shifted:
            return pairs
        sense = np.where(np.abs(pairs.whirl) > CIRCULAR, np.sign(pairs.whirl), 0.0)
        values = pairs.values + 1j * sense * pairs.speed
        values = np.where(np.abs(values) > ROUNDED * pairs.speed, values, 0.0)  # what rests, seen from here
        turned = values.imag < 0  # the conjugate of the pair is the one with a positive frequency
        values = np.where(turned, values.conj(), values)
        shapes = np.where(turned, pairs.shapes.conj(), pairs.shapes)
        radius = pairs.radius - pairs.speed
        result = replace(
            pairs, values=values, shapes=shapes, whirl=np.where(turned, -pairs.whirl, pairs.whirl), radius=radius
        )
        order = np.argsort(np.abs(values), kind="stable")
        return result.chosen(order[np.abs(values[order]) <= radius])


def _constant_frame(system: System, rotation: SteadyRotation, rotor: str) -> CampbellFrame:
    """The frame in which small motions have constant coefficients: rotating if the supports are isotropic, inertial if
    the rotor is. Found by turning the rotor by one radian."""
    before = linearise(system)
    own = before.equations
    at_rest = seen_from_frame(before, against_spin(system, own))
    turned_modes = turned_back(system, own, 1.0 / rotation.speed)
    keep = system.copy("x", "R", "s", "v", "a")
    Q = exp_so3(rotation.axis)
    X, R = system.nodes("x"), system.memory.R.reshape(-1, 3, 3)
    X[rotation.turning] = rotation.about + (X[rotation.turning] - rotation.about) @ Q.T
    R[rotation.turning] = Q @ R[rotation.turning]
    system.memory.s[0::3] += rotation.rates
    rotation.impose(system)
    set_proper(system)
    after = linearise(system)
    system.put(keep)
    rotation.impose(system)
    set_proper(system)
    E = generator(system, rotation.axis, own)
    turned = sparse.eye_array(len(own), format="csr") + np.sin(1.0) * E + (1.0 - np.cos(1.0)) * (E @ E)  # exp(Ê)
    seen = seen_from_frame(before, generator(system, rotation.omega, own))
    if _change(before, after, turned, seen) < CONSTANT:
        return "rotating"
    if _change(before, after, turned_modes, at_rest) < CONSTANT:
        return "inertial"
    what = "its equations change as it turns, in the inertial frame and in the rotating one"
    why = "neither are its supports alike in all directions across the axis, nor is it round"
    raise ModelError(Problem(f"rotor '{rotor}'", what, why, "make one of them symmetric, or simulate it over time"))


def _change(before: Linearisation, after: Linearisation, turned: sparse.csr_array, seen: Linearisation) -> float:
    """How much the matrices differ after a turn, as the low modes feel it, and how far these open the constraints."""
    found = complex_modes(seen, 16)[0]
    few = np.flatnonzero(found.eigenvalues != 0)[:12]
    phi, values = found.shapes[:, few], found.eigenvalues[few]
    opened = 0.0
    if before.B.shape[0]:
        rows = sparse.linalg.norm(after.B, axis=1)
        good = rows > 0
        moved = np.abs(after.B[good] @ (turned @ phi)) / rows[good, None]
        opened = float((moved / np.linalg.norm(phi, axis=0)).max(initial=0.0))
    return max(float(felt_change(before, after, turned, values, phi).max(initial=0.0)), opened)
