"""Spherical joint (ball): three rotations about a common point.   FTG (6.12)"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexor.joints.joint import Joint


class Spherical(Joint):
    """Ball joint, whose motion has no singularity. Its variables have one, wherever their form lets them:

    euler: angle_z, angle_y, angle_x, rotations about successive axes [rad]; the middle one stays below 90°.
    rotation_vector: rotation_x, rotation_y, rotation_z, its components in the axes of marker A [rad]; below 180° altogether. Springs
    of equal stiffness on them resist alike in every direction. They are not locked one by one.

    By elimination its variables are the unknowns: Euler angles lose the motion where the middle one passes 90°, which the run tells
    (`SteepAngles`); a rotation vector ends at 360°.
    """

    type: Literal["spherical"] = "spherical"
    rotations: ClassVar[str] = "zyx"
    variables: ClassVar[tuple[str, ...]] = ("angle_z", "angle_y", "angle_x")
    of_forms: ClassVar[dict[str, tuple[str, ...]]] = {"rotation_vector": ("rotation_x", "rotation_y", "rotation_z")}
    """Variables of its other forms."""
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"a": "crank", "b": "rod.tip", "start": ("20 deg", "-25 deg", "115 deg")},
        {"a": "crank", "b": "rod.tip", "at": (1, 2, 3), "start_rate": (0.7, -0.5, 0.2)},
        {"a": "crank", "b": "rod.tip", "form": "rotation_vector", "start": ("50 deg", "-70 deg", "100 deg")},
    )
    form: Literal["euler", "rotation_vector"] = Field(
        "euler", description="What its variables are: Euler angles z-y-x, or components of the rotation vector."
    )

    @model_validator(mode="before")
    @classmethod
    def _not_locked(cls, given: Any) -> Any:
        """Before the names of what is locked are judged, which would be those of the other form."""
        if isinstance(given, dict) and given.get("form") == "rotation_vector" and given.get("locked"):
            raise ValueError(
                "components of a rotation vector are not locked one by one; use form: euler, or a revolute, universal or "
                "constant_velocity joint"
            )
        return given

    @model_validator(mode="after")
    def _possible(self) -> Spherical:
        if self.by_vector and self.start is not None and np.linalg.norm(self.start) > np.radians(177):
            raise ValueError("it starts turned by more than 177 deg, beyond which a rotation vector has no meaning")
        return self

    @property
    def by_vector(self) -> bool:
        return self.form == "rotation_vector"

    def in_its_form(self, name: str, every: str | tuple[str, ...]) -> str | tuple[str, ...]:
        if not self.by_vector:
            return every
        own: dict[str, str | tuple[str, ...]] = {"rotations": "xyz", "variables": self.of_forms[self.form]}
        return own.get(name, every)
