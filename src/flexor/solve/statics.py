"""Static equilibrium under load, with load stepping.   FTG 7.8"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from flexor.engine import slots
from flexor.engine.diagnose import describe_failure, worst_equations
from flexor.engine.initial import _weights, move
from flexor.engine.recording import choose_signals, take_rows
from flexor.engine.system import System
from flexor.errors import DivergenceError, FlexorError, SingularError
from flexor.law import MATRIX, RESIDUAL
from flexor.solve.prepare import compile_model


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
    model: Any, *, time: float = 0.0, load_steps: int = 1, tolerance: float = 1e-10, python: bool = False
) -> Equilibrium:
    """Position in which all forces balance, functions of time taken at `time` [s].

    load_steps: gravity and applied forces are raised in this many steps, for strongly nonlinear cases.
    """
    system = compile_model(model, symmetric=False, python=python)
    system.floats[slots.TIME] = system.floats[slots.TIME0] = time
    iterations = find_equilibrium(system, load_steps=load_steps, tolerance=tolerance)
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
    system: System, *, load_steps: int = 1, tolerance: float = 1e-10, max_iterations: int = 200
) -> int:
    """Bring the system to rest in static equilibrium; returns the number of iterations.

    Newton's method; where the stiffness is singular or the step too bold, a multiple of the mass metric is added
    to it, which is reduced as the residual falls (pseudo-transient continuation).
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
    try:
        for step in range(1, load_steps + 1):
            factor = step / load_steps
            system[slots.COEFFICIENTS][4:7] = factor * gravity
            system[slots.COEFFICIENTS][7] = factor
            total += _balance(system, tolerance, max_iterations)
            system.call(slots.K_COMMIT)
    finally:
        system[slots.COEFFICIENTS][4:7] = gravity
        system[slots.COEFFICIENTS][7] = 1.0
    return total


def _balance(system: System, tolerance: float, max_iterations: int) -> int:
    kinds = system[slots.NORM_KIND]
    active = np.flatnonzero(kinds <= 3)
    active = active[~np.isin(active, system.dropped)]
    own = kinds[active] < 3
    W = np.zeros(len(active))
    W[own] = _weights(system)
    length = system.floats[slots.LENGTH_SCALE]
    shift, last, small = 0.0, np.inf, 0
    for iteration in range(1, max_iterations + 1):
        proper = system.nodes(slots.PROPER)
        proper[:] = 0.0
        proper[:, :3] -= system[slots.COEFFICIENTS][4:7]
        status = system.evaluate(RESIDUAL | MATRIX, 1.0, 0.0, 0.0)
        if status != slots.OK:
            raise describe_failure(system, status)
        r = system[slots.RESIDUAL_VECTOR][active].copy()
        if not np.all(np.isfinite(r)):
            raise describe_failure(system, slots.NOT_FINITE)
        K = system.solver.to_csc()[active][:, active]
        delta, singular = _solve(K, W, shift, r)
        if singular and shift == 0.0:
            shift = _first_shift(K, W, own)
            delta, singular = _solve(K, W, shift, r)
        if singular:
            raise _no_equilibrium(system, "the stiffness is singular: some motion meets no resistance")
        size = float(np.abs(delta[own]).max(initial=0.0))
        limit = 0.2 * max(length, 1e-9)
        bold = size > limit
        factor = limit / size if bold else 1.0
        full = np.zeros(system.equations.pattern.n)
        full[active] = np.where(own, factor * delta, 0.0)
        move(system, full)
        _add_multipliers(system, active, delta, factor)
        residual = float(np.linalg.norm(r))
        if size <= tolerance * max(length, 1.0) and shift == 0.0:
            small += 1
            if small >= 2 or residual < 1e-9 * (1.0 + float(np.abs(K.data).max(initial=0.0))):
                return iteration
        if bold or residual > 4.0 * last:
            shift = max(4.0 * shift, _first_shift(K, W, own)) if iteration > 3 else shift
        elif shift > 0.0:
            shift *= 0.25
            if shift < 1e-9 * _first_shift(K, W, own):
                shift = 0.0
        last = residual
    raise _no_equilibrium(system, f"no equilibrium found in {max_iterations} iterations")


def _solve(K: sparse.csc_matrix, W: np.ndarray, shift: float, r: np.ndarray) -> tuple[np.ndarray, bool]:
    """Solve (K + shift·W) δ = −r with pivoting; whether the matrix was singular."""
    matrix = (K + sparse.diags(shift * W)).tocsc()
    try:
        factors = splu(matrix)
    except RuntimeError:
        return np.zeros_like(r), True
    delta = factors.solve(-r)
    delta += factors.solve(-r - matrix @ delta)
    error = np.linalg.norm(matrix @ delta + r)
    bad = not np.all(np.isfinite(delta)) or error > 1e-6 * max(float(np.linalg.norm(r)), 1e-300)
    diagonal: np.ndarray = np.abs(factors.U.diagonal())
    return delta, bool(bad or float(diagonal.min()) < 1e-14 * float(diagonal.max()))


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
