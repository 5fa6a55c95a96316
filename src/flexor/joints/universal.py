"""Universal (Cardan) joint: two rotations about the arms of a cross.   FTG (6.9)"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from flexor.declaration import Direction
from flexor.joints.joint import AxisJoint


class Universal(AxisJoint):
    """Cardan joint: `axis` is the arm of the cross held by A, `cross_axis` the arm held by B; they are perpendicular.

    Variables: angle_a (about the first arm) and angle_b (about the second) [rad].
    """

    type: Literal["universal"] = "universal"
    rotations: ClassVar[str] = "zy"
    variables: ClassVar[tuple[str, ...]] = ("angle_a", "angle_b")
    cross_axis: Direction = Field((0.0, 1.0, 0.0), description="Arm held by B at the start, in the axes of marker A.")

    @property
    def frame(self) -> np.ndarray:
        z = np.array(self.axis) / np.linalg.norm(self.axis)
        y = np.array(self.cross_axis) - z * (z @ np.array(self.cross_axis))
        if np.linalg.norm(y) < 1e-6 * np.linalg.norm(self.cross_axis):
            raise ValueError(f"universal '{self.name}': cross_axis is parallel to axis; choose it perpendicular")
        y /= np.linalg.norm(y)
        return np.column_stack([np.cross(y, z), y, z])
