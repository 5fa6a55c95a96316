"""Blocks that compute one value from others at once: comparator, adder, amplifier, multiplier, power.   FTG 8.4.1

Each is a function of readings. A formula does the same wherever an input stands, `input="goal - tilt"`; as a block it has a name.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from flexor.control.block import ControlBlock, Input, SingleInput
from flexor.control.function_of_readings import function_term
from flexor.declaration import Number
from flexor.functions import Expression, Function
from flexor.law import Term


class _Formula(ControlBlock):
    """Base of blocks that are a formula of their inputs."""

    def formula(self, *names: str) -> str:
        """The formula, names of inputs in quotes."""
        raise NotImplementedError

    def block_terms(self, inputs: tuple[str, ...]) -> list[Term]:
        aliases = [f"u{i + 1}" for i in range(len(inputs))]
        function = Expression(text=self.formula(*(f"'{alias}'" for alias in aliases)))
        return [function_term(self.name, function, self.signals, dict(zip(aliases, inputs, strict=True)))]


class _Several(_Formula):
    """Base of those of several inputs."""

    positional: ClassVar[tuple[str, ...]] = ("name", "inputs")
    inputs: tuple[Input, ...] = Field(
        description="Its inputs: sensors, blocks, numbers, functions, formulas.", min_length=1
    )

    @property
    def given_inputs(self) -> tuple[Function, ...]:
        return self.inputs


class Comparator(_Several):
    """The difference of two inputs, y = u₁ − u₂: what a controller acts on. Signal: value.   FTG type 1"""

    type: Literal["comparator"] = "comparator"
    samples: ClassVar[tuple[dict[str, Any], ...]] = ({"inputs": [0.5, "tilt"]},)

    @model_validator(mode="after")
    def _two(self) -> Self:
        if len(self.inputs) != 2:
            raise ValueError(f"inputs: it compares two, and {len(self.inputs)} are given; use Adder for more")
        return self

    def formula(self, *names: str) -> str:
        return f"{names[0]} - {names[1]}"


class Adder(_Several):
    """The sum of its inputs, y = u₁ + u₂ + …, each times its factor. Signal: value.   FTG type 2"""

    type: Literal["adder"] = "adder"
    samples: ClassVar[tuple[dict[str, Any], ...]] = ({"inputs": ["tilt", "tilt"], "factors": [1.5, -0.2]},)
    factors: tuple[float, ...] = Field((), description="A factor of each input; one if left out.")

    @model_validator(mode="after")
    def _one_each(self) -> Self:
        if self.factors and len(self.factors) != len(self.inputs):
            raise ValueError(f"factors: {len(self.factors)} are given for {len(self.inputs)} inputs; give one for each")
        return self

    def formula(self, *names: str) -> str:
        factors = self.factors or (1.0,) * len(names)
        return " + ".join(f"({factor!r})*{name}" for factor, name in zip(factors, names, strict=True))


class Multiplier(_Several):
    """The product of its inputs, y = u₁ u₂ … . Signal: value.   FTG type 6"""

    type: Literal["multiplier"] = "multiplier"
    samples: ClassVar[tuple[dict[str, Any], ...]] = ({"inputs": ["tilt", "tilt"]},)

    def formula(self, *names: str) -> str:
        return "*".join(names)


class Amplifier(SingleInput, _Formula):
    """y = K u. Signal: value.   FTG type 3"""

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "gain")
    type: Literal["amplifier"] = "amplifier"
    samples: ClassVar[tuple[dict[str, Any], ...]] = ({"input": "tilt", "gain": -60.0},)
    gain: Number = Field(description="K.")

    def formula(self, *names: str) -> str:
        return f"({float(self.gain)!r})*{names[0]}"


class Power(SingleInput, _Formula):
    """y = uⁿ; of a negative input only whole n. Signal: value.   FTG type 7"""

    positional: ClassVar[tuple[str, ...]] = ("name", "input", "exponent")
    type: Literal["power"] = "power"
    samples: ClassVar[tuple[dict[str, Any], ...]] = ({"input": "tilt", "exponent": 3.0},)
    exponent: float = Field(description="n.")

    def formula(self, *names: str) -> str:
        return f"{names[0]}^({self.exponent!r})"
