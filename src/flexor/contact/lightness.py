"""How light the bodies are that touch."""

from __future__ import annotations

from flexor.bodies.marker import MarkerRef
from flexor.joints.surroundings import Surroundings


def lightness(around: Surroundings, *ends: MarkerRef) -> float:
    """1/m_a + 1/m_b of the bodies that touch [1/kg]; the ground, and what has no mass, count for nothing."""
    masses = (around.mass_of(end.body) for end in ends)
    return sum(1.0 / mass for mass in masses if mass > 0.0)
