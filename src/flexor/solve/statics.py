"""Static equilibrium under load, with load stepping.   FTG 7.8"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from flexor.engine import slots
from flexor.engine.diagnose import describe_failure, worst_equations
from flexor.engine.initial import _set_proper, _weights, move
from flexor.engine.recording import choose_signals, take_rows
from flexor.engine.step import ROTATION
from flexor.engine.system import System
from flexor.errors import DivergenceError, FlexorError, LawError, SingularError, SolveError
from flexor.law import MATRIX, RESIDUAL
from flexor.solve.prepare import compile_model
from flexor.solve.rotation import SteadyRotation, turntable


@dataclass(frozen=True)
class Equilibrium:
    """A static solution: signals by name, as in a dynamic run, and the state for further analyses."""

    signals: dict[str, float]
    units: dict[str, str]
    state: dict[str, Any]
    iterations: int

    def __getitem__(self, name: str) -> Any:
        if name in self.signals:
            return self.signals[name]
        parts = [f"{name}_{axis}" for axis in ("xyz" if f"{name}_w" not in self.signals else "wxyz")]
        if all(part in self.signals for part in parts):
            return np.array([self.signals[part] for part in parts])
        import difflib

        near = difflib.get_close_matches(name, self.signals, 3)
        raise FlexorError(
            f"no signal '{name}' in the equilibrium" + (f"; did you mean {', '.join(near)}?" if near else "")
        )


def statics(
    model: Any,
    *,
    angular_velocity: Any = None,
    about: Any = (0.0, 0.0, 0.0),
    time: float = 0.0,
    load_steps: int = 1,
    tolerance: float = 1e-10,
    python: bool = False,
) -> Equilibrium:
    """Position in which all forces balance, functions of time taken at `time` [s].

    angular_velocity: the whole mechanism, with the ground it stands on, turns steadily, e.g. (0, 0, "300 rpm"), about
        an axis through the point `about` [m], and centrifugal forces act.   NAK 4.3
        The position is that in the rotating frame. Loads of fixed direction are taken to turn along.
    load_steps: gravity, applied forces and speed are raised in this many steps, for strongly nonlinear cases.
    """

    def settle(system: System) -> int:
        system.floats[slots.TIME] = system.floats[slots.TIME0] = time
        rotation = None if angular_velocity is None else turntable(system, angular_velocity, about)
        return find_equilibrium(system, load_steps=load_steps, tolerance=tolerance, rotation=rotation)

    system = compile_model(model, symmetric=False, python=python, settle=settle)
    iterations = settle(system)
    columns = choose_signals(system, None, True)
    system.floats[slots.STEP_SIZE] = 0.0
    system.call(slots.K_ENERGIES)
    system.call(slots.K_RECORD)
    row = take_rows(system)[0][0]
    from flexor.solve.dynamics import save_state

    return Equilibrium(
        {name: float(value) for (name, _), value in zip(columns, row, strict=True)},
        dict(columns),
        save_state(system),
        iterations,
    )


def find_equilibrium(
    system: System,
    *,
    load_steps: int = 1,
    tolerance: float = 1e-10,
    max_iterations: int = 200,
    rotation: SteadyRotation | None = None,
) -> int:
    """Bring the system to equilibrium, at rest or in steady rotation; returns the number of iterations.

    Newton's method; where the stiffness is singular or the step too bold, a multiple of the mass metric is added
    to it, which is reduced as the residual falls (pseudo-transient continuation). If that takes too long, loads and
    speed are raised in steps as long as plain Newton converges in.
    """
    system.use_lu()
    for slot in (slots.VEL, slots.ACC, slots.PSEUDO):
        system[slot][:] = 0.0
    system[slots.S][1::3] = 0.0
    system[slots.S][2::3] = 0.0
    if system.mechanism.slaves:
        system.call(slots.K_SLAVES)
    gravity = system[slots.COEFFICIENTS][4:7].copy()
    total = 0

    def balanced(factor: float, most: int, patient: bool) -> int:
        """Iterations at a share of the loads; the state is as before if there is no equilibrium."""
        system[slots.COEFFICIENTS][4:7] = factor * gravity
        system[slots.COEFFICIENTS][7] = factor
        steady = None if rotation is None else rotation.at(factor * rotation.speed)
        before = {slot: system[slot].copy() for slot in _POSITION}
        try:
            used = _balance(system, tolerance, most, steady, patient)
        except SolveError:
            for slot, values in before.items():
                system[slot][:] = values
            if system.mechanism.slaves:
                system.call(slots.K_SLAVES)
            raise
        if steady is not None:
            steady.impose(system)
            _set_proper(system)
        system.call(slots.K_COMMIT)
        return used

    try:
        for step in range(1, load_steps + 1):
            low, high = (step - 1) / load_steps, step / load_steps
            try:
                total += balanced(high, min(FIRST_TRY, max_iterations), False)
            except (DivergenceError, LawError):  # a law may refuse what a bold iterate asks for
                try:
                    total += _raise(balanced, low, high)
                except SolveError:
                    total += balanced(high, max_iterations, False)
    finally:
        system[slots.COEFFICIENTS][4:7] = gravity
        system[slots.COEFFICIENTS][7] = 1.0
    return total


FIRST_TRY = 60
"""Iterations at the full load before it is raised in steps."""
PLAIN = 15
"""Iterations of plain Newton in such a step, which is halved if they do not suffice."""
SMALLEST = 1e-3
"""Smallest step, as a share of the load."""
LARGEST_TURN = 0.5
"""Rotation that an iteration may make [rad]; displacements go as far as a fifth of the model."""
LAST_DIGITS = 1e-15
"""Rounding of positions, relative to the size of the model."""
_POSITION = (slots.X, slots.ROT, slots.S, slots.LAM)


def _raise(balanced: Callable[[float, int, bool], int], low: float, high: float) -> int:
    """Raise the load from `low` to `high` in steps of adaptive size."""
    done, step, total = low, 0.5 * (high - low), 0
    while done < high - 1e-12:
        target = min(high, done + step)
        try:
            used = balanced(target, PLAIN, True)
        except SolveError:
            total += PLAIN
            step *= 0.5
            if step < SMALLEST * (high - low):
                raise
            continue
        total, done = total + used, target
        if used <= PLAIN // 2:
            step *= 1.7
    return total


def _balance(
    system: System, tolerance: float, max_iterations: int, rotation: SteadyRotation | None, plain: bool = False
) -> int:
    kinds = system[slots.NORM_KIND]
    active = np.flatnonzero(kinds <= 3)
    active = active[~np.isin(active, system.dropped)]
    if not len(active):  # everything is held
        _set_proper(system)
        system.evaluate(RESIDUAL)
        return 0
    own = kinds[active] < 3
    W = np.zeros(len(active))
    W[own] = _weights(system)
    length = system.floats[slots.LENGTH_SCALE]
    shift, small, largest = 0.0, 0, 0.0
    last: list[float] = []
    for iteration in range(1, max_iterations + 1):
        if rotation is not None:
            rotation.impose(system)
        _set_proper(system)
        status = system.evaluate(RESIDUAL | MATRIX, 1.0, 0.0, 0.0)
        if status != slots.OK:
            raise describe_failure(system, status)
        r = system[slots.RESIDUAL_VECTOR][active].copy()
        if not np.all(np.isfinite(r)):
            raise describe_failure(system, slots.NOT_FINITE)
        K = system.solver.to_csc()[active][:, active]
        border = None
        if rotation is not None:
            K = K + _embedded(rotation.stiffness(system, active[own]), own)
            border = rotation.turn(system)[active] if rotation.free else None
        delta, singular = _solve(K, W, shift, r, border)
        left = float(np.abs(r[own]).max(initial=0.0))
        largest = max(largest, left)
        digits = (
            LAST_DIGITS * float(np.abs(K.data).max(initial=0.0)) * length
        )  # forces that rounding of positions makes
        balanced = rotation is not None or left <= max(1e-9 * largest, digits)  # multipliers carry the loads by now
        if singular and balanced and _negligible(K, W, own, r, border, tolerance * max(length, 1.0)):
            return iteration  # indifferent: a balanced wheel, a rotor at its critical speed with nothing to deflect it
        if singular and shift == 0.0:
            shift = _first_shift(K, W, own)
            delta, singular = _solve(K, W, shift, r, border)
        if singular:
            raise _no_equilibrium(system, "the stiffness is singular: some motion meets no resistance")
        limit = np.where(kinds[active][own] == ROTATION, LARGEST_TURN, 0.2 * max(length, 1e-9))
        excess = float((np.abs(delta[own]) / limit).max(initial=0.0))
        tries = 0
        while not plain and tries < 6 and (singular or (excess > 0.1 and float(r[own] @ delta[own]) > 0.0)):
            # uphill, towards an equilibrium that is unstable; with enough of the metric it goes downhill
            shift, tries = 4.0 * max(shift, _first_shift(K, W, own)), tries + 1
            delta, singular = _solve(K, W, shift, r, border)
            excess = float((np.abs(delta[own]) / limit).max(initial=0.0))
        size = float(np.abs(delta[own]).max(initial=0.0))
        bold = excess > 1.0
        factor = 1 / excess if bold else 1.0
        full = np.zeros(system.equations.pattern.n)
        full[active] = np.where(own, factor * delta, 0.0)
        move(system, full)
        _add_multipliers(system, active, delta, factor)
        residual = float(np.linalg.norm(r))
        if size <= tolerance * max(length, 1.0) and shift == 0.0:
            small += 1
            if small >= 2 or residual < 1e-9 * (1.0 + float(np.abs(K.data).max(initial=0.0))):
                return iteration
        if not plain and (bold or residual > 4.0 * max(last, default=np.inf)):
            shift = max(4.0 * shift, _first_shift(K, W, own)) if iteration > 3 else shift
        elif shift > 0.0:
            shift *= 0.25
            if shift < 1e-9 * _first_shift(K, W, own):
                shift = 0.0
        last = [*last[-3:], residual]
    raise _no_equilibrium(system, f"no equilibrium found in {max_iterations} iterations")


def _negligible(
    K: sparse.csc_matrix, W: np.ndarray, own: np.ndarray, r: np.ndarray, border: np.ndarray | None, size: float
) -> bool:
    """Whether the forces left over move nothing even where the stiffness is a thousandth of what it is elsewhere."""
    delta, singular = _solve(K, W, 1e-3 * _first_shift(K, W, own), r, border)
    return not singular and float(np.abs(delta[own]).max(initial=0.0)) <= size


def _embedded(part: sparse.csc_matrix, own: np.ndarray) -> sparse.csc_matrix:
    """A matrix of the coordinates, with rows and columns of zeros for the multipliers."""
    into = sparse.csc_matrix(
        (np.ones(part.shape[0]), (np.flatnonzero(own), np.arange(part.shape[0]))), shape=(len(own), part.shape[0])
    )
    return into @ part @ into.T


def _solve(
    K: sparse.csc_matrix, W: np.ndarray, shift: float, r: np.ndarray, border: np.ndarray | None = None
) -> tuple[np.ndarray, bool]:
    """Solve (K + shift·W) δ = −r with pivoting; whether the matrix was singular.

    border: a direction n in which nothing moves, nᵀδ = 0, and in which forces need not balance.
    """
    if border is not None:
        n = sparse.csc_matrix(border[:, None] * float(np.abs(K.data).max(initial=1.0)) / np.abs(border).max())
        whole, singular = _solve(
            sparse.bmat([[K, n], [n.T, None]]).tocsc(), np.append(W, 0.0), shift, np.append(r, 0.0)
        )
        return whole[:-1], singular
    matrix = (K + sparse.diags(shift * W)).tocsc()
    d = _equilibration(matrix)
    scaled = (sparse.diags(d) @ matrix @ sparse.diags(d)).tocsc()
    try:
        factors = splu(scaled)
    except RuntimeError:
        return np.zeros_like(r), True
    delta = d * factors.solve(-d * r)
    delta += d * factors.solve(d * (-r - matrix @ delta))
    error = np.linalg.norm(matrix @ delta + r)
    digits = 1e-13 * float(np.linalg.norm(abs(matrix) @ np.abs(delta)))  # of the forces that cancel in the sum
    bad = not np.all(np.isfinite(delta)) or error > max(1e-6 * float(np.linalg.norm(r)), digits, 1e-300)
    diagonal: np.ndarray = np.abs(factors.U.diagonal())
    return delta, bool(bad or float(diagonal.min()) < 1e-14 * float(diagonal.max()))


def _equilibration(matrix: sparse.csc_matrix) -> np.ndarray:
    """d that brings the largest entry of each row and column of d·matrix·d near one, so that pivots can be compared."""
    size = abs(matrix)
    d = np.ones(matrix.shape[0])
    for _ in range(4):
        scaled = sparse.diags(d) @ size @ sparse.diags(d)
        largest = np.maximum(scaled.max(axis=1).toarray().ravel(), scaled.max(axis=0).toarray().ravel())
        d /= np.sqrt(np.where(largest > 0, largest, 1.0))
    return d


def _first_shift(K: sparse.csc_matrix, W: np.ndarray, own: np.ndarray) -> float:
    """A shift of the size of the stiffness, in units of the mass metric."""
    diagonal: np.ndarray = np.abs(K.diagonal()[own])
    stiffness = float(diagonal.max(initial=0.0))
    return max(stiffness, 1.0) / max(float(W.max(initial=0.0)), 1e-300)


def _add_multipliers(system: System, active: np.ndarray, delta: np.ndarray, factor: float) -> None:
    full = np.zeros(system.equations.pattern.n)
    full[active] = delta
    system[slots.LAM][:] += factor * full[system.multiplier_rows]


def _no_equilibrium(system: System, message: str) -> SingularError | DivergenceError:
    cls = SingularError if "singular" in message else DivergenceError
    return cls(
        message,
        worst=worst_equations(system),
        causes=[
            "a mechanism that is free to move under its loads; hold it by springs, motors or joints",
            "a load beyond what the springs can balance; raise it in steps (load_steps)",
            "a start far from equilibrium; give better initial positions",
        ],
    )
