"""Harmonic motion of a model: stress and deformation of its flexible bodies at every frequency."""

from __future__ import annotations

from dataclasses import fields
from typing import Unpack

import numpy as np

from flexor.model import Model
from flexor.recover.harmonic_stress import HarmonicStress
from flexor.recover.stress import StressOptions
from flexor.results.bodies import body_history
from flexor.solve.frequency.motion import HarmonicMotion


class Vibration(HarmonicMotion):
    """Harmonic motion with the model that it belongs to.

    vibration.stress("rod").max()            largest von Mises stress over a cycle, where and at which frequency
    vibration.displacement("rod")            (frequencies, nodes, 6) complex, against the body's frame
    """

    model: Model

    def __init__(self, model: Model, found: HarmonicMotion) -> None:
        super().__init__(**{field.name: getattr(found, field.name) for field in fields(HarmonicMotion)})
        vars(self).update(model=model)

    def stress(self, name: str, **options: Unpack[StressOptions]) -> HarmonicStress:
        """Stress in a flexible body, complex at all nodes: vibration.stress("rod").max(), .random({"shaker.z": 0.04}).max()"""
        return HarmonicStress(self, body_history(self.model, self.signals, name, {name}), **options)

    def displacement(self, name: str, relative_to: str | None = None) -> np.ndarray:
        """(frequencies, nodes, 6) complex displacement [m] and rotation [rad] of all nodes of a flexible body, all inputs at once.

        Against the body's frame, or one of its interfaces (relative_to), in axes of the body.
        """
        history = body_history(self.model, self.signals, name, {name})
        rows = self.slopes(np.array([history.deformed(i, relative_to) for i in range(len(history))]))
        return np.tensordot(self.coefficients @ self.amplitudes, rows, axes=1)

    def __str__(self) -> str:
        low, high = (f"{f:.4g}" for f in (self.frequencies.min(), self.frequencies.max()))
        return f"harmonic motion under {', '.join(self.inputs)}: {len(self)} frequencies from {low} to {high} Hz"

    __repr__ = __str__
