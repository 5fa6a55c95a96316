"""Revolute joint (hinge): one rotation about the joint axis.   FTG (6.7)"""

from __future__ import annotations

from typing import ClassVar, Literal

from flexor.joints.joint import AxisJoint


class Revolute(AxisJoint):
    """Hinge: B turns about the axis. Variable: angle [rad], counted over any number of turns."""

    type: Literal["revolute"] = "revolute"
    rotations: ClassVar[str] = "z"
    variables: ClassVar[tuple[str, ...]] = ("angle",)
