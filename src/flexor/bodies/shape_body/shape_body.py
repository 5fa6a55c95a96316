"""Body of shape functions: a simple geometry whose deformation is a series of polynomials and waves."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, field_validator, model_validator

from flexor.bodies.deformable_body import DeformableBody
from flexor.bodies.shape import Box, Cylinder
from flexor.bodies.shape_body.characteristic_set import CharacteristicSet
from flexor.bodies.shape_body.geometry import Geometry, TurnedPart, round_section
from flexor.declaration import Frequency
from flexor.materials.material import Material, Orthotropic
from flexor.reduce.damping import Damping

if TYPE_CHECKING:
    from flexor.bodies.formulations import FormulationClass
    from flexor.bodies.shape_body.shaped import ShapedBody

MOST_ORDER, MOST_WAVES, MOST_FUNCTIONS, MOST_MODES = 24, 64, 4000, 1500
"""Orders and numbers of shape functions, and of modes, beyond which rounding or memory gives out."""

_Order = Annotated[int, Field(ge=0)]
_Orders = tuple[_Order, _Order, _Order]


class ShapeBody(DeformableBody):
    """A part of simple geometry that deforms by general shape functions: no mesh, and material points everywhere.

    Boxes: Chebyshev polynomials along x, y, z. Bodies of revolution: Chebyshev polynomials of radius and height, waves round the
    circumference. It moves as a floating body in all its free modes. Joints attach to interfaces, which are sides of its surface; contacts, loads and
    sensors at markers, too, which may be anywhere.

    Signals: position and orientation of its frame and of every marker (ring.top.position), its modes (ring.mode_1), its energies [J].
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "geometry", "material")
    type: Literal["shape_body"] = "shape_body"
    flexible: ClassVar[bool] = True  # type: ignore[misc]
    formulation: ClassVar[str] = "floating"
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {
            "name": "hoop",
            "geometry": {"type": "hollow_cylinder", "inner": 0.4, "outer": 0.5, "length": 0.2},
            "material": {"type": "isotropic", "young": "4 kPa", "poisson": 0.3, "density": 900},
            "orders": (2, 2, 2),
            "up_to": 0.15,
            "damping": {"type": "rayleigh", "alpha": 0.5, "beta": 2e-3},
            "markers": {"north": (0, 0.45, 0.1)},
            "position": (0, 6, 0),
        },
        {
            "name": "slab",
            "geometry": {"type": "box", "x": 1.0, "y": 0.3, "z": 0.2},
            "material": {"type": "isotropic", "young": "4 kPa", "poisson": 0.3, "density": 900},
            "orders": (1, 1, 1),
            "markers": {"end": (0.5, 0, 0)},
            "interfaces": {"root": "x_min"},
            "position": (0, 7, 0),
        },
    )
    geometry: Geometry = Field(description="Box, cylinder, hollow cylinder or turned part.")
    material: Material = Field(
        description="Its material; axes 1, 2, 3 of an orthotropic one are x, y, z of a box, and radial, tangential, axial of a body of revolution."
    )
    orders: _Orders | tuple[_Orders, _Orders, _Orders] = Field(
        description="Orders of the series: of a box along x, y, z; of a body of revolution radial order, waves round the circumference, "
        "axial order. Three such lists give them to each component of the displacement (x, y, z or radial, tangential, axial)."
    )
    interfaces: dict[str, str] = Field(
        {},
        description="Where joints attach, by name: the side of the surface over which their forces are spread, e.g. {root: x_min, bore: inner}; outer, inner, start, "
        "end of a body of revolution (outer 1, outer 2, … of one with steps), x_min, …, z_max of a box.",
    )
    keep: CharacteristicSet | None = Field(
        None, description="Typical deformations; shape functions that contribute to none of them are left out."
    )
    up_to: Frequency | None = Field(
        None,
        description="Keep its free modes up to this frequency, and static shapes of its markers and of a spin, instead of all [Hz].",
        gt=0,
    )
    damping: Damping | None = Field(None, description="Its damping; that of the material if left out.")
    stiffening: bool = Field(
        False,
        description="Geometric stiffening: tension stiffens it, compression softens it until it buckles.",
    )

    @field_validator("orders", mode="before")
    @classmethod
    def _three(cls, value: object) -> object:
        rows = value if isinstance(value, list | tuple) else ()
        lists = [row for row in rows if isinstance(row, list | tuple)]
        numbers = [n for row in lists for n in row] if lists else rows
        whole = all(re.fullmatch(r"\s*[+-]?\d+(\.0*)?\s*", str(n)) for n in numbers)
        if len(rows) != 3 or len(lists) not in (0, 3) or any(len(row) != 3 for row in lists) or not whole:
            raise ValueError(
                "it should be three whole numbers; e.g. orders: [2, 4, 3], or three such lists, one for each component of the displacement"
            )
        if min(float(n) for n in numbers) < 1:
            raise ValueError(
                f"{value} are too small: below 1 it cannot even turn or stretch; write e.g. orders: [2, 4, 3]"
            )
        return value

    @model_validator(mode="after")
    def _fit(self) -> ShapeBody:
        if isinstance(self.material, Orthotropic) and not isinstance(self.geometry, Box):
            self._alike_on_axis(self.material)
        if not self.material.density > 0:
            raise ValueError("its material has no density; a body that moves has mass")
        if getattr(self.geometry, "inside", False):
            raise ValueError(
                "its geometry is touched from within (inside), and so has no volume; use a hollow_cylinder"
            )
        if isinstance(self.geometry, Cylinder) and self.geometry.radius < 1e-5 * self.geometry.length:
            raise ValueError("it is too thin for shape functions; use a beam")
        rows = np.array(self.all_orders)
        polynomial = np.array([True, isinstance(self.geometry, Box), True])
        if rows[:, polynomial].max() > MOST_ORDER or rows.max() > MOST_WAVES:
            raise ValueError(
                f"orders {self.orders} are too large: polynomials beyond {MOST_ORDER} and waves beyond {MOST_WAVES} are lost in rounding; "
                "lower them, or use a flexible_body with a mesh"
            )
        width = [2 * row[1] + 1 if not polynomial[1] else row[1] + 1 for row in rows]
        count = int(sum((row[0] + 1) * n * (row[2] + 1) for row, n in zip(rows, width)))
        if count > MOST_FUNCTIONS:
            raise ValueError(
                f"orders {self.orders} make {count} shape functions, more than {MOST_FUNCTIONS}: lower the orders"
            )
        if count > MOST_MODES and self.up_to is None and self.keep is None:
            raise ValueError(
                f"orders {self.orders} make {count} shape functions, and it would have as many modes, more than {MOST_MODES}: "
                "give up_to, e.g. up_to: 5 kHz, or lower the orders"
            )
        if both := sorted(set(self.interfaces) & set(self.markers)):
            raise ValueError(f"'{both[0]}' is an interface and a marker; rename one of them")
        if self.stiffening and isinstance(self.geometry, TurnedPart) and not self.geometry.section.conforming:
            raise ValueError(
                "stiffening does not know turned parts with steps: their drawn mesh, by which stress under loads is found, does not hold "
                "together; leave it out, or use a flexible_body with a mesh"
            )
        return self

    def _alike_on_axis(self, material: Orthotropic) -> None:
        """Refuse a solid body of revolution whose material tells radial and tangential apart: on the axis they are the same."""
        assert not isinstance(self.geometry, Box)
        (e1, e2, _), (n12, n23, n13), (g12, g23, g13) = material.young, material.poisson, material.shear
        alike = np.allclose((e1, n13, g13, g12), (e2, n23, g23, e1 / (2 * (1 + n12))), rtol=1e-6)
        if not alike and round_section(self.geometry).solid:
            raise ValueError(
                "its material differs in the radial (1) and the tangential (2) direction, which are the same on the axis of a solid body; "
                "make E₁ = E₂, ν₁₃ = ν₂₃, G₁₃ = G₂₃, G₁₂ = E₁/(2 + 2 ν₁₂), give it a bore, or use a flexible_body with a mesh"
            )

    @property
    def all_orders(self) -> tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]:
        """Of each component of the displacement."""
        a, b, c = self.orders
        if isinstance(a, tuple) and isinstance(b, tuple) and isinstance(c, tuple):
            return a, b, c
        own = (int(a), int(b), int(c))  # type: ignore[arg-type]
        return own, own, own

    @property
    def formulation_class(self) -> FormulationClass:
        from flexor.bodies.floating.formulation import Floating  # loads SciPy

        return Floating

    @cached_property
    def reduced(self) -> ShapedBody:
        """The body in its free modes; computed on first use."""
        from flexor.bodies.shape_body.make import made_of  # loads SciPy

        return made_of(self)

    @cached_property
    def made(self) -> ShapedBody:
        """The same: frequencies, mass, its field of displacement and stress, and what was left out."""
        return self.reduced
