"""What a body of shape functions is made of: a box, a cylinder, a ring, or a turned part from its profile."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, TypeAdapter, field_validator, model_validator

from flexor.bodies.shape import Box, Cylinder
from flexor.bodies.shape_body.profile import Corner, HalfSection, profile_of, section_of
from flexor.coordinates.profile import Profile
from flexor.declaration import Declaration, Direction, Length, Point
from flexor.spatial import Pose, quaternion_to_matrix, triad

THIN = 1e-6
"""Wall thickness over size below which a body counts as having none."""


class _Round(Declaration):
    noun: ClassVar[str] = "geometry"
    at: Point = Field((0.0, 0.0, 0.0), description="Where the origin of the geometry is, in the body's axes [m].")
    axis: Direction = Field((0.0, 0.0, 1.0), description="Axis of revolution, in the body's axes.")


class HollowCylinder(_Round):
    """A hollow cylinder about its centre."""

    positional: ClassVar[tuple[str, ...]] = ("inner", "outer", "length")
    type: Literal["hollow_cylinder"] = "hollow_cylinder"
    inner: Length = Field(description="Inner radius [m].", gt=0)
    outer: Length = Field(description="Outer radius [m].", gt=0)
    length: Length = Field(description="Length along the axis [m].", gt=0)

    @model_validator(mode="after")
    def _thick(self) -> HollowCylinder:
        if self.outer - self.inner <= THIN * self.outer:
            raise ValueError(
                f"its wall has no thickness, inner {self.inner:g} m and outer {self.outer:g} m; make outer the larger"
            )
        return self

    @property
    def section(self) -> HalfSection:
        half = self.length / 2
        return section_of(((self.inner, -half), (self.outer, -half), (self.outer, half), (self.inner, half)))


_CORNERS: TypeAdapter[tuple[Corner, ...]] = TypeAdapter(tuple[Corner, ...])


class TurnedPart(_Round):
    """A body of revolution from its profile in radius and height along the axis: the same `Profile` that fx.Revolved takes.

    Of a closed one it is what that encloses, of an open one all between it and the axis, with flat ends. A list of corners is a closed profile, too: a
    corner is [r, z], or {to: [r, z], through: [r, z]}, to which a circular arc leads; a line goes from the last one to the first.
    """

    positional: ClassVar[tuple[str, ...]] = ("profile",)
    type: Literal["turned_part"] = "turned_part"
    profile: Profile = Field(
        description="Its contour: points (distance from the axis, height along it), or corners [m]."
    )

    @field_validator("profile", mode="wrap", json_schema_input_type=Profile | tuple[Corner, ...])
    @classmethod
    def _corners(cls, value: Any, handler: Any) -> Profile:
        """A list of corners as a profile."""
        if not isinstance(value, list | tuple):
            return handler(value)
        corners = _CORNERS.validate_python(tuple(value))
        if len(corners) < 2:
            raise ValueError("it has one corner; a profile has two or more")
        return profile_of(corners)

    @model_validator(mode="after")
    def _closed(self) -> TurnedPart:
        _ = self.section
        return self

    @property
    def section(self) -> HalfSection:
        return section_of(self.profile)


Geometry = Annotated[Box | Cylinder | HollowCylinder | TurnedPart, Field(discriminator="type")]
GEOMETRIES = (Box, Cylinder, HollowCylinder, TurnedPart)


def pose_of(geometry: Box | Cylinder | HollowCylinder | TurnedPart) -> Pose:
    """X_BG of the axes in which its series are written: z along the axis, or along the edges of a box."""
    at = np.array(geometry.at, dtype=float)
    if isinstance(geometry, Box):
        return Pose(at, quaternion_to_matrix(geometry.orientation))
    axis = np.array(geometry.axis, dtype=float)
    return Pose(at, np.eye(3) if np.allclose(axis, (0, 0, 1), atol=1e-12) else triad(axis))


def round_section(geometry: Cylinder | HollowCylinder | TurnedPart) -> HalfSection:
    """The half section of a body of revolution."""
    if not isinstance(geometry, Cylinder):
        return geometry.section
    R, half = geometry.radius, geometry.length / 2
    return section_of(((0.0, -half), (R, -half), (R, half), (0.0, half)))
