"""Axial joint: one translation along the line from A to B.   FTG (6.17)"""

from __future__ import annotations

from typing import ClassVar, Literal

from flexor.joints.joint import AxisJoint


class Axial(AxisJoint):
    """B moves along the line from A without turning. Variable: length, from point A to point B along `axis` [m]."""

    type: Literal["axial"] = "axial"
    translations: ClassVar[str] = "z"
    variables: ClassVar[tuple[str, ...]] = ("length",)
