"""The user's own block: its equations as a Python function, compiled or as it is.

    def van_der_pol(p, t, x, u, dx, y):
        dx[0] = x[1]
        dx[1] = p[0] * (1 - x[0] * x[0]) * x[1] - x[0] + u[0]
        y[0] = x[0]

    fx.UserBlock("oscillator", van_der_pol, inputs=["push"], states=2, parameters=[0.5])

p: its parameters, t: time, x: states, u: inputs; it sets the rates dx of the states and the outputs y.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, ClassVar, Literal, Self

from pydantic import ConfigDict, Field, WithJsonSchema, field_serializer, model_validator

from flexor.control.block import ControlBlock, Input
from flexor.control.state_equations import PastStates, read_outputs, state_law, state_term
from flexor.control.user_equations import UNSET, doubt, unset
from flexor.functions import Function
from flexor.law import Law, Output, Term
from flexor.law.face import EnergyAnswer, with_face
from flexor.law.python_law import PythonLaw
from flexor.law.record import Record, tail


class UserNumbers(Record):
    """Parameters of the user's equations."""

    values = tail("in the user's order")


@functools.cache
def _equations(written: Callable) -> Callable:
    """In the form of `state_law`."""

    def equations(p, t, x, u, dx, y):  # type: ignore[no-untyped-def]
        written(p.values, t, x, u, dx, y)
        return 0

    return equations


@functools.cache
def _watched(written: Callable, states: int, outputs: int) -> Callable:
    """The same as plain Python, which tells what it leaves open."""

    def watched(p, t, x, u, dx, y):  # type: ignore[no-untyped-def]
        dx[:states], y[:outputs] = UNSET, UNSET
        written(p, t, x, u, dx, y)
        if left := unset(dx[:states], y[:outputs]):
            raise ValueError(f"it does not set {left}, or to no number")

    return watched


class UserBlock(ControlBlock):
    """A block of the user's own. Signals: value, the first output; value_2 …, the others.

    Models that contain one are built in Python; a file cannot carry code.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)
    positional: ClassVar[tuple[str, ...]] = ("name", "equations")
    type: Literal["user_block"] = "user_block"
    equations: Annotated[Callable[..., object], WithJsonSchema({"not": {}})] = Field(
        description="Function (p, t, x, u, dx, y) that sets the rates dx of the states and the outputs y."
    )
    inputs: tuple[Input, ...] = Field(description="Its inputs u, as those of any block.", min_length=1)
    states: int = Field(0, description="How many states x it has.", ge=0)
    outputs: int = Field(1, description="How many outputs y.", ge=1)
    parameters: tuple[float, ...] = Field((), description="Its parameters p[0], p[1], …")
    initial: tuple[float, ...] = Field((), description="States at the begin; zero if left out.")
    steady: bool = Field(False, description="Whether it begins at rest under the inputs that it has at t = 0.")
    compiled: bool = Field(
        True,
        description="Whether the function is compiled, for which it may only index and compute, with the functions of "
        "flexor.law.dual; else it may be any Python, at some microseconds a call.",
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.initial and len(self.initial) != self.states:
            raise ValueError(f"initial: it needs {self.states} numbers, one for each state")
        begin = self.initial or (0.0,) * self.states
        if self.compiled and (what := doubt(self.equations, self.parameters, begin, len(self.inputs), self.outputs)):
            raise ValueError(f"equations: {what}")
        return self

    @property
    def signals(self) -> tuple[Output, ...]:
        return (Output("value", self.unit), *(Output(f"value_{i + 2}", "") for i in range(self.outputs - 1)))

    @property
    def given_inputs(self) -> tuple[Function, ...]:
        return self.inputs

    @field_serializer("equations")
    def _named(self, value: Callable[..., object]) -> str:
        """For the record only: a file cannot carry code, and no reader takes it back."""
        return f"{value.__module__}.{value.__qualname__}"

    def block_terms(self, inputs: tuple[str, ...]) -> list[Term]:
        written = self.equations if self.compiled else _watched(self.equations, self.states, self.outputs)
        law = state_law(_equations(written), UserNumbers, "user_block")
        term = state_term(
            self.name,
            law,
            UserNumbers.pack(values=self.parameters),
            states=self.states,
            inputs=inputs,
            outputs=self.signals,
            steady=self.steady,
            initial=self.initial,
        )
        return [term if self.compiled else _in_python(term)]


def _in_python(term: Term) -> Term:
    """The term with its law as plain Python, its matrix by differences."""
    of: Law = term.law
    assert of.parameters is not None
    assert term.parameters is not None
    law = PythonLaw(
        with_face(of.body, of.parameters, PastStates),
        {},
        (),
        max(term.scratch, len(term.outputs), EnergyAnswer.WORDS),
        symmetric=False,
        python=True,
        parameters=of.parameters,
        history=PastStates,
        transitions=True,
        signals=read_outputs,
        told_by_unknowns=True,
        n_floats=len(term.parameters.words),
        n_history=len(term.history),
    )
    return replace(term, law=law)
