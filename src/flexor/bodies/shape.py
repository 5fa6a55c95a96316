"""Shapes that a body is drawn with. They move nothing by themselves; contacts touch them, and a body may take its inertia from one."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from flexor.coordinates.profile import Profile, told
from flexor.declaration import AS_LIST, Declaration, Direction, Length, Point, Rotation
from flexor.elements.faces import outer_faces
from flexor.mesh.mesh import Mesh


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
    """A circular cylinder about its centre; inside: a bore of this length."""

    positional: ClassVar[tuple[str, ...]] = ("radius", "length")
    type: Literal["cylinder"] = "cylinder"
    radius: Length = Field(description="Radius [m].", gt=0)
    length: Length = Field(description="Length along the axis [m].", gt=0)
    axis: Direction = Field((0.0, 0.0, 1.0), description="Direction of the axis in the body.")
    inside: bool = Field(False, description="Whether it is hollow: what touches it does so from within.")


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


class Torus(_Shape):
    """A ring of circular section; inside: a tube bent to a ring, in which a ball runs as in the groove of a race."""

    positional: ClassVar[tuple[str, ...]] = ("ring", "radius")
    type: Literal["torus"] = "torus"
    ring: Length = Field(description="Radius of the circle through the middle of the tube [m].", gt=0)
    radius: Length = Field(description="Radius of the tube [m].", gt=0)
    axis: Direction = Field((0.0, 0.0, 1.0), description="Direction of the axis in the body.")
    inside: bool = Field(False, description="Whether it is hollow: what touches it does so from within.")

    @model_validator(mode="after")
    def _has_a_hole(self) -> Self:
        if self.radius > self.ring:
            raise ValueError(
                f"its tube ({self.radius:g} m) is thicker than the radius of its ring ({self.ring:g} m), it would overlap itself; "
                "make ring larger, or use fx.Revolved"
            )
        return self


class Cone(_Shape):
    """A circular cone, or a frustum, about the middle of its axis: `radius` at its lower end, `top` at the upper one; inside: a funnel."""

    positional: ClassVar[tuple[str, ...]] = ("radius", "length")
    type: Literal["cone"] = "cone"
    radius: Length = Field(description="Radius at the lower end [m].", ge=0)
    length: Length = Field(description="Length along the axis [m].", gt=0)
    top: Length = Field(0.0, description="Radius at the upper end [m]; 0: it ends in a point.", ge=0)
    axis: Direction = Field((0.0, 0.0, 1.0), description="Direction of the axis in the body, towards the upper end.")
    inside: bool = Field(False, description="Whether it is hollow: what touches it does so from within.")

    @model_validator(mode="after")
    def _is_thick(self) -> Self:
        if not max(self.radius, self.top) > 0.0:
            raise ValueError("both its radii are zero; give one of them, e.g. radius: 10 mm")
        return self


class Revolved(_Shape):
    """A body of revolution: a profile of points (distance from the axis, height along it), turned about the axis.

    An open profile encloses the solid between it and the axis, with flat ends; inside: all beyond it, as an outer race does. Of a closed
    one the solid is the ring that it sweeps; inside: all but that.
    """

    positional: ClassVar[tuple[str, ...]] = ("profile",)
    type: Literal["revolved"] = "revolved"
    profile: Profile = Field(description="Its contour: points (distance from the axis, height along it) [m].")
    axis: Direction = Field((0.0, 0.0, 1.0), description="Direction of the axis in the body.")
    inside: bool = Field(False, description="Whether it is hollow: what touches it does so from within.")

    @model_validator(mode="after")
    def _stays_on_its_side(self) -> Self:
        points = self.profile.trace.points
        lowest = points[int(np.argmin(points[:, 0]))]
        if lowest[0] < -1e-9 * np.abs(points).max():
            raise ValueError(
                f"its profile crosses the axis at {told(lowest)}; the first number of a point is its distance from the axis, not negative"
            )
        _refuse_crossing(self.profile)
        return self


class Extruded(_Shape):
    """A prism: a profile in the x-y plane, as long as it is along z, from the middle to both sides.

    Of a closed profile the solid is inside; inside: outside of it. An open one goes on straight beyond its ends, with the solid to the
    right of its direction; inside: to the left.
    """

    positional: ClassVar[tuple[str, ...]] = ("profile", "length")
    type: Literal["extruded"] = "extruded"
    profile: Profile = Field(description="Its section in the x-y plane of the shape [m].")
    length: Length = Field(description="Length along z [m].", gt=0)
    orientation: Rotation = Field((1.0, 0.0, 0.0, 0.0), description="Orientation in the body.")
    inside: bool = Field(False, description="Whether the solid is on the other side.")

    @model_validator(mode="after")
    def _has_sides(self) -> Self:
        _refuse_crossing(self.profile)
        return self


def _refuse_crossing(profile: Profile) -> None:
    if profile.crossing is not None:
        raise ValueError("its profile crosses or touches itself, so that it has no inside; move its points apart")


class Stl(_Shape):
    """A triangulated surface from an STL file."""

    positional: ClassVar[tuple[str, ...]] = ("file",)
    type: Literal["stl"] = "stl"
    file: str = Field(description="Path of the STL file, relative to the model file.")
    scale: float = Field(1.0, description="Factor from file units to metres, e.g. 0.001 for mm.", gt=0)
    orientation: Rotation = Field((1.0, 0.0, 0.0, 0.0), description="Orientation in the body.")
    inside: bool = Field(
        False, description="Whether its triangles are turned round, so that the solid is on their other side."
    )


class Triangles(_Shape):
    """A triangulated surface; the outward side of a triangle is the one from which its corners run counter-clockwise."""

    positional: ClassVar[tuple[str, ...]] = ("points", "triangles")
    type: Literal["triangles"] = "triangles"
    points: tuple[Point, ...] = Field(description="Corners of the triangles [m].", min_length=3)
    triangles: tuple[Annotated[tuple[int, int, int], AS_LIST], ...] = Field(
        description="Three corners each, by their places among the points, counted from 0.", min_length=1
    )
    orientation: Rotation = Field((1.0, 0.0, 0.0, 0.0), description="Orientation in the body.")
    inside: bool = Field(
        False, description="Whether its triangles are turned round, so that the solid is on their other side."
    )

    @model_validator(mode="after")
    def _has_its_corners(self) -> Self:
        for i, corners in enumerate(self.triangles):
            if min(corners) < 0 or max(corners) >= len(self.points):
                raise ValueError(
                    f"triangle {i} has the corners {list(corners)}; there are {len(self.points)} points, 0 … {len(self.points) - 1}"
                )
        return self

    @classmethod
    def skin(cls, mesh: Mesh, **fields: object) -> Self:
        """The outer faces of a mesh, between their corners; quadrilaterals as two triangles."""
        found: list[np.ndarray] = []
        for faces in outer_faces(mesh):
            n = {3: 3, 6: 3, 4: 4, 8: 4}[faces.shape[1]]
            found += [faces[:, [0, 1, 2]]] + ([faces[:, [0, 2, 3]]] if n == 4 else [])
        used, index = np.unique(np.concatenate(found), return_inverse=True)
        points = np.asarray(mesh.points)[used]
        return cls(
            points=tuple(map(tuple, points.tolist())),
            triangles=tuple(map(tuple, index.reshape(-1, 3).tolist())),
            **fields,
        )


SHAPES = (Box, Cylinder, Sphere, Plane, Torus, Cone, Revolved, Extruded, Stl, Triangles)
Shape = Annotated[
    Box | Cylinder | Sphere | Plane | Torus | Cone | Revolved | Extruded | Stl | Triangles, Field(discriminator="type")
]
