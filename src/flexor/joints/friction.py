"""Friction on a joint variable.   FTG 6.5"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from flexor.coordinates.frames import packed as frame
from flexor.declaration import Item, Length, Number
from flexor.effects import Doubt
from flexor.functions import AnyFunction, Constant, Function, function_of
from flexor.functions.call import Reads
from flexor.joints.along import Along
from flexor.joints.friction_force import ACROSS, BEARING, GIVEN, GUIDE, OF_A, OF_B, RADIAL, Rubbing
from flexor.joints.friction_law import RAMP, TANH, Asperities, joint_friction, smooth_friction
from flexor.joints.joint import Joint, NameOfJoint
from flexor.joints.motor import variable_index
from flexor.joints.pose_constraint import parameters as pose_parameters
from flexor.joints.surroundings import Surroundings
from flexor.law import Output, Remembered, Term
from flexor.law.law import by_duals

LOADS = {"radial": RADIAL, "bearing": BEARING, "guide": GUIDE}
MICRO_SLIP = 1e-6
"""By how much asperities bend under full friction, if nothing is said [m, rad]."""
AT_REST = 1e-3
"""Speeds up to this many micro-slips a second count as rest."""
FAINT = 1e-9
"""Part of the friction under the weight of all bodies, below which it is none."""


class Friction(Item):
    """Friction on a variable of a joint: viscous, Coulomb, of prestressed parts, and Stribeck's, which is larger at rest.

    Its largest force is prestress + radius·coefficient·load·(1 + stribeck·exp(−(rate/slip_speed)²)), radius counting for rotations
    only; the viscous force adds to it. The load is given, or that which the joint itself carries. What rests sticks until the largest
    force is exceeded, and bends meanwhile by no more than the micro-slip; the transitions between sticking and sliding are found in time.

    Signals: torque (or force) that it exerts on B along the variable, limit that it can exert, load [N], sticks (1 or 0; not of the
    smooth models), power [W] that is lost.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "joint", "coefficient")
    noun: ClassVar[str] = "friction"
    type: Literal["friction"] = "friction"
    along: ClassVar[Along] = {
        "prestress": ("effort", None),
        "viscous": ("damping", None),
        "slip_speed": ("rate", None),
        "smooth_speed": ("rate", None),
        "micro_slip": ("coordinate", None),
    }
    by_sensor: ClassVar[tuple[str, ...]] = ("coefficient", "load")
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"name": "dry", "joint": "hinge", "coefficient": 0.2, "radius": "20 mm"},
        {"joint": "hinge", "coefficient": 0.3, "radius": 0.5, "load": "bearing", "span": 0.4, "factor": 1.5,
         "stribeck": 0.6, "slip_speed": 2.0, "viscous": 0.3, "prestress": 0.7},
        {"joint": "slider", "coefficient": 0.3, "stribeck": 0.5, "slip_speed": 1.5},
        {"joint": "slider", "coefficient": 0.3, "load": "guide", "key": 0.3, "factor": 2.0},
        {"joint": "sleeve", "variable": "angle", "coefficient": 0.4, "radius": 0.3},
        {"joint": "ball", "variable": "angle_z", "coefficient": 0.4, "radius": 0.3},
        {"joint": "ball", "variable": "angle_y", "coefficient": 0.4, "radius": 0.3},
        {"joint": "socket", "variable": "rotation_x", "coefficient": 0.4, "radius": 0.3},
        {"joint": "cardan", "variable": "angle_b", "coefficient": 0.4, "radius": 0.3, "viscous": 0.2},
        {"joint": "table", "variable": "y", "coefficient": 0.4, "load": "3 N", "stribeck": 0.5, "slip_speed": 1.5},
        {"joint": "hinge", "coefficient": "0.2 + 0.1*t", "radius": 0.5, "load": "2 + t", "prestress": "0.2 N*m"},
        {"joint": "hinge", "coefficient": 0.3, "radius": 0.5, "load": 4, "model": "tanh", "smooth_speed": 0.8,
         "stribeck": 0.6, "slip_speed": 2.0},
        {"joint": "slider", "coefficient": 0.3, "load": 4, "model": "ramp", "smooth_speed": 0.3,
         "stribeck": 0.6, "slip_speed": 2.0, "stribeck_exponent": 1, "viscous": 0.1},
        {"joint": "hinge", "coefficient": 0.3, "radius": 0.5, "load": "bearing", "span": 0.4, "model": "tanh", "smooth_speed": 0.8},
    )  # fmt: skip
    name: str = Field(description="Unique name of the friction.", min_length=1, pattern=r"^[^.\s][^.]*$")
    joint: NameOfJoint = Field(description="Name of the joint that rubs.")
    variable: str | None = Field(None, description="Which joint variable; not needed where the joint has one.")
    coefficient: Annotated[AnyFunction, function_of("time", "dimensionless")] = Field(
        Constant(0.0), description="Coefficient of friction, a number or a function of time or of a sensor."
    )
    load: Literal["radial", "bearing", "guide"] | Annotated[AnyFunction, function_of("time", "force")] = Field(
        "radial",
        description="Force between the surfaces: radial, the joint's force across the axis; bearing, of two bearings that carry "
        "its bending moment, too; guide, of a slide and its key; or a force [N], a function of time or of a sensor.",
    )
    radius: Length | None = Field(None, description="Radius at which the surfaces rub, of a rotation [m].", gt=0)
    span: Length | None = Field(None, description="Distance of the two bearings [m].", gt=0)
    key: Length | None = Field(None, description="Radius at which the key of a guide sits [m].", gt=0)
    factor: float = Field(0.0, description="Weight Y of a bearing's axial load, or of the force on the key.", ge=0)
    prestress: Number = Field(0.0, description="Friction of prestressed parts, whatever the load [N m or N].", ge=0)
    stribeck: float = Field(0.0, description="How much larger static friction is: 0.5 for half as large again.", ge=0)
    slip_speed: Number = Field(0.0, description="Rate at which that has fallen to a third (1/e) [rad/s or m/s].", ge=0)
    stribeck_exponent: float = Field(2.0, description="Exponent of the rate in it.", ge=1)
    viscous: Number = Field(0.0, description="Viscous friction [N m s/rad or N s/m].", ge=0)
    model: Literal["stick", "tanh", "ramp"] = Field(
        "stick",
        description="stick: rests where it rests; tanh, ramp: cheap, a smooth function of the rate, with which nothing rests.",
    )
    smooth_speed: Number = Field(
        0.0, description="Of tanh and ramp: rate up to which friction rises [rad/s or m/s].", ge=0
    )
    micro_slip: Number = Field(
        MICRO_SLIP, description="How far what sticks gives way under the weight of all bodies [rad or m].", gt=0
    )

    @model_validator(mode="after")
    def _fits_itself(self) -> Friction:
        if (self.stribeck > 0) != (self.slip_speed > 0):
            raise ValueError("stribeck and slip_speed belong together; e.g. stribeck: 0.5, slip_speed: 0.1")
        for field, load in (("span", "bearing"), ("key", "guide")):
            if (getattr(self, field) is not None) != (self.load == load):
                raise ValueError(f"load: {load} and {field} belong together; e.g. load: {load}, {field}: 50 mm")
        if self.factor and self.load not in ("bearing", "guide"):
            raise ValueError("factor has no effect; it belongs to load: bearing or load: guide")
        if (self.model != "stick") != (self.smooth_speed > 0):
            raise ValueError("smooth_speed belongs to model: tanh or ramp; e.g. model: tanh, smooth_speed: 0.01")
        if self.model != "stick" and "micro_slip" in self.model_fields_set and self.micro_slip != MICRO_SLIP:
            raise ValueError("micro_slip has no effect; nothing sticks with model: tanh or ramp")
        if isinstance(self.coefficient, Constant) and self.coefficient.value < 0:
            raise ValueError("its coefficient is negative; friction opposes the motion")
        if isinstance(self.load, Constant) and self.load.value < 0:
            raise ValueError("its load is negative; give the size of the force that presses the surfaces together")
        return self

    @property
    def _rubs(self) -> bool:
        """Whether it depends on a load."""
        return self.coefficient != Constant(0.0)

    @property
    def reads_reactions_of(self) -> str | None:
        return self.joint if self._rubs and isinstance(self.load, str) else None

    def doubts(self, gravity: Sequence[float]) -> list[Doubt]:
        if not self._rubs and not self.prestress and not self.viscous:
            why = "coefficient, prestress and viscous are zero"
            return [Doubt("it exerts no force", why, "give one of them or remove the friction")]
        if not self._rubs and not isinstance(self.load, str):
            return [Doubt("load has no effect", "coefficient is zero", "leave it out", "load")]
        return []

    def objections(self, joint: Joint) -> list[Doubt]:
        index = variable_index(joint, self.variable)
        turns = joint.units[index] == "rad"
        along = f"{joint.name}.{joint.variables[index]}"
        found = []
        if turns and self._rubs and self.radius is None:
            fix = "give radius: 20 mm, or the friction torque itself as prestress"
            found.append(
                Doubt("it has no radius", f"the force of friction turns '{along}' by its radius", fix, "joint")
            )
        if not turns and self.radius is not None:
            found.append(Doubt("radius is given", f"'{along}' is a translation", "leave it out", "radius"))
        for load, wanted, other in (("bearing", True, "guide"), ("guide", False, "bearing")):
            if self.load == load and turns != wanted:
                why = f"'{along}' is a {'rotation' if turns else 'translation'}"
                found.append(Doubt(f"load: {load}", why, f"use load: radial or {other}", "load"))
        if self.reads_reactions_of and not joint.binds:
            why, fix = (
                "a joint that binds nothing has no reaction",
                "give the load [N], a function of a sensor if need be",
            )
            found.append(Doubt("its load is that of the joint", why, fix, "load"))
        elif self.reads_reactions_of and joint.enforcement == "elimination":
            why = "an eliminated joint has no reactions at hand while it is solved for"
            fix = "leave out enforcement of the joint, or give the load [N]"
            found.append(Doubt("its load is that of the joint", why, fix, "load"))
        return found

    def terms(self, around: Surroundings) -> list[Term]:
        """Its law, on the markers of the joint."""
        joint, a, b = around.joint, around.a, around.b
        index = variable_index(joint, self.variable)
        angular = joint.units[index] == "rad"
        rows = len(joint.free.row_names) if self.reads_reactions_of else 0
        by = Reads(rows)
        coefficient, normal = _number(self.coefficient), 0.0 if isinstance(self.load, str) else _number(self.load)
        whose, axis, other = _axis(joint, index)
        arm = (self.radius or 0.0) if angular else 1.0
        usual = self.prestress + arm * (coefficient or 1.0) * (1.0 + self.stribeck) * (normal or around.weight)
        parameters = Rubbing.pack(
            m=joint.free.measures[index],
            a=frame(a),
            b=frame(b),
            single=int(len(joint.rotations) == 1),
            joint=pose_parameters(joint.free, a, b),
            load=LOADS[self.load] if isinstance(self.load, str) and self._rubs else GIVEN,
            whose=whose,
            axis=axis,
            other=other,
            normal=normal or 0.0,
            normal_by=by.drive(None if isinstance(self.load, str) or normal is not None else self.load),
            coefficient=coefficient or 0.0,
            coefficient_by=by.drive(self.coefficient if coefficient is None else None),
            prestress=self.prestress,
            stribeck=self.stribeck,
            slip_speed=self.slip_speed or 1.0,
            exponent=self.stribeck_exponent,
            viscous=self.viscous,
            arm=arm,
            span=self.span or 1.0,
            key=self.key or 1.0,
            factor=self.factor,
            shape=RAMP if self.model == "ramp" else TANH,
            smooth_speed=self.smooth_speed or 1.0,
            stiffness=usual / self.micro_slip,
            rest=AT_REST * self.micro_slip,
            faint=FAINT * usual,
        )
        reads = ((joint.name, rows), *by.reads) if rows else by.reads
        sticks = self.model == "stick"
        law = joint_friction if sticks else smooth_friction
        effort = Output("torque", "N m") if angular else Output("force", "N")
        outputs = [effort, Output("limit", effort.unit), Output("load", "N"), Output("power", "W")]
        if sticks:
            outputs.insert(3, Output("sticks", ""))
        start = (joint.start or (0.0,) * len(joint.variables))[index]
        along = f"{joint.name}.{joint.variables[index]}"
        counted = (Remembered(along, "place"), Remembered(along, "value"))
        return [
            Term(
                self.name,
                by_duals(law) if reads else law,
                (a.node, b.node),
                history=Asperities.begin(value=start, place=start, margin=1.0) if sticks else (),
                own_outputs=tuple(outputs),
                parameters=parameters,
                counts=counted if angular and sticks and not joint.by_vector else (),
                reads=reads,
            )
        ]


def _number(function: Function) -> float | None:
    """Its value, if it depends on nothing."""
    return function.value if isinstance(function, Constant) else None


def _axis(joint: Joint, index: int) -> tuple[int, int, int]:
    """Along or about which axis a variable moves: whose it is, its number, and that of B if it is perpendicular to both."""
    translations, turning = joint.translations, ["xyz".index(axis) for axis in joint.rotations]
    number = index - len(translations)
    if number < 0:
        return OF_A, "xyz".index(translations[index]), 0
    if number == 0 or joint.by_vector:
        return OF_A, turning[number], 0
    if number == len(turning) - 1:
        return OF_B, turning[-1], 0
    return ACROSS, turning[0], turning[-1]
