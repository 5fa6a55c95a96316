"""The user's own law between markers: compiled with `@law` of `flexor.law`, or any Python function.

    class Magnet(Record):
        strength = number("k in f = k/d²", "N m²")
        a = nested(Frame, "marker on the arm")
        b = nested(Frame, "marker on the frame")

    @law(Magnet, outputs=(("force", "N"),))
    def magnet(want, p, now, out): ...

    fx.UserLaw("magnet", magnet, on=(arm.at(0.1, 0, 0), fx.ground), parameters={"strength": 2.0})

The law's nodes are those of the markers in order, which also fill the record's frames. In the plain form

    @law(outputs=(("force", "N"),), tangent="own")
    def magnet(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w): ...

    fx.UserLaw("magnet", magnet, on=(arm.at(0.1, 0, 0), fx.ground), floats=(2.0,))

p holds each marker's position (3) and orientation (9) in its node behind the user's floats. A law may have scalar coordinates of
its own, with or without markers:

    fx.UserLaw("coil", circuit, scalars={"charge": 0.0}, floats=(…))      signals coil.charge, coil.charge_rate, …

r has N = 6 × nodes + scalars + multipliers rows, K is N × N by rows: K[i*N + j] = cK ∂rᵢ/∂qⱼ + cC ∂rᵢ/∂vⱼ + cM ∂rᵢ/∂aⱼ.
See `flexor.law.face` and `flexor.law.law` for the meaning of the arguments, docs/how-to/user-law.md for examples.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
    field_serializer,
    model_validator,
)

from flexor.bodies.marker import MarkerRef
from flexor.declaration import Item
from flexor.dotted import NAME
from flexor.forces.user_parameters import check_memory, check_names, check_places, packed
from flexor.joints.surroundings import Surroundings
from flexor.law import Law, Output, Term
from flexor.law.coordinates import Scalar
from flexor.law.face import EnergyAnswer
from flexor.law.python_law import PythonLaw

ScalarName = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^.\s][^.]*$")]
ScalarStart = Annotated[
    tuple[float, float],
    BeforeValidator(
        lambda given: given if isinstance(given, tuple | list) else (given, 0.0),
        json_schema_input_type=float | tuple[float, float],
    ),
]


class UserLaw(Item):
    """A law of the user's own. Models that contain one are built in Python; a file cannot carry code."""

    model_config = ConfigDict(arbitrary_types_allowed=True)
    positional: ClassVar[tuple[str, ...]] = ("name", "law")
    type: Literal["user_law"] = "user_law"
    name: str = Field(description="Unique name.", min_length=1, pattern=NAME)
    law: Annotated[Law | Callable[..., int | None], WithJsonSchema({"not": {}})] = Field(  # no file can hold one
        description="A law declared with @law, or a Python function of the same arguments."
    )
    on: tuple[MarkerRef, ...] = Field((), description="Markers whose nodes the law works on.")
    scalars: dict[ScalarName, ScalarStart] = Field(
        default_factory=dict,
        description="Scalar coordinates of its own: name → initial value, or (value, rate); signals by their names.",
    )
    parameters: dict[str, object] = Field(
        default_factory=dict,
        description="Its parameters by the names of its record: numbers, values with units, functions. Frames are the markers.",
    )
    floats: tuple[float, ...] = Field((), description="Its float parameters p[0], p[1], …, of a law without a record.")
    ints: tuple[int, ...] = Field((), description="Its integer parameters k[0], k[1], …, of a law without a record.")
    history: tuple[float, ...] = Field((), description="Initial values of its memory h, in order.")
    rows: tuple[str, ...] = Field((), description="Names of its constraint rows, one per multiplier.")
    outputs: tuple[tuple[str, str], ...] = Field((), description="(name, unit) of its outputs, for a Python function.")
    numerical_tangent: bool = Field(True, description="For a Python function: find the matrix by differences.")

    @model_validator(mode="after")
    def _works_on_something(self) -> UserLaw:
        if not self.on and not self.scalars:
            raise ValueError("it works on nothing; name markers (on), or give it scalars of its own")
        law_outputs = [output.name for output in self.law.outputs] if isinstance(self.law, Law) else []
        taken = {*law_outputs, *(name for name, _ in self.outputs)}
        names = {signal for name in self.scalars for signal in (name, f"{name}_rate", f"{name}_acceleration")}
        if taken & names:
            raise ValueError(f"its scalar and its output are both called '{min(taken & names)}'; rename one of them")
        record = self.law.parameters if isinstance(self.law, Law) else None
        if record is None and self.parameters:
            raise ValueError("its law has no record of parameters; declare it by @law(Record), or give floats and ints")
        if isinstance(self.law, Law) and record is not None:
            if self.floats or self.ints:
                raise ValueError(f"its law reads a {record.__name__}; give parameters={{…}} instead of floats and ints")
            check_memory(self.law, len(self.history))
            check_names(record, list(self.parameters), len(self.on))
            packed(record, self.parameters, [(np.zeros(3), np.eye(3))] * len(self.on))
        return self

    @property
    def binds(self) -> tuple[str, ...]:
        return self.rows

    @property
    def holds(self) -> bool:
        """Nobody knows."""
        return True

    @property
    def own_scalars(self) -> tuple[Scalar, ...]:
        """Its scalar coordinates with their values at the start."""
        return tuple(Scalar(f"{self.name}.{name}", "", *start) for name, start in self.scalars.items())

    @field_serializer("law")
    def _named(self, value: Law | Callable[..., int | None]) -> str:
        """For the record only: a file cannot carry code, and no reader takes it back."""
        function = value.function if isinstance(value, Law) else value
        return f"{function.__module__}.{function.__qualname__}"

    @field_serializer("parameters")
    def _told(self, value: dict[str, object]) -> dict[str, str]:
        """For the record only."""
        return {name: str(each) for name, each in value.items()}

    def terms(self, around: Surroundings) -> list[Term]:
        sites = around.sites
        law, floats, parameters = self.law, list(self.floats), None
        if isinstance(law, Law) and law.parameters is not None:
            check_places(self.name, law.parameters, self.on, sites)
            parameters = packed(law.parameters, self.parameters, [(site.p_NM, site.R_NM) for site in sites])
        else:
            for site in sites:
                floats += [*site.p_NM, *site.R_NM.ravel()]
        if not isinstance(law, Law):
            law = PythonLaw(
                law,
                {},
                tuple(Output(*output) for output in self.outputs),
                max(16, len(self.outputs), EnergyAnswer.WORDS),
                symmetric=False,
                python=True,
                n_ints=len(self.ints),
                n_floats=len(floats),
                n_history=len(self.history),
                numerical_tangent=self.numerical_tangent,
            )
        return [
            Term(
                self.name,
                law,
                tuple(site.node for site in sites),
                scalars=around.scalars,
                rows=self.rows,
                parameters=parameters,
                ints=self.ints,
                floats=tuple(floats),
                history=self.history,
            )
        ]
