"""Prescribed motion of a marker: displacements and rotations as functions of time.   FTG 7.7.4"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, ValidationInfo, field_validator, model_validator

from flexor.bodies.follower import Follower
from flexor.bodies.marker import MarkerRef, Site
from flexor.coordinates.between import Between
from flexor.coordinates.constraint import ACCELERATION, POSITION, SPEED, ConstraintOn, Course, Reached, constraint_on
from flexor.coordinates.driven import DrivenPast, driven_coordinate
from flexor.coordinates.frames import packed as frame
from flexor.coordinates.penalty import PenaltyOn, penalty_on
from flexor.declaration import Item, Stiffness, quantity
from flexor.dotted import NAME
from flexor.effects import Doubt
from flexor.errors import LawError, UnitError
from flexor.functions import AnyFunction, Constant, Function, function_of
from flexor.functions.call import packed as call
from flexor.functions.samples import CUBIC, SINE
from flexor.joints.kinematics import FreeMotions
from flexor.joints.prescribed_rotation import (
    AnglesReached,
    PrescribedRotation,
    SprungRotation,
    prescribed_rotation,
    sprung_rotation,
)
from flexor.joints.surroundings import Drawn, Surroundings
from flexor.law import Output, Remembered, Term
from flexor.law.coordinates import Node, Scalar
from flexor.units import Dimension

DIRECTIONS = ("x", "y", "z", "angle_z", "angle_y", "angle_x")
"""Displacements along the axes it is seen in, then rotations about successive axes, as of a free joint."""
ANGLES = DIRECTIONS[3:]
_FREE = FreeMotions("xyz", "zyx")
_MEASURES = _FREE.measures
_GIVEN = {"displacement": POSITION, "velocity": SPEED, "acceleration": ACCELERATION}
_DIMENSIONS = {
    "displacement": ("length", "angle"),
    "velocity": ("velocity", "angular velocity"),
    "acceleration": ("acceleration", "angular acceleration"),
}

RotationalStiffness = Annotated[float, quantity("rotational stiffness")]
Damping = Annotated[float, quantity("damping")]
RotationalDamping = Annotated[float, quantity("rotational damping")]
Motion = Annotated[AnyFunction, function_of("time")]


class PrescribedMotion(Item):
    """Moves a marker of any body in chosen directions as functions of time; in all others it stays free.

    fx.PrescribedMotion("shaker", table, z=fx.sine("5 mm", frequency="12 Hz"), angle_x=0)

    Displacements and rotations count from where the marker is drawn, along and about the axes of `seen_from`: the ground's, or
    those of a marker that moves. Several rotations follow each other as those of a free joint: about z, then y, then x. Where all three
    are given they may go on to any angle; by itself, or with one other, angle_y has to stay below 90°, and the others have no meaning there.
    `given` tells what the functions are: displacement, velocity or acceleration. They are constraints, or with `stiffness`
    (`rotational_stiffness`) stiff springs that follow the motion.

    Signals of each direction, e.g. shaker.z: force [N] (or torque [N m]) exerted on the marker, power [W], target; of springs error.
    By elimination also the motion in what is left free (shaker.y), and all that is transmitted (shaker.force_x … torque_z).
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "on")
    noun: ClassVar[str] = "prescribed motion"
    type: Literal["prescribed_motion"] = "prescribed_motion"
    one_way: ClassVar[bool] = True
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"name": "shaker", "on": "crank.tip", "seen_from": "rod", "z": "0.05*sin(3*t)"},
        {"on": "crank.tip", "seen_from": "rod", "angle_x": CUBIC, "given": "velocity"},
        {"on": "crank.tip", "seen_from": "rod", "angle_y": "0.3*sin(1.3*t)"},
        {"on": "crank", "seen_from": "rod.tip", "x": SINE, "given": "acceleration"},
        {"on": "crank", "seen_from": "rod.tip", "y": SINE, "stiffness": "20 N/m", "damping": 3.0},
        {"on": "crank", "seen_from": "rod", "angle_z": CUBIC, "rotational_stiffness": 7.0, "rotational_damping": 0.4},
        {"on": "crank.tip", "seen_from": "rod", "angle_z": SINE, "angle_y": CUBIC, "angle_x": "0.3*sin(1.3*t)"},
        {"on": "crank", "seen_from": "rod", "angle_z": SINE, "angle_y": 0.2, "angle_x": CUBIC, "given": "velocity"},
        {
            "on": "crank",
            "seen_from": "rod.tip",
            "angle_z": SINE,
            "angle_y": "0.2*sin(2*t)",
            "angle_x": 0.3,
            "rotational_stiffness": 7.0,
            "rotational_damping": 0.4,
        },
    )
    name: str = Field(description="Unique name of the motion.", min_length=1, pattern=NAME)
    on: MarkerRef = Field(description="The body and point that is moved.")
    seen_from: MarkerRef | None = Field(
        None, description="Marker from which the motion is seen, in whose axes; the ground if left out."
    )
    given: Literal["displacement", "velocity", "acceleration"] = Field(
        "displacement", description="What the functions of time are."
    )
    x: Motion | None = Field(None, description="Along x [m, m/s or m/s²]; free if left out.")
    y: Motion | None = Field(None, description="Along y.")
    z: Motion | None = Field(None, description="Along z.")
    angle_z: Motion | None = Field(None, description="About z [rad, rad/s or rad/s²]; free if left out.")
    angle_y: Motion | None = Field(None, description="About y, as turned by angle_z.")
    angle_x: Motion | None = Field(None, description="About x, as turned by both others.")
    stiffness: Stiffness | None = Field(
        None, description="Of springs in the place of constraints along x, y, z [N/m].", gt=0
    )
    damping: Damping = Field(0.0, description="Of dampers beside them [N s/m].", ge=0)
    rotational_stiffness: RotationalStiffness | None = Field(
        None, description="Of springs in the place of constraints about axes [N m/rad].", gt=0
    )
    rotational_damping: RotationalDamping = Field(0.0, description="Of dampers beside them [N m s/rad].", ge=0)
    enforcement: Literal["auto", "multipliers", "elimination"] = Field(
        "auto",
        description="How constraints are enforced; auto picks multipliers. By elimination the marker's node follows that of `seen_from`.",
    )

    @field_validator(*DIRECTIONS)
    @classmethod
    def _measures_motion(cls, function: Function | None, info: ValidationInfo) -> Function | None:
        given = info.data.get("given")
        if function is not None and given is not None:
            wanted = Dimension.of(_DIMENSIONS[given][str(info.field_name).startswith("angle")])
            if wrong := list(function.misfits(wanted, Dimension.of("time"))):
                raise UnitError([each.problem for each in wrong], [each.path for each in wrong])
        return function

    @model_validator(mode="after")
    def _some_direction(self) -> PrescribedMotion:
        if not self.directions:
            raise ValueError(f"it prescribes nothing; give one or more of {', '.join(DIRECTIONS)}, e.g. z=0")
        for kind, word in (("", "x, y, z"), ("rotational_", "angle_x, angle_y, angle_z")):
            of_kind = [each for each in self.directions if each.startswith("angle") == bool(kind)]
            stiffness, damping = getattr(self, f"{kind}stiffness"), getattr(self, f"{kind}damping")
            if (stiffness is not None or damping) and not of_kind:
                field = f"{kind}stiffness" if stiffness is not None else f"{kind}damping"
                raise ValueError(f"{field} is given, but none of {word}; leave it out, or prescribe one of them")
            if damping and stiffness is None:
                raise ValueError(f"{kind}damping stands beside {kind}stiffness; give that too, or leave both out")
        of_time = self.given == "displacement" and self.angle_y is not None and not self.angle_y.sensors
        begin = _at_start(self.angle_y) if of_time else 0.0
        if abs(begin) >= 0.5 * np.pi and not set(ANGLES) <= set(self.directions):
            raise ValueError(
                f"angle_y begins at {np.degrees(begin):.4g} deg, and without both other angles it has to stay below 90 deg; give all three, "
                "which together have no limit, or turn the axes from which it is seen"
            )
        if self.enforcement == "elimination" and len(self.binds) < len(self.directions):
            raise ValueError("springs are not enforced by elimination; leave out enforcement, or the stiffness")
        return self

    @property
    def directions(self) -> tuple[str, ...]:
        """The directions that are prescribed."""
        return tuple(each for each in DIRECTIONS if getattr(self, each) is not None)

    def penalty(self, direction: str) -> tuple[float, float] | None:
        """Stiffness and damping of the spring that moves it in a direction; None if it is a constraint."""
        turns = direction.startswith("angle")
        stiffness = self.rotational_stiffness if turns else self.stiffness
        return None if stiffness is None else (stiffness, self.rotational_damping if turns else self.damping)

    @property
    def eliminates(self) -> tuple[str, str] | None:
        master = "ground" if self.seen_from is None else self.seen_from.body
        return (master, self.on.body) if self.enforcement == "elimination" else None

    @property
    def binds(self) -> tuple[str, ...]:
        return tuple(each for each in self.directions if self.penalty(each) is None)

    @property
    def prescribes(self) -> dict[str, int]:  # type: ignore[override]
        return dict.fromkeys(self.binds, _GIVEN[self.given])

    @property
    def start_rates_of_marker(self) -> tuple[float, ...] | None:
        """Along x, y, z and about x, y, z; zero where it is free."""
        if self.given == "acceleration":
            return None
        order = ("x", "y", "z", "angle_x", "angle_y", "angle_z")
        return tuple(_at_start(getattr(self, each), rate=self.given == "displacement") for each in order)

    @property
    def begins(self) -> dict[str, float]:
        """Displacements and rotations at t = 0 that are not zero [m, rad]."""
        functions = {each: getattr(self, each) for each in self.binds if self.given == "displacement"}
        values = {each: _at_start(function) for each, function in functions.items()}
        return {each: value for each, value in values.items() if value}

    @property
    def displaces(self) -> dict[str, tuple[str, ...]]:
        turned = any(each.startswith("angle") for each in self.begins)
        fields = ("position", "orientation") if turned else ("position",)
        return {self.on.body: fields} if self.begins else {}

    def doubts(self, gravity: Sequence[float]) -> list[Doubt]:
        found = []
        for direction, value in self.begins.items():
            if not isinstance(getattr(self, direction), Constant):
                unit = "rad" if direction.startswith("angle") else "m"
                what = f"{direction} begins at {value:.4g} {unit}"
                why = "it counts from where the marker is drawn, which starts that far from there"
                found.append(Doubt(what, why, "let the function begin at 0 if that is not meant", direction))
        return found

    @property
    def holds(self) -> bool:
        return True

    @property
    def needs_orientation(self) -> bool:
        return any(each.startswith("angle") for each in self.directions)

    def terms(self, around: Surroundings) -> list[Term]:
        """One for each direction, all three rotations together, between two frames that coincide as drawn."""
        a, b = self.frames(around)
        courses = self._courses(around)
        whole = all(angle in courses for angle in ANGLES)
        terms = [self._along(each, courses[each], a, b) for each in courses if not (whole and each in ANGLES)]
        return [*terms, self._turned(courses, a, b)] if whole else terms

    def driving_terms(self, around: Surroundings) -> list[Term]:
        """By elimination: what drives each direction."""
        return [
            Term(
                f"{self.name}.{direction}", driven_coordinate, history=DrivenPast.begin(value=0.0),
                own_outputs=_signals(direction, False), parameters=Course.pack(**course),
                drives=(Remembered(f"{self.name}.{direction}", "value"),),
            )
            for direction, course in self._courses(around).items()
        ]  # fmt: skip

    def follower(self, around: Surroundings, nodes: Sequence[Node], scalars: list[Scalar]) -> Follower:
        """By elimination: the marker's node follows that from which it is seen; what is left free is appended to the scalars."""
        a, b = self.frames(around)
        first, at = len(scalars), [nodes[site.node] for site in (a, b)]
        x, R, v = (np.concatenate([np.ravel(getattr(node, name)) for node in at]).tolist() for name in ("x", "R", "v"))
        for direction, measure, unit in zip(DIRECTIONS, _FREE.measures, _FREE.units, strict=True):
            if direction not in self.directions:
                value, rate = Between(measure, a, b).value_and_rate(x, R, v)
                scalars.append(Scalar(f"{self.name}.{direction}", unit, float(value), float(rate)))
        left = tuple(range(first, len(scalars)))
        drives = tuple(f"{self.name}.{each}" if each in self.directions else "" for each in DIRECTIONS)
        return Follower(self.name, b.node, a.node, a, b, _FREE.motions, left, drives=drives)

    def frames(self, around: Surroundings) -> tuple[Site, Site]:
        """Two frames, on what it is seen from and on the marker, that coincide as drawn."""
        site, observer = around.site, around.observer
        p_OM, R_OM = _between(around.drawn)
        a = Site(observer.node, observer.p_NM + observer.R_NM @ p_OM, observer.R_NM)
        return a, Site(site.node, site.p_NM, site.R_NM @ R_OM.T)

    def _courses(self, around: Surroundings) -> dict[str, dict[str, Any]]:
        """What each direction does over time."""
        drawn = around.drawn
        p_OM, R_OM = _between(drawn)
        here = (Site(0, p_OM, np.eye(3)), Site(1, np.zeros(3), R_OM.T))  # the frames on the markers themselves
        courses: dict[str, dict[str, Any]] = {}
        for direction in self.directions:
            measure = _MEASURES[DIRECTIONS.index(direction)]
            _, rate = Between(measure, *here).value_and_rate(drawn.x.ravel(), drawn.R.ravel(), drawn.v.ravel())  # type: ignore[arg-type]
            given, function = _GIVEN[self.given], getattr(self, direction)
            motion = call(function, integral=given != POSITION)
            courses[direction] = {"given": given, "motion": motion, "start": 0.0, "start_rate": float(rate)}
        return courses

    def _along(self, direction: str, course: dict[str, Any], a: Site, b: Site) -> Term:
        """One direction by itself."""
        fields = {"m": _MEASURES[DIRECTIONS.index(direction)], "a": frame(a), "b": frame(b), **course}
        name, nodes, history = f"{self.name}.{direction}", (a.node, b.node), Reached.begin(value=0.0)
        spring = self.penalty(direction)
        outputs = _signals(direction, spring is not None)
        if spring is None:
            parameters = ConstraintOn.pack(**fields)
            return Term(
                name, constraint_on, nodes, rows=(direction,), history=history, own_outputs=outputs,
                parameters=parameters, drives=(Remembered(name, "value"),),
            )  # fmt: skip
        parameters = PenaltyOn.pack(**fields, stiffness=spring[0], damping=spring[1])
        return Term(name, penalty_on, nodes, history=history, own_outputs=outputs, parameters=parameters)

    def _turned(self, courses: dict[str, dict[str, Any]], a: Site, b: Site) -> Term:
        """All three rotations as a whole, which has no singularity."""
        fields = {"a": frame(a), "b": frame(b), **{each[-1]: Course.pack(**courses[each]) for each in ANGLES}}
        nodes, history, spring = (a.node, b.node), AnglesReached.begin(), self.penalty(ANGLES[0])
        outputs = tuple(
            Output(f"{angle}.{each.name}", each.unit)
            for angle in ANGLES
            for each in _signals(angle, spring is not None)
        )
        if spring is None:
            value = Reached.value.offset  # type: ignore[attr-defined]
            drives = tuple(Remembered(f"{self.name}.{each}", each[-1], value) for each in ANGLES)
            return Term(
                self.name, prescribed_rotation, nodes, rows=ANGLES, history=history, own_outputs=outputs,
                parameters=PrescribedRotation.pack(**fields), drives=drives,
            )  # fmt: skip
        parameters = SprungRotation.pack(**fields, stiffness=spring[0], damping=spring[1])
        return Term(self.name, sprung_rotation, nodes, history=history, own_outputs=outputs, parameters=parameters)


def _between(drawn: Drawn) -> tuple[np.ndarray, np.ndarray]:
    """Position and orientation of the marker, in axes of what it is seen from, as drawn."""
    return drawn.R[0].T @ (drawn.x[1] - drawn.x[0]), drawn.R[0].T @ drawn.R[1]


def _signals(direction: str, sprung: bool) -> tuple[Output, ...]:
    unit = "rad" if direction.startswith("angle") else "m"
    effort = Output("torque", "N m") if unit == "rad" else Output("force", "N")
    found = (effort, Output("power", "W"), Output("target", unit))
    return (*found, Output("error", unit)) if sprung else found


def _at_start(function: Function | None, rate: bool = False) -> float:
    """Its value or rate at t = 0, zero if it has none, which the check of prescribed motion tells."""
    if function is None:
        return 0.0
    try:
        value = float(function.derivative(0.0) if rate else function(0.0))
    except LawError:
        return 0.0
    return value if np.isfinite(value) else 0.0
