"""Kinetic and strain energy of a flexible body over time, from its coordinates.   FTG 9.2.1, 9.2.2"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexor.recover.history import BodyHistory


class Energies(NamedTuple):
    """(T,) energies [J]."""

    kinetic: np.ndarray
    strain: np.ndarray


def energies(history: BodyHistory) -> Energies:
    """Kinetic and strain energy of the body over time."""
    return Energies(history.kinetic_energy(), history.strain_energy())
