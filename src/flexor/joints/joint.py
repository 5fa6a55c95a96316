"""What all joints have in common: two markers, free motions, and the enforcement of the rest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from flexor.bodies.marker import MarkerRef
from flexor.declaration import Direction, Item, Point, Rotation, bounded
from flexor.dotted import NAME
from flexor.joints.kinematics import FreeMotions, free_motions
from flexor.joints.pose_constraint import Angles, parameters, pose_constraint
from flexor.joints.surroundings import Surroundings
from flexor.law import Output, Remembered, Term
from flexor.mistakes import suggestion
from flexor.spatial import quaternion_to_matrix, triad
from flexor.units import Quantity, si

REACTIONS = tuple(Output(f"force_{i}", "N") for i in "xyz") + tuple(Output(f"torque_{i}", "N m") for i in "xyz")
"""Force and torque on B, signals of every joint, however it is enforced."""


def joint_name(value: object) -> object:
    """The name of a joint that is given itself."""
    return getattr(value, "name", value)


NameOfJoint = Annotated[str, BeforeValidator(joint_name, json_schema_input_type=str)]
"""Field type: a joint by its name; in Python also the joint itself."""
_Values = float | str | tuple[float | str, ...] | None


class _Left:
    """What a kind of joint has; of one joint, what it does not lock."""

    def __init__(self, name: str, every: str | tuple[str, ...]) -> None:
        self.name, self.every = name, every

    def __get__(self, joint: Joint | None, kind: type[Joint]) -> str | tuple[str, ...]:
        if joint is None or (not joint.locked and _free_of(kind) is not None):
            return self.every
        if not joint.locked:
            return joint.in_its_form(self.name, self.every)
        names = kind.variables
        slides = len(kind.translations)
        own = {"translations": names[:slides], "rotations": names[slides:], "variables": names}[self.name]
        left = [each for each, name in zip(self.every, own, strict=True) if name not in joint.locked]
        return "".join(left) if isinstance(self.every, str) else tuple(left)


class Joint(Item):
    """A joint lets body B move against body A in its free motions only.

    The free motions are a product of poses (FTG 6.1): translations along axes of the joint frame, then rotations
    about successive follower axes. The joint frame stands on A; its z axis is `axis`, its x axis that of
    marker A (global x, or that of `orientation`, where `at` is given) made perpendicular to it, or the y axis of A where `axis` is within 20° of x or −x; y = z × x. So x, y, z
    of the frame point along x, y, z of A for axis z; along y, z, x for axis x; along x, −z, y for axis y. All joint variables are
    zero where the frames on A and B coincide, and have the values `start` in the initial placement. Bodies that joints put on
    are moved there; where the joint is given by the global point `at`, or the body on B has a position or orientation of its own, the
    bodies stand as they are drawn: angles are zero there, or `start`, which only tells what the variables are in that position.

    Signals: each variable and its rate (e.g. angle, angle_rate) and the reaction on B in the joint frame
    (force_x … torque_z).
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "a", "b")
    noun: ClassVar[str] = "joint"
    translations: ClassVar[str] = ""
    """Free translations along axes of the joint frame, e.g. "z"."""
    rotations: ClassVar[str] = ""
    """Free rotations about successive follower axes, e.g. "zy"."""
    variables: ClassVar[tuple[str, ...]] = ()
    """Names of the joint variables: translations, then rotations."""
    bisecting: ClassVar[bool] = False
    """Whether the two rotations are bends without a twist."""

    name: str = Field(description="Unique name of the joint.", min_length=1, pattern=NAME)
    a: MarkerRef = Field(description="Where it stands on the first body (or ground).")
    b: MarkerRef = Field(description="Where it stands on the second body.")
    at: Point | None = Field(None, description="Global position at the start [m], instead of points on the bodies.")
    orientation: Rotation | None = Field(
        None,
        description="Axes that `axis` counts in and the frame's x axis is taken from, where `at` is given; none = global ones.",
    )
    locked: tuple[str, ...] = Field(
        (), description="Variables that are held at zero; the joint then has one less each."
    )
    start: tuple[float, ...] | None = Field(
        None,
        description="Initial joint variables [m, rad]; if left out, zero where that fits. With `at`, what they are as drawn.",
    )
    start_rate: tuple[float, ...] | None = Field(None, description="Initial rates of the variables [m/s, rad/s].")
    enforcement: Literal["auto", "multipliers", "elimination"] = Field(
        "auto", description="How the constraint is enforced; auto picks multipliers between rigid bodies."
    )

    @classmethod
    def __pydantic_init_subclass__(cls, **about: object) -> None:
        """A joint without samples of its own gets some from its free motions; a joint has what it does not lock."""
        super().__pydantic_init_subclass__(**about)
        if "variables" in cls.__dict__:
            for name in ("translations", "rotations", "variables"):
                setattr(cls, name, _Left(name, getattr(cls, name)))
        if "samples" not in cls.__dict__:
            cls.samples = _samples(cls)

    @field_validator("start", "start_rate", mode="before", json_schema_input_type=_Values)
    @classmethod
    def _one_per_variable(
        cls, value: Quantity | list[Quantity] | tuple[Quantity, ...] | np.ndarray | None, info: ValidationInfo
    ) -> tuple[float, ...] | None:
        if value is None:
            return None
        numbers = list(value) if isinstance(value, list | tuple | np.ndarray) else [value]
        locked = info.data.get("locked", ())
        left = [variable for variable in cls.variables if variable not in locked]
        if len(numbers) != len(left):
            held = f"; {', '.join(locked)} locked at zero" if locked else ""
            raise ValueError(f"it needs {len(left)} values ({', '.join(left)}{held})")
        linear, angular = ("length", "angle") if info.field_name == "start" else ("velocity", "angular velocity")
        slides = cls.variables[: len(cls.translations)]
        dimensions = [linear if variable in slides else angular for variable in left]
        return tuple(bounded(si(number, dimension)) for number, dimension in zip(numbers, dimensions, strict=True))

    @field_validator("locked", mode="before", json_schema_input_type=str | tuple[str, ...])
    @classmethod
    def _one_name(cls, value: str | Sequence[str]) -> Sequence[str]:
        return (value,) if isinstance(value, str) else value

    @field_validator("locked")
    @classmethod
    def _of_the_variables(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if value and cls.bisecting:
            raise ValueError("the bends of a homokinetic joint are not locked one by one; use a universal joint")
        for name in value:
            if name not in cls.variables:
                raise ValueError(f"it has no variable {name!r}; {suggestion(name, cls.variables, 'it has')}")
        if len(set(value)) < len(value):
            raise ValueError("a variable is named twice; name each once")
        return tuple(variable for variable in cls.variables if variable in value)

    def shown(self, field: str) -> str:
        """As of any declaration; the variables each with its unit."""
        values = getattr(self, field)
        if field not in ("start", "start_rate") or values is None:
            return super().shown(field)
        units = [unit if field == "start" else f"{unit}/s" for unit in self.units]
        return ", ".join(f"{value:.6g} {unit}" for value, unit in zip(values, units))

    @property
    def eliminates(self) -> tuple[str, str] | None:
        return (self.a.body, self.b.body) if self.enforcement == "elimination" else None

    @property
    def binds(self) -> tuple[str, ...]:
        return self.free.row_names

    @property
    def holds(self) -> bool:
        """Its free motions tell what it holds."""
        return False

    @property
    def needs_orientation(self) -> bool:
        return bool(self.free.perpendicular_axes)

    @property
    def frame(self) -> np.ndarray:
        """Orientation of the joint frame in the axes of marker A (in those of `orientation` where `at` is given)."""
        return np.eye(3)

    @property
    def drawn_frame(self) -> np.ndarray:
        """Its orientation in global axes, as drawn, where `at` is given."""
        return self.frame if self.orientation is None else quaternion_to_matrix(self.orientation) @ self.frame

    @property
    def units(self) -> tuple[str, ...]:
        return self.free.units

    @property
    def free(self) -> FreeMotions:
        """Its free motions, and all that follows from them."""
        of_all = None if self.locked else _free_of(type(self))
        return of_all or free_motions(self.translations, self.rotations, self.bisecting, self.by_vector)

    @property
    def by_vector(self) -> bool:
        """Whether its angles are the components of the rotation vector."""
        return self.bisecting

    def in_its_form(self, name: str, every: str | tuple[str, ...]) -> str | tuple[str, ...]:
        """Its translations, rotations or variables, where a kind of joint has several forms."""
        return every

    @property
    def outputs(self) -> tuple[Output, ...]:
        return _outputs(self.variables, self.units)

    def terms(self, around: Surroundings) -> list[Term]:
        """The joint's law, multiplier form; the sites carry the joint frames."""
        a, b, name = around.a, around.b, self.name
        form = (None if self.locked else _form_of(type(self))) or self._form()
        variables, slides, free, outputs = form
        angles = (self.start or (0.0,) * len(variables))[slides:]
        turning = () if free.by_vector else variables[slides:]
        return [
            Term(
                name,
                pose_constraint,
                (a.node, b.node),
                rows=free.row_names,
                history=_history(angles),
                own_outputs=outputs,
                parameters=parameters(free, a, b),
                counts=tuple([Remembered(f"{name}.{angle}", "q", i) for i, angle in enumerate(turning)]),
            )
        ]

    def _form(self) -> _Form:
        return self.variables, len(self.translations), self.free, self.outputs


_Form = tuple[tuple[str, ...], int, FreeMotions, tuple[Output, ...]]
"""Variables, how many of them are translations, free motions, signals."""


@cache
def _form_of(kind: type[Joint]) -> _Form | None:
    """That of a kind of joints which has one form only, none of them locked, and the signals of all; None if it has several."""
    free = _free_of(kind)
    if free is None or kind.outputs is not Joint.outputs:
        return None
    return kind.variables, len(kind.translations), free, _outputs(kind.variables, free.units)


@lru_cache(maxsize=1024)
def _history(angles: tuple[float, ...]) -> tuple[float, ...]:
    """What a joint with these angles remembers at first [rad]."""
    return Angles.begin(q=angles)


@cache
def _free_of(kind: type[Joint]) -> FreeMotions | None:
    """Free motions of a kind of joints that has one form only, none of them locked; None if it has several."""
    if kind.in_its_form is not Joint.in_its_form or kind.by_vector is not Joint.by_vector:
        return None
    return free_motions(kind.translations, kind.rotations, kind.bisecting, kind.bisecting)


@cache
def _outputs(variables: tuple[str, ...], units: tuple[str, ...]) -> tuple[Output, ...]:
    names = []
    for variable, unit in zip(variables, units, strict=True):
        names += [Output(variable, unit), Output(f"{variable}_rate", f"{unit}/s")]
    return (*names, *REACTIONS)


_ANGLES = ((), ("400 deg",), ("10 deg", "290 deg"), ("20 deg", "-25 deg", "115 deg"))


def _samples(kind: type[Joint]) -> tuple[dict[str, object], ...]:
    """With an oblique axis and variables at the start (the middle one of three angles below 90°), and as drawn."""
    ends = {"a": "crank", "b": "rod.tip"}
    axis = {"axis": (1, -2, 0.5)} if "axis" in kind.model_fields else {}
    values = (*("300 mm", "-400 mm", "200 mm")[: len(kind.translations)], *_ANGLES[len(kind.rotations)])
    rates = (0.7, -0.5, 0.2, 0.4, -0.3, 0.6)[: len(values)]
    started = {"start": values if len(values) > 1 else values[0]} if values else {}
    drawn = {"at": (1, 2, 3), **({"start_rate": rates} if rates else {})}
    return {**ends, **axis, **started}, {**ends, **drawn}


class AxisJoint(Joint):
    """A joint with one distinguished axis, the z axis of its frame; x and y as `triad` has them."""

    axis: Direction = Field(
        (0.0, 0.0, 1.0), description="Axis, in the axes of marker A (global axes where `at` is given)."
    )

    @property
    def frame(self) -> np.ndarray:
        return _axis_frame(self.axis)


@lru_cache(maxsize=1024)
def _axis_frame(axis: tuple[float, float, float]) -> np.ndarray:
    R = triad(axis)
    R.flags.writeable = False
    return R
