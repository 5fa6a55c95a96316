"""Axial spring-damper between two points.   FTG (5.2), (5.3), (5.20)–(5.22)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from flexor.bodies.marker import MarkerRef, Site
from flexor.coordinates.frames import packed as frame
from flexor.coordinates.measure import DISTANCE
from flexor.coordinates.point_spring import PointSpring, point_spring
from flexor.declaration import Item, quantity
from flexor.dotted import NAME
from flexor.effects import AlongLine, Doubt
from flexor.forces.spring_details import ALONG, BY_SENSOR, SpringDetails
from flexor.functions import AnyFunction, Constant, Function, function_of
from flexor.functions.measure import least_known, refuse
from flexor.functions.samples import CUBIC, RISING, SINE, SINKING, SPLINE
from flexor.joints.along import Along, misfits_along
from flexor.joints.surroundings import Surroundings
from flexor.law import GROUND, Term


class _Between(Item):
    """Its own fields, before those of all springs."""

    name: str = Field(description="Unique name of the spring.", min_length=1, pattern=NAME)
    a: MarkerRef = Field(description="End on the first body (or ground).")
    b: MarkerRef = Field(description="End on the second body.")
    stiffness: Annotated[float, quantity("stiffness")] = Field(0.0, description="Stiffness [N/m].")
    damping: Annotated[float, quantity("damping")] = Field(0.0, description="Damping coefficient [N s/m].")
    force: Annotated[AnyFunction, function_of("length", "force")] | None = Field(
        None, description="Further spring force [N] as a function of deflection [m]."
    )
    damper: Annotated[AnyFunction, function_of("velocity", "force")] | None = Field(
        None, description="Further damping force [N] as a function of rate [m/s]."
    )
    free_length: Annotated[AnyFunction, function_of("time", "length")] | None = Field(
        None,
        description="Stress-free length [m], may be a function of time or of a sensor; that at the start if left out.",
    )


class AxialSpring(SpringDetails, _Between):
    """A spring and damper along the line between two points.

    Force (tension positive) = stiffness·(ℓ − free length) + force(ℓ − free length) + damping·ℓ̇ + damper(ℓ̇).
    The free length is the initial length, with all loops closed, if left out. It may also be scaled, yield, fail, remember and have stops.
    Signals: length, deflection [m], rate [m/s], force [N].
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "a", "b")
    noun: ClassVar[str] = "spring"
    type: Literal["axial_spring"] = "axial_spring"
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"name": "spring", "a": "crank", "b": "rod.tip", "stiffness": "3 N/m", "damping": 0.8},
        {"a": "crank", "b": "rod.tip", "stiffness": 2.0, "force": CUBIC, "damper": RISING, "free_length": SINE},
        {"a": "crank", "b": "rod.tip", "force": SPLINE, "free_length": 0.4},
        {"a": "crank", "b": "rod.tip", "damping": 1.4, "free_length": 0.0},
        {"a": "crank", "b": "rod.tip", "force": "sinh(0.5*t)*exp(-t^2)", "damping": 0.3},
        {
            "a": "crank",
            "b": "rod.tip",
            "stiffness": 3,
            "yields": 0.2,
            "damping_by_deflection": RISING,
            "free_length": SINE,
        },
        {"a": "crank", "b": "rod.tip", "stiffness_by_deflection": RISING, "scale": SINE, "yields": {"below": SINKING}},
        {
            "a": "crank",
            "b": "rod.tip",
            "damping": 2,
            "upper_stop": {"at": 0.1, "stiffness": 3, "exponent": 1.5, "dissipation": 0.3},
        },
        {"a": "crank", "b": "rod.tip", "stiffness": 3, "fails": {"deflection_above": 1e9}},
    )
    along: ClassVar[Along] = ALONG
    by_sensor: ClassVar[tuple[str, ...]] = ("free_length", *BY_SENSOR)

    @field_validator("free_length")
    @classmethod
    def _no_less_than_zero(cls, function: Function | None) -> Function | None:
        if function is not None and not function.sensors and (least := least_known(function))[0] < 0:
            raise ValueError(
                f"it is {least[0]:g} m at t = {least[1]:g} s; a length is not negative, for preload use force"
            )
        return function

    @model_validator(mode="after")
    def _fitting(self) -> AxialSpring:
        refuse(misfits_along(self, ALONG, "m"))
        if self.fails is not None and self.fails.others:
            raise ValueError("fails.others is for springs of a joint; it has none")
        return self

    @property
    def line(self) -> AlongLine:
        remedy = "move one of them, or set free_length: 0"
        return AlongLine("free_length", self.free_length, prescribed=False, pulls=self.pulls, remedy=remedy)

    def doubts(self, gravity: Sequence[float]) -> list[Doubt]:
        return self.idle("free_length", self.free_length is not None)

    def terms(self, around: Surroundings) -> list[Term]:
        """Its law; where no free length is given, it is the initial one."""
        a, b = around.a, around.b
        free = self.free_length
        if (free is None or isinstance(free, Constant)) and self._linear and _still(a) and _still(b):
            length = around.length if free is None else free.value
            parameters = PointSpring.pack(
                p=b.p_NM - a.p_NM, stiffness=self.stiffness, damping=self.damping, free=length
            )
            return [Term(self.name, point_spring, (a.node, b.node), parameters=parameters)]
        free = Constant(around.length) if free is None else free
        measured = {"m": DISTANCE, "a": frame(a), "b": frame(b), "sign": 1.0, "single": 0}
        return self.spring_terms((a.node, b.node), measured, free)

    @property
    def _linear(self) -> bool:
        """Whether it is stiffness and damping alone."""
        return self.elastic_force is None and self.damping_force is None and not self._detailed


def _still(site: Site) -> bool:
    """Whether a point has the same distance from its node in global axes whatever happens."""
    return site.node == GROUND or not any(site.p_NM.tolist())
