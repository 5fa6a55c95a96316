"""Linear blocks: each is only a declaration that yields A, B, C and D."""

from __future__ import annotations

from typing import Annotated, Self

import numpy as np
from pydantic import Field, model_validator

from flexor.control.block import ControlBlock, SingleInput
from flexor.control.realisation import StateMatrices
from flexor.control.state_equations import state_law, state_term
from flexor.declaration import quantity
from flexor.law import Term
from flexor.law.record import Record, integer, tail

Time = Annotated[float, quantity("time"), Field(gt=0)]
"""A time constant, which is positive."""


class LinearEquations(Record):
    """Parameters of ẋ = A x + B u, y = C x + D u; matrices row by row."""

    states = integer("n")
    inputs = integer("m")
    outputs = integer("q")
    A = tail("n × n")
    B = tail("n × m")
    C = tail("q × n")
    D = tail("q × m")


def linear_equations(p, t, x, u, dx, y):
    """dx = A x + B u, y = C x + D u"""
    n, m = p.states, p.inputs
    for i in range(n):
        rate = 0.0 * u[0]
        for j in range(n):
            rate += p.A[i * n + j] * x[j]
        for j in range(m):
            rate += p.B[i * m + j] * u[j]
        dx[i] = rate
    for i in range(p.outputs):
        value = 0.0 * u[0]
        for j in range(n):
            value += p.C[i * n + j] * x[j]
        for j in range(m):
            value += p.D[i * m + j] * u[j]
        y[i] = value
    return 0


def linear_term(
    block: ControlBlock, linear: StateMatrices, inputs: tuple[str, ...], steady: bool, initial: tuple[float, ...] = ()
) -> Term:
    """A linear block in use."""
    q, m = linear.D.shape
    packed = LinearEquations.pack(
        states=linear.states, inputs=m, outputs=q, A=linear.A, B=linear.B, C=linear.C, D=linear.D
    )
    return state_term(
        block.name,
        state_law(linear_equations, LinearEquations, "linear_block"),
        packed,
        states=linear.states,
        inputs=inputs,
        outputs=block.signals,
        steady=steady,
        initial=initial,
    )


def refuse_restless(steady: bool, linear: StateMatrices) -> None:
    """ValueError where a block that integrates its input is to begin at rest under it."""
    if steady and np.linalg.matrix_rank(linear.A) < linear.states:
        raise ValueError(
            "steady: it integrates its input, so that under one input it never rests, and under none anywhere; leave steady out, give "
            'its states, or begin the run in equilibrium with the whole model, start="equilibrium"'
        )


class LinearBlock(SingleInput):
    """Base of linear blocks with one input and one output."""

    steady: bool = Field(
        False, description="Whether it begins at rest under the input that it has at t = 0; else with zero states."
    )

    @model_validator(mode="after")
    def _can_rest(self) -> Self:
        if self.steady:
            refuse_restless(self.steady, self.linear)
        return self

    @property
    def linear(self) -> StateMatrices:
        """Its state equations."""
        raise NotImplementedError

    def block_terms(self, inputs: tuple[str, ...]) -> list[Term]:
        return [linear_term(self, self.linear, inputs, self.steady)]
