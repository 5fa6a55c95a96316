"""Natural modes of the constrained mechanism about a state, undamped or complex."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from scipy import linalg, sparse

from flexor.arguments import one_of, whole
from flexor.control.slow_motions import tell_fast_motions
from flexor.engine.equations import DIRECTIONS
from flexor.engine.initial import solve_accelerations
from flexor.engine.system import System
from flexor.errors import SolveError
from flexor.model import Model
from flexor.solve.all_modes import all_complex, all_undamped
from flexor.solve.begin import a_little_later
from flexor.solve.change_point import refuse_modes_at_change_point
from flexor.solve.few_modes import few_complex, few_undamped
from flexor.solve.free_motions import NotFound, told_apart
from flexor.solve.linear_bodies import tell_limits
from flexor.solve.linearise import Linearisation, feeds_accelerations_back, linearise, state_rows
from flexor.solve.modal_turn import against_spin, has_spinning_modes, modal_generator, turned_back
from flexor.solve.mode_doubts import (
    FROZEN,
    MovingState,
    NoModes,
    nothing_free,
    warn_of_accelerations,
    warn_of_followers,
    warn_of_motion,
)
from flexor.solve.mode_tracks import felt_change, shift_of_squares
from flexor.solve.pencil import Pencil, pencil, undamped_exactly
from flexor.solve.prepare import compile_model
from flexor.solve.rotation import SteadyRotation, generator, seen_from_frame, turntable, whirl
from flexor.solve.state import StartState, adopt, refuse_open, save_state
from flexor.solve.statics import find_equilibrium
from flexor.solve.steady import gives_velocities, moves, rate_of, settled_in_motion
from flexor.solve.turning_constraints import carried
from flexor.threads import few_threads, one_thread
from flexor.units import Triple
from flexor.warning import warn


@dataclass(frozen=True)
class Modes:
    """Modes in ascending frequency.

    frequencies: natural frequencies [Hz]: of real modes the undamped ones, ω/2π; of complex modes the damped ones, Im λ/2π,
        zero where a motion decays or grows without vibrating. A negative one, of real modes only, is no vibration: that
        motion is unstable and grows as e^(2π|f| t).
    eigenvalues: λ [rad/s] with motion e^(λ t); ±iω for undamped modes; zero for free motions, which nothing resists.
    damping: damping ratios −Re λ/|λ|; zero where the analysis leaves damping out (not `complex`).
    shapes: one column per mode over `names`, scaled to a largest entry of one.
    whirl: of complex modes about a state that turns about one axis: 1 forward on circles, −1 backward, 0 in a plane;
        between them ellipses. None where there is no such axis.
    frames: of each node by name, where the point is whose position runs report, from the node in global axes [m], and its axes.
    """

    frequencies: np.ndarray
    eigenvalues: np.ndarray
    damping: np.ndarray
    shapes: np.ndarray
    names: tuple[str, ...]
    whirl: np.ndarray | None = None
    complex: bool = False
    lacking: int = 0
    """How many more were asked for than the model has."""
    frames: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    state: dict[str, Any] | None = field(default=None, repr=False, compare=False)
    """The position they belong to, for further analyses (`start`)."""

    def __len__(self) -> int:
        return len(self.frequencies)

    @property
    def rigid(self) -> np.ndarray:
        """Whether each mode is a free motion: nothing resists it, its eigenvalue is zero."""
        return self.eigenvalues == 0

    @property
    def unstable(self) -> np.ndarray:
        """Whether each mode grows, Re λ > 0; beyond rounding, for those that vibrate."""
        return self.eigenvalues.real > 1e-9 * np.abs(self.eigenvalues)

    @property
    def moves_most(self) -> list[str]:
        """Name of the coordinate that is largest in each mode, one of `names`: "piston: x"."""
        return [self.names[int(row)] for row in np.argmax(np.abs(self.shapes), axis=0)] if len(self.names) else []

    def first(self, count: int) -> Modes:
        """The first of these modes."""
        return replace(
            self,
            frequencies=self.frequencies[:count],
            eigenvalues=self.eigenvalues[:count],
            damping=self.damping[:count],
            shapes=self.shapes[:, :count],
            whirl=None if self.whirl is None else self.whirl[:count],
        )

    def __str__(self) -> str:
        lines = [
            "mode   frequency [Hz]   " + ("damping [%]   eigenvalue [1/s]   " if self.complex else "") + "moves most"
        ]
        for i, (f, z, e) in enumerate(zip(self.frequencies, self.damping, self.eigenvalues, strict=True)):
            name = self.moves_most[i]
            sense = "" if self.whirl is None else f"   {whirl_name(self.whirl[i])}"
            sense = "   rigid" if e == 0 else f"{sense}   unstable" if self.unstable[i] else sense
            decay = f" {100 * z:13.4g}   {e.real:.6g} {e.imag:+.6g}i" if self.complex else ""
            lines.append(f"{i + 1:4d} {f:16.6g}{decay}   {name}{sense}")
        if not len(self):
            return "no modes: nothing is free to move"
        if self.lacking:
            lines.append(f"these are all: {len(self)} of {len(self) + self.lacking} that were asked for")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)


@one_thread
def modes(
    model: Model,
    count: int = 10,
    *,
    at: Literal["equilibrium", "start"] = "equilibrium",
    complex: bool | None = None,
    start: StartState | None = None,
    state: StartState | None = None,
    angular_velocity: Triple | None = None,
    about: Triple = (0.0, 0.0, 0.0),
    python: bool = False,
) -> Modes:
    """Natural modes about the static equilibrium, the start, or a saved state of a run or an equilibrium.

    count: how many modes, from the lowest frequency.
    at: "equilibrium", which is sought, or "start": the position at t = 0. Velocities that the model is given stay in the
        equilibrium where it is kept with them (a round rotor spins, a vehicle rolls); else they are left out, with a warning.
    complex: with damping and gyroscopic terms, else from stiffness and mass alone; by default where something rotates, or
        accelerations are fed back, or control blocks have states: then their eigenvalues are the poles of the closed loop.
    start: the result of another analysis (a run, an equilibrium, `run.at("0.5 s")`), about whose state they are; overrides `at`. In
        a state of motion the coefficients are frozen: right where they are constant, as for a vehicle that rolls or a round
        rotor that spins; else a warning says so.   state: the same.
    angular_velocity, about: the mechanism and its ground turn steadily (see `statics`): modes about the equilibrium
        that it has then, seen from the rotating frame.
    """
    count = whole("modes", "count", count)
    one_of("modes", "at", at, ("equilibrium", "start"))

    system, rotation = about_state(model, at, start if state is None else state, angular_velocity, about, python)
    spinning = rotation is None and has_spinning_modes(system)
    if spinning:
        frozen, from_rest = _changes(system)
        spinning = from_rest < max(frozen, ROUND)
        if from_rest > ROUND:
            warn(FROZEN, MovingState)
    elif rotation is None:
        warn_of_motion(system)
    states = state_rows(system)
    if complex is False and len(states):
        name = system.equations.name(int(states[0]))
        raise SolveError(
            f"control blocks have states ('{name}'), which modes without damping leave out; give complex=True, which it is by default"
        )
    if complex is None:
        complex = rotation.speed > 0 if rotation is not None else _turns(system)
        complex = complex or bool(len(states)) or feeds_accelerations_back(system)
    found = with_followers(system, modes_of(system, count, complex=bool(complex), rotation=rotation, spinning=spinning))
    if rotation is None:
        warn_of_accelerations(system, found.eigenvalues)
    tell_limits(system)
    if len(states):
        tell_fast_motions(getattr(model, "items", ()), found.eigenvalues, "modes")
    if not len(found):
        warn(nothing_free(system), NoModes)
    return replace(found, lacking=max(0, count - len(found)), state=save_state(system, factors=False))


def about_state(
    model: Model,
    at: str,
    state: StartState | None,
    angular_velocity: Triple | None,
    about: Triple,
    python: bool,
) -> tuple[System, SteadyRotation | None]:
    """The system in the state about which small motions are asked for, and how its ground turns; see `modes`."""

    def settle(system: System) -> object:
        turning = None if angular_velocity is None else turntable(system, angular_velocity, about)
        return find_equilibrium(system, rotation=turning)

    rests = state is None and (at == "equilibrium" or angular_velocity is not None)
    rests = rests and (angular_velocity is not None or not gives_velocities(model))
    system = compile_model(model, symmetric=False, python=python, settle=settle if rests else None)
    rotation = None if angular_velocity is None else turntable(system, angular_velocity, about)
    if state is not None:
        same = adopt(system, state)
        refuse_open(system)
        if not same:
            solve_accelerations(system)
        if rotation is not None:
            rotation.impose(system)
    elif at == "start" and rotation is None:
        solve_accelerations(system)
    elif rotation is not None or not moves(system) or not settled_in_motion(system, model, _goes_on):
        find_equilibrium(system, rotation=rotation)
    return system, rotation


def _goes_on(system: System) -> bool:
    """Whether a motion goes on with the same coefficients, seen from rest, as a round rotor spins that is flexible."""
    return _changes(system)[1] < ROUND


def _changes(system: System) -> tuple[float, float]:
    """How much squares of the low frequencies shift as the mechanism turns by 0.05 rad, with component modes seen from their
    body, and seen from rest."""
    rate = rate_of(system)
    if rate < 1e-6:
        return 0.0, 0.0
    now, time = linearise(system), 0.05 / rate
    own = now.equations
    still, turned = sparse.eye_array(len(own), format="csr"), turned_back(system, own, time)
    at_rest = seen_from_frame(now, against_spin(system, own))
    with a_little_later(system, time):
        later = linearise(system)
    shifts = []
    for matrices, turn in ((now, still), (at_rest, turned)):
        found = complex_modes(matrices, 12)[0]
        few = np.flatnonzero(np.abs(found.eigenvalues) > FREE * rate)[:12]
        values, shapes = found.eigenvalues[few], found.shapes[:, few]
        shifts.append(shift_of_squares(felt_change(now, later, turn, values, shapes), values, 4))
    return shifts[0], shifts[1]


FREE = 1e-3
"""|λ| in parts of the rate of a motion below which a mode is a free motion but for what the state is off a steady one."""
ROUND = 5e-3
"""Shift of squares of frequencies over 0.05 rad below which a flexible body that spins counts as round."""


def with_followers(system: System, found: Modes) -> Modes:
    """The shapes also at nodes that follow others: eliminated joints, points of floating bodies."""
    eq = system.equations
    rows = {int(equation): row for row, equation in enumerate(system.coordinates)}
    first_of = system.followers["gradient"]
    shapes, names = [found.shapes], list(found.names)
    for follower, first, columns in zip(system.mechanism.followers, first_of, eq.follower_columns):
        name = system.mechanism.nodes[follower.node].name
        if name:
            T = system.memory.gradients[first : first + 6 * len(columns)].reshape(-1, 6)
            known = [
                (j, rows[eq.equation(*column)]) for j, column in enumerate(columns) if eq.equation(*column) in rows
            ]
            own = [row for _, row in known]
            shapes.append(T[[j for j, _ in known]].T @ found.shapes[own] if own else np.zeros((6, len(found))))
            names += [f"{name}: {direction}" for direction in DIRECTIONS]
    return replace(found, shapes=_scaled(np.vstack(shapes)), names=tuple(names), frames=_frames(system))


def names_of(system: System) -> tuple[str, ...]:
    """Names of the coordinates that shapes are told in."""
    return tuple(system.equations.name(int(equation)) for equation in system.coordinates)


def _frames(system: System) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Of `Modes.frames`."""
    axes = system.memory.R.reshape(-1, 3, 3).copy()
    return {n.name: (axes[i] @ n.p_NO, axes[i]) for i, n in enumerate(system.mechanism.nodes) if i > 0 and n.name}


def modes_of(
    system: System,
    count: int = 10,
    *,
    complex: bool = False,
    rotation: SteadyRotation | None = None,
    spinning: bool = False,
) -> Modes:
    """Natural modes about the system's present state; with `rotation`, seen from the frame that turns along.

    spinning: round flexible bodies spin, and their component modes are seen from rest too.
    """
    refuse_modes_at_change_point(system)
    matrices = linearise(system)
    if matrices.M.shape[0] and not np.any(matrices.M.diagonal() > 0) and not np.any(matrices.C.data):
        raise SolveError(
            "nothing that can move has mass, so the model has no modes",
            causes=[
                f"{body.called(body.name)}: give its material a density, or its section a mass"
                for body in system.bodies
            ],
        )
    if rotation is not None:
        matrices = seen_from_frame(matrices, generator(system, rotation.omega, matrices.equations))
    elif spinning:
        matrices = seen_from_frame(matrices, against_spin(system, matrices.equations))
    else:
        matrices = carried(system, matrices)
    if not complex:
        return undamped_modes(matrices, count)
    found = complex_modes(matrices, count)[0].first(count)
    axis = rotation.axis if rotation is not None and rotation.speed > 0 else _common_axis(system)
    if axis is None:
        return found
    E = generator(system, axis, matrices.equations) + modal_generator(system, axis, matrices.equations)
    return replace(found, whirl=whirl(found.shapes, matrices.M, E))


def whirl_name(value: float) -> str:
    """What a value of `Modes.whirl` means."""
    return "forward" if value > 0.01 else "backward" if value < -0.01 else "planar"


def _turns(system: System) -> bool:
    """Whether anything rotates, by more than one turn in a year."""
    return bool(np.abs(system.nodes("v")[:, 3:]).max(initial=0.0) > 1e-6)


def _common_axis(system: System) -> np.ndarray | None:
    """The axis about which all turn that turn at all."""
    spins = system.nodes("v")[:, 3:]
    sizes = np.linalg.norm(spins, axis=1)
    if not len(sizes) or sizes.max() < 1e-9:
        return None
    axis = spins[np.argmax(sizes)] / sizes.max()
    off: np.ndarray = np.abs(spins - np.outer(spins @ axis, axis))
    return axis if off.max() < 1e-6 * sizes.max() and np.all(spins @ axis > -1e-6 * sizes.max()) else None


def undamped_modes(m: Linearisation, count: int) -> Modes:
    """The lowest of (K − ω²M) φ = 0 with the symmetric parts of K and M; free motions have the frequency zero."""
    p = pencil(m, symmetric=True)
    squares, xi, N = real_modes(p, count)
    unstable = int((squares < 0).sum())
    squares = np.insert(squares, unstable, np.zeros(N.shape[1]))
    shapes = np.hstack([p.shapes(xi[:, :unstable]), told_apart(p.shapes(N)), p.shapes(xi[:, unstable:])])
    squares, shapes = squares[:count], shapes[:, :count]
    warn_of_followers(m, squares, shapes)
    omega = np.sqrt(np.abs(squares))
    eigenvalues = np.where(squares >= 0, 1j * omega, omega)
    frequencies = np.sign(squares) * omega / (2 * np.pi)
    return Modes(frequencies, eigenvalues, np.zeros(len(omega)), _scaled(shapes), m.names)


def real_modes(p: Pencil, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(ω² ascending, shapes, free motions) of a symmetric pencil: at least the `count` lowest, or all; free motions apart."""
    with few_threads(len(p)):
        try:
            return few_undamped(p, count) if _large(p, count) else all_undamped(p)
        except NotFound:
            return all_undamped(p)
        except linalg.LinAlgError:
            raise SolveError(
                "the mass about this state is not positive, so that undamped modes do not exist",
                causes=["accelerations that are fed back by more than the mass they move; complex=True counts it"],
            ) from None


def complex_modes(m: Linearisation, count: int, within: float = 0.0) -> tuple[Modes, float]:
    """(modes, radius): at least the `count` lowest of λ²M + λC + K under all constraints, one of each conjugate pair, and all of
    |λ| ≤ within; there are no others of |λ| ≤ radius. Free motions have λ = 0, once each."""
    p = pencil(m)
    radius = np.inf
    with few_threads(len(p)):
        try:
            if _large(p, count):
                values, xi, N, radius = few_complex(p, count, within)
            else:
                values, xi, N = all_complex(p)
        except NotFound:
            values, xi, N = all_complex(p)
    one = values.imag >= 0
    values, xi = undamped_exactly(p, values[one], xi[:, one]), xi[:, one]
    order = _ascending(values)
    values = np.concatenate([np.zeros(N.shape[1]), values[order]])
    shapes = np.hstack([told_apart(p.shapes(N)), p.shapes(xi[:, order])])
    size = np.abs(values)
    damping = np.where(values.real == 0, 0.0, -values.real / np.maximum(size, 1e-300))
    found = Modes(np.abs(values.imag) / (2 * np.pi), values, damping, _scaled(shapes), m.names, complex=True)
    return found, radius


def _ascending(values: np.ndarray) -> np.ndarray:
    """Order of |λ|, and where that is equal (to rounding) of the least stable first."""
    size = np.abs(values)
    order = np.argsort(size, kind="stable")
    kind = np.cumsum(np.diff(size[order], prepend=0.0) > EQUAL * size[order])
    return order[np.lexsort((-values[order].real, kind))]


EQUAL = 1e-9
"""Relative difference of eigenvalues below which they are equal."""
SMALL = 200
"""Coordinates up to which dense matrices find all modes."""


def _large(p: Pencil, count: int) -> bool:
    """Whether a few modes of many are asked for."""
    return len(p) > SMALL and not p.states and count < (len(p) - p.B.shape[0]) // 6


def _scaled(shapes: np.ndarray) -> np.ndarray:
    """Largest entry of each column one."""
    if not shapes.size:
        return shapes
    largest = shapes[np.argmax(np.abs(shapes), axis=0), np.arange(shapes.shape[1])]
    return shapes / np.where(largest == 0, 1.0, largest)
