"""The ground: the fixed frame of reference, a body that never moves."""

from __future__ import annotations

from typing import ClassVar

from flexor.bodies.marker import Attachable, Marker, MarkerRef


class Ground(Attachable):
    """The inertial frame. Its origin and axes are the global ones."""

    name = "ground"
    markers: ClassVar[dict[str, Marker]] = {}  # type: ignore[misc]

    def __repr__(self) -> str:
        return "ground"

    def __getitem__(self, marker: str) -> MarkerRef:
        raise KeyError(f"the ground has no marker '{marker}'; write ground.at(x, y, z)")

    def as_reference(self) -> dict[str, str]:
        return {"body": "ground"}


ground = Ground()
