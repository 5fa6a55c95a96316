"""Filtering of shape functions that contribute next to nothing.   NAK 7.5

Of every vector x of a characteristic set (free modes, static shapes at the markers, shapes of a spin, those of a trial run) the states with

    |x_i| > ε · (1/n) Σ |x|                                                                                       NAK (7-8)

are needed. All that is left out of one vector is then at most ε of the sum of its states. (The thesis takes ε = 10⁻²/n for one per cent, which
counts the number of states twice.)
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from pydantic import Field, model_validator

from flexor.declaration import Declaration, Frequency


class CharacteristicSet(Declaration):
    """Deformations that are typical of a body: shape functions that contribute to none of them are left out."""

    noun: ClassVar[str] = "characteristic set"
    positional: ClassVar[tuple[str, ...]] = ("modes",)
    modes: int = Field(0, description="The lowest free modes, so many of them.", ge=0)
    up_to: Frequency | None = Field(None, description="All free modes up to this frequency [Hz].", gt=0)
    markers: bool = Field(True, description="Static shapes of forces and moments at its markers.")
    spin: bool = Field(False, description="Static shapes of its centrifugal forces about all axes.")
    functions: tuple[str, ...] = Field(
        (),
        description="Shape functions to keep besides, by name: those that a trial run needed (`run.needed_functions`).",
    )
    threshold: float = Field(
        1e-2, description="Share of a deformation that may be lost with the shape functions left out.", gt=0, lt=1
    )

    @model_validator(mode="after")
    def _told(self) -> CharacteristicSet:
        if not (self.modes or self.up_to or self.markers or self.spin or self.functions):
            raise ValueError(
                "it has nothing in it; give e.g. modes: 10, up_to: 5 kHz, markers: true, spin: true or functions of a trial run"
            )
        return self


def needed(vectors: np.ndarray, threshold: float) -> np.ndarray:
    """(n,) whether each state is needed for any of the vectors (n, k)."""
    size = np.abs(vectors)
    mean = size.mean(axis=0)
    return np.asarray(np.any(size > threshold * mean, axis=1))
