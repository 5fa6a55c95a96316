"""Spring-damper on a joint variable: torsional on an angle, linear on a translation.   FTG 5.1–5.3"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from flexor.coordinates.frames import packed as frame
from flexor.declaration import Item, Number
from flexor.dotted import NAME
from flexor.effects import Doubt
from flexor.forces.spring_details import ALONG, BY_SENSOR, SpringDetails
from flexor.functions import AnyFunction, Constant, function_of
from flexor.functions.samples import CUBIC, FAST, RISING, SINE, SPLINE
from flexor.joints.along import Along
from flexor.joints.guide import Guide
from flexor.joints.joint import Joint, NameOfJoint
from flexor.joints.motor import variable_index
from flexor.joints.path import Path
from flexor.joints.surroundings import Surroundings
from flexor.law import Output, Remembered, Term


class _OnVariable(Item):
    """Its own fields, before those of all springs."""

    name: str = Field(description="Unique name of the spring.", min_length=1, pattern=NAME)
    joint: NameOfJoint = Field(description="Name of the joint or guide it acts in.")
    variable: str | None = Field(None, description="Which joint variable; not needed where the joint has one.")
    stiffness: Number = Field(0.0, description="Stiffness [N m/rad or N/m].")
    damping: Number = Field(0.0, description="Damping coefficient [N m s/rad or N s/m].")
    force: AnyFunction | None = Field(None, description="Further spring torque or force as a function of deflection.")
    damper: AnyFunction | None = Field(None, description="Further damping torque or force as a function of rate.")
    free: Annotated[AnyFunction, function_of("time")] = Field(
        Constant(0.0),
        description="Stress-free value of the variable [rad or m], may be a function of time or of a sensor.",
    )


class JointSpring(SpringDetails, _OnVariable):
    """A spring and damper acting on a joint variable, torsion spring on an angle, linear spring on a translation, or along a guide.

    It is free where the variable is `free`. The angle of a body whose position or orientation is given is zero where the body is
    drawn, or the `start` of its joint.

    Signals: deflection, torque (or force) that it exerts on B along the variable, strain_energy.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "joint")
    noun: ClassVar[str] = "spring"
    type: Literal["joint_spring"] = "joint_spring"
    along: ClassVar[Along] = {
        "stiffness": ("stiffness", None),
        "damping": ("damping", None),
        "force": ("effort", "coordinate"),
        "damper": ("effort", "rate"),
        "free": ("coordinate", "time"),
        **ALONG,
    }
    by_sensor: ClassVar[tuple[str, ...]] = ("free", *BY_SENSOR)
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"name": "torsion", "joint": "sleeve", "variable": "angle", "stiffness": 5, "free": "10 deg"},
        {"joint": "hinge", "stiffness": 3.0, "damping": 0.8},
        {"joint": "hinge", "force": CUBIC, "damper": RISING, "free": SINE},
        {"joint": "slider", "stiffness": "2 N/m", "damping": 0.3, "free": SINE},
        {"joint": "cardan", "variable": "angle_b", "stiffness": 2.0, "force": SPLINE, "damping": 0.5},
        {"joint": "ball", "variable": "angle_y", "stiffness": 2.0, "damping": 0.5},
        {"joint": "ball", "variable": "angle_x", "stiffness": 2.0, "damping": 0.5},
        {"joint": "socket", "variable": "rotation_y", "stiffness": 2.0, "damping": 0.5},
        {
            "joint": "hinge",
            "force": CUBIC,
            "damping_scale": SINE,
            "damping": 1,
            "yields": {"above": SINE},
            "free": SINE,
        },
        {
            "joint": "slider",
            "hysteresis": {"force": 3, "deflection": 0.5, "sharpness": 1.5, "shape": 0.7},
            "free": FAST,
        },
        {
            "joint": "slider",
            "stiffness": 0.5,
            "lower_stop": {"at": 5, "stiffness": 3, "dissipation": 0.3},
            "scale": SINE,
        },
        {"joint": "rail", "stiffness": 3.0, "damping": 0.8, "free": SINE},
        {
            "joint": "rail",
            "stiffness": 3.0,
            "yields": {"above": SINE},
            "upper_stop": {"at": 8, "stiffness": 3, "dissipation": 0.3},
        },
        {"joint": "hinge", "damping_by_rate": SINE, "stiffness_by_deflection": SPLINE, "fails": {"force_above": 1e9}},
    )

    def doubts(self, gravity: Sequence[float]) -> list[Doubt]:
        return self.idle("free", self.free != Constant(0.0))

    def objections(self, joint: Joint | Path) -> list[Doubt]:
        if isinstance(joint, Path) and not isinstance(joint, Guide):
            why = "along the curve of a cam only friction acts"
            return [Doubt(f"it acts on a {joint.noun}", why, "take a guide through points of the curve", "joint")]
        return []

    def terms(self, around: Surroundings) -> list[Term]:
        """Its law, on the markers of the joint, or along the guide."""
        if around.path is not None:
            guide, place = around.path
            assert isinstance(guide, Guide)
            return self.spring_terms(
                guide.nodes(place),
                {"line": guide.spline(place), "sign": -1.0},
                self.free,
                outputs=(Output("deflection", "m"), Output("force", "N"), Output("strain_energy", "J")),
                start=guide.place(place),
                partners=around.partners,
                on_guide=True,
            )
        joint, a, b = around.joint, around.a, around.b
        index = variable_index(joint, self.variable)
        single = int(joint.rotations != "" and len(joint.rotations) == 1)
        measured = {"m": joint.free.measures[index], "a": frame(a), "b": frame(b), "sign": -1.0, "single": single}
        unit = joint.units[index]
        angular = unit == "rad"
        outputs = (
            Output("deflection", unit),
            Output("torque", "N m") if angular else Output("force", "N"),
            Output("strain_energy", "J"),
        )
        return self.spring_terms(
            (a.node, b.node),
            measured,
            self.free,
            unit=unit,
            outputs=outputs,
            start=(joint.start or (0.0,) * len(joint.variables))[index],
            counts=(Remembered(f"{joint.name}.{joint.variables[index]}", "value"),)
            if angular and not joint.by_vector
            else (),
            partners=around.partners,
        )
