"""The history of a body from the signals that a run recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from flexor.bodies.floating.formulation import Floating
from flexor.bodies.formulations import FORMULATIONS, FormulationClass
from flexor.bodies.rigid_formulation import Rigid
from flexor.bodies.superelement.formulation import Superelement
from flexor.errors import ModelError, Problem
from flexor.mistakes import nearest, suggestion
from flexor.recover.history import BodyHistory, turn
from flexor.reduce.reduced import ReducedBody, rigid_motion
from flexor.spatial import log_so3, quaternion_to_matrix, tangent_inverse


class Signals(Protocol):
    """Values over time by name, "time" among them: a Run, or a dictionary of arrays."""

    def __getitem__(self, name: str, /) -> Any: ...

    def __contains__(self, name: str, /) -> bool: ...

    def __iter__(self) -> Iterator[str]: ...


def history_of(
    reduced: ReducedBody,
    signals: Signals,
    body_name: str,
    formulation: str = "superelement",
    modes: np.ndarray | None = None,
    gravity: Sequence[float] = (0.0, 0.0, 0.0),
    told: set[str] | None = None,
) -> BodyHistory:
    """The history of a body from a Run, or from name → values over time ("time" among them).

    The frame is "rod.position_x" …, "rod.orientation_w" …; modes are "rod.mode_1" …
    superelement: z = [d_k, ψ_k of the connection nodes, q], from "rod.big.position_x" …, "rod.big.orientation_w" … too.
    floating: z = Φ q; modes: Φ (r, m).   rigid: z = 0, so that there is no displacement and no stress anywhere.
    Where all velocities were recorded ("rod.velocity_x", "rod.mode_1_rate", …) the history has them, too, and where
    those of the frame or of the interfaces were, the inertia of the body under gravity [m/s², global axes].
    told: see `BodyHistory`.
    """
    known = {name: kind for name, kind in FORMULATIONS.items() if kind in COORDINATES}
    if formulation not in known:
        fix = suggestion(formulation, known)
        raise ModelError(Problem(f"body '{body_name}'", f"there is no formulation '{formulation}'", "", fix))
    kind, recorded = known[formulation], Recorded(reduced, Reader(signals, body_name), modes)
    z, rates = COORDINATES[kind](recorded)
    read, frame, twist = recorded.read, recorded.frame, recorded.twist
    if twist is None or rates is None:
        twist = rates = None
    inertia = _inertia(reduced, read, frame[1], np.asarray(gravity, dtype=float)) if kind.flexible else None
    return BodyHistory(reduced, read("time"), *frame, z, twist, rates, inertia, set() if told is None else told)


Coordinates = tuple[np.ndarray, np.ndarray | None]
"""(T, n) values, and rates if they were recorded."""


class Recorded:
    """A reduced body and what was recorded of it; modes: Φ of a floating one."""

    def __init__(self, reduced: ReducedBody, read: Reader, modes: np.ndarray | None) -> None:
        self.reduced, self.read, self.modes = reduced, read, modes
        self.frame, self.twist = read.pose(read.body), read.twist(read.body)


def _undeformed(recorded: Recorded) -> Coordinates:
    none = np.zeros((len(recorded.frame[0]), recorded.reduced.size))
    return none, none


def _floating(recorded: Recorded) -> Coordinates:
    reduced, read, modes = recorded.reduced, recorded.read, recorded.modes
    if modes is None or np.ndim(modes) != 2 or len(modes) != reduced.size:
        what = "the shapes of its modes are missing" if modes is None else f"its modes have the shape {np.shape(modes)}"
        raise ModelError(Problem(f"body '{read.body}'", what, f"z = Φ q has {reduced.size} rows", "pass modes=Φ"))
    q, rates = read.modes(np.shape(modes)[1])
    return q @ modes.T, None if rates is None else rates @ modes.T


def _superelement(recorded: Recorded) -> Coordinates:
    reduced, read, twist = recorded.reduced, recorded.read, recorded.twist
    if not reduced.has_connections:
        why, fix = "its coordinates are free modes alone", "use formulation='floating'"
        raise ModelError(Problem(f"body '{read.body}'", "it cannot be a superelement", why, fix))
    (x, R), z, z_dot = recorded.frame, [], []
    to_body = np.swapaxes(R, 1, 2)
    for name, X in zip(reduced.interfaces, reduced.points):
        x_k, R_k = read.pose(f"{read.body}.{name}")
        arm, psi = turn(to_body, x_k - x), log_so3(to_body @ R_k)
        z += [arm - X, psi]  # d_k = R₀ᵀ(x_k − x₀) − X_k,  ψ_k = log(R₀ᵀ R_k)
        own = read.twist(f"{read.body}.{name}")
        if own is None or twist is None:
            continue
        v, w = turn(to_body, own[:, :3] - twist[:, :3]), turn(to_body, own[:, 3:] - twist[:, 3:])
        # ḋ = R₀ᵀ(v_k − v₀) − ω × R₀ᵀ(x_k − x₀),  ψ̇ = H(ψ)⁻¹ R₀ᵀ(ω_k − ω₀)
        z_dot += [v - np.cross(turn(to_body, twist[:, 3:]), arm), turn(tangent_inverse(psi), w)]
    q, q_dot = read.modes(reduced.size - reduced.n_connections)
    known = q_dot is not None and len(z_dot) == len(z)
    return np.hstack([*z, q]), np.hstack([*z_dot, q_dot]) if known else None  # type: ignore[list-item]


COORDINATES: dict[FormulationClass, Callable[[Recorded], Coordinates]] = {
    Superelement: _superelement,
    Floating: _floating,
    Rigid: _undeformed,
}
"""How recorded signals make the coordinates of a reduced body, for the formulations that have one."""


def _inertia(reduced: ReducedBody, read: Reader, R: np.ndarray, gravity: np.ndarray) -> np.ndarray | None:
    """(T, 12) of `BodyHistory.inertia`: of the frame's node, or of the rigid motion that fits the connection nodes best.

    Accelerations are differences of the velocities over two rows: what lasts shorter deforms nothing. Of less than three
    rows, as an equilibrium has, they are those recorded.
    """
    names, points = [read.body], np.zeros((1, 3))
    if read.twist(read.body) is None and reduced.interfaces:
        names, points = [f"{read.body}.{name}" for name in reduced.interfaces], reduced.points
    times, to_body, twists, rates = read("time"), np.swapaxes(R, 1, 2), [], []
    for name in names:
        twist, rate = read.twist(name), read.twist(name, "acceleration")
        if twist is not None and len(times) >= 3:
            rate = np.gradient(twist, times, axis=0, edge_order=2)
        if twist is None or rate is None:
            return None
        twists += [turn(to_body, twist[:, :3]), turn(to_body, twist[:, 3:])]
        rates += [turn(to_body, rate[:, :3] - gravity), turn(to_body, rate[:, 3:])]
    size = np.linalg.norm(np.ptp(reduced.nodes, axis=0)) / 2
    scale = np.tile(np.repeat([1.0, size], 3), len(points))  # rotations count as the displacements they cause
    fit = np.linalg.pinv(scale[:, None] * rigid_motion(points)) * scale
    w = (np.hstack(twists) @ fit.T)[:, 3:]
    centripetal = [np.hstack([np.cross(w, np.cross(w, X)), np.zeros_like(w)]) for X in points]
    return np.hstack([(np.hstack(rates) - np.hstack(centripetal)) @ fit.T, w * w, w[:, [0, 0, 1]] * w[:, [1, 2, 2]]])


class Reader:
    """Signals by name; vectors may be stored as such or as components _x, _y, _z."""

    def __init__(self, signals: Signals, body: str) -> None:
        self.signals, self.body = signals, body

    def __call__(self, name: str) -> np.ndarray:
        if name not in self.signals:
            near = nearest(name, [str(key) for key in self.signals])
            fix = f"did you mean '{near}'?" if near else f"record the body '{self.body}'"
            raise ModelError(Problem(f"body '{self.body}'", f"the signal '{name}' was not recorded", "", fix))
        return np.asarray(self.signals[name], dtype=float)

    def table(self, names: Sequence[str]) -> np.ndarray:
        """(T, n) many signals at once; of a Run, the file is read once."""
        run: Any = self.signals
        if not hasattr(run, "blocks"):
            return np.stack([self(name) for name in names], axis=1) if names else np.zeros((len(self("time")), 0))
        numbers = {name: 1 + i for i, name in enumerate(run.names)}
        missing = next((name for name in names if name not in numbers), None)
        if missing is not None:
            self(missing)
        columns = [numbers[name] for name in names]
        return np.concatenate([block[:, columns] for block in run.blocks("signals", len(self("time")))])

    def vector(self, name: str, axes: str = "xyz") -> np.ndarray:
        if name in self.signals:
            return self(name)
        return np.stack([self(f"{name}_{axis}") for axis in axes], axis=1)

    def pose(self, node: str) -> tuple[np.ndarray, np.ndarray]:
        """Position (T, 3) and orientation (T, 3, 3)."""
        return self.vector(f"{node}.position"), quaternion_to_matrix(self.vector(f"{node}.orientation", "wxyz"))

    def twist(self, node: str, what: str = "velocity") -> np.ndarray | None:
        """(T, 6) velocity (or acceleration) and angular one, if recorded."""
        names = [f"{node}.{what}", f"{node}.angular_{what}"]
        if any(name not in self.signals and f"{name}_x" not in self.signals for name in names):
            return None
        return np.hstack([self.vector(name) for name in names])

    def modes(self, count: int) -> tuple[np.ndarray, np.ndarray | None]:
        """(T, count) values of mode_1, mode_2, … and their rates if recorded."""
        names = [f"{self.body}.mode_{i + 1}" for i in range(count)]
        rows = len(self("time"))
        q = np.stack([self(name) for name in names], axis=1) if names else np.zeros((rows, 0))
        if any(f"{name}_rate" not in self.signals for name in names):
            return q, None
        return q, np.stack([self(f"{name}_rate") for name in names], axis=1) if names else np.zeros((rows, 0))
