"""Prismatic joint (slider): one translation along the joint axis."""

from __future__ import annotations

from typing import ClassVar, Literal

from flexor.joints.joint import AxisJoint


class Prismatic(AxisJoint):
    """Slider: B moves along the axis without turning. Variable: displacement [m]."""

    type: Literal["prismatic"] = "prismatic"
    translations: ClassVar[str] = "z"
    variables: ClassVar[tuple[str, ...]] = ("displacement",)
