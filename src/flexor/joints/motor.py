"""Motor: prescribes a joint variable as a function of time, or of positions that sensors read.   FTG 7.7.4"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from flexor.coordinates.combination import MOST, Weighted
from flexor.coordinates.constraint import ACCELERATION, POSITION, SPEED, ConstraintOn, Course, Reached, constraint_on
from flexor.coordinates.driven import DrivenPast, driven_coordinate, driven_variable
from flexor.coordinates.frames import packed as frame
from flexor.coordinates.measure import wrap
from flexor.coordinates.penalty import PenaltyByReading, PenaltyOn, penalty_by_reading, penalty_on
from flexor.coordinates.servo import Followed, led, servo
from flexor.declaration import Item, Number
from flexor.dotted import NAME
from flexor.effects import Doubt, Drive
from flexor.errors import ModelError, Problem
from flexor.functions import AnyFunction, Function, function_of
from flexor.functions.call import Call, Reads
from flexor.functions.call import packed as call
from flexor.functions.samples import CUBIC, SINE, SPLINE
from flexor.functions.several import evaluated
from flexor.joints.along import Along
from flexor.joints.guide import Guide
from flexor.joints.guide_drive_law import DriveOnGuide, drive_on_guide, penalty_on_guide
from flexor.joints.guide_law import OnLine
from flexor.joints.joint import Joint, NameOfJoint
from flexor.joints.path import Path
from flexor.joints.surroundings import Sensed, Surroundings
from flexor.law import Output, Remembered, Term


class Motor(Item):
    """Drives a variable of a joint, or the slider of a guide, with a given position, speed or acceleration, a function of time.

    Position and speed may follow sensors of joint variables, of lengths and of positions of markers: position="2*tilt". The motor acts
    on its joint alone; what it begins with has to fit.

    With `stiffness` a spring follows that motion, in the place of a constraint; it starts with the motion. Such a position may also be
    what any sensors or blocks of a control system tell, position="controller"; `damping` then acts on the joint's own rate. By elimination the variable
    of a joint that is eliminated itself is no unknown any more, but this function of time.

    Signals: torque (or force) that the motor exerts on B along the variable, power [W], target; of a spring error, too.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "joint")
    type: Literal["motor"] = "motor"
    along: ClassVar[Along] = {
        "position": ("coordinate", "time"),
        "speed": ("rate", "time"),
        "acceleration": ("second rate", "time"),
        "stiffness": ("stiffness", None),
        "damping": ("damping", None),
    }
    by_sensor: ClassVar[tuple[str, ...]] = ("position", "speed")
    prescribes: ClassVar[dict[str, int]] = {"position": 0, "speed": 1, "acceleration": 2}
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"name": "drive", "joint": "hinge", "speed": "300 rpm"},
        {"joint": "hinge", "position": SINE},
        {"joint": "hinge", "acceleration": CUBIC},
        {"joint": "slider", "speed": CUBIC},
        {"joint": "slider", "acceleration": SINE},
        {"joint": "sleeve", "variable": "angle", "position": CUBIC},
        {"joint": "cardan", "variable": "angle_a", "speed": SINE},
        {"joint": "cardan", "variable": "angle_b", "position": SPLINE},
        {"joint": "ball", "variable": "angle_z", "position": SINE},
        {"joint": "ball", "variable": "angle_y", "position": "0.3*sin(1.3*t)"},
        {"joint": "ball", "variable": "angle_x", "speed": SINE},
        {"joint": "socket", "variable": "rotation_z", "position": "0.4*sin(1.3*t)"},
        {"joint": "table", "variable": "y", "position": CUBIC},
        {"joint": "slider", "speed": {"type": "sum", "terms": (SINE, CUBIC)}},
        {"joint": "hinge", "position": SINE, "stiffness": 20.0, "damping": 0.7},
        {"joint": "slider", "acceleration": SINE, "stiffness": "30 N/m"},
        {"joint": "rail", "position": "9 + 0.3*sin(1.3*t)"},
        {"joint": "rail", "speed": CUBIC},
        {"joint": "rail", "acceleration": SINE},
        {"joint": "rail", "position": "9 + 0.3*sin(1.3*t)", "stiffness": 20.0, "damping": 0.7},
    )
    name: str = Field(description="Unique name of the motor.", min_length=1, pattern=NAME)
    joint: NameOfJoint = Field(description="Name of the joint or guide it drives.")
    variable: str | None = Field(None, description="Which joint variable; not needed where the joint has one.")
    position: Annotated[AnyFunction, function_of("time")] | None = Field(
        None, description="Joint variable as a function of time, or of sensors of positions [rad or m]."
    )
    speed: Annotated[AnyFunction, function_of("time")] | None = Field(
        None, description="Its rate as a function of time, or of sensors of positions [rad/s or m/s]."
    )
    acceleration: Annotated[AnyFunction, function_of("time")] | None = Field(
        None, description="Its second rate [rad/s² or m/s²]."
    )
    stiffness: Number | None = Field(
        None, description="Of a spring in the place of a constraint [N m/rad or N/m].", gt=0
    )
    damping: Number = Field(0.0, description="Of a damper beside it, on the error [N m s/rad or N s/m].", ge=0)
    enforcement: Literal["auto", "multipliers", "elimination"] = Field(
        "auto",
        description="How the motion is enforced; auto picks multipliers. Elimination needs a joint with elimination.",
    )

    @model_validator(mode="after")
    def _one_law(self) -> Motor:
        if sum(f is not None for f in (self.position, self.speed, self.acceleration)) != 1:
            raise ValueError("it needs exactly one of position, speed, acceleration; e.g. speed: 3000 rpm")
        if self.damping and self.stiffness is None:
            raise ValueError("damping stands beside stiffness; give that too, or leave both out")
        if self.stiffness is not None and self._motion.sensors and self.position is None:
            raise ValueError(
                "a spring that follows sensors or blocks follows a position; give that, or leave out stiffness"
            )
        if self.stiffness is not None and self.enforcement != "auto":
            raise ValueError("with stiffness it is a spring that nothing enforces; leave out enforcement or stiffness")
        if self.enforcement == "elimination" and self._motion.sensors:
            raise ValueError("what follows sensors is enforced by multipliers; leave out enforcement")
        return self

    @property
    def _motion(self) -> Function:
        """The only function that is given."""
        return next(each for each in (self.position, self.speed, self.acceleration) if each is not None)

    @property
    def drive(self) -> Drive | None:
        if self._motion.sensors and self.stiffness is not None:
            return None  # a spring with an end that something moves
        if self._motion.sensors:
            return Drive(self.joint, self.variable, by_sensors=True)
        functions = self.position, self.speed, self.acceleration
        return Drive(
            self.joint, self.variable, *functions, self.stiffness is not None, self.enforcement == "elimination"
        )

    def objections(self, joint: Joint | Path) -> list[Doubt]:
        eliminated, field = "it is enforced by elimination", "enforcement"
        if not isinstance(joint, Path):
            if self.enforcement != "elimination":
                return []
            if joint.by_vector:
                why = f"the rotation vector of joint '{joint.name}' is eliminated as a whole, or not at all"
                return [Doubt(eliminated, why, "leave out enforcement of the motor", field)]
            if joint.enforcement != "elimination":
                why = f"joint '{joint.name}' is not: its variable has to be what its body follows by"
                return [Doubt(eliminated, why, "give the joint enforcement: elimination, too", field)]
            return []
        if self.enforcement == "elimination":
            why = f"the slider of guide '{joint.name}' is never eliminated"
            return [Doubt(eliminated, why, "leave out enforcement of the motor", field)]
        if self._motion.sensors:
            why = f"'{joint.name}' is a {joint.noun}, whose slider only functions of time drive"
            return [
                Doubt(
                    "it follows sensors",
                    why,
                    "let the free value of a stiff joint spring on it depend on them",
                    "joint",
                )
            ]
        if not isinstance(joint, Guide):
            what, why = (
                f"it drives a {joint.noun}",
                "the follower is led by the curve's own body, and may leave the curve",
            )
            return [Doubt(what, why, "drive the body of the curve, or take a guide through points of it", "joint")]
        if joint.drives_itself:
            why = f"guide '{joint.name}' has a position or speed of its own"
            return [Doubt("it drives what is driven already", why, "remove one of them", "joint")]
        return []

    def _along_guide(self, guide: Guide, around: Surroundings) -> list[Term]:
        """Its law along a guide; around: of the guide."""
        given = POSITION if self.position is not None else SPEED if self.speed is not None else ACCELERATION
        start = guide.place(around, "begin")
        parameters = DriveOnGuide.pack(
            line=guide.spline(around),
            given=given,
            motion=call((self.position, self.speed, self.acceleration)[given], integral=given != POSITION),
            start=start,
            start_rate=guide.rate(around) if given == ACCELERATION else 0.0,
            stiffness=self.stiffness or 0.0,
            damping=self.damping,
        )
        nodes, history = guide.nodes(around), OnLine.begin(value=start, s=guide.place(around))
        if self.stiffness is not None:
            return [Term(self.name, penalty_on_guide, nodes, history=history, parameters=parameters)]
        drives = (Remembered(f"{guide.name}.position", "value"),)
        rows = ("position",)
        return [
            Term(self.name, drive_on_guide, nodes, rows=rows, history=history, parameters=parameters, drives=drives)
        ]

    def terms(self, around: Surroundings) -> list[Term]:
        """Its law, on the markers of the joint, or along the guide."""
        if around.path is not None:
            guide, place = around.path
            assert isinstance(guide, Guide)
            return self._along_guide(guide, place)
        joint, a, b = around.joint, around.a, around.b
        index = variable_index(joint, self.variable)
        given = POSITION if self.position is not None else SPEED if self.speed is not None else ACCELERATION
        function = self._motion
        start = (joint.start or (0.0,) * len(joint.variables))[index]
        rate = (joint.start_rate or (0.0,) * len(joint.variables))[index]
        angular = joint.units[index] == "rad"
        outputs = (
            Output("torque", "N m") if angular else Output("force", "N"),
            Output("power", "W"),
            Output("target", joint.units[index]),
        )
        if function.sensors and self.stiffness is not None:
            by = Reads()
            parameters = PenaltyByReading.pack(
                m=joint.free.measures[index], a=frame(a), b=frame(b), target=by.drive(function), stiffness=self.stiffness,
                damping=self.damping,
            )  # fmt: skip
            more = (*outputs, Output("error", joint.units[index]))
            law = by.law(penalty_by_reading)
            return [Term(self.name, law, (a.node, b.node), parameters=parameters, reads=by.reads, own_outputs=more)]
        if function.sensors:
            return [replace(self._led(around, index, given, start, rate), own_outputs=outputs)]
        course = {
            "given": given,
            "motion": call(function, integral=given != POSITION),
            "start": start,
            "start_rate": rate,
        }
        fields = {"m": joint.free.measures[index], "a": frame(a), "b": frame(b), **course}
        nodes, history = (a.node, b.node), Reached.begin(value=start)
        variable = joint.variables[index]
        drives = (Remembered(f"{joint.name}.{variable}", "value"),)
        if self.enforcement == "elimination":
            told = tuple(
                Output(f"{variable}{more}", f"{joint.units[index]}{per}")
                for more, per in (("", ""), ("_rate", "/s"), ("_acceleration", "/s²"))
            )
            return [
                Term(
                    self.name, driven_coordinate, history=DrivenPast.begin(value=start), own_outputs=outputs,
                    parameters=Course.pack(**course), drives=drives,
                ),
                Term(
                    joint.name, driven_variable, history=history, own_outputs=told, parameters=Course.pack(**course)
                ),
            ]  # fmt: skip
        if self.stiffness is not None:
            spring = PenaltyOn.pack(**fields, stiffness=self.stiffness, damping=self.damping)
            more = (*outputs, Output("error", joint.units[index]))
            return [Term(self.name, penalty_on, nodes, history=history, own_outputs=more, parameters=spring)]
        return [
            Term(
                self.name,
                constraint_on,
                nodes,
                rows=(joint.variables[index],),
                history=history,
                own_outputs=outputs,
                parameters=ConstraintOn.pack(**fields),
                drives=drives,
            )
        ]

    def _led(self, around: Surroundings, index: int, given: int, start: float, rate: float) -> Term:
        """Its law where it follows sensors; start, rate: of the joint variable."""
        joint, function = around.joint, self._motion
        driven = f"{joint.name}.{joint.variables[index]}"
        turns = joint.units[index] == "rad"
        single = turns and len(joint.rotations) == 1
        own = Sensed(joint.free.measures[index], around.a, around.b, start, rate, driven, turns, single)
        found = [own, *(around.sensed(name) for name in function.sensors)]
        if len(found) > MOST:
            raise self._misfit(f"it follows {len(found) - 1} sensors", f"{MOST - 1} at most", "let it follow fewer")
        if given == POSITION and any(each.variable == driven for each in found[1:]):
            why = "a position that depends on itself is either any or none"
            raise self._misfit(
                f"it follows '{driven}', which it drives", why, "let it follow others, or give its speed"
            )
        self._begin(joint, index, given, found)
        evaluator, numbers = function.of_several((None, *function.sensors))
        members = [Weighted(1.0, each.measure, frame(each.a), frame(each.b), each.single) for each in found]
        return Term(
            self.name,
            servo,
            tuple(site.node for each in found for site in (each.a, each.b)),
            rows=(joint.variables[index],),
            nonholonomic=int(given == SPEED),
            history=Followed.begin(q=[each.value for each in found], target=start),
            parameters=led(given, Call.pack(address=evaluator, p=numbers), members),
            counts=tuple(Remembered(each.variable, "q", i) for i, each in enumerate(found) if each.turns),
            drives=(Remembered(driven, "target"),),
        )

    def _begin(self, joint: Joint, index: int, given: int, found: Sequence[Sensed]) -> None:
        """ModelError where it does not begin with what it prescribes."""
        things = {None: (0.0, 1.0, 0.0)} | {
            name: (each.value, each.rate, 0.0) for name, each in zip(self._motion.sensors, found[1:], strict=True)
        }
        u, u_dot, _ = evaluated(self._motion, *(things[name] for name in self._motion.arguments))
        unit = joint.units[index]
        for field, wanted, own, per in (
            ("start", u if given == POSITION else None, found[0].value, ""),
            ("start_rate", u_dot if given == POSITION else u, found[0].rate, "/s"),
        ):
            off = 0.0 if wanted is None else wanted - own
            off = float(wrap(off)) if unit == "rad" and not per else off
            if wanted is not None and abs(off) > MEETS * max(1.0, abs(wanted)):
                what = (
                    f"its joint '{joint.name}' begins at {own:.6g} {unit}{per}, the motor with {wanted:.9g} {unit}{per}"
                )
                why = "what follows sensors has to begin where they tell"
                raise self._misfit(what, why, f"give joint '{joint.name}' {field}: {wanted:.9g}")

    def _misfit(self, what: str, why: str, fix: str) -> ModelError:
        return ModelError(Problem(self.called(self.name), what, why, fix))


MEETS = 1e-6
"""How far the start may be off, which is then mended [m, rad, m/s, rad/s]."""


def variable_index(joint: Joint | Path, variable: str | None) -> int:
    """Number of a joint variable by name; the joint's only one if no name is given."""
    if variable is None and len(joint.variables) == 1:
        return 0
    if variable not in joint.variables:
        raise ValueError(
            f"joint '{joint.name}' has the variables {', '.join(joint.variables) or 'none'}; "
            f"variable: {variable or 'is needed'}"
        )
    return joint.variables.index(variable)
