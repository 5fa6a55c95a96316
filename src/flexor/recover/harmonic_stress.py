"""Stress of a flexible body that vibrates: complex components at every node, what they reach over a cycle, and their RMS.

    stress = model.harmonic_motion(hertz, "shaker.z").stress("bracket")
    print(stress.max())                              41.3 MPa at node 118, 212.4 Hz
    stress.amplitude("von_mises")                    (frequencies, nodes) largest value over the cycle
    stress.random({"shaker.z": 0.04}).max()          RMS von Mises stress under random vibration

Components are σ(t) = Re(σ e^{iωt}) about the state, whose own stress is not among them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from flexor.arguments import quantity_of
from flexor.errors import FileError, ModelError, Problem
from flexor.functions import Function
from flexor.io.vtu import write_pvd, write_vtu
from flexor.mistakes import suggestion
from flexor.recover.export import file_name
from flexor.recover.history import BodyHistory
from flexor.recover.lost_stress import warn_of_lost_vibration
from flexor.recover.measures import COMPONENTS, measure_of
from flexor.recover.sites import NONE, Sites, mesh_of, sites_of, tied_nodes
from flexor.recover.stress import quantity_text
from flexor.reduce.reduced import ReducedBody
from flexor.solve.frequency.motion import HarmonicMotion
from flexor.solve.frequency.random import CoarseSpectrum, density_of, refuse_no_density, refuse_unordered
from flexor.units import Quantity
from flexor.warning import warn

AMPLITUDES = ("von_mises", *COMPONENTS)


@dataclass(frozen=True)
class HarmonicPeak:
    """The largest value of all: how large [Pa], where, and at which frequency [Hz] (none of an RMS)."""

    value: float
    node: int | None
    element: int | None
    position: tuple[float, float, float]
    label: str
    unit: str = "Pa"
    frequency: float | None = None

    def __str__(self) -> str:
        at = "" if self.frequency is None else f", {self.frequency:.6g} Hz"
        return f"{quantity_text(self.value, self.unit)} at {self.label}{at}"


def largest_over_cycle(v: np.ndarray) -> np.ndarray:
    """max over t of |Re(v e^{iωt})| of complex vectors v (k, …), exactly.

    With v = a + ib:  |a cos − b sin|² = ½(|a|² + |b|²) + ½ Re(v·v e^{2iωt}),  whose largest value is ½(v·v̄ + |v·v|).
    """
    square = 0.5 * (np.sum(v.real**2 + v.imag**2, axis=0) + np.abs(np.sum(v * v, axis=0)))
    return np.sqrt(square)


class _Fields:
    """What fields of a body at sites have in common."""

    history: BodyHistory
    sites: Sites
    quantity: str

    @property
    def unit(self) -> str:
        return "Pa" if self.quantity == "stress" else ""

    def _field(self, values: np.ndarray) -> np.ndarray:
        """(…, sites, …) at axis 0 → all rows of a field; not-a-number where there is none."""
        field = np.full((self.sites.count, *values.shape[1:]), np.nan, dtype=values.dtype)
        field[self.sites.rows] = values
        return field

    def _where(self, site: int, value: float, frequency: float | None = None) -> HarmonicPeak:
        sites = self.sites
        node, element = (None if ids[site] == NONE else int(ids[site]) for ids in (sites.nodes, sites.elements))
        x, y, z = map(float, sites.positions[site])
        return HarmonicPeak(value, node, element, (x, y, z), sites.label(site), self.unit, frequency)

    def _untied(self, ties: bool) -> np.ndarray:
        """Which sites count."""
        if ties:
            return np.ones(len(self.sites), dtype=bool)
        free = ~np.isin(self.sites.nodes, tied_nodes(self.history.reduced.mesh))
        if not free.any():
            what = f"ties hold all {len(free)} places where stress is recovered"
            raise ModelError(Problem(self.history.where, what, "", "use ties=True, or a finer mesh"))
        return free


class HarmonicStress(_Fields):
    """Stress [Pa] or strain under harmonic inputs with their amplitudes, in the axes of the body.

    quantity, place, surface: as of `StressHistory`.
    """

    def __init__(
        self,
        motion: HarmonicMotion,
        history: BodyHistory,
        *,
        quantity: str = "stress",
        place: str = "nodes",
        surface: str = "top",
    ) -> None:
        if quantity not in ("stress", "strain"):
            fix = suggestion(quantity, ("stress", "strain"))
            raise ModelError(Problem(history.where, f"there is no quantity '{quantity}'", "", fix))
        self.motion, self.history, self.quantity, self.place = motion, history, quantity, place
        self.sites = sites_of(history, quantity, place, surface)
        if isinstance(history.reduced, ReducedBody):
            warn_of_lost_vibration(history, self.coordinates, self._accelerations())

    def _accelerations(self) -> np.ndarray:
        """(frequencies, 6) complex, of the body's frame in its own axes, −ω² (u, θ) [m/s², rad/s²]."""
        motion, R = self.motion, self.history.orientation[: 4 * len(self.motion.shifts)]
        moved, turned = motion.slopes(self.history.position[: len(R)]), motion.slopes(R)
        at = R[0]  # rows are shifted by little
        spins = np.einsum("dij,kj->dik", turned, at)  # θ̃ = Ṙ Rᵀ
        theta = 0.5 * np.stack([spins[:, i, j] - spins[:, j, i] for i, j in ((2, 1), (0, 2), (1, 0))], axis=1)
        by_direction = np.hstack([moved @ at, theta @ at])
        amplitudes = (motion.coefficients @ motion.amplitudes) @ by_direction
        return np.asarray(-((2 * np.pi * self.frequencies[:, None]) ** 2) * amplitudes)

    @property
    def frequencies(self) -> np.ndarray:
        """[Hz]"""
        return self.motion.frequencies

    @cached_property
    def _slopes(self) -> np.ndarray:
        """(directions, r) of the body's coordinates."""
        return self.motion.slopes(np.asarray(self.history.z[: 4 * len(self.motion.shifts)]))

    @cached_property
    def coordinates(self) -> np.ndarray:
        """(frequencies, r) complex coordinates of the body, all inputs with their amplitudes at once."""
        return (self.motion.coefficients @ self.motion.amplitudes) @ self._slopes

    def _index(self, frequency: Quantity) -> int:
        f = quantity_of("harmonic stress", "frequency", frequency, "frequency")
        i = int(np.argmin(np.abs(self.frequencies - f)))
        if abs(self.frequencies[i] - f) > 1e-9 * max(abs(f), 1e-300):
            what = f"there is no frequency {f:g} Hz"
            raise ModelError(Problem("harmonic stress", what, "", f"the nearest one is {self.frequencies[i]:.12g} Hz"))
        return i

    def components(self, frequency: Quantity) -> np.ndarray:
        """(n, 6) complex xx, yy, zz, xy, yz, zx at all nodes at one of the frequencies."""
        z, field = self.coordinates[self._index(frequency)], self.sites.modes.field
        return self._field(field(z.real) + 1j * field(z.imag))

    def at(self, node: int | None = None, element: int | None = None, fibre: int | None = None) -> np.ndarray:
        """(frequencies, 6) complex components at a site."""
        site = self.sites.find(self.history.where, node, element, fibre)
        z, at = self.coordinates, self.sites.modes.at
        return at(site, z.real) + 1j * at(site, z.imag)

    def amplitude(self, measure: str = "von_mises") -> np.ndarray:
        """(frequencies, n) largest value over the cycle: of a component |σ|, of von_mises that of σ(t) at the worst instant.

        The von Mises value of the amplitudes |σ_xx|, |σ_yy| … would leave out that components peak at different instants and with
        different signs; the largest over the cycle is exact.
        """
        return np.array([self._field(row) for row in self._amplitude(measure)])

    def _amplitude(self, measure: str) -> np.ndarray:
        if measure not in AMPLITUDES:
            fix = suggestion(measure, AMPLITUDES, "there are")
            raise ModelError(Problem(self.history.where, f"there is no amplitude of '{measure}'", "", fix))
        combined = self.sites.modes.combined(measure_of(measure, self.quantity).combine)
        every, z = slice(0, len(self.sites)), self.coordinates
        rows = [combined.of(row.real, every) + 1j * combined.of(row.imag, every) for row in z[:, None]]
        return np.array([largest_over_cycle(row[:, 0]) for row in rows]).reshape(len(z), -1)

    def max(self, measure: str = "von_mises", ties: bool = True) -> HarmonicPeak:
        """The largest amplitude of all sites and frequencies.   ties: also at nodes that interfaces and links hold."""
        values = np.where(self._untied(ties), self._amplitude(measure), -1.0)
        f, site = np.unravel_index(int(np.argmax(values)), values.shape)
        return self._where(int(site), float(values[f, site]), float(self.frequencies[f]))

    def random(self, psd: Mapping[str, float | Function | np.ndarray]) -> RandomStress:
        """RMS of stress under random inputs that do not depend on each other, over the frequencies of the motion.

        psd: one-sided density of each input [unit²/Hz]: a number, one per frequency, or a function of the frequency [Hz].
        """
        return random_stress(self, psd)

    def vtu(self, folder: str | Path, measures: Sequence[str] = AMPLITUDES) -> Path:
        """Write amplitudes at the nodes, and real and imaginary part of the displacement, as a VTU file per frequency, and a .pvd that
        plays them over frequency; returns its path."""
        if self.place != "nodes":
            what, fix = f"stress at {self.place} cannot be written", "ask for place='nodes'"
            raise ModelError(Problem(self.history.where, what, "fields of VTU files belong to nodes", fix))
        moved = self.motion.slopes(np.array([self.history.deformed(i)[:, :3] for i in range(len(self.history))]))
        moved = np.tensordot(self.motion.coefficients @ self.motion.amplitudes, moved, axes=1)
        fields = [{} for _ in self.frequencies]  # type: list[dict[str, np.ndarray]]
        for name in measures:
            for data, values in zip(fields, self.amplitude(name), strict=True):
                data[f"{self.quantity}_{name}_amplitude"] = values
        for data, u in zip(fields, moved, strict=True):
            data |= {"displacement_real": u.real, "displacement_imaginary": u.imag}
        return _write(Path(folder), self.history, list(self.frequencies), fields)

    def __str__(self) -> str:
        low, high = self.frequencies.min(), self.frequencies.max()
        name = self.history.reduced.name
        about = f"{len(self.frequencies)} frequencies from {low:.4g} to {high:.4g} Hz, {len(self.sites)} sites"
        return f"harmonic {self.quantity} of {name}: {about}; largest von Mises over a cycle {self.max()}"

    __repr__ = __str__


@dataclass(frozen=True, eq=False)
class RandomStress(_Fields):
    """Root mean squares of stress [Pa] at all sites (not-a-number where there is none).

    components: (n, 6).   von_mises: (n,) √E[σ_v²], which follows from the covariances of the components exactly.
        Segalman, Fulcher, Reese, Field: J. Sound Vib. 230 (2000) 393
    """

    components: np.ndarray
    von_mises: np.ndarray
    history: BodyHistory
    sites: Sites
    quantity: str = "stress"

    def max(self, measure: str = "von_mises", ties: bool = True) -> HarmonicPeak:
        """The largest RMS value of all sites."""
        if measure not in AMPLITUDES:
            fix = suggestion(measure, AMPLITUDES, "there are")
            raise ModelError(Problem(self.history.where, f"there is no RMS of '{measure}'", "", fix))
        values = self.von_mises if measure == "von_mises" else self.components[:, COMPONENTS.index(measure)]
        values = np.where(self._untied(ties), values[self.sites.rows], -1.0)
        site = int(np.argmax(values))
        return self._where(site, float(values[site]))

    def vtu(self, folder: str | Path) -> Path:
        """Write the RMS values at all nodes as a VTU file; returns the path of its .pvd."""
        data = {f"{self.quantity}_von_mises_rms": self.von_mises, f"{self.quantity}_rms": self.components}
        return _write(Path(folder), self.history, [0.0], [data])

    def __str__(self) -> str:
        return f"random {self.quantity} of {self.history.reduced.name}: largest RMS von Mises {self.max()}"

    __repr__ = __str__


def random_stress(stress: HarmonicStress, psd: Mapping[str, float | Function | np.ndarray]) -> RandomStress:
    """From the covariance of the body's coordinates, Γ = Σ_u ∫ S_u Re(z z̄ᵀ) df, whose factor G has the mean squares of Gᵀ's columns."""
    motion, f = stress.motion, stress.frequencies
    refuse_unordered(f)
    refuse_no_density(psd, motion.inputs)
    unknown = [name for name in psd if name not in motion.inputs]
    if unknown:
        fix = suggestion(unknown[0], list(motion.inputs), "inputs are")
        raise ModelError(Problem("random vibration", f"there is no input '{unknown[0]}'", "", fix))
    densities = {name: density_of(name, given, f) for name, given in psd.items()}
    squares = _mean_squares(stress, densities, np.arange(len(f)))
    if len(f) >= 5:
        last = len(f) - (len(f) + 1) % 2
        fine, half = (_mean_squares(stress, densities, np.arange(0, last, every))[-1] for every in (1, 2))
        worst = int(np.argmax(fine))
        off = abs(half[worst] / max(fine[worst], 1e-300) - 1)
        if off > 0.02:
            warn(
                f"random vibration: with every other frequency the mean square of stress at {stress.sites.label(worst)} of "
                f"'{stress.history.reduced.name}' differs by {100 * off:.2g} %; take frequencies closer to each other",
                CoarseSpectrum,
            )
    rms = [stress._field(np.sqrt(row)) for row in squares]
    return RandomStress(np.stack(rms[:6], axis=1), rms[6], stress.history, stress.sites, stress.quantity)


def _mean_squares(stress: HarmonicStress, densities: Mapping[str, np.ndarray], some: np.ndarray) -> np.ndarray:
    """(7, sites) of the six components and of von Mises, by the trapezoidal rule over some of the frequencies."""
    motion, f = stress.motion, stress.frequencies[some]
    width = np.gradient(np.arange(len(f))) * 0.0
    width[:-1] += 0.5 * np.diff(f)
    width[1:] += 0.5 * np.diff(f)
    p = len(motion.shifts)
    covariance = np.zeros((p, p))
    for name, density in densities.items():
        c = motion.coefficients[some, :, motion.inputs.index(name)] * np.sqrt(width * density[some])[:, None]
        covariance += (c.T @ c.conj()).real
    size = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
    values, vectors = np.linalg.eigh(covariance / np.outer(size, size))
    kept = values > 1e-15 * max(values[-1], 1e-300)
    factor = (size[:, None] * vectors[:, kept] * np.sqrt(values[kept])).T @ stress._slopes  # (k, r)
    every = slice(0, len(stress.sites))
    both = np.vstack([np.eye(6), measure_of("von_mises", stress.quantity).combine])
    squares = np.sum(stress.sites.modes.combined(both).of(factor, every) ** 2, axis=1)
    return np.vstack([squares[:6], squares[6:].sum(axis=0)])


def _write(
    folder: Path, history: BodyHistory, times: Sequence[float], fields: Sequence[Mapping[str, np.ndarray]]
) -> Path:
    name, mesh = file_name(history.reduced.name), mesh_of(history.reduced)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files = [write_vtu(folder / f"{name}_{i:05d}.vtu", mesh, data) for i, data in enumerate(fields)]
        return write_pvd(folder / f"{name}.pvd", times, files)
    except OSError as error:
        fix = "choose another folder or free some space"
        raise FileError(Problem(str(folder), "cannot be written", str(error.strerror), fix)) from None
