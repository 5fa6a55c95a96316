"""Damping of a reduced body."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from flexor.declaration import Declaration, Time, quantity


class Rayleigh(Declaration):
    """Damping matrix D = αM + βK on the deformation of the body; its motion as a whole is not damped.

    A mode of the free body has the damping ratio ζ = ½ (α/ω + βω). The part of β holds for every mode, however the body is
    held. The part of α is smaller where the body is held: it counts only the share of the kinetic energy that is
    deformation, seen from axes that follow the body in the mean. A clamped beam swings mostly as a whole: its first mode
    has 1 % of α/2ω, the second 63 %. Choose β to give a held part its damping: β = 2ζ/ω.
    """

    positional: ClassVar[tuple[str, ...]] = ("alpha", "beta")
    type: Literal["rayleigh"] = "rayleigh"
    alpha: Annotated[float, quantity("rate")] = Field(
        0.0, description="Mass-proportional part α [1/s]; exact for modes of the free body.", ge=0
    )
    beta: Time = Field(0.0, description="Stiffness-proportional part β [s]; exact however the body is held.", ge=0)

    def matrix(self, K: np.ndarray, M: np.ndarray) -> np.ndarray:
        """D [N s/m, …]."""
        if not self.alpha:
            return self.beta * K
        Mφ = M @ _elastic_modes(K, M)[1]
        return (
            self.beta * K + self.alpha * Mφ @ Mφ.T
        )  # all modes φ would give M, the elastic ones leave rigid motion out


_Ratio = Annotated[float, Field(ge=0)]


class ModalDamping(Declaration):
    """The same damping ratio for every elastic mode of the free body, or one for each from the lowest on.

    Rigid-body motion is not damped. D = Σ 2ζω (Mφ)(Mφ)ᵀ over the elastic modes φ.
    A body that is held has other modes, and less damping in the lowest: of 2 % asked for, the first mode of a clamped beam
    gets 0.15 %, the second 1.3 %. Use Rayleigh(beta=2ζ/ω) to give a held part a ratio ζ at one frequency.
    """

    positional: ClassVar[tuple[str, ...]] = ("ratio",)
    type: Literal["modal"] = "modal"
    ratio: _Ratio | Annotated[tuple[_Ratio, ...], Field(min_length=1)] = Field(
        description="Damping ratio ζ of free modes; of a list the last counts for all further modes."
    )

    def matrix(self, K: np.ndarray, M: np.ndarray) -> np.ndarray:
        """D [N s/m, …]."""
        ω, φ = _elastic_modes(K, M)
        given = np.atleast_1d(np.asarray(self.ratio, dtype=float))
        ζ = given[np.minimum(np.arange(len(ω)), len(given) - 1)]
        Mφ = M @ φ
        return (Mφ * (2 * ζ * ω)) @ Mφ.T


DAMPINGS = (Rayleigh, ModalDamping)
Damping = Annotated[Rayleigh | ModalDamping, Field(discriminator="type")]


def _elastic_modes(K: np.ndarray, M: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """ω (m,) [rad/s] and φ (r, m), φᵀMφ = 1, of the modes that deform the body."""
    from scipy.linalg import eigh

    squares, shapes = eigh(K, M)
    elastic = squares > 1e-6 * squares[-1] if len(squares) < 7 else np.arange(len(squares)) >= _rigid_count(squares)
    return np.sqrt(np.maximum(squares[elastic], 0.0)), shapes[:, elastic]


def _rigid_count(squares: np.ndarray) -> int:
    """Six where the sixth eigenvalue is rounding against the seventh, else none: held or floating coordinates."""
    return 6 if abs(squares[5]) < 1e-4 * squares[6] else 0
