"""Spherical joint (ball): three rotations about a common point.   FTG (6.12)"""

from __future__ import annotations

from typing import ClassVar, Literal

from flexor.joints.joint import Joint


class Spherical(Joint):
    """Ball joint. Variables: Euler angles z-y-x [rad]; the motion of the joint itself has no singularity, these angles do at ±90°
    of the middle one. What acts on one of them, a motor, a spring, friction, cannot go on there."""

    type: Literal["spherical"] = "spherical"
    rotations: ClassVar[str] = "zyx"
    variables: ClassVar[tuple[str, ...]] = ("angle_z", "angle_y", "angle_x")
