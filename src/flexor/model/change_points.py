"""Change points: positions in which a loop can go on in several ways, as a parallelogram that lies in one line.

There the gradient J of the constraints loses rank, and more velocities satisfy J v = 0 than the loop can go on with. Those
that it can have accelerations, J a = −γ(v) with γ = J̇ v, so with the new rows w of the left null space of J

    wᵀ γ(v) = 0,    γ quadratic in v

Of the velocities that satisfy this and everything stated, the smallest are taken.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from flexor.errors import AssemblyError, Problem
from flexor.model.equations import STATED
from flexor.model.givens import Motion
from flexor.model.least_moves import largest_of_each, shortest_of_parts
from flexor.model.loops import Loops

REACH = 1e-3
"""Move over which velocities are followed, in parts of the model's size and in rad."""
OPEN = 1e-5
"""Accelerations that are lacking, relative to γ, from which on velocities are none that a loop can go on with."""
ROUNDED = 1e-4
"""Relative difference of a stated rate from one that fits which may be rounding of what was typed."""
MOST = 600
"""Coordinates of the largest mechanism whose ways are looked for."""


def gone_on(loops: Loops, motion: Motion, parts: np.ndarray) -> tuple[Motion, list[Problem], list[AssemblyError]]:
    """Velocities with which the loops of some parts (a mask) can go on, what is to be told of change points, and stated rates
    with which a loop cannot go on."""
    v = _columns(loops, motion)
    speed = largest_of_each(v, loops.column_part, loops.count)
    parts = parts & (speed > 0.0)
    told: list[Problem] = []
    failures: list[AssemblyError] = []
    if not parts.any():
        return motion, told, failures
    per_part = np.where(parts, speed, np.inf)[loops.column_part]
    rows = loops.velocity_rows(motion)
    gamma = np.where(rows.kind == STATED, 0.0, _gamma(loops, motion, v / per_part))
    J = rows.J.multiply((rows.kind != STATED)[:, None]).tocsr()
    a = shortest_of_parts(J, gamma, rows.part, loops.column_part, parts)
    lacking = largest_of_each(J @ a + gamma, rows.part, loops.count)
    for i in np.flatnonzero(parts & (lacking > OPEN)).tolist():
        found = _smallest(loops, motion, i, v, float(speed[i]))
        if found is not None:
            motion = loops.sped(motion, found)
            told.append(_told(loops, i))
        elif (misfit := _misfit(loops, motion, i, v, float(speed[i]))) is not None:
            failures.append(AssemblyError([misfit]))
    return motion, told, failures


def _smallest(loops: Loops, motion: Motion, part: int, v: np.ndarray, speed: float) -> np.ndarray | None:
    """The change to the smallest velocities with which one part can go on; None if none are found."""
    ways = _ways(loops, motion, part, v, speed)
    return min(ways, key=lambda change: float(np.linalg.norm(v + change)), default=None)


def _misfit(loops: Loops, motion: Motion, part: int, v: np.ndarray, speed: float) -> Problem | None:
    """The stated rate that keeps a part from going on, with the values that the others leave to it."""
    rows = loops.velocity_rows(motion)
    for row in np.flatnonzero((rows.part == part) & (rows.kind == STATED))[::-1].tolist():
        given = loops.velocities[int(rows.owner[row])]
        ways = _ways(loops, motion, part, v, speed, without=row)
        if not ways or np.size(given.value) != 1:
            continue
        found = np.array([float(np.ravel(given.measured(loops.sped(motion, change)))[0]) for change in ways])
        if np.abs(found - float(np.ravel(given.value)[0])).min() > ROUNDED * np.abs(found).max():
            values = sorted({f"{value:.6g} {given.unit}" for value in found})
            what = f"{given.field} = {given.told(given.value)} lets its mechanism not go on from the change point at which it starts"
            why = "with the other start rates there are no accelerations for it"
            return Problem(given.where, what, why, f"what fits is {' or '.join(values)}; or leave it out")
    return None


def _ways(
    loops: Loops, motion: Motion, part: int, v: np.ndarray, speed: float, without: int | None = None
) -> list[np.ndarray]:
    """Changes to velocities with which one part can go on; without: a row that may change as well."""
    rows = loops.velocity_rows(motion)
    own, mine = np.flatnonzero(loops.column_part == part), rows.part == part
    if without is not None:
        mine[without] = False
    if len(own) > MOST:
        return []
    bound = mine & (rows.kind != STATED)
    left = _null_space(rows.J[bound][:, own].toarray().T)  # wᵀ J = 0
    free = _null_space(rows.J[mine][:, own].toarray())  # changes that nothing stated and no constraint sees
    if not free.shape[1] or free.shape[1] > 12:
        return []
    basis = np.zeros((1 + free.shape[1], len(v)))
    basis[0, own], basis[1:, own] = v[own] / speed, free.T
    n = len(basis)
    alone = [_gamma(loops, motion, b)[bound] for b in basis]
    Q = np.zeros((n, n, left.shape[1]))  # wᵀγ(Σ cᵢ bᵢ) = Σ cᵢ cⱼ Qᵢⱼ
    for i, j in combinations_with_replacement(range(n), 2):
        both = 4 * alone[i] if i == j else _gamma(loops, motion, basis[i] + basis[j])[bound]
        Q[i, j] = Q[j, i] = left.T @ (0.5 * (both - alone[i] - alone[j]))
    before = np.where(loops.column_part == part, v, 0.0)
    return [np.asarray(speed * (c @ basis) - before) for c in _roots(Q)]


def _roots(Q: np.ndarray) -> list[np.ndarray]:
    """Some c with c₀ = 1 and Σ cᵢ cⱼ Qᵢⱼ = 0."""
    chance, found = np.random.default_rng(1), []
    for attempt in range(40):
        c = np.concatenate([[1.0], min(attempt, 1) * 2.0 * chance.standard_normal(len(Q) - 1)])
        for _ in range(50):
            off = np.einsum("i,j,ijk->k", c, c, Q)
            if np.abs(off).max(initial=0.0) < 1e-10 * float(c @ c):
                found.append(c)
                break
            c[1:] -= np.linalg.lstsq(2.0 * np.einsum("i,ijk->kj", c, Q)[:, 1:], off, rcond=1e-9)[0]
    return found


def _gamma(loops: Loops, motion: Motion, v: np.ndarray) -> np.ndarray:
    """J̇ v of all rows: how Φ̇ of a velocity changes along its own motion."""
    at = Motion(motion.x, motion.R, loops.sped(Motion(motion.x, motion.R, np.zeros_like(motion.v)), v).v)
    rest = Motion(motion.x, motion.R, np.zeros_like(motion.v))

    def rate(step: float) -> np.ndarray:
        there, still = loops.displaced(at, step * v), loops.displaced(rest, step * v)
        return loops.velocity_rows(there).r - loops.velocity_rows(still).r

    near, far = ((rate(step) - rate(-step)) / (2 * step) for step in (REACH, 2 * REACH))
    return (4 * near - far) / 3  # error of fourth order


def _columns(loops: Loops, motion: Motion) -> np.ndarray:
    """Velocities of the coordinates, in units of the size."""
    v = np.zeros(len(loops.unit))
    used = loops.column >= 0
    v[loops.column[used]] = motion.v[used]
    return np.asarray(v / loops.unit)


def _null_space(A: np.ndarray) -> np.ndarray:
    """Columns x with A x = 0."""
    _, values, V = np.linalg.svd(A)
    return V[np.count_nonzero(values > 1e-7 * values.max(initial=1e-300)) :].T


def _told(loops: Loops, part: int) -> Problem:
    joint = loops.table.joints[int(np.flatnonzero(loops.joint_part == part)[0])]
    return Problem(
        joint.called(joint.name),
        "its mechanism starts at a change point, where it can go on in several ways",
        "what is stated does not tell which; that with the smallest velocities is taken",
        "give the start_rate of more joints, or start at least 0.003 rad off this position",
    )
