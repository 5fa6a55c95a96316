"""Point mass: three translations, no orientation."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from flexor.bodies.body import Body
from flexor.bodies.rigid_body import Inertial, rigid_body
from flexor.declaration import Mass
from flexor.law import Term


class PointMass(Body):
    """A particle. Its node has no rotations, so springs and rods attach to it at its origin."""

    positional: ClassVar[tuple[str, ...]] = ("name", "mass")
    type: Literal["point_mass"] = "point_mass"
    samples: ClassVar[tuple[dict[str, object], ...]] = ({"name": "bob", "mass": "250 g", "position": (0, 0, -1)},)
    mass: Mass = Field(description="Mass [kg].", gt=0)

    @property
    def locked(self) -> tuple[int, ...]:
        return (3, 4, 5)

    @property
    def weights(self) -> tuple[float, float]:
        return (self.mass, self.mass)

    def terms(self, node: int, x0: np.ndarray) -> list[Term]:
        parameters = Inertial.pack(mass=self.mass, inertia=(0.0,) * 6, start=x0, point=1)
        return [Term(self.name, rigid_body, (node,), parameters=parameters)]
