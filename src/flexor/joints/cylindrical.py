"""Cylindrical joint: translation along and rotation about the joint axis.   FTG (6.8)"""

from __future__ import annotations

from typing import ClassVar, Literal

from flexor.joints.joint import AxisJoint


class Cylindrical(AxisJoint):
    """B slides along the axis and turns about it. Variables: displacement [m], angle [rad]."""

    type: Literal["cylindrical"] = "cylindrical"
    translations: ClassVar[str] = "z"
    rotations: ClassVar[str] = "z"
    variables: ClassVar[tuple[str, ...]] = ("displacement", "angle")
