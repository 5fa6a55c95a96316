"""Distance rod: keeps two points at a given distance, which may be a function of time."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, field_validator

from flexor.bodies.marker import MarkerRef
from flexor.coordinates.constraint import POSITION, ConstraintOn, Reached, constraint_on
from flexor.coordinates.frames import packed as frame
from flexor.coordinates.measure import DISTANCE
from flexor.declaration import Item
from flexor.dotted import NAME
from flexor.effects import AlongLine
from flexor.functions import AnyFunction, Constant, Function, function_of
from flexor.functions.call import packed as call
from flexor.functions.measure import least_known
from flexor.functions.samples import SINE
from flexor.joints.surroundings import Surroundings
from flexor.law import Term


class Distance(Item):
    """A massless rod with ball joints at both ends. `length` is kept as measured at the start if left out, where the mechanism stands without the rod.

    Signals: length [m], length_rate [m/s], force [N] (compression positive), target [m], power [W] that its motion puts in.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "a", "b", "length")
    noun: ClassVar[str] = "joint"
    type: Literal["distance"] = "distance"
    variables: ClassVar[tuple[str, ...]] = ()
    one_way: ClassVar[bool] = True
    prescribes: ClassVar[dict[str, int]] = {"length": 0}
    binds: ClassVar[tuple[str, ...]] = ("length",)
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"name": "tie", "a": "crank", "b": "rod.tip", "length": "1.3 m"},
        {"a": "crank", "b": "rod.tip", "length": SINE},
        {"a": "crank", "b": "rod.tip"},
    )
    name: str = Field(description="Unique name of the rod.", min_length=1, pattern=NAME)
    a: MarkerRef = Field(description="End on the first body (or ground).")
    b: MarkerRef = Field(description="End on the second body.")
    length: Annotated[AnyFunction, function_of("time", "length")] | None = Field(
        None, description="Length [m], a number or a function of time; that at the start if left out."
    )

    @field_validator("length")
    @classmethod
    def _more_than_zero(cls, function: Function | None) -> Function | None:
        if function is not None and not function.sensors and (least := least_known(function))[0] <= 0:
            raise ValueError(f"it is {least[0]:g} m at t = {least[1]:g} s; a rod has a length greater than zero")
        return function

    @property
    def line(self) -> AlongLine:
        remedy = "move one of them, or use a spherical joint"
        return AlongLine("length", self.length, prescribed=True, pulls=True, remedy=remedy)

    def terms(self, around: Surroundings) -> list[Term]:
        """Its law; where no length is given, it is the initial one."""
        a, b = around.a, around.b
        target = self.length if self.length is not None else Constant(around.length)
        parameters = ConstraintOn.pack(
            m=DISTANCE, a=frame(a), b=frame(b), given=POSITION, motion=call(target), start=0.0, start_rate=0.0
        )
        return [
            Term(
                self.name,
                constraint_on,
                (a.node, b.node),
                rows=self.binds,
                history=Reached.begin(),
                parameters=parameters,
            )
        ]
