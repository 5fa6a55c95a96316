"""Shapes that a body is drawn with. They move nothing by themselves; contacts touch them, and a body may take its inertia from one."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from flexor.declaration import Declaration, Direction, Length, Point, Rotation


class _Shape(Declaration):
    at: Point = Field((0.0, 0.0, 0.0), description="Centre of the shape in the body's axes [m].")
    color: str = Field("steelblue", description="CSS colour name or #rrggbb.")


class Box(_Shape):
    """A rectangular box."""

    positional: ClassVar[tuple[str, ...]] = ("x", "y", "z")
    type: Literal["box"] = "box"
    x: Length = Field(description="Size along x [m].", gt=0)
    y: Length = Field(description="Size along y [m].", gt=0)
    z: Length = Field(description="Size along z [m].", gt=0)
    orientation: Rotation = Field((1.0, 0.0, 0.0, 0.0), description="Orientation in the body.")


class Cylinder(_Shape):
    """A circular cylinder about its centre."""

    positional: ClassVar[tuple[str, ...]] = ("radius", "length")
    type: Literal["cylinder"] = "cylinder"
    radius: Length = Field(description="Radius [m].", gt=0)
    length: Length = Field(description="Length along the axis [m].", gt=0)
    axis: Direction = Field((0.0, 0.0, 1.0), description="Direction of the axis in the body.")


class Sphere(_Shape):
    """A sphere."""

    positional: ClassVar[tuple[str, ...]] = ("radius",)
    type: Literal["sphere"] = "sphere"
    radius: Length = Field(description="Radius [m].", gt=0)
    inside: bool = Field(False, description="Whether it is hollow: what touches it does so from within.")


class Plane(_Shape):
    """A plane with all that lies below it: in contact a half space without bounds, drawn as a square plate."""

    positional: ClassVar[tuple[str, ...]] = ("normal",)
    type: Literal["plane"] = "plane"
    normal: Direction = Field((0.0, 0.0, 1.0), description="Direction out of the solid, in the body's axes.")
    size: Length = Field(1.0, description="Side of the square that is drawn [m].", gt=0)


class Stl(_Shape):
    """A triangulated surface from an STL file."""

    positional: ClassVar[tuple[str, ...]] = ("file",)
    type: Literal["stl"] = "stl"
    file: str = Field(description="Path of the STL file, relative to the model file.")
    scale: float = Field(1.0, description="Factor from file units to metres, e.g. 0.001 for mm.", gt=0)
    orientation: Rotation = Field((1.0, 0.0, 0.0, 0.0), description="Orientation in the body.")


SHAPES = (Box, Cylinder, Sphere, Plane, Stl)
Shape = Annotated[Box | Cylinder | Sphere | Plane | Stl, Field(discriminator="type")]
