"""Damping of a reduced body."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from flexor.declaration import Declaration, Frequency, Time


class Rayleigh(Declaration):
    """Damping matrix D = αM + βK. The damping ratio at ω is ½ (α/ω + βω)."""

    positional: ClassVar[tuple[str, ...]] = ("alpha", "beta")
    type: Literal["rayleigh"] = "rayleigh"
    alpha: Frequency = Field(0.0, description="Mass-proportional part α [1/s].", ge=0)
    beta: Time = Field(0.0, description="Stiffness-proportional part β [s].", ge=0)

    def matrix(self, K: np.ndarray, M: np.ndarray) -> np.ndarray:
        """D [N s/m, …]."""
        return self.alpha * M + self.beta * K


class ModalDamping(Declaration):
    """The same damping ratio for every elastic mode of the free body, or one for each from the lowest on.

    Rigid-body motion is not damped. D = Σ 2ζω (Mφ)(Mφ)ᵀ over the elastic modes φ.
    """

    positional: ClassVar[tuple[str, ...]] = ("ratio",)
    type: Literal["modal"] = "modal"
    ratio: float | tuple[float, ...] = Field(
        description="Damping ratio ζ; of a list the last counts for all further modes."
    )

    def matrix(self, K: np.ndarray, M: np.ndarray) -> np.ndarray:
        """D [N s/m, …]."""
        from scipy.linalg import eigh

        squares, shapes = eigh(K, M)
        elastic = squares > 1e-6 * squares[-1] if len(squares) < 7 else np.arange(len(squares)) >= _rigid_count(squares)
        given = np.atleast_1d(np.asarray(self.ratio, dtype=float))
        ω, φ = np.sqrt(np.maximum(squares[elastic], 0.0)), shapes[:, elastic]
        ζ = given[np.minimum(np.arange(len(ω)), len(given) - 1)]
        Mφ = M @ φ
        return (Mφ * (2 * ζ * ω)) @ Mφ.T


Damping = Annotated[Rayleigh | ModalDamping, Field(discriminator="type")]


def _rigid_count(squares: np.ndarray) -> int:
    """Six where the sixth eigenvalue is rounding against the seventh, else none: held or floating coordinates."""
    return 6 if abs(squares[5]) < 1e-4 * squares[6] else 0
