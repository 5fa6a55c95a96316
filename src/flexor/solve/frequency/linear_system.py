"""The equations of a harmonic response, A(ω) x = −d(ω): small motions, what they feel of inputs, where outputs are read.

A(ω) = K + iH + iω C − ω² M                FTG (7.96), with the constraints as rows of K and structural damping H
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse


@dataclass(frozen=True)
class LinearSystem:
    """K, H, C, M over all unknowns (coordinates, multipliers, readings), inputs as columns, outputs as numbers of unknowns.

    felt: (unknowns, inputs, 5), see `inputs`.   own, reading: which unknowns are coordinates, and readings.   names: of the unknowns.
    vectors: for each unknown the number of the translation or rotation of a node that it is a component of; else its own.
    """

    K: sparse.csr_array
    H: sparse.csr_array
    C: sparse.csr_array
    M: sparse.csr_array
    felt: np.ndarray
    read: np.ndarray
    own: np.ndarray
    reading: np.ndarray
    names: tuple[str, ...]
    vectors: np.ndarray | None = None

    def matrix(self, omega: float) -> sparse.csc_array:
        """A(ω)"""
        hysteretic = 1j * self.H if omega else 0.0 * self.H
        return sparse.csc_array(self.K + hysteretic + 1j * omega * self.C - omega**2 * self.M)

    def excitation(self, omega: float) -> np.ndarray:
        """−d(ω), a column per input."""
        return -self.felt @ factors(omega)

    @property
    def integrates(self) -> bool:
        """Whether inputs act by their integral, so that they have no response at ω = 0."""
        return bool(np.any(self.felt[:, :, 3:]))


def factors(omega: float) -> np.ndarray:
    """By which the columns of an input count: of its value, rate, second rate, integral, and twice integrated."""
    integral = 1 / (1j * omega) if omega else 0.0
    return np.array([1.0, 1j * omega, -(omega**2), integral, integral**2])
