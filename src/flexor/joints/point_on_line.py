"""Point on line: a point of B stays on a line of A and B may turn freely."""

from __future__ import annotations

from typing import ClassVar, Literal

from flexor.joints.joint import AxisJoint


class PointOnLine(AxisJoint):
    """A point of B slides along the line `axis` of A. Variables: displacement [m], Euler angles z-y-x [rad]."""

    type: Literal["point_on_line"] = "point_on_line"
    translations: ClassVar[str] = "z"
    rotations: ClassVar[str] = "zyx"
    variables: ClassVar[tuple[str, ...]] = ("displacement", "angle_z", "angle_y", "angle_x")
