"""A part of the surface of a body that deforms, over which contact may move."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from flexor.bodies.shape import Shape
from flexor.declaration import Declaration
from flexor.mesh.select import Selection


class Side(Declaration):
    """A side of a body that deforms: it touches wherever it is nearest, as it is deformed.

    Of a body of shape functions by its name: outer, inner, start, end; x_min … z_max of a box. Of a meshed body, superelement, floating or full mesh: skin for all
    outer faces, the name of a set of nodes, or a selection of nodes, whose faces it is.
    """

    positional: ClassVar[tuple[str, ...]] = ("side",)
    type: Literal["side"] = "side"
    side: str = Field("", description="Its name: outer, x_max, …; of a meshed body skin, or a set of nodes.")
    on: Selection | None = Field(None, description="Of a meshed body: the nodes whose faces may touch.")
    slices: int = Field(
        0,
        description="Of a body of shape functions: touch along a line across the side (a straight roller on a plane), cut into so many "
        "slices, which share the stiffness of the law; 0: in one point, the nearest.",
        ge=0,
        le=200,
    )
    points: int = Field(
        0,
        description="Of a body of shape functions: touch with fixed points, so many along and across the side, which share the stiffness of the law: a face that "
        "lies on a plane; 0: in the nearest point.",
        ge=0,
        le=40,
    )

    every_node: bool = Field(
        False,
        description="Of a meshed body: every node touches by itself, each with the whole stiffness of the law, as they always do on planes and in bores: what is "
        "pressed into a mesh that is fine beside the area of contact; else the nearest point of all touches.",
    )

    @model_validator(mode="after")
    def _one(self) -> Side:
        if self.slices and self.points:
            raise ValueError("a side touches along a line (slices) or with fixed points (points); give one of both")
        if self.points == 1:
            raise ValueError("points: 1 would be a single corner; give 2 or more along each direction")
        if bool(self.side) == (self.on is not None):
            raise ValueError("a side is given by its name or by a selection of nodes; e.g. side: outer")
        return self


AnySurface = Annotated[Shape | Side, Field(discriminator="type")]
"""What may touch: a shape at a marker, or a side of a body that deforms."""
