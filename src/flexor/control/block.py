"""What all blocks of a control system have in common: a name, inputs, and outputs that are read like sensors.

A block's output is a reading (`flexor.law.reading`), an unknown of the equations: blocks, loads and whatever else depends on it are solved
together, so that causality and algebraic loops need no care.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field

from flexor.control.block_input import identity, input_term
from flexor.declaration import Item
from flexor.dotted import NAME
from flexor.functions import AnyFunction, Function, as_function, function_of
from flexor.joints.surroundings import Surroundings
from flexor.law import Output, Term


def _by_name(value: Any) -> Any:
    """A sensor or block stands for a function that is its value."""
    if isinstance(value, Item):
        plain = value.name.isidentifier() and as_function(value.name).arguments == (value.name,)
        return value.name if plain else f"'{value.name}'"
    return value


Input = Annotated[AnyFunction, function_of("time"), BeforeValidator(_by_name, json_schema_input_type=Any)]
"""Field type: a sensor or block, its name, a number, a function of time or of sensors, a formula of all these."""


class ControlBlock(Item):
    """Base of blocks."""

    noun: ClassVar[str] = "block"
    readable: ClassVar[bool] = True
    positional: ClassVar[tuple[str, ...]] = ("name", "input")
    by_sensor: ClassVar[tuple[str, ...]] = ("input", "inputs.*")
    name: str = Field(description="Unique name of the block.", min_length=1, pattern=NAME)
    coupling: Literal["tight", "loose"] = Field(
        "tight",
        description="tight: its inputs are of the same instant, solved along with the motion; loose: of the last step.",
    )
    unit: str = Field("", description="Unit of its output, for plots.")

    @property
    def signals(self) -> tuple[Output, ...]:
        """Its outputs."""
        return (Output("value", self.unit),)

    @property
    def given_inputs(self) -> tuple[Function, ...]:
        """Its inputs in order."""
        raise NotImplementedError

    @property
    def holds(self) -> bool:
        return False

    def terms(self, around: Surroundings) -> list[Term]:
        """Its inputs, as far as they are no readings already, and the block itself."""
        names, terms = self._taken(self.given_inputs)
        return [*terms, *self.block_terms(names)]

    def block_terms(self, inputs: tuple[str, ...]) -> list[Term]:
        """The block, the last term, which has its name, and terms of its own before it; inputs: names of readings."""
        raise NotImplementedError

    def _taken(self, functions: Iterable[Function]) -> tuple[tuple[str, ...], list[Term]]:
        names, terms = [], []
        loose = self.coupling == "loose"
        for number, function in enumerate(functions, start=1):
            reading = identity(function)
            if reading is None or loose:
                term = input_term(f"{self.name}.taken {number}", function, loose)
                terms.append(term)
                reading = term.name
            names.append(reading)
        return tuple(names), terms


class SingleInput(ControlBlock):
    """Base of blocks with one input."""

    input: Input = Field(
        description="Its input u: a sensor or block by its name, a number, a function of time or of a sensor, a formula of several."
    )

    @property
    def given_inputs(self) -> tuple[Function, ...]:
        return (self.input,)
