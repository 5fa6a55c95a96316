"""A linear system of any size, by its matrices."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from flexor.control.block import ControlBlock, Input
from flexor.control.linear_block import linear_term, refuse_restless
from flexor.control.python_control import continuous
from flexor.control.realisation import StateMatrices
from flexor.functions import Function
from flexor.law import Output, Term

Matrix = tuple[tuple[float, ...], ...]


class StateSpace(ControlBlock):
    """ẋ = A x + B u, y = C x + D u with several inputs and outputs. Signals: value, the first output; value_2, value_3 …, the others.

    What depends on it reads the first output; a sensor reads the others: `fx.Sensor("second", "plant.value_2")`.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "inputs", "A", "B", "C", "D")
    type: Literal["state_space"] = "state_space"
    samples: ClassVar[tuple[dict[str, Any], ...]] = (
        {
            "inputs": ["tilt", "2*tilt"], "A": [[0, 1], [-40, -3]], "B": [[0, 0.2], [1, 0]], "C": [[1, 0], [0.3, 1]],
            "D": [[0, 0.1], [0, 0]],
        },
    )  # fmt: skip
    inputs: tuple[Input, ...] = Field(description="Its inputs u, as those of any block.", min_length=1)
    A: Matrix = Field(description="n × n: how states act on their rates.")
    B: Matrix = Field(description="n × m: how inputs act on the rates of states.")
    C: Matrix = Field(description="q × n: states in the outputs.")
    D: Matrix = Field((), description="q × m: inputs in the outputs at once; zero if left out.")
    initial: tuple[float, ...] = Field((), description="States at the begin; zero if left out.")
    steady: bool = Field(False, description="Whether it begins at rest under the inputs that it has at t = 0.")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        n, m, q = len(self.A), len(self.inputs), len(self.C)
        wanted = {"A": (n, n), "B": (n, m), "C": (q, n), **({"D": (q, m)} if self.D else {})}
        for name, (rows, columns) in wanted.items():
            matrix = getattr(self, name)
            if len(matrix) != rows or any(len(row) != columns for row in matrix):
                raise ValueError(
                    f"{name}: it must be {rows} × {columns}, for {n} states (rows of A), {m} inputs and {q} outputs (rows of C)"
                )
        if not q:
            raise ValueError("C: it has no rows, so that there is no output; e.g. [[1, 0]]")
        if self.initial and len(self.initial) != n:
            raise ValueError(f"initial: it needs {n} numbers, one for each state")
        refuse_restless(self.steady, self.linear)
        return self

    @property
    def signals(self) -> tuple[Output, ...]:
        more = (Output(f"value_{i + 2}", "") for i in range(len(self.C) - 1))
        return (Output("value", self.unit), *more)

    @property
    def given_inputs(self) -> tuple[Function, ...]:
        return self.inputs

    @property
    def linear(self) -> StateMatrices:
        """Its matrices."""
        n, m, q = len(self.A), len(self.inputs), len(self.C)
        A, B, C = (
            np.array(X, dtype=float).reshape(size) for X, size in ((self.A, (n, n)), (self.B, (n, m)), (self.C, (q, n)))
        )
        return StateMatrices(A, B, C, np.array(self.D, dtype=float).reshape(q, m) if self.D else np.zeros((q, m)))

    def block_terms(self, inputs: tuple[str, ...]) -> list[Term]:
        return [linear_term(self, self.linear, inputs, self.steady, self.initial)]

    @classmethod
    def of(cls, name: str, inputs: Any, system: Any, **fields: Any) -> Self:
        """From a StateSpace of python-control (or of scipy.signal)."""
        A, B, C, D = (continuous(each, system).tolist() for each in "ABCD")
        several = inputs if isinstance(inputs, list | tuple) else (inputs,)
        return cls(name=name, inputs=several, A=A, B=B, C=C, D=D, **fields)
