"""Universal (Cardan) joint: two rotations about the arms of a cross.   FTG (6.9)"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexor.declaration import Direction
from flexor.joints.joint import AxisJoint
from flexor.spatial import direction

SQUARE = 1e-4
"""Cosine of the angle between the arms that is passed over: digits that were not written."""


class Universal(AxisJoint):
    """Cardan joint: `axis` is the arm of the cross held by A, `cross_axis` the arm held by B, perpendicular to it.

    Variables: angle_a (about the first arm) and angle_b (about the second) [rad].
    """

    type: Literal["universal"] = "universal"
    rotations: ClassVar[str] = "zy"
    variables: ClassVar[tuple[str, ...]] = ("angle_a", "angle_b")
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"a": "crank", "b": "rod.tip", "axis": "x", "cross_axis": (0, 0.1, 1), "start": ("10 deg", "290 deg")},
        {"a": "crank", "b": "rod.tip"},
    )
    cross_axis: Direction | None = Field(
        None, description="Arm held by B at the start, in the axes of marker A; if left out, what is nearest to y."
    )

    @model_validator(mode="after")
    def _perpendicular(self) -> Universal:
        if self.cross_axis is not None:
            if np.linalg.norm(np.cross(direction(self.axis), direction(self.cross_axis))) < 1e-6:
                raise ValueError("its cross_axis is parallel to its axis; choose it perpendicular")
            cosine = float(direction(self.axis) @ direction(self.cross_axis))
            if abs(cosine) > SQUARE:
                angle = np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))
                raise ValueError(
                    f"its cross_axis is {angle:.4g} deg from its axis; the arms of a cross are perpendicular, "
                    "choose it so or leave it out"
                )
        return self

    @property
    def frame(self) -> np.ndarray:
        z = direction(self.axis)
        y = np.array((0.0, 1.0, 0.0) if abs(z[1]) < 0.999 else (0.0, 0.0, 1.0))
        if self.cross_axis is not None:
            y = direction(self.cross_axis)
        y = direction(y - z * (z @ y))
        return np.column_stack([np.cross(y, z), y, z])
