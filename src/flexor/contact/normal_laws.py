"""What a user writes for the normal force of a contact; the formulas are in `flexor.contact.laws.normal`."""

from __future__ import annotations

import math
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexor.contact.laws.ellipse import point_stiffness
from flexor.contact.laws.normal import (
    DISSIPATIONS,
    Stiffness,
    lundberg_drop,
    palmgren_stiffness,
    reduced_modulus,
    swing_share,
)
from flexor.contact.laws.patch import FLAT
from flexor.coordinates.profile import Profile
from flexor.declaration import Declaration, Length, Number, quantity
from flexor.errors import ModelError, Problem
from flexor.law.record import Packed
from flexor.materials import Isotropic
from flexor.materials.material import Material
from flexor.unit_text import Unreadable, read_unit, split_value
from flexor.units import Quantity, measured

Speed = Annotated[float, quantity("velocity")]
_POWERS = np.array([float(power) for power in read_unit("N").powers])
_PER_METRE = np.array([float(power) for power in read_unit("1/m").powers])


class NormalLaw(Declaration):
    """Base of the normal laws: N = K δⁿ (1 + χ δ̇) of the depth δ."""

    restitution: float = Field(
        1.0,
        description="Coefficient of restitution: the part of the speed that an impact leaves, from 0.001 (none) to 1 (all).",
        ge=0.001,
        le=1,
    )
    dissipation: Literal["exact", "hunt_crossley", "lankarani_nikravesh", "flores"] = Field(
        "exact",
        description="How χ follows from the coefficient of restitution: exactly, or by a published approximation.",
    )
    damping: Number = Field(0.0, description="χ itself instead of a coefficient of restitution [s/m].", ge=0)
    rest_speed: Speed = Field(
        1e-3,
        description="Surfaces that meet more slowly are not resolved in time, and lose no more than at this speed [m/s].",
        gt=0,
    )

    @model_validator(mode="after")
    def _one_loss(self) -> NormalLaw:
        if self.damping and self.restitution != 1.0:
            raise ValueError("it has restitution and damping; give one of them")
        if self.dissipation != "exact" and self.restitution == 1.0:
            raise ValueError("dissipation has no effect without restitution; e.g. restitution: 0.7")
        return self

    shared: ClassVar[bool] = False
    """Whether all places share its stiffness, as slices of a line do; else each has all of it."""

    def force_law(self, curvatures: tuple[float, float]) -> tuple[float, float]:
        """K and n; curvatures: relative principal ones of both surfaces [1/m]."""
        raise NotImplementedError

    @property
    def elastic(self) -> bool:
        """Whether it has a material, and so a pressure."""
        return isinstance(self, _Elastic)

    def packed(
        self, curvatures: tuple[float, float], places: int = 1, above: float = 0.0, lightness: float = 0.0
    ) -> Packed:
        """Parameters of the law at one of several places.

        above: how far above the surfaces curvatures are looked for [m].   lightness: 1/m_a + 1/m_b of the bodies that touch [1/kg].
        """
        K, exponent = self.force_law(curvatures)
        K /= places if self.shared else 1
        d = DISSIPATIONS[self.dissipation](self.restitution)
        return Stiffness.pack(
            K=K,
            exponent=exponent,
            damping=self.damping,
            restitution=d,
            rest=self.rest_speed,
            lightness=lightness,
            swing=swing_share(self.restitution, d, exponent),
            modulus=getattr(self, "modulus", 0.0),
            slice=getattr(self, "length", 0.0) / places,
            radius=getattr(self, "radius", None) or 0.0,
            above=above,
        )


class Penalty(NormalLaw):
    """A normal force by a stiffness that is given: N = k δⁿ."""

    positional: ClassVar[tuple[str, ...]] = ("stiffness",)
    type: Literal["penalty"] = "penalty"
    stiffness: Number = Field(description="k [N/m, or N/mⁿ].", gt=0)
    exponent: float = Field(1.0, description="n.", ge=1, le=5)

    @model_validator(mode="before")
    @classmethod
    def _unit_by_exponent(cls, value: object) -> object:
        """A unit of the stiffness is N/mⁿ: that of a spring where the exponent is 1."""
        text, n = (value.get("stiffness"), value.get("exponent", 1)) if isinstance(value, dict) else (None, 1)
        if not isinstance(text, str) or not isinstance(n, int | float):
            return value
        try:
            _, symbols, unit = split_value(text)
        except Unreadable:  # the field itself tells it
            return value
        expected = "N/m" if n == 1 else f"N/m^{n:g}"
        if symbols and not np.allclose([float(power) for power in unit.powers], _POWERS + n * _PER_METRE, atol=1e-3):
            like = "20 N/mm" if n == 1 else f"1e6 {expected}"
            raise ValueError(
                f"stiffness = '{text}': its unit does not fit N = k δⁿ with exponent {n:g}; this stiffness is measured in {expected}, e.g. \"{like}\""
            )
        return value

    def force_law(self, curvatures: tuple[float, float]) -> tuple[float, float]:
        return self.stiffness, self.exponent


class _Elastic(NormalLaw):
    material: Material = Field(description="Material of both surfaces, or of a.")
    other: Material | None = Field(None, description="Material of b, if it is another one.")

    @property
    def modulus(self) -> float:
        """E* [Pa]"""
        a, b = self.material, self.other or self.material
        assert isinstance(a, Isotropic)
        assert isinstance(b, Isotropic)
        return reduced_modulus(a.young, a.poisson, b.young, b.poisson)

    @model_validator(mode="after")
    def _same_everywhere(self) -> _Elastic:
        if not all(isinstance(each, Isotropic) for each in (self.material, self.other or self.material)):
            raise ValueError("Hertz's contact needs isotropic materials; give young and poisson of each")
        return self


class Hertz(_Elastic):
    """Point contact of elastic bodies: stiffness from materials and curvatures, N = 4/3 E* √R δ^(3/2) for spheres."""

    positional: ClassVar[tuple[str, ...]] = ("material", "other")
    type: Literal["hertz"] = "hertz"
    radius: Length | None = Field(
        None, description="Effective radius R of both surfaces, instead of that of their curvatures [m].", gt=0
    )

    def force_law(self, curvatures: tuple[float, float]) -> tuple[float, float]:
        first, second = curvatures if self.radius is None else (1.0 / self.radius, 1.0 / self.radius)
        low, high = min(first, second), max(first, second)
        if high == math.inf:
            raise ValueError(
                "an edge or a corner touches, where Hertz's theory knows no stiffness; give radius, the rounding of the edge, or use "
                "law: {type: penalty, …}"
            )
        if low <= FLAT * high or high <= 0.0:
            raise ValueError(
                f"the surfaces do not touch in a point: their relative curvatures are {first:g} and {second:g} 1/m; use "
                "law: {type: hertz_line, length: …} where they touch along a line, {type: penalty, …}, or give radius"
            )
        return point_stiffness(self.modulus, first, second), 1.5


class HertzLine(_Elastic):
    """Contact of elastic bodies along a line: Palmgren's N ~ δ^(10/9), slice by slice."""

    positional: ClassVar[tuple[str, ...]] = ("material", "length")
    type: Literal["hertz_line"] = "hertz_line"
    shared: ClassVar[bool] = True
    length: Length = Field(description="Length of the line [m].", gt=0)
    slices: int = Field(
        10, description="Into how many slices the line is cut; each carries what its own depth asks for.", ge=1, le=200
    )

    def force_law(self, curvatures: tuple[float, float]) -> tuple[float, float]:
        return palmgren_stiffness(self.modulus, self.length), 10.0 / 9.0

    def logarithmic_profile(self, radius: Quantity, load: Quantity, race: Quantity = math.inf) -> Profile:
        """Lundberg's profile of a roller of this length, for `fx.Revolved`: under its load [N] it is pressed evenly from end to end.

        radius: of the roller in its middle [m].   race: radius of what it rolls on, negative of an outer race [m].
        """
        R, Q, other = measured(radius, "length"), measured(load, "force"), measured(race, "length")
        if R <= 0.0 or Q <= 0.0:
            raise ModelError(
                Problem("logarithmic profile", f"radius {R:g} m and load {Q:g} N", "both must be positive", "")
            )
        z, drop = lundberg_drop(self.modulus, self.length, 1.0 / R + 1.0 / other, Q)
        return Profile(points=tuple((R - d, h) for d, h in zip(drop.tolist(), z.tolist())))


NORMAL_LAWS = (Penalty, Hertz, HertzLine)
AnyNormalLaw = Annotated[Penalty | Hertz | HertzLine, Field(discriminator="type")]
