"""Modes at one speed after the other: which shape continues which.

Shapes of equal eigenvalues are arbitrary among themselves: they are chosen so that they whirl forward or backward, and beyond that
as like to those at the speed before as can be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse
from scipy.linalg import eigh, null_space

from flexor.solve.linearise import Linearisation

CIRCULAR = 0.99
"""Whirl beyond which an orbit counts as a circle."""
EQUAL = 1e-4
"""Relative difference below which eigenvalues belong to shapes that may be mixed."""
FAR = 2.0
"""Ratio of frequencies beyond which modes are no two planes of one bending."""
GYROSCOPIC = 1e-6
"""Share of the terms of a gyroscopic force that is more than rounding."""
SAME_WHIRL = 1e-3
"""Difference of whirl below which they may be mixed further."""


@dataclass(frozen=True)
class Pairs:
    """Eigenvalues and shapes at one speed: all of |λ| ≤ radius."""

    speed: float
    values: np.ndarray
    shapes: np.ndarray
    whirl: np.ndarray
    lateral: np.ndarray
    M: sparse.csr_array
    radius: float = np.inf

    @property
    def circular(self) -> bool:
        """Whether every mode moves on circles, or not across the axis at all."""
        return self.speed == 0 or bool(np.all((np.abs(self.whirl) > CIRCULAR) | (np.abs(self.whirl) < 1 - CIRCULAR)))

    def chosen(self, columns: np.ndarray) -> Pairs:
        few = {name: getattr(self, name)[columns] for name in ("values", "whirl", "lateral")}
        return replace(self, shapes=self.shapes[:, columns], **few)

    def likeness(self, others: Pairs) -> np.ndarray:
        """MAC of these shapes (rows) with others."""
        MAC = np.abs(self.shapes.conj().T @ (self.M @ others.shapes)) ** 2
        return MAC / np.outer(sizes_of(self.shapes, self.M), sizes_of(others.shapes, self.M))

    def aligned(self, others: Pairs) -> Pairs:
        """The others, where shapes of equal eigenvalues and whirl are arbitrary among themselves as like to these as can be.

        Of a group with the orthonormal basis Q the closest to shapes T is Q U Vᴴ, where QᴴM T = U Σ Vᴴ.
        """
        shapes = others.shapes.astype(complex)
        own = self.shapes / np.sqrt(sizes_of(self.shapes, self.M))
        for first, last in _groups(others.values):
            order = first + np.argsort(others.whirl[first:last], kind="stable")
            for group in np.split(order, 1 + np.flatnonzero(np.diff(others.whirl[order]) > SAME_WHIRL)):
                if len(group) > 1:
                    shapes[:, group] = _closest(shapes[:, group], own, self.M)
        return replace(others, shapes=shapes)

    def matched(self, others: Pairs, turning: bool = False) -> tuple[np.ndarray, Pairs]:
        """Which of the others continue these, and these others: the likest shapes (MAC), near in frequency.

        turning: both are seen from the rotating frame, where forward whirl falls behind with the speed, Im λ − ΔΩ, and backward
            whirl is ahead. Where a frequency goes through zero the other of the pair λ, λ̄ continues it: it is given with Im λ < 0.
        """
        expected = self.values
        if turning:
            expected = expected - 1j * self.whirl * self.lateral * (others.speed - self.speed)
        cost = self._cost(others, expected)
        behind = self._cost(others.conjugate, expected) if turning else np.full_like(cost, np.inf)
        least = np.minimum(cost, behind)
        # stays so where there are fewer others: two decaying modes became one that vibrates
        columns = np.argmin(least, axis=1)
        from scipy.optimize import linear_sum_assignment  # takes long to load

        rows, assigned = linear_sum_assignment(least)
        columns[rows] = assigned
        turned = (behind < cost)[np.arange(len(columns)), columns]
        return columns, others.chosen(columns).turned(turned)

    def _cost(self, others: Pairs, expected: np.ndarray) -> np.ndarray:
        apart = np.abs(others.values[None, :] - expected[:, None])
        nearness = apart / (apart + np.abs(expected[:, None]) + 1e-300)
        return 1.0 - self.likeness(others) + 0.2 * nearness

    @property
    def conjugate(self) -> Pairs:
        """The other of each pair."""
        return replace(self, values=self.values.conj(), shapes=self.shapes.conj(), whirl=-self.whirl)

    def turned(self, which: np.ndarray) -> Pairs:
        """The same, with the other of the pair for some."""
        if not which.any():
            return self
        other = self.conjugate
        few = {
            name: np.where(which, getattr(other, name), getattr(self, name)) for name in ("values", "shapes", "whirl")
        }
        return replace(self, **few)


def sizes_of(shapes: np.ndarray, M: sparse.csr_array) -> np.ndarray:
    return np.maximum(np.einsum("ik,ik->k", shapes.conj(), M @ shapes).real, 1e-300)


def felt_change(
    before: Linearisation, after: Linearisation, turned: sparse.csr_array, values: np.ndarray, shapes: np.ndarray
) -> np.ndarray:
    """How much mass, damping and stiffness differ after a turn, as pairs of modes feel it: forces in parts of |λᵢλⱼ| √(mᵢmⱼ)."""
    size = np.abs(values) ** 2 * sizes_of(shapes, before.M)
    force = np.zeros(shapes.shape, dtype=complex)
    for name, power in (("K", 0), ("C", 1), ("M", 2)):
        difference = turned.T @ getattr(after, name) @ turned - getattr(before, name)
        force += difference @ shapes * values**power
    return np.asarray(np.abs(shapes.conj().T @ force) / np.sqrt(np.outer(size, size)))


def shift_of_squares(change: np.ndarray, values: np.ndarray, count: int) -> float:
    """The largest relative shift of |λ|² of the first modes by a change of the matrices (`felt_change`), to second order.

    What couples frequencies more than a factor `FAR` apart counts with its square, (cᵢⱼ ωᵢ ωⱼ)² / |ωᵢ² − ωⱼ²|: such is a mode of high frequency that the
    reduction of a round body kept in one plane alone.
    """
    squares = np.abs(values) ** 2
    apart = np.abs(squares[:, None] - squares[None, :])
    ratio = np.sqrt(squares[None, :] / squares[:, None])
    first, second = change * ratio, change**2 * squares[None, :] / np.maximum(apart, 1e-300)
    far = np.abs(np.log(ratio)) > np.log(FAR)
    return float(np.where(far, second, first)[:count].sum(axis=1).max(initial=0.0))


def _groups(values: np.ndarray) -> list[tuple[int, int]]:
    """(first, end) of runs of equal eigenvalues."""
    found, first = [], 0
    for i in range(1, len(values) + 1):
        if i == len(values) or abs(values[i] - values[first]) > EQUAL * abs(values[first]):
            found.append((first, i))
            first = i
    return found


def _closest(group: np.ndarray, targets: np.ndarray, M: sparse.csr_array) -> np.ndarray:
    """Another basis of a group of shapes, which begins with what is likest to those of the targets that lie in it."""
    squares, vectors = eigh(group.conj().T @ (M @ group))
    if squares[0] <= 1e-10 * squares[-1]:
        return group
    Q = group @ (vectors / np.sqrt(squares))
    C = Q.conj().T @ (M @ targets)
    size = np.sum(np.abs(C) ** 2, axis=0)
    C = C[:, [j for j in np.argsort(-size, kind="stable")[: len(squares)] if size[j] > 0.5]]
    if not C.shape[1]:
        return group
    U, _, V = np.linalg.svd(C, full_matrices=False)
    like = U @ V
    return np.asarray(Q @ np.hstack([like, null_space(like.conj().T)]))


def with_definite_whirl(values: np.ndarray, shapes: np.ndarray, M: sparse.csr_array, E: sparse.csr_array) -> np.ndarray:
    """Shapes of equal eigenvalues, which are arbitrary among themselves, as those that whirl forward and backward."""
    shapes = shapes.astype(complex)
    for first, last in _groups(values):
        group = shapes[:, first:last]
        if last > first + 1 and np.linalg.cond(group) < 1e6:
            S = 1j * (E @ (E @ group)).conj().T @ (M @ (E @ group))
            G = group.conj().T @ (M @ group)
            shapes[:, first:last] = group @ eigh(0.5 * (S + S.conj().T), 0.5 * (G + G.conj().T))[1]
    return shapes


def gone_over_to_nutation(values: np.ndarray, shapes: np.ndarray, C: sparse.csr_array, whirl: np.ndarray) -> np.ndarray:
    """Which free motions are no modes of their own at speed, since gyroscopic forces act on them.

    Two free tilts of a disc at rest have four eigenvalues zero, each motion going on for ever. In a spin two stay, the tilts that
    rest, and two become ±i Ω J_p/J_t: one free motion and the nutation, which whirls forward as the other free one did.
    """
    forces = np.einsum("ik,ik->k", shapes.conj(), C @ shapes)
    terms = np.einsum("ik,ik->k", np.abs(shapes), abs(C) @ np.abs(shapes))
    return np.asarray((values == 0) & (np.abs(forces.imag) > GYROSCOPIC * terms) & (whirl > 0))


def without_turn(
    values: np.ndarray, shapes: np.ndarray, M: sparse.csr_array, turn: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Modes other than the free rotation itself, which has λ = 0 or is only slowed down."""
    free = np.flatnonzero(values == 0)
    others = np.flatnonzero(values != 0)
    like = np.abs((M @ turn) @ shapes[:, others]) ** 2 / (
        sizes_of(turn[:, None], M)[0] * sizes_of(shapes[:, others], M)
    )
    others = others[~((like > 0.9) & (values[others].imag == 0))]
    if len(free):  # among several free motions, those that are not the turn
        across = null_space(((M @ turn) @ shapes[:, free])[None, :])
        rest = shapes[:, free] @ across
        return np.append(np.zeros(rest.shape[1]), values[others]), np.hstack([rest, shapes[:, others]])
    return values[others], shapes[:, others]
