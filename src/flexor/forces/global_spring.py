"""Spring-damper along a direction that is fixed in space, or on an angle between two markers.   FTG (5.17), (5.18)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexor.bodies.marker import MarkerRef
from flexor.coordinates.between import Between
from flexor.coordinates.frames import Frame
from flexor.coordinates.frames import packed as frame
from flexor.coordinates.measure import FIXED, Measure
from flexor.declaration import Direction, Item, Number
from flexor.dotted import NAME
from flexor.effects import Doubt
from flexor.forces.spring_details import ALONG, BY_SENSOR, SpringDetails
from flexor.functions import AnyFunction, Constant
from flexor.functions.measure import refuse
from flexor.functions.samples import CUBIC, FAST, RISING, SINE
from flexor.joints.along import Along, misfits_along
from flexor.joints.kinematics import FreeMotions
from flexor.joints.surroundings import Surroundings
from flexor.law import Output, Term
from flexor.spatial import triad

_ALONG_Z = Measure.pack(kind=FIXED, n_sign=1, n_a=2, n_b=0, c_sign=1, c_a=0, c_b=0)


class _InSpace(Item):
    """Its own fields, before those of all springs."""

    name: str = Field(description="Unique name of the spring.", min_length=1, pattern=NAME)
    a: MarkerRef = Field(description="End on the first body (or ground).")
    b: MarkerRef = Field(description="End on the second body.")
    direction: Direction | None = Field(None, description="Along which it acts, in global axes; it does not turn.")
    angle: Literal["x", "y", "z"] | None = Field(
        None, description="Or about which axis of marker A: one of the Euler angles z-y-x of B against A."
    )
    stiffness: Number = Field(0.0, description="Stiffness [N/m or N m/rad].")
    damping: Number = Field(0.0, description="Damping coefficient [N s/m or N m s/rad].")
    force: AnyFunction | None = Field(None, description="Further force or torque as a function of deflection.")
    damper: AnyFunction | None = Field(None, description="Further damping force or torque as a function of rate.")
    free: AnyFunction | None = Field(
        None,
        description="Stress-free distance along the direction, or angle; that at the start, with all loops closed, if left out. May be a function of time or of a sensor.",
    )


class GlobalSpring(SpringDetails, _InSpace):
    """A spring and damper along a direction that is fixed in space, or on an angle of marker B against marker A.

    Several of them, along x, y, z, hold a point elastically. What keeps the direction is the ground: between two bodies that
    are apart it takes the moment. Angles suit small rotations; see Bushing for large ones.

    Signals: deflection, force (or torque) that pulls B back, strain_energy, value, rate.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "a", "b", "direction")
    noun: ClassVar[str] = "spring"
    type: Literal["global_spring"] = "global_spring"
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"name": "mount", "a": "crank", "b": "rod.tip", "direction": "z", "stiffness": "3 N/m", "damping": 0.8},
        {"a": "crank", "b": "rod.tip", "direction": (1, 2, -1), "force": CUBIC, "damper": RISING, "free": SINE},
        {
            "a": "crank",
            "b": "rod.tip",
            "direction": (1, 0, 2),
            "stiffness": 2,
            "yields": 0.3,
            "scale": SINE,
            "free": FAST,
        },
        {"a": "crank", "b": "rod.tip", "angle": "z", "stiffness": 2, "damping": 0.3},
        {"a": "crank", "b": "rod.tip", "angle": "y", "stiffness": 2, "damping_by_deflection": SINE},
    )
    along: ClassVar[Along] = {
        "stiffness": ("stiffness", None),
        "damping": ("damping", None),
        "force": ("effort", "coordinate"),
        "damper": ("effort", "rate"),
        "free": ("coordinate", "time"),
        **ALONG,
    }
    by_sensor: ClassVar[tuple[str, ...]] = ("free", *BY_SENSOR)

    @model_validator(mode="after")
    def _one_of_both(self) -> GlobalSpring:
        if (self.direction is None) == (self.angle is None):
            raise ValueError("it acts along a direction or on an angle; give one of them, e.g. direction: x")
        refuse(misfits_along(self, self.along, self._unit))
        if self.fails is not None and self.fails.others:
            raise ValueError("fails.others is for springs of a joint; it has none")
        return self

    @property
    def _unit(self) -> str:
        return "m" if self.angle is None else "rad"

    @property
    def in_space(self) -> dict[str, Literal["point", "direction"]]:
        return {} if self.direction is None else {"direction": "direction"}

    @property
    def needs_orientation(self) -> bool:
        return self.angle is not None

    def resists(self, axes: np.ndarray) -> Sequence[Sequence[float]]:
        if not any(self.resistance()):
            return ()
        if self.direction is not None:
            return [[*triad(self.direction)[:, 2].tolist(), 0.0, 0.0, 0.0]]
        return [[0.0, 0.0, 0.0, *axes[:, "xyz".index(self.angle or "x")].tolist()]]

    def doubts(self, gravity: Sequence[float]) -> list[Doubt]:
        return self.idle("free", self.free is not None)

    def terms(self, around: Surroundings) -> list[Term]:
        """Its law; where no free value is given, it is that of the bodies at the start."""
        a, b, (X_WA, X_WB) = around.a, around.b, around.ends_drawn
        if self.direction is not None:
            axes = triad(self.direction)
            measure, on_a, drawn = _ALONG_Z, Frame.pack(p=a.p_NM, R=axes), float(axes[:, 2] @ (X_WB.p - X_WA.p))
        else:
            measure, on_a = FreeMotions(rotations="zyx").measures["zyx".index(self.angle or "")], frame(a)
            still = [0.0] * 12
            poses = np.zeros(6), np.concatenate([X_WA.R.ravel(), X_WB.R.ravel()])
            drawn = Between(measure, _AT_NODE, _AT_NODE).value_and_rate(list(poses[0]), list(poses[1]), still)[0]
        outputs = (
            Output("deflection", self._unit),
            Output("force", "N") if self.angle is None else Output("torque", "N m"),
            Output("strain_energy", "J"),
            Output("value", self._unit),
            Output("rate", f"{self._unit}/s"),
        )
        measured = {"m": measure, "a": on_a, "b": frame(b), "sign": 1.0, "single": 0}
        free = self.free if self.free is not None else Constant(drawn)
        return self.spring_terms((a.node, b.node), measured, free, unit=self._unit, outputs=outputs, start=drawn)


class _AtNode:
    """A marker that sits on its node, with its axes."""

    p_NM = np.zeros(3)
    R_NM = np.eye(3)


_AT_NODE = _AtNode()
