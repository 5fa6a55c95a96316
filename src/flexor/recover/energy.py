"""Kinetic and strain energy of a flexible body over time, from its coordinates.   FTG 9.2.1, 9.2.2"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexor.recover.history import BodyHistory


class Energies(NamedTuple):
    """(T,) energies [J]."""

    kinetic: np.ndarray
    strain: np.ndarray

    def __repr__(self) -> str:
        spans = (f"{name} {values.min():.4g} … {values.max():.4g} J" for name, values in self._asdict().items())
        return f"energies at {len(self.kinetic)} times: {', '.join(spans)}"


def energies(history: BodyHistory) -> Energies:
    """Kinetic and strain energy of the body over time."""
    return Energies(history.kinetic_energy(), history.strain_energy())
