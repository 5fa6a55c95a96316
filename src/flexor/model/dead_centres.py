"""Starts at dead centres and change points: landed on exactly, and refused where they only come close.

In such a position the gradient J of the equations loses rank, and what is open falls with the square of the distance:
equations that are met to 1e-14 leave the position open by 1e-7. But the singular value of J that vanishes there falls with the
distance itself. With J = U₁ Σ₁ V₁ᵀ + U₂ Σ₂ V₂ᵀ, Σ₂ the values that are small or zero, the position is that of

    U₁ᵀ r(q) = 0,    U₂ᵀ J(q) V₂ = 0        (after Moore & Spence, SIAM J. Numer. Anal. 17, 1980, for turning points)

by Newton's method, shortest steps, with ∂J/∂q along the columns of V₂ from differences.

A dead centre belongs to all equations with what is stated: a piston that is stated as far out as it goes. A change point belongs
to the joints alone: there the mechanism can go on in several ways. Near one, but not at it, these ways lie closer together
than equations can be met, and neither the branch nor the rates of the start would be sure.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexor.errors import AssemblyError, Problem
from flexor.model.equations import STATED, STRUCTURE
from flexor.model.givens import EXACT, Motion, rounding
from flexor.model.least_moves import largest
from flexor.model.loops import Loops, Rows

NEAR = 3e-4
"""Distance from a change point, in parts of the mechanism's size and in rad, within which no start can be told from it."""
ROUNDING = 1e-12
"""Singular values that are zero, of rows and columns in units of the mechanism's size."""
SMALL = 2e-3
"""Singular values of a position that may be close to a singular one."""
SPOILT = 0.1
"""Singular values below which equations that are met to 1e-14 leave the position open by much more."""
STEP = 1e-3
"""Length of the differences along n, in parts of the size and in rad."""
FREE = 20
"""Motions that are free, of the mechanisms that are looked at."""
MOST = 300
"""Coordinates of the largest mechanism that is looked at."""


def landed(loops: Loops, motion: Motion, parts: np.ndarray) -> tuple[Motion, list[Problem], dict[int, AssemblyError]]:
    """The motion with parts (of a mask) that stand at a dead centre or change point exactly there; what is to be told of
    stated values, and the parts that come too close to a change point."""
    told: list[Problem] = []
    failures: dict[int, AssemblyError] = {}
    for i in np.flatnonzero(parts).tolist():
        every, joints = (_Equations.of(loops, i, kind) for kind in (STATED, STRUCTURE))
        if not 0 < len(every.own) <= MOST:
            continue
        one = np.arange(loops.count) == i
        open_by = _off(loops, motion, i)
        for there in (every.singular_near(motion), every.closer(motion)):
            if there is not None and _off(loops, there, i) <= max(2e-14, open_by):
                motion = loops.chosen(motion, there, one)
                break
        there = joints.singular_near(motion)
        if there is None or _distance(loops, motion, there, every) > NEAR:
            continue
        rows = loops.position_rows(there)
        off, mine = np.abs(rows.off()), rows.part == i
        digits = np.full(len(off), 1e-13)
        stated = rounding(loops.positions, loops.size)
        digits[rows.kind == STATED] = np.where(stated > EXACT, stated, 1e-13)
        worst = int(np.argmax(np.where(mine, off / digits, 0.0)))
        if off[worst] <= digits[worst]:
            motion = loops.chosen(motion, there, one)
            told += [_taken(loops, rows, worst, there)] if off[worst] > 1e-11 else []
        else:
            failures[i] = AssemblyError(_too_close(loops, rows, worst, there))
    return motion, told, failures


def at_dead_centre(loops: Loops, motion: Motion, part: int) -> bool:
    """Whether the equations of a part, with what is stated, lose rank here alone: more motions are free than a little off."""
    equations = _Equations.of(loops, part, STATED)
    return 0 < len(equations.own) <= MOST and equations.loses_rank(motion)


def _off(loops: Loops, motion: Motion, part: int) -> float:
    rows = loops.position_rows(motion)
    return largest(rows.off()[rows.part == part])


@dataclass(frozen=True)
class _Equations:
    """Equations of one part up to a kind (STRUCTURE, or all: STATED), lengths in units of the part's own size.

    own: columns of its coordinates.   size: of its largest arm, in parts of the model's.
    """

    loops: Loops
    part: int
    own: np.ndarray
    kind: int
    size: float

    @classmethod
    def of(cls, loops: Loops, part: int, kind: int) -> _Equations:
        own, joints = np.flatnonzero(loops.column_part == part), loops.joint_part == part
        moving = loops.table.markers.a[joints] > 0
        ends = loops.table.markers.p_a[joints][moving], loops.table.markers.p_b[joints]
        arm = largest(np.linalg.norm(np.vstack(ends), axis=1)) / loops.size
        return cls(loops, part, own, kind, min(1.0, arm) if arm > 0.0 else 1.0)

    def rows(self, motion: Motion) -> tuple[np.ndarray, np.ndarray]:
        """r and J."""
        rows: Rows = self.loops.position_rows(motion)
        chosen = (rows.part == self.part) & (rows.kind <= self.kind)
        J, long = rows.J[chosen][:, self.own].toarray(), self.loops.lengths[self.own]
        of_lengths = np.any(np.abs(J[:, long]) > 1e-6, axis=1)
        unit = np.where(of_lengths, 1.0 / self.size, 1.0)
        return unit * rows.off()[chosen], unit[:, None] * J * np.where(long, self.size, 1.0)

    def displaced(self, motion: Motion, move: np.ndarray) -> Motion:
        full = np.zeros(len(self.loops.unit))
        full[self.own] = move * np.where(self.loops.lengths[self.own], self.size, 1.0)
        return self.loops.displaced(motion, full)

    def singular_near(self, motion: Motion) -> Motion | None:
        """The position close by in which J loses rank; None if there is none, or if it is this one."""
        r, J = self.rows(motion)
        values = np.linalg.svd(J, compute_uv=False)
        rank = np.count_nonzero(values > SMALL)
        if not np.any(values[rank:] > ROUNDING) or J.shape[1] - rank > FREE:
            return None
        U, values, V = np.linalg.svd(J)
        for _ in range(10):
            U1, U2, V2 = U[:, :rank], U[:, rank:], V[rank:]
            A = [U1.T @ J, *(U2.T @ self._along(motion, n) for n in V2)]
            off = [U1.T @ r, *(U2.T @ J @ n for n in V2)]
            move = np.linalg.lstsq(np.vstack(A), -np.concatenate(off), rcond=1e-6)[0]
            far = float(np.abs(move).max())
            if far > 10 * NEAR:
                return None
            motion = self.displaced(motion, move)
            r, J = self.rows(motion)
            U, values, V = np.linalg.svd(J)
            if far < 1e-15:
                break
        met = max(float(np.abs(r).max()), float(values[rank:].max(initial=0.0))) <= 1e-13
        return motion if met else None

    def closer(self, motion: Motion) -> Motion | None:
        """Where a singular position is close enough to spoil digits, the equations met to the last of them."""
        r, J = self.rows(motion)
        values = np.linalg.svd(J, compute_uv=False)
        if not np.any((values > ROUNDING) & (values < SPOILT)):
            return None
        for _ in range(3):
            motion = self.displaced(motion, -np.linalg.lstsq(J, r, rcond=1e-9)[0])
            r, J = self.rows(motion)
        return motion

    def loses_rank(self, motion: Motion) -> bool:
        """Whether J has less rank here than a little off, along what is free here."""
        _, J = self.rows(motion)
        _, values, V = np.linalg.svd(J)
        rank = np.count_nonzero(values > 1e-9)
        if rank == J.shape[1]:
            return False
        n = np.random.default_rng(1).standard_normal(len(V) - rank) @ V[rank:]
        n /= np.abs(n).max()
        near = np.linalg.svd(self.rows(self.displaced(motion, STEP * n))[1], compute_uv=False)
        return bool(np.count_nonzero(near > 1e-5) > rank)

    def _along(self, motion: Motion, n: np.ndarray) -> np.ndarray:
        ahead, behind = (self.rows(self.displaced(motion, sign * STEP * n))[1] for sign in (1.0, -1.0))
        return np.asarray((ahead - behind) / (2 * STEP))


def _distance(loops: Loops, motion: Motion, there: Motion, equations: _Equations) -> float:
    """How far two positions are apart, in parts of the mechanism's size and in rad."""
    nodes = np.flatnonzero(loops.node_part == equations.part)
    apart = np.abs(there.x - motion.x)[nodes].max() / (equations.size * loops.size)
    turned = np.swapaxes(motion.R[nodes], 1, 2) @ there.R[nodes] - np.eye(3)
    return max(float(apart), float(np.abs(turned).max()))


WAYS = "there the mechanism can go on in several ways, which cannot be told apart so close to it"


def _too_close(loops: Loops, rows: Rows, worst: int, there: Motion) -> Problem:
    fix = f"start exactly there and give start rates of all joints, or at least {10 * NEAR:g} rad off"
    if rows.kind[worst] == STATED:
        given = loops.positions[int(rows.owner[worst])]
        at = given.near(there)
        away = f"{float(np.abs(np.ravel(given.value) - np.ravel(at)).max()):.2g} {given.unit}"
        what = f"{given.field} asks for {given.told(given.value)}, {away} off the next change point at {given.told(at)}"
        return Problem(given.where, what, WAYS, fix)
    off = abs(float(rows.off()[worst] / rows.scale[worst]))
    return Problem(loops.called(int(rows.owner[worst])), f"it starts {off:.2g} m or rad off a change point", WAYS, fix)


def _taken(loops: Loops, rows: Rows, worst: int, there: Motion) -> Problem:
    given = loops.positions[int(rows.owner[worst])]
    off = float(np.abs(given.near(there) - given.value).max())
    what = f"{given.field} asks for {given.told(given.value)}, it begins {off:.2g} {given.unit} off that, at a change point"
    return Problem(given.where, what, WAYS, "give it with more digits")
