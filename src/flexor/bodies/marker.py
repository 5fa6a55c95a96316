"""Markers: named points with orientation on a body, and references to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from pydantic import Field, GetJsonSchemaHandler, SerializerFunctionWrapHandler, model_serializer, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from flexor.declaration import Declaration, Point, Rotation, plain
from flexor.errors import ModelError, Problem
from flexor.frozen import frozen
from flexor.units import Quantity

Orientation = Mapping[str, object] | Sequence[float] | Sequence[Sequence[float]] | np.ndarray
"""What may be written for one: {"axis": "z", "angle": "30 deg"}, {"euler": …, "angles": …}, a quaternion, a 3×3 matrix."""


class Marker(Declaration):
    """A named point on a body with an orientation, in the body's axes.

    In a file it is written [0.08, 0, 0] or {at: [0.08, 0, 0], orientation: {axis: z, angle: 30 deg}}.
    """

    positional: ClassVar[tuple[str, ...]] = ("at", "orientation")
    at: Point = Field((0.0, 0.0, 0.0), description="Position in the body's axes [m].")
    orientation: Rotation | None = Field(None, description="Orientation in the body; none = the body's own axes.")

    @model_validator(mode="before")
    @classmethod
    def _from_point(cls, value: object) -> object:
        return {"at": value} if isinstance(value, list | tuple | np.ndarray) else value

    @model_serializer(mode="wrap")
    def _short(self, write: SerializerFunctionWrapHandler) -> object:
        return list(self.at) if self.orientation is None else write(self)

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        point = {"type": "array", "items": {"type": ["number", "string"]}, "minItems": 3, "maxItems": 3}
        return {"anyOf": [point, handler(core)]}


class MarkerRef(Declaration):
    """Where something attaches: a body, at a named marker or at a point given in the body's axes.

    In a file it is written "crank" (the body's origin), "crank.tip" (its marker "tip"), or
    {body: crank, at: [0.08, 0, 0]}.
    """

    positional: ClassVar[tuple[str, ...]] = ("body",)
    body: str = Field(description="Name of the body, or 'ground'.")
    marker: str | None = Field(None, description="Name of a marker of that body.")
    at: Point | None = Field(None, description="Point in the body's axes [m].")
    orientation: Rotation | None = Field(None, description="Orientation of the attachment in the body.")

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: object) -> object:
        if isinstance(value, (dict, MarkerRef)):  # most are
            return value
        if isinstance(value, str):
            body, dot, marker = value.partition(".")
            return {"body": body, "marker": marker} if dot else {"body": body}
        if hasattr(value, "as_reference"):
            return value.as_reference()
        raise ValueError("it is no attachment; write crank, crank.tip or {body: crank, at: [0, 0, 0]}")

    @model_validator(mode="after")
    def _marker_or_point(self) -> MarkerRef:
        if self.marker is not None and (self.at is not None or self.orientation is not None):
            raise ValueError("it names a marker and a point; give one of them")
        return self

    @model_serializer(mode="wrap")
    def _short(self, handler: SerializerFunctionWrapHandler) -> object:
        if self.at is None and self.orientation is None:
            return f"{self.body}.{self.marker}" if self.marker else self.body
        return {key: value for key, value in handler(self).items() if value is not None}

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"anyOf": [{"type": "string"}, handler(core)]}

    def surface(self, shape: Declaration) -> SurfaceRef:
        """A shape there, with its own axes and place in those of the marker, for a contact."""
        if isinstance(shape, str):
            what = f"surface({shape!r}) names a side"
            why = "only bodies that deform have sides by name; a rigid body touches with its shapes"
            raise ModelError(
                Problem(f"body '{self.body}'", what, why, "give a shape, e.g. surface(fx.Sphere('10 mm'))")
            )
        return SurfaceRef(self, shape)

    def __str__(self) -> str:
        if self.marker:
            return f"{self.body}.{self.marker}"
        return self.body if self.at is None else f"{self.body} at {self.at}"


@dataclass(frozen=True)
class SurfaceRef:
    """A shape at an attachment: what `body.surface(shape)` gives, for the ends of a contact."""

    on: MarkerRef
    shape: Declaration


@cache
def _anywhere() -> MarkerRef:
    """A point of which body and place are filled in."""
    return MarkerRef(body="ground", at=(0.0, 0.0, 0.0), orientation=None)


@frozen
class Site:
    """A resolved attachment: node number, and position and orientation of the marker in the node's axes."""

    node: int
    p_NM: np.ndarray
    R_NM: np.ndarray


class Attachable:
    """What can carry markers: bodies and the ground."""

    name: str
    markers: dict[str, Marker]

    def at(
        self, x: Quantity = 0.0, y: Quantity = 0.0, z: Quantity = 0.0, *, orientation: Orientation | None = None
    ) -> MarkerRef:
        """A point of this body, in its axes [m] (numbers or text with units)."""
        if orientation is None and plain(x, y, z):  # most are
            return _anywhere().with_fields(body=self.name, at=(float(x), float(y), float(z)))
        return MarkerRef(body=self.name, at=(x, y, z), orientation=orientation)

    def __getitem__(self, marker: str) -> MarkerRef:
        """One of this body's named markers."""
        return MarkerRef(body=self.name, marker=marker)

    def surface(self, shape: Declaration) -> SurfaceRef:
        """A shape on this body, in its axes, for a contact."""
        return MarkerRef(body=self.name).surface(shape)

    def as_reference(self) -> dict[str, str]:
        return {"body": self.name}
