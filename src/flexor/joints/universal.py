"""Universal (Cardan) joint: two rotations about the arms of a cross.   FTG (6.9)"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexor.declaration import Direction
from flexor.joints.joint import AxisJoint
from flexor.spatial import direction


class Universal(AxisJoint):
    """Cardan joint: `axis` is the arm of the cross held by A, `cross_axis` the arm held by B; they are perpendicular.

    Variables: angle_a (about the first arm) and angle_b (about the second) [rad].
    """

    type: Literal["universal"] = "universal"
    rotations: ClassVar[str] = "zy"
    variables: ClassVar[tuple[str, ...]] = ("angle_a", "angle_b")
    cross_axis: Direction = Field((0.0, 1.0, 0.0), description="Arm held by B at the start, in the axes of marker A.")

    @model_validator(mode="after")
    def _perpendicular(self) -> Universal:
        if np.linalg.norm(np.cross(direction(self.axis), direction(self.cross_axis))) < 1e-6:
            raise ValueError("its cross_axis is parallel to its axis; choose it perpendicular")
        return self

    @property
    def frame(self) -> np.ndarray:
        z = direction(self.axis)
        y = direction(self.cross_axis)
        y = direction(y - z * (z @ y))
        return np.column_stack([np.cross(y, z), y, z])
