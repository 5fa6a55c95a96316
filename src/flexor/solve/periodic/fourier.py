"""Truncated Fourier series over one cycle τ = ωt: values at equidistant samples, derivatives, and back to coefficients.

q(τ) = c₀ + Σ_k (c_k cos kτ + s_k sin kτ), k = 1 … H; coefficients in the order c₀, c₁, s₁, c₂, s₂, …
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class Fourier:
    """harmonics: H.   samples: N > 2H per cycle."""

    harmonics: int
    samples: int

    @property
    def size(self) -> int:
        """Coefficients of a series."""
        return 2 * self.harmonics + 1

    @cached_property
    def phases(self) -> np.ndarray:
        """τ of the samples."""
        return 2 * np.pi * np.arange(self.samples) / self.samples

    @cached_property
    def order(self) -> np.ndarray:
        """k of each coefficient."""
        return (np.arange(self.size) + 1) // 2

    @cached_property
    def values(self) -> np.ndarray:
        """(samples, size) from coefficients to values."""
        angle = np.outer(self.phases, self.order)
        found: np.ndarray = np.where(np.arange(self.size) % 2 == 1, np.cos(angle), np.sin(angle))
        found[:, 0] = 1.0
        return found

    @cached_property
    def derivative(self) -> np.ndarray:
        """(size, size) coefficients of dq/dτ."""
        D = np.zeros((self.size, self.size))
        for k in range(1, self.harmonics + 1):
            D[2 * k - 1, 2 * k], D[2 * k, 2 * k - 1] = k, -k
        return D

    @cached_property
    def rates(self) -> np.ndarray:
        """(samples, size) from coefficients to dq/dτ."""
        return self.values @ self.derivative

    @cached_property
    def second_rates(self) -> np.ndarray:
        return self.rates @ self.derivative

    @cached_property
    def project(self) -> np.ndarray:
        """(size, samples) from values to coefficients."""
        weight = np.full(self.size, 2.0)
        weight[0] = 1.0
        return weight[:, None] * self.values.T / self.samples

    def along(self, values: np.ndarray) -> np.ndarray:
        """d/dτ of samples (N, …) of a smooth periodic function, by its whole discrete spectrum."""
        n = self.samples
        k = np.fft.rfftfreq(n, 1 / n)
        if n % 2 == 0:
            k[-1] = 0.0
        spectrum = np.fft.rfft(values, axis=0)
        return np.fft.irfft(1j * k.reshape(-1, *([1] * (values.ndim - 1))) * spectrum, n, axis=0)

    def phasors(self, coefficients: np.ndarray) -> np.ndarray:
        """(H + 1, …) complex a_k with q = Re Σ a_k e^{ikτ} of coefficients (size, …)."""
        return np.concatenate([coefficients[:1] + 0j, coefficients[1::2] - 1j * coefficients[2::2]])
