"""Free joint: no motion is locked.   FTG (6.15)"""

from __future__ import annotations

from typing import ClassVar, Literal

from flexor.joints.joint import AxisJoint


class Free(AxisJoint):
    """B moves freely against A; what moves is measured, and can be driven, sprung, damped or locked.

    Variables: x, y, z along the axes of the joint frame [m], Euler angles z-y-x [rad].
    """

    type: Literal["free"] = "free"
    translations: ClassVar[str] = "xyz"
    rotations: ClassVar[str] = "zyx"
    variables: ClassVar[tuple[str, ...]] = ("x", "y", "z", "angle_z", "angle_y", "angle_x")
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {
            "a": "crank",
            "b": "rod.tip",
            "axis": (1, -2, 0.5),
            "start": ("300 mm", "-400 mm", "200 mm", "20 deg", "-25 deg", "115 deg"),
        },
        {"a": "crank", "b": "rod.tip", "locked": ("x", "angle_y"), "start": ("-400 mm", "200 mm", "20 deg", "115 deg")},
        {"a": "crank", "b": "rod.tip", "locked": "z", "start_rate": (0.7, -0.5, 0.4, -0.3, 0.6)},
        {"a": "crank", "b": "rod.tip", "locked": ("x", "y", "z", "angle_z", "angle_x"), "start": "20 deg"},
    )
