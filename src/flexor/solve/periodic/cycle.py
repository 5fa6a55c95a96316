"""The equations of a mechanism over one cycle: residuals and matrices at all samples of a periodic motion.

Unknowns are Fourier coefficients X of all coordinates, multipliers and readings, measured from a state at rest: x = x₀ + u,
R = exp(θ) R₀, s = s₀ + …, λ = λ₀ + …. With the spins ω = H(θ) θ̇ of nodes the engine's laws tell r(q, v, a, λ) at each sample, and

    F_k(X, ω) = P_k r = 0                            the balance of each harmonic
    ∂F_k/∂X_l = P_k (K* Γ_l + ω C* Γ'_l + ω² M* Γ''_l)

with derivatives by θ from those by spins δφ = H δθ, δω = δφ̇ − ω × δφ, δα = δφ̈ − ω × δφ̇ − α × δφ:

    M* = M H,   C* = C' H + 2 M Ḣ,   K* = K' H + C' Ḣ + M Ḧ,      C' = C − M ω̃,   K' = K − C ω̃ − M α̃
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from flexor.engine.diagnose import describe_failure
from flexor.engine.initial import set_proper
from flexor.engine.memory import OK, ROTATION
from flexor.engine.system import System
from flexor.law import MATRIX, RESIDUAL
from flexor.solve.frequency.inputs import Place
from flexor.solve.frequency.linear_system import factors
from flexor.solve.linearise import reading_rows, state_rates
from flexor.solve.periodic.fourier import Fourier
from flexor.spatial import exp_so3, skew, tangent

SAME = 1e-13
"""Part of an entry of the matrix, relative to its largest harmonic, below which a harmonic of it is rounding."""


@dataclass(frozen=True)
class Matrices:
    """K*, C*, M* (samples, entries) at rows and columns among the unknowns of one sample."""

    K: np.ndarray
    C: np.ndarray
    M: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    n: int

    def balanced(self, fourier: Fourier, omega: float) -> sparse.csc_array:
        """∂F/∂X, unknowns in the order (harmonic, row)."""
        return self._harmonics(
            fourier,
            [
                (self.K, fourier.values),
                (self.C, omega * fourier.rates),
                (self.M, omega**2 * fourier.second_rates),
            ],
        )

    def by_exponent(self, fourier: Fourier, omega: float) -> tuple[sparse.csc_array, sparse.csc_array]:
        """Parts of s and s² where motions grow as e^{st}: d/dt = ω d/dτ + s."""
        first = [(self.C, fourier.values), (self.M, 2 * omega * fourier.rates)]
        return self._harmonics(fourier, first), self._harmonics(fourier, [(self.M, fourier.values)])

    def _harmonics(self, fourier: Fourier, parts: list[tuple[np.ndarray, np.ndarray]]) -> sparse.csc_array:
        h, N = fourier.size, fourier.samples
        left = np.hstack([(fourier.project[:, None] * by.T[None]).reshape(h * h, N) for _, by in parts])
        values = left @ np.vstack([matrix for matrix, _ in parts])  # (h², entries)
        values[np.abs(values) < SAME * np.abs(values).max(axis=0)] = 0.0
        pair, entry = np.nonzero(values)
        k, j = np.divmod(pair, h)
        where = (k * self.n + self.rows[entry], j * self.n + self.columns[entry])
        return sparse.csc_array((values[pair, entry], where), shape=(h * self.n, h * self.n))


@dataclass(frozen=True)
class States:
    """A mechanism at all samples: arrays of the engine, rates of the unknowns, rotations, and what drives it."""

    arrays: dict[str, np.ndarray]
    v: np.ndarray
    a: np.ndarray
    theta: np.ndarray
    H: np.ndarray
    spin: np.ndarray
    spin_rate: np.ndarray
    drives: np.ndarray


class Cycle:
    """A system whose unknowns run through a cycle; its state on entry is the one motions are measured from.

    places, amplitudes: of the inputs, which are u = Re(A e^{iτ}).   rates_felt: whether laws depend on more than their values.
    active: equations of the unknowns, in the order of a sample.
    """

    def __init__(
        self,
        system: System,
        places: Sequence[Sequence[Place]],
        amplitudes: np.ndarray,
        fourier: Fourier,
        rates_felt: bool = True,
    ) -> None:
        self.system, self.fourier = system, fourier
        self.places, self.amplitudes, self.rates_felt = places, amplitudes, rates_felt
        system.use_lu()
        system.run.still = 0
        system.open_regimes()
        system.zero("v", "a")
        system.memory.s[1::3] = 0.0
        system.memory.s[2::3] = 0.0
        self.rest = system.copy("x", "R", "v", "a", "s", "lam", "p_parameters", "history")
        memory = system.memory
        self._arrays = {name: getattr(memory, name) for name in ("x", "R", "v", "a", "s", "lam")}
        self._history, self._balance = memory.history, memory.residual
        self.active = np.sort(np.concatenate([system.coordinates, system.constraints, reading_rows(system)]))
        self.is_coordinate = system.is_coordinate[self.active]
        self.kinds = system.memory.norm_kind[self.active]
        self.turning = np.flatnonzero(self.kinds == ROTATION)
        self._at = np.full(system.equations.pattern.n, len(self.active))
        self._at[self.active] = np.arange(len(self.active))
        nodes, rows = system.node_rows
        self._nodes, self._turns = nodes, self._at[rows[:, 3:]]
        self._moves, self._scalars = self._at[rows[:, :3]], self._at[system.memory.scalar_eq]
        self._multipliers = self._at[system.multiplier_rows]
        self._entries()

    @property
    def n(self) -> int:
        """Unknowns of a sample."""
        return len(self.active)

    def _entries(self) -> None:
        """Places of the matrix's entries among unknowns, and which of them belong to rotations of a node, three in a row."""
        places, rows, pointers = self.system.solver.listed()
        columns = np.repeat(np.arange(len(pointers) - 1), np.diff(pointers))
        row, column = self._at[rows], self._at[columns]
        kept = (row < self.n) & (column < self.n)
        self.stored, self.rows, self.columns = places[kept], row[kept], column[kept]
        # states of control blocks, ẋ − f: what their rates add to the rows of readings
        self._of_states = sparse.coo_array(state_rates(self.system)[self.active][:, self.active])
        own = len(self.rows)
        self.rows = np.concatenate([self.rows, self._of_states.coords[0]])
        self.columns = np.concatenate([self.columns, self._of_states.coords[1]])
        ones = np.ones(len(self.rows))
        self._into_rows = sparse.csr_array((ones, (self.rows, np.arange(len(ones)))), shape=(self.n, len(ones)))
        self.moving = self.is_coordinate[self.columns]  # multipliers and readings have no rates
        pairs = zip(self.rows[:own], self.columns[:own], strict=True)
        number = {(int(r), int(c)): i for i, (r, c) in enumerate(pairs)}
        self._triples: list[tuple[int, np.ndarray]] = []
        for i, turn in enumerate(self._turns):
            if np.any(turn >= self.n):
                continue
            triples = [
                [number[int(r), int(c)] for c in turn]
                for r in np.unique(self.rows[self.columns == turn[0]])
                if all((int(r), int(c)) in number for c in turn)
            ]
            if triples:
                self._triples.append((i, np.array(triples)))

    # -- states --------------------------------------------------------------------------------------------

    def _states(self, X: np.ndarray, omega: float, share: float = 1.0) -> States:
        """What the engine needs at every sample, of coefficients X (size, n)."""
        f, rest, nodes, N = self.fourier, self.rest, self._nodes, self.fourier.samples
        wide = np.hstack([X, np.zeros((f.size, 1))])  # the last column: what is no unknown
        q, v, a = f.values @ wide, omega * (f.rates @ wide), omega**2 * (f.second_rates @ wide)
        theta, rate = q[:, self._turns], v[:, self._turns]
        H = tangent(theta)
        spin = np.einsum("tnij,tnj->tni", H, rate)
        spin_rate = omega * f.along(spin)
        arrays = {name: np.tile(rest[name], (N, 1)) for name in ("x", "R", "v", "a", "s", "lam")}
        arrays["x"].reshape(N, -1, 3)[:, nodes] += q[:, self._moves]
        R = arrays["R"].reshape(N, -1, 3, 3)
        R[:, nodes] = exp_so3(theta) @ R[:, nodes]
        for name, moved, turned in (("v", v, spin), ("a", a, spin_rate)):
            rows = arrays[name].reshape(N, -1, 6)
            rows[:, nodes, :3], rows[:, nodes, 3:] = moved[:, self._moves], turned
        for i, values in enumerate((q, v, a)):
            arrays["s"][:, i::3] += values[:, self._scalars]
        arrays["lam"] += q[:, self._multipliers]
        wave = share * np.exp(1j * f.phases)[:, None, None]
        drives = (wave * self.amplitudes[:, None] * factors(omega)).real  # (samples, inputs, 5)
        return States(arrays, v, a, theta, H, spin, spin_rate, drives)

    def _put(self, states: States, j: int) -> None:
        for name, array in self._arrays.items():
            array[:] = states.arrays[name][j]
        for kinds, values in zip(self.places, states.drives[j], strict=True):
            for (array, place), value in zip(kinds, values, strict=True):
                if len(place):
                    source = self.rest["history"] if array is self._history else self.rest["p_parameters"]
                    array[place] = source[place] + value
        if self.system.mechanism.followers:
            self.system.call("follow")
        set_proper(self.system)

    def _evaluate(self, want: int, *c: float) -> None:
        status = self.system.evaluate(want, *c)
        if status != OK:
            raise describe_failure(self.system, status)

    # -- the balance ---------------------------------------------------------------------------------------

    def _residual(self, states: States) -> np.ndarray:
        r = np.empty((self.fourier.samples, self.n))
        for j in range(self.fourier.samples):
            self._put(states, j)
            self._evaluate(RESIDUAL, 1.0)
            r[j] = self._balance[self.active]
        return np.asarray(self.fourier.project @ (r + states.v[:, :-1] @ self._of_states.T))

    def residual(self, X: np.ndarray, omega: float, share: float = 1.0) -> np.ndarray:
        """F (size, n).   share: of the inputs."""
        return self._residual(self._states(X, omega, share))

    def linearised(self, X: np.ndarray, omega: float, share: float = 1.0) -> tuple[np.ndarray, Matrices]:
        """F and the matrices of all samples."""
        states = self._states(X, omega, share)
        N, system = self.fourier.samples, self.system
        r = np.empty((N, self.n))
        found, own = np.zeros((3, N, len(self.rows))), len(self.stored)
        values = system.solver.values
        for j in range(N):
            self._put(states, j)
            for i, c in ((2, (0.0, 0.0, 1.0)), (1, (0.0, 1.0, 0.0)), (0, (1.0, 0.0, 0.0))):
                self._evaluate(RESIDUAL | MATRIX, *c)
                found[i, j, :own] = values[self.stored]
            r[j] = self._balance[self.active]
        found[1:, :, ~self.moving] = 0.0
        found[1, :, own:] = self._of_states.data
        r += states.v[:, :-1] @ self._of_states.T
        K, C, M = found
        self._by_parameters(K, C, M, states, omega)
        return self.fourier.project @ r, Matrices(K, C, M, self.rows, self.columns, self.n)

    def by_frequency(self, X: np.ndarray, omega: float, matrices: Matrices) -> np.ndarray:
        """∂F/∂ω (size, n): rates grow with ω, accelerations with ω², C* q̇/ω + 2 M* q̈/ω; and what laws feel of inputs' rates."""
        f = self.fourier
        felt = (
            matrices.C * (f.rates @ X)[:, self.columns] + 2 * omega * matrices.M * (f.second_rates @ X)[:, self.columns]
        )
        by = (self._into_rows @ (f.project @ felt).T).T
        if self.rates_felt:
            step = 1e-5 * omega
            states, high, low = (self._states(X, w) for w in (omega, omega + step, omega - step))
            above, below = (self._residual(replace(states, drives=each.drives)) for each in (high, low))
            by = by + (above - below) / (2 * step)
        return np.asarray(by)

    def _by_parameters(self, K: np.ndarray, C: np.ndarray, M: np.ndarray, states: States, omega: float) -> None:
        """From derivatives by spins to those by rotation vectors, in place."""
        if not np.any(states.theta):
            return
        H = states.H
        H1 = omega * self.fourier.along(H)
        H2 = omega * self.fourier.along(H1)
        W, A = skew(states.spin), skew(states.spin_rate)
        for i, own in self._triples:
            m, c, k = M[:, own], C[:, own], K[:, own]  # (samples, entries, 3)
            c1 = c - m @ W[:, i]
            k1 = k - c @ W[:, i] - m @ A[:, i]
            M[:, own] = m @ H[:, i]
            C[:, own] = c1 @ H[:, i] + 2 * m @ H1[:, i]
            K[:, own] = k1 @ H[:, i] + c1 @ H1[:, i] + m @ H2[:, i]
