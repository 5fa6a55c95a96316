"""Constant-velocity joint: bends in any direction, does not twist.   FTG (6.10), (6.11)"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import model_validator

from flexor.joints.joint import AxisJoint


class ConstantVelocity(AxisJoint):
    """Homokinetic joint between two shafts along `axis`: two universal joints that share the bend equally.

    `axis` is the first shaft in the axes of marker A, and the second one in those of marker B. Both
    turn at the same speed, however they are bent (below 180°). Variables: bend_x and bend_y, the components of the rotation
    vector about x and y of the joint frame by which the second shaft is bent from the first [rad]; their root of squares is the
    angle between the shafts. Always by multipliers.
    """

    type: Literal["constant_velocity"] = "constant_velocity"
    rotations: ClassVar[str] = "xy"
    bisecting: ClassVar[bool] = True
    variables: ClassVar[tuple[str, ...]] = ("bend_x", "bend_y")
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"a": "crank", "b": "rod.tip", "axis": (1, -2, 0.5), "start": ("20 deg", "-35 deg")},
        {"a": "crank", "b": "rod.tip"},
    )

    @model_validator(mode="after")
    def _below_half_a_turn(self) -> ConstantVelocity:
        if self.start is not None and np.linalg.norm(self.start) > np.radians(177):
            raise ValueError("it starts bent by more than 177 deg, where nothing keeps it from twisting; bend it less")
        return self

    @model_validator(mode="after")
    def _by_multipliers(self) -> ConstantVelocity:
        if self.enforcement == "elimination":
            raise ValueError("a homokinetic joint has no form by elimination; leave out enforcement")
        return self
