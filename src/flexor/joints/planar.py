"""Planar joint: translations in a plane and rotation about its normal."""

from __future__ import annotations

from typing import ClassVar, Literal

from flexor.joints.joint import AxisJoint


class Planar(AxisJoint):
    """B moves in the plane whose normal is `axis`. Variables: x, y [m] in the joint frame, angle [rad].

    Its x and y axes are those of marker A for axis z, y and z for axis x, x and −z for axis y.
    """

    type: Literal["planar"] = "planar"
    translations: ClassVar[str] = "xy"
    rotations: ClassVar[str] = "z"
    variables: ClassVar[tuple[str, ...]] = ("x", "y", "angle")
