"""Members of the Newmark family as a table of coefficients.   FTG 7.2–7.4, GER"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from pydantic import Field

from flexor.declaration import Declaration
from flexor.engine.memory import PSEUDO_FORM, WEIGHTED_FORM


class AlphaCoefficients(Declaration):
    """α_m, α_f, β, γ and the form in which old and new forces are weighed."""

    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float
    form: int = PSEUDO_FORM

    @property
    def undamped(self) -> bool:
        """Whether its spectral radius at infinite frequency is one."""
        return self.gamma <= 0.5 and self.alpha_m == self.alpha_f

    @property
    def second_order(self) -> bool:
        """Whether its error begins with h², whatever moves.   FTG (7.57)"""
        return self.form == PSEUDO_FORM and abs(self.gamma - (0.5 - self.alpha_m + self.alpha_f)) < 1e-12


class Newmark(Declaration):
    """Newmark's method; γ = ½, β = ¼ is the trapezoidal rule, without numerical damping.   FTG (7.14)–(7.25)"""

    type: Literal["newmark"] = "newmark"
    gamma: float = Field(0.5, description="γ ≥ ½; above ½ it damps and is of first order.", ge=0.5, le=1.5)
    beta: float = Field(0.25, description="β; stable for β ≥ ¼ (γ + ½)².", gt=0.0, le=1.0)

    @property
    def coefficients(self) -> AlphaCoefficients:
        return AlphaCoefficients(alpha_m=0.0, alpha_f=0.0, beta=self.beta, gamma=self.gamma)


class HHT(Declaration):
    """Hilber–Hughes–Taylor, with α = −0.1 as Fedem has it.   FTG 7.4.1

    form "modified" collocates the accelerations and is of second order. "weighted" weighs the forces, FTG (7.43);
    "inertia" puts the last computed inertia force in the place of the last forces, which is Fedem's default. For
    constant masses "weighted" is the same as "modified", but where bodies spin or joints are eliminated it is of first
    order; "inertia" always is.
    """

    type: Literal["hht"] = "hht"
    positional: ClassVar[tuple[str, ...]] = ("alpha",)
    alpha: float = Field(-0.1, description="Numerical damping, −⅓ ≤ α ≤ 0.", ge=-1.0 / 3.0, le=0.0)
    form: Literal["modified", "weighted", "inertia"] = "modified"

    @property
    def coefficients(self) -> AlphaCoefficients:
        a = self.alpha
        # γ = ½ (1 − 2α), β = ¼ (1 − α)²   FTG (7.44)
        family = {"beta": 0.25 * (1 - a) ** 2, "gamma": 0.5 * (1 - 2 * a)}
        if self.form == "inertia":
            # Fᴵₖ for Fᴵ_actual in FTG (7.45): M (Aₖ₊₁ + α Aₖ) = (1 + α)(Q − Fᴰ − Fˢ)ₖ₊₁
            return AlphaCoefficients(alpha_m=a / (1 + a), alpha_f=0.0, **family)
        form = PSEUDO_FORM if self.form == "modified" else WEIGHTED_FORM
        return AlphaCoefficients(alpha_m=0.0, alpha_f=-a, form=form, **family)


class GeneralizedAlpha(Declaration):
    """Generalized-α with a chosen spectral radius at high frequency; the default, of second order in the multipliers too.

    form "modified" collocates the accelerations (GER); "weighted" weighs the forces, FTG (7.56).
    """

    type: Literal["generalized_alpha"] = "generalized_alpha"
    positional: ClassVar[tuple[str, ...]] = ("rho",)
    rho: float = Field(0.8, description="Spectral radius at infinite frequency: 1 no damping, 0 most.", ge=0.0, le=1.0)
    form: Literal["modified", "weighted"] = "modified"

    @property
    def coefficients(self) -> AlphaCoefficients:
        alpha_m = (2 * self.rho - 1) / (self.rho + 1)
        alpha_f = self.rho / (self.rho + 1)
        gamma = 0.5 - alpha_m + alpha_f  # FTG (7.57)
        # β = ¼ (1 − α_m + α_f)²   Chung & Hulbert 1993; FTG (7.59) prints ½
        beta = 0.25 * (1 - alpha_m + alpha_f) ** 2
        form = PSEUDO_FORM if self.form == "modified" else WEIGHTED_FORM
        return AlphaCoefficients(alpha_m=alpha_m, alpha_f=alpha_f, beta=beta, gamma=gamma, form=form)


INTEGRATORS = (GeneralizedAlpha, HHT, Newmark)
Integrator: TypeAlias = GeneralizedAlpha | HHT | Newmark


def integrator(value: Integrator | str | float) -> Integrator:
    """From a name ("newmark"), a spectral radius or an integrator."""
    if isinstance(value, INTEGRATORS):
        return value
    if isinstance(value, (int, float)):
        return GeneralizedAlpha(float(value))
    names = {cls.model_fields["type"].default: cls for cls in INTEGRATORS}
    if value not in names:
        raise ValueError(f"unknown integrator {value!r}; choose one of {', '.join(names)}")
    return names[value]()
