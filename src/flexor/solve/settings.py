"""What a user may set for a dynamic analysis."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from flexor.declaration import Declaration, Time
from flexor.solve.integrator import HHT, GeneralizedAlpha, Newmark, integrator


class Tolerances(Declaration):
    """When Newton's iteration has converged; 0 switches a criterion off.   FTG 7.3.1

    The iteration ends when the estimated remaining error meets all of them.
    """

    displacement: float = Field(1e-12, description="Scaled displacement (m per model size, rad).   FTG (7.36)", ge=0)
    velocity: float = Field(0.0, description="Scaled velocity.", ge=0)
    acceleration: float = Field(1e-8, description="Scaled acceleration, relative to 1 + the largest one.", ge=0)
    prediction: float = Field(
        1e-2,
        description="Share of a step's first correction that may be left: Newton's error, relative to the step's.",
        ge=0,
    )
    residual: float = Field(0.0, description="Scaled residual force.   FTG (7.37)", ge=0)
    energy: float = Field(0.0, description="Average energy of a correction [J].   FTG (7.42)", ge=0)


class DynamicsSettings(Declaration):
    """Settings of a dynamic analysis."""

    type_name: ClassVar[str] = "dynamics"

    until: Time = Field(description="End time [s].")
    step: Time | None = Field(None, description="Time step [s]; with error control the first step.", gt=0)
    error: float | None = Field(None, description="Local error per step (scaled); switches error control on.", gt=0)
    output: Time | None = Field(None, description="Time between recorded rows [s]; every step if left out.", gt=0)
    min_step: Time | None = Field(None, description="Smallest step before giving up [s].", gt=0)
    max_step: Time | None = Field(None, description="Largest step under error control [s].", gt=0)
    integrator: GeneralizedAlpha | HHT | Newmark = Field(
        GeneralizedAlpha(), description="Member of the Newmark family."
    )
    tolerances: Tolerances = Field(Tolerances(), description="Convergence of Newton's iteration.")
    newton: Literal["modified", "full"] = Field("modified", description="Keep the matrix while it serves, or renew it.")
    max_iterations: int = Field(20, description="Newton iterations before a step is cut.", ge=3)
    matrix: Literal["auto", "symmetric", "unsymmetric"] = Field(
        "auto", description="LDLᵀ or LU; auto starts with LDLᵀ."
    )
    augmentation: float = Field(0.0, description="Penalty p of the augmented Lagrangian [kg].   GER", ge=0)
    start: Literal["consistent", "zero"] = Field(
        "consistent", description="Initial accelerations: solved for, or zero as old Fedem versions start."
    )
    record: tuple[str, ...] | None = Field(None, description="Names of the objects to record; all if left out.")
    energies: bool = Field(True, description="Whether to compute and record energies.")

    @field_validator("integrator", mode="before")
    @classmethod
    def _by_name(cls, value: Any) -> Any:
        return integrator(value) if isinstance(value, (str, int, float)) else value
