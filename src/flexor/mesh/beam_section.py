"""Cross-sections of beams.

Axes y and z have their origin at the centroid; x points along the beam, y is column 1 of the element's orientation.
    Iy = ∫ z² dA   bending about y, deflection along z
    Iz = ∫ y² dA   bending about z, deflection along y
    Iyz = ∫ y z dA
    J              torsion constant (St. Venant): torque = G J × twist per length
    shear factors  (ky, kz): shear force along y = ky G A γ;  0: no shear deformation in that direction
stress_points() gives rows (y, z, τy, τz) where stress is recovered, with the shear stress per unit of torque [1/m³];
shear forces are left out there, they stress the inside of a section rather than its edge.
The factors of the profiles are those of the shear stress that goes with bending at ν = 0:
1/(k A) = ∫ τ² dA / V², e.g. 5/6 for a rectangle, 6/7 for a circle (Cowper 1966).
"""

from __future__ import annotations

from math import cosh, pi, tanh
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexor.declaration import Area, Declaration, Length, LinearDensity, SecondMoment

_Pair = tuple[float, float]


class _BeamSection(Declaration):
    shear: bool = Field(True, description="Whether shear deforms the beam (Timoshenko); false: Euler–Bernoulli.")
    line_mass: LinearDensity = Field(0.0, description="Mass beside that of the material [kg/m].", ge=0)
    line_inertia: float = Field(0.0, description="Further inertia about the axis per length [kg m].", ge=0)


class _Profile(_BeamSection):
    """A section that is symmetric about y and z."""

    @property
    def Iyz(self) -> float:
        return 0.0

    @property
    def shear_center(self) -> _Pair:
        return (0.0, 0.0)


class Rectangle(_Profile):
    """A solid rectangle."""

    positional: ClassVar[tuple[str, ...]] = ("width", "height")
    type: Literal["rectangle"] = "rectangle"
    width: Length = Field(description="Size along y [m].", gt=0)
    height: Length = Field(description="Size along z [m].", gt=0)

    @property
    def area(self) -> float:
        return self.width * self.height

    @property
    def shear_factors(self) -> _Pair:
        return (5 / 6, 5 / 6)

    @property
    def Iy(self) -> float:
        return self.width * self.height**3 / 12

    @property
    def Iz(self) -> float:
        return self.height * self.width**3 / 12

    @property
    def J(self) -> float:
        a, b = max(self.width, self.height), min(self.width, self.height)
        series = sum(tanh(n * pi * a / (2 * b)) / n**5 for n in range(1, 40, 2))
        return a * b**3 / 3 * (1 - 192 / pi**5 * b / a * series)  # Timoshenko & Goodier § 109

    def stress_points(self) -> np.ndarray:
        """Four corners, four middles of the sides (where torsion is felt most)."""
        a, b = max(self.width, self.height), min(self.width, self.height)
        odd = range(1, 400, 2)
        x = [min(n * pi * a / (2 * b), 300.0) for n in odd]
        long = b / self.J * (1 - 8 / pi**2 * sum(1 / (n**2 * cosh(y)) for n, y in zip(odd, x)))
        short = b / self.J * 8 / pi**2 * sum((-1) ** (n // 2) * tanh(y) / n**2 for n, y in zip(odd, x))
        on_y, on_z = (short, long) if self.width >= self.height else (long, short)  # at y = ±w/2, at z = ±h/2
        y, z = self.width / 2, self.height / 2
        corners = [(y, z, 0, 0), (-y, z, 0, 0), (-y, -z, 0, 0), (y, -z, 0, 0)]
        return np.array([*corners, (y, 0, 0, on_y), (0, z, -on_z, 0), (-y, 0, 0, -on_y), (0, -z, on_z, 0)])


class _Round(_Profile):
    """A ring, of inner radius 0 if solid."""

    radius: Length = Field(description="Outer radius [m].", gt=0)

    @property
    def inner(self) -> float:
        """Inner radius [m]."""
        return 0.0

    @property
    def area(self) -> float:
        return pi * (self.radius**2 - self.inner**2)

    @property
    def Iy(self) -> float:
        return pi / 4 * (self.radius**4 - self.inner**4)

    @property
    def Iz(self) -> float:
        return self.Iy

    @property
    def J(self) -> float:
        return 2 * self.Iy

    @property
    def shear_factors(self) -> _Pair:
        m = self.inner / self.radius
        k = 6 * (1 + m**2) ** 2 / (7 * (1 + m**2) ** 2 + 20 * m**2)  # Cowper (1966) at ν = 0
        return (k, k)

    def stress_points(self) -> np.ndarray:
        """Eight points around the outer edge."""
        angle = np.arange(8) * pi / 4
        y, z = self.radius * np.cos(angle), self.radius * np.sin(angle)
        return np.stack([y, z, -z / self.J, y / self.J], axis=1)  # τ = T r/J


class Circle(_Round):
    """A solid circle."""

    positional: ClassVar[tuple[str, ...]] = ("radius",)
    type: Literal["circle"] = "circle"


class Tube(_Round):
    """A circular tube."""

    positional: ClassVar[tuple[str, ...]] = ("radius", "thickness")
    type: Literal["tube"] = "tube"
    thickness: Length = Field(description="Thickness of the wall [m].", gt=0)

    @model_validator(mode="after")
    def _wall_fits(self) -> Tube:
        if self.thickness > self.radius:
            raise ValueError("its wall is thicker than its outer radius; reduce the thickness")
        return self

    @property
    def inner(self) -> float:
        return self.radius - self.thickness


class IProfile(_Profile):
    """A doubly symmetric I: web along z, flanges along y; thin walls for torsion and shear."""

    positional: ClassVar[tuple[str, ...]] = ("width", "height", "web", "flange")
    type: Literal["i"] = "i"
    width: Length = Field(description="Width of the flanges along y [m].", gt=0)
    height: Length = Field(description="Height over all along z [m].", gt=0)
    web: Length = Field(description="Thickness of the web [m].", gt=0)
    flange: Length = Field(description="Thickness of the flanges [m].", gt=0)

    @model_validator(mode="after")
    def _walls_fit(self) -> IProfile:
        if 2 * self.flange >= self.height or self.web > self.width:
            raise ValueError("its walls do not fit into it; they must be thinner than half its height and its width")
        return self

    @property
    def area(self) -> float:
        return 2 * self.width * self.flange + (self.height - 2 * self.flange) * self.web

    @property
    def Iy(self) -> float:
        clear = self.height - 2 * self.flange
        return (self.width * self.height**3 - (self.width - self.web) * clear**3) / 12

    @property
    def Iz(self) -> float:
        return (2 * self.flange * self.width**3 + (self.height - 2 * self.flange) * self.web**3) / 12

    @property
    def J(self) -> float:
        return (2 * self.width * self.flange**3 + (self.height - self.flange) * self.web**3) / 3

    @property
    def shear_factors(self) -> _Pair:
        b, h, t, s = self.width, self.height - self.flange, self.flange, self.web
        web = _parabola(b * t * h / 2, s * h**2 / 8) * h / s  # Q = b t h/2 + s/2 (h²/4 − z²)
        flanges = 4 * (t * h / 2) ** 2 * (b / 2) ** 3 / 3 / t  # Q = t h/2 · distance from the tip, in four halves
        Iy = s * h**3 / 12 + b * t * h**2 / 2
        return (5 / 6 * 2 * b * t / self.area, Iy**2 / (self.area * (web + flanges)))

    def stress_points(self) -> np.ndarray:
        """Four corners, two middles of the flanges' outer faces."""
        y, z, torsion = self.width / 2, self.height / 2, self.flange / self.J  # τ = T t/J on a thin wall
        corners = [(y, z, 0, 0), (-y, z, 0, 0), (-y, -z, 0, 0), (y, -z, 0, 0)]
        return np.array([*corners, (0, z, -torsion, 0), (0, -z, torsion, 0)])


class BoxProfile(_Profile):
    """A rectangular hollow section with walls of one thickness; thin walls for torsion and shear."""

    positional: ClassVar[tuple[str, ...]] = ("width", "height", "thickness")
    type: Literal["box"] = "box"
    width: Length = Field(description="Width over all along y [m].", gt=0)
    height: Length = Field(description="Height over all along z [m].", gt=0)
    thickness: Length = Field(description="Thickness of the walls [m].", gt=0)

    @model_validator(mode="after")
    def _walls_fit(self) -> BoxProfile:
        if 2 * self.thickness >= min(self.width, self.height):
            raise ValueError("its walls do not fit into it; they must be thinner than half its width and height")
        return self

    @property
    def area(self) -> float:
        return self.width * self.height - (self.width - 2 * self.thickness) * (self.height - 2 * self.thickness)

    def _second(self, b: float, h: float) -> float:
        return (b * h**3 - (b - 2 * self.thickness) * (h - 2 * self.thickness) ** 3) / 12

    @property
    def Iy(self) -> float:
        return self._second(self.width, self.height)

    @property
    def Iz(self) -> float:
        return self._second(self.height, self.width)

    @property
    def J(self) -> float:
        b, h = self.width - self.thickness, self.height - self.thickness
        return 2 * self.thickness * (b * h) ** 2 / (b + h)  # J = 4 A² / ∮ ds/t   Bredt

    def _shear_factor(self, b: float, h: float) -> float:
        t = self.thickness
        webs = 2 * _parabola(b * t * h / 4, t * h**2 / 8) * h / t  # each web carries half of both flanges' Q
        flanges = 4 * (t * h / 2) ** 2 * (b / 2) ** 3 / 3 / t
        return (t * h**3 / 6 + b * t * h**2 / 2) ** 2 / (self.area * (webs + flanges))

    @property
    def shear_factors(self) -> _Pair:
        b, h = self.width - self.thickness, self.height - self.thickness
        return (self._shear_factor(h, b), self._shear_factor(b, h))

    def stress_points(self) -> np.ndarray:
        """Four corners, four middles of the sides."""
        b, h = self.width - self.thickness, self.height - self.thickness
        y, z, torsion = self.width / 2, self.height / 2, 1 / (2 * b * h * self.thickness)  # τ = T/(2 A t)   Bredt
        corners = [(y, z, 0, 0), (-y, z, 0, 0), (-y, -z, 0, 0), (y, -z, 0, 0)]
        sides = [(y, 0, 0, torsion), (0, z, -torsion, 0), (-y, 0, 0, -torsion), (0, -z, torsion, 0)]
        return np.array([*corners, *sides])


class GeneralSection(_BeamSection):
    """A section by its numbers; zeros leave a stiffness out (a rod has an area alone)."""

    positional: ClassVar[tuple[str, ...]] = ("area", "Iy", "Iz", "J")
    type: Literal["general"] = "general"
    area: Area = Field(description="Area [m²].", ge=0)
    Iy: SecondMoment = Field(0.0, description="∫ z² dA [m⁴].", ge=0)
    Iz: SecondMoment = Field(0.0, description="∫ y² dA [m⁴].", ge=0)
    J: SecondMoment = Field(0.0, description="Torsion constant [m⁴].", ge=0)
    Iyz: SecondMoment = Field(0.0, description="∫ y z dA [m⁴].")
    shear_factors: _Pair = Field((0.0, 0.0), description="Shear factors along y and z; 0: rigid in shear.")
    shear_center: tuple[Length, Length] = Field((0.0, 0.0), description="Shear centre (y, z) from the centroid [m].")
    points: tuple[tuple[Length, Length], ...] = Field((), description="Points (y, z) where stress is recovered [m].")

    @model_validator(mode="after")
    def _possible(self) -> GeneralSection:
        if self.Iyz**2 > self.Iy * self.Iz * (1 - 1e-12) and self.Iyz != 0:
            raise ValueError("its Iyz is impossible; Iyz² must be less than Iy Iz")
        return self

    def stress_points(self) -> np.ndarray:
        """The declared points, of which the shear stress is not known; the centroid if there are none."""
        return np.array([(y, z, 0.0, 0.0) for y, z in self.points or ((0.0, 0.0),)])


def _parabola(base: float, rise: float) -> float:
    """Mean of (base + rise (1 − s²))² over −1 ≤ s ≤ 1."""
    return base**2 + 4 / 3 * base * rise + 8 / 15 * rise**2
