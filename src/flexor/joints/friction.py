"""Friction on a joint variable.   FTG 6.5"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from flexor.coordinates.frames import packed as frame
from flexor.declaration import Item, Length, Number
from flexor.dotted import NAME
from flexor.effects import Doubt
from flexor.functions import AnyFunction, Constant, Function, function_of
from flexor.functions.call import Reads
from flexor.functions.measure import least_known
from flexor.joints.along import Along
from flexor.joints.friction_axes import axis_of, carries
from flexor.joints.friction_force import AXIAL, BEARING, GIVEN, GUIDE, RADIAL, Rubbing
from flexor.joints.friction_law import joint_friction, smooth_friction
from flexor.joints.friction_regimes import RAMP, TANH, Asperities
from flexor.joints.joint import Joint, NameOfJoint
from flexor.joints.motor import variable_index
from flexor.joints.path import Path
from flexor.joints.pose_constraint import parameters as pose_parameters
from flexor.joints.surroundings import Surroundings
from flexor.law import Law, Output, Remembered, Term
from flexor.law.law import by_duals
from flexor.law.record import Packed

LOADS = {"radial": RADIAL, "bearing": BEARING, "guide": GUIDE, "axial": AXIAL}
OF_A_LOAD = ("load", "radius", "span", "key", "factor", "stribeck", "slip_speed")
"""Fields of the friction that a load makes, by its coefficient."""
MICRO_SLIP = 1e-6
"""By how much asperities bend under full friction, if nothing is said [m, rad]."""
AT_REST = 1e-3
"""Speeds up to this many micro-slips a second count as rest."""
FAINT = 1e-9
"""Part of the friction under the weight of all bodies, below which it is none."""


class Friction(Item):
    """Friction on a variable of a joint, on a guide or a cam: viscous, Coulomb, of prestressed parts, and Stribeck's, which is larger at rest.

    Its largest force is prestress + radius·coefficient·load·(1 + stribeck·exp(−(rate/slip_speed)²)), radius counting for rotations
    only; the viscous force adds to it. The load is given, or that which the joint itself carries: on a guide the force across it, on a
    cam the force of contact, at which the surfaces slide on each other (a roller that can turn on its pin rolls). What rests sticks until the largest
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
        {"joint": "table", "variable": "angle", "coefficient": 0.3, "radius": 0.5, "load": "axial"},
        {"joint": "rail", "coefficient": 0.3, "stribeck": 0.5, "slip_speed": 1.5},
        {"joint": "rail", "coefficient": 0.3, "model": "tanh", "smooth_speed": 0.8},
        {"joint": "lobe", "coefficient": 0.3, "stribeck": 0.5, "slip_speed": 1.5},
        {"joint": "lobe", "coefficient": 0.3, "model": "ramp", "smooth_speed": 0.3, "viscous": 0.1},
    )  # fmt: skip
    name: str = Field(description="Unique name of the friction.", min_length=1, pattern=NAME)
    joint: NameOfJoint = Field(description="Name of the joint, guide or cam that rubs.")
    variable: str | None = Field(None, description="Which joint variable; not needed where the joint has one.")
    coefficient: Annotated[AnyFunction, function_of("time", "dimensionless")] = Field(
        Constant(0.0), description="Coefficient of friction, a number or a function of time or of a sensor."
    )
    load: Literal["radial", "bearing", "axial", "guide"] | Annotated[AnyFunction, function_of("time", "force")] = Field(
        "radial",
        description="Force between the surfaces: radial, the joint's force across the axis; bearing, of two bearings that carry "
        "its bending moment, too; axial, of a thrust bearing; guide, of a slide and its key; or a force [N], never negative, a function "
        "of time or of a sensor.",
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

    @field_validator("coefficient")
    @classmethod
    def _opposes(cls, coefficient: Function) -> Function:
        if isinstance(coefficient, Constant) and coefficient.value < 0:
            raise ValueError("it is negative; friction opposes the motion")
        return coefficient

    @model_validator(mode="after")
    def _fits_itself(self) -> Friction:
        if (self.stribeck > 0) != (self.slip_speed > 0):
            raise ValueError("stribeck and slip_speed belong together; e.g. stribeck: 0.5, slip_speed: 0.1")
        if not self.stribeck and self.stribeck_exponent != 2.0:
            raise ValueError(
                "stribeck_exponent has no effect without stribeck; give stribeck and slip_speed, or leave it out"
            )
        for field, load in (("span", "bearing"), ("key", "guide")):
            if (getattr(self, field) is not None) != (self.load == load):
                raise ValueError(f"load: {load} and {field} belong together; e.g. load: {load}, {field}: 50 mm")
        if self.factor and self.load not in ("bearing", "guide"):
            raise ValueError("factor has no effect; it belongs to load: bearing or load: guide")
        if (self.model != "stick") != (self.smooth_speed > 0):
            raise ValueError("smooth_speed belongs to model: tanh or ramp; e.g. model: tanh, smooth_speed: 0.01")
        if self.model != "stick" and "micro_slip" in self.model_fields_set and self.micro_slip != MICRO_SLIP:
            raise ValueError("micro_slip has no effect; nothing sticks with model: tanh or ramp")
        if isinstance(self.load, Function) and not self.load.sensors and (least := least_known(self.load))[0] < 0:
            when = "" if isinstance(self.load, Constant) else f" at t = {least[1]:g} s"
            raise ValueError(
                f"its load is negative{when}; give the size of the force that presses the surfaces together, a function by "
                "max(…, 0) where they part or abs(…) where it presses either way"
            )
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
        idle = [] if self._rubs else [field for field in OF_A_LOAD if getattr(self, field) != self._left_out(field)]
        why, fix = "coefficient is zero", "give a coefficient, or leave it out"
        return [Doubt(f"{field} has no effect", why, fix, field) for field in idle]

    @classmethod
    def _left_out(cls, field: str) -> object:
        """The value of a field that is not given."""
        return cls.model_fields[field].default

    def objections(self, joint: Joint | Path) -> list[Doubt]:
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
        if self.load in LOADS and (turns if self.load == "guide" else not turns and self.load != "radial"):
            why = f"'{along}' is a {'rotation' if turns else 'translation'}"
            fix = "use load: radial, bearing or axial" if turns else "use load: radial or guide"
            found.append(Doubt(f"load: {self.load}", why, fix, "load"))
        elif self.reads_reactions_of and (doubt := self._carried(joint, index)):
            found.append(doubt)
        return found

    def _carried(self, joint: Joint | Path, index: int) -> Doubt | None:
        """Why its load, which is that of the joint, is none."""
        what, given = "its load is that of the joint", "give the load [N], a function of a sensor if need be"
        if isinstance(joint, Path):
            if self.load == "guide" and getattr(joint, "twist", "free") == "free":
                why = f"nothing keeps the slider of '{joint.name}' from turning, so that there is no key"
                return Doubt("load: guide", why, "use load: radial, or a guide with twist: locked", "load")
            return None
        if not joint.binds:
            return Doubt(what, "a joint that binds nothing has no reaction", given, "load")
        if joint.enforcement == "elimination":
            why = "an eliminated joint has no reactions at hand while it is solved for"
            return Doubt(what, why, "leave out enforcement of the joint, or give the load [N]", "load")
        if not carries(joint, index, str(self.load), self.factor):
            others = [
                load
                for load in (("radial", "bearing", "axial") if joint.units[index] == "rad" else ("radial", "guide"))
                if carries(joint, index, load, self.factor)
            ]
            why = f"the joint carries no such force: what it holds leaves '{joint.name}.{joint.variables[index]}' without a load"
            fix = f"use load: {' or '.join(others)}, or {given}" if others else given
            return Doubt(f"load: {self.load} is always zero", why, fix, "load")
        return None

    def terms(self, around: Surroundings) -> list[Term]:
        """Its law, on the markers of the joint, or along the path."""
        if around.path is not None:
            return [self._along_path(*around.path, around.weight)]
        joint, a, b = around.joint, around.a, around.b
        index = variable_index(joint, self.variable)
        angular = joint.units[index] == "rad"
        by = Reads(len(joint.free.row_names) if self.reads_reactions_of else 0)
        whose, axis, other = axis_of(joint, index)
        arm = (self.radius or 0.0) if angular else 1.0
        parameters = Rubbing.pack(
            **self._surfaces(by, arm, around.weight),
            m=joint.free.measures[index],
            a=frame(a),
            b=frame(b),
            single=int(len(joint.rotations) == 1),
            joint=pose_parameters(joint.free, a, b),
            whose=whose,
            axis=axis,
            other=other,
        )
        start = (joint.start or (0.0,) * len(joint.variables))[index]
        history = Asperities.begin(value=start, place=start, margin=1.0) if self._sticks else ()
        law = joint_friction if self._sticks else smooth_friction
        along = f"{joint.name}.{joint.variables[index]}"
        counted = (Remembered(along, "place", present=False), Remembered(along, "value"))
        term = self._term(law, (a.node, b.node), history, parameters, joint.name, by, angular)
        return [replace(term, counts=counted)] if angular and self._sticks and not joint.by_vector else [term]

    def _along_path(self, path: Path, around: Surroundings, weight: float) -> Term:
        """Its law on a guide or cam; around: of that.   weight: of all bodies [N]."""
        by = Reads(len(path.binds) if self.reads_reactions_of else 0)
        site = path.rubs(around, self._sticks)
        parameters = site.parameters.pack(**self._surfaces(by, 1.0, weight), **site.fields)
        began = {"value": site.start, "place": site.start, "margin": 1.0} if self._sticks else {}
        assert site.law.history is not None
        history = site.law.history.begin(**site.history, **began)
        return self._term(site.law, site.nodes, history, parameters, path.name, by, False)

    @property
    def _sticks(self) -> bool:
        return self.model == "stick"

    def _surfaces(self, by: Reads, arm: float, weight: float) -> dict[str, Any]:
        """Fields of `Surfaces`.   arm: at which it acts.   weight: of all bodies [N]."""
        coefficient, normal = _number(self.coefficient), 0.0 if isinstance(self.load, str) else _number(self.load)
        usual = self.prestress + arm * (coefficient or 1.0) * (1.0 + self.stribeck) * (normal or weight)
        return {
            "load": LOADS[self.load] if isinstance(self.load, str) and self._rubs else GIVEN,
            "normal": normal or 0.0,
            "normal_by": by.drive(None if isinstance(self.load, str) or normal is not None else self.load),
            "coefficient": coefficient or 0.0,
            "coefficient_by": by.drive(self.coefficient if coefficient is None else None),
            "prestress": self.prestress,
            "stribeck": self.stribeck,
            "slip_speed": self.slip_speed or 1.0,
            "exponent": self.stribeck_exponent,
            "viscous": self.viscous,
            "arm": arm,
            "span": self.span or 1.0,
            "key": self.key or 1.0,
            "factor": self.factor,
            "shape": RAMP if self.model == "ramp" else TANH,
            "smooth_speed": self.smooth_speed or 1.0,
            "stiffness": usual / self.micro_slip,
            "secant": 0,
            "rest": AT_REST * self.micro_slip,
            "faint": FAINT * usual,
        }

    def _term(
        self,
        law: Law,
        nodes: tuple[int, ...],
        history: tuple[float, ...],
        parameters: Packed,
        rubs: str,
        by: Reads,
        angular: bool,
    ) -> Term:
        """rubs: name of the joint, of whose reactions it reads `by.own`."""
        reads = ((rubs, by.own), *by.reads) if by.own else by.reads
        effort = Output("torque", "N m") if angular else Output("force", "N")
        outputs = [effort, Output("limit", effort.unit), Output("load", "N"), Output("power", "W")]
        if self._sticks:
            outputs.insert(3, Output("sticks", ""))
        return Term(
            self.name,
            by_duals(law) if reads else law,
            nodes,
            history=history,
            own_outputs=tuple(outputs),
            parameters=parameters,
            reads=reads,
        )


def _number(function: Function) -> float | None:
    """Its value, if it depends on nothing."""
    return function.value if isinstance(function, Constant) else None
